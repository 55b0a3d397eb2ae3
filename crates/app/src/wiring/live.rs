use std::sync::Arc;

use plenum_adapter_http::JsonFrames;
use plenum_adapter_live::{BusSignals, InProcessBus, LiveHub, LivePorts, LiveSettings};
use plenum_adapter_nats::NatsBus;
use plenum_adapter_postgres::{PostgresAttendance, PostgresLive};
use plenum_kernel::InstanceId;
use plenum_meetings::live::{LiveBus, LiveSignals};
use plenum_voting::{SealingKeys, VotingSignals};

use super::confirmed_live::ConfirmedLive;
use super::security::SecurityPorts;
use crate::database::Pools;

/// The live hub, and the signals by which services inform it.
pub(super) struct Live {
    pub(super) hub: Arc<LiveHub>,
    pub(super) meeting_signals: Arc<dyn LiveSignals>,
    pub(super) voting_signals: Arc<dyn VotingSignals>,
    pub(super) bus: Arc<dyn LiveBus>,
}

impl Live {
    /// Starts the hub. Its tasks stay on the current runtime. With `nats`, it exchanges notices and presence with other
    /// instances.
    pub(super) fn start(
        pools: &Pools,
        ports: &SecurityPorts,
        nats: Option<&Arc<NatsBus>>,
        keys: &Arc<SealingKeys>,
    ) -> Self {
        let bus: Arc<dyn LiveBus> = match nats {
            Some(nats) => Arc::clone(nats) as _,
            None => Arc::new(InProcessBus::new()),
        };
        let signals = Arc::new(BusSignals::new(Arc::clone(&bus)));
        let source = Arc::new(PostgresLive::new(pools.voting.clone()));
        let live_ports = LivePorts {
            source: Arc::new(ConfirmedLive::new(source, Arc::clone(keys))),
            frames: Arc::new(JsonFrames),
            bus: Arc::clone(&bus),
            clock: Arc::clone(&ports.clock),
        };
        let mut hub = LiveHub::start(live_ports, InstanceId::new(&*ports.ids), LiveSettings::default());
        if let Some(nats) = nats {
            hub.share_presence(Arc::clone(nats) as _);
        }
        hub.record_attendance(Arc::new(PostgresAttendance::new(pools.general.clone())));
        Self { hub: Arc::new(hub), meeting_signals: Arc::clone(&signals) as _, voting_signals: signals, bus }
    }
}
