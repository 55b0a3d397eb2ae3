//! What is published of envelopes: a code for each, and one hash over all of them.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::hex::hex;

/// The letters of a code: no digits, and neither I nor O, so that no two look the same.
const LETTERS: &[u8; 24] = b"ABCDEFGHJKLMNPQRSTUVWXYZ";

/// The number of letters of a code.
const LENGTH: usize = 16;

/// The code of an envelope, with which a voter finds it in the published list. It proves nothing about the content.
///
/// It is the number in the first 128 bits of the SHA-256 of the whole envelope, modulo 24^16, in base 24, most significant
/// letter first. So it has 73.4 bits, and no code is more probable than another by more than a factor of 1 + 2^-54. With
/// 10,000 envelopes, two have the same code once in 2^47 urns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReceiptCode([u8; LENGTH]);

impl ReceiptCode {
    /// The code of an envelope.
    pub fn of(envelope: &[u8]) -> Self {
        let hash = Sha256::digest(envelope);
        let (first, _) = hash.split_first_chunk().expect("a hash is longer than 128 bits");
        let mut number = u128::from_be_bytes(*first);
        let mut letters = [0; LENGTH];
        for letter in letters.iter_mut().rev() {
            *letter = LETTERS[(number % 24) as usize];
            number /= 24;
        }
        Self(letters)
    }
}

/// In groups of four: `ABCD-EFGH-JKLM-NPQR`.
impl fmt::Display for ReceiptCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<_> = self.0.chunks(4).map(String::from_utf8_lossy).collect();
        f.write_str(&groups.join("-"))
    }
}

impl fmt::Debug for ReceiptCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReceiptCode({self})")
    }
}

/// A text that is not a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadReceiptCode;

impl fmt::Display for BadReceiptCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a receipt has 16 letters, without I and O")
    }
}

impl std::error::Error for BadReceiptCode {}

impl FromStr for ReceiptCode {
    type Err = BadReceiptCode;

    /// Reads a typed code, in any case, with or without hyphens and blanks.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let letters = text.bytes().filter(|byte| !matches!(byte, b'-' | b' ')).map(|byte| byte.to_ascii_uppercase());
        let letters: Vec<u8> = letters.take(LENGTH + 1).collect();
        let letters: [u8; LENGTH] = letters.try_into().map_err(|_| BadReceiptCode)?;
        if letters.iter().all(|letter| LETTERS.contains(letter)) { Ok(Self(letters)) } else { Err(BadReceiptCode) }
    }
}

/// The hash over all envelopes of an urn, in hexadecimal: the SHA-256 over their SHA-256 hashes, sorted. It does not depend
/// on the order of the envelopes.
pub fn hash_of_all<T: AsRef<[u8]>>(envelopes: impl IntoIterator<Item = T>) -> String {
    let mut hashes: Vec<_> = envelopes.into_iter().map(|envelope| Sha256::digest(envelope.as_ref())).collect();
    hashes.sort_unstable();
    let mut all = Sha256::new();
    for hash in hashes {
        all.update(hash);
    }
    hex(&all.finalize())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_code_is_the_hash_in_base_24() {
        // The hash of nothing begins with e3b0c44298fc1c149afbf4c8996fb924.
        let mut number = 0xe3b0_c442_98fc_1c14_9afb_f4c8_996f_b924_u128 % 24_u128.pow(16);
        let code = ReceiptCode::of(b"").to_string();
        for letter in code.bytes().filter(|byte| *byte != b'-') {
            let value = LETTERS.iter().position(|known| *known == letter).unwrap() as u128;
            assert_eq!(number / 24_u128.pow(15), value);
            number = number % 24_u128.pow(15) * 24;
        }
        assert_eq!(code.len(), 19);
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = ReceiptCode::of(b"envelope");
        let text = code.to_string();
        for typed in
            [text.clone(), text.to_lowercase(), text.replace('-', ""), text.replace('-', " "), format!(" {text} ")]
        {
            assert_eq!(typed.parse(), Ok(code), "{typed}");
        }
        for other in ["", "ABCD", &text.replace('-', "0"), &format!("{text}A"), "ABCD-EFGH-IJKL-MNOP", &"ä".repeat(8)]
        {
            assert_eq!(other.parse::<ReceiptCode>(), Err(BadReceiptCode), "{other}");
        }
    }

    #[test]
    fn the_hash_over_all_envelopes_does_not_depend_on_their_order() {
        let hash = hash_of_all(["a", "b", "c"]);
        assert_eq!(hash, hash_of_all(["c", "a", "b"]));
        assert_ne!(hash, hash_of_all(["a", "b"]));
        assert_ne!(hash, hash_of_all(["a", "b", "c", "c"]));
        // The hash of nothing.
        assert_eq!(hash_of_all([""; 0]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_shown_code_is_read_back(envelope: Vec<u8>) {
            let code = ReceiptCode::of(&envelope);
            prop_assert_eq!(code.to_string().parse(), Ok(code));
        }
    }
}
