//! Rounds with sums instead of ballots, and the opened urns of secret rounds.

use std::collections::BTreeMap;

use plenum_result_format::{
    BallotAnswer, ExactNumber, LogKind, OpenedUrnFormat, OptionResult, QuestionTypeName, RoundFile, SecrecyName,
};
use rust_decimal::Decimal;

use crate::ballots::{as_in_file, wrong_answer};
use crate::exact::{self, Exact, amount, whole};
use crate::report::Differences;
use crate::tally::{Pair, Tally, sum};

/// The smallest number of voters with one weight among whom a listed ballot of this weight is hidden.
const MIN_ANONYMITY_SET: u64 = 5;

/// How the votes of a round were counted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recounted {
    /// From the answers of all ballots.
    Answers,
    /// A secret vote with different weights, of which only the sums were kept.
    SecretSums,
    /// A vote with rare weights that does not show who voted what. Listed ballots would show it.
    UnshownSums,
    /// Not at all: the round exceeds the limits of the product.
    Nothing,
}

impl Recounted {
    /// The way in which this round can be counted.
    pub(crate) fn of(round: &RoundFile) -> Self {
        let weights = voted_weights(round);
        let alike = voted_alike(round);
        let is_rare = alike.values().any(|voters| *voters < MIN_ANONYMITY_SET);
        match round.result.secrecy {
            _ if weights.len() < 2 && alike.len() < 2 => Self::Answers,
            Some(SecrecyName::Secret) => Self::SecretSums,
            // Earlier versions listed these ballots, and some left out the secrecy.
            Some(SecrecyName::Unshown) if round.ballots.is_empty() && is_rare => Self::UnshownSums,
            _ => Self::Answers,
        }
    }

    /// What was done, as a sentence without a full stop.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Answers => "Counted again from all answers",
            Self::SecretSums => {
                "Only the sums are kept, because weights differ: checked against marks, receipts and hash"
            }
            Self::UnshownSums => {
                "Only the sums are listed, because few voters have the same weight: checked against marks"
            }
            Self::Nothing => "Not counted again, because it exceeds what the product can record",
        }
    }
}

/// Those who have voted, by the register: in a secret round, the marks.
pub(crate) fn marks(round: &RoundFile) -> Pair {
    sum(round.register.iter().filter(|voter| voter.has_voted).map(|voter| voter.weight))
}

/// The number of those who have voted with each weight.
fn voted_weights(round: &RoundFile) -> BTreeMap<Decimal, u64> {
    let mut weights = BTreeMap::new();
    for voter in round.register.iter().filter(|voter| voter.has_voted) {
        *weights.entry(voter.weight).or_default() += 1;
    }
    weights
}

/// The weights and groups that a list of ballots shows beside an answer.
pub(crate) type WeightsAndGroups<'a> = (Decimal, Option<Decimal>, Vec<&'a str>);

/// The number of those who have voted with each weight and groups.
pub(crate) fn voted_alike(round: &RoundFile) -> BTreeMap<WeightsAndGroups<'_>, u64> {
    let mut alike = BTreeMap::new();
    for voter in round.register.iter().filter(|voter| voter.has_voted) {
        let mut groups: Vec<&str> = voter.groups.iter().map(String::as_str).collect();
        groups.sort_unstable();
        *alike.entry((voter.weight, voter.second_weight, groups)).or_default() += 1;
    }
    alike
}

/// The ballots that did not count. Only a secret round has any: the server refuses other invalid ballots.
pub(crate) fn invalid(round: &RoundFile, cast: &Pair) -> Pair {
    if !round.result.is_secret() {
        return Pair::none();
    }
    let marks = marks(round);
    let weight = &marks.weight - &cast.weight;
    Pair { heads: marks.heads.saturating_sub(cast.heads), weight: weight.max(exact::zero()) }
}

/// The sums of the file as a tally, if it contains no ballots.
pub(crate) fn given_tally(round: &RoundFile) -> Tally {
    let result = &round.result;
    let pair = |heads: u64, weight: Decimal| Pair { heads, weight: exact::of(weight) };
    let cast = if result.is_secret() { pair(result.votes_cast.heads, result.votes_cast.weight) } else { marks(round) };
    let mut tally = Tally::none(cast);
    for option in &result.options {
        tally.options.insert(option.id, pair(option.heads, option.weight));
    }
    let values = result.numbers.iter().flat_map(|numbers| &numbers.distribution);
    for value in values.filter(|value| value.heads > 0) {
        let sum = tally.numbers.entry(value.value).or_insert_with(Pair::none);
        *sum = sum.plus(&pair(value.heads, value.weight));
    }
    for text in &round.texts {
        let sum = tally.texts.entry(text.text.clone()).or_insert_with(Pair::none);
        *sum = sum.plus(&pair(text.heads, text.weight));
    }
    tally
}

/// Checks the secrecy of a round: its terms, its urn, and sums in place of ballots.
pub(crate) fn check_secrecy(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    if result.secrecy.is_some_and(|level| (level == SecrecyName::Named) != result.is_named) {
        found.wants("result.secrecy", as_in_file(&result.secrecy), "the level that isNamed says");
    }
    if result.counts_heads {
        for (index, voter) in round.register.iter().enumerate().filter(|(_, voter)| voter.weight != Decimal::ONE) {
            found.wants(format!("register.{index}.weight"), voter.weight, "1: the vote is counted by heads");
        }
    }
    check_log(found, round);
    match Recounted::of(round) {
        Recounted::Answers if result.is_secret() => check_answers(found, round),
        Recounted::Answers | Recounted::Nothing => {}
        Recounted::SecretSums | Recounted::UnshownSums => check_sums(found, round),
    }
    match (&round.urn, result.is_secret()) {
        (None, false) => {}
        (None, true) => found.wants("urn", "null", "the urn of this secret vote"),
        (Some(_), false) => found.wants("urn", "an urn", "left out: the vote is not secret"),
        (Some(urn), true) => check_urn(found, round, urn),
    }
}

fn check_log(found: &mut Differences, round: &RoundFile) {
    for (index, entry) in round.result.log.iter().enumerate() {
        let at = format!("result.log.{index}");
        match entry.kind {
            LogKind::Voided => {
                found.wants(format!("{at}.kind"), "VOIDED", "another kind: a void vote is never counted");
            }
            LogKind::RiskAccepted if !round.result.is_secret() => {
                found.wants(format!("{at}.kind"), "RISK_ACCEPTED", "another kind: the vote is not secret");
            }
            LogKind::RiskAccepted if entry.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) => {
                found.wants(format!("{at}.reason"), as_in_file(&entry.reason), "the risk that was accepted");
            }
            _ => {}
        }
    }
}

/// The ballots of a secret round with equal weights: no more than marks, and each answer once, in an order that tells
/// nothing.
fn check_answers(found: &mut Differences, round: &RoundFile) {
    let (weights, marks) = (voted_weights(round), marks(round));
    let mut cast = 0_u64;
    for (index, ballot) in round.ballots.iter().enumerate() {
        if !weights.contains_key(&ballot.weight) {
            found.wants(format!("ballots.{index}.weight"), ballot.weight, "the weight of those who have voted");
        }
        cast = cast.saturating_add(ballot.count);
    }
    if cast > marks.heads {
        found.wants("ballots", cast, format!("at most {}: so many have voted, by the register", marks.heads));
    }
    for (index, pair) in round.ballots.windows(2).enumerate() {
        if pair[0].answer >= pair[1].answer {
            let at = format!("ballots.{}.answer", index + 1);
            found.wants(at, as_in_file(&pair[1].answer), "another answer than those before, in their order");
        }
    }
    check_text_terms(found, round);
}

/// Texts and numbers would show the weights of their voters.
fn check_text_terms(found: &mut Differences, round: &RoundFile) {
    let result = &round.result;
    let has_options = matches!(result.question_type, QuestionTypeName::YesNo | QuestionTypeName::MultipleChoice);
    if result.is_secret() && !has_options && !result.counts_heads {
        found.wants("result.countsHeads", false, "true: a secret vote with texts or numbers is counted by heads");
    }
}

/// Sums without ballots: they are possible with the votes of those who have voted.
pub(crate) fn check_sums(found: &mut Differences, round: &RoundFile) {
    let (result, possible) = (&round.result, Possible::of(round));
    if !round.ballots.is_empty() {
        found.wants("ballots", format!("{} entries", round.ballots.len()), "empty: only the sums were kept");
    }
    check_text_terms(found, round);
    let tally = given_tally(round);
    possible.check(found, "result.votesCast", &tally.cast);
    for (index, option) in result.options.iter().enumerate() {
        let (at, votes) = (format!("result.options.{index}"), tally.option(option.id));
        possible.check(found, &at, &votes);
        if votes.heads > tally.cast.heads || votes.weight > tally.cast.weight {
            found.wants(at, words(&votes), "no more than the votes cast");
        }
    }
    check_total(found, round, &tally);
}

/// The parts of a question add up to the votes cast, if each ballot has exactly one of them.
fn check_total(found: &mut Differences, round: &RoundFile, tally: &Tally) {
    let result = &round.result;
    let all = |pairs: &mut dyn Iterator<Item = Pair>| pairs.fold(Pair::none(), |sum, pair| sum.plus(&pair));
    let of_options = || all(&mut result.options.iter().map(|option: &OptionResult| tally.option(option.id)));
    let (at, total) = match result.question_type {
        QuestionTypeName::YesNo => ("result.options", of_options()),
        // A ballot can name several candidates, or none.
        QuestionTypeName::Election => return,
        QuestionTypeName::MultipleChoice => {
            let (chosen, most) = (of_options(), u64::from(result.max_choices.unwrap_or(u32::MAX)));
            let is_possible = chosen.heads >= tally.cast.heads
                && chosen.heads <= tally.cast.heads.saturating_mul(most)
                && chosen.weight >= tally.cast.weight
                && chosen.weight <= &tally.cast.weight * whole(most);
            if !is_possible {
                found.wants(
                    "result.options",
                    words(&chosen),
                    "between one option and maxChoices options for each ballot",
                );
            }
            return;
        }
        QuestionTypeName::Rating | QuestionTypeName::Percentage => {
            for (index, number) in tally.numbers.keys().enumerate() {
                if let Some(wanted) = wrong_answer(round, &BallotAnswer::Number(ExactNumber(*number))) {
                    found.wants(format!("result.numbers.distribution.{index}.value"), number, wanted);
                }
            }
            ("result.numbers.distribution", all(&mut tally.numbers.values().cloned()))
        }
        QuestionTypeName::OpenText => {
            for (index, text) in round.texts.iter().enumerate() {
                if let Some(wanted) = wrong_answer(round, &BallotAnswer::Text(text.text.clone())) {
                    found.wants(format!("texts.{index}.text"), &text.text, wanted);
                }
            }
            ("texts", all(&mut tally.texts.values().cloned()))
        }
    };
    if total != tally.cast {
        found.wants(at, words(&total), format!("together the votes cast, {}", words(&tally.cast)));
    }
}

/// The weights that a number of those who have voted can have together.
struct Possible {
    /// The weight of the lightest voters, by their number.
    least: Vec<Exact>,
    /// The weight of the heaviest voters, by their number.
    most: Vec<Exact>,
}

impl Possible {
    fn of(round: &RoundFile) -> Self {
        let voted = round.register.iter().filter(|voter| voter.has_voted);
        let mut weights: Vec<Exact> = voted.map(|voter| exact::of(voter.weight)).collect();
        weights.sort();
        let least = running_sums(weights.iter());
        Self { least, most: running_sums(weights.iter().rev()) }
    }

    fn check(&self, found: &mut Differences, at: &str, votes: &Pair) {
        let place = usize::try_from(votes.heads).unwrap_or(usize::MAX);
        match (self.least.get(place), self.most.get(place)) {
            (Some(least), Some(most)) if (least..=most).contains(&&votes.weight) => {}
            (Some(_), Some(_)) => {
                found.wants(format!("{at}.weight"), amount(&votes.weight), "a weight that so many voters can have");
            }
            _ => found.wants(format!("{at}.heads"), votes.heads, "at most those who have voted, by the register"),
        }
    }
}

fn running_sums<'a>(weights: impl Iterator<Item = &'a Exact>) -> Vec<Exact> {
    let mut sums = vec![exact::zero()];
    let mut all = exact::zero();
    for weight in weights {
        all += weight;
        sums.push(all.clone());
    }
    sums
}

fn words(votes: &Pair) -> String {
    format!("{} with weight {}", votes.heads, amount(&votes.weight))
}

/// The urn was opened after the end, once, with a receipt for each mark.
fn check_urn(found: &mut Differences, round: &RoundFile, urn: &OpenedUrnFormat) {
    let result = &round.result;
    let is_late = result.declared.as_ref().is_some_and(|declared| declared.at < urn.opened_at);
    if urn.opened_at < result.ended_at || is_late {
        found.wants("urn.openedAt", as_in_file(&urn.opened_at), "a time after the end, and not after the declaration");
    }
    let marks = marks(round).heads;
    if urn.receipts.len() as u64 != marks {
        found.differs("urn.receipts", urn.receipts.len(), format!("{marks} who have voted, by the register"));
    }
    for (index, receipt) in urn.receipts.iter().enumerate().filter(|(_, receipt)| !is_receipt(receipt)) {
        found.wants(format!("urn.receipts.{index}"), receipt, "16 letters in groups of four, without I and O");
    }
    if !urn.receipts.is_sorted() {
        found.wants("urn.receipts", "another order", "sorted");
    }
    if !is_hexadecimal(&urn.envelopes_hash, 64) {
        found.wants("urn.envelopesHash", &urn.envelopes_hash, "64 hexadecimal digits");
    }
    if !is_hexadecimal(&urn.public_key, 130) || !urn.public_key.starts_with("04") {
        found.wants("urn.publicKey", &urn.public_key, "130 hexadecimal digits that begin with 04");
    }
}

/// "ABCD-EFGH-JKLM-NPQR".
fn is_receipt(text: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_uppercase() && letter != b'I' && letter != b'O';
    let groups: Vec<&str> = text.split('-').collect();
    groups.len() == 4 && groups.iter().all(|group| group.len() == 4 && group.bytes().all(is_letter))
}

fn is_hexadecimal(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// The weights of ballots and of those who have voted, if each vote has its ballot in the file.
pub(crate) fn lists_every_vote(round: &RoundFile) -> bool {
    Recounted::of(round) == Recounted::Answers && !round.result.is_secret()
}
