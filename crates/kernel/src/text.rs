use crate::Invalid;

/// One line of text: trimmed, 1 to `max` characters, no control characters.
///
/// # Errors
/// Says what is wanted.
pub fn check_line(text: &str, max: usize) -> Result<String, Invalid> {
    check(text, max, char::is_control)
}

/// Text of several lines: trimmed, 1 to `max` characters, no control characters but line breaks and tabs.
///
/// # Errors
/// Says what is wanted.
pub fn check_text(text: &str, max: usize) -> Result<String, Invalid> {
    check(text, max, |letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

fn check(text: &str, max: usize, is_forbidden: impl Fn(char) -> bool) -> Result<String, Invalid> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(Invalid::new("Must not be empty."));
    }
    if trimmed.chars().count() > max {
        return Err(Invalid::new(format!("Must be at most {max} characters long.")));
    }
    if trimmed.chars().any(is_forbidden) {
        return Err(Invalid::new("Must not contain control characters."));
    }
    Ok(trimmed.to_owned())
}

/// Declares a checked text as a type of its own: `text_value!(Name, check_line, 200);`.
#[macro_export]
macro_rules! text_value {
    ($(#[$doc:meta])* $name:ident, $check:ident, $max:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// How many characters it may have at most.
            pub const MAX: usize = $max;

            /// Trims and checks `text`.
            ///
            /// # Errors
            /// Says what is wanted.
            pub fn parse(text: &str) -> Result<Self, $crate::Invalid> {
                $crate::$check(text, Self::MAX).map(Self)
            }

            /// The text, trimmed.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// A text that was checked before it was stored.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
