//! Every operation with unexpected errors of the database.

use diesel::connection::SimpleConnection as _;

use crate::http::support::TestApp;
use crate::http::support::operations::{OPERATIONS, World};

/// The error for any internal failure: it asks people to try again, and the log has the cause.
const MESSAGE: &str = "The service is busy or restarting. Please try again in a moment.";

/// Drops all tables except those that authenticate callers.
const DAMAGE: &str = "DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
        AND tablename NOT IN ('sessions', 'refresh_tokens', 'accounts', 'end_users', 'clients')
    LOOP EXECUTE format('ALTER TABLE %I RENAME TO %I', name, 'lost_' || name); END LOOP;
END $$";

#[tokio::test]
async fn an_error_reveals_nothing_behind_the_api() {
    let app = TestApp::start_with_everything().await;
    let world = World::new(&app).await;
    let mut calls = Vec::new();
    for operation in OPERATIONS {
        // Streams begin before any lookup, and health checks report the state.
        let shows_more = ["/test/", "/health/", "/stream"].iter().any(|part| operation.path.contains(part));
        // This operation ends the session.
        if shows_more || operation.path.starts_with("/auth/") {
            continue;
        }
        calls.push((operation, world.caller_of(&app, operation).await));
    }
    app.database.connection().batch_execute(DAMAGE).unwrap();
    let mut failures = 0;
    for (operation, caller) in calls {
        let answer = caller.call(operation.method, &operation.address(&world), operation.body(&world)).await;
        let call = format!("{} {}", operation.method, operation.path);
        if answer.status >= 500 {
            let error = answer.refuses(503, "temporarily_unavailable");
            assert_eq!(error["error"], MESSAGE, "{call}");
            failures += 1;
        }
    }
    assert!(failures > 30, "only {failures} calls have failed");
}
