use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plenum_clients::{Turn, TurnAnswer};
use plenum_kernel::{PortFailure, SignInTicket};
use tokio::sync::oneshot;

use crate::hashing::job::{Full, Job, Lane, Look, Place};
use crate::hashing::queue::HashingQueue;

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

    /// Checks a password when its turn comes; not at all, when that is given up by then.
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
        self.run(Lane::Making, Turn::anonymous(), work).await
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
        let (asked, left) = (Arc::clone(&reply), Arc::clone(&reply));
        let job = Job {
            ticket: turn.ticket,
            has_left: Box::new(move || !is_waited_for(&left) || (turn.has_left)()),
            answer: Box::new(move || if is_waited_for(&asked) { (turn.answer)() } else { TurnAnswer::Gone }),
            work: Box::new(move || {
                let done = work();
                if let Some(reply) = lock(&reply).take() {
                    // Whoever left meanwhile does not need the answer.
                    let _ = reply.send(done);
                }
            }),
        };
        self.shared.join(lane, job).map_err(busy)?;
        self.shared.bell.notify_one();
        // Not answered: the turn was given up, or gave way to somebody who can be served.
        answer.await.map_err(|_| busy(self.shared.state().queue.full(lane)))
    }
}

fn busy(full: Full) -> PortFailure {
    PortFailure::busy_for(WHAT, full.retry_after)
}

/// All threads of a hasher, which do nothing else until this is dropped.
#[cfg(any(test, feature = "testkit"))]
#[derive(Debug)]
pub struct HeldThreads {
    _let_go: Vec<oneshot::Sender<()>>,
}

#[cfg(any(test, feature = "testkit"))]
impl HashingThreads {
    /// Keeps each thread from its work. There must be room in the lane of what is made.
    pub(crate) async fn hold(&self) -> HeldThreads {
        let number = self.shared.state().queue.threads();
        let mut let_go = Vec::new();
        for _ in 0..number {
            let (keep, held) = oneshot::channel::<()>();
            let (begin, has_begun) = oneshot::channel();
            self.shared.make_always(move || {
                // Whoever wants to hold it may have left.
                let _ = begin.send(());
                // Only ever dropped.
                let _ = held.blocking_recv();
            });
            let_go.push(keep);
            let _ = has_begun.await;
        }
        HeldThreads { _let_go: let_go }
    }
}

#[cfg(any(test, feature = "testkit"))]
impl Shared {
    /// Does this in its turn, also when nobody waits for it.
    fn make_always(&self, work: impl FnOnce() + Send + 'static) {
        let (has_left, answer) = (Box::new(|| false), Box::new(|| TurnAnswer::Wanted));
        let joined = self.join(Lane::Making, Job { ticket: None, has_left, answer, work: Box::new(work) });
        assert!(joined.is_ok(), "there is no room");
        self.bell.notify_one();
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

    fn join(&self, lane: Lane, job: Job) -> Result<(), Full> {
        let Err(job) = self.state().queue.join(lane, job) else { return Ok(()) };
        self.sweep(lane);
        let mut state = self.state();
        // Nobody gives way to somebody who is gone.
        if (job.has_left)() {
            return Err(state.queue.full(lane));
        }
        state.queue.make_room(lane);
        state.queue.join(lane, job).map_err(|_| state.queue.full(lane))
    }

    /// Looks for those who have left, and lets others have the queue in between.
    fn sweep(&self, lane: Lane) {
        let now = Instant::now();
        let mut sweep = self.state().queue.begin_sweep(lane, now);
        while let Some(unfinished) = sweep {
            sweep = self.state().queue.sweep(unfinished, now);
        }
    }

    /// Waits for the next piece of work; none when there will be no more.
    fn next(&self) -> Option<(Lane, Job)> {
        loop {
            let mut state = self.state();
            match state.queue.next(Instant::now()) {
                Look::Found(lane, job) => return Some((lane, job)),
                // Others may have the queue now. They are awake by the time that this thread has the core again.
                Look::Unfinished => {
                    drop(state);
                    thread::yield_now();
                }
                Look::Nothing if state.is_over => return None,
                Look::Nothing => self.wait(state),
            }
        }
    }

    /// Until the bell rings, or those who were passed over are to be asked again.
    fn wait(&self, state: MutexGuard<'_, State>) {
        let Some(next_look) = state.queue.next_look() else {
            drop(self.bell.wait(state));
            return;
        };
        drop(self.bell.wait_timeout(state, next_look.saturating_duration_since(Instant::now())));
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
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    const GUESS: Duration = Duration::from_millis(1);
    /// What takes longer does not happen.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn threads(number: usize, room: usize) -> HashingThreads {
        HashingThreads::start(number, room, GUESS).unwrap()
    }

    fn wanted() -> Turn {
        Turn::anonymous()
    }

    #[tokio::test]
    async fn work_is_done_and_answered() {
        let threads = threads(2, 4);
        assert_eq!(threads.check(wanted(), || 6 * 7).await.unwrap(), 42);
        assert_eq!(threads.make(|| 6 * 7).await.unwrap(), 42);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_and_says_when_there_will_be_room() {
        let threads = threads(1, 1);
        let held = threads.hold().await;
        let mut second = Box::pin(threads.check(wanted(), || "second"));
        assert!(futures_poll_once(&mut second).await.is_none());

        let refused = threads.check(wanted(), || "third").await.unwrap_err();

        assert_eq!(refused.to_string(), "password checking is unavailable");
        assert_eq!(refused.retry_after(), Some(GUESS));
        drop(held);
        assert_eq!(second.await.unwrap(), "second");
    }

    #[tokio::test]
    async fn nobody_works_for_someone_who_has_left() {
        let threads = threads(1, 2);
        let held = threads.hold().await;
        let (worked, has_worked) = mpsc::channel::<&str>();
        let mut second = Box::pin(threads.check(wanted(), move || worked.send("second").unwrap()));
        assert!(futures_poll_once(&mut second).await.is_none());

        drop(second);
        drop(held);

        threads.check(wanted(), || ()).await.unwrap();
        assert!(has_worked.recv().is_err());
    }

    #[tokio::test]
    async fn what_is_not_wanted_when_its_turn_comes_is_not_done() {
        let threads = threads(1, 2);
        for turn in [
            Turn { answer: Box::new(|| TurnAnswer::Gone), ..wanted() },
            Turn { has_left: Box::new(|| true), ..wanted() },
        ] {
            assert!(threads.check(turn, || unreachable!("it is not wanted")).await.is_err());
        }
    }

    #[tokio::test]
    async fn what_is_not_wanted_yet_waits_and_is_done_when_it_is() {
        let threads = threads(1, 2);
        let is_wanted = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&is_wanted);
        let answer = move || if asked.load(Ordering::Relaxed) { TurnAnswer::Wanted } else { TurnAnswer::NotYet };
        let mut held_up = Box::pin(threads.check(Turn { answer: Box::new(answer), ..wanted() }, || "at last"));
        assert!(futures_poll_once(&mut held_up).await.is_none());
        assert_eq!(threads.check(wanted(), || "before").await.unwrap(), "before");
        is_wanted.store(true, Ordering::Relaxed);
        // Nobody rings for it.
        assert_eq!(tokio::time::timeout(PATIENCE, held_up).await.unwrap().unwrap(), "at last");
    }

    #[tokio::test]
    async fn who_is_held_up_gives_way_where_there_is_no_room_and_is_told_when_to_come_back() {
        let threads = threads(1, 1);
        let turn = Turn { answer: Box::new(|| TurnAnswer::NotYet), ..wanted() };
        let mut held_up = Box::pin(threads.check(turn, || unreachable!("it is not wanted yet")));
        assert!(futures_poll_once(&mut held_up).await.is_none());
        // The thread has asked when it has done something behind it.
        threads.make(|| ()).await.unwrap();
        let held = threads.hold().await;
        let mut second = Box::pin(threads.check(wanted(), || "second"));
        assert!(futures_poll_once(&mut second).await.is_none());
        assert_eq!(held_up.await.unwrap_err().retry_after(), Some(GUESS));
        drop(held);
        assert_eq!(second.await.unwrap(), "second");
    }

    #[tokio::test]
    async fn what_was_accepted_is_done_although_nothing_else_will_be_and_then_the_threads_end() {
        let threads = threads(2, 2);
        let shared = Arc::clone(&threads.shared);
        let held = threads.hold().await;
        let (worked, mut has_worked) = oneshot::channel();
        shared.make_always(move || worked.send(()).unwrap());
        drop(threads);
        assert!(shared.state().is_over);
        drop(held);
        let deadline = Instant::now() + PATIENCE;
        while Arc::strong_count(&shared) > 1 {
            assert!(Instant::now() < deadline, "the threads have not ended");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(has_worked.try_recv().is_ok());
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
