use std::collections::VecDeque;
use std::time::{Duration, Instant};

use plenum_clients::TurnAnswer;
use plenum_kernel::SignInTicket;

use super::job::Job;
use super::queue::HashingQueue;

/// Those who wait in one lane.
pub(super) struct Line {
    /// In the order of their numbers.
    pub(super) waiting: VecDeque<Waiting>,
    next_number: u64,
    /// Whoever has a smaller number was passed over, and is not asked before `asks_again_at`.
    passed_over: u64,
    pub(super) asks_again_at: Option<Instant>,
    /// Whether all who were to be asked since then were, or somebody was served. Else it goes on from `passed_over`,
    /// however long that takes: whoever stands behind many who are held up has to be asked at last.
    is_through: bool,
    pub(super) swept_at: Option<Instant>,
    /// How long one takes on one thread, as measured lately.
    pub(super) each: Duration,
}

/// What one step along a line has found.
pub(super) enum Step {
    Found(Job),
    Unfinished,
    Nothing,
}

impl Line {
    /// How much of the measured pace is of the latest one.
    const WEIGHT_OF_LATEST: f64 = 0.05;

    pub(super) fn new(guess: Duration) -> Self {
        Self {
            waiting: VecDeque::new(),
            next_number: 0,
            passed_over: 0,
            asks_again_at: None,
            is_through: true,
            swept_at: None,
            each: guess,
        }
    }

    pub(super) fn join(&mut self, job: Job, room: usize) -> Result<(), Job> {
        if let Some(place) = self.place_of(job.ticket) {
            // Requests may overtake one another: one that was given up is not the newest.
            if !(job.has_left)() {
                self.waiting[place] = Waiting::new(self.waiting[place].number, job);
            }
            return Ok(());
        }
        if self.waiting.len() >= room {
            return Err(job);
        }
        self.waiting.push_back(Waiting::new(self.next_number, job));
        self.next_number += 1;
        Ok(())
    }

    fn place_of(&self, ticket: Option<SignInTicket>) -> Option<usize> {
        let ticket = ticket?;
        self.waiting.iter().position(|one| one.job.ticket == Some(ticket))
    }

    /// The next one who wants to be served, among the next few.
    pub(super) fn next(&mut self, now: Instant) -> Step {
        if self.is_through && self.asks_again_at.is_none_or(|at| now >= at) {
            self.passed_over = 0;
            self.asks_again_at = Some(now + HashingQueue::ASKS_AGAIN_AFTER);
        }
        let step = self.ask_a_few(now);
        self.is_through = !matches!(step, Step::Unfinished);
        step
    }

    fn ask_a_few(&mut self, now: Instant) -> Step {
        let mut index = self.waiting.partition_point(|one| one.number < self.passed_over);
        for _ in 0..HashingQueue::ASKED_AT_A_TIME {
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

    /// Removes those for good who are among the next few; gives the number to go on with.
    pub(super) fn sweep(&mut self, from: u64, now: Instant) -> Option<u64> {
        let begin = self.waiting.partition_point(|one| one.number < from);
        let end = self.waiting.len().min(begin + HashingQueue::ASKED_AT_A_TIME);
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

    pub(super) fn make_room(&mut self, room: usize) {
        if self.waiting.len() < room {
            return;
        }
        let has_left = self.waiting.iter().rposition(|one| one.left_at.is_some());
        if let Some(last) = has_left.or_else(|| self.waiting.iter().rposition(|one| one.is_held_up)) {
            self.waiting.remove(last);
        }
    }

    /// How many come before the one with this ticket, or before a newcomer. Not those who left; nor those who are held up,
    /// unless it is somebody who is held up with them.
    pub(super) fn place(&self, ticket: Option<SignInTicket>) -> (usize, bool) {
        let own = self.place_of(ticket);
        let is_held_up = own.is_some_and(|own| self.waiting[own].is_held_up);
        let before = self.waiting.iter().take(own.unwrap_or(self.waiting.len()));
        let ahead = before.filter(|one| one.left_at.is_none() && (is_held_up || !one.is_held_up)).count();
        (ahead, own.is_some())
    }

    pub(super) fn measure(&mut self, took: Duration) {
        let before = self.each.mul_f64(1.0 - Self::WEIGHT_OF_LATEST);
        self.each = before + took.mul_f64(Self::WEIGHT_OF_LATEST);
    }
}

/// Somebody in a line.
pub(super) struct Waiting {
    number: u64,
    job: Job,
    /// Since when nobody is known to wait for it.
    left_at: Option<Instant>,
    /// Whether they did not want to be served when they were asked last.
    is_held_up: bool,
}

impl Waiting {
    pub(super) fn new(number: u64, job: Job) -> Self {
        Self { number, job, left_at: None, is_held_up: false }
    }

    fn answer(&mut self, now: Instant) -> TurnAnswer {
        if self.is_lost(now) {
            return TurnAnswer::Gone;
        }
        if self.left_at.is_some() {
            return TurnAnswer::NotYet;
        }
        let answer = (self.job.answer)();
        self.is_held_up = answer == TurnAnswer::NotYet;
        answer
    }

    /// Whether nobody waits for it any more, nor may come back to it.
    fn is_lost(&mut self, now: Instant) -> bool {
        if self.left_at.is_none() && (self.job.has_left)() {
            self.left_at = Some(now);
        }
        let is_kept = |left_at: Instant| self.job.ticket.is_some() && now < left_at + HashingQueue::KEPT;
        self.left_at.is_some_and(|left_at| !is_kept(left_at))
    }
}
