//! The reasons why a run could not be completed.

use std::io;

/// The reason why a run could not be completed.
#[derive(Debug, thiserror::Error)]
pub enum LoadFailure {
    /// The address is not one that this program can call.
    #[error("{0} is not a valid address; use the form http://127.0.0.1:8080")]
    Address(String),
    /// The server did not respond.
    #[error("no response to {what}")]
    NoResponse {
        /// The call.
        what: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The server refused, and the run cannot go on.
    #[error("{what} was refused with {status}: {text}")]
    Refused {
        /// The call.
        what: String,
        /// The response's status.
        status: u16,
        /// The response's text.
        text: String,
    },
    /// The response does not have the form of the API document.
    #[error("the response to {what} cannot be parsed: {text}")]
    Unreadable {
        /// The call.
        what: String,
        /// The defect.
        text: String,
    },
    /// A command that prepares the database failed.
    #[error("the command `{command}` failed: {text}")]
    Command {
        /// The command.
        command: String,
        /// Its exit status or error.
        text: String,
    },
    /// A ballot could not be sealed.
    #[error("a ballot could not be sealed")]
    Seal(#[from] plenum_sealed_ballots::SealError),
    /// bcrypt failed.
    #[error("bcrypt failed")]
    Bcrypt(#[from] bcrypt::BcryptError),
    /// The options contradict each other or lack a value.
    #[error("{0}")]
    Settings(String),
    /// The installation for fault tests could not be built or changed.
    #[error("cannot {what}")]
    Installation {
        /// The action.
        what: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The results could not be written.
    #[error("cannot write {file}")]
    Write {
        /// The file.
        file: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}
