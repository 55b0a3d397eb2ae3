//! Shared test code of this crate and its adapters: the in-memory store, the contract suites and the mocks.

pub mod contract;
mod in_memory;
mod in_memory_urn_keys;
mod plain_records;

pub use in_memory::InMemoryVoting;
pub use in_memory_urn_keys::InMemoryUrnKeys;
pub use plain_records::PlainRecords;

pub use crate::ballots::ports::MockBallotBox;
pub use crate::live::MockPresence;
pub use crate::live::MockVotingSignals;
pub use crate::register::register_changes::MockRegisterChanges;
pub use crate::results::archives::MockArchives;
pub use crate::results::meeting_record::MockMeetingRecords;
pub use crate::results::purge::{MockPurgeDocuments, MockPurgeStore};
pub use crate::results::record::MockResultRecords;
pub use crate::results::result_store::MockResultStore;
pub use crate::results::timestamps::MockRecordTimestamps;
pub use crate::results::urn_store::MockUrnStore;
pub use crate::rounds::ports::MockRoundStore;
pub use crate::rounds::prepare_registers::MockPreparedRegisters;
pub use crate::urns::ports::MockUrnKeys;
