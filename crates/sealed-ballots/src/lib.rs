//! Sealed ballots. A voter's device seals an answer for an urn. The urn's key opens all envelopes at once, after the vote.
//!
//! - [`HPKE`](https://www.rfc-editor.org/rfc/rfc9180) in base mode, single shot: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256,
//!   AES-256-GCM (`kdf.rs`, `kem.rs`, `hpke.rs`)
//! - [`UrnKey`]: the key of an urn, which follows from two shares
//! - [`Envelope`]: the format of a sealed ballot, version 1, and [`seal`]
//! - [`SealedAnswer`]: the plaintext of a ballot, and [`plaintext_size`], to which it is padded
//! - [`open_all`]: opens the envelopes of an urn on all processors
//!
//! The crate is pure: the caller supplies all randomness. It knows nothing of Plenum's records, so that the server and an
//! independent check can share it. `frontend/src/shared/sealing` is the same in the browser. The files in `fixtures` are read
//! by the tests of both.

mod answer;
mod envelope;
#[cfg(test)]
mod fixtures;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
#[cfg(test)]
mod hex;
mod hpke;
mod kdf;
mod kem;
mod open_all;
mod padding;
mod secret;
mod urn_key;

pub use answer::{BadPlaintext, SealedAnswer};
pub use envelope::{Ballot, Envelope, MalformedEnvelope, Plaintext, SealError, seal};
pub use kem::{BadPublicKey, PUBLIC_KEY_LENGTH, PublicKey};
pub use open_all::{SealedBallot, open_all};
pub use padding::{AnswerKind, envelope_size, plaintext_size};
pub use urn_key::UrnKey;
