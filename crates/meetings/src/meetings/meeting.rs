use std::num::NonZeroU32;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, GroupId, MeetingId, MeetingQuorum, Step, WeightKindId, is_test_name};

use crate::{MeetingClient, Schedule};

plenum_kernel::text_value!(
    /// The title of a meeting.
    MeetingTitle, check_line, 200
);
plenum_kernel::text_value!(
    /// The description of a meeting, with line breaks.
    Description, check_text, 5_000
);
plenum_kernel::text_value!(
    /// The recurrence of a meeting, in the organizer's words ("Every Tuesday").
    RecurringPattern, check_line, 200
);

/// The maximum number of participants.
pub type ParticipantLimit = NonZeroU32;

/// The status of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeetingStatus {
    /// In preparation. Voters do not see it.
    Draft,
    /// Announced.
    Scheduled,
    /// Running: questions can be opened.
    Active,
    /// Over.
    Completed,
    /// Will not take place.
    Cancelled,
}

impl MeetingStatus {
    /// Every status, in the order of a meeting's life.
    pub const ALL: [Self; 5] = [Self::Draft, Self::Scheduled, Self::Active, Self::Completed, Self::Cancelled];

    /// Whether the invitation link is valid: until the meeting is over or cancelled.
    pub const fn link_is_good(self) -> bool {
        !matches!(self, Self::Completed | Self::Cancelled)
    }

    /// Whether a rehearsal can run: voters see the meeting, and it is not over.
    pub const fn is_rehearsable(self) -> bool {
        matches!(self, Self::Scheduled | Self::Active)
    }
}

/// Whether the present people of a meeting are a record, or the connected ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CheckIn {
    /// People are present while they are connected.
    #[default]
    Off,
    /// People are present from their check-in until their check-out.
    On,
}

/// A meeting of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Its id.
    pub id: MeetingId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The title.
    pub title: MeetingTitle,
    /// The description.
    pub description: Option<Description>,
    /// The status. Only [`Self::start`], [`Self::end`] and [`Self::change`] change it.
    pub status: MeetingStatus,
    /// The number of steps so far. A change of the status is one. The crate `voting` makes the others.
    pub step: Step,
    /// The planned start and end.
    pub schedule: Schedule,
    /// The time of the first start.
    pub started_at: Option<DateTime<Utc>>,
    /// The time of the last end.
    pub ended_at: Option<DateTime<Utc>>,
    /// The participant limit.
    pub max_participants: Option<ParticipantLimit>,
    /// Whether the meeting recurs.
    pub is_recurring: bool,
    /// The recurrence, in words.
    pub recurring_pattern: Option<RecurringPattern>,
    /// The quorum, for every question without its own.
    pub quorum: Option<MeetingQuorum>,
    /// Whether it was called a second time, so that the quorums for a second call apply.
    pub is_second_call: bool,
    /// Whether a round without a decision rule (a survey) is counted when it ends. Otherwise an organizer counts it.
    pub counts_surveys_at_end: bool,
    /// Whether people check in.
    pub check_in: CheckIn,
    /// Whether voters can check themselves in, with the code on the presentation.
    pub self_check_in: bool,
    /// Whether it has a participant list. Otherwise it is for every active end user of the client; [`Self::is_for_tests`]
    /// decides about test people. After the first invitation by name it stays true, so that removing the last person does
    /// not open the meeting to everybody.
    pub has_participant_list: bool,
    /// The groups that it is for, in the order of ids ([`plenum_kernel::audience`]). Empty for everybody who is invited.
    pub groups: Vec<GroupId>,
    /// The kind that is counted as weight: by its quorum, its attendance, its proxies, and its questions without a kind of their
    /// own. `None` for the ordinary weight.
    pub weight_kind: Option<WeightKindId>,
    /// The token of its invitation link, if there is one.
    pub invitation_link: Option<String>,
    /// The hash of its last closing record, in hexadecimal. `None` until it ends for the first time.
    pub closing_hash: Option<String>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

impl Meeting {
    /// Whether it is test data by its current title. The statistics of a real client omit it.
    pub fn is_test(&self) -> bool {
        is_test_name(self.title.as_str())
    }

    /// Whether a meeting for everybody includes test people: if the meeting or its client is test data. Test people on a
    /// participant list always count.
    pub fn is_for_tests(&self, client: &MeetingClient) -> bool {
        self.is_test() || client.is_test()
    }

    /// Checks a number of participants against the limit, with and without a list.
    ///
    /// # Errors
    /// States the number and the limit.
    pub fn check_room(&self, people: u64) -> Result<(), MeetingRule> {
        match self.max_participants.map(u32::from) {
            Some(limit) if people > u64::from(limit) => Err(MeetingRule::TooManyParticipants { people, limit }),
            _ => Ok(()),
        }
    }
}

/// A broken rule of a meeting's lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeetingRule {
    /// Only a draft or a scheduled meeting can be started.
    #[error("only a draft or scheduled meeting can be started")]
    NotStartable,
    /// Only a running meeting can be ended.
    #[error("only an active meeting can be ended")]
    NotActive,
    /// The end would be before the start.
    #[error("the end time must be later than the start time")]
    EndsBeforeItStarts,
    /// A running meeting must end before it is deleted.
    #[error("an active meeting cannot be deleted; end it first")]
    StillActive,
    /// The meeting is over or cancelled, so its invitation link is void.
    #[error("a completed or cancelled meeting has no invitation link")]
    LinkIsVoid,
    /// The meeting has more participants than its limit.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooManyParticipants {
        /// The number of participants.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// A round of the meeting was opened, so its title can neither gain nor lose the mark of test data: votes of test data
    /// can be deleted.
    #[error("voting was opened in this meeting, so its title can no longer gain or lose TEST_ at the beginning")]
    TestMarkSettled,
    /// The meeting has a closing record, so it starts again only on an explicit confirmation.
    #[error(
        "this meeting has ended and has a closing record. If it starts again, the record stays, the restart is told beside it, \
         and the next end writes a second closing record. Confirm this to start the meeting again"
    )]
    RestartUnconfirmed,
    /// Check-in cannot be switched while a round is open: its register and its quorum depend on it.
    #[error("check-in can be switched on or off when no voting is open; end the open question first")]
    CheckInInUse,
    /// Another organizer made a step that this organizer has not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Changes to a meeting. `None` keeps a field, and the inner `None` clears an optional one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeetingChanges {
    /// A new title.
    pub title: Option<MeetingTitle>,
    /// A new description, or none.
    pub description: Option<Option<Description>>,
    /// A new status. Every change of status is possible.
    pub status: Option<MeetingStatus>,
    /// Whether the organizer confirmed that a meeting with a closing record starts again.
    pub confirms_restart: bool,
    /// A new planned start.
    pub scheduled_start: Option<DateTime<Utc>>,
    /// A new planned end.
    pub scheduled_end: Option<DateTime<Utc>>,
    /// A new limit, or none.
    pub max_participants: Option<Option<ParticipantLimit>>,
    /// Whether the meeting recurs.
    pub is_recurring: Option<bool>,
    /// A new recurrence, or none.
    pub recurring_pattern: Option<Option<RecurringPattern>>,
    /// A new quorum, or none. Existing rounds keep theirs.
    pub quorum: Option<Option<MeetingQuorum>>,
    /// Whether it is called a second time. Existing rounds keep their quorum.
    pub is_second_call: Option<bool>,
    /// Whether a round without a decision rule is counted when it ends.
    pub counts_surveys_at_end: Option<bool>,
    /// Other groups that it is for. Empty for everybody.
    pub groups: Option<Vec<GroupId>>,
    /// Another kind of weight, or the ordinary weight. Existing rounds keep theirs.
    pub weight_kind: Option<Option<WeightKindId>>,
    /// Whether people check in.
    pub check_in: Option<CheckIn>,
    /// Whether voters can check themselves in.
    pub self_check_in: Option<bool>,
}

impl Meeting {
    /// Makes a step that was decided on the state after `seen`. A repeat without effect is valid on any seen state, because
    /// the first response may have been lost.
    ///
    /// # Errors
    /// Refuses a step on an older state. Otherwise fails as `make` does.
    pub fn make_step(
        &mut self,
        seen: Option<Step>,
        make: impl FnOnce(&mut Self) -> Result<(), MeetingRule>,
    ) -> Result<(), MeetingRule> {
        let mut after = self.clone();
        let outcome = make(&mut after);
        let is_there_already = outcome.is_ok() && after.status == self.status;
        if self.step.has_passed(seen) && !is_there_already {
            return Err(MeetingRule::StaleStep);
        }
        outcome?;
        *self = after;
        Ok(())
    }

    /// Starts a draft or scheduled meeting, or again a completed one if that is confirmed. Starting a running one changes
    /// nothing.
    ///
    /// # Errors
    /// Refuses a cancelled meeting, and one with a closing record whose restart is not confirmed.
    pub fn start(&mut self, now: DateTime<Utc>, confirms_restart: bool) -> Result<(), MeetingRule> {
        match self.status {
            MeetingStatus::Active => return Ok(()),
            MeetingStatus::Cancelled => return Err(MeetingRule::NotStartable),
            MeetingStatus::Draft | MeetingStatus::Scheduled | MeetingStatus::Completed => {}
        }
        self.check_restart(MeetingStatus::Active, confirms_restart)?;
        self.set_status(MeetingStatus::Active, now);
        Ok(())
    }

    /// Refuses an unconfirmed restart of a meeting that has ended, even if its status was changed afterwards.
    fn check_restart(&self, status: MeetingStatus, is_confirmed: bool) -> Result<(), MeetingRule> {
        let has_ended = self.closing_hash.is_some() || self.status == MeetingStatus::Completed;
        let restarts = self.status != MeetingStatus::Active && status == MeetingStatus::Active && has_ended;
        if restarts && !is_confirmed { Err(MeetingRule::RestartUnconfirmed) } else { Ok(()) }
    }

    /// Ends a running meeting.
    ///
    /// # Errors
    /// Refuses a meeting that is not running.
    pub fn end(&mut self, now: DateTime<Utc>) -> Result<(), MeetingRule> {
        if self.status != MeetingStatus::Active {
            return Err(MeetingRule::NotActive);
        }
        self.set_status(MeetingStatus::Completed, now);
        Ok(())
    }

    /// Makes all changes, or none.
    ///
    /// # Errors
    /// Refuses a plan that ends before it starts, and an unconfirmed restart.
    pub fn change(&mut self, changes: MeetingChanges, now: DateTime<Utc>) -> Result<(), MeetingRule> {
        if let Some(status) = changes.status {
            self.check_restart(status, changes.confirms_restart)?;
        }
        let start = changes.scheduled_start.unwrap_or(self.schedule.start());
        let end = changes.scheduled_end.unwrap_or(self.schedule.end());
        self.schedule = Schedule::new(start, end).map_err(|_| MeetingRule::EndsBeforeItStarts)?;
        if let Some(title) = changes.title {
            self.title = title;
        }
        if let Some(description) = changes.description {
            self.description = description;
        }
        if let Some(limit) = changes.max_participants {
            self.max_participants = limit;
        }
        if let Some(is_recurring) = changes.is_recurring {
            self.is_recurring = is_recurring;
        }
        if let Some(pattern) = changes.recurring_pattern {
            self.recurring_pattern = pattern;
        }
        if let Some(quorum) = changes.quorum {
            self.quorum = quorum;
        }
        if let Some(is_second_call) = changes.is_second_call {
            self.is_second_call = is_second_call;
        }
        if let Some(counts) = changes.counts_surveys_at_end {
            self.counts_surveys_at_end = counts;
        }
        if let Some(groups) = changes.groups {
            self.groups = groups;
        }
        self.weight_kind = changes.weight_kind.unwrap_or(self.weight_kind);
        self.check_in = changes.check_in.unwrap_or(self.check_in);
        self.self_check_in = changes.self_check_in.unwrap_or(self.self_check_in);
        if let Some(status) = changes.status {
            self.set_status(status, now);
        }
        Ok(())
    }

    /// Whether the meeting can have the title of `changed`. A round that was ever opened settles whether the meeting is test
    /// data.
    ///
    /// # Errors
    /// Refuses a title that gains or loses the mark of test data after a round was opened.
    pub fn check_test_mark(&self, changed: &Self, was_opened: bool) -> Result<(), MeetingRule> {
        if was_opened && self.is_test() != changed.is_test() { Err(MeetingRule::TestMarkSettled) } else { Ok(()) }
    }

    /// Whether the meeting can have the check-in of `changed`.
    ///
    /// # Errors
    /// Refuses to switch check-in while a round is open.
    pub fn check_switch(&self, changed: &Self, has_open_round: bool) -> Result<(), MeetingRule> {
        let is_switched = self.check_in != changed.check_in;
        if is_switched && has_open_round { Err(MeetingRule::CheckInInUse) } else { Ok(()) }
    }

    /// Whether the meeting, whose status was `before`, has ended with this change, so that its closing record is written.
    /// `None` for a new meeting.
    pub fn closes(&self, before: Option<MeetingStatus>) -> bool {
        let stops = before == Some(MeetingStatus::Active) && self.status != MeetingStatus::Active;
        let completes = before != Some(MeetingStatus::Completed) && self.status == MeetingStatus::Completed;
        stops || completes
    }

    /// Whether the meeting can be deleted with all its data.
    ///
    /// # Errors
    /// Refuses while it is running.
    pub fn check_removal(&self) -> Result<(), MeetingRule> {
        if self.status == MeetingStatus::Active { Err(MeetingRule::StillActive) } else { Ok(()) }
    }

    /// Whether the invitation link is valid: until the meeting is over or cancelled.
    pub fn link_is_good(&self) -> bool {
        self.status.link_is_good()
    }

    fn set_status(&mut self, status: MeetingStatus, now: DateTime<Utc>) {
        if self.status == status {
            return;
        }
        if status == MeetingStatus::Active {
            self.started_at.get_or_insert(now);
            self.ended_at = None;
        } else if self.status == MeetingStatus::Active {
            self.ended_at = Some(now);
        }
        self.status = status;
        self.step = self.step.next();
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use plenum_kernel::Clock;
    use plenum_kernel::testkit::{CountingIds, StillClock};

    use super::*;

    fn meeting(status: MeetingStatus) -> Meeting {
        let ids = CountingIds::new();
        let now = StillClock::new().now();
        Meeting {
            id: MeetingId::new(&ids),
            client_id: ClientId::new(&ids),
            title: MeetingTitle::parse("General assembly").unwrap(),
            description: None,
            status,
            step: Step(7),
            schedule: Schedule::new(now, now + TimeDelta::hours(1)).unwrap(),
            started_at: None,
            ended_at: None,
            max_participants: None,
            is_recurring: false,
            recurring_pattern: None,
            quorum: None,
            is_second_call: false,
            counts_surveys_at_end: true,
            check_in: CheckIn::Off,
            self_check_in: false,
            has_participant_list: false,
            groups: Vec::new(),
            weight_kind: None,
            invitation_link: None,
            closing_hash: None,
            created_at: now,
        }
    }

    #[test]
    fn a_draft_and_a_scheduled_meeting_can_be_started() {
        let now = StillClock::new().now();
        for status in [MeetingStatus::Draft, MeetingStatus::Scheduled] {
            let mut meeting = meeting(status);
            meeting.start(now, false).unwrap();
            assert_eq!((meeting.status, meeting.started_at), (MeetingStatus::Active, Some(now)));
            assert_eq!(meeting.step, Step(8));
        }
    }

    #[test]
    fn starting_a_running_meeting_changes_nothing() {
        let mut running = meeting(MeetingStatus::Active);
        let before = running.clone();
        running.start(StillClock::new().now(), false).unwrap();
        assert_eq!(running, before);
    }

    #[test]
    fn a_cancelled_meeting_cannot_be_started() {
        let now = StillClock::new().now();
        for confirms in [false, true] {
            assert_eq!(meeting(MeetingStatus::Cancelled).start(now, confirms), Err(MeetingRule::NotStartable));
        }
    }

    #[test]
    fn a_meeting_that_has_ended_starts_again_only_if_that_is_confirmed() {
        let now = StillClock::new().now();
        let closed = |status| Meeting { closing_hash: Some("ab".repeat(32)), ..meeting(status) };
        // Without its closing record: it ended with an earlier version.
        let ended = [meeting(MeetingStatus::Completed), closed(MeetingStatus::Completed)];
        // Another status in between is no way around it.
        for before in ended.into_iter().chain([closed(MeetingStatus::Draft), closed(MeetingStatus::Scheduled)]) {
            let mut again = before.clone();
            assert_eq!(again.start(now, false), Err(MeetingRule::RestartUnconfirmed));
            let restart = |confirms_restart| MeetingChanges {
                status: Some(MeetingStatus::Active),
                confirms_restart,
                ..MeetingChanges::default()
            };
            assert_eq!(again.change(restart(false), now), Err(MeetingRule::RestartUnconfirmed));
            assert_eq!(again, before);
            again.change(restart(true), now).unwrap();
            assert_eq!((again.status, again.step), (MeetingStatus::Active, Step(8)));
            assert_eq!(again.closing_hash, before.closing_hash);
            again = before;
            again.start(now, true).unwrap();
            assert_eq!(again.status, MeetingStatus::Active);
        }
        // While it runs again, no confirmation is needed.
        let mut running = closed(MeetingStatus::Active);
        running.start(now, false).unwrap();
        running
            .change(MeetingChanges { status: Some(MeetingStatus::Active), ..MeetingChanges::default() }, now)
            .unwrap();
    }

    #[test]
    fn a_meeting_closes_when_it_is_completed_and_when_it_stops() {
        let closes = |before, after| meeting(after).closes(before);
        for status in MeetingStatus::ALL {
            let was_running = status != MeetingStatus::Active;
            assert_eq!(closes(Some(MeetingStatus::Active), status), was_running, "{status:?}");
            assert_eq!(closes(None, status), status == MeetingStatus::Completed, "{status:?}");
            assert!(!closes(Some(status), status), "{status:?}");
        }
        assert!(closes(Some(MeetingStatus::Draft), MeetingStatus::Completed));
        assert!(!closes(Some(MeetingStatus::Completed), MeetingStatus::Draft));
    }

    #[test]
    fn only_a_running_meeting_can_be_ended() {
        let now = StillClock::new().now();
        for status in MeetingStatus::ALL {
            let mut meeting = meeting(status);
            let outcome = meeting.end(now);
            assert_eq!(outcome.is_ok(), status == MeetingStatus::Active, "{status:?}");
        }
    }

    #[test]
    fn a_change_that_is_refused_changes_nothing() {
        let mut planned = meeting(MeetingStatus::Draft);
        let before = planned.clone();
        let changes = MeetingChanges {
            title: Some(MeetingTitle::parse("Other").unwrap()),
            scheduled_end: Some(before.schedule.start()),
            ..MeetingChanges::default()
        };
        assert_eq!(planned.change(changes, before.created_at), Err(MeetingRule::EndsBeforeItStarts));
        assert_eq!(planned, before);
    }

    #[test]
    fn leaving_active_by_a_change_is_an_end() {
        let now = StillClock::new().now();
        let mut running = meeting(MeetingStatus::Active);
        let changes = MeetingChanges { status: Some(MeetingStatus::Scheduled), ..MeetingChanges::default() };
        running.change(changes, now).unwrap();
        assert_eq!(running.ended_at, Some(now));
    }

    #[test]
    fn a_step_on_an_older_state_is_refused_and_changes_nothing() {
        let now = StillClock::new().now();
        let mut running = meeting(MeetingStatus::Active);
        let before = running.clone();
        assert_eq!(running.make_step(Some(Step(6)), |meeting| meeting.end(now)), Err(MeetingRule::StaleStep));
        assert_eq!(running, before);
        running.make_step(Some(Step(7)), |meeting| meeting.end(now)).unwrap();
        assert_eq!((running.status, running.step), (MeetingStatus::Completed, Step(8)));
        // An organizer who saw it running gets the stale step as the reason, not a rule.
        assert_eq!(running.make_step(Some(Step(7)), |meeting| meeting.start(now, true)), Err(MeetingRule::StaleStep));
        assert_eq!(
            running.make_step(Some(Step(8)), |meeting| meeting.start(now, false)),
            Err(MeetingRule::RestartUnconfirmed)
        );
    }

    #[test]
    fn a_repeated_step_succeeds_on_any_seen_state() {
        let now = StillClock::new().now();
        let mut running = meeting(MeetingStatus::Active);
        let before = running.clone();
        running.make_step(Some(Step(2)), |meeting| meeting.start(now, false)).unwrap();
        assert_eq!(running, before);
    }

    #[test]
    fn a_link_is_void_when_the_meeting_is_over() {
        assert!(meeting(MeetingStatus::Draft).link_is_good());
        assert!(meeting(MeetingStatus::Active).link_is_good());
        assert!(!meeting(MeetingStatus::Completed).link_is_good());
        assert!(!meeting(MeetingStatus::Cancelled).link_is_good());
    }
}
