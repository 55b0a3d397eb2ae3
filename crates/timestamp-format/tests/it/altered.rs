//! Altered tokens.

use plenum_timestamp_format::testkit::TestAuthority;
use plenum_timestamp_format::{Authorities, TimestampToken};
use proptest::prelude::*;

use crate::responses::noon;

const HASH: [u8; 32] = [9; 32];

/// The signature covers the statement, and names the certificate by its hash. Nothing else says something.
#[test]
fn no_changed_byte_changes_what_a_token_says() {
    let authority = TestAuthority::new("Test");
    let token = authority.token(&HASH, noon());
    let expected = TimestampToken::read(&token, &HASH).unwrap();
    let root = Authorities::from_pem(authority.root_pem().as_bytes()).unwrap();
    let mut refused = 0;
    for at in 0..token.len() {
        let mut altered = token.clone();
        altered[at] ^= 1;
        match TimestampToken::read(&altered, &HASH) {
            Ok(read) => assert!(read == expected && root.vouch_for(&read), "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    // What remains are the versions and the list of hash functions around the signature.
    assert!(token.len() - refused < 40, "{} of {} changes were not found", token.len() - refused, token.len());
}

proptest! {
    #[test]
    fn any_bytes_are_refused_in_words(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(TimestampToken::read(&bytes, &HASH).is_err());
    }

    #[test]
    fn a_cut_token_is_refused(cut in any::<prop::sample::Index>()) {
        let token = TestAuthority::new("Test").token(&HASH, noon());
        prop_assert!(TimestampToken::read(&token[..cut.index(token.len())], &HASH).is_err());
    }
}
