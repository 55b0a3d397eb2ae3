use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::Invalid;

/// The time until a round ends by itself: 5 seconds to an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Countdown(TimeDelta);

impl Countdown {
    /// The shortest, in seconds.
    pub const SHORTEST: i64 = 5;
    /// The longest, in seconds.
    pub const LONGEST: i64 = 3_600;

    /// A countdown of this many seconds.
    ///
    /// # Errors
    /// States the requirement.
    pub fn of_seconds(seconds: i64) -> Result<Self, Invalid> {
        if (Self::SHORTEST..=Self::LONGEST).contains(&seconds) {
            Ok(Self(TimeDelta::seconds(seconds)))
        } else {
            Err(Invalid::new("Must be a whole number from 5 to 3600."))
        }
    }

    /// The closing time if the countdown starts `now`.
    pub fn end(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + self.0
    }
}

/// The facts about a meeting that decide whether a countdown can be set or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountdownContext {
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// Whether a round is open.
    pub is_open: bool,
    /// Its closing time.
    pub closes_at: Option<DateTime<Utc>>,
}

/// The reason why a countdown was not set or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountdownRule {
    /// No round is open.
    #[error("no question is open")]
    NoOpenRound,
    /// Another organizer made a step that this organizer has not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Decides whether to set the closing time to `closes_at`, or to remove it. False if it has this value already.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_closing(context: &CountdownContext, closes_at: Option<DateTime<Utc>>) -> Result<bool, CountdownRule> {
    if context.closes_at == closes_at {
        return Ok(false);
    }
    if context.is_stale {
        return Err(CountdownRule::StaleStep);
    }
    if context.is_open { Ok(true) } else { Err(CountdownRule::NoOpenRound) }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::Clock;
    use plenum_kernel::testkit::StillClock;

    use super::*;

    const OPEN: CountdownContext = CountdownContext { is_stale: false, is_open: true, closes_at: None };

    fn in_a_minute() -> DateTime<Utc> {
        Countdown::of_seconds(60).unwrap().end(StillClock::new().now())
    }

    #[test]
    fn a_countdown_takes_5_seconds_to_an_hour() {
        for (seconds, is_fine) in [(-5, false), (4, false), (5, true), (3_600, true), (3_601, false), (i64::MAX, false)]
        {
            assert_eq!(Countdown::of_seconds(seconds).is_ok(), is_fine, "{seconds}");
        }
    }

    #[test]
    fn a_countdown_is_set_moved_and_removed_while_a_round_is_open() {
        let soon = Some(in_a_minute());
        let later = soon.map(|time| time + TimeDelta::seconds(30));
        let closing = CountdownContext { closes_at: soon, ..OPEN };
        assert_eq!(decide_closing(&OPEN, soon), Ok(true));
        assert_eq!(decide_closing(&closing, later), Ok(true));
        assert_eq!(decide_closing(&closing, None), Ok(true));
        let ended = CountdownContext { is_open: false, ..OPEN };
        assert_eq!(decide_closing(&ended, soon), Err(CountdownRule::NoOpenRound));
    }

    #[test]
    fn a_repeated_countdown_change_succeeds_on_any_seen_state() {
        let soon = Some(in_a_minute());
        for (is_open, closes_at) in [(true, None), (false, None), (true, soon)] {
            let context = CountdownContext { is_stale: true, is_open, closes_at };
            assert_eq!(decide_closing(&context, closes_at), Ok(false));
        }
    }

    #[test]
    fn a_decision_on_an_older_state_is_refused() {
        let soon = Some(in_a_minute());
        for (is_open, closes_at, wanted) in [(true, None, soon), (true, soon, None), (false, None, soon)] {
            let context = CountdownContext { is_stale: true, is_open, closes_at };
            assert_eq!(decide_closing(&context, wanted), Err(CountdownRule::StaleStep));
        }
    }
}
