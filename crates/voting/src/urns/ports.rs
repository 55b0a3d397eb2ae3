use std::fmt;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{EndUserId, PortFailure, RoundId};

use crate::{Envelope, OpenedBallot};

/// One of the two shares from which the private key of an urn is derived. The other one is outside of the database.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyShare(pub [u8; 32]);

impl fmt::Debug for KeyShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyShare")
    }
}

/// The key of a secret round that is about to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedKey {
    /// The round.
    pub round: RoundId,
    /// The public key: an uncompressed point of P-256, 65 bytes.
    pub public_key: Vec<u8>,
    /// The share that the database stores.
    pub database_share: KeyShare,
    /// The number of instances that store the other share, at least 1.
    pub holders: u32,
}

/// An envelope with the voter for whom it was sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastEnvelope {
    /// The voter. An envelope that was sealed for another voter does not open.
    pub voter: EndUserId,
    /// The envelope.
    pub envelope: Envelope,
}

/// A share outside of the database, in the key folder of this instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldShare {
    /// The round.
    pub round: RoundId,
    /// When it was stored.
    pub stored_at: DateTime<Utc>,
}

/// The round and the voter for whom a ballot is sealed.
#[derive(Clone, Debug)]
pub struct Sealing {
    /// The round.
    pub round: RoundId,
    /// The public key of its urn.
    pub public_key: Vec<u8>,
    /// The voter.
    pub voter: EndUserId,
}

/// The reason why an urn was not opened.
#[derive(Debug, thiserror::Error)]
pub enum UnlockError {
    /// No instance that replied has the share outside of the database. Without it no envelope of the round can be opened.
    #[error("the key of this vote is lost")]
    ShareLost,
    /// The key folder did not respond, or the shares do not fit the public key.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Makes, uses and destroys the keys of secret rounds. A private key follows from two shares: one in the database, and one
/// in a file outside of it.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait UrnKeys: Send + Sync {
    /// Makes the key of a round. When it returns, the share outside of the database MUST be durable in the key folder of this
    /// instance, and of every other instance that acknowledged it. If the folder has a share of the round already, from an
    /// opening that did not commit or is repeated, it stays, and only the share for the database is new: a share is never
    /// replaced, because envelopes may depend on it.
    ///
    /// # Errors
    /// Fails when the folder cannot be written. Then nothing is left in it.
    async fn prepare(&self, round: RoundId) -> Result<PreparedKey, PortFailure>;

    /// Makes sure that this instance has the share of a round before its urn is opened: asks other instances if it does not.
    ///
    /// # Errors
    /// `ShareLost` when no instance that replied has it. A damaged share is one that is lost.
    async fn fetch(&self, round: RoundId) -> Result<(), UnlockError>;

    /// The public key of a round, which follows from both shares, in the form of [`PreparedKey::public_key`]. Gets the share
    /// outside of the database as [`Self::fetch`] does.
    ///
    /// # Errors
    /// Fails as [`Self::fetch`] does.
    async fn public_key(&self, round: RoundId, database_share: &KeyShare) -> Result<Vec<u8>, UnlockError>;

    /// Opens envelopes with the key of a round, in their order. `None` for one that does not open, or has no ballot inside:
    /// sealed with another key, for another round or voter, or damaged. Blocks the thread, and destroys nothing.
    ///
    /// # Errors
    /// `ShareLost` when this instance does not have the share.
    fn unlock(
        &self,
        round: RoundId,
        public_key: &[u8],
        database_share: &KeyShare,
        envelopes: &[CastEnvelope],
    ) -> Result<Vec<Option<OpenedBallot>>, UnlockError>;

    /// Seals a ballot for devices that cannot, padded to `size` bytes ([`crate::Wording::sealed_size`]).
    ///
    /// # Errors
    /// Fails when the public key is not a point of the curve, or the ballot is larger than `size`.
    fn seal(&self, ballot: &OpenedBallot, size: usize, sealing: Sealing) -> Result<Envelope, PortFailure>;

    /// Overwrites and deletes the share of a round, here and on the other instances. Succeeds if there is none.
    ///
    /// # Errors
    /// Fails when the folder cannot be changed.
    async fn destroy(&self, round: RoundId) -> Result<(), PortFailure>;

    /// The shares in the key folder of this instance.
    ///
    /// # Errors
    /// Fails when the folder cannot be read.
    async fn held(&self) -> Result<Vec<HeldShare>, PortFailure>;
}
