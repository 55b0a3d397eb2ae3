//! The names of all that is measured. The table in `docs/operations.md` is compared with them by a test.

use plenum_metrics::{Kind, Metric};

macro_rules! metrics {
    ($($constant:ident: $kind:ident $name:literal, $help:literal;)*) => {
        $(pub(super) const $constant: Metric = Metric { name: $name, kind: Kind::$kind, help: $help };)*

        /// Everything that `/metrics` may tell.
        pub(super) const METRICS: &[Metric] = &[$($constant),*];
    };
}

metrics! {
    REQUESTS: Counter "plenum_http_requests_total", "Requests that were answered, by method, route and status.";
    REQUEST_TIME: Histogram "plenum_http_request_seconds", "Time until an answer begins, by route.";
    REQUESTS_RUNNING: Gauge "plenum_http_requests_running", "Requests whose answer has not begun.";
    VOTES: Counter "plenum_votes_total", "Votes that reached the ballot box, by what became of them.";
    BATCH_SIZE: Histogram "plenum_ballot_batch_size", "Ballots that were written together.";
    WRITE_TIME: Histogram "plenum_ballot_write_seconds", "Time to write and commit a batch.";
    BALLOT_QUEUE: Gauge "plenum_ballot_queue", "Ballots that wait for a writer.";
    WRITERS: Gauge "plenum_ballot_writers_connected", "Ballot writers that have a connection.";
    SIGN_IN_QUEUE: Gauge "plenum_sign_in_queue", "Sign-ins that wait until their password is checked.";
    STREAMS: Gauge "plenum_streams", "Live streams that are open, by who watches.";
    DATABASE_UP: Gauge "plenum_database_up", "0 while connecting to the database fails.";
    CONNECTIONS: Gauge "plenum_database_connections", "Connections, by pool and state.";
    CONNECTIONS_MAX: Gauge "plenum_database_connections_max", "How many connections each pool may have.";
    CALLS_WAITING: Gauge "plenum_database_waiting", "Calls that wait for a connection, by pool.";
    EMBEDDED_UP: Gauge "plenum_embedded_database_up", "1 while the embedded database runs.";
    EMBEDDED_RESTARTS: Counter "plenum_embedded_database_restarts_total", "How often it died and was started again.";
    EMBEDDED_ROOM: Gauge "plenum_embedded_database_disk_free_bytes", "What is free where its data is.";
    BUS: Gauge "plenum_bus_connected", "1 while other instances are heard.";
    MEMORY: Gauge "plenum_process_resident_memory_bytes", "Memory of this process, without the database's.";
    OPEN_FILES: Gauge "plenum_process_open_files", "Open files and connections of this process.";
    OPEN_FILES_MAX: Gauge "plenum_process_open_files_max", "How many it may have.";
    STARTED: Gauge "plenum_process_start_time_seconds", "When the process started, in Unix time.";
    BUILD: Gauge "plenum_build_info", "Always 1; the version stands in its label.";
}
