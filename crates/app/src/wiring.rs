use std::sync::Arc;

use plenum_adapter_http::{Departures, Diagnostics, HttpSettings, JsonFrames, Readiness, Services};
use plenum_adapter_live::{BusSignals, InProcessBus, LiveHub, LiveSettings};
use plenum_adapter_postgres::{
    BallotBoxSettings, Db, DbSettings, PostgresAccounts, PostgresBallotBox, PostgresClients, PostgresDiagnostics,
    PostgresEndUsers, PostgresLive, PostgresMeetings, PostgresParticipants, PostgresQuestions, PostgresRounds,
    PostgresSessions, PostgresVoterMeetings, StartBallotBoxError, UrlError,
};
use plenum_adapter_security::{
    BcryptHasher, BcryptSettings, JwtTokens, OsSecrets, Sha256RefreshTokens, ShortKey, StartHasherError, SystemClock,
    TimeOrderedIds,
};
use plenum_clients::{
    AccessCheck, AccessTokens, AccountStore, ClientAdditions, ClientDirectory, ClientKeeping, ClientStore,
    EndUserAdditions, EndUserDirectory, EndUserKeeping, EndUserStore, PasswordHasher, SessionStore, SessionSweeping,
    SignInPorts, SignInService, SuperAdminFounding,
};
use plenum_kernel::{Clock, NewIds, Secrets};
use plenum_meetings::live::{LiveBus, LiveRooms, LiveSignals};
use plenum_meetings::{
    AgendaService, Invitations, MeetingPlanning, MeetingRunning, MeetingStore, ParticipantStore, QuestionStore,
    VoterMeetingService,
};
use plenum_voting::{
    BallotBox, BallotService, CountingService, RoundService, RoundStore, TestVotes, VoterRounds, VotingSignals,
};

use crate::diagnostics::DatabaseDiagnostics;
use crate::readiness::DatabaseReadiness;

/// Why the parts did not fit together.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// The database's address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The ballot writers did not start.
    #[error(transparent)]
    BallotBox(#[from] StartBallotBoxError),
    /// The hashing threads did not start.
    #[error(transparent)]
    Hasher(#[from] StartHasherError),
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
    /// How passwords are hashed.
    pub hashing: BcryptSettings,
    /// How the API is offered.
    pub http: HttpSettings,
}

/// The whole product, on a database: every port with its adapter, every service with its ports.
pub struct Product {
    /// What handlers call.
    pub services: Services,
    /// How the API is offered.
    pub http: HttpSettings,
    /// Makes super administrators.
    pub founding: SuperAdminFounding,
    /// Removes sessions that are over.
    pub sweeping: Arc<SessionSweeping>,
    /// Makes passwords.
    pub secrets: Arc<dyn Secrets>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    hub: Arc<LiveHub>,
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
        let hasher: Arc<dyn PasswordHasher> = Arc::new(BcryptHasher::start(settings.hashing)?);
        let access_tokens: Arc<dyn AccessTokens> = Arc::new(JwtTokens::new(&settings.signing_key)?);

        let connection = DbSettings::new(settings.database_url);
        let db = Db::new(&connection)?;
        let clients: Arc<dyn ClientStore> = Arc::new(PostgresClients::new(db.clone()));
        let end_users: Arc<dyn EndUserStore> = Arc::new(PostgresEndUsers::new(db.clone()));
        let accounts: Arc<dyn AccountStore> = Arc::new(PostgresAccounts::new(db.clone()));
        let sessions: Arc<dyn SessionStore> = Arc::new(PostgresSessions::new(db.clone()));
        let meetings: Arc<dyn MeetingStore> = Arc::new(PostgresMeetings::new(db.clone()));
        let participants: Arc<dyn ParticipantStore> = Arc::new(PostgresParticipants::new(db.clone()));
        let questions: Arc<dyn QuestionStore> = Arc::new(PostgresQuestions::new(db.clone()));
        let rounds: Arc<dyn RoundStore> = Arc::new(PostgresRounds::new(db.clone()));
        let ballot_box: Arc<dyn BallotBox> =
            Arc::new(PostgresBallotBox::start(db.clone(), &connection, BallotBoxSettings::default())?);

        let bus: Arc<dyn LiveBus> = Arc::new(InProcessBus::new());
        let signals = Arc::new(BusSignals::new(Arc::clone(&bus)));
        let live_signals: Arc<dyn LiveSignals> = Arc::clone(&signals) as _;
        let voting_signals: Arc<dyn VotingSignals> = signals;
        let hub = Arc::new(LiveHub::start(
            Arc::new(PostgresLive::new(db.clone())),
            Arc::new(JsonFrames),
            bus,
            Arc::clone(&clock),
            LiveSettings::default(),
        ));

        let sign_in = SignInService::new(SignInPorts {
            accounts: Arc::clone(&accounts),
            clients: Arc::clone(&clients),
            sessions: Arc::clone(&sessions),
            hasher: Arc::clone(&hasher),
            access_tokens: Arc::clone(&access_tokens),
            refresh_tokens: Arc::new(Sha256RefreshTokens),
            secrets: Arc::clone(&secrets),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
        });
        let sweeping = Arc::new(SessionSweeping::new(Arc::clone(&sessions), Arc::clone(&clock)));
        let access = Arc::new(AccessCheck::new(access_tokens, sessions, Arc::clone(&clock)));
        let services = Services {
            departures: Arc::new(Departures::new(Arc::clone(&access))),
            access,
            sign_in: Arc::new(sign_in),
            clients: Arc::new(ClientDirectory::new(Arc::clone(&clients))),
            client_keeping: Arc::new(ClientKeeping::new(Arc::clone(&clients), Arc::clone(&hasher), Arc::clone(&clock))),
            client_additions: Arc::new(ClientAdditions::new(
                clients,
                Arc::clone(&hasher),
                Arc::clone(&clock),
                Arc::clone(&ids),
                Arc::clone(&secrets),
            )),
            end_users: Arc::new(EndUserDirectory::new(Arc::clone(&end_users))),
            end_user_keeping: Arc::new(EndUserKeeping::new(
                Arc::clone(&end_users),
                Arc::clone(&hasher),
                Arc::clone(&clock),
                Arc::clone(&secrets),
            )),
            end_user_additions: Arc::new(EndUserAdditions::new(
                end_users,
                Arc::clone(&hasher),
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            meetings: Arc::new(MeetingPlanning::new(
                Arc::clone(&meetings),
                Arc::clone(&live_signals),
                Arc::clone(&clock),
                Arc::clone(&ids),
                Arc::clone(&secrets),
            )),
            running: Arc::new(MeetingRunning::new(meetings, Arc::clone(&live_signals), Arc::clone(&clock))),
            invitations: Arc::new(Invitations::new(participants)),
            agenda: Arc::new(AgendaService::new(questions, live_signals, Arc::clone(&clock), Arc::clone(&ids))),
            voter_meetings: Arc::new(VoterMeetingService::new(Arc::new(PostgresVoterMeetings::new(db.clone())))),
            rounds: Arc::new(RoundService::new(
                Arc::clone(&rounds),
                Arc::clone(&voting_signals),
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            counting: Arc::new(CountingService::new(Arc::clone(&rounds))),
            voter_rounds: Arc::new(VoterRounds::new(Arc::clone(&rounds))),
            test_votes: Arc::new(TestVotes::new(Arc::clone(&ballot_box), Arc::clone(&voting_signals))),
            ballots: Arc::new(BallotService::new(
                rounds,
                ballot_box,
                voting_signals,
                Arc::clone(&clock),
                Arc::clone(&ids),
            )),
            live: Arc::clone(&hub) as Arc<dyn LiveRooms>,
            diagnostics: Arc::new(DatabaseDiagnostics(PostgresDiagnostics::new(db.clone()))) as Arc<dyn Diagnostics>,
            readiness: Arc::new(DatabaseReadiness(db)) as Arc<dyn Readiness>,
        };
        let founding = SuperAdminFounding::new(accounts, hasher, Arc::clone(&clock), ids);
        Ok(Self { services, http: settings.http, founding, sweeping, secrets, clock, hub })
    }

    /// Tells every watching screen to come back later, by ending its stream. The first step of an orderly stop.
    pub fn end_streams(&self) {
        self.hub.shutdown();
    }
}
