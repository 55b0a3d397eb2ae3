//! The time to count 14,000 ballots: with 14 candidates by the Scottish rules it must stay below a second, with 100
//! candidates below ten, on one processor.
//!
//! Times differ between machines, so each is printed beside the number of stages and the other ranked methods.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints what it measured, or fails")]

use std::time::Instant;

use plenum_kernel::{Seats, Unit};
use plenum_voting::elections::{
    Abstentions, Ballot, Blank, Borda, BordaScale, Candidate, Election, ElectionTerms, Electorate, Irv, Marks, Method,
    RankingRules, Schulze, Standing, Strength, TieDecisions, Unranked, count,
};

const BALLOTS: usize = 14_000;

fn main() {
    for candidates in [14, 100] {
        let ballots = ballots(candidates);
        for (name, method) in methods() {
            let election = Election::new(terms(method, candidates)).unwrap();
            let decisions = TieDecisions { seed: Some("bench".to_owned()), ..TieDecisions::default() };
            let begun = Instant::now();
            let stages = count(&election, &ballots, &decisions).unwrap().stages.len();
            let time = begun.elapsed().as_secs_f64();
            println!("{name}: {BALLOTS} ballots, {candidates} candidates: {time:.3} s, {stages} stages");
        }
    }
}

fn methods() -> [(&'static str, Method); 4] {
    let ranking = RankingRules::LENIENT;
    let borda = Borda { ranking, allows_equal: true, scale: BordaScale::ToZero, unranked: Unranked::MeanOfRest };
    [
        ("stv_scottish", Method::StvScottish(RankingRules::UP_TO_FAULT)),
        ("irv", Method::Irv(Irv { ranking, ties_by_earlier_stages: true })),
        ("schulze", Method::Schulze(Schulze { ranking, allows_equal: true, strength: Strength::WinningVotes })),
        ("borda", Method::Borda(borda)),
    ]
}

fn terms(method: Method, candidates: u32) -> ElectionTerms {
    ElectionTerms {
        method,
        candidates: vec![Standing::Stands; candidates as usize],
        seats: Some(Seats::new(candidates / 4).unwrap()),
        unit: Unit::Heads,
        abstentions: Abstentions::AreNotVotes,
        blank: Blank::Invalid,
        least_support: None,
        electorate: Electorate::default(),
    }
}

/// Single ballots with rankings of every length. Candidates with small numbers come first more often.
fn ballots(candidates: u32) -> Vec<Ballot> {
    let mut random = Random(1);
    let mut ballot = || {
        let mut left: Vec<u32> = (1..=candidates).collect();
        let length = 1 + random.below(left.len());
        let mut rank = || {
            let place = random.below(left.len()).min(random.below(left.len()));
            vec![Candidate::numbered(left.remove(place))]
        };
        Ballot::of(Marks::Ranking((0..length).map(|_| rank()).collect()))
    };
    (0..BALLOTS).map(|_| ballot()).collect()
}

/// A linear congruential generator (Knuth, MMIX), so that every run counts the same ballots.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
