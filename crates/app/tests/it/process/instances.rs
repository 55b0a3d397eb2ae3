//! Three instances behind nginx, on one PostgreSQL and one NATS. Needs `nats-server` and nginx
//! (`just install-nats install-nginx`).

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep};

use crate::process::support::site::{
    Site, heads_of, open_question, open_secret_question, until_bus, vote_with_repeats,
};
use crate::process::support::stream_client::{Ending, Screen};
use crate::process::support::{Api, Hall, Serving, own_program, text, until};

/// The keys of secret votes, below the folder of an instance.
const KEY_FOLDER: &str = "data/secret-keys";

/// The time limit for an immediate effect. Shorter than the interval in which a stream checks its session.
const AT_ONCE: Duration = Duration::from_secs(15);

/// Opens a question on one instance and votes on each, until all screens have received both over NATS. Without NATS
/// they would receive them by two polls of the database, with at least one heartbeat in between.
async fn ask_and_vote(site: &Site, hall: &Hall, screens: &mut [&mut Screen]) {
    // A heartbeat may arrive in between, but not every time.
    for _ in 0..5 {
        let before = heartbeats(screens);
        let (question, _) = open_question(&site.instances[1], hall).await;
        for screen in &mut *screens {
            screen.question(&question).await;
        }
        for voter in 0..3 {
            vote_with_repeats(&site.instances[voter], hall, &question, voter).await;
        }
        for screen in &mut *screens {
            screen.votes(3).await;
        }
        if heartbeats(screens) == before {
            return;
        }
    }
    panic!("changes reach other instances only by polls");
}

fn heartbeats(screens: &[&mut Screen]) -> Vec<usize> {
    screens.iter().map(|screen| screen.heartbeats).collect()
}

/// Waits until this instance refuses the token.
async fn until_refused(api: &Api, token: &str) {
    let deadline = Instant::now() + AT_ONCE;
    while api.send("GET", "/auth/me", token, Value::Null).await.status() != 401 {
        assert!(Instant::now() < deadline, "the token is still valid at {}", api.origin());
        sleep(Duration::from_millis(50)).await;
    }
}

/// The number of connected voters that this instance knows.
async fn participants(api: &Api, hall: &Hall) -> Value {
    api.get(&format!("/sse/meetings/{}/participants/count", hall.meeting), &hall.admin).await["participantCount"]
        .clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_instances_agree_on_questions_counts_participants_and_revocations() {
    const VOTERS: usize = 6;
    let Some(mut site) = Site::start(own_program(), 3).await else { return };
    let hall = Hall::new(site.api(), VOTERS).await;
    let mut controls = site.controls(&hall).await;

    // Each voter connects to another instance, and the first one to two.
    let mut phones = Vec::new();
    for voter in 0..VOTERS {
        phones.push(Screen::open(&site.instances[voter % 3], &hall.meeting, &hall.token_of(voter)).await);
    }
    let second_screen = Screen::open(&site.instances[1], &hall.meeting, &hall.token_of(0)).await;
    for control in &mut controls {
        control.participants(VOTERS).await;
    }
    site.add().await;
    // Also in the response of an instance without watchers that has just started. It has asked the others for their voters, and
    // waits for no response.
    let (started, watched) = site.instances.split_last().unwrap();
    let deadline = Instant::now() + AT_ONCE;
    while participants(started, &hall).await != json!(VOTERS) {
        assert!(Instant::now() < deadline, "the voters of other instances are missing at {}", started.origin());
        sleep(Duration::from_millis(50)).await;
    }
    for instance in watched {
        assert_eq!(participants(instance, &hall).await, json!(VOTERS));
    }

    let mut screens: Vec<_> = controls.iter_mut().chain(&mut phones).collect();
    ask_and_vote(&site, &hall, &mut screens).await;

    // Voter 5 watches on instance 2 and signs out on instance 0. Voter 4 watches on 1 and is deactivated on 2.
    let token = hall.token_of(5);
    site.instances[1].get("/auth/me", &token).await;
    site.instances[0].call("POST", "/auth/logout", &token, Value::Null).await;
    assert_eq!(phones[5].ending(AT_ONCE).await, Ending::Error("session_ended".to_owned()));
    let end_users = site.instances[2].get("/client/end-users?search=voter-4", &hall.admin).await;
    let path = format!("/client/end-users/{}", text(&end_users["data"][0]["id"]));
    site.instances[2].call("PUT", &path, &hall.admin, json!({ "isActive": false })).await;
    assert_eq!(phones[4].ending(AT_ONCE).await, Ending::Error("session_ended".to_owned()));
    for instance in &site.instances {
        until_refused(instance, &token).await;
        until_refused(instance, &hall.token_of(4)).await;
    }
    phones.truncate(4);
    for control in &mut controls {
        control.participants(4).await;
    }
    // A voter who closes one of two screens is still present.
    drop(second_screen);
    drop(phones.pop());
    for control in &mut controls {
        control.participants(3).await;
    }

    // Voter 2 watches on instance 2, and is removed from the list on instance 0. They may watch and vote until the
    // round ends.
    let everybody = site.instances[0].get("/client/end-users?pageSize=100", &hall.admin).await;
    let everybody = everybody["data"].as_array().unwrap();
    let ids: Vec<&Value> = everybody.iter().map(|voter| &voter["id"]).collect();
    let list = format!("/client/meetings/{}/participants", hall.meeting);
    site.instances[1].call("POST", &list, &hall.admin, json!({ "endUserIds": ids })).await;
    let voter = everybody.iter().find(|voter| voter["username"] == "voter-2").unwrap();
    site.instances[0].call("DELETE", &list, &hall.admin, json!({ "endUserIds": [voter["id"]] })).await;
    site.instances[1].call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    assert_eq!(phones[2].ending(AT_ONCE).await, Ending::Error("meeting_gone".to_owned()));
    phones.truncate(2);
    for control in &mut controls {
        control.participants(2).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_instance_loses_only_its_connections() {
    const VOTERS: usize = 12;
    let Some(mut site) = Site::start(own_program(), 3).await else { return };
    let hall = Hall::new(site.api(), VOTERS).await;
    let mut controls = site.controls(&hall).await;
    // The last voter watches on the killed instance, and does not reconnect.
    let mut phones = Vec::new();
    for voter in 0..VOTERS - 1 {
        phones.push(Screen::open(site.api(), &hall.meeting, &hall.token_of(voter)).await);
    }
    let _gone = Screen::open(&site.instances[2], &hall.meeting, &hall.token_of(VOTERS - 1)).await;
    for control in &mut controls {
        control.participants(VOTERS).await;
    }
    let (question, round) = open_question(&site.instances[0], &hall).await;

    let victim = site.instances.pop().unwrap();
    controls.truncate(2);
    let first = vote_with_repeats(&victim, &hall, &question, 0).await;
    let (site_api, hall_ref, question_ref) = (site.api(), &hall, &question);
    let vote = |voter: usize| async move { (voter, vote_with_repeats(site_api, hall_ref, question_ref, voter).await) };
    let is_killed = AtomicBool::new(false);
    // These voters repeat their ballots, so that ballots are in flight at the kill.
    let insistent = join_all((1..4).map(|voter| {
        let is_killed = &is_killed;
        async move {
            let (voter, acknowledged) = vote(voter).await;
            while !is_killed.load(Ordering::SeqCst) {
                assert_eq!(vote(voter).await.1["id"], acknowledged["id"], "voter {voter}");
            }
            (voter, acknowledged)
        }
    }));
    let (insistent, others) = tokio::join!(insistent, async {
        controls[0].until("ballots are coming in", |state| state["voteCount"].as_u64() > Some(1)).await;
        let mut under_way: FuturesUnordered<_> = (4..VOTERS - 1).map(vote).collect();
        let mut others: Vec<_> = under_way.next().await.into_iter().collect();
        // One ballot is acknowledged. The others are in flight.
        victim.kill();
        others.extend(under_way.collect::<Vec<_>>().await);
        is_killed.store(true, Ordering::SeqCst);
        others
    });
    victim.crash().await;

    // Every voter has an acknowledgement in the end, and a repeat gets the same vote.
    let acknowledged: Vec<_> = [(0, first)].into_iter().chain(insistent).chain(others).collect();
    assert_eq!(acknowledged.len(), VOTERS - 1);
    for (voter, vote) in &acknowledged {
        assert_eq!(vote_with_repeats(site.api(), &hall, &question, *voter).await["id"], vote["id"], "voter {voter}");
    }
    for (voter, phone) in phones.iter_mut().enumerate() {
        // Screens with a broken stream reconnect through nginx.
        phone.votes(acknowledged.len()).await;
        assert_eq!(phone.state["currentQuestion"]["id"], json!(question), "voter {voter}");
    }
    for control in &mut controls {
        control.votes(acknowledged.len()).await;
        control.participants(VOTERS - 1).await;
    }
    // A new voter is counted.
    let _late = Screen::open(site.api(), &hall.meeting, &hall.token_of(VOTERS - 1)).await;
    for control in &mut controls {
        control.participants(VOTERS).await;
    }
    assert_eq!(heads_of(site.api(), &hall, &round).await, json!(acknowledged.len()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_vote_is_counted_without_the_instance_that_made_its_key() {
    const VOTERS: usize = 6;
    let Some(mut site) = Site::start(own_program(), 3).await else { return };
    let hall = Hall::new(site.api(), VOTERS).await;
    let victim = site.instances.pop().unwrap();
    let (question, round) = open_secret_question(&victim, &hall).await;
    let is_kept = |folder: &TempDir| folder.path().join(KEY_FOLDER).join(&round).exists();
    let kept: Vec<bool> = site.folders.iter().map(is_kept).collect();
    assert_eq!(kept, [true; 3], "each instance has the key before the opening is confirmed");
    for voter in 0..VOTERS - 1 {
        vote_with_repeats(&victim, &hall, &question, voter).await;
    }
    victim.crash().await;
    vote_with_repeats(&site.instances[0], &hall, &question, VOTERS - 1).await;

    assert_eq!(heads_of(&site.instances[1], &hall, &round).await, json!(VOTERS));
    until("the running instances destroy the key", || !site.folders[..2].iter().any(is_kept)).await;
    assert!(is_kept(&site.folders[2]), "nobody could tell the killed instance");
    // A young share may belong to a round that is being opened.
    let file = site.folders[2].path().join(KEY_FOLDER).join(&round);
    let hour_ago = SystemTime::now() - Duration::from_secs(3_600);
    File::options().write(true).open(file).unwrap().set_modified(hour_ago).unwrap();
    let command = site.instance(own_program(), site.folders[2].path());
    site.instances.push(Serving::start_as(command).await);
    until("the killed instance destroys the key at its start", || !is_kept(&site.folders[2])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn voting_continues_without_nats_and_screens_show_the_delay() {
    const VOTERS: usize = 4;
    let Some(mut site) = Site::start(own_program(), 3).await else { return };
    let hall = Hall::new(site.api(), VOTERS).await;
    let mut controls = site.controls(&hall).await;
    let mut phones = Vec::new();
    for voter in 0..VOTERS {
        phones.push(Screen::open(site.api(), &hall.meeting, &hall.token_of(voter)).await);
    }
    for control in &mut controls {
        control.participants(VOTERS).await;
        assert_eq!(control.state["isDelayed"], json!(false));
    }

    block_in_place(|| site.nats.stop());
    for screen in controls.iter_mut().chain(&mut phones) {
        screen.until("the state is delayed", |state| state["isDelayed"] == json!(true)).await;
    }
    for instance in &site.instances {
        until_bus(instance, "away").await;
    }
    let (question, round) = open_question(&site.instances[0], &hall).await;
    for screen in controls.iter_mut().chain(&mut phones) {
        screen.question(&question).await;
    }
    for voter in 0..VOTERS - 1 {
        vote_with_repeats(&site.instances[voter % 3], &hall, &question, voter).await;
    }
    for screen in controls.iter_mut().chain(&mut phones) {
        screen.votes(VOTERS - 1).await;
        assert_eq!(screen.state["participantCount"], json!(VOTERS), "the last reported presence");
    }
    drop(phones.pop());

    block_in_place(|| site.nats.start_again());
    for screen in controls.iter_mut().chain(&mut phones) {
        screen.until("it is live again", |state| state["isDelayed"] == json!(false)).await;
        screen.participants(VOTERS - 1).await;
    }
    for instance in &site.instances {
        until_bus(instance, "connected").await;
    }
    vote_with_repeats(&site.instances[2], &hall, &question, VOTERS - 1).await;
    for screen in controls.iter_mut().chain(&mut phones) {
        screen.votes(VOTERS).await;
    }
    assert_eq!(heads_of(&site.instances[1], &hall, &round).await, json!(VOTERS));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_nats_server_removes_no_voter_from_the_presence() {
    const VOTERS: usize = 3;
    let Some(site) = Site::start(own_program(), 3).await else { return };
    let hall = Hall::new(site.api(), VOTERS).await;
    let mut controls = site.controls(&hall).await;
    let mut phones = Vec::new();
    for voter in 0..VOTERS {
        phones.push(Screen::open(&site.instances[voter], &hall.meeting, &hall.token_of(voter)).await);
    }
    for control in &mut controls {
        control.participants(VOTERS).await;
    }

    site.nats.pause();
    for is_delayed in [true, false] {
        // One after the other. Each screen applies the events that it has received meanwhile.
        for control in &mut controls {
            control
                .until("the delay changes", |state| {
                    assert_eq!(state["participantCount"], json!(VOTERS), "the presence stays complete");
                    state["isDelayed"] == json!(is_delayed)
                })
                .await;
        }
        site.nats.resume();
    }
}
