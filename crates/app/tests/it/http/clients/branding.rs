use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::support::{Caller, TestApp};

/// The header of a PNG file of this size. The server reads no more of it.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    file.extend(width.to_be_bytes());
    file.extend(height.to_be_bytes());
    file
}

fn body(file: &[u8]) -> Value {
    json!({ "content": STANDARD.encode(file) })
}

async fn public_branding(caller: &Caller, code: &str) -> Value {
    caller.get(&format!("/public/client/{code}")).await.gives(200)["client"]["branding"].clone()
}

#[tokio::test]
async fn an_organization_sets_its_accent_color_and_everybody_sees_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Sailing Club").await;
    let none = json!({ "accent": null, "logoVersion": null });
    assert_eq!(club.admin.get("/client/branding").await.gives(200), none);
    let changed = club.admin.put("/client/branding/accent-color", json!({ "accentColor": "#7A1F5C" })).await.gives(200);
    assert_eq!(changed["accent"]["color"], "#7a1f5c");
    assert_eq!(club.admin.get("/client/branding").await.gives(200), changed);
    assert_eq!(public_branding(&app.anyone(), &club.code).await, changed);
    assert_eq!(public_branding(&app.anyone(), &other.code).await, none);
    let removed = club.admin.put("/client/branding/accent-color", json!({ "accentColor": null })).await.gives(200);
    assert_eq!(removed, none);
}

#[tokio::test]
async fn a_color_that_cannot_be_read_is_refused_with_its_contrast() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for color in [json!("#ffcc00"), json!("red"), json!("#12345"), json!(" #7a1f5c"), json!("")] {
        let refused = club.admin.put("/client/branding/accent-color", json!({ "accentColor": color })).await;
        assert_eq!(refused.wrong_fields(), ["accentColor"], "{color}");
    }
    let refused = club.admin.put("/client/branding/accent-color", json!({ "accentColor": "#ffcc00" })).await.gives(422);
    assert_eq!(
        refused["fields"]["accentColor"][0],
        "Must be darker: text in this color has a contrast of 1.35:1 on a light page, and 4.5:1 is needed."
    );
    let missing = club.admin.put("/client/branding/accent-color", json!({})).await;
    assert_eq!(missing.wrong_fields(), ["accentColor"]);
}

#[tokio::test]
async fn a_logo_is_served_with_its_type_its_version_and_no_rights() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let path = format!("/public/client/{}/logo", club.code);
    app.anyone().get(&path).await.refuses(404, "logo_not_found");
    let changed = club.admin.put("/client/branding/logo", body(&png(120, 40))).await.gives(200);
    let version = changed["logoVersion"].as_str().unwrap();
    assert_eq!(public_branding(&app.anyone(), &club.code).await["logoVersion"], version);

    let served = app.anyone().request("GET", &format!("{path}?v={version}")).send().await.unwrap();
    assert_eq!(served.status(), 200);
    let header = |name: &str| served.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/png");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(header("content-disposition"), "attachment; filename=\"logo.png\"");
    assert!(header("content-security-policy").contains("default-src 'none'"));
    assert!(header("content-security-policy").contains("sandbox"));
    let tag = header("etag");
    assert_eq!(served.bytes().await.unwrap(), png(120, 40));

    let outdated = app.anyone().get(&format!("{path}?v=other")).await;
    assert_eq!((outdated.status, outdated.header("cache-control")), (200, Some("no-cache")));
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let unchanged = app.anyone().request("GET", &path).header("if-none-match", &known).send().await.unwrap();
        assert_eq!((unchanged.status().as_u16(), unchanged.content_length()), (304, Some(0)), "{known}");
    }
    club.admin.put("/client/branding/logo", body(&png(80, 40))).await.gives(200);
    let replaced = app.anyone().request("GET", &path).header("if-none-match", &tag).send().await.unwrap();
    assert_eq!(replaced.status(), 200);
    assert_ne!(replaced.headers()["etag"], tag.as_str());

    for _ in 0..2 {
        let removed = club.admin.delete("/client/branding/logo").await.gives(200);
        assert_eq!(removed["logoVersion"], Value::Null);
    }
    app.anyone().get(&path).await.refuses(404, "logo_not_found");
    app.anyone().get("/public/client/nobody/logo").await.refuses(404, "client_not_found");
}

#[tokio::test]
async fn other_files_are_no_logo() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let mut large = png(10, 10);
    large.resize(256 * 1024 + 1, 0);
    for (file, text) in [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "Must be a PNG, JPEG or WebP image."),
        (large, "Must be at most 256 KiB; this file has 257 KiB."),
        (png(3_000, 20), "Must be at most 2000 × 2000 pixels; this image has 3000 × 20."),
        (png(0, 20), "Must be a whole image; this file is damaged."),
    ] {
        let refused = club.admin.put("/client/branding/logo", body(&file)).await.gives(422);
        assert_eq!(refused["fields"]["content"][0], text);
    }
    let refused = club.admin.put("/client/branding/logo", json!({ "content": "***" })).await;
    assert_eq!(refused.wrong_fields(), ["content"]);
    let huge = json!({ "content": "A".repeat(1_100_000) });
    club.admin.put("/client/branding/logo", huge).await.refuses(413, "body_too_large");
    assert_eq!(club.admin.get("/client/branding").await.gives(200)["logoVersion"], Value::Null);
}

#[tokio::test]
async fn branding_is_public_only_while_the_organization_is_active() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let club = app.client("Rowing Club").await;
    club.admin.put("/client/branding/logo", body(&png(120, 40))).await.gives(200);
    root.put(&format!("/clients/{}", club.id), json!({ "clientCode": "rowers" })).await.gives(200);
    assert_eq!(
        app.anyone().get(&format!("/public/client/{}/logo", club.code)).await.status,
        200,
        "also by a former code"
    );
    root.put(&format!("/clients/{}", club.id), json!({ "status": "SUSPENDED" })).await.gives(200);
    app.anyone().get("/public/client/rowers/logo").await.refuses(404, "client_not_found");
}

#[tokio::test]
async fn the_audit_log_has_changes_of_the_branding_without_the_file() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.admin.put("/client/branding/accent-color", json!({ "accentColor": "#7a1f5c" })).await.gives(200);
    club.admin.put("/client/branding/accent-color", json!({ "accentColor": "#7a1f5c" })).await.gives(200);
    let version = club.admin.put("/client/branding/logo", body(&png(120, 40))).await.gives(200)["logoVersion"].clone();
    club.admin.delete("/client/branding/logo").await.gives(200);
    let logo = format!("image/png {}", version.as_str().unwrap());
    let log = club.admin.get("/client/audit?kind=client_changed").await.gives(200)["data"].clone();
    let changes: Vec<&Value> = log.as_array().unwrap().iter().map(|entry| &entry["changes"]).collect();
    assert_eq!(
        changes,
        [
            &json!([{ "field": "logo", "before": logo, "after": null }]),
            &json!([{ "field": "logo", "before": null, "after": logo }]),
            &json!([{ "field": "accent_color", "before": null, "after": "#7a1f5c" }]),
        ]
    );
}

#[tokio::test]
async fn minutes_have_the_letterhead_of_their_organization() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let export = meeting.path("/results/export?format=pdf");
    club.admin.put("/client/branding/accent-color", json!({ "accentColor": "#7a1f5c" })).await.gives(200);
    // Only its header is valid: the minutes are written without it.
    club.admin.put("/client/branding/logo", body(&png(120, 40))).await.gives(200);
    let minutes = club.admin.get(&export).await;
    assert_eq!((minutes.status, minutes.header("content-type")), (200, Some("application/pdf")));
}

#[tokio::test]
async fn a_super_administrator_sets_the_branding_of_another_organization() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let path = format!("/clients/{}/branding", club.id);
    let none = json!({ "accent": null, "logoVersion": null });
    assert_eq!(root.get(&path).await.gives(200), none);
    let colored = json!({ "accentColor": "#7A1F5C" });
    let changed = root.put(&format!("{path}/accent-color"), colored.clone()).await.gives(200);
    assert_eq!(changed["accent"]["color"], "#7a1f5c");
    let changed = root.put(&format!("{path}/logo"), body(&png(120, 40))).await.gives(200);
    assert_eq!(root.get(&path).await.gives(200), changed);
    assert_eq!(club.admin.get("/client/branding").await.gives(200), changed);
    assert_eq!(public_branding(&app.anyone(), &club.code).await, changed);
    assert_eq!(public_branding(&app.anyone(), &other.code).await, none);

    // As for organizers, and nothing is stored.
    let refused = root.put(&format!("{path}/accent-color"), json!({ "accentColor": "#ffcc00" })).await;
    assert_eq!(refused.wrong_fields(), ["accentColor"]);
    let refused = root.put(&format!("{path}/logo"), body(b"<svg/>")).await;
    assert_eq!(refused.wrong_fields(), ["content"]);
    assert_eq!(root.get(&path).await.gives(200), changed);

    for _ in 0..2 {
        let removed = root.delete(&format!("{path}/logo")).await.gives(200);
        assert_eq!((&removed["logoVersion"], &removed["accent"]), (&Value::Null, &changed["accent"]));
    }
    assert_eq!(root.put(&format!("{path}/accent-color"), json!({ "accentColor": null })).await.gives(200), none);
    // Both logs name the super administrator.
    for log in ["/audit?kind=client_changed", "/client/audit?kind=client_changed"] {
        let caller = if log.starts_with("/client/") { &club.admin } else { &root };
        let entries = caller.get(log).await.gives(200)["data"].as_array().unwrap().clone();
        let fields: Vec<&Value> = entries.iter().map(|entry| &entry["changes"][0]["field"]).collect();
        assert_eq!(fields, ["accent_color", "logo", "logo", "accent_color"], "{log}");
        assert!(entries.iter().all(|entry| entry["by"]["role"] == "SUPER_ADMIN"), "{entries:?}");
    }

    root.delete(&format!("/clients/{}", club.id)).await.gives(200);
    root.get(&path).await.refuses(404, "client_not_found");
    root.put(&format!("{path}/accent-color"), colored).await.refuses(404, "client_not_found");
    root.put(&format!("{path}/logo"), body(&png(120, 40))).await.refuses(404, "client_not_found");
    root.delete(&format!("{path}/logo")).await.refuses(404, "client_not_found");
}

#[tokio::test]
async fn organizers_and_voters_change_no_branding_by_the_id_of_an_organization() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let ada = club.voter("ada").await;
    let path = format!("/clients/{}/branding", club.id);
    for caller in [&club.admin, &other.admin, &ada.caller] {
        assert_eq!(caller.get(&path).await.status, 403);
        assert_eq!(caller.put(&format!("{path}/accent-color"), json!({ "accentColor": "#7a1f5c" })).await.status, 403);
        assert_eq!(caller.put(&format!("{path}/logo"), body(&png(120, 40))).await.status, 403);
        assert_eq!(caller.delete(&format!("{path}/logo")).await.status, 403);
    }
    assert_eq!(app.anyone().get(&path).await.status, 401);
    assert_eq!(root.get(&path).await.gives(200), json!({ "accent": null, "logoVersion": null }));
}
