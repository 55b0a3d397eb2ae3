use std::collections::BTreeMap;

use plenum_voting::elections::{
    Action, BallotSum, Candidate, Details, Outcome, Pairwise, Quota, ResolvedBy, ResolvedTie, Stage, Tie, TieMatter,
    Votes,
};
use serde::Serialize;

use super::count::CountedFile;

/// Votes by the number of the candidate.
type VotesByNumber = BTreeMap<u32, String>;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CountView {
    /// The candidates by number, in the order of their election.
    elected: Vec<u32>,
    quota: Option<String>,
    /// A stage whenever votes have moved. The first one has the first preferences, or the points.
    stages: Vec<StageView>,
    vacancies: u32,
    /// The tie at which the count ended.
    tie: Option<TieView>,
    /// The ties that were decided.
    decided: Vec<DecidedView>,
    /// All candidates in groups of equal ones, the best group first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    order: Vec<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<PairsView>,
    ballots: BallotsView,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StageView {
    stage: u32,
    votes: VotesByNumber,
    non_transferable: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    quota: Option<String>,
    #[serde(flatten)]
    happened: Happened,
}

/// What happened since the stage before.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Happened {
    events: Vec<String>,
    elected: Vec<u32>,
    excluded: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    surplus_of: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TieView {
    stage: u32,
    matter: &'static str,
    candidates: Vec<u32>,
    wanted: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DecidedView {
    #[serde(flatten)]
    tie: TieView,
    by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier_stage: Option<u32>,
}

/// The comparison of each pair: the votes that prefer the first candidate to the second, and the strongest path between
/// them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PairsView {
    preferred: BTreeMap<u32, VotesByNumber>,
    paths: BTreeMap<u32, VotesByNumber>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BallotsView {
    cast: u64,
    valid: u64,
    invalid: u64,
    /// The faults of ballots and their effects, in words.
    faults: Vec<String>,
}

/// The count as JSON, on one line.
pub(super) fn text(counted: &CountedFile<'_>) -> serde_json::Result<String> {
    let count = counted.count;
    let tie = match &count.outcome {
        Outcome::Tied(tie) => Some(tie_view(tie)),
        Outcome::Complete { .. } => None,
    };
    let vacancies = match &count.outcome {
        Outcome::Complete { vacancies: Some(vacancies) } => vacancies.seats,
        _ => 0,
    };
    let pairs = match &count.details {
        Details::Pairwise(pairwise) => Some(pairs_view(counted, pairwise)),
        _ => None,
    };
    let in_stages = count.stages.iter().filter_map(resolved_in);
    let number = |sum: BallotSum| sum.voters;
    serde_json::to_string(&CountView {
        elected: count.elected.iter().map(|elected| elected.candidate.number()).collect(),
        quota: count.stages.first().and_then(|stage| stage.quota).map(|quota| quota_text(counted, quota)),
        stages: stages(counted),
        vacancies,
        tie,
        decided: in_stages.chain(&count.seat_ties).map(decided_view).collect(),
        order: count.order.iter().map(|group| numbers(group)).collect(),
        pairs,
        ballots: BallotsView {
            cast: number(count.ballots.cast),
            valid: number(count.ballots.valid),
            invalid: number(count.ballots.invalid),
            faults: count.ballots.faults.iter().map(|sum| counted.words.fault(sum)).collect(),
        },
    })
}

/// The stages in which votes moved. What happened in others is told with the next one, or at the end with the last one.
fn stages(counted: &CountedFile<'_>) -> Vec<StageView> {
    let mut views: Vec<StageView> = Vec::new();
    let mut before: Option<&Stage> = None;
    let mut waiting = Happened::default();
    for stage in &counted.count.stages {
        waiting.add(counted, stage);
        if before.is_none_or(|before| before.votes != stage.votes) {
            let votes = stage.votes.iter().map(|(candidate, votes)| (candidate.number(), counted.votes(*votes)));
            views.push(StageView {
                stage: stage.number,
                votes: votes.collect(),
                non_transferable: counted.votes(stage.non_transferable),
                quota: stage.quota.map(|quota| quota_text(counted, quota)),
                happened: std::mem::take(&mut waiting),
            });
        }
        before = Some(stage);
    }
    if let Some(last) = views.last_mut() {
        last.happened.append(waiting);
    }
    views
}

impl Happened {
    fn add(&mut self, counted: &CountedFile<'_>, stage: &Stage) {
        match &stage.action {
            Action::Exclusion { of, .. } => self.excluded.extend(numbers(of)),
            Action::Surplus { of, .. } => self.surplus_of = Some(of.number()),
            Action::Count | Action::NextSeat => {}
        }
        self.events.push(counted.words.action(stage));
        for elected in counted.count.elected.iter().filter(|elected| elected.stage == stage.number) {
            self.events.push(counted.words.elected(elected));
            self.elected.push(elected.candidate.number());
        }
    }

    fn append(&mut self, other: Self) {
        self.events.extend(other.events);
        self.elected.extend(other.elected);
        self.excluded.extend(other.excluded);
    }
}

/// The number of votes that elects: of a quota that is not enough itself, the next whole number.
fn quota_text(counted: &CountedFile<'_>, quota: Quota) -> String {
    let enough = if quota.is_enough { quota.votes } else { quota.votes.next_whole() };
    counted.votes(enough)
}

fn numbers(candidates: &[Candidate]) -> Vec<u32> {
    candidates.iter().map(|candidate| candidate.number()).collect()
}

fn resolved_in(stage: &Stage) -> Option<&ResolvedTie> {
    match &stage.action {
        Action::Surplus { tie, .. } | Action::Exclusion { tie, .. } => tie.as_ref(),
        Action::Count | Action::NextSeat => None,
    }
}

fn tie_view(tie: &Tie) -> TieView {
    let matter = match tie.matter {
        TieMatter::Seats { .. } => "seats",
        TieMatter::Exclusion { .. } => "exclusion",
        TieMatter::FirstSurplus { .. } => "firstSurplus",
        TieMatter::ListSeats { .. } => "listSeats",
    };
    TieView { stage: tie.stage, matter, candidates: tie.numbers(), wanted: tie.wanted() }
}

fn decided_view(resolved: &ResolvedTie) -> DecidedView {
    let (by, earlier_stage) = match resolved.by {
        ResolvedBy::EarlierStage(stage) => ("earlierStage", Some(stage)),
        ResolvedBy::NoDifference => ("noDifference", None),
        // The command takes no other decisions.
        ResolvedBy::Decision(_) => ("lot", None),
    };
    DecidedView { tie: tie_view(&resolved.tie), by, earlier_stage }
}

fn pairs_view(counted: &CountedFile<'_>, pairwise: &Pairwise) -> PairsView {
    let matrix = |matrix: &[Vec<Votes>]| {
        let row = |(one, row): (&Candidate, &Vec<Votes>)| {
            let others = pairwise.candidates.iter().zip(row).filter(|(other, _)| *other != one);
            (one.number(), others.map(|(other, votes)| (other.number(), counted.votes(*votes))).collect())
        };
        pairwise.candidates.iter().zip(matrix).map(row).collect()
    };
    PairsView { preferred: matrix(&pairwise.preferred), paths: matrix(&pairwise.paths) }
}
