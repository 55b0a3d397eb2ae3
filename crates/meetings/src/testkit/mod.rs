//! Shared test code of this crate and its adapters: the in-memory store, the contract suites and the mocks.

pub mod contract;
mod in_memory;

pub use in_memory::InMemoryMeetings;

pub use crate::agenda::ports::MockQuestionStore;
pub use crate::invitations::ports::MockInvitationStore;
pub use crate::invitations::ports::MockMailSignals;
pub use crate::invitations::ports::MockMailer;
pub use crate::live::{MockLiveSignals, MockLiveSource, MockPresence};
pub use crate::meetings::ports::MockMeetingStore;
pub use crate::meetings::ports::MockVoterMeetings;
pub use crate::minutes::ports::MockRemarkStore;
pub use crate::participants::ports::MockParticipantStore;
pub use crate::rehearsals::ports::MockRehearsalStore;
