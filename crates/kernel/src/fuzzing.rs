//! What must hold of texts, addresses and weights, whatever comes in. The tests below call it with made-up input, and so
//! does the target `texts` of `fuzz/`.

use rust_decimal::Decimal;

use crate::text::is_hidden;
use crate::{EmailAddress, Invalid, SearchText, VotingWeight, check_line, check_text, nfc};

/// How long a text may be here, in characters.
const MAX: usize = 60;

/// Reads `data` as each of the values that people type.
pub fn texts(data: &[u8]) {
    let typed = String::from_utf8_lossy(data);
    text(&typed);
    email(&typed);
    search(&typed);
    if let Ok(number) = typed.trim().parse() {
        weight(number);
    }
}

/// Reads a text of at most so many characters.
type Check = fn(&str, usize) -> Result<String, Invalid>;

/// A text that is taken is in its normal form, within its length, and free of what hides.
pub fn text(typed: &str) {
    let checks: [Check; 2] = [check_line, check_text];
    for check in checks {
        let Ok(text) = check(typed, MAX) else { continue };
        assert_eq!(check(&text, MAX).as_deref(), Ok(text.as_str()), "it is another one when it is read again");
        assert_eq!(nfc(&text), text);
        assert_eq!(text.trim(), text);
        assert!((1..=MAX).contains(&text.chars().count()), "{text:?}");
        assert!(!text.chars().any(|letter| letter == '\0' || is_hidden(letter)), "{text:?}");
    }
    if let Ok(line) = check_line(typed, MAX) {
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}

/// An address that is taken is the same when it is read again, and begins no header.
pub fn email(typed: &str) {
    let Ok(address) = EmailAddress::parse(typed) else { return };
    assert_eq!(EmailAddress::parse(address.as_str()).as_ref(), Ok(&address), "{typed:?}");
    assert!(!address.as_str().contains(char::is_control), "{address}");
    assert!(address.as_str().contains('@'), "{address}");
}

/// A search is the same when it is read again, and its pattern finds the text itself and no wildcard.
pub fn search(typed: &str) {
    let Some(search) = SearchText::parse(typed) else { return };
    assert_eq!(SearchText::parse(search.as_str()).as_ref(), Some(&search), "{typed:?}");
    assert!(search.as_str().chars().count() <= 200 && !search.as_str().contains(char::is_control), "{search:?}");
    let pattern = search.as_like_pattern();
    let inside = pattern.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')).expect("it is found anywhere");
    assert_eq!(letters_of(inside).as_deref(), Some(search.as_str()), "{pattern:?}");
}

/// The letters that a pattern of `LIKE` stands for; `None` if it has a wildcard.
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

/// A weight that is taken is the number that was given, from 0 to 100, and is written as it is read.
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
        // Letters of all kinds, with more of those that texts are made of and that make trouble.
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
    fn the_seeds_of_the_fuzzer_hold() {
        fuzz_seeds("texts").iter().for_each(|seed| texts(seed));
    }
}
