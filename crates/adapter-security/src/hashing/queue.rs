use std::time::{Duration, Instant};

use plenum_kernel::SignInTicket;

use super::job::{Full, Job, JobKind, NextJob, Place};
use super::waiting_list::{Step, WaitingList};

/// The progress of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sweep {
    kind: JobKind,
    /// The first number that the sweep has not examined.
    from: u64,
}

/// The queue of the hashing threads.
///
/// Checks run first, in order. While checks wait, new hashes get a tenth of the time; otherwise they get all of it. So
/// an import does not delay a hall, and still progresses while the hall signs in.
///
/// The queue is behind a lock, so each call asks only a few jobs.
pub(crate) struct HashingQueue {
    checks: WaitingList,
    new_hashes: WaitingList,
    /// The number of jobs of each kind that may wait.
    capacity: usize,
    threads: u32,
    /// The seconds that checks are ahead of new hashes. A new hash may run when it is zero or less.
    debt: f64,
}

impl HashingQueue {
    /// The ratio of the time for checks to the time for new hashes, while checks wait.
    const SHARE_OF_CHECKS: f64 = 9.0;

    /// The time in which a disconnected caller can return to their place: long enough to reconnect and retry.
    pub(crate) const PLACE_KEPT_FOR: Duration = Duration::from_secs(30);

    /// The interval at which delayed jobs are asked again.
    pub(super) const ASK_INTERVAL: Duration = Duration::from_millis(50);

    /// The interval between sweeps of a full queue, for any number of refused callers.
    const SWEEP_INTERVAL: Duration = Duration::from_millis(100);

    /// The maximum number of jobs that one call asks.
    pub(super) const MAX_ASKED: usize = 32;

    /// An empty queue. `guess` is the duration of a hash until one was measured.
    pub(crate) fn new(capacity: usize, threads: usize, guess: Duration) -> Self {
        Self {
            checks: WaitingList::new(guess),
            new_hashes: WaitingList::new(guess),
            capacity: capacity.max(1),
            threads: u32::try_from(threads).unwrap_or(u32::MAX).max(1),
            debt: 0.0,
        }
    }

    /// Replaces the job with the same ticket, even if its caller seems to wait: a returning caller may have lost a
    /// connection that the server still considers open. Without such a job, appends the new one, or returns it when the
    /// queue is full.
    pub(crate) fn join(&mut self, kind: JobKind, job: Job) -> Result<(), Job> {
        let capacity = self.capacity;
        self.list(kind).join(job, capacity)
    }

    /// Begins a sweep for callers who have left, unless the last one was a moment ago.
    pub(crate) fn begin_sweep(&mut self, kind: JobKind, now: Instant) -> Option<Sweep> {
        let list = self.list(kind);
        if list.swept_at.is_some_and(|swept_at| now < swept_at + Self::SWEEP_INTERVAL) {
            return None;
        }
        list.swept_at = Some(now);
        Some(Sweep { kind, from: 0 })
    }

    /// Continues a sweep: removes some of the lost jobs. `None` when it is complete.
    pub(crate) fn sweep(&mut self, sweep: Sweep, now: Instant) -> Option<Sweep> {
        let from = self.list(sweep.kind).sweep(sweep.from, now)?;
        Some(Sweep { from, ..sweep })
    }

    /// Evicts a job from a queue that is still full, in favor of a job that can run. Evicts the last one whose caller
    /// has left, so that leaving callers cannot fill the queue, or else the last delayed one.
    pub(crate) fn evict(&mut self, kind: JobKind) {
        let capacity = self.capacity;
        self.list(kind).evict(capacity);
    }

    /// Searches for the next job.
    pub(crate) fn next(&mut self, now: Instant) -> NextJob {
        if self.debt <= 0.0 {
            let found = self.search(JobKind::NewHash, now);
            if !matches!(found, NextJob::Nothing) {
                return found;
            }
        }
        let found = self.search(JobKind::Check, now);
        if !matches!(found, NextJob::Nothing) {
            return found;
        }
        // No checks wait, so new hashes owe them no time.
        self.debt = 0.0;
        self.search(JobKind::NewHash, now)
    }

    /// The time at which delayed checks are asked again; `None` when no checks wait.
    pub(crate) fn next_ask_at(&self) -> Option<Instant> {
        self.checks.next_ask_at.filter(|_| !self.checks.waiting.is_empty())
    }

    fn search(&mut self, kind: JobKind, now: Instant) -> NextJob {
        match self.list(kind).next(now) {
            Step::Found(job) => NextJob::Found(kind, job),
            Step::Unfinished => NextJob::Unfinished,
            Step::Nothing => NextJob::Nothing,
        }
    }

    /// Records the duration of a job in real time, which includes time that other programs used the cores.
    pub(crate) fn done(&mut self, kind: JobKind, took: Duration) {
        self.list(kind).measure(took);
        match kind {
            JobKind::NewHash => self.debt += took.as_secs_f64() * Self::SHARE_OF_CHECKS,
            // Checks save up at most the time of one check, so that an import does not begin with a long pause.
            JobKind::Check => self.debt = (self.debt - took.as_secs_f64()).max(-self.checks.each.as_secs_f64()),
        }
    }

    /// The position of the check with this ticket, or of a new one.
    pub(crate) fn place(&self, ticket: Option<SignInTicket>) -> Place {
        let (ahead, is_own) = self.checks.place(ticket);
        // The check itself takes time as well.
        Place { ahead, wait: self.time_of(&self.checks, ahead) + self.checks.each, is_own }
    }

    /// The error for a job that finds the queue full.
    pub(crate) fn full(&self, kind: JobKind) -> Full {
        let list = match kind {
            JobKind::Check => &self.checks,
            JobKind::NewHash => &self.new_hashes,
        };
        let alone = self.time_of(list, list.waiting.len().div_ceil(10));
        let is_shared = kind == JobKind::NewHash && !self.checks.waiting.is_empty();
        Full { retry_after: if is_shared { alone.mul_f64(1.0 + Self::SHARE_OF_CHECKS) } else { alone } }
    }

    /// The number of threads.
    #[cfg(any(test, feature = "testkit"))]
    pub(crate) fn threads(&self) -> u32 {
        self.threads
    }

    fn time_of(&self, list: &WaitingList, jobs: usize) -> Duration {
        list.each.mul_f64(jobs as f64) / self.threads
    }

    fn list(&mut self, kind: JobKind) -> &mut WaitingList {
        match kind {
            JobKind::Check => &mut self.checks,
            JobKind::NewHash => &mut self.new_hashes,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    use plenum_clients::TurnAnswer;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    const EACH: Duration = Duration::from_millis(60);
    const MOMENT: Duration = Duration::from_millis(1);

    fn job(ticket: Option<SignInTicket>) -> Job {
        let (has_left, answer) = (Box::new(|| false), Box::new(|| TurnAnswer::Wanted));
        Job { ticket, has_left, answer, work: Box::new(|| ()) }
    }

    /// A caller whom the test controls.
    #[derive(Clone)]
    struct Caller {
        ticket: Option<SignInTicket>,
        /// `None` after the caller has left.
        answer: Arc<Mutex<Option<TurnAnswer>>>,
        asked: Arc<AtomicUsize>,
    }

    impl Caller {
        fn new(ticket: Option<SignInTicket>) -> Self {
            Self { ticket, answer: Arc::new(Mutex::new(Some(TurnAnswer::Wanted))), asked: Arc::default() }
        }

        fn delayed(ticket: SignInTicket) -> Self {
            let caller = Self::new(Some(ticket));
            caller.set_answer(TurnAnswer::NotYet);
            caller
        }

        fn set_answer(&self, answer: TurnAnswer) {
            *self.answer.lock().unwrap() = Some(answer);
        }

        fn leave(&self) {
            *self.answer.lock().unwrap() = None;
        }

        fn answer(&self) -> Option<TurnAnswer> {
            *self.answer.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn job(&self) -> Job {
            let (waiter, one) = (self.clone(), self.clone());
            let has_left = Box::new(move || {
                waiter.asked.fetch_add(1, Ordering::Relaxed);
                waiter.answer().is_none()
            });
            let answer = Box::new(move || one.answer().unwrap());
            Job { has_left, answer, ..job(self.ticket) }
        }
    }

    fn tickets(number: usize) -> Vec<SignInTicket> {
        let ids = CountingIds::new();
        (0..number).map(|_| SignInTicket::new(&ids)).collect()
    }

    /// A queue with these checks.
    fn queue_of(tickets: &[SignInTicket]) -> HashingQueue {
        let mut queue = HashingQueue::new(tickets.len().max(1), 2, EACH);
        tickets.iter().for_each(|ticket| join(&mut queue, job(Some(*ticket))));
        queue
    }

    fn join(queue: &mut HashingQueue, job: Job) {
        assert!(queue.join(JobKind::Check, job).is_ok());
    }

    fn sweep(queue: &mut HashingQueue, now: Instant) {
        let mut sweep = queue.begin_sweep(JobKind::Check, now);
        while let Some(one) = sweep {
            sweep = queue.sweep(one, now);
        }
    }

    fn next(queue: &mut HashingQueue, now: Instant) -> Option<(JobKind, Job)> {
        loop {
            match queue.next(now) {
                NextJob::Found(kind, job) => return Some((kind, job)),
                NextJob::Unfinished => {}
                NextJob::Nothing => return None,
            }
        }
    }

    fn served_at(queue: &mut HashingQueue, now: Instant) -> Vec<Option<SignInTicket>> {
        std::iter::from_fn(|| next(queue, now)).map(|(_, job)| job.ticket).collect()
    }

    fn served(queue: &mut HashingQueue) -> Vec<Option<SignInTicket>> {
        served_at(queue, Instant::now())
    }

    #[test]
    fn jobs_run_in_order() {
        let tickets = tickets(100);
        let order: Vec<_> = tickets.iter().copied().map(Some).collect();
        assert_eq!(served(&mut queue_of(&tickets)), order);
    }

    #[test]
    fn every_job_has_its_place_and_a_new_one_the_last() {
        let tickets = tickets(100);
        let mut queue = queue_of(&tickets);
        assert_eq!(queue.place(Some(tickets[0])), Place { ahead: 0, wait: EACH, is_own: true });
        // With two threads.
        assert_eq!(queue.place(Some(tickets[50])), Place { ahead: 50, wait: EACH * 26, is_own: true });
        let new_job = Place { ahead: 100, wait: EACH * 51, is_own: false };
        assert_eq!(queue.place(None), new_job);
        assert_eq!(queue.place(Some(SignInTicket::from_uuid(uuid::Uuid::max()))), new_job);
        assert!(next(&mut queue, Instant::now()).is_some());
        assert_eq!(queue.place(Some(tickets[50])).ahead, 49);
        assert_eq!(HashingQueue::new(1, 2, EACH).place(None), Place { ahead: 0, wait: EACH, is_own: false });
    }

    #[test]
    fn the_wait_follows_the_measured_duration() {
        let mut queue = queue_of(&tickets(100));
        for _ in 0..200 {
            queue.done(JobKind::Check, EACH * 4);
        }
        let wait = queue.place(None).wait;
        assert!(wait > EACH * 200 && wait < EACH * 205, "{wait:?}");
        // The duration of new hashes does not count.
        queue.done(JobKind::NewHash, Duration::from_secs(100));
        assert_eq!(queue.place(None).wait, wait);
    }

    #[test]
    fn a_full_queue_returns_a_time_to_retry() {
        let mut queue = queue_of(&tickets(100));
        assert!(queue.join(JobKind::Check, job(None)).is_err());
        assert_eq!(queue.full(JobKind::Check), Full { retry_after: EACH * 5 });
        assert_eq!(queue.place(None).ahead, 100);
    }

    #[test]
    fn the_time_to_retry_a_new_hash_considers_its_share_of_the_time() {
        let mut queue = busy(0, 100);
        assert_eq!(queue.full(JobKind::NewHash).retry_after, EACH * 10);
        join(&mut queue, job(None));
        assert_eq!(queue.full(JobKind::NewHash).retry_after, EACH * 100);
        // With quick hashes.
        (0..500).for_each(|_| queue.done(JobKind::NewHash, MOMENT));
        let quick = queue.full(JobKind::NewHash).retry_after;
        assert!(quick >= MOMENT * 100 && quick < MOMENT * 101, "{quick:?}");
    }

    #[test]
    fn a_lost_job_is_removed_at_once_only_without_a_ticket() {
        let tickets = tickets(3);
        let now = Instant::now();
        let mut queue = HashingQueue::new(2, 1, EACH);
        let (with, without) = (Caller::new(Some(tickets[0])), Caller::new(None));
        join(&mut queue, with.job());
        join(&mut queue, without.job());
        with.leave();
        without.leave();
        sweep(&mut queue, now);
        join(&mut queue, job(Some(tickets[1])));
        assert!(queue.join(JobKind::Check, job(Some(tickets[2]))).is_err());
        sweep(&mut queue, now + HashingQueue::PLACE_KEPT_FOR - MOMENT);
        assert!(queue.join(JobKind::Check, job(Some(tickets[2]))).is_err());
        sweep(&mut queue, now + HashingQueue::PLACE_KEPT_FOR + HashingQueue::SWEEP_INTERVAL);
        join(&mut queue, job(Some(tickets[2])));
        assert_eq!(served(&mut queue), [Some(tickets[1]), Some(tickets[2])]);
    }

    #[test]
    fn a_full_queue_is_swept_at_most_ten_times_a_second() {
        let now = Instant::now();
        let callers: Vec<_> = tickets(100).into_iter().map(|ticket| Caller::new(Some(ticket))).collect();
        let mut queue = HashingQueue::new(callers.len(), 1, EACH);
        callers.iter().for_each(|caller| join(&mut queue, caller.job()));
        let asked = || callers.iter().map(|caller| caller.asked.load(Ordering::Relaxed)).sum::<usize>();
        for refusal in 0..1_000 {
            sweep(&mut queue, now + MOMENT * refusal / 10);
        }
        assert_eq!(asked(), 100);
        sweep(&mut queue, now + HashingQueue::SWEEP_INTERVAL);
        assert_eq!(asked(), 200);
    }

    #[test]
    fn no_call_asks_more_than_the_maximum() {
        let now = Instant::now();
        let callers: Vec<_> = tickets(100).into_iter().map(Caller::delayed).collect();
        let mut queue = HashingQueue::new(callers.len(), 1, EACH);
        callers.iter().for_each(|caller| join(&mut queue, caller.job()));
        let asked = || callers.iter().map(|caller| caller.asked.swap(0, Ordering::Relaxed)).sum::<usize>();
        for number in [32, 32, 32] {
            assert!(matches!(queue.next(now), NextJob::Unfinished));
            assert_eq!(asked(), number);
        }
        assert!(matches!(queue.next(now), NextJob::Nothing));
        assert_eq!(asked(), 4);
        let sweep = queue.begin_sweep(JobKind::Check, now).unwrap();
        assert!(queue.sweep(sweep, now).is_some());
        assert_eq!(asked(), 32);
        callers.iter().for_each(Caller::leave);
        assert!(matches!(queue.next(now + HashingQueue::ASK_INTERVAL), NextJob::Unfinished));
        assert_eq!(asked(), 32);
    }

    #[test]
    fn the_newest_job_with_a_ticket_has_its_place() {
        let tickets = tickets(2);
        let mut queue = HashingQueue::new(10, 1, EACH);
        let older = Caller::new(Some(tickets[0]));
        join(&mut queue, older.job());
        join(&mut queue, job(None));
        join(&mut queue, job(Some(tickets[1])));
        join(&mut queue, job(None));
        // The lost connection of the older job is not known yet.
        let newer = Caller::new(Some(tickets[0]));
        join(&mut queue, newer.job());
        assert_eq!(queue.place(Some(tickets[0])).ahead, 0);
        assert_eq!(served(&mut queue), [Some(tickets[0]), None, Some(tickets[1]), None]);
        assert_eq!(older.asked.load(Ordering::Relaxed), 0);
        assert!(newer.asked.load(Ordering::Relaxed) > 0);
    }

    #[test]
    fn a_returning_caller_keeps_the_place_in_a_full_queue() {
        let tickets = tickets(3);
        let mut queue = queue_of(&tickets);
        let back = Caller::new(Some(tickets[1]));
        join(&mut queue, back.job());
        assert!(queue.join(JobKind::Check, job(None)).is_err());
        assert_eq!(served(&mut queue), tickets.iter().copied().map(Some).collect::<Vec<_>>());
        // Once when it joined, and once at its turn.
        assert_eq!(back.asked.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn the_job_of_a_disconnected_caller_is_passed_over_and_kept_for_a_while() {
        let tickets = tickets(3);
        let now = Instant::now();
        let mut queue = HashingQueue::new(10, 1, EACH);
        let callers: Vec<_> = tickets.iter().map(|ticket| Caller::new(Some(*ticket))).collect();
        callers.iter().for_each(|caller| join(&mut queue, caller.job()));
        callers[0].leave();
        callers[1].leave();
        assert_eq!(served_at(&mut queue, now), [Some(tickets[2])]);
        assert_eq!(queue.place(None), Place { ahead: 0, wait: EACH, is_own: false });
        join(&mut queue, job(None));
        join(&mut queue, job(Some(tickets[1])));
        let later = now + HashingQueue::ASK_INTERVAL;
        assert_eq!(queue.next_ask_at(), Some(later));
        assert_eq!(served_at(&mut queue, later), [Some(tickets[1]), None]);
        // The other caller did not return.
        assert!(queue.place(Some(tickets[0])).is_own);
        assert!(served_at(&mut queue, now + HashingQueue::PLACE_KEPT_FOR).is_empty());
        assert!(!queue.place(Some(tickets[0])).is_own);
        assert_eq!(queue.next_ask_at(), None);
    }

    #[test]
    fn a_delayed_job_lets_others_pass_and_keeps_its_place() {
        let tickets = tickets(4);
        let now = Instant::now();
        let mut queue = HashingQueue::new(10, 2, EACH);
        let delayed: Vec<_> = tickets[..2].iter().map(|ticket| Caller::delayed(*ticket)).collect();
        delayed.iter().for_each(|caller| join(&mut queue, caller.job()));
        join(&mut queue, job(Some(tickets[2])));
        assert_eq!(served_at(&mut queue, now), [Some(tickets[2])]);
        join(&mut queue, job(Some(tickets[3])));
        // They count for each other, and not for other jobs.
        let place = |number: usize| queue.place(Some(tickets[number]));
        assert_eq!([place(1).ahead, place(3).ahead], [1, 0]);
        assert!(!place(2).is_own);
        delayed.iter().for_each(|caller| caller.set_answer(TurnAnswer::Wanted));
        let later = now + HashingQueue::ASK_INTERVAL;
        assert_eq!(served_at(&mut queue, later), [Some(tickets[0]), Some(tickets[1]), Some(tickets[3])]);
    }

    #[test]
    fn a_job_behind_many_delayed_ones_is_reached() {
        let tickets = tickets(101);
        let mut now = Instant::now();
        let mut queue = HashingQueue::new(200, 1, EACH);
        let delayed: Vec<_> = tickets[..100].iter().map(|ticket| Caller::delayed(*ticket)).collect();
        delayed.iter().for_each(|caller| join(&mut queue, caller.job()));
        join(&mut queue, job(Some(tickets[100])));
        let steps = std::iter::from_fn(|| {
            now += HashingQueue::ASK_INTERVAL;
            Some(queue.next(now))
        });
        let found = steps.take(10).find_map(|found| if let NextJob::Found(_, job) = found { Some(job) } else { None });
        assert_eq!(found.unwrap().ticket, Some(tickets[100]));
    }

    #[test]
    fn disconnected_callers_are_evicted_before_delayed_jobs() {
        let tickets = tickets(4);
        let now = Instant::now();
        let mut queue = HashingQueue::new(3, 1, EACH);
        let callers = [Caller::new(Some(tickets[0])), Caller::new(Some(tickets[1])), Caller::delayed(tickets[2])];
        callers.iter().for_each(|caller| join(&mut queue, caller.job()));
        callers[0].leave();
        callers[1].leave();
        assert!(served_at(&mut queue, now).is_empty());
        queue.evict(JobKind::Check);
        join(&mut queue, job(Some(tickets[3])));
        let is_here = |number: usize| queue.place(Some(tickets[number])).is_own;
        assert_eq!([0, 1, 2].map(is_here), [true, false, true]);
    }

    #[test]
    fn an_abandoned_request_does_not_replace_an_active_one() {
        let ticket = tickets(1)[0];
        let mut queue = HashingQueue::new(10, 1, EACH);
        let (waits, given_up) = (Caller::new(Some(ticket)), Caller::new(Some(ticket)));
        join(&mut queue, waits.job());
        given_up.leave();
        join(&mut queue, given_up.job());
        assert_eq!(served(&mut queue), [Some(ticket)]);
    }

    #[test]
    fn a_job_that_gives_up_its_turn_is_dropped() {
        let ticket = tickets(1)[0];
        let mut queue = HashingQueue::new(10, 1, EACH);
        let caller = Caller::new(Some(ticket));
        join(&mut queue, caller.job());
        caller.set_answer(TurnAnswer::Gone);
        assert!(served(&mut queue).is_empty());
        assert!(!queue.place(Some(ticket)).is_own);
    }

    #[test]
    fn the_last_delayed_job_is_evicted_from_a_full_queue() {
        let tickets = tickets(4);
        let now = Instant::now();
        let mut queue = HashingQueue::new(3, 1, EACH);
        let callers: Vec<_> = tickets[..3].iter().map(|ticket| Caller::delayed(*ticket)).collect();
        callers.iter().for_each(|caller| join(&mut queue, caller.job()));
        assert!(served_at(&mut queue, now).is_empty());
        callers[2].set_answer(TurnAnswer::Wanted);
        let later = now + HashingQueue::ASK_INTERVAL;
        assert_eq!(served_at(&mut queue, later), [Some(tickets[2])]);
        // The queue is not full.
        queue.evict(JobKind::Check);
        join(&mut queue, job(Some(tickets[2])));
        queue.evict(JobKind::Check);
        join(&mut queue, job(Some(tickets[3])));
        assert_eq!(served_at(&mut queue, later), [Some(tickets[2]), Some(tickets[3])]);
        assert!(queue.place(Some(tickets[0])).is_own && !queue.place(Some(tickets[1])).is_own);
    }

    /// Runs jobs, each with the duration of its kind. Returns the number of new hashes among them.
    fn new_hashes_of(queue: &mut HashingQueue, served: usize, new_hash: Duration) -> usize {
        let kinds = (0..served).map(|_| {
            let (kind, _) = next(queue, Instant::now()).unwrap();
            queue.done(kind, if kind == JobKind::Check { EACH } else { new_hash });
            kind
        });
        kinds.filter(|kind| *kind == JobKind::NewHash).count()
    }

    fn busy(checks: usize, new_hashes: usize) -> HashingQueue {
        let mut queue = HashingQueue::new(10_000, 1, EACH);
        for (kind, number) in [(JobKind::NewHash, new_hashes), (JobKind::Check, checks)] {
            (0..number).for_each(|_| assert!(queue.join(kind, job(None)).is_ok()));
        }
        queue
    }

    #[test]
    fn new_hashes_take_a_tenth_of_the_time_while_checks_wait() {
        assert_eq!(new_hashes_of(&mut busy(1_000, 500), 1_000, EACH), 100);
        // More quick hashes fit into the same time.
        let quick = EACH / 60;
        let made = new_hashes_of(&mut busy(1_000, 5_000), 1_000, quick);
        assert!((850..=900).contains(&made), "{made}");
    }

    #[test]
    fn new_hashes_take_all_time_without_checks() {
        let mut queue = busy(1, 50);
        assert_eq!(new_hashes_of(&mut queue, 51, EACH), 50);
        assert!(next(&mut queue, Instant::now()).is_none());
    }
}
