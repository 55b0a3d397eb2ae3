use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{
    AccountId, ClientId, Clock, EndUserId, MeetingId, OptionId, OptionRole, QuestionId, QuestionType, RoundId,
    SessionId, Step, VoteId,
};
use rust_decimal::Decimal;

use super::{SeedMeeting, SeedQuestion, SeedVoter, VotingFixture};
use crate::{
    Answer, Ballot, CastOutcome, CountTaking, CountableRound, CountedVote, Counting, OpenRoundError, OrganizerStep,
    ResultStep, RevoteReason, RoundOpening, RoundOption, RoundStatus, Screen, ScreenChange, VoterQuestion, Wording,
};

/// A running meeting for everyone, with one question and some voters.
#[derive(Debug)]
pub struct Scene {
    /// The source of ids.
    pub ids: CountingIds,
    /// The clock.
    pub clock: StillClock,
    /// The client.
    pub client: ClientId,
    /// Its administrator, Anna Berg.
    pub organizer: AccountId,
    /// Its meeting.
    pub meeting: MeetingId,
    /// The first question of the meeting: Yes or No.
    pub question: QuestionId,
    /// The wording of that question.
    pub wording: Wording,
    /// Everyone of the client; the first weighs 1.5, the others 0.0001 each.
    pub voters: Vec<EndUserId>,
}

impl Scene {
    /// Sets the scene.
    pub async fn with_voters(fixture: &dyn VotingFixture, number: usize) -> Self {
        let ids = CountingIds::new();
        let (client, organizer) = (ClientId::new(&ids), AccountId::new(&ids));
        let meeting = MeetingId::new(&ids);
        let question = QuestionId::new(&ids);
        let wording = wording(&ids, QuestionType::YesNo, &["Yes", "No"]);
        fixture.add_meeting(SeedMeeting { client, id: meeting, has_participant_list: false }).await;
        fixture.add_account(client, organizer, "Anna", "Berg").await;
        fixture.add_question(SeedQuestion { meeting, id: question, position: 1, wording: wording.clone() }).await;
        let clock = StillClock::new();
        let mut scene = Self { ids, clock, client, organizer, meeting, question, wording, voters: Vec::new() };
        for _ in 0..number {
            scene.add_voter(fixture).await;
        }
        scene
    }

    /// Adds one more active voter.
    pub async fn add_voter(&mut self, fixture: &dyn VotingFixture) -> EndUserId {
        let number = self.voters.len() + 1;
        let id = EndUserId::new(&self.ids);
        let weight = if number == 1 { Decimal::new(15, 1) } else { Decimal::new(1, 4) };
        let voter = SeedVoter {
            client: self.client,
            id,
            username: format!("voter-{number}"),
            name: format!("Voter {number}"),
            weight,
            is_active: true,
        };
        fixture.add_voter(voter).await;
        self.voters.push(id);
        id
    }

    /// Adds one more question.
    pub async fn add_question(&self, fixture: &dyn VotingFixture, position: u32, wording: Wording) -> QuestionId {
        let id = QuestionId::new(&self.ids);
        fixture.add_question(SeedQuestion { meeting: self.meeting, id, position, wording }).await;
        id
    }

    /// Opens the scene's question, a second after the last action.
    pub async fn open(&self, fixture: &dyn VotingFixture) -> RoundId {
        self.open_question(fixture, self.question).await
    }

    /// Opens a question of the scene's meeting, a second after the last action.
    pub async fn open_question(&self, fixture: &dyn VotingFixture, question: QuestionId) -> RoundId {
        self.clock.advance(TimeDelta::seconds(1));
        let rounds = fixture.rounds();
        rounds.open(self.opening(question)).await.expect("the question opens");
        let last = rounds.last_of_question(self.client, self.meeting, question).await.expect("the store answers");
        let round = last.expect("the question has a round");
        assert_eq!(round.status, RoundStatus::Open);
        round.id
    }

    /// An opening of a question of the scene's meeting by its organizer at this moment, without connected voters.
    pub fn opening(&self, question: QuestionId) -> RoundOpening {
        RoundOpening {
            owner: self.client,
            meeting: self.meeting,
            question,
            new_round: RoundId::new(&self.ids),
            now: self.clock.now(),
            seen: None,
            by: self.organizer,
            connected: Vec::new(),
            revote: None,
            key: None,
            accepts_risk: false,
        }
    }

    /// Opens a re-vote on a question, a second after the last action.
    pub async fn revote(&self, fixture: &dyn VotingFixture, question: QuestionId) -> Result<RoundId, OpenRoundError> {
        self.clock.advance(TimeDelta::seconds(1));
        let reason = RevoteReason::parse("Somebody was cut off").expect("a reason");
        let opening = RoundOpening { revote: Some(reason), ..self.opening(question) };
        let id = opening.new_round;
        fixture.rounds().open(opening).await.map(|()| id)
    }

    /// A request of the scene's organizer to show this question, or none, at this moment.
    pub fn screen_change(&self, question: Option<QuestionId>) -> ScreenChange {
        let (owner, meeting, by, now) = (self.client, self.meeting, self.organizer, self.clock.now());
        ScreenChange { owner, meeting, question, by, now, seen: None }
    }

    /// A step of the scene's organizer in its meeting, on any state.
    pub fn organizer_step(&self) -> OrganizerStep {
        OrganizerStep { owner: self.client, meeting: self.meeting, by: self.organizer, seen: None, accepts_risk: false }
    }

    /// The scene's question, as this voter sees it.
    pub fn voter_question(&self, voter: EndUserId) -> VoterQuestion {
        VoterQuestion { client: self.client, voter, meeting: self.meeting, question: self.question }
    }

    /// Ends the open round of the scene's meeting, a second after the last action.
    pub async fn end(&self, fixture: &dyn VotingFixture) {
        self.clock.advance(TimeDelta::seconds(1));
        let ended = fixture.rounds().show(self.screen_change(None)).await;
        ended.expect("showing nothing always works");
    }

    /// The votes of a round of this meeting. Empty while it is open.
    pub async fn votes_of(&self, fixture: &dyn VotingFixture, round: RoundId) -> Vec<CountedVote> {
        let results = fixture.results();
        let found = results.find(self.client, self.meeting, round).await.expect("the store answers");
        let ended_at = found.expect("the round is there").round.ended_at.unwrap_or_else(|| self.clock.now());
        let taking = CountTaking { round, ended_at };
        let taken = results.take_count(self.client, self.meeting, taking).await.expect("the store answers");
        taken.unwrap_or_default()
    }

    /// A step of the scene's organizer with the result of a round of this meeting.
    pub fn result_step(&self, round: RoundId) -> ResultStep {
        let (owner, meeting, by, now) = (self.client, self.meeting, self.organizer, self.clock.now());
        ResultStep { owner, meeting, round, by, now, seen: None, accepts_risk: false }
    }

    /// Counts a round of this meeting that has ended and is not counted.
    pub async fn count(&self, fixture: &dyn VotingFixture, round: RoundId) {
        let counted = fixture.results().mark_counted(self.result_step(round)).await;
        assert_eq!(counted.expect("the round has ended"), Counting::Counted, "it was not counted before");
    }

    /// A round of this meeting.
    pub async fn find(&self, fixture: &dyn VotingFixture, round: RoundId) -> CountableRound {
        let found = fixture.results().find(self.client, self.meeting, round).await;
        found.expect("the store answers").expect("the round is there")
    }

    /// The number of steps in this meeting.
    pub async fn step(&self, fixture: &dyn VotingFixture) -> Step {
        self.screen(fixture).await.step
    }

    /// The screen of this meeting.
    pub async fn screen(&self, fixture: &dyn VotingFixture) -> Screen {
        let screen = fixture.rounds().screen(self.client, self.meeting).await.expect("the store answers");
        screen.expect("the meeting is known")
    }

    /// A ballot of this voter.
    pub fn ballot(&self, round: RoundId, voter: EndUserId, answer: Answer) -> Ballot {
        let session = SessionId::new(&self.ids);
        Ballot {
            vote_id: VoteId::new(&self.ids),
            round_id: round,
            voter,
            cast_by: None,
            cast_on: None,
            session,
            answer,
            cast_at: self.clock.now(),
        }
    }

    /// The first option of the scene's question.
    pub fn yes(&self) -> Answer {
        Answer::Options(vec![self.wording.options[0].id])
    }

    /// The second option of the scene's question.
    pub fn no(&self) -> Answer {
        Answer::Options(vec![self.wording.options[1].id])
    }

    /// Puts a ballot into the box.
    pub async fn cast(
        &self,
        fixture: &dyn VotingFixture,
        round: RoundId,
        voter: EndUserId,
        answer: Answer,
    ) -> CastOutcome {
        fixture.ballot_box().cast(self.ballot(round, voter, answer)).await.expect("the box answers")
    }

    /// The number of votes in the list of rounds.
    pub async fn votes_cast(&self, fixture: &dyn VotingFixture, round: RoundId) -> u64 {
        let rounds = fixture.rounds().list(self.client, self.meeting).await.expect("the store answers");
        let overviews = rounds.expect("the meeting is known");
        overviews.iter().find(|overview| overview.round.id == round).expect("the round is listed").votes_cast
    }
}

/// A question with these options.
pub(super) fn wording(ids: &CountingIds, question_type: QuestionType, options: &[&str]) -> Wording {
    let role = |position: u32| match (question_type, position) {
        (QuestionType::YesNo, 1) => OptionRole::Yes,
        (QuestionType::YesNo, 2) => OptionRole::No,
        _ => OptionRole::Choice,
    };
    let options = (1..)
        .zip(options)
        .map(|(position, text)| RoundOption {
            id: OptionId::new(ids),
            text: (*text).to_owned(),
            position,
            role: role(position),
        })
        .collect();
    Wording {
        text: "Approve the budget?".to_owned(),
        question_type,
        options,
        rating_max: (question_type == QuestionType::Rating).then_some(10),
        max_choices: (question_type == QuestionType::MultipleChoice).then_some(2),
        election: None,
    }
}
