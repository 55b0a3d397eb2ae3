//! Those who wait at the door.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::{Answer, TestApp};

/// Signs in under a name that nobody has, which takes as long as any other.
fn sign_in(app: &TestApp, ticket: &str) -> JoinHandle<Answer> {
    let caller = app.anyone();
    let body = json!({ "email": "nobody@example.org", "password": "another horse", "ticket": ticket });
    tokio::spawn(async move { caller.post("/auth/login", body).await })
}

async fn place(app: &TestApp, ticket: String) -> Value {
    app.anyone().get(&format!("/auth/sign-in-queue?ticket={ticket}")).await.gives(200)
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds().await {
        assert!(Instant::now() < deadline, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn ticket(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

#[tokio::test]
async fn nobody_waits_where_nobody_signs_in() {
    let app = TestApp::start().await;
    let queue = app.anyone().get("/auth/sign-in-queue").await.gives(200);
    assert_eq!(queue, json!({ "waiting": 0, "seconds": 1, "isYours": false }));
    assert_eq!(place(&app, ticket(1)).await, queue);
    let garbled = app.anyone().get("/auth/sign-in-queue?ticket=1").await;
    assert_eq!(garbled.status, 422, "{}", garbled.text);
}

#[tokio::test]
async fn who_waits_asks_for_their_place_and_who_leaves_makes_room() {
    let app = TestApp::start_with_a_jam_at_the_door().await;
    let mut trying: Vec<_> = (0..4).map(|number| sign_in(&app, &ticket(number))).collect();
    // One is at the door and three wait; who came first the network decides.
    until("three wait", async || place(&app, ticket(99)).await["waiting"] == 3).await;
    let mut places = Vec::new();
    for number in 0..4 {
        let place = place(&app, ticket(number)).await;
        if place["isYours"] == true {
            assert!(place["seconds"].as_u64().unwrap() >= 1, "{place}");
            places.push((place["waiting"].as_u64().unwrap(), number));
        }
    }
    places.sort_unstable();
    assert_eq!(places.iter().map(|(waiting, _)| *waiting).collect::<Vec<_>>(), [0, 1, 2]);

    // There is no room for a fifth.
    let refused = sign_in(&app, &ticket(4)).await.unwrap();
    refused.refuses(503, "sign_in_busy");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1, "{refused:?}");

    // The middle one hangs up.
    let (_, gone) = places[1];
    trying.remove(gone).abort();
    let mut late = sign_in(&app, &ticket(5));
    until("there is room", async || {
        if late.is_finished() {
            late = sign_in(&app, &ticket(5));
        }
        place(&app, ticket(5)).await["isYours"] == true
    })
    .await;
    assert_eq!(place(&app, ticket(5)).await["waiting"], 2);
    assert_eq!(place(&app, ticket(places[2].1)).await["waiting"], 1);
    assert_eq!(place(&app, ticket(gone)).await["isYours"], false);
}
