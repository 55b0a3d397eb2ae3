use plenum_kernel::{Invalid, KindWeight, VotingWeight, WeightDecimals};
use rust_decimal::Decimal;

/// Reads a weight as people and spreadsheets write it: a comma or a dot before the decimals, and spaces, apostrophes or
/// the other of the two between groups of three digits.
///
/// A single comma or dot is the decimal separator, because no weight exceeds 100. The exception is three following
/// digits that end with 0 ("1.500", "1,000"): they may be rounded thousands, so the text is refused. A wrong guess
/// would make a vote a thousand times lighter.
///
/// # Errors
/// Describes the valid weights.
pub(crate) fn parse_weight(text: &str) -> Result<VotingWeight, Invalid> {
    let three_digits = |digits: &str| if digits.ends_with('0') { Reading::Ambiguous } else { Reading::Decimals };
    VotingWeight::new(parse_number(text, three_digits)?.ok_or_else(not_a_number)?)
}

/// Reads the value of a kind of weight, as [`parse_weight`] does. A single comma or dot before three digits separates thousands if
/// the kind has too few decimals for anything else. If the three digits end with 0, the text may mean both, and is refused.
///
/// # Errors
/// Describes the valid values.
pub(crate) fn parse_kind_weight(text: &str, decimals: WeightDecimals) -> Result<KindWeight, Invalid> {
    let three_digits = |digits: &str| match digits.trim_end_matches('0').len() {
        needed if needed > usize::from(decimals.get()) => Reading::Thousands,
        3 => Reading::Decimals,
        _ => Reading::Ambiguous,
    };
    // What is no number is as wrong as a number that is too large.
    KindWeight::new(parse_number(text, three_digits)?.unwrap_or(Decimal::MAX), decimals)
}

/// Reads the value of a kind of weight from a workbook, as [`parse_kind_weight`] does. The dot of a number in a cell always stands before
/// its decimals: 125.375 is not 125375. A text that nobody can tell from such a number is read as one.
///
/// # Errors
/// Describes the valid values.
pub(crate) fn parse_workbook_value(text: &str, decimals: WeightDecimals) -> Result<KindWeight, Invalid> {
    // Numbers of cells have no zero at their end.
    if text.contains(',') || text.trim_end().ends_with('0') {
        return parse_kind_weight(text, decimals);
    }
    KindWeight::new(parse_number(text, |_| Reading::Decimals)?.unwrap_or(Decimal::MAX), decimals)
}

/// The meaning of a single comma or dot before three digits.
enum Reading {
    Decimals,
    Thousands,
    Ambiguous,
}

/// `None` for a text that is no number.
fn parse_number(text: &str, three_digits: impl Fn(&str) -> Reading) -> Result<Option<Decimal>, Invalid> {
    let text: String = text.trim().chars().map(|letter| if is_gap(letter) { ' ' } else { letter }).collect();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let Some((whole, decimals)) = split_decimals(digits, three_digits)? else { return Ok(None) };
    let Some(whole) = join_groups(whole) else { return Ok(None) };
    if !decimals.chars().all(|letter| letter.is_ascii_digit()) {
        return Ok(None);
    }
    Ok(Decimal::from_str_exact(&format!("{sign}{whole}.{decimals}0")).ok())
}

/// Separators between groups of three digits, other than a comma or a dot.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\'' | '\u{2019}')
}

fn not_a_number() -> Invalid {
    Invalid::new("Must be a number from 0 to 100.")
}

/// Splits off the decimals. The first part may have group separators. `None` for a text that is no number.
fn split_decimals(digits: &str, three_digits: impl Fn(&str) -> Reading) -> Result<Option<(&str, &str)>, Invalid> {
    let Some(last) = digits.rfind([',', '.']) else { return Ok(Some((digits, ""))) };
    let (whole, decimals) = (&digits[..last], &digits[last + 1..]);
    let is_only_one = !whole.contains([',', '.']);
    let is_repeated = whole.contains(&digits[last..=last]);
    if is_repeated {
        // 1.234.567
        return Ok(Some((digits, "")));
    }
    if whole.is_empty() || decimals.is_empty() {
        return Ok(None);
    }
    let are_digits = decimals.len() == 3 && decimals.bytes().all(|digit| digit.is_ascii_digit());
    let may_be_thousands = is_only_one && are_digits && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    match if may_be_thousands { three_digits(decimals) } else { Reading::Decimals } {
        Reading::Decimals => Ok(Some((whole, decimals))),
        Reading::Thousands => Ok(Some((digits, ""))),
        Reading::Ambiguous => {
            let short = format!("{whole}.{decimals}").trim_end_matches('0').trim_end_matches('.').to_owned();
            Err(Invalid::new(format!(
                "Is ambiguous: {digits} can mean {whole}{decimals} or {short}. Write it without the separator, or \
                 without the zeros."
            )))
        }
    }
}

/// Joins groups of three digits with one kind of separator. `None` for any other text.
fn join_groups(whole: &str) -> Option<String> {
    let is_number = |group: &str| !group.is_empty() && group.chars().all(|letter| letter.is_ascii_digit());
    let Some(separator) = whole.chars().find(|letter| matches!(letter, ',' | '.' | ' ')) else {
        return is_number(whole).then(|| whole.to_owned());
    };
    let groups: Vec<&str> = whole.split(separator).collect();
    let (first, others) = groups.split_first()?;
    let is_grouped = first.len() <= 3 && others.iter().all(|group| group.len() == 3);
    (is_grouped && groups.iter().all(|group| is_number(group))).then(|| groups.concat())
}

/// Reads whether an end user is active, in English or German.
///
/// # Errors
/// Describes the valid texts.
pub(crate) fn parse_is_active(text: &str) -> Result<bool, Invalid> {
    match text.trim().to_lowercase().as_str() {
        "yes" | "y" | "ja" | "j" | "true" | "wahr" | "1" | "active" | "aktiv" => Ok(true),
        "no" | "n" | "nein" | "false" | "falsch" | "0" | "inactive" | "inaktiv" => Ok(false),
        _ => Err(Invalid::new("Must be yes or no, active or inactive, true or false, or 1 or 0.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_read_with_a_comma_or_a_dot() {
        for (text, weight) in [
            ("1", "1"),
            ("0", "0"),
            ("100", "100"),
            ("1.5", "1.5"),
            ("1,5", "1.5"),
            (" 1,50 ", "1.5"),
            ("1,0000", "1"),
            ("33,333", "33.333"),
            ("33.333", "33.333"),
            ("0,500", "0.5"),
            ("0.1250", "0.125"),
            ("+2", "2"),
            ("007", "7"),
            ("-0", "0"),
            ("\u{a0}2,5\u{202f}", "2.5"),
        ] {
            assert_eq!(parse_weight(text).unwrap().to_string(), weight, "{text:?}");
        }
    }

    #[test]
    fn thousands_are_read_and_refused_as_too_large() {
        for text in ["1.234,5", "1,234.5", "1 234", "1\u{a0}234,50", "1'234", "1’234.5", "1.234.567", "101", "-1"] {
            assert_eq!(parse_weight(text).unwrap_err().to_string(), "Must be a number from 0 to 100.", "{text:?}");
        }
    }

    #[test]
    fn a_possible_thousands_separator_is_refused() {
        let wanted = "Is ambiguous: 1.500 can mean 1500 or 1.5. Write it without the separator, or without the zeros.";
        assert_eq!(parse_weight("1.500").unwrap_err().to_string(), wanted);
        let wanted = "Is ambiguous: 10,000 can mean 10000 or 10. Write it without the separator, or without the zeros.";
        assert_eq!(parse_weight("10,000").unwrap_err().to_string(), wanted);
    }

    #[test]
    fn an_invalid_weight_is_refused() {
        for text in
            ["", "heavy", "1,2,3", "1.5.5", "1 5", "12 34", ",5", "5,", ".", "1e1", "1,5 %", "1.23456", "--1", "١"]
        {
            assert!(parse_weight(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_value_of_a_kind_may_have_thousands() {
        for (text, decimals, value) in [
            ("1234", 0, "1234"),
            ("1.234", 0, "1234"),
            ("1,234", 2, "1234"),
            ("12'345", 0, "12345"),
            ("1.234.567", 0, "1234567"),
            ("1.234.567,25", 2, "1234567.25"),
            ("1,234.5", 1, "1234.5"),
            ("1234,5", 1, "1234.5"),
            ("1.234", 3, "1.234"),
            ("1234.500", 1, "1234.5"),
            ("0.500", 1, "0.5"),
            ("999 999 999 999 999 999,999999", 6, "999999999999999999.999999"),
        ] {
            let decimals = WeightDecimals::new(decimals).unwrap();
            assert_eq!(parse_kind_weight(text, decimals).unwrap().to_string(), value, "{text:?}");
        }
        for (text, decimals) in [("1.500", 1), ("1.000", 0), ("1,230", 2)] {
            let refused = parse_kind_weight(text, WeightDecimals::new(decimals).unwrap()).unwrap_err().to_string();
            assert!(refused.starts_with("Is ambiguous"), "{text}: {refused}");
        }
        let digits = "9".repeat(40);
        for text in ["", "many", "-1", "1e3", "1000000000000000000", &digits] {
            let refused = parse_kind_weight(text, WeightDecimals::default()).unwrap_err().to_string();
            assert_eq!(refused, "Must be a number from 0 to less than 1,000,000,000,000,000,000.", "{text}");
        }
    }

    #[test]
    fn activity_is_read_in_two_languages() {
        for text in ["yes", "Ja", "TRUE", "1", " aktiv ", "Active", "y", "j", "WAHR"] {
            assert_eq!(parse_is_active(text), Ok(true), "{text}");
        }
        for text in ["no", "Nein", "FALSE", "0", "Inaktiv", "inactive", "n", "falsch"] {
            assert_eq!(parse_is_active(text), Ok(false), "{text}");
        }
        for text in ["", "maybe", "2", "x"] {
            assert!(parse_is_active(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_dot_of_a_number_in_a_workbook_stands_before_its_decimals() {
        let read = |text, decimals| {
            let read = parse_workbook_value(text, WeightDecimals::new(decimals).unwrap());
            read.map_or_else(|invalid| invalid.to_string(), |value| value.to_string())
        };
        for (text, decimals, expected) in [
            ("125.375", 3, "125.375"),
            ("125.375", 2, "Must have at most 2 decimals."),
            ("1.234", 0, "Must be a whole number."),
            ("84.12", 2, "84.12"),
            ("125375", 0, "125375"),
            // These can only be texts.
            ("1,234", 0, "1234"),
            ("1.234,5", 1, "1234.5"),
            ("1.234.567", 0, "1234567"),
        ] {
            assert_eq!(read(text, decimals), expected, "{text} with {decimals}");
        }
        assert!(read("1.500", 1).starts_with("Is ambiguous"), "{}", read("1.500", 1));
    }
}
