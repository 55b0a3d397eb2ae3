use sha2::{Digest, Sha256};

use super::Tie;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elections::{Candidate, TieMatter};

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
