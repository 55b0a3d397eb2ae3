use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plenum_clients::Turn;
use plenum_kernel::{PortFailure, SignInTicket};
use tokio::sync::oneshot;

use crate::hashing_queue::{HashingQueue, Job, Lane, Place};

/// What failures of this dependency are called.
pub(crate) const WHAT: &str = "password checking";

/// A fixed number of threads below the priority of everything else, with a bounded queue before them.
///
/// They end when the last piece of work that was accepted is done and this value is gone.
pub(crate) struct HashingThreads {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Rung when something joins the queue, and when the threads are to end.
    bell: Condvar,
}

struct State {
    queue: HashingQueue,
    is_over: bool,
}

impl HashingThreads {
    /// Starts at least one thread, before which at least one piece of work may wait. A check probably takes as long as
    /// `guess`.
    pub(crate) fn start(threads: usize, room: usize, guess: Duration) -> io::Result<Self> {
        let threads = threads.max(1);
        let state = State { queue: HashingQueue::new(room, threads, guess), is_over: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), bell: Condvar::new() });
        // Ends those that were started when the next one is not.
        let started = Self { shared };
        for number in 0..threads {
            let shared = Arc::clone(&started.shared);
            thread::Builder::new().name(format!("password-{number}")).spawn(move || work_off(&shared))?;
        }
        Ok(started)
    }

    /// Checks a password when its turn comes; not at all, when that is not wanted by then.
    pub(crate) async fn check<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        self.run(Lane::Check, turn, work).await
    }

    /// Makes a hash beside the checks; not at all, when the caller has gone by then.
    pub(crate) async fn make<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        self.run(Lane::Making, Turn::of_nobody(), work).await
    }

    /// Where somebody stands among the checks.
    pub(crate) fn place(&self, ticket: Option<SignInTicket>) -> Place {
        self.shared.state().queue.place(ticket)
    }

    async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        turn: Turn,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        let (reply, answer) = oneshot::channel();
        // Closed when the caller's future is dropped.
        let reply = Arc::new(Mutex::new(Some(reply)));
        let asked = Arc::clone(&reply);
        let job = Job {
            ticket: turn.ticket,
            is_wanted: Box::new(move || is_waited_for(&asked) && (turn.is_wanted)()),
            work: Box::new(move || {
                let done = work();
                if let Some(reply) = lock(&reply).take() {
                    // Whoever left meanwhile does not need the answer.
                    let _ = reply.send(done);
                }
            }),
        };
        let joined = self.shared.state().queue.join(lane, job);
        joined.map_err(|full| PortFailure::busy_for(WHAT, full.retry_after))?;
        self.shared.bell.notify_one();
        // Not answered: it was not wanted any more when its turn came.
        answer.await.map_err(|_| PortFailure::busy(WHAT))
    }
}

impl Drop for HashingThreads {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        self.shared.bell.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Waits for the next piece of work; none when there will be no more.
    fn next(&self) -> Option<(Lane, Job)> {
        let mut state = self.state();
        loop {
            if let Some(next) = state.queue.next() {
                return Some(next);
            }
            if state.is_over {
                return None;
            }
            state = self.bell.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_waited_for<T>(reply: &Mutex<Option<oneshot::Sender<T>>>) -> bool {
    lock(reply).as_ref().is_some_and(|reply| !reply.is_closed())
}

fn work_off(shared: &Shared) {
    lower_priority();
    while let Some((lane, job)) = shared.next() {
        let since = Instant::now();
        // The thread outlives a mistake of ours; whoever waits for the answer learns that there is none.
        let _ = panic::catch_unwind(AssertUnwindSafe(job.work));
        shared.state().queue.done(lane, since.elapsed());
    }
}

/// Lets every other thread go first. Linux counts niceness by thread; elsewhere nothing is lowered, because there it
/// would concern the whole process.
///
/// The lowest niceness, and not the class of idle threads: that one gets next to nothing where something else keeps all
/// cores busy, and nobody could sign in to find out what.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "no crate of ours wraps nice(2)")]
    // SAFETY: takes and returns a number, and touches no memory of ours.
    unsafe {
        // A refusal is no reason not to check passwords. What is beyond the lowest is the lowest.
        nix::libc::nice(19);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const GUESS: Duration = Duration::from_millis(1);

    fn threads(number: usize, room: usize) -> HashingThreads {
        HashingThreads::start(number, room, GUESS).unwrap()
    }

    fn wanted() -> Turn {
        Turn::of_nobody()
    }

    #[tokio::test]
    async fn work_is_done_and_answered() {
        let threads = threads(2, 4);
        assert_eq!(threads.check(wanted(), || 6 * 7).await.unwrap(), 42);
        assert_eq!(threads.make(|| 6 * 7).await.unwrap(), 42);
    }

    /// Occupies the only thread until the sender is dropped.
    async fn occupy(threads: &Arc<HashingThreads>) -> (mpsc::Sender<()>, tokio::task::JoinHandle<()>) {
        let (started, has_started) = oneshot::channel();
        let (let_go, held) = mpsc::channel::<()>();
        let threads = Arc::clone(threads);
        let held = tokio::spawn(async move {
            let work = move || {
                started.send(()).unwrap();
                // Only ever dropped.
                let _ = held.recv();
            };
            threads.check(wanted(), work).await.unwrap();
        });
        has_started.await.unwrap();
        (let_go, held)
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_and_says_when_there_will_be_room() {
        let threads = Arc::new(threads(1, 1));
        let (let_go, first) = occupy(&threads).await;
        let mut second = Box::pin(threads.check(wanted(), || "second"));
        assert!(futures_poll_once(&mut second).await.is_none());

        let refused = threads.check(wanted(), || "third").await.unwrap_err();

        assert_eq!(refused.to_string(), "password checking is unavailable");
        assert_eq!(refused.retry_after(), Some(GUESS));
        drop(let_go);
        first.await.unwrap();
        assert_eq!(second.await.unwrap(), "second");
    }

    #[tokio::test]
    async fn nobody_works_for_someone_who_has_left() {
        let threads = Arc::new(threads(1, 2));
        let (let_go, first) = occupy(&threads).await;
        let (worked, has_worked) = mpsc::channel::<&str>();
        let mut second = Box::pin(threads.check(wanted(), move || worked.send("second").unwrap()));
        assert!(futures_poll_once(&mut second).await.is_none());

        drop(second);
        drop(let_go);
        first.await.unwrap();

        threads.check(wanted(), || ()).await.unwrap();
        assert!(has_worked.recv().is_err());
    }

    #[tokio::test]
    async fn what_is_not_wanted_when_its_turn_comes_is_not_done() {
        let threads = threads(1, 2);
        let turn = Turn { ticket: None, is_wanted: Box::new(|| false) };
        assert!(threads.check(turn, || unreachable!("it is not wanted")).await.is_err());
    }

    #[tokio::test]
    async fn what_was_accepted_is_done_although_nothing_else_will_be() {
        let shared = Arc::new(threads(1, 2));
        let (let_go, first) = occupy(&shared).await;
        let state = Arc::clone(&shared.shared);
        let (worked, has_worked) = oneshot::channel();
        let turn = Turn { ticket: None, is_wanted: Box::new(|| true) };
        let job = Job { ticket: None, is_wanted: turn.is_wanted, work: Box::new(move || worked.send(()).unwrap()) };
        assert!(state.state().queue.join(Lane::Making, job).is_ok());
        drop(shared);
        drop(let_go);
        first.await.unwrap();
        has_worked.await.unwrap();
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_threads_have_the_lowest_priority_and_the_others_keep_theirs() {
        let threads = threads(1, 1);
        let before = niceness();
        assert_eq!(threads.check(wanted(), niceness).await.unwrap(), 19);
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
