//! Why a run could not be carried out.

use std::io;

/// Why a run could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum LoadFailure {
    /// The address is of no server that this program can call.
    #[error("{0} is no address like http://127.0.0.1:8080")]
    Address(String),
    /// Nobody answers there.
    #[error("no answer to {what}")]
    NoResponse {
        /// The call.
        what: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// An answer that makes it pointless to go on.
    #[error("{what} was answered with {status}: {text}")]
    Refused {
        /// The call.
        what: String,
        /// Its status.
        status: u16,
        /// What the server says.
        text: String,
    },
    /// An answer that does not have what its document says.
    #[error("the answer to {what} cannot be read: {text}")]
    Unreadable {
        /// The call.
        what: String,
        /// What is wrong with it.
        text: String,
    },
    /// A command that was to prepare the database.
    #[error("the command `{command}` has failed: {text}")]
    Command {
        /// The command.
        command: String,
        /// How it ended.
        text: String,
    },
    /// A password could not be compared.
    #[error("bcrypt has failed")]
    Bcrypt(#[from] bcrypt::BcryptError),
    /// What was asked for makes no sense.
    #[error("{0}")]
    Settings(String),
    /// The installation that was to be broken could not be built, or broken.
    #[error("cannot {what}")]
    Installation {
        /// What was to be done.
        what: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The figures could not be written.
    #[error("{file} cannot be written")]
    Write {
        /// The file.
        file: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}
