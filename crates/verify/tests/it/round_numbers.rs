//! The numbers of rounds and records, if some of the rounds have no result in the file.

use plenum_result_format::{
    DamagedRecord, RecordMark, RecordSeal, ResultsFile, RoundFile, RoundRecord, UncountedRound, sha256,
};
use plenum_verify::{KnownKeys, Origin, Refusal, check_origin, verify};
use uuid::Uuid;

use crate::hall::{at, meeting};
use crate::tampering::motion;

/// The question of [`counted`] rounds.
const QUESTION: Uuid = Uuid::from_u128(7);

fn counted(number: u32) -> RoundFile {
    let mut round = motion(true).file();
    (round.result.question_id, round.result.number) = (QUESTION, number);
    round.result.round_id = Uuid::from_u128(number.into());
    round
}

fn uncounted(question_id: Option<Uuid>, number: u32) -> UncountedRound {
    UncountedRound {
        round_id: Uuid::from_u128(100 + u128::from(number)),
        question_id,
        position: 1,
        number,
        question_text: "What do you say?".to_owned(),
        is_void: true,
    }
}

/// A meeting that is not deleted, with these rounds.
fn held(rounds: Vec<RoundFile>, uncounted: Vec<UncountedRound>) -> ResultsFile {
    ResultsFile { uncounted, closings: Some(Vec::new()), ..meeting(rounds) }
}

fn accused(file: &ResultsFile) -> Vec<String> {
    let report = verify(file);
    assert!(report.rounds.iter().all(|round| round.differences.is_empty()), "{report:#?}");
    report.differences.into_iter().map(|one| one.field).collect()
}

#[test]
fn a_re_vote_follows_a_round_that_is_not_counted() {
    let after = |uncounted| accused(&held(vec![counted(2)], uncounted));
    assert_eq!(after(vec![uncounted(Some(QUESTION), 1)]), [] as [&str; 0]);
    assert_eq!(after(Vec::new()), ["rounds.0.result.number"]);
    assert_eq!(after(vec![uncounted(Some(Uuid::nil()), 1)]), ["rounds.0.result.number"], "of another question");
    let chain = |numbers: &[u32]| {
        let before = numbers.iter().map(|number| uncounted(Some(QUESTION), *number)).collect();
        accused(&held(vec![counted(3)], before))
    };
    assert_eq!(chain(&[1, 2]), [] as [&str; 0]);
    assert_eq!(chain(&[2]), ["uncounted.0.number"], "the first one was left out");
    assert_eq!(chain(&[1]), ["rounds.0.result.number"], "the second one was left out");
    assert_eq!(chain(&[1, 0, 2]), ["uncounted.1.number"]);
}

#[test]
fn a_round_without_a_question_as_in_files_of_earlier_versions_is_taken_for_one_round() {
    let mut other = counted(2);
    (other.result.round_id, other.result.question_id, other.result.position) = (Uuid::nil(), Uuid::nil(), 2);
    let rounds = vec![counted(2), other];
    let nameless = |numbers: &[u32]| {
        let before = numbers.iter().map(|number| uncounted(None, *number)).collect();
        accused(&held(rounds.clone(), before))
    };
    assert_eq!(nameless(&[1, 1]), [] as [&str; 0]);
    assert_eq!(nameless(&[1]), ["rounds.1.result.number"]);
    assert_eq!(nameless(&[2, 1]), ["rounds.1.result.number"]);
}

/// The round with its record, after the record with this hash.
fn recorded(mut round: RoundFile, number: u32, previous_hash: Option<String>) -> RoundFile {
    round.result.record = Some(RecordMark {
        hash: String::new(),
        key: "0".repeat(64),
        recorded_at: at(90),
        is_recorded_later: false,
        timestamp: None,
    });
    round.seal = Some(RecordSeal {
        organization_id: Uuid::nil(),
        meeting: meeting(Vec::new()).meeting,
        number,
        previous_hash,
        audit_head: None,
        signature: String::new(),
        timestamp_token: None,
    });
    let hash = sha256(&RoundRecord::of_file(&round).unwrap().document());
    round.result.record.as_mut().unwrap().hash = hash;
    round
}

fn hash_of(round: &RoundFile) -> Option<String> {
    round.result.record.as_ref().map(|mark| mark.hash.clone())
}

#[test]
fn the_file_of_a_deleted_meeting_has_only_declared_rounds() {
    let file = meeting(vec![recorded(counted(2), 1, None)]);
    assert_eq!(accused(&file), [] as [&str; 0]);
    assert_eq!(accused(&held(file.rounds.clone(), Vec::new())), ["rounds.0.result.number"], "the meeting is there");
    let mut unrecorded = file;
    unrecorded.rounds[0].seal = None;
    assert_eq!(accused(&unrecorded), ["rounds.0.result.number"], "a file before there were records");
}

/// The fields for which a file without a signature is refused.
fn refused(file: &ResultsFile) -> Vec<String> {
    match check_origin(&serde_json::to_vec(file).unwrap(), file, &KnownKeys::None) {
        Ok(origin) => {
            assert_eq!(origin, Origin::Unknown(None));
            Vec::new()
        }
        Err(Refusal(differences)) => differences.into_iter().map(|one| one.field).collect(),
    }
}

#[test]
fn a_declared_round_that_was_left_out_is_missed_by_the_next_record() {
    let first = recorded(counted(1), 1, None);
    let second = recorded(counted(2), 2, hash_of(&first));
    let third = recorded(counted(3), 3, hash_of(&second));
    let file = |rounds: &[&RoundFile]| {
        let mut file = held(rounds.iter().map(|round| (*round).clone()).collect(), Vec::new());
        // So that no closing record is missed.
        file.meeting.status = "ACTIVE".to_owned();
        file
    };
    assert_eq!(refused(&file(&[&first, &second, &third])), [] as [&str; 0]);
    assert_eq!(refused(&file(&[&third, &first, &second])), [] as [&str; 0], "in the order of the agenda");
    assert_eq!(refused(&file(&[&second, &third])), ["rounds.0.seal.number"]);
    assert_eq!(refused(&file(&[&first, &third])), ["rounds.1.seal.number"]);
    let replaced = recorded(counted(1), 1, Some("0".repeat(64)));
    let others = ["rounds.0.seal.previousHash", "rounds.1.seal.previousHash"];
    assert_eq!(refused(&file(&[&replaced, &second, &third])), others);
    let deleted = |rounds: &[&RoundFile]| ResultsFile { closings: None, ..file(rounds) };
    assert_eq!(refused(&deleted(&[&first, &third])), [] as [&str; 0], "the second one was test data");
    assert_eq!(refused(&deleted(&[&second, &third])), [] as [&str; 0]);
    assert_eq!(refused(&deleted(&[&replaced, &second])), others);
    assert_eq!(refused(&deleted(&[&first, &first])), ["rounds.1.seal.number"]);
    let mut damaged = file(&[&second, &third]);
    let id = first.result.round_id;
    damaged.damaged =
        vec![DamagedRecord { round_id: id, position: 0, number: 0, damage: "its hash does not match".to_owned() }];
    assert_eq!(refused(&damaged), [format!("damaged.{id}")]);
    assert_eq!(accused(&damaged), [] as [&str; 0]);
}
