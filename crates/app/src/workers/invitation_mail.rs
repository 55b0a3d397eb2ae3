use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use plenum_kernel::PortFailure;
use plenum_meetings::{InvitationSending, MailSignals, Mailer, SendingStep};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How mail is sent.
pub struct MailSetup {
    /// What sends it.
    pub mailer: Arc<dyn Mailer>,
    /// How many messages are sent at the same time.
    pub lanes: usize,
    /// After how long the queue is looked at without a signal: others may have put something into it, and what did not
    /// reach the mail server is tried again.
    pub look_every: Duration,
    /// After how long what is being sent counts as left behind. Longer than the mailer takes at most.
    pub lease: TimeDelta,
}

impl MailSetup {
    /// The usual setup with this mailer.
    pub fn new(mailer: Arc<dyn Mailer>) -> Self {
        Self { mailer, lanes: 3, look_every: Duration::from_secs(5), lease: TimeDelta::minutes(5) }
    }
}

/// Wakes those who send in this process. A signal that comes while they are busy is not lost.
pub(crate) struct Notify(watch::Sender<()>);

impl Notify {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(()))
    }
}

impl MailSignals for Notify {
    fn queued(&self) {
        self.0.send_replace(());
    }
}

/// Sends the invitations that are in the queue. Instances may do it at the same time.
pub struct MailWorker {
    pub(crate) sending: Arc<InvitationSending>,
    pub(crate) doorbell: Arc<Notify>,
    pub(crate) lanes: usize,
    pub(crate) look_every: Duration,
}

impl MailWorker {
    /// Begins to send, on this runtime.
    pub fn open(&self) -> RunningMailWorker {
        let (stop, stopped) = watch::channel(false);
        let mut lanes = JoinSet::new();
        for _ in 0..self.lanes {
            let lane = Lane {
                sending: Arc::clone(&self.sending),
                rings: self.doorbell.0.subscribe(),
                stopped: stopped.clone(),
                look_every: self.look_every,
            };
            lanes.spawn(lane.run());
        }
        RunningMailWorker { stop, lanes }
    }
}

/// A mail room at work. Dropped, it stops in the middle of what it sends, which is then perhaps sent.
pub struct RunningMailWorker {
    stop: watch::Sender<bool>,
    lanes: JoinSet<()>,
}

impl RunningMailWorker {
    /// Takes nothing more out of the queue, and lets what is being sent come to its end, for `timeouts` at most.
    pub async fn close(mut self, timeouts: Duration) {
        self.stop.send_replace(true);
        let all = async { while self.lanes.join_next().await.is_some() {} };
        if timeout(timeouts, all).await.is_err() {
            tracing::warn!("stopped while invitations were being sent; they count as perhaps sent");
        }
    }
}

/// Sends one message after another.
struct Lane {
    sending: Arc<InvitationSending>,
    rings: watch::Receiver<()>,
    stopped: watch::Receiver<bool>,
    look_every: Duration,
}

impl Lane {
    async fn run(mut self) {
        while !*self.stopped.borrow() {
            self.rings.mark_unchanged();
            let waits_for_rings = match self.look().await {
                Ok(SendingStep::Done) => continue,
                Ok(SendingStep::Idle) => true,
                // The mail server, or the database, is left alone for a while, whoever rings.
                Ok(SendingStep::Pause) => false,
                Err(failure) => {
                    tracing::warn!(error = &failure as &dyn Error, "could not send invitations");
                    false
                }
            };
            let until_it_rings = async {
                if waits_for_rings && self.rings.changed().await.is_ok() {
                    return;
                }
                std::future::pending::<()>().await;
            };
            tokio::select! {
                () = until_it_rings => {}
                () = tokio::time::sleep(self.look_every) => {}
                _ = self.stopped.changed() => {}
            }
        }
    }

    async fn look(&self) -> Result<SendingStep, PortFailure> {
        let step = self.sending.send_next().await?;
        if step != SendingStep::Done {
            let left_behind = self.sending.tidy_up().await?;
            if left_behind > 0 {
                tracing::warn!(left_behind, "invitations were left behind while they were being sent");
            }
        }
        Ok(step)
    }
}
