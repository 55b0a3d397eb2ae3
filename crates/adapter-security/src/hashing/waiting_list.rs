use std::collections::VecDeque;
use std::time::{Duration, Instant};

use plenum_clients::TurnAnswer;
use plenum_kernel::SignInTicket;

use super::job::Job;
use super::queue::HashingQueue;

/// The waiting jobs of one kind.
pub(super) struct WaitingList {
    /// Ordered by number.
    pub(super) waiting: VecDeque<WaitingJob>,
    next_number: u64,
    /// Jobs with smaller numbers were passed over, and are not asked before `next_ask_at`.
    passed_over: u64,
    pub(super) next_ask_at: Option<Instant>,
    /// Whether the current round of questions is complete, or a job was found. Otherwise the next search continues at
    /// `passed_over`, so that jobs behind many delayed ones are reached.
    is_complete: bool,
    pub(super) swept_at: Option<Instant>,
    /// The measured average duration of one job on one thread.
    pub(super) each: Duration,
}

/// The result of one search step.
pub(super) enum Step {
    Found(Job),
    Unfinished,
    Nothing,
}

impl WaitingList {
    /// The weight of the latest duration in the average.
    const WEIGHT_OF_LATEST: f64 = 0.05;

    pub(super) fn new(guess: Duration) -> Self {
        Self {
            waiting: VecDeque::new(),
            next_number: 0,
            passed_over: 0,
            next_ask_at: None,
            is_complete: true,
            swept_at: None,
            each: guess,
        }
    }

    pub(super) fn join(&mut self, job: Job, capacity: usize) -> Result<(), Job> {
        if let Some(place) = self.place_of(job.ticket) {
            // Requests may arrive out of order: a request whose caller has left is not the newest.
            if !(job.has_left)() {
                self.waiting[place] = WaitingJob::new(self.waiting[place].number, job);
            }
            return Ok(());
        }
        if self.waiting.len() >= capacity {
            return Err(job);
        }
        self.waiting.push_back(WaitingJob::new(self.next_number, job));
        self.next_number += 1;
        Ok(())
    }

    fn place_of(&self, ticket: Option<SignInTicket>) -> Option<usize> {
        let ticket = ticket?;
        self.waiting.iter().position(|one| one.job.ticket == Some(ticket))
    }

    /// Searches the next few jobs for one that is ready.
    pub(super) fn next(&mut self, now: Instant) -> Step {
        if self.is_complete && self.next_ask_at.is_none_or(|at| now >= at) {
            self.passed_over = 0;
            self.next_ask_at = Some(now + HashingQueue::ASK_INTERVAL);
        }
        let step = self.ask_some(now);
        self.is_complete = !matches!(step, Step::Unfinished);
        step
    }

    fn ask_some(&mut self, now: Instant) -> Step {
        let mut index = self.waiting.partition_point(|one| one.number < self.passed_over);
        for _ in 0..HashingQueue::MAX_ASKED {
            let Some(one) = self.waiting.get_mut(index) else { return Step::Nothing };
            match one.answer(now) {
                TurnAnswer::NotYet => {
                    self.passed_over = one.number + 1;
                    index += 1;
                }
                TurnAnswer::Gone => drop(self.waiting.remove(index)),
                TurnAnswer::Wanted => {
                    return self.waiting.remove(index).map_or(Step::Nothing, |one| Step::Found(one.job));
                }
            }
        }
        Step::Unfinished
    }

    /// Removes the lost jobs among the next few. Returns the number to continue with.
    pub(super) fn sweep(&mut self, from: u64, now: Instant) -> Option<u64> {
        let begin = self.waiting.partition_point(|one| one.number < from);
        let end = self.waiting.len().min(begin + HashingQueue::MAX_ASKED);
        let next = self.waiting.get(end).map(|one| one.number);
        let mut kept = begin;
        for index in begin..end {
            if !self.waiting[index].is_lost(now) {
                self.waiting.swap(kept, index);
                kept += 1;
            }
        }
        self.waiting.drain(kept..end);
        next
    }

    pub(super) fn evict(&mut self, capacity: usize) {
        if self.waiting.len() < capacity {
            return;
        }
        let has_left = self.waiting.iter().rposition(|one| one.left_at.is_some());
        if let Some(last) = has_left.or_else(|| self.waiting.iter().rposition(|one| one.is_delayed)) {
            self.waiting.remove(last);
        }
    }

    /// The number of jobs before the one with this ticket, or before a new one. Jobs whose callers have left do not
    /// count. Delayed jobs count only for other delayed ones.
    pub(super) fn place(&self, ticket: Option<SignInTicket>) -> (usize, bool) {
        let own = self.place_of(ticket);
        let is_delayed = own.is_some_and(|own| self.waiting[own].is_delayed);
        let before = self.waiting.iter().take(own.unwrap_or(self.waiting.len()));
        let ahead = before.filter(|one| one.left_at.is_none() && (is_delayed || !one.is_delayed)).count();
        (ahead, own.is_some())
    }

    pub(super) fn measure(&mut self, took: Duration) {
        let before = self.each.mul_f64(1.0 - Self::WEIGHT_OF_LATEST);
        self.each = before + took.mul_f64(Self::WEIGHT_OF_LATEST);
    }
}

/// A waiting job.
pub(super) struct WaitingJob {
    number: u64,
    job: Job,
    /// The time since which its caller is known to have left.
    left_at: Option<Instant>,
    /// Whether the job was not ready when it was asked last.
    is_delayed: bool,
}

impl WaitingJob {
    pub(super) fn new(number: u64, job: Job) -> Self {
        Self { number, job, left_at: None, is_delayed: false }
    }

    fn answer(&mut self, now: Instant) -> TurnAnswer {
        if self.is_lost(now) {
            return TurnAnswer::Gone;
        }
        if self.left_at.is_some() {
            return TurnAnswer::NotYet;
        }
        let answer = (self.job.answer)();
        self.is_delayed = answer == TurnAnswer::NotYet;
        answer
    }

    /// Whether the caller has left and can no longer return.
    fn is_lost(&mut self, now: Instant) -> bool {
        if self.left_at.is_none() && (self.job.has_left)() {
            self.left_at = Some(now);
        }
        let is_kept = |left_at: Instant| self.job.ticket.is_some() && now < left_at + HashingQueue::PLACE_KEPT_FOR;
        self.left_at.is_some_and(|left_at| !is_kept(left_at))
    }
}
