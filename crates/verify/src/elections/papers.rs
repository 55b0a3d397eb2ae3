//! The papers of an election: everything from which its result follows.

use rust_decimal::Decimal;

/// An election with its ballots.
#[derive(Clone, Debug, PartialEq)]
pub struct ElectionPapers {
    /// The way of counting.
    pub method: CountMethod,
    /// The names on the ballot. The first one has the number 1.
    pub names: Vec<NameKind>,
    /// The number of seats. `None` elects everybody who can be.
    pub seats: Option<u32>,
    /// Whether a vote has the weight of its voter. Otherwise every voter counts one.
    pub by_weight: bool,
    /// Whether abstentions belong to the votes cast.
    pub abstentions_are_cast: bool,
    /// What a ballot without marks is.
    pub blank: BlankMeaning,
    /// The support without which nobody is elected.
    pub least_support: Option<Share>,
    /// The amounts of the register and of those present.
    pub electorate: (Decimal, Decimal),
    /// The ballots.
    pub ballots: Vec<ElectionBallot>,
    /// The decisions of ties.
    pub decisions: Vec<DecidedTie>,
    /// The decisions of an earlier count, which also order the same candidates in another tie of the same kind.
    pub precedents: Vec<DecidedTie>,
    /// The seed for all other ties.
    pub seed: Option<String>,
    /// Whether a tie for seats without a decision stays open in spite of a seed.
    pub leaves_seats: bool,
}

/// What a name on the ballot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A person who stands.
    Person,
    /// A person who has withdrawn.
    Withdrawn,
    /// "None of the above".
    Nobody,
}

/// What a ballot without marks is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlankMeaning {
    /// Invalid.
    Invalid,
    /// An abstention.
    Abstention,
    /// A valid ballot for nobody.
    ForNobody,
}

/// A share of a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The whole.
    pub of: Whole,
    /// The numerator.
    pub numerator: u32,
    /// The denominator.
    pub denominator: u32,
    /// Whether exactly this share is enough.
    pub is_enough: bool,
}

/// A whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Yes and no for one candidate.
    YesAndNo,
    /// The valid ballots.
    Valid,
    /// The votes cast.
    Cast,
    /// The register.
    Register,
    /// Those present.
    Present,
}

/// The way of counting, with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum CountMethod {
    /// Yes, no or abstain for each candidate.
    EachCandidate {
        /// The needed share of yes.
        share: Share,
        /// Whether no is subtracted when candidates compete for seats.
        less_no: bool,
        /// Whether a candidate without an answer makes a ballot invalid.
        all_answered: bool,
    },
    /// One vote for each chosen candidate: plurality and approval.
    Choices {
        /// The smallest and the largest number of choices.
        limits: (u32, Option<u32>),
        /// Whether a repeated choice makes a ballot invalid.
        refuses_repeated: bool,
        /// The share of votes that is needed.
        share: Option<Share>,
    },
    /// Votes that can be given several times to one candidate.
    Cumulative {
        /// The votes of a ballot.
        votes: u32,
        /// The most for one candidate.
        for_one: u32,
        /// Whether all votes must be given.
        needs_all: bool,
    },
    /// Points for each candidate.
    Score {
        /// The most for one candidate.
        for_one: u32,
        /// The smallest number of candidates with points.
        least: u32,
    },
    /// Instant-runoff voting.
    InstantRunoff {
        /// The reading of rankings.
        reading: RankReading,
        /// Whether earlier stages decide ties first.
        looks_back: bool,
    },
    /// The single transferable vote of Scotland.
    Scottish {
        /// The reading of rankings.
        reading: RankReading,
    },
    /// Schulze's method.
    Schulze {
        /// The reading of rankings.
        reading: RankReading,
        /// Whether victories are measured by their margin. Otherwise by the votes of the winner.
        by_margin: bool,
    },
    /// The Borda count.
    Borda {
        /// The reading of rankings.
        reading: RankReading,
        /// The points of the first place.
        first: FirstPlace,
        /// Whether candidates without a rank share the points that are left.
        rest_shares: bool,
    },
    /// Seats for lists.
    Lists {
        /// The candidates of each list.
        lists: Vec<Vec<u32>>,
        /// Whether the divisors are 1, 3, 5. Otherwise 1, 2, 3.
        odd_divisors: bool,
        /// The most candidates that can be chosen on a list.
        choices: u32,
        /// The order of the candidates of a list.
        order: WithinList,
    },
}

/// The points of the first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPlace {
    /// The number of the other candidates.
    Others,
    /// The number of all candidates.
    All,
    /// The number of the candidates that the ballot ranks.
    Ranked,
}

/// The order of the candidates of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithinList {
    /// As listed.
    Listed,
    /// By votes.
    Votes,
    /// By votes, and as listed where they are equal.
    VotesThenListed,
}

/// The reading of rankings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankReading {
    /// What skipped ranks do.
    pub skipped: FaultTreatment,
    /// The consecutive skipped ranks that do nothing.
    pub tolerated: u32,
    /// What a second rank of the same candidate does.
    pub repeated: FaultTreatment,
    /// What several candidates in one rank do. `None` if they may be equal.
    pub equal: Option<FaultTreatment>,
    /// The smallest and the largest number of ranked candidates.
    pub limits: (u32, Option<u32>),
    /// Whether more candidates make the ballot invalid. Otherwise the ranking ends there.
    pub refuses_more: bool,
}

/// What a fault does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultTreatment {
    /// The rank is passed over.
    PassOver,
    /// The ranking ends.
    End,
    /// The ballot is invalid.
    Refuse,
}

/// Equal ballots.
#[derive(Clone, Debug, PartialEq)]
pub struct ElectionBallot {
    /// The number of voters.
    pub voters: u64,
    /// The weight of each.
    pub weight: Decimal,
    /// The marks.
    pub marks: BallotMarks,
}

/// The marks of a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BallotMarks {
    /// Abstain.
    Abstain,
    /// None.
    None,
    /// Chosen candidates.
    Chosen(Vec<u32>),
    /// Answers: `Some(true)` for yes, `Some(false)` for no, `None` to abstain.
    Answers(Vec<(u32, Option<bool>)>),
    /// Votes or points.
    Points(Vec<(u32, u32)>),
    /// Ranks: each with a candidate, in ascending order of the ranks.
    Ranks(Vec<(u32, u32)>),
    /// A list with candidates on it.
    List(u32, Vec<u32>),
}

/// What equal candidates or lists compete for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieFor {
    /// Seats.
    Seats,
    /// Staying in the count: one is excluded.
    Exclusion,
    /// The first transfer of a surplus.
    Surplus,
    /// Seats of lists. The numbers are those of lists.
    ListSeats,
}

/// A tie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElectionTie {
    /// The stage of the decision.
    pub stage: u32,
    /// What they compete for.
    pub matter: TieFor,
    /// The numbers of those who are equal.
    pub numbers: Vec<u32>,
    /// How many are needed.
    pub wanted: u32,
}

/// A tie with its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedTie {
    /// The tie.
    pub tie: ElectionTie,
    /// The decision.
    pub by: TieDecider,
}

/// What decided a tie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TieDecider {
    /// A lot from a seed.
    Seed(String),
    /// People, with those that were needed first.
    Order(Vec<u32>),
}
