use async_trait::async_trait;
use plenum_kernel::{ClientId, Page, PortFailure};

use crate::{Activity, ClientFilter, ClientReport};

/// Recent events, read from the stored data of all domains. Each call is one read.
///
/// The events are: end users added, meetings created, started and ended, rounds opened and ended, and the last sign-in
/// of each account. End users added at one moment are one event. End users added one by one within ten minutes are one
/// event, at the time of the last. The newest event comes first; events of the same moment are ordered by
/// [`crate::ActivityKind::place`], the highest first. MUST leave out test data.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ActivitySource: Send + Sync {
    /// Lists the events of this client only, at most `limit`. For a client that is test data, MUST NOT leave out test
    /// data.
    async fn of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure>;

    /// Lists the events of all clients and of super administrators, with created clients, at most `limit`.
    async fn of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure>;
}

/// The use of the product by clients, counted over the stored data of all domains, without test data.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientReportSource: Send + Sync {
    /// Reports on each client that matches the filter and is not test data, in the filter's order, at one moment. MUST
    /// NOT count test people and test meetings, with their questions, rounds and votes.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure>;
}
