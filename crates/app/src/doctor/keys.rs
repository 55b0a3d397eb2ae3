use std::error::Error;
use std::path::Path;

use plenum_adapter_postgres::ExpectedFingerprints;

use super::finding::Finding;
use crate::Config;
use crate::config::key_file::check_creatable;
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
        Ok(None) => {
            let known = "The first `plenum serve` creates the signing key.";
            to_be_made(&signing_key::path(&config.data_dir), "PLENUM_DATA_DIR", Finding::known(known))
        }
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
        Ok(None) => {
            let known = "The first `plenum serve` creates the evidence key.";
            to_be_made(&file, "PLENUM_EVIDENCE_KEY_FILE or PLENUM_DATA_DIR", Finding::known(known))
        }
        Err(error) => unusable(&error),
    }]
}

/// Checks the folder with the keys of secret votes.
pub(super) fn check_secret_keys(config: &Config) -> Vec<Finding> {
    let fine = match secret_keys::check(config) {
        Ok(true) => Finding::well("Only its owner has access to the folder with the keys of secret votes."),
        Ok(false) => Finding::known("The first `plenum serve` creates the folder for the keys of secret votes."),
        Err(error) => return vec![unusable(&error)],
    };
    vec![to_be_made(&secret_keys::path(config).join("key"), "PLENUM_SECRET_KEYS_DIR or PLENUM_DATA_DIR", fine)]
}

/// The finding `fine`, if Plenum can make this file with its folders.
fn to_be_made(file: &Path, variables: &str, fine: Finding) -> Finding {
    match check_creatable(file) {
        Ok(()) => fine,
        Err(error) => Finding::failure(format!("{error}."))
            .because("`plenum serve` refuses to start, or no secret vote can open.")
            .so(&format!("Let Plenum write there, or set {variables} to a place that it can write to.")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_where_no_key_can_be_made_is_a_failure_that_names_its_variable() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let below = file.join("below");
        type Check = fn(&Config) -> Vec<Finding>;
        let checks: [(&str, Check); 3] = [
            ("PLENUM_DATA_DIR", check_signing_key),
            ("PLENUM_EVIDENCE_KEY_FILE", check_evidence_key),
            ("PLENUM_SECRET_KEYS_DIR", check_secret_keys),
        ];
        for (variable, check) in checks {
            let config = |path: &Path| Config::read([(variable, path)]).unwrap();
            let found = check(&config(&below)).remove(0);
            assert!(found.is_failure() && found.in_one_line().contains(variable), "{found}");
            let found = check(&config(&folder.path().join("new/place"))).remove(0);
            assert!(!found.is_failure(), "{found}");
        }
    }

    #[test]
    fn a_key_is_to_be_made_only_where_plenum_can_write() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let made = |path: &Path| to_be_made(path, "PLENUM_SECRET_KEYS_DIR", Finding::known("It will be made."));
        assert!(!made(&folder.path().join("new/key")).is_failure());
        let refused = made(&file.join("keys/key"));
        assert!(refused.is_failure(), "{refused}");
        assert!(refused.in_one_line().contains("or set PLENUM_SECRET_KEYS_DIR to a place"), "{refused}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
