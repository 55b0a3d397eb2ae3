use plenum_result_format::{
    ArithmeticFormat, OptionResult, Outcome, PresenceRuleName, QuestionTypeName, RegisteredVoter, RoundFile,
    RoundResult, TextAnswer,
};

use crate::decision::DecisionInput;
use crate::elections::recount_round;
use crate::exact::{amount, percent, whole};
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
    let (register, attending) = electorate(round);
    let (present, represented) = attendance(round);
    let connected = sum(round.register.iter().filter(|voter| voter.was_connected).map(|voter| voter.weight));
    let not_voted = sum(round.register.iter().filter(|voter| !voter.has_voted).map(|voter| voter.weight));
    let input = DecisionInput { result, tally: &tally, register: register.clone(), present: attending.clone() };
    let rule = result.decision_rule.as_ref();
    let quorum = result.quorum.map(|quorum| input.quorum(quorum));
    let checks = rule.map(|rule| input.checks(rule)).unwrap_or_default();
    let election = match (election_rule(result), Recounted::of(round)) {
        (Some(rule), Recounted::Answers) => recount_round(round, rule, (&register, &attending)).map(Box::new),
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
        represented: (represented.heads > 0).then(|| represented.count()),
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

/// The register, and those of it who attended: present or represented.
pub(crate) fn electorate(round: &RoundFile) -> (Pair, Pair) {
    let register = sum(round.register.iter().map(|voter| voter.weight));
    let (present, represented) = attendance(round);
    let weight = present.weight + represented.weight;
    (register, Pair { heads: present.heads + represented.heads, weight })
}

/// Those of the register who were present, and those who were not, but represented by the holder of their proxy.
fn attendance(round: &RoundFile) -> (Pair, Pair) {
    let connected = sum(round.register.iter().filter(|voter| voter.was_connected).map(|voter| voter.weight));
    let represented = round.register.iter().filter(|voter| is_represented(voter)).map(|voter| voter.weight);
    (present(round, &connected), sum(represented))
}

/// Whether somebody was there for a voter who was not.
fn is_represented(voter: &RegisteredVoter) -> bool {
    let was_there = voter.was_connected || (voter.has_voted && !voter.voted_by_proxy);
    !was_there && (voter.was_represented || voter.voted_by_proxy)
}

/// The people of the register who were connected or have voted themselves, or the larger number by the older rule.
fn present(round: &RoundFile, connected: &Pair) -> Pair {
    match round.result.presence {
        PresenceRuleName::ConnectedOrVoted => {
            let is_there = |voter: &&RegisteredVoter| voter.was_connected || (voter.has_voted && !voter.voted_by_proxy);
            sum(round.register.iter().filter(is_there).map(|voter| voter.weight))
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
