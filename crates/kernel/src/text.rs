use icu_properties::props::{DefaultIgnorableCodePoint, JoiningType};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use crate::Invalid;

/// `text` in Unicode's NFC, so that texts that look the same are equal: keyboards and systems enter "é" as one character,
/// or as an "e" with an accent.
pub fn nfc(text: &str) -> String {
    text.nfc().collect()
}

/// `text` as [`check_line`] spells it: in NFC, with plain blanks.
pub fn spelled(text: &str) -> String {
    with_plain_blanks(&nfc(text))
}

fn with_plain_blanks(text: &str) -> String {
    text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter }).collect()
}

/// The look of a text, to compare texts of one list. It is the same for texts that readers cannot tell apart, regardless of
/// case, of the kind and number of blanks, and of characters that are invisible or only shape others.
pub fn look(text: &str) -> String {
    let seen = |letter: char| match letter {
        // Characters that have a width, and nothing in it.
        '\u{2800}' | '\u{3164}' | '\u{ffa0}' => Some(' '),
        letter if shapes_others(letter) || is_hidden(letter) => None,
        letter => Some(letter),
    };
    let visible: String = text.chars().filter_map(seen).collect();
    nfc(&with_single_blanks(&visible)).to_lowercase()
}

/// The trimmed text with one plain blank in place of several.
fn with_single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `text` in lower case as the database's `lower` writes it, which compares names without case: each letter becomes one. The
/// full lower case of `İ` has two, and that of `Σ` depends on its place.
pub fn lower_case(text: &str) -> String {
    text.chars().filter_map(|letter| letter.to_lowercase().next()).collect()
}

/// `name` to compare it with others, regardless of case and of the number of blanks.
pub fn folded_name(name: &str) -> String {
    lower_case(&with_single_blanks(name))
}

/// One line of text: in NFC, trimmed, 1 to `max` characters, with plain blanks only, no control characters, no separators of
/// lines, and no characters that are invisible or change the direction of writing.
///
/// # Errors
/// States the requirement.
pub fn check_line(text: &str, max: usize) -> Result<String, Invalid> {
    let line = check(text, max, |letter| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}'))?;
    Ok(with_plain_blanks(&line))
}

/// A line of terms that are also read from the database: as [`check_line`], but every kind of blank stays, because the terms
/// of a declared result never change.
///
/// # Errors
/// States the requirement.
pub fn check_line_of_terms(text: &str, max: usize) -> Result<String, Invalid> {
    check(text, max, char::is_control)
}

/// Text of several lines: as [`check_line`], but with line breaks and tabs.
///
/// # Errors
/// States the requirement.
pub fn check_text(text: &str, max: usize) -> Result<String, Invalid> {
    check(text, max, |letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

/// The name of a group: a distinct name with single blanks, because readers do not see how many there are, and without a
/// semicolon, which separates the groups of a person in a file.
///
/// # Errors
/// States the requirement.
pub fn check_group_name(text: &str, max: usize) -> Result<String, Invalid> {
    let name = with_single_blanks(&check_distinct_name(text, max)?);
    if name.contains(';') { Err(Invalid::new("Must not contain a semicolon.")) } else { Ok(name) }
}

/// A name that no other one of its kind may look like, such as a username: a line without invisible characters. Joiners are
/// valid if they change the visible text (RFC 5892, appendix A.1 and A.2).
///
/// # Errors
/// States the requirement.
pub fn check_distinct_name(text: &str, max: usize) -> Result<String, Invalid> {
    let line = check_line(text, max)?;
    let letters: Vec<char> = line.chars().collect();
    let is_invisible = |place: usize| match letters[place] {
        ZWNJ => !follows_virama(&letters, place) && !is_between_joined(&letters, place),
        ZWJ => !follows_virama(&letters, place),
        letter => shapes_others(letter),
    };
    if (0..letters.len()).any(is_invisible) { Err(invisible()) } else { Ok(line) }
}

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';

/// Whether the character before is a virama, the sign of Indic scripts that removes a vowel. A joiner after it selects
/// how the letters join.
fn follows_virama(letters: &[char], place: usize) -> bool {
    const VIRAMA: u8 = 9;
    place > 0 && canonical_combining_class(letters[place - 1]) == VIRAMA
}

/// Whether the place is between letters of a cursive script that would join otherwise. Marks on the letters are ignored.
fn is_between_joined(letters: &[char], place: usize) -> bool {
    let joining = |letter: &&char| CodePointMapData::<JoiningType>::new().get(**letter);
    let has_shape = |letter: &&char| joining(letter) != JoiningType::Transparent;
    let before = letters[..place].iter().rev().find(has_shape).as_ref().map(joining);
    let after = letters[place + 1..].iter().find(has_shape).as_ref().map(joining);
    matches!(before, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(after, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

fn invisible() -> Invalid {
    Invalid::new("Must not contain characters that are invisible or change the direction of writing.")
}

fn check(text: &str, max: usize, is_forbidden: impl Fn(char) -> bool) -> Result<String, Invalid> {
    let normalized = nfc(text);
    let trimmed = normalized.trim();
    if trimmed.chars().all(is_blank) {
        return Err(Invalid::new("Must not be empty."));
    }
    if trimmed.chars().count() > max {
        return Err(Invalid::new(format!("Must be at most {max} characters long.")));
    }
    if trimmed.chars().any(is_forbidden) {
        return Err(Invalid::new("Must not contain control characters."));
    }
    if trimmed.chars().any(is_hidden) {
        return Err(invisible());
    }
    Ok(trimmed.to_owned())
}

/// Whether a text of such characters alone is invisible.
pub(crate) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || is_hidden(letter) || shapes_others(letter)
}

/// Invisible format characters. Two texts that differ only in them look the same, and those that change the direction of
/// writing make a text look like another one.
pub(crate) fn is_hidden(letter: char) -> bool {
    // Unicode's list, and the annotation marks, which it does not contain.
    let is_ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(letter);
    (is_ignorable && !shapes_others(letter)) || matches!(letter, '\u{fff9}'..='\u{fffb}')
}

/// Invisible characters that scripts and emoji need next to visible ones.
fn shapes_others(letter: char) -> bool {
    matches!(letter,
        // Joiners and the grapheme joiner.
        '\u{200c}' | '\u{200d}' | '\u{34f}'
        // Fillers of Hangul, inherent vowels of Khmer, the empty Braille cell.
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}'
        // Variation selectors, also of Mongolian, and the tags in emoji of flags.
        | '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Declares a type for a checked text: `text_value!(Name, check_line, 200);`.
#[macro_export]
macro_rules! text_value {
    ($(#[$doc:meta])* $name:ident, $check:ident, $max:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The maximum number of characters.
            pub const MAX: usize = $max;

            /// Normalizes, trims and checks `text`.
            ///
            /// # Errors
            /// States the requirement.
            pub fn parse(text: &str) -> Result<Self, $crate::Invalid> {
                $crate::$check(text, Self::MAX).map(Self)
            }

            /// The text, in NFC and trimmed.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// A stored text, which was checked before.
            pub fn from_stored(text: String) -> Self {
                Self(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// The text with its first letter in upper case. Errors and findings display as lower-case fragments.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// "A", "A and B", "A, B and C".
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names[..] {
        [] => String::new(),
        [only] => only.to_owned(),
        [ref names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_becomes_a_sentence() {
        assert_eq!(capitalized("the meeting does not exist"), "The meeting does not exist");
        assert_eq!(capitalized(""), "");
    }

    #[test]
    fn names_are_compared_in_any_case_and_with_any_number_of_blanks() {
        for name in ["\u{130}lk  grup", " ilk grup", "ILK\u{a0}\tGRUP "] {
            assert_eq!(folded_name(name), "ilk grup", "{name}");
        }
    }

    #[test]
    fn the_name_of_a_group_has_single_blanks() {
        for text in ["Unit 2", "Unit  2", " Unit \u{a0} 2 "] {
            assert_eq!(check_group_name(text, 100).unwrap(), "Unit 2", "{text:?}");
        }
    }

    #[test]
    fn a_line_is_trimmed() {
        assert_eq!(check_line("  Anna \n", 10).unwrap(), "Anna");
    }

    #[test]
    fn blank_long_and_control_characters_are_refused() {
        assert!(check_line("   ", 10).is_err());
        assert!(check_line("abcdefghijk", 10).is_err());
        assert!(check_line("a\0b", 10).is_err());
        assert!(check_line("a\nb", 10).is_err());
    }

    #[test]
    fn a_text_may_have_several_lines_but_no_nul() {
        assert_eq!(check_text("a\nb", 10).unwrap(), "a\nb");
        assert!(check_text("a\0b", 10).is_err());
    }

    #[test]
    fn length_is_counted_in_characters_not_bytes() {
        assert!(check_line("ääääääääää", 10).is_ok());
    }

    #[test]
    fn texts_that_look_the_same_are_equal() {
        for (typed, stored) in [
            ("pe\u{301}ter", "p\u{e9}ter"),
            ("p\u{e9}ter", "p\u{e9}ter"),
            // Two marks in either order, one sign with two codes, a syllable in parts.
            ("a\u{302}\u{323}", "\u{1ead}"),
            ("\u{212b}", "\u{c5}"),
            ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
        ] {
            assert_eq!(check_line(typed, 10).unwrap(), stored, "{typed:?}");
            assert_eq!(check_text(typed, 10).unwrap(), stored, "{typed:?}");
        }
        assert_eq!(check_text("a\u{2000}b", 10).unwrap(), "a\u{2002}b", "a space with two codes");
    }

    #[test]
    fn every_blank_of_a_line_becomes_the_plain_one() {
        for blank in ['\u{a0}', '\u{1680}', '\u{2000}', '\u{2003}', '\u{2009}', '\u{202f}', '\u{205f}', '\u{3000}'] {
            assert_eq!(check_line(&format!("a{blank}b{blank}"), 10).unwrap(), "a b", "{blank:?}");
            assert_eq!(spelled(&format!("e\u{301}{blank}b")), "\u{e9} b", "{blank:?}");
            // The terms of a declared result never change.
            let of_terms = format!("a{blank}b");
            assert_eq!(check_line_of_terms(&of_terms, 10), Ok(nfc(&of_terms)));
        }
    }

    #[test]
    fn a_line_has_no_separators_of_lines_and_paragraphs() {
        for separator in ['\u{2028}', '\u{2029}'] {
            let text = format!("a{separator}b");
            assert!(check_line(&text, 10).is_err() && check_distinct_name(&text, 10).is_err(), "{text:?}");
            assert_eq!(check_text(&text, 10).as_deref(), Ok(text.as_str()));
            assert_eq!(check_line(&format!("ab{separator}"), 10).as_deref(), Ok("ab"), "it is trimmed at the end");
        }
    }

    #[test]
    fn texts_that_nobody_can_tell_apart_have_the_same_look() {
        for text in [
            "a",
            "A\u{3164}",
            "\u{34f}A",
            "A\u{fe0f}",
            "\u{2800}A",
            "A\u{e0041}",
            "A\u{200d}",
            "\u{115f}A",
            "A\u{200b}",
        ] {
            assert_eq!(look(text), "a", "{text:?}");
        }
        for text in ["a b", "A\u{a0}B", "A\u{2003} B", "A\u{3164}B", "A\u{2800}B", "A \u{200d} B"] {
            assert_eq!(look(text), "a b", "{text:?}");
        }
        assert_eq!(look("e\u{34f}\u{301}"), "\u{e9}");
        assert_ne!(look("AB"), look("A B"));
        assert_ne!(look("1"), look("11"));
    }

    #[test]
    fn each_letter_has_one_in_lower_case() {
        for (text, expected) in [("\u{130}PEK", "ipek"), ("ΣΑΣ", "σασ"), ("ÄRGER", "ärger")] {
            assert_eq!(lower_case(text), expected, "{text}");
        }
    }

    #[test]
    fn length_is_counted_in_nfc() {
        assert!(check_line(&"e\u{301}".repeat(10), 10).is_ok());
        // This one grows: its parts have no combined code in NFC.
        assert!(check_line(&"\u{958}".repeat(10), 10).is_err());
    }

    #[test]
    fn invisible_and_direction_changing_characters_are_refused() {
        for letter in [
            '\u{ad}',
            '\u{61c}',
            '\u{180e}',
            '\u{200b}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202b}',
            '\u{202c}',
            '\u{202d}',
            '\u{202e}',
            '\u{2060}',
            '\u{2064}',
            '\u{2066}',
            '\u{2067}',
            '\u{2068}',
            '\u{2069}',
            '\u{206a}',
            '\u{feff}',
            '\u{fffb}',
            '\u{e0001}',
        ] {
            for text in [format!("a{letter}b"), format!("{letter}ab"), format!("ab{letter}")] {
                let requirement = "Must not contain characters that are invisible or change the direction of writing.";
                assert_eq!(check_line(&text, 10), Err(Invalid::new(requirement)), "{text:?}");
                assert_eq!(check_text(&text, 10), Err(Invalid::new(requirement)), "{text:?}");
            }
        }
    }

    #[test]
    fn everything_on_unicodes_list_is_either_hidden_or_shapes_others() {
        let ignorable: Vec<char> = CodePointSetData::new::<DefaultIgnorableCodePoint>()
            .iter_ranges()
            .flatten()
            .filter_map(char::from_u32)
            .collect();
        assert!(ignorable.len() > 4_000, "{}", ignorable.len());
        for letter in ignorable {
            assert!(is_hidden(letter) != shapes_others(letter), "{letter:?}");
            let text = format!("ann{letter}a");
            assert!(check_distinct_name(&text, 10).is_err(), "{letter:?}");
            assert_eq!(check_line(&text, 10).is_ok(), shapes_others(letter), "{letter:?}");
        }
    }

    #[test]
    fn no_two_distinct_names_differ_only_in_invisible_characters() {
        for letter in [
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{3164}',
            '\u{ffa0}',
            '\u{180b}',
            '\u{180d}',
            '\u{fe0f}',
            '\u{fe00}',
            '\u{e0067}',
            '\u{e007f}',
            '\u{e0100}',
            '\u{2800}',
            '\u{17b4}',
            '\u{2061}',
            '\u{ad}',
            '\u{202e}',
            '\u{fff9}',
            '\u{1d173}',
            '\u{1bca0}',
            '\u{e0fff}',
        ] {
            for text in [format!("anna{letter}"), format!("{letter}anna"), format!("an{letter}na")] {
                assert_eq!(check_distinct_name(&text, 10), Err(invisible()), "{text:?}");
            }
        }
        assert_eq!(check_distinct_name("anna\u{a0}b\u{3000}c", 10).as_deref(), Ok("anna b c"));
        assert_eq!(check_distinct_name(" Anna ", 10).as_deref(), Ok("Anna"));
        assert_eq!(check_distinct_name("\u{200d}", 10), Err(Invalid::new("Must not be empty.")));
        assert!(check_distinct_name("abcdefghijk", 10).is_err());
        assert_eq!(check_group_name("Grp\u{3164}", 10), Err(invisible()));
        assert_eq!(check_group_name("A\u{a0}B", 10).as_deref(), Ok("A B"));
    }

    #[test]
    fn joiners_are_in_distinct_names_only_where_a_script_needs_them() {
        for text in [
            // Persian, with a mark between as well; Devanagari; Sinhala.
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{645}\u{6cc}\u{64e}\u{200c}\u{64e}\u{62e}",
            "\u{915}\u{94d}\u{200d}\u{937}",
            "\u{915}\u{94d}\u{200c}\u{937}",
            "\u{dc1}\u{dca}\u{200d}\u{dbb}\u{dd3}",
        ] {
            assert_eq!(check_distinct_name(text, 20).as_deref(), Ok(text));
        }
        for text in [
            "an\u{200d}na",
            "an\u{200c}na",
            "anna\u{200d}",
            "\u{200c}anna",
            // Letters that never join, and a joiner without an effect.
            "\u{627}\u{200c}\u{628}",
            "\u{628}\u{200c}",
            "\u{645}\u{6cc}\u{200d}\u{62e}",
            "\u{915}\u{200d}\u{937}",
            "\u{915}\u{94d}\u{200d}\u{200d}\u{937}",
            "\u{645}\u{6cc}\u{200c}\u{200c}\u{62e}",
            "\u{1f469}\u{200d}\u{1f680}",
        ] {
            assert_eq!(check_distinct_name(text, 20), Err(invisible()), "{text:?}");
        }
    }

    #[test]
    fn a_text_of_invisible_characters_is_empty() {
        for text in [
            "",
            " \n\t",
            "\u{a0}\u{3000}",
            "\u{200b}",
            "\u{feff}",
            "\u{200e}\u{200f}",
            " \u{202e} ",
            "\u{200c}",
            "\u{200d}\u{200d}",
            "\u{ad}",
            "\u{fe0f}",
            "\u{3164}",
            "\u{2800}",
            "\u{e0067}\u{e007f}",
        ] {
            assert_eq!(check_line(text, 10), Err(Invalid::new("Must not be empty.")), "{text:?}");
            assert_eq!(check_text(text, 10), Err(Invalid::new("Must not be empty.")), "{text:?}");
        }
    }

    #[test]
    fn characters_that_scripts_and_emoji_need_are_kept() {
        for text in [
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{915}\u{94d}\u{200d}\u{937}",
            "\u{1f469}\u{200d}\u{1f680}",
            "\u{1f5f3}\u{fe0f}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "\u{5d3}\u{5d5}\u{5d3}",
        ] {
            assert_eq!(check_line(text, 10).as_deref(), Ok(text));
            assert_eq!(check_text(text, 10).as_deref(), Ok(text));
        }
    }
}
