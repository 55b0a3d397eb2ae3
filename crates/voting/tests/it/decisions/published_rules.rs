//! Rules of laws, each with its source. The numbers of real votes are real.

use plenum_kernel::{
    Attendance, Base, Condition, DecisionRule, Majority, OnTie, Quorum, Seats, Threshold, Unit, Units,
};
use plenum_voting::Decision;

use crate::decisions::scene::{Scene, decimal, texts};

fn decided(scene: Scene) -> Decision {
    scene.result().decision
}

fn of_those_who(base: Base, units: Units) -> Majority {
    let condition = Condition { units, base, threshold: Threshold::MORE_THAN_HALF };
    Majority::new(vec![condition], OnTie::Rejected).unwrap()
}

/// BGB § 32 Abs. 1 Satz 3: the majority of the votes cast decides in an association. Abstentions are no votes cast
/// (BGH of 25 January 1982, II ZR 164/81), and as many yes as no are no majority.
#[test]
fn in_an_association_abstentions_do_not_count_and_a_tie_rejects() {
    let motion = || Scene::motion(Majority::simple(Units::Heads));
    assert_eq!(decided(motion().with_heads(2, 1, 40, 100)), Decision::Accepted);
    assert_eq!(decided(motion().with_heads(20, 20, 1, 0)), Decision::Rejected);
    assert_eq!(decided(motion().with_heads(0, 0, 40, 0)), Decision::Rejected);
}

/// BGB § 33 Abs. 1 Satz 1: a change of the statutes needs three quarters of the votes cast. Exactly three quarters are enough.
#[test]
fn statutes_are_changed_by_three_quarters_of_the_votes() {
    let motion = || Scene::motion(Majority::three_quarters(Units::Heads));
    assert_eq!(decided(motion().with_heads(75, 25, 10, 0)), Decision::Accepted);
    assert_eq!(decided(motion().with_heads(74, 25, 0, 0)), Decision::Rejected);
}

/// Charter of the United Nations, Art. 18 (2): important questions need two thirds of the members present and voting;
/// members who abstain are not voting (rules of procedure of the General Assembly, rule 86).
#[test]
fn in_the_general_assembly_two_thirds_of_those_voting_are_enough() {
    let motion = || Scene::motion(Majority::two_thirds(Units::Heads));
    assert_eq!(decided(motion().with_heads(60, 30, 90, 13)), Decision::Accepted);
    assert_eq!(decided(motion().with_heads(59, 30, 90, 14)), Decision::Rejected);
}

/// GenG § 43 Abs. 3 Satz 3 Nr. 1: members of a cooperative may have up to three votes, but one only where the law asks
/// for three quarters of the votes (such as § 16 Abs. 2, changes of the statutes).
#[test]
fn in_a_cooperative_everyone_has_one_vote_where_three_quarters_are_needed() {
    let ballots = |rule: Majority| {
        let mut scene = Scene::motion(rule);
        scene.add(10, "3", &[0]);
        scene.add(8, "1", &[1]);
        scene
    };
    assert_eq!(decided(ballots(Majority::simple(Units::Weight))), Decision::Accepted);
    // By weight it would be 30 of 38, more than three quarters; by heads it is 10 of 18.
    assert_eq!(decided(ballots(Majority::three_quarters(Units::Weight))), Decision::Accepted);
    assert_eq!(decided(ballots(Majority::three_quarters(Units::Heads))), Decision::Rejected);
}

/// WEG § 21 Abs. 2 Satz 1 Nr. 1: the costs of a structural alteration fall on all owners where it was decided by more
/// than two thirds of the votes cast and half of all shares. Each owner has one vote (§ 25 Abs. 2 Satz 1), and
/// abstentions are no votes cast (BGH of 8 December 1988, V ZB 3/88).
#[test]
fn in_a_condominium_two_thirds_of_the_votes_need_half_of_the_shares_as_well() {
    let motion = |yes: (u32, &str), no: u32, silent: (u32, &str)| {
        let mut scene = Scene::motion(Majority::condominium(Units::Heads));
        scene.add(yes.0, yes.1, &[0]);
        scene.add(no, "10", &[1]);
        scene.add(3, "10", &[2]);
        scene.add(silent.0, silent.1, &[]);
        decided(scene)
    };
    // 7 of 10 owners with 70 of 140 shares: half of the shares is enough.
    assert_eq!(motion((7, "10"), 3, (1, "10")), Decision::Accepted);
    // 69.9993 of 140 shares.
    assert_eq!(motion((7, "9.9999"), 3, (1, "10.0007")), Decision::Rejected);
    // 6 of 9 owners are two thirds and not more, with any shares.
    assert_eq!(motion((6, "50"), 3, (1, "10")), Decision::Rejected);
    assert_eq!(motion((7, "50"), 3, (1, "10")), Decision::Accepted);
}

/// The same law where the statutes of the community give votes by shares.
#[test]
fn in_a_condominium_the_votes_may_be_the_shares() {
    let motion = |yes: &str, no: &str| {
        let rule = Majority::condominium(Units::Weight);
        decided(Scene::motion(rule).with_weights(&[(yes, 0), (no, 1)]))
    };
    assert_eq!(motion("66.6667", "33.3333"), Decision::Accepted);
    assert_eq!(motion("66.6666", "33.3333"), Decision::Rejected);
}

/// GG Art. 63 Abs. 2 and Art. 121: the Federal Chancellor is elected by the majority of the members of the Bundestag,
/// present or not. The ballots of 6 May 2025, with 630 members: 310 yes and 307 no were not enough, 325 and 289 were.
#[test]
fn the_absolute_majority_is_one_of_all_members() {
    let ballot = |yes, no, abstain| {
        let silent = 630 - yes - no - abstain;
        Scene::motion(Majority::of_all_members(Units::Heads)).with_heads(yes, no, abstain, silent).result()
    };
    let (first, second) = (ballot(310, 307, 3), ballot(325, 289, 1));
    assert_eq!((first.decision, second.decision), (Decision::Rejected, Decision::Accepted));
    assert_eq!(first.arithmetic.checks[0].needed.unwrap().amount, decimal("316"));
    assert_eq!(ballot(315, 0, 0).decision, Decision::Rejected);
    assert_eq!(ballot(316, 314, 0).decision, Decision::Accepted);
}

/// BetrVG § 33: a works council decides by the majority of the votes of the members present, so that an abstention
/// works like a no; a tie rejects; and at least half of the members must take part in the vote.
#[test]
fn in_a_works_council_an_abstention_works_like_a_no() {
    let voted = Quorum { threshold: Threshold::AT_LEAST_HALF, unit: Unit::Heads, attendance: Attendance::Voted };
    let motion = |yes, no, abstain| {
        let mut scene = Scene::motion(of_those_who(Base::VotesCast, Units::Heads));
        scene.terms.quorum = Some(voted);
        decided(scene.with_heads(yes, no, abstain, 11 - yes - no - abstain))
    };
    assert_eq!(motion(4, 2, 0), Decision::Accepted);
    assert_eq!(motion(3, 2, 1), Decision::Rejected);
    assert_eq!(motion(3, 3, 0), Decision::Rejected);
    assert_eq!(motion(5, 0, 0), Decision::QuorumMissed);
    assert_eq!(motion(6, 0, 0), Decision::Accepted);
}

/// Swiss Civil Code (ZGB) Art. 67 Abs. 2: an association decides by the majority of the votes of the members present,
/// so that a present member without a vote has the effect of a no.
#[test]
fn in_a_swiss_association_a_present_voter_without_a_vote_counts_like_a_no() {
    let motion = |yes, connected| {
        let scene = Scene::motion(of_those_who(Base::ConnectedAtOpening, Units::Heads));
        decided(scene.with_heads(yes, 1, 0, 30).with_connected(connected))
    };
    assert_eq!(motion(6, 12), Decision::Rejected);
    assert_eq!(motion(7, 12), Decision::Accepted);
}

/// Rules of procedure of the Bundestag, § 45 Abs. 1: there is a quorum if more than half of the members are present.
#[test]
fn the_bundestag_has_a_quorum_if_more_than_half_are_present() {
    let present = |heads| {
        let mut scene = Scene::motion(Majority::simple(Units::Heads));
        let threshold = Threshold::MORE_THAN_HALF;
        scene.terms.quorum = Some(Quorum { threshold, unit: Unit::Heads, attendance: Attendance::Present });
        decided(scene.with_heads(2, 1, 0, 627).with_connected(heads))
    };
    assert_eq!(present(315), Decision::QuorumMissed);
    assert_eq!(present(316), Decision::Accepted);
}

/// Federal Elections Act (BWahlG) § 5 as it stood before 2023: the candidate with the most votes is elected; lots decide a tie.
#[test]
fn the_most_votes_win_a_seat_and_even_candidates_are_left_to_the_lot() {
    let rule = || DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::ONE };
    let election = |votes: [u32; 3]| {
        let mut scene = Scene::election(&["Anna", "Ben", "Cleo"], rule());
        for (place, people) in votes.into_iter().enumerate() {
            scene.add(people, "1", &[place]);
        }
        scene.result()
    };
    let won = election([30, 41, 29]);
    let Decision::Elected { options, tie: None } = &won.decision else { panic!("{:?}", won.decision) };
    assert_eq!(texts(&won, options), ["Ben"]);
    let even = election([35, 30, 35]);
    let Decision::NotElected { tie: Some(tie) } = &even.decision else { panic!("{:?}", even.decision) };
    assert_eq!((texts(&even, &tie.options), tie.seats), (vec!["Anna", "Cleo"], 1));
}
