use std::sync::Arc;

use plenum_adapter_mail::{Limits, SmtpMailer};
use plenum_adapter_security::OsSecrets;
use plenum_adapter_timestamps::HttpTimestamps;
use plenum_records::TimestampAuthority as _;
use plenum_result_format::sha256;

use super::CheckError;
use super::finding::Finding;
use crate::config::timestamp_certificates;
use crate::output::one_line;
use crate::runtime::runtime;
use crate::{Config, whole_chain};

/// Gets a timestamp of a hash that is no record.
pub(super) fn check_timestamps(config: &Config) -> Vec<Finding> {
    timestamp_findings(config).unwrap_or_else(|error| vec![Finding::failure(whole_chain(&*error))])
}

fn timestamp_findings(config: &Config) -> Result<Vec<Finding>, CheckError> {
    let known = timestamp_certificates::load(config)?.map(Arc::new);
    let Some(address) = config.timestamps.clone() else {
        return Ok(vec![
            Finding::known("No record is timestamped: PLENUM_TIMESTAMP_URL is not set.")
                .because("Without a witness, the time of a result rests on this installation alone."),
        ]);
    };
    let is_checked = known.is_some();
    let service = HttpTimestamps::new(address, known, Arc::new(OsSecrets))?;
    let issued = match runtime()?.block_on(service.timestamp(&sha256(b"plenum doctor"))) {
        Ok(issued) => issued,
        Err(failure) => {
            let found = format!("The service of PLENUM_TIMESTAMP_URL gives no timestamps: {failure}.");
            return Ok(vec![
                Finding::failure(found)
                    .because("Results stay valid, but no outside authority confirms their time until it does.")
                    .so("Check the address and the account, or leave the variable out."),
            ]);
        }
    };
    let mut findings = vec![Finding::well(format!("The timestamp service answers: {}.", one_line(&issued.authority)))];
    if !is_checked {
        findings.push(
            Finding::warning("PLENUM_TIMESTAMP_CERTIFICATES is not set.")
                .because("Anybody who answers at this address can issue accepted timestamps.")
                .so("Name a PEM file with the certificate of the authority, or of the one above it."),
        );
    }
    Ok(findings)
}

/// Connects to the mail server and signs in, without sending mail.
pub(super) fn check_mail(config: &Config) -> Vec<Finding> {
    if config.mail.is_none() {
        return vec![
            Finding::known("No mail is sent: PLENUM_SMTP_URL is not set.")
                .because("Invitations, codes by email and forgotten passwords need a mail server."),
        ];
    }
    let mut findings = vec![match call_mail_server(config) {
        Ok(()) => Finding::well("The mail server responds."),
        Err(error) => {
            Finding::failure(format!("The mail server of PLENUM_SMTP_URL cannot be used: {}.", whole_chain(&*error)))
                .because("Invitations wait, and nobody can reset a forgotten password.")
                .so("Check address, account and encryption, or leave the variable out.")
        }
    }];
    if config.public_url.is_none() {
        findings.push(
            Finding::warning("PLENUM_PUBLIC_URL is not set.")
                .because(
                    "Links in invitations lead to the address that the organizer's browser uses, and nobody can reset a forgotten \
                     password by email.",
                )
                .so("Set it to the address that voters use."),
        );
    }
    findings
}

fn call_mail_server(config: &Config) -> Result<(), CheckError> {
    let Some(settings) = config.mail.clone() else { return Ok(()) };
    let mailer = SmtpMailer::new(settings, Limits::default())?;
    Ok(runtime()?.block_on(mailer.check())?)
}
