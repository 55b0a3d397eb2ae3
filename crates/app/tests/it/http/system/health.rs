use crate::http::support::{Answer, TestApp};

#[tokio::test]
async fn a_live_and_migrated_product_is_healthy_and_ready_with_and_without_the_prefix() {
    let app = TestApp::start().await;
    assert_eq!(app.anyone().get("/health").await.gives(200)["status"], "ok");
    assert_eq!(app.anyone().get("/health/ready").await.gives(200)["status"], "ready");
    for (path, status) in [("/health", "ok"), ("/health/ready", "ready")] {
        let answer = Answer::read(app.anyone().request_at_root("GET", path).send().await.unwrap()).await;
        assert_eq!(answer.gives(200)["status"], status);
    }
}

#[tokio::test]
async fn a_product_without_tables_is_alive_and_not_ready() {
    let app = TestApp::start().await;
    app.database.revert_all_migrations().await;
    assert_eq!(app.anyone().get("/health").await.gives(200)["status"], "ok");
    let answer = app.anyone().get("/health/ready").await.gives(503);
    assert_eq!(answer["status"], "not_ready");
    assert!(answer["reason"].as_str().unwrap().contains("migrations"), "{answer}");
}

#[tokio::test]
async fn a_head_request_of_the_status_gets_no_body() {
    let app = TestApp::start().await;
    let ask = async |path: &str| Answer::read(app.anyone().request_at_root("HEAD", path).send().await.unwrap()).await;
    let live = ["/health", "/api/health"];
    let ready = ["/health/ready", "/api/health/ready"];
    for path in live.iter().chain(&ready) {
        let answer = ask(path).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, ""), "{path}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
    }
    app.database.revert_all_migrations().await;
    for (paths, status) in [(live, 200), (ready, 503)] {
        for path in paths {
            let answer = ask(path).await;
            assert_eq!((answer.status, answer.text.as_str()), (status, ""), "{path}");
        }
    }
}

#[tokio::test]
async fn the_document_and_the_page_to_browse_it_need_no_token() {
    let app = TestApp::start().await;
    let document = app.anyone().get("/openapi.json").await.gives(200);
    assert_eq!(document["info"]["title"], "Plenum");
    let page = app.anyone().get("/docs").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("swagger-ui"), "{}", page.text);
}

#[tokio::test]
async fn with_a_base_path_everything_moves_below_it() {
    let settings = plenum_adapter_http::HttpSettings {
        base_path: "/plenum".to_owned(),
        ..plenum_adapter_http::HttpSettings::default()
    };
    let app = TestApp::start_with(settings).await;
    // The addresses of the caller start after the base path.
    let club = app.client("Rowing Club").await;
    let voter = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    voter.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let mut stream = crate::http::support::EventStream::watch(&voter.caller, &meeting.id).await;
    assert_eq!(stream.next().await.unwrap().kind, "connected");
    let document = app.anyone().get("/openapi.json").await.gives(200);
    assert_eq!(document["servers"][0]["url"], "/plenum/api");
}
