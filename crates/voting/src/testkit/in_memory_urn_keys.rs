use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use plenum_kernel::testkit::StillClock;
use plenum_kernel::{Clock as _, EndUserId, PortFailure, RoundId};
use sha2::{Digest as _, Sha256};

use crate::{CastEnvelope, Envelope, HeldShare, KeyShare, PreparedKey, UnlockError, UnsealedBallot, UrnKeys};

const PUBLIC_KEY_LENGTH: usize = 65;
const TAG_LENGTH: usize = 16;
const MARK: u8 = 0x80;

/// Keys of secret rounds for tests. Whoever has the public key can open the envelopes, so they are not secret. They have the
/// size of real ones, and open for their key, round and voter only.
#[derive(Debug, Default)]
pub struct InMemoryUrnKeys {
    shares: Mutex<HashMap<RoundId, HeldShare>>,
    counter: AtomicU64,
    clock: StillClock,
}

impl InMemoryUrnKeys {
    /// Keys without any share.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loses the share of a round, as a broken disk does.
    pub fn lose(&self, round: RoundId) {
        self.shares().remove(&round);
    }

    fn shares(&self) -> MutexGuard<'_, HashMap<RoundId, HeldShare>> {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> [u8; 32] {
        hash(&[b"number", &self.counter.fetch_add(1, Ordering::Relaxed).to_be_bytes()])
    }
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

fn public_key(database_share: &KeyShare, round: RoundId) -> Vec<u8> {
    let half = hash(&[b"public key", &database_share.0, round.as_uuid().as_bytes()]);
    [&[4], &half[..], &half].concat()
}

/// Encrypts or decrypts: both are the same.
fn mask(public_key: &[u8], nonce: &[u8], text: &mut [u8]) {
    for (number, block) in (0_u32..).zip(text.chunks_mut(32)) {
        let stream = hash(&[b"stream", public_key, nonce, &number.to_be_bytes()]);
        block.iter_mut().zip(stream).for_each(|(byte, mask)| *byte ^= mask);
    }
}

/// The tag over everything between the version and the tag.
fn tag(public_key: &[u8], round: RoundId, voter: EndUserId, content: &[u8]) -> Vec<u8> {
    hash(&[b"tag", public_key, round.as_uuid().as_bytes(), voter.as_uuid().as_bytes(), content])[..TAG_LENGTH].to_vec()
}

fn open(public_key: &[u8], round: RoundId, cast: &CastEnvelope) -> Option<Vec<u8>> {
    let rest = cast.envelope.0.strip_prefix(&[1])?;
    let (content, found) = rest.split_at_checked(rest.len().checked_sub(TAG_LENGTH)?)?;
    if found != tag(public_key, round, cast.voter, content) {
        return None;
    }
    let (nonce, masked) = content.split_at_checked(PUBLIC_KEY_LENGTH)?;
    let mut text = masked.to_vec();
    mask(public_key, nonce, &mut text);
    let mark = text.iter().rposition(|byte| *byte == MARK)?;
    text.truncate(mark);
    Some(text)
}

#[async_trait]
impl UrnKeys for InMemoryUrnKeys {
    async fn prepare(&self, round: RoundId) -> Result<PreparedKey, PortFailure> {
        let held = HeldShare { round, stored_at: self.clock.now() };
        self.shares().entry(round).or_insert(held);
        let database_share = KeyShare(self.next());
        Ok(PreparedKey { round, public_key: public_key(&database_share, round), database_share, holders: 1 })
    }

    async fn fetch(&self, round: RoundId) -> Result<(), UnlockError> {
        if self.shares().contains_key(&round) { Ok(()) } else { Err(UnlockError::ShareLost) }
    }

    fn unlock(
        &self,
        round: RoundId,
        expected: &[u8],
        database_share: &KeyShare,
        envelopes: &[CastEnvelope],
    ) -> Result<Vec<Option<Vec<u8>>>, UnlockError> {
        if !self.shares().contains_key(&round) {
            return Err(UnlockError::ShareLost);
        }
        if public_key(database_share, round) != expected {
            return Err(PortFailure::damaged("the key of the urn", "its shares do not fit").into());
        }
        Ok(envelopes.iter().map(|cast| open(expected, round, cast)).collect())
    }

    fn seal(&self, public_key: &[u8], ballot: &UnsealedBallot) -> Result<Envelope, PortFailure> {
        if public_key.len() != PUBLIC_KEY_LENGTH || public_key[0] != 4 {
            return Err(PortFailure::new("sealing", "the public key is none"));
        }
        if ballot.plaintext.len() >= ballot.size {
            return Err(PortFailure::new("sealing", "the answer is too long"));
        }
        let mut text = ballot.plaintext.clone();
        text.push(MARK);
        text.resize(ballot.size, 0);
        let half = self.next();
        let nonce = [&[4], &half[..], &half].concat();
        mask(public_key, &nonce, &mut text);
        let content = [nonce, text].concat();
        let tag = tag(public_key, ballot.round, ballot.voter, &content);
        Ok(Envelope([&[1], &content[..], &tag].concat()))
    }

    async fn destroy(&self, round: RoundId) -> Result<(), PortFailure> {
        self.lose(round);
        Ok(())
    }

    async fn held(&self) -> Result<Vec<HeldShare>, PortFailure> {
        Ok(self.shares().values().copied().collect())
    }
}
