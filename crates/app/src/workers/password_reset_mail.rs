use std::error::Error;
use std::sync::Arc;

use plenum_clients::{ResetLetter, ResetLetters, ResetRequest, ResetRequests};
use plenum_kernel::NewIds;
use plenum_meetings::Mail;
use tokio::sync::{Mutex, mpsc};

use super::invitation_mail::MailSetup;
use super::retrying_mailer::RetryingMailer;

/// The number of requests for a reset link that may wait. Without a limit, the queue would grow while the mail server
/// does not respond.
const QUEUE: usize = 100;
/// The number of requests that are processed at the same time.
const WORKERS: usize = 3;

/// The queue of requests.
struct ResetQueue(mpsc::Sender<ResetRequest>);

impl ResetRequests for ResetQueue {
    fn put(&self, request: ResetRequest) -> bool {
        self.0.try_send(request).is_ok()
    }
}

/// Starts workers on the current runtime, and returns their queue. They end when the queue is dropped.
///
/// The links lead to `page`. Requests that wait when the process ends are lost; people ask again.
pub(crate) fn send_reset_mail(
    letters: Arc<ResetLetters>,
    page: String,
    mail: &MailSetup,
    ids: Arc<dyn NewIds>,
) -> Arc<dyn ResetRequests> {
    let (queue, requests) = mpsc::channel(QUEUE);
    let requests = Arc::new(Mutex::new(requests));
    let mailer = RetryingMailer::new(Arc::clone(&mail.mailer), mail.poll_interval, QUEUE, "a mail with a reset link");
    let sender = Arc::new(ResetSender { letters, page, mailer: Arc::new(mailer), ids });
    for _ in 0..WORKERS {
        tokio::spawn(work(Arc::clone(&sender), Arc::clone(&requests)));
    }
    Arc::new(ResetQueue(queue))
}

async fn work(sender: Arc<ResetSender>, requests: Arc<Mutex<mpsc::Receiver<ResetRequest>>>) {
    loop {
        let request = requests.lock().await.recv().await;
        let Some(request) = request else { return };
        sender.send_letter(&request).await;
    }
}

struct ResetSender {
    letters: Arc<ResetLetters>,
    page: String,
    mailer: Arc<RetryingMailer>,
    ids: Arc<dyn NewIds>,
}

impl ResetSender {
    /// Runs after the response to the request, so that the time of the response does not show whether the account exists. The
    /// log names no account.
    async fn send_letter(&self, request: &ResetRequest) {
        let letter = match self.letters.letter_for(request, &self.page).await {
            Ok(Some(letter)) => letter,
            Ok(None) => return,
            Err(failure) => {
                tracing::warn!(error = &failure as &dyn Error, "could not create a reset link");
                return;
            }
        };
        self.mailer.send(self.mail_of(letter)).await;
    }

    fn mail_of(&self, letter: ResetLetter) -> Mail {
        let ResetLetter { to, to_name, subject, text } = letter;
        Mail {
            reference: format!("reset.{}", self.ids.next_uuid()),
            to_name,
            to: to.to_string(),
            reply_to_name: String::new(),
            reply_to: String::new(),
            subject,
            text,
            code: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use plenum_kernel::EmailAddress;

    #[tokio::test]
    async fn a_full_queue_refuses_requests_at_once() {
        let (queue, receiver) = mpsc::channel(QUEUE);
        let requests = ResetQueue(queue);
        let request = ResetRequest {
            email: EmailAddress::parse("anna@example.org").unwrap(),
            from: IpAddr::from([192, 0, 2, 7]),
        };
        assert!((0..QUEUE).all(|_| requests.put(request.clone())));
        assert!(!requests.put(request));
        drop(receiver);
    }
}
