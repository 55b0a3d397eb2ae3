use plenum_adapter_security::{JwtTokens, SystemClock};
use plenum_clients::{AccessClaims, AccessTokens as _};
use plenum_kernel::Clock as _;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use super::{KEY, PASSWORD};

/// A caller of the API.
#[derive(Clone)]
pub(crate) struct Caller {
    base: String,
    http: reqwest::Client,
    /// The access token, if there is one.
    pub(crate) token: Option<String>,
    /// The refresh token, if there is one.
    pub(crate) refresh_token: String,
}

impl Caller {
    /// A caller without a token.
    pub(crate) fn new(base: String) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { base, http, token: None, refresh_token: String::new() }
    }

    /// The same caller with this token.
    pub(crate) fn with_token(&self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self.clone() }
    }

    /// The same caller on a new connection.
    pub(crate) fn on_a_new_connection(&self) -> Self {
        Self { token: self.token.clone(), refresh_token: self.refresh_token.clone(), ..Self::new(self.base.clone()) }
    }

    /// The same caller of a server that started again at this address.
    pub(crate) fn at(&self, base: &str) -> Self {
        Self { token: self.token.clone(), refresh_token: self.refresh_token.clone(), ..Self::new(base.to_owned()) }
    }

    /// The access token.
    pub(crate) fn token(&self) -> &str {
        self.token.as_deref().unwrap()
    }

    /// Signs in to a portal.
    pub(crate) async fn sign_in(&self, email: &str) -> Self {
        let body = json!({ "email": email, "password": PASSWORD });
        let session = self.post("/auth/login", body).await.gives(200);
        self.with_session(&session)
    }

    /// Signs in as a voter.
    pub(crate) async fn sign_in_voter(&self, code: &str, username: &str) -> Self {
        let body = json!({ "clientCode": code, "username": username, "password": PASSWORD });
        let session = self.post("/auth/end-user/login", body).await.gives(200);
        self.with_session(&session)
    }

    /// The same caller with the tokens of a response.
    pub(crate) fn with_session(&self, session: &Value) -> Self {
        let refresh_token = session["refreshToken"].as_str().unwrap().to_owned();
        Self { refresh_token, ..self.with_token(session["token"].as_str().unwrap()) }
    }

    /// The same claims, signed with another key.
    pub(crate) fn forged_token(&self) -> String {
        JwtTokens::new(b"a key that nobody configured at all").unwrap().issue(&self.claims())
    }

    /// A token of this person that expired a second ago.
    pub(crate) fn expired_token(&self) -> String {
        let expires_at = SystemClock.now() - chrono::TimeDelta::seconds(1);
        JwtTokens::new(KEY).unwrap().issue(&AccessClaims { expires_at, ..self.claims() })
    }

    /// The same claims without a signature (`"alg":"none"`).
    pub(crate) fn unsigned_token(&self) -> String {
        let claims = self.token().split('.').nth(1).unwrap();
        format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{claims}.")
    }

    fn claims(&self) -> AccessClaims {
        JwtTokens::new(KEY).unwrap().read(self.token(), SystemClock.now()).unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.call("PUT", path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, None).await
    }

    /// Calls the API like the front end, and reads the whole response.
    pub(crate) async fn call(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let request = self.request(method, path).header("accept", "application/json");
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        Answer::read(request.send().await.unwrap()).await
    }

    /// Calls the API with this text as the body.
    pub(crate) async fn call_with_text(&self, method: &str, path: &str, body: impl Into<String>) -> Answer {
        let request = self.request(method, path).header("content-type", "application/json").body(body.into());
        Answer::read(request.send().await.unwrap()).await
    }

    /// A request below `/api` with the caller's token.
    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let request = self.request_at_root(method, &format!("/api{path}"));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// A request without a token.
    pub(crate) fn request_at_root(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        self.http.request(method, format!("{}{path}", self.base))
    }
}

/// A complete response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn read(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, text: response.text().await.unwrap() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(HeaderValue::to_str).transpose().unwrap()
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of a response with this status.
    #[track_caller]
    pub(crate) fn gives(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The error of a response with this status and code.
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, code: &str) -> Value {
        let error = self.gives(status);
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(error["error"], error["message"], "{error}");
        assert!(!error["error"].as_str().unwrap().is_empty(), "{error}");
        error
    }

    /// The fields that a 422 names.
    #[track_caller]
    pub(crate) fn wrong_fields(&self) -> Vec<String> {
        let error = self.gives(422);
        let fields = error["fields"].as_object().unwrap_or_else(|| panic!("no fields: {error}"));
        fields.keys().cloned().collect()
    }
}
