use plenum_kernel::{
    Attendance, Base, Comparison, DecisionRule, Majority, Minimum, OnTie, OptionId, Quorum, Threshold, Unit, Units,
};
use rust_decimal::Decimal;

use crate::decision::outcome::Outcome;
use crate::decision::threshold::is_met;
use crate::{Check, Decision, DecisionInput, MeasuredQuorum, Needed, SeatTie, WeightNames};

/// The explanation of a decision: in parts, which screens format, and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    /// Each condition in each of its units, for each option if options need their own majority. Also given if the quorum
    /// was missed.
    pub checks: Vec<Check>,
    /// Whether the quorum was met, and the numbers, as a sentence without a full stop. `None` without a quorum.
    pub quorum: Option<String>,
    /// The decision and its reason, as a sentence without a full stop. After an election, further sentences can follow it.
    pub sentence: String,
}

impl Arithmetic {
    /// Explains an outcome that the rule gave for the tally.
    pub(crate) fn of(rule: Option<&DecisionRule>, outcome: &Outcome, input: &DecisionInput<'_>) -> Self {
        let Outcome { quorum, checks, decision } = outcome;
        let quorum = quorum.as_ref().map(|measured| quorum_sentence(measured, input.weights));
        let waits_for_chair = *decision == Decision::CastingVoteOpen;
        let words = Words { checks, input, unit: unit_of(rule), majority: majority_of(rule), waits_for_chair };
        let sentence = match decision {
            Decision::Undecided => "Not decided: the question has no decision rule".to_owned(),
            Decision::QuorumMissed => quorum.clone().unwrap_or_default(),
            Decision::Accepted => format!("Accepted: {}", words.majority()),
            Decision::Rejected => format!("Rejected: {}", words.majority()),
            Decision::CastingVoteOpen => format!("Not decided yet: {}", words.majority()),
            Decision::Elected { options, tie } => {
                let named: Vec<String> = options.iter().map(|option| words.elected(*option)).collect();
                words.election(&format!("Elected: {}", named.join("; ")), tie.as_ref())
            }
            Decision::NotElected { tie } => words.election("None is elected", tie.as_ref()),
        };
        Self { checks: checks.clone(), quorum, sentence }
    }
}

impl Arithmetic {
    /// Explains the outcome of an election. The stages of its count tell more.
    pub(crate) fn of_election(outcome: &Outcome, sentence: String, weights: WeightNames<'_>) -> Self {
        let quorum = outcome.quorum.as_ref().map(|measured| quorum_sentence(measured, weights));
        let sentence = match outcome.decision {
            Decision::QuorumMissed => quorum.clone().unwrap_or_default(),
            _ => sentence,
        };
        Self { checks: Vec::new(), quorum, sentence }
    }
}

/// The unit in which options are ranked. Heads without a ranking.
fn unit_of(rule: Option<&DecisionRule>) -> Unit {
    match rule {
        Some(DecisionRule::Plurality { unit, .. }) => *unit,
        Some(DecisionRule::EachOption(each)) if each.condition().units == Units::Weight => Unit::Weight,
        Some(DecisionRule::EachOption(_)) => Unit::Heads,
        Some(DecisionRule::Election(rule)) => rule.unit,
        Some(DecisionRule::Majority(_)) | None => Unit::Heads,
    }
}

/// The rule of a yes/no question.
fn majority_of(rule: Option<&DecisionRule>) -> Option<&Majority> {
    match rule {
        Some(DecisionRule::Majority(majority)) => Some(majority),
        _ => None,
    }
}

/// "Quorum met: 60 of 100 in the register by heads were present, 60.00 %; at least 1/2, that is 50, were needed".
fn quorum_sentence(measured: &MeasuredQuorum, weights: WeightNames<'_>) -> String {
    let is_met = if measured.is_met { "met" } else { "missed" };
    let took_part = match measured.quorum.attendance {
        Attendance::Present => word_for(measured.attending, "was present", "were present"),
        Attendance::Voted => "voted",
    };
    let (attending, register) = (plain(measured.attending), plain(measured.register));
    let (unit, percent) = (weights.word(measured.quorum.unit.into()), percent_clause(measured.percent));
    let needed = quorum_clause(measured.quorum, measured.needed);
    format!("Quorum {is_met}: {attending} of {register} in the register by {unit} {took_part}{percent}; {needed}")
}

/// "quorum not met: 3 present, 5 needed", or by weight "quorum not met: weight 3 present, 5 needed": the start of an error
/// text.
pub(crate) fn missed_at_opening(measured: &MeasuredQuorum) -> String {
    let weight = if measured.quorum.unit == Unit::Weight { "weight " } else { "" };
    let attending = plain(measured.attending);
    let Some(needed) = measured.needed else {
        return format!("quorum not met: {weight}{attending} present, and nobody may vote");
    };
    let more_than = if needed.is_enough { "" } else { "more than " };
    format!("quorum not met: {weight}{attending} present, {more_than}{} needed", plain(needed.amount))
}

/// The facts for the sentence of a decision.
struct Words<'a> {
    checks: &'a [Check],
    input: &'a DecisionInput<'a>,
    unit: Unit,
    majority: Option<&'a Majority>,
    /// Whether the decision waits for the casting vote.
    waits_for_chair: bool,
}

impl Words<'_> {
    /// The conditions for all voters, and those among the members of each group: "in total, …; and among Tenants, …".
    fn majority(&self) -> String {
        let groups = self.input.groups;
        let total = if groups.is_empty() { String::new() } else { "in total, ".to_owned() };
        let named = groups.iter().map(|group| format!("among {}, ", group.name));
        let places = std::iter::once(None).chain((0..groups.len()).map(Some));
        let scopes = std::iter::once(total).chain(named).zip(places);
        let clauses: Vec<String> = scopes.map(|(among, group)| format!("{among}{}", self.conditions(group))).collect();
        clauses.join("; and ")
    }

    /// The conditions in a group, or for all voters.
    fn conditions(&self, group: Option<usize>) -> String {
        let mut clauses = String::new();
        let mut before = None;
        for check in self.checks.iter().filter(|check| check.group == group) {
            clauses += match before {
                None => "",
                Some(alternative) if alternative == check.alternative => "; and ",
                Some(_) => "; or ",
            };
            clauses += &self.condition(check);
            before = Some(check.alternative);
        }
        clauses
    }

    /// "412.5 of 604.5 votes by weight are yes, 68.24 %; more than 2/3, that is 403, were needed".
    fn condition(&self, check: &Check) -> String {
        let needed = needed_clause(check.threshold, check.needed);
        let tie = if check.is_tie { self.tie_clause(check) } else { String::new() };
        let blocking = blocking_clause(check);
        let is_one_of_many = self.checks.len() > 1;
        let outcome = match check.is_met {
            _ if !is_one_of_many => "",
            true => " (met)",
            false => " (not met)",
        };
        let (share, are) = (self.share(check), word_for(check.part, "is", "are"));
        format!("{share} {are} yes{}; {needed}{tie}{blocking}{outcome}", percent_clause(check.percent))
    }

    /// "; a tie is rejected", or "; a tie, and the casting vote of Ada Young is yes". The chair is asked only if it matters.
    fn tie_clause(&self, check: &Check) -> String {
        let has_casting_vote = self.majority.is_some_and(|majority| majority.on_tie() == OnTie::CastingVote);
        match (has_casting_vote && check.group.is_none(), self.input.casting_vote, check.is_met) {
            (true, None, _) if self.waits_for_chair => "; a tie, and the casting vote is open".to_owned(),
            (true, None, _) => "; a tie, and a casting vote would not change the result".to_owned(),
            (true, Some(cast), _) => {
                let answer = if cast.in_favor { "yes" } else { "no" };
                format!("; a tie, and the casting vote of {} is {answer}", cast.cast_by)
            }
            (false, _, true) => "; a tie is accepted".to_owned(),
            (false, _, false) => "; a tie is rejected".to_owned(),
        }
    }

    /// "Anna with 12 votes by heads", or "Anna with 12 of 20 votes by heads, 60.00 %" if a share is required.
    fn elected(&self, option: OptionId) -> String {
        let checks = self.checks.iter().filter(|check| check.option == Some(option));
        let shares: Vec<String> =
            checks.map(|check| format!("{}{}", self.share(check), percent_clause(check.percent))).collect();
        let votes = if shares.is_empty() { self.votes(self.votes_for(option)) } else { shares.join(" and ") };
        format!("{} with {votes}", self.text(option))
    }

    /// The decision, the condition of the options, and the tie for the last seats.
    fn election(&self, decided: &str, tie: Option<&SeatTie>) -> String {
        let mut sentence = decided.to_owned();
        for check in self.of_first_option() {
            let needed = needed_clause(check.threshold, check.needed);
            sentence += &format!("; of {}, {needed}", self.base(check));
        }
        if let Some(tie) = tie {
            sentence += &self.tie(tie);
        } else if self.input.tally.options.iter().all(|option| option.count.in_unit(self.unit).is_zero()) {
            sentence += &format!("; no option has votes by {}", self.unit_word());
        }
        sentence
    }

    /// "; a tie for the last seat between Cleo and Dora with 7 votes by heads each".
    fn tie(&self, tie: &SeatTie) -> String {
        let seats = if tie.seats == 1 { "seat".to_owned() } else { format!("{} seats", tie.seats) };
        let names: Vec<&str> = tie.options.iter().map(|option| self.text(*option)).collect();
        format!("; a tie for the last {seats} between {} with {} each", listed(&names), self.votes(tie.votes))
    }

    /// The common condition of all options, with its base.
    fn of_first_option(&self) -> impl Iterator<Item = &Check> {
        let first = self.checks.first().map(|check| check.option);
        self.checks.iter().filter(move |check| Some(check.option) == first)
    }

    fn votes(&self, votes: Decimal) -> String {
        format!("{} {} by {}", plain(votes), vote_word(votes), self.unit_word())
    }

    /// The word for the unit in which options are ranked.
    fn unit_word(&self) -> &str {
        self.input.weights.word(self.unit.into())
    }

    /// "412.5 of 604.5 votes by weight".
    fn share(&self, check: &Check) -> String {
        format!("{} of {}", plain(check.part), self.base(check))
    }

    /// "604.5 votes by weight". Abstentions are named if they change the base.
    fn base(&self, check: &Check) -> String {
        let (whole, unit) = (plain(check.whole), self.input.weights.word(check.unit));
        let votes = vote_word(check.whole);
        match check.base {
            Base::VotesCast if check.option.is_none() => format!("{whole} {votes} by {unit}, abstentions included,"),
            Base::YesPlusNo | Base::VotesCast => format!("{whole} {votes} by {unit}"),
            Base::VotesWithoutAbstentions => format!("{whole} {votes} by {unit} without abstentions"),
            Base::WholeRegister => format!("{whole} in the whole register by {unit}"),
            Base::ConnectedAtOpening => format!("{whole} present by {unit}"),
        }
    }

    fn votes_for(&self, option: OptionId) -> Decimal {
        let found = self.input.tally.options.iter().find(|tally| tally.option.id == option);
        found.map(|tally| tally.count.in_unit(self.unit)).unwrap_or_default()
    }

    fn text(&self, option: OptionId) -> &str {
        let found = self.input.tally.options.iter().find(|tally| tally.option.id == option);
        found.map_or("", |tally| tally.option.text.as_str())
    }
}

/// "more than 2/3, that is 403, were needed".
fn needed_clause(threshold: Threshold, needed: Option<Needed>) -> String {
    let Some(needed) = needed else {
        return "no share of nothing is enough".to_owned();
    };
    let is_other = threshold.comparison() == Comparison::MoreThan && needed.is_enough;
    let at_least = if is_other { "at least " } else { "" };
    let rounded_up = if needed.is_rounded_up { " (rounded up)" } else { "" };
    format!("{threshold}, that is {at_least}{}{rounded_up}, {} needed", plain(needed.amount), were(needed.amount))
}

/// "at least 1/2, that is 50, were needed", or "50 were needed".
fn quorum_clause(quorum: Quorum, needed: Option<Needed>) -> String {
    match (quorum.minimum, needed) {
        (Minimum::Share(threshold), needed) => needed_clause(threshold, needed),
        (Minimum::Amount(_), Some(needed)) => format!("{} {} needed", plain(needed.amount), were(needed.amount)),
        (Minimum::Amount(_), None) => "nobody may vote".to_owned(),
    }
}

/// "; 3 people are not in favor, fewer than the 4 of a blocking minority". Empty if the share is reached.
fn blocking_clause(check: &Check) -> String {
    let Some(blocking) = check.blocking.filter(|_| !is_met(check.threshold, check.part, check.whole)) else {
        return String::new();
    };
    let (against, minority) = (blocking.against, blocking.minority.get());
    let people = if against == 1 { "1 person is".to_owned() } else { format!("{against} people are") };
    match blocking.is_too_small() {
        true => format!("; {people} not in favor, fewer than the {minority} of a blocking minority"),
        false => format!("; {people} not in favor, and a blocking minority has {minority}"),
    }
}

/// ", 68.24 %", or an empty text without a share.
fn percent_clause(percent: Option<Decimal>) -> String {
    percent.map(|percent| format!(", {percent} %")).unwrap_or_default()
}

/// "A", "A and B", "A, B and C".
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

fn vote_word(votes: Decimal) -> &'static str {
    word_for(votes, "vote", "votes")
}

fn were(amount: Decimal) -> &'static str {
    word_for(amount, "was", "were")
}

/// The word after exactly one, or after another amount.
fn word_for(amount: Decimal, one: &'static str, other: &'static str) -> &'static str {
    if amount == Decimal::ONE { one } else { other }
}

fn plain(amount: Decimal) -> String {
    amount.normalize().to_string()
}
