//! Support for tests of this domain and of all crates above it: in-memory stores, fast security, sample people, and the
//! contract that every store must fulfil.

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

pub use crate::clients::audit::ports::MockAuditTrail;
pub use crate::clients::end_users::ports::MockEndUserStore;
pub use crate::clients::organizations::ports::MockClientStore;
pub use crate::clients::reports::ports::{MockActivitySource, MockClientReportSource};
pub use crate::clients::sheet::{MockSheetReader, MockSheetWriter};
pub use crate::identity::accounts::ports::{MockAccountStore, MockPasswordHasher, MockPasswordStore};
pub use crate::identity::join_links::ports::MockJoinLinkStore;
pub use crate::identity::second_factor::ports::MockSecondFactorStore;
pub use crate::identity::sessions::ports::MockSessionStore;
