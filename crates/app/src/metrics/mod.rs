//! The page at `/metrics`: the metrics of all parts, under the names of [`names`].

mod names;
mod state;

use std::fmt;

use plenum_adapter_http::{MetricsPage, RequestMetrics};
use plenum_adapter_postgres::BallotMetrics;
use prometheus_client::encoding::text;
use prometheus_client::registry::{Metric, Registry};

use names::{BALLOT_QUEUE, BATCH_SIZE, Name, REQUEST_TIME, REQUESTS, REQUESTS_RUNNING, VOTES, WRITE_TIME, WRITERS};
pub(crate) use state::ProductState;

/// The name and the kind of each metric that `/metrics` may contain.
pub fn metric_names() -> Vec<(String, String)> {
    let stored = names::METRICS.iter().map(Name::stored);
    stored.map(|(name, kind)| (name, kind.to_owned())).collect()
}

/// The metrics of one product. Several products in one process have one each.
pub(crate) struct ProductMetrics(Registry);

impl ProductMetrics {
    /// Registers the counters of the parts. `state` is read at each scrape.
    pub(crate) fn new(requests: &RequestMetrics, ballots: &BallotMetrics, state: ProductState) -> Self {
        let mut metrics = Self(Registry::default());
        metrics.register(&REQUESTS, requests.responses());
        metrics.register(&REQUEST_TIME, requests.times());
        metrics.register(&REQUESTS_RUNNING, requests.running());
        metrics.register(&VOTES, ballots.votes.clone());
        metrics.register(&BATCH_SIZE, ballots.batch_size.clone());
        metrics.register(&WRITE_TIME, ballots.write_time.clone());
        metrics.register(&BALLOT_QUEUE, ballots.waiting.clone());
        metrics.register(&WRITERS, ballots.connected.clone());
        metrics.0.register_collector(Box::new(state));
        metrics
    }

    fn register(&mut self, name: &Name, metric: impl Metric) {
        self.0.register(name.family, name.help, metric);
    }
}

impl MetricsPage for ProductMetrics {
    fn write(&self) -> Result<String, fmt::Error> {
        let mut page = String::new();
        text::encode(&mut page, &self.0)?;
        Ok(page)
    }
}
