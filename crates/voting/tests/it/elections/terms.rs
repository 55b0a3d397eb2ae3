//! Settings that contradict one another.

use plenum_kernel::election::MethodError;
use plenum_kernel::{Seats, Threshold};
use plenum_voting::elections::{
    Borda, BordaScale, ChoiceLimits, Cumulative, Divisors, Election, ElectionError, ElectionTerms, Irv, ListOrder,
    Lists, MAX_CANDIDATES, Method, RankingRules, Repetition, Requirement, ShareBase, Standing, Unranked, Votes,
};

use super::profiles::{STV, candidates, terms};

fn refused(terms: ElectionTerms) -> ElectionError {
    Election::new(terms).unwrap_err()
}

#[test]
fn candidates_and_seats_have_limits() {
    assert_eq!(refused(terms(STV, 0, 1)), ElectionError::CandidateCount);
    assert_eq!(refused(terms(STV, MAX_CANDIDATES + 1, 1)), ElectionError::CandidateCount);
    assert_eq!(refused(terms(STV, 3, 10_001)), ElectionError::SeatCount);
    let mut withdrawn = terms(STV, 2, 1);
    withdrawn.candidates = vec![Standing::Withdrawn; 2];
    assert_eq!(refused(withdrawn), ElectionError::CandidateCount);
    let mut twice = terms(STV, 2, 1);
    twice.candidates = vec![Standing::NoneOfTheAbove; 2];
    assert_eq!(refused(twice), ElectionError::NoneOfTheAboveTwice);
    let irv = Method::Irv(Irv { ranking: RankingRules::LENIENT, ties_by_earlier_stages: false });
    assert!(Election::new(terms(irv.clone(), 200, 200)).is_ok());
    assert_eq!(refused(terms(irv, 1_000, 1_000)), ElectionError::RunOffStages);
    let mut large = terms(STV, 2, 1);
    large.electorate.register = Votes::whole(1_000_000_000_001);
    assert_eq!(refused(large), ElectionError::Electorate);
}

#[test]
fn the_settings_of_a_method_have_limits() {
    let limits =
        |least, most| Method::Approval(ChoiceLimits { least, most: Some(most), repeated: Repetition::Invalid });
    assert_eq!(refused(terms(limits(2, 1), 3, 1)), ElectionError::Method(MethodError::ChoiceLimits));
    assert_eq!(refused(terms(limits(0, 0), 3, 1)), ElectionError::Method(MethodError::ChoiceLimits));
    let cumulative = Method::Cumulative(Cumulative { votes: 0, most_for_one: 1, needs_all_votes: false });
    assert_eq!(refused(terms(cumulative, 3, 1)), ElectionError::Method(MethodError::PointLimits));
    let borda = Borda {
        ranking: RankingRules::LENIENT,
        allows_equal: true,
        scale: BordaScale::OfRanked,
        unranked: Unranked::MeanOfRest,
    };
    assert_eq!(refused(terms(Method::Borda(borda), 3, 1)), ElectionError::Method(MethodError::UnrankedPoints));
    let mut of_yes = terms(STV, 3, 1);
    of_yes.least_support = Some(Requirement { base: ShareBase::YesAndNo, threshold: Threshold::AT_LEAST_HALF });
    assert_eq!(refused(of_yes), ElectionError::Method(MethodError::BaseWithoutYesAndNo));
    let lists = |lists: Vec<Vec<_>>| {
        let order = ListOrder::AsListed;
        Method::Lists(Lists { divisors: Divisors::DHondt, lists, most_choices: 1, order })
    };
    for shared in [vec![], vec![candidates(&[1]), candidates(&[1])], vec![candidates(&[4])], vec![candidates(&[0])]] {
        assert_eq!(refused(terms(lists(shared), 3, 1)), ElectionError::Method(MethodError::ListCandidates));
    }
    let mut unlimited = terms(lists(vec![candidates(&[1, 2])]), 3, 1);
    unlimited.seats = None;
    assert!(Election::new(unlimited).is_ok() && Seats::new(0).is_err());
}
