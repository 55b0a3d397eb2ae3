use std::fmt;

use plenum_kernel::{ClientId, Invalid};

use super::code_suggestion::suggest;

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

    /// Suggests a code for a client's name: its significant words in ASCII, without legal forms, about 4 to 12
    /// characters. `None` when nothing of the name remains.
    pub fn from_name(name: &str) -> Option<Self> {
        suggest(name).map(Self)
    }

    /// The code with a number appended, for a code that is taken. Whole words are dropped to make room for it.
    pub fn numbered(&self, number: u32) -> Self {
        let suffix = format!("-{number}");
        let most = Self::MAX - suffix.len();
        let mut kept = self.0.as_str();
        while kept.len() > most {
            kept = kept.rsplit_once('-').map_or(&kept[..most], |(words, _)| words);
        }
        Self(format!("{kept}{suffix}"))
    }

    /// The codes to try for a client that is created in the year `year`, in order: the suggestion itself, then with each
    /// number of two digits, beginning with that of the year.
    pub fn candidates(name: &str, year: u32) -> Vec<Self> {
        let Some(code) = Self::from_name(name) else { return Vec::new() };
        let first = year % 100;
        let numbers = (0..100).map(|step| (first + step) % 100).filter(|number| *number >= 10);
        let numbered: Vec<Self> = numbers.map(|number| code.numbered(number)).collect();
        std::iter::once(code).chain(numbered).collect()
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

/// The client that has a code, or had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeOwner {
    /// The code.
    pub code: ClientCode,
    /// The client to which it leads.
    pub client: ClientId,
    /// Whether it is the client's code today.
    pub is_current: bool,
}

/// The outcome of a check of a code before it is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeCheck {
    /// It can be chosen.
    Free,
    /// Another client has it.
    Taken,
    /// Another client had it, and it still leads there.
    Former,
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
    fn every_derived_code_is_valid() {
        let longest = "Verein ".repeat(20);
        for name in ["Acme Ltd.", "Müller", longest.as_str(), "a--b", "  x  "] {
            let code = ClientCode::from_name(name).unwrap();
            assert_eq!(ClientCode::parse(code.as_str()).unwrap(), code);
            let numbered = code.numbered(12_345);
            assert_eq!(ClientCode::parse(numbered.as_str()).unwrap(), numbered);
        }
    }

    #[test]
    fn a_taken_code_gets_a_number_of_two_digits_from_the_year_on() {
        let codes: Vec<String> = ClientCode::candidates("Mitte eG", 2098).into_iter().map(|code| code.0).collect();
        assert_eq!(codes[..5], ["mitte", "mitte-98", "mitte-99", "mitte-10", "mitte-11"]);
        assert_eq!(codes.len(), 91);
        assert_eq!(ClientCode::candidates("!!!", 2026), []);
    }

    #[test]
    fn a_number_cuts_no_word() {
        let code = ClientCode::parse("abcdefghijklm-nopqrstuvwx-yzabcd").unwrap();
        assert_eq!(code.numbered(26).as_str(), "abcdefghijklm-nopqrstuvwx-26");
    }
}
