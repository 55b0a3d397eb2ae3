use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The turn to take ballots out of the queue. One writer keeps it, batch after batch: a batch has a price of its own, so ballots
/// cost less in one batch than in two at the same time. When a batch takes long, another writer gets the turn, so that a round
/// that is ending, or a connection that hangs, holds up no other ballots.
pub(crate) struct WritingTurn {
    patience: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    contenders: usize,
    holder: Option<usize>,
    /// The time when the holder took the batch that it is writing. `None` while it waits for ballots.
    batch_since: Option<Instant>,
    /// The number of contenders that only look again when something changes, because the holder has no batch.
    asleep: usize,
}

/// A writer that takes ballots only while it has the turn. When it is dropped, the turn is free.
pub(crate) struct Contender {
    turn: Arc<WritingTurn>,
    number: usize,
}

impl WritingTurn {
    /// A turn that nobody has. Another writer gets it when a batch takes longer than `patience`.
    pub(crate) fn new(patience: Duration) -> Arc<Self> {
        Arc::new(Self { patience, state: Mutex::default(), changed: Condvar::new() })
    }

    /// A further writer that contends for the turn.
    pub(crate) fn contender(self: &Arc<Self>) -> Contender {
        let mut state = self.state();
        state.contenders += 1;
        Contender { turn: Arc::clone(self), number: state.contenders }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the holder begins a batch or gives the turn up.
    fn sleep<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.asleep += 1;
        let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.asleep -= 1;
        state
    }
}

impl Contender {
    /// Waits for the turn. Returns at once if this writer still has it.
    pub(crate) fn wait(&self) {
        let mut state = self.turn.state();
        while state.holder.is_some_and(|holder| holder != self.number) {
            let Some(since) = state.batch_since else {
                state = self.turn.sleep(state);
                continue;
            };
            let left = self.turn.patience.saturating_sub(since.elapsed());
            if left.is_zero() {
                break;
            }
            state = self.turn.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.holder = Some(self.number);
        state.batch_since = None;
    }

    /// Notes that a batch was taken. From now on the others count the time.
    pub(crate) fn begin_batch(&self) {
        let mut state = self.turn.state();
        if state.holder == Some(self.number) {
            state.batch_since = Some(Instant::now());
            if state.asleep > 0 {
                self.turn.changed.notify_all();
            }
        }
    }

    /// Notes that the batch is written. Has no effect if another writer has the turn by now.
    pub(crate) fn end_batch(&self) {
        let mut state = self.turn.state();
        if state.holder == Some(self.number) {
            state.batch_since = None;
        }
    }
}

impl Drop for Contender {
    fn drop(&mut self) {
        let mut state = self.turn.state();
        if state.holder == Some(self.number) {
            state.holder = None;
            state.batch_since = None;
            self.turn.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{self, JoinHandle};

    use super::*;

    /// Longer than any test takes.
    const FOREVER: Duration = Duration::from_secs(3600);

    fn waiting(contender: Contender) -> JoinHandle<Contender> {
        thread::spawn(move || {
            contender.wait();
            contender
        })
    }

    fn until_asleep(turn: &WritingTurn) {
        while turn.state().asleep == 0 {
            thread::yield_now();
        }
    }

    #[test]
    fn a_writer_keeps_the_turn_over_many_batches() {
        let turn = WritingTurn::new(FOREVER);
        let (first, second) = (turn.contender(), turn.contender());
        first.wait();
        let second = waiting(second);
        until_asleep(&turn);
        for _ in 0..3 {
            first.begin_batch();
            first.end_batch();
            first.wait();
        }
        assert_eq!(turn.state().holder, Some(1));
        drop(first);
        second.join().unwrap();
    }

    #[test]
    fn a_batch_that_takes_long_passes_the_turn_to_a_writer_that_slept() {
        let turn = WritingTurn::new(Duration::from_millis(1));
        let (slow, other) = (turn.contender(), turn.contender());
        slow.wait();
        let other = waiting(other);
        until_asleep(&turn);
        slow.begin_batch();
        let other = other.join().unwrap();
        assert_eq!(turn.state().holder, Some(2));
        // The slow one ends later, and changes nothing about the batch of the other.
        other.begin_batch();
        slow.end_batch();
        assert!(turn.state().batch_since.is_some());
        drop(slow);
        assert_eq!(turn.state().holder, Some(2));
    }

    #[test]
    fn a_holder_without_ballots_keeps_the_turn_however_long_it_waits() {
        let turn = WritingTurn::new(Duration::ZERO);
        let (idle, other) = (turn.contender(), turn.contender());
        idle.wait();
        let other = waiting(other);
        until_asleep(&turn);
        assert_eq!(turn.state().holder, Some(1));
        drop(idle);
        other.join().unwrap();
    }

    #[test]
    fn a_writer_that_stops_in_the_middle_of_a_batch_leaves_the_turn_to_the_next() {
        let turn = WritingTurn::new(FOREVER);
        let (stopping, next) = (turn.contender(), turn.contender());
        stopping.wait();
        stopping.begin_batch();
        let next = waiting(next);
        drop(stopping);
        let next = next.join().unwrap();
        next.begin_batch();
        assert!(turn.state().batch_since.is_some());
    }
}
