//! The sentence of a tie that a casting vote could not decide.

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{DecisionRule, GroupId, Majority, OnTie, Units};
use serde_json::json;

use crate::hall::{Hall, Voter};
use crate::tampering::{after, change, chosen, is_found, motion, voter};

/// A motion with a casting vote: a tie in total, and rejected by 1 to 3 in the group whose approval it needs, too.
fn rejected_by_a_group() -> Hall {
    let half = Majority::simple(Units::Heads).conditions().to_vec();
    let rule = Majority::new(half, OnTie::CastingVote).unwrap();
    let rule = rule.in_each_of(vec![GroupId::new(&CountingIds::new())]).unwrap();
    let votes = |option: usize, groups: &[u16], people: usize| {
        let groups = groups.to_vec();
        vec![Voter { groups, ..voter("1", true, chosen(&[option])) }; people]
    };
    Hall {
        rule: Some(DecisionRule::Majority(rule)),
        quorum: None,
        voters: [votes(0, &[0], 1), votes(1, &[0], 3), votes(0, &[], 4), votes(1, &[], 2)].concat(),
        ..motion(true)
    }
}

#[test]
fn a_casting_vote_that_changes_nothing_is_open_only_in_the_words_of_earlier_versions() {
    let file = rejected_by_a_group().file();
    let now = file.result.arithmetic.sentence.clone();
    assert!(now.starts_with("Rejected: in total, 5 of 10 votes by heads are yes, 50.00 %; "), "{now}");
    assert!(now.contains("; a tie, and a casting vote would not change the result (not met); and among "), "{now}");
    let several = |words: &str| words.replace("1 of 4 votes by heads is yes", "1 of 4 votes by heads are yes");
    let earlier = now.replace("a casting vote would not change the result", "the casting vote is open");
    let earliest = several(&earlier);
    assert!(now != earlier && earlier != earliest, "{earliest}");
    for words in [now.clone(), earlier, earliest] {
        let report = after(file.clone(), change("result/arithmetic/sentence", json!(words)));
        assert!(report.agrees(), "{words}: {report:#?}");
    }
    // No version wrote this.
    let mixed = several(&now);
    is_found(file, "result.arithmetic.sentence", change("result/arithmetic/sentence", json!(mixed)));
}
