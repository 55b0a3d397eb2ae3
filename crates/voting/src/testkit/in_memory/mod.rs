mod archives;
mod ballot_box;
mod curations;
mod fixture;
mod paper_votes;
mod passwords;
mod proxies;
mod purges;
mod records;
mod register_changes;
mod results;
mod rounds;
mod timestamps;
mod urns;
mod weight_kinds;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{
    AccountId, ClientId, DecisionRule, DeskId, EndUserId, GroupId, IssuedBallotId, MeetingId, MeetingQuorum,
    PresenceRule, QuestionId, RoundId, Step, WeightKindId,
};
use rust_decimal::Decimal;

use self::paper_votes::KnownBatch;
use self::proxies::KeptProxy;
use self::urns::weight_in;
use self::weight_kinds::KnownWeights;
use super::InMemoryUrnKeys;
use super::contract::{SeedTerms, SeedVoter};
use crate::{
    Count, Exclusion, ImportedArchive, IssuedBallot, KeyShare, LogEntry, LogKind, LoggedPerson, NewTimestamp,
    NotedSeatAnswer, OpenRoundError, OpenedUrn, Proxy, ProxySettings, RegisteredGroup, Round, RoundStatus,
    StoredCuration, StoredPurge, StoredRecord, StoredVote, Terms, Wording, is_test_round, not_before,
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
    /// With their names and members.
    groups: HashMap<GroupId, (String, BTreeSet<EndUserId>)>,
    weights: KnownWeights,
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
    desk_names: HashMap<DeskId, String>,
    /// In the order in which they were entered.
    paper_batches: Vec<KnownBatch>,
    issued_ballots: HashMap<IssuedBallotId, IssuedBallot>,
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
    is_second_call: bool,
    counts_surveys_at_end: bool,
    groups: Vec<GroupId>,
    weight_kind: Option<WeightKindId>,
    /// The people who are checked in. `None` without check-in.
    present: Option<BTreeSet<EndUserId>>,
}

#[derive(Debug)]
struct KnownQuestion {
    meeting: MeetingId,
    position: u32,
    wording: Wording,
    terms: SeedTerms,
    groups: Vec<GroupId>,
    /// The kind of its own, and the second one.
    weight_kinds: (Option<WeightKindId>, Option<WeightKindId>),
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
    /// The places of each person's groups among those of the rule.
    group_places: BTreeMap<EndUserId, Vec<u16>>,
    /// The second weight of each person, if the round has one.
    second_weights: BTreeMap<EndUserId, Decimal>,
    /// That of the people who could vote and are not in the register.
    absent_second: Decimal,
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
            group_places: BTreeMap::new(),
            second_weights: BTreeMap::new(),
            absent_second: Decimal::ZERO,
        }
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
        let running = self.rounds.iter().find(|known| is_running(&known.round)).map(|known| known.round.id);
        let counts_surveys = counts_surveys && !running.is_some_and(|round| self.has_waiting_batch(round));
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
                && self.is_for(&meeting.groups, voter.id)
        })
    }

    /// Whether these groups are none, or the voter is in one of them.
    fn is_for(&self, groups: &[GroupId], voter: EndUserId) -> bool {
        let has_voter = |group| self.groups.get(group).is_some_and(|(_, members)| members.contains(&voter));
        groups.is_empty() || groups.iter().any(has_voter)
    }

    /// Whether the voter is in a group of the meeting and in one of the question, as far as they are for groups.
    fn takes_part_by_groups(&self, meeting: MeetingId, question: QuestionId, voter: EndUserId) -> bool {
        let of_meeting = self.meetings.get(&meeting).is_none_or(|known| self.is_for(&known.groups, voter));
        of_meeting && self.questions.get(&question).is_none_or(|known| self.is_for(&known.groups, voter))
    }

    /// The names of the groups that a question is for, or else those of its meeting.
    fn audience_names(&self, meeting: MeetingId, question: QuestionId) -> Vec<String> {
        let of_question = self.questions.get(&question).map(|known| &known.groups).filter(|groups| !groups.is_empty());
        let of_meeting = self.meetings.get(&meeting).map(|known| &known.groups);
        let groups = of_question.or(of_meeting).into_iter().flatten();
        let mut names: Vec<String> = groups.filter_map(|group| Some(self.groups.get(group)?.0.clone())).collect();
        names.sort_by_key(|name| name.to_lowercase());
        names
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
        let question = self.rounds[index].round.question_id;
        let known_question = self.questions.get(&question);
        let groups = known_question.map(|known| known.groups.clone()).unwrap_or_default();
        let members: BTreeSet<EndUserId> =
            eligible.iter().map(|voter| voter.id).filter(|voter| self.is_for(&groups, *voter)).collect();
        let represented = self.represented_in(self.rounds[index].round.meeting_id, question, connected);
        let known = &mut self.rounds[index];
        let takes_part =
            |voter: &&SeedVoter| members.contains(&voter.id) && !self.exclusions.contains_key(&(question, voter.id));
        let by_record = known.terms.presence == PresenceRule::CheckedIn;
        let is_there = |voter: &&SeedVoter| connected.contains(&voter.id) || represented.contains(&voter.id);
        for voter in eligible.iter().filter(takes_part).filter(|voter| !by_record || is_there(voter)) {
            let weight = weight_in(known, &self.weights, voter);
            if let Entry::Vacant(entry) = known.register.entry(voter.id) {
                let registered = SeedVoter { weight, ..voter.clone() };
                joined.push(person_of(&registered));
                known.round.register.add(weight);
                entry.insert(registered);
                if let Some(kind) = &known.round.second_weight_kind {
                    known.second_weights.insert(voter.id, self.weights.of(Some(kind.id), voter));
                }
                known.added.insert(voter.id, now);
                // A reopened round of the older rule keeps those of its first opening.
                let counts = known.terms.presence != PresenceRule::LargerNumber;
                if counts && connected.contains(&voter.id) {
                    known.connected.insert(voter.id);
                }
            }
        }
        self.leave_out_excluded(id);
        self.place_members(id);
        self.count_absent(id);
        joined
    }

    /// Counts the people who could vote in a round of a meeting with check-in, and are not in its register.
    fn count_absent(&mut self, id: RoundId) {
        let Some(index) = self.rounds.iter().position(|known| known.round.id == id) else { return };
        let known = &self.rounds[index];
        let (meeting_id, question) = (known.round.meeting_id, known.round.question_id);
        let Some(meeting) = self.meetings.get(&meeting_id) else { return };
        if known.terms.presence != PresenceRule::CheckedIn {
            return;
        }
        let mut absent = Count::default();
        let is_absent = |voter: &&SeedVoter| {
            !known.register.contains_key(&voter.id)
                && self.takes_part_by_groups(meeting_id, question, voter.id)
                && !self.exclusions.contains_key(&(question, voter.id))
        };
        let mut second = Decimal::ZERO;
        for voter in self.eligible(meeting_id, meeting).filter(is_absent) {
            absent.add(weight_in(known, &self.weights, voter));
            let kind = known.round.second_weight_kind.as_ref();
            second += kind.map(|kind| self.weights.of(Some(kind.id), voter)).unwrap_or_default();
        }
        self.rounds[index].terms.absent = absent;
        self.rounds[index].absent_second = second;
    }

    /// The people who are present for a round: by the record of check-in if that is its rule, otherwise the connected ones.
    fn present_for(&self, id: RoundId, connected: &BTreeSet<EndUserId>) -> BTreeSet<EndUserId> {
        let known = self.rounds.iter().find(|known| known.round.id == id);
        let by_record = known.filter(|known| known.terms.presence == PresenceRule::CheckedIn);
        match by_record.and_then(|known| self.meetings.get(&known.round.meeting_id)) {
            Some(meeting) => meeting.present.clone().unwrap_or_default(),
            None => connected.clone(),
        }
    }

    /// A group of a rule, before its members are counted.
    fn registered_group(&self, group: GroupId) -> RegisteredGroup {
        let name = self.groups.get(&group).map(|(name, _)| name.clone()).unwrap_or_default();
        RegisteredGroup { name, register: Count::default(), connected: Count::default(), represented: Count::default() }
    }

    /// Freezes the groups of those who have entered the register of a round.
    fn place_members(&mut self, id: RoundId) {
        let Some(known) = self.rounds.iter_mut().find(|known| known.round.id == id) else { return };
        let groups = known.terms.rule.as_ref().map(DecisionRule::groups).unwrap_or_default();
        for voter in known.register.keys() {
            let is_member =
                |group: &GroupId| self.groups.get(group).is_some_and(|(_, members)| members.contains(voter));
            let places = (0_u16..).zip(&groups).filter(|(_, group)| is_member(group)).map(|(place, _)| place);
            known.group_places.entry(*voter).or_insert_with(|| places.collect());
        }
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
            let registered = known.register.remove(voter);
            if let Some(entry) = &registered {
                known.round.register.heads -= 1;
                known.round.register.weight -= entry.weight;
                known.connected.remove(voter);
                known.proxies.remove(voter);
            }
            let named =
                known.log.iter().filter_map(|entry| entry.person.clone()).rfind(|one| one.end_user_id == *voter);
            let current = self.voters.get(voter).map(|person| {
                let weight = weight_in(known, &self.weights, person);
                LoggedPerson { weight, ..person_of(person) }
            });
            let person = registered.as_ref().map(person_of).or(named).or(current);
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
