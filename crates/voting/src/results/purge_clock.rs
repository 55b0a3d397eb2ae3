use chrono::{DateTime, TimeDelta, Utc};

/// The age in days that an entry of the audit log must have to speak for the clock. Entries of the last days may have been
/// written by the same wrong clock.
pub const SETTLED_DAYS: i64 = 30;

/// The number of days that an installation may be idle before its clock is in doubt.
pub const MOST_IDLE_DAYS: i64 = 400;

/// The most hours between the clock here and that of the database.
const MOST_HOURS_APART: i64 = 24;

/// The times that a database knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownTimes {
    /// The clock of the database server.
    pub database: DateTime<Utc>,
    /// The time of the newest entry of all audit logs that is older than [`SETTLED_DAYS`] days. An entry that a later one sets
    /// back was written by a wrong clock, and does not count. `None` without an entry.
    pub settled: Option<DateTime<Utc>>,
}

/// Why nothing is purged by a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockDoubt {
    /// The clock of the database says something else.
    #[error("the clock here says {}, and the clock of the database says {}", short(.here), short(.database))]
    Differs {
        /// The clock here.
        here: DateTime<Utc>,
        /// The clock of the database.
        database: DateTime<Utc>,
    },
    /// The clock is far ahead of everything that the audit log knows.
    #[error(
        "the clock says {}, and the newest entry of the audit log that is older than {SETTLED_DAYS} days is of {}, more than \
         {MOST_IDLE_DAYS} days before",
        short(.here),
        short(.settled)
    )]
    Ahead {
        /// The clock here.
        here: DateTime<Utc>,
        /// The entry.
        settled: DateTime<Utc>,
    },
}

impl KnownTimes {
    /// The doubt about a clock that says `here`. `None` for a plausible clock.
    pub fn doubt(self, here: DateTime<Utc>) -> Option<ClockDoubt> {
        if (self.database - here).abs() > TimeDelta::hours(MOST_HOURS_APART) {
            return Some(ClockDoubt::Differs { here, database: self.database });
        }
        let settled = self.settled?;
        (here - settled > TimeDelta::days(MOST_IDLE_DAYS)).then_some(ClockDoubt::Ahead { here, settled })
    }
}

fn short(time: &DateTime<Utc>) -> String {
    time.format("%Y-%m-%d %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_clock_far_ahead_of_the_log_or_apart_from_the_database_is_in_doubt() {
        let here = at("2027-11-30T10:00:00Z");
        let doubt = |database, settled: Option<&str>| {
            KnownTimes { database: at(database), settled: settled.map(at) }.doubt(here)
        };
        assert_eq!(doubt("2027-12-01T10:00:00Z", None), None, "a new installation");
        assert_eq!(doubt("2027-11-30T10:00:00Z", Some("2026-10-26T10:00:00Z")), None, "400 days");
        let settled = at("2026-10-26T09:59:59Z");
        assert_eq!(
            doubt("2027-11-30T10:00:00Z", Some("2026-10-26T09:59:59Z")),
            Some(ClockDoubt::Ahead { here, settled })
        );
        for database in ["2027-12-01T10:00:01Z", "2027-11-29T09:59:59Z", "2016-11-30T10:00:00Z"] {
            let found = doubt(database, Some("2027-10-01T10:00:00Z"));
            assert_eq!(found, Some(ClockDoubt::Differs { here, database: at(database) }), "{database}");
        }
        let words = ClockDoubt::Ahead { here, settled }.to_string();
        assert!(words.contains("2027-11-30 10:00 UTC") && words.contains("2026-10-26 09:59 UTC"), "{words}");
    }
}
