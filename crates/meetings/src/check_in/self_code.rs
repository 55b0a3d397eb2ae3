//! The changing code on the presentation, with which voters check themselves in.

use chrono::{DateTime, TimeDelta, Utc};

/// The number of seconds after which the presentation shows another code.
pub const CODE_SECONDS: i64 = 30;

/// The number of codes that are valid at a time: the shown one, and two before it, for people who type.
const VALID_CODES: i64 = 3;

/// The number of the code of this moment. The code itself is derived from it by the store, with the key of the meeting.
pub(crate) const fn code_number(now: DateTime<Utc>) -> i64 {
    now.timestamp().div_euclid(CODE_SECONDS)
}

/// The numbers of the codes that are valid at this moment, the shown one first.
pub(crate) fn valid_numbers(now: DateTime<Utc>) -> Vec<i64> {
    let shown = code_number(now);
    (0..VALID_CODES).map(|age| shown - age).collect()
}

/// The time at which the next code is shown.
pub(crate) fn next_code_at(now: DateTime<Utc>) -> DateTime<Utc> {
    let start = DateTime::from_timestamp(code_number(now) * CODE_SECONDS, 0).unwrap_or(now);
    start + TimeDelta::seconds(CODE_SECONDS)
}

/// A code in the form in which it was typed, without spaces and dashes.
pub(crate) fn typed_code(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_for_thirty_seconds_and_valid_for_two_more_periods() {
        let at = |seconds: i64| DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap();
        assert_eq!(code_number(at(0)), code_number(at(29)));
        assert_eq!(code_number(at(30)), code_number(at(0)) + 1);
        assert_eq!(next_code_at(at(29)), at(30));
        assert_eq!(next_code_at(at(30)), at(60));
        assert!(valid_numbers(at(89)).contains(&code_number(at(0))));
        assert!(!valid_numbers(at(90)).contains(&code_number(at(0))));
    }

    #[test]
    fn a_typed_code_may_have_spaces() {
        assert_eq!(typed_code(" 123 456 "), "123456");
        assert_eq!(typed_code("123-456"), "123456");
    }
}
