//! Tests of the journal's checks: a proxy between voters and server manipulates one vote.

use plenum_load::outcome::{JournalCounts, Outcome};

use super::run;
use super::tampering_proxy::{Tampering, TamperingProxy};
use crate::http::support::TestApp;

const VOTERS: u64 = 8;
/// The counts of a run without findings.
const CLEAN: JournalCounts = JournalCounts {
    acknowledged: VOTERS,
    refused: 0,
    too_late: 0,
    unknown: 0,
    lost: 0,
    doubled: 0,
    changed: 0,
    smuggled: 0,
};

async fn vote_through(tampering: Tampering) -> Outcome {
    let app = TestApp::start().await;
    let proxy = TamperingProxy::before(app.base(), tampering).await;
    let line = format!("ballots --voters {VOTERS} --connections 4 --rounds 1 --warm-up 0");
    run(&proxy.url(), &line).await
}

async fn found(tampering: Tampering) -> JournalCounts {
    vote_through(tampering).await.journal.unwrap()
}

#[tokio::test]
async fn a_proxy_that_forwards_everything_causes_no_finding() {
    assert_eq!(found(Tampering::None).await, CLEAN);
}

#[tokio::test]
async fn an_acknowledged_and_discarded_vote_is_found_lost() {
    assert_eq!(found(Tampering::Lose).await, JournalCounts { lost: 1, ..CLEAN });
}

#[tokio::test]
async fn a_ballot_twice_in_the_record_is_found_doubled() {
    // The database refuses a second vote, so the record is manipulated.
    assert_eq!(found(Tampering::ListTwice).await, JournalCounts { doubled: 1, ..CLEAN });
}

#[tokio::test]
async fn a_vote_counted_twice_is_found_doubled() {
    assert_eq!(found(Tampering::CountTwice).await, JournalCounts { doubled: 1, ..CLEAN });
}

#[tokio::test]
async fn a_ballot_with_other_answers_is_found_changed() {
    assert_eq!(found(Tampering::Change).await, JournalCounts { changed: 1, ..CLEAN });
}

#[tokio::test]
async fn a_vote_counted_for_another_option_is_found_changed() {
    assert_eq!(found(Tampering::Miscount).await, JournalCounts { changed: 1, ..CLEAN });
}

#[tokio::test]
async fn a_vote_counted_but_reported_as_refused_is_found_smuggled() {
    assert_eq!(
        found(Tampering::Smuggle).await,
        JournalCounts { acknowledged: VOTERS - 1, refused: 1, smuggled: 1, ..CLEAN }
    );
}

#[tokio::test]
async fn a_ballot_is_sent_again_after_a_lost_response() {
    let outcome = vote_through(Tampering::LoseTheResponse).await;
    assert_eq!(outcome.journal, Some(CLEAN));
    assert_eq!(outcome.figure("repeats_without_answer"), Some(1.0));
}

#[tokio::test]
async fn a_voter_retries_when_the_server_asks_for_it() {
    let outcome = vote_through(Tampering::AskToRetry).await;
    assert_eq!(outcome.journal, Some(CLEAN));
    assert_eq!((outcome.figure("repeats_as_asked"), outcome.figure("repeats_without_answer")), (Some(1.0), Some(0.0)));
}
