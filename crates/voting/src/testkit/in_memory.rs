mod results;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, EndUserId, MeetingId, MeetingQuorum, Page, PortFailure, QuestionId, RoundId, Step, VoteId,
};
use rust_decimal::Decimal;

use super::contract::{SeedMeeting, SeedQuestion, SeedTerms, SeedVoter, VotingFixture};
use crate::{
    AdmitError, Ballot, BallotBox, CastOutcome, Closing, Count, CountdownError, CurrentQuestion, Declared,
    DiscardVoteError, ExcludeError, Exclusion, Floor, LastRound, Latecomer, LiftExclusionError, LogEntry, LogKind,
    LoggedPerson, MAX_CLOSINGS, OpenRoundError, Opening, RegisterChange, RegisterChanges, RegisterEntry,
    RegisterFilter, ResultStore, Round, RoundOpening, RoundOverview, RoundStatus, RoundStore, Running, Screen, Stage,
    StoredVote, Terms, VoterRound, Wording, check_discard, check_quorum, decide_admission, decide_closing,
    decide_exclusion, decide_opening, decide_revote, decide_showing, is_test_round, not_before,
};

/// Rounds and ballots in memory, with what they need of clients and meetings. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct InMemoryVoting(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Those that are not called as usual.
    client_names: HashMap<ClientId, String>,
    account_names: HashMap<AccountId, String>,
    meetings: HashMap<MeetingId, KnownMeeting>,
    questions: HashMap<QuestionId, KnownQuestion>,
    voters: HashMap<EndUserId, SeedVoter>,
    /// In the order of their opening.
    rounds: Vec<KnownRound>,
    exclusions: BTreeMap<(QuestionId, EndUserId), Exclusion>,
}

#[derive(Debug)]
struct KnownMeeting {
    client: ClientId,
    title: String,
    is_active: bool,
    has_participant_list: bool,
    listed: BTreeSet<EndUserId>,
    current: Option<QuestionId>,
    step: Step,
    quorum: Option<MeetingQuorum>,
}

#[derive(Debug)]
struct KnownQuestion {
    meeting: MeetingId,
    position: u32,
    wording: Wording,
    terms: SeedTerms,
}

#[derive(Clone, Debug)]
struct KnownRound {
    round: Round,
    terms: Terms,
    log: Vec<LogEntry>,
    is_test: bool,
    register: BTreeMap<EndUserId, SeedVoter>,
    added: BTreeMap<EndUserId, DateTime<Utc>>,
    connected: BTreeSet<EndUserId>,
    votes: BTreeMap<EndUserId, StoredVote>,
}

impl KnownRound {
    fn overview(&self) -> RoundOverview {
        RoundOverview { round: self.round.clone(), votes_cast: self.votes.len() as u64 }
    }

    fn log(&mut self, kind: LogKind, by: Option<String>, at: DateTime<Utc>) {
        self.log.push(LogEntry { at, kind, by, person: None, reason: None });
    }

    /// Those of the register who are among these.
    fn count_of(&self, people: &BTreeSet<EndUserId>) -> Count {
        let mut count = Count::default();
        for (_, voter) in self.register.iter().filter(|(id, _)| people.contains(id)) {
            count.add(voter.weight);
        }
        count
    }
}

impl InMemoryVoting {
    /// Nothing at all.
    pub fn new() -> Self {
        Self::default()
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

    fn open_round(&self, meeting: MeetingId) -> Option<&Round> {
        let mut rounds = self.rounds.iter().map(|known| &known.round);
        rounds.find(|round| round.meeting_id == meeting && round.status == RoundStatus::Open)
    }

    fn round_of(&self, owner: ClientId, meeting: MeetingId, round: RoundId) -> Option<&KnownRound> {
        let is_meant = |known: &Round| known.id == round && known.client_id == owner && known.meeting_id == meeting;
        self.rounds.iter().find(|known| is_meant(&known.round))
    }

    fn take_step(&mut self, meeting: MeetingId, current: Option<QuestionId>) {
        if let Some(known) = self.meetings.get_mut(&meeting) {
            known.current = current;
            known.step = known.step.next();
        }
    }

    fn round_mut(&mut self, id: RoundId) -> Option<&mut KnownRound> {
        self.rounds.iter_mut().find(|known| known.round.id == id)
    }

    fn account_name(&self, account: AccountId) -> String {
        self.account_names.get(&account).cloned().unwrap_or_default()
    }

    /// The time of what is done in a meeting after all that was done in its rounds.
    fn time(&self, meeting: MeetingId, now: DateTime<Utc>) -> DateTime<Utc> {
        let of_meeting = self.rounds.iter().filter(|known| known.round.meeting_id == meeting);
        let last = of_meeting.flat_map(|known| &known.log).map(|entry| entry.at).max();
        last.map_or(now, |last| not_before(last, now))
    }

    fn end_running_round(&mut self, meeting: MeetingId, by: Option<AccountId>, now: DateTime<Utc>) {
        let by = by.map(|by| self.account_name(by));
        let is_running = |round: &Round| round.meeting_id == meeting && round.status == RoundStatus::Open;
        for known in self.rounds.iter_mut().filter(|known| is_running(&known.round)) {
            known.round.status = RoundStatus::Ended;
            known.round.ended_at = Some(now);
            known.round.closes_at = None;
            known.log(LogKind::Ended, by.clone(), now);
        }
    }

    fn register_eligible(&mut self, id: RoundId, now: DateTime<Utc>) {
        let Some(index) = self.rounds.iter().position(|known| known.round.id == id) else { return };
        let Some(meeting) = self.meetings.get(&self.rounds[index].round.meeting_id) else { return };
        let is_for_tests = is_test_round(self.client_name(meeting.client), &meeting.title);
        let is_among_everybody = |voter: &SeedVoter| is_for_tests || !voter.is_test();
        let is_eligible = |voter: &&SeedVoter| {
            voter.is_active
                && voter.client == meeting.client
                && if meeting.has_participant_list {
                    meeting.listed.contains(&voter.id)
                } else {
                    is_among_everybody(voter)
                }
        };
        let known = &mut self.rounds[index];
        let question = known.round.question_id;
        let takes_part = |voter: &&SeedVoter| !self.exclusions.contains_key(&(question, voter.id));
        for voter in self.voters.values().filter(is_eligible).filter(takes_part) {
            if let Entry::Vacant(entry) = known.register.entry(voter.id) {
                entry.insert(voter.clone());
                known.round.register.add(voter.weight);
                known.added.insert(voter.id, now);
            }
        }
        self.leave_out_excluded(id);
    }

    /// Takes those out of the register of a round who are excluded from its question and have not voted in it, and says
    /// so in its log.
    fn leave_out_excluded(&mut self, id: RoundId) {
        let Some(known) = self.rounds.iter_mut().find(|known| known.round.id == id) else { return };
        let question = known.round.question_id;
        let of_question = self.exclusions.iter().filter(|((excluded_from, _), _)| *excluded_from == question);
        for ((_, voter), exclusion) in of_question {
            if known.votes.contains_key(voter) {
                continue;
            }
            if let Some(entry) = known.register.remove(voter) {
                known.round.register.heads -= 1;
                known.round.register.weight -= entry.weight;
            }
            let person = self.voters.get(voter).map(person_of);
            let entry = LogEntry {
                at: exclusion.at,
                kind: LogKind::Excluded,
                by: Some(exclusion.by.clone()),
                person,
                reason: Some(exclusion.reason.to_string()),
            };
            let is_same = |logged: &LogEntry| {
                let who = logged.person.as_ref().map(|person| person.end_user_id);
                logged.kind == entry.kind && logged.at == entry.at && who == Some(*voter)
            };
            if !known.log.iter().any(is_same) {
                known.log.push(entry);
            }
        }
    }

    fn has_question(&self, meeting: MeetingId, question: QuestionId) -> bool {
        self.questions.get(&question).is_some_and(|known| known.meeting == meeting)
    }

    fn voter_of(&self, owner: ClientId, voter: EndUserId) -> Option<&SeedVoter> {
        self.voters.get(&voter).filter(|known| known.client == owner)
    }

    /// The open round of a question.
    fn open_round_of(&self, question: QuestionId) -> Option<&KnownRound> {
        let is_open = |round: &Round| round.question_id == question && round.status == RoundStatus::Open;
        self.rounds.iter().find(|known| is_open(&known.round))
    }
}

fn person_of(voter: &SeedVoter) -> LoggedPerson {
    LoggedPerson {
        end_user_id: voter.id,
        username: voter.username.clone(),
        name: voter.name.clone(),
        weight: voter.weight,
    }
}

#[async_trait]
impl RegisterChanges for InMemoryVoting {
    async fn exclusions(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Vec<Exclusion>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() || !state.has_question(meeting, question) {
            return Ok(None);
        }
        let of_question = state.exclusions.iter().filter(|((excluded_from, _), _)| *excluded_from == question);
        let mut exclusions: Vec<Exclusion> = of_question.map(|(_, exclusion)| exclusion.clone()).collect();
        exclusions.sort_by_key(|exclusion| (exclusion.name.to_lowercase(), exclusion.end_user_id));
        Ok(Some(exclusions))
    }

    async fn exclude(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        change: RegisterChange,
    ) -> Result<Exclusion, ExcludeError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(ExcludeError::MeetingNotFound)?;
        if !state.has_question(meeting, question) {
            return Err(ExcludeError::QuestionNotFound);
        }
        let voter = state.voter_of(owner, change.end_user).ok_or(ExcludeError::EndUserNotFound)?.clone();
        let open = state.open_round_of(question);
        let has_voted = open.is_some_and(|known| known.votes.contains_key(&voter.id));
        let open = open.map(|known| known.round.id);
        decide_exclusion(state.exclusions.contains_key(&(question, voter.id)), has_voted)?;
        let at = state.time(meeting, change.at);
        let exclusion = Exclusion {
            end_user_id: voter.id,
            name: voter.name,
            username: voter.username,
            reason: change.reason,
            at,
            by: state.account_name(change.by),
        };
        state.exclusions.insert((question, voter.id), exclusion.clone());
        if let Some(round) = open {
            state.leave_out_excluded(round);
        }
        Ok(exclusion)
    }

    async fn lift(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        end_user: EndUserId,
    ) -> Result<(), LiftExclusionError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(LiftExclusionError::MeetingNotFound)?;
        if !state.has_question(meeting, question) {
            return Err(LiftExclusionError::QuestionNotFound);
        }
        if !state.exclusions.contains_key(&(question, end_user)) {
            return Err(LiftExclusionError::NotExcluded);
        }
        if state.open_round_of(question).is_some() {
            return Err(LiftExclusionError::RoundOpen);
        }
        state.exclusions.remove(&(question, end_user));
        Ok(())
    }

    async fn admit(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        change: RegisterChange,
    ) -> Result<LogEntry, AdmitError> {
        let mut state = self.state();
        let known = state.round_of(owner, meeting, round).ok_or(AdmitError::RoundNotFound)?;
        let (question, is_open) = (known.round.question_id, known.round.status == RoundStatus::Open);
        let is_in_register = known.register.contains_key(&change.end_user);
        let voter = state.voter_of(owner, change.end_user).ok_or(AdmitError::EndUserNotFound)?.clone();
        // Meetings of the fake have no limit.
        let latecomer =
            Latecomer { round_is_open: is_open, is_in_register, is_active: voter.is_active, full_list: None };
        decide_admission(&latecomer)?;
        let at = state.time(meeting, change.at);
        let entry = LogEntry {
            at,
            kind: LogKind::Admitted,
            by: Some(state.account_name(change.by)),
            person: Some(person_of(&voter)),
            reason: Some(change.reason.to_string()),
        };
        state.exclusions.remove(&(question, voter.id));
        if let Some(meeting) = state.meetings.get_mut(&meeting).filter(|meeting| meeting.has_participant_list) {
            meeting.listed.insert(voter.id);
        }
        if let Some(known) = state.round_mut(round) {
            known.round.register.add(voter.weight);
            known.added.insert(voter.id, at);
            known.register.insert(voter.id, voter);
            known.log.push(entry.clone());
        }
        Ok(entry)
    }
}

#[async_trait]
impl RoundStore for InMemoryVoting {
    async fn open(&self, opening: RoundOpening) -> Result<(), OpenRoundError> {
        let RoundOpening { owner, meeting, question, new_round, now, seen, by, connected, revote } = opening;
        let connected: BTreeSet<EndUserId> = connected.into_iter().collect();
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(OpenRoundError::MeetingNotFound)?;
        let (is_active, is_stale, quorum) = (known.is_active, known.step.has_passed(seen), known.quorum);
        let known = state.require_question(meeting, question)?;
        let (wording, terms) = (known.wording.clone(), known.terms.clone());
        let last_round = state.last_round(meeting, question).map(|known| LastRound {
            id: known.round.id,
            number: known.round.number,
            status: known.round.status,
            has_votes: !known.votes.is_empty(),
        });
        let floor = Floor { is_active, is_stale, last_round };
        let decided = if revote.is_some() { decide_revote(&floor) } else { decide_opening(&floor) }?;
        let now = state.time(meeting, now);
        // The register shows whether enough are there: until then everything can be taken back.
        let rounds_before = state.rounds.clone();
        let (id, kind) = match decided {
            Opening::AlreadyOpen(_) => return Ok(()),
            Opening::New { number, replaces } => {
                let replaced = replaces.and_then(|replaced| state.round_mut(replaced)?.round.reason.clone());
                state.rounds.retain(|known| Some(known.round.id) != replaces);
                let round = Round {
                    id: new_round,
                    client_id: owner,
                    meeting_id: meeting,
                    question_id: question,
                    number,
                    status: RoundStatus::Ended,
                    wording,
                    opened_at: now,
                    ended_at: None,
                    closes_at: None,
                    register: Count::default(),
                    reason: revote.map(|reason| reason.to_string()).or(replaced),
                    is_named: terms.is_named,
                    counted_at: None,
                    declared: None,
                };
                let is_test = is_test_round(state.client_name(owner), state.meeting_title(meeting));
                state.rounds.push(KnownRound {
                    round,
                    terms: Terms {
                        rule: terms.rule,
                        quorum: terms.quorum.or(quorum.map(|quorum| quorum.quorum)),
                        connected_at_opening: Count::default(),
                    },
                    log: Vec::new(),
                    is_test,
                    register: BTreeMap::new(),
                    added: BTreeMap::new(),
                    connected: connected.clone(),
                    votes: BTreeMap::new(),
                });
                state.register_eligible(new_round, now);
                (new_round, LogKind::Opened)
            }
            Opening::Reopen(id) => {
                state.register_eligible(id, now);
                (id, LogKind::Reopened)
            }
        };
        let Some(known) = state.round_mut(id) else { return Err(OpenRoundError::QuestionNotFound) };
        let present = known.count_of(&connected);
        if let Err(rule) = check_quorum(known.terms.quorum, quorum, present, known.round.register) {
            state.rounds = rounds_before;
            return Err(rule.into());
        }
        if kind == LogKind::Opened {
            known.terms.connected_at_opening = present;
        }
        state.end_running_round(meeting, Some(by), now);
        let name = state.account_name(by);
        if let Some(known) = state.round_mut(id) {
            known.round.status = RoundStatus::Open;
            known.round.ended_at = None;
            known.round.counted_at = None;
            known.log(kind, Some(name), now);
        }
        state.take_step(meeting, Some(question));
        Ok(())
    }

    async fn show(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: Option<QuestionId>,
        by: AccountId,
        now: DateTime<Utc>,
        seen: Option<Step>,
    ) -> Result<(), OpenRoundError> {
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(OpenRoundError::MeetingNotFound)?;
        let (is_active, is_stale, current) = (known.is_active, known.step.has_passed(seen), known.current);
        if let Some(question) = question {
            state.require_question(meeting, question)?;
        }
        let is_shown = current == question && state.open_round(meeting).is_none();
        if decide_showing(&Stage { is_active, is_stale, is_question: question.is_some(), is_shown })? {
            let now = state.time(meeting, now);
            state.end_running_round(meeting, Some(by), now);
            state.take_step(meeting, question);
        }
        Ok(())
    }

    async fn set_closing(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        closes_at: Option<DateTime<Utc>>,
        seen: Option<Step>,
    ) -> Result<(), CountdownError> {
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(CountdownError::MeetingNotFound)?;
        let (is_stale, current) = (known.step.has_passed(seen), known.current);
        let open = state.open_round(meeting).map(|round| (round.id, round.closes_at));
        let running =
            Running { is_stale, is_open: open.is_some(), closes_at: open.and_then(|(_, closes_at)| closes_at) };
        if decide_closing(&running, closes_at)? {
            if let Some(known) = open.and_then(|(id, _)| state.round_mut(id)) {
                known.round.closes_at = closes_at;
            }
            state.take_step(meeting, current);
        }
        Ok(())
    }

    async fn closings_until(&self, until: DateTime<Utc>) -> Result<Vec<Closing>, PortFailure> {
        let state = self.state();
        let closing = |round: &Round| {
            let closes_at = round.closes_at.filter(|time| *time <= until)?;
            Some(Closing { client_id: round.client_id, meeting_id: round.meeting_id, closes_at })
        };
        let mut closings: Vec<Closing> = state.rounds.iter().filter_map(|known| closing(&known.round)).collect();
        closings.sort_by_key(|closing| closing.closes_at);
        closings.truncate(MAX_CLOSINGS);
        Ok(closings)
    }

    async fn end_due(&self, owner: ClientId, meeting: MeetingId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let Some(known) = state.meeting_of(owner, meeting) else { return Ok(false) };
        let current = known.current;
        let closes_at = state.open_round(meeting).and_then(|round| round.closes_at);
        let is_due = closes_at.is_some_and(|time| time <= now);
        if is_due {
            let now = state.time(meeting, now);
            state.end_running_round(meeting, None, now);
            state.take_step(meeting, current);
        }
        Ok(is_due)
    }

    async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure> {
        let mut state = self.state();
        let Some(known) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let (step, current) = (known.step, known.current);
        let question = current.and_then(|id| {
            let question = state.questions.get(&id)?;
            let last_round = state.last_round(meeting, id).map(KnownRound::overview);
            let open = last_round.as_ref().filter(|last| last.round.status == RoundStatus::Open);
            let wording = open.map_or(&question.wording, |open| &open.round.wording).clone();
            Some(CurrentQuestion { question_id: id, position: question.position, wording, last_round })
        });
        Ok(Some(Screen { step, question }))
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let of_meeting = state.rounds.iter().filter(|known| known.round.meeting_id == meeting);
        Ok(Some(of_meeting.map(KnownRound::overview).collect()))
    }

    async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure> {
        let state = self.state();
        let Some(known) = state.round_of(owner, meeting, round) else { return Ok(None) };
        let is_found = |entry: &RegisterEntry| {
            filter.has_voted.is_none_or(|has_voted| entry.has_voted == has_voted)
                && filter
                    .search
                    .as_ref()
                    .is_none_or(|search| search.is_in(&entry.name) || search.is_in(&entry.username))
        };
        let entries = known.register.values().map(|voter| RegisterEntry {
            end_user_id: voter.id,
            name: voter.name.clone(),
            username: voter.username.clone(),
            weight: voter.weight,
            has_voted: known.votes.contains_key(&voter.id),
        });
        let mut rows: Vec<RegisterEntry> = entries.filter(is_found).collect();
        rows.sort_by_key(|entry| (entry.name.to_lowercase(), entry.end_user_id));
        let total = rows.len() as u64;
        let skipped = usize::try_from(filter.page.offset()).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(skipped).take(filter.page.page_size as usize).collect();
        Ok(Some(Page { rows, total }))
    }

    async fn vote_in(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        round: RoundId,
        voter: EndUserId,
    ) -> Result<Option<StoredVote>, PortFailure> {
        let state = self.state();
        let known = state.round_of(client, meeting, round).filter(|known| known.round.question_id == question);
        Ok(known.and_then(|known| known.votes.get(&voter)).cloned())
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
    async fn cast(&self, ballot: Ballot) -> Result<CastOutcome, PortFailure> {
        let mut state = self.state();
        let is_active = state.voters.get(&ballot.voter).is_some_and(|voter| voter.is_active);
        let Some(known) = state.round_mut(ballot.round_id) else { return Ok(CastOutcome::NotOpen) };
        if let Some(before) = known.votes.get(&ballot.voter) {
            return Ok(CastOutcome::VotedBefore(before.clone()));
        }
        if known.round.status != RoundStatus::Open {
            return Ok(CastOutcome::NotOpen);
        }
        if !is_active || !known.register.contains_key(&ballot.voter) {
            return Ok(CastOutcome::NotInRegister);
        }
        let vote = StoredVote { id: ballot.vote_id, answer: ballot.answer, cast_at: ballot.cast_at };
        known.votes.insert(ballot.voter, vote);
        Ok(CastOutcome::Counted)
    }

    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let open = state.round_mut(round).filter(|known| known.round.status == RoundStatus::Open);
        Ok(open.is_some_and(|known| known.votes.remove(&voter).is_some()))
    }

    async fn is_for_tests(&self, round: RoundId) -> Result<bool, PortFailure> {
        Ok(self.state().round_mut(round).is_some_and(|known| known.is_test))
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

    fn results(&self) -> Arc<dyn ResultStore> {
        Arc::new(self.clone())
    }

    fn ballot_box(&self) -> Arc<dyn BallotBox> {
        Arc::new(self.clone())
    }

    fn register_changes(&self) -> Arc<dyn RegisterChanges> {
        Arc::new(self.clone())
    }

    async fn log_of(&self, round: RoundId) -> Vec<LogEntry> {
        let mut log = self.state().round_mut(round).map(|known| known.log.clone()).unwrap_or_default();
        log.sort_by_key(|entry| entry.at);
        log
    }

    async fn is_listed(&self, meeting: MeetingId, voter: EndUserId) -> bool {
        self.state().meetings.get(&meeting).is_some_and(|known| known.listed.contains(&voter))
    }

    async fn set_weight(&self, voter: EndUserId, weight: Decimal) {
        if let Some(known) = self.state().voters.get_mut(&voter) {
            known.weight = weight;
        }
    }

    async fn add_meeting(&self, meeting: SeedMeeting) {
        let known = KnownMeeting {
            client: meeting.client,
            title: "General assembly".to_owned(),
            is_active: true,
            has_participant_list: meeting.has_participant_list,
            listed: BTreeSet::new(),
            current: None,
            step: Step::default(),
            quorum: None,
        };
        self.state().meetings.insert(meeting.id, known);
    }

    async fn add_account(&self, _client: ClientId, account: AccountId, first_name: &str, last_name: &str) {
        self.state().account_names.insert(account, format!("{first_name} {last_name}"));
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
        let SeedQuestion { meeting, id: _, position, wording } = question.clone();
        let known = KnownQuestion { meeting, position, wording, terms: SeedTerms::default() };
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
        let mut state = self.state();
        state.voters.remove(&voter);
        state.exclusions.retain(|(_, excluded), _| *excluded != voter);
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

    async fn rename_option(&self, question: QuestionId, position: u32, text: &str) {
        let mut state = self.state();
        let Some(known) = state.questions.get_mut(&question) else { return };
        let options = known.wording.options.iter_mut();
        options.filter(|option| option.position == position).for_each(|option| text.clone_into(&mut option.text));
    }

    async fn set_terms(&self, question: QuestionId, terms: SeedTerms) {
        if let Some(known) = self.state().questions.get_mut(&question) {
            known.terms = terms;
        }
    }

    async fn set_meeting_quorum(&self, meeting: MeetingId, quorum: Option<MeetingQuorum>) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.quorum = quorum;
        }
    }

    async fn declare(&self, round: RoundId) {
        if let Some(known) = self.state().round_mut(round) {
            known.round.status = RoundStatus::Declared;
            known.round.declared = Some(Declared { at: DateTime::UNIX_EPOCH, by: "Anna Berg".to_owned() });
        }
    }
}
