//! The chapters of the page. The name of a row is that of the driver's file.

use super::chapter::{Chapter, Chart, Lines};
use super::measured::Quantity;
use super::target::Measure;

/// Plenum's ballots over 64 connections.
pub(crate) const PLENUM: &str = "ballots.plenum-64";
/// The same with sealed ballots.
pub(crate) const SECRET: &str = "ballots.secret-64";
/// The cheapest authenticated request of Plenum over as many connections.
pub(crate) const BARE: &str = "ballots.bare-64";
/// Single-row inserts of 64 clients.
pub(crate) const PGBENCH: &str = "ballots.pgbench-64";
/// 10,000 voters within ten seconds.
pub(crate) const ARRIVALS: &str = "ballots.arrivals";
/// Ballots at a low rate.
pub(crate) const LOW_RATE: &str = "ballots.low-rate";
/// Single inserts at a low rate.
pub(crate) const PGBENCH_LOW_RATE: &str = "ballots.pgbench-low-rate";
/// 10,000 presentations that receive a shown question.
pub(crate) const WATCHED: &str = "fan-out.screens";
/// 10,000 voters that receive an opened question.
pub(crate) const OPENED: &str = "fan-out.voters";
/// The same with nchan.
pub(crate) const NCHAN: &str = "fan-out.nchan";
/// Watchers of which some do not read.
pub(crate) const STALLED: &str = "fan-out.stalled";
/// Simultaneous sign-ins.
pub(crate) const SIGN_IN_BURST: &str = "sign-in-burst.plenum";
/// bcrypt alone.
pub(crate) const BCRYPT: &str = "sign-in-burst.bcrypt";
/// A whole meeting.
pub(crate) const ASSEMBLY: &str = "assembly.plenum";
/// Operations in an empty database.
pub(crate) const EMPTY: &str = "growth.empty";
/// The same in a full one.
pub(crate) const FILLED: &str = "growth.filled";
/// The start of the process with an existing database.
pub(crate) const WARM: &str = "start.warm";
/// The same with a new database.
pub(crate) const COLD: &str = "start.cold";
/// Ballots over one of two instances.
pub(crate) const BALLOTS_ONE: &str = "instances.ballots-one";
/// The same over two.
pub(crate) const BALLOTS_TWO: &str = "instances.ballots-two";
/// The same over three.
pub(crate) const BALLOTS_THREE: &str = "instances.ballots-three";
/// An event to the watchers of one instance.
pub(crate) const EVENT_ONE: &str = "instances.event-one";
/// An event to as many watchers of two instances.
pub(crate) const EVENT_TWO: &str = "instances.event-two";
/// An event to as many watchers of three instances.
pub(crate) const EVENT_THREE: &str = "instances.event-three";
/// The pages that statements read in both databases.
pub(crate) const BUFFERS: &str = "growth.buffers";
/// Processor time of a ballot.
pub(crate) const OF_A_BALLOT: &str = "where.ballot";
/// Processor time of an event.
pub(crate) const OF_AN_EVENT: &str = "where.event";
/// Processor time of an opening.
pub(crate) const OF_AN_OPENING: &str = "where.opening";

/// The page, below its targets.
pub(crate) const CHAPTERS: &[Chapter] =
    &[BALLOTS, FAN_OUT, SIGN_INS, MEETING, INSTANCES, GROWTH, START, BALLOT, EVENT, OPENING];

const fn of(row: &'static str, figure: &'static str) -> Quantity {
    Quantity { row, figure }
}

const fn one(label: &'static str, row: &'static str, figure: &'static str) -> Lines {
    Lines::One(label, of(row, figure))
}

const fn ratio(label: &'static str, (ours, theirs): (&'static str, &'static str), figure: &'static str) -> Lines {
    Lines::By(label, Measure::Ratio(of(ours, figure), of(theirs, figure)))
}

const fn faults(label: &'static str, row: &'static str) -> Lines {
    Lines::By(label, Measure::Faults(row))
}

const fn not_accepted(label: &'static str, row: &'static str) -> Lines {
    Lines::By(label, Measure::NotAccepted(row))
}

const BALLOTS: Chapter = Chapter {
    name: "ballots",
    title: "Ballots",
    about: "Voters send ballots over 64 connections. Each sends the next ballot when the previous one is \
            acknowledged. The ballots pass through the whole product: HTTP, token, check, commit, response. On the \
            same database, with the same settings, pgbench does the work of a plain server: one prepared insert for \
            each vote, from the register, into a table with our columns and keys. Both are durable. Secret ballots \
            are sealed before the time runs, as each device seals its own, and the urn of each round is opened \
            afterwards. Then 10,000 voters vote at random moments within ten seconds. The time counts from the intended moment, so that a \
            server that falls behind does not improve its own numbers.",
    lines: &[
        one("Plenum, 64 connections: ballots", PLENUM, "ballots_per_second"),
        one("… median", PLENUM, "latency_median"),
        one("… p99", PLENUM, "latency_p99"),
        one("Plenum, secret, 64 connections: ballots", SECRET, "ballots_per_second"),
        one("… median", SECRET, "latency_median"),
        one("… p99", SECRET, "latency_p99"),
        one("… the urn of a round is opened", SECRET, "urn_opened"),
        one("pgbench, 64 clients: ballots", PGBENCH, "ballots_per_second"),
        one("… mean", PGBENCH, "latency_mean"),
        one("Plenum, bare authenticated requests", BARE, "calls_per_second"),
        one("10,000 voters within 10 s: median", ARRIVALS, "latency_median"),
        one("… p95", ARRIVALS, "latency_p95"),
        one("… p99", ARRIVALS, "latency_p99"),
        one("… last", ARRIVALS, "latency_max"),
        one("Plenum, 5 ballots a second: median", LOW_RATE, "latency_median"),
        one("… p99", LOW_RATE, "latency_p99"),
        one("pgbench, 5 inserts a second: median", PGBENCH_LOW_RATE, "latency_median"),
        one("… p99", PGBENCH_LOW_RATE, "latency_p99"),
    ],
    charts: &[
        Chart::Bars {
            file: "ballots.svg",
            title: "Durable ballots a second, 64 connections",
            bars: &[
                ("Plenum", 0, of(PLENUM, "ballots_per_second")),
                ("Plenum, secret", 0, of(SECRET, "ballots_per_second")),
                ("pgbench, single inserts", 1, of(PGBENCH, "ballots_per_second")),
                ("Plenum, bare requests", 2, of(BARE, "calls_per_second")),
            ],
        },
        Chart::Curves {
            file: "arrivals.svg",
            title: "10,000 voters within 10 s: from the intended moment to the response",
            curves: &[("Plenum", of(ARRIVALS, "latency"))],
            limit: Some(250.0),
        },
    ],
};

const FAN_OUT: Chapter = Chapter {
    name: "fan-out",
    title: "Fan-out",
    about: "10,000 watchers have open streams. The time runs from the organizer's request to the receipt by each \
            watcher, and includes the commit in Plenum. Presentations get the next question, which is the plain \
            event. For voters the next question is opened, which first writes a register of 10,000 entries. nginx \
            with nchan gets a message of the same size by one POST, and sends it to as many watchers of the same \
            program. Memory is the growth of the process for each idle stream. Some streams are opened and closed \
            before the first reading, and a run without growth gives no number.",
    lines: &[
        one("Plenum, shown to presentations: median", WATCHED, "receipt_median"),
        one("… p99", WATCHED, "receipt_p99"),
        one("… last, median of the events", WATCHED, "last_median"),
        one("… last, p99 of the events", WATCHED, "last_p99"),
        one("… all connected", WATCHED, "connect_all"),
        one("… memory for each idle stream", WATCHED, "server_memory_per_stream"),
        one("nchan: median", NCHAN, "receipt_median"),
        one("… p99", NCHAN, "receipt_p99"),
        one("… last, median of the events", NCHAN, "last_median"),
        one("… last, p99 of the events", NCHAN, "last_p99"),
        one("… all connected", NCHAN, "connect_all"),
        one("… memory for each idle stream", NCHAN, "server_memory_per_stream"),
        one("Plenum, opened for voters: median", OPENED, "receipt_median"),
        one("… p99", OPENED, "receipt_p99"),
        one("… last, median of the events", OPENED, "last_median"),
        one("… all connected", OPENED, "connect_all"),
        one("… memory for each idle stream", OPENED, "server_memory_per_stream"),
        one("… counters sent to each in a second of voting", OPENED, "counters_per_stream_and_second"),
        one("… votes in one counter", OPENED, "votes_per_counter"),
        one("Plenum, 500 more do not read: median of the others", STALLED, "receipt_median"),
        one("… p99", STALLED, "receipt_p99"),
    ],
    charts: &[Chart::Curves {
        file: "fan-out.svg",
        title: "One event to 10,000 watchers: from the request to the receipt",
        curves: &[
            ("Plenum, shown to presentations", of(WATCHED, "receipt")),
            ("nchan", of(NCHAN, "receipt")),
            ("Plenum, opened for voters", of(OPENED, "receipt")),
        ],
        limit: None,
    }],
};

const SIGN_INS: Chapter = Chapter {
    name: "sign-in-burst",
    title: "Sign-in burst",
    about: "1,000 people sign in at once, while others vote on an open question and watch. Bare bcrypt only compares \
            passwords, at the same cost on all cores. People in the queue ask for their place, as our screens do, \
            and retry when the server tells them to.",
    lines: &[
        one("Plenum: sign-ins", SIGN_IN_BURST, "sign_ins_per_second"),
        one("… median", SIGN_IN_BURST, "sign_in_median"),
        one("… p99", SIGN_IN_BURST, "sign_in_p99"),
        one("… told their place in the queue", SIGN_IN_BURST, "told_their_place"),
        one("… longest announced wait", SIGN_IN_BURST, "longest_told_wait"),
        one("… told to retry", SIGN_IN_BURST, "asked_to_come_again"),
        one("bcrypt: comparisons", BCRYPT, "verifications_per_second"),
        one("voting before: p99", SIGN_IN_BURST, "voting_before_p99"),
        one("voting during the burst: p99", SIGN_IN_BURST, "voting_during_p99"),
        one("longest silence of a stream", SIGN_IN_BURST, "heartbeat_longest_gap"),
    ],
    charts: &[Chart::Bars {
        file: "sign-in-burst.svg",
        title: "Sign-ins a second",
        bars: &[
            ("Plenum", 0, of(SIGN_IN_BURST, "sign_ins_per_second")),
            ("bcrypt, all cores", 1, of(BCRYPT, "verifications_per_second")),
        ],
    }],
};

const MEETING: Chapter = Chapter {
    name: "assembly",
    title: "A whole meeting",
    about: "A whole meeting in order: people sign in, open their streams, get several questions and vote on each \
            after some time to think. The journal of acknowledged votes is compared with the results.",
    lines: &[Lines::Every(ASSEMBLY)],
    charts: &[Chart::Curves {
        file: "assembly.svg",
        title: "A whole meeting: from the action to the response",
        curves: &[("vote", of(ASSEMBLY, "vote")), ("sign-in", of(ASSEMBLY, "sign_in")), ("page", of(ASSEMBLY, "page"))],
        limit: None,
    }],
};

const INSTANCES: Chapter = Chapter {
    name: "instances",
    title: "Several instances",
    about: "Two and three instances on one PostgreSQL and one nats-server, compared with one instance with the same \
            settings. Ballots come over 64 connections, in turn to all instances. A question is opened through the \
            first instance, and screens of all wait for it. The journal is compared with the results. Everything \
            runs on this one machine, so another instance adds no core. The measurement shows its cost.",
    lines: &[
        one("one instance: ballots", BALLOTS_ONE, "ballots_per_second"),
        one("… p99", BALLOTS_ONE, "latency_p99"),
        one("two instances: ballots", BALLOTS_TWO, "ballots_per_second"),
        one("… p99", BALLOTS_TWO, "latency_p99"),
        ratio("ballots of two, compared with one", (BALLOTS_TWO, BALLOTS_ONE), "ballots_per_second"),
        one("three instances: ballots", BALLOTS_THREE, "ballots_per_second"),
        one("… p99", BALLOTS_THREE, "latency_p99"),
        ratio("ballots of three, compared with one", (BALLOTS_THREE, BALLOTS_ONE), "ballots_per_second"),
        one("one instance: question opened, last receipt, median of the events", EVENT_ONE, "last_median"),
        one("… p99 of the events", EVENT_ONE, "last_p99"),
        one("two instances: question opened, last receipt, median of the events", EVENT_TWO, "last_median"),
        one("… p99 of the events", EVENT_TWO, "last_p99"),
        ratio("last receipt of two, compared with one", (EVENT_TWO, EVENT_ONE), "last_median"),
        one("three instances: question opened, last receipt, median of the events", EVENT_THREE, "last_median"),
        one("… p99 of the events", EVENT_THREE, "last_p99"),
        ratio("last receipt of three, compared with one", (EVENT_THREE, EVENT_ONE), "last_median"),
        one("one instance with all watchers: memory", EVENT_ONE, "first_memory_watched"),
        one("second instance: memory while idle", EVENT_TWO, "second_memory_idle"),
        one("… with half of the watchers", EVENT_TWO, "second_memory_watched"),
        one("… after its half of the ballots", BALLOTS_TWO, "second_memory_after"),
        one("nats-server: memory", EVENT_TWO, "nats_memory"),
        faults("one instance: votes lost, doubled, changed or smuggled in", BALLOTS_ONE),
        not_accepted("… refused, or without a response", BALLOTS_ONE),
        faults("two instances: votes lost, doubled, changed or smuggled in", BALLOTS_TWO),
        not_accepted("… refused, or without a response", BALLOTS_TWO),
        faults("three instances: votes lost, doubled, changed or smuggled in", BALLOTS_THREE),
        not_accepted("… refused, or without a response", BALLOTS_THREE),
    ],
    charts: &[Chart::Curves {
        file: "instances.svg",
        title: "A question is opened through one instance: from the request to the receipt",
        curves: &[
            ("one instance", of(EVENT_ONE, "receipt")),
            ("two instances", of(EVENT_TWO, "receipt")),
            ("three instances", of(EVENT_THREE, "receipt")),
        ],
        limit: None,
    }],
};

const GROWTH: Chapter = Chapter {
    name: "growth",
    title: "Growth",
    about: "The same operations in an empty database, and in one with 10 million past votes, 1,000 clients, 100,000 meetings, \
            and 20,000 end users and about 2,000 meetings in the client, in turn. Pages have 50 rows. Medians of single \
            operations. Then the pages of the database that a statement reads, from pg_stat_statements in a separate run, \
            for those that grew most.",
    lines: &[
        one("empty: vote", EMPTY, "vote_median"),
        one("… event", EMPTY, "event_median"),
        one("… page of end users", EMPTY, "end_users_page_median"),
        one("… page of meetings", EMPTY, "meetings_page_median"),
        one("… sign-in", EMPTY, "sign_in_median"),
        one("… tally", EMPTY, "tally_median"),
        one("full: vote", FILLED, "vote_median"),
        one("… event", FILLED, "event_median"),
        one("… page of end users", FILLED, "end_users_page_median"),
        one("… page of meetings", FILLED, "meetings_page_median"),
        one("… sign-in", FILLED, "sign_in_median"),
        one("… tally", FILLED, "tally_median"),
        Lines::Every(BUFFERS),
    ],
    charts: &[Chart::Ratios {
        file: "growth.svg",
        title: "A full database, compared with an empty one",
        ratios: &[
            ("vote", of(FILLED, "vote_median"), of(EMPTY, "vote_median")),
            ("event", of(FILLED, "event_median"), of(EMPTY, "event_median")),
            ("page of end users", of(FILLED, "end_users_page_median"), of(EMPTY, "end_users_page_median")),
            ("page of meetings", of(FILLED, "meetings_page_median"), of(EMPTY, "meetings_page_median")),
            ("sign-in", of(FILLED, "sign_in_median"), of(EMPTY, "sign_in_median")),
            ("tally", of(FILLED, "tally_median"), of(EMPTY, "tally_median")),
        ],
        limit: 1.1,
    }],
};

const START: Chapter = Chapter {
    name: "start",
    title: "Start",
    about: "From the start of the process to the first response that reports readiness, including the embedded \
            database.",
    lines: &[one("new database", COLD, "first_answer"), one("existing database", WARM, "first_answer")],
    charts: &[Chart::Bars {
        file: "start.svg",
        title: "To the first response",
        bars: &[("new database", 0, of(COLD, "first_answer")), ("existing database", 0, of(WARM, "first_answer"))],
    }],
};

const BALLOT: Chapter = Chapter {
    name: "ballot",
    title: "Where the time of a ballot goes",
    about: "Processor time of all processes while voters vote over 64 connections, divided by the number of ballots: \
            of the server, of PostgreSQL, and of the program with the simulated voters, which runs on the same \
            machine. Then the bytes of PostgreSQL's write-ahead log, and the longest statements of PostgreSQL, from pg_stat_statements in a separate run, with \
            their times from start to end, including waits.",
    lines: &[Lines::Every(OF_A_BALLOT)],
    charts: &[],
};

const EVENT: Chapter = Chapter {
    name: "event",
    title: "Where the time of an event goes",
    about: "The same while a question is shown to 10,000 presentations, divided by the number of events. Each event \
            is 10,000 frames.",
    lines: &[Lines::Every(OF_AN_EVENT)],
    charts: &[],
};

const OPENING: Chapter = Chapter {
    name: "opening",
    title: "Where the time of an opening goes",
    about: "The same while a question is opened for 10,000 voters who have open streams, divided by the number of \
            openings. Each opening is a register of 10,000 entries and 10,000 frames.",
    lines: &[Lines::Every(OF_AN_OPENING)],
    charts: &[],
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_scenario_has_a_chart() {
        for chapter in [BALLOTS, FAN_OUT, SIGN_INS, MEETING, INSTANCES, GROWTH, START] {
            assert!(!chapter.charts.is_empty(), "{}", chapter.name);
        }
    }

    #[test]
    fn charts_have_different_files_and_chapters_different_names() {
        let files: Vec<_> = CHAPTERS.iter().flat_map(|chapter| chapter.charts).map(Chart::file).collect();
        assert_eq!(files.iter().collect::<BTreeSet<_>>().len(), files.len());
        assert_eq!(CHAPTERS.iter().map(|chapter| chapter.name).collect::<BTreeSet<_>>().len(), CHAPTERS.len());
    }
}
