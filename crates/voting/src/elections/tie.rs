use std::mem::discriminant;

use super::lot::draw;
use plenum_kernel::election::Candidate;

/// Equal candidates or lists of which the count needs some, and no rule says which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The stage to which the decision belongs.
    pub stage: u32,
    /// The matter, with those who are equal.
    pub matter: TieMatter,
}

/// The matter of a tie. Candidates and lists are in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TieMatter {
    /// More candidates are equal than there are seats for them.
    Seats {
        /// The equal candidates.
        candidates: Vec<Candidate>,
        /// The seats that are left for them.
        seats: u32,
    },
    /// One of several equal candidates must be excluded.
    Exclusion {
        /// The equal candidates.
        candidates: Vec<Candidate>,
    },
    /// One of several equal surpluses must be transferred first.
    FirstSurplus {
        /// The candidates with equal surpluses.
        candidates: Vec<Candidate>,
    },
    /// More lists have an equal quotient than there are seats for them.
    ListSeats {
        /// The numbers of the lists.
        lists: Vec<u32>,
        /// The seats that are left for them.
        seats: u32,
    },
}

impl Tie {
    /// The numbers of the candidates, or of the lists if the tie is between lists.
    pub fn numbers(&self) -> Vec<u32> {
        match &self.matter {
            TieMatter::Seats { candidates, .. }
            | TieMatter::Exclusion { candidates }
            | TieMatter::FirstSurplus { candidates } => candidates.iter().map(|candidate| candidate.number()).collect(),
            TieMatter::ListSeats { lists, .. } => lists.clone(),
        }
    }

    /// Whether the tie is for seats, which another ballot can decide. Other ties are about the order of a count.
    pub const fn is_for_seats(&self) -> bool {
        matches!(self.matter, TieMatter::Seats { .. } | TieMatter::ListSeats { .. })
    }

    /// All tied numbers: these in their order, then the others.
    fn completed(&self, mut order: Vec<u32>) -> Vec<u32> {
        let rest: Vec<u32> = self.numbers().into_iter().filter(|number| !order.contains(number)).collect();
        order.extend(rest);
        order
    }

    /// How many of them the count needs.
    pub fn wanted(&self) -> usize {
        match &self.matter {
            TieMatter::Seats { seats, .. } | TieMatter::ListSeats { seats, .. } => *seats as usize,
            TieMatter::Exclusion { .. } | TieMatter::FirstSurplus { .. } => 1,
        }
    }
}

/// A tie with the decision that people or a lot made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieDecision {
    /// The tie, as the count reported it.
    pub tie: Tie,
    /// The decision.
    pub decided: Decided,
}

/// The way in which a tie was decided. Numbers are those of [`Tie::numbers`]: those that the count needs come first, so
/// the first one gets the seat, is excluded, or transfers its surplus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Plenum drew the lot from this seed, which anybody can repeat; see [`draw`].
    Lot {
        /// The text of the seed.
        seed: String,
    },
    /// People drew the lot.
    LotByHand {
        /// The numbers in the order in which they were drawn.
        order: Vec<u32>,
    },
    /// The tied candidates stood in another ballot.
    RunOff {
        /// The numbers in the order of that ballot.
        order: Vec<u32>,
    },
}

/// The kind of a decision, for the record of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// A lot from a seed.
    Lot,
    /// A lot that people drew.
    LotByHand,
    /// Another ballot.
    RunOff,
}

/// The decisions for the ties of a count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TieDecisions {
    /// Decisions for single ties, in the order of the count.
    pub made: Vec<TieDecision>,
    /// Decisions of another count of the same ballots. They decide ties among those whom they put into an order.
    pub precedents: Vec<TieDecision>,
    /// The seed of a lot for all other ties. `None` ends the count at the first one.
    pub seed: Option<String>,
    /// Whether a tie for seats without a decision ends the count although there is a seed.
    pub leaves_seats: bool,
}

/// A tie that the count went past, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedTie {
    /// The equal candidates or lists.
    pub tie: Tie,
    /// What decided.
    pub by: ResolvedBy,
}

/// What decided a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResolvedBy {
    /// Their votes at the end of this stage, the most recent one at which they differed.
    EarlierStage(u32),
    /// Nothing, because every order leads to the same stages: none of the candidates has a vote, and all of them are
    /// excluded one after the other. They follow one another by their numbers.
    NoDifference,
    /// A decision.
    Decision(DecidedBy),
}

/// A decision that does not belong to the count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// The count has no such tie.
    #[error("there is no such tie in this count: {0:?}")]
    NoSuchTie(Tie),
    /// The order does not name the tied candidates, or too few of them.
    #[error("the decision must name at least {} of the tied numbers {:?}, each once", .0.wanted(), .0.numbers())]
    WrongOrder(Tie),
}

/// Looks decisions up while a count runs.
pub(super) struct TieBreaker<'a> {
    decisions: &'a TieDecisions,
    is_used: Vec<bool>,
}

impl<'a> TieBreaker<'a> {
    /// Checks that each decision names candidates of its tie.
    pub(super) fn new(decisions: &'a TieDecisions) -> Result<Self, DecisionError> {
        for decision in &decisions.made {
            if !decision.fits() {
                return Err(DecisionError::WrongOrder(decision.tie.clone()));
            }
        }
        Ok(Self { decisions, is_used: vec![false; decisions.made.len()] })
    }

    /// The tied numbers in the decided order, all of them. Those that the decision does not name come last. `None` if
    /// nobody has decided.
    pub(super) fn order(&mut self, tie: &Tie) -> Option<(Vec<u32>, DecidedBy)> {
        if let Some(place) = self.decisions.made.iter().position(|decision| decision.tie == *tie) {
            self.is_used[place] = true;
            return Some(self.decisions.made[place].order());
        }
        if let Some(order) = self.decisions.precedents.iter().find_map(|precedent| precedent.order_among(tie)) {
            return Some(order);
        }
        let seed = self.decisions.seed.as_ref().filter(|_| !(self.decisions.leaves_seats && tie.is_for_seats()))?;
        Some((draw(seed, tie), DecidedBy::Lot))
    }

    /// Refuses decisions for ties that did not occur.
    pub(super) fn finish(&self) -> Result<(), DecisionError> {
        match self.is_used.iter().position(|is_used| !is_used) {
            Some(place) => Err(DecisionError::NoSuchTie(self.decisions.made[place].tie.clone())),
            None => Ok(()),
        }
    }
}

impl TieDecision {
    fn fits(&self) -> bool {
        let tied = self.tie.numbers();
        match &self.decided {
            Decided::Lot { .. } => true,
            Decided::LotByHand { order } | Decided::RunOff { order } => {
                let is_new = |(place, number): (usize, &u32)| !order[..place].contains(number);
                let are_tied = order.iter().all(|number| tied.contains(number));
                are_tied && order.iter().enumerate().all(is_new) && order.len() >= self.tie.wanted()
            }
        }
    }

    fn order(&self) -> (Vec<u32>, DecidedBy) {
        let (named, by) = self.named();
        (self.tie.completed(named), by)
    }

    /// The numbers that the decision puts into an order.
    fn named(&self) -> (Vec<u32>, DecidedBy) {
        match &self.decided {
            Decided::Lot { seed } => (draw(seed, &self.tie), DecidedBy::Lot),
            Decided::LotByHand { order } => (order.clone(), DecidedBy::LotByHand),
            Decided::RunOff { order } => (order.clone(), DecidedBy::RunOff),
        }
    }

    /// Whether this decision also orders another tie.
    pub fn orders(&self, tie: &Tie) -> bool {
        self.order_among(tie).is_some()
    }

    /// The order that this decision gives another tie of the same kind. `None` if it does not order enough of the tied.
    fn order_among(&self, tie: &Tie) -> Option<(Vec<u32>, DecidedBy)> {
        let (known, tied) = (self.tie.numbers(), tie.numbers());
        let is_same_kind = discriminant(&self.tie.matter) == discriminant(&tie.matter);
        if !is_same_kind || !tied.iter().all(|number| known.contains(number)) {
            return None;
        }
        let (mut named, by) = self.named();
        named.retain(|number| tied.contains(number));
        (named.len() >= tie.wanted()).then(|| (tie.completed(named), by))
    }
}
