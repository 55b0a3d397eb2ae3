use std::sync::Arc;
use std::time::Duration;

use plenum_adapter_documents::Documents;
use plenum_adapter_http::{
    Attribution, Diagnostics, HttpSettings, JsonFrames, MetricsPage, ProcessMemory, Readiness, RequestMetrics,
    Revocations, Services, Stopping,
};
use plenum_adapter_live::{BusSignals, InProcessBus, LiveHub, LiveSettings};
use plenum_adapter_nats::{NatsAddress, NatsBus, NatsSettings};
use plenum_adapter_postgres::{
    AuditChains, BallotBoxSettings, DbSettings, PostgresAccounts, PostgresActivity, PostgresAttendance,
    PostgresAuditTrail, PostgresBallotBox, PostgresClientReports, PostgresClients, PostgresDiagnostics,
    PostgresEndUsers, PostgresInvitations, PostgresLive, PostgresMeetingRecords, PostgresMeetings,
    PostgresParticipants, PostgresPasswords, PostgresQuestions, PostgresRegisterChanges, PostgresRehearsals,
    PostgresRemarks, PostgresResults, PostgresRounds, PostgresSecondFactors, PostgresSessions, PostgresVoterMeetings,
    StartBallotBoxError, UrlError,
};
use plenum_adapter_security::{
    BcryptHasher, FactorCipher, HmacDeviceTokens, JwtTokens, KeyedRefreshTokens, OsSecrets, ShortKey, SystemClock,
    TimeOrderedIds, installation_name,
};
use plenum_clients::{
    AccessCheck, AccessTokens, AccountService, AccountStore, AuditLog, AuditTrail, ClientPorts, ClientService,
    ClientStore, EndUserPorts, EndUserService, EndUserStore, PasswordHasher, PasswordResetService, PasswordStore,
    RefreshTokens, ReportService, ResetLetters, ResetPorts, SecondFactorService, SecondFactorStore, SessionService,
    SessionStore, SignInPorts, SignInService, SuperAdminPorts,
};
use plenum_embedded_postgres::ServerWatch;
use plenum_kernel::{Clock, InstanceId, NewIds, Secrets};
use plenum_meetings::live::{LiveBus, LiveSignals, LiveStreams, Presence as MeetingPresence};
use plenum_meetings::{
    AgendaService, InvitationPorts, InvitationSending, InvitationService, InvitationStore, MailSignals, MeetingPorts,
    MeetingService, MeetingStore, ParticipantStore, QuestionStore, RehearsalService, RemarkService, VoterMeetings,
};
use plenum_voting::{
    BallotBox, BallotService, Presence, RegisterService, ResultService, ResultStore, RoundService, RoundStore,
    VotingSignals,
};

use crate::database::{DatabaseAttribution, DatabaseDiagnostics, Pools};
use crate::metrics::{ProductMetrics, ProductState};
use crate::server::{OwnMemory, ProductReadiness};
use crate::workers::{MailSetup, MailWorker, Notify, carry_out_resets};

/// How many of those who sign in may use the database at a time. A hall that comes at once waits for its hashes much
/// longer, and leaves most of the pool to those who vote.
const SIGN_INS_AT_A_TIME: usize = 2;

/// Why the parts did not fit together.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// The database's address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The ballot writers did not start.
    #[error(transparent)]
    BallotBox(#[from] StartBallotBoxError),
    /// The signing key is too short.
    #[error(transparent)]
    Key(#[from] ShortKey),
}

/// What the product is built with.
pub struct ProductSettings {
    /// The address of a database that is migrated.
    pub database_url: String,
    /// The key that signs access tokens, at least 32 bytes.
    pub signing_key: Vec<u8>,
    /// Hashes passwords.
    pub hasher: Arc<BcryptHasher>,
    /// How the API is offered.
    pub http: HttpSettings,
    /// How mail is sent; without it none is.
    pub mail: Option<MailSetup>,
    /// Where other instances on this database are heard; without it there are none.
    pub nats: Option<NatsAddress>,
    /// The embedded database, where the database is that one.
    pub embedded: Option<ServerWatch>,
}

/// The whole product, on a database: every port with its adapter, every service with its ports.
pub struct Product {
    /// What handlers call.
    pub services: Services,
    /// How the API is offered.
    pub http: HttpSettings,
    /// Creates super administrators.
    pub super_admins: SuperAdminPorts,
    /// Ends rounds whose countdown is over.
    pub closing: Arc<RoundService>,
    /// Links the entries of the audit log.
    pub audit_chains: AuditChains,
    /// Sends invitations, once it is opened; none where no mail can be sent.
    pub mail_room: Option<MailWorker>,
    /// Makes passwords.
    pub secrets: Arc<dyn Secrets>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// The connections to the database.
    pub pools: Pools,
    hub: Arc<LiveHub>,
    nats: Option<Arc<NatsBus>>,
}

impl Product {
    /// Connects everything. Runs inside a Tokio runtime, on which the live hub's tasks stay.
    ///
    /// # Errors
    /// Fails when the database's address or the key cannot be used, or there are no threads.
    pub fn build(settings: ProductSettings) -> Result<Self, ProductError> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn NewIds> = Arc::new(TimeOrderedIds);
        let secrets: Arc<dyn Secrets> = Arc::new(OsSecrets);
        let own_hasher = settings.hasher;
        let hasher: Arc<dyn PasswordHasher> = Arc::clone(&own_hasher) as _;
        let access_tokens: Arc<dyn AccessTokens> = Arc::new(JwtTokens::new(&settings.signing_key)?);

        let connection = DbSettings::new(settings.database_url);
        let pools = Pools::new(&connection)?;
        let (db, voting) = (pools.general.clone(), pools.voting.clone());
        let door = voting.at_most(SIGN_INS_AT_A_TIME);
        let clients: Arc<dyn ClientStore> = Arc::new(PostgresClients::new(door.clone()).with_general(db.clone()));
        let end_users: Arc<dyn EndUserStore> = Arc::new(PostgresEndUsers::new(db.clone()));
        let accounts: Arc<dyn AccountStore> = Arc::new(PostgresAccounts::new(db.clone()));
        let sessions: Arc<dyn SessionStore> = Arc::new(PostgresSessions::new(voting.clone()));
        let all_sessions: Arc<dyn SessionStore> = Arc::new(PostgresSessions::new(db.clone()));
        let meetings: Arc<dyn MeetingStore> = Arc::new(PostgresMeetings::new(voting.clone()).with_general(db.clone()));
        let participants: Arc<dyn ParticipantStore> = Arc::new(PostgresParticipants::new(db.clone()));
        let questions: Arc<dyn QuestionStore> = Arc::new(PostgresQuestions::new(db.clone()));
        let rounds: Arc<dyn RoundStore> = Arc::new(PostgresRounds::new(voting.clone()).with_general(db.clone()));
        let voter_meetings: Arc<dyn VoterMeetings> = Arc::new(PostgresVoterMeetings::new(voting.clone()));
        let results: Arc<dyn ResultStore> = Arc::new(PostgresResults::new(db.clone()));
        let declared: Arc<dyn ResultStore> = Arc::new(PostgresResults::new(voting.clone()));
        let ballot_box = PostgresBallotBox::start(voting.clone(), &connection, BallotBoxSettings::default())?;
        let ballots = ballot_box.metrics();
        let ballot_box: Arc<dyn BallotBox> = Arc::new(ballot_box);

        let nats = settings.nats.map(|address| {
            let installation = installation_name(&settings.signing_key);
            Arc::new(NatsBus::start(NatsSettings { address, installation }))
        });
        let bus: Arc<dyn LiveBus> = match &nats {
            Some(nats) => Arc::clone(nats) as _,
            None => Arc::new(InProcessBus::new()),
        };
        let signals = Arc::new(BusSignals::new(Arc::clone(&bus)));
        let live_signals: Arc<dyn LiveSignals> = Arc::clone(&signals) as _;
        let voting_signals: Arc<dyn VotingSignals> = signals;
        let mut hub = LiveHub::start(
            Arc::new(PostgresLive::new(voting.clone())),
            Arc::new(JsonFrames),
            bus,
            Arc::clone(&clock),
            InstanceId::new(&*ids),
            LiveSettings::default(),
        );
        if let Some(nats) = &nats {
            hub.share_presence(Arc::clone(nats) as _);
        }
        hub.record_attendance(Arc::new(PostgresAttendance::new(db.clone())));
        let hub = Arc::new(hub);

        let invitations: Arc<dyn InvitationStore> = Arc::new(PostgresInvitations::new(db.clone()));
        let passwords: Arc<dyn PasswordStore> = Arc::new(PostgresPasswords::new(voting.clone()));
        let trail: Arc<dyn AuditTrail> = Arc::new(PostgresAuditTrail::new(db.clone()));
        let factors: Arc<dyn SecondFactorStore> = Arc::new(PostgresSecondFactors::new(voting.clone()));
        let refresh_tokens: Arc<dyn RefreshTokens> = Arc::new(KeyedRefreshTokens::new(&settings.signing_key));
        let reset_ports = ResetPorts {
            accounts: Arc::clone(&accounts),
            passwords: Arc::clone(&passwords),
            hasher: Arc::clone(&hasher),
            tokens: Arc::clone(&refresh_tokens),
            secrets: Arc::clone(&secrets),
            clock: Arc::clone(&clock),
            trail: Arc::clone(&trail),
        };
        let reset_letters = Arc::new(ResetLetters::new(reset_ports.clone()));
        // Never to where the request says that it was sent: whoever sends it would choose where the link leads.
        let reset_page = settings
            .http
            .public_url
            .as_ref()
            .map(|origin| format!("{origin}{}/reset-password", settings.http.base_path));
        let reset_wishes = settings
            .mail
            .as_ref()
            .zip(reset_page)
            .map(|(mail, page)| carry_out_resets(Arc::clone(&reset_letters), page, mail, Arc::clone(&ids)));
        let password_resets = Arc::new(PasswordResetService::new(reset_ports, reset_wishes));

        let mail_room = settings.mail.map(|mail| MailWorker {
            sending: Arc::new(InvitationSending::new(
                Arc::clone(&invitations),
                mail.mailer,
                Arc::clone(&clock),
                mail.lease,
            )),
            doorbell: Arc::new(Notify::new()),
            lanes: mail.lanes,
            look_every: mail.look_every,
        });
        let mail_signals = mail_room.as_ref().map(|room| Arc::clone(&room.doorbell) as Arc<dyn MailSignals>);

        let audit_chains = AuditChains::new(db.clone());
        let sign_in = Arc::new(SignInService::new(SignInPorts {
            accounts: Arc::new(PostgresAccounts::new(door)),
            clients: Arc::clone(&clients),
            profiles: Arc::new(PostgresAccounts::new(voting.clone())),
            // Also who renews a session uses them, and must not stand behind those who only come.
            sessions: Arc::clone(&sessions),
            passwords: Arc::clone(&passwords),
            factors,
            factor_cipher: Arc::new(FactorCipher::new(&settings.signing_key)),
            hasher: Arc::clone(&hasher),
            access_tokens: Arc::clone(&access_tokens),
            refresh_tokens,
            device_tokens: Arc::new(HmacDeviceTokens::new(&settings.signing_key)),
            secrets: Arc::clone(&secrets),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
            trail: Arc::clone(&trail),
        }));
        let access = Arc::new(AccessCheck::new(access_tokens, sessions, Arc::clone(&clock)));
        let revocations = Arc::new(Revocations::new(Arc::clone(&access), nats.clone().map(|nats| nats as _)));
        if nats.is_some() {
            tokio::spawn(Arc::clone(&revocations).apply_remote());
        }
        let requests = Arc::new(RequestMetrics::default());
        let metrics: Arc<dyn MetricsPage> = Arc::new(ProductMetrics::new(
            &requests,
            &ballots,
            ProductState {
                hasher: own_hasher,
                hub: Arc::clone(&hub),
                pools: pools.clone(),
                embedded: settings.embedded,
                nats: nats.clone(),
                started_at: clock.now(),
            },
        ));
        let documents = Arc::new(Documents::new());
        let round_service = Arc::new(RoundService::new(
            Arc::clone(&rounds),
            Arc::clone(&voting_signals),
            Arc::clone(&hub) as Arc<dyn Presence>,
            Arc::clone(&clock),
            Arc::clone(&ids),
        ));
        let stopping = Arc::new(Stopping::default());
        let services = Services {
            revocations,
            access,
            clients: Arc::new(ClientService::new(ClientPorts {
                clients,
                hasher: Arc::clone(&hasher),
                clock: Arc::clone(&clock),
                ids: Arc::clone(&ids),
                secrets: Arc::clone(&secrets),
            })),
            accounts: Arc::new(AccountService::new(Arc::clone(&accounts), Arc::clone(&sign_in))),
            sessions: Arc::new(SessionService::new(all_sessions, Arc::clone(&clock))),
            reports: Arc::new(ReportService::new(
                Arc::new(PostgresClientReports::new(db.clone())),
                Arc::new(PostgresActivity::new(db.clone())),
                Arc::clone(&documents) as _,
                Arc::clone(&clock),
            )),
            end_users: Arc::new(EndUserService::new(EndUserPorts {
                end_users,
                hasher: Arc::clone(&hasher),
                sheets: Arc::clone(&documents) as _,
                clock: Arc::clone(&clock),
                ids: Arc::clone(&ids),
                secrets: Arc::clone(&secrets),
            })),
            sheet_reader: Arc::clone(&documents) as _,
            meetings: Arc::new(MeetingService::new(MeetingPorts {
                meetings,
                voter_meetings: Arc::clone(&voter_meetings),
                signals: Arc::clone(&live_signals),
                clock: Arc::clone(&clock),
                ids: Arc::clone(&ids),
                secrets: Arc::clone(&secrets),
            })),
            invitations: Arc::new(InvitationService::new(InvitationPorts {
                participants,
                invitations,
                live_signals: Arc::clone(&live_signals),
                mail_signals,
                secrets: Arc::clone(&secrets),
                clock: Arc::clone(&clock),
            })),
            agenda: Arc::new(AgendaService::new(
                questions,
                Arc::clone(&live_signals),
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            rehearsals: Arc::new(RehearsalService::new(
                Arc::new(PostgresRehearsals::new(db.clone())),
                voter_meetings,
                live_signals,
                Arc::clone(&hub) as Arc<dyn MeetingPresence>,
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            remarks: Arc::new(RemarkService::new(
                Arc::new(PostgresRemarks::new(db.clone())),
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            rounds: Arc::clone(&round_service),
            registers: Arc::new(RegisterService::new(
                Arc::new(PostgresRegisterChanges::new(voting)),
                Arc::clone(&voting_signals),
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            results: Arc::new(ResultService::new(results, declared, Arc::clone(&voting_signals), Arc::clone(&clock))),
            meeting_records: Arc::new(PostgresMeetingRecords::new(db.clone())),
            audit: Arc::new(AuditLog::new(trail, Arc::clone(&documents) as _, Arc::clone(&clock))),
            attribution: Arc::new(DatabaseAttribution) as Arc<dyn Attribution>,
            result_documents: documents,
            ballots: Arc::new(BallotService::new(
                rounds,
                ballot_box,
                voting_signals,
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            live: Arc::clone(&hub) as Arc<dyn LiveStreams>,
            clock: Arc::clone(&clock),
            diagnostics: Arc::new(DatabaseDiagnostics(PostgresDiagnostics::new(db))) as Arc<dyn Diagnostics>,
            memory: Arc::new(OwnMemory) as Arc<dyn ProcessMemory>,
            password_resets,
            second_factors: Arc::new(SecondFactorService::new(Arc::clone(&sign_in), Arc::clone(&accounts))),
            sign_in,
            requests,
            metrics,
            readiness: Arc::new(ProductReadiness {
                database: pools.health.clone(),
                nats: nats.clone(),
                stopping: Arc::clone(&stopping),
            }) as Arc<dyn Readiness>,
            stopping,
        };
        let super_admins = SuperAdminPorts { accounts, hasher, clock: Arc::clone(&clock), ids };
        Ok(Self {
            services,
            http: settings.http,
            super_admins,
            closing: round_service,
            audit_chains,
            mail_room,
            secrets,
            clock,
            hub,
            nats,
            pools,
        })
    }

    /// Waits until other instances have had the time to say who is connected to them, so that nobody is missing in the first
    /// picture or the first register. Does not wait long, and not at all where there are no others.
    pub async fn apply_remote(&self) {
        if let Some(nats) = &self.nats {
            nats.wait_for_first_reports(Duration::from_secs(2)).await;
        }
    }

    /// Says from now on that this instance is not ready, so that load balancers send nobody more. It goes on working. The first
    /// step of an orderly stop.
    pub fn announce_stop(&self) {
        self.services.stopping.begin();
    }

    /// Tells every watching screen when to come back, and ends its stream.
    pub fn end_streams(&self) {
        self.services.stopping.begin();
        self.hub.shutdown();
    }
}
