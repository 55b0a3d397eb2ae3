//! Rounds, the register, ballots and tallies.
//!
//! A round is one opening of voting on one question, with the wording, the options and the register as they stood at
//! that moment. Values come first (`round.rs`, `wording.rs`, `ballot.rs`, `tally.rs`), then the rule of opening
//! (`opening.rs`), then what this domain needs of the outside (`ports.rs`), then one file per use case.
//!
//! The promise of this crate: a vote is counted or refused with a reason, never half. `cast_ballot.rs` holds the
//! order in which that is decided.

mod ballot;
mod cast_ballot;
mod count_round;
mod discard_test_vote;
mod opening;
mod ports;
mod round;
mod run_rounds;
mod see_ballots;
mod tally;
#[cfg(feature = "testkit")]
pub mod testkit;
mod wording;

pub use ballot::{Answer, Ballot, BallotRule, StoredVote};
pub use cast_ballot::{BallotService, CastBallotError, WithdrawError};
pub use count_round::{CountRoundError, CountingService};
pub use discard_test_vote::{TestVotes, check_discard, is_test_round};
pub use opening::{Floor, LastRound, Opening, OpeningRule, decide_opening};
pub use ports::{BallotBox, BoxAnswer, DiscardVoteError, OpenRoundError, RoundStore, VotingSignals};
pub use round::{Count, CurrentQuestion, Round, RoundOverview, RoundStatus, VoterRound};
pub use run_rounds::RoundService;
pub use see_ballots::VoterRounds;
pub use tally::{CountedVote, NumberTally, OptionTally, Tally, TextTally, ValueCount};
pub use wording::{RoundOption, Wording};
