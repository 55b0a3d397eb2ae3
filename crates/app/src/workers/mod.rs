//! Workers that send queued mail, and get timestamps, while the product is served.

mod invitation_mail;
mod join_code_mail;
mod password_reset_mail;
mod retrying_mailer;
mod timestamps;

pub use invitation_mail::{MailSetup, MailWorker, RunningMailWorker};
pub(crate) use join_code_mail::send_join_codes;
pub(crate) use password_reset_mail::send_reset_mail;
pub(crate) use timestamps::TimestampCounts;
pub use timestamps::{TimestampSetup, TimestampWorker};
