//! The papers of an election from the file of its round, and its recount in the form of the file.

use std::collections::{BTreeMap, BTreeSet};

use plenum_result_format::{
    AbstentionsName, AnswersFormat, BallotAnswer, BlankName, BordaScaleName, CandidateFormat, CandidateVotes,
    ComparisonName, DivisorsName, ElectedFormat, ElectionResult, ElectionRuleFormat, ElectionTieFormat, FaultFormat,
    ListOrderName, ListResultFormat, ListSeatFormat, MethodName, RepetitionName, RoundFile, ShareBaseName, ShareFormat,
    StageFormat, StageKind, StrengthName, SumFormat, TieDeciderName, TieMatterName, TooManyRankedName, TransferFormat,
    TreatmentName, UnansweredName, UnitName, UnrankedName, VacanciesFormat, YesRankingName,
};

use super::notation::marks_of;
use super::papers::{
    BlankMeaning, CountMethod, DecidedTie, ElectionBallot, ElectionPapers, ElectionTie, FaultTreatment, FirstPlace,
    NameKind, RankReading, Share, TieDecider, TieFor, Whole, WithinList,
};
use super::recount_election::recount_election;
use super::recounted::{BallotFault, FaultEffect, MethodNumbers, RecountedElection, RecountedStage};
use crate::exact::amount;
use crate::tally::Pair;

/// Counts the election of a round again from its ballots. Sentences and reasons, which follow from the figures, are those of
/// the file. `None` if the file has no count of an election.
pub(crate) fn recount_round(
    round: &RoundFile,
    rule: &ElectionRuleFormat,
    voters: (&Pair, &Pair),
) -> Option<ElectionResult> {
    let given = round.result.election.as_deref()?;
    let names = round.result.options.len();
    let papers = papers_of(round, rule, given, voters)?;
    let counted = recount_election(&papers);
    let told = Told { given, rule, decimals: if rule.method == MethodName::StvScottish { 5 } else { 0 } };
    Some(told.result(
        &counted,
        names,
        &round.result.options.iter().map(|option| option.text.clone()).collect::<Vec<_>>(),
    ))
}

fn papers_of(
    round: &RoundFile,
    rule: &ElectionRuleFormat,
    given: &ElectionResult,
    (register, present): (&Pair, &Pair),
) -> Option<ElectionPapers> {
    let withdrew = |place: usize| rule.candidates.get(place).is_some_and(|note| note.is_withdrawn);
    let person = |place| if withdrew(place) { NameKind::Withdrawn } else { NameKind::Person };
    let nobody = rule.none_of_the_above.then_some(NameKind::Nobody);
    let mut ballots = Vec::new();
    for ballot in &round.ballots {
        let BallotAnswer::Text(text) = &ballot.answer else { return None };
        let marks = marks_of(text, rule.method)?;
        ballots.push(ElectionBallot { voters: ballot.count, weight: ballot.weight, marks });
    }
    let decision = |decision: &plenum_result_format::TieDecisionFormat| DecidedTie {
        tie: tie_of(&decision.tie),
        by: match (decision.by, &decision.seed) {
            (TieDeciderName::Lot, Some(seed)) => TieDecider::Seed(seed.clone()),
            _ => TieDecider::Order(decision.order.clone()),
        },
    };
    let electorate = |pair: &Pair| amount(&pair.in_unit(rule.unit));
    Some(ElectionPapers {
        method: method_of(rule)?,
        names: (0..round.result.options.len()).map(person).chain(nobody).collect(),
        seats: rule.seats,
        by_weight: rule.unit == UnitName::Weight,
        abstentions_are_cast: rule.abstentions == AbstentionsName::AreVotesCast,
        blank: match rule.blank {
            BlankName::Invalid => BlankMeaning::Invalid,
            BlankName::Abstains => BlankMeaning::Abstention,
            BlankName::ValidForNobody => BlankMeaning::ForNobody,
        },
        least_support: rule.least_support.map(share_of),
        electorate: (electorate(register), electorate(present)),
        ballots,
        decisions: given.decisions.iter().map(decision).collect(),
        seed: None,
    })
}

fn share_of(share: ShareFormat) -> Share {
    Share {
        of: match share.base {
            ShareBaseName::YesAndNo => Whole::YesAndNo,
            ShareBaseName::ValidBallots => Whole::Valid,
            ShareBaseName::VotesCast => Whole::Cast,
            ShareBaseName::Register => Whole::Register,
            ShareBaseName::Present => Whole::Present,
        },
        numerator: share.numerator,
        denominator: share.denominator,
        is_enough: share.comparison == ComparisonName::AtLeast,
    }
}

/// The way of counting. A file contains every setting of its method.
fn method_of(rule: &ElectionRuleFormat) -> Option<CountMethod> {
    let limits = (rule.least_choices.unwrap_or(0), rule.most_choices);
    let choices = |share| CountMethod::Choices {
        limits,
        refuses_repeated: rule.repeated_choices == Some(RepetitionName::Invalid),
        share,
    };
    let reading = |allows_equal: bool| reading_of(rule, allows_equal);
    Some(match rule.method {
        MethodName::PerCandidate => CountMethod::EachCandidate {
            share: share_of(rule.requirement?),
            less_no: rule.yes_ranking? == YesRankingName::YesLessNo,
            all_answered: rule.unanswered? == UnansweredName::Invalid,
        },
        MethodName::Plurality => choices(rule.requirement.map(share_of)),
        MethodName::Approval => choices(None),
        MethodName::Cumulative => CountMethod::Cumulative {
            votes: rule.votes?,
            for_one: rule.most_for_one?,
            needs_all: rule.needs_all_votes?,
        },
        MethodName::Score => CountMethod::Score { for_one: rule.points?, least: rule.least_marked? },
        MethodName::Irv => {
            CountMethod::InstantRunoff { reading: reading(false)?, looks_back: rule.ties_by_earlier_stages? }
        }
        MethodName::StvScottish => CountMethod::Scottish { reading: reading(false)? },
        MethodName::Schulze => CountMethod::Schulze {
            reading: reading(rule.allows_equal?)?,
            by_margin: rule.strength? == StrengthName::Margins,
        },
        MethodName::Borda => CountMethod::Borda {
            reading: reading(rule.allows_equal?)?,
            first: match rule.scale? {
                BordaScaleName::ToZero => FirstPlace::Others,
                BordaScaleName::ToOne => FirstPlace::All,
                BordaScaleName::OfRanked => FirstPlace::Ranked,
            },
            rest_shares: rule.unranked? == UnrankedName::MeanOfRest,
        },
        MethodName::Lists => CountMethod::Lists {
            lists: rule.lists.as_ref()?.iter().map(|list| list.candidates.clone()).collect(),
            odd_divisors: rule.divisors? == DivisorsName::SainteLague,
            choices: rule.most_choices?,
            order: match rule.list_order? {
                ListOrderName::AsListed => WithinList::Listed,
                ListOrderName::ByVotes => WithinList::Votes,
                ListOrderName::ByVotesThenListed => WithinList::VotesThenListed,
            },
        },
    })
}

fn reading_of(rule: &ElectionRuleFormat, allows_equal: bool) -> Option<RankReading> {
    let treatment = |name: TreatmentName| match name {
        TreatmentName::PassOver => FaultTreatment::PassOver,
        TreatmentName::UpToThere => FaultTreatment::End,
        TreatmentName::Invalid => FaultTreatment::Refuse,
    };
    Some(RankReading {
        skipped: treatment(rule.skipped_ranks?),
        tolerated: rule.tolerated_gap?,
        repeated: treatment(rule.repeated_ranks?),
        equal: (!allows_equal).then_some(treatment(rule.equal_ranks?)),
        limits: (rule.least_ranks?, rule.most_ranks),
        refuses_more: rule.too_many_ranks? == TooManyRankedName::Invalid,
    })
}

fn tie_of(tie: &ElectionTieFormat) -> ElectionTie {
    let matter = match tie.matter {
        TieMatterName::Seats => TieFor::Seats,
        TieMatterName::Exclusion => TieFor::Exclusion,
        TieMatterName::FirstSurplus => TieFor::Surplus,
        TieMatterName::ListSeats => TieFor::ListSeats,
    };
    ElectionTie { stage: tie.stage, matter, numbers: tie.numbers.clone(), wanted: tie.wanted }
}

/// Writes a recount in the form of the file.
struct Told<'a> {
    given: &'a ElectionResult,
    rule: &'a ElectionRuleFormat,
    decimals: usize,
}

impl Told<'_> {
    fn result(&self, counted: &RecountedElection, names: usize, texts: &[String]) -> ElectionResult {
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
            candidates: self.candidates(counted, names, texts),
            stages: (0..).zip(&counted.stages).map(|(place, stage)| self.stage(place, stage)).collect(),
            elected: (0..).zip(&counted.elected).map(|(place, elected)| self.elected(place, *elected)).collect(),
            answers,
            pairs,
            lists,
            order: counted.order.iter().map(|group| group.iter().copied().collect()).collect(),
            tie: counted.tie.as_ref().map(|tie| self.tie(tie)),
            decisions: self.given.decisions.clone(),
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

    fn ballots(&self, counted: &RecountedElection) -> plenum_result_format::ElectionBallots {
        let sum = |(heads, votes): &(u64, String)| SumFormat { heads: *heads, votes: votes.clone() };
        let given = &self.given.ballots;
        // Cast are all of them: exact amounts are added as numbers by the caller's check of the register.
        plenum_result_format::ElectionBallots {
            cast: given.cast.clone(),
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

    fn candidates(&self, counted: &RecountedElection, names: usize, texts: &[String]) -> Vec<CandidateFormat> {
        let nobody = self.rule.none_of_the_above.then(|| "None of the above".to_owned());
        let is_of_lists = self.rule.method == MethodName::Lists;
        let all = texts.iter().take(names).cloned().chain(nobody);
        let candidate = |(number, name): (u32, String)| {
            let note = self.rule.candidates.get(number as usize - 1);
            let support = counted.support.get(&number).filter(|_| !is_of_lists);
            CandidateFormat {
                number,
                name,
                line: note.and_then(|note| note.line.clone()),
                is_withdrawn: note.is_some_and(|note| note.is_withdrawn),
                support: self.votes(support.map_or("0", String::as_str)),
            }
        };
        (1..).zip(all).map(candidate).collect()
    }

    fn stage(&self, place: usize, stage: &RecountedStage) -> StageFormat {
        let given = self.given.stages.get(place);
        let kind = given.map_or(StageKind::Count, |given| given.kind);
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
            surplus: given.and_then(|given| given.surplus.clone()),
            quota: stage.quota.as_deref().map(|quota| self.votes(quota)),
            is_quota_enough: given.is_some_and(|given| given.is_quota_enough),
            votes: stage
                .votes
                .iter()
                .map(|(candidate, votes)| CandidateVotes { candidate: *candidate, votes: self.votes(votes) })
                .collect(),
            transfers: for_candidates.into_iter().chain(lost).collect(),
            non_transferable: self.votes(&stage.non_transferable),
            remainder: self.votes(&stage.remainder),
            words: given.map(|given| given.words.clone()).unwrap_or_default(),
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

    fn pairs(&self, pairs: &BTreeMap<(u32, u32), [String; 2]>) -> plenum_result_format::PairsFormat {
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
        plenum_result_format::PairsFormat { preferred: of_one(matrix(0)), paths: of_one(matrix(1)), candidates: listed }
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
