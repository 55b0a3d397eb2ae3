//! The papers of an election, from the file of its round.

use std::collections::BTreeSet;

use plenum_result_format::{
    AbstentionsName, BallotAnswer, BlankName, BordaScaleName, ComparisonName, DivisorsName, ElectionResult,
    ElectionRuleFormat, ListOrderName, MethodName, RepetitionName, RoundFile, ShareBaseName, ShareFormat, StrengthName,
    TieDeciderName, TieDecisionFormat, TieRuleName, TooManyRankedName, TreatmentName, UnansweredName, UnitName,
    UnrankedName, YesRankingName,
};

use super::file_form::{FileForm, tie_of};
use super::notation::marks_of;
use super::papers::{
    BlankMeaning, CountMethod, DecidedTie, ElectionBallot, ElectionPapers, FaultTreatment, FirstPlace, NameKind,
    RankReading, Share, TieDecider, Whole, WithinList,
};
use super::recount_election::{recount_election, recount_without, unsupported};
use super::recounted::RecountedElection;
use crate::exact::amount;
use crate::tally::Pair;

/// Counts the election of a round again from its ballots. Sentences and the reasons why somebody is elected or a seat stays
/// vacant, which follow from the figures, are those of the file. `None` if the file has no count of an election.
pub(crate) fn recount_round(
    round: &RoundFile,
    rule: &ElectionRuleFormat,
    voters: (&Pair, &Pair),
) -> Option<ElectionResult> {
    let given = round.result.election.as_deref()?;
    let papers = papers_of(round, rule, given, voters)?;
    let names: Vec<&str> = round.result.options.iter().map(|option| option.text.as_str()).collect();
    let decimals = if rule.method == MethodName::StvScottish { 5 } else { 0 };
    Some(FileForm { given, rule, names: &names, decimals }.result(&recount_election(&papers)))
}

/// The count that looks for the next one, if these candidates decline. Methods with transfers and lists count as if they had
/// withdrawn after the voting; the Scottish count leaves out those whom nobody ranks, too. The others put all candidates into
/// one order, of which as many more are taken.
pub(crate) fn recount_for_next(
    round: &RoundFile,
    rule: &ElectionRuleFormat,
    voters: (&Pair, &Pair),
    declined: &BTreeSet<u32>,
) -> Option<RecountedElection> {
    let given = round.result.election.as_deref()?;
    let mut papers = papers_of(round, rule, given, voters)?;
    papers.precedents = std::mem::take(&mut papers.decisions);
    papers.seed = Some(round.result.round_id.to_string());
    papers.leaves_seats = rule.ties == TieRuleName::RunOff;
    Some(match papers.method {
        CountMethod::InstantRunoff { .. } | CountMethod::Lists { .. } => recount_without(&papers, declined),
        CountMethod::Scottish { .. } => {
            let gone: BTreeSet<u32> = declined.union(&unsupported(&papers)).copied().collect();
            // Where nobody is left, nobody moves up.
            let is_left = |(number, name): (u32, &NameKind)| *name != NameKind::Withdrawn && !gone.contains(&number);
            if !(1..).zip(&papers.names).any(is_left) {
                return None;
            }
            recount_without(&papers, &gone)
        }
        _ => {
            // Seats that were left to another ballot are not among them.
            let wanted = (given.elected.len() + declined.len()).min(round.result.options.len());
            papers.seats = papers.seats.map(|_| wanted as u32);
            recount_election(&papers)
        }
    })
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
        let marks = marks_of(text, round, rule)?;
        ballots.push(ElectionBallot { voters: ballot.count, weight: ballot.weight, marks });
    }
    let decision = |decision: &TieDecisionFormat| DecidedTie {
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
        precedents: Vec::new(),
        seed: None,
        leaves_seats: false,
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
