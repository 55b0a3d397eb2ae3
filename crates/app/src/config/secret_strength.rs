//! The strength of configured secrets.

/// The fewest different bytes of a secret. A secret of random hexadecimal digits has more.
const DIFFERENT: usize = 6;
/// The longest repeated part that makes a secret guessable.
const REPEATED: usize = 8;

/// Whether a secret only repeats a byte or a few.
pub(crate) fn is_guessable(secret: &[u8]) -> bool {
    let mut different = secret.to_vec();
    different.sort_unstable();
    different.dedup();
    let repeats = |length: usize| secret.iter().zip(secret.iter().skip(length)).all(|(one, next)| one == next);
    different.len() < DIFFERENT || (1..=REPEATED.min(secret.len() / 2)).any(repeats)
}
