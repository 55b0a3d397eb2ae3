//! Rules of laws, each with its source. The numbers of real votes are real.

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    Attendance, Base, Condition, DecisionRule, Majority, Minimum, OnTie, Quorum, Seats, Threshold, Unit, Units,
};
use plenum_kernel::{BlockingMinority, Comparison, Fraction, GroupId, Joined, MinimumAmount};
use plenum_voting::Decision;

use crate::decisions::scene::{Scene, decimal, texts};

fn decided(scene: Scene) -> Decision {
    scene.result().decision
}

fn of_those_who(base: Base, units: Units) -> Majority {
    let condition = Condition { units, base, threshold: Threshold::MORE_THAN_HALF, blocking_minority: None };
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

/// Two conditions, the first one in the weight of the question, the second one in its second weight.
fn in_both_weights([weight, second]: [(Base, Threshold); 2]) -> Majority {
    let condition = |units, (base, threshold)| Condition { units, base, threshold, blocking_minority: None };
    let conditions = vec![condition(Units::Weight, weight), condition(Units::SecondWeight, second)];
    Majority::new(conditions, OnTie::Rejected).unwrap()
}

/// The same law (WEG § 21 Abs. 2 Satz 1 Nr. 1) where the declaration of division gives one vote for each unit: votes by units,
/// and half of all co-ownership shares beside them, in thousandths.
#[test]
fn in_a_condominium_votes_by_units_need_half_of_the_thousandths_as_well() {
    let rule = in_both_weights([
        (Base::YesPlusNo, Threshold::MORE_THAN_TWO_THIRDS),
        (Base::WholeRegister, Threshold::AT_LEAST_HALF),
    ]);
    let motion = |people: &[(&str, &str, Option<usize>)]| {
        Scene::motion(rule.clone()).by_kinds(["Units", "Thousandths"]).with_two_weights(people).result()
    };
    // 7 of 10 units, and 500 of 1000 thousandths.
    let accepted =
        motion(&[("5", "420", Some(0)), ("2", "80", Some(0)), ("3", "350.5", Some(1)), ("1", "149.5", None)]);
    assert_eq!(accepted.decision, Decision::Accepted);
    let sentence = "Accepted: 7 of 10 votes by Units are yes, 70.00 %; more than 2/3, that is at least 6.6667 (rounded up), were \
                    needed (met); and 500 of 1000 in the whole register by Thousandths are yes, 50.00 %; at least 1/2, that is \
                    500, were needed (met)";
    assert_eq!(accepted.arithmetic.sentence, sentence);
    // The same units with 499.5 thousandths, and 6 of 9 units with 900 thousandths.
    let shares = motion(&[("5", "419.5", Some(0)), ("2", "80", Some(0)), ("3", "351", Some(1)), ("1", "149.5", None)]);
    assert_eq!(shares.decision, Decision::Rejected);
    assert_eq!(motion(&[("6", "900", Some(0)), ("3", "100", Some(1))]).decision, Decision::Rejected);
}

/// OR Art. 704 Abs. 1: important resolutions of a company's general meeting need at least two thirds of the votes represented,
/// and the majority of the nominal value of the shares represented. Voting shares of 10 francs have one vote as those of 100.
#[test]
fn in_a_swiss_company_voting_shares_cannot_outvote_the_capital() {
    let rule = in_both_weights([
        (Base::ConnectedAtOpening, Threshold::AT_LEAST_TWO_THIRDS),
        (Base::ConnectedAtOpening, Threshold::MORE_THAN_HALF),
    ]);
    let motion = |people: &[(&str, &str, Option<usize>)]| {
        Scene::motion(rule.clone()).by_kinds(["Votes", "Nominal capital"]).with_two_weights(people).result().decision
    };
    // 800,000 voting shares of 10 francs against 200,000 shares of 100 francs: 80 % of the votes, 8 of 28 million francs.
    assert_eq!(motion(&[("800000", "8000000", Some(0)), ("200000", "20000000", Some(1))]), Decision::Rejected);
    assert_eq!(
        motion(&[("800000", "8000000", Some(0)), ("100000", "10000000", Some(0)), ("100000", "10000000", Some(1))]),
        Decision::Accepted
    );
    // Exactly half of the capital is no majority.
    assert_eq!(motion(&[("900000", "9000000", Some(0)), ("90000", "9000000", Some(1))]), Decision::Rejected);
}

/// AktG § 133 Abs. 1 and § 179 Abs. 2 Satz 1: a change of the articles needs the majority of the votes cast, and three quarters
/// of the capital that is represented in the vote. Abstentions are not represented in it.
#[test]
fn in_a_german_company_votes_and_capital_decide_together() {
    let rule = in_both_weights([
        (Base::YesPlusNo, Threshold::MORE_THAN_HALF),
        (Base::YesPlusNo, Threshold::AT_LEAST_THREE_QUARTERS),
    ]);
    let motion = |people: &[(&str, &str, Option<usize>)]| {
        Scene::motion(rule.clone()).by_kinds(["Votes", "Capital"]).with_two_weights(people).result().decision
    };
    // An old multiple vote carries the votes and not the capital.
    assert_eq!(motion(&[("1000", "50", Some(0)), ("400", "400", Some(1)), ("9", "900", Some(2))]), Decision::Rejected);
    assert_eq!(motion(&[("750", "750", Some(0)), ("250", "250", Some(1)), ("9", "900", Some(2))]), Decision::Accepted);
    assert_eq!(motion(&[("749", "749.999999", Some(0)), ("250", "250", Some(1))]), Decision::Rejected);
}

/// Swiss Federal Constitution Art. 140 and 142: people and cantons. Twenty cantons have one vote and six half a vote each
/// (Art. 142 Abs. 4), so 12 of 23 are a majority. Here each canton speaks for its inhabitants.
#[test]
fn the_cantons_decide_beside_the_people() {
    let rule =
        in_both_weights([(Base::YesPlusNo, Threshold::MORE_THAN_HALF), (Base::YesPlusNo, Threshold::MORE_THAN_HALF)]);
    let motion = |full_yes: usize, half_yes: usize| {
        let mut cantons = vec![("1000000", "1", Some(1)); 20 - full_yes];
        cantons.extend(vec![("5000000", "1", Some(0)); full_yes]);
        cantons.extend(vec![("300000", "0.5", Some(0)); half_yes]);
        cantons.extend(vec![("300000", "0.5", Some(1)); 6 - half_yes]);
        Scene::motion(rule.clone()).by_kinds(["Inhabitants", "Cantons"]).with_two_weights(&cantons).result().decision
    };
    assert_eq!(motion(9, 5), Decision::Rejected, "11.5 of 23, whatever the inhabitants");
    assert_eq!(motion(9, 6), Decision::Accepted, "12 of 23");
    assert_eq!(motion(10, 3), Decision::Rejected, "11.5 of 23");
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
    let voted =
        Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Heads, attendance: Attendance::Voted };
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
        scene.terms.quorum =
            Some(Quorum { minimum: Minimum::Share(threshold), unit: Unit::Heads, attendance: Attendance::Present });
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

fn at_least(base: Base, units: Units, numerator: u32, denominator: u32) -> Condition {
    let fraction = Fraction::new(numerator, denominator).unwrap();
    let threshold = Threshold::new(Comparison::AtLeast, fraction).unwrap();
    Condition { units, base, threshold, blocking_minority: None }
}

/// Treaty on European Union, Art. 16 (4): a qualified majority is at least 55 % of the members of the Council, comprising at
/// least fifteen of them, with at least 65 % of the population; a blocking minority must include at least four members,
/// failing which the qualified majority is deemed attained. The populations are in millions, rounded.
#[test]
fn in_the_council_of_the_union_three_conditions_must_be_met_and_three_large_members_cannot_block() {
    let all = Base::WholeRegister;
    let rule = || {
        let members = [at_least(all, Units::Heads, 55, 100), at_least(all, Units::Heads, 15, 27)];
        let blocking_minority = BlockingMinority::new(4).ok();
        let people = Condition { blocking_minority, ..at_least(all, Units::Weight, 65, 100) };
        Majority::new(vec![members[0], members[1], people], OnTie::Rejected).unwrap()
    };
    let large = ["83.4", "68.4", "59", "48.6", "36.6"];
    let council = |against: usize, small_against: u32| {
        let mut scene = Scene::motion(rule());
        for (place, millions) in large.iter().enumerate() {
            scene.add(1, millions, &[usize::from(place < against)]);
        }
        scene.add(22 - small_against, "7", &[0]);
        scene.add(small_against, "7", &[1]);
        decided(scene)
    };
    // Three members with 210.8 of 450 million people, 46.84 %, are not in favor.
    assert_eq!(council(3, 0), Decision::Accepted);
    assert_eq!(council(4, 0), Decision::Rejected);
    assert_eq!(council(3, 1), Decision::Rejected);
    // Fifteen members with all large ones are 55.56 % of the members, and 81.29 % of the people.
    assert_eq!(council(0, 12), Decision::Accepted);
    assert_eq!(council(0, 13), Decision::Rejected);
}

/// Austrian Condominium Act (WEG 2002) § 24 Abs. 4 since 2022: the majority of all shares, or two thirds of the votes cast,
/// by shares, if these are at least one third of all shares.
#[test]
fn in_an_austrian_condominium_the_majority_of_shares_or_two_thirds_of_the_votes_are_enough() {
    let motion = |yes: &str, no: &str, silent: &str| {
        let more_than_half = Majority::of_all_members(Units::Weight).conditions()[0];
        let of_cast = at_least(Base::YesPlusNo, Units::Weight, 2, 3);
        let of_all = at_least(Base::WholeRegister, Units::Weight, 1, 3);
        let rule = Majority::new(vec![more_than_half, of_cast, of_all], OnTie::Rejected).unwrap();
        let mut scene = Scene::motion(rule.joined_by(vec![Joined::Or, Joined::And]));
        scene.add(1, yes, &[0]);
        scene.add(1, no, &[1]);
        scene.add(1, silent, &[]);
        decided(scene)
    };
    assert_eq!(motion("501", "400", "99"), Decision::Accepted);
    assert_eq!(motion("500", "400", "100"), Decision::Rejected);
    assert_eq!(motion("400", "200", "400"), Decision::Accepted);
    assert_eq!(motion("399", "200", "401"), Decision::Rejected);
    assert_eq!(motion("300", "0", "600"), Decision::Accepted);
    assert_eq!(motion("300", "0", "601"), Decision::Rejected);
}

/// AktG § 179 Abs. 3: where a change of the articles alters the relation of several classes of shares to the detriment of one,
/// the shareholders of that class must consent by a resolution of their own, with the same majority.
#[test]
fn each_class_of_shares_needs_the_majority_as_well_as_the_total() {
    let ids = CountingIds::new();
    let groups = vec![GroupId::new(&ids), GroupId::new(&ids)];
    let motion = |ordinary: (u32, u32), preference: (u32, u32)| {
        let mut scene = Scene::motion(Majority::three_quarters(Units::Weight).in_each_of(groups.clone()).unwrap());
        for (group, (yes, no)) in [((0, "Ordinary"), ordinary), ((1, "Preference"), preference)] {
            scene.add_to_group(group, yes, &[0]);
            scene.add_to_group(group, no, &[1]);
        }
        decided(scene)
    };
    assert_eq!(motion((90, 10), (3, 1)), Decision::Accepted);
    // 92 of 104 in total, and 2 of 4 in their class.
    assert_eq!(motion((90, 10), (2, 2)), Decision::Rejected);
    // Both classes, and the total with it.
    assert_eq!(motion((75, 25), (3, 1)), Decision::Accepted);
    assert_eq!(motion((74, 26), (30, 0)), Decision::Rejected);
    // A class of which nobody votes consents to nothing.
    assert_eq!(motion((90, 10), (0, 0)), Decision::Rejected);
}

/// Swiss Code of Obligations (OR) Art. 713 Abs. 1: a board decides by the majority of the votes cast; the chair has the casting
/// vote.
#[test]
fn on_a_board_the_chair_decides_a_tie_and_nothing_else() {
    let motion = |yes, no| {
        let conditions = Majority::simple(Units::Heads).conditions().to_vec();
        Scene::motion(Majority::new(conditions, OnTie::CastingVote).unwrap()).with_heads(yes, no, 1, 0)
    };
    assert_eq!(decided(motion(3, 3)), Decision::CastingVoteOpen);
    assert_eq!(decided(motion(3, 3).with_casting_vote(true)), Decision::Accepted);
    assert_eq!(decided(motion(3, 3).with_casting_vote(false)), Decision::Rejected);
    assert_eq!(decided(motion(4, 3)), Decision::Accepted);
    assert_eq!(decided(motion(3, 4).with_casting_vote(true)), Decision::Rejected);
    assert_eq!(decided(motion(0, 0).with_casting_vote(true)), Decision::Rejected);
}

/// House of Commons, Standing Order No. 41: a division is of no effect if fewer than forty members have taken part in it.
#[test]
fn in_the_house_of_commons_forty_members_are_a_quorum_whatever_the_number_of_seats() {
    let division = |yes, no| {
        let mut scene = Scene::motion(Majority::simple(Units::Heads));
        let minimum = Minimum::Amount(MinimumAmount::new(decimal("40"), Unit::Heads).unwrap());
        scene.terms.quorum = Some(Quorum { minimum, unit: Unit::Heads, attendance: Attendance::Voted });
        decided(scene.with_heads(yes, no, 0, 650 - yes - no))
    };
    assert_eq!(division(37, 2), Decision::QuorumMissed);
    assert_eq!(division(37, 3), Decision::Accepted);
}
