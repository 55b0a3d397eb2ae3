//! The time to open an urn of 10,000 envelopes. It must stay below two seconds on two processors.
//!
//! Times differ between machines, so it is printed beside the time for one processor from the same run, and that for texts.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints what it measured, or fails")]

use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use plenum_sealed_ballots::{
    AnswerKind, Ballot, Envelope, Plaintext, SealedAnswer, SealedBallot, UrnKey, open_all, plaintext_size, seal,
};
use uuid::Uuid;

const COUNT: u32 = 10_000;

fn main() {
    let round = Uuid::from_u128(1);
    let key = UrnKey::derive(&[1; 32], &[2; 32], round);
    let choice = SealedAnswer::Options(vec![1]).write();
    let envelopes = sealed(&key, round, &choice, plaintext_size(AnswerKind::Options(2)));
    let texts = sealed(&key, round, &choice, plaintext_size(AnswerKind::Text));
    let all = timed(|| assert!(open_all(&key, round, &ballots(&envelopes)).iter().all(Option::is_some)));
    let all_texts = timed(|| assert!(open_all(&key, round, &ballots(&texts)).iter().all(Option::is_some)));
    let one_by_one = timed(|| {
        for SealedBallot { voter, envelope } in ballots(&envelopes) {
            key.open(&Ballot { round, voter }, &Envelope::parse(envelope).unwrap()).unwrap();
        }
    });
    println!(
        "open {COUNT} envelopes: {:.2} s on {} processors, {:.2} s on one; with texts: {:.2} s",
        all.as_secs_f64(),
        available_parallelism().unwrap(),
        one_by_one.as_secs_f64(),
        all_texts.as_secs_f64()
    );
}

fn sealed(key: &UrnKey, round: Uuid, plaintext: &[u8], size: usize) -> Vec<Vec<u8>> {
    let sealed = |number: u32| {
        let mut ephemeral = [0; 32];
        ephemeral[..4].copy_from_slice(&number.to_be_bytes());
        let ballot = Ballot { round, voter: Uuid::from_u128(number.into()) };
        seal(key.public_key(), &ballot, Plaintext { bytes: plaintext, size }, &ephemeral).unwrap()
    };
    (0..COUNT).map(sealed).collect()
}

fn ballots(envelopes: &[Vec<u8>]) -> Vec<SealedBallot<'_>> {
    let ballot = |(number, envelope)| SealedBallot { voter: Uuid::from_u128(number), envelope };
    (0..).zip(envelopes.iter().map(Vec::as_slice)).map(ballot).collect()
}

fn timed(run: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    run();
    begun.elapsed()
}
