use plenum_result_format::{
    ArithmeticFormat, CastOnName, CheckFormat, DecisionRuleFormat, ElectionResult, OnTieName, OptionResult, Outcome,
    PresenceRuleName, QuestionTypeName, RegisteredVoter, RoundFile, RoundResult, TextAnswer, WaysFormat,
};

use crate::decision::{DecisionInput, is_accepted};
use crate::election_sentence::election_sentence;
use crate::elections::recount_round;
use crate::exact::{self, amount, percent, whole};
use crate::groups::GroupCount;
use crate::second_weight::SecondCount;
use crate::sentence::{DecisionSentence, Words};
use crate::tally::{Pair, Tally, election_rule, sum};
use crate::urn::{Recounted, given_tally, invalid};

/// The result that follows from a round's register, ballots and terms, and the text answers.
pub(crate) fn recount(round: &RoundFile) -> (RoundResult, Vec<TextAnswer>) {
    let result = &round.result;
    let tally = recounted_tally(round);
    let register = sum(round.register.iter().map(|voter| voter.weight));
    let (present, represented) = attendance(round, |_| true);
    let attending = present.plus(&represented);
    let connected = sum(round.register.iter().filter(|voter| voter.was_connected).map(|voter| voter.weight));
    let not_voted = sum(round.register.iter().filter(|voter| !voter.has_voted).map(|voter| voter.weight));
    let everybody = with_absent(&register, result);
    let second = SecondCount::of(round);
    let second_input = second.as_ref().map(SecondCount::input);
    let input = DecisionInput {
        result,
        tally: &tally,
        register: everybody.clone(),
        present: attending.clone(),
        group: None,
        second: second_input.as_ref(),
    };
    let groups = GroupCount::of_all(round);
    let second_groups = second.as_ref().map(SecondCount::groups).unwrap_or_default();
    let second_inputs: Vec<DecisionInput<'_>> =
        second.iter().flat_map(|second| second_groups.iter().map(|group| group.input(second.result(), None))).collect();
    let rule = result.decision_rule.as_ref();
    let quorum = result.quorum.map(|quorum| input.quorum(quorum));
    let checks_with = |casts: Option<bool>| -> Vec<CheckFormat> {
        let inputs = std::iter::once(&input).map(|input| input.checks(rule, casts));
        let of_groups = groups.iter().enumerate().map(|(place, group)| group.input(result, second_inputs.get(place)));
        inputs.chain(of_groups.map(|input| input.checks(rule, casts))).flatten().collect()
    };
    let cast = result.casting_vote.as_ref().map(|cast| cast.in_favor);
    let checks = checks_with(cast);
    let would_cast = cast.is_none() && waits_for_chair(rule) && is_accepted(&checks_with(Some(true)));
    let election = match (election_rule(result), Recounted::of(round)) {
        (Some(rule), Recounted::Answers) => recount_round(round, rule, (&everybody, &attending)).map(Box::new),
        _ => result.election.clone(),
    };
    let decision = match &election {
        Some(election) => input.decide_election(election, quorum.as_ref()),
        None => input.decide(rule, (&checks, would_cast), quorum.as_ref()),
    };
    let parts = DecisionSentence {
        result,
        tally: &tally,
        decision: &decision,
        checks: &checks,
        quorum: quorum.as_ref(),
        words: Words::Present,
    };
    let sentence = sentence_of(&parts, election.as_deref());
    let is_number = matches!(result.question_type, QuestionTypeName::Rating | QuestionTypeName::Percentage);
    let is_text = result.question_type == QuestionTypeName::OpenText;
    let texts = if is_text { tally.text_answers() } else { Vec::new() };
    let recounted = RoundResult {
        register: register.count(),
        connected_at_opening: connected.count(),
        present: (!is_of_earlier_version(result)).then(|| present.count()),
        represented: (represented.heads > 0).then(|| represented.count()),
        ways: ways(round),
        votes_cast: tally.cast.count(),
        not_voted: not_voted.count(),
        invalid: invalid(round, &tally.cast).count(),
        options: result.options.iter().map(|option| recounted_option(option, &tally)).collect(),
        numbers: is_number.then(|| tally.number_result(result.question_type, result.rating_max)),
        different_texts: is_text.then_some(texts.len() as u64),
        in_each: groups.iter().map(|group| group.result(result)).collect(),
        second_weight: second.as_ref().map(|second| second.as_in_file(&second_groups)),
        election,
        decision,
        arithmetic: ArithmeticFormat { checks, quorum, sentence },
        ..result.clone()
    };
    (recounted, texts)
}

/// The decision and its reason, in the words of the file.
fn sentence_of(parts: &DecisionSentence<'_>, election: Option<&ElectionResult>) -> String {
    let result = parts.result;
    Words::of_file(&result.arithmetic.sentence, |words| match election {
        Some(election) if parts.decision.outcome != Outcome::QuorumMissed => election_sentence(result, election, words),
        _ => DecisionSentence { words, ..*parts }.text(),
    })
}

/// The votes, counted from the ballots, or as the file gives their sums.
pub(crate) fn recounted_tally(round: &RoundFile) -> Tally {
    match Recounted::of(round) {
        Recounted::Answers => Tally::of(round, |_| true),
        Recounted::SecretSums | Recounted::UnshownSums | Recounted::Nothing => given_tally(round),
    }
}

/// How many ballots came which way, also invalid ones. `None` if all came from devices.
fn ways(round: &RoundFile) -> Option<WaysFormat> {
    let those = |cast_on: Option<CastOnName>| {
        let voters = round.register.iter().filter(|voter| voter.has_voted && voter.cast_on == cast_on);
        sum(voters.map(|voter| voter.weight)).count()
    };
    let (paper, voting_place) = (those(Some(CastOnName::Paper)), those(Some(CastOnName::VotingPlace)));
    let has_others = paper.heads > 0 || voting_place.heads > 0;
    has_others.then(|| WaysFormat { device: those(None), paper, voting_place })
}

/// Whether the chair's casting vote decides a tie.
fn waits_for_chair(rule: Option<&DecisionRuleFormat>) -> bool {
    matches!(rule, Some(DecisionRuleFormat::Majority { on_tie: OnTieName::CastingVote, .. }))
}

/// Everybody who could vote: with check-in, the register has those of them who were present.
pub(crate) fn with_absent(register: &Pair, result: &RoundResult) -> Pair {
    match result.absent {
        Some(absent) => register.plus(&Pair { heads: absent.heads, weight: exact::of(absent.weight) }),
        None => register.clone(),
    }
}

/// The register, and those of it who attended, present or represented: of all voters, or of some.
pub(crate) fn electorate(round: &RoundFile, belongs: impl Fn(&RegisteredVoter) -> bool) -> (Pair, Pair) {
    let register = sum(round.register.iter().filter(|voter| belongs(voter)).map(|voter| voter.weight));
    let (present, represented) = attendance(round, belongs);
    (register, present.plus(&represented))
}

/// Those of the register who were present, and those who were not, but represented by the holder of their proxy.
fn attendance(round: &RoundFile, belongs: impl Fn(&RegisteredVoter) -> bool) -> (Pair, Pair) {
    let those = |are: fn(&RegisteredVoter) -> bool| {
        sum(round.register.iter().filter(|voter| belongs(voter) && are(voter)).map(|voter| voter.weight))
    };
    // The people who were connected or have voted themselves, or the larger number by the older rule.
    let present = match round.result.presence {
        PresenceRuleName::ConnectedOrVoted | PresenceRuleName::CheckedIn => those(was_there),
        PresenceRuleName::LargerNumber => {
            let (connected, voted) = (those(|voter| voter.was_connected), those(|voter| voter.has_voted));
            Pair { heads: connected.heads.max(voted.heads), weight: connected.weight.max(voted.weight) }
        }
    };
    (present, those(was_represented))
}

/// Whether a voter was connected, or has voted themselves.
fn was_there(voter: &RegisteredVoter) -> bool {
    voter.was_connected || (voter.has_voted && !voter.voted_by_proxy)
}

/// Whether somebody was there for a voter who was not.
fn was_represented(voter: &RegisteredVoter) -> bool {
    !was_there(voter) && (voter.was_represented || voter.voted_by_proxy)
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
