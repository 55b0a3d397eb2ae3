use std::num::NonZeroU32;

use chrono::{DateTime, Datelike as _, Utc};
use plenum_kernel::{ClientId, Invalid, MeetingId, MeetingQuorum, Step, is_test_name};

plenum_kernel::text_value!(
    /// What a meeting is called.
    MeetingTitle, check_line, 200
);
plenum_kernel::text_value!(
    /// What a meeting is about, in as many lines as it takes.
    Description, check_text, 5_000
);
plenum_kernel::text_value!(
    /// In what rhythm a meeting comes again, in the organizer's words ("Every Tuesday").
    RecurringPattern, check_line, 200
);

/// How many people may be invited at most.
pub type ParticipantLimit = NonZeroU32;

/// Where a meeting is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeetingStatus {
    /// Being prepared; voters do not see it.
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

    /// Whether voters can come by an invitation link: until the meeting is over or cancelled.
    pub const fn link_is_good(self) -> bool {
        !matches!(self, Self::Completed | Self::Cancelled)
    }

    /// Whether a rehearsal may run: voters see the meeting, and it is not over.
    pub const fn is_rehearsable(self) -> bool {
        matches!(self, Self::Scheduled | Self::Active)
    }
}

/// When a meeting is planned to begin and to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    start: DateTime<Utc>,
    end: DateTime<Utc>,
}

/// A time that can be planned: of a year from 1900 to 9999, which every store and every screen can show.
///
/// # Errors
/// Says what is wanted.
pub fn check_time(time: DateTime<Utc>) -> Result<DateTime<Utc>, Invalid> {
    if (1900..=9999).contains(&time.year()) {
        Ok(time)
    } else {
        Err(Invalid::new("Must be a time in the years 1900 to 9999."))
    }
}

impl Schedule {
    /// A plan whose end comes after its start.
    ///
    /// # Errors
    /// Says what is wanted of the end.
    pub fn new(start: DateTime<Utc>, end: DateTime<Utc>) -> Result<Self, Invalid> {
        if end <= start {
            return Err(Invalid::new("Must be later than the start time."));
        }
        Ok(Self { start, end })
    }

    /// The planned start.
    pub const fn start(self) -> DateTime<Utc> {
        self.start
    }

    /// The planned end.
    pub const fn end(self) -> DateTime<Utc> {
        self.end
    }
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
    /// Where it is in its life; changed by [`Self::start`], [`Self::end`] and [`Self::change`] only.
    pub status: MeetingStatus,
    /// The number of steps made in it. A change of its status is one; the others are the business of the crate
    /// `voting`.
    pub step: Step,
    /// The planned start and end.
    pub schedule: Schedule,
    /// When it was first started.
    pub started_at: Option<DateTime<Utc>>,
    /// When it was last ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// The participant limit.
    pub max_participants: Option<ParticipantLimit>,
    /// Whether the meeting recurs.
    pub is_recurring: bool,
    /// The recurrence, in words.
    pub recurring_pattern: Option<RecurringPattern>,
    /// Its quorum, for every question that has none of its own.
    pub quorum: Option<MeetingQuorum>,
    /// False: it is for every active end user of the client, of test people only where [`Self::is_for_tests`] says so.
    /// Never false again once someone was invited by name, so that removing the last one does not open the meeting to
    /// everybody.
    pub has_participant_list: bool,
    /// The token of its invitation link, once one was made.
    pub invitation_link: Option<String>,
    /// Since when it is there.
    pub created_at: DateTime<Utc>,
}

impl Meeting {
    /// Whether it is test data, as long as it is called so. It is then left out of the figures of a client that is not.
    pub fn is_test(&self) -> bool {
        is_test_name(self.title.as_str())
    }

    /// Whether test people of its client are among everybody in it: as long as one of the two is test data. Whoever is on
    /// a participant list is there by name, and counts everywhere.
    pub fn is_for_tests(&self, client: &MeetingClient) -> bool {
        self.is_test() || client.is_test()
    }

    /// Checks that so many people have room in it. They have a list or not: the limit is the same.
    ///
    /// # Errors
    /// Says how many there are, and for how many there is room.
    pub fn check_room(&self, people: u64) -> Result<(), MeetingRule> {
        match self.max_participants.map(u32::from) {
            Some(limit) if people > u64::from(limit) => Err(MeetingRule::TooManyParticipants { people, limit }),
            _ => Ok(()),
        }
    }
}

/// A rule of a meeting's life that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeetingRule {
    /// Only a draft or a scheduled meeting can be started.
    #[error("only a draft or scheduled meeting can be started")]
    NotStartable,
    /// Only a running meeting can be ended.
    #[error("only an active meeting can be ended")]
    NotActive,
    /// The end would come before the start.
    #[error("the end time must be later than the start time")]
    EndsBeforeItStarts,
    /// A running meeting is ended before it is deleted.
    #[error("an active meeting cannot be deleted; end it first")]
    StillActive,
    /// An invitation link leads into a meeting that is still to come or running.
    #[error("a completed or cancelled meeting has no invitation link")]
    LinkIsVoid,
    /// A meeting that is for more people than its limit says does not run.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooManyParticipants {
        /// How many people would take part.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// Another organizer made a step that this organizer had not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Changes to a meeting. What is `None` stays as it is; the inner `None` clears an optional field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeetingChanges {
    /// A new title.
    pub title: Option<MeetingTitle>,
    /// A new description, or none.
    pub description: Option<Option<Description>>,
    /// Another status; any may follow any.
    pub status: Option<MeetingStatus>,
    /// Another planned start.
    pub scheduled_start: Option<DateTime<Utc>>,
    /// Another planned end.
    pub scheduled_end: Option<DateTime<Utc>>,
    /// Another limit, or none.
    pub max_participants: Option<Option<ParticipantLimit>>,
    /// Whether the meeting recurs.
    pub is_recurring: Option<bool>,
    /// Another rhythm, or none.
    pub recurring_pattern: Option<Option<RecurringPattern>>,
    /// Another quorum, or none. Rounds that are there keep theirs.
    pub quorum: Option<Option<MeetingQuorum>>,
}

impl Meeting {
    /// Makes a step that was decided on the state after `seen`. What is there already is fine, whatever was made since: the
    /// first answer may have been lost on its way.
    ///
    /// # Errors
    /// Refuses a step on an older state than this one; else as `make` does.
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

    /// Starts a draft or scheduled meeting. Starting a running one changes nothing.
    ///
    /// # Errors
    /// Refuses a meeting that is over or cancelled.
    pub fn start(&mut self, now: DateTime<Utc>) -> Result<(), MeetingRule> {
        match self.status {
            MeetingStatus::Active => Ok(()),
            MeetingStatus::Draft | MeetingStatus::Scheduled => {
                self.set_status(MeetingStatus::Active, now);
                Ok(())
            }
            MeetingStatus::Completed | MeetingStatus::Cancelled => Err(MeetingRule::NotStartable),
        }
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

    /// Makes all of the changes, or none.
    ///
    /// # Errors
    /// Refuses a plan that ends before it starts.
    pub fn change(&mut self, changes: MeetingChanges, now: DateTime<Utc>) -> Result<(), MeetingRule> {
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
        if let Some(status) = changes.status {
            self.set_status(status, now);
        }
        Ok(())
    }

    /// Whether the meeting may be deleted with everything in it.
    ///
    /// # Errors
    /// Refuses while it is running.
    pub fn check_removal(&self) -> Result<(), MeetingRule> {
        if self.status == MeetingStatus::Active { Err(MeetingRule::StillActive) } else { Ok(()) }
    }

    /// Whether voters can come by an invitation link: until the meeting is over or cancelled.
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

/// The client of a meeting, as far as people are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeetingClient {
    /// Its id.
    pub id: ClientId,
    /// Its name.
    pub name: String,
    /// Its public code.
    pub code: String,
}

impl MeetingClient {
    /// Whether it is test data, as long as it is called so. Then its test data counts as everything else does.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.name)
    }
}

/// A meeting with what lists show beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeetingOverview {
    /// The meeting itself.
    pub meeting: Meeting,
    /// The client that owns it.
    pub client: MeetingClient,
    /// How many people are invited: those listed, or every active end user where there is no list.
    pub participant_count: u64,
    /// The number of questions on the agenda.
    pub question_count: u64,
}

/// How many meetings a client has, in each status; without test data, unless the client is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeetingStats {
    /// All of them.
    pub total: u64,
    /// Being prepared.
    pub draft: u64,
    /// Announced.
    pub scheduled: u64,
    /// Running.
    pub active: u64,
    /// Over.
    pub completed: u64,
    /// Cancelled.
    pub cancelled: u64,
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
            has_participant_list: false,
            invitation_link: None,
            created_at: now,
        }
    }

    #[test]
    fn a_time_that_no_calendar_shows_cannot_be_planned() {
        for (time, is_fine) in [
            ("1899-12-31T23:59:59Z", false),
            ("1900-01-01T00:00:00Z", true),
            ("9999-12-31T23:59:59Z", true),
            ("+10000-01-01T00:00:00Z", false),
        ] {
            assert_eq!(check_time(time.parse().unwrap()).is_ok(), is_fine, "{time}");
        }
    }

    #[test]
    fn a_draft_and_a_scheduled_meeting_can_be_started() {
        let now = StillClock::new().now();
        for status in [MeetingStatus::Draft, MeetingStatus::Scheduled] {
            let mut meeting = meeting(status);
            meeting.start(now).unwrap();
            assert_eq!((meeting.status, meeting.started_at), (MeetingStatus::Active, Some(now)));
            assert_eq!(meeting.step, Step(8));
        }
    }

    #[test]
    fn starting_a_running_meeting_changes_nothing() {
        let mut running = meeting(MeetingStatus::Active);
        let before = running.clone();
        running.start(StillClock::new().now()).unwrap();
        assert_eq!(running, before);
    }

    #[test]
    fn a_completed_or_cancelled_meeting_cannot_be_started() {
        for status in [MeetingStatus::Completed, MeetingStatus::Cancelled] {
            assert_eq!(meeting(status).start(StillClock::new().now()), Err(MeetingRule::NotStartable));
        }
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
        // Whoever saw it running is told that somebody went on, rather than a rule.
        assert_eq!(running.make_step(Some(Step(7)), |meeting| meeting.start(now)), Err(MeetingRule::StaleStep));
        assert_eq!(running.make_step(Some(Step(8)), |meeting| meeting.start(now)), Err(MeetingRule::NotStartable));
    }

    #[test]
    fn a_repeated_step_succeeds_on_any_seen_state() {
        let now = StillClock::new().now();
        let mut running = meeting(MeetingStatus::Active);
        let before = running.clone();
        running.make_step(Some(Step(2)), |meeting| meeting.start(now)).unwrap();
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
