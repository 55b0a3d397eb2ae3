use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::failure::LoadFailure;
use crate::http::{Answer, Connection, Target};

/// How long a call of the set-up may take: an import of 20,000 voters hashes as many passwords.
const PATIENCE: Duration = Duration::from_secs(300);

/// Somebody who is signed in and calls the API, one call after another. A token that has expired is renewed.
#[derive(Debug)]
pub struct Person {
    connection: Connection,
    email: String,
    password: String,
    token: String,
    refresh_token: String,
}

impl Person {
    /// Signs in somebody with an account.
    ///
    /// # Errors
    /// Fails when they are not let in.
    pub async fn sign_in(target: &Arc<Target>, email: &str, password: &str) -> Result<Self, LoadFailure> {
        let connection = Connection::new(Arc::clone(target), 0).with_patience(PATIENCE);
        let (email, password) = (email.to_owned(), password.to_owned());
        let mut person = Self { connection, email, password, token: String::new(), refresh_token: String::new() };
        person.sign_in_again().await?;
        Ok(person)
    }

    /// Signs in anew, whatever has become of the tokens.
    ///
    /// # Errors
    /// Fails when they are not let in.
    pub async fn sign_in_again(&mut self) -> Result<(), LoadFailure> {
        self.token.clear();
        self.refresh_token.clear();
        let body = self.credentials();
        let session = self.call("POST", "/auth/login", Some(body)).await?;
        self.take(&session)
    }

    /// The request with which they sign in.
    pub fn sign_in_request(&self) -> Vec<u8> {
        self.connection.target().request("POST", "/api/auth/login").json(self.credentials().to_string()).bytes()
    }

    fn credentials(&self) -> Value {
        json!({ "email": self.email, "password": self.password })
    }

    /// Their access token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Calls the API and reads a success.
    ///
    /// # Errors
    /// Fails when no answer comes, or one that is no success.
    pub async fn call(&mut self, method: &str, path: &str, body: Option<Value>) -> Result<Value, LoadFailure> {
        let answer = self.ask(method, path, body).await?;
        if answer.body.is_empty() {
            return Ok(Value::Null);
        }
        read_json(&format!("{method} {path}"), &answer.body)
    }

    /// The same, and gives the answer as it is.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub async fn ask(&mut self, method: &str, path: &str, body: Option<Value>) -> Result<Answer, LoadFailure> {
        let what = || format!("{method} {path}");
        let body = body.map(|body| body.to_string());
        let deadline = Instant::now() + PATIENCE;
        let mut was_renewed = false;
        loop {
            let answer = self.send(method, path, body.as_deref()).await;
            let answer = answer.map_err(|source| LoadFailure::NoAnswer { what: what(), source })?;
            match answer.status {
                200..300 => return Ok(answer),
                401 if !was_renewed && !self.refresh_token.is_empty() => {
                    was_renewed = true;
                    self.renew().await?;
                }
                503 if Instant::now() < deadline => sleep(answer.retry_after.unwrap_or(Duration::from_secs(1))).await,
                status => return Err(LoadFailure::Refused { what: what(), status, text: answer.text() }),
            }
        }
    }

    async fn send(&mut self, method: &str, path: &str, body: Option<&str>) -> std::io::Result<Answer> {
        let mut request = self.connection.target().request(method, &format!("/api{path}"));
        if !self.token.is_empty() {
            request = request.bearer(&self.token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        self.connection.call(&request.bytes()).await
    }

    async fn renew(&mut self) -> Result<(), LoadFailure> {
        let what = "POST /auth/refresh".to_owned();
        let body = json!({ "refreshToken": self.refresh_token }).to_string();
        let request = self.connection.target().request("POST", "/api/auth/refresh").json(body).bytes();
        let answer = self.connection.call(&request).await;
        let answer = answer.map_err(|source| LoadFailure::NoAnswer { what: what.clone(), source })?;
        if !answer.is_success() {
            return Err(LoadFailure::Refused { what, status: answer.status, text: answer.text() });
        }
        let session = read_json(&what, &answer.body)?;
        self.take(&session)
    }

    fn take(&mut self, session: &Value) -> Result<(), LoadFailure> {
        self.token = text_of(session, "token")?;
        self.refresh_token = text_of(session, "refreshToken")?;
        Ok(())
    }
}

pub(super) fn read_json(what: &str, body: &[u8]) -> Result<Value, LoadFailure> {
    serde_json::from_slice(body)
        .map_err(|error| LoadFailure::Unreadable { what: what.to_owned(), text: error.to_string() })
}

/// A text of an answer.
pub(super) fn text_of(value: &Value, field: &str) -> Result<String, LoadFailure> {
    let text = value.get(field).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| LoadFailure::Unreadable { what: "a call".to_owned(), text: format!("`{field}` is missing") })
}
