use async_trait::async_trait;
use plenum_kernel::PortFailure;

use crate::{AuditEntry, AuditFilter, AuditScope, NotedAct};

/// Where a chain of the audit log ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainState {
    /// The number and the hash of its last link, as they are kept beside the chain; none of an empty one.
    pub head: Option<(u64, Vec<u8>)>,
    /// How many entries are not linked yet.
    pub waiting: u64,
}

/// The audit log. Changes of what is stored write themselves into it; here is noted what changes nothing, and read.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait AuditTrail: Send + Sync {
    /// Notes an act, on behalf of whom the call is made. MUST note nothing in a client that is gone.
    async fn note(&self, act: NotedAct) -> Result<(), PortFailure>;

    /// Notes an act, and MUST NOT wait for it: how long a refused sign-in takes would tell whether there is such a name. May
    /// leave it out while very many wait.
    fn note_aside(&self, act: NotedAct);

    /// The entries that fit the filter, the newest first, at most `limit`; MUST NOT hold any of another scope.
    async fn list(&self, scope: AuditScope, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditEntry>, PortFailure>;

    /// Where the chain ends.
    async fn chain_state(&self, scope: AuditScope) -> Result<ChainState, PortFailure>;

    /// The links of the chain that come after this number, in order, at most `limit`.
    async fn chain_after(&self, scope: AuditScope, number: u64, limit: u32) -> Result<Vec<AuditEntry>, PortFailure>;
}
