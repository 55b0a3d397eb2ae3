use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use plenum_adapter_http::{ConnectionLimits, HttpSettings, serve};
use plenum_adapter_mail::{Limits, SmtpMailer};
use plenum_adapter_postgres::{MigrationError, mark_demonstration, migrate};
use plenum_adapter_security::{BcryptHasher, BcryptSettings, OsSecrets};
use plenum_clients::Password;
use plenum_kernel::EmailAddress;
use plenum_voting::VoteReset;
use tokio::time::sleep;

use super::{CommandError, runtime};
use crate::config::signing_key as key_file;
use crate::demonstration::{DEMO_ADMIN, DEMO_SUPER_ADMIN, Standing};
use crate::jobs::sweep_hourly;
use crate::output::say;
use crate::server::{StopSignals, limits_of, listen_on, raise_open_files};
use crate::{
    Config, DEMO_CLIENT_CODE, DEMO_PASSWORD, Database, MailSetup, MailWorker, Product, ProductSettings,
    SuperAdminConfig, chain_audit_log, close_rounds_in_time, set_up_demo, whole_chain,
};

/// How long the process waits at its end for messages that are being sent.
const MAIL_PATIENCE: Duration = Duration::from_secs(10);

/// Starts the database, serves until a signal comes, and stops everything in order. A second signal cuts that short.
pub(super) fn run(config: &Config, demo: bool) -> Result<ExitCode, CommandError> {
    let open_files = raise_open_files();
    if let Some(limit) = open_files {
        tracing::info!(open_files = limit, "raised the limit of open files");
    }
    // Before the database, so that a second start on one address fails without touching anything.
    let listener = listen_on(config.listen).map_err(|error| {
        format!("cannot listen on {}: {error}. Set PLENUM_LISTEN to another address.", config.listen)
    })?;
    let runtime = runtime()?;
    let mut signals = runtime.block_on(async { StopSignals::catch() })?;
    // One that cannot be used is said before anything starts; a new one is made in a folder that the database has made.
    if config.jwt_secret.is_none() {
        key_file::load(&config.data_dir)?;
    }
    let database = Database::open(config)?;
    let limits = limits_of(config, open_files);
    let outcome = runtime.block_on(serve_on(config, demo, limits, &database, listener, &mut signals));
    // The ballot writers finish what they have, then their connections close with the runtime; the database goes last.
    drop(runtime);
    database.close()?;
    let exit = outcome?;
    say("Stopped.");
    Ok(exit)
}

async fn serve_on(
    config: &Config,
    demo: bool,
    limits: ConnectionLimits,
    database: &Database,
    listener: TcpListener,
    signals: &mut StopSignals,
) -> Result<ExitCode, CommandError> {
    let hasher = Arc::new(BcryptHasher::start(BcryptSettings::default())?);
    prepare(database.url(), demo, &hasher).await?;
    let product = Product::build(ProductSettings {
        database_url: database.url().to_owned(),
        signing_key: signing_key(config)?,
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
        nats: config.nats.clone(),
        embedded: database.watch(),
    })?;
    let address = listener.local_addr()?;
    let home = home_of(config, address);
    let founded = create_super_admin(&product, config, demo).await?;
    if demo {
        set_up_demo(&product).await?;
    }
    product.apply_remote().await;
    let server = serve(listener, product.services.clone(), product.http.clone())?;
    let handle = server.handle();
    let serving = tokio::spawn(server);
    let closing = tokio::spawn(close_rounds_in_time(Arc::clone(&product.closing)));
    let chaining = tokio::spawn(chain_audit_log(product.audit_chains.clone()));
    let sweeping = tokio::spawn(sweep_hourly(Arc::clone(&product.services.sessions)));
    let mail_room = product.mail_room.as_ref().map(MailWorker::open);
    say(&format!("listening on http://{address}"));
    introduce(&home, demo, founded.as_deref());

    signals.wait().await;
    say("Stopping …");
    product.announce_stop();
    let stop_in_order = async {
        sleep(config.drain).await;
        closing.abort();
        sweeping.abort();
        chaining.abort();
        product.end_streams();
        let close_mail_room = async {
            if let Some(mail_room) = mail_room {
                mail_room.close(MAIL_PATIENCE).await;
            }
        };
        tokio::join!(handle.stop(true), close_mail_room);
    };
    let exit = tokio::select! {
        () = stop_in_order => ExitCode::SUCCESS,
        code = signals.wait() => {
            say("Stopping at once …");
            // It hears no other order while it stops in order, but ends when it is dropped.
            serving.abort();
            let _ = serving.await;
            return Ok(ExitCode::from(code));
        }
    };
    serving.await??;
    Ok(exit)
}

/// Makes sure that the database is what is to be served, and brings it up to date.
async fn prepare(url: &str, demo: bool, hasher: &BcryptHasher) -> Result<(), CommandError> {
    let unusable = |error: MigrationError| {
        format!("the database cannot be used: {}. `plenum doctor` checks it.", whole_chain(&error))
    };
    // Before anything in it is changed.
    let standing = Standing::of(url).await.map_err(unusable)?;
    if demo {
        standing.check_demo()?;
    } else {
        standing.check_real(hasher).await?;
    }
    migrate(url).await.map_err(unusable)?;
    if demo {
        // Before anybody can sign in, so that a start that is broken off leaves no account that passes for a real one.
        mark_demonstration(url).await.map_err(unusable)?;
    }
    Ok(())
}

/// Where voters may take a vote back. Never in a meeting that is held in earnest, whatever is configured.
fn vote_reset(config: &Config, demo: bool) -> VoteReset {
    match (config.allow_vote_reset.unwrap_or(demo), demo) {
        (false, _) => VoteReset::Off,
        (true, false) => VoteReset::TestData,
        (true, true) => VoteReset::Demonstration,
    }
}

/// How mail is sent, if it is configured.
fn mail_setup(config: &Config) -> Result<Option<MailSetup>, CommandError> {
    let Some(settings) = config.mail.clone() else { return Ok(None) };
    Ok(Some(MailSetup::new(Arc::new(SmtpMailer::new(settings, Limits::default())?))))
}

/// The configured signing key, or the one in the data directory.
pub(super) fn signing_key(config: &Config) -> Result<Vec<u8>, CommandError> {
    if let Some(secret) = &config.jwt_secret {
        return Ok(secret.as_bytes().to_vec());
    }
    let key = key_file::load_or_make(&config.data_dir, &OsSecrets)?;
    if let Some(warning) = key_file::warning(&config.data_dir) {
        tracing::warn!("{warning}");
    }
    Ok(key)
}

/// Where people find the product.
fn home_of(config: &Config, address: SocketAddr) -> String {
    let origin = config.public_url.clone().unwrap_or_else(|| match address.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{}", address.port()),
        _ => format!("http://{address}"),
    });
    format!("{origin}{}", config.base_path)
}

/// Makes the first super administrator if there is none, and returns what is to be printed once.
async fn create_super_admin(product: &Product, config: &Config, demo: bool) -> Result<Option<String>, CommandError> {
    if product.super_admins.accounts.has_super_admin().await? {
        if let Some(configured) = &config.super_admin {
            found_another(product, configured.clone(), demo).await?;
        }
        return Ok(None);
    }
    let (chosen, made_up) = match (&config.super_admin, demo) {
        (Some(configured), _) => (configured.clone(), None),
        (None, true) => (super_admin(DEMO_SUPER_ADMIN, DEMO_PASSWORD)?, None),
        (None, false) => {
            let password = product.secrets.password();
            (super_admin("admin@plenum.example", &password)?, Some(password))
        }
    };
    let email = chosen.email.clone();
    // Another instance that starts at this moment may have made one, whose password it tells.
    if !plenum_clients::create_first_super_admin(&product.super_admins, chosen.email, chosen.password).await? {
        return Ok(None);
    }
    Ok(made_up.map(|password| format!("{email} with the password {password} (shown this once)")))
}

/// The configured super administrator where there is one already: made in a demonstration, whose own one everybody knows. Else
/// an account that was removed would come back by itself, so that only a word is said.
async fn found_another(product: &Product, configured: SuperAdminConfig, demo: bool) -> Result<(), CommandError> {
    let email = configured.email.clone();
    if product.super_admins.accounts.account_credentials(&email).await?.is_some() {
        return Ok(());
    }
    if demo {
        plenum_clients::create_super_admin(&product.super_admins, configured.email, configured.password).await?;
    } else {
        say(&format!(
            "PLENUM_SUPER_ADMIN_EMAIL was not made a super administrator, because there is one already. To make another one: \
             plenum create-super-admin --email {email}"
        ));
    }
    Ok(())
}

fn super_admin(email: &str, password: &str) -> Result<SuperAdminConfig, CommandError> {
    Ok(SuperAdminConfig { email: EmailAddress::parse(email)?, password: Password::parse(password)? })
}

fn introduce(home: &str, demo: bool, founded: Option<&str>) {
    say(&format!("\nPlenum is ready: {home}/\n"));
    say(&format!("  Super administrators   {home}/admin"));
    say(&format!("  Organizers             {home}/client"));
    say(&format!("  Voters                 {home}/participant"));
    say(&format!("  API                    {home}/api/docs\n"));
    if let Some(founded) = founded {
        say(&format!("The first super administrator is {founded}.\n"));
    }
    if demo {
        say("Demonstration:");
        say(&format!("  Super administrator    {home}/admin/login   {DEMO_SUPER_ADMIN} / {DEMO_PASSWORD}"));
        say(&format!("  Organizer              {home}/client/login   {DEMO_ADMIN} / {DEMO_PASSWORD}"));
        say(&format!(
            "  Voters                 {home}/participant/login/{DEMO_CLIENT_CODE}   ada, ben, clara, … lena / {DEMO_PASSWORD}"
        ));
        say("  (The super administrator's sign-in is another one if you set it, or had one before.)\n");
    }
    say("Press Ctrl-C to stop.");
}
