use std::net::TcpListener;
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;
use std::time::Duration;

use chrono::TimeDelta;
use plenum_adapter_http::{HttpSettings, Listeners, serve};
use plenum_adapter_mail::testkit::FakeSmtpServer;
use plenum_adapter_mail::{Limits, MailSettings, Sender, SmtpAddress, SmtpMailer};
use plenum_adapter_postgres::AuditChains;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_security::{BcryptHasher, BcryptSettings, EvidenceKeyRing, FolderUrnKeys, HeldThreads, SystemClock};
use plenum_app::{
    EvidenceCheck, MailSetup, MailWorker, Pools, Product, ProductSettings, TimestampSetup, chain_audit_log,
    close_rounds_in_time,
};
use plenum_clients::Password;
use plenum_kernel::{Clock as _, EmailAddress, EvidenceKeys};
use plenum_records::CanonicalRecords;
use plenum_voting::{RecordWriter, VoteReset};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::{Caller, Organization};

/// The signing key of access tokens.
pub(crate) const KEY: &[u8] = b"the signing key of all these tests";
/// The password of every account.
pub(crate) const PASSWORD: &str = "correct horse";
/// The email address of the super administrator.
pub(crate) const ROOT_EMAIL: &str = "root@plenum.example";

/// The time for which the key of a vote may be missing before it is lost.
pub(crate) const VOTE_KEY_PATIENCE: TimeDelta = TimeDelta::milliseconds(500);

/// Cheap hashes, so that tests do not wait.
const QUICK: BcryptSettings = BcryptSettings { cost: 4, threads: 2, queue: 256 };

/// A served product on a free port, with its own database.
pub(crate) struct TestApp {
    base: String,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
    pools: Option<Pools>,
    /// The keys of secret votes, which one instance at a time can open. They survive a restart, as the folder does.
    pub(crate) urn_keys: FolderUrnKeys,
    /// The folder of their files.
    pub(crate) key_folder: TempDir,
    /// Dropped last.
    pub(crate) database: TestDatabase,
}

impl TestApp {
    /// A product with default settings.
    pub(crate) async fn start() -> Self {
        Self::start_with(HttpSettings::default()).await
    }

    /// A product with these settings.
    pub(crate) async fn start_with(http: HttpSettings) -> Self {
        Self::start_as(http, None).await
    }

    /// A product with every option on, so that every call can succeed. The configured mail server does not respond.
    pub(crate) async fn start_with_everything() -> Self {
        Self::start_with_everything_below("").await
    }

    /// The same below a base path.
    pub(crate) async fn start_with_everything_below(base_path: &str) -> Self {
        let base_path = base_path.to_owned();
        let http = HttpSettings { base_path, vote_reset: VoteReset::Demonstration, ..HttpSettings::default() };
        Self::start_as(http, Some(mail_to("smtp://127.0.0.1:9"))).await
    }

    /// A product with a mail server.
    pub(crate) async fn start_with_mail(server: &FakeSmtpServer) -> Self {
        Self::start_as(HttpSettings::default(), Some(mail_by(server))).await
    }

    /// A product with these settings, and optional mail.
    pub(crate) async fn start_as(http: HttpSettings, mail: Option<MailSetup>) -> Self {
        Self::start_on(TestDatabase::fresh().await, http, mail).await
    }

    /// A product with these settings on this database.
    pub(crate) async fn start_on(database: TestDatabase, http: HttpSettings, mail: Option<MailSetup>) -> Self {
        let mut app = Self::stopped(database);
        app.serve(http, mail, hasher(QUICK)).await;
        app
    }

    fn stopped(database: TestDatabase) -> Self {
        let key_folder = TempDir::new().unwrap();
        let urn_keys = FolderUrnKeys::open(&key_folder.path().join("keys")).unwrap();
        Self { base: String::new(), stop: None, serving: None, pools: None, urn_keys, key_folder, database }
    }

    /// A product whose sign-in queue has this length, and is blocked until the returned value is dropped. Then sign-ins
    /// proceed one by one.
    pub(crate) async fn start_with_blocked_sign_ins(room: usize) -> (Self, HeldThreads) {
        let mut app = Self::stopped(TestDatabase::fresh().await);
        let hasher = hasher(BcryptSettings { threads: 1, queue: room, ..QUICK });
        app.serve(HttpSettings::default(), None, Arc::clone(&hasher)).await;
        let block = hasher.hold().await;
        (app, block)
    }

    /// Stops at once, also during a send, and starts again on the same database at another address.
    pub(crate) async fn start_again_with_mail(&mut self, mail: MailSetup) {
        self.stop();
        self.serve(HttpSettings::default(), Some(mail), hasher(QUICK)).await;
    }

    /// Stops, and starts again on the same database and the same key folder at another address.
    pub(crate) async fn start_again(&mut self) {
        self.stop();
        self.serve(HttpSettings::default(), None, hasher(QUICK)).await;
    }

    async fn serve(&mut self, http: HttpSettings, mail: Option<MailSetup>, hasher: Arc<BcryptHasher>) {
        let (stop, stopped) = oneshot::channel();
        let (ready, started) = oneshot::channel();
        let base_path = http.base_path.clone();
        let settings = ProductSettings {
            database: self.database.settings(),
            signing_key: KEY.to_vec(),
            evidence_keys: evidence_keys(),
            urn_keys: Some(self.urn_keys.clone()),
            vote_key_patience: VOTE_KEY_PATIENCE,
            hasher,
            http,
            mail,
            timestamps: TimestampSetup::default(),
            nats: None,
            embedded: None,
            certificate: None,
        };
        // A separate runtime, so that all tasks end with the test.
        let serving = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(serve_until(stopped, ready, settings));
        });
        let (address, pools): (String, Pools) = started.await.unwrap();
        self.pools = Some(pools);
        self.base = format!("http://{address}{base_path}");
        (self.stop, self.serving) = (Some(stop), Some(serving));
    }

    /// The connection pools of the product.
    pub(crate) fn pools(&self) -> &Pools {
        self.pools.as_ref().unwrap()
    }

    /// The evidence keys of the product, and the writer of its records.
    pub(crate) fn record_writer(&self) -> (Arc<dyn EvidenceKeys>, Arc<dyn RecordWriter>) {
        let keys: Arc<dyn EvidenceKeys> = evidence_keys();
        let writer = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
        (keys, writer)
    }

    /// The findings of the next start in the last meeting.
    pub(crate) async fn evidence_of_last_meeting(&self) -> Vec<String> {
        let found = EvidenceCheck::new(self.database.db(), evidence_keys()).findings_of_last_meeting().await.unwrap();
        found.records.into_iter().chain(found.audit_log).map(|finding| finding.text).collect()
    }

    /// Links all entries of the audit log now, without waiting for the product.
    pub(crate) async fn link_audit_log(&self) {
        let chains = AuditChains::new(self.database.db());
        for chain in chains.all().await.unwrap() {
            loop {
                let state = chains.state(chain).await.unwrap();
                if state.waiting == 0 && state.head.is_some() {
                    break;
                }
                chains.link().await.unwrap();
            }
        }
    }

    /// The base address.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// A caller without a token.
    pub(crate) fn anyone(&self) -> Caller {
        Caller::new(self.base.clone())
    }

    /// The signed-in super administrator.
    pub(crate) async fn super_admin(&self) -> Caller {
        self.anyone().sign_in(ROOT_EMAIL).await
    }

    /// A new organization with its signed-in administrator.
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

    /// Stops in order, like a signal.
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

fn hasher(settings: BcryptSettings) -> Arc<BcryptHasher> {
    Arc::new(BcryptHasher::start(settings).unwrap())
}

/// Mail through this server. The short poll interval keeps tests fast.
pub(crate) fn mail_by(server: &FakeSmtpServer) -> MailSetup {
    MailSetup { poll_interval: Duration::from_millis(50), ..mail_to(&server.url()) }
}

fn mail_to(url: &str) -> MailSetup {
    let settings = MailSettings {
        server: SmtpAddress::parse(url).unwrap(),
        sender: Sender::parse("Plenum <no-reply@plenum.example>").unwrap(),
    };
    MailSetup::new(Arc::new(SmtpMailer::new(settings, Limits::default()).unwrap()))
}

/// The content of the evidence key's file.
pub(crate) fn evidence_key_file() -> String {
    evidence_keys().to_file()
}

/// One key for all tests, so that it survives a restart.
pub(crate) fn evidence_keys() -> Arc<EvidenceKeyRing> {
    static RING: LazyLock<Arc<EvidenceKeyRing>> =
        LazyLock::new(|| Arc::new(EvidenceKeyRing::generate(SystemClock.now())));
    Arc::clone(&RING)
}

/// Serves until `stopped` ends, and sends the address and the pools as soon as it serves.
async fn serve_until(
    stopped: oneshot::Receiver<()>,
    ready: oneshot::Sender<(String, Pools)>,
    settings: ProductSettings,
) {
    let product = Product::build(settings).unwrap();
    let (email, password) = (EmailAddress::parse(ROOT_EMAIL).unwrap(), Password::parse(PASSWORD).unwrap());
    // After a restart, the database has one already.
    if !product.super_admins.accounts.has_super_admin().await.unwrap() {
        plenum_clients::create_super_admin(&product.super_admins, email, password).await.unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = serve(Listeners::plain(listener), product.services.clone(), product.http.clone()).unwrap();
    let handle = server.handle();
    let serving = tokio::spawn(server);
    let closing = tokio::spawn(close_rounds_in_time(Arc::clone(&product.services.rounds)));
    let chaining = tokio::spawn(chain_audit_log(product.audit_chains.clone()));
    let mail_worker = product.mail_worker.as_ref().map(MailWorker::start);
    // The receiver lives as long as the test.
    let _ = ready.send((address.to_string(), product.pools.clone()));
    // The sender is only dropped.
    let _ = stopped.await;
    drop(mail_worker);
    closing.abort();
    chaining.abort();
    product.end_streams();
    handle.stop(false).await;
    serving.await.unwrap().unwrap();
}
