//! The second factor of accounts, with codes that the test computes like an authenticator.

use futures_util::future::join_all;
use plenum_adapter_security::{FactorCipher, SystemClock};
use plenum_clients::{SecondFactorCipher as _, TotpSecret, TotpStep};
use plenum_kernel::Clock as _;
use serde_json::{Value, json};

use crate::http::support::{Answer, Caller, EventStream, KEY, PASSWORD, ROOT_EMAIL, TestApp};

const EMAIL: &str = "admin@rowing-club.example";

/// An authenticator with its secret.
struct Authenticator {
    secret: TotpSecret,
    recovery_codes: Vec<String>,
    /// The code of the confirmation.
    first_code: String,
}

impl Authenticator {
    fn new(secret: TotpSecret) -> Self {
        Self { secret, recovery_codes: Vec::new(), first_code: String::new() }
    }

    /// The code of a time step before or after the current one.
    fn code(&self, steps: i64) -> String {
        let TotpStep(now) = TotpStep::at(SystemClock.now());
        FactorCipher::new(KEY).code(&self.secret, TotpStep(now + steps)).to_string()
    }

    /// A code that is invalid in all near time steps.
    fn wrong_code(&self) -> String {
        let near: Vec<String> = (-3..=3).map(|steps| self.code(steps)).collect();
        (0..).map(|number| format!("{number:06}")).find(|code| !near.contains(code)).unwrap()
    }
}

fn read_base32(text: &str) -> TotpSecret {
    let bits: String = text
        .chars()
        .map(|letter| "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(letter).unwrap())
        .map(|value| format!("{value:05b}"))
        .collect();
    let byte = |place: usize| u8::from_str_radix(&bits[place * 8..place * 8 + 8], 2).unwrap();
    TotpSecret::new(std::array::from_fn(byte))
}

/// Sets the factor up and confirms it with the current code. The next code is valid already, and left for the test.
async fn turn_on(caller: &Caller) -> Authenticator {
    let begun = caller.post("/auth/second-factor", json!({ "currentPassword": PASSWORD })).await.gives(200);
    let secret = begun["secret"].as_str().unwrap();
    assert!(begun["uri"].as_str().unwrap().contains(&format!("secret={secret}&issuer=Plenum")), "{begun}");
    let mut authenticator = Authenticator::new(read_base32(secret));
    authenticator.first_code = authenticator.code(0);
    let body = json!({ "code": authenticator.first_code });
    let confirmed = caller.post("/auth/second-factor/confirm", body).await.gives(200);
    let codes = confirmed["recoveryCodes"].as_array().unwrap();
    authenticator.recovery_codes = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    authenticator
}

async fn sign_in(app: &TestApp, email: &str, code: Option<&str>) -> Answer {
    let mut body = json!({ "email": email, "password": PASSWORD });
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    app.anyone().post("/auth/login", body).await
}

fn both(code: &str) -> Value {
    json!({ "currentPassword": PASSWORD, "code": code })
}

#[tokio::test]
async fn account_owners_sign_in_by_both_factors() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (caller, email) in [(&club.admin, EMAIL), (&app.super_admin().await, ROOT_EMAIL)] {
        let off = json!({ "isOn": false, "recoveryCodesLeft": 0 });
        assert_eq!(caller.get("/auth/second-factor").await.gives(200), off);
        let authenticator = turn_on(caller).await;
        let on = json!({ "isOn": true, "recoveryCodesLeft": 10 });
        assert_eq!(caller.get("/auth/second-factor").await.gives(200), on);

        let asked = sign_in(&app, email, None).await;
        asked.refuses(401, "second_factor_required");
        assert!(!asked.text.contains("token"), "{}", asked.text);
        sign_in(&app, email, Some("  ")).await.refuses(401, "second_factor_required");
        sign_in(&app, email, Some(&authenticator.wrong_code())).await.refuses(401, "second_factor_wrong");
        // The code of the confirmation is used up.
        sign_in(&app, email, Some(&authenticator.first_code)).await.refuses(401, "second_factor_wrong");
        let code = authenticator.code(1);
        let session = sign_in(&app, email, Some(&code)).await.gives(200);
        let signed_in = app.anyone().with_session(&session);
        signed_in.get("/auth/me").await.gives(200);
        let refresh = json!({ "refreshToken": signed_in.refresh_token });
        app.anyone().post("/auth/refresh", refresh).await.gives(200);
        sign_in(&app, email, Some(&code)).await.refuses(401, "second_factor_wrong");
    }
}

#[tokio::test]
async fn one_of_twenty_sign_ins_with_the_same_code_succeeds() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let authenticator = turn_on(&club.admin).await;
    let code = authenticator.code(1);
    let answers = join_all((0..20).map(|_| sign_in(&app, EMAIL, Some(&code)))).await;
    let let_in = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(let_in, 1);
    assert!(answers.iter().all(|answer| [200, 401, 429].contains(&answer.status)));
    let code = authenticator.recovery_codes[0].clone();
    let answers = join_all((0..20).map(|_| sign_in(&app, EMAIL, Some(&code)))).await;
    assert!(answers.iter().filter(|answer| answer.status == 200).count() <= 1);
}

#[tokio::test]
async fn wrong_codes_lead_to_a_delay_even_with_correct_passwords_between_them() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let authenticator = turn_on(&club.admin).await;
    for _ in 0..5 {
        sign_in(&app, EMAIL, Some(&authenticator.wrong_code())).await.refuses(401, "second_factor_wrong");
        sign_in(&app, EMAIL, None).await.refuses(401, "second_factor_required");
    }
    let refused = sign_in(&app, EMAIL, Some(&authenticator.code(1))).await;
    refused.refuses(429, "too_many_tries");
    let seconds: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((200..=300).contains(&seconds), "{seconds}");
    // Attempts in the account settings count together with these.
    club.admin.post("/auth/second-factor/remove", both(&authenticator.code(1))).await.refuses(429, "too_many_tries");
    sign_in(&app, EMAIL, Some(&authenticator.recovery_codes[0])).await.gives(200);
}

#[tokio::test]
async fn a_recovery_code_works_once_and_new_codes_replace_the_old() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let authenticator = turn_on(&club.admin).await;
    let [first, second, third, ..] = &authenticator.recovery_codes[..] else { panic!("too few") };
    sign_in(&app, EMAIL, Some(first)).await.gives(200);
    sign_in(&app, EMAIL, Some(first)).await.refuses(401, "second_factor_wrong");
    assert_eq!(club.admin.get("/auth/second-factor").await.gives(200)["recoveryCodesLeft"], 9);
    let renewed = club.admin.post("/auth/second-factor/recovery-codes", both(second)).await.gives(200);
    sign_in(&app, EMAIL, Some(third)).await.refuses(401, "second_factor_wrong");
    sign_in(&app, EMAIL, renewed["recoveryCodes"][0].as_str()).await.gives(200);
}

#[tokio::test]
async fn turning_the_factor_on_ends_every_other_session() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let elsewhere = app.anyone().sign_in(EMAIL).await;
    let mut ended = EventStream::watch(&elsewhere, &meeting.id).await;
    ended.until("connected").await;
    turn_on(&club.admin).await;
    assert_eq!(ended.until("error").await["code"], "session_ended");
    elsewhere.get("/auth/me").await.refuses(401, "session_ended");
    club.admin.get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn a_change_of_the_factor_requires_password_and_code() {
    let app = TestApp::start().await;
    let admin = app.client("Rowing Club").await.admin;
    let (begin, confirm) = ("/auth/second-factor", "/auth/second-factor/confirm");
    let (remove, renew) = ("/auth/second-factor/remove", "/auth/second-factor/recovery-codes");
    let wrong_password = json!({ "currentPassword": "another horse", "code": "123456" });
    admin.post(begin, wrong_password.clone()).await.refuses(403, "wrong_password");
    assert_eq!(admin.post(begin, json!({ "currentPassword": "" })).await.wrong_fields(), ["currentPassword"]);
    admin.post(confirm, json!({ "code": "123456" })).await.refuses(409, "second_factor_off");
    assert_eq!(admin.post(confirm, json!({ "code": " " })).await.wrong_fields(), ["code"]);
    admin.post(remove, both("123456")).await.refuses(409, "second_factor_off");
    let authenticator = turn_on(&admin).await;
    admin.post(begin, json!({ "currentPassword": PASSWORD })).await.refuses(409, "second_factor_on");
    for path in [remove, renew] {
        admin.post(path, wrong_password.clone()).await.refuses(403, "wrong_password");
        admin.post(path, both(&authenticator.wrong_code())).await.refuses(403, "second_factor_wrong");
        admin.post(path, both("nonsense")).await.refuses(403, "second_factor_wrong");
    }
    admin.post(remove, both(&authenticator.code(1))).await.gives(200);
    sign_in(&app, EMAIL, None).await.gives(200);
}

#[tokio::test]
async fn a_super_administrator_removes_a_lost_factor_and_ends_the_sessions_of_its_owner() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let club = app.client("Rowing Club").await;
    let id_of =
        async |caller: &Caller| caller.get("/auth/me").await.gives(200)["user"]["id"].as_str().unwrap().to_owned();
    let path = format!("/accounts/{}/second-factor", id_of(&club.admin).await);
    root.delete(&path).await.refuses(409, "second_factor_off");
    turn_on(&club.admin).await;
    club.admin.delete(&path).await.refuses(403, "wrong_role");
    root.delete(&path).await.gives(200);
    club.admin.get("/auth/me").await.refuses(401, "session_ended");
    sign_in(&app, EMAIL, None).await.gives(200);
    // Neither another super administrator's factor nor the caller's own.
    turn_on(&root).await;
    let own = format!("/accounts/{}/second-factor", id_of(&root).await);
    root.delete(&own).await.refuses(409, "by_command_only");
    root.delete(&format!("/accounts/{}/second-factor", club.id)).await.refuses(404, "account_not_found");
}

#[tokio::test]
async fn a_new_password_by_a_super_administrator_keeps_the_factor() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    turn_on(&club.admin).await;
    let root = app.super_admin().await;
    root.put(&format!("/clients/{}", club.id), json!({ "password": PASSWORD })).await.gives(200);
    sign_in(&app, EMAIL, None).await.refuses(401, "second_factor_required");
}

#[tokio::test]
async fn voters_have_no_second_factor() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await.caller;
    ben.get("/auth/second-factor").await.refuses(403, "wrong_role");
    ben.post("/auth/second-factor", json!({ "currentPassword": PASSWORD })).await.refuses(403, "wrong_role");
    // With any further fields in the sign-in.
    let body = json!({ "clientCode": club.code, "username": "ben", "password": PASSWORD, "code": "123456" });
    app.anyone().post("/auth/end-user/login", body).await.gives(200);
}

#[test]
fn the_test_reads_secrets_as_authenticators_do() {
    let secret = TotpSecret::new(*b"12345678901234567890");
    assert_eq!(read_base32(&secret.base32()), secret);
    let authenticator = Authenticator::new(secret);
    assert_eq!(authenticator.code(0).len(), 6);
    assert_ne!(authenticator.wrong_code(), authenticator.code(1));
}
