use plenum_voting::CastOutcome;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

/// The metrics of the ballots and their writers.
#[derive(Debug)]
pub struct BallotMetrics {
    /// Ballots that wait for a writer.
    pub waiting: Gauge,
    /// Writers that have a connection.
    pub connected: Gauge,
    /// Votes by `outcome`: the five counters of this struct.
    pub votes: Family<[(&'static str, &'static str); 1], Counter>,
    /// Ballots that were stored.
    pub(crate) counted: Counter,
    /// Ballots of voters who had voted before.
    pub(crate) repeated: Counter,
    /// Ballots for a round that was not open, or of a person who is not in its register.
    pub(crate) refused: Counter,
    /// Ballots that could not be written. If the connection broke in between, one may have been written.
    pub(crate) failed: Counter,
    /// Ballots that found the queue full.
    pub(crate) turned_away: Counter,
    /// The number of ballots in a batch.
    pub batch_size: Histogram,
    /// The time to write and commit a batch, in seconds.
    pub write_time: Histogram,
}

/// Up to the largest batch.
const SIZES: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
/// In seconds: from a millisecond to the longest that a statement may take.
const TIMES: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

impl Default for BallotMetrics {
    fn default() -> Self {
        let votes = Family::default();
        // Looked up once: a vote only adds to an atomic.
        let counter = |outcome| votes.get_or_create_owned(&[("outcome", outcome)]);
        Self {
            waiting: Gauge::default(),
            connected: Gauge::default(),
            counted: counter("counted"),
            repeated: counter("repeated"),
            refused: counter("refused"),
            failed: counter("failed"),
            turned_away: counter("turned_away"),
            votes,
            batch_size: Histogram::new(SIZES),
            write_time: Histogram::new(TIMES),
        }
    }
}

impl BallotMetrics {
    /// Counts an answered ballot. Without an outcome it failed.
    pub(crate) fn answered(&self, outcome: Option<&CastOutcome>) {
        let counter = match outcome {
            Some(CastOutcome::Counted) => &self.counted,
            Some(CastOutcome::VotedBefore(_)) => &self.repeated,
            Some(CastOutcome::NotOpen | CastOutcome::NotInRegister | CastOutcome::NoProxy) => &self.refused,
            None => &self.failed,
        };
        counter.inc();
    }
}
