//! Workers that send queued mail while the product is served.

mod invitation_mail;
mod password_reset_mail;

pub use invitation_mail::{MailSetup, MailWorker, RunningMailWorker};
pub(crate) use password_reset_mail::send_reset_mail;
