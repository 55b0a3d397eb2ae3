//! What tests of this crate and of its adapters share: the in-memory store, the contract suites and the mocks.

pub mod contract;
mod in_memory;

pub use in_memory::InMemoryMeetings;

pub use crate::live::{MockLiveSignals, MockLiveSource, MockPresence};
pub use crate::ports::{
    MockInvitationStore, MockMailSignals, MockMailer, MockMeetingStore, MockParticipantStore, MockQuestionStore,
    MockRehearsalStore, MockRemarkStore, MockVoterMeetings,
};
