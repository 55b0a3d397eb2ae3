use async_trait::async_trait;
use plenum_kernel::{ClientId, Page, PortFailure};

use crate::{Activity, ClientFilter, ClientReport};

/// What happened lately, read from what this domain and its neighbours store. Each call is one reading.
///
/// It tells of end users that were added (those of one moment together, and those who came one by one within ten minutes,
/// told at the time of the last), of meetings that were created, started and ended, of
/// rounds that were opened and ended, and of the last sign-in to each account. The newest comes first; what happened at
/// the same moment stands by [`crate::ActivityKind::place`], the highest first. It MUST NOT tell of test data.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ActivitySource: Send + Sync {
    /// What happened in this client, and nothing of another; at most `limit`. A client that is test data is told
    /// everything.
    async fn of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure>;

    /// What happened in all clients and to super administrators, and which clients were made; at most `limit`.
    async fn of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure>;
}

/// How much clients use the product, counted over what this domain and its neighbours store, without test data.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ClientReportSource: Send + Sync {
    /// A report of each client that fits the filter and is no test data, in its order, as of one moment. Of its end users
    /// and meetings, with their questions, rounds and votes, those that are test data MUST NOT be counted.
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure>;
}
