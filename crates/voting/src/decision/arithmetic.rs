use plenum_kernel::{Attendance, Base, Comparison, DecisionRule, OptionId, Threshold, Unit};
use rust_decimal::Decimal;

use crate::decision::outcome::Outcome;
use crate::{Check, Decision, MeasuredQuorum, Needed, SeatTie, Tally};

/// The explanation of a decision: in parts, which screens format, and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    /// Each condition in each of its units, for each option if options need their own majority. Also given if the quorum
    /// was missed.
    pub checks: Vec<Check>,
    /// Whether the quorum was met, and the numbers, as a sentence without a full stop. `None` without a quorum.
    pub quorum: Option<String>,
    /// The decision and its reason, as a sentence without a full stop.
    pub sentence: String,
}

impl Arithmetic {
    /// Explains an outcome that the rule gave for the tally.
    pub(crate) fn of(rule: Option<&DecisionRule>, outcome: &Outcome, tally: &Tally) -> Self {
        let Outcome { quorum, checks, decision } = outcome;
        let quorum = quorum.as_ref().map(quorum_sentence);
        let words = Words { checks, tally, unit: unit_of(rule) };
        let sentence = match decision {
            Decision::Undecided => "Not decided: the question has no decision rule".to_owned(),
            Decision::QuorumMissed => quorum.clone().unwrap_or_default(),
            Decision::Accepted => format!("Accepted: {}", words.majority()),
            Decision::Rejected => format!("Rejected: {}", words.majority()),
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
    pub(crate) fn of_election(outcome: &Outcome, sentence: String) -> Self {
        let quorum = outcome.quorum.as_ref().map(quorum_sentence);
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
        Some(DecisionRule::EachOption(each)) => each.condition().units.each()[0],
        Some(DecisionRule::Election(rule)) => rule.unit,
        Some(DecisionRule::Majority(_)) | None => Unit::Heads,
    }
}

/// "Quorum met: 60 of 100 in the register by heads were present, 60.00 %; at least 1/2, that is 50, were needed".
fn quorum_sentence(measured: &MeasuredQuorum) -> String {
    let is_met = if measured.is_met { "met" } else { "missed" };
    let took_part = match measured.quorum.attendance {
        Attendance::Present => "were present",
        Attendance::Voted => "voted",
    };
    let (attending, register) = (plain(measured.attending), plain(measured.register));
    let (unit, percent) = (measured.quorum.unit.word(), percent_clause(measured.percent));
    let needed = needed_clause(measured.quorum.threshold, measured.needed);
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
    tally: &'a Tally,
    unit: Unit,
}

impl Words<'_> {
    fn majority(&self) -> String {
        let clauses: Vec<String> = self.checks.iter().map(|check| self.condition(check)).collect();
        clauses.join("; and ")
    }

    /// "412.5 of 604.5 votes by weight are yes, 68.24 %; more than 2/3, that is 403, were needed".
    fn condition(&self, check: &Check) -> String {
        let needed = needed_clause(check.threshold, check.needed);
        let tie = match (check.is_tie, check.is_met) {
            (false, _) => "",
            (true, true) => "; a tie is accepted",
            (true, false) => "; a tie is rejected",
        };
        let is_one_of_many = self.checks.len() > 1;
        let outcome = match check.is_met {
            _ if !is_one_of_many => "",
            true => " (met)",
            false => " (not met)",
        };
        format!("{} are yes{}; {needed}{tie}{outcome}", share(check), percent_clause(check.percent))
    }

    /// "Anna with 12 votes by heads", or "Anna with 12 of 20 votes by heads, 60.00 %" if a share is required.
    fn elected(&self, option: OptionId) -> String {
        let checks = self.checks.iter().filter(|check| check.option == Some(option));
        let shares: Vec<String> =
            checks.map(|check| format!("{}{}", share(check), percent_clause(check.percent))).collect();
        let votes = if shares.is_empty() { self.votes(self.votes_for(option)) } else { shares.join(" and ") };
        format!("{} with {votes}", self.text(option))
    }

    /// The decision, the condition of the options, and the tie for the last seats.
    fn election(&self, decided: &str, tie: Option<&SeatTie>) -> String {
        let mut sentence = decided.to_owned();
        for check in self.of_first_option() {
            let needed = needed_clause(check.threshold, check.needed);
            sentence += &format!("; of {}, {needed}", base(check));
        }
        if let Some(tie) = tie {
            sentence += &self.tie(tie);
        } else if self.tally.options.iter().all(|option| option.count.in_unit(self.unit).is_zero()) {
            sentence += &format!("; no option has votes by {}", self.unit.word());
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
        format!("{} votes by {}", plain(votes), self.unit.word())
    }

    fn votes_for(&self, option: OptionId) -> Decimal {
        let found = self.tally.options.iter().find(|tally| tally.option.id == option);
        found.map(|tally| tally.count.in_unit(self.unit)).unwrap_or_default()
    }

    fn text(&self, option: OptionId) -> &str {
        let found = self.tally.options.iter().find(|tally| tally.option.id == option);
        found.map_or("", |tally| tally.option.text.as_str())
    }
}

/// "412.5 of 604.5 votes by weight".
fn share(check: &Check) -> String {
    format!("{} of {}", plain(check.part), base(check))
}

/// "604.5 votes by weight". Abstentions are named if they change the base.
fn base(check: &Check) -> String {
    let (whole, unit) = (plain(check.whole), check.unit.word());
    match check.base {
        Base::VotesCast if check.option.is_none() => format!("{whole} votes by {unit}, abstentions included,"),
        Base::YesPlusNo | Base::VotesCast => format!("{whole} votes by {unit}"),
        Base::VotesWithoutAbstentions => format!("{whole} votes by {unit} without abstentions"),
        Base::WholeRegister => format!("{whole} in the whole register by {unit}"),
        Base::ConnectedAtOpening => format!("{whole} present by {unit}"),
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
    format!("{threshold}, that is {at_least}{}{rounded_up}, were needed", plain(needed.amount))
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

fn plain(amount: Decimal) -> String {
    amount.normalize().to_string()
}
