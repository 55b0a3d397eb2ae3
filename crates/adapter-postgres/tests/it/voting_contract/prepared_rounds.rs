//! Rounds that find a prepared register at each opening, and one that is wrong in every way.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::PgConnection;
use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresPreparedRegisters, PostgresRounds};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, QuestionId, RoundId, Step};
use plenum_voting::{
    CountdownError, ForecastScope, OpenRoundError, PreparedRegisters as _, RegisterEntry, RegisterFilter,
    RegisterPreparation, Round, RoundDeadline, RoundOpening, RoundOverview, RoundStore, Screen, ScreenChange,
    StoredVote, VoterAgenda, VoterQuestion, Weightless,
};
use rust_decimal::Decimal;

/// Whoever opens a question must get the same register as without a preparation.
pub(crate) struct PreparedRounds {
    rounds: PostgresRounds,
    prepared: PostgresPreparedRegisters,
    conn: Mutex<PgConnection>,
    ids: CountingIds,
}

impl PreparedRounds {
    pub(crate) fn on(database: &TestDatabase) -> Arc<dyn RoundStore> {
        Arc::new(Self {
            rounds: PostgresRounds::new(database.db()),
            prepared: PostgresPreparedRegisters::new(database.db()),
            conn: Mutex::new(database.connection()),
            ids: CountingIds::new(),
        })
    }

    /// Prepares the register that the opening finds, under its id. Nobody is connected, somebody is missing, somebody has another name,
    /// weight and groups, and a stranger is in it. Returns whether it was prepared.
    async fn prepare_and_spoil(&self, opening: &RoundOpening) -> bool {
        let meeting = opening.meeting;
        self.run(&format!("DELETE FROM prepared_registers WHERE meeting_id = '{meeting}'"));
        let preparation =
            RegisterPreparation { meeting, new_round: opening.new_round, connected: Vec::new(), at_least: 0 };
        if !self.prepared.prepare(preparation).await.expect("the test server does it") {
            return false;
        }
        let round = opening.new_round;
        // Unless another opening has taken it over meanwhile.
        self.run(&format!(
            "DO $$ BEGIN \
             PERFORM FROM prepared_registers WHERE round_id = '{round}' FOR UPDATE; \
             IF NOT FOUND THEN RETURN; END IF; \
             DELETE FROM register WHERE round_id = '{round}' AND end_user_id = (SELECT end_user_id FROM register \
                 WHERE round_id = '{round}' ORDER BY end_user_id LIMIT 1); \
             UPDATE register SET username = 'x' || username, name = 'Somebody else', weight = 7, second_weight = 7, \
                                 groups = '{{3}}' \
             WHERE round_id = '{round}' AND end_user_id = (SELECT end_user_id FROM register \
                 WHERE round_id = '{round}' ORDER BY end_user_id DESC LIMIT 1); \
             INSERT INTO register VALUES ('{round}', gen_random_uuid(), 'stranger', 'A stranger', 100, now(), true); \
             END $$"
        ));
        true
    }

    fn run(&self, statements: &str) {
        let mut conn = self.conn.lock().expect("no test panics with it");
        conn.batch_execute(statements).expect("the test server does it");
    }
}

#[async_trait]
impl RoundStore for PreparedRounds {
    async fn open(&self, opening: RoundOpening) -> Result<(), OpenRoundError> {
        let is_prepared = self.prepare_and_spoil(&opening).await;
        // As in the product, an opening brings an id of its own. Another one may take the prepared id first. A secret round keeps the
        // id for which its key was made.
        let keeps_id = !is_prepared || opening.key.is_some();
        let new_round = if keeps_id { opening.new_round } else { RoundId::new(&self.ids) };
        self.rounds.open(RoundOpening { new_round, ..opening }).await
    }

    async fn show(&self, change: ScreenChange) -> Result<(), OpenRoundError> {
        self.rounds.show(change).await
    }

    async fn set_closing(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        closes_at: Option<DateTime<Utc>>,
        seen: Option<Step>,
    ) -> Result<(), CountdownError> {
        self.rounds.set_closing(owner, meeting, closes_at, seen).await
    }

    async fn deadlines_until(&self, until: DateTime<Utc>) -> Result<Vec<RoundDeadline>, PortFailure> {
        self.rounds.deadlines_until(until).await
    }

    async fn end_due(&self, owner: ClientId, meeting: MeetingId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        self.rounds.end_due(owner, meeting, now).await
    }

    async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure> {
        self.rounds.screen(owner, meeting).await
    }

    async fn eligible_weights(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Vec<(Decimal, u64)>>, PortFailure> {
        self.rounds.eligible_weights(owner, meeting, scope).await
    }

    async fn weightless(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Weightless>, PortFailure> {
        self.rounds.weightless(owner, meeting, scope).await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        self.rounds.list(owner, meeting).await
    }

    async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure> {
        self.rounds.register(owner, meeting, round, filter).await
    }

    async fn vote_in(&self, question: VoterQuestion, round: RoundId) -> Result<Option<StoredVote>, PortFailure> {
        self.rounds.vote_in(question, round).await
    }

    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure> {
        self.rounds.last_of_question(client, meeting, question).await
    }

    async fn agenda_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<VoterAgenda, PortFailure> {
        self.rounds.agenda_of_voter(client, meeting, voter).await
    }
}
