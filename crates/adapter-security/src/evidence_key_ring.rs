use std::fmt;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use plenum_kernel::{Endorsement, EvidenceKey, EvidenceKeys};
use plenum_result_format::{fingerprint_of, from_hexadecimal, hexadecimal, succession_message};
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};

/// The format of the key file.
const FORMAT: &str = "plenum-evidence-key/1";

/// The key that signs records and files, with the public keys before it.
pub struct EvidenceKeyRing {
    seed: [u8; 32],
    pair: Ed25519KeyPair,
    keys: Vec<EvidenceKey>,
}

/// The reason why a text is not a valid key ring.
#[derive(Debug, thiserror::Error)]
pub enum UnfitKeyRing {
    /// It is not JSON of this format.
    #[error("is not a Plenum key file, or is damaged: {0}")]
    Unreadable(serde_json::Error),
    /// It has another format.
    #[error("has the format {0:?}, which this version cannot read")]
    OtherFormat(String),
    /// Its secret key does not belong to its last public key, or a key is not signed by the one before it.
    #[error("is damaged: {0}")]
    Contradictory(&'static str),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RingFile {
    format: String,
    /// The secret key, in Base64.
    seed: String,
    keys: Vec<KeyEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct KeyEntry {
    public_key: String,
    created_at: DateTime<Utc>,
    retired_at: Option<DateTime<Utc>>,
    endorsed_by: Option<String>,
    endorsement: Option<String>,
    #[serde(default)]
    is_lost: bool,
}

impl EvidenceKeyRing {
    /// A ring with one new key.
    ///
    /// # Panics
    /// When the system supplies no randomness, because a predictable key would be worse.
    pub fn generate(now: DateTime<Utc>) -> Self {
        let (seed, pair) = new_pair();
        let key = key_of(&pair, now, None);
        Self { seed, pair, keys: vec![key] }
    }

    /// The ring with a new key, which the current key signs. After that, the current key signs nothing.
    #[must_use]
    pub fn rotated(&self, now: DateTime<Utc>) -> Self {
        let (seed, pair) = new_pair();
        let endorsement = self.sign(&succession_message(pair.public_key().as_ref()));
        let by = self.fingerprint().to_owned();
        let mut keys = self.keys.clone();
        if let Some(last) = keys.last_mut() {
            last.retired_at = Some(now);
        }
        keys.push(key_of(&pair, now, Some(Endorsement { by, signature: endorsement })));
        Self { seed, pair, keys }
    }

    /// A ring with one new key, which replaces lost ones. They cannot sign it, and are only known by their public keys.
    ///
    /// # Panics
    /// As [`Self::generate`].
    pub fn replacing(lost: Vec<EvidenceKey>, now: DateTime<Utc>) -> Self {
        let Self { seed, pair, keys } = Self::generate(now);
        let mut all = lost;
        if let Some(last) = all.last_mut() {
            last.retired_at = last.retired_at.or(Some(now));
            last.is_lost = true;
        }
        all.extend(keys);
        Self { seed, pair, keys: all }
    }

    /// The ring that also knows these public keys, which signed in place of it. Its current key goes on signing.
    #[must_use]
    pub fn knowing(self, others: Vec<EvidenceKey>, now: DateTime<Utc>) -> Self {
        let is_new = |key: &EvidenceKey| self.keys.iter().all(|known| known.public_key != key.public_key);
        let mut all: Vec<EvidenceKey> = Vec::new();
        for mut key in others.into_iter().filter(is_new) {
            // A key whose predecessor is not known here has no link to it.
            let by = key.endorsement.as_ref().map(|endorsement| &endorsement.by);
            let is_linked = by.is_some() && by == all.last().map(|before| &before.fingerprint);
            if !is_linked {
                key.endorsement = None;
                if let Some(before) = all.last_mut() {
                    before.is_lost = true;
                }
            }
            all.push(key);
        }
        if let Some(last) = all.last_mut() {
            last.retired_at = last.retired_at.or(Some(now));
            last.is_lost = true;
        }
        all.extend(self.keys);
        Self { keys: all, ..self }
    }

    /// Reads the content of a key file.
    ///
    /// # Errors
    /// States why it cannot be used.
    pub fn parse(text: &[u8]) -> Result<Self, UnfitKeyRing> {
        let file: RingFile = serde_json::from_slice(text).map_err(UnfitKeyRing::Unreadable)?;
        if file.format != FORMAT {
            return Err(UnfitKeyRing::OtherFormat(file.format));
        }
        let contradictory = UnfitKeyRing::Contradictory;
        let seed = STANDARD.decode(&file.seed).ok().and_then(|seed| <[u8; 32]>::try_from(seed).ok());
        let seed = seed.ok_or(contradictory("its secret key has not 32 bytes"))?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| contradictory("its secret key is none"))?;
        let keys = file.keys.into_iter().map(read_key).collect::<Option<Vec<_>>>();
        let keys = keys.ok_or(contradictory("one of its public keys is none"))?;
        if keys.last().is_none_or(|last| last.public_key != pair.public_key().as_ref()) {
            return Err(contradictory("its secret key does not belong to its last public key"));
        }
        if !are_linked(&keys) {
            return Err(contradictory("a key is not signed by the one before it"));
        }
        Ok(Self { seed, pair, keys })
    }

    /// The content of a key file. It holds the secret key.
    pub fn to_file(&self) -> String {
        let entry = |key: &EvidenceKey| KeyEntry {
            public_key: hexadecimal(&key.public_key),
            created_at: key.created_at,
            retired_at: key.retired_at,
            endorsed_by: key.endorsement.as_ref().map(|endorsement| endorsement.by.clone()),
            endorsement: key.endorsement.as_ref().map(|endorsement| hexadecimal(&endorsement.signature)),
            is_lost: key.is_lost,
        };
        let file = RingFile {
            format: FORMAT.to_owned(),
            seed: STANDARD.encode(self.seed),
            keys: self.keys.iter().map(entry).collect(),
        };
        // Texts and times can always be serialized.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }
}

impl fmt::Debug for EvidenceKeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EvidenceKeyRing({})", self.fingerprint())
    }
}

impl EvidenceKeys for EvidenceKeyRing {
    fn fingerprint(&self) -> &str {
        self.keys.last().map_or("", |key| &key.fingerprint)
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.pair.sign(message).as_ref().to_vec()
    }

    fn is_signed(&self, fingerprint: &str, message: &[u8], signature: &[u8]) -> bool {
        let key = self.keys.iter().find(|key| key.fingerprint == fingerprint);
        key.is_some_and(|key| is_signature(&key.public_key, message, signature))
    }

    fn published(&self) -> &[EvidenceKey] {
        &self.keys
    }
}

fn new_pair() -> ([u8; 32], Ed25519KeyPair) {
    let mut seed = [0; 32];
    rand::RngCore::fill_bytes(&mut OsRng.unwrap_err(), &mut seed);
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).expect("any 32 bytes are a key of Ed25519");
    (seed, pair)
}

fn key_of(pair: &Ed25519KeyPair, created_at: DateTime<Utc>, endorsement: Option<Endorsement>) -> EvidenceKey {
    let mut public_key = [0; 32];
    public_key.copy_from_slice(pair.public_key().as_ref());
    EvidenceKey {
        fingerprint: fingerprint_of(&public_key),
        public_key,
        created_at,
        retired_at: None,
        endorsement,
        is_lost: false,
    }
}

fn read_key(entry: KeyEntry) -> Option<EvidenceKey> {
    let public_key = <[u8; 32]>::try_from(from_hexadecimal(&entry.public_key)?).ok()?;
    let endorsement = match (entry.endorsed_by, entry.endorsement) {
        (Some(by), Some(signature)) => Some(Endorsement { by, signature: from_hexadecimal(&signature)? }),
        (None, None) => None,
        _ => return None,
    };
    Some(EvidenceKey {
        fingerprint: fingerprint_of(&public_key),
        public_key,
        created_at: entry.created_at,
        retired_at: entry.retired_at,
        endorsement,
        is_lost: entry.is_lost,
    })
}

/// Whether each key after the first is signed by the one before it, unless that was lost.
fn are_linked(keys: &[EvidenceKey]) -> bool {
    let is_link = |pair: &[EvidenceKey]| match (&pair[0], &pair[1].endorsement) {
        (before, Some(endorsement)) => {
            endorsement.by == before.fingerprint
                && is_signature(&before.public_key, &succession_message(&pair[1].public_key), &endorsement.signature)
        }
        (before, None) => before.is_lost,
    };
    keys.first().is_some_and(|first| first.endorsement.is_none()) && keys.windows(2).all(is_link)
}

fn is_signature(public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    UnparsedPublicKey::new(&ED25519, public_key).verify(message, signature).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(second, 0).unwrap()
    }

    #[test]
    fn a_ring_reads_what_it_wrote_and_signs_alike() {
        let ring = EvidenceKeyRing::generate(at(1)).rotated(at(2)).rotated(at(3));
        let read = EvidenceKeyRing::parse(ring.to_file().as_bytes()).unwrap();
        assert_eq!(read.published(), ring.published());
        let signature = ring.sign(b"message");
        assert_eq!(read.sign(b"message"), signature);
        assert!(read.is_signed(ring.fingerprint(), b"message", &signature));
        assert!(!read.is_signed(ring.fingerprint(), b"massage", &signature));
        assert!(!read.is_signed(&ring.published()[0].fingerprint, b"message", &signature));
        assert!(!read.is_signed("none", b"message", &signature));
    }

    #[test]
    fn earlier_keys_stay_published_and_signatures_valid() {
        let first = EvidenceKeyRing::generate(at(1));
        let signature = first.sign(b"message");
        let second = first.rotated(at(2));
        assert_ne!(first.fingerprint(), second.fingerprint());
        assert!(second.is_signed(first.fingerprint(), b"message", &signature));
        let [retired, present] = second.published() else { panic!("two keys") };
        assert_eq!((retired.retired_at, present.retired_at), (Some(at(2)), None));
        assert_eq!(present.endorsement.as_ref().unwrap().by, first.fingerprint());
    }

    #[test]
    fn a_lost_key_stays_published_and_signs_nothing() {
        let lost = EvidenceKeyRing::generate(at(1)).rotated(at(2));
        let signature = lost.sign(b"message");
        let ring = EvidenceKeyRing::replacing(lost.keys.clone(), at(3)).rotated(at(4));
        let read = EvidenceKeyRing::parse(ring.to_file().as_bytes()).unwrap();
        assert!(read.is_signed(lost.fingerprint(), b"message", &signature));
        let are_lost: Vec<_> = read.published().iter().map(|key| key.is_lost).collect();
        assert_eq!(are_lost, [false, true, false, false]);
        let found = ring.to_file().replace("\"isLost\": true", "\"isLost\": false");
        assert!(EvidenceKeyRing::parse(found.as_bytes()).is_err());
    }

    #[test]
    fn a_ring_that_is_found_again_knows_the_keys_that_signed_in_place_of_it() {
        let found = EvidenceKeyRing::generate(at(1)).rotated(at(2));
        let signing = found.fingerprint().to_owned();
        let in_place = EvidenceKeyRing::replacing(found.keys.clone(), at(3)).rotated(at(4));
        let signature = in_place.sign(b"message");
        let ring = found.knowing(in_place.keys.clone(), at(5));
        let read = EvidenceKeyRing::parse(ring.to_file().as_bytes()).unwrap();
        assert_eq!((read.fingerprint(), read.published().len()), (signing.as_str(), 4));
        assert!(read.is_signed(in_place.fingerprint(), b"message", &signature));
        let are_lost: Vec<_> = read.published().iter().map(|key| key.is_lost).collect();
        assert_eq!(are_lost, [false, true, false, false], "the present key signs");
        assert!(read.published()[1].retired_at.is_some());
        let again = read.knowing(in_place.keys.clone(), at(6));
        assert_eq!(again.published().len(), 4, "each key is known once");
        let successor = EvidenceKeyRing::generate(at(1)).rotated(at(2));
        let of_old_copy = EvidenceKeyRing::generate(at(1)).knowing(successor.keys[1..].to_vec(), at(3));
        assert!(EvidenceKeyRing::parse(of_old_copy.to_file().as_bytes()).is_ok());
    }

    #[test]
    fn a_changed_file_is_refused() {
        let ring = EvidenceKeyRing::generate(at(1)).rotated(at(2));
        let other = EvidenceKeyRing::generate(at(1));
        let text = ring.to_file();
        let cut = &text[..text.len() / 2];
        let other_seed = text.replace(&STANDARD.encode(ring.seed), &STANDARD.encode(other.seed));
        let first = hexadecimal(&ring.keys[0].public_key);
        let other_first = text.replace(&first, &hexadecimal(&other.keys[0].public_key));
        let unsigned =
            text.replace(&hexadecimal(&ring.keys[1].endorsement.as_ref().unwrap().signature), &"00".repeat(64));
        for changed in ["", cut, &other_seed, &other_first, &unsigned, &text.replace("key/1", "key/2")] {
            assert!(EvidenceKeyRing::parse(changed.as_bytes()).is_err(), "{changed}");
        }
    }

    #[test]
    fn the_debug_form_holds_no_secret() {
        let ring = EvidenceKeyRing::generate(at(1));
        assert_eq!(format!("{ring:?}"), format!("EvidenceKeyRing({})", ring.fingerprint()));
    }
}
