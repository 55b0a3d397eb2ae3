//! The fake keeps the contract that PostgreSQL keeps.

use plenum_voting::testkit::contract::random_meetings::present_agrees_with_the_reference;
use plenum_voting::testkit::{InMemoryUrnKeys, InMemoryVoting};

plenum_voting::voting_contract!(InMemoryVoting::new());

mod urn_keys {
    use super::*;

    plenum_voting::urn_keys_contract!(Box::new(InMemoryUrnKeys::new()));
}

#[tokio::test]
async fn present_agrees_with_the_reference_in_500_random_meetings() {
    let mut differing = 0;
    for seed in 0..500 {
        differing += u32::from(present_agrees_with_the_reference(&InMemoryVoting::new(), seed).await);
    }
    assert!(differing > 100, "the larger number is another one in only {differing} of 500 meetings");
}
