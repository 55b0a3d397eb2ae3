use std::collections::VecDeque;
use std::time::Duration;

use plenum_kernel::SignInTicket;

/// What a hash is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Somebody who signs in waits for it.
    Check,
    /// A new password is to be stored.
    Making,
}

/// A piece of work that waits for a thread.
pub(crate) struct Job {
    /// By which somebody asks for its place.
    pub(crate) ticket: Option<SignInTicket>,
    /// Whether somebody still waits for it.
    pub(crate) is_wanted: Box<dyn Fn() -> bool + Send>,
    /// Does it.
    pub(crate) work: Box<dyn FnOnce() + Send>,
}

/// No room is left for so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// When a tenth of those who wait will have been served: whoever is turned away then need not hurry for one place.
    pub(crate) retry_after: Duration,
}

/// How many come before somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) ahead: usize,
    pub(crate) wait: Duration,
    pub(crate) is_own: bool,
}

/// Who waits for the threads that hash, and in which order they come.
///
/// Checks go first, each in its turn. What is made gets a tenth of the time beside them, and all of it when nobody
/// signs in: an import neither holds up a hall nor stands still until the hall is seated.
pub(crate) struct HashingQueue {
    checks: VecDeque<Job>,
    makings: VecDeque<Job>,
    /// How many may wait in each lane.
    room: usize,
    threads: u32,
    /// How long a check takes on one thread, as measured lately.
    each: Duration,
    /// How many seconds checks have ahead of what is made; less than nothing when something may be made.
    owed: f64,
}

impl HashingQueue {
    /// While checks wait, they get so many times the time that was spent on making.
    const SHARE_OF_CHECKS: f64 = 9.0;

    /// How much of the measured pace is of the latest check.
    const WEIGHT_OF_LATEST: f64 = 0.05;

    /// Nobody waits. A check is thought to take as long as `guess`, until one was measured.
    pub(crate) fn new(room: usize, threads: usize, guess: Duration) -> Self {
        Self {
            checks: VecDeque::new(),
            makings: VecDeque::new(),
            room: room.max(1),
            threads: u32::try_from(threads).unwrap_or(u32::MAX).max(1),
            each: guess,
            owed: 0.0,
        }
    }

    /// Lines up at the end, or in the place of a job with the same ticket that nobody waits for any more: whoever lost
    /// the connection and comes back keeps their place.
    pub(crate) fn join(&mut self, lane: Lane, job: Job) -> Result<(), Full> {
        if lane == Lane::Making {
            return Self::line_up(&mut self.makings, job, self.room).map_err(|()| self.full());
        }
        let left = self.checks.iter_mut().find(|one| one.ticket.is_some() && one.ticket == job.ticket);
        if let Some(left) = left.filter(|left| !(left.is_wanted)()) {
            *left = job;
            return Ok(());
        }
        Self::line_up(&mut self.checks, job, self.room).map_err(|()| self.full())
    }

    fn line_up(lane: &mut VecDeque<Job>, job: Job, room: usize) -> Result<(), ()> {
        if lane.len() >= room {
            lane.retain(|job| (job.is_wanted)());
        }
        if lane.len() >= room {
            return Err(());
        }
        lane.push_back(job);
        Ok(())
    }

    /// Whose turn it is; none when nobody waits. Who has left is passed over.
    pub(crate) fn next(&mut self) -> Option<(Lane, Job)> {
        if self.owed <= 0.0
            && let Some(job) = wanted(&mut self.makings)
        {
            return Some((Lane::Making, job));
        }
        if let Some(job) = wanted(&mut self.checks) {
            return Some((Lane::Check, job));
        }
        // Nobody signs in, so nobody is owed anything.
        self.owed = 0.0;
        wanted(&mut self.makings).map(|job| (Lane::Making, job))
    }

    /// Notes how long one took, by the clock on the wall: also while others have the cores.
    pub(crate) fn done(&mut self, lane: Lane, took: Duration) {
        match lane {
            Lane::Making => self.owed += took.as_secs_f64() * Self::SHARE_OF_CHECKS,
            Lane::Check => {
                // No more is saved up than one check is worth, so that an import does not begin with a jam.
                self.owed = (self.owed - took.as_secs_f64()).max(-self.each.as_secs_f64());
                let before = self.each.mul_f64(1.0 - Self::WEIGHT_OF_LATEST);
                self.each = before + took.mul_f64(Self::WEIGHT_OF_LATEST);
            }
        }
    }

    /// Where the check with this ticket stands, or else where one would stand that came now.
    pub(crate) fn place(&self, ticket: Option<SignInTicket>) -> Place {
        let own = ticket.and_then(|ticket| self.checks.iter().position(|job| job.ticket == Some(ticket)));
        let ahead = own.unwrap_or(self.checks.len());
        // One's own hash takes its time as well.
        Place { ahead, wait: self.time_of(ahead) + self.each, is_own: own.is_some() }
    }

    fn time_of(&self, checks: usize) -> Duration {
        self.each.mul_f64(checks as f64) / self.threads
    }

    fn full(&self) -> Full {
        Full { retry_after: self.time_of(self.checks.len().div_ceil(10)) }
    }
}

/// The first in the lane for whom somebody still waits.
fn wanted(lane: &mut VecDeque<Job>) -> Option<Job> {
    loop {
        let job = lane.pop_front()?;
        if (job.is_wanted)() {
            return Some(job);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use plenum_kernel::testkit::CountingIds;

    use super::*;

    const EACH: Duration = Duration::from_millis(60);

    fn job(ticket: Option<SignInTicket>) -> Job {
        Job { ticket, is_wanted: Box::new(|| true), work: Box::new(|| ()) }
    }

    /// A job whose owner leaves when the test says so.
    fn leaving(ticket: SignInTicket) -> (Job, Arc<AtomicBool>) {
        let is_there = Arc::new(AtomicBool::new(true));
        let asked = Arc::clone(&is_there);
        (Job { is_wanted: Box::new(move || asked.load(Ordering::Relaxed)), ..job(Some(ticket)) }, is_there)
    }

    fn tickets(number: usize) -> Vec<SignInTicket> {
        let ids = CountingIds::new();
        (0..number).map(|_| SignInTicket::new(&ids)).collect()
    }

    /// A queue in which these wait for a check.
    fn queue_of(tickets: &[SignInTicket]) -> HashingQueue {
        let mut queue = HashingQueue::new(tickets.len().max(1), 2, EACH);
        for ticket in tickets {
            queue.join(Lane::Check, job(Some(*ticket))).unwrap();
        }
        queue
    }

    fn served(queue: &mut HashingQueue) -> Vec<Option<SignInTicket>> {
        std::iter::from_fn(|| queue.next()).map(|(_, job)| job.ticket).collect()
    }

    #[test]
    fn who_comes_first_is_served_first() {
        let tickets = tickets(4);
        let order: Vec<_> = tickets.iter().copied().map(Some).collect();
        assert_eq!(served(&mut queue_of(&tickets)), order);
    }

    #[test]
    fn everybody_can_ask_for_their_place_and_a_newcomer_for_the_last_one() {
        let tickets = tickets(100);
        let mut queue = queue_of(&tickets);
        assert_eq!(queue.place(Some(tickets[0])), Place { ahead: 0, wait: EACH, is_own: true });
        // Two threads.
        assert_eq!(queue.place(Some(tickets[50])), Place { ahead: 50, wait: EACH * 26, is_own: true });
        let newcomer = Place { ahead: 100, wait: EACH * 51, is_own: false };
        assert_eq!(queue.place(None), newcomer);
        assert_eq!(queue.place(Some(SignInTicket::from_uuid(uuid::Uuid::max()))), newcomer);
        queue.next().unwrap();
        assert_eq!(queue.place(Some(tickets[50])).ahead, 49);
        assert_eq!(HashingQueue::new(1, 2, EACH).place(None), Place { ahead: 0, wait: EACH, is_own: false });
    }

    #[test]
    fn the_wait_follows_the_measured_pace() {
        let mut queue = queue_of(&tickets(100));
        for _ in 0..200 {
            queue.done(Lane::Check, EACH * 4);
        }
        let wait = queue.place(None).wait;
        assert!(wait > EACH * 200 && wait < EACH * 205, "{wait:?}");
        // What is made says nothing of it.
        queue.done(Lane::Making, Duration::from_secs(100));
        assert_eq!(queue.place(None).wait, wait);
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let mut queue = queue_of(&tickets(100));
        let full = queue.join(Lane::Check, job(None)).unwrap_err();
        assert_eq!(full, Full { retry_after: EACH * 5 });
        assert_eq!(queue.place(None).ahead, 100);
    }

    #[test]
    fn who_has_left_takes_nobodys_place() {
        let tickets = tickets(3);
        let mut queue = HashingQueue::new(2, 1, EACH);
        let (first, is_there) = leaving(tickets[0]);
        queue.join(Lane::Check, first).unwrap();
        queue.join(Lane::Check, job(Some(tickets[1]))).unwrap();
        assert!(queue.join(Lane::Check, job(Some(tickets[2]))).is_err());
        is_there.store(false, Ordering::Relaxed);
        queue.join(Lane::Check, job(Some(tickets[2]))).unwrap();
        assert_eq!(served(&mut queue), [Some(tickets[1]), Some(tickets[2])]);
    }

    #[test]
    fn who_comes_back_has_the_old_place_and_nobody_elses() {
        let tickets = tickets(3);
        let mut queue = HashingQueue::new(10, 1, EACH);
        let (first, is_there) = leaving(tickets[0]);
        queue.join(Lane::Check, first).unwrap();
        queue.join(Lane::Check, job(Some(tickets[1]))).unwrap();
        // Without a ticket there is nothing to come back to.
        queue.join(Lane::Check, job(None)).unwrap();
        is_there.store(false, Ordering::Relaxed);
        queue.join(Lane::Check, job(Some(tickets[0]))).unwrap();
        // Whose first one is still waited for stands at the end with the second.
        queue.join(Lane::Check, job(Some(tickets[1]))).unwrap();
        assert_eq!(served(&mut queue), [Some(tickets[0]), Some(tickets[1]), None, Some(tickets[1])]);
    }

    /// Serves so many, each of which takes as long as its lane does, and says how many of them were made.
    fn made_of(queue: &mut HashingQueue, served: usize, making: Duration) -> usize {
        let lanes = (0..served).map(|_| {
            let (lane, _) = queue.next().unwrap();
            queue.done(lane, if lane == Lane::Check { EACH } else { making });
            lane
        });
        lanes.filter(|lane| *lane == Lane::Making).count()
    }

    fn busy(checks: usize, makings: usize) -> HashingQueue {
        let mut queue = HashingQueue::new(10_000, 1, EACH);
        for (lane, number) in [(Lane::Making, makings), (Lane::Check, checks)] {
            (0..number).for_each(|_| queue.join(lane, job(None)).unwrap());
        }
        queue
    }

    #[test]
    fn an_import_takes_a_tenth_of_the_time_while_a_hall_signs_in() {
        assert_eq!(made_of(&mut busy(1_000, 500), 1_000, EACH), 100);
        // Quick ones are more in the same time.
        let quick = EACH / 60;
        let made = made_of(&mut busy(1_000, 5_000), 1_000, quick);
        assert!((850..=900).contains(&made), "{made}");
    }

    #[test]
    fn an_import_has_all_threads_when_nobody_signs_in() {
        let mut queue = busy(1, 50);
        assert_eq!(made_of(&mut queue, 51, EACH), 50);
        assert!(queue.next().is_none());
    }
}
