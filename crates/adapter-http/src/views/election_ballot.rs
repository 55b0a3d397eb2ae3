use plenum_kernel::Seats;
use plenum_kernel::election::{
    BallotOrder, Blank, Candidate, CandidateNote, ChoiceLimits, ElectionRule, Method, RankingRules, Unanswered,
};
use plenum_result_format::MethodName;
use plenum_voting::elections::ballot_order;
use plenum_voting::{BallotForm, MarkKind, Wording};
use serde::Serialize;
use utoipa::ToSchema;

/// The kind of marks on a ballot of an election.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MarkKind)]
pub(crate) enum MarkKindName {
    /// Yes, no or abstain for each candidate.
    Answers,
    /// Chosen candidates.
    Choices,
    /// Votes or points for candidates.
    Points,
    /// Ranks.
    Ranking,
    /// A list, and candidates on it.
    List,
}

impl From<MarkKind> for MarkKindName {
    fn from(kind: MarkKind) -> Self {
        match kind {
            MarkKind::Answers => Self::Answers,
            MarkKind::Choices => Self::Choices,
            MarkKind::Points => Self::Points,
            MarkKind::Ranking => Self::Ranking,
            MarkKind::List => Self::List,
        }
    }
}

/// A candidate on a ballot.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BallotCandidate)]
pub(crate) struct BallotCandidateView {
    number: u32,
    name: String,
    #[schema(required)]
    line: Option<String>,
    #[schema(required)]
    about: Option<String>,
    is_withdrawn: bool,
}

/// A list on a ballot.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BallotList)]
pub(crate) struct BallotListView {
    number: u32,
    name: String,
    candidates: Vec<u32>,
}

/// Whether all ballots show the candidates in the same order.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BallotOrder)]
pub(crate) enum OrderName {
    /// In the order of `ballotOrder`.
    Fixed,
    /// In that order, starting at another candidate for each voter.
    Rotated,
}

/// The ballot of an election.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ElectionBallot, example = json!({
    "method": "irv", "marks": "ranking", "seats": 1, "least": 1, "most": null, "votes": null, "mostForOne": null,
    "allowsEqual": false, "canLeaveBlank": false, "noneOfTheAbove": null, "order": "fixed", "ballotOrder": [1, 2],
    "candidates": [
        { "number": 1, "name": "Nadia Brandt", "line": "Flat 12", "about": null, "isWithdrawn": false },
        { "number": 2, "name": "Tomas Reyes", "line": null, "about": null, "isWithdrawn": false },
    ],
    "lists": [],
}))]
pub(crate) struct ElectionBallotView {
    method: MethodName,
    marks: MarkKindName,
    #[schema(required)]
    seats: Option<u32>,
    /// The smallest number of marks.
    least: u32,
    /// The largest number of marks.
    #[schema(required)]
    most: Option<u32>,
    /// The votes of a cumulative ballot.
    #[schema(required)]
    votes: Option<u32>,
    /// The most votes or points for one candidate.
    #[schema(required)]
    most_for_one: Option<u32>,
    /// Whether candidates can share a rank.
    allows_equal: bool,
    /// Whether a ballot without marks means something.
    can_leave_blank: bool,
    /// The number of "none of the above".
    #[schema(required)]
    none_of_the_above: Option<u32>,
    order: OrderName,
    /// The candidates by number, in the order of the ballot.
    ballot_order: Vec<u32>,
    candidates: Vec<BallotCandidateView>,
    lists: Vec<BallotListView>,
}

/// The limits of a ballot.
#[derive(Default)]
struct Limits {
    least: u32,
    most: Option<u32>,
    votes: Option<u32>,
    most_for_one: Option<u32>,
    allows_equal: bool,
}

impl Limits {
    /// The limits for ballots with this number of candidates who stand.
    fn of(method: &Method, standing: u32) -> Self {
        let choices = |limits: &ChoiceLimits| Self { least: limits.least, most: limits.most, ..Self::default() };
        let ranks = |ranking: &RankingRules, allows_equal: bool| Self {
            least: ranking.least,
            most: ranking.most,
            allows_equal,
            ..Self::default()
        };
        match method {
            Method::PerCandidate(settings) => {
                let is_needed = settings.unanswered == Unanswered::Invalid;
                Self { least: if is_needed { standing } else { 0 }, ..Self::default() }
            }
            Method::Plurality(plurality) => choices(&plurality.limits),
            Method::Approval(limits) => choices(limits),
            Method::Cumulative(cumulative) => Self {
                least: u32::from(cumulative.needs_all_votes) * cumulative.votes,
                votes: Some(cumulative.votes),
                most_for_one: Some(cumulative.most_for_one),
                ..Self::default()
            },
            Method::Score(score) => {
                Self { least: score.least_marked, most_for_one: Some(score.most), ..Self::default() }
            }
            Method::Irv(irv) => ranks(&irv.ranking, false),
            Method::StvScottish(ranking) => ranks(ranking, false),
            Method::Schulze(schulze) => ranks(&schulze.ranking, schulze.allows_equal),
            Method::Borda(borda) => ranks(&borda.ranking, borda.allows_equal),
            Method::Lists(lists) => Self { most: Some(lists.most_choices), ..Self::default() },
        }
    }
}

impl ElectionBallotView {
    /// The ballot of a round. `None` if it is no election.
    pub(crate) fn of_wording(wording: &Wording) -> Option<Self> {
        wording.election.as_ref().map(|rule| Self::of(rule, &wording.option_texts()))
    }

    /// The ballot with the candidates of these names.
    pub(crate) fn of(rule: &ElectionRule, names: &[String]) -> Self {
        let form = BallotForm::of(rule, names.len());
        let withdrawn = rule.candidates.iter().filter(|note| note.is_withdrawn).count();
        let standing = u32::try_from(names.len() - withdrawn).unwrap_or(u32::MAX);
        let Limits { least, most, votes, most_for_one, allows_equal } = Limits::of(&rule.method, standing);
        let unknown = CandidateNote::default();
        let candidate = |(number, name): (u32, &String)| {
            let note = rule.candidates.get(number as usize - 1).unwrap_or(&unknown);
            BallotCandidateView {
                number,
                name: name.clone(),
                line: note.line.clone(),
                about: note.about.clone(),
                is_withdrawn: note.is_withdrawn,
            }
        };
        let lists = rule.lists().map(|lists| lists.lists.as_slice()).unwrap_or_default();
        let list = |(number, (name, candidates)): (u32, (&String, &Vec<Candidate>))| BallotListView {
            number,
            name: name.clone(),
            candidates: candidates.iter().map(|candidate| candidate.number()).collect(),
        };
        Self {
            method: (&rule.method).into(),
            marks: form.kind.into(),
            seats: rule.seats.map(Seats::get),
            least,
            most,
            votes,
            most_for_one,
            allows_equal,
            can_leave_blank: rule.blank != Blank::Invalid,
            none_of_the_above: rule.none_of_the_above.then_some(form.names),
            order: if rule.order == BallotOrder::Rotated { OrderName::Rotated } else { OrderName::Fixed },
            ballot_order: ballot_order(&rule.order, names),
            candidates: (1..).zip(names).map(candidate).collect(),
            lists: (1..).zip(rule.list_names.iter().zip(lists)).map(list).collect(),
        }
    }
}
