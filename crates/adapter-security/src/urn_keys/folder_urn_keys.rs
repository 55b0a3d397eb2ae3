use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use plenum_kernel::{PortFailure, RoundId};
use plenum_sealed_ballots::{Ballot, Plaintext, PublicKey, SealedAnswer, SealedBallot, UrnKey, open_all, seal};
use plenum_voting::{
    CastEnvelope, Envelope, HeldShare, KeyShare, OpenedBallot, PreparedKey, Sealing, UnlockError, UrnKeys,
};
use tokio::task::spawn_blocking;

use super::share_folder::{KeyFolderError, ShareFolder};
use crate::random::random;

/// The name of the folder in failures.
const FOLDER: &str = "the folder of vote keys";

/// Keys of secret rounds whose second share is in a folder of this instance. For several instances, use
/// [`SharedUrnKeys`](super::SharedUrnKeys).
#[derive(Clone)]
pub struct FolderUrnKeys(Arc<ShareFolder>);

impl FolderUrnKeys {
    /// Opens the folder: makes it if it is missing, takes it for this instance until the last clone is dropped, and removes what a
    /// crash left. Blocks the thread, and does not wait for another instance.
    ///
    /// # Errors
    /// Fails when it cannot be used, others than its owner have access to it, or another instance uses it.
    pub fn open(folder: &Path) -> Result<Self, KeyFolderError> {
        ShareFolder::open(folder).map(|folder| Self(Arc::new(folder)))
    }

    /// Whether the folder is there. Changes nothing, also while an instance uses it, and blocks the thread.
    ///
    /// # Errors
    /// Fails when it cannot be used, or others than its owner have access to it.
    pub fn check(folder: &Path) -> Result<bool, KeyFolderError> {
        ShareFolder::check(folder)
    }

    /// Runs work on the folder on a thread that may block.
    async fn in_folder<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ShareFolder) -> io::Result<T> + Send + 'static,
    ) -> Result<T, PortFailure> {
        let folder = Arc::clone(&self.0);
        match spawn_blocking(move || work(&folder)).await {
            Ok(done) => done.map_err(|error| PortFailure::new(FOLDER, error)),
            Err(error) => Err(PortFailure::new(FOLDER, error)),
        }
    }

    /// The share of a round, if this instance has it.
    pub(super) async fn share(&self, round: RoundId) -> Result<Option<KeyShare>, PortFailure> {
        self.in_folder(move |folder| folder.read(round)).await
    }

    /// Stores a share durably unless the round has one, and returns that which it has.
    pub(super) async fn keep(&self, round: RoundId, share: KeyShare) -> Result<KeyShare, PortFailure> {
        self.in_folder(move |folder| folder.store(round, share)).await
    }
}

impl fmt::Debug for FolderUrnKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FolderUrnKeys(…)")
    }
}

/// The key of a round with a new share for the database.
fn prepared(round: RoundId, folder_share: &KeyShare) -> PreparedKey {
    let database_share = KeyShare(random());
    PreparedKey { round, public_key: public_key(round, &database_share, folder_share), database_share, holders: 1 }
}

fn public_key(round: RoundId, database_share: &KeyShare, folder_share: &KeyShare) -> Vec<u8> {
    UrnKey::derive(&database_share.0, &folder_share.0, round.as_uuid()).public_key().as_bytes().to_vec()
}

fn plaintext_of(ballot: &OpenedBallot) -> Vec<u8> {
    let answer = match ballot.clone() {
        // A question has at most 100 options.
        OpenedBallot::Options(positions) => {
            SealedAnswer::Options(positions.into_iter().filter_map(|position| u16::try_from(position).ok()).collect())
        }
        OpenedBallot::Number(number) => SealedAnswer::Number(number),
        OpenedBallot::Text(text) => SealedAnswer::Text(text),
    };
    answer.write()
}

/// The ballot in a plaintext. `None` if there is none.
fn ballot_in(plaintext: &[u8]) -> Option<OpenedBallot> {
    Some(match SealedAnswer::parse(plaintext).ok()? {
        SealedAnswer::Options(positions) => OpenedBallot::Options(positions.into_iter().map(u32::from).collect()),
        SealedAnswer::Number(number) => OpenedBallot::Number(number),
        SealedAnswer::Text(text) => OpenedBallot::Text(text),
    })
}

#[async_trait]
impl UrnKeys for FolderUrnKeys {
    async fn prepare(&self, round: RoundId) -> Result<PreparedKey, PortFailure> {
        Ok(prepared(round, &self.keep(round, KeyShare(random())).await?))
    }

    async fn fetch(&self, round: RoundId) -> Result<(), UnlockError> {
        self.share(round).await?.map(drop).ok_or(UnlockError::ShareLost)
    }

    async fn public_key(&self, round: RoundId, database_share: &KeyShare) -> Result<Vec<u8>, UnlockError> {
        let folder_share = self.share(round).await?.ok_or(UnlockError::ShareLost)?;
        Ok(public_key(round, database_share, &folder_share))
    }

    fn unlock(
        &self,
        round: RoundId,
        public_key: &[u8],
        database_share: &KeyShare,
        envelopes: &[CastEnvelope],
    ) -> Result<Vec<Option<OpenedBallot>>, UnlockError> {
        let folder_share = self.0.read(round).map_err(|error| PortFailure::new(FOLDER, error))?;
        let folder_share = folder_share.ok_or(UnlockError::ShareLost)?;
        let key = UrnKey::derive(&database_share.0, &folder_share.0, round.as_uuid());
        if key.public_key().as_bytes() != public_key {
            return Err(PortFailure::damaged("the key of the urn", "its shares do not fit its public key").into());
        }
        let ballots: Vec<_> = envelopes
            .iter()
            .map(|cast| SealedBallot { voter: cast.voter.as_uuid(), envelope: &cast.envelope.0 })
            .collect();
        let opened = open_all(&key, round.as_uuid(), &ballots);
        Ok(opened.into_iter().map(|plaintext| ballot_in(&plaintext?)).collect())
    }

    fn seal(&self, ballot: &OpenedBallot, size: usize, sealing: Sealing) -> Result<Envelope, PortFailure> {
        let Sealing { round, public_key, voter } = sealing;
        let public_key = PublicKey::parse(&public_key).map_err(|error| PortFailure::new("sealing", error))?;
        let context = Ballot { round: round.as_uuid(), voter: voter.as_uuid() };
        let plaintext = Plaintext { bytes: &plaintext_of(ballot), size };
        seal(&public_key, &context, plaintext, &random())
            .map(Envelope)
            .map_err(|error| PortFailure::new("sealing", error))
    }

    async fn destroy(&self, round: RoundId) -> Result<(), PortFailure> {
        self.in_folder(move |folder| folder.destroy(round)).await
    }

    async fn held(&self) -> Result<Vec<HeldShare>, PortFailure> {
        self.in_folder(ShareFolder::list).await
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::Deref;

    use plenum_kernel::testkit::CountingIds;
    use tempfile::TempDir;

    use super::*;

    /// Keys in a folder that lives as long as they do.
    struct TemporaryKeys {
        keys: FolderUrnKeys,
        dir: TempDir,
    }

    impl TemporaryKeys {
        fn new() -> Self {
            let dir = TempDir::new().unwrap();
            Self { keys: FolderUrnKeys::open(&dir.path().join("keys")).unwrap(), dir }
        }
    }

    impl Deref for TemporaryKeys {
        type Target = FolderUrnKeys;

        fn deref(&self) -> &FolderUrnKeys {
            &self.keys
        }
    }

    mod contract {
        use super::TemporaryKeys;

        plenum_voting::urn_keys_contract!(TemporaryKeys::new());
    }

    #[tokio::test]
    async fn a_damaged_share_is_lost() {
        let keys = TemporaryKeys::new();
        let key = keys.prepare(RoundId::new(&CountingIds::new())).await.unwrap();
        fs::write(keys.dir.path().join("keys").join(key.round.to_string()), "damaged").unwrap();
        assert!(matches!(keys.fetch(key.round).await, Err(UnlockError::ShareLost)));
        let opened = keys.unlock(key.round, &key.public_key, &key.database_share, &[]);
        assert!(matches!(opened, Err(UnlockError::ShareLost)));
    }

    #[tokio::test]
    async fn a_folder_that_is_gone_is_a_failure() {
        let keys = TemporaryKeys::new();
        let folder = keys.dir.path().join("keys");
        fs::remove_dir(&folder).unwrap();
        assert!(matches!(keys.fetch(RoundId::new(&CountingIds::new())).await, Err(UnlockError::Port(_))));
        // Root can write to any folder, and nobody can write below a file.
        fs::write(&folder, "").unwrap();
        let round = RoundId::new(&CountingIds::new());
        assert_eq!(keys.prepare(round).await.unwrap_err().to_string(), "the folder of vote keys is unavailable");
        assert!(matches!(keys.fetch(round).await, Err(UnlockError::Port(_))));
        assert!(keys.destroy(round).await.is_err());
        assert!(keys.held().await.is_err());
        assert_eq!(fs::read(&folder).unwrap(), b"");
    }
}
