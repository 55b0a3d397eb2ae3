use std::fmt;
use std::str::FromStr;

use crate::{Invalid, check_line, nfc};

/// An email address, in lower case and NFC, so that each address has one spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// The longest deliverable address (RFC 5321, 4.5.3.1.3).
    const MAX: usize = 254;

    /// Normalizes, trims, checks and lower-cases `text`.
    ///
    /// # Errors
    /// States the requirement.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        // Lower case comes first: one letter may become several, and an address may not contain each of them.
        let line = check_line(&nfc(text).to_lowercase(), Self::MAX)?;
        let options = email_address::Options::default().without_display_text();
        email_address::EmailAddress::parse_with_options(&line, options)
            .map_err(|_| Invalid::new("Must be an email address, for example name@example.org."))?;
        Ok(Self(line))
    }

    /// The address, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A stored address, which was checked before.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }
}

impl FromStr for EmailAddress {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_one_spelling() {
        for (typed, stored) in [
            (" Ann@Example.ORG ", "ann@example.org"),
            ("Pe\u{301}ter@example.org", "p\u{e9}ter@example.org"),
            ("P\u{e9}ter@example.org", "p\u{e9}ter@example.org"),
        ] {
            assert_eq!(EmailAddress::parse(typed).unwrap().as_str(), stored, "{typed:?}");
        }
    }

    #[test]
    fn an_accepted_address_is_accepted_in_lower_case() {
        assert!(EmailAddress::parse("\u{c5}SA@example.org").is_ok());
        // In lower case the dot becomes a separate character, which is invalid in an address.
        assert!(EmailAddress::parse("\u{130}PEK@example.org").is_err());
    }

    #[test]
    fn an_invalid_address_is_refused() {
        for text in
            ["", "ann", "ann@", "@example.org", "a b@example.org", "Ann <ann@example.org>", "a\u{200b}nn@example.org"]
        {
            assert!(EmailAddress::parse(text).is_err(), "{text:?}");
        }
    }
}
