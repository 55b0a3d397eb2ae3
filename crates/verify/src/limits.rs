//! The limits of the product. It exports nothing beyond them, so a round beyond them is reported and not counted: a recount
//! takes time and memory by the products of these sizes. The constants are stated here again, because this crate shares
//! nothing with the server but the format.

use plenum_result_format::{
    BallotAnswer, DecisionRuleFormat, ElectionOutcome, ElectionResult, ElectionRuleFormat, GroupResult, ResultsFile,
    RoundFile,
};

use crate::elections::{most_marks, names};
use crate::report::{Difference, Differences};
use crate::tally::election_rule;

/// The most options of a question, and candidates of an election: `MAX_OPTIONS` of `plenum-meetings`.
pub(crate) const MAX_OPTIONS: usize = 100;
/// The most letters of an option: `OptionText` of `plenum-meetings`.
const MAX_OPTION_LETTERS: usize = 300;
/// The most lists of an election: `MAX_CANDIDATES` of `plenum-kernel`, as far as lists are concerned.
const MAX_LISTS: usize = 1_000;
/// The most seats of an election: `MAX_SEATS` of `plenum-kernel`.
const MAX_SEATS: usize = 10_000;
/// The most conditions of a rule: `MAX_CONDITIONS` of `plenum-kernel`.
const MAX_CONDITIONS: usize = 3;
/// The most groups of a rule: `Majority::MAX_GROUPS` of `plenum-kernel`.
const MAX_GROUPS: usize = 30;
/// The most letters of a seed: `MAX_SEED` of `plenum-result-format`.
const MAX_SEED: usize = 200;
/// The most decided ties of a count. A count with as many candidates and seats as possible has about so many stages, and each
/// decision is one of a stage.
const MAX_DECISIONS: usize = 10_000;
/// The most answers of the elected that the product notes for a round: `MAX_SEAT_ANSWERS` of `plenum-voting`.
pub(crate) const MAX_SEAT_ANSWERS: usize = 1_000;
/// The most bytes of a mark: "1000=1000", a list "list=1000", or a longer answer such as "101=abstain", and a space.
const MAX_MARK: usize = 12;

/// The sizes of a round that exceed the limits. Empty if it can be counted.
pub(crate) fn exceeded(round: &RoundFile) -> Vec<Difference> {
    let mut found = Differences::default();
    check_options(&mut found, round);
    check_rule(&mut found, round);
    check_people(&mut found, round);
    if let Some(rule) = election_rule(&round.result) {
        check_election_rule(&mut found, rule, round.result.options.len());
        check_marks(&mut found, round, rule);
    }
    if let Some(election) = &round.result.election {
        check_election(&mut found, election);
    }
    found.all
}

/// Reports a list of the file that is too long.
fn check_length(found: &mut Differences, field: &str, length: usize, most: usize) {
    if length > most {
        found.wants(field, format!("{length} entries"), format!("at most {most} entries, the limit of the product"));
    }
}

fn check_options(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    check_length(found, "result.options", result.options.len(), MAX_OPTIONS);
    for (index, option) in result.options.iter().enumerate() {
        if option.text.chars().nth(MAX_OPTION_LETTERS).is_some() {
            found.wants(
                format!("result.options.{index}.text"),
                &option.text,
                format!("at most {MAX_OPTION_LETTERS} letters"),
            );
        }
    }
    if let Some(second) = &result.second_weight {
        check_length(found, "result.secondWeight.options", second.options.len(), MAX_OPTIONS);
        check_groups(found, "result.secondWeight.inEach", &second.in_each);
    }
    check_groups(found, "result.inEach", &result.in_each);
}

fn check_groups(found: &mut Differences, field: &str, groups: &[GroupResult]) {
    check_length(found, field, groups.len(), MAX_GROUPS);
    let longest = groups.iter().map(|group| group.options.len()).max().unwrap_or_default();
    check_length(found, &format!("{field}.options"), longest, MAX_OPTIONS);
}

fn check_rule(found: &mut Differences, round: &RoundFile) {
    if let Some(DecisionRuleFormat::Majority { conditions, in_each, .. }) = &round.result.decision_rule {
        check_length(found, "result.decisionRule.conditions", conditions.len(), MAX_CONDITIONS);
        check_length(found, "result.decisionRule.inEach", in_each.len(), MAX_GROUPS);
    }
}

/// Each entry of the ballots is of somebody in the register, and nobody belongs to more groups than a rule can have.
fn check_people(found: &mut Differences, round: &RoundFile) {
    let voters = round.register.len();
    if round.ballots.len() > voters {
        found.wants(
            "ballots",
            format!("{} entries", round.ballots.len()),
            format!("at most {voters}, as in the register"),
        );
    }
    let of_voters = round.register.iter().map(|voter| voter.groups.len()).max().unwrap_or_default();
    let of_ballots = round.ballots.iter().map(|ballot| ballot.groups.len()).max().unwrap_or_default();
    check_length(found, "register.groups", of_voters, MAX_GROUPS);
    check_length(found, "ballots.groups", of_ballots, MAX_GROUPS);
}

fn check_election_rule(found: &mut Differences, rule: &ElectionRuleFormat, options: usize) {
    let at = "result.decisionRule.election";
    if rule.seats.is_some_and(|seats| seats as usize > MAX_SEATS) {
        found.wants(format!("{at}.seats"), rule.seats.unwrap_or_default(), format!("at most {MAX_SEATS}"));
    }
    check_length(found, &format!("{at}.candidates"), rule.candidates.len(), options);
    let Some(lists) = &rule.lists else { return };
    check_length(found, &format!("{at}.lists"), lists.len(), MAX_LISTS);
    // A candidate stands on one list.
    let listed = lists.iter().map(|list| list.candidates.len()).sum();
    check_length(found, &format!("{at}.lists.candidates"), listed, options);
}

fn check_marks(found: &mut Differences, round: &RoundFile, rule: &ElectionRuleFormat) {
    let most = most_marks(names(round, rule)) * MAX_MARK;
    for (index, ballot) in round.ballots.iter().enumerate() {
        if let BallotAnswer::Text(text) = &ballot.answer
            && text.len() > most
        {
            let field = format!("ballots.{index}.answer");
            found.wants(field, format!("{} bytes", text.len()), format!("at most {most} bytes of marks"));
        }
    }
}

fn check_election(found: &mut Differences, election: &ElectionResult) {
    let at = |field: &str| format!("result.election.{field}");
    let names = MAX_OPTIONS + 1;
    check_length(found, &at("candidates"), election.candidates.len(), names);
    check_length(found, &at("elected"), election.elected.len(), names);
    check_length(found, &at("lists"), election.lists.iter().flatten().count(), MAX_LISTS);
    check_length(found, &at("decisions"), election.decisions.len(), MAX_DECISIONS);
    if let Some(tie) = &election.tie {
        check_length(found, &at("tie.numbers"), tie.numbers.len(), MAX_LISTS);
    }
    for decision in &election.decisions {
        check_length(found, &at("decisions.tie.numbers"), decision.tie.numbers.len(), MAX_LISTS);
        check_length(found, &at("decisions.order"), decision.order.len(), MAX_LISTS);
        check_length(found, &at("decisions.seed"), decision.seed.as_ref().map_or(0, String::len), MAX_SEED);
    }
    for candidate in &election.candidates {
        if candidate.name.chars().nth(MAX_OPTION_LETTERS).is_some() {
            found.wants(at("candidates.name"), &candidate.name, format!("at most {MAX_OPTION_LETTERS} letters"));
        }
    }
}

/// Reports the outcomes of elections that exceed the limits. Returns whether there are none.
pub(crate) fn check_outcomes(found: &mut Differences, file: &ResultsFile) -> bool {
    let before = found.all.len();
    for (index, outcome) in file.elections.iter().enumerate() {
        check_outcome(found, &format!("elections.{index}"), outcome);
    }
    found.all.len() == before
}

fn check_outcome(found: &mut Differences, at: &str, outcome: &ElectionOutcome) {
    for (index, answer) in outcome.answers.iter().enumerate() {
        let at = |field: &str| format!("{at}.answers.{index}.{field}");
        check_length(found, &at("seated"), answer.seated.len(), MAX_OPTIONS + 1);
        check_length(found, &at("tied"), answer.tied.len(), MAX_OPTIONS + 1);
        check_length(found, &at("drawn"), answer.drawn.len(), MAX_LISTS);
        let longest = answer.drawn.iter().map(|drawn| drawn.order.len()).max().unwrap_or_default();
        check_length(found, &at("drawn.order"), longest, MAX_LISTS);
    }
}
