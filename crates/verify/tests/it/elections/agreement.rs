//! For any election, the recount agrees with the engine, and tells it in the same words: without decisions of ties, and with
//! them until the count is complete.

use std::collections::BTreeSet;

use plenum_kernel::election::TieRule;
use plenum_verify::elections::{recount_election, recount_without};
use plenum_voting::elections::{
    Candidate, CountError, Decided, Election, Method, Outcome, TieDecision, TieDecisions, count, count_without,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::papers::papers;
use super::profiles::{Profile, any_profile};
use super::results::result;
use super::sentences::{of_engine, of_recount};

/// The number of random elections: 2,000, or PLENUM_ELECTION_PROFILES.
fn cases() -> u32 {
    std::env::var("PLENUM_ELECTION_PROFILES").ok().and_then(|number| number.parse().ok()).unwrap_or(2_000)
}

/// Compares both counts. Returns the outcome.
fn compare(profile: &Profile, election: &Election, decisions: &TieDecisions) -> Result<Outcome, TestCaseError> {
    let counted = count(election, &profile.ballots, decisions).unwrap();
    let recounted = recount_election(&papers(&profile.terms, &profile.ballots, decisions));
    prop_assert_eq!(&recounted, &result(&counted, &profile.terms.method), "{:#?}", profile);
    for ties in [TieRule::Lot, TieRule::RunOff] {
        let told = of_engine(profile, &counted, decisions, ties);
        prop_assert_eq!(of_recount(profile, &recounted, decisions, ties), told, "{:#?}", profile);
    }
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
    let precedents = decisions.made;
    compare_without(profile, &election, &TieDecisions { precedents, leaves_seats: luck.is_multiple_of(2), ..seed })
}

/// Compares the counts that look for the next one, if the first two of the elected decline, one after the other.
fn compare_without(profile: &Profile, election: &Election, decisions: &TieDecisions) -> TestCaseResult {
    if !matches!(profile.terms.method, Method::Irv(_) | Method::StvScottish(_) | Method::Lists(_)) {
        // The others continue the same count, with more seats.
        return Ok(());
    }
    let seed = TieDecisions { seed: decisions.seed.clone(), ..TieDecisions::default() };
    let elected = count(election, &profile.ballots, &seed).unwrap().elected;
    let mut declined: Vec<Candidate> = Vec::new();
    for one in elected.iter().take(2) {
        declined.push(one.candidate);
        let numbers: BTreeSet<u32> = declined.iter().map(|candidate| candidate.number()).collect();
        match count_without(election, &declined, &profile.ballots, decisions) {
            Ok(counted) => {
                let recounted = recount_without(&papers(&profile.terms, &profile.ballots, decisions), &numbers);
                prop_assert_eq!(&recounted, &result(&counted, &profile.terms.method), "{:?} {:#?}", numbers, profile);
            }
            Err(error) => prop_assert_eq!(error, CountError::NobodyStands),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_recount_of_an_election_agrees_with_the_engine(profile in any_profile(), luck in 0_usize..6) {
        compare_to_the_end(&profile, luck)?;
    }
}
