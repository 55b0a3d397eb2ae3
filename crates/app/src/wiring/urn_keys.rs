use std::sync::Arc;

use async_trait::async_trait;
use plenum_adapter_nats::NatsBus;
use plenum_adapter_security::{FolderUrnKeys, SharedUrnKeys};
use plenum_kernel::{InstanceId, PortFailure, RoundId};
use plenum_voting::{
    CastEnvelope, Envelope, HeldShare, KeyShare, OpenedBallot, PreparedKey, Sealing, UnlockError, UrnKeys,
};

use super::security::SecurityPorts;

/// The keys of secret rounds: in the folder of this instance, and with `nats` shared with the others.
pub(super) fn urn_keys(
    folder: Option<FolderUrnKeys>,
    nats: Option<&Arc<NatsBus>>,
    ports: &SecurityPorts,
    signing_key: &[u8],
) -> Arc<dyn UrnKeys> {
    match (folder, nats) {
        (None, _) => Arc::new(NoUrnKeys),
        (Some(folder), None) => Arc::new(folder),
        (Some(folder), Some(nats)) => {
            let instance = InstanceId::new(&*ports.ids);
            Arc::new(SharedUrnKeys::start(folder, Arc::clone(nats) as _, instance, signing_key))
        }
    }
}

/// Keys for commands, which open no round and count none.
struct NoUrnKeys;

fn none() -> PortFailure {
    PortFailure::new("the folder of vote keys", "this command has none")
}

#[async_trait]
impl UrnKeys for NoUrnKeys {
    async fn prepare(&self, _: RoundId) -> Result<PreparedKey, PortFailure> {
        Err(none())
    }

    async fn fetch(&self, _: RoundId) -> Result<(), UnlockError> {
        Err(none().into())
    }

    async fn public_key(&self, _: RoundId, _: &KeyShare) -> Result<Vec<u8>, UnlockError> {
        Err(none().into())
    }

    fn unlock(
        &self,
        _: RoundId,
        _: &[u8],
        _: &KeyShare,
        _: &[CastEnvelope],
    ) -> Result<Vec<Option<OpenedBallot>>, UnlockError> {
        Err(none().into())
    }

    fn seal(&self, _: &OpenedBallot, _: usize, _: Sealing) -> Result<Envelope, PortFailure> {
        Err(none())
    }

    async fn destroy(&self, _: RoundId) -> Result<(), PortFailure> {
        Err(none())
    }

    async fn held(&self) -> Result<Vec<HeldShare>, PortFailure> {
        Ok(Vec::new())
    }
}
