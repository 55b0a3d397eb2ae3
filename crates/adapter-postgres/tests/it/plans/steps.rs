//! An organizer's steps cost in proportion to the meeting's participants, not to the client's other end users.

use std::sync::Arc;

use chrono::TimeDelta;
use plenum_adapter_postgres::{
    BallotBoxSettings, PostgresAttendance, PostgresBallotBox, PostgresLive, PostgresRegisterChanges,
    PostgresRehearsals, PostgresRounds,
};
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{
    AccountId, Clock as _, EndUserId, LogEntryId, MeetingId, NewIds as _, PageRequest, QuestionId, RehearsalId,
    RoundId, SessionId, VoteId,
};
use plenum_meetings::live::{LiveRound, LiveSource};
use plenum_meetings::{
    AttendanceStore, NewRehearsal, Noted, RehearsalAnswer, RehearsalFilter, RehearsalStatus, RehearsalStep,
    RehearsalStore,
};
use plenum_voting::{
    Answer, Ballot, BallotBox, CastOutcome, Reason, RegisterChange, RegisterChanges, RevoteReason, RoundOpening,
    RoundStore, ScreenChange,
};
use uuid::Uuid;

use crate::plans::history::{ADMIN, HALL, LISTED, LISTED_MEETING, LISTED_QUESTION, OPEN_MEETING, OPEN_QUESTION, voter};
use crate::plans::hot_statements::OWNER;
use crate::plans::observed::{Observed, costs};

const ORGANIZER: AccountId = AccountId::from_uuid(ADMIN);

/// A person who may vote in both meetings.
const BEN: EndUserId = EndUserId::from_uuid(voter(2));
/// Another one.
const CLARA: EndUserId = EndUserId::from_uuid(voter(3));

/// A meeting with a question that is rehearsed, shown, opened, closed and voted on. It can be repeated.
pub(crate) struct Scene {
    meeting: MeetingId,
    question: QuestionId,
    /// The number of participants.
    people: u128,
    clock: Arc<StillClock>,
    ids: CountingIds,
}

impl Scene {
    /// A list of a few of the client's end users, who have voted on many questions before. The clock is that of all scenes.
    pub(crate) fn with_a_list(clock: Arc<StillClock>) -> Self {
        Self::of(LISTED_MEETING, LISTED_QUESTION, LISTED, clock)
    }

    pub(crate) fn for_everybody(clock: Arc<StillClock>) -> Self {
        Self::of(OPEN_MEETING, OPEN_QUESTION, HALL, clock)
    }

    fn of(meeting: Uuid, question: Uuid, people: u128, clock: Arc<StillClock>) -> Self {
        let (meeting, question) = (MeetingId::from_uuid(meeting), QuestionId::from_uuid(question));
        Self { meeting, question, people, clock, ids: CountingIds::new() }
    }

    pub(crate) async fn play(&self, observed: &mut Observed) {
        self.rehearse(observed).await;
        self.show(observed).await;
        self.open(observed, None).await;
        self.look(observed, "while it is open").await;
        self.close(observed).await;
        self.open(observed, None).await;
        self.vote(observed).await;
        self.change_the_register(observed).await;
        self.count_down(observed).await;
        self.open(observed, None).await;
        self.close(observed).await;
        self.open(observed, Some(RevoteReason::parse("The vote was disturbed").unwrap())).await;
        self.show_nothing(observed).await;
    }

    fn named(&self, what: &str) -> String {
        format!("{what}, of {} people", self.people)
    }

    /// The rows allowed for each participant, in addition to the few of the meeting itself.
    fn for_each(&self, rows: f64) -> f64 {
        rows * self.people as f64 + 60.0
    }

    /// Half of the participants.
    fn connected(&self) -> Vec<EndUserId> {
        (1..=self.people / 2).map(|number| EndUserId::from_uuid(voter(number))).collect()
    }

    async fn rehearse(&self, observed: &mut Observed) {
        let rehearsals = PostgresRehearsals::new(observed.db());
        let id = RehearsalId::from_uuid(self.ids.next_uuid());
        let new = NewRehearsal { id, client_id: OWNER, meeting_id: self.meeting, at: self.clock.now(), by: ORGANIZER };
        costs!(observed, self.named("a rehearsal"), at most 10, rehearsals.start(new));
        let (client_id, meeting_id, at) = (OWNER, self.meeting, self.clock.now());
        let step = RehearsalStep::Answered;
        let answer = RehearsalAnswer { client_id, meeting_id, rehearsal_id: id, voter: BEN, step, can_seal: None, at };
        assert!(costs!(observed, self.named("an answer to it"), at most 20, rehearsals.answer(answer)));
        let page = PageRequest { page: 1, page_size: 25 };
        let filter = RehearsalFilter { search: None, statuses: &RehearsalStatus::ALL, can_seal: None, page };
        let report = rehearsals.report(OWNER, self.meeting, self.connected(), &filter);
        let people = self.people as f64;
        let report = costs!(observed, self.named("its report"), at most self.for_each(6.0), sorted people, report);
        assert_eq!(report.unwrap().page.total, self.people as u64);
    }

    fn screen_change(&self, question: Option<QuestionId>) -> ScreenChange {
        let (meeting, now) = (self.meeting, self.clock.now());
        ScreenChange { owner: OWNER, meeting, question, by: ORGANIZER, now, seen: None }
    }

    async fn show(&self, observed: &mut Observed) {
        let rounds = PostgresRounds::new(observed.db());
        let shown = rounds.show(self.screen_change(Some(self.question)));
        costs!(observed, self.named("showing a question"), at most 30, shown);
        self.look(observed, "before it is open").await;
    }

    async fn open(&self, observed: &mut Observed, revote: Option<RevoteReason>) {
        let rounds = PostgresRounds::new(observed.db());
        let opening = RoundOpening {
            owner: OWNER,
            meeting: self.meeting,
            question: self.question,
            new_round: RoundId::from_uuid(self.ids.next_uuid()),
            now: self.clock.now(),
            seen: None,
            by: ORGANIZER,
            connected: self.connected(),
            revote,
            key: None,
            accepts_risk: false,
        };
        costs!(observed, self.named("opening a question"), at most self.for_each(8.0), rounds.open(opening));
        assert_eq!(self.round(observed).await.register_size, self.people as u64);
    }

    /// The reads after each step.
    async fn look(&self, observed: &mut Observed, when: &str) {
        let live = PostgresLive::new(observed.db());
        let snapshot = self.named(&format!("the snapshot {when}"));
        let (facts, _) =
            costs!(observed, snapshot, at most self.for_each(2.0), live.load_with_weights(self.meeting)).unwrap();
        assert_eq!(facts.quorum.unwrap().eligible.heads, self.people as u64);
        let attendance = PostgresAttendance::new(observed.db());
        let name = self.named(&format!("who is there {when}"));
        // Attendance is recorded then, even without a change.
        self.clock.advance(TimeDelta::hours(1));
        let at = self.clock.now();
        let noted =
            costs!(observed, name, at most self.for_each(2.0), attendance.note(self.meeting, self.connected(), at));
        assert!(matches!(noted, Noted::Noted | Noted::Unchanged), "{noted:?}");
    }

    async fn close(&self, observed: &mut Observed) {
        let rounds = PostgresRounds::new(observed.db());
        let shown = rounds.show(self.screen_change(Some(self.question)));
        costs!(observed, self.named("closing a question"), at most 50, shown);
        assert!(!self.round(observed).await.is_open);
    }

    async fn show_nothing(&self, observed: &mut Observed) {
        let rounds = PostgresRounds::new(observed.db());
        let shown = rounds.show(self.screen_change(None));
        costs!(observed, self.named("an empty screen"), at most 50, shown);
    }

    async fn vote(&self, observed: &Observed) {
        let ballots =
            PostgresBallotBox::start(observed.db(), observed.settings(), BallotBoxSettings::default()).unwrap();
        let ballot = Ballot {
            vote_id: VoteId::from_uuid(self.ids.next_uuid()),
            round_id: self.round(observed).await.id,
            voter: BEN,
            cast_by: None,
            cast_on: None,
            session: SessionId::from_uuid(self.ids.next_uuid()),
            answer: Answer::Text("Aye".to_owned()),
            cast_at: self.clock.now(),
        };
        assert_eq!(ballots.cast(ballot).await.unwrap(), CastOutcome::Counted);
    }

    async fn change_the_register(&self, observed: &mut Observed) {
        let changes = PostgresRegisterChanges::new(observed.db());
        let change = || RegisterChange {
            end_user: CLARA,
            reason: Reason::parse("Her own contract").unwrap(),
            by: ORGANIZER,
            at: self.clock.now(),
            log_entry: LogEntryId::from_uuid(self.ids.next_uuid()),
        };
        let round = self.round(observed).await.id;
        let excluded = changes.exclude(OWNER, self.meeting, self.question, change());
        costs!(observed, self.named("an exclusion"), at most 60, excluded);
        let admitted = changes.admit(OWNER, self.meeting, round, change());
        // The usernames of the register are compared, and PostgreSQL checks the owner of each entry.
        costs!(observed, self.named("an admission"), at most self.for_each(2.0), admitted);
    }

    async fn count_down(&self, observed: &mut Observed) {
        let rounds = PostgresRounds::new(observed.db());
        let end = self.clock.now() + TimeDelta::minutes(1);
        let set = rounds.set_closing(OWNER, self.meeting, Some(end), None);
        costs!(observed, self.named("a countdown"), at most 20, set);
        assert!(costs!(observed, self.named("its end"), at most 50, rounds.end_due(OWNER, self.meeting, end)));
    }

    async fn round(&self, observed: &Observed) -> LiveRound {
        let facts = PostgresLive::new(observed.db()).load(self.meeting).await.unwrap().unwrap();
        facts.question.unwrap().round.unwrap()
    }
}
