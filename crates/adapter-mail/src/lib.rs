//! Mail by SMTP. The only crate that knows lettre.
//!
//! A conversation with the mail server is taken step by step ([`SmtpMailer`]), because what a failure means depends on
//! where it happened: before the message was handed over nothing was sent, after it nobody knows.

#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod message;
mod settings;
mod smtp;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use settings::{MailSettings, Sender, SmtpAddress};
pub use smtp::{Limits, MailerError, SmtpMailer};
