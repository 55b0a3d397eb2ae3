//! Schulze's examples.

use plenum_voting::elections::{
    Ballot, Count, Decided, Details, Election, Method, Outcome, Pairwise, RankingRules, Schulze, Standing, Strength,
    Tie, TieDecision, TieDecisions, TieMatter, Vacancies, VacancyReason, count,
};

use super::profiles::{ballots, candidates, counted, elected, ranking, terms};

const SCHULZE: Method =
    Method::Schulze(Schulze { ranking: RankingRules::LENIENT, allows_equal: true, strength: Strength::WinningVotes });

/// Rankings in letters, A for candidate 1.
fn profile(groups: &[(u64, &str)]) -> Vec<Ballot> {
    let numbers = |letters: &str| letters.bytes().map(|letter| u32::from(letter - b'A' + 1)).collect::<Vec<_>>();
    groups.iter().map(|(voters, letters)| ballots(*voters, ranking(&numbers(letters)))).collect()
}

fn counted_all(candidates: usize, groups: &[(u64, &str)]) -> Count {
    counted(terms(SCHULZE, candidates, candidates as u32), &profile(groups))
}

/// The elected candidates in letters.
fn order(count: &Count) -> String {
    elected(count).iter().map(|number| char::from(b'A' + *number as u8 - 1)).collect()
}

fn pairwise(count: &Count) -> &Pairwise {
    let Details::Pairwise(pairwise) = &count.details else { panic!("{:?}", count.details) };
    pairwise
}

fn texts(matrix: &[Vec<plenum_voting::elections::Votes>]) -> Vec<String> {
    matrix.iter().map(|row| row.iter().map(|votes| votes.text(0)).collect::<Vec<_>>().join(" ")).collect()
}

/// "Schulze method" in Wikipedia, section "Example": 45 voters and 5 candidates; also example 1 of the collection at
/// electowiki.org.
const OF_45_VOTERS: [(u64, &str); 8] =
    [(5, "ACBED"), (5, "ADECB"), (8, "BEDAC"), (3, "CABED"), (7, "CAEBD"), (2, "CBADE"), (7, "DCEBA"), (8, "EBADC")];

#[test]
fn forty_five_voters_rank_e_a_c_b_d() {
    let count = counted_all(5, &OF_45_VOTERS);
    assert_eq!(order(&count), "EACBD");
    let preferred = ["0 20 26 30 22", "25 0 16 33 18", "19 29 0 17 24", "15 12 28 0 14", "23 27 21 31 0"];
    assert_eq!(texts(&pairwise(&count).preferred), preferred);
    let paths = ["0 28 28 30 24", "25 0 28 33 24", "25 29 0 29 24", "25 28 28 0 24", "25 28 28 31 0"];
    assert_eq!(texts(&pairwise(&count).paths), paths);
    assert_eq!(count.order.concat(), candidates(&[5, 1, 3, 2, 4]));
    let one = counted(terms(SCHULZE, 5, 1), &profile(&OF_45_VOTERS));
    assert_eq!(order(&one), "E");
}

/// Example 2 at electowiki.org: the ranking is D > A > C > B.
#[test]
fn thirty_voters_rank_d_a_c_b() {
    let groups = [
        (5, "ACBD"),
        (2, "ACDB"),
        (3, "ADCB"),
        (4, "BACD"),
        (3, "CBDA"),
        (3, "CDBA"),
        (1, "DACB"),
        (5, "DBAC"),
        (4, "DCBA"),
    ];
    assert_eq!(order(&counted_all(4, &groups)), "DACB");
}

/// Example 3 at electowiki.org: the ranking is B > A > D > E > C.
#[test]
fn thirty_voters_rank_b_a_d_e_c() {
    let groups = [
        (3, "ABDEC"),
        (5, "ADEBC"),
        (1, "ADECB"),
        (2, "BADEC"),
        (2, "BDECA"),
        (4, "CABDE"),
        (6, "CBADE"),
        (2, "DBECA"),
        (5, "DECAB"),
    ];
    assert_eq!(order(&counted_all(5, &groups)), "BADEC");
}

/// Example 1 of M. Schulze, Social Choice and Welfare 36 (2011): 21 voters, and the winner is D.
#[test]
fn twenty_one_voters_elect_d() {
    let groups = [(8, "ACDB"), (2, "BADC"), (4, "CDBA"), (4, "DBAC"), (3, "DCBA")];
    let count = counted_all(4, &groups);
    assert_eq!(order(&count), "DACB");
    assert_eq!(texts(&pairwise(&count).paths), ["0 14 14 12", "13 0 13 12", "13 15 0 12", "13 19 13 0"]);
}

/// Example 4 at electowiki.org: B and D are the potential winners, D is ahead of A and B ahead of C, and the possible
/// rankings are BCDA, BDAC, BDCA, DABC, DBAC and DBCA.
const OF_NINE_VOTERS: [(u64, &str); 4] = [(3, "ABCD"), (2, "DABC"), (2, "DBCA"), (2, "CBDA")];

#[test]
fn nine_voters_tie_where_several_rankings_are_possible() {
    let tied = |seats: u32| match counted(terms(SCHULZE, 4, seats), &profile(&OF_NINE_VOTERS)).outcome {
        Outcome::Tied(tie) => tie,
        complete => panic!("{complete:?}"),
    };
    let between = |numbers: &[u32], seats: u32| Tie {
        stage: 1,
        matter: TieMatter::Seats { candidates: candidates(numbers), seats },
    };
    assert_eq!(tied(1), between(&[2, 4], 1));
    assert_eq!(tied(2), between(&[1, 2, 3, 4], 2));
    assert_eq!(tied(3), between(&[1, 3], 1));
    assert_eq!(order(&counted_all(4, &OF_NINE_VOTERS)), "BDAC");
}

#[test]
fn a_decision_puts_nobody_before_a_candidate_who_is_ahead() {
    let election = Election::new(terms(SCHULZE, 4, 2)).unwrap();
    let tie = Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(&[1, 2, 3, 4]), seats: 2 } };
    let elected_by = |drawn: &[u32]| {
        let decided = Decided::LotByHand { order: drawn.to_vec() };
        let decisions =
            TieDecisions { made: vec![TieDecision { tie: tie.clone(), decided }], ..TieDecisions::default() };
        order(&count(&election, &profile(&OF_NINE_VOTERS), &decisions).unwrap())
    };
    // A is drawn first, but D is ahead of A. So B comes first, and then C, because B is not in the way any more.
    assert_eq!(elected_by(&[1, 2, 3, 4]), "BC");
    assert_eq!(elected_by(&[4, 1, 2, 3]), "DA");
    assert_eq!(elected_by(&[1, 4, 2, 3]), "DA");
}

#[test]
fn none_of_the_above_is_no_reason_for_a_seat_without_a_candidate_behind_it() {
    let mut with_none = terms(SCHULZE, 3, 3);
    with_none.candidates[2] = Standing::NoneOfTheAbove;
    let count = counted(with_none, &[ballots(3, ranking(&[1, 2, 3])), ballots(2, ranking(&[2, 1, 3]))]);
    assert_eq!(elected(&count), [1, 2]);
    let vacancies = Some(Vacancies { seats: 1, why: VacancyReason::TooFewCandidates });
    assert_eq!(count.outcome, Outcome::Complete { vacancies });
}
