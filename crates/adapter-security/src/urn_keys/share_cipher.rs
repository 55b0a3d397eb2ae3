use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use plenum_kernel::{InstanceId, RoundId};
use plenum_voting::{KeyShare, ShareMessage};
use uuid::Uuid;

use crate::derived_key::derived_key;
use crate::random::random;

const HELLO: u8 = 0;
const OFFER: u8 = 1;
const ASK: u8 = 2;
const DESTROY: u8 = 3;
const DONE: u8 = 10;
const SHARE: u8 = 11;
const NONE: u8 = 12;

/// What an instance wants of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Reply, so that this instance knows who is there.
    Hello,
    /// Store this share of a round.
    Offer(RoundId, KeyShare),
    /// Send the share of a round.
    Ask(RoundId),
    /// Destroy the share of a round.
    Destroy(RoundId),
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The offered share is stored durably, or the share is destroyed, or this instance is there.
    Done,
    /// The share of the round.
    Share(KeyShare),
    /// This instance does not have the share, or could not do what was wanted.
    None,
}

/// Encrypts messages about shares with AES-256-GCM, by a key that all instances derive from the signing key. A message is a
/// random nonce, the ciphertext and its tag. It can be decrypted only as what it is, a request or a reply, and with its id.
pub(super) struct ShareCipher(LessSafeKey);

impl ShareCipher {
    const PURPOSE: &[u8] = b"plenum key shares between instances v1";

    pub(super) fn new(signing_key: &[u8]) -> Self {
        let key = UnboundKey::new(&AES_256_GCM, &derived_key(signing_key, Self::PURPOSE));
        Self(LessSafeKey::new(key.expect("the key has the length of the cipher")))
    }

    pub(super) fn seal_request(&self, id: Uuid, from: InstanceId, request: &Request) -> ShareMessage {
        let (kind, round, share) = match request {
            Request::Hello => (HELLO, RoundId::from_uuid(Uuid::nil()), None),
            Request::Offer(round, share) => (OFFER, *round, Some(share)),
            Request::Ask(round) => (ASK, *round, None),
            Request::Destroy(round) => (DESTROY, *round, None),
        };
        let share = share.map(|share| share.0.as_slice()).unwrap_or_default();
        let plaintext = [&[kind], &from.as_uuid().as_bytes()[..], round.as_uuid().as_bytes(), share].concat();
        self.seal(id, false, plaintext)
    }

    /// The sender and its request. `None` for a message that no instance of the installation sealed as a request.
    pub(super) fn open_request(&self, message: &ShareMessage) -> Option<(InstanceId, Request)> {
        let plaintext = self.open(message, false)?;
        let (kind, from, rest) = parts(&plaintext)?;
        let (round, rest) = rest.split_first_chunk()?;
        let round = RoundId::from_uuid(Uuid::from_bytes(*round));
        let request = match kind {
            HELLO => Request::Hello,
            OFFER => Request::Offer(round, KeyShare(rest.try_into().ok()?)),
            ASK => Request::Ask(round),
            DESTROY => Request::Destroy(round),
            _ => return None,
        };
        Some((from, request))
    }

    pub(super) fn seal_reply(&self, id: Uuid, from: InstanceId, reply: &Reply) -> ShareMessage {
        let (kind, share) = match reply {
            Reply::Done => (DONE, None),
            Reply::Share(share) => (SHARE, Some(share)),
            Reply::None => (NONE, None),
        };
        let share = share.map(|share| share.0.as_slice()).unwrap_or_default();
        self.seal(id, true, [&[kind], &from.as_uuid().as_bytes()[..], share].concat())
    }

    /// The sender and its reply. `None` for a message that no instance of the installation sealed as a reply.
    pub(super) fn open_reply(&self, message: &ShareMessage) -> Option<(InstanceId, Reply)> {
        let plaintext = self.open(message, true)?;
        let (kind, from, rest) = parts(&plaintext)?;
        let reply = match kind {
            DONE => Reply::Done,
            SHARE => Reply::Share(KeyShare(rest.try_into().ok()?)),
            NONE => Reply::None,
            _ => return None,
        };
        Some((from, reply))
    }

    fn seal(&self, request: Uuid, is_reply: bool, mut plaintext: Vec<u8>) -> ShareMessage {
        let nonce: [u8; NONCE_LEN] = random();
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), bound_to(request, is_reply), &mut plaintext)
            .expect("a short message");
        ShareMessage { request, content: [nonce.as_slice(), &plaintext].concat() }
    }

    fn open(&self, message: &ShareMessage, is_reply: bool) -> Option<Vec<u8>> {
        let (nonce, sealed) = message.content.split_first_chunk()?;
        let mut sealed = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let plaintext = self.0.open_in_place(nonce, bound_to(message.request, is_reply), &mut sealed).ok()?;
        Some(plaintext.to_vec())
    }
}

impl fmt::Debug for ShareCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareCipher(…)")
    }
}

/// The associated data that binds a message to its id and direction.
fn bound_to(request: Uuid, is_reply: bool) -> Aad<[u8; 17]> {
    let mut data = [0; 17];
    data[..16].copy_from_slice(request.as_bytes());
    data[16] = is_reply.into();
    Aad::from(data)
}

/// The kind, the sender and the rest.
fn parts(plaintext: &[u8]) -> Option<(u8, InstanceId, &[u8])> {
    let (kind, rest) = plaintext.split_first()?;
    let (from, rest) = rest.split_first_chunk()?;
    Some((*kind, InstanceId::from_uuid(Uuid::from_bytes(*from)), rest))
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    const SIGNING_KEY: &[u8] = &[7; 32];

    #[test]
    fn a_message_is_decrypted_as_what_it_is_and_by_its_installation_only() {
        let (ids, cipher, stranger) = (CountingIds::new(), ShareCipher::new(SIGNING_KEY), ShareCipher::new(&[8; 32]));
        let (from, round, id) = (InstanceId::new(&ids), RoundId::new(&ids), Uuid::from_u128(1));
        let offer = Request::Offer(round, KeyShare([1; 32]));
        for request in [Request::Hello, offer, Request::Ask(round), Request::Destroy(round)] {
            let message = cipher.seal_request(id, from, &request);
            assert_eq!(cipher.open_request(&message), Some((from, request)));
            assert_eq!(cipher.open_reply(&message), None);
            assert_eq!(stranger.open_request(&message), None);
            assert_eq!(cipher.open_request(&ShareMessage { request: Uuid::from_u128(2), ..message }), None);
        }
        for reply in [Reply::Done, Reply::Share(KeyShare([1; 32])), Reply::None] {
            let message = cipher.seal_reply(id, from, &reply);
            assert_eq!(cipher.open_reply(&message), Some((from, reply)));
            assert_eq!(cipher.open_request(&message), None);
            assert_eq!(stranger.open_reply(&message), None);
            assert_eq!(cipher.open_reply(&ShareMessage { request: Uuid::from_u128(2), ..message }), None);
        }
        assert_eq!(format!("{cipher:?}"), "ShareCipher(…)");
    }

    #[test]
    fn a_changed_or_truncated_message_is_ignored_and_none_contains_the_share() {
        let (ids, cipher) = (CountingIds::new(), ShareCipher::new(SIGNING_KEY));
        let (from, round) = (InstanceId::new(&ids), RoundId::new(&ids));
        let message = cipher.seal_request(Uuid::nil(), from, &Request::Offer(round, KeyShare([9; 32])));
        assert!(!message.content.windows(4).any(|bytes| bytes == [9; 4]));
        for place in 0..message.content.len() {
            let mut changed = message.clone();
            changed.content[place] ^= 1;
            assert_eq!(cipher.open_request(&changed), None, "{place}");
            changed.content.truncate(place);
            assert_eq!(cipher.open_request(&changed), None, "{place}");
        }
    }
}
