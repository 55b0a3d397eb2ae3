//! What tests of this crate and of its adapters share: the in-memory store, the contract suites and the mocks.

pub mod contract;
mod in_memory;

pub use in_memory::InMemoryVoting;

pub use crate::ports::{MockBallotBox, MockPresence, MockRoundStore, MockVotingSignals};
pub use crate::register::register_changes::MockRegisterChanges;
pub use crate::results::meeting_record::MockMeetingRecords;
pub use crate::results::result_store::MockResultStore;
