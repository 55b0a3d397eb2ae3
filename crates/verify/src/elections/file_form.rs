//! A recount in the form of the file of its round, to be compared with it.

use std::collections::{BTreeMap, BTreeSet};

use plenum_result_format::{
    AnswersFormat, CandidateFormat, CandidateVotes, ElectedFormat, ElectionBallots, ElectionResult, ElectionRuleFormat,
    ElectionTieFormat, FaultFormat, ListResultFormat, ListSeatFormat, MethodName, PairsFormat, StageFormat, StageKind,
    SumFormat, TieDeciderName, TieDecisionFormat, TieMatterName, TransferFormat, VacanciesFormat,
};

use super::contest::{lot, text};
use super::papers::{ElectionTie, TieFor};
use super::recounted::{BallotFault, FaultEffect, MethodNumbers, RecountedElection, RecountedStage};
use crate::exact::{self, Exact};

/// Writes a recount in the form of the file.
pub(super) struct FileForm<'a> {
    /// The count in the file, for its sentences.
    pub(super) given: &'a ElectionResult,
    /// The terms.
    pub(super) rule: &'a ElectionRuleFormat,
    /// The names of the candidates, in the order of their numbers.
    pub(super) names: &'a [&'a str],
    /// The fewest decimals of votes.
    pub(super) decimals: usize,
}

impl FileForm<'_> {
    pub(super) fn result(&self, counted: &RecountedElection) -> ElectionResult {
        let answers = match &counted.numbers {
            MethodNumbers::Answers(answers) => {
                Some(answers.iter().map(|(number, row)| self.answers(*number, row)).collect())
            }
            _ => None,
        };
        let pairs = match &counted.numbers {
            MethodNumbers::Pairs(pairs) => Some(self.pairs(pairs)),
            _ => None,
        };
        let lists = match &counted.numbers {
            MethodNumbers::Lists(lists) => Some(self.lists(counted, lists)),
            _ => None,
        };
        ElectionResult {
            method: self.rule.method,
            seats: self.rule.seats,
            unit: self.rule.unit,
            ballots: self.ballots(counted),
            candidates: self.candidates(counted),
            stages: (0..counted.stages.len()).map(|place| self.stage(&counted.stages, place)).collect(),
            elected: (0..).zip(&counted.elected).map(|(place, elected)| self.elected(place, *elected)).collect(),
            answers,
            pairs,
            lists,
            order: counted.order.iter().map(|group| group.iter().copied().collect()).collect(),
            tie: counted.tie.as_ref().map(|tie| self.tie(tie)),
            decisions: self.given.decisions.iter().map(decision).collect(),
            vacancies: (counted.vacant > 0).then(|| self.vacancies(counted.vacant)),
        }
    }

    /// A number with at least the decimals of the method.
    fn votes(&self, text: &str) -> String {
        let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        if fraction >= self.decimals {
            return text.to_owned();
        }
        let point = if fraction == 0 { "." } else { "" };
        format!("{text}{point}{}", "0".repeat(self.decimals - fraction))
    }

    fn ballots(&self, counted: &RecountedElection) -> ElectionBallots {
        let sum = |(heads, votes): &(u64, String)| SumFormat { heads: *heads, votes: votes.clone() };
        let given = &self.given.ballots;
        let all = [&counted.valid, &counted.abstentions, &counted.invalid];
        let cast: Exact = all.iter().map(|(_, votes)| exact::of_text(votes)).sum();
        ElectionBallots {
            cast: SumFormat {
                heads: all.iter().fold(0, |sum, (heads, _)| sum.saturating_add(*heads)),
                votes: text(&cast),
            },
            valid: sum(&counted.valid),
            abstentions: sum(&counted.abstentions),
            invalid: sum(&counted.invalid),
            faults: counted
                .faults
                .iter()
                .map(|((fault, effect), heads)| {
                    let (fault, effect) = (fault_name(*fault), effect_name(*effect));
                    let known = given.faults.iter().find(|known| known.fault == fault && known.effect == effect);
                    let words = known.map(|known| known.words.clone()).unwrap_or_default();
                    FaultFormat { fault: fault.to_owned(), effect: effect.to_owned(), heads: *heads, words }
                })
                .collect(),
        }
    }

    fn candidates(&self, counted: &RecountedElection) -> Vec<CandidateFormat> {
        let nobody = self.rule.none_of_the_above.then_some("None of the above");
        let is_of_lists = self.rule.method == MethodName::Lists;
        let all = self.names.iter().copied().chain(nobody);
        let candidate = |(number, name): (u32, &str)| {
            let note = self.rule.candidates.get(number as usize - 1);
            let support = counted.support.get(&number).filter(|_| !is_of_lists);
            CandidateFormat {
                number,
                name: name.to_owned(),
                line: note.and_then(|note| note.line.clone()),
                is_withdrawn: note.is_some_and(|note| note.is_withdrawn),
                support: self.votes(support.map_or("0", String::as_str)),
            }
        };
        (1..).zip(all).map(candidate).collect()
    }

    fn stage(&self, stages: &[RecountedStage], place: usize) -> StageFormat {
        let stage = &stages[place];
        let (kind, surplus) = self.happened(&stages[..place], stage);
        let transfers = stage.parcels.iter().map(|((to, value), [papers, votes])| TransferFormat {
            to: (*to != 0).then_some(*to),
            papers: papers.clone(),
            value: self.votes(value),
            votes: self.votes(votes),
        });
        let (for_candidates, lost): (Vec<_>, Vec<_>) = transfers.partition(|transfer| transfer.to.is_some());
        StageFormat {
            number: u32::try_from(place + 1).unwrap_or(u32::MAX),
            kind,
            of: stage.from.iter().copied().collect(),
            surplus,
            quota: stage.quota.as_deref().map(|quota| self.votes(quota)),
            // In an instant-runoff more than the stated half is needed.
            is_quota_enough: self.rule.method == MethodName::StvScottish,
            votes: stage
                .votes
                .iter()
                .map(|(candidate, votes)| CandidateVotes { candidate: *candidate, votes: self.votes(votes) })
                .collect(),
            transfers: for_candidates.into_iter().chain(lost).collect(),
            non_transferable: self.votes(&stage.non_transferable),
            remainder: self.votes(&stage.remainder),
            words: self.given.stages.get(place).map(|given| given.words.clone()).unwrap_or_default(),
        }
    }

    /// What happened in a stage after these, and the surplus that moved.
    fn happened(&self, before: &[RecountedStage], stage: &RecountedStage) -> (StageKind, Option<String>) {
        let Some(before) = before.last() else { return (StageKind::Count, None) };
        let Some(moved) = stage.from.first() else { return (StageKind::NextSeat, None) };
        let surplus = surplus_of(*moved, before).filter(|_| self.rule.method == MethodName::StvScottish);
        match surplus {
            Some(surplus) => (StageKind::Surplus, Some(self.votes(&text(&surplus)))),
            None => (StageKind::Exclusion, None),
        }
    }

    fn elected(&self, place: usize, (candidate, stage): (u32, u32)) -> ElectedFormat {
        let given = self.given.elected.get(place).filter(|given| given.candidate == candidate);
        ElectedFormat {
            candidate,
            stage,
            by: given.map(|given| given.by.clone()).unwrap_or_default(),
            list: given.and_then(|given| given.list),
        }
    }

    fn answers(&self, candidate: u32, (sums, is_met): &([String; 3], bool)) -> AnswersFormat {
        let [yes, no, abstain] = [0, 1, 2].map(|place: usize| self.votes(&sums[place]));
        AnswersFormat { candidate, yes, no, abstain, is_met: *is_met }
    }

    fn pairs(&self, pairs: &BTreeMap<(u32, u32), [String; 2]>) -> PairsFormat {
        let candidates: BTreeSet<u32> = pairs.keys().flat_map(|(one, other)| [*one, *other]).collect();
        let matrix = |which: usize| {
            let cell =
                |one: u32, other: u32| self.votes(pairs.get(&(one, other)).map_or("0", |texts| texts[which].as_str()));
            let row = |one: &u32| candidates.iter().map(|other| cell(*one, *other)).collect::<Vec<_>>();
            candidates.iter().map(row).collect::<Vec<_>>()
        };
        let candidates_given = self.given.pairs.as_ref().map(|given| given.candidates.clone());
        // A single candidate has no pair.
        let listed = if candidates.is_empty() {
            candidates_given.unwrap_or_default()
        } else {
            candidates.iter().copied().collect()
        };
        let of_one = |matrix: Vec<Vec<String>>| {
            if matrix.is_empty() && listed.len() == 1 { vec![vec![self.votes("0")]] } else { matrix }
        };
        PairsFormat { preferred: of_one(matrix(0)), paths: of_one(matrix(1)), candidates: listed }
    }

    fn lists(&self, counted: &RecountedElection, lists: &BTreeMap<u32, Vec<(u32, u32)>>) -> Vec<ListResultFormat> {
        let named = self.rule.lists.iter().flatten();
        let list = |(list, seats): (&u32, &Vec<(u32, u32)>)| ListResultFormat {
            list: *list,
            name: named.clone().nth(*list as usize - 1).map(|list| list.name.clone()).unwrap_or_default(),
            votes: self.votes(counted.support.get(list).map_or("0", String::as_str)),
            seats: seats.iter().map(|(seat, divisor)| ListSeatFormat { seat: *seat, divisor: *divisor }).collect(),
        };
        lists.iter().map(list).collect()
    }

    fn tie(&self, tie: &ElectionTie) -> ElectionTieFormat {
        let matter = match tie.matter {
            TieFor::Seats => TieMatterName::Seats,
            TieFor::Exclusion => TieMatterName::Exclusion,
            TieFor::Surplus => TieMatterName::FirstSurplus,
            TieFor::ListSeats => TieMatterName::ListSeats,
        };
        let words = self.given.tie.as_ref().map(|given| given.words.clone()).unwrap_or_default();
        ElectionTieFormat { stage: tie.stage, matter, numbers: tie.numbers.clone(), wanted: tie.wanted, words }
    }

    fn vacancies(&self, seats: u32) -> VacanciesFormat {
        let given =
            self.given.vacancies.clone().unwrap_or(VacanciesFormat { seats, why: String::new(), words: String::new() });
        VacanciesFormat { seats, ..given }
    }
}

/// A tie of the file.
pub(super) fn tie_of(tie: &ElectionTieFormat) -> ElectionTie {
    let matter = match tie.matter {
        TieMatterName::Seats => TieFor::Seats,
        TieMatterName::Exclusion => TieFor::Exclusion,
        TieMatterName::FirstSurplus => TieFor::Surplus,
        TieMatterName::ListSeats => TieFor::ListSeats,
    };
    ElectionTie { stage: tie.stage, matter, numbers: tie.numbers.clone(), wanted: tie.wanted }
}

/// The votes above the quota at the end of a stage.
fn surplus_of(candidate: u32, stage: &RecountedStage) -> Option<Exact> {
    let surplus = exact::of_text(stage.votes.get(&candidate)?) - exact::of_text(stage.quota.as_deref()?);
    (surplus > exact::zero()).then_some(surplus)
}

/// The decision with the order that follows from its seed, if it has one.
fn decision(given: &TieDecisionFormat) -> TieDecisionFormat {
    match (given.by, &given.seed) {
        (TieDeciderName::Lot, Some(seed)) => {
            TieDecisionFormat { order: lot(seed, &tie_of(&given.tie)), ..given.clone() }
        }
        _ => given.clone(),
    }
}

const fn fault_name(fault: BallotFault) -> &'static str {
    match fault {
        BallotFault::Blank => "blank",
        BallotFault::OnlyWithdrawn => "only_withdrawn",
        BallotFault::Withdrawn => "withdrawn",
        BallotFault::OtherMethod => "other_method",
        BallotFault::Unknown => "no_such_candidate",
        BallotFault::TooFew => "too_few",
        BallotFault::TooMany => "too_many",
        BallotFault::Repeated => "repeated",
        BallotFault::Skipped => "skipped_rank",
        BallotFault::Equal => "equal_rank",
        BallotFault::TooManyForOne => "too_many_for_one",
        BallotFault::NobodyAndOthers => "none_and_others",
        BallotFault::OtherList => "other_list",
    }
}

const fn effect_name(effect: FaultEffect) -> &'static str {
    match effect {
        FaultEffect::PassedOver => "passed_over",
        FaultEffect::Cut => "cut_there",
        FaultEffect::Invalid => "invalid",
        FaultEffect::Abstention => "abstains",
        FaultEffect::ForNobody => "valid_for_nobody",
    }
}
