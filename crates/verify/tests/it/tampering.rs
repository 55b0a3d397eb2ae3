//! Every kind of tampering is detected, with the name of its field.

use chrono::TimeDelta;
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    Attendance, Base, Condition, DecisionRule, EachOption, GroupId, Majority, Minimum, OnTie, OptionRole, PresenceRule,
    QuestionType, Quorum, Seats, Secrecy, Threshold, Unit, Units,
};
use plenum_result_format::{CastOnName, Count, LogEntry, LogKind, LoggedPerson, RoundFile, TextAnswer, WaysFormat};
use plenum_verify::{Report, read, verify};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::hall::{Answered, Hall, Voter, admission, meeting, without_rare_weights};

pub(crate) fn voter(weight: &str, is_connected: bool, answer: Option<Answered>) -> Voter {
    Voter { weight: weight.parse().unwrap(), second: None, is_connected, answer, groups: Vec::new() }
}

pub(crate) fn chosen(places: &[usize]) -> Option<Answered> {
    Some(Answered::Options(places.to_vec()))
}

pub(crate) fn number(number: &str) -> Option<Answered> {
    Some(Answered::Number(number.parse().unwrap()))
}

/// A motion with a condition in weight and a quorum.
pub(crate) fn motion(is_named: bool) -> Hall {
    Hall {
        question_type: QuestionType::YesNo,
        roles: vec![OptionRole::Yes, OptionRole::No, OptionRole::Abstain],
        rule: Some(DecisionRule::Majority(Majority::two_thirds(Units::Weight))),
        quorum: Some(Quorum {
            minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
            unit: Unit::Heads,
            attendance: Attendance::Present,
        }),
        presence: PresenceRule::ConnectedOrVoted,
        secrecy: if is_named { Secrecy::Named } else { Secrecy::Unshown },
        counts_heads: false,
        by_kinds: false,
        casting_vote: None,
        voters: vec![
            voter("2.5", true, chosen(&[0])),
            voter("1.25", true, chosen(&[0])),
            voter("1.5", false, chosen(&[1])),
            voter("3.0001", true, chosen(&[2])),
            voter("1", false, None),
        ],
    }
}

pub(crate) fn election() -> Hall {
    let condition =
        Condition { base: plenum_kernel::Base::VotesCast, ..Majority::simple(Units::Heads).conditions()[0] };
    Hall {
        question_type: QuestionType::MultipleChoice,
        roles: vec![OptionRole::Choice; 3],
        rule: Some(DecisionRule::EachOption(EachOption::new(condition, Some(Seats::ONE)).unwrap())),
        quorum: None,
        presence: PresenceRule::ConnectedOrVoted,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        by_kinds: false,
        casting_vote: None,
        voters: vec![
            voter("1", true, chosen(&[0, 1])),
            voter("1", true, chosen(&[0, 1])),
            voter("2", true, chosen(&[2])),
        ],
    }
}

pub(crate) fn of_numbers(question_type: QuestionType) -> Hall {
    let voters = vec![voter("1", true, number("2")), voter("2", true, number("5")), voter("1", true, number("4"))];
    Hall { question_type, roles: Vec::new(), rule: None, voters, ..election() }
}

pub(crate) fn of_texts() -> Hall {
    let text = |text: &str| Some(Answered::Text(text.to_owned()));
    let voters = vec![voter("1", true, text("Trees")), voter("2", true, text("Benches"))];
    Hall { question_type: QuestionType::OpenText, roles: Vec::new(), rule: None, voters, ..election() }
}

/// The differences that the recount finds in a changed file.
pub(crate) fn after(file: RoundFile, change: impl FnOnce(&mut Value)) -> Report {
    let file = meeting(vec![file]);
    assert!(verify(&file).agrees(), "it does not agree before anything was changed: {:#?}", verify(&file));
    let mut json = serde_json::to_value(&file).unwrap();
    change(&mut json);
    verify(&read(&serde_json::to_vec(&json).unwrap()).unwrap())
}

pub(crate) fn is_found(file: RoundFile, field: &str, change: impl FnOnce(&mut Value)) {
    let report = after(file, change);
    assert!(!report.agrees(), "{field} was changed and the recount agrees");
    let of_rounds = report.rounds.iter().flat_map(|round| &round.differences);
    let fields: Vec<&str> = of_rounds.chain(&report.differences).map(|difference| difference.field.as_str()).collect();
    assert!(fields.iter().any(|found| found.starts_with(field)), "{field} is not among {fields:?}");
}

/// Changes the value at this place of the first round.
pub(crate) fn change(pointer: &str, value: Value) -> impl FnOnce(&mut Value) {
    let pointer = format!("/rounds/0/{pointer}");
    move |json| *json.pointer_mut(&pointer).unwrap_or_else(|| panic!("{pointer}")) = value
}

/// Fields of a result, and their changed values.
fn changes() -> Vec<(&'static str, Value)> {
    vec![
        ("register/heads", json!(6)),
        ("register/weight", json!(9.2502)),
        ("connectedAtOpening/heads", json!(2)),
        ("connectedAtOpening/weight", json!(6.75)),
        ("present/heads", json!(5)),
        ("present/weight", json!(8.25)),
        ("votesCast/heads", json!(5)),
        ("votesCast/weight", json!(8.25)),
        ("notVoted/heads", json!(0)),
        ("notVoted/weight", json!(1.0001)),
        ("invalid/heads", json!(1)),
        ("invalid/weight", json!(0.5)),
        ("options/0/heads", json!(3)),
        ("options/0/weight", json!(3.7501)),
        ("options/0/headsPercent", json!(50.01)),
        ("options/1/weightPercent", json!(18.19)),
        ("options/2/headsPercent", json!(null)),
        (
            "numbers",
            json!({
                "mean": 1, "weightedMean": null, "median": null, "weightedMedian": null, "distribution": [],
            }),
        ),
        ("differentTexts", json!(2)),
        ("decision/outcome", json!("rejected")),
        ("decision/elected", json!(["019a9d5e-0000-7000-8000-000000000001"])),
        ("arithmetic/checks", json!([])),
        ("arithmetic/checks/0/part", json!(3.7501)),
        ("arithmetic/checks/0/whole", json!(5.2501)),
        ("arithmetic/checks/0/percent", json!(71.42)),
        ("arithmetic/checks/0/needed/amount", json!(3.4)),
        ("arithmetic/checks/0/needed", json!(null)),
        ("arithmetic/checks/0/isMet", json!(false)),
        ("arithmetic/checks/0/isTie", json!(true)),
        ("arithmetic/checks/0/numerator", json!(1)),
        ("arithmetic/checks/0/base", json!("votes_cast")),
        ("arithmetic/checks/0/unit", json!("heads")),
        ("arithmetic/quorum/attending", json!(5)),
        ("arithmetic/quorum/register", json!(6)),
        ("arithmetic/quorum/percent", json!(80.01)),
        ("arithmetic/quorum/isMet", json!(false)),
        ("arithmetic/quorum/needed/isEnough", json!(false)),
        ("arithmetic/quorum/quorum/denominator", json!(3)),
        ("arithmetic/quorum/sentence", json!("Quorum met: 5 of 5 in the register by heads were present")),
        ("arithmetic/quorum", json!(null)),
        (
            "arithmetic/sentence",
            json!("Accepted: 3.75 of 5.25 votes by weight are yes, 71.43 %; more than 2/3, that is 3.5, were needed"),
        ),
    ]
}

#[test]
fn every_changed_figure_of_a_result_is_found() {
    for (field, value) in changes() {
        let path = format!("result.{}", field.replace('/', "."));
        for is_named in [false, true] {
            is_found(motion(is_named).file(), &path, change(&format!("result/{field}"), value.clone()));
        }
    }
}

/// A motion on which one of two people votes.
fn motion_of_one() -> Hall {
    Hall {
        rule: Some(DecisionRule::Majority(Majority::simple(Units::Heads))),
        voters: vec![voter("1", true, chosen(&[0])), voter("1", false, None)],
        ..motion(false)
    }
}

#[test]
fn the_words_of_earlier_versions_are_accepted_and_no_others() {
    let file = motion_of_one().file();
    let now = "Accepted: 1 of 1 vote by heads is yes, 100.00 %; more than 1/2, that is at least 1, was needed";
    assert_eq!(file.result.arithmetic.sentence, now);
    let earlier = "Accepted: 1 of 1 votes by heads are yes, 100.00 %; more than 1/2, that is at least 1, were needed";
    let of_quorum =
        "Quorum met: 1 of 2 in the register by heads were present, 50.00 %; at least 1/2, that is 1, were needed";
    let report = after(file.clone(), |json| {
        change("result/arithmetic/sentence", json!(earlier))(json);
        change("result/arithmetic/quorum/sentence", json!(of_quorum))(json);
    });
    assert!(report.agrees(), "{report:#?}");
    let mixed = now.replace("is yes", "are yes");
    is_found(file, "result.arithmetic.sentence", change("result/arithmetic/sentence", json!(mixed)));
}

#[test]
fn a_changed_rule_quorum_or_role_is_found_by_its_consequences() {
    let conditions = "result/decisionRule/conditions/0";
    is_found(motion(true).file(), "result.arithmetic", change(&format!("{conditions}/units"), json!("heads")));
    is_found(motion(true).file(), "result.arithmetic", change(&format!("{conditions}/numerator"), json!(1)));
    is_found(motion(true).file(), "result.arithmetic", change("result/quorum/unit", json!("weight")));
    is_found(motion(true).file(), "result.arithmetic", change("result/options/2/role", json!("no")));
    is_found(motion(true).file(), "result.decision", change("result/decisionRule", json!(null)));
    is_found(motion(true).file(), "result.arithmetic.quorum", change("result/quorum", json!(null)));
    is_found(motion(true).file(), "result.decisionRule", change(&format!("{conditions}/denominator"), json!(0)));
    is_found(motion(true).file(), "result.quorum", change("result/quorum/numerator", json!(9)));
    is_found(election().file(), "result.decisionRule", change("result/decisionRule/seats", json!(4)));
    is_found(election().file(), "result.decision", change("result/decisionRule/seats", json!(2)));
    is_found(election().file(), "result.options.1.role", change("result/options/1/role", json!("no")));
}

#[test]
fn a_changed_election_outcome_is_found() {
    let file = election().file();
    let second = json!(file.result.options[1].id);
    assert!(file.result.decision.tie.is_some());
    is_found(file.clone(), "result.decision.elected", change("result/decision/elected", json!([second])));
    is_found(file.clone(), "result.decision.tie", change("result/decision/tie", json!(null)));
    is_found(file.clone(), "result.decision.tie.seats", change("result/decision/tie/seats", json!(2)));
    is_found(file.clone(), "result.decision.tie.votes", change("result/decision/tie/votes", json!(3)));
    is_found(file, "result.arithmetic.checks.0.option", change("result/arithmetic/checks/0/option", second));
}

#[test]
fn invented_numbers_and_texts_are_found() {
    for question_type in [QuestionType::Rating, QuestionType::Percentage] {
        for field in
            ["mean", "weightedMean", "median", "weightedMedian", "distribution/0/heads", "distribution/0/value"]
        {
            let path = format!("result.numbers.{}", field.replace('/', "."));
            is_found(of_numbers(question_type).file(), &path, change(&format!("result/numbers/{field}"), json!(9)));
        }
    }
    is_found(of_texts().file(), "texts.0.heads", change("texts/0/heads", json!(2)));
    is_found(of_texts().file(), "texts.0.text", change("texts/0/text", json!("Banks")));
    is_found(of_texts().file(), "texts", change("texts", json!([])));
    let mut file = of_texts().file();
    file.texts.reverse();
    assert!(verify(&meeting(vec![file])).agrees(), "the order of the alphabet is a matter of taste");
    let more = TextAnswer { text: "Zebras".to_owned(), heads: 1, weight: Decimal::ONE };
    is_found(of_texts().file(), "texts", move |json| {
        json["rounds"][0]["texts"].as_array_mut().unwrap().push(serde_json::to_value(more).unwrap());
    });
}

#[test]
fn a_changed_register_is_found() {
    let named = || motion(true).file();
    is_found(named(), "result.register.weight", change("register/4/weight", json!(1.5)));
    is_found(named(), "ballots.0.weight", change("register/0/weight", json!(2.75)));
    is_found(named(), "register.4.weight", change("register/4/weight", json!(100.0001)));
    is_found(named(), "register.4.weight", change("register/4/weight", json!(-1)));
    is_found(named(), "register.4.weight", change("register/4/weight", json!(1.00001)));
    is_found(named(), "register.4.place", change("register/4/place", json!(1)));
    is_found(named(), "register.4.place", change("register/4/place", json!(9)));
    is_found(named(), "result.connectedAtOpening", change("register/4/wasConnected", json!(true)));
    is_found(named(), "result.notVoted", change("register/4/hasVoted", json!(true)));
    is_found(named(), "ballots.0.voter", change("register/0/hasVoted", json!(false)));
    is_found(motion(false).file(), "ballots of weight 1.5", change("register/2/weight", json!(1.75)));
    is_found(motion(false).file(), "result.register", |json| {
        json["rounds"][0]["register"].as_array_mut().unwrap().pop();
    });
}

/// A motion by two kinds of weight, in total and in two groups.
fn by_kinds(is_named: bool) -> RoundFile {
    let ids = CountingIds::new();
    let simple = Majority::simple(Units::Weight).conditions()[0];
    let second = Condition { units: Units::SecondWeight, base: Base::WholeRegister, ..simple };
    let groups = vec![GroupId::new(&ids), GroupId::new(&ids)];
    let rule = Majority::new(vec![simple, second], OnTie::Rejected).unwrap().in_each_of(groups).unwrap();
    let mut hall = Hall { by_kinds: true, rule: Some(DecisionRule::Majority(rule)), ..motion(is_named) };
    let seconds = ["1000.5", "250", "999999999999999999.999999", "0", "0.000001"];
    for (place, (voter, second)) in hall.voters.iter_mut().zip(seconds).enumerate() {
        voter.second = Some(second.parse().unwrap());
        voter.weight *= Decimal::from(1_000);
        voter.groups = vec![place as u16 % 2];
    }
    hall.file()
}

#[test]
fn a_changed_second_weight_is_found() {
    let named = || by_kinds(true);
    assert!(after(named(), |_| ()).agrees(), "{:?}", after(named(), |_| ()));
    is_found(named(), "result.secondWeight.register", change("register/4/secondWeight", json!(1)));
    is_found(named(), "ballots.0.secondWeight", change("register/0/secondWeight", json!(1000.75)));
    is_found(named(), "register.0.secondWeight", change("register/0/secondWeight", json!(0.000_000_1)));
    is_found(named(), "register.0.weight", change("register/0/weight", json!(-1)));
    is_found(named(), "result.secondWeight.options", change("result/secondWeight/options/0/weight", json!(1250)));
    is_found(named(), "result.secondWeight.options", change("result/secondWeight/options/0/heads", json!(3)));
    is_found(named(), "result.secondWeight.votesCast", change("result/secondWeight/votesCast/weight", json!(7)));
    is_found(named(), "result.secondWeight.present", change("result/secondWeight/present/weight", json!(7)));
    is_found(named(), "result.secondWeight.inEach", change("result/secondWeight/inEach/0/register/weight", json!(7)));
    is_found(named(), "result.arithmetic.checks", change("result/arithmetic/checks/1/part", json!(1250)));
    is_found(named(), "result.arithmetic.sentence", change("result/secondWeight/kind/name", json!("Money")));
    is_found(named(), "result.arithmetic.sentence", change("result/weightKind/name", json!("Money")));
    is_found(named(), "register.0.secondWeight", |json| {
        json["rounds"][0]["register"][0].as_object_mut().unwrap().remove("secondWeight");
    });
    is_found(named(), "result.secondWeight", |json| {
        json["rounds"][0]["result"].as_object_mut().unwrap().remove("secondWeight");
    });
    is_found(motion(true).file(), "register.0.secondWeight", |json| {
        json["rounds"][0]["register"][0]["secondWeight"] = json!(1);
    });
}

#[test]
fn sums_by_a_second_weight_without_ballots_are_possible_ones() {
    let file = || without_rare_weights(by_kinds(false));
    assert!(file().ballots.is_empty());
    assert!(after(file(), |_| ()).agrees(), "{:?}", after(file(), |_| ()));
    is_found(file(), "result.secondWeight.options", change("result/secondWeight/options/0/weight", json!(1249)));
    is_found(file(), "result.secondWeight.votesCast", change("result/secondWeight/votesCast/weight", json!(1)));
}

/// A motion with one vote on paper and one at a voting place.
fn with_papers() -> RoundFile {
    let mut file = motion(true).file();
    file.register[0].cast_on = Some(CastOnName::Paper);
    file.register[2].cast_on = Some(CastOnName::VotingPlace);
    let count = |heads, weight: &str| Count { heads, weight: weight.parse().unwrap() };
    let (device, paper, voting_place) = (count(2, "4.2501"), count(1, "2.5"), count(1, "1.5"));
    file.result.ways = Some(WaysFormat { device, paper, voting_place });
    file
}

#[test]
fn the_ways_of_ballots_are_counted_again() {
    is_found(with_papers(), "result.ways", change("result/ways/paper/heads", json!(2)));
    is_found(with_papers(), "result.ways", change("result/ways/votingPlace/weight", json!(1)));
    is_found(with_papers(), "result.ways", change("register/0/castOn", json!("VOTING_PLACE")));
    is_found(with_papers(), "result.ways", |json| {
        json["rounds"][0]["result"].as_object_mut().unwrap().remove("ways");
    });
    is_found(motion(true).file(), "result.ways", |json| json["rounds"][0]["register"][1]["castOn"] = json!("PAPER"));
    is_found(motion(true).file(), "register.4.castOn", |json| {
        json["rounds"][0]["register"][4]["castOn"] = json!("PAPER");
    });
}

/// A motion with a connected spectator who did not vote, and a voter who was not connected.
fn with_a_spectator(presence: PresenceRule) -> RoundFile {
    let mut hall = motion(false);
    hall.presence = presence;
    hall.voters[4].is_connected = true;
    hall.file()
}

#[test]
fn the_present_voters_are_counted_by_the_rule_of_the_round() {
    let present = |rule| with_a_spectator(rule).result.present.unwrap().heads;
    assert_eq!(present(PresenceRule::ConnectedOrVoted), 5);
    assert_eq!(present(PresenceRule::LargerNumber), 4);
    let of_set = || with_a_spectator(PresenceRule::ConnectedOrVoted);
    is_found(of_set(), "result.present", change("result/presence", json!("LARGER_NUMBER")));
    is_found(of_set(), "result.arithmetic.quorum.attending", change("register/4/wasConnected", json!(false)));
    is_found(of_set(), "result.present", |json| {
        json["rounds"][0]["result"].as_object_mut().unwrap().remove("present");
    });
    let of_larger = || with_a_spectator(PresenceRule::LargerNumber);
    is_found(of_larger(), "result.present", change("result/presence", json!("CONNECTED_OR_VOTED")));
}

#[test]
fn a_file_of_an_earlier_version_is_counted_by_the_larger_number() {
    let older = |json: &mut Value| {
        let result = json["rounds"][0]["result"].as_object_mut().unwrap();
        assert!(result.remove("presence").is_some() && result.remove("present").is_some());
    };
    assert!(after(with_a_spectator(PresenceRule::LargerNumber), older).agrees());
    is_found(with_a_spectator(PresenceRule::ConnectedOrVoted), "result.arithmetic.quorum.attending", older);
}

#[test]
fn changed_ballots_of_a_named_vote_are_found() {
    let named = || motion(true).file();
    let no = json!({ "options": [named().result.options[1].id] });
    is_found(named(), "result.options.0.heads", change("ballots/0/answer", no.clone()));
    is_found(named(), "ballots.0.weight", change("ballots/0/weight", json!(2.75)));
    is_found(named(), "ballots.0.count", change("ballots/0/count", json!(2)));
    is_found(named(), "ballots.0.count", change("ballots/0/count", json!(0)));
    is_found(named(), "ballots.0.voter", change("ballots/0/voter", json!(77)));
    is_found(named(), "ballots.1.voter", change("ballots/1/voter", json!(1)));
    is_found(named(), "ballots.0.voter", change("ballots/0/voter", json!(null)));
    is_found(named(), "ballots.0.voter", change("ballots/0/voter", json!(5)));
    is_found(named(), "ballots.0.voter", change("result/isNamed", json!(false)));
    is_found(named(), "ballots.1.voter", |json| {
        let ballots = json["rounds"][0]["ballots"].as_array_mut().unwrap();
        ballots.insert(0, ballots[0].clone());
    });
    is_found(named(), "result.votesCast", |json| {
        json["rounds"][0]["ballots"].as_array_mut().unwrap().remove(0);
    });
}

#[test]
fn changed_ballots_of_a_vote_that_is_not_named_are_found() {
    let unnamed = || motion(false).file();
    is_found(unnamed(), "ballots of weight", change("ballots/0/weight", json!(2)));
    is_found(unnamed(), "ballots of weight", change("ballots/0/count", json!(2)));
    is_found(unnamed(), "ballots.0.voter", change("ballots/0/voter", json!(1)));
    is_found(unnamed(), "ballots.0.voter", change("result/isNamed", json!(true)));
    // Two weights exchanged between ballots keep every sum of weights, and change the weights of options.
    is_found(unnamed(), "result.options", |json| {
        let ballots = json["rounds"][0]["ballots"].as_array_mut().unwrap();
        let (first, last) = (ballots[0]["weight"].clone(), ballots[3]["weight"].clone());
        ballots[0]["weight"] = last;
        ballots[3]["weight"] = first;
    });
}

#[test]
fn impossible_answers_are_found() {
    let ids: Vec<_> = motion(true).file().result.options.iter().map(|option| option.id).collect();
    let unknown = "019a9d5e-0000-7000-8000-0000000000ff";
    for answer in [
        json!({ "options": [] }),
        json!({ "options": [ids[0], ids[1]] }),
        json!({ "options": [unknown] }),
        json!({ "number": 1 }),
        json!({ "text": "Yes" }),
    ] {
        is_found(motion(true).file(), "ballots.0.answer", change("ballots/0/answer", answer));
    }
    let ids: Vec<_> = election().file().result.options.iter().map(|option| option.id).collect();
    let twice = json!({ "options": [ids[0], ids[0]] });
    is_found(election().file(), "ballots.0.answer", change("ballots/0/answer", twice));
    is_found(election().file(), "ballots.0.answer", change("result/maxChoices", json!(1)));
    for (question_type, numbers) in
        [(QuestionType::Rating, ["0", "6", "2.5"]), (QuestionType::Percentage, ["-1", "100.5", "1.00001"])]
    {
        for number in numbers {
            let number: Value = serde_json::from_str(number).unwrap();
            let answer = json!({ "number": number });
            is_found(of_numbers(question_type).file(), "ballots.0.answer", change("ballots/0/answer", answer));
        }
    }
    for text in [" ".to_owned(), "a".repeat(2_001)] {
        is_found(of_texts().file(), "ballots.0.answer", change("ballots/0/answer", json!({ "text": text })));
    }
}

#[test]
fn steps_out_of_their_order_are_found() {
    let declared = |json: Value| change("result/declared", json);
    is_found(motion(true).file(), "result.declared", declared(json!(null)));
    is_found(motion(true).file(), "result.declared", change("result/status", json!("COUNTED")));
    is_found(motion(true).file(), "result.declared.at", change("result/declared/at", json!("1970-01-01T00:00:30Z")));
    is_found(motion(true).file(), "result.log", change("result/declared/at", json!("1970-01-01T00:05:00Z")));
    is_found(motion(true).file(), "result.endedAt", change("result/endedAt", json!("1969-12-31T23:00:00Z")));
}

#[test]
fn an_admitted_person_is_in_the_register() {
    let mut file = motion(true).file();
    let entry = admission(&file);
    file.result.log.insert(1, entry);
    is_found(file.clone(), "result.log.1.person", change("result/log/1/person/weight", json!(9)));
    is_found(file.clone(), "result.log.1.person", change("result/log/1/person/username", json!("somebody.else")));
    file.register[0].added_at = file.result.log[1].at;
    is_found(file, "register.0.addedAt", |json| {
        json["rounds"][0]["result"]["log"].as_array_mut().unwrap().remove(1);
    });
}

#[test]
fn a_password_was_set_during_the_vote_for_somebody_in_the_register() {
    let mut file = motion(true).file();
    let entry = LogEntry { kind: LogKind::PasswordSet, ..admission(&file) };
    file.result.log.insert(1, entry.clone());
    let (opened, ended) = (file.result.opened_at, file.result.ended_at);
    file.result.log[1].at = opened;
    assert!(after(file.clone(), |_| ()).agrees());
    file.result.log[1].at = ended;
    is_found(file.clone(), "result.log.1.person", change("result/log/1/person/username", json!("somebody.else")));
    is_found(file.clone(), "result.log.1.person", change("result/log/1/person", Value::Null));
    for at in [opened - TimeDelta::seconds(1), ended + TimeDelta::seconds(1)] {
        is_found(file.clone(), "result.log.1.at", change("result/log/1/at", json!(at)));
    }
    // Somebody who was excluded afterwards is not in the register any more.
    let mut person = entry.person.clone().unwrap();
    person.username = "left.later".to_owned();
    file.result.log[1].person = Some(person.clone());
    file.result.log.insert(2, LogEntry { kind: LogKind::Excluded, person: Some(person), ..entry });
    assert!(after(file.clone(), |_| ()).agrees());
    is_found(file, "result.log.2.person", |json| json["rounds"][0]["result"]["log"].as_array_mut().unwrap().swap(1, 2));
}

#[test]
fn a_reopening_names_everybody_who_joined() {
    let mut file = motion(true).file();
    let joined = LogEntry { kind: LogKind::Joined, ..admission(&file) };
    let reopened = LogEntry { kind: LogKind::Reopened, person: None, ..joined.clone() };
    file.result.log.splice(1..1, [reopened, joined.clone()]);
    for voter in &mut file.register[..2] {
        voter.added_at = joined.at;
    }
    let second = LoggedPerson {
        name: file.register[1].name.clone(),
        username: file.register[1].username.clone(),
        weight: file.register[1].weight,
    };
    file.result.log.insert(3, LogEntry { person: Some(second), ..joined });
    assert!(after(file.clone(), |_| ()).agrees());
    is_found(file.clone(), "register.1.addedAt", |json| {
        json["rounds"][0]["result"]["log"].as_array_mut().unwrap().remove(3);
    });
    is_found(file.clone(), "result.log.3.person", change("result/log/3/person/username", json!("somebody.else")));
    is_found(file, "result.log.2.at", change("result/log/2/at", json!("1970-01-01T00:00:11Z")));
}

#[test]
fn rounds_and_questions_have_their_places_and_numbers() {
    let file = || motion(true).file();
    for field in ["position", "number"] {
        for wrong in [0, 2] {
            let path = format!("rounds.0.result.{field}");
            if (field, wrong) != ("position", 2) {
                is_found(file(), &path, change(&format!("result/{field}"), json!(wrong)));
            }
        }
    }
    let with_second = |question: &'static str, position: u32, number: u32| {
        move |json: &mut Value| {
            let rounds = json["rounds"].as_array_mut().unwrap();
            let mut second = rounds[0].clone();
            second["result"]["roundId"] = json!("019a9d5e-0000-7000-8000-0000000000ee");
            if !question.is_empty() {
                second["result"]["questionId"] = json!(question);
            }
            (second["result"]["position"], second["result"]["number"]) = (json!(position), json!(number));
            rounds.push(second);
        }
    };
    let other = "019a9d5e-0000-7000-8000-0000000000ef";
    assert!(after(file(), with_second("", 1, 2)).agrees(), "a re-vote");
    assert!(after(file(), with_second(other, 2, 1)).agrees(), "another question");
    is_found(file(), "rounds.1.result.number", with_second("", 1, 3));
    is_found(file(), "rounds.1.result.position", with_second("", 2, 2));
    is_found(file(), "rounds.1.result.position", with_second(other, 1, 1));
}

#[test]
fn attendance_and_rounds_are_compared_with_the_meeting() {
    let file = || motion(true).file();
    is_found(file(), "attendance.0.isQuorate", |json| json["attendance"][0]["isQuorate"] = json!(true));
    is_found(file(), "attendance.1.isQuorate", |json| json["attendance"][1]["isQuorate"] = json!(null));
    is_found(file(), "attendance.1.isQuorate", |json| json["attendance"][1]["eligible"]["heads"] = json!(11));
    is_found(file(), "attendance.0.isQuorate", |json| json["meeting"]["quorum"] = json!(null));
    let all =
        json!({ "comparison": "at_least", "numerator": 1, "denominator": 1, "unit": "heads", "attendance": "present" });
    for (member, quorum, right, wrong) in [
        ("quorum", all, json!(false), [json!(true), Value::Null]),
        ("hasNoQuorum", json!(true), Value::Null, [json!(true), json!(false)]),
    ] {
        let keeps = |is_quorate: Value| {
            let quorum = quorum.clone();
            move |json: &mut Value| {
                let note = &mut json["attendance"][1];
                (note[member], note["isQuorate"]) = (quorum, is_quorate);
            }
        };
        assert!(after(file(), keeps(right)).agrees(), "{member}");
        for wrong in wrong {
            is_found(file(), "attendance.1.isQuorate", keeps(wrong));
        }
    }
    is_found(file(), "attendance.1.present", |json| json["attendance"][1]["present"]["heads"] = json!(11));
    is_found(file(), "attendance.1.present", |json| json["attendance"][1]["present"]["weight"] = json!(10.5));
    is_found(file(), "rounds.1", |json| {
        let rounds = json["rounds"].as_array_mut().unwrap();
        rounds.push(rounds[0].clone());
    });
}

#[test]
fn extreme_amounts_are_refused_without_overflow() {
    let most: Value = serde_json::from_str("79228162514264337593543950335").unwrap();
    is_found(motion(false).file(), "ballots of weight", change("ballots/0/weight", most.clone()));
    is_found(motion(true).file(), "register.0.weight", change("register/0/weight", most.clone()));
    is_found(of_numbers(QuestionType::Percentage).file(), "ballots.0.answer", {
        change("ballots/0/answer", json!({ "number": most }))
    });
    is_found(motion(false).file(), "result.votesCast", change("ballots/0/count", json!(u64::MAX)));
}
