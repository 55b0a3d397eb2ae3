//! The checks of `plenum doctor`: each finding says what was found, why it matters, and what to do, as a colleague would.
//!
//! A check that fails does not keep the others from running. The exit code of the command is 0 if Plenum can be served, also with
//! warnings; 1 if something must be fixed first; and 2 if the configuration cannot be read.

mod database;
mod database_fitness;
mod encryption;
mod finding;
mod installation;
mod keys;
mod services;

use std::error::Error;

pub(crate) use finding::Finding;

use crate::Config;

/// The reason why a check could not be made.
type CheckError = Box<dyn Error + Send + Sync>;

/// All checks in their order: the mail server comes last, because it may take long.
pub(crate) const CHECKS: [fn(&Config) -> Vec<Finding>; 10] = [
    installation::check_configuration,
    encryption::check,
    keys::check_signing_key,
    keys::check_evidence_key,
    keys::check_secret_keys,
    installation::check_open_files,
    installation::check_disk,
    database::check,
    services::check_timestamps,
    services::check_mail,
];
