use plenum_result_format::{
    ArithmeticFormat, OptionResult, Outcome, PresenceRuleName, QuestionTypeName, RoundFile, RoundResult, TextAnswer,
};

use crate::decision::DecisionInput;
use crate::elections::recount_round;
use crate::exact::{self, amount, percent, whole};
use crate::sentence::{DecisionSentence, election_sentence};
use crate::tally::{Pair, Tally, election_rule, sum};
use crate::urn::{Recounted, given_tally, invalid, marks};

/// The result that follows from a round's register, ballots and terms, and the text answers.
pub(crate) fn recount(round: &RoundFile) -> (RoundResult, Vec<TextAnswer>) {
    let result = &round.result;
    let tally = match Recounted::of(round) {
        Recounted::Answers => Tally::of(round),
        Recounted::SecretSums | Recounted::UnshownSums => given_tally(round),
    };
    let (register, present) = electorate(round);
    let connected = sum(round.register.iter().filter(|voter| voter.was_connected).map(|voter| voter.weight));
    let not_voted = sum(round.register.iter().filter(|voter| !voter.has_voted).map(|voter| voter.weight));
    let electorate = with_absent(&register, result);
    let input = DecisionInput { result, tally: &tally, register: electorate.clone(), present: present.clone() };
    let rule = result.decision_rule.as_ref();
    let quorum = result.quorum.map(|quorum| input.quorum(quorum));
    let checks = rule.map(|rule| input.checks(rule)).unwrap_or_default();
    let election = match (election_rule(result), Recounted::of(round)) {
        (Some(rule), Recounted::Answers) => recount_round(round, rule, (&electorate, &present)).map(Box::new),
        _ => result.election.clone(),
    };
    let decision = match &election {
        Some(election) => input.decide_election(election, quorum.as_ref()),
        None => input.decide(rule, &checks, quorum.as_ref()),
    };
    let parts =
        DecisionSentence { result, tally: &tally, decision: &decision, checks: &checks, quorum: quorum.as_ref() };
    let sentence = match &election {
        Some(election) if decision.outcome != Outcome::QuorumMissed => election_sentence(result, election),
        _ => parts.text(),
    };
    let is_number = matches!(result.question_type, QuestionTypeName::Rating | QuestionTypeName::Percentage);
    let is_text = result.question_type == QuestionTypeName::OpenText;
    let texts = if is_text { tally.text_answers() } else { Vec::new() };
    let recounted = RoundResult {
        register: register.count(),
        connected_at_opening: connected.count(),
        present: (!is_of_earlier_version(result)).then(|| present.count()),
        votes_cast: tally.cast.count(),
        not_voted: not_voted.count(),
        invalid: invalid(round, &tally.cast).count(),
        options: result.options.iter().map(|option| recounted_option(option, &tally)).collect(),
        numbers: is_number.then(|| tally.number_result(result.question_type, result.rating_max)),
        different_texts: is_text.then_some(texts.len() as u64),
        election,
        decision,
        arithmetic: ArithmeticFormat { checks, quorum, sentence },
        ..result.clone()
    };
    (recounted, texts)
}

/// The register, and those of it who were present.
pub(crate) fn electorate(round: &RoundFile) -> (Pair, Pair) {
    let register = sum(round.register.iter().map(|voter| voter.weight));
    let connected = sum(round.register.iter().filter(|voter| voter.was_connected).map(|voter| voter.weight));
    (register, present(round, &connected))
}

/// Everybody who could vote: with check-in, the register has those of them who were present.
pub(crate) fn with_absent(register: &Pair, result: &RoundResult) -> Pair {
    match result.absent {
        Some(absent) => register.plus(&Pair { heads: absent.heads, weight: exact::of(absent.weight) }),
        None => register.clone(),
    }
}

/// The people of the register who were connected or have voted, or the larger number by the older rule.
fn present(round: &RoundFile, connected: &Pair) -> Pair {
    match round.result.presence {
        PresenceRuleName::ConnectedOrVoted | PresenceRuleName::CheckedIn => {
            let were_there = round.register.iter().filter(|voter| voter.was_connected || voter.has_voted);
            sum(were_there.map(|voter| voter.weight))
        }
        PresenceRuleName::LargerNumber => {
            let voted = marks(round);
            Pair { heads: connected.heads.max(voted.heads), weight: connected.weight.clone().max(voted.weight) }
        }
    }
}

/// Files of earlier versions do not give the present voters.
fn is_of_earlier_version(result: &RoundResult) -> bool {
    result.presence == PresenceRuleName::LargerNumber && result.present.is_none()
}

fn recounted_option(option: &OptionResult, tally: &Tally) -> OptionResult {
    let votes = tally.option(option.id);
    OptionResult {
        heads: votes.heads,
        weight: amount(&votes.weight),
        heads_percent: percent(&whole(votes.heads), &whole(tally.cast.heads)),
        weight_percent: percent(&votes.weight, &tally.cast.weight),
        ..option.clone()
    }
}
