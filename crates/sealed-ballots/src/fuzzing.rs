//! The invariants of envelopes and plaintexts, for any input. The tests below check them with random bytes, and so does the
//! target `envelopes` of `fuzz/`.

use uuid::Uuid;

use crate::{Ballot, Envelope, Plaintext, SealedAnswer, UrnKey, seal};

/// Any bytes are refused as an envelope, or do not open, because nobody sealed them. As a plaintext they are refused, or are
/// exactly what is written for the answer, and they come back from an envelope unchanged.
pub fn envelopes(data: &[u8]) {
    let ballot = Ballot { round: Uuid::from_u128(1), voter: Uuid::from_u128(2) };
    let key = UrnKey::derive(&[1; 32], &[2; 32], ballot.round);
    match Envelope::parse(data) {
        Ok(envelope) => assert_eq!(key.open(&ballot, &envelope), None),
        Err(reason) => assert!(!reason.to_string().is_empty()),
    }
    if let Ok(answer) = SealedAnswer::parse(data) {
        assert_eq!(answer.write(), data, "{answer:?} has two plaintexts");
        let sealed = seal(key.public_key(), &ballot, Plaintext { bytes: data, size: data.len() + 1 }, &[3; 32])
            .expect("it fits");
        let sealed = Envelope::parse(&sealed).expect("an envelope");
        assert_eq!(key.open(&ballot, &sealed).as_deref(), Some(data));
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_are_refused_or_mean_one_thing(
            bytes in vec(any::<u8>(), 0..120), key: [u8; 64], text in "\\{\"(options|number|text)\":[\\[\"][0-9,.\\\\nub\"]{0,9}[\\]\"]\\}",
        ) {
            envelopes(&bytes);
            envelopes(&[&[1, 4][..], &key, &bytes].concat());
            envelopes(text.as_bytes());
        }
    }

    #[test]
    fn the_seeds_of_the_fuzzer_hold() {
        fuzz_seeds("envelopes").iter().for_each(|seed| envelopes(seed));
    }
}
