//! A tool that finds nothing proves nothing. Somebody stands between the voters and the server, and meddles with one of
//! their votes.

use plenum_load::outcome::{JournalCounts, Outcome};

use super::run;
use super::tampering_proxy::{Meddler, Trick};
use crate::http::support::TestApp;

const VOTERS: u64 = 8;
/// Of all votes as they should be.
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

async fn vote_past(trick: Trick) -> Outcome {
    let app = TestApp::start().await;
    let meddler = Meddler::before(app.base(), trick).await;
    let line = format!("ballots --voters {VOTERS} --connections 4 --rounds 1 --warm-up 0");
    run(&meddler.url(), &line).await
}

async fn found(trick: Trick) -> JournalCounts {
    vote_past(trick).await.journal.unwrap()
}

#[tokio::test]
async fn who_passes_everything_on_is_not_found_fault_with() {
    assert_eq!(found(Trick::None).await, CLEAN);
}

#[tokio::test]
async fn a_vote_that_is_acknowledged_and_thrown_away_is_found_lost() {
    assert_eq!(found(Trick::Lose).await, JournalCounts { lost: 1, ..CLEAN });
}

#[tokio::test]
async fn a_ballot_that_stands_in_the_record_twice_is_found_doubled() {
    // The database holds no second vote of anybody, so the record is what has it.
    assert_eq!(found(Trick::ListTwice).await, JournalCounts { doubled: 1, ..CLEAN });
}

#[tokio::test]
async fn a_vote_that_is_counted_twice_is_found_doubled() {
    assert_eq!(found(Trick::CountTwice).await, JournalCounts { doubled: 1, ..CLEAN });
}

#[tokio::test]
async fn another_content_is_found_changed() {
    assert_eq!(found(Trick::Change).await, JournalCounts { changed: 1, ..CLEAN });
}

#[tokio::test]
async fn a_result_that_counts_a_vote_for_another_option_is_found_changed() {
    assert_eq!(found(Trick::Miscount).await, JournalCounts { changed: 1, ..CLEAN });
}

#[tokio::test]
async fn a_vote_that_is_counted_and_called_refused_is_found_smuggled() {
    assert_eq!(
        found(Trick::Smuggle).await,
        JournalCounts { acknowledged: VOTERS - 1, refused: 1, smuggled: 1, ..CLEAN }
    );
}

#[tokio::test]
async fn a_lost_answer_is_made_up_for_by_handing_the_same_ballot_in_again() {
    let outcome = vote_past(Trick::LoseTheAnswer).await;
    assert_eq!(outcome.journal, Some(CLEAN));
    assert_eq!(outcome.figure("repeats_without_answer"), Some(1.0));
}

#[tokio::test]
async fn who_is_asked_to_come_again_does_so() {
    let outcome = vote_past(Trick::AskToComeAgain).await;
    assert_eq!(outcome.journal, Some(CLEAN));
    assert_eq!((outcome.figure("repeats_as_asked"), outcome.figure("repeats_without_answer")), (Some(1.0), Some(0.0)));
}
