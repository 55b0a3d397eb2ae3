use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::EndUserId;

/// The time. A port, so that tests can control it.
pub trait Clock: Send + Sync {
    /// The current time, in UTC.
    fn now(&self) -> DateTime<Utc>;
}

/// The source of new ids.
pub trait NewIds: Send + Sync {
    /// A new unique UUID. Later ones sort after earlier ones.
    fn next_uuid(&self) -> Uuid;
}

/// The source of random secrets. It must be cryptographically secure.
pub trait Secrets: Send + Sync {
    /// A secret of 256 bits in characters that need no escaping in a URL, for refresh tokens and invitation links.
    fn token(&self) -> String;

    /// A password of 12 characters from letters, digits and `!@#$%^&*`, without those that look alike: 63 bits.
    fn password(&self) -> String;

    /// `length` random lower-case letters, for names without any usable character.
    fn letters(&self, length: usize) -> String;
}

/// Derives the tokens of personal links in mails from a stored seed, so that the queue of mails contains no usable token.
pub trait PersonalLinkTokens: Send + Sync {
    /// The token of this owner's link with this seed, in characters that need no escaping in a URL. MUST be the same at each
    /// call, and unpredictable for a reader of the database.
    fn token(&self, seed: &str, owner: EndUserId) -> String;
}

/// A public key of the evidence, with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceKey {
    /// Its name: the SHA-256 of the public key, in hexadecimal.
    pub fingerprint: String,
    /// The public key of Ed25519.
    pub public_key: [u8; 32],
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When the next key replaced it. `None` for the key that signs.
    pub retired_at: Option<DateTime<Utc>>,
    /// The signature of the key before it. `None` for the first key, and for one that replaces a lost key.
    pub endorsement: Option<Endorsement>,
    /// Whether the secret key was lost, so that it could not sign the next key.
    pub is_lost: bool,
}

/// The signature of a key under its successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endorsement {
    /// The fingerprint of the earlier key.
    pub by: String,
    /// Its signature.
    pub signature: Vec<u8>,
}

/// Signs records and files with the installation's key, which is not in the database.
pub trait EvidenceKeys: Send + Sync {
    /// The fingerprint of the key that signs.
    fn fingerprint(&self) -> &str;

    /// The Ed25519 signature of a message, by the current key.
    fn sign(&self, message: &[u8]) -> Vec<u8>;

    /// Whether this installation's key with this fingerprint signed the message.
    fn is_signed(&self, fingerprint: &str, message: &[u8], signature: &[u8]) -> bool;

    /// All keys of this installation, the first one first. The last one signs.
    fn published(&self) -> &[EvidenceKey];
}
