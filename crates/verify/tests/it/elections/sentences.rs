//! The sentences of an election: that of the engine, and that of the recount.

use chrono::DateTime;
use plenum_kernel::election::{ElectionRule, TieRule};
use plenum_kernel::testkit::{CountingIds, approval};
use plenum_kernel::{OptionId, OptionRole, QuestionType};
use plenum_result_format::ElectionResult;
use plenum_verify::elections::{ElectionTie, RecountedElection, TieFor};
use plenum_verify::sentence_of_count;
use plenum_voting::elections::{Count, Method, Standing, TieDecision, TieDecisions};
use plenum_voting::{CountedElection, MadeTieDecision, RoundOption, Wording};
use serde_json::{Value, json};

use super::papers::tie;
use super::profiles::Profile;

/// The sentence of a count of the engine.
pub(crate) fn of_engine(profile: &Profile, count: &Count, decisions: &TieDecisions, ties: TieRule) -> String {
    let ids = CountingIds::new();
    let option = |(position, text): (u32, String)| RoundOption {
        id: OptionId::new(&ids),
        text,
        position,
        role: OptionRole::Choice,
    };
    let wording = Wording {
        text: "Who?".to_owned(),
        question_type: QuestionType::Election,
        options: (1..).zip(names(profile)).map(option).collect(),
        rating_max: None,
        max_choices: None,
        election: None,
    };
    let made = |decision: &TieDecision| MadeTieDecision {
        decision: decision.clone(),
        drawn_by: None,
        witnessed_by: None,
        at: DateTime::UNIX_EPOCH,
        decided_by: None,
    };
    let rule = ElectionRule { list_names: list_names(profile), ties, ..approval() };
    let decisions = decisions.made.iter().map(made).collect();
    CountedElection { rule, count: count.clone(), decisions }.sentence(&wording)
}

/// The sentence of its recount. It needs only some members of the count in a file.
pub(crate) fn of_recount(
    profile: &Profile,
    recounted: &RecountedElection,
    decisions: &TieDecisions,
    ties: TieRule,
) -> String {
    let list = |(number, name): (u32, String)| json!({ "list": number, "name": name, "votes": "0", "seats": [] });
    let lists: Vec<Value> = (1..).zip(list_names(profile)).map(list).collect();
    let elected: Vec<Value> = recounted.elected.iter().map(|(number, stage)| elected(*number, *stage)).collect();
    let decisions: Vec<Value> = decisions.made.iter().map(|made| decided(&in_file(&tie(&made.tie)))).collect();
    let vacant = recounted.vacant;
    let vacancies = (vacant > 0).then(|| json!({ "seats": vacant, "why": "no_votes", "words": "" }));
    let sum = json!({ "heads": 0, "votes": "0" });
    let count = json!({
        "method": "irv", "seats": null, "unit": "heads", "candidates": [], "stages": [], "elected": elected,
        "ballots": { "cast": sum, "valid": sum, "abstentions": sum, "invalid": sum, "faults": [] },
        "answers": null, "pairs": null, "lists": lists, "order": [], "tie": recounted.tie.as_ref().map(in_file),
        "decisions": decisions, "vacancies": vacancies,
    });
    let count: ElectionResult = serde_json::from_value(count).unwrap();
    let names = names(profile);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    sentence_of_count(&count, &names, ties == TieRule::RunOff)
}

/// The names of the candidates. "None of the above" has none if it is the last one, as on a ballot.
fn names(profile: &Profile) -> Vec<String> {
    let standings = profile.terms.candidates.as_slice();
    let named = match standings {
        [named @ .., Standing::NoneOfTheAbove] => named.len(),
        all => all.len(),
    };
    (1..=named).map(|number| format!("Person {number}")).collect()
}

/// The names of the lists. The third one has none.
fn list_names(profile: &Profile) -> Vec<String> {
    let Method::Lists(lists) = &profile.terms.method else { return Vec::new() };
    let name = |number: usize| if number == 3 { String::new() } else { format!("List {number}") };
    (1..=lists.lists.len()).map(name).collect()
}

fn elected(candidate: u32, stage: u32) -> Value {
    json!({ "candidate": candidate, "stage": stage, "by": "majority", "list": null })
}

fn in_file(tie: &ElectionTie) -> Value {
    let matter = match tie.matter {
        TieFor::Seats => "seats",
        TieFor::Exclusion => "exclusion",
        TieFor::Surplus => "first_surplus",
        TieFor::ListSeats => "list_seats",
    };
    json!({ "stage": tie.stage, "matter": matter, "numbers": tie.numbers, "wanted": tie.wanted, "words": "" })
}

fn decided(tie: &Value) -> Value {
    json!({
        "tie": tie, "by": "lot", "seed": "seed", "order": tie["numbers"], "drawnBy": null, "witnessedBy": null,
        "at": "2026-11-26T19:30:00Z", "decidedBy": null,
    })
}
