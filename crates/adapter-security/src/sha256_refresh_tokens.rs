use plenum_clients::{RefreshTokenHash, RefreshTokens};
use sha2::{Digest, Sha256};

/// Keeps refresh tokens as their SHA-256. Without a salt: 256 random bits cannot be guessed from a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sha256RefreshTokens;

impl RefreshTokens for Sha256RefreshTokens {
    fn hash(&self, token: &str) -> RefreshTokenHash {
        RefreshTokenHash(Sha256::digest(token.as_bytes()).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_sha_256_of_the_token() {
        let hash = Sha256RefreshTokens.hash("abc");
        // The first test vector of FIPS 180-2.
        assert_eq!(hash.0[..4], [0xba, 0x78, 0x16, 0xbf]);
        assert_eq!(hash.0.len(), 32);
        assert_eq!(hash, Sha256RefreshTokens.hash("abc"));
    }
}
