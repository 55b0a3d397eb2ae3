use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use plenum_kernel::{Clock, PersonalLinkTokens, PortFailure};
use plenum_meetings::{InvitationSending, InvitationStore, MailSignals, Mailer, SendingPorts, SendingStep};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The settings of outgoing mail.
pub struct MailSetup {
    /// Sends the messages.
    pub mailer: Arc<dyn Mailer>,
    /// The number of messages that are sent at the same time.
    pub concurrency: usize,
    /// The time between two checks of the queue without a signal. Other instances may have queued messages, and messages
    /// that did not reach the mail server are due again.
    pub poll_interval: Duration,
    /// The time after which a message in sending counts as abandoned. Longer than the mailer needs at most.
    pub lease: TimeDelta,
}

impl MailSetup {
    /// The default settings with this mailer.
    pub fn new(mailer: Arc<dyn Mailer>) -> Self {
        Self { mailer, concurrency: 3, poll_interval: Duration::from_secs(5), lease: TimeDelta::minutes(5) }
    }
}

/// Wakes the workers of this process. A signal to a busy worker is not lost.
struct Notify(watch::Sender<()>);

impl MailSignals for Notify {
    fn queued(&self) {
        self.0.send_replace(());
    }
}

/// Sends the queued invitations. Several instances may do so at the same time.
pub struct MailWorker {
    sending: Arc<InvitationSending>,
    notify: Arc<Notify>,
    concurrency: usize,
    poll_interval: Duration,
}

impl MailWorker {
    pub(crate) fn new(
        invitations: Arc<dyn InvitationStore>,
        mail: MailSetup,
        link_tokens: Arc<dyn PersonalLinkTokens>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            sending: Arc::new(InvitationSending::new(
                SendingPorts { invitations, mailer: mail.mailer, link_tokens, clock },
                mail.lease,
            )),
            notify: Arc::new(Notify(watch::Sender::new(()))),
            concurrency: mail.concurrency,
            poll_interval: mail.poll_interval,
        }
    }

    /// The signals by which services wake this worker.
    pub(crate) fn signals(&self) -> Arc<dyn MailSignals> {
        Arc::clone(&self.notify) as _
    }

    /// Starts to send, on the current runtime.
    pub fn start(&self) -> RunningMailWorker {
        let (stop, stopped) = watch::channel(false);
        let mut workers = JoinSet::new();
        for _ in 0..self.concurrency {
            let worker = Worker {
                sending: Arc::clone(&self.sending),
                signals: self.notify.0.subscribe(),
                stopped: stopped.clone(),
                poll_interval: self.poll_interval,
            };
            workers.spawn(worker.run());
        }
        RunningMailWorker { stop, workers }
    }
}

/// A started mail worker. Dropping it aborts the messages in sending, which may have been sent.
pub struct RunningMailWorker {
    stop: watch::Sender<bool>,
    workers: JoinSet<()>,
}

impl RunningMailWorker {
    /// Takes no more messages from the queue, and waits until the messages in sending are sent, for `limit` at most.
    pub async fn stop(mut self, limit: Duration) {
        self.stop.send_replace(true);
        let all = async { while self.workers.join_next().await.is_some() {} };
        if timeout(limit, all).await.is_err() {
            tracing::warn!("stopped while invitations were being sent; they count as possibly sent");
        }
    }
}

/// Sends one message after another.
struct Worker {
    sending: Arc<InvitationSending>,
    signals: watch::Receiver<()>,
    stopped: watch::Receiver<bool>,
    poll_interval: Duration,
}

impl Worker {
    async fn run(mut self) {
        while !*self.stopped.borrow() {
            self.signals.mark_unchanged();
            let is_woken_by_signals = match self.step().await {
                Ok(SendingStep::Done) => continue,
                Ok(SendingStep::Idle) => true,
                // The mail server or the database gets a pause, for any queue.
                Ok(SendingStep::Pause) => false,
                Err(failure) => {
                    tracing::warn!(error = &failure as &dyn Error, "could not send invitations");
                    false
                }
            };
            let signal = async {
                if is_woken_by_signals && self.signals.changed().await.is_ok() {
                    return;
                }
                std::future::pending::<()>().await;
            };
            tokio::select! {
                () = signal => {}
                () = tokio::time::sleep(self.poll_interval) => {}
                _ = self.stopped.changed() => {}
            }
        }
    }

    async fn step(&self) -> Result<SendingStep, PortFailure> {
        let step = self.sending.send_next().await?;
        if step != SendingStep::Done {
            let abandoned = self.sending.tidy_up().await?;
            if abandoned > 0 {
                tracing::warn!(left_behind = abandoned, "the sending of invitations was interrupted");
            }
        }
        Ok(step)
    }
}
