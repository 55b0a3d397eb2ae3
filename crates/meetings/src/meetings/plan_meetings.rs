use std::sync::Arc;

use plenum_kernel::{
    AccountId, ClientId, Clock, GroupId, Invalid, MeetingId, MeetingQuorum, NewIds, Page, PageRequest, PortFailure,
    SearchText, Secrets, Step, WeightKindId,
};

use crate::agenda::arrange_agenda::agenda_of;
use crate::live::LiveSignals;
use crate::{
    CheckIn, Description, InvitationTarget, Meeting, MeetingChanges, MeetingOverview, MeetingRule, MeetingStats,
    MeetingStatus, MeetingStore, MeetingTitle, NewQuestion, ParticipantLimit, RecurringPattern, Schedule,
    VoterMeetings,
};

/// A meeting to create.
#[derive(Clone, Debug)]
pub struct NewMeeting {
    /// The title.
    pub title: MeetingTitle,
    /// The description.
    pub description: Option<Description>,
    /// The planned start and end.
    pub schedule: Schedule,
    /// The status. The default is DRAFT.
    pub status: MeetingStatus,
    /// The participant limit.
    pub max_participants: Option<ParticipantLimit>,
    /// Whether the meeting recurs.
    pub is_recurring: bool,
    /// The recurrence, in words.
    pub recurring_pattern: Option<RecurringPattern>,
    /// The quorum of the meeting.
    pub quorum: Option<MeetingQuorum>,
    /// Whether a round without a decision rule (a survey) is counted when it ends. Otherwise an organizer counts it.
    pub counts_surveys_at_end: bool,
    /// The groups that it is for. Empty for everybody.
    pub groups: Vec<GroupId>,
    /// The kind that is counted as weight. `None` for the ordinary weight.
    pub weight_kind: Option<WeightKindId>,
    /// Whether people check in.
    pub check_in: CheckIn,
    /// Whether voters can check themselves in.
    pub self_check_in: bool,
    /// The questions, in order; at most [`crate::MAX_QUESTIONS`].
    pub agenda: Vec<NewQuestion>,
}

/// The order of a list of meetings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeetingSort {
    /// By planned start, the latest first.
    #[default]
    LatestFirst,
    /// By title, A first.
    TitleAscending,
    /// By title, Z first.
    TitleDescending,
}

/// A filter and an order for meetings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeetingFilter {
    /// Search text in title or description.
    pub search: Option<SearchText>,
    /// The requested statuses. Empty for all.
    pub statuses: Vec<MeetingStatus>,
    /// The order.
    pub sort: MeetingSort,
    /// The page. All rows if missing.
    pub page: Option<PageRequest>,
}

/// The reason why a meeting was not changed.
#[derive(Debug, thiserror::Error)]
pub enum UpdateMeetingError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    NotFound,
    /// A rule of the lifecycle forbids it.
    #[error(transparent)]
    Rule(#[from] MeetingRule),
    /// The meeting or one of its questions is for a group that the client does not have.
    #[error("one of the groups does not exist")]
    UnknownGroups,
    /// The meeting or one of its questions counts by a kind of weight that the client does not have.
    #[error("one of the kinds of weight does not exist")]
    UnknownWeightKind,
    /// The decision rule of a question does not fit its type or its options.
    #[error("{field}: {requirement}")]
    Agenda {
        /// The field, as its path in a list called `questions`.
        field: String,
        /// The requirement.
        requirement: Invalid,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A request to change a meeting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeetingUpdate {
    /// The organizer. `None` without a person.
    pub by: Option<AccountId>,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
    /// The changes.
    pub changes: MeetingChanges,
}

/// The ports of [`MeetingService`].
pub struct MeetingPorts {
    /// Meetings as organizers see them.
    pub meetings: Arc<dyn MeetingStore>,
    /// Meetings as voters see them.
    pub voter_meetings: Arc<dyn VoterMeetings>,
    /// Informs the live screens.
    pub signals: Arc<dyn LiveSignals>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn NewIds>,
    /// The source of the tokens of invitation links.
    pub secrets: Arc<dyn Secrets>,
}

/// Plans, runs and lists meetings.
pub struct MeetingService {
    pub(crate) ports: MeetingPorts,
}

impl MeetingService {
    /// Creates the service on these ports.
    pub fn new(ports: MeetingPorts) -> Self {
        Self { ports }
    }

    /// Creates a meeting with its agenda. If it is active at once, informs the live screens.
    ///
    /// # Errors
    /// Fails when a decision rule cannot decide its question, or the meeting is active at once and has more participants
    /// than its limit.
    pub async fn add(&self, owner: ClientId, new: NewMeeting) -> Result<MeetingOverview, UpdateMeetingError> {
        let now = self.ports.clock.now();
        let meeting = Meeting {
            id: MeetingId::new(&*self.ports.ids),
            client_id: owner,
            title: new.title,
            description: new.description,
            status: new.status,
            step: Step::default(),
            schedule: new.schedule,
            started_at: (new.status == MeetingStatus::Active).then_some(now),
            ended_at: None,
            max_participants: new.max_participants,
            is_recurring: new.is_recurring,
            recurring_pattern: new.recurring_pattern,
            quorum: new.quorum,
            is_second_call: false,
            counts_surveys_at_end: new.counts_surveys_at_end,
            check_in: new.check_in,
            self_check_in: new.self_check_in,
            has_participant_list: false,
            groups: new.groups,
            weight_kind: new.weight_kind,
            invitation_link: None,
            closing_hash: None,
            created_at: now,
        };
        let id = meeting.id;
        let agenda = agenda_of(new.agenda, (owner, id), &*self.ports.ids, now)
            .map_err(|(field, requirement)| UpdateMeetingError::Agenda { field, requirement })?;
        self.ports.meetings.add(meeting, agenda).await?;
        if new.status == MeetingStatus::Active {
            self.ports.signals.meeting_changed(id).await;
        }
        self.find(owner, id).await?.ok_or(UpdateMeetingError::NotFound)
    }

    /// One meeting of the client.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure> {
        self.ports.meetings.find(owner, id).await
    }

    /// The client's meetings that match the filter.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure> {
        self.ports.meetings.list(owner, filter).await
    }

    /// The number of the client's meetings in each status.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure> {
        self.ports.meetings.stats(owner).await
    }

    /// Changes a meeting, including its status, and informs the live screens. If that ends its running round, the log
    /// names the organizer.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, a rule forbids the change, or the status is to change and the
    /// meeting has made another step since the one that the organizer saw.
    pub async fn change(
        &self,
        owner: ClientId,
        id: MeetingId,
        update: MeetingUpdate,
    ) -> Result<Meeting, UpdateMeetingError> {
        let MeetingUpdate { by, seen, changes } = update;
        let now = self.ports.clock.now();
        let seen = seen.filter(|_| changes.status.is_some());
        let decide = move |meeting: &mut Meeting| meeting.make_step(seen, |meeting| meeting.change(changes, now));
        let meeting = self.ports.meetings.update(owner, id, by, Box::new(decide)).await?;
        self.ports.signals.meeting_changed(id).await;
        Ok(meeting)
    }

    /// Deletes a meeting that is not running, with all its data, and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, or it is running.
    pub async fn delete(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError> {
        self.ports.meetings.remove(owner, id).await?;
        self.ports.signals.meeting_changed(id).await;
        Ok(())
    }

    /// The token of the meeting's invitation link. It is created once and never changes.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, or the meeting is over or cancelled.
    pub async fn invitation_link(&self, owner: ClientId, id: MeetingId) -> Result<String, UpdateMeetingError> {
        let token = self.ports.secrets.token();
        let decide = move |meeting: &mut Meeting| {
            if !meeting.link_is_good() {
                return Err(MeetingRule::LinkIsVoid);
            }
            meeting.invitation_link.get_or_insert(token);
            Ok(())
        };
        let meeting = self.ports.meetings.update(owner, id, None, Box::new(decide)).await?;
        meeting.invitation_link.ok_or(UpdateMeetingError::Rule(MeetingRule::LinkIsVoid))
    }

    /// The meeting that an invitation link leads to. `None` when there is none, or the link is void because the
    /// meeting is over or cancelled.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure> {
        if link.chars().any(char::is_control) {
            return Ok(None);
        }
        let target = self.ports.meetings.find_by_link(link).await?;
        Ok(target.filter(|target| target.meeting.link_is_good()))
    }
}
