//! Who has the seats of the elections in a file: from the recounts, the answers of the elected, and the ballots that continue
//! others.

use std::collections::BTreeSet;

use plenum_result_format::{
    CandidateFormat, DecisionRuleFormat, DrawnLotFormat, ElectionOutcome, ElectionResult, ElectionRuleFormat,
    NotedSeatAnswerFormat, PossibleBallotFormat, RefusedSeatName, ResultStatus, ResultsFile, RoundFile, SeatAnswerName,
    SeatHolderFormat, TieMatterName,
};
use uuid::Uuid;

use crate::elections::{ElectionTie, TieFor, lot, recount_for_next};
use crate::limits::MAX_SEAT_ANSWERS;
use crate::recount::{electorate, with_absent};
use crate::report::{Differences, json};
use crate::urn::Recounted;

/// Compares the elections of a file with those that follow from its rounds. Files of earlier versions have none.
pub(crate) fn check_elections(found: &mut Differences, file: &ResultsFile) {
    if file.elections.is_empty() {
        return;
    }
    let ballots = Ballots::of(file);
    let firsts = ballots.all.iter().filter(|ballot| !ballot.continues_one_of(file));
    let expected: Vec<ElectionOutcome> = firsts.map(|first| ballots.outcome(first)).collect();
    found.compare("elections", &json(&file.elections), &json(&expected));
}

/// A refusal that is not taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    candidate: u32,
    /// Whether nobody moved up, because a next ballot was on the agenda.
    is_continued: bool,
}

/// Those who have a seat, and those who are equal for a free one.
type Seats = (Vec<u32>, Vec<u32>);

/// Whom a count elects without those who declined, and the tie that it leaves open.
struct NextOnes {
    elected: Vec<u32>,
    tie: Option<ElectionTie>,
}

struct BallotRound<'a> {
    file: &'a RoundFile,
    rule: &'a ElectionRuleFormat,
    election: &'a ElectionResult,
    /// The answers with the seats that follow from them. Sentences, times and names are those of the file.
    answers: Vec<NotedSeatAnswerFormat>,
}

struct Ballots<'a> {
    all: Vec<BallotRound<'a>>,
}

impl<'a> Ballots<'a> {
    /// The last declared round of each election, in the order of the file.
    fn of(file: &'a ResultsFile) -> Self {
        let declared = file.rounds.iter().filter(|round| round.result.status == ResultStatus::Declared);
        let is_last = |round: &&RoundFile| {
            let (question, number) = (round.result.question_id, round.result.number);
            !declared.clone().any(|other| other.result.question_id == question && other.result.number > number)
        };
        let noted: Vec<&NotedSeatAnswerFormat> = file.elections.iter().flat_map(|outcome| &outcome.answers).collect();
        let all = declared.clone().filter(is_last).filter_map(|round| BallotRound::of(round, &noted)).collect();
        Self { all }
    }

    fn outcome(&self, first: &BallotRound<'a>) -> ElectionOutcome {
        let mut chain = vec![first];
        while let Some(next) = self.all.iter().find(|other| other.follows(chain[chain.len() - 1].id()))
            && chain.len() < self.all.len()
        {
            chain.push(next);
        }
        let last = chain[chain.len() - 1];
        let holders: Vec<SeatHolderFormat> =
            chain.iter().flat_map(|ballot| ballot.seated().into_iter().map(|number| ballot.person(number))).collect();
        let declined =
            chain.iter().flat_map(|ballot| ballot.declined().into_iter().map(|number| ballot.person(number)));
        let vacant = first.rule.seats.map_or(0, |seats| seats.saturating_sub(holders.len() as u32));
        let mut answers: Vec<NotedSeatAnswerFormat> =
            chain.iter().flat_map(|ballot| ballot.answers.iter().cloned()).collect();
        answers.sort_by_key(|answer| answer.at);
        ElectionOutcome {
            question_text: first.file.result.question_text.clone(),
            rounds: chain.iter().map(|ballot| ballot.id()).collect(),
            seats: first.rule.seats,
            declined: declined.collect(),
            next: last.next(vacant),
            vacant,
            holders,
            answers,
        }
    }
}

impl<'a> BallotRound<'a> {
    fn of(file: &'a RoundFile, noted: &[&NotedSeatAnswerFormat]) -> Option<Self> {
        let Some(DecisionRuleFormat::Election { election: rule }) = &file.result.decision_rule else { return None };
        let mut ballot = Self { file, rule, election: file.result.election.as_deref()?, answers: Vec::new() };
        let seed = file.result.round_id.to_string();
        // What is impossible is left out, and so it is a difference: an answer without a seat, and more answers than can be noted.
        for answer in noted.iter().filter(|answer| answer.round_id == file.result.round_id).take(MAX_SEAT_ANSWERS) {
            let mut refusals = ballot.refusals();
            let has_declined = refusals.iter().any(|refusal| refusal.candidate == answer.candidate);
            if !ballot.seated().contains(&answer.candidate) && !has_declined {
                continue;
            }
            let (seated, tied) = if apply(answer, &mut refusals) {
                ballot.seats_after(&refusals, answer)
            } else {
                let last = ballot.answers.last().map(|last| last.tied.clone());
                (ballot.seated(), last.unwrap_or_default())
            };
            let drawn = answer.drawn.iter().map(|drawn| redrawn(&seed, drawn)).collect();
            ballot.answers.push(NotedSeatAnswerFormat { seated, tied, drawn, ..(*answer).clone() });
        }
        Some(ballot)
    }

    fn id(&self) -> Uuid {
        self.file.result.round_id
    }

    fn follows(&self, round: Uuid) -> bool {
        self.rule.follows.is_some_and(|follows| follows.round == round)
    }

    /// Whether it continues a declared round of the file. Either it is a part of the election of that round, or a re-vote has
    /// replaced that round, and then a ballot that continues it gives nobody a seat.
    fn continues_one_of(&self, file: &ResultsFile) -> bool {
        let mut rounds = file.rounds.iter().map(|round| &round.result);
        rounds.any(|result| result.status == ResultStatus::Declared && self.follows(result.round_id))
    }

    fn elected(&self) -> Vec<u32> {
        if self.file.result.is_quorum_missed() {
            return Vec::new();
        }
        self.election.elected.iter().map(|elected| elected.candidate).collect()
    }

    fn seated(&self) -> Vec<u32> {
        self.answers.last().map_or_else(|| self.elected(), |answer| answer.seated.clone())
    }

    /// The refusals that count, in the order of the file.
    fn refusals(&self) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        for answer in &self.answers {
            apply(answer, &mut refusals);
        }
        refusals
    }

    /// Those whose last answer is that they decline.
    fn declined(&self) -> BTreeSet<u32> {
        candidates_of(&self.refusals())
    }

    /// The seats after an answer that changes the refusals, and those who are equal for one. Sums alone do not tell who moves up.
    fn seats_after(&self, refusals: &[Refusal], given: &NotedSeatAnswerFormat) -> Seats {
        let declined = candidates_of(refusals);
        let stay = |numbers: Vec<u32>| -> Vec<u32> {
            numbers.into_iter().filter(|number| !declined.contains(number)).collect()
        };
        if given.is_continued {
            return (stay(self.seated()), Vec::new());
        }
        let elected = self.elected();
        let stayed = stay(elected.clone());
        if stayed.len() == elected.len() || self.rule.declined == RefusedSeatName::StaysVacant {
            return (stayed, Vec::new());
        }
        if Recounted::of(self.file) != Recounted::Answers {
            return self.seats_of_sums(&stayed, &declined, given);
        }
        let next = self.next_without(&declined);
        let seats = match given.answer {
            SeatAnswerName::Declined => self.filled(stay(self.seated()), &declined, next.as_ref()),
            SeatAnswerName::Accepted | SeatAnswerName::TakenBack => self.seats_in_turn(refusals, next.as_ref()),
        };
        let is_given = |(seated, tied): &Seats| *seated == given.seated && *tied == given.tied;
        // Earlier versions filled all seats of those who declined from the last count alone, also those of people who had moved up.
        let earlier = || Some(self.filled(stayed, &declined, next.as_ref())).filter(is_given);
        if is_given(&seats) { seats } else { earlier().unwrap_or(seats) }
    }

    /// The seats that follow from these refusals, each in its turn. `next` is the count without all of those who declined.
    fn seats_in_turn(&self, refusals: &[Refusal], next: Option<&NextOnes>) -> Seats {
        let (mut seated, mut tied) = (self.elected(), Vec::new());
        let mut gone = BTreeSet::new();
        let mut left = refusals.len();
        for Refusal { candidate, is_continued } in refusals {
            left -= 1;
            gone.insert(*candidate);
            seated.retain(|number| number != candidate);
            tied.clear();
            // A seat that was left to a next ballot is filled at the end, because there is no such ballot any more.
            if left > 0 && (*is_continued || seated.len() == self.elected().len()) {
                continue;
            }
            (seated, tied) = if left == 0 {
                self.filled(seated, &gone, next)
            } else {
                self.filled(seated, &gone, self.next_without(&gone).as_ref())
            };
        }
        (seated, tied)
    }

    /// The count that looks for the next ones. `None` where nobody is left.
    fn next_without(&self, gone: &BTreeSet<u32>) -> Option<NextOnes> {
        if !self.is_anybody_left(gone) {
            return None;
        }
        let (register, present) = electorate(self.file, |_| true);
        let electorate = with_absent(&register, &self.file.result);
        let again = recount_for_next(self.file, self.rule, (&electorate, &present), gone)?;
        Some(NextOnes { elected: again.elected.into_iter().map(|(number, _)| number).collect(), tie: again.tie })
    }

    /// The seats after the free ones have gone to those whom a count elects next, and those who are equal for one.
    fn filled(&self, mut seated: Vec<u32>, gone: &BTreeSet<u32>, next: Option<&NextOnes>) -> Seats {
        let seats = self.elected().len();
        let Some(next) = next else { return (seated, Vec::new()) };
        for number in &next.elected {
            if seated.len() < seats && !gone.contains(number) && !seated.contains(number) {
                seated.push(*number);
            }
        }
        let tie = next.tie.as_ref().filter(|_| seated.len() < seats);
        let tied = tie.map(|tie| self.tied_candidates(tie)).unwrap_or_default();
        let is_kept = tied.iter().any(|number| seated.contains(number));
        (seated, if is_kept { Vec::new() } else { tied })
    }

    /// The seats of the file, if they are possible: sums do not tell who moves up.
    fn seats_of_sums(&self, stayed: &[u32], declined: &BTreeSet<u32>, given: &NotedSeatAnswerFormat) -> Seats {
        let seated: BTreeSet<u32> = given.seated.iter().copied().collect();
        let is_possible = seated.len() == given.seated.len()
            && seated.len() <= self.elected().len()
            && stayed.iter().all(|number| seated.contains(number))
            && seated.iter().all(|number| !declined.contains(number) && self.is_person(*number));
        if is_possible { (given.seated.clone(), given.tied.clone()) } else { (stayed.to_vec(), Vec::new()) }
    }

    fn is_person(&self, number: u32) -> bool {
        let is_named = (1..=self.file.result.options.len() as u32).contains(&number);
        is_named && self.candidate(number).is_some_and(|candidate| !candidate.is_withdrawn)
    }

    /// Whether somebody, or "none of the above", is left to be elected.
    fn is_anybody_left(&self, declined: &BTreeSet<u32>) -> bool {
        let mut all = self.election.candidates.iter();
        all.any(|candidate| !candidate.is_withdrawn && !declined.contains(&candidate.number))
    }

    /// The tied candidates, or those of the tied lists.
    fn tied_candidates(&self, tie: &ElectionTie) -> Vec<u32> {
        if tie.matter == TieFor::ListSeats { self.of_lists(&tie.numbers) } else { tie.numbers.clone() }
    }

    /// The candidates of these lists.
    fn of_lists(&self, numbers: &[u32]) -> Vec<u32> {
        let list = |number: &u32| self.rule.lists.as_ref()?.get((*number as usize).checked_sub(1)?);
        numbers.iter().filter_map(list).flat_map(|list| list.candidates.clone()).collect()
    }

    fn candidate(&self, number: u32) -> Option<&CandidateFormat> {
        self.election.candidates.iter().find(|candidate| candidate.number == number)
    }

    fn person(&self, number: u32) -> SeatHolderFormat {
        let last = self.answers.iter().rfind(|answer| answer.candidate == number).map(|answer| answer.answer);
        SeatHolderFormat {
            round_id: self.id(),
            candidate: number,
            name: self.candidate(number).map(|candidate| candidate.name.clone()).unwrap_or_default(),
            line: self.candidate(number).and_then(|candidate| candidate.line.clone()),
            has_moved_up: !self.elected().contains(&number),
            answer: last.filter(|answer| *answer != SeatAnswerName::TakenBack),
        }
    }

    /// The ballot that can follow. None follows one without a quorum.
    fn next(&self, vacant: u32) -> Option<PossibleBallotFormat> {
        if self.file.result.is_quorum_missed() {
            return None;
        }
        let persons = self.file.result.options.len() as u32;
        let gone: BTreeSet<u32> = self.seated().into_iter().chain(self.declined()).collect();
        let lists = self.rule.lists.as_ref();
        let is_left = |candidate: &&CandidateFormat| {
            let number = candidate.number;
            let is_listed = lists.is_none_or(|lists| lists.iter().any(|list| list.candidates.contains(&number)));
            number <= persons && !candidate.is_withdrawn && !gone.contains(&number) && is_listed
        };
        let left: Vec<u32> = self.election.candidates.iter().filter(is_left).map(|one| one.number).collect();
        let tied = self.tied(vacant);
        let among: Vec<u32> = left.iter().copied().filter(|number| tied.contains(number)).collect();
        let candidates = if among.is_empty() { left } else { among };
        let seats = vacant.min(candidates.len() as u32);
        (seats > 0).then_some(PossibleBallotFormat { round_id: self.id(), candidates, seats })
    }

    fn tied(&self, vacant: u32) -> Vec<u32> {
        let of_answer = self.answers.last().map(|answer| answer.tied.clone()).filter(|tied| !tied.is_empty());
        let of_count = || {
            let tie = self.election.tie.as_ref().filter(|tie| tie.wanted == vacant)?;
            match tie.matter {
                TieMatterName::Seats => Some(tie.numbers.clone()),
                TieMatterName::ListSeats => Some(self.of_lists(&tie.numbers)),
                TieMatterName::Exclusion | TieMatterName::FirstSurplus => None,
            }
        };
        of_answer.or_else(of_count).unwrap_or_default()
    }
}

/// Adds the refusal of a person who declines, or takes it out. Returns whether that changes anything: only then the seats are
/// counted again.
pub(crate) fn apply(answer: &NotedSeatAnswerFormat, refusals: &mut Vec<Refusal>) -> bool {
    let candidate = answer.candidate;
    let place = refusals.iter().position(|refusal| refusal.candidate == candidate);
    match (answer.answer, place) {
        (SeatAnswerName::Declined, None) => refusals.push(Refusal { candidate, is_continued: answer.is_continued }),
        (SeatAnswerName::Accepted | SeatAnswerName::TakenBack, Some(place)) => {
            refusals.remove(place);
        }
        (SeatAnswerName::Declined, Some(_)) | (SeatAnswerName::Accepted | SeatAnswerName::TakenBack, None) => {
            return false;
        }
    }
    true
}

fn candidates_of(refusals: &[Refusal]) -> BTreeSet<u32> {
    refusals.iter().map(|refusal| refusal.candidate).collect()
}

/// The lot drawn again from its seed.
fn redrawn(seed: &str, given: &DrawnLotFormat) -> DrawnLotFormat {
    let numbers = given.order.clone();
    let tie = ElectionTie { stage: given.stage, matter: TieFor::Seats, wanted: 1, numbers };
    DrawnLotFormat { order: lot(seed, &tie), ..given.clone() }
}
