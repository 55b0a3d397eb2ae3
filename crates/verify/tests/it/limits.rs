//! Files beyond the limits of the product are refused before they are counted.

use plenum_kernel::QuestionType;
use plenum_result_format::{DecisionRuleFormat, ResultsFile, RoundFile};
use plenum_verify::{Exported, Recounted, RoundReport, Unreadable, check_work, verify, work_of};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::meeting;
use crate::tampering::{motion, of_texts};

/// The terms of an election, and its ballots.
pub(crate) struct Contest {
    pub(crate) candidates: usize,
    pub(crate) terms: Value,
    pub(crate) ballots: Vec<String>,
}

impl Contest {
    fn schulze(candidates: usize, ballots: Vec<String>) -> Self {
        let terms = json!({ "method": "schulze", "allowsEqual": true, "strength": "winning_votes" });
        Self { candidates, terms: merged(ranks(), &terms), ballots }
    }

    fn run_off(candidates: usize, seats: u32, ballots: Vec<String>) -> Self {
        let terms = json!({ "method": "irv", "seats": seats, "tiesByEarlierStages": true });
        Self { candidates, terms: merged(ranks(), &terms), ballots }
    }

    /// The file of the round. Its count is empty, so a recount of it finds differences.
    pub(crate) fn round(&self) -> RoundFile {
        let mut round = serde_json::to_value(of_texts().file()).unwrap();
        let result = &mut round["result"];
        result["questionType"] = json!("ELECTION");
        result["decisionRule"] = json!({ "kind": "election", "election": self.terms });
        let option = |number: usize| {
            json!({ "id": Uuid::from_u128(number as u128), "text": format!("Candidate {number}"), "role": "choice",
                    "heads": 0, "weight": 0, "headsPercent": null, "weightPercent": null })
        };
        result["options"] = (1..=self.candidates).map(option).collect();
        let none = json!({ "heads": 0, "votes": "0" });
        result["election"] = json!({
            "method": self.terms["method"], "seats": 1, "unit": "heads", "candidates": [], "stages": [], "elected": [],
            "ballots": { "cast": none, "valid": none, "abstentions": none, "invalid": none, "faults": [] },
            "answers": null, "pairs": null, "lists": null, "order": [], "tie": null, "decisions": [], "vacancies": null,
        });
        let voter = round["register"][0].clone();
        let voters = (1..=self.ballots.len()).map(|place| merged(voter.clone(), &json!({ "place": place })));
        round["register"] = voters.collect();
        let ballot = round["ballots"][0].clone();
        let ballots = self.ballots.iter().map(|marks| merged(ballot.clone(), &json!({ "answer": { "text": marks } })));
        round["ballots"] = ballots.collect();
        serde_json::from_value(round).unwrap()
    }
}

pub(crate) fn ranks() -> Value {
    json!({
        "skippedRanks": "pass_over", "toleratedGap": 0, "repeatedRanks": "pass_over", "equalRanks": "invalid",
        "leastRanks": 1, "mostRanks": null, "tooManyRanks": "up_to_there",
    })
}

pub(crate) fn merged(mut value: Value, more: &Value) -> Value {
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value
}

fn report(round: RoundFile) -> RoundReport {
    verify(&meeting(vec![round])).rounds.remove(0)
}

/// Checks that a round is reported for this field, and for nothing that only a recount can find.
fn is_refused(round: RoundFile, field: &str) {
    let report = report(round);
    assert_eq!(report.recounted, Recounted::Nothing, "{field}: {:?}", report.differences);
    let fields: Vec<&str> = report.differences.iter().map(|difference| difference.field.as_str()).collect();
    assert!(fields.iter().all(|found| *found == field), "{field} is not {fields:?}");
}

fn changed(round: &RoundFile, change: impl FnOnce(&mut Value)) -> RoundFile {
    let mut json = serde_json::to_value(round).unwrap();
    change(&mut json);
    serde_json::from_value(json).unwrap()
}

fn times(value: Value, times: usize) -> Value {
    vec![value; times].into()
}

#[test]
fn an_election_with_thousands_of_candidates_is_refused_before_its_pairs_are_compared() {
    // A recount of these has a thousand million pairs.
    is_refused(Contest::schulze(30_000, vec!["1:1 2:2".to_owned()]).round(), "result.options");
    is_refused(Contest::schulze(101, vec!["1:1 2:2".to_owned()]).round(), "result.options");
    assert_eq!(report(Contest::schulze(100, vec!["1:1 2:2".to_owned()]).round()).recounted, Recounted::Answers);
}

#[test]
fn each_size_of_an_election_beyond_the_limits_is_named() {
    let round = Contest::run_off(3, 1, vec!["1:1 2:2".to_owned()]).round();
    assert_eq!(report(round.clone()).recounted, Recounted::Answers);
    let tie = json!({ "stage": 1, "matter": "seats", "numbers": [1, 2], "wanted": 1, "words": "" });
    let decision = json!({
        "tie": tie, "by": "lot", "seed": "seed", "order": [1, 2], "drawnBy": null, "witnessedBy": null,
        "at": "2026-11-26T19:30:00Z", "decidedBy": null,
    });
    let elected = json!({ "candidate": 1, "stage": 1, "by": "", "list": null });
    let candidate = json!({ "number": 1, "name": "A", "line": null, "isWithdrawn": false, "support": "0" });
    let election = "/result/decisionRule/election";
    for (pointer, value, field) in [
        ("/result/election/elected", times(elected, 102), "result.election.elected"),
        ("/result/election/candidates", times(candidate.clone(), 102), "result.election.candidates"),
        ("/result/election/decisions", times(decision.clone(), 10_001), "result.election.decisions"),
        (
            "/result/election/decisions",
            json!([merged(decision.clone(), &json!({ "order": times(json!(1), 1_001) }))]),
            "result.election.decisions.order",
        ),
        (
            "/result/election/decisions",
            json!([merged(decision, &json!({ "seed": "s".repeat(201) }))]),
            "result.election.decisions.seed",
        ),
        (
            "/result/election/tie",
            merged(tie, &json!({ "numbers": times(json!(1), 1_001) })),
            "result.election.tie.numbers",
        ),
        (
            "/result/election/candidates",
            json!([merged(candidate, &json!({ "name": "A".repeat(301) }))]),
            "result.election.candidates.name",
        ),
        (&format!("{election}/seats"), json!(10_001), "result.decisionRule.election.seats"),
        (&format!("{election}/candidates"), times(json!({}), 4), "result.decisionRule.election.candidates"),
        ("/result/options/0/text", json!("A".repeat(301)), "result.options.0.text"),
        ("/ballots/0/answer/text", json!("1:1 ".repeat(22)), "ballots.0.answer"),
    ] {
        is_refused(changed(&round, |json| *json.pointer_mut(pointer).unwrap() = value), field);
    }
}

#[test]
fn lists_with_more_candidates_than_the_ballot_are_refused() {
    let list = |candidates: usize| json!({ "name": "A", "candidates": times(json!(1), candidates) });
    let with = |lists: Value| {
        let terms = json!({
            "method": "lists", "divisors": "sainte_lague", "mostChoices": 3, "listOrder": "by_votes", "lists": lists,
        });
        Contest { candidates: 3, terms, ballots: vec!["list=1 1".to_owned()] }.round()
    };
    assert_eq!(report(with(json!([list(3)]))).recounted, Recounted::Answers);
    is_refused(with(json!([list(4)])), "result.decisionRule.election.lists.candidates");
    is_refused(with(times(list(0), 1_001)), "result.decisionRule.election.lists");
}

#[test]
fn a_rule_and_a_register_beyond_the_limits_are_refused() {
    let round = motion(true).file();
    let condition = serde_json::to_value(&round.result.decision_rule).unwrap()["conditions"][0].clone();
    for (pointer, value, field) in [
        ("/result/decisionRule/conditions", times(condition, 4), "result.decisionRule.conditions"),
        ("/result/decisionRule/inEach", times(json!(Uuid::nil()), 31), "result.decisionRule.inEach"),
        ("/register/0/groups", times(json!("Group"), 31), "register.groups"),
        ("/ballots/0/groups", times(json!("Group"), 31), "ballots.groups"),
        ("/ballots", times(serde_json::to_value(&round.ballots[0]).unwrap(), 6), "ballots"),
    ] {
        let json = changed(&round, |json| {
            // Members that are left out when they are empty.
            let (object, member) = pointer.rsplit_once('/').unwrap();
            json.pointer_mut(object).unwrap()[member] = value;
        });
        is_refused(json, field);
    }
}

#[test]
fn a_rank_beyond_the_names_on_the_ballot_is_no_mark() {
    let found = |marks: &str| {
        let report = report(Contest::schulze(3, vec![marks.to_owned()]).round());
        report.differences.iter().any(|difference| difference.field == "ballots.0.answer")
    };
    assert!(!found("1:1 3:2"));
    for marks in ["4:1", "2000:1", "0:1", "1:0", "1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1"] {
        assert!(found(marks), "{marks}");
    }
}

/// The outcome of an election with answers of the elected.
pub(crate) fn with_answers(round: RoundFile, answers: &[Value]) -> ResultsFile {
    let outcome = json!({
        "questionText": "Board", "rounds": [round.result.round_id], "seats": 1, "holders": [], "declined": [], "vacant": 0,
        "answers": answers, "next": null,
    });
    let mut file = meeting(vec![round]);
    file.elections = vec![serde_json::from_value(outcome).unwrap()];
    file
}

fn seat_answer(round: Uuid, tied: usize) -> Value {
    json!({
        "roundId": round, "at": "2026-11-26T19:30:00Z", "by": "Ada", "candidate": 1, "answer": "declined",
        "isContinued": false, "seated": [], "drawn": [], "tied": vec![1; tied], "words": "",
    })
}

#[test]
fn an_answer_with_more_tied_candidates_than_a_ballot_is_refused() {
    let round = Contest::run_off(3, 1, vec!["1:1".to_owned()]).round();
    let id = round.result.round_id;
    let fields = |tied| {
        let report = verify(&with_answers(round.clone(), &[seat_answer(id, tied)]));
        report.differences.into_iter().map(|difference| difference.field).collect::<Vec<_>>()
    };
    assert_eq!(fields(102), ["elections.0.answers.0.tied"], "nothing else is compared");
    assert!(!fields(1).contains(&"elections.0.answers.0.tied".to_owned()));
}

#[test]
fn elections_are_not_compared_if_a_round_is_not_counted() {
    let round = Contest::run_off(101, 1, vec!["1:1".to_owned()]).round();
    let id = round.result.round_id;
    let report = verify(&with_answers(round, &[seat_answer(id, 1)]));
    assert_eq!(report.rounds[0].recounted, Recounted::Nothing);
    assert_eq!(report.differences, []);
}

fn work(rounds: Vec<RoundFile>) -> u64 {
    work_of(&Exported::Results(Box::new(meeting(rounds))))
}

#[test]
fn the_work_of_a_file_grows_with_seats_rounds_and_answers() {
    let ballots = || vec!["1:1 2:2 3:3".to_owned(); 50];
    let one = work(vec![Contest::run_off(20, 1, ballots()).round()]);
    let many_seats = work(vec![Contest::run_off(20, 20, ballots()).round()]);
    assert!(many_seats > 10 * one, "{many_seats} after {one}");
    let round = Contest::run_off(20, 1, ballots()).round();
    assert_eq!(work(vec![round.clone(); 7]), 7 * one);
    let declined = seat_answer(round.result.round_id, 0);
    let accepted = json!({ "answer": "accepted" });
    let accepted: Value =
        declined.as_object().unwrap().clone().into_iter().chain(accepted.as_object().unwrap().clone()).collect();
    let after = |answers: &[Value]| work_of(&Exported::Results(Box::new(with_answers(round.clone(), answers))));
    let alternating: Vec<Value> = [declined, accepted.clone()].into_iter().cycle().take(40).collect();
    let changes = after(&alternating);
    assert!(changes > 30 * one, "{changes} after {one}");
    assert_eq!(after(&vec![accepted; 40]), one, "nobody moves up");
}

#[test]
fn a_file_is_refused_if_it_takes_more_work_than_allowed() {
    // Every size is possible. A recount reads these ballots some 10,000 times.
    let round = Contest::run_off(100, 100, vec!["1:1 2:2 3:3".to_owned(); 1_000]).round();
    let file = Exported::Results(Box::new(meeting(vec![round])));
    assert!(matches!(check_work(&file, 40_000_000), Err(Unreadable::TooMuchWork)));
    assert!(check_work(&file, u64::MAX).is_ok());
}

#[test]
fn a_round_beyond_the_limits_takes_no_work() {
    let round = Contest::run_off(101, 1, vec!["1:1".to_owned(); 50]).round();
    assert_eq!(work(vec![round]), 0);
}

#[test]
fn the_largest_meeting_without_elections_takes_little_work() {
    let round = motion(false).file();
    assert!(matches!(round.result.decision_rule, Some(DecisionRuleFormat::Majority { .. })));
    let mut large = of_texts();
    large.question_type = QuestionType::OpenText;
    large.voters = large.voters.iter().cycle().take(5_000).cloned().collect();
    assert!(work(vec![large.file()]) < 1_000_000);
}
