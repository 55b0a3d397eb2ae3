//! DHKEM(P-256, HKDF-SHA256): RFC 9180, sections 4.1 and 7.1.

use std::fmt;

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};

use crate::kdf::{NO_SALT, Suite};
use crate::secret::Secret;

/// The id of DHKEM(P-256, HKDF-SHA256) (RFC 9180, section 7.1).
pub(crate) const KEM_ID: u16 = 0x0010;

/// The length of a public key in bytes: an uncompressed point.
pub const PUBLIC_KEY_LENGTH: usize = 65;

/// The suite of the labels within the KEM: `"KEM"` and its id.
const SUITE: Suite<'_> = Suite(&[b'K', b'E', b'M', KEM_ID.to_be_bytes()[0], KEM_ID.to_be_bytes()[1]]);

/// The first byte of an uncompressed point (SEC 1, section 2.3.3).
const UNCOMPRESSED: u8 = 4;

/// The order of the group of P-256 (RFC 9180, section 7.1.3).
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa,
    0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

/// A public key, or an encapsulated one: an uncompressed point. Whether it is on the curve is checked when it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; PUBLIC_KEY_LENGTH]);

/// Bytes that are not a public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPublicKey;

impl fmt::Display for BadPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key is not an uncompressed point of P-256")
    }
}

impl std::error::Error for BadPublicKey {}

impl PublicKey {
    /// Reads a key. Other forms of a point are refused, so that each key has one.
    ///
    /// # Errors
    /// Refuses all but 65 bytes that begin with 4.
    pub fn parse(bytes: &[u8]) -> Result<Self, BadPublicKey> {
        let bytes: [u8; PUBLIC_KEY_LENGTH] = bytes.try_into().map_err(|_| BadPublicKey)?;
        if bytes[0] == UNCOMPRESSED { Ok(Self(bytes)) } else { Err(BadPublicKey) }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; PUBLIC_KEY_LENGTH] {
        &self.0
    }
}

/// A key pair. The library overwrites the private key when it is dropped.
pub(crate) struct KeyPair {
    private: PrivateKey,
    public: PublicKey,
}

impl KeyPair {
    /// `DeriveKeyPair` (RFC 9180, section 7.1.3).
    pub(crate) fn derive(ikm: &[u8]) -> Self {
        let scalar = derive_scalar(ikm);
        let private = PrivateKey::from_private_key(&ECDH_P256, scalar.expose()).expect("a number below the order");
        let public = private.compute_public_key().expect("every private key has a public one");
        let public = PublicKey::parse(public.as_ref()).expect("the library writes uncompressed points");
        Self { private, public }
    }

    pub(crate) fn public(&self) -> &PublicKey {
        &self.public
    }

    /// `DH` (RFC 9180, section 4.1). `None` if the other key is not on the curve (section 7.1.4).
    fn agree(&self, other: &PublicKey) -> Option<Secret> {
        let other = UnparsedPublicKey::new(&ECDH_P256, other.0.as_slice());
        agree(&self.private, other, (), |shared| shared.try_into().map(Secret::new).map_err(|_| ())).ok()
    }
}

/// The private key of `DeriveKeyPair`: the first candidate that is neither zero nor too large.
pub(crate) fn derive_scalar(ikm: &[u8]) -> Secret {
    let prk = SUITE.extract(NO_SALT, "dkp_prk", ikm);
    (0..=u8::MAX)
        // The mask of P-256 is 0xff, so it changes nothing.
        .map(|counter| SUITE.expand(&prk, "candidate", &[&[counter]], 32))
        .find(|candidate| *candidate.expose() < ORDER && *candidate.expose() != [0; 32])
        .expect("256 candidates in a row are too large once in 2^8192 times")
}

/// `Encap` with a given ephemeral key (RFC 9180, section 4.1). The encapsulated key is the ephemeral public key. `None` if
/// the recipient's key is not on the curve.
pub(crate) fn encapsulate(recipient: &PublicKey, ephemeral: &KeyPair) -> Option<Secret> {
    Some(shared_secret(&ephemeral.agree(recipient)?, ephemeral.public(), recipient))
}

/// `Decap` (RFC 9180, section 4.1). `None` if the encapsulated key is not on the curve.
pub(crate) fn decapsulate(encapsulated: &PublicKey, recipient: &KeyPair) -> Option<Secret> {
    Some(shared_secret(&recipient.agree(encapsulated)?, encapsulated, recipient.public()))
}

/// `ExtractAndExpand` (RFC 9180, section 4.1).
fn shared_secret(dh: &Secret, encapsulated: &PublicKey, recipient: &PublicKey) -> Secret {
    let prk = SUITE.extract(NO_SALT, "eae_prk", dh.expose());
    SUITE.expand(&prk, "shared_secret", &[&encapsulated.0, &recipient.0], 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{rfc_9180, unhex};
    use crate::hex::hex;

    #[test]
    fn key_pairs_are_derived_as_in_rfc_9180() {
        for vector in rfc_9180() {
            for (ikm, private, public) in [("ikmE", "skEm", "pkEm"), ("ikmR", "skRm", "pkRm")] {
                let ikm = vector.bytes(ikm);
                assert_eq!(hex(derive_scalar(&ikm).expose()), vector.text(private), "{}", vector.name());
                assert_eq!(hex(&KeyPair::derive(&ikm).public.0), vector.text(public), "{}", vector.name());
            }
        }
    }

    #[test]
    fn secrets_are_encapsulated_as_in_rfc_9180() {
        for vector in rfc_9180() {
            let ephemeral = KeyPair::derive(&vector.bytes("ikmE"));
            let recipient = KeyPair::derive(&vector.bytes("ikmR"));
            let sent = encapsulate(recipient.public(), &ephemeral).unwrap();
            let received = decapsulate(&PublicKey::parse(&vector.bytes("enc")).unwrap(), &recipient).unwrap();
            assert_eq!(hex(sent.expose()), vector.text("shared_secret"), "{}", vector.name());
            assert_eq!(sent.expose(), received.expose());
        }
    }

    #[test]
    fn a_key_has_one_form_and_is_on_the_curve() {
        let pair = KeyPair::derive(&[7; 32]);
        let point = pair.public.0;
        assert_eq!(PublicKey::parse(&point), Ok(pair.public));
        let compressed = [&[2 + (point[64] & 1)][..], &point[1..33]].concat();
        let hybrid = [&[6 + (point[64] & 1)][..], &point[1..]].concat();
        for other in [&point[..64], &[&point[..], &[0]].concat(), &compressed, &hybrid, &[], &[0]] {
            assert_eq!(PublicKey::parse(other), Err(BadPublicKey), "{other:?}");
        }
        for place in [1, 32, 64] {
            let mut beside = point;
            beside[place] ^= 1;
            let beside = PublicKey::parse(&beside).unwrap();
            assert!(encapsulate(&beside, &pair).is_none() && decapsulate(&beside, &pair).is_none(), "{place}");
        }
        let zero = PublicKey::parse(&[&[4][..], &[0; 64]].concat()).unwrap();
        assert!(decapsulate(&zero, &pair).is_none());
        let too_large = [&[4][..], &unhex(&"ff".repeat(64))].concat();
        assert!(decapsulate(&PublicKey::parse(&too_large).unwrap(), &pair).is_none());
    }
}
