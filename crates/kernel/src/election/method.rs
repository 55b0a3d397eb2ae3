//! The methods and their settings.

use super::{Candidate, Requirement};

/// The way from ballots to elected candidates. `docs/elections.md` explains each method with its source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Yes, no or abstain for each candidate.
    PerCandidate(PerCandidate),
    /// The most votes.
    Plurality(Plurality),
    /// Several votes for each voter, and several of them for one candidate if the voter wants.
    Cumulative(Cumulative),
    /// Any number of approvals.
    Approval(ChoiceLimits),
    /// Instant-runoff voting.
    Irv(Irv),
    /// Single transferable vote by the rules of Scottish councils.
    StvScottish(RankingRules),
    /// Schulze's method.
    Schulze(Schulze),
    /// The Borda count.
    Borda(Borda),
    /// Points for each candidate.
    Score(Score),
    /// Seats for lists by a divisor method.
    Lists(Lists),
}

/// The limits of a ballot without an order of choices. Too many choices always make it invalid, because it does not say
/// which of them to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChoiceLimits {
    /// The smallest number of candidates. A ballot with fewer is invalid.
    pub least: u32,
    /// The largest number of candidates. `None` without a limit.
    pub most: Option<u32>,
    /// The effect of a candidate who is marked twice.
    pub repeated: Repetition,
}

/// The effect of a candidate who is marked twice on a ballot without ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// The candidate counts once.
    CountsOnce,
    /// The ballot is invalid.
    Invalid,
}

/// Settings of a vote on each candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerCandidate {
    /// The share of yes that each candidate needs.
    pub requirement: Requirement,
    /// The order in which candidates who have it get the seats, if there are fewer seats.
    pub ranking: YesRanking,
    /// The meaning of a candidate without an answer.
    pub unanswered: Unanswered,
}

/// The order of candidates who have enough votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum YesRanking {
    /// Most votes for yes first.
    Yes,
    /// The largest difference between yes and no first.
    YesLessNo,
}

/// The meaning of a candidate without an answer on a ballot with answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unanswered {
    /// An abstention for this candidate.
    Abstains,
    /// The ballot is invalid.
    Invalid,
}

/// Settings of a plurality election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plurality {
    /// The number of candidates on a ballot. Equal limits require exactly this number.
    pub limits: ChoiceLimits,
    /// The share of votes that a candidate needs in a first ballot, mostly more than half. `None` elects by the most
    /// votes.
    pub requirement: Option<Requirement>,
}

/// Settings of a cumulative election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cumulative {
    /// The votes of each voter.
    pub votes: u32,
    /// The most votes for one candidate.
    pub most_for_one: u32,
    /// Whether a ballot with fewer votes is invalid.
    pub needs_all_votes: bool,
}

/// The effect of a fault in a ranking. The count reports each fault with its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Treatment {
    /// The count passes over the rank with the fault, and continues with the next one.
    PassOver,
    /// The ranking is valid up to the fault.
    UpToThere,
    /// The ballot is invalid.
    Invalid,
}

/// The meaning of incomplete and faulty rankings. Ranks of withdrawn candidates are neither skipped nor faulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RankingRules {
    /// The effect of skipped ranks before a later one.
    pub skipped: Treatment,
    /// The number of consecutive skipped ranks that the count passes over in any case.
    pub tolerated_gap: u32,
    /// The effect of a candidate who was ranked before.
    pub repeated: Treatment,
    /// The effect of several candidates in one rank, where they may not be equal.
    pub equal: Treatment,
    /// The smallest number of ranked candidates. A ballot with fewer valid ranks is invalid.
    pub least: u32,
    /// The largest number of ranked candidates.
    pub most: Option<u32>,
    /// The effect of more ranked candidates.
    pub too_many: TooManyRanked,
}

/// The effect of more ranked candidates than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TooManyRanked {
    /// The ranking is valid up to the allowed number.
    UpToThere,
    /// The ballot is invalid.
    Invalid,
}

impl RankingRules {
    /// Passes over skipped and repeated ranks, and ends a ranking where two candidates share a rank that only one can
    /// have.
    pub const LENIENT: Self = Self {
        skipped: Treatment::PassOver,
        tolerated_gap: 0,
        repeated: Treatment::PassOver,
        equal: Treatment::UpToThere,
        least: 1,
        most: None,
        too_many: TooManyRanked::UpToThere,
    };

    /// Ends a ranking at its first fault. By the Scottish order, schedule 1, a paper is non-transferable where the next
    /// preference is not clear: a number that does not follow the one before, a number for two candidates, or a
    /// candidate with two numbers.
    pub const UP_TO_FAULT: Self =
        Self { skipped: Treatment::UpToThere, repeated: Treatment::UpToThere, ..Self::LENIENT };
}

/// Settings of instant-runoff voting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Irv {
    /// The reading of rankings.
    pub ranking: RankingRules,
    /// Whether equal numbers of votes are first compared at earlier stages of the count, the most recent one first.
    pub ties_by_earlier_stages: bool,
}

/// Settings of Schulze's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Schulze {
    /// The reading of rankings.
    pub ranking: RankingRules,
    /// Whether candidates can share a rank. Otherwise `ranking.equal` says what it means.
    pub allows_equal: bool,
    /// The measure of a victory of one candidate over another.
    pub strength: Strength,
}

/// The measure of a victory of one candidate over another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strength {
    /// The votes of those who prefer the winner. Schulze recommends this measure.
    WinningVotes,
    /// The difference between these votes and those for the loser.
    Margins,
}

/// Settings of a Borda count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Borda {
    /// The reading of rankings.
    pub ranking: RankingRules,
    /// Whether candidates can share a rank. They get the mean of the points of their places. Otherwise `ranking.equal`
    /// says what it means.
    pub allows_equal: bool,
    /// The points of the places.
    pub scale: BordaScale,
    /// The points of candidates that a ballot does not rank.
    pub unranked: Unranked,
}

/// The points of the places on a ballot, for `n` candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BordaScale {
    /// From `n - 1` for the first place down to 0 for the last.
    ToZero,
    /// From `n` for the first place down to 1 for the last.
    ToOne,
    /// From the number of ranked candidates down to 1: the modified Borda count. A ballot with few ranks gives few
    /// points.
    OfRanked,
}

/// The points of candidates that a ballot does not rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unranked {
    /// None.
    Nothing,
    /// The mean of the places that are left: they are equal and last. It means nothing with [`BordaScale::OfRanked`].
    MeanOfRest,
}

/// Settings of a score election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// The most points for one candidate.
    pub most: u32,
    /// The smallest number of candidates with points or a zero. A ballot with fewer is invalid.
    pub least_marked: u32,
}

/// Settings of an election of lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lists {
    /// The divisors.
    pub divisors: Divisors,
    /// The candidates of each list, in its order. A candidate stands on one list.
    pub lists: Vec<Vec<Candidate>>,
    /// The largest number of candidates that a voter can choose on the list.
    pub most_choices: u32,
    /// The order of the candidates of a list.
    pub order: ListOrder,
}

/// The divisors by which the votes of a list are divided, for its first, second, third seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Divisors {
    /// 1, 3, 5: Sainte-Laguë, also known as Webster or Schepers.
    SainteLague,
    /// 1, 2, 3: D'Hondt, also known as Jefferson or Hagenbach-Bischoff.
    DHondt,
}

/// The order in which the candidates of a list get its seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListOrder {
    /// As on the list.
    AsListed,
    /// By the votes for each candidate. Equal votes for the last seat of a list are a tie.
    ByVotes,
    /// By the votes for each candidate, and as on the list where they are equal.
    ByVotesThenListed,
}
