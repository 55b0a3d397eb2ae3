use chrono::{DateTime, Utc};
use plenum_kernel::election::TieRule;
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId};

use crate::elections::{Decided, Tie, TieDecision};
use crate::{Decision, ResultService, ShowCountError};

/// The lot that decides a tie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TieLot {
    /// Plenum draws. The seed is the id of the round, which was drawn when voting opened: nobody could know the votes then, and
    /// a repeated draw gives the same order.
    Drawn,
    /// People drew.
    ByHand {
        /// The numbers in the order in which they were drawn.
        order: Vec<u32>,
        /// Who drew.
        drawn_by: String,
        /// Who saw it.
        witnessed_by: String,
    },
}

/// An organizer's decision of the tie at which a count waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieRequest {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The organizer.
    pub by: AccountId,
    /// The stage of the tie, as the organizer saw it.
    pub stage: u32,
    /// The tied numbers, as the organizer saw them.
    pub numbers: Vec<u32>,
    /// The lot.
    pub lot: TieLot,
}

/// A decision of a tie to store, after those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTieDecision {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The organizer, whose name is stored.
    pub by: AccountId,
    /// The time.
    pub at: DateTime<Utc>,
    /// The number of decisions before it.
    pub before: usize,
    /// The tie and its decision.
    pub decision: TieDecision,
    /// Who drew a lot by hand.
    pub drawn_by: Option<String>,
    /// Who saw it.
    pub witnessed_by: Option<String>,
}

/// The reason why a tie was not decided.
#[derive(Debug, thiserror::Error)]
pub enum DecideTieError {
    /// The count cannot be shown.
    #[error(transparent)]
    Count(ShowCountError),
    /// The round is no election, its count waits at no such tie, or the result is declared.
    #[error("the count does not wait at this tie: load the result again")]
    OtherTie,
    /// The quorum was missed, so nobody is elected.
    #[error("the quorum was missed, so nobody is elected and no lot is drawn")]
    QuorumMissed,
    /// The terms leave the tie to another ballot.
    #[error("by the terms of this election another ballot decides this tie, not a lot")]
    LeftToBallot,
    /// The terms say that Plenum draws, or that people do.
    #[error("by the terms of this election {}", if *by_hand { "people draw this lot" } else { "Plenum draws this lot" })]
    OtherLot {
        /// Whether people draw.
        by_hand: bool,
    },
    /// The order does not name enough of the tied, or names others.
    #[error("must name at least {wanted} of the numbers {numbers:?}, each once")]
    WrongOrder {
        /// How many the count needs.
        wanted: usize,
        /// The tied numbers.
        numbers: Vec<u32>,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<ShowCountError> for DecideTieError {
    fn from(error: ShowCountError) -> Self {
        match error {
            // A declared result is intact, and waits for nothing.
            ShowCountError::Declared => Self::OtherTie,
            error => Self::Count(error),
        }
    }
}

impl ResultService {
    /// Decides the tie at which the count of an election waits, and informs the live screens. A decision is never changed or
    /// taken back.
    ///
    /// # Errors
    /// Fails when the count is not shown ([`Self::result`]), waits at another tie or at none, when the quorum was missed, when
    /// the terms leave the tie to another ballot or ask for the other kind of lot, and when a lot by hand names others than the
    /// tied.
    pub async fn decide_tie(&self, request: TieRequest) -> Result<(), DecideTieError> {
        let TieRequest { owner, meeting, round, by, stage, numbers, lot } = request;
        let placed = self.result(owner, meeting, round).await?;
        let election = placed.result.result.election.as_ref().ok_or(DecideTieError::OtherTie)?;
        let tie = election.open_tie().filter(|tie| tie.stage == stage && tie.numbers() == numbers);
        let tie = tie.ok_or(DecideTieError::OtherTie)?;
        if placed.result.result.decision == Decision::QuorumMissed {
            return Err(DecideTieError::QuorumMissed);
        }
        if !election.waits_for_lot() {
            return Err(DecideTieError::LeftToBallot);
        }
        check_kind(election.rule.ties, &lot)?;
        let (decided, drawn_by, witnessed_by) = match lot {
            TieLot::Drawn => (Decided::Lot { seed: round.as_uuid().to_string() }, None, None),
            TieLot::ByHand { order, drawn_by, witnessed_by } => {
                check_order(tie, &order)?;
                (Decided::LotByHand { order }, Some(drawn_by), Some(witnessed_by))
            }
        };
        let decision = TieDecision { tie: tie.clone(), decided };
        let (at, before) = (self.ports.clock.now(), election.decisions.len());
        let new = NewTieDecision { owner, meeting, round, by, at, before, decision, drawn_by, witnessed_by };
        self.ports.declarations.decide_tie(new).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }
}

fn check_kind(rule: TieRule, lot: &TieLot) -> Result<(), DecideTieError> {
    match (rule, lot) {
        (TieRule::DrawnLot, TieLot::ByHand { .. }) => Err(DecideTieError::OtherLot { by_hand: false }),
        (TieRule::LotByHand, TieLot::Drawn) => Err(DecideTieError::OtherLot { by_hand: true }),
        _ => Ok(()),
    }
}

fn check_order(tie: &Tie, order: &[u32]) -> Result<(), DecideTieError> {
    let tied = tie.numbers();
    let is_new = |(place, number): (usize, &u32)| !order[..place].contains(number);
    let fits = order.iter().all(|number| tied.contains(number))
        && order.iter().enumerate().all(is_new)
        && order.len() >= tie.wanted();
    if fits { Ok(()) } else { Err(DecideTieError::WrongOrder { wanted: tie.wanted(), numbers: tied }) }
}
