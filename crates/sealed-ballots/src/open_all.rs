use std::panic::resume_unwind;
use std::thread::{available_parallelism, scope};

use uuid::Uuid;

use crate::{Ballot, Envelope, UrnKey};

/// An envelope as it was in the urn.
#[derive(Clone, Copy, Debug)]
pub struct SealedBallot<'a> {
    /// The voter who cast it.
    pub voter: Uuid,
    /// Its bytes.
    pub envelope: &'a [u8],
}

/// Opens the envelopes of a round, in their order, on all processors. `None` for one that does not open: sealed for another
/// key, round or voter, or malformed. Blocks the thread.
///
/// # Panics
/// Never: opening an envelope does not panic.
pub fn open_all(key: &UrnKey, round: Uuid, ballots: &[SealedBallot<'_>]) -> Vec<Option<Vec<u8>>> {
    let open = |ballot: &SealedBallot<'_>| {
        let envelope = Envelope::parse(ballot.envelope).ok()?;
        key.open(&Ballot { round, voter: ballot.voter }, &envelope)
    };
    let threads = available_parallelism().map_or(1, usize::from);
    let share = ballots.len().div_ceil(threads).max(1);
    scope(|scope| {
        let shares: Vec<_> = ballots
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().map(open).collect::<Vec<_>>()))
            .collect();
        shares.into_iter().flat_map(|share| share.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plaintext, seal};

    #[test]
    fn plaintexts_are_in_the_order_of_their_envelopes() {
        let round = Uuid::from_u128(1);
        let key = UrnKey::derive(&[1; 32], &[2; 32], round);
        let envelopes: Vec<_> = (0..17_u8)
            .map(|number| {
                let ballot = Ballot { round, voter: Uuid::from_u128(number.into()) };
                seal(key.public_key(), &ballot, Plaintext { bytes: &[number], size: 256 }, &[number; 32]).unwrap()
            })
            .collect();
        let ballot = |(number, envelope)| SealedBallot { voter: Uuid::from_u128(number), envelope };
        let mut ballots: Vec<_> = (0..).zip(envelopes.iter().map(Vec::as_slice)).map(ballot).collect();
        ballots[3].voter = Uuid::from_u128(4);
        ballots[5].envelope = b"";
        let opened = open_all(&key, round, &ballots);
        assert_eq!(opened.len(), 17);
        for (number, plaintext) in (0..).zip(opened) {
            assert_eq!(plaintext, (number != 3 && number != 5).then(|| vec![number]), "{number}");
        }
        assert!(open_all(&key, Uuid::from_u128(2), &ballots).iter().all(Option::is_none));
        assert!(open_all(&key, round, &[]).is_empty());
    }
}
