//! The sentences of the format "plenum-results/1", from the recomputed numbers.

use plenum_result_format::{
    AttendanceName, BaseName, CheckFormat, ComparisonName, DecisionFormat, DecisionRuleFormat, NeededFormat, OnTieName,
    Outcome, QuorumResult, RoundResult, TieFormat, UnitName,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::decision::{RequiredShare, ranking_unit};
use crate::exact::{self, amount};
use crate::second_weight::unit_word;
use crate::tally::Tally;

/// The words of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Those of this version.
    Present,
    /// Those of earlier versions, which called a casting vote open also where it could not change the result.
    WithCastingVotesOpen,
    /// Those of still earlier versions, which also did not tell one from several, and did not name the lots of an election.
    Earliest,
}

impl Words {
    /// The sentence in the words of the file: in earlier ones if it has exactly those, otherwise in present ones.
    pub(crate) fn of_file(given: &str, sentence: impl Fn(Self) -> String) -> String {
        let mut earlier = [Self::WithCastingVotesOpen, Self::Earliest].into_iter().map(&sentence);
        earlier.find(|earlier| earlier == given).unwrap_or_else(|| sentence(Self::Present))
    }

    /// The word after this amount.
    fn after(self, amount: Decimal, one: &'static str, several: &'static str) -> &'static str {
        if self != Self::Earliest && amount == Decimal::ONE { one } else { several }
    }
}

/// The sentence of a quorum: the participation and the requirement.
pub(crate) fn quorum_sentence(result: &QuorumResult, unit: &str, words: Words) -> String {
    let quorum = &result.quorum;
    let took_part = match quorum.attendance {
        AttendanceName::Present => words.after(result.attending, "was present", "were present"),
        AttendanceName::Voted => "voted",
    };
    let required = match (RequiredShare::of(quorum), &result.needed) {
        (Some(share), needed) => requirement(&share, needed.as_ref(), words),
        (None, Some(needed)) => {
            format!("{} {} needed", plain(needed.amount), words.after(needed.amount, "was", "were"))
        }
        (None, None) => "nobody may vote".to_owned(),
    };
    [
        if result.is_met { "Quorum met: " } else { "Quorum missed: " },
        &format!("{} of {} in the register", plain(result.attending), plain(result.register)),
        &format!(" by {unit} {took_part}"),
        &percent_text(result.percent),
        "; ",
        &required,
    ]
    .concat()
}

/// The sentence of the required share.
fn requirement(share: &RequiredShare, needed: Option<&NeededFormat>, words: Words) -> String {
    let Some(needed) = needed else {
        return "no share of nothing is enough".to_owned();
    };
    let fraction = format!("{} {}/{}", share.comparison.words(), share.numerator, share.denominator);
    let is_least = share.comparison == ComparisonName::MoreThan && needed.is_enough;
    let least = if is_least { "at least " } else { "" };
    let rounded_up = if needed.is_rounded_up { " (rounded up)" } else { "" };
    let were = words.after(needed.amount, "was", "were");
    format!("{fraction}, that is {least}{}{rounded_up}, {were} needed", plain(needed.amount))
}

/// The parts of a decision from which its sentence is made.
pub(crate) struct DecisionSentence<'a> {
    pub(crate) result: &'a RoundResult,
    pub(crate) tally: &'a Tally,
    pub(crate) decision: &'a DecisionFormat,
    pub(crate) checks: &'a [CheckFormat],
    pub(crate) quorum: Option<&'a QuorumResult>,
    pub(crate) words: Words,
}

impl DecisionSentence<'_> {
    /// The decision and its reason.
    pub(crate) fn text(&self) -> String {
        let decision = self.decision;
        match decision.outcome {
            Outcome::Undecided => "Not decided: the question has no decision rule".to_owned(),
            Outcome::QuorumMissed => self.quorum.map(|quorum| quorum.sentence.clone()).unwrap_or_default(),
            Outcome::Accepted => format!("Accepted: {}", self.conditions()),
            Outcome::Rejected => format!("Rejected: {}", self.conditions()),
            Outcome::CastingVoteOpen => format!("Not decided yet: {}", self.conditions()),
            Outcome::Elected => {
                let names: Vec<String> = decision.elected.iter().map(|id| self.elected(*id)).collect();
                format!("Elected: {}{}", names.join("; "), self.rest(decision.tie.as_ref()))
            }
            Outcome::NotElected => format!("None is elected{}", self.rest(decision.tie.as_ref())),
        }
    }

    /// The conditions, those of all voters first, then those among the members of each group.
    fn conditions(&self) -> String {
        let has_groups = self.checks.iter().any(|check| check.group.is_some());
        let mut text = String::new();
        let mut before: Option<&CheckFormat> = None;
        for check in self.checks {
            let is_new_scope = before.is_none_or(|before| before.group != check.group);
            text += match before {
                None => "",
                Some(before) if !is_new_scope && before.alternative != check.alternative => "; or ",
                Some(_) => "; and ",
            };
            match &check.group {
                Some(name) if is_new_scope => text += &format!("among {name}, "),
                None if is_new_scope && has_groups => text += "in total, ",
                _ => {}
            }
            text += &self.condition(check);
            before = Some(check);
        }
        text
    }

    fn condition(&self, check: &CheckFormat) -> String {
        let tie = if check.is_tie { self.even_votes(check) } else { String::new() };
        let met = match (self.checks.len(), check.is_met) {
            (1, _) => "",
            (_, true) => " (met)",
            (_, false) => " (not met)",
        };
        let (share, percent) = (self.part_of(check), percent_text(check.percent));
        let are = self.words.after(check.part, "is", "are");
        format!("{share} {are} yes{percent}; {}{tie}{}{met}", self.requirement_of(check), minority(check))
    }

    fn requirement_of(&self, check: &CheckFormat) -> String {
        let CheckFormat { comparison, numerator, denominator, .. } = *check;
        requirement(&RequiredShare { comparison, numerator, denominator }, check.needed.as_ref(), self.words)
    }

    /// The effect of equal numbers of yes and no.
    fn even_votes(&self, check: &CheckFormat) -> String {
        let is_cast = matches!(
            &self.result.decision_rule,
            Some(DecisionRuleFormat::Majority { on_tie: OnTieName::CastingVote, .. })
        );
        if !is_cast || check.group.is_some() {
            return format!("; a tie is {}", if check.is_met { "accepted" } else { "rejected" });
        }
        let is_called_open = self.decision.outcome == Outcome::CastingVoteOpen || self.words != Words::Present;
        match &self.result.casting_vote {
            None if is_called_open => "; a tie, and the casting vote is open".to_owned(),
            None => "; a tie, and a casting vote would not change the result".to_owned(),
            Some(cast) => {
                format!(
                    "; a tie, and the casting vote of {} is {}",
                    cast.cast_by,
                    if cast.in_favor { "yes" } else { "no" }
                )
            }
        }
    }

    fn elected(&self, id: Uuid) -> String {
        let checks = self.checks.iter().filter(|check| check.option == Some(id));
        let shares: Vec<String> =
            checks.map(|check| format!("{}{}", self.part_of(check), percent_text(check.percent))).collect();
        if shares.is_empty() {
            let votes = amount(&self.tally.option(id).in_unit(self.unit()));
            return format!("{} with {}", self.option_text(id), self.votes(votes));
        }
        format!("{} with {}", self.option_text(id), shares.join(" and "))
    }

    /// The condition of the options, and the tie.
    fn rest(&self, tie: Option<&TieFormat>) -> String {
        let first = self.checks.first().and_then(|check| check.option);
        let conditions = self.checks.iter().filter(|check| check.option == first);
        let conditions: String =
            conditions.map(|check| format!("; of {}, {}", self.base(check), self.requirement_of(check))).collect();
        let has_votes = self
            .result
            .options
            .iter()
            .any(|option| !amount(&self.tally.option(option.id).in_unit(self.unit())).is_zero());
        let open = match tie {
            Some(tie) => self.tie(tie),
            None if has_votes => String::new(),
            None => format!("; no option has votes by {}", self.unit_word()),
        };
        conditions + &open
    }

    fn tie(&self, tie: &TieFormat) -> String {
        let seats = match tie.seats {
            1 => "seat".to_owned(),
            seats => format!("{seats} seats"),
        };
        let names: Vec<&str> = tie.options.iter().map(|id| self.option_text(*id)).collect();
        let names = match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => names.concat(),
        };
        format!("; a tie for the last {seats} between {names} with {} each", self.votes(tie.votes))
    }

    fn unit(&self) -> UnitName {
        match &self.result.decision_rule {
            Some(DecisionRuleFormat::Plurality { unit, .. }) => *unit,
            Some(DecisionRuleFormat::EachOption { condition, .. }) => ranking_unit(condition.units),
            Some(DecisionRuleFormat::Election { election }) => election.unit,
            Some(DecisionRuleFormat::Majority { .. }) | None => UnitName::Heads,
        }
    }

    fn votes(&self, votes: Decimal) -> String {
        format!("{} {} by {}", plain(votes), self.words.after(votes, "vote", "votes"), self.unit_word())
    }

    fn unit_word(&self) -> &str {
        unit_word(self.result, self.unit().into())
    }

    fn part_of(&self, check: &CheckFormat) -> String {
        format!("{} of {}", plain(check.part), self.base(check))
    }

    fn base(&self, check: &CheckFormat) -> String {
        let (whole, unit) = (plain(check.whole), unit_word(self.result, check.unit));
        let votes = self.words.after(check.whole, "vote", "votes");
        match (check.base, check.option) {
            (BaseName::VotesCast, None) => format!("{whole} {votes} by {unit}, abstentions included,"),
            (BaseName::YesPlusNo, _) | (BaseName::VotesCast, Some(_)) => format!("{whole} {votes} by {unit}"),
            (BaseName::VotesWithoutAbstentions, _) => format!("{whole} {votes} by {unit} without abstentions"),
            (BaseName::WholeRegister, _) => format!("{whole} in the whole register by {unit}"),
            (BaseName::ConnectedAtOpening, _) => format!("{whole} present by {unit}"),
        }
    }

    fn option_text(&self, id: Uuid) -> &str {
        self.result.options.iter().find(|option| option.id == id).map_or("", |option| option.text.as_str())
    }
}

/// The people who are not in favor, where the share alone would not be enough.
fn minority(check: &CheckFormat) -> String {
    let CheckFormat { comparison, numerator, denominator, .. } = *check;
    let share = RequiredShare { comparison, numerator, denominator };
    let Some(blocking) = check.blocking.filter(|_| !share.is_met(&exact::of(check.part), &exact::of(check.whole)))
    else {
        return String::new();
    };
    let people = match blocking.against {
        1 => "1 person is".to_owned(),
        against => format!("{against} people are"),
    };
    let minority = blocking.minority;
    if blocking.against < u64::from(minority) {
        format!("; {people} not in favor, fewer than the {minority} of a blocking minority")
    } else {
        format!("; {people} not in favor, and a blocking minority has {minority}")
    }
}

fn percent_text(percent: Option<Decimal>) -> String {
    percent.map(|percent| format!(", {percent} %")).unwrap_or_default()
}

fn plain(amount: Decimal) -> String {
    amount.normalize().to_string()
}
