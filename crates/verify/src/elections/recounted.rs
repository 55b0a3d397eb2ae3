use std::collections::{BTreeMap, BTreeSet};

use super::papers::ElectionTie;

/// The result that follows from the papers. Amounts are exact numbers as text, without redundant zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecountedElection {
    /// The valid ballots: voters and amount.
    pub valid: (u64, String),
    /// The abstentions.
    pub abstentions: (u64, String),
    /// The invalid ballots.
    pub invalid: (u64, String),
    /// The faults of ballots with their effects, and the number of voters with each.
    pub faults: BTreeMap<(BallotFault, FaultEffect), u64>,
    /// The stages.
    pub stages: Vec<RecountedStage>,
    /// The elected candidates in their order, each with the stage.
    pub elected: Vec<(u32, u32)>,
    /// The tie at which the count ended.
    pub tie: Option<ElectionTie>,
    /// The vacant seats of a complete count.
    pub vacant: u32,
    /// The support of each candidate, or of each list.
    pub support: BTreeMap<u32, String>,
    /// The candidates in groups of equal ones, the best first, where the method compares all of them.
    pub order: Vec<BTreeSet<u32>>,
    /// The further numbers.
    pub numbers: MethodNumbers,
}

/// The further numbers of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MethodNumbers {
    /// None.
    #[default]
    None,
    /// Yes, no and the other valid votes for each candidate, and whether the share is met.
    Answers(BTreeMap<u32, ([String; 3], bool)>),
    /// The votes that prefer one candidate to another, and the strongest path between them.
    Pairs(BTreeMap<(u32, u32), [String; 2]>),
    /// The seats of each list: the number of each among all seats, and its divisor.
    Lists(BTreeMap<u32, Vec<(u32, u32)>>),
}

/// A stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecountedStage {
    /// The candidates whose papers moved. Empty when papers were dealt.
    pub from: BTreeSet<u32>,
    /// The votes of each candidate at the end.
    pub votes: BTreeMap<u32, String>,
    /// The papers that moved, by receiver (0 for nobody) and value: papers and votes.
    pub parcels: BTreeMap<(u32, String), [String; 2]>,
    /// The votes without a further preference.
    pub non_transferable: String,
    /// The votes that cut decimals have lost.
    pub remainder: String,
    /// The quota, or half of the continuing votes.
    pub quota: Option<String>,
}

/// A fault of a ballot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BallotFault {
    /// No mark.
    Blank,
    /// Marks for withdrawn candidates only.
    OnlyWithdrawn,
    /// A mark for a withdrawn candidate.
    Withdrawn,
    /// A ballot of another method.
    OtherMethod,
    /// A number that nobody has.
    Unknown,
    /// Too few marks.
    TooFew,
    /// Too many marks.
    TooMany,
    /// A candidate twice.
    Repeated,
    /// A skipped rank.
    Skipped,
    /// Several candidates in one rank.
    Equal,
    /// Too many votes or points for one candidate.
    TooManyForOne,
    /// "None of the above" beside candidates.
    NobodyAndOthers,
    /// A candidate who is not on the chosen list.
    OtherList,
}

/// What a fault does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultEffect {
    /// The mark is passed over.
    PassedOver,
    /// The ranking ends.
    Cut,
    /// The ballot is invalid.
    Invalid,
    /// The ballot is an abstention.
    Abstention,
    /// The ballot is valid for nobody.
    ForNobody,
}
