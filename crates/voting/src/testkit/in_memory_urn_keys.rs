use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use plenum_kernel::testkit::StillClock;
use plenum_kernel::{Clock as _, EndUserId, PortFailure, RoundId};
use sha2::{Digest as _, Sha256};

use crate::{CastEnvelope, Envelope, HeldShare, KeyShare, OpenedBallot, PreparedKey, Sealing, UnlockError, UrnKeys};

const PUBLIC_KEY_LENGTH: usize = 65;
const TAG_LENGTH: usize = 16;
const MARK: u8 = 0x80;

/// Keys of secret rounds for tests. Whoever has the public key can open the envelopes, so they are not secret. They have the
/// size of real ones, and open for their key, round and voter only. Clones share one folder.
#[derive(Clone, Debug, Default)]
pub struct InMemoryUrnKeys(Arc<Folder>);

#[derive(Debug, Default)]
struct Folder {
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
        self.0.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> [u8; 32] {
        hash(&[b"number", &self.0.counter.fetch_add(1, Ordering::Relaxed).to_be_bytes()])
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

fn tag(public_key: &[u8], (round, voter): (RoundId, EndUserId), nonce: &[u8], masked: &[u8]) -> Vec<u8> {
    hash(&[b"tag", public_key, round.as_uuid().as_bytes(), voter.as_uuid().as_bytes(), nonce, masked])[..TAG_LENGTH]
        .to_vec()
}

fn open(public_key: &[u8], round: RoundId, cast: &CastEnvelope) -> Option<Vec<u8>> {
    let (1, rest) = cast.envelope.0.split_first().map(|(version, rest)| (*version, rest))? else { return None };
    let (nonce, rest) = rest.split_at_checked(PUBLIC_KEY_LENGTH)?;
    let (masked, found) = rest.split_at_checked(rest.len().checked_sub(TAG_LENGTH)?)?;
    if found != tag(public_key, (round, cast.voter), nonce, masked) {
        return None;
    }
    let mut text = masked.to_vec();
    mask(public_key, nonce, &mut text);
    let mark = text.iter().rposition(|byte| *byte == MARK)?;
    text.truncate(mark);
    Some(text)
}

/// A ballot as a letter for its kind and its content.
fn written(ballot: &OpenedBallot) -> Vec<u8> {
    let text = match ballot {
        OpenedBallot::Options(positions) => {
            let positions: Vec<String> = positions.iter().map(ToString::to_string).collect();
            format!("o{}", positions.join(","))
        }
        OpenedBallot::Number(number) => format!("n{number}"),
        OpenedBallot::Text(text) => format!("t{text}"),
    };
    text.into_bytes()
}

fn read(plaintext: &[u8]) -> Option<OpenedBallot> {
    let (kind, content) = std::str::from_utf8(plaintext).ok()?.split_at_checked(1)?;
    match kind {
        "o" => {
            let positions = content.split(',').map(|position| position.parse().ok());
            positions.collect::<Option<_>>().map(OpenedBallot::Options)
        }
        "n" => Some(OpenedBallot::Number(content.to_owned())),
        "t" => Some(OpenedBallot::Text(content.to_owned())),
        _ => None,
    }
}

#[async_trait]
impl UrnKeys for InMemoryUrnKeys {
    async fn prepare(&self, round: RoundId) -> Result<PreparedKey, PortFailure> {
        let held = HeldShare { round, stored_at: self.0.clock.now() };
        self.shares().entry(round).or_insert(held);
        let database_share = KeyShare(self.next());
        Ok(PreparedKey { round, public_key: public_key(&database_share, round), database_share, holders: 1 })
    }

    async fn fetch(&self, round: RoundId) -> Result<(), UnlockError> {
        if self.shares().contains_key(&round) { Ok(()) } else { Err(UnlockError::ShareLost) }
    }

    async fn public_key(&self, round: RoundId, database_share: &KeyShare) -> Result<Vec<u8>, UnlockError> {
        self.fetch(round).await?;
        Ok(public_key(database_share, round))
    }

    fn unlock(
        &self,
        round: RoundId,
        expected: &[u8],
        database_share: &KeyShare,
        envelopes: &[CastEnvelope],
    ) -> Result<Vec<Option<OpenedBallot>>, UnlockError> {
        if !self.shares().contains_key(&round) {
            return Err(UnlockError::ShareLost);
        }
        if public_key(database_share, round) != expected {
            return Err(PortFailure::damaged("the key of the urn", "its shares do not fit").into());
        }
        Ok(envelopes.iter().map(|cast| read(&open(expected, round, cast)?)).collect())
    }

    fn seal(&self, ballot: &OpenedBallot, size: usize, sealing: Sealing) -> Result<Envelope, PortFailure> {
        let Sealing { round, public_key, voter } = sealing;
        if public_key.len() != PUBLIC_KEY_LENGTH || public_key[0] != 4 {
            return Err(PortFailure::new("sealing", "the public key is none"));
        }
        let mut text = written(ballot);
        if text.len() >= size {
            return Err(PortFailure::new("sealing", "the answer is too long"));
        }
        text.push(MARK);
        text.resize(size, 0);
        let half = self.next();
        let nonce = [&[4], &half[..], &half].concat();
        mask(&public_key, &nonce, &mut text);
        let tag = tag(&public_key, (round, voter), &nonce, &text);
        Ok(Envelope([&[1], &nonce[..], &text, &tag].concat()))
    }

    async fn destroy(&self, round: RoundId) -> Result<(), PortFailure> {
        self.lose(round);
        Ok(())
    }

    async fn held(&self) -> Result<Vec<HeldShare>, PortFailure> {
        Ok(self.shares().values().copied().collect())
    }
}
