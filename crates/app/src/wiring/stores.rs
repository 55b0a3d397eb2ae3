use std::sync::Arc;

use plenum_adapter_postgres::{
    BallotBoxSettings, BallotMetrics, Db, DbSettings, PostgresAccounts, PostgresActivity, PostgresAuditTrail,
    PostgresBallotBox, PostgresBranding, PostgresCheckIns, PostgresClientReports, PostgresClients, PostgresCurations,
    PostgresDesks, PostgresEndUsers, PostgresGroups, PostgresInvitations, PostgresJoinLinks, PostgresMeetings,
    PostgresPaperVotes, PostgresParticipants, PostgresPasswords, PostgresPreparedRegisters, PostgresProxies,
    PostgresQuestions, PostgresRecords, PostgresRegisterChanges, PostgresRehearsals, PostgresRemarks, PostgresResults,
    PostgresRounds, PostgresSecondFactors, PostgresSessions, PostgresTimestamps, PostgresUrns, PostgresVoterMeetings,
    PostgresWeightKinds, StartBallotBoxError,
};
use plenum_clients::{
    AccountStore, ActivitySource, AuditTrail, BrandingStore, ClientReportSource, ClientStore, EndUserStore, GroupStore,
    JoinLinkStore, PasswordStore, SecondFactorStore, SessionStore, WeightKindStore,
};
use plenum_meetings::{
    CheckInStore, DeskStore, InvitationStore, MeetingStore, ParticipantStore, QuestionStore, RehearsalStore,
    RemarkStore, VoterMeetings,
};
use plenum_voting::{
    BallotBox, CurationStore, PaperVotes, PreparedRegisters, ProxyStore, RecordTimestamps, RecordWriter,
    RegisterChanges, ResultRecords, ResultStore, RoundStore, SealingKeys, UrnKeys, UrnStore,
};

use super::security::SecurityPorts;
use crate::database::Pools;

/// The number of sign-ins that look up their names at a time. Sign-ins wait much longer for their password hashes, and
/// voting keeps most of its pool.
const SIGN_IN_LOOKUPS: usize = 2;

/// The stores that services share, each on the pool of its urgency.
pub(super) struct Stores {
    pub(super) accounts: Arc<dyn AccountStore>,
    /// Finds the credentials of names at sign-in, a few at a time.
    pub(super) sign_in_accounts: Arc<dyn AccountStore>,
    /// Finds the profiles of signed-in people. Lookups of names at sign-in do not delay it.
    pub(super) profiles: Arc<dyn AccountStore>,
    pub(super) clients: Arc<dyn ClientStore>,
    pub(super) branding: Arc<dyn BrandingStore>,
    pub(super) end_users: Arc<dyn EndUserStore>,
    pub(super) groups: Arc<dyn GroupStore>,
    pub(super) weight_kinds: Arc<dyn WeightKindStore>,
    /// Checks and renews sessions. Lookups of names at sign-in do not delay it.
    pub(super) sessions: Arc<dyn SessionStore>,
    /// Lists and removes sessions.
    pub(super) session_lists: Arc<dyn SessionStore>,
    pub(super) passwords: Arc<dyn PasswordStore>,
    /// Finds links at sign-in.
    pub(super) join_links: Arc<dyn JoinLinkStore>,
    /// Makes, lists and revokes links.
    pub(super) join_link_lists: Arc<dyn JoinLinkStore>,
    pub(super) second_factors: Arc<dyn SecondFactorStore>,
    pub(super) client_reports: Arc<dyn ClientReportSource>,
    pub(super) activity: Arc<dyn ActivitySource>,
    pub(super) audit_trail: Arc<dyn AuditTrail>,
    pub(super) meetings: Arc<dyn MeetingStore>,
    pub(super) voter_meetings: Arc<dyn VoterMeetings>,
    pub(super) participants: Arc<dyn ParticipantStore>,
    pub(super) check_ins: Arc<dyn CheckInStore>,
    pub(super) desks: Arc<dyn DeskStore>,
    pub(super) questions: Arc<dyn QuestionStore>,
    pub(super) invitations: Arc<dyn InvitationStore>,
    pub(super) rehearsals: Arc<dyn RehearsalStore>,
    pub(super) remarks: Arc<dyn RemarkStore>,
    pub(super) rounds: Arc<dyn RoundStore>,
    pub(super) prepared_registers: Arc<dyn PreparedRegisters>,
    pub(super) register_changes: Arc<dyn RegisterChanges>,
    pub(super) proxies: Arc<dyn ProxyStore>,
    pub(super) paper_votes: Arc<dyn PaperVotes>,
    /// Reads results for lists and exports.
    pub(super) results: Arc<dyn ResultStore>,
    /// Declares results, and reads declared ones, while a meeting runs.
    pub(super) declared_results: Arc<dyn ResultStore>,
    /// Reads records for lists and exports.
    pub(super) records: Arc<dyn ResultRecords>,
    /// Reads records while a meeting runs.
    pub(super) live_records: Arc<dyn ResultRecords>,
    pub(super) timestamps: Arc<dyn RecordTimestamps>,
    pub(super) curations: Arc<dyn CurationStore>,
    pub(super) urns: Arc<dyn UrnStore>,
    pub(super) urn_keys: Arc<dyn UrnKeys>,
    /// Confirms keys before ballots are sealed for them.
    pub(super) sealing_keys: Arc<SealingKeys>,
    pub(super) ballot_box: Arc<dyn BallotBox>,
    pub(super) ballot_metrics: Arc<BallotMetrics>,
}

/// The parts that write evidence within transactions of the stores.
pub(super) struct EvidenceWriters {
    /// Writes the records of declared results and of ended meetings.
    pub(super) records: Arc<dyn RecordWriter>,
    /// Opens the urns of secret rounds.
    pub(super) urn_keys: Arc<dyn UrnKeys>,
}

impl Stores {
    /// Opens the stores and starts the ballot writers.
    ///
    /// # Errors
    /// Fails when the ballot writers do not start.
    pub(super) fn open(
        pools: &Pools,
        connection: &DbSettings,
        writers: &EvidenceWriters,
        ports: &SecurityPorts,
    ) -> Result<Self, StartBallotBoxError> {
        let (general, voting, writer) = (&pools.general, &pools.voting, &writers.records);
        let results =
            |db: &Db| PostgresResults::new(db.clone(), Arc::clone(writer)).with_urn_keys(Arc::clone(&writers.urn_keys));
        let urns: Arc<dyn UrnStore> = Arc::new(PostgresUrns::new(voting.clone()));
        let sign_in = voting.at_most(SIGN_IN_LOOKUPS);
        let ballot_box = PostgresBallotBox::start(voting.clone(), connection, BallotBoxSettings::default())?;
        Ok(Self {
            accounts: Arc::new(PostgresAccounts::new(general.clone())),
            sign_in_accounts: Arc::new(PostgresAccounts::new(sign_in.clone())),
            profiles: Arc::new(PostgresAccounts::new(voting.clone())),
            clients: Arc::new(PostgresClients::new(sign_in).with_general(general.clone())),
            branding: Arc::new(PostgresBranding::new(general.clone())),
            end_users: Arc::new(PostgresEndUsers::new(general.clone())),
            groups: Arc::new(PostgresGroups::new(general.clone())),
            weight_kinds: Arc::new(PostgresWeightKinds::new(general.clone())),
            sessions: Arc::new(PostgresSessions::new(voting.clone())),
            session_lists: Arc::new(PostgresSessions::new(general.clone())),
            passwords: Arc::new(PostgresPasswords::new(voting.clone())),
            join_links: Arc::new(PostgresJoinLinks::new(voting.clone())),
            join_link_lists: Arc::new(PostgresJoinLinks::new(general.clone())),
            second_factors: Arc::new(PostgresSecondFactors::new(voting.clone())),
            client_reports: Arc::new(PostgresClientReports::new(general.clone())),
            activity: Arc::new(PostgresActivity::new(general.clone())),
            audit_trail: Arc::new(PostgresAuditTrail::new(general.clone())),
            meetings: Arc::new(PostgresMeetings::new(voting.clone(), Arc::clone(writer)).with_general(general.clone())),
            voter_meetings: Arc::new(PostgresVoterMeetings::new(voting.clone())),
            participants: Arc::new(PostgresParticipants::new(general.clone())),
            check_ins: Arc::new(PostgresCheckIns::new(voting.clone()).with_general(general.clone())),
            desks: Arc::new(PostgresDesks::new(voting.clone())),
            questions: Arc::new(PostgresQuestions::new(general.clone())),
            invitations: Arc::new(PostgresInvitations::new(
                general.clone(),
                Arc::clone(&ports.link_tokens),
                Arc::clone(&ports.refresh_tokens),
            )),
            rehearsals: Arc::new(PostgresRehearsals::new(general.clone())),
            remarks: Arc::new(PostgresRemarks::new(general.clone())),
            rounds: Arc::new(PostgresRounds::new(voting.clone()).with_general(general.clone())),
            prepared_registers: Arc::new(PostgresPreparedRegisters::new(general.at_most(1))),
            register_changes: Arc::new(PostgresRegisterChanges::new(voting.clone())),
            proxies: Arc::new(PostgresProxies::new(voting.clone()).with_general(general.clone())),
            paper_votes: Arc::new(PostgresPaperVotes::new(voting.clone())),
            results: Arc::new(results(general)),
            declared_results: Arc::new(results(voting)),
            records: Arc::new(PostgresRecords::new(general.clone(), Arc::clone(writer))),
            live_records: Arc::new(PostgresRecords::new(voting.clone(), Arc::clone(writer))),
            timestamps: Arc::new(PostgresTimestamps::new(general.clone())),
            curations: Arc::new(PostgresCurations::new(voting.clone())),
            sealing_keys: Arc::new(SealingKeys::new(Arc::clone(&writers.urn_keys), Arc::clone(&urns))),
            urns,
            urn_keys: Arc::clone(&writers.urn_keys),
            ballot_metrics: ballot_box.metrics(),
            ballot_box: Arc::new(ballot_box),
        })
    }
}
