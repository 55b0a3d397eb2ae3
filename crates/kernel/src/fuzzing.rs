//! The invariants of texts, addresses and weights, for any input. The tests below check them with random input, and so
//! does the target `texts` of `fuzz/`.

use rust_decimal::Decimal;

use crate::text::is_hidden;
use crate::{EmailAddress, Invalid, SearchText, VotingWeight, check_distinct_name, check_line, check_text, look, nfc};

/// The maximum length of a text here, in characters.
const MAX: usize = 60;

/// Checks `data` as each kind of typed value.
pub fn texts(data: &[u8]) {
    let typed = String::from_utf8_lossy(data);
    text(&typed);
    email(&typed);
    search(&typed);
    if let Ok(number) = typed.trim().parse() {
        weight(number);
    }
}

/// A check for a text with this maximum length in characters.
type Check = fn(&str, usize) -> Result<String, Invalid>;

/// An accepted text is in NFC, within the maximum length, and has no hidden characters. A line has plain blanks only, and a look.
pub fn text(typed: &str) {
    let checks: [Check; 3] = [check_line, check_distinct_name, check_text];
    for check in checks {
        let Ok(text) = check(typed, MAX) else { continue };
        assert_eq!(check(&text, MAX).as_deref(), Ok(text.as_str()), "the second check changes it");
        assert_eq!(nfc(&text), text);
        assert_eq!(text.trim(), text);
        assert!((1..=MAX).contains(&text.chars().count()), "{text:?}");
        assert!(!text.chars().any(|letter| letter == '\0' || is_hidden(letter)), "{text:?}");
    }
    if let Ok(line) = check_line(typed, MAX) {
        let is_other_blank = |letter: char| letter.is_control() || (letter.is_whitespace() && letter != ' ');
        assert!(!line.contains(is_other_blank), "{line:?}");
        let look_of_line = look(&line);
        assert!(!look_of_line.is_empty() && !look_of_line.contains(is_hidden), "{line:?}");
    }
}

/// An accepted address stays the same when it is parsed again, and cannot begin a header.
pub fn email(typed: &str) {
    let Ok(address) = EmailAddress::parse(typed) else { return };
    assert_eq!(EmailAddress::parse(address.as_str()).as_ref(), Ok(&address), "{typed:?}");
    assert!(!address.as_str().contains(char::is_control), "{address}");
    assert!(address.as_str().contains('@'), "{address}");
}

/// A search stays the same when it is parsed again, and its pattern has no wildcard inside.
pub fn search(typed: &str) {
    let Some(search) = SearchText::parse(typed) else { return };
    assert_eq!(SearchText::parse(search.as_str()).as_ref(), Some(&search), "{typed:?}");
    assert!(search.as_str().chars().count() <= 200 && !search.as_str().contains(char::is_control), "{search:?}");
    let pattern = search.as_like_pattern();
    let inside = pattern.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')).expect("a wildcard on both sides");
    assert_eq!(letters_of(inside).as_deref(), Some(search.as_str()), "{pattern:?}");
}

/// The text that a `LIKE` pattern matches. `None` if it has a wildcard.
fn letters_of(pattern: &str) -> Option<String> {
    let mut letters = pattern.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '%' | '_' => return None,
            '\\' => text.push(letters.next()?),
            _ => text.push(letter),
        }
    }
    Some(text)
}

/// An accepted weight equals its input, is between 0 and 100, and is parsed from its own text again.
pub fn weight(number: Decimal) {
    let Ok(weight) = VotingWeight::new(number) else { return };
    assert_eq!(weight.as_decimal(), number);
    assert!((Decimal::ZERO..=Decimal::ONE_HUNDRED).contains(&number) && weight.as_decimal().scale() <= 4, "{number}");
    let written = weight.to_string();
    assert!(!written.starts_with('-'), "{written}");
    assert_eq!(written.parse().map(VotingWeight::new), Ok(Ok(weight)));
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::testkit::fuzz_seeds;

    fn any_text(longest: usize) -> impl Strategy<Value = String> {
        // All characters, with more of the common and of the difficult ones.
        let letter = prop_oneof![
            4 => any::<char>(),
            2 => proptest::char::range(' ', '~'),
            1 => proptest::sample::select(vec![' ', '\u{301}', '\u{a0}', '\u{200b}', '\u{2028}', '\0', '\n', '\u{130}']),
        ];
        let few = vec(proptest::sample::select(vec!['a', ' ', '\u{130}']), 0..longest);
        prop_oneof![3 => vec(letter, 0..longest).boxed(), 1 => few.boxed()].prop_map(String::from_iter)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn accepted_texts_are_accepted_again(typed in any_text(80)) {
            text(&typed);
        }

        #[test]
        fn accepted_searches_are_accepted_again(typed in any_text(260)) {
            search(&typed);
        }

        #[test]
        fn accepted_addresses_are_accepted_again(name in any_text(70), domain in any_text(20), typed in any_text(40)) {
            email(&typed);
            email(&format!("{}@example.org", "\u{130}".repeat(name.chars().count())));
            email(&format!("{name}@example.org"));
            email(&format!("{name}@{domain}.org"));
            email(&format!("\"{name}\"@example.org"));
        }

        #[test]
        fn accepted_weights_equal_their_input(digits in -2_000_000_i64..2_000_000, scale in 0_u32..29) {
            weight(Decimal::new(digits, scale));
        }
    }

    #[test]
    fn the_invariants_hold_for_the_fuzzers_seeds() {
        fuzz_seeds("texts").iter().for_each(|seed| texts(seed));
    }
}
