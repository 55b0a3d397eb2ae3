use async_trait::async_trait;
use plenum_kernel::PortFailure;

use crate::{AuditEntry, AuditFilter, AuditScope, NotedAct};

/// The end of a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainState {
    /// The number and the hash of the last link, which are stored separately; `None` for an empty chain.
    pub head: Option<(u64, Vec<u8>)>,
    /// The number of entries that are not linked yet.
    pub waiting: u64,
}

/// The audit log. Stored changes record themselves. This port records actions without a stored change, and reads the
/// log.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AuditTrail: Send + Sync {
    /// Records an action of the current caller. MUST record nothing for a client that was removed.
    async fn note(&self, act: NotedAct) -> Result<(), PortFailure>;

    /// Records an action in the background. MUST NOT wait: the duration of a refused sign-in would reveal whether the
    /// name exists. May drop the action when too many are queued.
    fn note_in_background(&self, act: NotedAct);

    /// Lists the entries that match the filter, the newest first, at most `limit`. MUST NOT return entries of another
    /// scope.
    async fn list(&self, scope: AuditScope, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditEntry>, PortFailure>;

    /// Finds the end of the chain.
    async fn chain_state(&self, scope: AuditScope) -> Result<ChainState, PortFailure>;

    /// Lists the links of the chain after this number, in order, at most `limit`.
    async fn chain_after(&self, scope: AuditScope, number: u64, limit: u32) -> Result<Vec<AuditEntry>, PortFailure>;
}
