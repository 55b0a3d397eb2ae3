//! The names of all metrics. The table in `docs/operations.md` is compared with them by a test.

use prometheus_client::metrics::MetricType;

/// The name of a metric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    /// The name of the family. The library adds `_total` to that of a counter.
    pub(super) family: &'static str,
    kind: MetricType,
    /// One sentence, without its full stop, which the library adds.
    pub(super) help: &'static str,
}

impl Name {
    /// The name as Prometheus stores it, and its kind: `counter`, `gauge` or `histogram`.
    pub(super) fn stored(&self) -> (String, &str) {
        let end = if matches!(self.kind, MetricType::Counter) { "_total" } else { "" };
        (format!("{}{end}", self.family), self.kind.as_str())
    }
}

macro_rules! metrics {
    ($($constant:ident: $kind:ident $family:literal, $help:literal;)*) => {
        $(pub(super) const $constant: Name =
            Name { family: $family, kind: MetricType::$kind, help: $help };)*

        /// All metrics that `/metrics` may contain.
        pub(super) const METRICS: &[Name] = &[$($constant),*];
    };
}

metrics! {
    REQUESTS: Counter "plenum_http_requests", "Answered requests, by method, route and status";
    REQUEST_TIME: Histogram "plenum_http_request_seconds", "Time until a response began, by route";
    REQUESTS_RUNNING: Gauge "plenum_http_requests_running", "Requests whose response has not begun";
    VOTES: Counter "plenum_votes", "Votes that reached the ballot box, by outcome";
    BATCH_SIZE: Histogram "plenum_ballot_batch_size", "Ballots written together";
    WRITE_TIME: Histogram "plenum_ballot_write_seconds", "Time to write and commit a batch";
    BALLOT_QUEUE: Gauge "plenum_ballot_queue", "Ballots that wait for a writer";
    WRITERS: Gauge "plenum_ballot_writers_connected", "Ballot writers with a connection";
    SIGN_IN_QUEUE: Gauge "plenum_sign_in_queue", "Sign-ins that wait for their password check";
    STREAMS: Gauge "plenum_streams", "Open live streams, by audience";
    DATABASE_UP: Gauge "plenum_database_up", "0 while Plenum cannot connect to the database";
    CONNECTIONS: Gauge "plenum_database_connections", "Connections, by pool and state";
    CONNECTIONS_MAX: Gauge "plenum_database_connections_max", "The size of each pool";
    CALLS_WAITING: Gauge "plenum_database_waiting", "Calls that wait for a connection, by pool";
    EMBEDDED_UP: Gauge "plenum_embedded_database_up", "1 while the embedded database runs";
    EMBEDDED_RESTARTS: Counter "plenum_embedded_database_restarts", "Restarts of the embedded database after it died";
    EMBEDDED_ROOM: Gauge "plenum_embedded_database_disk_free_bytes", "Free space on the disk of the embedded database";
    BUS: Gauge "plenum_bus_connected", "0 while NATS is away";
    TIMESTAMPS_WAITING: Gauge "plenum_timestamps_waiting", "Records without a timestamp";
    TIMESTAMP_FAILURES: Counter "plenum_timestamp_failures", "Failed requests to the timestamp service";
    CERTIFICATE_START: Gauge "plenum_certificate_start_time_seconds", "The start of the certificate of this server, in Unix time";
    CERTIFICATE_END: Gauge "plenum_certificate_end_time_seconds", "The end of the certificate of this server, in Unix time";
    MEMORY: Gauge "plenum_process_resident_memory_bytes", "Memory of this process, without the database";
    OPEN_FILES: Gauge "plenum_process_open_files", "Open files and connections of this process";
    OPEN_FILES_MAX: Gauge "plenum_process_open_files_max", "The limit of open files of this process";
    STARTED: Gauge "plenum_process_start_time_seconds", "The start of this process, in Unix time";
    BUILD: Gauge "plenum_build_info", "Always 1, with the version as a label";
}
