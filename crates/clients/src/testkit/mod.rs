//! What tests of this domain, and of everything above it, stand on: stores in memory, security that costs no time,
//! sample people, and the contract that every store must keep.

mod audit;
#[expect(clippy::unwrap_used, reason = "the cases are tests, although other crates run them")]
pub mod contract;
mod in_memory;
mod samples;
mod security;

pub use audit::NotedActs;
pub use in_memory::InMemoryClients;
pub use samples::Samples;
pub use security::{InstantHasher, NumberedAccessTokens, PlainDeviceTokens, PlainFactorCipher, PlainRefreshTokens};

pub use crate::ports::{
    MockAccountStore, MockActivitySource, MockAuditTrail, MockClientReportSource, MockClientStore, MockEndUserStore,
    MockPasswordHasher, MockPasswordStore, MockSecondFactorStore, MockSessionStore, MockSheetReader, MockSheetWriter,
};
