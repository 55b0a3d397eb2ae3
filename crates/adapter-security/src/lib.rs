//! Passwords, tokens, secrets, ids and the time, by the operating system and standard algorithms.
//!
//! Only this crate may ask the system for the time, for new ids and for randomness. All other crates use the ports of
//! the kernel. This crate does not know the meaning of a password or a token.

mod checksum;
mod derived_key;
mod evidence_key_ring;
mod factor_cipher;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod hashing;
mod hmac_device_tokens;
mod installation;
mod jwt_tokens;
mod keyed_link_tokens;
mod keyed_refresh_tokens;
mod os_secrets;
mod random;
mod system_clock;
mod time_ordered_ids;
mod urn_keys;

pub use checksum::Checksum;
pub use evidence_key_ring::{EvidenceKeyRing, UnfitKeyRing};
pub use factor_cipher::FactorCipher;
pub use hashing::bcrypt_hasher::{BcryptHasher, BcryptSettings, StartHasherError};
#[cfg(feature = "testkit")]
pub use hashing::threads::HeldThreads;
pub use hmac_device_tokens::HmacDeviceTokens;
pub use installation::installation_name;
pub use jwt_tokens::{JwtTokens, ShortKey};
pub use keyed_link_tokens::KeyedLinkTokens;
pub use keyed_refresh_tokens::KeyedRefreshTokens;
pub use os_secrets::OsSecrets;
pub use system_clock::SystemClock;
pub use time_ordered_ids::TimeOrderedIds;
pub use urn_keys::{FolderUrnKeys, KeyFolderError, SharedUrnKeys};
