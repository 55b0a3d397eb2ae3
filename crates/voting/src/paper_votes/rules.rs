use plenum_kernel::Secrecy;
use rust_decimal::Decimal;

use crate::{BatchState, MAX_ENTERED_BATCHES, MAX_ISSUED_BALLOTS, MAX_PAPER_BATCHES, PaperOutcome, RoundStatus};

/// The facts about a person of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperVoter {
    /// The name in the register. Empty for somebody who is not in it.
    pub name: String,
    /// The weight in the register. `None` for somebody who is not in it, or may not vote any more.
    pub weight: Option<Decimal>,
    /// The second weight in the register, if the round has one.
    pub second_weight: Option<Decimal>,
    /// The groups of the round's rule to which the person belongs, as places in their list, from 0.
    pub groups: Vec<u16>,
    /// Whether the person has voted in the round.
    pub has_voted: bool,
    /// Whether another batch that waits has a vote of the person.
    pub is_in_other_batch: bool,
}

impl PaperVoter {
    /// Whether the votes of both count the same, by weights and groups.
    fn counts_like(&self, other: &Self) -> bool {
        (self.weight, self.second_weight, &self.groups) == (other.weight, other.second_weight, &other.groups)
    }

    /// What a confirmation makes of the vote of this person.
    pub fn outcome(&self) -> PaperOutcome {
        match (self.weight, self.has_voted) {
            (_, true) => PaperOutcome::VotedBefore,
            (None, false) => PaperOutcome::NotInRegister,
            (Some(_), false) => PaperOutcome::Counted,
        }
    }
}

/// The facts on which the entry of a batch depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryContext {
    /// The status of the round.
    pub status: RoundStatus,
    /// The secrecy of the round.
    pub secrecy: Secrecy,
    /// The number of batches of the round that wait or are confirmed.
    pub batches: u64,
    /// The number of all its batches, discarded ones included.
    pub all_batches: u64,
    /// The people, in the order of the batch.
    pub voters: Vec<PaperVoter>,
}

/// The reason why a batch was not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryRule {
    /// The round is over.
    #[error("voting on this question is not open")]
    NotOpen,
    /// The round is secret.
    #[error("a secret vote takes no votes on paper; people without a device can vote at a voting place")]
    Secret,
    /// There are [`MAX_PAPER_BATCHES`].
    #[error("this vote has 500 batches, which is the limit")]
    TooManyBatches,
    /// There are [`MAX_ENTERED_BATCHES`], most of them discarded.
    #[error("2,000 batches were entered for this vote, discarded ones included, which is the limit")]
    TooManyDiscarded,
    /// Another batch has the id.
    #[error("another batch has this id")]
    IdTaken,
    /// The person at this place is not in the register, or may not vote any more.
    #[error("this person is not in the register of this vote")]
    NotInRegister(usize),
    /// The person at this place has voted.
    #[error("this person has already voted")]
    HasVoted(usize),
    /// The person at this place is in another batch that waits.
    #[error("this person is in another batch that waits for confirmation")]
    InOtherBatch(usize),
    /// The people of a batch that is not named have different weights, second weights or groups, so that its numbers would not say how much each answer
    /// got, or in which group of the rule.
    #[error("all people of a batch must have the same voting weight and groups: enter a batch for each kind")]
    DifferentWeights(usize),
}

/// Decides whether a batch is entered.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_entry(context: &EntryContext) -> Result<(), EntryRule> {
    if context.status != RoundStatus::Open {
        return Err(EntryRule::NotOpen);
    }
    if context.secrecy == Secrecy::Secret {
        return Err(EntryRule::Secret);
    }
    if context.batches >= MAX_PAPER_BATCHES {
        return Err(EntryRule::TooManyBatches);
    }
    if context.all_batches >= MAX_ENTERED_BATCHES {
        return Err(EntryRule::TooManyDiscarded);
    }
    for (place, voter) in context.voters.iter().enumerate() {
        if voter.has_voted {
            return Err(EntryRule::HasVoted(place));
        }
        if voter.weight.is_none() {
            return Err(EntryRule::NotInRegister(place));
        }
        if voter.is_in_other_batch {
            return Err(EntryRule::InOtherBatch(place));
        }
        if context.secrecy != Secrecy::Named && !voter.counts_like(&context.voters[0]) {
            return Err(EntryRule::DifferentWeights(place));
        }
    }
    Ok(())
}

/// The facts on which the confirmation of a batch depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationContext {
    /// The state of the batch.
    pub state: BatchState,
    /// Whether the teller who confirms it has entered it.
    pub is_own: bool,
    /// The status of the round.
    pub status: RoundStatus,
    /// The secrecy of the round.
    pub secrecy: Secrecy,
    /// The people of the batch.
    pub voters: Vec<PaperVoter>,
}

/// The reason why a batch was not confirmed or discarded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfirmationRule {
    /// It was confirmed or discarded before.
    #[error("this batch is no longer waiting: load it again")]
    Closed,
    /// Whoever entered it cannot confirm it.
    #[error(
        "somebody else has to confirm this batch, because you entered it: another teller, with a link of their own, or an organizer"
    )]
    OwnBatch,
    /// The round is over.
    #[error("voting on this question is not open, so this batch cannot be counted")]
    NotOpen,
    /// In a vote that is not named, the weights or groups of the people of the batch have become different.
    #[error(
        "none of these votes was counted, because the voting weights or groups of these people are no longer the same; \
         discard the batch and enter a batch for each kind"
    )]
    DifferentWeights,
    /// In a vote that is not named, these people of the batch cannot vote, and nobody knows which of the papers is theirs.
    #[error(
        "none of these votes was counted, because {} voted before or may not vote, and which papers are theirs cannot be \
         told; discard the batch and enter another one without them",
        in_words(.0)
    )]
    NotCountable(
        /// Their names. Empty for somebody who is not in the register.
        Vec<String>,
    ),
}

/// The number of people that a refusal names.
const NAMED_PEOPLE: usize = 5;

/// "Ada Bell has" or "Ada Bell, Ben Cole and 3 others have".
fn in_words(names: &[String]) -> String {
    let named: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !name.is_empty()).take(NAMED_PEOPLE).collect();
    let verb = if names.len() == 1 { "has" } else { "have" };
    let more = names.len() - named.len();
    let others = match (more, named.is_empty()) {
        (0, _) => None,
        (1, true) => Some("1 person".to_owned()),
        (1, false) => Some("1 other".to_owned()),
        (more, true) => Some(format!("{more} people")),
        (more, false) => Some(format!("{more} others")),
    };
    let mut parts: Vec<String> = named.into_iter().map(str::to_owned).chain(others).collect();
    let last = parts.pop().unwrap_or_default();
    let people = if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) };
    format!("{people} {verb}")
}

/// Decides what becomes of the votes of a batch that is confirmed, in the order of its people.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_confirmation(context: &ConfirmationContext) -> Result<Vec<PaperOutcome>, ConfirmationRule> {
    if context.state != BatchState::Waiting {
        return Err(ConfirmationRule::Closed);
    }
    if context.is_own {
        return Err(ConfirmationRule::OwnBatch);
    }
    if context.status != RoundStatus::Open {
        return Err(ConfirmationRule::NotOpen);
    }
    let outcomes: Vec<PaperOutcome> = context.voters.iter().map(PaperVoter::outcome).collect();
    let not_counted = context.voters.iter().zip(&outcomes).filter(|(_, outcome)| **outcome != PaperOutcome::Counted);
    let names: Vec<String> = not_counted.map(|(voter, _)| voter.name.clone()).collect();
    if context.secrecy != Secrecy::Named && !names.is_empty() {
        return Err(ConfirmationRule::NotCountable(names));
    }
    let [first, others @ ..] = &context.voters[..] else { return Ok(outcomes) };
    if context.secrecy != Secrecy::Named && !others.iter().all(|voter| voter.counts_like(first)) {
        return Err(ConfirmationRule::DifferentWeights);
    }
    Ok(outcomes)
}

/// The reason why a voting place gives somebody no ballot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssueRule {
    /// The round is over.
    #[error("voting on this question is not open")]
    NotOpen,
    /// The person is not in the register, or may not vote any more.
    #[error("this person is not in the register of this vote")]
    NotInRegister,
    /// The person has voted.
    #[error("this person has already voted")]
    HasVoted,
    /// Another ballot has the id.
    #[error("another ballot has this id")]
    IdTaken,
    /// The person got [`MAX_ISSUED_BALLOTS`] in this round.
    #[error("20 ballots were given to this person in this vote, which is the limit: enter the vote on paper instead")]
    TooManyBallots,
}

/// Decides whether a voting place gives a ballot to a person who got `issued` of them in the round before.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_issue(status: RoundStatus, voter: &PaperVoter, issued: u64) -> Result<(), IssueRule> {
    if status != RoundStatus::Open {
        return Err(IssueRule::NotOpen);
    }
    match voter.outcome() {
        PaperOutcome::VotedBefore => Err(IssueRule::HasVoted),
        PaperOutcome::NotInRegister => Err(IssueRule::NotInRegister),
        PaperOutcome::Waiting | PaperOutcome::Counted | PaperOutcome::Discarded if issued >= MAX_ISSUED_BALLOTS => {
            Err(IssueRule::TooManyBallots)
        }
        PaperOutcome::Waiting | PaperOutcome::Counted | PaperOutcome::Discarded => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn voter(weight: Option<Decimal>, has_voted: bool) -> PaperVoter {
        PaperVoter {
            name: String::new(),
            weight,
            second_weight: None,
            groups: Vec::new(),
            has_voted,
            is_in_other_batch: false,
        }
    }

    const CAN_VOTE: PaperVoter = voter(Some(Decimal::ONE), false);
    const HAS_VOTED: PaperVoter = voter(Some(Decimal::ONE), true);
    const LEFT: PaperVoter = voter(None, false);
    const OF_WEIGHT_TWO: PaperVoter = voter(Some(Decimal::TWO), false);

    fn entry(secrecy: Secrecy, voters: &[PaperVoter]) -> Result<(), EntryRule> {
        decide_entry(&EntryContext {
            status: RoundStatus::Open,
            secrecy,
            batches: 0,
            all_batches: 0,
            voters: voters.to_vec(),
        })
    }

    fn confirmation(secrecy: Secrecy, voters: &[PaperVoter]) -> ConfirmationContext {
        let (state, status) = (BatchState::Waiting, RoundStatus::Open);
        ConfirmationContext { state, is_own: false, status, secrecy, voters: voters.to_vec() }
    }

    #[test]
    fn a_batch_is_entered_for_people_of_the_register_without_a_vote() {
        assert_eq!(entry(Secrecy::Named, &[CAN_VOTE, OF_WEIGHT_TWO]), Ok(()));
        assert_eq!(entry(Secrecy::Named, &[CAN_VOTE, HAS_VOTED]), Err(EntryRule::HasVoted(1)));
        assert_eq!(entry(Secrecy::Named, &[LEFT]), Err(EntryRule::NotInRegister(0)));
        let other = PaperVoter { is_in_other_batch: true, ..CAN_VOTE };
        assert_eq!(entry(Secrecy::Unshown, &[CAN_VOTE, other]), Err(EntryRule::InOtherBatch(1)));
        assert_eq!(entry(Secrecy::Secret, &[CAN_VOTE]), Err(EntryRule::Secret));
    }

    #[test]
    fn numbers_are_entered_for_people_of_equal_weight() {
        assert_eq!(entry(Secrecy::Unshown, &[CAN_VOTE, OF_WEIGHT_TWO]), Err(EntryRule::DifferentWeights(1)));
        let same = PaperVoter { weight: Some("1.000".parse().unwrap()), ..CAN_VOTE };
        assert_eq!(entry(Secrecy::Unshown, &[CAN_VOTE, same]), Ok(()));
        let shareholder = PaperVoter { second_weight: Some(Decimal::TEN), ..CAN_VOTE };
        assert_eq!(entry(Secrecy::Unshown, &[CAN_VOTE, shareholder]), Err(EntryRule::DifferentWeights(1)));
        let delegate = PaperVoter { groups: vec![1], ..CAN_VOTE };
        assert_eq!(entry(Secrecy::Unshown, &[CAN_VOTE, delegate.clone()]), Err(EntryRule::DifferentWeights(1)));
        assert_eq!(entry(Secrecy::Named, &[CAN_VOTE, delegate]), Ok(()));
    }

    #[test]
    fn nothing_is_entered_in_a_closed_or_full_round() {
        let open = EntryContext {
            status: RoundStatus::Open,
            secrecy: Secrecy::Named,
            batches: MAX_PAPER_BATCHES,
            all_batches: MAX_PAPER_BATCHES,
            voters: vec![CAN_VOTE],
        };
        assert_eq!(decide_entry(&open), Err(EntryRule::TooManyBatches));
        // Discarded ones make room, up to a limit of their own.
        let discarded = EntryContext { batches: MAX_PAPER_BATCHES - 1, ..open.clone() };
        assert_eq!(decide_entry(&discarded), Ok(()));
        let full = EntryContext { batches: 0, all_batches: MAX_ENTERED_BATCHES, ..open.clone() };
        assert_eq!(decide_entry(&full), Err(EntryRule::TooManyDiscarded));
        for status in [RoundStatus::Ended, RoundStatus::Declared] {
            let closed = EntryContext { status, batches: 0, ..open.clone() };
            assert_eq!(decide_entry(&closed), Err(EntryRule::NotOpen));
        }
    }

    #[test]
    fn another_teller_confirms_a_batch_once_while_the_round_is_open() {
        let waiting = confirmation(Secrecy::Named, &[CAN_VOTE]);
        assert_eq!(decide_confirmation(&waiting), Ok(vec![PaperOutcome::Counted]));
        let own = ConfirmationContext { is_own: true, ..waiting.clone() };
        assert_eq!(decide_confirmation(&own), Err(ConfirmationRule::OwnBatch));
        for state in [BatchState::Confirmed, BatchState::Discarded] {
            let closed = ConfirmationContext { state, ..waiting.clone() };
            assert_eq!(decide_confirmation(&closed), Err(ConfirmationRule::Closed));
        }
        let ended = ConfirmationContext { status: RoundStatus::Ended, ..waiting };
        assert_eq!(decide_confirmation(&ended), Err(ConfirmationRule::NotOpen));
    }

    #[test]
    fn a_vote_that_was_cast_before_counts_and_the_paper_does_not() {
        let named = confirmation(Secrecy::Named, &[CAN_VOTE, HAS_VOTED, LEFT]);
        let outcomes = vec![PaperOutcome::Counted, PaperOutcome::VotedBefore, PaperOutcome::NotInRegister];
        assert_eq!(decide_confirmation(&named), Ok(outcomes));
        for one_too_many in [HAS_VOTED, LEFT] {
            let ada = PaperVoter { name: "Ada Bell".to_owned(), ..one_too_many };
            let unshown = confirmation(Secrecy::Unshown, &[CAN_VOTE, ada]);
            let refused = ConfirmationRule::NotCountable(vec!["Ada Bell".to_owned()]);
            assert_eq!(decide_confirmation(&unshown), Err(refused));
        }
    }

    #[test]
    fn numbers_are_confirmed_only_while_their_people_still_count_the_same() {
        let changed = [CAN_VOTE, OF_WEIGHT_TWO];
        let refused = decide_confirmation(&confirmation(Secrecy::Unshown, &changed));
        assert_eq!(refused, Err(ConfirmationRule::DifferentWeights));
        let named = decide_confirmation(&confirmation(Secrecy::Named, &changed));
        assert_eq!(named, Ok(vec![PaperOutcome::Counted; 2]));
    }

    #[test]
    fn a_set_that_cannot_be_counted_says_because_of_whom() {
        let words = |names: &[&str]| in_words(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(words(&["Ada"]), "Ada has");
        assert_eq!(words(&["Ada", "Ben"]), "Ada and Ben have");
        assert_eq!(words(&["Ada", "", "Ben"]), "Ada, Ben and 1 other have");
        assert_eq!(words(&["A", "B", "C", "D", "E", "F", "G"]), "A, B, C, D, E and 2 others have");
        assert_eq!((words(&[""]), words(&["", ""])), ("1 person has".to_owned(), "2 people have".to_owned()));
        let refusal = ConfirmationRule::NotCountable(vec!["Ada".to_owned()]).to_string();
        assert!(refusal.contains("because Ada has voted before or may not vote"), "{refusal}");
    }

    #[test]
    fn a_voting_place_gives_a_ballot_to_whoever_can_vote() {
        let open = |voter: &PaperVoter, issued: u64| decide_issue(RoundStatus::Open, voter, issued);
        assert_eq!(open(&CAN_VOTE, 0), Ok(()));
        assert_eq!(open(&HAS_VOTED, 0), Err(IssueRule::HasVoted));
        assert_eq!(open(&LEFT, 0), Err(IssueRule::NotInRegister));
        assert_eq!(decide_issue(RoundStatus::Ended, &CAN_VOTE, 0), Err(IssueRule::NotOpen));
        assert_eq!(open(&CAN_VOTE, MAX_ISSUED_BALLOTS - 1), Ok(()));
        assert_eq!(open(&CAN_VOTE, MAX_ISSUED_BALLOTS), Err(IssueRule::TooManyBallots));
        assert_eq!(open(&HAS_VOTED, MAX_ISSUED_BALLOTS), Err(IssueRule::HasVoted));
    }
}
