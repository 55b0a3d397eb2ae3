//! Instant-runoff and Borda counts.

use plenum_kernel::Threshold;
use plenum_voting::elections::{
    Action, Ballot, Borda, BordaScale, Count, Effect, ElectedBy, ExclusionReason, Fault, Irv, Marks, Method, Outcome,
    RankingRules, Requirement, Schulze, ShareBase, Standing, Strength, Treatment, Unranked, Vacancies, VacancyReason,
};

use super::profiles::{STV, ballots, candidates, counted, elected, is_complete, ranking, terms, votes};

const fn irv(ranking: RankingRules) -> Method {
    Method::Irv(Irv { ranking, ties_by_earlier_stages: false })
}

const IRV: Method = irv(RankingRules::LENIENT);

const fn borda(scale: BordaScale, unranked: Unranked) -> Method {
    Method::Borda(Borda { ranking: RankingRules::LENIENT, allows_equal: true, scale, unranked })
}

const BORDA: Method = borda(BordaScale::ToZero, Unranked::Nothing);

/// Ranks in letters, A for candidate 1, and a point for a skipped rank.
fn ranks(text: &str) -> Ballot {
    let rank = |letter: u8| match letter {
        b'.' => Vec::new(),
        letter => candidates(&[u32::from(letter - b'A' + 1)]),
    };
    Ballot::of(Marks::Ranking(text.bytes().map(rank).collect()))
}

fn stages(count: &Count) -> Vec<Vec<String>> {
    count.stages.iter().map(|stage| votes(stage, 0)).collect()
}

/// The capital of Tennessee, the example in Wikipedia's articles on "Instant-runoff voting" and on "Borda count": 1
/// Memphis, 2 Nashville, 3 Chattanooga, 4 Knoxville.
fn tennessee() -> Vec<Ballot> {
    let groups: [(u64, [u32; 4]); 4] = [(42, [1, 2, 3, 4]), (26, [2, 3, 4, 1]), (15, [3, 4, 2, 1]), (17, [4, 3, 2, 1])];
    groups.iter().map(|(voters, order)| ballots(*voters, ranking(order))).collect()
}

#[test]
fn knoxville_wins_the_instant_runoff() {
    let count = counted(terms(IRV, 4, 1), &tennessee());
    assert_eq!(stages(&count), [["42", "26", "15", "17"], ["42", "26", "0", "32"], ["42", "0", "0", "58"]]);
    assert_eq!(elected(&count), [4]);
    assert_eq!(count.elected[0].by, ElectedBy::Majority);
    assert_eq!(count.stages[2].quota.unwrap().votes.text(0), "50");
}

#[test]
fn nashville_wins_the_borda_count() {
    let count = counted(terms(BORDA, 4, 4), &tennessee());
    assert_eq!(stages(&count), [["126", "194", "173", "107"]]);
    assert_eq!(elected(&count), [2, 3, 1, 4]);
    let to_one = counted(terms(borda(BordaScale::ToOne, Unranked::Nothing), 4, 1), &tennessee());
    assert_eq!(stages(&to_one), [["226", "294", "273", "207"]]);
}

/// Test set 5 of the tabulator RCTab ("Skipped choice_allow 1"): two consecutive skipped ranks end a ballot. Ballots 1,
/// 13 and 14 skip ranks.
const WITH_SKIPPED_RANKS: [&str; 15] = [
    ".BC", "BADC", "CBAD", "ACBD", "BCAD", "ACBD", "BACD", "ABC", "BCAD", "ABDC", "BCAD", "BADC", "C..B", "DC.B",
    "ABDC",
];

#[test]
fn two_skipped_ranks_end_a_ballot_if_one_is_tolerated() {
    let rules = RankingRules { skipped: Treatment::UpToThere, tolerated_gap: 1, ..RankingRules::LENIENT };
    let ballots: Vec<Ballot> = WITH_SKIPPED_RANKS.iter().map(|text| ranks(text)).collect();
    let count = counted(terms(irv(rules), 4, 1), &ballots);
    assert_eq!(stages(&count), [["5", "7", "2", "1"], ["5", "7", "3", "0"], ["5", "9", "0", "0"]]);
    assert_eq!(count.stages[2].non_transferable.text(0), "1");
    assert_eq!(elected(&count), [2]);
    let faults: Vec<_> = count.ballots.faults.iter().map(|sum| (sum.fault, sum.effect, sum.ballots.voters)).collect();
    assert_eq!(faults, [(Fault::SkippedRank, Effect::PassedOver, 2), (Fault::SkippedRank, Effect::CutThere, 1)]);
}

#[test]
fn skipped_ranks_are_passed_over_if_they_have_no_effect() {
    let ballots: Vec<Ballot> = WITH_SKIPPED_RANKS.iter().map(|text| ranks(text)).collect();
    let count = counted(terms(IRV, 4, 1), &ballots);
    assert_eq!(stages(&count), [["5", "7", "2", "1"], ["5", "7", "3", "0"], ["5", "10", "0", "0"]]);
}

/// Test set 7 of the tabulator RCTab ("Duplicate choice skip"): ballot 1 ranks the same candidate twice.
#[test]
fn a_repeated_rank_is_passed_over() {
    let texts = [
        "DDA", "CADB", "CBAD", "ACBD", "BCAD", "ACBD", "BACD", "ABC", "BCAD", "ABDC", "BCAD", "BADC", "CB", "DCA",
        "ABDC",
    ];
    let ballots: Vec<Ballot> = texts.iter().map(|text| ranks(text)).collect();
    let count = counted(terms(IRV, 4, 1), &ballots);
    assert_eq!(stages(&count), [["5", "5", "3", "2"], ["6", "5", "4", "0"], ["8", "7", "0", "0"]]);
    assert_eq!(elected(&count), [1]);
    // Where a repetition ends the ballot, the first one counts for nobody after D.
    let rules = RankingRules { repeated: Treatment::UpToThere, ..RankingRules::LENIENT };
    let strict = counted(terms(irv(rules), 4, 1), &ballots);
    assert_eq!(stages(&strict)[..2], [["5", "5", "3", "2"], ["5", "5", "4", "0"]]);
}

#[test]
fn candidates_without_a_vote_are_excluded_together() {
    let count = counted(
        terms(IRV, 5, 1),
        &[ballots(2, ranking(&[1])), ballots(2, ranking(&[2])), ballots(1, ranking(&[3, 1]))],
    );
    assert_eq!(stages(&count), [["2", "2", "1", "0", "0"], ["2", "2", "1", "0", "0"], ["3", "2", "0", "0", "0"]]);
    let excluded = Action::Exclusion { of: candidates(&[4, 5]), why: ExclusionReason::NoVotes, tie: None };
    assert_eq!(count.stages[1].action, excluded);
    assert_eq!(elected(&count), [1]);
}

#[test]
fn each_further_seat_is_a_count_without_those_elected() {
    let count = counted(terms(IRV, 4, 2), &tennessee());
    assert_eq!(elected(&count), [4, 3]);
    assert_eq!(count.stages[3].action, Action::NextSeat);
    assert_eq!(stages(&count)[3..], [["42", "26", "32", "0"], ["42", "0", "58", "0"]]);
}

#[test]
fn nobody_is_elected_by_no_votes() {
    let count = counted(terms(IRV, 3, 2), &[ballots(4, ranking(&[2]))]);
    assert_eq!(elected(&count), [2]);
    let vacancies = Some(Vacancies { seats: 1, why: VacancyReason::NoVotes });
    assert_eq!(count.outcome, Outcome::Complete { vacancies });
}

#[test]
fn a_least_support_gives_nobody_a_seat_that_none_of_the_above_has_won() {
    let schulze = Schulze { ranking: RankingRules::LENIENT, allows_equal: true, strength: Strength::WinningVotes };
    let two_thirds = Requirement { base: ShareBase::ValidBallots, threshold: Threshold::AT_LEAST_TWO_THIRDS };
    // 3 is "none of the above". Three of five ballots prefer it to everybody, fewer than two thirds.
    let rejecting = [ballots(1, ranking(&[3])), ballots(2, ranking(&[3, 2])), ballots(2, ranking(&[1]))];
    let with = |method: Method, least_support, cast: &[Ballot]| {
        let mut with_none = terms(method, 3, 1);
        with_none.candidates[2] = Standing::NoneOfTheAbove;
        with_none.least_support = least_support;
        let count = counted(with_none, cast);
        assert_eq!(elected(&count), [0_u32; 0], "{:?}", count.stages);
        let Outcome::Complete { vacancies: Some(vacancies) } = count.outcome else { panic!("{:?}", count.outcome) };
        vacancies.why
    };
    for method in [IRV, STV, Method::Schulze(schulze), BORDA] {
        assert_eq!(with(method.clone(), None, &rejecting), VacancyReason::NoneOfTheAbove);
        let why = with(method.clone(), Some(two_thirds), &rejecting);
        if matches!(method, Method::Irv(_) | Method::StvScottish(_)) {
            assert_eq!(why, VacancyReason::NoneOfTheAbove);
        }
        // Without a vote for it, it is not the reason.
        let scattered = [ballots(1, ranking(&[1])), ballots(1, ranking(&[2]))];
        assert_eq!(with(method, Some(two_thirds), &scattered), VacancyReason::RequirementMissed);
    }
}

#[test]
fn equal_ranks_share_the_points_of_their_places() {
    let equal = Ballot::of(Marks::Ranking(vec![candidates(&[1]), candidates(&[2, 3])]));
    let count = counted(terms(BORDA, 4, 1), std::slice::from_ref(&equal));
    assert_eq!(stages(&count), [["3", "1.5", "1.5", "0"]]);
    let short = Ballot::of(Marks::Ranking(vec![candidates(&[1])]));
    let mean = counted(terms(borda(BordaScale::ToZero, Unranked::MeanOfRest), 4, 1), std::slice::from_ref(&short));
    assert_eq!(stages(&mean), [["3", "1", "1", "1"]]);
    let modified = counted(terms(borda(BordaScale::OfRanked, Unranked::Nothing), 4, 1), &[short, equal]);
    assert_eq!(stages(&modified), [["4", "1.5", "1.5", "0"]]);
    assert!(is_complete(&modified));
}
