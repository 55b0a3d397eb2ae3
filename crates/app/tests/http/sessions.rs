use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

/// Accounts and end users.
async fn signed_in(root: &Caller) -> (u64, u64) {
    let data = root.get("/sessions/stats").await.gives(200)["data"].clone();
    let number = |name: &str| data[name].as_u64().unwrap();
    assert_eq!(number("total"), number("accounts") + number("endUsers"));
    (number("accounts"), number("endUsers"))
}

#[tokio::test]
async fn whoever_is_signed_in_is_counted_until_they_sign_out_or_may_not_act_any_more() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    assert_eq!(signed_in(&root).await, (1, 0));
    // Whoever makes a client signs in for it.
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    assert_eq!(signed_in(&root).await, (5, 0));
    let ben = club.voter("ben").await;
    let again = app.anyone().sign_in_voter(&club.code, "ben").await;
    club.voter("ada").await;
    other.voter("ben").await;
    assert_eq!(signed_in(&root).await, (5, 4));

    again.post("/auth/logout", Value::Null).await.gives(200);
    assert_eq!(signed_in(&root).await, (5, 3));
    club.admin.put(&format!("/client/end-users/{}", ben.id), json!({ "isActive": false })).await.gives(200);
    assert_eq!(signed_in(&root).await, (5, 2));
    root.put(&format!("/clients/{}", other.id), json!({ "status": "INACTIVE" })).await.gives(200);
    assert_eq!(signed_in(&root).await, (4, 1));
    root.put(&format!("/clients/{}", other.id), json!({ "status": "ACTIVE" })).await.gives(200);
    assert_eq!(signed_in(&root).await, (5, 2));
    root.delete(&format!("/clients/{}", other.id)).await.gives(200);
    assert_eq!(signed_in(&root).await, (4, 1));
}
