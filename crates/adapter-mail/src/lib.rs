//! Mail by SMTP. Only this crate depends on lettre.
//!
//! [`SmtpMailer`] controls each step of a conversation with the mail server, because the meaning of a failure depends
//! on its step. Before the message is transferred, nothing was sent. Afterwards the outcome is unknown.

#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod message;
mod picture;
mod settings;
mod smtp;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use settings::{MailSettings, Sender, SmtpAddress};
pub use smtp::{Limits, MailerError, SmtpMailer};
