//! HPKE in base mode, single shot: RFC 9180, sections 5.1, 5.2 and 6.1.

use aws_lc_rs::aead::{AES_256_GCM, Aad, Algorithm, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::kdf::{KDF_ID, NO_SALT, Suite};
use crate::kem::{KEM_ID, KeyPair, PublicKey, decapsulate, encapsulate};
use crate::secret::{Secret, wipe};

/// The length of the tag after a ciphertext in bytes.
pub(crate) const TAG_LENGTH: usize = 16;

/// `mode_base` (RFC 9180, section 5).
const MODE_BASE: u8 = 0x00;

/// An algorithm of RFC 9180, section 7.3.
#[derive(Clone, Copy)]
pub(crate) struct Aead {
    id: u16,
    key_length: u8,
    algorithm: &'static Algorithm,
}

/// The algorithm of all envelopes.
pub(crate) const AES_256: Aead = Aead { id: 0x0002, key_length: 32, algorithm: &AES_256_GCM };

/// What both sides know before a message is sealed.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) aead: Aead,
    pub(crate) info: &'a [u8],
    pub(crate) aad: &'a [u8],
}

/// What follows from the shared secret: the only key and the only nonce, because each context encrypts one message.
struct Context {
    key: LessSafeKey,
    nonce: [u8; NONCE_LEN],
}

impl Context {
    /// `KeySchedule` of the base mode (RFC 9180, section 5.1), so without a pre-shared key.
    fn new(aead: Aead, shared_secret: &Secret, info: &[u8]) -> Self {
        let suite = suite(aead);
        let suite = Suite(&suite);
        let psk_id_hash = suite.extract(NO_SALT, "psk_id_hash", b"");
        let info_hash = suite.extract(NO_SALT, "info_hash", info);
        let context: [&[u8]; 3] = [&[MODE_BASE], psk_id_hash.expose(), info_hash.expose()];
        let secret = suite.extract(shared_secret.expose(), "secret", b"");
        let key = suite.expand(&secret, "key", &context, aead.key_length);
        let nonce = suite.expand(&secret, "base_nonce", &context, 12);
        let key = UnboundKey::new(aead.algorithm, &key.expose()[..usize::from(aead.key_length)]);
        let (nonce, _) = nonce.expose().split_first_chunk().expect("a nonce is shorter than a hash");
        Self { key: LessSafeKey::new(key.expect("the key has the length of the algorithm")), nonce: *nonce }
    }

    /// The nonce of sequence number 0, which is the base nonce itself (RFC 9180, section 5.2).
    fn nonce(&self) -> Nonce {
        Nonce::assume_unique_for_key(self.nonce)
    }
}

/// `suite_id` of HPKE (RFC 9180, section 5.1).
fn suite(aead: Aead) -> [u8; 10] {
    let mut suite = *b"HPKE\0\0\0\0\0\0";
    for (place, id) in [(4, KEM_ID), (6, KDF_ID), (8, aead.id)] {
        suite[place..place + 2].copy_from_slice(&id.to_be_bytes());
    }
    suite
}

/// `Seal` of a single message (RFC 9180, section 6.1) with a given ephemeral key, whose public key is the encapsulated one.
/// `message` becomes the ciphertext with its tag. `None` if the recipient's key is not on the curve.
pub(crate) fn seal(
    Setting { aead, info, aad }: Setting<'_>,
    recipient: &PublicKey,
    ephemeral: &KeyPair,
    message: &mut Vec<u8>,
) -> Option<()> {
    let context = Context::new(aead, &encapsulate(recipient, ephemeral)?, info);
    context
        .key
        .seal_in_place_append_tag(context.nonce(), Aad::from(aad), message)
        .expect("a ballot is not too long for the cipher");
    Some(())
}

/// `Open` of a single message (RFC 9180, section 6.1). `None` if it was sealed for another key or information, or altered.
pub(crate) fn open(
    Setting { aead, info, aad }: Setting<'_>,
    recipient: &KeyPair,
    encapsulated: &PublicKey,
    ciphertext: &[u8],
) -> Option<Vec<u8>> {
    let context = Context::new(aead, &decapsulate(encapsulated, recipient)?, info);
    let mut message = ciphertext.to_vec();
    match context.key.open_in_place(context.nonce(), Aad::from(aad), &mut message) {
        Ok(plaintext) => {
            let length = plaintext.len();
            message.truncate(length);
            Some(message)
        }
        Err(_) => {
            wipe(&mut message);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::aead::AES_128_GCM;

    use super::*;
    use crate::fixtures::{Vector, rfc_9180};
    use crate::hex::hex;

    /// The algorithm of the vectors in the RFC itself. The vectors of the research group have both.
    const AES_128: Aead = Aead { id: 0x0001, key_length: 16, algorithm: &AES_128_GCM };

    /// The vectors of HKDF-SHA256, with their algorithm.
    fn messages() -> Vec<(Vector, Aead)> {
        let with_messages = rfc_9180().into_iter().filter(|vector| vector.has("ct"));
        let found: Vec<_> = with_messages.map(|vector| (vector.number("aead_id"), vector)).collect();
        assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2]);
        found.into_iter().map(|(id, vector)| (vector, if id == 1 { AES_128 } else { AES_256 })).collect()
    }

    #[test]
    fn keys_and_nonces_follow_as_in_rfc_9180() {
        for (vector, aead) in messages() {
            let suite = suite(aead);
            let suite = Suite(&suite);
            let info_hash = suite.extract(NO_SALT, "info_hash", &vector.bytes("info"));
            let psk_id_hash = suite.extract(NO_SALT, "psk_id_hash", b"");
            let context = [&[MODE_BASE], psk_id_hash.expose().as_slice(), info_hash.expose()].concat();
            assert_eq!(hex(&context), vector.text("key_schedule_context"));
            let secret = suite.extract(&vector.bytes("shared_secret"), "secret", b"");
            assert_eq!(hex(secret.expose()), vector.text("secret"));
            let key = suite.expand(&secret, "key", &[&context], aead.key_length);
            assert_eq!(hex(&key.expose()[..usize::from(aead.key_length)]), vector.text("key"));
            let shared_secret = Secret::new(vector.bytes("shared_secret").try_into().unwrap());
            assert_eq!(
                hex(&Context::new(aead, &shared_secret, &vector.bytes("info")).nonce),
                vector.text("base_nonce")
            );
        }
    }

    #[test]
    fn messages_are_sealed_and_opened_as_in_rfc_9180() {
        for (vector, aead) in messages() {
            let ephemeral = KeyPair::derive(&vector.bytes("ikmE"));
            let recipient = KeyPair::derive(&vector.bytes("ikmR"));
            let (info, aad) = (vector.bytes("info"), vector.bytes("aad"));
            let setting = Setting { aead, info: &info, aad: &aad };
            let mut message = vector.bytes("pt");
            seal(setting, recipient.public(), &ephemeral, &mut message).unwrap();
            assert_eq!(hex(ephemeral.public().as_bytes()), vector.text("enc"));
            assert_eq!(hex(&message), vector.text("ct"));
            let opened = open(setting, &recipient, ephemeral.public(), &message);
            assert_eq!(opened, Some(vector.bytes("pt")));
            assert_eq!(open(Setting { aead, info: &aad, aad: &info }, &recipient, ephemeral.public(), &message), None);
        }
    }
}
