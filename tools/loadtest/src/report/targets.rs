//! The targets, set before the measurements.

use super::chapters::{
    ARRIVALS, ASSEMBLY, BARE, BCRYPT, COLD, EMPTY, FILLED, LOW_RATE, NCHAN, OPENED, PGBENCH, PGBENCH_LOW_RATE, PLENUM,
    SECRET, SIGN_IN_BURST, STALLED, WARM, WATCHED,
};
use super::measured::Quantity;
use super::target::Measure::{Difference, Faults, Figure, NotAccepted, Ratio};
use super::target::Requirement::{AtLeast, AtMost};
use super::target::Target;

/// The targets, in the order of the chapters.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "Durable ballots a second over 64 connections, compared with pgbench's 64 clients",
        measure: Ratio(of(PLENUM, "ballots_per_second"), of(PGBENCH, "ballots_per_second")),
        required: AtLeast(2.0),
    },
    Target {
        name: "Durable ballots a second, compared with bare authenticated requests",
        measure: Ratio(of(PLENUM, "ballots_per_second"), of(BARE, "calls_per_second")),
        required: AtLeast(0.5),
    },
    Target {
        name: "Votes lost, doubled, changed or smuggled in over 64 connections",
        measure: Faults(PLENUM),
        required: AtMost(0.0),
    },
    all_accepted("… refused, or without a response", PLENUM),
    Target {
        name: "Secret ballots a second, compared with named ones",
        measure: Ratio(of(SECRET, "ballots_per_second"), of(PLENUM, "ballots_per_second")),
        required: AtLeast(0.9),
    },
    Target { name: "… votes lost, doubled, changed or smuggled in", measure: Faults(SECRET), required: AtMost(0.0) },
    all_accepted("… refused, or without a response", SECRET),
    Target {
        name: "The urn of 10,000 secret ballots is opened",
        measure: Figure(of(SECRET, "urn_opened")),
        required: AtMost(2.0),
    },
    Target {
        name: "10,000 voters vote within 10 s: p99",
        measure: Figure(of(ARRIVALS, "latency_p99")),
        required: AtMost(250.0),
    },
    Target {
        name: "… votes lost, doubled, changed or smuggled in", measure: Faults(ARRIVALS), required: AtMost(0.0)
    },
    all_accepted("… refused, or without a response", ARRIVALS),
    Target {
        name: "Delay of a single ballot: its median, minus the median of pgbench's single insert",
        measure: Difference(of(LOW_RATE, "latency_median"), of(PGBENCH_LOW_RATE, "latency_median")),
        required: AtMost(5.0),
    },
    Target {
        name: "One event to the last of 10,000 watchers, median, compared with nchan",
        measure: Ratio(of(WATCHED, "last_median"), of(NCHAN, "last_median")),
        required: AtMost(0.8),
    },
    Target {
        name: "One event to the last of 10,000 watchers, p99, compared with nchan",
        measure: Ratio(of(WATCHED, "last_p99"), of(NCHAN, "last_p99")),
        required: AtMost(0.8),
    },
    Target {
        name: "Opening a question for 10,000 voters, with the register, to the last of them, median, compared with nchan",
        measure: Ratio(of(OPENED, "last_median"), of(NCHAN, "last_median")),
        required: AtMost(1.2),
    },
    Target {
        name: "Memory for each idle stream, compared with nchan",
        measure: Ratio(of(WATCHED, "server_memory_per_stream"), of(NCHAN, "server_memory_per_stream")),
        required: AtMost(1.2),
    },
    Target {
        name: "… of a voter, compared with nchan",
        measure: Ratio(of(OPENED, "server_memory_per_stream"), of(NCHAN, "server_memory_per_stream")),
        required: AtMost(1.2),
    },
    Target {
        name: "p99 of the others while some watchers do not read, compared with p99 without them",
        measure: Ratio(of(STALLED, "receipt_p99"), of(WATCHED, "receipt_p99")),
        required: AtMost(1.2),
    },
    zero("Events that one of 10,000 watchers missed", WATCHED, "missed"),
    zero("… one of 10,000 voters", OPENED, "missed"),
    zero("… a reading watcher, while others do not read", STALLED, "missed"),
    zero("Streams of 10,000 watchers that the server ended", WATCHED, "ended"),
    zero("… of 10,000 voters", OPENED, "ended"),
    zero("… of reading watchers, while others do not read", STALLED, "ended"),
    Target { name: "10,000 voters are connected", measure: Figure(of(OPENED, "connect_all")), required: AtMost(10.0) },
    Target {
        name: "Counters for each watcher in a second, while many vote",
        measure: Figure(of(OPENED, "counters_per_stream_and_second")),
        required: AtMost(4.5),
    },
    Target {
        name: "1,000 sign-ins at once, a second, compared with bare bcrypt on the same cores",
        measure: Ratio(of(SIGN_IN_BURST, "sign_ins_per_second"), of(BCRYPT, "verifications_per_second")),
        required: AtLeast(0.9),
    },
    Target {
        name: "p99 of voting during the sign-ins, compared with before",
        measure: Ratio(of(SIGN_IN_BURST, "voting_during_p99"), of(SIGN_IN_BURST, "voting_before_p99")),
        required: AtMost(2.0),
    },
    zero("People who could not sign in", SIGN_IN_BURST, "not_let_in"),
    zero("Sign-ins with an error instead of a wait", SIGN_IN_BURST, "errors"),
    Target {
        name: "Longest silence of a stream during the sign-ins (a heartbeat is due every 15 s)",
        measure: Figure(of(SIGN_IN_BURST, "heartbeat_longest_gap")),
        required: AtMost(20.0),
    },
    zero("Streams that the server ended during the sign-ins", SIGN_IN_BURST, "streams_ended"),
    Target {
        name: "A whole meeting: votes lost, doubled, changed or smuggled in",
        measure: Faults(ASSEMBLY),
        required: AtMost(0.0),
    },
    all_accepted("… refused although in time, or without a response", ASSEMBLY),
    zero("… voters who could not sign in", ASSEMBLY, "not_let_in"),
    growth("A vote in a full database, compared with an empty one", "vote_median"),
    growth("An event", "event_median"),
    growth("A page of end users", "end_users_page_median"),
    growth("A page of meetings", "meetings_page_median"),
    growth("A sign-in", "sign_in_median"),
    growth("A tally", "tally_median"),
    Target {
        name: "Warm start to the first response",
        measure: Figure(of(WARM, "first_answer")),
        required: AtMost(1.0),
    },
    Target {
        name: "Cold start with a new database to the first response",
        measure: Figure(of(COLD, "first_answer")),
        required: AtMost(5.0),
    },
];

const fn of(row: &'static str, figure: &'static str) -> Quantity {
    Quantity { row, figure }
}

const fn all_accepted(name: &'static str, row: &'static str) -> Target {
    Target { name, measure: NotAccepted(row), required: AtMost(0.0) }
}

const fn zero(name: &'static str, row: &'static str, figure: &'static str) -> Target {
    Target { name, measure: Figure(of(row, figure)), required: AtMost(0.0) }
}

const fn growth(name: &'static str, figure: &'static str) -> Target {
    Target { name, measure: Ratio(of(FILLED, figure), of(EMPTY, figure)), required: AtMost(1.1) }
}
