use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, Page, PageRequest, RehearsalId, SearchText};

use crate::MeetingStatus;

/// The last rehearsal of a meeting. It shows which voters are reached, and is independent of rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsal {
    /// Its id.
    pub id: RehearsalId,
    /// The time of the start.
    pub started_at: DateTime<Utc>,
    /// The time of the end. `None` while it runs.
    pub ended_at: Option<DateTime<Utc>>,
    /// The name of the organizer at that time.
    pub started_by: String,
}

impl Rehearsal {
    /// Whether it runs.
    pub const fn is_running(&self) -> bool {
        self.ended_at.is_none()
    }

    /// The time from its start to `at`, in whole milliseconds. Never negative, although the clocks of servers differ.
    pub fn delay(&self, at: DateTime<Utc>) -> u64 {
        u64::try_from((at - self.started_at).num_milliseconds()).unwrap_or(0)
    }
}

/// A rehearsal to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRehearsal {
    /// Its id.
    pub id: RehearsalId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The time.
    pub at: DateTime<Utc>,
    /// The organizer who starts it.
    pub by: AccountId,
}

/// The facts about a locked meeting that decide whether a rehearsal can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RehearsalFacts {
    /// The status of the meeting.
    pub status: MeetingStatus,
    /// Whether a question is open for voting.
    pub has_open_round: bool,
    /// Whether a rehearsal runs.
    pub is_running: bool,
}

/// The reason why a rehearsal cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RehearsalRule {
    /// Voters do not see the meeting, or it is over.
    #[error("only a scheduled or running meeting can be rehearsed")]
    NotRehearsable,
    /// A round is open. Voters must not confuse the rehearsal with the vote.
    #[error("a rehearsal cannot start while voting on a question is open; end the voting first")]
    RoundOpen,
    /// A rehearsal runs already.
    #[error("a rehearsal is already running")]
    AlreadyRunning,
}

/// Decides whether a rehearsal can start.
///
/// # Errors
/// Refuses in a meeting that is neither scheduled nor running, during an open round, and during another rehearsal.
pub const fn decide_rehearsal(facts: &RehearsalFacts) -> Result<(), RehearsalRule> {
    if !facts.status.is_rehearsable() {
        return Err(RehearsalRule::NotRehearsable);
    }
    if facts.has_open_round {
        return Err(RehearsalRule::RoundOpen);
    }
    if facts.is_running { Err(RehearsalRule::AlreadyRunning) } else { Ok(()) }
}

/// The progress of a rehearsal for a voter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RehearsalStep {
    /// The screen has received it, and confirms it without the voter.
    Received,
    /// The voter has tapped.
    Answered,
}

/// The answer of a voter's screen to a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RehearsalAnswer {
    /// The voter's client.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The rehearsal.
    pub rehearsal_id: RehearsalId,
    /// The voter.
    pub voter: EndUserId,
    /// The progress.
    pub step: RehearsalStep,
    /// Whether the device can seal a secret ballot by itself. `None` if it does not say so.
    pub can_seal: Option<bool>,
    /// The time at which the server received it.
    pub at: DateTime<Utc>,
}

/// The facts about an invited person in a rehearsal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RehearsalSigns {
    /// The delay until it arrived on the screen.
    pub received_ms: Option<u64>,
    /// The delay until the voter tapped.
    pub answered_ms: Option<u64>,
    /// Whether the device can seal a secret ballot by itself. `None` if that is not known.
    pub can_seal: Option<bool>,
    /// Whether the voter is connected.
    pub is_connected: bool,
    /// The time of the last sign-in.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// The status of an invited person in a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RehearsalStatus {
    /// The voter has tapped.
    Answered,
    /// It has arrived on the screen, and the voter has not tapped.
    Received,
    /// Connected, and nothing has arrived.
    Connected,
    /// Not connected, with an earlier sign-in.
    Absent,
    /// Not connected, and never signed in.
    NeverSignedIn,
}

impl RehearsalStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Answered, Self::Received, Self::Connected, Self::Absent, Self::NeverSignedIn];

    /// The statuses of reached voters without an answer.
    pub const SILENT: [Self; 2] = [Self::Received, Self::Connected];

    /// The first matching status.
    pub const fn of(signs: &RehearsalSigns) -> Self {
        match signs {
            RehearsalSigns { answered_ms: Some(_), .. } => Self::Answered,
            RehearsalSigns { received_ms: Some(_), .. } => Self::Received,
            RehearsalSigns { is_connected: true, .. } => Self::Connected,
            RehearsalSigns { last_login_at: None, .. } => Self::NeverSignedIn,
            RehearsalSigns { .. } => Self::Absent,
        }
    }
}

/// The number of invited people in each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after the status it counts")]
pub struct RehearsalCounts {
    pub answered: u64,
    pub received: u64,
    pub connected: u64,
    pub absent: u64,
    pub never_signed_in: u64,
}

impl RehearsalCounts {
    /// The number of people with this status.
    pub const fn of_mut(&mut self, status: RehearsalStatus) -> &mut u64 {
        match status {
            RehearsalStatus::Answered => &mut self.answered,
            RehearsalStatus::Received => &mut self.received,
            RehearsalStatus::Connected => &mut self.connected,
            RehearsalStatus::Absent => &mut self.absent,
            RehearsalStatus::NeverSignedIn => &mut self.never_signed_in,
        }
    }

    /// All invited people.
    pub const fn invited(&self) -> u64 {
        self.answered + self.received + self.connected + self.absent + self.never_signed_in
    }
}

/// Delays in milliseconds, by nearest rank, so each is the delay of one voter. `None` without any voter. For an even number
/// the median is the lower of the two in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DelayStatistics {
    /// The median.
    pub median_ms: Option<u64>,
    /// The 95th percentile.
    pub p95_ms: Option<u64>,
    /// The maximum.
    pub max_ms: Option<u64>,
}

impl DelayStatistics {
    /// The statistics of these delays, in any order.
    pub fn of(mut delays: Vec<u64>) -> Self {
        delays.sort_unstable();
        // The nearest rank: the smallest delay that is at least as long as this percentage of all.
        let at_percent = |percent: usize| {
            let rank = (delays.len() * percent).div_ceil(100);
            delays.get(rank.saturating_sub(1)).copied()
        };
        Self { median_ms: at_percent(50), p95_ms: at_percent(95), max_ms: delays.last().copied() }
    }
}

/// An invited person with the status in the rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RehearsalPerson {
    /// The end user.
    pub id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// The facts about the person.
    pub signs: RehearsalSigns,
}

impl RehearsalPerson {
    /// The status in the rehearsal.
    pub const fn status(&self) -> RehearsalStatus {
        RehearsalStatus::of(&self.signs)
    }
}

/// A filter for invited people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RehearsalFilter {
    /// Search text in name or username.
    pub search: Option<SearchText>,
    /// The statuses to include.
    pub statuses: &'static [RehearsalStatus],
    /// Only people whose device can, or cannot, seal a secret ballot by itself.
    pub can_seal: Option<bool>,
    /// The page.
    pub page: PageRequest,
}

/// The report of a meeting's rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RehearsalReport {
    /// The last rehearsal, if there was one.
    pub rehearsal: Option<Rehearsal>,
    /// The counts of all invited people, without the filter.
    pub counts: RehearsalCounts,
    /// The number of invited people whose device cannot seal a secret ballot by itself, without the filter.
    pub cannot_seal: u64,
    /// The delays until it arrived.
    pub received: DelayStatistics,
    /// The delay until the voter tapped.
    pub answered: DelayStatistics,
    /// The people that match the filter, by name.
    pub page: Page<RehearsalPerson>,
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn facts(status: MeetingStatus) -> RehearsalFacts {
        RehearsalFacts { status, has_open_round: false, is_running: false }
    }

    #[test]
    fn scheduled_and_running_meetings_can_be_rehearsed() {
        for status in MeetingStatus::ALL {
            let is_rehearsable = matches!(status, MeetingStatus::Scheduled | MeetingStatus::Active);
            let expected = if is_rehearsable { Ok(()) } else { Err(RehearsalRule::NotRehearsable) };
            assert_eq!(decide_rehearsal(&facts(status)), expected, "{status:?}");
        }
    }

    #[test]
    fn a_rehearsal_cannot_start_beside_a_round_or_another_rehearsal() {
        let running = facts(MeetingStatus::Active);
        let open = RehearsalFacts { has_open_round: true, ..running };
        assert_eq!(decide_rehearsal(&open), Err(RehearsalRule::RoundOpen));
        let twice = RehearsalFacts { is_running: true, ..running };
        assert_eq!(decide_rehearsal(&twice), Err(RehearsalRule::AlreadyRunning));
        let over = RehearsalFacts { status: MeetingStatus::Completed, is_running: true, ..open };
        assert_eq!(decide_rehearsal(&over), Err(RehearsalRule::NotRehearsable));
    }

    #[test]
    fn each_voter_has_the_first_matching_status() {
        let nobody = RehearsalSigns::default();
        let signed_in = RehearsalSigns { last_login_at: Some(DateTime::UNIX_EPOCH), ..nobody };
        let connected = RehearsalSigns { is_connected: true, ..nobody };
        let received = RehearsalSigns { received_ms: Some(80), ..nobody };
        for (signs, status) in [
            (nobody, RehearsalStatus::NeverSignedIn),
            (signed_in, RehearsalStatus::Absent),
            (connected, RehearsalStatus::Connected),
            (RehearsalSigns { is_connected: true, ..signed_in }, RehearsalStatus::Connected),
            (received, RehearsalStatus::Received),
            (RehearsalSigns { is_connected: true, ..received }, RehearsalStatus::Received),
            (RehearsalSigns { answered_ms: Some(900), ..received }, RehearsalStatus::Answered),
            (RehearsalSigns { answered_ms: Some(900), ..nobody }, RehearsalStatus::Answered),
        ] {
            assert_eq!(RehearsalStatus::of(&signs), status, "{signs:?}");
        }
    }

    #[test]
    fn counts_add_up_to_all_who_are_invited() {
        let mut counts = RehearsalCounts::default();
        for (status, number) in RehearsalStatus::ALL.into_iter().zip(1..) {
            *counts.of_mut(status) = number;
        }
        assert_eq!((counts.answered, counts.never_signed_in), (1, 5));
        assert_eq!(counts.invited(), 15);
    }

    #[test]
    fn delay_statistics_use_the_nearest_rank() {
        let statistics = |delays: &[u64]| {
            let DelayStatistics { median_ms, p95_ms, max_ms } = DelayStatistics::of(delays.to_vec());
            median_ms.zip(p95_ms).zip(max_ms).map(|((median, p95), max)| (median, p95, max))
        };
        assert_eq!(statistics(&[]), None);
        assert_eq!(statistics(&[7]), Some((7, 7, 7)));
        assert_eq!(statistics(&[200, 100]), Some((100, 200, 200)));
        assert_eq!(statistics(&[3, 1, 2]), Some((2, 3, 3)));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        assert_eq!(statistics(&hundred), Some((50, 95, 100)));
        assert_eq!(statistics(&hundred[..20]), Some((90, 99, 100)));
    }

    #[test]
    fn a_delay_is_never_negative() {
        let started_at = DateTime::UNIX_EPOCH;
        let id = RehearsalId::new(&CountingIds::new());
        let rehearsal = Rehearsal { id, started_at, ended_at: None, started_by: "Ada".to_owned() };
        assert_eq!(rehearsal.delay(started_at + TimeDelta::microseconds(1_999)), 1);
        assert_eq!(rehearsal.delay(started_at - TimeDelta::seconds(1)), 0);
    }
}
