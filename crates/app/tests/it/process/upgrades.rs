//! A new version takes over from the one before it, during a meeting. `just test-upgrade OLD` plays it with the program of a release;
//! without one, this program takes over from itself.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::process::support::site::{Site, heads_of, open_question, open_secret_question, vote_with_repeats};
use crate::process::support::stream_client::Screen;
use crate::process::support::{Api, Hall, Serving, folder, own_program, plenum, plenum_of, run, stderr, stdout, text};

/// The program of the version before: named by `PLENUM_TEST_PREVIOUS`.
fn previous_program() -> PathBuf {
    let named = std::env::var_os("PLENUM_TEST_PREVIOUS").filter(|name| !name.is_empty());
    named.map_or_else(|| own_program().to_owned(), PathBuf::from)
}

async fn stop(mut serving: Serving) {
    serving.signal(Signal::SIGTERM);
    assert!(serving.ended().await.success(), "{}", serving.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_meeting_goes_on_after_an_upgrade_with_its_votes_tokens_keys_and_records() {
    const VOTERS: usize = 5;
    let folder = folder();
    let before = Serving::start_as(plenum_of(&previous_program(), folder.path(), &["serve"])).await;
    let hall = Hall::new(&before, VOTERS).await;
    for voter in 0..VOTERS {
        vote_with_repeats(&before, &hall, &hall.question, voter).await;
    }
    assert_eq!(heads_of(&before, &hall, &hall.round).await, json!(VOTERS));
    before.call("POST", &hall.path(&format!("/rounds/{}/declare", hall.round)), &hall.admin, Value::Null).await;
    let (sealed_question, sealed) = open_secret_question(&before, &hall).await;
    for voter in 0..VOTERS {
        vote_with_repeats(&before, &hall, &sealed_question, voter).await;
    }
    // Ends the secret round, whose key waits on disk.
    let (question, round) = open_question(&before, &hall).await;
    let first = vote_with_repeats(&before, &hall, &question, 0).await;
    let address = before.origin().trim_start_matches("http://").to_owned();
    let mut phone = Screen::open(&before, &hall.meeting, &hall.token_of(1)).await;
    phone.votes(1).await;
    stop(before).await;

    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LISTEN", address);
    let after = Serving::start_as(command).await;
    // The phone finds its question again by itself, and whoever voted has voted.
    phone.votes(1).await;
    assert_eq!(phone.state["currentQuestion"]["id"], json!(question));
    assert_eq!(vote_with_repeats(&after, &hall, &question, 0).await["id"], first["id"]);
    for voter in 1..VOTERS {
        vote_with_repeats(&after, &hall, &question, voter).await;
    }
    phone.votes(VOTERS).await;
    let refresh = json!({ "refreshToken": hall.voters[2]["refreshToken"] });
    let renewed = text(&after.call("POST", "/auth/refresh", "", refresh).await["token"]);
    after.get("/auth/me", &renewed).await;
    assert_eq!(heads_of(&after, &hall, &round).await, json!(VOTERS));
    assert_eq!(heads_of(&after, &hall, &sealed).await, json!(VOTERS), "the sealed ballots are opened");
    after.call("POST", &hall.path(&format!("/rounds/{round}/declare")), &hall.admin, Value::Null).await;
    let (_, next) = open_question(&after, &hall).await;
    assert_ne!(next, round);
    stop(after).await;

    // The former program neither starts on what this one has migrated, nor changes it.
    let back = run(plenum_of(&previous_program(), folder.path(), &["migrate"]));
    let refusal = stderr(&back);
    assert!(back.status.success() || refusal.contains("is of a newer version of Plenum"), "{refusal}");
    // One chain of records from before and after.
    let checked = run(plenum(folder.path(), &["verify", "--database"]));
    let printed = stdout(&checked);
    assert!(checked.status.success(), "{printed}{}", stderr(&checked));
}

/// Votes, and repeats the ballot until the instance is replaced, so that ballots are in flight at every moment of it.
async fn insist(api: &Api, hall: &Hall, (question, voter): (&str, usize), is_replaced: &AtomicBool) -> Value {
    let vote = vote_with_repeats(api, hall, question, voter).await;
    while !is_replaced.load(Ordering::SeqCst) {
        assert_eq!(vote_with_repeats(api, hall, question, voter).await["id"], vote["id"], "voter {voter}");
    }
    vote
}

/// Replaces an instance by one of this program, at the same address.
async fn replace(instances: &mut Vec<Serving>, place: usize, command: std::process::Command) {
    stop(instances.remove(place)).await;
    instances.insert(place, Serving::start_as(command).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_are_replaced_one_after_the_other_while_people_vote() {
    const VOTERS: usize = 18;
    let Some(mut site) = Site::start(&previous_program(), 2).await else { return };
    let hall = Hall::new(site.api(), VOTERS).await;
    let mut phone = Screen::open(site.api(), &hall.meeting, &hall.token_of(0)).await;
    let (question, round) = open_question(site.api(), &hall).await;
    let mut votes = Vec::new();
    for voter in 0..2 {
        votes.push(vote_with_repeats(site.api(), &hall, &question, voter).await);
    }
    for place in 0..2 {
        let mut command = site.instance(own_program(), site.folders[place].path());
        command.env("PLENUM_LISTEN", site.instances[place].origin().trim_start_matches("http://"));
        let mut instances = std::mem::take(&mut site.instances);
        let is_replaced = AtomicBool::new(false);
        let voters = 2 + place * 8..10 + place * 8;
        let insisting = voters.map(|voter| insist(site.api(), &hall, (&question, voter), &is_replaced));
        let (of_these, ()) = tokio::join!(join_all(insisting), async {
            replace(&mut instances, place, command).await;
            is_replaced.store(true, Ordering::SeqCst);
        });
        votes.extend(of_these);
        site.instances = instances;
    }
    for (voter, vote) in votes.iter().enumerate() {
        for instance in &site.instances {
            assert_eq!(vote_with_repeats(instance, &hall, &question, voter).await["id"], vote["id"], "voter {voter}");
        }
    }
    phone.votes(VOTERS).await;
    assert_eq!(heads_of(site.api(), &hall, &round).await, json!(VOTERS));
}
