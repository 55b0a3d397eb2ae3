//! The invariants of imported cells, names and passwords, for any input. The tests below check them with random cells,
//! and so does the target `cells` of `fuzz/`.

use plenum_kernel::{VotingWeight, WeightDecimals};

use crate::clients::import::values::{parse_is_active, parse_kind_weight, parse_weight};
use crate::{Address, ClientCode, ClientName, Password, PersonName, Username, suggest_columns};

/// Checks each line of `data` as a cell, and all lines as headings.
pub fn cells(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    lines.iter().for_each(|line| cell(line));
    cell(&text);
    headings(&lines);
}

/// A value that is read from a cell is the same after it is written and read again.
pub fn cell(typed: &str) {
    if let Ok(weight) = parse_weight(typed) {
        assert_eq!(parse_weight(&weight.to_string()), Ok(weight), "{typed:?}");
        assert_eq!(VotingWeight::new(weight.as_decimal()), Ok(weight));
        assert_eq!(digits_of(typed), digits_of(&weight.to_string()), "{typed:?} is another number");
    }
    for decimals in (0..=6).filter_map(|decimals| WeightDecimals::new(decimals).ok()) {
        if let Ok(value) = parse_kind_weight(typed, decimals) {
            assert_eq!(parse_kind_weight(&value.to_string(), decimals), Ok(value), "{typed:?}");
            assert_eq!(digits_of(typed), digits_of(&value.to_string()), "{typed:?} is another number");
        }
    }
    if let Ok(is_active) = parse_is_active(typed) {
        assert_eq!(parse_is_active(if is_active { "yes" } else { "no" }), Ok(is_active));
    }
    again(typed, Username::parse, Username::as_str);
    again(typed, PersonName::parse, PersonName::as_str);
    again(typed, ClientName::parse, ClientName::as_str);
    again(typed, Address::parse, Address::as_str);
    again(typed, ClientCode::parse, ClientCode::as_str);
    again(typed, Password::parse, Password::expose);
    if let Some(code) = ClientCode::from_name(typed) {
        for code in [code.numbered(2), code.numbered(u32::MAX), code] {
            assert_eq!(ClientCode::parse(code.as_str()).as_ref(), Ok(&code), "{typed:?}");
        }
    }
}

fn again<T: PartialEq + std::fmt::Debug, E: PartialEq + std::fmt::Debug>(
    typed: &str,
    parse: impl Fn(&str) -> Result<T, E>,
    text: impl Fn(&T) -> &str,
) {
    let Ok(value) = parse(typed) else { return };
    assert_eq!(parse(text(&value)).as_ref(), Ok(&value), "{typed:?}");
}

/// The digits of a number, without zeros at both ends.
fn digits_of(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

/// A suggested column exists, and each field and each column is suggested at most once.
pub fn headings(headings: &[String]) {
    let suggested = suggest_columns(headings);
    for (place, (field, column)) in suggested.iter().enumerate() {
        assert!(*column < headings.len(), "{suggested:?}");
        let others = &suggested[place + 1..];
        assert!(!others.iter().any(|(other, taken)| other == field || taken == column), "{suggested:?}");
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn any_cell() -> impl Strategy<Value = String> {
        prop_oneof![
            "[+-]?[0-9.,' \u{a0}\u{2019}]{0,12}",
            "[0-9]{1,3}[.,][0-9]{0,40}",
            "[a-zA-Z0-9 -]{0,40}",
            select(vec!["ja", "NEIN", "Aktiv", "wahr", "0", "\u{212a}lub", "\u{130}stanbul"]).prop_map(str::to_owned),
            vec(any::<char>(), 0..80).prop_map(String::from_iter),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_value_of_a_cell_can_be_read_again(typed in any_cell()) {
            cell(&typed);
        }

        #[test]
        fn suggested_columns_exist_and_are_unique(
            columns in vec(prop_oneof![
                select(vec!["Name", "name", "Vorname", "Nachname", "E-Mail", "Stimmen", "Gewicht (%)", "Status", ""])
                    .prop_map(str::to_owned),
                any_cell(),
            ], 0..12),
        ) {
            headings(&columns);
        }
    }

    #[test]
    fn the_invariants_hold_for_the_fuzzers_seeds() {
        fuzz_seeds("cells").iter().for_each(|seed| cells(seed));
    }
}
