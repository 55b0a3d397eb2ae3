//! Random meetings through the services, and a reference that counts the present people by itself.
//!
//! People connect, leave, join late, are admitted, excluded and deactivated. They vote, or only watch. The organizer ends
//! the round and opens it again. The reference keeps one list of people and none of the counters of the stores.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{Attendance, Clock, EndUserId, MeetingId, Minimum, Quorum, RoundId, SessionId, Threshold, Unit};
use rust_decimal::Decimal;

use super::{Scene, SeedTerms, VotingFixture};
use crate::testkit::MockVotingSignals;
use crate::{
    BallotContent, BallotPorts, BallotService, CastRequest, Count, Presence, Reason, RegisterChangeRequest,
    RegisterService, ResultPorts, ResultService, RoundPorts, RoundResult, RoundService, SealingKeys, UrnKeyService,
};

/// Small random numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    fn weight(&mut self) -> Decimal {
        match self.below(3) {
            0 => Decimal::ONE,
            1 => Decimal::new(i64::try_from(self.below(20)).unwrap_or(0) * 2_500, 4),
            _ => Decimal::new(i64::try_from(self.below(1_000_001)).unwrap_or(0), 4),
        }
    }
}

/// The people who are connected now.
#[derive(Default)]
struct Connected(Mutex<Vec<EndUserId>>);

impl Connected {
    fn set(&self, people: &[Person]) {
        let connected = people.iter().filter(|person| person.is_connected).map(|person| person.id).collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = connected;
    }
}

impl Presence for Connected {
    fn connected(&self, _meeting: MeetingId) -> Vec<EndUserId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A person as the reference sees them.
struct Person {
    id: EndUserId,
    weight: Decimal,
    is_active: bool,
    is_connected: bool,
    is_excluded: bool,
    /// While they are in the register.
    entry: Option<Entry>,
}

/// A person in the register of the reference model.
#[derive(Clone, Copy)]
struct Entry {
    weight: Decimal,
    /// Connected at the opening that registered them.
    was_there: bool,
    has_voted: bool,
}

impl Person {
    fn enter(&mut self, was_there: bool) {
        self.entry = Some(Entry { weight: self.weight, was_there, has_voted: false });
    }

    fn has_voted(&self) -> bool {
        self.entry.is_some_and(|entry| entry.has_voted)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NotOpened,
    Open,
    Ended,
}

struct RandomMeeting<'a> {
    fixture: &'a dyn VotingFixture,
    scene: Scene,
    dice: Dice,
    clock: Arc<StillClock>,
    connected: Arc<Connected>,
    rounds: RoundService,
    register: RegisterService,
    ballots: BallotService,
    results: ResultService,
    people: Vec<Person>,
    state: State,
}

/// Holds a random meeting and compares its result with the reference. Returns whether the larger number of connected
/// voters and of votes would have been another one.
pub async fn present_agrees_with_the_reference(fixture: &dyn VotingFixture, seed: u64) -> bool {
    let mut meeting = RandomMeeting::new(fixture, seed).await;
    for _ in 0..5 + meeting.dice.below(40) {
        meeting.step().await;
    }
    meeting.compare(seed).await
}

fn signals() -> Arc<MockVotingSignals> {
    let mut signals = MockVotingSignals::new();
    signals.expect_meeting_changed().return_const(());
    signals.expect_votes_changed().return_const(());
    Arc::new(signals)
}

fn reason() -> Reason {
    Reason::parse("Decided by the meeting").expect("a reason")
}

impl<'a> RandomMeeting<'a> {
    async fn new(fixture: &'a dyn VotingFixture, seed: u64) -> Self {
        let scene = Scene::with_voters(fixture, 0).await;
        let attendance = Attendance::Present;
        let quorum = Some(Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Weight, attendance });
        fixture.set_terms(scene.question, SeedTerms { quorum, ..SeedTerms::default() }).await;
        let (clock, connected) = (Arc::new(StillClock::new()), Arc::new(Connected::default()));
        let of_clock = || Arc::clone(&clock) as Arc<dyn Clock>;
        let ids = || Arc::new(CountingIds::new());
        let presence = Arc::clone(&connected) as Arc<dyn Presence>;
        let mut meeting = Self {
            rounds: RoundService::new(RoundPorts {
                rounds: fixture.rounds(),
                urn_keys: fixture.urn_keys(),
                signals: signals(),
                presence,
                clock: of_clock(),
                ids: ids(),
            }),
            register: RegisterService::new(fixture.register_changes(), signals(), of_clock(), ids()),
            ballots: BallotService::new(BallotPorts {
                rounds: fixture.rounds(),
                sealing_keys: Arc::new(SealingKeys::new(fixture.urn_keys(), fixture.urns())),
                ballot_box: fixture.ballot_box(),
                signals: signals(),
                clock: of_clock(),
                ids: ids(),
            }),
            results: ResultService::new(ResultPorts {
                results: fixture.results(),
                declarations: fixture.results(),
                urns: Arc::new(UrnKeyService::new(fixture.urn_keys(), fixture.urns(), of_clock())),
                signals: signals(),
                clock: of_clock(),
            }),
            fixture,
            scene,
            dice: Dice(seed),
            clock,
            connected,
            people: Vec::new(),
            state: State::NotOpened,
        };
        for _ in 0..1 + meeting.dice.below(8) {
            meeting.newcomer().await;
        }
        meeting
    }

    async fn step(&mut self) {
        self.clock.advance(TimeDelta::seconds(1));
        match self.dice.below(12) {
            0 => self.newcomer().await,
            1..=3 => self.come_or_go(),
            4 => self.change_of_weight().await,
            5 => self.change_of_status().await,
            6 => self.exclude_or_lift().await,
            7 => self.admit().await,
            8 => self.open_or_end().await,
            _ => self.vote().await,
        }
        self.connected.set(&self.people);
    }

    fn anybody(&mut self) -> usize {
        let people = self.people.len() as u64;
        usize::try_from(self.dice.below(people)).unwrap_or(0)
    }

    async fn newcomer(&mut self) {
        let (id, weight) = (self.scene.add_voter(self.fixture).await, self.dice.weight());
        self.fixture.set_weight(id, weight).await;
        let is_connected = self.dice.below(2) == 0;
        self.people.push(Person { id, weight, is_active: true, is_connected, is_excluded: false, entry: None });
        self.connected.set(&self.people);
    }

    fn come_or_go(&mut self) {
        let person = self.anybody();
        let person = &mut self.people[person];
        person.is_connected = person.is_active && !person.is_connected;
    }

    /// Of the person, not of their entry in the register.
    async fn change_of_weight(&mut self) {
        let (person, weight) = (self.anybody(), self.dice.weight());
        let person = &mut self.people[person];
        person.weight = weight;
        self.fixture.set_weight(person.id, weight).await;
    }

    async fn change_of_status(&mut self) {
        let person = self.anybody();
        let person = &mut self.people[person];
        person.is_active = !person.is_active;
        person.is_connected = false;
        self.fixture.set_voter_active(person.id, person.is_active).await;
    }

    async fn exclude_or_lift(&mut self) {
        let (person, is_open) = (self.anybody(), self.state == State::Open);
        let Scene { client, meeting, question, organizer, .. } = self.scene;
        let person = &mut self.people[person];
        if person.is_excluded {
            let lifted = self.register.lift(client, meeting, question, person.id).await;
            assert_eq!(lifted.is_ok(), !is_open, "{lifted:?}");
            person.is_excluded = is_open;
            return;
        }
        let request = RegisterChangeRequest { end_user: person.id, reason: reason(), by: organizer };
        let excluded = self.register.exclude(client, meeting, question, request).await;
        let may_be = !(is_open && person.has_voted());
        assert_eq!(excluded.is_ok(), may_be, "{excluded:?}");
        person.is_excluded = may_be;
        if is_open && may_be {
            person.entry = None;
        }
    }

    async fn admit(&mut self) {
        let person = self.anybody();
        let Some(round) = self.round().await else { return };
        let Scene { client, meeting, organizer, .. } = self.scene;
        let person = &mut self.people[person];
        let request = RegisterChangeRequest { end_user: person.id, reason: reason(), by: organizer };
        let admitted = self.register.admit(client, meeting, round, request).await;
        let may_be = self.state == State::Open && person.entry.is_none() && person.is_active;
        assert_eq!(admitted.is_ok(), may_be, "{admitted:?}");
        if may_be {
            person.is_excluded = false;
            person.enter(false);
        }
    }

    async fn open_or_end(&mut self) {
        match self.state {
            State::Open => self.end().await,
            State::NotOpened | State::Ended => self.open().await,
        }
    }

    async fn open(&mut self) {
        let (step, question) = (self.scene.organizer_step(), self.scene.question);
        self.rounds.open(step, question).await.expect("the question opens");
        // A round without votes gets a new wording.
        let is_anew = !self.people.iter().any(Person::has_voted);
        for person in &mut self.people {
            if is_anew || person.is_excluded && !person.has_voted() {
                person.entry = None;
            }
            if person.entry.is_none() && person.is_active && !person.is_excluded {
                person.enter(person.is_connected);
            }
        }
        self.state = State::Open;
    }

    async fn end(&mut self) {
        self.rounds.show(self.scene.organizer_step(), None).await.expect("showing nothing always works");
        self.state = State::Ended;
    }

    async fn vote(&mut self) {
        let person = self.anybody();
        let Scene { client, meeting, question, .. } = self.scene;
        let person = &mut self.people[person];
        let (voter, answers) = (person.id, ["Yes".to_owned()]);
        let session = SessionId::from_uuid(voter.as_uuid());
        let content = BallotContent::Answers(&answers);
        let request = CastRequest {
            client,
            voter,
            cast_by: None,
            cast_on: None,
            session,
            meeting,
            question,
            round: None,
            content,
        };
        let cast = self.ballots.cast(request).await;
        // The same answer once more is the vote that was cast before.
        let may_vote = self.state == State::Open && person.is_active && person.entry.is_some();
        assert_eq!(cast.is_ok(), may_vote || person.has_voted(), "{cast:?}");
        if let Some(entry) = person.entry.as_mut().filter(|_| may_vote) {
            entry.has_voted = true;
        }
    }

    async fn round(&self) -> Option<RoundId> {
        let Scene { client, meeting, question, .. } = self.scene;
        let last = self.fixture.rounds().last_of_question(client, meeting, question).await;
        last.expect("the store answers").map(|round| round.id)
    }

    async fn result(&mut self) -> RoundResult {
        if self.state == State::NotOpened {
            self.open().await;
        }
        if self.state == State::Open {
            self.end().await;
        }
        let Scene { client, meeting, .. } = self.scene;
        let round = self.round().await.expect("the question was opened");
        self.results.count(self.scene.organizer_step(), round).await.expect("the round has ended");
        let placed = self.results.result(client, meeting, round).await.expect("the round is counted");
        placed.result.result.clone()
    }

    async fn compare(&mut self, seed: u64) -> bool {
        let result = self.result().await;
        let sum = |fits: fn(&Entry) -> bool| {
            let mut sum = Count::default();
            let entries = self.people.iter().filter_map(|person| person.entry);
            entries.filter(fits).for_each(|entry| sum.add(entry.weight));
            sum
        };
        let present = sum(|entry| entry.was_there || entry.has_voted);
        assert_eq!(result.round.register, sum(|_| true), "the register of seed {seed}");
        assert_eq!(result.connected_at_opening, sum(|entry| entry.was_there), "connected at opening of seed {seed}");
        assert_eq!(result.tally.votes_cast, sum(|entry| entry.has_voted), "the votes of seed {seed}");
        assert_eq!(result.present, present, "present of seed {seed}");
        let quorum = result.quorum.expect("the question has a quorum");
        assert_eq!(quorum.attending, present.weight.normalize(), "the quorum of seed {seed}");
        present != result.connected_at_opening.at_least(result.tally.votes_cast)
    }
}
