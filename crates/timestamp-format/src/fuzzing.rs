//! The invariants of tokens and responses, for any input. The tests of this crate check them with altered tokens, and so does the
//! target `timestamps` of `fuzz/`.

use crate::{Authorities, TimestampRequest, TimestampToken};

/// Any bytes are refused in words, or are a token about the hash that was asked for.
pub fn tokens(data: &[u8]) {
    let (hash, content) = data.split_at(data.len().min(32));
    let Ok(hash) = <[u8; 32]>::try_from(hash) else { return };
    match TimestampToken::read(content, &hash) {
        Ok(token) => {
            assert!(content.windows(32).any(|part| part == hash), "the token contains the hash");
            assert!(!token.authority.chars().any(char::is_control));
            let mut other = hash;
            other[0] ^= 1;
            assert!(TimestampToken::read(content, &other).is_err(), "it is about one hash");
        }
        Err(reason) => assert!(!reason.to_string().is_empty()),
    }
    if let Err(reason) = TimestampRequest::new(hash, [7; 8]).read(content) {
        assert!(!reason.to_string().chars().any(char::is_control));
    }
    // Certificates of a file: no panic.
    let _ = Authorities::from_pem(content);
}
