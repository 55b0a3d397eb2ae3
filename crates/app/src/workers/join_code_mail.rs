use std::sync::Arc;

use plenum_clients::{JoinCodeLetter, JoinCodeMails};
use plenum_kernel::NewIds;
use plenum_meetings::Mail;
use tokio::sync::{Mutex, mpsc};

use super::invitation_mail::MailSetup;
use super::retrying_mailer::RetryingMailer;

/// The number of mails that may wait: a hall that signs in at once while the mail server is slow.
const QUEUE: usize = 1_000;
/// The number of mails that are sent at the same time.
const WORKERS: usize = 3;

/// The queue of mails with codes.
struct CodeQueue(mpsc::Sender<JoinCodeLetter>);

impl JoinCodeMails for CodeQueue {
    fn put(&self, letter: JoinCodeLetter) -> bool {
        self.0.try_send(letter).is_ok()
    }
}

/// Starts workers on the current runtime, and returns their queue. They end when the queue is dropped. Mails that wait when
/// the process ends are lost; people ask for another code.
pub(crate) fn send_join_codes(mail: &MailSetup, ids: &Arc<dyn NewIds>) -> Arc<dyn JoinCodeMails> {
    let (queue, letters) = mpsc::channel(QUEUE);
    let letters = Arc::new(Mutex::new(letters));
    let mailer = RetryingMailer::new(Arc::clone(&mail.mailer), mail.poll_interval, QUEUE, "a mail with a code");
    let mailer = Arc::new(mailer);
    for _ in 0..WORKERS {
        tokio::spawn(work(Arc::clone(&mailer), Arc::clone(ids), Arc::clone(&letters)));
    }
    Arc::new(CodeQueue(queue))
}

async fn work(mailer: Arc<RetryingMailer>, ids: Arc<dyn NewIds>, letters: Arc<Mutex<mpsc::Receiver<JoinCodeLetter>>>) {
    loop {
        let letter = letters.lock().await.recv().await;
        let Some(JoinCodeLetter { to, to_name, subject, text }) = letter else { return };
        let mail = Mail {
            reference: format!("code.{}", ids.next_uuid()),
            to_name,
            to: to.to_string(),
            reply_to_name: String::new(),
            reply_to: String::new(),
            subject,
            text,
            code: None,
        };
        mailer.send(mail).await;
    }
}
