use std::sync::Arc;

use plenum_adapter_mail::{Limits, SmtpMailer};
use plenum_adapter_postgres::{MigrationError, check_row_security, pending, read_all};
use plenum_adapter_security::{BcryptHasher, BcryptSettings, OsSecrets};
use plenum_adapter_timestamps::HttpTimestamps;
use plenum_records::TimestampAuthority as _;
use plenum_result_format::sha256;

use super::verify::one_line;
use super::{CommandError, runtime};
use crate::config::{signing_key as key_file, timestamp_certificates};
use crate::demonstration::DemonstrationCheck;
use crate::output::print_line;
use crate::server::raise_open_files;
use crate::{Config, Database, whole_chain};

/// The limit of open files below which the doctor warns.
const ENOUGH_OPEN_FILES: u64 = 4_096;

pub(super) fn run(config: &Config) -> Result<(), CommandError> {
    print_line("ok    The configuration can be read.");
    for warning in &config.warnings {
        print_line(&format!("warn  {warning}"));
    }
    check_key(config)?;
    match raise_open_files() {
        Some(limit) if limit < ENOUGH_OPEN_FILES => print_line(&format!(
            "warn  The limit of open files is {limit}, so about as many screens can connect. Raise the limit (ulimit -n, or LimitNOFILE \
             of the service)."
        )),
        Some(limit) => {
            print_line(&format!("ok    The limit of open files is {limit}, so about as many screens can connect."));
        }
        None => print_line("warn  The system does not report the limit of open files."),
    }
    let kind = if config.database_url.is_some() { "DATABASE_URL" } else { "the embedded PostgreSQL" };
    let database =
        Database::open_beside(config).map_err(|error| format!("{kind} does not start: {}", whole_chain(&error)))?;
    let outcome = runtime()?.block_on(async {
        let pending = pending(database.url()).await?;
        let row_security = if pending.is_empty() { check_row_security(database.url()).await } else { Ok(()) };
        Ok((pending, row_security, DemonstrationCheck::of(database.url()).await?, read_all(database.url()).await?))
    });
    database.close()?;
    let (pending, row_security, demonstration, damages) = outcome.map_err(|error: MigrationError| {
        if let MigrationError::Newer { .. } = error {
            return format!("{kind} cannot be used: {}.", whole_chain(&error));
        }
        format!("{kind} does not respond: {}. Check the address and that the server runs.", whole_chain(&error))
    })?;
    print_line(&format!("ok    {kind} responds."));
    if !damages.is_empty() {
        return Err(format!(
            "{kind} is damaged: {}. Stop the server, keep a copy of its files, and restore the last backup on another disk",
            damages.join("; ")
        )
        .into());
    }
    print_line("ok    Every table can be read.");
    if pending.is_empty() {
        print_line("ok    The database is up to date.");
        row_security
            .map_err(|error| format!("{kind} does not separate the rows of organizations: {}.", whole_chain(&error)))?;
        print_line("ok    The database separates the rows of organizations.");
    } else {
        print_line(&format!("info  `plenum serve` or `plenum migrate` will apply: {}.", pending.join(", ")));
    }
    // After the other checks of the database, and before the mail server, whose check may take long.
    let hasher = BcryptHasher::start(BcryptSettings::default())?;
    let is_real = runtime()?.block_on(demonstration.check_real(&hasher));
    is_real.map_err(|reason| format!("`plenum serve` refuses to start: {reason}"))?;
    print_line("ok    No account has the password of the demonstration.");
    check_timestamps(config)?;
    check_mail(config)
}

/// Gets a timestamp of a hash that is no record.
fn check_timestamps(config: &Config) -> Result<(), CommandError> {
    let known = timestamp_certificates::load(config)?.map(Arc::new);
    let Some(address) = config.timestamps.clone() else {
        print_line("info  No record is timestamped: PLENUM_TIMESTAMP_URL is not set.");
        return Ok(());
    };
    let is_checked = known.is_some();
    let service = HttpTimestamps::new(address, known, Arc::new(OsSecrets)).map_err(|error| whole_chain(&error))?;
    let answer = runtime()?.block_on(service.timestamp(&sha256(b"plenum doctor")));
    let issued =
        answer.map_err(|failure| format!("the service of PLENUM_TIMESTAMP_URL gives no timestamps: {failure}"))?;
    print_line(&format!("ok    The timestamp service answers: {}.", one_line(&issued.authority)));
    if !is_checked {
        print_line(
            "warn  PLENUM_TIMESTAMP_CERTIFICATES is not set, so timestamps are accepted from whoever answers at this address.",
        );
    }
    Ok(())
}

/// Checks the key that signs access tokens.
fn check_key(config: &Config) -> Result<(), CommandError> {
    if config.jwt_secret.is_some() {
        return Ok(());
    }
    match key_file::load(&config.data_dir)? {
        Some(_) => match key_file::warning(&config.data_dir) {
            Some(warning) => print_line(&format!("warn  {warning}")),
            None => print_line("ok    There is a signing key, and only its owner can read it."),
        },
        None => print_line("info  The first `plenum serve` creates the signing key."),
    }
    Ok(())
}

/// Connects to the mail server and signs in, without sending mail.
fn check_mail(config: &Config) -> Result<(), CommandError> {
    let Some(settings) = config.mail.clone() else {
        print_line("info  No mail is sent: PLENUM_SMTP_URL is not set.");
        return Ok(());
    };
    let mailer = SmtpMailer::new(settings, Limits::default()).map_err(|error| whole_chain(&error))?;
    let answer = runtime()?.block_on(mailer.check());
    answer.map_err(|failure| format!("the mail server of PLENUM_SMTP_URL cannot be used: {failure}"))?;
    print_line("ok    The mail server responds.");
    if config.public_url.is_none() {
        print_line(
            "warn  PLENUM_PUBLIC_URL is not set, so links in invitations lead to the address that the organizer's browser uses, and \
             nobody can reset a forgotten password by email. Set it to the address that voters use.",
        );
    }
    Ok(())
}
