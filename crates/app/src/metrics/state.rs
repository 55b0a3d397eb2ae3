//! States that are read at each scrape: queues, streams, connections, the embedded database and the process.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use nix::sys::resource::{Resource, getrlimit};
use plenum_adapter_http::ProcessMemory as _;
use plenum_adapter_live::LiveHub;
use plenum_adapter_nats::NatsBus;
use plenum_adapter_security::BcryptHasher;
use plenum_adapter_tls::CurrentValidity;
use plenum_clients::PasswordHasher as _;
use plenum_embedded_postgres::ServerWatch;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeGaugeValue, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;

use super::names::{
    BUILD, BUS, CALLS_WAITING, CERTIFICATE_END, CERTIFICATE_START, CONNECTIONS, CONNECTIONS_MAX, DATABASE_UP,
    EMBEDDED_RESTARTS, EMBEDDED_ROOM, EMBEDDED_UP, MEMORY, Name, OPEN_FILES, OPEN_FILES_MAX, SIGN_IN_QUEUE, STARTED,
    STREAMS, TIMESTAMP_FAILURES, TIMESTAMPS_WAITING,
};
use crate::database::Pools;
use crate::server::OwnMemory;
use crate::workers::TimestampCounts;

/// The parts of a product whose state is read at each scrape.
pub(crate) struct ProductState {
    pub(crate) hasher: Arc<BcryptHasher>,
    pub(crate) hub: Arc<LiveHub>,
    pub(crate) pools: Pools,
    /// The embedded database, if there is one.
    pub(crate) embedded: Option<ServerWatch>,
    pub(crate) nats: Option<Arc<NatsBus>>,
    /// The counters of timestamps, if there is a service.
    pub(crate) timestamps: Option<Arc<TimestampCounts>>,
    /// The validity of the server's certificate, if it encrypts.
    pub(crate) certificate: Option<CurrentValidity>,
    pub(crate) started_at: DateTime<Utc>,
}

impl fmt::Debug for ProductState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProductState").finish_non_exhaustive()
    }
}

impl Collector for ProductState {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut page = Page(encoder);
        self.encode_queues(&mut page)?;
        self.encode_database(&mut page)?;
        self.encode_certificate(&mut page)?;
        self.encode_process(&mut page)
    }
}

impl ProductState {
    fn encode_queues(&self, page: &mut Page<'_>) -> fmt::Result {
        let streams = self.hub.stream_counts();
        page.gauges(
            &STREAMS,
            [
                ([("audience", "organizer")], streams.organizers),
                ([("audience", "voter")], streams.voters),
                ([("audience", "public")], streams.public),
            ],
        )?;
        if let Some(timestamps) = &self.timestamps {
            page.gauge(&TIMESTAMPS_WAITING, timestamps.waiting())?;
            page.counter(&TIMESTAMP_FAILURES, timestamps.failures())?;
        }
        page.gauge(&SIGN_IN_QUEUE, self.hasher.queue(None).ahead)
    }

    fn encode_database(&self, page: &mut Page<'_>) -> fmt::Result {
        let loads = self.pools.named().map(|(name, pool)| (name, pool.load()));
        page.gauge(&DATABASE_UP, u32::from(self.pools.general.load().is_reached))?;
        page.gauges(
            &CONNECTIONS,
            loads.iter().flat_map(|(name, load)| {
                [
                    ([("pool", *name), ("state", "busy")], load.connections.saturating_sub(load.idle)),
                    ([("pool", *name), ("state", "idle")], load.idle),
                ]
            }),
        )?;
        page.gauges(&CONNECTIONS_MAX, loads.iter().map(|(name, load)| ([("pool", *name)], load.at_most)))?;
        page.gauges(&CALLS_WAITING, loads.iter().map(|(name, load)| ([("pool", *name)], load.waiting)))?;
        if let Some(embedded) = &self.embedded {
            page.gauge(&EMBEDDED_UP, u32::from(embedded.is_running()))?;
            page.counter(&EMBEDDED_RESTARTS, embedded.restarts())?;
            if let Some(bytes) = embedded.free_bytes() {
                page.gauge(&EMBEDDED_ROOM, bytes)?;
            }
        }
        if let Some(nats) = &self.nats {
            page.gauge(&BUS, u32::from(nats.is_connected()))?;
        }
        Ok(())
    }

    fn encode_certificate(&self, page: &mut Page<'_>) -> fmt::Result {
        let Some(validity) = self.certificate.as_ref().and_then(CurrentValidity::get) else { return Ok(()) };
        page.gauge(&CERTIFICATE_START, validity.starts_at.timestamp())?;
        page.gauge(&CERTIFICATE_END, validity.ends_at.timestamp())
    }

    /// Values that the system does not report are left out; 0 would be wrong.
    fn encode_process(&self, page: &mut Page<'_>) -> fmt::Result {
        if let Ok(memory) = OwnMemory.facts() {
            page.gauge(&MEMORY, memory.resident_bytes)?;
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            page.gauge(&OPEN_FILES, files.count())?;
        }
        if let Ok((limit, _)) = getrlimit(Resource::RLIMIT_NOFILE) {
            page.gauge(&OPEN_FILES_MAX, limit)?;
        }
        page.gauge(&STARTED, self.started_at.timestamp())?;
        page.gauges(&BUILD, [([("version", env!("CARGO_PKG_VERSION"))], 1_u32)])
    }
}

/// The encoder of one scrape.
struct Page<'a>(DescriptorEncoder<'a>);

impl Page<'_> {
    fn gauge(&mut self, name: &Name, value: impl EncodeGaugeValue + Copy) -> fmt::Result {
        let help = format!("{}.", name.help);
        self.0.encode_descriptor(name.family, &help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    /// Encodes a value for each combination of labels.
    fn gauges<const N: usize, V: EncodeGaugeValue>(
        &mut self,
        name: &Name,
        values: impl IntoIterator<Item = ([(&'static str, &'static str); N], V)>,
    ) -> fmt::Result {
        let help = format!("{}.", name.help);
        let mut encoder = self.0.encode_descriptor(name.family, &help, None, MetricType::Gauge)?;
        for (labels, value) in values {
            encoder.encode_family(&labels)?.encode_gauge(&value)?;
        }
        Ok(())
    }

    fn counter(&mut self, name: &Name, value: u64) -> fmt::Result {
        let help = format!("{}.", name.help);
        let encoder = self.0.encode_descriptor(name.family, &help, None, MetricType::Counter)?;
        ConstCounter::new(value).encode(encoder)
    }
}
