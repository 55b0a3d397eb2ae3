//! The rate of bcrypt alone on this machine, for comparison with the server's sign-ins.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::failure::LoadFailure;
use crate::latencies::{figure, number};
use crate::options::Common;
use crate::run::RunResult;

/// Compares passwords with bcrypt hashes as fast as the machine can.
#[derive(Args, Clone, Debug)]
pub struct BcryptArguments {
    #[command(flatten)]
    common: Common,
    /// Duration in seconds.
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Number of threads. Default: one for each core.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// The cost of one comparison is 2 to this power; the product uses 10.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(4..=31))]
    cost: u32,
}

impl BcryptArguments {
    /// Options of every run.
    pub fn common(&self) -> &Common {
        &self.common
    }

    fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}

const PASSWORD: &str = "correct horse battery";

/// Compares for the given duration on all threads. Blocks the calling thread.
///
/// # Errors
/// Fails if bcrypt fails.
pub fn measure_bcrypt(arguments: &BcryptArguments) -> Result<RunResult, LoadFailure> {
    let mut run = RunResult::begin("bcrypt", format!("cost-{}", arguments.cost), arguments.common.seed);
    let threads = arguments.threads();
    run.setting("threads", threads);
    run.setting("cost", arguments.cost);
    let hash = bcrypt::hash(PASSWORD, arguments.cost)?;
    let began = Instant::now();
    let until = began + Duration::from_secs_f64(arguments.seconds.clamp(0.0, 3_600.0));
    let compared = compare(threads, until, &hash)?;
    // Measured until the last comparison was complete, so none counts in part.
    let seconds = began.elapsed().as_secs_f64();
    run.figures([
        figure("verifications_per_second", "1/s", compared as f64 / seconds),
        figure("verification", "ms", seconds * 1_000.0 * threads as f64 / compared as f64),
        number("verifications", compared),
    ]);
    Ok(run)
}

/// The number of comparisons of all threads together.
fn compare(threads: usize, until: Instant, hash: &str) -> Result<u64, bcrypt::BcryptError> {
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| compare_until(until, hash))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a comparison does not panic")).sum()
    })
}

/// Compares at least once.
fn compare_until(until: Instant, hash: &str) -> Result<u64, bcrypt::BcryptError> {
    let mut compared = 0;
    loop {
        std::hint::black_box(bcrypt::verify(PASSWORD, hash)?);
        compared += 1;
        if Instant::now() >= until {
            return Ok(compared);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_compares_and_the_rate_covers_all_threads() {
        let common = Common { seed: 1, json: None };
        let arguments = BcryptArguments { common, seconds: 0.0, threads: NonZeroUsize::new(2), cost: 4 };
        let run = measure_bcrypt(&arguments).unwrap();
        let outcome = run.outcome();
        assert!(outcome.figure("verifications_per_second").is_some_and(|rate| rate > 0.0));
        assert_eq!((outcome.variant.as_str(), outcome.figure("verifications")), ("cost-4", Some(2.0)));
    }
}
