use std::error::Error;

use plenum_adapter_postgres::ExpectedFingerprints;

use super::finding::Finding;
use crate::Config;
use crate::config::{evidence_key, secret_keys, signing_key};

/// Checks the key that signs access tokens.
pub(super) fn check_signing_key(config: &Config) -> Vec<Finding> {
    if config.jwt_secret.is_some() {
        return Vec::new();
    }
    vec![match signing_key::load(&config.data_dir) {
        Ok(Some(_)) => match signing_key::warning(&config.data_dir) {
            Some(warning) => Finding::warning(warning).because("Anybody who can read the key can sign in as anybody."),
            None => Finding::well("There is a signing key, and only its owner can read it."),
        },
        Ok(None) => Finding::known("The first `plenum serve` creates the signing key."),
        Err(error) => unusable(&error),
    }]
}

/// Checks the key that signs records and exports.
pub(super) fn check_evidence_key(config: &Config) -> Vec<Finding> {
    let file = evidence_key::path(config);
    vec![match evidence_key::load(&file) {
        Ok(Some(_)) => match evidence_key::warning(&file) {
            Some(warning) => Finding::warning(warning).because("Anybody who can read the key can sign forged results."),
            None => Finding::well("There is an evidence key, and only its owner can read it."),
        },
        Ok(None) => Finding::known("The first `plenum serve` creates the evidence key."),
        Err(error) => unusable(&error),
    }]
}

/// Checks the folder with the keys of secret votes.
pub(super) fn check_secret_keys(config: &Config) -> Vec<Finding> {
    vec![match secret_keys::check(config) {
        Ok(true) => Finding::well("Only its owner has access to the folder with the keys of secret votes."),
        Ok(false) => Finding::known("The first `plenum serve` creates the folder for the keys of secret votes."),
        Err(error) => unusable(&error),
    }]
}

/// The message of the error says what to do.
fn unusable(error: &impl Error) -> Finding {
    Finding::failure(format!("{error}.")).because("`plenum serve` refuses to start.")
}

/// Checks that the keys here are those of the database. Says nothing of a key that cannot be read: the checks above have.
pub(super) fn check_expected(config: &Config, expected: &ExpectedFingerprints) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_first = |expected: &Option<String>, is_there: bool| expected.is_none() && !is_there;
    if let Ok(key) = signing_key::present(config)
        && !is_first(&expected.signing, key.is_some())
    {
        let checked = signing_key::check_expected(config, key.as_deref(), expected.signing.as_deref());
        findings.push(match checked {
            Err(error) => unusable(&error),
            Ok(()) => Finding::well("The signing key fits the database."),
        });
    }
    let file = evidence_key::path(config);
    if let Ok(ring) = evidence_key::load(&file)
        && !is_first(&expected.evidence, ring.is_some())
    {
        let checked = evidence_key::check_expected(&file, ring.as_ref(), expected.evidence.as_deref());
        findings.push(match checked {
            Err(error) => unusable(&error),
            Ok(()) => Finding::well("The evidence key fits the database."),
        });
    }
    findings
}
