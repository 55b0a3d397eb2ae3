use chrono::{DateTime, SubsecRound as _, Utc};
use plenum_kernel::Clock;

/// The system time, to the microsecond. PostgreSQL stores no smaller unit, so a response equals a later read.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port's implementation, which everyone else is to use")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(6)
    }
}
