use std::sync::Mutex;

use async_trait::async_trait;
use plenum_kernel::PortFailure;

use crate::{AuditEntry, AuditFilter, AuditScope, AuditTrail, ChainState, NotedAct};

/// An audit log that collects the recorded actions, and lists nothing.
#[derive(Debug, Default)]
pub struct NotedActs(Mutex<Vec<NotedAct>>);

impl NotedActs {
    /// All recorded actions.
    pub fn all(&self) -> Vec<NotedAct> {
        self.0.lock().expect("no test panics while it holds the acts").clone()
    }
}

#[async_trait]
impl AuditTrail for NotedActs {
    async fn note(&self, act: NotedAct) -> Result<(), PortFailure> {
        self.note_in_background(act);
        Ok(())
    }

    fn note_in_background(&self, act: NotedAct) {
        self.0.lock().expect("no test panics while it holds the acts").push(act);
    }

    async fn list(&self, _: AuditScope, _: &AuditFilter, _: u32) -> Result<Vec<AuditEntry>, PortFailure> {
        Ok(Vec::new())
    }

    async fn chain_state(&self, _: AuditScope) -> Result<ChainState, PortFailure> {
        Ok(ChainState::default())
    }

    async fn chain_after(&self, _: AuditScope, _: u64, _: u32) -> Result<Vec<AuditEntry>, PortFailure> {
        Ok(Vec::new())
    }
}
