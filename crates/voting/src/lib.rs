//! Rounds, the register, ballots, tallies, decision rules and results.
//!
//! A round is one opening of voting on one question, with the wording, the options and the register as they stood at
//! that moment. Values come first (`round.rs`, `register.rs`, `wording.rs`, `ballot.rs`, `tally.rs`), then the rules
//! of opening and of countdowns (`opening.rs`, `countdown.rs`), then what this domain needs of the outside (`ports.rs`), then one file per use case.
//!
//! What follows from a tally: a rule and a quorum (`decision_rule.rs`, `quorum.rs`, both in terms of `threshold.rs` and
//! `unit.rs`) are measured (`check.rs`), decided (`decision.rs`) and told in words (`arithmetic.rs`). `result.rs` holds
//! it all; it is computed there and nowhere else.
//!
//! The promise of this crate: a vote is counted or refused with a reason, never half. `cast_ballot.rs` holds the
//! order in which that is decided.

mod arithmetic;
mod ballot;
mod cast_ballot;
mod check;
mod close_rounds;
mod count_round;
mod countable_round;
mod countdown;
mod decision;
mod declared_results;
mod declaring;
mod discard_test_vote;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod keep_register;
mod log;
mod meeting_record;
mod opening;
mod ports;
mod quorum;
mod reason;
mod register;
mod register_changes;
mod result;
mod result_store;
mod round;
mod run_rounds;
mod see_ballots;
mod tally;
#[cfg(feature = "testkit")]
pub mod testkit;
mod threshold;
mod unit;
mod wording;

pub use arithmetic::Arithmetic;
pub use ballot::{Answer, Ballot, BallotRule, StoredVote};
pub use cast_ballot::{BallotService, CastBallotError, VoteReset, WithdrawError};
pub use check::{Check, Figures};
pub use close_rounds::RoundClosing;
pub use count_round::{CountRoundError, CountingService, VoterResult};
pub use countable_round::{
    CountTaking, CountableRound, LoggedResult, PlacedResult, RegisterPaper, RoundPapers, TakenCount, TakenPapers,
};
pub use countdown::{Countdown, CountdownRule, Running, decide_closing};
pub use decision::{Decision, SeatTie, decide};
pub use declaring::{Declarable, DeclareError, Declaring, DeclaringRule, DeclaringService, decide_declaring};
pub use discard_test_vote::{TestVotes, check_discard, is_test_round};
pub use keep_register::RegisterKeeping;
pub use log::{LogEntry, LogKind, LoggedPerson, not_before};
pub use meeting_record::{MeetingRecord, MeetingRecords, NotedAttendance, NotedRemark};
pub use opening::{
    Floor, LastRound, Opening, OpeningRule, RevoteReason, RoundOpening, Stage, check_quorum, decide_opening,
    decide_revote, decide_showing,
};
pub use ports::{
    BallotBox, CastOutcome, CountdownError, DiscardVoteError, MAX_CLOSINGS, OpenRoundError, Presence, RoundStore,
    VotingSignals,
};
pub use quorum::QuorumFigures;
pub use reason::Reason;
pub use register::{RegisterEntry, RegisterFilter};
pub use register_changes::{
    AdmissionRule, AdmitError, ExcludeError, Exclusion, ExclusionRule, Latecomer, LiftExclusionError, RegisterChange,
    RegisterChanges, decide_admission, decide_exclusion,
};
pub use result::{RoundResult, Terms};
pub use result_store::{DeclaredOnScreen, DeclaredToVoter, ResultStore};
pub use round::{Closing, Count, CurrentQuestion, Declared, Round, RoundOverview, RoundStatus, Screen, VoterRound};
pub use run_rounds::RoundService;
pub use see_ballots::VoterRounds;
pub use tally::{CountedVote, NumberTally, OptionTally, Tally, TextTally, ValueCount};
pub use threshold::{Needed, is_met, needed};
pub use wording::{RoundOption, Wording};
