use std::sync::Arc;
use std::time::Duration;

use plenum_meetings::{Mail, MailFailure, Mailer};
use tokio::sync::Semaphore;

/// The delay of the only retry of a mail that did not reach the mail server, in poll intervals of the invitation queue. If
/// the retry fails, the person has to ask again.
const POLLS_UNTIL_RETRY: u32 = 6;

/// Sends mails that somebody waits for, and tries once more if the mail server is not reachable.
pub(super) struct RetryingMailer {
    mailer: Arc<dyn Mailer>,
    /// Limits the mails that wait for their retry.
    retries: Arc<Semaphore>,
    retry_after: Duration,
    /// Names the mails in the log: "a mail with a reset link".
    what: &'static str,
}

impl RetryingMailer {
    /// `waiting` is the number of mails that may wait for their retry.
    pub(super) fn new(mailer: Arc<dyn Mailer>, poll_interval: Duration, waiting: usize, what: &'static str) -> Self {
        let retries = Arc::new(Semaphore::new(waiting));
        Self { mailer, retries, retry_after: poll_interval * POLLS_UNTIL_RETRY, what }
    }

    /// Sends a mail. Returns before the retry.
    pub(super) async fn send(self: &Arc<Self>, mail: Mail) {
        match (self.mailer.send(mail.clone()).await, Arc::clone(&self.retries).try_acquire_owned()) {
            (Ok(()), _) => {}
            (Err(MailFailure::Unreachable(_)), Ok(permit)) => {
                let sender = Arc::clone(self);
                tokio::spawn(async move {
                    tokio::time::sleep(sender.retry_after).await;
                    if sender.mailer.send(mail).await.is_err() {
                        sender.warn_of_lost_mail();
                    }
                    drop(permit);
                });
            }
            (Err(_), _) => self.warn_of_lost_mail(),
        }
    }

    /// The mailer logs the answer of the mail server, without an address that the answer may repeat.
    fn warn_of_lost_mail(&self) {
        tracing::warn!(mail = self.what, "a mail was not sent, or may not have been sent");
    }
}
