use plenum_metrics::{Counter, Histogram, Level};
use plenum_voting::CastOutcome;

/// What the ballot box does, in numbers.
#[derive(Debug)]
pub struct BallotFigures {
    /// Ballots that wait for a writer.
    pub waiting: Level,
    /// Writers that have a connection.
    pub connected: Level,
    /// Ballots that were stored.
    pub counted: Counter,
    /// Ballots of voters who had voted before, with whatever answers.
    pub repeated: Counter,
    /// Ballots for a round that was not open, or of somebody who is not in its register.
    pub refused: Counter,
    /// Ballots that could not be written. Whether one was is not known when the connection broke in between.
    pub failed: Counter,
    /// Ballots that found the queue full.
    pub turned_away: Counter,
    /// How many ballots were written together.
    pub batch_size: Histogram,
    /// How long it took to write them, with their commit.
    pub write_time: Histogram,
}

/// Up to the largest batch.
const SIZES: &[u64] = &[1, 2, 5, 10, 20, 50, 100, 200, 500];
/// From a millisecond to the longest that a statement may take.
const TIMES: &[u64] = &[
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 10_000_000,
    30_000_000,
];

impl Default for BallotFigures {
    fn default() -> Self {
        Self {
            waiting: Level::default(),
            connected: Level::default(),
            counted: Counter::default(),
            repeated: Counter::default(),
            refused: Counter::default(),
            failed: Counter::default(),
            turned_away: Counter::default(),
            batch_size: Histogram::of_pieces(SIZES),
            write_time: Histogram::of_times(TIMES),
        }
    }
}

impl BallotFigures {
    /// A ballot is answered; without an answer it failed.
    pub(crate) fn answered(&self, answer: Option<&CastOutcome>) {
        let outcome = match answer {
            Some(CastOutcome::Counted) => &self.counted,
            Some(CastOutcome::VotedBefore(_)) => &self.repeated,
            Some(CastOutcome::NotOpen | CastOutcome::NotInRegister) => &self.refused,
            None => &self.failed,
        };
        outcome.count();
    }
}
