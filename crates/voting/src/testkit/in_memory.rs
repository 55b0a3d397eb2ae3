use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId, VoteId};
use rust_decimal::Decimal;

use super::contract::{SeedMeeting, SeedQuestion, SeedVoter, VotingFixture};
use crate::{
    Ballot, BallotBox, BoxAnswer, Count, CountedVote, CurrentQuestion, DiscardVoteError, Floor, LastRound,
    OpenRoundError, Opening, OpeningRule, Round, RoundOverview, RoundStatus, RoundStore, StoredVote, VoterRound,
    Wording, check_discard, decide_opening, is_test_round,
};

/// Rounds and ballots in memory, with what they need of clients and meetings. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct InMemoryVoting(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Those that are not called as usual.
    client_names: HashMap<ClientId, String>,
    meetings: HashMap<MeetingId, KnownMeeting>,
    questions: HashMap<QuestionId, KnownQuestion>,
    voters: HashMap<EndUserId, SeedVoter>,
    /// In the order of their opening.
    rounds: Vec<KnownRound>,
}

#[derive(Debug)]
struct KnownMeeting {
    client: ClientId,
    title: String,
    is_active: bool,
    has_participant_list: bool,
    listed: BTreeSet<EndUserId>,
    current: Option<QuestionId>,
}

#[derive(Debug)]
struct KnownQuestion {
    meeting: MeetingId,
    position: u32,
    wording: Wording,
}

#[derive(Debug)]
struct KnownRound {
    round: Round,
    is_test: bool,
    register: BTreeMap<EndUserId, Decimal>,
    votes: BTreeMap<EndUserId, StoredVote>,
}

impl KnownRound {
    fn overview(&self) -> RoundOverview {
        RoundOverview { round: self.round.clone(), votes_cast: self.votes.len() as u64 }
    }
}

impl InMemoryVoting {
    /// Nothing at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a re-vote of a round that was declared: the same wording and register under a new id, without votes.
    pub fn open_re_vote(&self, declared: RoundId, new_round: RoundId, now: DateTime<Utc>) {
        let mut state = self.state();
        let Some(before) = state.round_mut(declared) else { return };
        let round = Round {
            id: new_round,
            number: before.round.number + 1,
            status: RoundStatus::Open,
            opened_at: now,
            ended_at: None,
            ..before.round.clone()
        };
        let (is_test, register) = (before.is_test, before.register.clone());
        state.rounds.push(KnownRound { round, is_test, register, votes: BTreeMap::new() });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn meeting_of(&mut self, owner: ClientId, meeting: MeetingId) -> Option<&mut KnownMeeting> {
        self.meetings.get_mut(&meeting).filter(|known| known.client == owner)
    }

    fn client_name(&self, client: ClientId) -> &str {
        self.client_names.get(&client).map_or("Rowing club", String::as_str)
    }

    fn meeting_title(&self, meeting: MeetingId) -> &str {
        self.meetings.get(&meeting).map_or("", |known| known.title.as_str())
    }

    fn require_question(&self, meeting: MeetingId, question: QuestionId) -> Result<&KnownQuestion, OpenRoundError> {
        let known = self.questions.get(&question).filter(|known| known.meeting == meeting);
        known.ok_or(OpenRoundError::QuestionNotFound)
    }

    fn last_round(&self, meeting: MeetingId, question: QuestionId) -> Option<&KnownRound> {
        self.rounds
            .iter()
            .filter(|known| known.round.meeting_id == meeting && known.round.question_id == question)
            .max_by_key(|known| known.round.number)
    }

    fn round_mut(&mut self, id: RoundId) -> Option<&mut KnownRound> {
        self.rounds.iter_mut().find(|known| known.round.id == id)
    }

    fn end_running_round(&mut self, meeting: MeetingId, now: DateTime<Utc>) {
        let is_running = |round: &Round| round.meeting_id == meeting && round.status == RoundStatus::Open;
        for known in self.rounds.iter_mut().filter(|known| is_running(&known.round)) {
            known.round.status = RoundStatus::Ended;
            known.round.ended_at = Some(now);
        }
    }

    fn register_eligible(&mut self, id: RoundId) {
        let Some(index) = self.rounds.iter().position(|known| known.round.id == id) else { return };
        let Some(meeting) = self.meetings.get(&self.rounds[index].round.meeting_id) else { return };
        let is_eligible = |voter: &&SeedVoter| {
            voter.is_active
                && voter.client == meeting.client
                && (!meeting.has_participant_list || meeting.listed.contains(&voter.id))
        };
        let known = &mut self.rounds[index];
        for voter in self.voters.values().filter(is_eligible) {
            if known.register.insert(voter.id, voter.weight).is_none() {
                known.round.register.add(voter.weight);
            }
        }
    }
}

#[async_trait]
impl RoundStore for InMemoryVoting {
    async fn open(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        new_round: RoundId,
        now: DateTime<Utc>,
    ) -> Result<(), OpenRoundError> {
        let mut state = self.state();
        let is_active = state.meeting_of(owner, meeting).ok_or(OpenRoundError::MeetingNotFound)?.is_active;
        let wording = state.require_question(meeting, question)?.wording.clone();
        let last_round = state.last_round(meeting, question).map(|known| LastRound {
            id: known.round.id,
            number: known.round.number,
            status: known.round.status,
            has_votes: !known.votes.is_empty(),
        });
        match decide_opening(&Floor { is_active, last_round })? {
            Opening::AlreadyOpen(_) => {}
            Opening::New { number, replaces } => {
                state.end_running_round(meeting, now);
                state.rounds.retain(|known| Some(known.round.id) != replaces);
                let round = Round {
                    id: new_round,
                    client_id: owner,
                    meeting_id: meeting,
                    question_id: question,
                    number,
                    status: RoundStatus::Open,
                    wording,
                    opened_at: now,
                    ended_at: None,
                    register: Count::default(),
                };
                let is_test = is_test_round(state.client_name(owner), state.meeting_title(meeting));
                let (register, votes) = (BTreeMap::new(), BTreeMap::new());
                state.rounds.push(KnownRound { round, is_test, register, votes });
                state.register_eligible(new_round);
            }
            Opening::Reopen(id) => {
                state.end_running_round(meeting, now);
                if let Some(known) = state.round_mut(id) {
                    known.round.status = RoundStatus::Open;
                    known.round.ended_at = None;
                }
                state.register_eligible(id);
            }
        }
        if let Some(known) = state.meeting_of(owner, meeting) {
            known.current = Some(question);
        }
        Ok(())
    }

    async fn show(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: Option<QuestionId>,
        now: DateTime<Utc>,
    ) -> Result<(), OpenRoundError> {
        let mut state = self.state();
        let is_active = state.meeting_of(owner, meeting).ok_or(OpenRoundError::MeetingNotFound)?.is_active;
        if let Some(question) = question {
            state.require_question(meeting, question)?;
            if !is_active {
                return Err(OpeningRule::MeetingNotActive.into());
            }
        }
        state.end_running_round(meeting, now);
        if let Some(known) = state.meeting_of(owner, meeting) {
            known.current = question;
        }
        Ok(())
    }

    async fn current(
        &self,
        owner: ClientId,
        meeting: MeetingId,
    ) -> Result<Option<Option<CurrentQuestion>>, PortFailure> {
        let mut state = self.state();
        let Some(known) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let Some(id) = known.current else { return Ok(Some(None)) };
        let last_round = state.last_round(meeting, id).map(KnownRound::overview);
        let current = state.questions.get(&id).map(|question| {
            let open = last_round.as_ref().filter(|last| last.round.status == RoundStatus::Open);
            let wording = open.map_or(&question.wording, |open| &open.round.wording).clone();
            CurrentQuestion { question_id: id, position: question.position, wording, last_round }
        });
        Ok(Some(current))
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let of_meeting = state.rounds.iter().filter(|known| known.round.meeting_id == meeting);
        Ok(Some(of_meeting.map(KnownRound::overview).collect()))
    }

    async fn find_with_votes(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<(Round, Vec<CountedVote>)>, PortFailure> {
        let state = self.state();
        let is_meant = |known: &Round| known.id == round && known.client_id == owner && known.meeting_id == meeting;
        let Some(known) = state.rounds.iter().find(|known| is_meant(&known.round)) else { return Ok(None) };
        if known.round.status == RoundStatus::Open {
            return Ok(Some((known.round.clone(), Vec::new())));
        }
        let counted = |(voter, vote): (&EndUserId, &StoredVote)| {
            known.register.get(voter).map(|weight| CountedVote { answer: vote.answer.clone(), weight: *weight })
        };
        Ok(Some((known.round.clone(), known.votes.iter().filter_map(counted).collect())))
    }

    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure> {
        let state = self.state();
        let last = state.last_round(meeting, question).map(|known| &known.round);
        Ok(last.filter(|round| round.client_id == client).cloned())
    }

    async fn rounds_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<VoterRound>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(client, meeting).is_none() {
            return Ok(Vec::new());
        }
        let agenda = state.questions.iter().filter(|(_, question)| question.meeting == meeting);
        let mut rounds: Vec<VoterRound> = agenda
            .filter_map(|(id, question)| {
                let last = state.last_round(meeting, *id)?;
                Some(VoterRound {
                    round: last.round.clone(),
                    position: question.position,
                    is_in_register: last.register.contains_key(&voter),
                    vote: last.votes.get(&voter).cloned(),
                })
            })
            .collect();
        rounds.sort_by_key(|round| round.position);
        Ok(rounds)
    }
}

#[async_trait]
impl BallotBox for InMemoryVoting {
    async fn cast(&self, ballot: Ballot) -> Result<BoxAnswer, PortFailure> {
        let mut state = self.state();
        let is_active = state.voters.get(&ballot.voter).is_some_and(|voter| voter.is_active);
        let Some(known) = state.round_mut(ballot.round_id) else { return Ok(BoxAnswer::NotOpen) };
        if let Some(before) = known.votes.get(&ballot.voter) {
            return Ok(BoxAnswer::VotedBefore(before.clone()));
        }
        if known.round.status != RoundStatus::Open {
            return Ok(BoxAnswer::NotOpen);
        }
        if !is_active || !known.register.contains_key(&ballot.voter) {
            return Ok(BoxAnswer::NotInRegister);
        }
        let vote = StoredVote { id: ballot.vote_id, answer: ballot.answer, cast_at: ballot.cast_at };
        known.votes.insert(ballot.voter, vote);
        Ok(BoxAnswer::Counted)
    }

    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let open = state.round_mut(round).filter(|known| known.round.status == RoundStatus::Open);
        Ok(open.is_some_and(|known| known.votes.remove(&voter).is_some()))
    }

    async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<MeetingId, DiscardVoteError> {
        let mut state = self.state();
        let holds = |known: &&KnownRound| known.votes.values().any(|stored| stored.id == vote);
        let is_of_owner = |known: &&KnownRound| owner.is_none_or(|owner| known.round.client_id == owner);
        let known = state.rounds.iter().filter(is_of_owner).find(holds).ok_or(DiscardVoteError::NotFound)?;
        let Round { id, meeting_id, status, .. } = known.round;
        check_discard(known.is_test, status)?;
        if let Some(known) = state.round_mut(id) {
            known.votes.retain(|_, stored| stored.id != vote);
        }
        Ok(meeting_id)
    }
}

#[async_trait]
impl VotingFixture for InMemoryVoting {
    fn rounds(&self) -> Arc<dyn RoundStore> {
        Arc::new(self.clone())
    }

    fn ballot_box(&self) -> Arc<dyn BallotBox> {
        Arc::new(self.clone())
    }

    async fn add_meeting(&self, meeting: SeedMeeting) {
        let known = KnownMeeting {
            client: meeting.client,
            title: "General assembly".to_owned(),
            is_active: true,
            has_participant_list: meeting.has_participant_list,
            listed: BTreeSet::new(),
            current: None,
        };
        self.state().meetings.insert(meeting.id, known);
    }

    async fn rename_client(&self, client: ClientId, name: &str) {
        self.state().client_names.insert(client, name.to_owned());
    }

    async fn rename_meeting(&self, meeting: MeetingId, title: &str) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            title.clone_into(&mut known.title);
        }
    }

    async fn add_question(&self, question: SeedQuestion) {
        let known = KnownQuestion { meeting: question.meeting, position: question.position, wording: question.wording };
        self.state().questions.insert(question.id, known);
    }

    async fn add_voter(&self, voter: SeedVoter) {
        self.state().voters.insert(voter.id, voter);
    }

    async fn invite(&self, meeting: MeetingId, voter: EndUserId) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.listed.insert(voter);
        }
    }

    async fn set_voter_active(&self, voter: EndUserId, is_active: bool) {
        if let Some(known) = self.state().voters.get_mut(&voter) {
            known.is_active = is_active;
        }
    }

    async fn remove_voter(&self, voter: EndUserId) {
        self.state().voters.remove(&voter);
    }

    async fn set_meeting_active(&self, meeting: MeetingId, is_active: bool) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.is_active = is_active;
        }
    }

    async fn reword(&self, question: QuestionId, text: &str) {
        if let Some(known) = self.state().questions.get_mut(&question) {
            text.clone_into(&mut known.wording.text);
        }
    }

    async fn declare(&self, round: RoundId) {
        if let Some(known) = self.state().round_mut(round) {
            known.round.status = RoundStatus::Declared;
        }
    }
}
