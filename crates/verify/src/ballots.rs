//! Checks that a register and its ballots are consistent: each voter is in the register once, with the same weight.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use plenum_result_format::{
    BallotAnswer, ComparisonName, CountedBallot, DecisionRuleFormat, LogEntry, LogKind, OnTieName, OptionRoleName,
    Outcome, QuestionTypeName, RegisteredVoter, ResultStatus, RoundFile, UnitsName,
};
use rust_decimal::Decimal;

use crate::elections::marks_of;
use crate::groups::{BallotGroups, check_groups};
use crate::proxies::check_proxies;
use crate::report::{Difference, Differences};
use crate::second_weight::{bounds, check_second_weight, is_of_kind};
use crate::tally::election_rule;
use crate::urn::{WeightsAndGroups, check_secrecy, lists_every_vote, voted_alike};

/// The maximum number of decimals of weights and percentages.
const DECIMALS: u32 = 4;
const MAX_LETTERS: usize = 2_000;
const FINEST: u32 = 1_000_000;

pub(crate) fn check(round: &RoundFile) -> Vec<Difference> {
    let mut found = Differences::default();
    check_register(&mut found, round);
    check_ballots(&mut found, round);
    check_proxies(&mut found, round);
    if lists_every_vote(round) {
        check_weights(&mut found, round);
    }
    check_secrecy(&mut found, round);
    check_steps(&mut found, round);
    check_admissions(&mut found, round);
    check_people_of_log(&mut found, round);
    check_joined(&mut found, round);
    check_terms(&mut found, round);
    check_further_terms(&mut found, round);
    check_second_weight(&mut found, round);
    found.all
}

fn is_percentage(number: Decimal) -> bool {
    number >= Decimal::ZERO && number <= Decimal::ONE_HUNDRED && number.normalize().scale() <= DECIMALS
}

/// Whether a weight is possible in a round: by its kind, or as an ordinary weight.
fn is_weight(round: &RoundFile, weight: Decimal) -> bool {
    match &round.result.weight_kind {
        Some(kind) => is_of_kind(kind, weight),
        None => is_percentage(weight),
    }
}

fn check_register(found: &mut Differences, round: &RoundFile) {
    let mut places = HashSet::new();
    for (index, voter) in round.register.iter().enumerate() {
        let at = format!("register.{index}");
        if !is_weight(round, voter.weight) {
            let ordinary = || "0 to 100, with at most 4 decimals".to_owned();
            found.wants(
                format!("{at}.weight"),
                voter.weight,
                round.result.weight_kind.as_ref().map_or_else(ordinary, bounds),
            );
        }
        if voter.place == 0 || voter.place as usize > round.register.len() || !places.insert(voter.place) {
            found.wants(format!("{at}.place"), voter.place, "a place of its own, from 1");
        }
    }
}

fn check_ballots(found: &mut Differences, round: &RoundFile) {
    let register: HashMap<u32, &RegisteredVoter> = round.register.iter().map(|voter| (voter.place, voter)).collect();
    let mut voters = HashSet::new();
    for (index, ballot) in round.ballots.iter().enumerate() {
        let at = format!("ballots.{index}");
        if ballot.count == 0 {
            found.wants(format!("{at}.count"), 0, "at least 1");
        }
        if let Some(wanted) = wrong_answer(round, &ballot.answer) {
            found.wants(format!("{at}.answer"), as_in_file(&ballot.answer), wanted);
        }
        match ballot.voter {
            None if round.result.is_named => found.wants(format!("{at}.voter"), "null", "a voter: the vote is named"),
            None => {}
            Some(place) if !round.result.is_named => {
                found.wants(format!("{at}.voter"), place, "null: the vote is not named");
            }
            Some(place) => {
                if !voters.insert(place) {
                    found.wants(format!("{at}.voter"), place, "one ballot of each voter");
                }
                check_voter(found, &at, ballot, register.get(&place).copied());
            }
        }
    }
}

fn check_voter(found: &mut Differences, at: &str, ballot: &CountedBallot, voter: Option<&RegisteredVoter>) {
    let Some(voter) = voter else {
        return found.wants(format!("{at}.voter"), as_in_file(&ballot.voter), "somebody in the register");
    };
    if ballot.count != 1 {
        found.wants(format!("{at}.count"), ballot.count, "1: it is the ballot of one voter");
    }
    if ballot.weight != voter.weight {
        found.differs(format!("{at}.weight"), ballot.weight, voter.weight);
    }
    if ballot.second_weight != voter.second_weight {
        found.differs(
            format!("{at}.secondWeight"),
            as_in_file(&ballot.second_weight),
            as_in_file(&voter.second_weight),
        );
    }
    if !voter.has_voted {
        found.wants(format!("{at}.voter"), voter.place, "somebody who has voted, by the register");
    }
}

/// The requirement that an impossible answer breaks.
pub(crate) fn wrong_answer(round: &RoundFile, answer: &BallotAnswer) -> Option<String> {
    let result = &round.result;
    match (answer, result.question_type) {
        (BallotAnswer::Options(ids), QuestionTypeName::YesNo | QuestionTypeName::MultipleChoice) => {
            let most = match result.question_type {
                QuestionTypeName::YesNo => 1,
                _ => result.max_choices.map_or(result.options.len(), |most| most as usize),
            };
            let known = ids.iter().all(|id| result.options.iter().any(|option| option.id == *id));
            let unlike = ids.iter().collect::<HashSet<_>>().len() == ids.len();
            let abstains = result.options.iter().any(|option| {
                result.question_type == QuestionTypeName::MultipleChoice
                    && option.role == OptionRoleName::Abstain
                    && ids.contains(&option.id)
            });
            let is_right = known && unlike && !ids.is_empty() && ids.len() <= if abstains { 1 } else { most };
            let alone = if abstains { ", and an abstention alone" } else { "" };
            (!is_right).then(|| format!("1 to {most} of the options, none of them twice{alone}"))
        }
        (BallotAnswer::Number(number), QuestionTypeName::Rating) => {
            let most = Decimal::from(result.rating_max.unwrap_or(0));
            let is_right = number.0.fract().is_zero() && number.0 >= Decimal::ONE && number.0 <= most;
            (!is_right).then(|| format!("a whole number from 1 to {most}"))
        }
        (BallotAnswer::Number(number), QuestionTypeName::Percentage) => {
            (!is_percentage(number.0)).then(|| "a number from 0 to 100, with at most 4 decimals".to_owned())
        }
        (BallotAnswer::Text(text), QuestionTypeName::Election) => {
            let marks = election_rule(result).and_then(|rule| marks_of(text, round, rule));
            marks.is_none().then(|| "marks of an election by its method".to_owned())
        }
        (BallotAnswer::Text(text), QuestionTypeName::OpenText) => {
            let is_right = !text.trim().is_empty() && text.chars().count() <= MAX_LETTERS;
            (!is_right).then(|| format!("1 to {MAX_LETTERS} letters"))
        }
        _ => Some(format!("an answer to a question of type {}", as_in_file(&result.question_type))),
    }
}

/// The ballots have the same weights and groups as the people who have voted. This compares unnamed ballots with the register,
/// without their voters.
fn check_weights(found: &mut Differences, round: &RoundFile) {
    let (voted, groups) = (voted_alike(round), BallotGroups::of(round));
    let mut cast: BTreeMap<WeightsAndGroups<'_>, u64> = BTreeMap::new();
    for ballot in &round.ballots {
        let count = cast.entry((ballot.weight, ballot.second_weight, groups.sorted(ballot))).or_default();
        *count = count.saturating_add(ballot.count);
    }
    let all: BTreeSet<&WeightsAndGroups<'_>> = voted.keys().chain(cast.keys()).collect();
    for kind in all {
        let number = |of: &BTreeMap<WeightsAndGroups<'_>, u64>| of.get(kind).copied().unwrap_or_default();
        if number(&cast) != number(&voted) {
            let (weight, second, groups) = kind;
            let second = second.map(|second| format!(" and {}", second.normalize())).unwrap_or_default();
            let within = if groups.is_empty() { String::new() } else { format!(" in {}", groups.join(", ")) };
            let field = format!("ballots of weight {}{second}{within}", weight.normalize());
            found.differs(field, number(&cast), format!("{} who have voted, by the register", number(&voted)));
        }
    }
}

/// The times of opening, end and declaration are in this order.
fn check_steps(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    if result.ended_at < result.opened_at {
        found.wants("result.endedAt", as_in_file(&result.ended_at), "a time after the opening");
    }
    match (&result.declared, result.status) {
        (None, ResultStatus::Declared) => found.wants("result.declared", "null", "when and by whom, as it is declared"),
        (Some(declared), ResultStatus::Counted) => {
            found.wants("result.declared", as_in_file(&declared), "null, as it is not declared");
        }
        (Some(declared), ResultStatus::Declared) if declared.at < result.ended_at => {
            found.wants("result.declared.at", as_in_file(&declared.at), "a time after the end");
        }
        _ => {}
    }
    let last_declared = result.log.iter().rfind(|entry| entry.kind == LogKind::Declared);
    match (&result.declared, last_declared) {
        (Some(declared), Some(entry)) if entry.at != declared.at => {
            found.wants("result.log", as_in_file(&entry.at), "the time of the declaration");
        }
        (None, Some(entry)) => found.wants("result.log", as_in_file(&entry.at), "no declaration"),
        _ => {}
    }
}

/// An admitted person is in the register with the logged weight, unless excluded later. A person registered after the
/// opening was admitted, or became eligible before a reopening.
fn check_admissions(found: &mut Differences, round: &RoundFile) {
    let log = &round.result.log;
    let is_reopened = log.iter().any(|entry| entry.kind == LogKind::Reopened);
    let of_admitted = log.iter().filter(|entry| entry.kind == LogKind::Admitted);
    let admitted: HashSet<&str> =
        of_admitted.filter_map(|entry| entry.person.as_ref()).map(|person| person.username.as_str()).collect();
    for (index, voter) in round.register.iter().enumerate() {
        let is_late = voter.added_at > round.result.opened_at;
        if is_late && !is_reopened && !admitted.contains(voter.username.as_str()) {
            let at = format!("register.{index}.addedAt");
            found.wants(at, voter.added_at.to_rfc3339(), "the time of the opening, or that of an admission in the log");
        }
    }
    let mut last = HashMap::new();
    for (index, entry) in round.result.log.iter().enumerate() {
        if let (LogKind::Admitted | LogKind::Excluded, Some(person)) = (entry.kind, &entry.person) {
            last.insert(person.username.as_str(), (index, entry.kind, person));
        }
    }
    let mut admitted: Vec<_> = last.into_values().filter(|(_, kind, _)| *kind == LogKind::Admitted).collect();
    admitted.sort_by_key(|(index, ..)| *index);
    let there: HashSet<(&str, Decimal)> =
        round.register.iter().map(|voter| (voter.username.as_str(), voter.weight)).collect();
    for (index, _, person) in admitted {
        if !there.contains(&(person.username.as_str(), person.weight)) {
            let person_text = format!("{} with weight {}", person.username, person.weight.normalize());
            found.wants(
                format!("result.log.{index}.person"),
                person_text,
                "somebody in the register, with this weight",
            );
        }
    }
}

/// A person whose password was set, or who joined at a reopening, is in the register, unless excluded later. A password was
/// set between the opening and the end, and a person joins in the moment of a reopening.
fn check_people_of_log(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    let names: HashSet<&str> = round.register.iter().map(|voter| voter.username.as_str()).collect();
    let reopened: HashSet<_> = of_kind(&result.log, LogKind::Reopened).map(|(_, entry)| entry.at).collect();
    let excluded: HashMap<&str, usize> = of_kind(&result.log, LogKind::Excluded)
        .filter_map(|(index, entry)| Some((entry.person.as_ref()?.username.as_str(), index)))
        .collect();
    for kind in [LogKind::PasswordSet, LogKind::Joined] {
        for (index, entry) in of_kind(&result.log, kind) {
            let at = format!("result.log.{index}");
            let Some(person) = &entry.person else {
                found.wants(format!("{at}.person"), "null", "the person whom the entry is about");
                continue;
            };
            let has_left = excluded.get(person.username.as_str()).is_some_and(|later| *later > index);
            if !has_left && !names.contains(person.username.as_str()) {
                found.wants(format!("{at}.person"), &person.username, "somebody in the register");
            }
            if kind == LogKind::Joined && !reopened.contains(&entry.at) {
                found.wants(format!("{at}.at"), as_in_file(&entry.at), "the time of a reopening");
            }
            if kind == LogKind::PasswordSet && !(result.opened_at..=result.ended_at).contains(&entry.at) {
                found.wants(format!("{at}.at"), as_in_file(&entry.at), "a time between the opening and the end");
            }
        }
    }
}

/// A reopening whose log names somebody who joined names everybody who did. Logs of earlier versions name nobody.
fn check_joined(found: &mut Differences, round: &RoundFile) {
    let mut joined: HashMap<_, HashSet<&str>> = HashMap::new();
    for (_, entry) in of_kind(&round.result.log, LogKind::Joined) {
        joined.entry(entry.at).or_default().extend(entry.person.as_ref().map(|person| person.username.as_str()));
    }
    for (index, voter) in round.register.iter().enumerate().filter(|(_, voter)| voter.added_at > round.result.opened_at)
    {
        if joined.get(&voter.added_at).is_some_and(|names| !names.contains(voter.username.as_str())) {
            let at = format!("register.{index}.addedAt");
            found.wants(at, voter.added_at.to_rfc3339(), "a reopening whose log names this person");
        }
    }
}

fn of_kind(log: &[LogEntry], kind: LogKind) -> impl Iterator<Item = (usize, &LogEntry)> {
    log.iter().enumerate().filter(move |(_, entry)| entry.kind == kind)
}

/// The rule and quorum are valid and fit the question.
fn check_terms(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    let is_share = |comparison: ComparisonName, numerator: u32, denominator: u32| {
        let most = if comparison == ComparisonName::MoreThan { denominator.saturating_sub(1) } else { denominator };
        denominator <= FINEST && (1..=most).contains(&numerator)
    };
    if let Some(quorum) = result.quorum.filter(|quorum| !quorum.is_valid()) {
        found.wants("result.quorum", quorum.words(), "a share, or a number");
    }
    if result.question_type != QuestionTypeName::YesNo {
        for (index, option) in result.options.iter().enumerate() {
            if !matches!(option.role, OptionRoleName::Choice | OptionRoleName::Abstain) {
                found.wants(format!("result.options.{index}.role"), as_in_file(&option.role), "choice or abstain");
            }
        }
    }
    let Some(rule) = &result.decision_rule else {
        return;
    };
    let has = |role| result.options.iter().any(|option| option.role == role);
    let electable = result.options.iter().filter(|option| option.role == OptionRoleName::Choice).count();
    let are_seats = |seats: u32| seats >= 1 && seats as usize <= electable;
    let (fits, conditions) = match rule {
        DecisionRuleFormat::Majority { conditions, .. } => {
            let fits = result.question_type == QuestionTypeName::YesNo
                && has(OptionRoleName::Yes)
                && has(OptionRoleName::No)
                && rule.is_valid();
            (fits, conditions.as_slice())
        }
        DecisionRuleFormat::Plurality { seats, .. } => {
            (result.question_type == QuestionTypeName::MultipleChoice && are_seats(*seats), [].as_slice())
        }
        DecisionRuleFormat::Election { election } => {
            let fits = result.question_type == QuestionTypeName::Election
                && election.seats.is_none_or(are_seats)
                && result.election.is_some();
            (fits, [].as_slice())
        }
        DecisionRuleFormat::EachOption { condition, seats } => {
            let fits = result.question_type == QuestionTypeName::MultipleChoice
                && condition.units != UnitsName::SecondWeight
                && seats.is_none_or(|seats| are_seats(seats) && condition.units != UnitsName::Both);
            (fits, std::slice::from_ref(condition))
        }
    };
    let are_shares = conditions.iter().all(|of| is_share(of.comparison, of.numerator, of.denominator));
    if !fits || !are_shares {
        found.wants("result.decisionRule", rule.words(), "a rule that can decide this question");
    }
}

/// The groups and the casting vote are those of a rule that has them.
fn check_further_terms(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    let (groups, on_tie) = match &result.decision_rule {
        Some(DecisionRuleFormat::Majority { in_each, on_tie, .. }) => (in_each.len(), *on_tie),
        _ => (0, OnTieName::Rejected),
    };
    check_groups(found, round, groups);
    if groups > 0 && result.is_secret() {
        found.wants("result.decisionRule", groups, "a rule without groups: a secret vote is counted in total");
    }
    let needs_second = matches!(&result.decision_rule, Some(DecisionRuleFormat::Majority { conditions, .. })
        if conditions.iter().any(|condition| condition.units == UnitsName::SecondWeight));
    if needs_second && result.second_weight.is_none() {
        found.wants("result.secondWeight", "nothing", "the counts by the second weight that the rule needs");
    }
    if result.casting_vote.is_some() && on_tie != OnTieName::CastingVote {
        found.wants("result.castingVote", "a casting vote", "left out: the rule has none");
    }
    if result.declared.is_some() && result.decision.outcome == Outcome::CastingVoteOpen {
        found.wants("result.declared", "a declaration", "null: the casting vote is open");
    }
}

/// A value with the notation of the file.
pub(crate) fn as_in_file(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
