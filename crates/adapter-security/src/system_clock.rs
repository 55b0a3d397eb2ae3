use chrono::{DateTime, SubsecRound as _, Utc};
use plenum_kernel::Clock;

/// The time of the operating system, to the microsecond: PostgreSQL keeps no more, and what is answered now must equal
/// what is read back later.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port's implementation, which everyone else is to use")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(6)
    }
}
