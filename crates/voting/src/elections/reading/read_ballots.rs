use std::collections::BTreeMap;

use plenum_kernel::{Unit, VotingWeight};

use super::ballot_report::{BallotReport, BallotSum, Effect, Fault, FaultSum};
use super::read_choices::{read_answers, read_choices, read_list, read_points};
use super::read_ranking::{RankReading, read_ranking};
use crate::elections::{Ballot, Election, MAX_VOTES, Marks, Votes};
use plenum_kernel::election::{Blank, Candidate, Method, Standing};

/// A number of equal valid ballots. The marks have no faults: each candidate stands, and has one mark.
pub(in crate::elections) struct Paper {
    pub(in crate::elections) marks: Marks,
    pub(in crate::elections) votes: Votes,
}

/// The valid ballots, and the report on all.
pub(in crate::elections) struct ReadBallots {
    pub(in crate::elections) papers: Vec<Paper>,
    pub(in crate::elections) report: BallotReport,
}

impl ReadBallots {
    /// The ballots without the names of these candidates. A ballot without further names is blank.
    pub(in crate::elections) fn without(mut self, declined: &[Candidate], blank: Blank) -> Self {
        let stays = |candidate: &Candidate| !declined.contains(candidate);
        for paper in &mut self.papers {
            match &mut paper.marks {
                Marks::Ranking(ranks) => {
                    ranks.iter_mut().for_each(|rank| rank.retain(stays));
                    ranks.retain(|rank| !rank.is_empty());
                    if ranks.is_empty() {
                        paper.marks = Marks::Blank;
                    }
                }
                Marks::List { candidates, .. } => candidates.retain(stays),
                _ => {}
            }
        }
        if blank != Blank::ValidForNobody {
            let is_blank = |paper: &Paper| matches!(paper.marks, Marks::Blank);
            let emptied = self.papers.iter().filter(|paper| is_blank(paper));
            self.report.valid.votes = emptied.fold(self.report.valid.votes, |votes, paper| votes - paper.votes);
            self.papers.retain(|paper| !is_blank(paper));
        }
        self
    }
}

/// The ballots have more votes than an election can have.
pub(in crate::elections) struct TooManyVotes;

/// What a ballot counts as, with its faults.
pub(super) struct Reading {
    pub(super) read: Read,
    pub(super) faults: Vec<(Fault, Effect)>,
}

/// What a ballot counts as.
pub(super) enum Read {
    Valid(Marks),
    Abstention,
    Invalid,
}

impl Reading {
    pub(super) fn invalid(mut faults: Vec<(Fault, Effect)>, fault: Fault) -> Self {
        faults.push((fault, Effect::Invalid));
        Self { read: Read::Invalid, faults }
    }
}

/// The candidates of an election, for the check of one ballot.
#[derive(Clone, Copy)]
pub(super) struct Checker<'a> {
    pub(super) election: &'a Election,
}

impl Checker<'_> {
    /// The standing of a candidate. `None` if there is no such candidate.
    pub(super) fn standing(self, candidate: Candidate) -> Option<Standing> {
        self.election.standings().get(candidate.place()?).copied()
    }

    /// A ballot whose remaining marks are none: blank, or with marks for withdrawn candidates only.
    pub(super) fn without_marks(self, mut faults: Vec<(Fault, Effect)>) -> Reading {
        let has_withdrawn = faults.iter().any(|(fault, _)| *fault == Fault::Withdrawn);
        let fault = if has_withdrawn { Fault::OnlyWithdrawn } else { Fault::Blank };
        let (read, effect) = match self.election.terms().blank {
            Blank::Invalid => (Read::Invalid, Effect::Invalid),
            Blank::Abstains => (Read::Abstention, Effect::Abstains),
            Blank::ValidForNobody => (Read::Valid(Marks::Blank), Effect::ValidForNobody),
        };
        faults.push((fault, effect));
        Reading { read, faults }
    }

    fn read(self, marks: &Marks) -> Reading {
        match (&self.election.terms().method, marks) {
            (_, Marks::Abstention) => Reading { read: Read::Abstention, faults: Vec::new() },
            (_, Marks::Blank) => self.without_marks(Vec::new()),
            (Method::PerCandidate(settings), Marks::Answers(answers)) => read_answers(self, settings, answers),
            (Method::Plurality(plurality), Marks::Choices(choices)) => read_choices(self, plurality.limits, choices),
            (Method::Approval(limits), Marks::Choices(choices)) => read_choices(self, *limits, choices),
            (Method::Cumulative(_) | Method::Score(_), Marks::Points(points)) => read_points(self, points),
            (Method::Lists(lists), Marks::List { list, candidates }) => read_list(self, lists, (*list, candidates)),
            (_, Marks::Ranking(ranks)) => match self.ranking() {
                Some(reading) => read_ranking(self, &reading, ranks),
                None => Reading::invalid(Vec::new(), Fault::OtherMethod),
            },
            _ => Reading::invalid(Vec::new(), Fault::OtherMethod),
        }
    }

    /// The rules for rankings. `None` for methods without.
    fn ranking(self) -> Option<RankReading> {
        let (rules, allows_equal) = match &self.election.terms().method {
            Method::Irv(irv) => (irv.ranking, false),
            Method::StvScottish(ranking) => (*ranking, false),
            Method::Schulze(schulze) => (schulze.ranking, schulze.allows_equal),
            Method::Borda(borda) => (borda.ranking, borda.allows_equal),
            _ => return None,
        };
        Some(RankReading { rules, allows_equal })
    }
}

/// Reads all ballots.
pub(in crate::elections) fn read_ballots(election: &Election, ballots: &[Ballot]) -> Result<ReadBallots, TooManyVotes> {
    let checker = Checker { election };
    let mut report = BallotReport::default();
    let mut papers = Vec::new();
    let mut faults: BTreeMap<(Fault, Effect), BallotSum> = BTreeMap::new();
    for ballot in ballots {
        let weight = if election.terms().unit == Unit::Heads { VotingWeight::ONE } else { ballot.weight };
        let votes = Votes::weighed(weight, ballot.voters).ok_or(TooManyVotes)?;
        report.cast.add(ballot.voters, votes);
        let mut reading = checker.read(&ballot.marks);
        reading.faults.sort_unstable();
        reading.faults.dedup();
        for fault in reading.faults {
            faults.entry(fault).or_default().add(ballot.voters, votes);
        }
        match reading.read {
            Read::Valid(marks) => {
                report.valid.add(ballot.voters, votes);
                papers.push(Paper { marks, votes });
            }
            Read::Abstention => report.abstentions.add(ballot.voters, votes),
            Read::Invalid => report.invalid.add(ballot.voters, votes),
        }
    }
    if report.cast.votes > MAX_VOTES {
        return Err(TooManyVotes);
    }
    let sum = |((fault, effect), ballots)| FaultSum { fault, effect, ballots };
    report.faults = faults.into_iter().map(sum).collect();
    Ok(ReadBallots { papers, report })
}
