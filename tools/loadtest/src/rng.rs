//! Reproducible random choices.

use std::f64::consts::TAU;
use std::time::Duration;

/// A random generator with the same sequence for the same seed, on every machine and with every version of every
/// library.
///
/// The generator is `SplitMix64` (Steele, Lea, Flood 2014), which is not suitable for secrets.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator of one of many: voter 7 makes the same choices, independently of the others.
    pub fn of(seed: u64, number: usize) -> Self {
        let mut rng = Self::new(seed ^ (number as u64).wrapping_mul(0xa076_1d64_78bd_642f));
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number between 0 and 1, both excluded.
    pub fn share(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// A whole number below `count`.
    ///
    /// # Panics
    /// Panics for zero choices.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is nothing to choose from");
        ((self.share() * count as f64) as usize).min(count - 1)
    }

    /// Bytes, for keys that keep no secret.
    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for part in bytes.chunks_exact_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes());
        }
        bytes
    }

    fn normal(&mut self) -> f64 {
        // Box and Muller. The second value is discarded, so that each call takes the same number of steps.
        (-2.0 * self.share().ln()).sqrt() * (TAU * self.share()).cos()
    }

    /// The gap to the next arrival of a Poisson process with this many arrivals a second.
    pub fn gap(&mut self, per_second: f64) -> Duration {
        Duration::from_secs_f64(-self.share().ln() / per_second)
    }
}

/// Reaction times of people: log-normal, and drawn again beyond the limit.
#[derive(Clone, Copy, Debug)]
pub struct ThinkTime {
    median: Duration,
    sigma: f64,
    at_most: Duration,
}

impl ThinkTime {
    /// The spread of the logarithms: the slowest sixth take at least 1.8 times the median.
    const SIGMA: f64 = 0.6;

    /// Reaction times within this limit, half of them within a third of it.
    pub fn within(at_most: Duration) -> Self {
        Self { median: at_most / 3, sigma: Self::SIGMA, at_most }
    }

    /// The reaction time of one person.
    pub fn draw(&self, rng: &mut Rng) -> Duration {
        if self.at_most.is_zero() {
            return Duration::ZERO;
        }
        loop {
            let drawn = self.median.as_secs_f64() * (self.sigma * rng.normal()).exp();
            if drawn <= self.at_most.as_secs_f64() {
                return Duration::from_secs_f64(drawn);
            }
        }
    }

    /// The description in the settings of a run.
    pub fn description(&self) -> String {
        let (median, at_most) = (self.median.as_secs_f64(), self.at_most.as_secs_f64());
        format!("log-normal, median {median:.2} s, sigma {}, drawn anew beyond {at_most:.2} s", self.sigma)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_choices_and_another_one_others() {
        let draw = |mut rng: Rng| -> Vec<usize> { (0..20).map(|_| rng.below(1_000)).collect() };
        assert_eq!(draw(Rng::new(7)), draw(Rng::new(7)));
        assert_ne!(draw(Rng::new(7)), draw(Rng::new(8)));
        assert_eq!(draw(Rng::of(7, 3)), draw(Rng::of(7, 3)));
        assert_ne!(draw(Rng::of(7, 3)), draw(Rng::of(7, 4)));
    }

    #[test]
    fn all_choices_are_about_equally_frequent() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            counts[rng.below(4)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    #[test]
    fn half_of_the_think_times_are_shorter_than_the_median_and_none_too_long() {
        let times = ThinkTime::within(Duration::from_secs(9));
        let mut rng = Rng::new(1);
        let drawn: Vec<_> = (0..10_000).map(|_| times.draw(&mut rng)).collect();
        let shorter = drawn.iter().filter(|time| **time < Duration::from_secs(3)).count();
        // A little more than half, because the longest are drawn again.
        assert!((5_000..5_500).contains(&shorter), "{shorter}");
        assert!(drawn.iter().all(|time| *time <= Duration::from_secs(9)));
        // The distribution is skewed: the mean is beyond the median.
        let mean = drawn.iter().sum::<Duration>() / 10_000;
        assert!(mean > Duration::from_millis(3_150), "{mean:?}");
        assert_eq!(ThinkTime::within(Duration::ZERO).draw(&mut rng), Duration::ZERO);
    }

    #[test]
    fn gaps_between_arrivals_have_the_mean_of_the_rate() {
        let mut rng = Rng::new(1);
        let sum: Duration = (0..10_000).map(|_| rng.gap(50.0)).sum();
        assert!((sum.as_secs_f64() / 10_000.0 - 0.02).abs() < 0.001, "{sum:?}");
    }
}
