//! From the declared results of a meeting's elections and the answers of the elected to who has the seats.

use std::collections::{HashMap, HashSet};

use plenum_kernel::listed;
use plenum_result_format::{
    CandidateFormat, DecisionRuleFormat, DrawnLotFormat, ElectionOutcome, ElectionResult, ElectionRuleFormat,
    NotedSeatAnswerFormat, PossibleBallotFormat, ResultStatus, RoundResult, SeatAnswerName, SeatHolderFormat,
    TieMatterName,
};
use plenum_voting::{DrawnLot, NotedSeatAnswer, SeatAnswer};
use uuid::Uuid;

/// The elections among these results, in the order of the agenda. A ballot that continues another one belongs to its election.
/// Only the last declared round of a question counts, so a ballot that continues an earlier one gives nobody a seat. Without a
/// quorum nobody is elected.
pub fn election_outcomes(results: &[&RoundResult], noted: &[NotedSeatAnswer]) -> Vec<ElectionOutcome> {
    let ballots = last_ballots(results);
    let declared = results.iter().filter(|result| result.status == ResultStatus::Declared);
    let declared: HashSet<Uuid> = declared.map(|result| result.round_id).collect();
    // A declared ballot before it either has it in its chain, or a re-vote has replaced that ballot and so this one, too.
    let is_first = |ballot: &&Ballot<'_>| ballot.follows().is_none_or(|round| !declared.contains(&round));
    ballots.iter().filter(is_first).map(|first| outcome(&chain(first, &ballots), noted)).collect()
}

/// A declared round of an election, with its terms.
#[derive(Clone, Copy)]
struct Ballot<'a> {
    result: &'a RoundResult,
    election: &'a ElectionResult,
    rule: &'a ElectionRuleFormat,
}

impl<'a> Ballot<'a> {
    fn of(result: &'a RoundResult) -> Option<Self> {
        let election = result.election.as_deref().filter(|_| result.status == ResultStatus::Declared)?;
        match &result.decision_rule {
            Some(DecisionRuleFormat::Election { election: rule }) => Some(Self { result, election, rule }),
            _ => None,
        }
    }

    fn follows(&self) -> Option<Uuid> {
        self.rule.follows.map(|follows| follows.round)
    }

    fn candidate(&self, number: u32) -> Option<&'a CandidateFormat> {
        self.election.candidates.iter().find(|candidate| candidate.number == number)
    }

    fn name(&self, number: u32) -> &'a str {
        self.candidate(number).map_or("", |candidate| candidate.name.as_str())
    }

    fn name_drawn(&self, lot: &DrawnLot, number: u32) -> &'a str {
        if !lot.is_of_lists {
            return self.name(number);
        }
        let place = (number as usize).checked_sub(1);
        let list = place.and_then(|place| self.rule.lists.as_ref()?.get(place));
        list.map_or("", |list| list.name.as_str())
    }

    fn names(&self, numbers: &[u32]) -> String {
        let names: Vec<&str> = numbers.iter().map(|number| self.name(*number)).collect();
        listed(&names)
    }
}

/// The last declared round of each question, if it is an election, in the order of the results.
fn last_ballots<'a>(results: &[&'a RoundResult]) -> Vec<Ballot<'a>> {
    let declared = results.iter().filter(|result| result.status == ResultStatus::Declared);
    let mut last: HashMap<Uuid, u32> = HashMap::new();
    for result in declared.clone() {
        let number = last.entry(result.question_id).or_default();
        *number = result.number.max(*number);
    }
    let is_last = |result: &&&RoundResult| last.get(&result.question_id) == Some(&result.number);
    declared.filter(is_last).filter_map(|result| Ballot::of(result)).collect()
}

/// The first ballot with those that follow one another.
fn chain<'a>(first: &Ballot<'a>, ballots: &[Ballot<'a>]) -> Vec<Ballot<'a>> {
    let mut chain = vec![*first];
    while let Some(next) =
        chain.last().and_then(|last| following(last, ballots)).filter(|_| chain.len() <= ballots.len())
    {
        chain.push(next);
    }
    chain
}

fn following<'a>(ballot: &Ballot<'a>, ballots: &[Ballot<'a>]) -> Option<Ballot<'a>> {
    ballots.iter().find(|other| other.follows() == Some(ballot.result.round_id)).copied()
}

fn outcome(chain: &[Ballot<'_>], noted: &[NotedSeatAnswer]) -> ElectionOutcome {
    let (first, last) = (&chain[0], &chain[chain.len() - 1]);
    let seats: Vec<Seats<'_>> = chain.iter().map(|ballot| Seats::of(*ballot, noted)).collect();
    let holders: Vec<SeatHolderFormat> = seats.iter().flat_map(Seats::holders).collect();
    let filled = u32::try_from(holders.len()).unwrap_or(u32::MAX);
    let vacant = first.rule.seats.map_or(0, |seats| seats.saturating_sub(filled));
    let mut answers: Vec<NotedSeatAnswerFormat> = seats.iter().flat_map(Seats::answers).collect();
    answers.sort_by_key(|answer| answer.at);
    ElectionOutcome {
        question_text: first.result.question_text.clone(),
        rounds: chain.iter().map(|ballot| ballot.result.round_id).collect(),
        seats: first.rule.seats,
        declined: seats.iter().flat_map(Seats::declined).collect(),
        vacant,
        next: seats.last().and_then(|seats| seats.next(last.result.round_id, vacant)),
        holders,
        answers,
    }
}

/// The seats of one ballot.
struct Seats<'a> {
    ballot: Ballot<'a>,
    noted: Vec<&'a NotedSeatAnswer>,
}

impl<'a> Seats<'a> {
    fn of(ballot: Ballot<'a>, noted: &'a [NotedSeatAnswer]) -> Self {
        // Earlier versions took answers where the quorum was missed.
        let is_meant = |noted: &&NotedSeatAnswer| {
            noted.round.as_uuid() == ballot.result.round_id && !ballot.result.is_quorum_missed()
        };
        Self { ballot, noted: noted.iter().filter(is_meant).collect() }
    }

    fn elected(&self) -> Vec<u32> {
        if self.ballot.result.is_quorum_missed() {
            return Vec::new();
        }
        self.ballot.election.elected.iter().map(|elected| elected.candidate).collect()
    }

    fn seated(&self) -> Vec<u32> {
        self.noted.last().map_or_else(|| self.elected(), |last| last.succession.seated.clone())
    }

    /// The last answer of a candidate, unless it was taken back.
    fn answer(&self, number: u32) -> Option<SeatAnswerName> {
        let last = self.noted.iter().rev().find(|noted| noted.candidate == number)?;
        Some(name_of(last.answer)).filter(|answer| *answer != SeatAnswerName::TakenBack)
    }

    fn declined_numbers(&self) -> Vec<u32> {
        let numbers = self.ballot.election.candidates.iter().map(|candidate| candidate.number);
        numbers.filter(|number| self.answer(*number) == Some(SeatAnswerName::Declined)).collect()
    }

    fn holder(&self, number: u32) -> SeatHolderFormat {
        SeatHolderFormat {
            round_id: self.ballot.result.round_id,
            candidate: number,
            name: self.ballot.name(number).to_owned(),
            line: self.ballot.candidate(number).and_then(|candidate| candidate.line.clone()),
            has_moved_up: !self.elected().contains(&number),
            answer: self.answer(number),
        }
    }

    fn holders(&self) -> Vec<SeatHolderFormat> {
        self.seated().into_iter().map(|number| self.holder(number)).collect()
    }

    fn declined(&self) -> Vec<SeatHolderFormat> {
        self.declined_numbers().into_iter().map(|number| self.holder(number)).collect()
    }

    fn answers(&self) -> Vec<NotedSeatAnswerFormat> {
        let mut before = self.elected();
        let mut answers = Vec::new();
        for noted in &self.noted {
            let seated = &noted.succession.seated;
            let lot = |lot: &DrawnLot| DrawnLotFormat {
                stage: lot.stage,
                order: lot.order.clone(),
                is_of_lists: lot.is_of_lists,
            };
            answers.push(NotedSeatAnswerFormat {
                round_id: self.ballot.result.round_id,
                at: noted.at,
                by: noted.by.clone(),
                candidate: noted.candidate,
                answer: name_of(noted.answer),
                is_continued: noted.is_continued,
                seated: seated.clone(),
                drawn: noted.succession.drawn.iter().map(lot).collect(),
                tied: noted.succession.tied.clone(),
                words: self.words(noted, &before),
            });
            before.clone_from(seated);
        }
        answers
    }

    /// The answer and its effect. `before` are the seats before it.
    fn words(&self, noted: &NotedSeatAnswer, before: &[u32]) -> String {
        let seated = &noted.succession.seated;
        let name = self.ballot.name(noted.candidate);
        let mut words = match noted.answer {
            SeatAnswer::Accepted => format!("{name} accepts the election."),
            SeatAnswer::Declined => format!("{name} declines the election."),
            SeatAnswer::TakenBack => format!("The answer of {name} is taken back."),
        };
        let moved = |from: &[u32], to: &[u32]| -> Vec<u32> {
            let is_new = |number: &u32| !from.contains(number) && *number != noted.candidate;
            to.iter().copied().filter(is_new).collect()
        };
        let (new, gone) = (moved(before, seated), moved(seated, before));
        if !new.is_empty() {
            let moves = if new.len() == 1 { "moves" } else { "move" };
            words += &format!(" {} {moves} up.", self.ballot.names(&new));
        } else if seated.len() < before.len() {
            words += " The seat stays vacant.";
        }
        if !gone.is_empty() {
            let has = if gone.len() == 1 { "has" } else { "have" };
            words += &format!(" {} no longer {has} a seat.", self.ballot.names(&gone));
        }
        for lot in &noted.succession.drawn {
            let order: Vec<&str> = lot.order.iter().map(|number| self.ballot.name_drawn(lot, *number)).collect();
            words += &format!(" Lot at stage {}, drawn in this order: {}.", lot.stage, order.join(", "));
        }
        if !noted.succession.tied.is_empty() {
            let tied = self.ballot.names(&noted.succession.tied);
            words += &format!(" {tied} are equal for it, so another ballot decides.");
        }
        words
    }

    /// The ballot that can follow with this many seats. After a missed quorum none can: the ballot itself is held again.
    fn next(&self, round_id: Uuid, vacant: u32) -> Option<PossibleBallotFormat> {
        if self.ballot.result.is_quorum_missed() {
            return None;
        }
        let (seated, declined) = (self.seated(), self.declined_numbers());
        let nobody = self.ballot.rule.none_of_the_above.then_some(self.ballot.election.candidates.len());
        let is_person = |candidate: &&CandidateFormat| nobody.is_none_or(|number| candidate.number as usize != number);
        let lists = self.ballot.rule.lists.as_ref();
        let is_listed = |candidate: &&CandidateFormat| {
            lists.is_none_or(|lists| lists.iter().any(|list| list.candidates.contains(&candidate.number)))
        };
        let standing = self.ballot.election.candidates.iter().filter(is_person).filter(is_listed);
        let standing = standing.filter(|candidate| !candidate.is_withdrawn).map(|candidate| candidate.number);
        let left: Vec<u32> = standing.filter(|number| !seated.contains(number) && !declined.contains(number)).collect();
        let tied = self.tied(vacant);
        let tied: Vec<u32> = left.iter().copied().filter(|number| tied.contains(number)).collect();
        let candidates = if tied.is_empty() { left } else { tied };
        let seats = vacant.min(u32::try_from(candidates.len()).unwrap_or(u32::MAX));
        (seats > 0).then_some(PossibleBallotFormat { round_id, candidates, seats })
    }

    /// The candidates who are tied for all seats that are left.
    fn tied(&self, vacant: u32) -> Vec<u32> {
        if let Some(last) = self.noted.last().filter(|last| !last.succession.tied.is_empty()) {
            return last.succession.tied.clone();
        }
        match &self.ballot.election.tie {
            Some(tie) if tie.wanted == vacant && tie.matter == TieMatterName::Seats => tie.numbers.clone(),
            Some(tie) if tie.wanted == vacant && tie.matter == TieMatterName::ListSeats => {
                let lists = self.ballot.rule.lists.iter().flatten().zip(1..);
                let tied = lists.filter(|(_, number)| tie.numbers.contains(number));
                tied.flat_map(|(list, _)| list.candidates.clone()).collect()
            }
            _ => Vec::new(),
        }
    }
}

const fn name_of(answer: SeatAnswer) -> SeatAnswerName {
    match answer {
        SeatAnswer::Accepted => SeatAnswerName::Accepted,
        SeatAnswer::Declined => SeatAnswerName::Declined,
        SeatAnswer::TakenBack => SeatAnswerName::TakenBack,
    }
}
