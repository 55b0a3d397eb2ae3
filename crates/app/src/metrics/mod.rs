//! What `/metrics` tells: the figures of all parts, under the names of [`names`].

mod names;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use nix::sys::resource::{Resource, getrlimit};
use plenum_adapter_http::{MetricsPage, ProcessMemory as _, RequestMetrics};
use plenum_adapter_live::LiveHub;
use plenum_adapter_nats::NatsBus;
use plenum_adapter_postgres::BallotFigures;
use plenum_adapter_security::BcryptHasher;
use plenum_clients::PasswordHasher as _;
use plenum_embedded_postgres::ServerWatch;
use plenum_metrics::{Kind, Page};

use crate::database::Pools;
use crate::server::OwnMemory;
use names::{
    BALLOT_QUEUE, BATCH_SIZE, BUILD, BUS, CALLS_WAITING, CONNECTIONS, CONNECTIONS_MAX, DATABASE_UP, EMBEDDED_RESTARTS,
    EMBEDDED_ROOM, EMBEDDED_UP, MEMORY, OPEN_FILES, OPEN_FILES_MAX, REQUEST_TIME, REQUESTS, REQUESTS_RUNNING,
    SIGN_IN_QUEUE, STARTED, STREAMS, VOTES, WRITE_TIME, WRITERS,
};

/// The name and the kind of everything that `/metrics` may tell, in its order.
pub fn metric_names() -> Vec<(&'static str, Kind)> {
    names::METRICS.iter().map(|metric| (metric.name, metric.kind)).collect()
}

/// Where the figures of a product are.
pub(crate) struct ProductFigures {
    pub(crate) requests: Arc<RequestMetrics>,
    pub(crate) ballots: Arc<BallotFigures>,
    pub(crate) hasher: Arc<BcryptHasher>,
    pub(crate) hub: Arc<LiveHub>,
    pub(crate) pools: Pools,
    /// The embedded database, where there is one.
    pub(crate) embedded: Option<ServerWatch>,
    pub(crate) nats: Option<Arc<NatsBus>>,
    pub(crate) started_at: DateTime<Utc>,
}

impl MetricsPage for ProductFigures {
    fn write(&self) -> String {
        let mut page = Page::new();
        self.write_requests(&mut page);
        self.write_votes(&mut page);
        self.write_database(&mut page);
        self.write_process(&mut page);
        page.into_text()
    }
}

impl ProductFigures {
    fn write_requests(&self, page: &mut Page) {
        let answers = self.requests.answers();
        let statuses: Vec<String> = answers.iter().map(|answer| answer.status.to_string()).collect();
        let labels: Vec<_> = answers
            .iter()
            .zip(&statuses)
            .map(|(answer, status)| [("method", answer.method), ("route", &*answer.route), ("status", &**status)])
            .collect();
        page.numbers(&REQUESTS, labels.iter().zip(&answers).map(|(labels, answer)| (&labels[..], answer.count)));
        let times = self.requests.times();
        let routes: Vec<_> = times.iter().map(|(route, _)| [("route", &**route)]).collect();
        page.histograms(
            &REQUEST_TIME,
            routes.iter().zip(&times).map(|(labels, (_, time))| (&labels[..], time.clone())),
        );
        page.number(&REQUESTS_RUNNING, self.requests.running());
        let watching = self.hub.stream_counts();
        page.numbers(
            &STREAMS,
            [
                (&[("audience", "organizer")][..], watching.organizers),
                (&[("audience", "voter")][..], watching.voters),
                (&[("audience", "public")][..], watching.public),
            ],
        );
        page.number(&SIGN_IN_QUEUE, self.hasher.queue(None).ahead as u64);
    }

    fn write_votes(&self, page: &mut Page) {
        let ballots = &self.ballots;
        page.numbers(
            &VOTES,
            [
                (&[("outcome", "counted")][..], ballots.counted.get()),
                (&[("outcome", "repeated")][..], ballots.repeated.get()),
                (&[("outcome", "refused")][..], ballots.refused.get()),
                (&[("outcome", "failed")][..], ballots.failed.get()),
                (&[("outcome", "turned_away")][..], ballots.turned_away.get()),
            ],
        );
        page.histograms(&BATCH_SIZE, [(&[][..], ballots.batch_size.read())]);
        page.histograms(&WRITE_TIME, [(&[][..], ballots.write_time.read())]);
        page.number(&BALLOT_QUEUE, ballots.waiting.get());
        page.number(&WRITERS, ballots.connected.get());
    }

    fn write_database(&self, page: &mut Page) {
        let loads = self.pools.named().map(|(name, pool)| (name, pool.load()));
        page.number(&DATABASE_UP, u64::from(self.pools.general.load().is_reached));
        let connections: Vec<_> = loads
            .iter()
            .flat_map(|(name, load)| {
                let (idle, all) = (u64::from(load.idle), u64::from(load.connections));
                [
                    ([("pool", *name), ("state", "busy")], all.saturating_sub(idle)),
                    ([("pool", *name), ("state", "idle")], idle),
                ]
            })
            .collect();
        page.numbers(&CONNECTIONS, connections.iter().map(|(labels, number)| (&labels[..], *number)));
        let pools = loads.map(|(name, load)| ([("pool", name)], load));
        page.numbers(&CONNECTIONS_MAX, pools.iter().map(|(labels, load)| (&labels[..], u64::from(load.at_most))));
        page.numbers(&CALLS_WAITING, pools.iter().map(|(labels, load)| (&labels[..], load.waiting)));
        if let Some(embedded) = &self.embedded {
            page.number(&EMBEDDED_UP, u64::from(embedded.is_running()));
            page.number(&EMBEDDED_RESTARTS, embedded.restarts());
            if let Some(bytes) = embedded.free_bytes() {
                page.number(&EMBEDDED_ROOM, bytes);
            }
        }
        if let Some(nats) = &self.nats {
            page.number(&BUS, u64::from(nats.is_connected()));
        }
    }

    fn write_process(&self, page: &mut Page) {
        // What the system does not tell is left out, not told as nothing.
        if let Ok(memory) = OwnMemory.facts() {
            page.number(&MEMORY, memory.resident_bytes);
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            page.number(&OPEN_FILES, files.count() as u64);
        }
        if let Ok((limit, _)) = getrlimit(Resource::RLIMIT_NOFILE) {
            page.number(&OPEN_FILES_MAX, limit);
        }
        page.number(&STARTED, u64::try_from(self.started_at.timestamp()).unwrap_or(0));
        page.numbers(&BUILD, [(&[("version", env!("CARGO_PKG_VERSION"))][..], 1)]);
    }
}
