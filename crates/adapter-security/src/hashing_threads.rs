use std::io;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use plenum_kernel::PortFailure;
use tokio::sync::oneshot;

/// What failures of this dependency are called.
pub(crate) const WHAT: &str = "password checking";

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads below the priority of everything else, with a bounded queue before them.
///
/// They end when the last piece of work that was accepted is done and this value is gone.
#[derive(Debug)]
pub(crate) struct HashingThreads {
    queue: SyncSender<Job>,
}

impl HashingThreads {
    /// Starts at least one thread, before which at least one piece of work may wait.
    pub(crate) fn start(threads: usize, queue: usize) -> io::Result<Self> {
        let (sender, receiver) = sync_channel::<Job>(queue.max(1));
        let receiver = Arc::new(Mutex::new(receiver));
        for number in 0..threads.max(1) {
            let receiver = Arc::clone(&receiver);
            thread::Builder::new().name(format!("password-{number}")).spawn(move || work_off(&receiver))?;
        }
        Ok(Self { queue: sender })
    }

    /// Does `work` when its turn comes; not at all, when the caller has gone by then.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(move || {
            if !reply.is_closed() {
                // Whoever left meanwhile does not need the answer.
                let _ = reply.send(work());
            }
        });
        self.queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => PortFailure::busy(WHAT),
            TrySendError::Disconnected(_) => PortFailure::new(WHAT, "all threads have ended"),
        })?;
        answer.await.map_err(|gone| PortFailure::new(WHAT, gone))
    }
}

fn work_off(queue: &Mutex<Receiver<Job>>) {
    lower_priority();
    loop {
        // One thread waits in `recv`, the others at the lock: each job goes to exactly one of them. A job runs after
        // the lock was given back.
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

/// Lets threads of normal priority go first. Linux counts niceness by thread; elsewhere nothing is lowered, because
/// there it would concern the whole process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "no crate of ours wraps nice(2)")]
    // SAFETY: takes and returns a number, and touches no memory of ours.
    unsafe {
        // A refusal is no reason not to check passwords.
        nix::libc::nice(10);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn work_is_done_and_answered() {
        let threads = HashingThreads::start(2, 4).unwrap();
        assert_eq!(threads.run(|| 6 * 7).await.unwrap(), 42);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let threads = Arc::new(HashingThreads::start(1, 1).unwrap());
        let (started, has_started) = oneshot::channel();
        let (let_go, held) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let threads = Arc::clone(&threads);
            async move {
                threads
                    .run(move || {
                        started.send(()).unwrap();
                        held.recv().unwrap();
                    })
                    .await
            }
        });
        has_started.await.unwrap();
        let mut second = Box::pin(threads.run(|| "second"));
        assert!(futures_poll_once(&mut second).await.is_none());

        let refused = threads.run(|| "third").await.unwrap_err();

        assert_eq!(refused.to_string(), "password checking is unavailable");
        let_go.send(()).unwrap();
        first.await.unwrap().unwrap();
        assert_eq!(second.await.unwrap(), "second");
    }

    #[tokio::test]
    async fn nobody_works_for_someone_who_has_left() {
        let threads = HashingThreads::start(1, 2).unwrap();
        let (let_go, held) = mpsc::channel::<()>();
        let (worked, has_worked) = mpsc::channel::<&str>();
        let mut first = Box::pin(threads.run(move || held.recv().unwrap()));
        assert!(futures_poll_once(&mut first).await.is_none());
        let mut second = Box::pin(threads.run(move || worked.send("second").unwrap()));
        assert!(futures_poll_once(&mut second).await.is_none());

        drop(second);
        let_go.send(()).unwrap();
        first.await.unwrap();

        threads.run(|| ()).await.unwrap();
        assert!(has_worked.recv().is_err());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_threads_have_a_lower_priority_and_the_others_keep_theirs() {
        let threads = HashingThreads::start(1, 1).unwrap();
        let before = niceness();
        let of_thread = threads.run(niceness).await.unwrap();
        assert_eq!(of_thread, (before + 10).min(19));
        assert_eq!(niceness(), before);
    }

    #[cfg(target_os = "linux")]
    fn niceness() -> i64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        // Field 19 of proc(5); the first two stand before the parenthesis.
        fields.split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    async fn futures_poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|context| match std::pin::Pin::new(&mut *future).poll(context) {
            std::task::Poll::Ready(output) => std::task::Poll::Ready(Some(output)),
            std::task::Poll::Pending => std::task::Poll::Ready(None),
        })
        .await
    }
}
