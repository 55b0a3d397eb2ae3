use std::fmt;

use uuid::Uuid;

use crate::kdf::hkdf;
use crate::kem::{KeyPair, PublicKey};
use crate::{Ballot, Envelope};

/// The salt of the derivation. Another derivation needs another one.
const SALT: &[u8] = b"plenum urn key 1";

/// The key of an urn. It follows from two shares, of which each alone says nothing about it.
pub struct UrnKey(KeyPair);

impl UrnKey {
    /// Derives the key of a round: `DeriveKeyPair` (RFC 9180, section 7.1.3) with input keying material from HKDF-SHA256 over
    /// both shares, bound to the round.
    pub fn derive(database_share: &[u8; 32], folder_share: &[u8; 32], round: Uuid) -> Self {
        let ikm = hkdf(SALT, &[database_share, folder_share], round.as_bytes());
        Self(KeyPair::derive(ikm.expose()))
    }

    /// The public key, for which voters seal their ballots.
    pub fn public_key(&self) -> &PublicKey {
        self.0.public()
    }

    /// Opens an envelope. `None` if it was sealed for another key, round or voter, or altered.
    pub fn open(&self, ballot: &Ballot, envelope: &Envelope<'_>) -> Option<Vec<u8>> {
        envelope.open(&self.0, ballot)
    }
}

impl fmt::Debug for UrnKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UrnKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_depends_on_both_shares_and_the_round() {
        let public = |database, folder, round| {
            *UrnKey::derive(&[database; 32], &[folder; 32], Uuid::from_u128(round)).public_key().as_bytes()
        };
        let key = public(1, 2, 3);
        assert_eq!(key, public(1, 2, 3));
        for other in [public(9, 2, 3), public(1, 9, 3), public(1, 2, 9), public(2, 1, 3)] {
            assert_ne!(key, other);
        }
    }

    #[test]
    fn a_printed_key_says_nothing() {
        assert_eq!(format!("{:?}", UrnKey::derive(&[1; 32], &[2; 32], Uuid::nil())), "UrnKey(…)");
    }
}
