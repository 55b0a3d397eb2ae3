use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use plenum_adapter_http::{ConnectionLimits, HttpSettings, Listeners, Redirect, RedirectTarget, serve};
use plenum_adapter_mail::{Limits, SmtpMailer};
use plenum_adapter_postgres::{DbSettings, InstanceLock, MigrationError, mark_demonstration, migrate};
use plenum_adapter_security::{BcryptHasher, BcryptSettings, OsSecrets};
use plenum_adapter_timestamps::HttpTimestamps;
use plenum_clients::Password;
use plenum_kernel::EmailAddress;
use plenum_voting::UrnKeyService;
use plenum_voting::VoteReset;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::CommandError;
use super::addresses::{print_addresses, scheme_of};
use super::evidence_key::evidence_keys;
use super::instance_turn::InstanceTurn;
use super::record_earlier::Unrecorded;
use super::signing_key::signing_key;
use crate::config::{secret_keys, signing_key as key_file, timestamp_certificates};
use crate::demonstration::{DEMO_SUPER_ADMIN, DemonstrationCheck};
use crate::jobs::{RetentionJob, apply_retention, delete_expired_sessions, prepare_registers, sweep_urn_keys};
use crate::output::print_line;
use crate::runtime::runtime;
use crate::server::{
    Certificates, StopSignals, check_files, limits_of, listen_for_redirects, listen_on, raise_open_files,
    use_small_pages,
};
use crate::{
    Config, DEMO_PASSWORD, Database, EvidenceCheck, EvidenceFinding, EvidenceFindings, MailSetup, MailWorker, Product,
    ProductSettings, SuperAdminConfig, TimestampSetup, chain_audit_log, close_rounds_in_time, set_up_demo, whole_chain,
};

/// The time for which a stopping process waits for messages that are being sent.
const MAIL_TIMEOUT: Duration = Duration::from_secs(10);

/// Starts the database, serves until a signal arrives, and stops everything in order. A second signal stops at once.
pub(super) fn run(config: &Config, demo: bool) -> Result<ExitCode, CommandError> {
    use_small_pages();
    let open_files = raise_open_files();
    if let Some(limit) = open_files {
        tracing::info!(open_files = limit, "raised the limit of open files");
    }
    // Before the database, so that a second start on the same address fails without side effects.
    let listener = listen_on(config.listen).map_err(|error| {
        format!("cannot listen on {}: {error}. Set PLENUM_LISTEN to another address.", config.listen)
    })?;
    let redirect = listen_for_redirects(config.redirect_listen)?;
    check_files(config)?;
    let runtime = runtime()?;
    let mut signals = runtime.block_on(async { StopSignals::catch() })?;
    // A stored key that cannot be used stops the start here. A new key needs the folder that the database creates.
    if config.jwt_secret.is_none() {
        key_file::load(&config.data_dir)?;
    }
    let database = Database::open(config)?;
    let limits = limits_of(config, open_files);
    let start = Start { config, demo, limits, database: &database };
    let mut lock = None;
    let outcome = runtime.block_on(prepare_and_serve(start, &mut lock, (listener, redirect), &mut signals));
    // The ballot writers write the queued ballots, their connections close with the runtime, another instance may take over, and
    // the database stops last.
    drop(runtime);
    drop(lock);
    database.close()?;
    let exit = outcome?;
    print_line("Stopped.");
    Ok(exit)
}

/// The settings of a start, with the open database.
struct Start<'a> {
    config: &'a Config,
    /// Whether to serve the demonstration.
    demo: bool,
    limits: ConnectionLimits,
    database: &'a Database,
}

/// Prepares the database, and serves. Leaves the lock of this instance in `lock`, until the last ballots are written.
async fn prepare_and_serve(
    start: Start<'_>,
    lock: &mut Option<InstanceLock>,
    listeners: (TcpListener, Option<TcpListener>),
    signals: &mut StopSignals,
) -> Result<ExitCode, CommandError> {
    let hasher = Arc::new(BcryptHasher::start(BcryptSettings::default())?);
    let connection = DbSettings::new(start.database.url());
    *lock = prepare(&start, &connection, &hasher, signals).await?;
    if lock.is_none() {
        print_line("Stopping …");
        return Ok(ExitCode::SUCCESS);
    }
    serve_on(start, (connection, hasher), listeners, signals).await
}

async fn serve_on(
    start: Start<'_>,
    (connection, hasher): (DbSettings, Arc<BcryptHasher>),
    (listener, redirect): (TcpListener, Option<TcpListener>),
    signals: &mut StopSignals,
) -> Result<ExitCode, CommandError> {
    let Start { config, demo, limits, database } = start;
    let certificates = Certificates::open(config)?;
    let product = Product::build(ProductSettings {
        database: connection,
        signing_key: signing_key(config, database.url()).await?,
        evidence_keys: evidence_keys(config, database.url()).await?,
        urn_keys: Some(secret_keys::open(config).await?),
        vote_key_patience: UrnKeyService::PATIENCE,
        hasher,
        http: HttpSettings {
            base_path: config.base_path.clone(),
            public_url: config.public_url.clone(),
            cors_origins: config.cors_origins.clone(),
            vote_reset: vote_reset(config, demo),
            trusted_proxies: config.trusted_proxies.clone(),
            limits,
            metrics_token: config.metrics_token.clone(),
        },
        mail: mail_setup(config)?,
        timestamps: timestamp_setup(config)?,
        nats: config.nats.clone(),
        embedded: database.watch(),
        certificate: certificates.as_ref().map(Certificates::validity),
    })?;
    Unrecorded::find(&*product.records, &*product.meetings, &*product.services.evidence_keys).await?.warn();
    let address = listener.local_addr()?;
    let created = create_super_admin(&product, config, demo).await?;
    if demo {
        set_up_demo(&product).await?;
    }
    product.wait_for_presence_reports().await;
    let encryption = certificates.as_ref().map(Certificates::encryption).transpose()?;
    let redirect = redirect.map(|listener| Redirect { listener, target: redirect_target(config, address) });
    let listeners = Listeners { product: listener, encryption, redirect };
    let server = serve(listeners, product.services.clone(), product.http.clone())?;
    let handle = server.handle();
    let serving = tokio::spawn(server);
    let mut jobs = start_jobs(&product, config);
    if let Some(certificates) = certificates {
        jobs.spawn(certificates.keep(Arc::clone(&product.clock)));
    }
    let mail_worker = product.mail_worker.as_ref().map(MailWorker::start);
    print_line(&format!("listening on {}://{address}", scheme_of(config)));
    warn_of_plain_http(config);
    print_addresses(config, address, demo, created.as_deref());

    signals.wait().await;
    print_line("Stopping …");
    product.announce_stop();
    let stop_in_order = async {
        sleep(config.drain).await;
        drop(jobs);
        product.end_streams();
        let stop_mail_worker = async {
            if let Some(mail_worker) = mail_worker {
                mail_worker.stop(MAIL_TIMEOUT).await;
            }
        };
        tokio::join!(handle.stop(true), stop_mail_worker);
    };
    let exit = tokio::select! {
        () = stop_in_order => ExitCode::SUCCESS,
        code = signals.wait() => {
            print_line("Stopping at once …");
            // A server that stops in order ignores a second stop, but ends when it is dropped.
            serving.abort();
            let _ = serving.await;
            return Ok(ExitCode::from(code));
        }
    };
    serving.await??;
    Ok(exit)
}

/// Where callers over plain http are led.
fn redirect_target(config: &Config, address: SocketAddr) -> RedirectTarget {
    let port = RedirectTarget::Port(address.port());
    config.public_url.clone().map_or(port, RedirectTarget::Origin)
}

/// Says that browsers lack what a secret ballot needs.
fn warn_of_plain_http(config: &Config) {
    if let Some(address) = config.plain_address() {
        tracing::warn!(
            address,
            "people reach Plenum without https, so devices cannot seal secret ballots, and passwords can be read on the way. \
             `plenum doctor` says what to do"
        );
    }
}

/// Reports declared results of the last meeting that contradict their rows. The server still starts, because it shows
/// no damaged result. Runs while the server serves, because a large meeting takes seconds.
async fn check_last_meeting(evidence: Arc<EvidenceCheck>) {
    match evidence.findings_of_last_meeting().await {
        Ok(EvidenceFindings { records, audit_log }) => {
            for EvidenceFinding { id, text, .. } in records.into_iter().chain(audit_log) {
                tracing::error!(%id, "{text}. `plenum verify --database` checks everything");
            }
        }
        Err(failure) => {
            tracing::error!(error = &failure as &dyn Error, "the records of the last meeting were not checked");
        }
    }
}

/// Starts the scheduled jobs. Dropping the set aborts them.
fn start_jobs(product: &Product, config: &Config) -> JoinSet<()> {
    let mut jobs = JoinSet::new();
    jobs.spawn(close_rounds_in_time(Arc::clone(&product.services.rounds)));
    jobs.spawn(prepare_registers(Arc::clone(&product.preparations), Arc::clone(&product.bus)));
    jobs.spawn(chain_audit_log(product.audit_chains.clone()));
    jobs.spawn(check_last_meeting(Arc::clone(&product.evidence)));
    if let Some(worker) = &product.timestamp_worker {
        jobs.spawn(Arc::clone(worker).run());
    }
    jobs.spawn(delete_expired_sessions(Arc::clone(&product.services.sessions)));
    jobs.spawn(sweep_urn_keys(Arc::clone(&product.urns)));
    jobs.spawn(apply_retention(RetentionJob {
        purges: Arc::clone(&product.purges),
        end_users: Arc::clone(&product.services.end_users),
        clock: Arc::clone(&product.clock),
        retention: config.retention,
        inactive: config.erase_inactive,
    }));
    jobs
}

/// Checks that the database is of the expected kind (real or demonstration) and that no other instance excludes this one, and
/// applies pending migrations. Returns `None` if a signal arrives while this instance waits for another one.
async fn prepare(
    start: &Start<'_>,
    connection: &DbSettings,
    hasher: &BcryptHasher,
    signals: &mut StopSignals,
) -> Result<Option<InstanceLock>, CommandError> {
    let (url, demo) = (connection.url.as_str(), start.demo);
    let unusable = |error: MigrationError| {
        format!("the database cannot be used: {}. `plenum doctor` checks it.", whole_chain(&error))
    };
    // Before any change.
    let demonstration = DemonstrationCheck::of(url).await.map_err(unusable)?;
    if demo {
        demonstration.check_demo()?;
    } else {
        demonstration.check_real(hasher).await?;
    }
    let turn = InstanceTurn::new(start.config, connection);
    let Some(lock) = turn.wait(signals).await? else { return Ok(None) };
    migrate(url).await.map_err(unusable)?;
    if demo {
        // Before anybody can sign in. An interrupted start leaves no demonstration account in a database that counts as real.
        mark_demonstration(url).await.map_err(unusable)?;
    }
    Ok(Some(lock))
}

/// The meetings in which voters may withdraw a vote. Never a real meeting, with any configuration.
fn vote_reset(config: &Config, demo: bool) -> VoteReset {
    match (config.allow_vote_reset.unwrap_or(demo), demo) {
        (false, _) => VoteReset::Off,
        (true, false) => VoteReset::TestData,
        (true, true) => VoteReset::Demonstration,
    }
}

/// The settings of outgoing mail, if mail is configured.
fn mail_setup(config: &Config) -> Result<Option<MailSetup>, CommandError> {
    let Some(settings) = config.mail.clone() else { return Ok(None) };
    Ok(Some(MailSetup::new(Arc::new(SmtpMailer::new(settings, Limits::default())?))))
}

/// The settings of timestamps, if they are configured.
fn timestamp_setup(config: &Config) -> Result<TimestampSetup, CommandError> {
    let known = timestamp_certificates::load(config)?.map(Arc::new);
    let service = |address| HttpTimestamps::new(address, known.clone(), Arc::new(OsSecrets));
    let service = config.timestamps.clone().map(service).transpose()?;
    Ok(TimestampSetup { authority: service.map(|service| Arc::new(service) as _), known })
}

/// Creates the first super administrator if there is none. Returns the text to print once: its address and new password.
async fn create_super_admin(product: &Product, config: &Config, demo: bool) -> Result<Option<String>, CommandError> {
    if product.super_admins.accounts.has_super_admin().await? {
        if let Some(configured) = &config.super_admin {
            handle_configured(product, configured.clone(), demo).await?;
        }
        return Ok(None);
    }
    let (chosen, generated) = match (&config.super_admin, demo) {
        (Some(configured), _) => (configured.clone(), None),
        (None, true) => (super_admin(DEMO_SUPER_ADMIN, DEMO_PASSWORD)?, None),
        (None, false) => {
            let password = product.secrets.password();
            (super_admin("admin@plenum.example", &password)?, Some(password))
        }
    };
    let email = chosen.email.clone();
    // Another instance that starts at this moment may have created one and printed its password.
    if !plenum_clients::create_first_super_admin(&product.super_admins, chosen.email, chosen.password).await? {
        return Ok(None);
    }
    Ok(generated.map(|password| format!("{email} with the password {password} (shown this once)")))
}

/// Handles a configured super administrator while another one exists.
///
/// A demonstration creates the account, because the password of its own super administrator is public. A real
/// installation only prints a hint: otherwise a removed account would come back at the next start.
async fn handle_configured(product: &Product, configured: SuperAdminConfig, demo: bool) -> Result<(), CommandError> {
    let email = configured.email.clone();
    if product.super_admins.accounts.account_credentials(&email).await?.is_some() {
        return Ok(());
    }
    if demo {
        plenum_clients::create_super_admin(&product.super_admins, configured.email, configured.password).await?;
    } else {
        print_line(&format!(
            "PLENUM_SUPER_ADMIN_EMAIL did not become a super administrator, because there is one already. To create another: \
             plenum create-super-admin --email {email}"
        ));
    }
    Ok(())
}

fn super_admin(email: &str, password: &str) -> Result<SuperAdminConfig, CommandError> {
    Ok(SuperAdminConfig { email: EmailAddress::parse(email)?, password: Password::parse(password)? })
}
