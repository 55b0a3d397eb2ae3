//! What no secret may be.

/// How many different bytes a secret has at least. One of random hexadecimal digits has more.
const DIFFERENT: usize = 6;
/// Up to this length, something that is only repeated makes no secret.
const REPEATED: usize = 8;

/// Whether a secret is one byte, or a few, over and over. Whether others know it cannot be seen.
pub(crate) fn is_guessable(secret: &[u8]) -> bool {
    let mut different = secret.to_vec();
    different.sort_unstable();
    different.dedup();
    let repeats = |length: usize| secret.iter().zip(secret.iter().skip(length)).all(|(one, next)| one == next);
    different.len() < DIFFERENT || (1..=REPEATED.min(secret.len() / 2)).any(repeats)
}
