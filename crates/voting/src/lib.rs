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

mod ballots;
mod decision;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod live;
mod register;
mod results;
mod rounds;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use ballots::ballot::{Answer, Ballot, BallotRule, StoredVote};
pub use ballots::cast_ballot::{BallotService, CastBallotError, VoteReset, WithdrawError};
pub use ballots::discard_test_vote::{check_discard, is_test_round};
pub use ballots::ports::{BallotBox, CastOutcome, DiscardVoteError};
pub use decision::arithmetic::Arithmetic;
pub use decision::check::{Check, Figures};
pub use decision::outcome::{Decision, SeatTie, decide};
pub use decision::quorum::QuorumFigures;
pub use decision::threshold::{Needed, is_met, needed};
pub use live::{Presence, VotingSignals};
pub use register::entries::{RegisterEntry, RegisterFilter};
pub use register::keep_register::RegisterService;
pub use register::reason::Reason;
pub use register::register_changes::{
    AdmissionRule, AdmitError, ExcludeError, Exclusion, ExclusionRule, Latecomer, LiftExclusionError, RegisterChange,
    RegisterChanges, decide_admission, decide_exclusion,
};
pub use results::count_round::{CountRoundError, ResultService, VoterResult};
pub use results::countable_round::{
    CountTaking, CountableRound, LoggedResult, PlacedResult, RegisterPaper, RoundPapers, TakenCount, TakenPapers,
};
pub use results::declaring::{Declarable, DeclareError, Declaring, DeclaringRule, decide_declaring};
pub use results::meeting_record::{MeetingRecord, MeetingRecords, NotedAttendance, NotedRemark};
pub use results::result::{RoundResult, Terms};
pub use results::result_store::{DeclaredOnScreen, DeclaredToVoter, ResultStore};
pub use results::tally::{CountedVote, NumberTally, OptionTally, Tally, TextTally, ValueCount};
pub use rounds::countdown::{Countdown, CountdownRule, Running, decide_closing};
pub use rounds::log::{LogEntry, LogKind, LoggedPerson, not_before};
pub use rounds::opening::{
    Floor, LastRound, Opening, OpeningRule, RevoteReason, RoundOpening, Stage, check_quorum, decide_opening,
    decide_revote, decide_showing,
};
pub use rounds::ports::{CountdownError, MAX_CLOSINGS, OpenRoundError, RoundStore};
pub use rounds::round::{
    Closing, Count, CurrentQuestion, Declared, Round, RoundOverview, RoundStatus, Screen, VoterRound,
};
pub use rounds::run_rounds::RoundService;
pub use rounds::wording::{RoundOption, Wording};
