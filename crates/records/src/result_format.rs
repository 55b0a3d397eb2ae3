//! Converts results of the domain to the format of all screens and files.

use crate::election_result::election_result;
use chrono::{DateTime, Utc};
use plenum_kernel::Unit;
use plenum_kernel::{DecisionRule, OptionId, PresenceRule, Quorum};
use plenum_result_format as format;
use plenum_result_format::{Declaration, Outcome, ResultStatus};
use plenum_voting::{
    Arithmetic, Blocking, CastingVote, Check, Count, Decision, GroupTally, LogEntry, LogKind, LoggedPerson,
    MeasuredQuorum, Needed, NumberTally, OptionTally, PlacedResult, Round, RoundResult, SeatTie, SecondTally,
    TextTally, Ways,
};
use rust_decimal::Decimal;
use uuid::Uuid;

/// The result with its log, for organizers.
pub fn round_result(placed: &PlacedResult) -> format::RoundResult {
    let log = placed.result.log.iter().map(log_entry).collect();
    format::RoundResult { log, ..public_result(placed) }
}

/// The public result, without the log, which contains names and reasons.
pub(crate) fn public_result(placed: &PlacedResult) -> format::RoundResult {
    let PlacedResult { position, result: logged } = placed;
    let RoundResult { round, tally, .. } = &logged.result;
    let result = &logged.result;
    format::RoundResult {
        round_id: round.id.as_uuid(),
        question_id: round.question_id.as_uuid(),
        position: *position,
        number: round.number,
        reason: round.reason.clone(),
        status: if round.declared.is_some() { ResultStatus::Declared } else { ResultStatus::Counted },
        question_text: round.wording.text.clone(),
        question_type: round.wording.question_type.into(),
        rating_max: round.wording.rating_max,
        max_choices: round.wording.max_choices,
        is_named: round.secrecy.is_named(),
        secrecy: Some(round.secrecy.into()),
        counts_heads: round.counts_heads,
        groups: round.groups.clone(),
        weight_kind: round.weight_kind.as_ref().map(Into::into),
        decision_rule: result.rule.as_ref().map(rule),
        quorum: result.quorum.map(|figures| quorum(figures.quorum)),
        opened_at: round.opened_at,
        ended_at: ended_at(round),
        declared: round.declared.as_ref().map(|declared| Declaration { at: declared.at, by: declared.by.clone() }),
        register: count(round.register),
        absent: (result.presence == PresenceRule::CheckedIn).then(|| count(result.absent)),
        connected_at_opening: count(result.connected_at_opening),
        presence: result.presence.into(),
        present: Some(count(result.present)),
        represented: (result.represented.heads > 0).then(|| count(result.represented)),
        ways: (!result.ways.are_all_from_devices()).then(|| ways(result.ways)),
        votes_cast: count(tally.votes_cast),
        not_voted: count(result.not_voted),
        invalid: count(result.invalid),
        options: tally.options.iter().map(|option| option_result(option, tally.votes_cast)).collect(),
        numbers: tally.numbers.as_ref().map(number_result),
        different_texts: logged.different_texts,
        election: result.election.as_ref().map(|counted| Box::new(election_result(counted, &round.wording))),
        in_each: result.groups.iter().map(group_result).collect(),
        second_weight: result.second.as_ref().map(|second| second_weight(second, result.presence)),
        casting_vote: result.casting_vote.as_ref().map(casting_vote),
        decision: decision(&result.decision),
        arithmetic: arithmetic(result),
        log: Vec::new(),
        record: None,
    }
}

/// The end of the round. Every ended round has one.
fn ended_at(round: &Round) -> DateTime<Utc> {
    round.ended_at.unwrap_or(round.opened_at)
}

/// A text answer with its numbers.
pub(crate) fn text_answer(text: TextTally) -> format::TextAnswer {
    format::TextAnswer { text: text.text, heads: text.count.heads, weight: text.count.weight.normalize() }
}

fn ways(ways: Ways) -> format::WaysFormat {
    let Ways { device, paper, voting_place } = ways;
    format::WaysFormat { device: count(device), paper: count(paper), voting_place: count(voting_place) }
}

pub(crate) fn count(count: Count) -> format::Count {
    format::Count { heads: count.heads, weight: count.weight.normalize() }
}

fn rule(rule: &DecisionRule) -> format::DecisionRuleFormat {
    rule.into()
}

fn quorum(quorum: Quorum) -> format::QuorumFormat {
    quorum.into()
}

fn plain(number: Option<Decimal>) -> Option<Decimal> {
    number.map(|number| number.normalize())
}

fn ids(options: &[OptionId]) -> Vec<Uuid> {
    options.iter().map(|option| option.as_uuid()).collect()
}

fn option_result(counted: &OptionTally, votes_cast: Count) -> format::OptionResult {
    let percent_in = |unit| plain(counted.count.percent_of(votes_cast, unit));
    format::OptionResult {
        id: counted.option.id.as_uuid(),
        text: counted.option.text.clone(),
        role: counted.option.role.into(),
        heads: counted.count.heads,
        weight: counted.count.weight.normalize(),
        heads_percent: percent_in(Unit::Heads),
        weight_percent: percent_in(Unit::Weight),
    }
}

fn number_result(tally: &NumberTally) -> format::NumberResult {
    let value = |counted: &plenum_voting::ValueCount| format::ValueResult {
        value: counted.value.normalize(),
        heads: counted.count.heads,
        weight: counted.count.weight.normalize(),
    };
    format::NumberResult {
        mean: plain(tally.mean),
        weighted_mean: plain(tally.weighted_mean),
        median: plain(tally.median),
        weighted_median: plain(tally.weighted_median),
        distribution: tally.distribution.iter().map(value).collect(),
    }
}

fn decision(decision: &Decision) -> format::DecisionFormat {
    let (outcome, elected, tie) = match decision {
        Decision::Undecided => (Outcome::Undecided, Vec::new(), None),
        Decision::QuorumMissed => (Outcome::QuorumMissed, Vec::new(), None),
        Decision::Accepted => (Outcome::Accepted, Vec::new(), None),
        Decision::Rejected => (Outcome::Rejected, Vec::new(), None),
        Decision::CastingVoteOpen => (Outcome::CastingVoteOpen, Vec::new(), None),
        Decision::Elected { options, tie } => (Outcome::Elected, ids(options), tie.as_ref()),
        Decision::NotElected { tie } => (Outcome::NotElected, Vec::new(), tie.as_ref()),
    };
    format::DecisionFormat { outcome, elected, tie: tie.map(seat_tie) }
}

fn seat_tie(tie: &SeatTie) -> format::TieFormat {
    format::TieFormat { options: ids(&tie.options), votes: tie.votes.normalize(), seats: tie.seats }
}

fn second_weight(second: &SecondTally, presence: PresenceRule) -> format::SecondWeightResult {
    format::SecondWeightResult {
        kind: (&second.kind).into(),
        register: count(second.register),
        absent: (presence == PresenceRule::CheckedIn).then(|| count(second.absent)),
        present: count(second.present),
        votes_cast: count(second.votes_cast),
        options: second.options.iter().map(option_sum).collect(),
        in_each: second.groups.iter().map(group_result).collect(),
    }
}

fn option_sum(counted: &OptionTally) -> format::GroupOption {
    format::GroupOption {
        id: counted.option.id.as_uuid(),
        heads: counted.count.heads,
        weight: counted.count.weight.normalize(),
    }
}

fn group_result(group: &GroupTally) -> format::GroupResult {
    format::GroupResult {
        name: group.name.clone(),
        register: count(group.register),
        present: count(group.present),
        votes_cast: count(group.votes_cast),
        options: group.options.iter().map(option_sum).collect(),
    }
}

fn casting_vote(cast: &CastingVote) -> format::CastingVoteFormat {
    let CastingVote { in_favor, cast_by, at, noted_by } = cast.clone();
    format::CastingVoteFormat { in_favor, cast_by, at, noted_by }
}

fn arithmetic(result: &RoundResult) -> format::ArithmeticFormat {
    let arithmetic: &Arithmetic = &result.arithmetic;
    let measured = result.quorum.zip(arithmetic.quorum.as_ref());
    format::ArithmeticFormat {
        checks: arithmetic.checks.iter().map(|measured| check(measured, &result.groups)).collect(),
        quorum: measured.map(|(figures, sentence)| quorum_result(&figures, sentence)),
        sentence: arithmetic.sentence.clone(),
    }
}

fn check(check: &Check, groups: &[GroupTally]) -> format::CheckFormat {
    let fraction = check.threshold.fraction();
    format::CheckFormat {
        option: check.option.map(OptionId::as_uuid),
        unit: check.unit.into(),
        base: check.base.into(),
        comparison: check.threshold.comparison().into(),
        numerator: fraction.numerator(),
        denominator: fraction.denominator(),
        part: check.part.normalize(),
        whole: check.whole.normalize(),
        percent: plain(check.percent),
        needed: check.needed.map(needed),
        group: check.group.and_then(|place| groups.get(place)).map(|group| group.name.clone()),
        alternative: u32::try_from(check.alternative).unwrap_or(u32::MAX),
        blocking: check.blocking.map(blocking),
        is_tie: check.is_tie,
        is_met: check.is_met,
    }
}

fn blocking(blocking: Blocking) -> format::BlockingFormat {
    format::BlockingFormat { minority: blocking.minority.get(), against: blocking.against }
}

fn needed(needed: Needed) -> format::NeededFormat {
    let Needed { amount, is_enough, is_rounded_up } = needed;
    format::NeededFormat { amount: amount.normalize(), is_enough, is_rounded_up }
}

fn quorum_result(figures: &MeasuredQuorum, sentence: &str) -> format::QuorumResult {
    format::QuorumResult {
        quorum: quorum(figures.quorum),
        attending: figures.attending.normalize(),
        register: figures.register.normalize(),
        percent: plain(figures.percent),
        needed: figures.needed.map(needed),
        is_met: figures.is_met,
        sentence: sentence.to_owned(),
    }
}

fn log_entry(entry: &LogEntry) -> format::LogEntry {
    format::LogEntry {
        at: entry.at,
        kind: log_kind(entry.kind),
        by: entry.by.clone(),
        person: entry.person.as_ref().map(logged_person),
        reason: entry.reason.clone(),
    }
}

fn log_kind(kind: LogKind) -> format::LogKind {
    match kind {
        LogKind::Opened => format::LogKind::Opened,
        LogKind::Ended => format::LogKind::Ended,
        LogKind::Reopened => format::LogKind::Reopened,
        LogKind::Joined => format::LogKind::Joined,
        LogKind::Counted => format::LogKind::Counted,
        LogKind::Declared => format::LogKind::Declared,
        LogKind::Admitted => format::LogKind::Admitted,
        LogKind::Excluded => format::LogKind::Excluded,
        LogKind::PasswordSet => format::LogKind::PasswordSet,
        LogKind::RiskAccepted => format::LogKind::RiskAccepted,
        LogKind::Voided => format::LogKind::Voided,
    }
}

fn logged_person(person: &LoggedPerson) -> format::LoggedPerson {
    format::LoggedPerson {
        name: person.name.clone(),
        username: person.username.clone(),
        weight: person.weight.normalize(),
    }
}
