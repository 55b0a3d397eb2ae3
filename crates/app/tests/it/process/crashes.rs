use std::sync::Arc;

use serde_json::{Value, json};

use crate::process::support::{Hall, Serving, folder, is_alive, postgres_of, text};

#[tokio::test]
async fn every_acknowledged_vote_survives_a_kill_in_the_middle_of_a_round() {
    const VOTERS: usize = 12;
    let folder = folder();
    let serving = Serving::start(folder.path()).await;
    let hall = Arc::new(Hall::new(&serving, VOTERS).await);
    let postgres = postgres_of(folder.path()).unwrap();

    // Two votes are acknowledged, and others are in flight at the crash. The last voter has not voted.
    let mut acknowledged = Vec::new();
    for voter in 0..2 {
        let vote = serving.call("POST", &hall.vote_path(), &hall.token_of(voter), json!({ "answers": ["Yes"] })).await;
        acknowledged.push((voter, vote["vote"].clone()));
    }
    let serving = Arc::new(serving);
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    for voter in 2..VOTERS - 1 {
        let (serving, hall, sender) = (Arc::clone(&serving), Arc::clone(&hall), sender.clone());
        tokio::spawn(async move {
            let request = serving.try_vote(&hall.vote_path(), &hall.token_of(voter)).await;
            if let Some(vote) = request {
                sender.send((voter, vote)).unwrap();
            }
        });
    }
    drop(sender);
    // The first acknowledgement triggers the crash.
    acknowledged.push(receiver.recv().await.unwrap());
    serving.kill();
    while let Some(vote) = receiver.recv().await {
        acknowledged.push(vote);
    }
    Arc::into_inner(serving).unwrap().crash().await;

    let serving = Serving::start(folder.path()).await;
    assert!(!is_alive(postgres), "the PostgreSQL of the killed one is still there");
    // The tokens still work without a new sign-in.
    for (voter, vote) in &acknowledged {
        let seen = serving.get(&format!("/voting/meetings/{}", hall.meeting), &hall.token_of(*voter)).await;
        let question = &seen["meeting"]["questions"][0];
        assert_eq!(question["userVote"], vote["answers"], "voter {voter}");
        assert_eq!(question["isActive"], true);
        // A repeat of a screen without a response gets the first vote.
        let again =
            serving.call("POST", &hall.vote_path(), &hall.token_of(*voter), json!({ "answers": ["Yes"] })).await;
        assert_eq!(&again["vote"]["id"], &vote["id"]);
    }
    let current = serving.get(&hall.path("/current-question"), &hall.admin).await;
    assert_eq!((&current["isActive"], &current["roundId"]), (&json!(true), &json!(hall.round)));
    let before = usize::try_from(current["voteCount"].as_u64().unwrap()).unwrap();
    assert!((acknowledged.len()..VOTERS).contains(&before), "{before} votes, {} acknowledged", acknowledged.len());

    let last = &hall.voters[VOTERS - 1];
    let pair = serving.call("POST", "/auth/refresh", "", json!({ "refreshToken": last["refreshToken"] })).await;
    serving.call("POST", &hall.vote_path(), &text(&pair["token"]), json!({ "answers": ["No"] })).await;
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    let result =
        serving.call("POST", &hall.path(&format!("/rounds/{}/count", hall.round)), &hall.admin, Value::Null).await;
    assert_eq!(result["votesCast"]["heads"], before + 1);
    let heads = |place: usize| result["options"][place]["heads"].clone();
    assert_eq!((heads(0), heads(1)), (json!(before), json!(1)));
    assert_eq!(result["numbers"], Value::Null);
}

#[tokio::test]
async fn another_instance_migrates_and_starts_while_people_vote() {
    const VOTERS: usize = 12;
    let (folder, other) = (crate::process::support::folder(), crate::process::support::folder());
    let database = plenum_adapter_postgres::testkit::TestDatabase::without_tables().await;
    let command = |folder: &std::path::Path, what| {
        let mut command = crate::process::support::plenum(folder, &[what]);
        command
            .env("DATABASE_URL", database.url())
            .env("PLENUM_JWT_SECRET", "one key for both of the instances")
            .env("PLENUM_NATS_URL", crate::process::support::ABSENT_NATS)
            .env("PLENUM_EVIDENCE_KEY_FILE", crate::process::support::shared_evidence_key());
        command
    };
    let first = Serving::start_as(command(folder.path(), "serve")).await;
    let hall = Hall::new(&first, VOTERS).await;
    let migrations = command(other.path(), "migrate");
    let migrating = tokio::task::spawn_blocking(move || crate::process::support::run(migrations));
    let starting = Serving::start_as(command(other.path(), "serve"));
    let votes = (0..VOTERS - 1).map(|voter| {
        let (path, token, first) = (hall.vote_path(), hall.token_of(voter), &first);
        async move { first.try_vote(&path, &token).await.unwrap() }
    });
    let (second, _) = tokio::join!(starting, futures_util::future::join_all(votes));
    assert!(migrating.await.unwrap().status.success());
    // The new instance serves the meeting, and accepts votes.
    second.try_vote(&hall.vote_path(), &hall.token_of(VOTERS - 1)).await.unwrap();
    let current = second.get(&hall.path("/current-question"), &hall.admin).await;
    assert_eq!((&current["isActive"], &current["voteCount"]), (&json!(true), &json!(VOTERS)));
}

#[tokio::test]
async fn a_killed_database_comes_back_by_itself_and_no_vote_is_lost() {
    let folder = folder();
    let serving = Serving::start(folder.path()).await;
    let hall = Hall::new(&serving, 2).await;
    serving.call("POST", &hall.vote_path(), &hall.token_of(0), json!({ "answers": ["Yes"] })).await;
    let postgres = postgres_of(folder.path()).unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(postgres), nix::sys::signal::Signal::SIGKILL).unwrap();

    let vote = serving.repeat("POST", &hall.vote_path(), &hall.token_of(1), json!({ "answers": ["No"] })).await;
    assert_eq!(vote["vote"]["answers"], json!(["No"]));
    // The ballot writers may reconnect before the pools.
    let current = serving.repeat("GET", &hall.path("/current-question"), &hall.admin, Value::Null).await;
    assert_eq!((&current["isActive"], &current["voteCount"]), (&json!(true), &json!(2)));
}

#[tokio::test]
async fn the_start_ends_a_round_whose_countdown_ran_out_while_no_server_ran() {
    let folder = folder();
    let serving = Serving::start(folder.path()).await;
    let hall = Hall::new(&serving, 1).await;
    serving.call("POST", &hall.vote_path(), &hall.token_of(0), json!({ "answers": ["Yes"] })).await;
    let counting = serving.call("PUT", &hall.path("/countdown"), &hall.admin, json!({ "seconds": 5 })).await;
    assert_eq!(counting["currentQuestion"]["isActive"], true);
    serving.crash().await;

    let serving = Serving::start(folder.path()).await;
    let deadline = std::time::Instant::now() + crate::process::support::TIME_LIMIT;
    let current = loop {
        let current = serving.get(&hall.path("/current-question"), &hall.admin).await;
        if current["isActive"] == false {
            break current;
        }
        assert!(std::time::Instant::now() < deadline, "the round goes on: {current}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!((&current["id"], &current["closesAt"]), (&json!(hall.question), &Value::Null));
    let result =
        serving.call("POST", &hall.path(&format!("/rounds/{}/count", hall.round)), &hall.admin, Value::Null).await;
    assert_eq!(result["votesCast"]["heads"], 1);
}
