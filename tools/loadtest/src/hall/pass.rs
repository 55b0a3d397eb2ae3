use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::person::text_of;
use super::sessions::{fetch_session, refresh_request};
use crate::failure::LoadFailure;
use crate::http::Connection;

/// Access tokens last 15 minutes. One that is older than this is renewed before it is used.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// What lets somebody in who has signed in: tokens that are renewed in time. Clones have them in common.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    tokens: Arc<Mutex<Option<Tokens>>>,
    /// Whoever renews them: two who spend the same refresh token are taken for thieves.
    renewing: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
struct Tokens {
    access: String,
    refresh: String,
    /// From then on they are renewed before they are used.
    renew_from: Instant,
}

impl Tokens {
    fn is_fresh(&self) -> bool {
        Instant::now() < self.renew_from
    }
}

impl Pass {
    /// Takes the tokens of an answer to a sign-in or a renewal.
    ///
    /// # Errors
    /// Fails when it has none.
    pub fn take(&self, session: &Value) -> Result<(), LoadFailure> {
        self.take_for(FRESH, session)
    }

    fn take_for(&self, fresh: Duration, session: &Value) -> Result<(), LoadFailure> {
        let (access, refresh) = (text_of(session, "token")?, text_of(session, "refreshToken")?);
        *self.tokens() = Some(Tokens { access, refresh, renew_from: Instant::now() + fresh });
        Ok(())
    }

    /// The access token; empty before anything was taken.
    pub fn token(&self) -> String {
        self.tokens().as_ref().map(|tokens| tokens.access.clone()).unwrap_or_default()
    }

    /// Renews the tokens if they are no longer fresh, so that they are good for some minutes in any case.
    ///
    /// # Errors
    /// Fails when they cannot be renewed.
    pub async fn keep_fresh(&self, connection: &mut Connection) -> Result<(), LoadFailure> {
        if self.spendable().is_none() {
            return Ok(());
        }
        let _turn = self.renewing.lock().await;
        // Somebody else may have spent it meanwhile.
        let Some(refresh_token) = self.spendable() else { return Ok(()) };
        let request = refresh_request(connection.target(), &refresh_token);
        self.take(&fetch_session(connection, &request).await?)
    }

    /// Renews the tokens because this access token was refused, unless somebody has done so meanwhile.
    ///
    /// # Errors
    /// Fails when they cannot be renewed.
    pub async fn renew(&self, refused: &str, connection: &mut Connection) -> Result<(), LoadFailure> {
        let _turn = self.renewing.lock().await;
        if self.token() != refused {
            return Ok(());
        }
        let refresh_token = self.tokens().as_ref().map(|tokens| tokens.refresh.clone()).unwrap_or_default();
        let request = refresh_request(connection.target(), &refresh_token);
        self.take(&fetch_session(connection, &request).await?)
    }

    /// Takes the tokens that a sign-in gives.
    ///
    /// # Errors
    /// Fails when nobody is let in.
    pub async fn sign_in(&self, connection: &mut Connection, request: &[u8]) -> Result<(), LoadFailure> {
        let _turn = self.renewing.lock().await;
        self.take(&fetch_session(connection, request).await?)
    }

    /// The refresh token, if it is time to spend it.
    fn spendable(&self) -> Option<String> {
        self.tokens().as_ref().filter(|tokens| !tokens.is_fresh()).map(|tokens| tokens.refresh.clone())
    }

    fn tokens(&self) -> MutexGuard<'_, Option<Tokens>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::http::Target;

    /// A server that gives another pair for each refresh token, and says which it was given.
    async fn server() -> (Arc<Target>, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let spent = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&spent);
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut bytes = vec![0; 4096];
                let length = stream.read(&mut bytes).await.unwrap();
                let request = String::from_utf8(bytes[..length].to_vec()).unwrap();
                let (head, body) = request.split_once("\r\n\r\n").unwrap();
                assert!(head.starts_with("POST /api/auth/refresh "), "{head}");
                let body: Value = serde_json::from_str(body).unwrap();
                let number = {
                    let mut spent = noted.lock().unwrap();
                    spent.push(body["refreshToken"].as_str().unwrap().to_owned());
                    spent.len()
                };
                let answer = session(number).to_string();
                let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", answer.len());
                stream.write_all(format!("{head}{answer}").as_bytes()).await.unwrap();
            }
        });
        (Arc::new(Target::find(&url).await.unwrap()), spent)
    }

    fn session(number: usize) -> Value {
        json!({ "token": format!("access {number}"), "refreshToken": format!("refresh {number}") })
    }

    #[tokio::test]
    async fn tokens_are_renewed_in_time_and_each_refresh_token_is_spent_once() {
        let (target, spent) = server().await;
        let pass = Pass::default();
        pass.take(&session(0)).unwrap();
        let shared = pass.clone();
        let mut connections = [Connection::new(Arc::clone(&target), 0), Connection::new(target, 1)];
        pass.keep_fresh(&mut connections[0]).await.unwrap();
        assert_eq!((pass.token().as_str(), spent.lock().unwrap().len()), ("access 0", 0));

        for number in 0..2 {
            pass.take_for(Duration::ZERO, &session(number)).unwrap();
            let [one, other] = &mut connections;
            let (one, other) = tokio::join!(pass.keep_fresh(one), shared.keep_fresh(other));
            one.and(other).unwrap();
            let renewed = format!("access {}", number + 1);
            assert_eq!([pass.token(), shared.token()], [renewed.clone(), renewed]);
        }
        assert_eq!(*spent.lock().unwrap(), ["refresh 0", "refresh 1"]);
    }

    #[tokio::test]
    async fn an_access_token_that_was_refused_is_renewed_once() {
        let (target, spent) = server().await;
        let pass = Pass::default();
        pass.take(&session(0)).unwrap();
        let mut connections = [Connection::new(Arc::clone(&target), 0), Connection::new(target, 1)];
        let [one, other] = &mut connections;
        let (one, other) = tokio::join!(pass.renew("access 0", one), pass.renew("access 0", other));
        one.and(other).unwrap();
        assert_eq!(
            (pass.token().as_str(), spent.lock().unwrap().as_slice()),
            ("access 1", &["refresh 0".to_owned()][..])
        );
    }

    #[tokio::test]
    async fn who_has_no_tokens_has_none_to_renew() {
        let nobody = Arc::new(Target::find("http://127.0.0.1:1").await.unwrap());
        let pass = Pass::default();
        pass.keep_fresh(&mut Connection::new(nobody, 0)).await.unwrap();
        assert_eq!(pass.token(), "");
        assert!(pass.take(&json!({ "token": "alone" })).is_err());
    }
}
