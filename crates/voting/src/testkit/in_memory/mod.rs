mod archives;
mod ballot_box;
mod curations;
mod fixture;
mod passwords;
mod proxies;
mod purges;
mod records;
mod register_changes;
mod results;
mod rounds;
mod timestamps;
mod urns;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{
    AccountId, ClientId, EndUserId, MeetingId, MeetingQuorum, PresenceRule, QuestionId, RoundId, Step,
};

use self::proxies::KeptProxy;
use self::urns::weight_in;
use super::InMemoryUrnKeys;
use super::contract::{SeedTerms, SeedVoter};
use crate::{
    Count, Exclusion, ImportedArchive, KeyShare, LogEntry, LogKind, LoggedPerson, NewTimestamp, NotedSeatAnswer,
    OpenRoundError, OpenedUrn, Proxy, ProxySettings, Round, RoundOverview, RoundStatus, StoredCuration, StoredPurge,
    StoredRecord, StoredVote, Terms, Wording, is_test_round, not_before,
};

/// Rounds and ballots in memory, with the needed facts about clients and meetings. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct InMemoryVoting {
    state: Arc<Mutex<State>>,
    /// The key folder.
    pub keys: InMemoryUrnKeys,
}

#[derive(Debug, Default)]
struct State {
    /// Names that differ from the default.
    client_names: HashMap<ClientId, String>,
    account_names: HashMap<AccountId, String>,
    meetings: HashMap<MeetingId, KnownMeeting>,
    questions: HashMap<QuestionId, KnownQuestion>,
    voters: HashMap<EndUserId, SeedVoter>,
    /// When somebody else last set the password of a voter, and who did.
    passwords_set: HashMap<EndUserId, (DateTime<Utc>, String)>,
    /// In the order of their opening.
    rounds: Vec<KnownRound>,
    exclusions: BTreeMap<(QuestionId, EndUserId), Exclusion>,
    /// In the order in which they were written.
    records: Vec<StoredRecord>,
    /// The time of each record.
    recorded_at: BTreeMap<RoundId, DateTime<Utc>>,
    writer: records::Writer,
    /// In the order in which they were written.
    purges: Vec<StoredPurge>,
    timestamps: Vec<NewTimestamp>,
    curations: HashMap<RoundId, StoredCuration>,
    proxy_settings: HashMap<MeetingId, ProxySettings>,
    /// In the order in which they were granted.
    proxies: Vec<(MeetingId, Proxy)>,
    /// In the order in which they were noted.
    seat_answers: Vec<NotedSeatAnswer>,
    /// With their contents.
    archives: Vec<(ImportedArchive, Vec<u8>)>,
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
    counts_surveys_at_end: bool,
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
    /// Those of the register who were connected when the opening registered them.
    connected: BTreeSet<EndUserId>,
    votes: BTreeMap<EndUserId, StoredVote>,
    /// The proxies in force, by their principals.
    proxies: BTreeMap<EndUserId, KeptProxy>,
    /// The share of the key of a secret round that is not counted.
    database_share: Option<KeyShare>,
    opened_urn: Option<OpenedUrn>,
    is_key_destroyed: bool,
}

impl KnownRound {
    fn new(round: Round, terms: Terms, is_test: bool) -> Self {
        Self {
            round,
            terms,
            log: Vec::new(),
            is_test,
            register: BTreeMap::new(),
            added: BTreeMap::new(),
            connected: BTreeSet::new(),
            votes: BTreeMap::new(),
            proxies: BTreeMap::new(),
            database_share: None,
            opened_urn: None,
            is_key_destroyed: false,
        }
    }

    fn overview(&self) -> RoundOverview {
        RoundOverview { round: self.round.clone(), votes_cast: self.votes.len() as u64 }
    }

    fn log(&mut self, kind: LogKind, by: Option<String>, at: DateTime<Utc>) {
        self.log.push(LogEntry { at, kind, by, person: None, reason: None });
    }

    /// The people of the register among these.
    fn count_of(&self, people: &BTreeSet<EndUserId>) -> Count {
        let mut count = Count::default();
        for (_, voter) in self.register.iter().filter(|(id, _)| people.contains(id)) {
            count.add(voter.weight);
        }
        count
    }
}

impl InMemoryVoting {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// The time of an action in a meeting, after all actions in its rounds.
    fn time(&self, meeting: MeetingId, now: DateTime<Utc>) -> DateTime<Utc> {
        let of_meeting = self.rounds.iter().filter(|known| known.round.meeting_id == meeting);
        let last = of_meeting.flat_map(|known| &known.log).map(|entry| entry.at).max();
        last.map_or(now, |last| not_before(last, now))
    }

    fn end_running_round(&mut self, meeting: MeetingId, by: Option<AccountId>, now: DateTime<Utc>) {
        let by = by.map(|by| self.account_name(by));
        let counts_surveys = self.meetings.get(&meeting).is_some_and(|known| known.counts_surveys_at_end);
        let is_running = |round: &Round| round.meeting_id == meeting && round.status == RoundStatus::Open;
        for known in self.rounds.iter_mut().filter(|known| is_running(&known.round)) {
            known.round.status = RoundStatus::Ended;
            known.round.ended_at = Some(now);
            known.round.closes_at = None;
            known.log(LogKind::Ended, by.clone(), now);
            let is_survey = known.terms.rule.is_none() && known.round.urn.is_none();
            if counts_surveys && is_survey && !known.votes.is_empty() {
                let now = now + TimeDelta::microseconds(1);
                known.round.counted_at = Some(now);
                known.log(LogKind::Counted, None, now);
            }
        }
    }

    /// Whether the meeting or its client is test data.
    fn is_for_tests(&self, meeting: MeetingId) -> bool {
        let known = self.meetings.get(&meeting);
        known.is_some_and(|known| is_test_round(self.client_name(known.client), &known.title))
    }

    fn log(&mut self, round: RoundId, kind: LogKind, by: &str, at: DateTime<Utc>) {
        if let Some(known) = self.round_mut(round) {
            known.log(kind, Some(by.to_owned()), at);
        }
    }

    /// Logs those who joined the register of a round that reopens.
    fn log_joined(&mut self, round: RoundId, mut joined: Vec<LoggedPerson>, by: &str, at: DateTime<Utc>) {
        joined.sort_by_key(|person| person.username.to_lowercase());
        let kind = LogKind::Joined;
        let entry = |person| LogEntry { at, kind, by: Some(by.to_owned()), person: Some(person), reason: None };
        if let Some(known) = self.round_mut(round) {
            known.log.extend(joined.into_iter().map(entry));
        }
    }

    /// The people who would be in a register if a round opened now, before exclusions.
    fn eligible<'a>(&'a self, id: MeetingId, meeting: &'a KnownMeeting) -> impl Iterator<Item = &'a SeedVoter> {
        let is_for_tests = self.is_for_tests(id);
        self.voters.values().filter(move |voter| {
            voter.is_active
                && voter.client == meeting.client
                && (is_for_tests || !voter.is_test())
                && (!meeting.has_participant_list || meeting.listed.contains(&voter.id))
        })
    }

    /// Adds everyone who is eligible to the register of a round that is being opened, while these are connected. Returns
    /// those whom it adds.
    fn register_eligible(
        &mut self,
        id: RoundId,
        now: DateTime<Utc>,
        connected: &BTreeSet<EndUserId>,
    ) -> Vec<LoggedPerson> {
        let mut joined = Vec::new();
        let Some(index) = self.rounds.iter().position(|known| known.round.id == id) else { return joined };
        let Some(meeting) = self.meetings.get(&self.rounds[index].round.meeting_id) else { return joined };
        let eligible: Vec<SeedVoter> = self.eligible(self.rounds[index].round.meeting_id, meeting).cloned().collect();
        let known = &mut self.rounds[index];
        let question = known.round.question_id;
        let takes_part = |voter: &&SeedVoter| !self.exclusions.contains_key(&(question, voter.id));
        for voter in eligible.iter().filter(takes_part) {
            let weight = weight_in(known, voter.weight);
            if let Entry::Vacant(entry) = known.register.entry(voter.id) {
                let registered = SeedVoter { weight, ..voter.clone() };
                joined.push(person_of(&registered));
                known.round.register.add(weight);
                entry.insert(registered);
                known.added.insert(voter.id, now);
                // A reopened round of the older rule keeps those of its first opening.
                let counts = known.terms.presence == PresenceRule::ConnectedOrVoted;
                if counts && connected.contains(&voter.id) {
                    known.connected.insert(voter.id);
                }
            }
        }
        self.leave_out_excluded(id);
        joined
    }

    /// Removes excluded people without a vote from the register of a round, and logs it.
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
                known.connected.remove(voter);
            }
            let named =
                known.log.iter().filter_map(|entry| entry.person.clone()).rfind(|one| one.end_user_id == *voter);
            let person = named.or_else(|| self.voters.get(voter).map(person_of));
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
        known.terms.connected_at_opening = known.count_of(&known.connected);
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
