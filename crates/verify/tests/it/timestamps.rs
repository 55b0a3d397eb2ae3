//! Timestamps in files, with and without the certificates of their authorities.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plenum_result_format::{RecordMark, RecordSeal, ResultsFile, TimestampMark};
use plenum_timestamp_format::Authorities;
use plenum_timestamp_format::testkit::{KeyKind, Purpose, TestAuthority};
use plenum_verify::{CheckedTimestamp, Exported, KnownAuthorities, KnownKeys, examine};
use uuid::Uuid;

use crate::hall::{at, meeting};
use crate::tampering::motion;

const HASH: [u8; 32] = [0x0a; 32];
/// Within the time of the certificates.
const STAMPED: i64 = 1_763_750_000;

fn authorities(pem: &str) -> Authorities {
    Authorities::from_pem(pem.as_bytes()).unwrap()
}

/// A file whose only round has a timestamp of this authority.
fn stamped(authority: &TestAuthority) -> ResultsFile {
    let mut file = meeting(vec![motion(true).file()]);
    let head = file.meeting.clone();
    let round = &mut file.rounds[0];
    round.result.record = Some(RecordMark {
        hash: "0a".repeat(32),
        key: "0".repeat(64),
        recorded_at: at(0),
        is_recorded_later: false,
        timestamp: Some(TimestampMark { authority: "Test Timestamps".to_owned(), at: at(STAMPED) }),
    });
    round.seal = Some(RecordSeal {
        organization_id: Uuid::nil(),
        meeting: head,
        number: 1,
        previous_hash: None,
        audit_head: None,
        signature: String::new(),
        timestamp_token: Some(STANDARD.encode(authority.token(&HASH, at(STAMPED)))),
    });
    file
}

/// The timestamps that are found, and the fields of what does not fit.
fn found(file: &ResultsFile, known: &KnownAuthorities) -> (Vec<CheckedTimestamp>, Vec<String>) {
    let exported = Exported::Results(Box::new(file.clone()));
    let examined = examine(&serde_json::to_vec(file).unwrap(), &exported, &KnownKeys::None, known);
    let fields = examined.differences.iter().map(|difference| difference.field.clone()).collect();
    (examined.timestamps, fields)
}

#[test]
fn a_timestamp_is_told_with_its_authority_and_time() {
    let (authority, other) = (TestAuthority::new("Test Timestamps"), TestAuthority::new("Other"));
    let file = stamped(&authority);
    let told = |is_authority_known| CheckedTimestamp {
        hash: "0a".repeat(32),
        authority: "Test Timestamps".to_owned(),
        at: at(STAMPED),
        is_authority_known,
    };
    assert_eq!(found(&file, &KnownAuthorities::None), (vec![told(None)], vec![]));
    let own = |authority: &TestAuthority| KnownAuthorities::Own(authorities(authority.root_pem()));
    assert_eq!(found(&file, &own(&authority)), (vec![told(Some(true))], vec![]));
    assert_eq!(found(&file, &own(&other)), (vec![told(Some(false))], vec![]));
    let pinned = |authority: &TestAuthority| KnownAuthorities::Pinned(authorities(authority.root_pem()));
    assert_eq!(found(&file, &pinned(&authority)), (vec![told(Some(true))], vec![]));
    assert_eq!(found(&file, &pinned(&other)).1, ["rounds.0.seal.timestampToken"]);
}

#[test]
fn every_changed_part_of_a_timestamp_is_found() {
    const TOKEN: &str = "rounds.0.seal.timestampToken";
    const MARK: &str = "rounds.0.result.record.timestamp";
    let authority = TestAuthority::new("Test Timestamps");
    let servers = TestAuthority::with("Test Timestamps", KeyKind::Ecdsa, Purpose::Servers);
    let token = |bytes: Vec<u8>| Some(STANDARD.encode(bytes));
    let mut broken = authority.token(&HASH, at(STAMPED));
    *broken.last_mut().unwrap() ^= 1;
    type Change<'a> = Box<dyn Fn(&mut RecordMark, &mut RecordSeal) + 'a>;
    let changes: Vec<(&str, Change<'_>)> = vec![
        (TOKEN, Box::new(|_, seal| seal.timestamp_token = None)),
        (MARK, Box::new(|mark, _| mark.timestamp = None)),
        (TOKEN, Box::new(|_, seal| seal.timestamp_token = Some("?".to_owned()))),
        (TOKEN, Box::new(|_, seal| seal.timestamp_token = token(broken.clone()))),
        (TOKEN, Box::new(|_, seal| seal.timestamp_token = token(authority.token(&[1; 32], at(STAMPED))))),
        (TOKEN, Box::new(|_, seal| seal.timestamp_token = token(servers.token(&HASH, at(STAMPED))))),
        (TOKEN, Box::new(|mark, _| mark.hash = "0b".repeat(32))),
        (
            "rounds.0.result.record.timestamp.at",
            Box::new(|_, seal| seal.timestamp_token = token(authority.token(&HASH, at(STAMPED + 1)))),
        ),
        (
            "rounds.0.result.record.timestamp.authority",
            Box::new(|mark, _| mark.timestamp.as_mut().unwrap().authority = "Another".to_owned()),
        ),
    ];
    for (index, (field, change)) in changes.iter().enumerate() {
        let mut file = stamped(&authority);
        let round = &mut file.rounds[0];
        change(round.result.record.as_mut().unwrap(), round.seal.as_mut().unwrap());
        assert_eq!(found(&file, &KnownAuthorities::None).1, [*field], "change {index}");
    }
}
