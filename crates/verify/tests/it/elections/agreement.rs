//! For any election, the recount agrees with the engine: without decisions of ties, and with them until the count is
//! complete.

use plenum_verify::elections::recount_election;
use plenum_voting::elections::{Decided, Election, Outcome, TieDecision, TieDecisions, count};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::papers::papers;
use super::profiles::{Profile, any_profile};
use super::results::result;

/// The number of random elections: 2,000, or PLENUM_ELECTION_PROFILES.
fn cases() -> u32 {
    std::env::var("PLENUM_ELECTION_PROFILES").ok().and_then(|number| number.parse().ok()).unwrap_or(2_000)
}

/// Compares both counts. Returns the outcome.
fn compare(profile: &Profile, election: &Election, decisions: &TieDecisions) -> Result<Outcome, TestCaseError> {
    let counted = count(election, &profile.ballots, decisions).unwrap();
    let recounted = recount_election(&papers(&profile.terms, &profile.ballots, decisions));
    prop_assert_eq!(&recounted, &result(&counted, &profile.terms.method), "{:#?}", profile);
    Ok(counted.outcome)
}

/// Compares both counts at each tie, which is decided in another way each time, until they are complete.
fn compare_to_the_end(profile: &Profile, luck: usize) -> TestCaseResult {
    let election = Election::new(profile.terms.clone()).unwrap();
    let mut decisions = TieDecisions::default();
    for round in 0..60 {
        let Outcome::Tied(tie) = compare(profile, &election, &decisions)? else { break };
        let mut order = tie.numbers();
        order.rotate_left((luck + round) % tie.numbers().len());
        let decided = match (luck + round) % 3 {
            0 => Decided::Lot { seed: luck.to_string() },
            1 => Decided::LotByHand { order: order[..tie.wanted()].to_vec() },
            _ => Decided::RunOff { order },
        };
        decisions.made.push(TieDecision { tie, decided });
    }
    let seed = TieDecisions { seed: Some(luck.to_string()), ..TieDecisions::default() };
    let outcome = compare(profile, &election, &seed)?;
    prop_assert!(matches!(outcome, Outcome::Complete { .. }), "{outcome:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_recount_of_an_election_agrees_with_the_engine(profile in any_profile(), luck in 0_usize..6) {
        compare_to_the_end(&profile, luck)?;
    }
}
