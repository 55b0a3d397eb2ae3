//! The sign-in queue.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::http::support::{Answer, PASSWORD, ROOT_EMAIL, TestApp};

/// Signs in with this address and password, on a new connection.
fn sign_in_as(app: &TestApp, email: &str, password: &str, ticket: &str) -> JoinHandle<Answer> {
    let caller = app.anyone();
    let body = json!({ "email": email, "password": password, "ticket": ticket });
    tokio::spawn(async move { caller.post("/auth/login", body).await })
}

/// Signs in under an unknown name, which takes as long as any other.
fn sign_in(app: &TestApp, number: usize) -> JoinHandle<Answer> {
    sign_in_as(app, &format!("nobody-{number}@example.org"), "another horse", &ticket(number))
}

async fn place(app: &TestApp, ticket: String) -> Value {
    app.anyone().get(&format!("/auth/sign-in-queue?ticket={ticket}")).await.gives(200)
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds().await {
        assert!(Instant::now() < deadline, "timed out: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn ticket(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

#[tokio::test]
async fn the_sign_in_queue_is_empty_without_sign_ins() {
    let app = TestApp::start().await;
    let queue = app.anyone().get("/auth/sign-in-queue").await.gives(200);
    assert_eq!(queue, json!({ "waiting": 0, "seconds": 1, "isYours": false }));
    assert_eq!(place(&app, ticket(1)).await, queue);
    let garbled = app.anyone().get("/auth/sign-in-queue?ticket=1").await;
    assert_eq!(garbled.status, 422, "{}", garbled.text);
}

/// Waits until a caller has this many others ahead.
async fn until_it_waits(app: &TestApp, number: usize, ahead: usize) {
    until("it waits", async || {
        let place = place(app, ticket(number)).await;
        place["isYours"] == true && place["waiting"] == ahead
    })
    .await;
}

#[tokio::test]
async fn a_waiting_caller_sees_its_place_and_keeps_it_after_a_reconnect() {
    let (app, block) = TestApp::start_with_blocked_sign_ins(3).await;
    let mut trying = Vec::new();
    for number in 0..3 {
        trying.push(sign_in(&app, number));
        until_it_waits(&app, number, number).await;
    }
    // The queue is full for a fourth.
    let refused = sign_in(&app, 3).await.unwrap();
    refused.refuses(503, "sign_in_busy");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1, "{refused:?}");

    // The middle one reconnects, whether or not the server has noticed the lost connection.
    let lost = trying.remove(1);
    trying.push(sign_in(&app, 1));
    lost.await.unwrap().refuses(503, "sign_in_busy");
    trying.remove(0).abort();
    assert_eq!(place(&app, ticket(1)).await["isYours"], true);

    drop(block);
    for one in trying {
        one.await.unwrap().refuses(401, "invalid_credentials");
    }
}

/// Fails with more names than the limit of the address allows.
#[tokio::test]
async fn a_caller_in_the_queue_gets_in_after_its_address_reaches_its_limit() {
    const OTHERS: usize = 65;
    let (app, block) = TestApp::start_with_blocked_sign_ins(OTHERS + 1).await;
    let mut failing = Vec::new();
    for number in 0..OTHERS {
        failing.push(sign_in(&app, number));
    }
    until("they wait", async || place(&app, ticket(OTHERS)).await["waiting"] == OTHERS).await;
    let root = sign_in_as(&app, ROOT_EMAIL, PASSWORD, &ticket(OTHERS));
    until_it_waits(&app, OTHERS, OTHERS).await;
    drop(block);
    root.await.unwrap().gives(200);
    for one in failing {
        one.await.unwrap().refuses(401, "invalid_credentials");
    }
}
