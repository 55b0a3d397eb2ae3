//! Converts the count of an election to the format of all screens and files.

use plenum_kernel::Seats;
use plenum_kernel::election::{Candidate, Method};
use plenum_result_format as format;
use plenum_result_format::{ElectionResult, StageKind, TieDeciderName, TieMatterName};
use plenum_voting::elections::{
    Action, BallotReport, BallotSum, Decided, Details, Effect, Elected, ElectedBy, Fault, ListResult, Outcome,
    Pairwise, Parcel, Stage, Tie, TieMatter, VacancyReason, Votes, Words, draw,
};
use plenum_voting::{CountedElection, MadeTieDecision, Wording};

/// The decimals of votes that the Scottish rules prescribe. Other methods have as many as a number needs.
const SCOTTISH_DECIMALS: usize = 5;

/// The count in the format of results.
pub(crate) fn election_result(counted: &CountedElection, wording: &Wording) -> ElectionResult {
    let names = names_of(counted, wording);
    let decimals = if matches!(counted.rule.method, Method::StvScottish(_)) { SCOTTISH_DECIMALS } else { 0 };
    let formatter = ElectionFormatter { counted, names: &names, words: Words { names: &names, decimals } };
    let count = &counted.count;
    let vacancies = match &count.outcome {
        Outcome::Complete { vacancies } => *vacancies,
        Outcome::Tied(_) => None,
    };
    ElectionResult {
        method: (&counted.rule.method).into(),
        seats: counted.rule.seats.map(Seats::get),
        unit: counted.rule.unit.into(),
        ballots: formatter.ballots(&count.ballots),
        candidates: formatter.candidates(),
        stages: count.stages.iter().map(|stage| formatter.stage(stage)).collect(),
        elected: count.elected.iter().map(elected).collect(),
        answers: formatter.answers(),
        pairs: formatter.pairs(),
        lists: formatter.lists(),
        order: count.order.iter().map(|group| numbers(group)).collect(),
        tie: counted.open_tie().map(|tie| formatter.tie(tie)),
        decisions: counted.decisions.iter().map(|made| formatter.decision(made)).collect(),
        vacancies: vacancies.map(|vacancies| format::VacanciesFormat {
            seats: vacancies.seats,
            why: reason(vacancies.why).to_owned(),
            words: formatter.words.vacancies(vacancies),
        }),
    }
}

/// The names on the ballot, in the order of their numbers.
fn names_of(counted: &CountedElection, wording: &Wording) -> Vec<String> {
    let nobody = counted.rule.none_of_the_above.then(|| "None of the above".to_owned());
    wording.options.iter().map(|option| option.text.clone()).chain(nobody).collect()
}

fn numbers(candidates: &[Candidate]) -> Vec<u32> {
    candidates.iter().map(|candidate| candidate.number()).collect()
}

/// Formats a count.
struct ElectionFormatter<'a> {
    counted: &'a CountedElection,
    names: &'a [String],
    words: Words<'a>,
}

impl ElectionFormatter<'_> {
    fn votes(&self, votes: Votes) -> String {
        self.words.votes(votes)
    }

    fn sum(&self, sum: BallotSum) -> format::SumFormat {
        format::SumFormat { heads: sum.voters, votes: sum.votes.text(0) }
    }

    fn ballots(&self, report: &BallotReport) -> format::ElectionBallots {
        let faults = report.faults.iter().map(|sum| format::FaultFormat {
            fault: fault(sum.fault).to_owned(),
            effect: effect(sum.effect).to_owned(),
            heads: sum.ballots.voters,
            words: self.words.fault(sum),
        });
        format::ElectionBallots {
            cast: self.sum(report.cast),
            valid: self.sum(report.valid),
            abstentions: self.sum(report.abstentions),
            invalid: self.sum(report.invalid),
            faults: faults.collect(),
        }
    }

    fn candidates(&self) -> Vec<format::CandidateFormat> {
        let is_of_lists = self.counted.rule.lists().is_some();
        let standing = self.counted.count.stages.first().into_iter().flat_map(|stage| &stage.votes);
        let numbers: Vec<u32> = standing.map(|(candidate, _)| candidate.number()).collect();
        let support_of = |number: u32| {
            let place = numbers.iter().position(|known| *known == number).filter(|_| !is_of_lists)?;
            self.counted.count.support.get(place).copied()
        };
        let named = (1..).zip(self.names).map(|(number, name)| {
            let note = self.counted.rule.candidates.get(number as usize - 1);
            format::CandidateFormat {
                number,
                name: name.clone(),
                line: note.and_then(|note| note.line.clone()),
                is_withdrawn: note.is_some_and(|note| note.is_withdrawn),
                support: self.votes(support_of(number).unwrap_or_default()),
            }
        });
        named.collect()
    }

    fn stage(&self, stage: &Stage) -> format::StageFormat {
        let (kind, of, surplus) = match &stage.action {
            Action::Count => (StageKind::Count, Vec::new(), None),
            Action::NextSeat => (StageKind::NextSeat, Vec::new(), None),
            Action::Surplus { of, surplus, .. } => (StageKind::Surplus, vec![of.number()], Some(self.votes(*surplus))),
            Action::Exclusion { of, .. } => (StageKind::Exclusion, numbers(of), None),
        };
        let votes = stage.votes.iter().map(|(candidate, votes)| format::CandidateVotes {
            candidate: candidate.number(),
            votes: self.votes(*votes),
        });
        let elected = self.counted.count.elected.iter().filter(|elected| elected.stage == stage.number);
        let happened = std::iter::once(self.words.action(stage)).chain(elected.map(|one| self.words.elected(one)));
        format::StageFormat {
            number: stage.number,
            kind,
            of,
            surplus,
            quota: stage.quota.map(|quota| self.votes(quota.votes)),
            is_quota_enough: stage.quota.is_some_and(|quota| quota.is_enough),
            votes: votes.collect(),
            transfers: stage.parcels.iter().map(|parcel| self.transfer(parcel)).collect(),
            non_transferable: self.votes(stage.non_transferable),
            remainder: self.votes(stage.remainder),
            words: happened.collect(),
        }
    }

    fn transfer(&self, parcel: &Parcel) -> format::TransferFormat {
        format::TransferFormat {
            to: parcel.to.map(Candidate::number),
            papers: parcel.papers.text(0),
            value: self.votes(parcel.value),
            votes: self.votes(parcel.votes),
        }
    }

    fn answers(&self) -> Option<Vec<format::AnswersFormat>> {
        let Details::Answers(answers) = &self.counted.count.details else { return None };
        let told = answers.iter().map(|answers| format::AnswersFormat {
            candidate: answers.candidate.number(),
            yes: self.votes(answers.yes),
            no: self.votes(answers.no),
            abstain: self.votes(answers.abstain),
            is_met: answers.is_met,
        });
        Some(told.collect())
    }

    fn pairs(&self) -> Option<format::PairsFormat> {
        let Details::Pairwise(Pairwise { candidates, preferred, paths }) = &self.counted.count.details else {
            return None;
        };
        let texts = |matrix: &[Vec<Votes>]| {
            matrix.iter().map(|row| row.iter().map(|votes| self.votes(*votes)).collect()).collect()
        };
        Some(format::PairsFormat { candidates: numbers(candidates), preferred: texts(preferred), paths: texts(paths) })
    }

    fn lists(&self) -> Option<Vec<format::ListResultFormat>> {
        let Details::Lists(lists) = &self.counted.count.details else { return None };
        let told = lists.iter().map(|ListResult { list, votes, seats, .. }| format::ListResultFormat {
            list: *list,
            name: self.counted.rule.list_names.get(*list as usize - 1).cloned().unwrap_or_default(),
            votes: self.votes(*votes),
            seats: seats
                .iter()
                .map(|award| format::ListSeatFormat { seat: award.seat, divisor: award.divisor })
                .collect(),
        });
        Some(told.collect())
    }

    fn tie(&self, tie: &Tie) -> format::ElectionTieFormat {
        let matter = match tie.matter {
            TieMatter::Seats { .. } => TieMatterName::Seats,
            TieMatter::Exclusion { .. } => TieMatterName::Exclusion,
            TieMatter::FirstSurplus { .. } => TieMatterName::FirstSurplus,
            TieMatter::ListSeats { .. } => TieMatterName::ListSeats,
        };
        format::ElectionTieFormat {
            stage: tie.stage,
            matter,
            numbers: tie.numbers(),
            wanted: u32::try_from(tie.wanted()).unwrap_or(u32::MAX),
            words: self.words.tie(tie),
        }
    }

    fn decision(&self, made: &MadeTieDecision) -> format::TieDecisionFormat {
        let (by, seed, order) = match &made.decision.decided {
            Decided::Lot { seed } => (TieDeciderName::Lot, Some(seed.clone()), draw(seed, &made.decision.tie)),
            Decided::LotByHand { order } | Decided::RunOff { order } => {
                (TieDeciderName::LotByHand, None, order.clone())
            }
        };
        format::TieDecisionFormat {
            tie: self.tie(&made.decision.tie),
            by,
            seed,
            order,
            drawn_by: made.drawn_by.clone(),
            witnessed_by: made.witnessed_by.clone(),
            at: made.at,
            decided_by: made.decided_by.clone(),
        }
    }
}

fn elected(elected: &Elected) -> format::ElectedFormat {
    let (by, list) = match elected.by {
        ElectedBy::Quota => ("quota", None),
        ElectedBy::Majority => ("majority", None),
        ElectedBy::LastVacancies => ("last_vacancies", None),
        ElectedBy::MostVotes => ("most_votes", None),
        ElectedBy::RequiredShare => ("required_share", None),
        ElectedBy::Order => ("order", None),
        ElectedBy::ListSeat(list) => ("list_seat", Some(list)),
        ElectedBy::TieDecision(_) => ("tie_decision", None),
    };
    format::ElectedFormat { candidate: elected.candidate.number(), stage: elected.stage, by: by.to_owned(), list }
}

const fn reason(reason: VacancyReason) -> &'static str {
    match reason {
        VacancyReason::TooFewCandidates => "too_few_candidates",
        VacancyReason::NoVotes => "no_votes",
        VacancyReason::RequirementMissed => "requirement_missed",
        VacancyReason::NoneOfTheAbove => "none_of_the_above",
    }
}

const fn fault(fault: Fault) -> &'static str {
    match fault {
        Fault::Blank => "blank",
        Fault::OnlyWithdrawn => "only_withdrawn",
        Fault::Withdrawn => "withdrawn",
        Fault::OtherMethod => "other_method",
        Fault::NoSuchCandidate => "no_such_candidate",
        Fault::TooFew => "too_few",
        Fault::TooMany => "too_many",
        Fault::Repeated => "repeated",
        Fault::SkippedRank => "skipped_rank",
        Fault::EqualRank => "equal_rank",
        Fault::TooManyForOne => "too_many_for_one",
        Fault::NoneAndOthers => "none_and_others",
        Fault::OtherList => "other_list",
    }
}

const fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::PassedOver => "passed_over",
        Effect::CutThere => "cut_there",
        Effect::Invalid => "invalid",
        Effect::Abstains => "abstains",
        Effect::ValidForNobody => "valid_for_nobody",
    }
}
