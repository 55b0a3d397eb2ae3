use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, Page, PageRequest, RehearsalId, SearchText};

use crate::MeetingStatus;

/// The last rehearsal of a meeting. It shows who is reached, and has nothing to do with rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsal {
    /// Its id.
    pub id: RehearsalId,
    /// When it was started.
    pub started_at: DateTime<Utc>,
    /// When it ended; none while it runs.
    pub ended_at: Option<DateTime<Utc>>,
    /// The name of who started it, as it was then.
    pub started_by: String,
}

impl Rehearsal {
    /// Whether it runs.
    pub const fn is_running(&self) -> bool {
        self.ended_at.is_none()
    }

    /// How long after its start this was, in whole milliseconds. Nothing comes before the start, whatever the clocks of
    /// several servers say.
    pub fn delay(&self, at: DateTime<Utc>) -> u64 {
        u64::try_from((at - self.started_at).num_milliseconds()).unwrap_or(0)
    }
}

/// A rehearsal to be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRehearsal {
    /// Its id.
    pub id: RehearsalId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting that is rehearsed.
    pub meeting_id: MeetingId,
    /// When it is started.
    pub at: DateTime<Utc>,
    /// The organizer who starts it.
    pub by: AccountId,
}

/// What matters of a locked meeting for a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RehearsalFacts {
    /// Where the meeting is in its life.
    pub status: MeetingStatus,
    /// Whether a question is open for voting.
    pub has_open_round: bool,
    /// Whether a rehearsal runs.
    pub is_running: bool,
}

/// The reason why no rehearsal is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RehearsalRule {
    /// Voters do not see the meeting, or it is over.
    #[error("only a scheduled or running meeting can be rehearsed")]
    NotRehearsable,
    /// Nobody who is asked to tap for a rehearsal may take it for the vote.
    #[error("a rehearsal cannot start while voting on a question is open; end the voting first")]
    RoundOpen,
    /// There is one already.
    #[error("a rehearsal is already running")]
    AlreadyRunning,
}

/// Decides whether a rehearsal may be started.
///
/// # Errors
/// Refuses in a meeting that is neither scheduled nor running, beside an open round, and beside another rehearsal.
pub const fn decide_rehearsal(facts: &RehearsalFacts) -> Result<(), RehearsalRule> {
    if !facts.status.is_rehearsable() {
        return Err(RehearsalRule::NotRehearsable);
    }
    if facts.has_open_round {
        return Err(RehearsalRule::RoundOpen);
    }
    if facts.is_running { Err(RehearsalRule::AlreadyRunning) } else { Ok(()) }
}

/// How far a rehearsal has come with a voter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RehearsalStep {
    /// The screen has received it, and confirms it without the voter.
    Received,
    /// They have tapped.
    Answered,
}

/// The answer of a voter's screen to a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RehearsalAnswer {
    /// The voter's client.
    pub client_id: ClientId,
    /// The meeting that is rehearsed.
    pub meeting_id: MeetingId,
    /// The rehearsal that is meant.
    pub rehearsal_id: RehearsalId,
    /// The voter.
    pub voter: EndUserId,
    /// How far it has come.
    pub step: RehearsalStep,
    /// When that reached the server.
    pub at: DateTime<Utc>,
}

/// The facts about an invited person in a rehearsal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RehearsalSigns {
    /// How long it took until it arrived on their screen.
    pub received_ms: Option<u64>,
    /// How long it took until they tapped.
    pub answered_ms: Option<u64>,
    /// Whether they are connected.
    pub is_connected: bool,
    /// The time of the last sign-in.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// The status of an invited person in a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RehearsalStatus {
    /// They have tapped.
    Answered,
    /// It has arrived on their screen, and they have not tapped.
    Received,
    /// They are connected, and nothing has arrived.
    Connected,
    /// They have signed in before, and are not connected.
    Absent,
    /// They have never signed in, and are not connected.
    NeverSignedIn,
}

impl RehearsalStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Answered, Self::Received, Self::Connected, Self::Absent, Self::NeverSignedIn];

    /// Those who are reached, as far as is known, and did not answer.
    pub const SILENT: [Self; 2] = [Self::Received, Self::Connected];

    /// The first status that fits.
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

/// How many of those who are invited have which status: each of them one.
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
    /// The number of those with this status.
    pub const fn of_mut(&mut self, status: RehearsalStatus) -> &mut u64 {
        match status {
            RehearsalStatus::Answered => &mut self.answered,
            RehearsalStatus::Received => &mut self.received,
            RehearsalStatus::Connected => &mut self.connected,
            RehearsalStatus::Absent => &mut self.absent,
            RehearsalStatus::NeverSignedIn => &mut self.never_signed_in,
        }
    }

    /// Everyone who is invited.
    pub const fn invited(&self) -> u64 {
        self.answered + self.received + self.connected + self.absent + self.never_signed_in
    }
}

/// Delays of those who answered, in milliseconds; none where nobody did. Each is a delay that somebody really had: of an
/// even number of them the median is the lower one in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DelayFigures {
    /// As many took no longer as took no less.
    pub median_ms: Option<u64>,
    /// Of a hundred, ninety-five took no longer.
    pub p95_ms: Option<u64>,
    /// Nobody took longer.
    pub max_ms: Option<u64>,
}

impl DelayFigures {
    /// The figures of these delays, in whatever order they are.
    pub fn of(mut delays: Vec<u64>) -> Self {
        delays.sort_unstable();
        // The nearest rank: the first one that is not shorter than so many of a hundred.
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
    /// What is known of them.
    pub signs: RehearsalSigns,
}

impl RehearsalPerson {
    /// How they stand to it.
    pub const fn status(&self) -> RehearsalStatus {
        RehearsalStatus::of(&self.signs)
    }
}

/// Which of those who are invited are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RehearsalFilter {
    /// Search text in name or username.
    pub search: Option<SearchText>,
    /// Only those with one of these.
    pub statuses: &'static [RehearsalStatus],
    /// The page.
    pub page: PageRequest,
}

/// What has become of a meeting's rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RehearsalReport {
    /// The last one; none where there was none.
    pub rehearsal: Option<Rehearsal>,
    /// All who are invited, whatever was looked for.
    pub counts: RehearsalCounts,
    /// How long it took until it arrived.
    pub received: DelayFigures,
    /// How long it took until they tapped.
    pub answered: DelayFigures,
    /// Those who fit the filter, by name.
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
    fn delays_are_summed_up_by_the_nearest_rank() {
        let figures = |delays: &[u64]| {
            let DelayFigures { median_ms, p95_ms, max_ms } = DelayFigures::of(delays.to_vec());
            median_ms.zip(p95_ms).zip(max_ms).map(|((median, p95), max)| (median, p95, max))
        };
        assert_eq!(figures(&[]), None);
        assert_eq!(figures(&[7]), Some((7, 7, 7)));
        assert_eq!(figures(&[200, 100]), Some((100, 200, 200)));
        assert_eq!(figures(&[3, 1, 2]), Some((2, 3, 3)));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        assert_eq!(figures(&hundred), Some((50, 95, 100)));
        assert_eq!(figures(&hundred[..20]), Some((90, 99, 100)));
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
