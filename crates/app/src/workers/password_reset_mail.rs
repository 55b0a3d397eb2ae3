use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_clients::{ResetLetter, ResetLetters, ResetRequest, ResetRequests};
use plenum_kernel::NewIds;
use plenum_meetings::{Mail, MailFailure, Mailer};
use tokio::sync::{Mutex, Semaphore, mpsc};

use super::invitation_mail::MailSetup;

/// How many wishes for a new password may wait. Of a mail server that does not answer there would be ever more.
const ROOM: usize = 100;
/// How many are carried out at the same time.
const LANES: usize = 3;
/// When a mail that did not reach the mail server is tried again, in looks at the queue of invitations. Only once: then the
/// person has to ask again.
const LOOKS_UNTIL_SECOND_TRY: u32 = 6;

/// Where wishes wait.
struct ResetBox(mpsc::Sender<ResetRequest>);

impl ResetRequests for ResetBox {
    fn put(&self, wish: ResetRequest) -> bool {
        self.0.try_send(wish).is_ok()
    }
}

/// Begins to carry out what is put into the box that it returns, on this runtime and as long as there is the box. The links
/// lead to `page`. What waits when the process ends is lost; people ask again.
pub(crate) fn carry_out_resets(
    letters: Arc<ResetLetters>,
    page: String,
    mail: &MailSetup,
    ids: Arc<dyn NewIds>,
) -> Arc<dyn ResetRequests> {
    let (put, taken) = mpsc::channel(ROOM);
    let taken = Arc::new(Mutex::new(taken));
    let second_tries = Arc::new(Semaphore::new(ROOM));
    let second_try_after = mail.look_every * LOOKS_UNTIL_SECOND_TRY;
    let mailer = Arc::clone(&mail.mailer);
    let desk = Arc::new(ResetDesk { letters, page, mailer, ids, second_tries, second_try_after });
    for _ in 0..LANES {
        tokio::spawn(work(Arc::clone(&desk), Arc::clone(&taken)));
    }
    Arc::new(ResetBox(put))
}

async fn work(desk: Arc<ResetDesk>, taken: Arc<Mutex<mpsc::Receiver<ResetRequest>>>) {
    loop {
        let wish = taken.lock().await.recv().await;
        let Some(wish) = wish else { return };
        desk.send_letter(&wish).await;
    }
}

struct ResetDesk {
    letters: Arc<ResetLetters>,
    page: String,
    mailer: Arc<dyn Mailer>,
    ids: Arc<dyn NewIds>,
    /// How many mails may wait for their second try.
    second_tries: Arc<Semaphore>,
    second_try_after: Duration,
}

impl ResetDesk {
    /// Nobody waits for it, so that nobody can tell by the time whether there is such an account. The log names nobody.
    async fn send_letter(self: &Arc<Self>, wish: &ResetRequest) {
        let letter = match self.letters.letter_for(wish, &self.page).await {
            Ok(Some(letter)) => letter,
            Ok(None) => return,
            Err(failure) => {
                tracing::warn!(error = &failure as &dyn Error, "could not make a link for a new password");
                return;
            }
        };
        let mail = self.mail_of(letter);
        match (self.mailer.send(mail.clone()).await, Arc::clone(&self.second_tries).try_acquire_owned()) {
            (Ok(()), _) => {}
            (Err(MailFailure::Unreachable(_)), Ok(permit)) => {
                let desk = Arc::clone(self);
                tokio::spawn(async move {
                    tokio::time::sleep(desk.second_try_after).await;
                    if desk.mailer.send(mail).await.is_err() {
                        warn_of_lost_mail();
                    }
                    drop(permit);
                });
            }
            (Err(_), _) => warn_of_lost_mail(),
        }
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
        }
    }
}

/// What the mail server said is logged where it was heard, without the address that it may repeat.
fn warn_of_lost_mail() {
    tracing::warn!("a mail with a link for a new password was not sent, or perhaps not");
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use plenum_kernel::EmailAddress;

    #[tokio::test]
    async fn no_more_wishes_are_taken_than_there_is_room_for_and_nobody_waits() {
        let (put, taken) = mpsc::channel(ROOM);
        let wishes = ResetBox(put);
        let wish = ResetRequest {
            email: EmailAddress::parse("anna@example.org").unwrap(),
            from: IpAddr::from([192, 0, 2, 7]),
        };
        assert!((0..ROOM).all(|_| wishes.put(wish.clone())));
        assert!(!wishes.put(wish));
        drop(taken);
    }
}
