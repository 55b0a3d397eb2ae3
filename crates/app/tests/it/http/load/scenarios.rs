use plenum_load::outcome::{JournalCounts, Outcome};

use super::run;
use crate::http::support::TestApp;

/// The journal is clean, with this many acknowledged and refused votes.
#[track_caller]
fn assert_clean(outcome: &Outcome, acknowledged: u64, refused: u64) {
    let expected = JournalCounts { acknowledged, refused, ..JournalCounts::default() };
    assert_eq!(outcome.journal, Some(expected), "{outcome:?}");
}

/// A required figure.
#[track_caller]
fn figure(outcome: &Outcome, name: &str) -> f64 {
    outcome.figure(name).unwrap_or_else(|| panic!("no {name}: {outcome:?}"))
}

/// The data of the run is deleted.
async fn assert_tidy(app: &TestApp) {
    let clients = app.super_admin().await.get("/clients").await.gives(200);
    assert_eq!(clients["data"].as_array().unwrap().len(), 0, "{clients}");
}

#[tokio::test]
async fn every_ballot_over_shared_connections_is_counted() {
    let app = TestApp::start().await;
    let outcome = run(app.base(), "ballots --voters 40 --connections 8 --rounds 2 --seed 7").await;
    assert_clean(&outcome, 120, 0);
    assert_eq!((outcome.scenario.as_str(), outcome.variant.as_str(), outcome.seed), ("ballots", "closed-8", 7));
    assert_eq!(figure(&outcome, "ballots"), 80.0);
    assert!(figure(&outcome, "ballots_per_second") > 0.0 && figure(&outcome, "latency_p99") > 0.0);
    assert_tidy(&app).await;
}

#[tokio::test]
async fn every_ballot_at_its_own_time_is_counted() {
    let app = TestApp::start().await;
    let outcome = run(app.base(), "ballots --voters 40 --within 500ms --warm-up 0").await;
    assert_clean(&outcome, 40, 0);
    assert!(outcome.settings["arrivals"].as_str().unwrap().starts_with("log-normal"));
    let outcome = run(app.base(), "ballots --voters 10 --rate 50 --warm-up 0").await;
    assert_clean(&outcome, 10, 0);
}

#[tokio::test]
async fn the_bare_endpoint_is_measured_in_the_same_way() {
    let app = TestApp::start().await;
    let outcome = run(app.base(), "ballots --bare --voters 40 --connections 8 --rounds 2").await;
    assert_eq!((outcome.variant.as_str(), outcome.journal), ("bare-8", None));
    assert_eq!(figure(&outcome, "calls"), 80.0);
}

#[tokio::test]
async fn every_step_reaches_every_watcher_beside_some_that_do_not_read() {
    let app = TestApp::start().await;
    let line = "fan-out --watchers 200 --voters 50 --steps 4 --pause 20ms --timeout 60s --stalled 3 --votes 20";
    let outcome = run(app.base(), line).await;
    assert_clean(&outcome, 20, 0);
    assert_eq!((figure(&outcome, "missed"), figure(&outcome, "ended"), figure(&outcome, "stalled")), (0.0, 0.0, 3.0));
    let receipts = outcome.series.iter().find(|series| series.name == "receipt").unwrap();
    assert!(receipts.percentiles.iter().all(|(_, milliseconds)| *milliseconds > 0.0), "{receipts:?}");
    // 20 votes in some seconds lead to fewer counters, but to some.
    let counters = figure(&outcome, "counters_per_stream");
    assert!((1.0..=20.0).contains(&counters), "{counters}");
    assert_tidy(&app).await;
}

#[tokio::test]
async fn presentations_and_organizers_can_watch() {
    let app = TestApp::start().await;
    for audience in ["--as screens --step open", "--as organizers --step show"] {
        let line = format!("fan-out --watchers 20 --voters 3 --steps 3 --pause 20ms --timeout 60s {audience}");
        assert_eq!(figure(&run(app.base(), &line).await, "missed"), 0.0, "{audience}");
    }
}

#[tokio::test]
async fn a_sign_in_burst_succeeds_and_concurrent_votes_are_counted() {
    let app = TestApp::start().await;
    let outcome =
        run(app.base(), "sign-in-burst --sign-ins 20 --voting-voters 10 --voting-rate 20 --streams 5 --before 500ms")
            .await;
    assert_eq!((figure(&outcome, "sign_ins"), figure(&outcome, "errors")), (20.0, 0.0));
    let journal = outcome.journal.unwrap();
    assert!(journal.is_clean(), "{journal:?}");
}

#[tokio::test]
async fn votes_beside_slow_clients_are_counted() {
    let app = TestApp::start().await;
    for from in ["", "--from-within"] {
        let line =
            "slow-clients --slow 40 --flood 4 --voting-voters 10 --voting-rate 20 --before 300ms --duration 1500ms";
        let outcome = run(app.base(), &format!("{line} {from}")).await;
        assert_eq!((figure(&outcome, "slow_opened"), figure(&outcome, "slow_not_opened")), (40.0, 0.0));
        assert!(figure(&outcome, "sign_ins_401") > 0.0 && figure(&outcome, "sign_ins_other") == 0.0, "{outcome:?}");
        assert!(figure(&outcome, "voting_during_p99") > 0.0);
        let journal = outcome.journal.unwrap();
        assert!(journal.is_clean(), "{journal:?}");
    }
    assert_tidy(&app).await;
}

#[tokio::test]
async fn a_whole_assembly_loses_no_vote_and_counts_no_late_one() {
    let app = TestApp::start().await;
    let line = "assembly --voters 50 --questions 5 --arrive-within 500ms --vote-within 300ms --question 2s --late 0.1";
    let outcome = run(app.base(), line).await;
    assert_eq!((figure(&outcome, "signed_in"), figure(&outcome, "not_let_in")), (50.0, 0.0));
    let journal = outcome.journal.unwrap();
    assert_eq!(journal.faults(), 0, "{outcome:?}");
    // On a busy machine, some voters see a question too late or never, but no voter votes twice.
    assert!(journal.acknowledged > 0 && journal.acknowledged + journal.refused <= 250, "{journal:?}");
    assert_tidy(&app).await;
}

#[tokio::test]
async fn the_operations_of_growth_are_measured() {
    let app = TestApp::start().await;
    let outcome = run(app.base(), "growth --voters 4 --repeats 2 --sign-ins 3 --level empty").await;
    assert_clean(&outcome, 8, 0);
    assert_eq!((outcome.variant.as_str(), figure(&outcome, "events")), ("empty", 2.0));
    for operation in ["vote", "event", "end_users_page", "meetings_page", "sign_in", "tally"] {
        assert!(figure(&outcome, &format!("{operation}_median")) > 0.0, "{operation}");
    }
}
