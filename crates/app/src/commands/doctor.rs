use plenum_adapter_mail::{Limits, SmtpMailer};
use plenum_adapter_postgres::{MigrationError, check_row_security, pending};

use super::{CommandError, runtime};
use crate::limits::raise_open_files;
use crate::say::say;
use crate::{Config, Database, whole_chain};

/// Fewer open files than this are few for a hall full of screens.
const ENOUGH_OPEN_FILES: u64 = 4_096;

pub(super) fn run(config: &Config) -> Result<(), CommandError> {
    say("ok    The configuration can be read.");
    match raise_open_files() {
        Some(limit) if limit < ENOUGH_OPEN_FILES => say(&format!(
            "warn  Only {limit} files may be open, so about as many screens. Raise the limit (ulimit -n, or LimitNOFILE \
             of the service)."
        )),
        Some(limit) => say(&format!("ok    {limit} files may be open, so about as many screens.")),
        None => say("warn  The system does not say how many files may be open."),
    }
    let kind = if config.database_url.is_some() { "DATABASE_URL" } else { "the embedded PostgreSQL" };
    let database =
        Database::open_beside(config).map_err(|error| format!("{kind} does not start: {}", whole_chain(&error)))?;
    let outcome = runtime()?.block_on(async {
        let pending = pending(database.url()).await?;
        let kept_apart = if pending.is_empty() { check_row_security(database.url()).await } else { Ok(()) };
        Ok((pending, kept_apart))
    });
    database.close()?;
    let (pending, kept_apart) = outcome.map_err(|error: MigrationError| {
        format!("{kind} does not answer: {}. Check the address and that the server runs.", whole_chain(&error))
    })?;
    say(&format!("ok    {kind} answers."));
    if pending.is_empty() {
        say("ok    The database is up to date.");
        kept_apart.map_err(|error| {
            format!("{kind} does not keep the rows of organizations apart: {}.", whole_chain(&error))
        })?;
        say("ok    The database keeps the rows of organizations apart.");
    } else {
        say(&format!("info  `plenum serve` or `plenum migrate` will do: {}.", pending.join(", ")));
    }
    check_mail(config)
}

/// Connects to the mail server and signs in, and sends nothing.
fn check_mail(config: &Config) -> Result<(), CommandError> {
    let Some(settings) = config.mail.clone() else {
        say("info  No mail is sent: PLENUM_SMTP_URL is not set.");
        return Ok(());
    };
    let mailer = SmtpMailer::new(settings, Limits::default()).map_err(|error| whole_chain(&error))?;
    let answer = runtime()?.block_on(mailer.check());
    answer.map_err(|failure| format!("the mail server of PLENUM_SMTP_URL cannot be used: {failure}"))?;
    say("ok    The mail server answers.");
    if config.public_url.is_none() {
        say(
            "warn  PLENUM_PUBLIC_URL is not set, so links in invitations lead to where the organizer's browser is, and nobody \
             can reset a forgotten password by e-mail. Set it to the address that voters use.",
        );
    }
    Ok(())
}
