mod check_ins;
mod closings;
mod fixture;
mod invitations;
mod meetings;
mod minutes;
mod participants;
mod questions;
mod rehearsals;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, EndUserId, GroupId, MeetingId, Page, PageRequest, PortFailure, QuestionId, WeightDecimals,
    WeightKind, WeightKindId,
};

use self::check_ins::StoredDesk;
use self::rehearsals::StoredRehearsal;
use super::contract::Amended;
use crate::{
    AgendaRule, AttendanceNote, FormError, InvitationStatus, MAX_QUESTIONS, Meeting, MeetingClient, MeetingOverview,
    Participant, PresenceEntry, Question, QuestionUse, Remark, SiteAddress, TimeZone,
};

/// Meetings in memory, with the needed facts about clients. Clones share one state. Rounds are not known here, so leaving
/// ACTIVE ends none.
#[derive(Clone, Debug, Default)]
pub struct InMemoryMeetings(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    clients: HashMap<ClientId, MeetingClient>,
    end_users: HashMap<EndUserId, (ClientId, Participant)>,
    groups: HashMap<GroupId, ClientId>,
    weight_kinds: HashMap<WeightKindId, (ClientId, String)>,
    meetings: HashMap<MeetingId, Meeting>,
    listed: HashMap<MeetingId, BTreeSet<EndUserId>>,
    questions: Vec<Question>,
    /// Only of questions that were ever opened.
    used: HashMap<QuestionId, QuestionUse>,
    registers: HashMap<QuestionId, BTreeSet<EndUserId>>,
    invitations: BTreeMap<(MeetingId, EndUserId), StoredInvitation>,
    attendance: HashMap<MeetingId, Vec<AttendanceNote>>,
    /// The last recorded event of each meeting.
    noted_events: HashMap<MeetingId, DateTime<Utc>>,
    /// Names of accounts.
    accounts: HashMap<AccountId, String>,
    remarks: HashMap<MeetingId, Vec<Remark>>,
    rehearsals: HashMap<MeetingId, StoredRehearsal>,
    /// The hashes of the closing records of meetings, the first one first.
    /// The log of each meeting.
    presence: HashMap<MeetingId, Vec<PresenceEntry>>,
    desks: Vec<StoredDesk>,
    closings: HashMap<MeetingId, Vec<String>>,
    amendments: HashMap<MeetingId, Vec<Amended>>,
}

#[derive(Clone, Debug)]
struct StoredInvitation {
    status: InvitationStatus,
    status_before: Option<InvitationStatus>,
    email: String,
    error: Option<String>,
    attempts: u32,
    site: SiteAddress,
    time_zone: TimeZone,
    personal_link: Option<String>,
    queued_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    claimed_at: Option<DateTime<Utc>>,
    sent_at: Option<DateTime<Utc>>,
}

impl InMemoryMeetings {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn meeting_of(&self, owner: ClientId, id: MeetingId) -> Option<&Meeting> {
        self.meetings.get(&id).filter(|meeting| meeting.client_id == owner)
    }

    fn overview(&self, meeting: &Meeting) -> Result<MeetingOverview, PortFailure> {
        Ok(MeetingOverview {
            meeting: meeting.clone(),
            client: self.client(meeting.client_id)?.clone(),
            participant_count: self.invited(meeting).count() as u64,
            question_count: self.questions.iter().filter(|question| question.meeting_id == meeting.id).count() as u64,
        })
    }

    fn client(&self, id: ClientId) -> Result<&MeetingClient, PortFailure> {
        self.clients.get(&id).ok_or_else(|| PortFailure::new("the fake", "the client was not seeded"))
    }

    fn invited<'a>(&'a self, meeting: &'a Meeting) -> impl Iterator<Item = &'a Participant> {
        self.invited_outside_groups(meeting).filter(move |person| is_for(meeting, person))
    }

    /// The invited people, also those in none of the meeting's groups.
    fn invited_outside_groups<'a>(&'a self, meeting: &'a Meeting) -> impl Iterator<Item = &'a Participant> {
        self.end_users.values().filter(|(client, _)| *client == meeting.client_id).map(|(_, person)| person).filter(
            move |person| {
                if meeting.has_participant_list {
                    self.is_listed(meeting.id, person.id)
                } else {
                    person.is_active && self.is_among_everybody(meeting, person)
                }
            },
        )
    }

    /// Whether an active end user of the client belongs to everybody.
    fn is_among_everybody(&self, meeting: &Meeting, person: &Participant) -> bool {
        !person.is_test() || self.clients.get(&meeting.client_id).is_some_and(|client| meeting.is_for_tests(client))
    }

    fn is_listed(&self, meeting: MeetingId, person: EndUserId) -> bool {
        self.listed.get(&meeting).is_some_and(|listed| listed.contains(&person))
    }

    fn is_invited(&self, meeting: &Meeting, voter: EndUserId) -> bool {
        let is_for_everybody = !meeting.has_participant_list;
        let own = self.end_users.get(&voter).filter(|(client, _)| *client == meeting.client_id);
        let known = own.map(|(_, person)| person);
        let is_meant = |person: &&Participant| {
            (is_for_everybody && self.is_among_everybody(meeting, person)) || self.is_listed(meeting.id, voter)
        };
        known.filter(is_meant).is_some_and(|person| is_for(meeting, person))
            || self.agenda(meeting.id).iter().any(|question| self.votes_now(question.id, voter))
    }

    fn votes_now(&self, question: QuestionId, voter: EndUserId) -> bool {
        self.used.get(&question) == Some(&QuestionUse::Open)
            && self.registers.get(&question).is_some_and(|register| register.contains(&voter))
    }

    fn question_of(&self, owner: ClientId, id: QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id && question.client_id == owner)
    }

    fn question_use(&self, id: QuestionId) -> QuestionUse {
        self.used.get(&id).copied().unwrap_or(QuestionUse::Unused)
    }

    /// Whether a question of the meeting ever had a round.
    fn was_opened(&self, meeting: MeetingId) -> bool {
        self.questions.iter().any(|question| question.meeting_id == meeting && self.used.contains_key(&question.id))
    }

    fn agenda(&self, meeting: MeetingId) -> Vec<Question> {
        let of_meeting = self.questions.iter().filter(|question| question.meeting_id == meeting);
        let mut agenda: Vec<Question> = of_meeting.cloned().collect();
        agenda.sort_by_key(|question| question.position);
        agenda
    }

    /// Whether the kinds of weight of a question are kinds of the client.
    ///
    /// # Errors
    /// Names the field of one that is not.
    fn check_kinds(&self, owner: ClientId, question: &Question) -> Result<(), FormError> {
        let is_known = |kind: WeightKindId| self.weight_kinds.get(&kind).is_some_and(|(of, _)| *of == owner);
        question.unknown_weight_kind(is_known).map_or(Ok(()), Err)
    }

    /// A kind of weight, as far as this fake knows it.
    fn named_kind(&self, id: WeightKindId) -> WeightKind {
        let name = self.weight_kinds.get(&id).map(|(_, name)| name.clone()).unwrap_or_default();
        WeightKind { id, name, unit: None, decimals: WeightDecimals::default() }
    }

    /// Whether the kind of weight of a meeting is a kind of the client.
    fn has_kind(&self, owner: ClientId, meeting: &Meeting) -> bool {
        meeting.weight_kind.is_none_or(|kind| self.weight_kinds.get(&kind).is_some_and(|(of, _)| *of == owner))
    }

    /// Whether all of these are groups of the client.
    fn has_groups(&self, owner: ClientId, groups: &[GroupId]) -> bool {
        groups.iter().all(|group| self.groups.get(group) == Some(&owner))
    }

    /// Gives the positions of the agenda to these questions only.
    fn arrange(&mut self, meeting: MeetingId, agenda: Vec<Question>) {
        self.questions.retain(|question| question.meeting_id != meeting);
        self.questions.extend((1..).zip(agenda).map(|(position, question)| Question { position, ..question }));
    }

    /// Refuses when the agenda has no room for so many questions.
    fn check_room(&self, meeting: MeetingId, added: usize) -> Result<(), AgendaRule> {
        if self.agenda(meeting).len() + added <= MAX_QUESTIONS { Ok(()) } else { Err(AgendaRule::Full) }
    }
}

/// Whether the meeting is for everybody, or for a group of this person.
fn is_for(meeting: &Meeting, person: &Participant) -> bool {
    meeting.groups.is_empty() || person.groups.iter().any(|group| meeting.groups.contains(&group.id))
}

/// Of every client.
const CONTACT_EMAIL: &str = "club@example.org";

/// The requested page. All rows without a page.
fn part_of<T>(found: Vec<T>, page: Option<PageRequest>) -> Page<T> {
    let total = found.len() as u64;
    let (skipped, taken) = page.map_or((0, usize::MAX), |page| {
        (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.page_size as usize)
    });
    Page { rows: found.into_iter().skip(skipped).take(taken).collect(), total }
}
