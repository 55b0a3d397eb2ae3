use std::fmt;
use std::hint::black_box;

/// The token that a caller needs to read the metrics.
#[derive(Clone, PartialEq, Eq)]
pub struct MetricsToken(String);

impl MetricsToken {
    /// The requirements on a token.
    pub const WANTED: &'static str = "must be 16 to 256 letters, digits or other visible characters of ASCII";

    /// Reads a token. `None` if it is too short to be secret, or contains a character that a header cannot contain.
    pub fn parse(text: &str) -> Option<Self> {
        let is_long = (16..=256).contains(&text.len());
        (is_long && text.bytes().all(|letter| letter.is_ascii_graphic())).then(|| Self(text.to_owned()))
    }

    /// Compares in constant time, so that the duration does not reveal how many characters match.
    pub(crate) fn is(&self, shown: &str) -> bool {
        let (own, shown) = (self.0.as_bytes(), shown.as_bytes());
        let differences =
            own.iter().zip(shown).fold(0, |differences, (own, shown)| black_box(differences | (own ^ shown)));
        own.len() == shown.len() && differences == 0
    }
}

impl fmt::Debug for MetricsToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetricsToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_has_visible_characters() {
        for text in ["0123456789abcdef", "a!\"#$%&'()*+,-./:;<=>?@[]"] {
            assert!(MetricsToken::parse(text).is_some(), "{text}");
        }
        for text in ["", "0123456789abcde", "0123456789abcde ", "0123456789abcd\u{e9}", &"a".repeat(257)] {
            assert!(MetricsToken::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_the_whole_token_matches() {
        let token = MetricsToken::parse("0123456789abcdef").unwrap();
        assert!(token.is("0123456789abcdef"));
        for shown in ["", "0123456789abcde", "0123456789abcdefg", "1123456789abcdef", "0123456789abcdeF"] {
            assert!(!token.is(shown), "{shown}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }
}
