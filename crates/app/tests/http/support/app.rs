use std::net::TcpListener;
use std::thread::JoinHandle;

use plenum_adapter_http::{HttpSettings, serve};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_security::BcryptSettings;
use plenum_app::{Product, ProductSettings};
use plenum_clients::Password;
use plenum_kernel::EmailAddress;
use serde_json::json;
use tokio::sync::oneshot;

use super::{Caller, Organization};

/// What access tokens are signed with.
pub(crate) const KEY: &[u8] = b"the signing key of all these tests";
/// Everybody's password.
pub(crate) const PASSWORD: &str = "correct horse";
/// The super administrator's address.
pub(crate) const ROOT_EMAIL: &str = "root@plenum.example";

/// A product that is served on a free port, with a database of its own.
pub(crate) struct TestApp {
    base: String,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
    /// Goes last, when nobody uses it any more.
    pub(crate) database: TestDatabase,
}

impl TestApp {
    /// As it is delivered.
    pub(crate) async fn start() -> Self {
        Self::start_with(HttpSettings::default()).await
    }

    /// With other settings.
    pub(crate) async fn start_with(http: HttpSettings) -> Self {
        let database = TestDatabase::fresh().await;
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = oneshot::channel();
        let url = database.url().to_owned();
        let base_path = http.base_path.clone();
        // A runtime of its own, so that everything has ended when the test does.
        let serving = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(serve_until(stopped, tell, url, http));
        });
        let address: String = told.await.unwrap();
        let base = format!("http://{address}{base_path}");
        Self { base, stop: Some(stop), serving: Some(serving), database }
    }

    /// Somebody without a token.
    pub(crate) fn anyone(&self) -> Caller {
        Caller::new(self.base.clone())
    }

    /// The super administrator, signed in.
    pub(crate) async fn super_admin(&self) -> Caller {
        self.anyone().sign_in(ROOT_EMAIL).await
    }

    /// A new organization with its administrator, signed in.
    pub(crate) async fn client(&self, name: &str) -> Organization {
        let host: String =
            name.to_lowercase().chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        let email = format!("admin@{}.example", host.trim_end_matches('-'));
        let root = self.super_admin().await;
        let body = json!({
            "name": name, "firstName": "Anna", "lastName": "Berg", "email": email, "password": PASSWORD,
        });
        let made = root.post("/clients", body).await.gives(201);
        Organization::new(&made["data"], self.anyone().sign_in(&email).await)
    }

    /// Stops in order, as a signal does.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(serving) = self.serving.take() {
            let outcome = serving.join();
            assert!(std::thread::panicking() || outcome.is_ok(), "the server panicked");
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn serve_until(
    stopped: oneshot::Receiver<()>,
    tell: oneshot::Sender<String>,
    database_url: String,
    http: HttpSettings,
) {
    let hashing = BcryptSettings { cost: 4, threads: 2, queue: 256 };
    let settings = ProductSettings { database_url, signing_key: KEY.to_vec(), hashing, http };
    let product = Product::build(settings).unwrap();
    let (email, password) = (EmailAddress::parse(ROOT_EMAIL).unwrap(), Password::parse(PASSWORD).unwrap());
    product.founding.found(email, password).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = serve(listener, product.services.clone(), product.http.clone()).unwrap();
    let handle = server.handle();
    let serving = tokio::spawn(server);
    tell.send(address.to_string()).unwrap();
    // The sender is dropped, never used.
    let _ = stopped.await;
    product.end_streams();
    handle.stop(false).await;
    serving.await.unwrap().unwrap();
}
