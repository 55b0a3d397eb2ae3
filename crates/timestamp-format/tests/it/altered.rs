//! Altered tokens.

use std::fs;
use std::path::Path;

use plenum_kernel::testkit::fuzz_seeds;
use plenum_timestamp_format::fuzzing::tokens;
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

#[test]
fn the_seeds_of_the_fuzzer_hold() {
    if std::env::var_os("PLENUM_BLESS").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/timestamps");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("token"), [&HASH[..], &TestAuthority::new("Test").token(&HASH, noon())].concat())
            .unwrap();
    }
    fuzz_seeds("timestamps").iter().for_each(|seed| tokens(seed));
}

proptest! {
    #[test]
    fn an_altered_token_keeps_the_invariants(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut content = [&HASH[..], &TestAuthority::new("Test").token(&HASH, noon())].concat();
        let at = at.index(content.len());
        content[at] = byte;
        tokens(&content);
    }

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
