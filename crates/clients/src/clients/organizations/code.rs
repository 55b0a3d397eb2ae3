use std::fmt;

use plenum_kernel::{ClientId, Invalid};

/// The short public name of a client: lower-case ASCII letters, digits and single hyphens between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientCode(String);

impl ClientCode {
    /// The longest code, short enough to be read out in a hall.
    pub const MAX: usize = 32;

    /// Reads a typed code, in any case and with spaces around it.
    ///
    /// # Errors
    /// Describes the valid codes.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let code = text.trim().to_lowercase();
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        };
        if code.len() > Self::MAX || !code.split('-').all(is_word) {
            return Err(Invalid::new(
                "Must be 1 to 32 letters a to z, digits and single hyphens between them, for example my-club.",
            ));
        }
        Ok(Self(code))
    }

    /// Derives a code from a client's name: transliterated to lower-case ASCII, all other characters replaced by
    /// hyphens, cut to [`Self::MAX`]. `None` when nothing of the name remains.
    pub fn from_name(name: &str) -> Option<Self> {
        let ascii = deunicode::deunicode(name).to_lowercase();
        let words: Vec<&str> =
            ascii.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let code: String = words.join("-").chars().take(Self::MAX).collect();
        let code = code.trim_end_matches('-');
        (!code.is_empty()).then(|| Self(code.to_owned()))
    }

    /// The code with a number appended, for a code that is taken.
    pub fn numbered(&self, number: u32) -> Self {
        let suffix = format!("-{number}");
        let kept: String = self.0.chars().take(Self::MAX - suffix.len()).collect();
        Self(format!("{}{suffix}", kept.trim_end_matches('-')))
    }

    /// The code, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A code from the store, which was checked before.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for ClientCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The organization as an end user enters it at sign-in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClientKey {
    /// By its code.
    Code(ClientCode),
    /// By its id.
    Id(ClientId),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derived(name: &str) -> Option<String> {
        ClientCode::from_name(name).map(|code| code.0)
    }

    #[test]
    fn a_code_is_read_in_any_case() {
        assert_eq!(ClientCode::parse(" Ruder-Club ").unwrap().as_str(), "ruder-club");
    }

    #[test]
    fn an_invalid_code_is_refused() {
        for text in ["", "-a", "a-", "a--b", "a b", "ä", "a_b", &"a".repeat(33)] {
            assert!(ClientCode::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_name_is_transliterated() {
        assert_eq!(derived("Müller & Söhne e.V.").as_deref(), Some("muller-sohne-e-v"));
        assert_eq!(derived("Московский клуб").as_deref(), Some("moskovskii-klub"));
        assert_eq!(derived("!!!"), None);
    }

    #[test]
    fn every_derived_code_is_valid() {
        let longest = "Verein ".repeat(20);
        for name in ["Acme Ltd.", "Müller", longest.as_str(), "a--b", "  x  "] {
            let code = ClientCode::from_name(name).unwrap();
            assert_eq!(ClientCode::parse(code.as_str()).unwrap(), code);
            let numbered = code.numbered(12_345);
            assert_eq!(ClientCode::parse(numbered.as_str()).unwrap(), numbered);
        }
    }
}
