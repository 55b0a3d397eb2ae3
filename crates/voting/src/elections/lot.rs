use sha2::{Digest, Sha256};

use plenum_kernel::election::BallotOrder;

use super::{Tie, TieMatter};
use plenum_kernel::election::Candidate;

/// Draws a lot: the tied numbers in the order in which they are drawn.
///
/// Each number has the SHA-256 hash of the text `SEED:STAGE:NUMBER` in UTF-8, such as `blue sky:4:2` for candidate 2 at
/// stage 4. The numbers are drawn in ascending order of their hashes. So the order follows from the seed, and anybody
/// can repeat it: `printf '%s' 'blue sky:4:2' | sha256sum`, once for each tied candidate.
///
/// A seed must be fixed before the votes are known, or come from a public draw. Otherwise somebody can try seeds.
pub fn draw(seed: &str, tie: &Tie) -> Vec<u32> {
    let mut numbers = tie.numbers();
    numbers.sort_by_cached_key(|number| <[u8; 32]>::from(Sha256::digest(format!("{seed}:{}:{number}", tie.stage))));
    numbers
}

/// The numbers of the candidates with these names in the order of the ballot. A lot is drawn as for a tie at stage 0.
pub fn ballot_order(order: &BallotOrder, names: &[String]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (1..).zip(names).map(|(number, _)| number).collect();
    match order {
        BallotOrder::AsEntered | BallotOrder::Rotated => {}
        BallotOrder::ByName => numbers.sort_by_cached_key(|number| names[*number as usize - 1].to_lowercase()),
        BallotOrder::ByLot { seed } => {
            let candidates = numbers.iter().copied().map(Candidate::numbered).collect();
            numbers = draw(seed, &Tie { stage: 0, matter: TieMatter::Exclusion { candidates } });
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tie(stage: u32, numbers: &[u32]) -> Tie {
        let candidates = numbers.iter().copied().map(Candidate::numbered).collect();
        Tie { stage, matter: TieMatter::Exclusion { candidates } }
    }

    /// By `sha256sum`, the hashes of `blue sky:4:1`, `blue sky:4:2` and `blue sky:4:3` begin with 5252, 276b and a85d.
    #[test]
    fn a_lot_is_repeated_with_sha256sum() {
        assert_eq!(draw("blue sky", &tie(4, &[1, 2, 3])), [2, 1, 3]);
    }

    #[test]
    fn a_ballot_has_the_order_that_is_set() {
        let names = ["Carla", "anna", "Bert"].map(str::to_owned);
        assert_eq!(ballot_order(&BallotOrder::AsEntered, &names), [1, 2, 3]);
        assert_eq!(ballot_order(&BallotOrder::ByName, &names), [2, 3, 1]);
        let drawn = ballot_order(&BallotOrder::ByLot { seed: "blue sky".to_owned() }, &names);
        assert_eq!(drawn, draw("blue sky", &tie(0, &[1, 2, 3])));
    }

    #[test]
    fn a_lot_depends_on_seed_and_stage_and_not_on_the_others() {
        let all: Vec<u32> = (1..=20).collect();
        let drawn = draw("a", &tie(1, &all));
        assert_ne!(drawn, draw("b", &tie(1, &all)));
        assert_ne!(drawn, draw("a", &tie(2, &all)));
        let without_ten: Vec<u32> = all.iter().copied().filter(|number| *number != 10).collect();
        let expected: Vec<u32> = drawn.iter().copied().filter(|number| *number != 10).collect();
        assert_eq!(draw("a", &tie(1, &without_ten)), expected);
    }
}
