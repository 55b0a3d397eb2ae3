use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often something has happened.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// It happened once more.
    pub fn count(&self) {
        self.add(1);
    }

    /// It happened so many times more.
    pub fn add(&self, times: u64) {
        self.0.fetch_add(times, Ordering::Relaxed);
    }

    /// How often by now.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How many there are at the moment.
#[derive(Debug, Default)]
pub struct Level(AtomicU64);

impl Level {
    /// One more.
    pub fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One less. Each is said after its [`Self::up`].
    pub fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many now.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the numbers of a histogram are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things, one by one.
    Pieces,
    /// Millionths of a second; told in seconds.
    Microseconds,
}

/// How many of what was measured were how large.
#[derive(Debug)]
pub struct Histogram {
    unit: Unit,
    /// The upper ends of the steps, rising. What is larger than all of them is counted beyond.
    bounds: &'static [u64],
    /// One for each step and one beyond, each with what belongs to it alone.
    counts: Vec<AtomicU64>,
    sum: AtomicU64,
}

/// What a histogram has counted by some moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What the bounds and the sum are counted in.
    pub unit: Unit,
    /// For each bound, how many were no larger.
    pub up_to: Vec<(u64, u64)>,
    /// How many there were.
    pub count: u64,
    /// All of them together.
    pub sum: u64,
}

impl Histogram {
    /// Counts things, by steps that end at `bounds`, rising.
    pub fn of_pieces(bounds: &'static [u64]) -> Self {
        Self::new(Unit::Pieces, bounds)
    }

    /// Measures times, by steps that end at `bounds`, in microseconds, rising.
    pub fn of_times(bounds: &'static [u64]) -> Self {
        Self::new(Unit::Microseconds, bounds)
    }

    fn new(unit: Unit, bounds: &'static [u64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { unit, bounds, counts, sum: AtomicU64::new(0) }
    }

    /// There were so many.
    pub fn note(&self, value: u64) {
        let step = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(step) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// It took so long.
    pub fn note_time(&self, time: Duration) {
        self.note(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// What was counted by now.
    pub fn read(&self) -> Reading {
        let mut count = 0;
        let mut up_to = Vec::with_capacity(self.bounds.len());
        for (place, own) in self.counts.iter().enumerate() {
            count += own.load(Ordering::Relaxed);
            if let Some(bound) = self.bounds.get(place) {
                up_to.push((*bound, count));
            }
        }
        Reading { unit: self.unit, up_to, count, sum: self.sum.load(Ordering::Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_counts_in_every_step_that_reaches_it() {
        let sizes = Histogram::of_pieces(&[1, 10, 100]);
        for size in [0, 1, 2, 10, 11, 100, 101] {
            sizes.note(size);
        }
        let read = sizes.read();
        assert_eq!(read.up_to, [(1, 2), (10, 4), (100, 6)]);
        assert_eq!((read.count, read.sum), (7, 225));
    }

    #[test]
    fn times_are_counted_in_microseconds() {
        let times = Histogram::of_times(&[1_000]);
        times.note_time(Duration::from_micros(1_000));
        times.note_time(Duration::from_millis(2));
        assert_eq!(times.read(), Reading { unit: Unit::Microseconds, up_to: vec![(1_000, 1)], count: 2, sum: 3_000 });
    }

    #[test]
    fn a_level_rises_and_falls_and_a_counter_only_rises() {
        let (level, counter) = (Level::default(), Counter::default());
        level.up();
        level.up();
        level.down();
        counter.count();
        counter.add(4);
        assert_eq!((level.get(), counter.get()), (1, 5));
    }
}
