//! What was promised before it was measured.

use super::chapters::{
    ARRIVALS, ASSEMBLY, BARE, BCRYPT, COLD, EMPTY, FILLED, LOW_RATE, NCHAN, OPENED, PGBENCH, PGBENCH_LOW_RATE, PLENUM,
    RUSH, STALLED, WARM, WATCHED,
};
use super::measured::Quantity;
use super::target::Measure::{Difference, Faults, Figure, NotTaken, Ratio};
use super::target::Target;
use super::target::Wanted::{AtLeast, AtMost};

/// The targets, in the order of the chapters.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        promise: "Durable ballots a second over 64 connections, to pgbench's 64 clients",
        measure: Ratio(of(PLENUM, "ballots_per_second"), of(PGBENCH, "ballots_per_second")),
        wanted: AtLeast(1.0),
    },
    Target {
        promise: "Durable ballots a second, to bare authenticated requests",
        measure: Ratio(of(PLENUM, "ballots_per_second"), of(BARE, "calls_per_second")),
        wanted: AtLeast(0.6),
    },
    Target {
        promise: "Votes lost, doubled, changed or smuggled in over 64 connections",
        measure: Faults(PLENUM),
        wanted: AtMost(0.0),
    },
    all_taken("… refused, or left without an answer", PLENUM),
    Target {
        promise: "10,000 voters vote within 10 s: p99",
        measure: Figure(of(ARRIVALS, "latency_p99")),
        wanted: AtMost(250.0),
    },
    Target {
        promise: "… votes lost, doubled, changed or smuggled in", measure: Faults(ARRIVALS), wanted: AtMost(0.0)
    },
    all_taken("… refused, or left without an answer", ARRIVALS),
    Target {
        promise: "A single ballot now and then is not held back: its median, less that of pgbench's single insert",
        measure: Difference(of(LOW_RATE, "latency_median"), of(PGBENCH_LOW_RATE, "latency_median")),
        wanted: AtMost(5.0),
    },
    Target {
        promise: "One event to the last of 10,000 watchers, median, to nchan's",
        measure: Ratio(of(WATCHED, "last_median"), of(NCHAN, "last_median")),
        wanted: AtMost(1.0),
    },
    Target {
        promise: "One event to the last of 10,000 watchers, p99, to nchan's",
        measure: Ratio(of(WATCHED, "last_p99"), of(NCHAN, "last_p99")),
        wanted: AtMost(1.0),
    },
    Target {
        promise: "Opening a question for 10,000 voters, register included, to the last of them, median, to nchan's",
        measure: Ratio(of(OPENED, "last_median"), of(NCHAN, "last_median")),
        wanted: AtMost(1.0),
    },
    Target {
        promise: "Memory for each idle stream, to nchan's",
        measure: Ratio(of(WATCHED, "server_memory_per_stream"), of(NCHAN, "server_memory_per_stream")),
        wanted: AtMost(1.5),
    },
    Target {
        promise: "… of a voter, to nchan's",
        measure: Ratio(of(OPENED, "server_memory_per_stream"), of(NCHAN, "server_memory_per_stream")),
        wanted: AtMost(1.5),
    },
    Target {
        promise: "p99 of the others while some watchers have stopped reading, to without them",
        measure: Ratio(of(STALLED, "receipt_p99"), of(WATCHED, "receipt_p99")),
        wanted: AtMost(1.2),
    },
    none("Receipts of events by 10,000 watchers that were missed", WATCHED, "missed"),
    none("… by 10,000 voters", OPENED, "missed"),
    none("… by those who read while others have stopped reading", STALLED, "missed"),
    none("Streams of 10,000 watchers that the server ended", WATCHED, "ended"),
    none("… of 10,000 voters", OPENED, "ended"),
    none("… of those who read while others have stopped reading", STALLED, "ended"),
    Target { promise: "10,000 voters are connected", measure: Figure(of(OPENED, "connect_all")), wanted: AtMost(10.0) },
    Target {
        promise: "Counters that a watcher is told in a second while many vote",
        measure: Figure(of(OPENED, "counters_per_stream_and_second")),
        wanted: AtMost(4.5),
    },
    Target {
        promise: "1,000 sign-ins at once, a second, to bare bcrypt on the same cores",
        measure: Ratio(of(RUSH, "sign_ins_per_second"), of(BCRYPT, "verifications_per_second")),
        wanted: AtLeast(0.9),
    },
    Target {
        promise: "p99 of voting while they sign in, to before",
        measure: Ratio(of(RUSH, "voting_during_p99"), of(RUSH, "voting_before_p99")),
        wanted: AtMost(2.0),
    },
    none("People who were not let in", RUSH, "not_let_in"),
    none("Sign-ins that got an error rather than a sign to wait", RUSH, "errors"),
    Target {
        promise: "Longest silence of a stream meanwhile (a heartbeat is due every 15 s)",
        measure: Figure(of(RUSH, "heartbeat_longest_gap")),
        wanted: AtMost(20.0),
    },
    none("Streams that the server ended meanwhile", RUSH, "streams_ended"),
    Target {
        promise: "A whole assembly: votes lost, doubled, changed or smuggled in",
        measure: Faults(ASSEMBLY),
        wanted: AtMost(0.0),
    },
    all_taken("… refused though they came in time, or left without an answer", ASSEMBLY),
    none("… voters who were not let in", ASSEMBLY, "not_let_in"),
    grown("A vote in a full database, to an empty one", "vote_median"),
    grown("An event", "event_median"),
    grown("A page of end users", "end_users_page_median"),
    grown("A page of meetings", "meetings_page_median"),
    grown("A sign-in", "sign_in_median"),
    grown("A tally", "tally_median"),
    Target {
        promise: "Warm start to the first answer",
        measure: Figure(of(WARM, "first_answer")),
        wanted: AtMost(1.0),
    },
    Target {
        promise: "Cold start with a new database to the first answer",
        measure: Figure(of(COLD, "first_answer")),
        wanted: AtMost(5.0),
    },
];

const fn of(row: &'static str, figure: &'static str) -> Quantity {
    Quantity { row, figure }
}

const fn all_taken(promise: &'static str, row: &'static str) -> Target {
    Target { promise, measure: NotTaken(row), wanted: AtMost(0.0) }
}

const fn none(promise: &'static str, row: &'static str, figure: &'static str) -> Target {
    Target { promise, measure: Figure(of(row, figure)), wanted: AtMost(0.0) }
}

const fn grown(promise: &'static str, figure: &'static str) -> Target {
    Target { promise, measure: Ratio(of(FILLED, figure), of(EMPTY, figure)), wanted: AtMost(1.1) }
}
