//! Secret rounds: sealed ballots of equal weights are counted again, and sums of different weights are checked.

use plenum_kernel::{DecisionRule, Majority, OptionRole, QuestionType, Seats, Secrecy, Unit, Units};
use plenum_result_format::{LogEntry, LogKind, RoundFile};
use plenum_verify::{Recounted, verify};
use serde_json::{Value, json};

use crate::hall::{Answered, Hall, Voter, admission, meeting, without_rare_weights};
use crate::tampering::{after, change, chosen, election, is_found, motion, number, of_numbers, of_texts, voter};

fn unreadable() -> Option<Answered> {
    Some(Answered::Unreadable)
}

/// A secret motion with different weights. One ballot of five does not open.
pub(crate) fn secret_motion() -> Hall {
    let mut hall = Hall { secrecy: Secrecy::Secret, ..motion(false) };
    hall.voters.push(voter("0.5", true, unreadable()));
    hall
}

/// A secret election with equal weights. One ballot of five does not open.
pub(crate) fn secret_election() -> Hall {
    let answers = [chosen(&[0, 1]), chosen(&[1]), chosen(&[0, 1]), unreadable(), chosen(&[2]), None];
    let rule = DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::ONE };
    let voters: Vec<Voter> = answers.into_iter().map(|answer| voter("2.5", true, answer)).collect();
    Hall { secrecy: Secrecy::Secret, rule: Some(rule), voters, ..election() }
}

/// A secret rating, which is counted by heads.
pub(crate) fn secret_rating() -> Hall {
    let mut hall = Hall { secrecy: Secrecy::Secret, counts_heads: true, ..of_numbers(QuestionType::Rating) };
    hall.voters.extend([voter("4", false, unreadable()), voter("1", false, number("5"))]);
    hall
}

fn secret_texts() -> Hall {
    Hall { secrecy: Secrecy::Secret, counts_heads: true, ..of_texts() }
}

fn recounted(file: RoundFile) -> (Recounted, u64) {
    let report = verify(&meeting(vec![file]));
    assert!(report.agrees(), "{report:#?}");
    (report.rounds[0].recounted, report.rounds[0].ballots)
}

#[test]
fn the_report_says_what_was_counted_again() {
    assert_eq!(recounted(secret_motion().file()), (Recounted::SecretSums, 4));
    assert_eq!(recounted(secret_election().file()), (Recounted::Answers, 4));
    assert_eq!(recounted(secret_rating().file()), (Recounted::Answers, 4));
    assert_eq!(recounted(secret_texts().file()), (Recounted::Answers, 2));
    assert_eq!(recounted(motion(false).file()), (Recounted::Answers, 4));
    let nobody = Hall { voters: vec![voter("1", true, None), voter("2", true, None)], ..secret_motion() };
    assert_eq!(recounted(nobody.file()), (Recounted::Answers, 0));
    let only_invalid = Hall { voters: vec![voter("1", true, unreadable())], ..secret_motion() };
    assert_eq!(recounted(only_invalid.file()), (Recounted::Answers, 0));
    assert_eq!(Recounted::Answers.words(), "Counted again from all answers");
    let words = "Only the sums are kept, because weights differ: checked against marks, receipts and hash";
    assert_eq!(Recounted::SecretSums.words(), words);
}

#[test]
fn a_file_without_levels_of_secrecy_stays_valid() {
    for is_named in [true, false] {
        let report = after(motion(is_named).file(), |json| {
            let result = json["rounds"][0]["result"].as_object_mut().unwrap();
            assert!(result.remove("secrecy").is_some());
            result.remove("countsHeads");
        });
        assert!(report.agrees(), "{report:#?}");
    }
}

fn json_round(json: &mut Value) -> &mut Value {
    &mut json["rounds"][0]
}

#[test]
fn a_changed_level_of_secrecy_is_found() {
    for hall in [secret_motion(), secret_election(), secret_rating()] {
        is_found(hall.file(), "urn", change("result/secrecy", json!("unshown")));
        is_found(hall.file(), "result.secrecy", change("result/secrecy", json!("named")));
        is_found(hall.file(), "urn", change("result/secrecy", json!(null)));
        is_found(hall.file(), "result.secrecy", change("result/isNamed", json!(true)));
        is_found(hall.file(), "urn", |json| {
            json_round(json).as_object_mut().unwrap().remove("urn");
        });
    }
    is_found(motion(true).file(), "result.secrecy", change("result/secrecy", json!("unshown")));
    is_found(motion(true).file(), "result.secrecy", change("result/secrecy", json!("secret")));
    is_found(motion(false).file(), "result.secrecy", change("result/secrecy", json!("named")));
    is_found(motion(false).file(), "urn", change("result/secrecy", json!("secret")));
    let urn = serde_json::to_value(secret_motion().file().urn).unwrap();
    is_found(motion(false).file(), "urn", move |json| json_round(json)["urn"] = urn);
}

#[test]
fn a_changed_urn_is_found() {
    for hall in [secret_motion(), secret_election()] {
        let receipts = hall.file().urn.unwrap().receipts;
        let wrong = [
            ("openedAt", json!("1970-01-01T00:00:59Z")),
            ("openedAt", json!("1970-01-01T00:01:31Z")),
            ("receipts", json!(receipts[1..])),
            ("receipts", json!(receipts.iter().rev().collect::<Vec<_>>())),
            ("receipts/0", json!("ABCD-EFGH-JKLM-NPQO")),
            ("receipts/0", json!("ABCD-EFGH-JKLM-NPQI")),
            ("receipts/0", json!("ABCD-EFGH-JKLM-NPQ1")),
            ("receipts/0", json!("AAAA-AAAA-AAAA")),
            ("receipts/0", json!("AAAAAAAAAAAAAAAA")),
            ("receipts/0", json!("aaaa-aaaa-aaaa-aaaa")),
            ("envelopesHash", json!("a".repeat(63))),
            ("envelopesHash", json!("A".repeat(64))),
            ("envelopesHash", json!("g".repeat(64))),
            ("publicKey", json!(format!("03{}", "a1".repeat(64)))),
            ("publicKey", json!("04")),
        ];
        for (field, value) in wrong {
            let path = format!("urn.{}", field.replace('/', "."));
            is_found(hall.file(), &path, change(&format!("urn/{field}"), value));
        }
    }
}

#[test]
fn changed_answers_of_a_secret_vote_with_equal_weights_are_found() {
    let file = || secret_election().file();
    let ids: Vec<_> = file().result.options.iter().map(|option| option.id).collect();
    is_found(file(), "result.options.0.heads", change("ballots/0/answer", json!({ "options": [ids[2]] })));
    is_found(file(), "ballots.0.answer", change("ballots/0/answer", json!({ "options": [] })));
    is_found(file(), "ballots.0.voter", change("ballots/0/voter", json!(1)));
    is_found(file(), "ballots.0.weight", change("ballots/0/weight", json!(2)));
    is_found(file(), "ballots.0.count", change("ballots/0/count", json!(0)));
    is_found(file(), "result.votesCast", change("ballots/0/count", json!(3)));
    is_found(file(), "ballots", change("ballots/0/count", json!(4)));
    is_found(file(), "result.votesCast", change("ballots", json!([])));
    is_found(file(), "ballots.1.answer", |json| json_round(json)["ballots"].as_array_mut().unwrap().swap(0, 1));
    is_found(file(), "result.invalid", change("result/invalid", json!({ "heads": 0, "weight": 0 })));
    is_found(file(), "result.invalid", change("register/3/hasVoted", json!(false)));
    is_found(file(), "urn.receipts", change("register/5/hasVoted", json!(true)));
    is_found(file(), "result.countsHeads", {
        let hall = Hall { voters: secret_texts().voters[..1].to_vec(), ..secret_texts() };
        let changed = change("result/countsHeads", json!(false));
        is_found(hall.file(), "result.countsHeads", changed);
        |json| json_round(json)["result"]["questionType"] = json!("OPEN_TEXT")
    });
    is_found(secret_rating().file(), "result.numbers.mean", change("result/numbers/mean", json!(3)));
    is_found(secret_texts().file(), "texts.0.text", change("texts/0/text", json!("Banks")));
}

#[test]
fn changed_sums_of_a_secret_vote_with_different_weights_are_found() {
    let file = || secret_motion().file();
    let wrong = [
        ("votesCast", json!({ "heads": 3, "weight": 8.2501 })),
        ("votesCast", json!({ "heads": 5, "weight": 8.7501 })),
        ("votesCast", json!({ "heads": 6, "weight": 8.7501 })),
        ("votesCast", json!({ "heads": 4, "weight": 8.75 })),
        ("invalid", json!({ "heads": 0, "weight": 0 })),
        ("invalid", json!({ "heads": 1, "weight": 0.25 })),
        ("notVoted", json!({ "heads": 2, "weight": 1.5 })),
        ("options/0/heads", json!(3)),
        ("options/0/weight", json!(3.5)),
        ("options/0/weight", json!(99)),
        ("options/1/weight", json!(-1)),
        ("options/0/weightPercent", json!(45)),
        ("decision/outcome", json!("rejected")),
        ("arithmetic/checks/0/part", json!(3.7501)),
        ("arithmetic/sentence", json!("Accepted")),
    ];
    for (field, value) in wrong {
        is_found(file(), "result.", change(&format!("result/{field}"), value));
    }
    // Two changes that keep the sum, with votes that nobody can have.
    is_found(file(), "result.options.1.weight", |json| {
        let options = &mut json_round(json)["result"]["options"];
        (options[0]["weight"], options[1]["weight"]) = (json!(5.15), json!(0.1));
    });
    let ballot = serde_json::to_value(&motion(false).file().ballots[0]).unwrap();
    is_found(file(), "ballots", change("ballots", json!([ballot])));
    is_found(file(), "result.", change("register/5/weight", json!(0.75)));
    is_found(file(), "register.0.weight", |json| json_round(json)["result"]["countsHeads"] = json!(true));
}

#[test]
fn sums_of_several_choices_fit_the_votes_cast() {
    let mut hall = secret_election();
    hall.voters[0].weight = "1".parse().unwrap();
    hall.rule = None;
    let file = || hall.file();
    assert_eq!(recounted(file()).0, Recounted::SecretSums);
    is_found(
        file(),
        "result.options",
        change("result/options/1", {
            let option = &file().result.options[1];
            json!({ "id": option.id, "text": option.text, "role": "choice", "heads": 0, "weight": 0,
                "headsPercent": 0, "weightPercent": 0 })
        }),
    );
    is_found(file(), "result.options", change("result/maxChoices", json!(1)));
}

#[test]
fn a_round_that_is_void_or_hides_its_risk_is_found() {
    let mut file = secret_motion().file();
    let risk = "The votes of 6 people could be inferred from the totals (weights 0.5; 1; 1.25; 1.5; 2.5; 3.0001)";
    let entry =
        LogEntry { kind: LogKind::RiskAccepted, person: None, reason: Some(risk.to_owned()), ..admission(&file) };
    file.result.log.insert(1, entry);
    assert!(after(file.clone(), |_| ()).agrees());
    is_found(file.clone(), "result.log.1.reason", change("result/log/1/reason", json!(null)));
    is_found(file.clone(), "result.log.1.reason", change("result/log/1/reason", json!(" ")));
    is_found(file.clone(), "result.log.1.kind", change("result/log/1/kind", json!("VOIDED")));
    is_found(file, "result.log.1.kind", change("result/secrecy", json!("unshown")));
}

#[test]
fn the_rule_of_a_secret_vote_is_applied_again() {
    let by_weight = DecisionRule::Majority(Majority::simple(Units::Weight));
    let hall = Hall {
        rule: Some(by_weight),
        roles: vec![OptionRole::Yes, OptionRole::No, OptionRole::Abstain],
        ..secret_motion()
    };
    is_found(hall.file(), "result.arithmetic", change("result/decisionRule/conditions/0/units", json!("heads")));
    is_found(hall.file(), "result.decision", change("result/decisionRule", json!(null)));
}

#[test]
fn an_unshown_vote_with_rare_weights_has_sums_only() {
    let file = || without_rare_weights(motion(false).file());
    assert_eq!(recounted(file()), (Recounted::UnshownSums, 4));
    for hall in [of_numbers(QuestionType::Rating), of_numbers(QuestionType::Percentage), of_texts()] {
        assert_eq!(recounted(without_rare_weights(hall.file())).0, Recounted::UnshownSums);
    }
    for (field, value) in [
        ("votesCast", json!({ "heads": 3, "weight": 8.2501 })),
        ("invalid", json!({ "heads": 1, "weight": 0 })),
        ("options/0/heads", json!(3)),
        ("options/0/weight", json!(3.5)),
        ("decision/outcome", json!("rejected")),
    ] {
        is_found(file(), "result.", change(&format!("result/{field}"), value));
    }
    // Earlier versions named no level, and always listed the ballots.
    is_found(file(), "ballots of weight", change("result/secrecy", json!(null)));
    let rating = || without_rare_weights(of_numbers(QuestionType::Rating).file());
    is_found(rating(), "result.numbers", change("result/numbers/distribution/1/value", json!(3.5)));
    is_found(rating(), "result.numbers", change("result/numbers/distribution/1/heads", json!(2)));
    let texts = || without_rare_weights(of_texts().file());
    is_found(texts(), "texts", change("texts/0/weight", json!(3)));
    is_found(texts(), "texts", change("texts/0/heads", json!(0)));
    is_found(texts(), "texts.0.text", change("texts/0/text", json!(" ")));
    is_found(texts(), "result.differentTexts", change("texts", json!([])));
}

#[test]
fn an_unshown_vote_lists_weights_that_five_voters_have() {
    let mut voters = vec![voter("1", true, chosen(&[0])); 5];
    voters.extend(vec![voter("2", true, chosen(&[1])); 5]);
    let hall = Hall { voters, ..motion(false) };
    let file = without_rare_weights(hall.file());
    assert_eq!(file.ballots.len(), 2);
    is_found(file, "ballots of weight", change("ballots", json!([])));
}
