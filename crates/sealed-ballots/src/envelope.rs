//! The format of a sealed ballot.
//!
//! | bytes | content |
//! | --- | --- |
//! | 1 | the version, 1 |
//! | 65 | the encapsulated key: an uncompressed point of P-256 |
//! | the rest | the ciphertext of the padded plaintext, and its tag of 16 bytes |
//!
//! The information of HPKE is the text `plenum sealed ballot`, the version as a byte, the UUID of the round and that of the
//! voter, each in 16 bytes. So an envelope that was copied from another voter or round does not open. The associated data is
//! empty.

use std::fmt;

use uuid::Uuid;

use crate::hpke::{self, AES_256, Setting, TAG_LENGTH};
use crate::kem::{KeyPair, PUBLIC_KEY_LENGTH, PublicKey};
use crate::padding::{envelope_size, pad, unpad};

/// The version of the format.
const VERSION: u8 = 1;

const INFO: &[u8] = b"plenum sealed ballot";

/// The round and the voter for whom a ballot is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The round.
    pub round: Uuid,
    /// The voter.
    pub voter: Uuid,
}

impl Ballot {
    fn info(&self) -> Vec<u8> {
        [INFO, &[VERSION], self.round.as_bytes(), self.voter.as_bytes()].concat()
    }
}

/// An envelope whose parts are in place. Only the key of its urn shows whether it opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    encapsulated: PublicKey,
    ciphertext: &'a [u8],
}

/// The reason why bytes are not an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MalformedEnvelope {
    /// It has another version.
    UnknownVersion,
    /// It is too short to have all parts.
    TooShort,
    /// Its key is not an uncompressed point.
    BadKey,
}

impl fmt::Display for MalformedEnvelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownVersion => "the envelope has an unknown version",
            Self::TooShort => "the envelope is too short",
            Self::BadKey => "the key in the envelope is not an uncompressed point of P-256",
        })
    }
}

impl std::error::Error for MalformedEnvelope {}

impl<'a> Envelope<'a> {
    /// Finds the parts of an envelope.
    ///
    /// # Errors
    /// Refuses other bytes. The size is not compared with that of the question; see [`envelope_size`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, MalformedEnvelope> {
        let (version, rest) = bytes.split_first().ok_or(MalformedEnvelope::TooShort)?;
        if *version != VERSION {
            return Err(MalformedEnvelope::UnknownVersion);
        }
        let (key, ciphertext) = rest.split_at_checked(PUBLIC_KEY_LENGTH).ok_or(MalformedEnvelope::TooShort)?;
        if ciphertext.len() <= TAG_LENGTH {
            return Err(MalformedEnvelope::TooShort);
        }
        let encapsulated = PublicKey::parse(key).map_err(|_| MalformedEnvelope::BadKey)?;
        Ok(Self { encapsulated, ciphertext })
    }

    /// The plaintext without its padding. `None` if the envelope was sealed for another key, round or voter, or altered.
    pub(crate) fn open(&self, key: &KeyPair, ballot: &Ballot) -> Option<Vec<u8>> {
        let setting = Setting { aead: AES_256, info: &ballot.info(), aad: b"" };
        hpke::open(setting, key, &self.encapsulated, self.ciphertext).and_then(unpad)
    }
}

/// The plaintext of a ballot that is sealed.
#[derive(Clone, Copy)]
pub struct Plaintext<'a> {
    /// Its bytes; see [`SealedAnswer`](crate::SealedAnswer).
    pub bytes: &'a [u8],
    /// The number of bytes to which it is padded; see [`plaintext_size`](crate::plaintext_size).
    pub size: usize,
}

impl fmt::Debug for Plaintext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plaintext(…)")
    }
}

/// The reason why a ballot cannot be sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealError {
    /// The public key of the urn is not on the curve.
    BadKey,
    /// The plaintext is longer than the question allows.
    TooLong,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadKey => "the public key of the urn is not a point of P-256",
            Self::TooLong => "the answer is too long to be sealed",
        })
    }
}

impl std::error::Error for SealError {}

/// Seals a plaintext. `ephemeral` are random bytes, which MUST be used once and never stored: the
/// ephemeral key pair is derived from them (RFC 9180, section 7.1.3).
///
/// # Errors
/// Refuses a plaintext that does not fit, and a key that is not on the curve.
pub fn seal(
    urn: &PublicKey,
    ballot: &Ballot,
    plaintext: Plaintext<'_>,
    ephemeral: &[u8; 32],
) -> Result<Vec<u8>, SealError> {
    let ephemeral = KeyPair::derive(ephemeral);
    // Encrypted in place, so nothing else needs to be overwritten.
    let mut message = pad(plaintext.bytes, plaintext.size).ok_or(SealError::TooLong)?;
    let setting = Setting { aead: AES_256, info: &ballot.info(), aad: b"" };
    hpke::seal(setting, urn, &ephemeral, &mut message).ok_or(SealError::BadKey)?;
    let mut envelope = Vec::with_capacity(envelope_size(plaintext.size));
    envelope.push(VERSION);
    envelope.extend_from_slice(ephemeral.public().as_bytes());
    envelope.extend_from_slice(&message);
    Ok(envelope)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::UrnKey;

    fn urn(round: Uuid) -> UrnKey {
        UrnKey::derive(&[1; 32], &[2; 32], round)
    }

    fn open(key: &UrnKey, ballot: &Ballot, envelope: &[u8]) -> Option<Vec<u8>> {
        key.open(ballot, &Envelope::parse(envelope).ok()?)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn an_envelope_opens_once_it_is_untouched_and_for_its_round_and_voter_only(
            plaintext in vec(any::<u8>(), 0..256),
            (size, ephemeral) in (256_usize..300, any::<[u8; 32]>()),
            [round, voter, other] in any::<[u128; 3]>(),
            (place, bit) in (any::<Index>(), 0..8),
        ) {
            let (round, voter) = (Uuid::from_u128(round), Uuid::from_u128(voter));
            let (key, ballot) = (urn(round), Ballot { round, voter });
            let envelope = seal(key.public_key(), &ballot, Plaintext { bytes: &plaintext, size }, &ephemeral).unwrap();
            prop_assert_eq!(envelope.len(), envelope_size(size));
            prop_assert_eq!(open(&key, &ballot, &envelope), Some(plaintext.clone()));

            let mut changed = envelope.clone();
            changed[place.index(envelope.len())] ^= 1_u8 << bit;
            prop_assert_eq!(open(&key, &ballot, &changed), None);
            prop_assert_eq!(open(&key, &ballot, &envelope[..place.index(envelope.len())]), None);
            prop_assert_eq!(open(&key, &ballot, &[&envelope[..], &[0]].concat()), None);

            let other = Uuid::from_u128(other);
            prop_assert_eq!(open(&key, &Ballot { round: other, voter }, &envelope), None);
            prop_assert_eq!(open(&key, &Ballot { round, voter: other }, &envelope), None);
            prop_assert_eq!(open(&key, &Ballot { round: voter, voter: round }, &envelope), None);
            prop_assert_eq!(open(&urn(other), &ballot, &envelope), None);
        }
    }

    #[test]
    fn any_changed_byte_prevents_opening() {
        let ballot = Ballot { round: Uuid::from_u128(1), voter: Uuid::from_u128(2) };
        let key = urn(ballot.round);
        let envelope = seal(key.public_key(), &ballot, Plaintext { bytes: b"{}", size: 256 }, &[3; 32]).unwrap();
        for place in 0..envelope.len() {
            let mut changed = envelope.clone();
            changed[place] ^= 0x40;
            assert_eq!(open(&key, &ballot, &changed), None, "{place}");
        }
    }

    #[test]
    fn bytes_without_the_parts_of_an_envelope_are_refused() {
        let ballot = Ballot { round: Uuid::from_u128(1), voter: Uuid::from_u128(2) };
        let envelope =
            seal(urn(ballot.round).public_key(), &ballot, Plaintext { bytes: b"", size: 1 }, &[3; 32]).unwrap();
        assert!(Envelope::parse(&envelope).is_ok(), "the shortest one");
        for length in 0..envelope.len() {
            assert_eq!(Envelope::parse(&envelope[..length]), Err(MalformedEnvelope::TooShort), "{length}");
        }
        let replaced = |place: usize, byte: u8| {
            let mut changed = envelope.clone();
            changed[place] = byte;
            Envelope::parse(&changed).map(|_| ()).unwrap_err()
        };
        assert_eq!(replaced(0, 2), MalformedEnvelope::UnknownVersion);
        assert_eq!(replaced(1, 3), MalformedEnvelope::BadKey);
    }

    #[test]
    fn what_cannot_be_sealed_is_refused_in_words() {
        let ballot = Ballot { round: Uuid::from_u128(1), voter: Uuid::from_u128(2) };
        let key = urn(ballot.round);
        let too_long =
            seal(key.public_key(), &ballot, Plaintext { bytes: &[7; 256], size: 256 }, &[3; 32]).unwrap_err();
        assert_eq!(too_long.to_string(), "the answer is too long to be sealed");
        let beside = PublicKey::parse(&[&[4][..], &[1; 64]].concat()).unwrap();
        let bad_key = seal(&beside, &ballot, Plaintext { bytes: b"", size: 256 }, &[3; 32]).unwrap_err();
        assert_eq!(bad_key.to_string(), "the public key of the urn is not a point of P-256");
    }
}
