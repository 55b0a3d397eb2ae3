//! The papers of an election of the engine, for the recount.

use plenum_kernel::{Comparison, Unit};
use plenum_verify::elections as recount;
use plenum_voting::elections::{
    Abstentions, Ballot, Blank, BordaScale, Candidate, CandidateAnswer, ChoiceLimits, Decided, Divisors, ElectionTerms,
    ListOrder, Marks, Method, RankingRules, Repetition, Requirement, ShareBase, Standing, Strength, Tie, TieDecision,
    TieDecisions, TieMatter, TooManyRanked, Treatment, Unanswered, Unranked, Votes, YesRanking,
};
use rust_decimal::Decimal;

pub(crate) fn papers(terms: &ElectionTerms, ballots: &[Ballot], decisions: &TieDecisions) -> recount::ElectionPapers {
    let decided = |made: &TieDecision| recount::DecidedTie {
        tie: tie(&made.tie),
        by: match &made.decided {
            Decided::Lot { seed } => recount::TieDecider::Seed(seed.clone()),
            Decided::LotByHand { order } | Decided::RunOff { order } => recount::TieDecider::Order(order.clone()),
        },
    };
    recount::ElectionPapers {
        method: method(&terms.method),
        names: terms.candidates.iter().map(|standing| kind(*standing)).collect(),
        seats: terms.seats.map(plenum_kernel::Seats::get),
        by_weight: terms.unit == Unit::Weight,
        abstentions_are_cast: terms.abstentions == Abstentions::AreVotesCast,
        blank: match terms.blank {
            Blank::Invalid => recount::BlankMeaning::Invalid,
            Blank::Abstains => recount::BlankMeaning::Abstention,
            Blank::ValidForNobody => recount::BlankMeaning::ForNobody,
        },
        least_support: terms.least_support.map(share),
        electorate: (decimal(terms.electorate.register), decimal(terms.electorate.present)),
        ballots: ballots.iter().map(ballot).collect(),
        decisions: decisions.made.iter().map(decided).collect(),
        precedents: decisions.precedents.iter().map(decided).collect(),
        seed: decisions.seed.clone(),
        leaves_seats: decisions.leaves_seats,
    }
}

fn decimal(votes: Votes) -> Decimal {
    votes.text(0).parse().unwrap()
}

fn kind(standing: Standing) -> recount::NameKind {
    match standing {
        Standing::Stands => recount::NameKind::Person,
        Standing::Withdrawn => recount::NameKind::Withdrawn,
        Standing::NoneOfTheAbove => recount::NameKind::Nobody,
    }
}

fn share(requirement: Requirement) -> recount::Share {
    let fraction = requirement.threshold.fraction();
    recount::Share {
        of: match requirement.base {
            ShareBase::YesAndNo => recount::Whole::YesAndNo,
            ShareBase::ValidBallots => recount::Whole::Valid,
            ShareBase::VotesCast => recount::Whole::Cast,
            ShareBase::Register => recount::Whole::Register,
            ShareBase::Present => recount::Whole::Present,
        },
        numerator: fraction.numerator(),
        denominator: fraction.denominator(),
        is_enough: requirement.threshold.comparison() == Comparison::AtLeast,
    }
}

fn method(method: &Method) -> recount::CountMethod {
    match method {
        Method::PerCandidate(settings) => recount::CountMethod::EachCandidate {
            share: share(settings.requirement),
            less_no: settings.ranking == YesRanking::YesLessNo,
            all_answered: settings.unanswered == Unanswered::Invalid,
        },
        Method::Plurality(plurality) => choices(plurality.limits, plurality.requirement.map(share)),
        Method::Approval(limits) => choices(*limits, None),
        Method::Cumulative(cumulative) => recount::CountMethod::Cumulative {
            votes: cumulative.votes,
            for_one: cumulative.most_for_one,
            needs_all: cumulative.needs_all_votes,
        },
        Method::Score(score) => recount::CountMethod::Score { for_one: score.most, least: score.least_marked },
        Method::Irv(irv) => recount::CountMethod::InstantRunoff {
            reading: reading(&irv.ranking, false),
            looks_back: irv.ties_by_earlier_stages,
        },
        Method::StvScottish(ranking) => recount::CountMethod::Scottish { reading: reading(ranking, false) },
        Method::Schulze(schulze) => recount::CountMethod::Schulze {
            reading: reading(&schulze.ranking, schulze.allows_equal),
            by_margin: schulze.strength == Strength::Margins,
        },
        Method::Borda(borda) => recount::CountMethod::Borda {
            reading: reading(&borda.ranking, borda.allows_equal),
            first: match borda.scale {
                BordaScale::ToZero => recount::FirstPlace::Others,
                BordaScale::ToOne => recount::FirstPlace::All,
                BordaScale::OfRanked => recount::FirstPlace::Ranked,
            },
            rest_shares: borda.unranked == Unranked::MeanOfRest,
        },
        Method::Lists(lists) => recount::CountMethod::Lists {
            lists: lists.lists.iter().map(|list| numbers(list)).collect(),
            odd_divisors: lists.divisors == Divisors::SainteLague,
            choices: lists.most_choices,
            order: match lists.order {
                ListOrder::AsListed => recount::WithinList::Listed,
                ListOrder::ByVotes => recount::WithinList::Votes,
                ListOrder::ByVotesThenListed => recount::WithinList::VotesThenListed,
            },
        },
    }
}

fn choices(limits: ChoiceLimits, share: Option<recount::Share>) -> recount::CountMethod {
    let refuses_repeated = limits.repeated == Repetition::Invalid;
    recount::CountMethod::Choices { limits: (limits.least, limits.most), refuses_repeated, share }
}

fn treatment(treatment: Treatment) -> recount::FaultTreatment {
    match treatment {
        Treatment::PassOver => recount::FaultTreatment::PassOver,
        Treatment::UpToThere => recount::FaultTreatment::End,
        Treatment::Invalid => recount::FaultTreatment::Refuse,
    }
}

fn reading(rules: &RankingRules, allows_equal: bool) -> recount::RankReading {
    recount::RankReading {
        skipped: treatment(rules.skipped),
        tolerated: rules.tolerated_gap,
        repeated: treatment(rules.repeated),
        equal: (!allows_equal).then(|| treatment(rules.equal)),
        limits: (rules.least, rules.most),
        refuses_more: rules.too_many == TooManyRanked::Invalid,
    }
}

pub(crate) fn numbers(candidates: &[Candidate]) -> Vec<u32> {
    candidates.iter().map(|candidate| candidate.number()).collect()
}

fn ballot(ballot: &Ballot) -> recount::ElectionBallot {
    let marks = match &ballot.marks {
        Marks::Abstention => recount::BallotMarks::Abstain,
        Marks::Blank => recount::BallotMarks::None,
        Marks::Choices(chosen) => recount::BallotMarks::Chosen(numbers(chosen)),
        Marks::Answers(answers) => {
            let answer = |(candidate, answer): &(Candidate, CandidateAnswer)| {
                let answer = match answer {
                    CandidateAnswer::Yes => Some(true),
                    CandidateAnswer::No => Some(false),
                    CandidateAnswer::Abstain => None,
                };
                (candidate.number(), answer)
            };
            recount::BallotMarks::Answers(answers.iter().map(answer).collect())
        }
        Marks::Points(points) => {
            let points = points.iter().map(|(candidate, points)| (candidate.number(), *points));
            recount::BallotMarks::Points(points.collect())
        }
        Marks::Ranking(ranks) => {
            let of_rank = |(rank, candidates): (u32, &Vec<Candidate>)| {
                numbers(candidates).into_iter().map(move |number| (rank, number))
            };
            recount::BallotMarks::Ranks((1..).zip(ranks).flat_map(of_rank).collect())
        }
        Marks::List { list, candidates } => recount::BallotMarks::List(*list, numbers(candidates)),
    };
    recount::ElectionBallot { voters: ballot.voters, weight: ballot.weight.as_decimal(), marks }
}

pub(crate) fn tie(tie: &Tie) -> recount::ElectionTie {
    let matter = match tie.matter {
        TieMatter::Seats { .. } => recount::TieFor::Seats,
        TieMatter::Exclusion { .. } => recount::TieFor::Exclusion,
        TieMatter::FirstSurplus { .. } => recount::TieFor::Surplus,
        TieMatter::ListSeats { .. } => recount::TieFor::ListSeats,
    };
    recount::ElectionTie { stage: tie.stage, matter, numbers: tie.numbers(), wanted: tie.wanted() as u32 }
}
