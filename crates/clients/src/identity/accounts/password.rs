use std::fmt;

use plenum_kernel::{Invalid, nfc};

/// A password, in NFC and otherwise as typed. `Debug` does not show it, so that it cannot reach a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// The shortest password, in characters.
    pub const MIN_CHARACTERS: usize = 8;
    /// The longest password, in bytes. bcrypt ignores all further bytes, so a longer password would be cut silently.
    pub const MAX_BYTES: usize = 72;

    /// Checks a new password. Spaces at its ends are kept.
    ///
    /// # Errors
    /// Describes the valid passwords.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let text = normalized(text);
        if text.chars().count() < Self::MIN_CHARACTERS {
            return Err(Invalid::new("Must be at least 8 characters long."));
        }
        if text.len() > Self::MAX_BYTES {
            return Err(Invalid::new(
                "Must be at most 72 bytes long (fewer characters if some are not plain letters).",
            ));
        }
        if text.contains('\0') {
            return Err(Invalid::new("Must not contain control characters."));
        }
        Ok(Self(text))
    }

    /// The password in plain text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Normalizes a typed password to NFC, because keyboards encode the same letter differently.
pub(crate) fn normalized(typed: &str) -> String {
    nfc(typed)
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The hash of a password, in the hasher's format.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps a hash from a hasher or a store.
    pub fn new(hash: String) -> Self {
        Self(hash)
    }

    /// The hash as the store keeps it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_characters_are_enough_and_seven_are_not() {
        assert!(Password::parse("12345678").is_ok());
        assert!(Password::parse("1234567").is_err());
        assert!(Password::parse("ääääääää").is_ok());
    }

    #[test]
    fn a_password_is_never_cut_silently() {
        assert!(Password::parse(&"a".repeat(72)).is_ok());
        assert!(Password::parse(&"a".repeat(73)).is_err());
        assert!(Password::parse(&"ä".repeat(37)).is_err());
    }

    #[test]
    fn a_password_is_the_same_on_every_keyboard() {
        let (one, other) = (Password::parse(" Ze\u{301}phyr 7").unwrap(), Password::parse(" Z\u{e9}phyr 7").unwrap());
        assert_eq!((one.expose(), other.expose()), (" Z\u{e9}phyr 7", " Z\u{e9}phyr 7"));
        assert!(Password::parse(&"e\u{301}".repeat(7)).is_err());
        assert!(Password::parse(&"e\u{301}".repeat(36)).is_ok());
    }

    #[test]
    fn a_password_does_not_show_in_debug_output() {
        let password = Password::parse("hunter22!").unwrap();
        assert!(!format!("{password:?}").contains("hunter"));
    }
}
