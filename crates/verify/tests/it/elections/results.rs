//! A count of the engine in the form of the recount.

use std::collections::BTreeMap;

use plenum_verify::elections as recount;
use plenum_voting::elections::{
    Action, BallotSum, Candidate, Count, Details, Effect, Fault, Method, Outcome, Parcel, Stage, Votes,
};

use super::papers::{numbers, tie};

pub(crate) fn result(count: &Count, method: &Method) -> recount::RecountedElection {
    let (open, vacant) = match &count.outcome {
        Outcome::Complete { vacancies } => (None, vacancies.map_or(0, |vacancies| vacancies.seats)),
        Outcome::Tied(open) => (Some(tie(open)), 0),
    };
    let standing = count.stages[0].votes.iter().map(|(candidate, _)| candidate.number());
    let supported: Vec<u32> = match method {
        Method::Lists(lists) => (1..=lists.lists.len() as u32).collect(),
        _ => standing.collect(),
    };
    recount::RecountedElection {
        valid: sum(count.ballots.valid),
        abstentions: sum(count.ballots.abstentions),
        invalid: sum(count.ballots.invalid),
        faults: count
            .ballots
            .faults
            .iter()
            .map(|sum| ((fault(sum.fault), effect(sum.effect)), sum.ballots.voters))
            .collect(),
        stages: count.stages.iter().map(stage).collect(),
        elected: count.elected.iter().map(|elected| (elected.candidate.number(), elected.stage)).collect(),
        tie: open,
        vacant,
        support: supported.into_iter().zip(count.support.iter().map(|votes| votes.text(0))).collect(),
        order: count.order.iter().map(|group| numbers(group).into_iter().collect()).collect(),
        numbers: details(&count.details),
    }
}

fn sum(sum: BallotSum) -> (u64, String) {
    (sum.voters, sum.votes.text(0))
}

fn stage(stage: &Stage) -> recount::RecountedStage {
    let from = match &stage.action {
        Action::Count | Action::NextSeat => Vec::new(),
        Action::Surplus { of, .. } => vec![*of],
        Action::Exclusion { of, .. } => of.clone(),
    };
    let parcel = |parcel: &Parcel| {
        let to = parcel.to.map_or(0, Candidate::number);
        ((to, parcel.value.text(0)), [parcel.papers.text(0), parcel.votes.text(0)])
    };
    recount::RecountedStage {
        from: numbers(&from).into_iter().collect(),
        votes: stage.votes.iter().map(|(candidate, votes)| (candidate.number(), votes.text(0))).collect(),
        parcels: stage.parcels.iter().map(parcel).collect(),
        non_transferable: stage.non_transferable.text(0),
        remainder: stage.remainder.text(0),
        quota: stage.quota.map(|quota| quota.votes.text(0)),
    }
}

fn details(details: &Details) -> recount::MethodNumbers {
    let text = |votes: Votes| votes.text(0);
    match details {
        Details::Nothing => recount::MethodNumbers::None,
        Details::Answers(answers) => {
            let answers = answers.iter().map(|answers| {
                let sums = [text(answers.yes), text(answers.no), text(answers.abstain)];
                (answers.candidate.number(), (sums, answers.is_met))
            });
            recount::MethodNumbers::Answers(answers.collect())
        }
        Details::Pairwise(pairwise) => {
            let mut pairs = BTreeMap::new();
            for (row, one) in pairwise.candidates.iter().enumerate() {
                for (column, other) in pairwise.candidates.iter().enumerate().filter(|(column, _)| *column != row) {
                    let texts = [text(pairwise.preferred[row][column]), text(pairwise.paths[row][column])];
                    pairs.insert((one.number(), other.number()), texts);
                }
            }
            recount::MethodNumbers::Pairs(pairs)
        }
        Details::Lists(lists) => {
            let seats = lists
                .iter()
                .map(|list| (list.list, list.seats.iter().map(|award| (award.seat, award.divisor)).collect()));
            recount::MethodNumbers::Lists(seats.collect())
        }
    }
}

fn fault(fault: Fault) -> recount::BallotFault {
    match fault {
        Fault::Blank => recount::BallotFault::Blank,
        Fault::OnlyWithdrawn => recount::BallotFault::OnlyWithdrawn,
        Fault::Withdrawn => recount::BallotFault::Withdrawn,
        Fault::OtherMethod => recount::BallotFault::OtherMethod,
        Fault::NoSuchCandidate => recount::BallotFault::Unknown,
        Fault::TooFew => recount::BallotFault::TooFew,
        Fault::TooMany => recount::BallotFault::TooMany,
        Fault::Repeated => recount::BallotFault::Repeated,
        Fault::SkippedRank => recount::BallotFault::Skipped,
        Fault::EqualRank => recount::BallotFault::Equal,
        Fault::TooManyForOne => recount::BallotFault::TooManyForOne,
        Fault::NoneAndOthers => recount::BallotFault::NobodyAndOthers,
        Fault::OtherList => recount::BallotFault::OtherList,
    }
}

fn effect(effect: Effect) -> recount::FaultEffect {
    match effect {
        Effect::PassedOver => recount::FaultEffect::PassedOver,
        Effect::CutThere => recount::FaultEffect::Cut,
        Effect::Invalid => recount::FaultEffect::Invalid,
        Effect::Abstains => recount::FaultEffect::Abstention,
        Effect::ValidForNobody => recount::FaultEffect::ForNobody,
    }
}
