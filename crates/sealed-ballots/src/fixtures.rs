//! The files in `fixtures`, which the tests of the front end read too.
//!
//! - `rfc9180.json`: published vectors
//! - `sealed-by-rust.json`: written by the test below, with PLENUM_BLESS=1
//! - `sealed-by-typescript.json`: written by `frontend/src/shared/sealing/sealing.test.ts`, with PLENUM_BLESS=1

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Value, json};
use uuid::Uuid;

use crate::hex::hex;
use crate::kdf::hkdf;
use crate::kem::derive_scalar;
use crate::{Ballot, Envelope, Plaintext, SealedAnswer, UrnKey, envelope_size, seal};

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2));
    (0..text.len()).step_by(2).map(|place| u8::from_str_radix(&text[place..place + 2], 16).unwrap()).collect()
}

/// A published vector, with the names of the RFC.
pub(crate) struct Vector(Value);

impl Vector {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap()
    }

    pub(crate) fn name(&self) -> &str {
        self.text("name")
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        unhex(self.text(name))
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        self.0[name].as_u64().unwrap()
    }
}

pub(crate) fn rfc_9180() -> Vec<Vector> {
    let vectors: Vec<Value> = serde_json::from_value(read("rfc9180.json")).unwrap();
    assert_eq!(vectors.len(), 4);
    vectors.into_iter().map(Vector).collect()
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn read(name: &str) -> Value {
    serde_json::from_slice(&fs::read(path(name)).unwrap()).unwrap()
}

const DATABASE_SHARE: [u8; 32] = [0xda; 32];
const FOLDER_SHARE: [u8; 32] = [0xf0; 32];
const ROUND: Uuid = Uuid::from_u128(0x0198_7a3c_1111_7000_8000_0000_0000_0001);

fn answers() -> Vec<(SealedAnswer, usize)> {
    vec![
        (SealedAnswer::Options(vec![1]), 256),
        (SealedAnswer::Options(vec![]), 256),
        (SealedAnswer::Options((1..=100).collect()), 512),
        (SealedAnswer::Number("37.5".to_owned()), 256),
        (SealedAnswer::Text("Größe \u{1f5f3} \"so\" \\ oder\n\tso \u{2028}\u{1}".to_owned()), 8_192),
        (SealedAnswer::Text("\u{10ffff}".repeat(2_000)), 8_192),
    ]
}

/// Envelopes for the keys above, with everything that a reader needs to open them.
fn sealed_by_rust() -> Value {
    let key = UrnKey::derive(&DATABASE_SHARE, &FOLDER_SHARE, ROUND);
    let ikm = hkdf(b"plenum urn key 1", &[&DATABASE_SHARE, &FOLDER_SHARE], ROUND.as_bytes());
    let ballots: Vec<_> = (1_u8..)
        .zip(answers())
        .map(|(number, (answer, size))| {
            let ballot = Ballot { round: ROUND, voter: Uuid::from_u128(u128::from(number) << 100) };
            let plaintext = answer.write();
            let envelope =
                seal(key.public_key(), &ballot, Plaintext { bytes: &plaintext, size }, &[number; 32]).unwrap();
            assert_eq!(envelope.len(), envelope_size(size));
            json!({
                "voter": ballot.voter,
                "size": size,
                "plaintext": String::from_utf8(plaintext).unwrap(),
                "envelope": hex(&envelope),
            })
        })
        .collect();
    json!({
        "round": ROUND,
        "databaseShare": hex(&DATABASE_SHARE),
        "folderShare": hex(&FOLDER_SHARE),
        "privateKey": hex(derive_scalar(ikm.expose()).expose()),
        "publicKey": hex(key.public_key().as_bytes()),
        "ballots": ballots,
    })
}

#[test]
fn the_format_has_not_changed() {
    let written = sealed_by_rust();
    if env::var_os("PLENUM_BLESS").is_some() {
        fs::write(path("sealed-by-rust.json"), serde_json::to_string_pretty(&written).unwrap() + "\n").unwrap();
    }
    assert_eq!(read("sealed-by-rust.json"), written, "stored envelopes would no longer open");
}

#[test]
fn envelopes_of_the_browser_open() {
    let file = read("sealed-by-typescript.json");
    let key = UrnKey::derive(&DATABASE_SHARE, &FOLDER_SHARE, ROUND);
    let ballots = file["ballots"].as_array().unwrap();
    assert_eq!(ballots.len(), answers().len());
    for (ballot, (answer, size)) in ballots.iter().zip(answers()) {
        let envelope = unhex(ballot["envelope"].as_str().unwrap());
        let voter = ballot["voter"].as_str().unwrap().parse().unwrap();
        let opened = key.open(&Ballot { round: ROUND, voter }, &Envelope::parse(&envelope).unwrap()).unwrap();
        assert_eq!(SealedAnswer::parse(&opened), Ok(answer));
        assert_eq!(envelope.len(), envelope_size(size));
    }
}
