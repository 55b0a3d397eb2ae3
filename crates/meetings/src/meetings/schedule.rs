use chrono::{DateTime, Datelike as _, Utc};
use plenum_kernel::Invalid;

/// The planned start and end of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    start: DateTime<Utc>,
    end: DateTime<Utc>,
}

/// Checks a planned time: in a year from 1900 to 9999, which every store and every screen supports.
///
/// # Errors
/// States the requirement.
pub fn check_time(time: DateTime<Utc>) -> Result<DateTime<Utc>, Invalid> {
    if (1900..=9999).contains(&time.year()) {
        Ok(time)
    } else {
        Err(Invalid::new("Must be a time in the years 1900 to 9999."))
    }
}

impl Schedule {
    /// A plan with the end after the start.
    ///
    /// # Errors
    /// States the requirement for the end.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_outside_the_supported_years_cannot_be_planned() {
        for (time, is_fine) in [
            ("1899-12-31T23:59:59Z", false),
            ("1900-01-01T00:00:00Z", true),
            ("9999-12-31T23:59:59Z", true),
            ("+10000-01-01T00:00:00Z", false),
        ] {
            assert_eq!(check_time(time.parse().unwrap()).is_ok(), is_fine, "{time}");
        }
    }
}
