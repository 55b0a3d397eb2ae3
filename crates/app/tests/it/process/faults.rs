//! The fault runs (`just faults`) in their short version: each kind that needs no privileges, once. They fail on votes
//! that are lost, doubled, changed or smuggled, and on screens that do not reconnect, but never on slowness. The second
//! test shows that they find such votes.

use std::collections::BTreeSet;

use clap::Parser as _;
use plenum_load::arguments::{Arguments, Command};
use plenum_load::faults::{Kind, Report, play};
use plenum_load::outcome::JournalCounts;

/// Runs the faults of a command line on the real program.
async fn run(line: &str) -> Report {
    let words = ["plenum-load", "faults", "--binary", env!("CARGO_BIN_EXE_plenum")];
    let arguments = Arguments::try_parse_from(words.into_iter().chain(line.split_whitespace())).unwrap();
    let Command::Faults(settings) = arguments.command else { panic!("no faults: {line}") };
    play(&settings).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_loses_a_vote_and_every_screen_reconnects() {
    // Faults that need a mounted disk or an installed clock library are left out.
    let needs_more = [Kind::DiskFull, Kind::ClockForward, Kind::ClockBack];
    let kinds: Vec<_> = Kind::ALL.into_iter().filter(|kind| !needs_more.contains(kind)).collect();
    let names = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(",");
    let (faults, votes) = (kinds.len(), kinds.len() * 20);
    let line = format!("--kinds {names} --faults {faults} --votes {votes} --longest 400ms --watchers 4 --seed 7");
    let report = run(&line).await;
    assert!(report.is_clean(), "{report:#?}");
    assert_eq!((report.faults.len(), report.kinds.len()), (faults, faults));
    assert!(report.not_possible.is_empty());
    // The deliberately late votes, one in each round, were all refused.
    assert!(report.counts.too_late >= faults as u64 && report.broken_streams > 0, "{report:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_vote_is_lost_with_a_database_server_or_with_its_standby() {
    let report = run("--with-standby --faults 3 --votes 60 --longest 400ms --watchers 2 --seed 7").await;
    assert!(report.is_clean(), "{report:#?}");
    let kinds: BTreeSet<_> = report.faults.iter().map(|result| result.fault.kind).collect();
    assert_eq!(kinds, Kind::OF_STANDBYS.into());
    assert!(report.counts.acknowledged >= 60, "{report:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_doubled_changed_or_smuggled_vote_in_the_database_is_found() {
    let line = "--kinds voters-cut,sessions-ended --faults 2 --votes 40 --longest 200ms --watchers 1 \
                --tamper lost,doubled,changed,smuggled";
    let report = run(line).await;
    let JournalCounts { lost, doubled, changed, smuggled, .. } = report.counts;
    assert_eq!((lost, doubled, changed, smuggled), (1, 1, 1, 1), "{report:#?}");
    assert!(!report.is_clean());
    for source in ["the data integrity check failed: ", "the database has 1 votes too many"] {
        assert!(report.problems.iter().any(|problem| problem.starts_with(source)), "{source}: {:#?}", report.problems);
    }
}
