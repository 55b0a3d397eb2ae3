use plenum_kernel::{EndUserId, QuestionType, RoundId, VoteId};
use sha2::{Digest as _, Sha256};

use crate::Wording;

/// A sealed ballot: version, encapsulated key and ciphertext, as the voter's device sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope(pub Vec<u8>);

/// The version of the envelopes that rounds accept: one layer, sealed for the key of the round.
const VERSION: u8 = 1;
/// The bytes of an envelope besides its padded plaintext: version, encapsulated key (an uncompressed point of P-256) and the
/// tag of AES-256-GCM.
const OVERHEAD: usize = 1 + 65 + 16;
/// The letters of a receipt. I and O are left out, because they look like digits.
const LETTERS: &[u8; 24] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";
const RECEIPT_LETTERS: usize = 16;

impl Envelope {
    /// The receipt: 16 letters in groups of four. They are the last 16 digits, to the base 24, of the first 128 bits of the
    /// SHA-256 of the envelope. It identifies the envelope and tells nothing about its content.
    pub fn receipt(&self) -> String {
        let hash = Sha256::digest(&self.0);
        let mut number = hash.iter().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        let mut letters = [0_u8; RECEIPT_LETTERS];
        for letter in letters.iter_mut().rev() {
            *letter = LETTERS[(number % 24) as usize];
            number /= 24;
        }
        let groups: Vec<&str> = letters.chunks(4).map(|group| std::str::from_utf8(group).unwrap_or_default()).collect();
        groups.join("-")
    }

    /// The id of the vote with this envelope. It follows from the ballot, so unlike other ids it tells no time. An envelope that
    /// another voter copied makes another id.
    pub(crate) fn vote_id(&self, round: RoundId, voter: EndUserId) -> VoteId {
        let of_voter = Sha256::new()
            .chain_update(b"plenum vote id")
            .chain_update(round.as_uuid().as_bytes())
            .chain_update(voter.as_uuid().as_bytes());
        let hash = of_voter.chain_update(&self.0).finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        VoteId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// Whether it has the version and the size of an envelope for this question.
    pub(crate) fn fits(&self, wording: &Wording) -> bool {
        self.0.first() == Some(&VERSION) && self.0.len() == wording.envelope_size()
    }
}

/// The hash over all envelopes of an urn, in hexadecimal: the SHA-256 of their sorted SHA-256 hashes.
pub fn envelopes_hash<'a>(envelopes: impl Iterator<Item = &'a Envelope>) -> String {
    let mut hashes: Vec<[u8; 32]> = envelopes.map(|envelope| Sha256::digest(&envelope.0).into()).collect();
    hashes.sort_unstable();
    let hash = hashes.iter().fold(Sha256::new(), |hash, one| hash.chain_update(one)).finalize();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The size of [`Wording::sealed_size`] for a question of this type with this number of options.
pub fn sealed_size(question_type: QuestionType, options: usize) -> usize {
    match question_type {
        // 2,000 characters of at most four bytes.
        QuestionType::OpenText => 8_192,
        // Two marks for each name, each as long as "100=1000".
        QuestionType::Election if options <= 20 => 512,
        QuestionType::Election if options <= 40 => 1_024,
        QuestionType::Election => 2_048,
        _ if options > 40 => 512,
        _ => 256,
    }
}

impl Wording {
    /// The size in bytes to which the plaintext of every ballot on this question is padded, so that an envelope's size
    /// tells nothing.
    pub fn sealed_size(&self) -> usize {
        sealed_size(self.question_type, self.options.len())
    }

    /// The size in bytes of every envelope with a ballot on this question.
    pub fn envelope_size(&self) -> usize {
        self.sealed_size() + OVERHEAD
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_receipt_has_16_letters_and_differs_for_each_envelope() {
        let receipts: Vec<String> = (0..50_u8).map(|byte| Envelope(vec![byte; 338]).receipt()).collect();
        for receipt in &receipts {
            assert_eq!(receipt.len(), 19, "{receipt}");
            assert!(receipt.bytes().all(|letter| letter == b'-' || LETTERS.contains(&letter)), "{receipt}");
        }
        let mut different = receipts.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), receipts.len());
    }

    /// The browser reads the same file.
    #[test]
    fn receipts_are_those_of_the_browser() {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../fixtures/receipts.json")).unwrap();
        let envelopes = file["envelopes"].as_array().unwrap();
        let bytes_of = |hex: &str| {
            let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            Envelope((0..hex.len()).step_by(2).map(byte).collect())
        };
        let all: Vec<Envelope> = envelopes.iter().map(|of| bytes_of(of["envelope"].as_str().unwrap())).collect();
        for (envelope, expected) in all.iter().zip(envelopes) {
            assert_eq!(envelope.receipt(), expected["receipt"].as_str().unwrap());
        }
        assert_eq!(envelopes_hash(all.iter()), file["hashOfAll"].as_str().unwrap());
    }

    #[test]
    fn the_hash_of_all_envelopes_does_not_depend_on_their_order() {
        let (one, other) = (Envelope(vec![1; 338]), Envelope(vec![2; 338]));
        assert_eq!(envelopes_hash([&one, &other].into_iter()), envelopes_hash([&other, &one].into_iter()));
        assert_ne!(envelopes_hash([&one].into_iter()), envelopes_hash([&one, &one].into_iter()));
    }

    #[test]
    fn ids_of_sealed_votes_do_not_sort_by_time() {
        let [round, other] = [1, 2].map(|number| RoundId::from_uuid(Uuid::from_u128(number)));
        let [voter, copier] = [3, 4].map(|number| EndUserId::from_uuid(Uuid::from_u128(number)));
        let id = |byte: u8, round, voter| Envelope(vec![byte; 338]).vote_id(round, voter).as_uuid();
        let ids: Vec<Uuid> = (0..20_u8).map(|byte| id(byte, round, voter)).collect();
        let mut sorted = ids.clone();
        sorted.sort();
        assert_ne!(ids, sorted);
        assert_ne!(id(1, round, voter), id(1, round, copier), "a copied envelope is another vote");
        assert_ne!(id(1, round, voter), id(1, other, voter));
    }
}
