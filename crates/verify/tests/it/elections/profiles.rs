//! Random elections with their ballots.

use plenum_kernel::{Comparison, Fraction, Seats, Threshold, Unit, VotingWeight};
use plenum_voting::elections::{
    Abstentions, Ballot, Blank, Borda, BordaScale, Candidate, CandidateAnswer, ChoiceLimits, Cumulative, Divisors,
    ElectionTerms, Electorate, Irv, ListOrder, Lists, Marks, Method, PerCandidate, Plurality, RankingRules, Repetition,
    Requirement, Schulze, Score, ShareBase, Standing, Strength, TooManyRanked, Treatment, Unanswered, Unranked, Votes,
    YesRanking,
};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rust_decimal::Decimal;

/// An election and its ballots.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) terms: ElectionTerms,
    pub(crate) ballots: Vec<Ballot>,
}

const MOST_CANDIDATES: u32 = 6;

/// Elections by all methods.
pub(crate) fn any_profile() -> impl Strategy<Value = Profile> {
    (1..=MOST_CANDIDATES).prop_flat_map(|candidates| {
        let marks = move || prop_oneof![20 => any_marks(candidates), 1 => Just(Marks::Abstention), 1 => Just(Marks::Blank)];
        prop_oneof![
            1 => profile(candidates, per_candidate(), prop_oneof![20 => answers(candidates), 1 => marks()]),
            1 => profile(candidates, plurality(), prop_oneof![20 => choices(candidates), 1 => marks()]),
            1 => profile(candidates, limits().prop_map(Method::Approval), prop_oneof![20 => choices(candidates), 1 => marks()]),
            1 => profile(candidates, points_method(), prop_oneof![20 => points(candidates), 1 => marks()]),
            2 => profile(candidates, irv(), prop_oneof![20 => ranking(candidates), 1 => marks()]),
            3 => profile(candidates, rules().prop_map(Method::StvScottish), prop_oneof![20 => ranking(candidates), 1 => marks()]),
            2 => profile(candidates, schulze(), prop_oneof![20 => ranking(candidates), 1 => marks()]),
            1 => profile(candidates, borda(), prop_oneof![20 => ranking(candidates), 1 => marks()]),
            2 => profile(candidates, lists(candidates), prop_oneof![20 => list(candidates), 1 => marks()]),
            5 => close_race(),
        ]
    })
}

/// Transfers with few voters and many candidates, so that votes are often equal, also at earlier stages.
fn close_race() -> BoxedStrategy<Profile> {
    let back = Method::Irv(Irv { ranking: RankingRules::LENIENT, ties_by_earlier_stages: true });
    let method = prop_oneof![3 => Just(Method::StvScottish(RankingRules::UP_TO_FAULT)), 1 => Just(back)];
    let race = (4..=8_u32).prop_flat_map(move |candidates| {
        let order = Just((1..=candidates).collect::<Vec<u32>>()).prop_shuffle();
        let ballot = (order, 2..=candidates as usize, 1..=3_u64).prop_map(|(order, length, voters)| {
            let ranks = order.into_iter().take(length).map(|number| vec![Candidate::numbered(number)]);
            Ballot { marks: Marks::Ranking(ranks.collect()), weight: VotingWeight::ONE, voters }
        });
        (Just(candidates), method.clone(), 1..=3_u32, vec(ballot, 4..=16))
    });
    let made = race.prop_map(|(candidates, method, seats, ballots)| {
        let terms = ElectionTerms {
            method,
            candidates: vec![Standing::Stands; candidates as usize],
            seats: Some(Seats::new(seats).unwrap()),
            unit: Unit::Heads,
            abstentions: Abstentions::AreNotVotes,
            blank: Blank::Invalid,
            least_support: None,
            electorate: Electorate::default(),
        };
        Profile { terms, ballots }
    });
    made.boxed()
}

fn profile(
    candidates: u32,
    method: impl Strategy<Value = Method> + 'static,
    marks: impl Strategy<Value = Marks> + 'static,
) -> BoxedStrategy<Profile> {
    let voters = prop_oneof![Just(1_u64), 1..=4_u64, 1..=30_u64];
    let ballot = (marks, voters, weight()).prop_map(|(marks, voters, weight)| Ballot { marks, weight, voters });
    let standing = prop_oneof![12 => Just(Standing::Stands), 1 => Just(Standing::Withdrawn)];
    let settings = (
        option::weighted(0.9, 1..=4_u32),
        prop_oneof![3 => Just(Unit::Heads), 1 => Just(Unit::Weight)],
        prop_oneof![Just(Abstentions::AreVotesCast), Just(Abstentions::AreNotVotes)],
        prop_oneof![Just(Blank::Invalid), Just(Blank::Abstains), Just(Blank::ValidForNobody)],
        option::weighted(0.15, requirement(false)),
        (0..=60_u64, 0..=60_u64),
    );
    let nobody = option::weighted(0.15, any::<Index>());
    let all =
        (method.boxed(), vec(standing, candidates as usize), nobody, vec(ballot.boxed(), 0..=9), settings.boxed());
    let made = all.prop_map(
        |(method, mut standings, nobody, ballots, (seats, unit, abstentions, blank, least_support, electorate))| {
            if let Some(nobody) = nobody {
                let place = nobody.index(standings.len());
                standings[place] = Standing::NoneOfTheAbove;
            }
            if standings.iter().all(|standing| *standing == Standing::Withdrawn) {
                standings[0] = Standing::Stands;
            }
            let terms = ElectionTerms {
                method,
                candidates: standings,
                seats: seats.map(|seats| Seats::new(seats).unwrap()),
                unit,
                abstentions,
                blank,
                least_support,
                electorate: Electorate { register: Votes::whole(electorate.0), present: Votes::whole(electorate.1) },
            };
            Profile { terms, ballots }
        },
    );
    // Strategies of all methods side by side would not fit on the stack of a test.
    made.boxed()
}

fn weight() -> impl Strategy<Value = VotingWeight> {
    let steps = prop_oneof![Just(10_000), (0..=8_i64).prop_map(|quarters| quarters * 2_500), 0..=1_000_000_i64];
    steps.prop_map(|steps| VotingWeight::new(Decimal::new(steps, 4)).unwrap())
}

fn requirement(has_yes: bool) -> impl Strategy<Value = Requirement> {
    let bases = [
        ShareBase::ValidBallots,
        ShareBase::VotesCast,
        ShareBase::Register,
        ShareBase::Present,
        if has_yes { ShareBase::YesAndNo } else { ShareBase::ValidBallots },
    ];
    let share = prop_oneof![Just((1, 2)), Just((1, 3)), Just((2, 3)), (1..=20_u32).prop_map(|part| (part, 20))];
    (select(bases.to_vec()), share, any::<bool>()).prop_map(|(base, (numerator, denominator), is_beyond)| {
        let fraction = Fraction::new(numerator, denominator).unwrap();
        let comparison = if is_beyond { Comparison::MoreThan } else { Comparison::AtLeast };
        let threshold = Threshold::new(comparison, fraction);
        let threshold = threshold.unwrap_or_else(|_| Threshold::new(Comparison::AtLeast, fraction).unwrap());
        Requirement { base, threshold }
    })
}

fn per_candidate() -> impl Strategy<Value = Method> {
    let ranking = prop_oneof![Just(YesRanking::Yes), Just(YesRanking::YesLessNo)];
    let unanswered = prop_oneof![4 => Just(Unanswered::Abstains), 1 => Just(Unanswered::Invalid)];
    (requirement(true), ranking, unanswered).prop_map(|(requirement, ranking, unanswered)| {
        Method::PerCandidate(PerCandidate { requirement, ranking, unanswered })
    })
}

fn limits() -> impl Strategy<Value = ChoiceLimits> {
    let repeated = prop_oneof![Just(Repetition::CountsOnce), Just(Repetition::Invalid)];
    (0..=2_u32, option::of(2..=4_u32), repeated).prop_map(|(least, most, repeated)| ChoiceLimits {
        least,
        most,
        repeated,
    })
}

fn plurality() -> impl Strategy<Value = Method> {
    (limits(), option::of(requirement(false)))
        .prop_map(|(limits, requirement)| Method::Plurality(Plurality { limits, requirement }))
}

fn points_method() -> impl Strategy<Value = Method> {
    let cumulative = (1..=6_u32, 1..=4_u32, any::<bool>()).prop_map(|(votes, most_for_one, needs_all_votes)| {
        Method::Cumulative(Cumulative { votes, most_for_one, needs_all_votes })
    });
    let score = (1..=4_u32, 0..=2_u32).prop_map(|(most, least_marked)| Method::Score(Score { most, least_marked }));
    prop_oneof![cumulative, score]
}

fn treatment() -> impl Strategy<Value = Treatment> {
    prop_oneof![3 => Just(Treatment::PassOver), 2 => Just(Treatment::UpToThere), 1 => Just(Treatment::Invalid)]
}

fn rules() -> impl Strategy<Value = RankingRules> {
    let too_many = prop_oneof![Just(TooManyRanked::UpToThere), Just(TooManyRanked::Invalid)];
    let most = option::weighted(0.3, 2..=4_u32);
    (treatment(), 0..=2_u32, treatment(), treatment(), 0..=2_u32, most, too_many).prop_map(
        |(skipped, tolerated_gap, repeated, equal, least, most, too_many)| RankingRules {
            skipped,
            tolerated_gap,
            repeated,
            equal,
            least,
            most,
            too_many,
        },
    )
}

fn irv() -> impl Strategy<Value = Method> {
    (rules(), any::<bool>())
        .prop_map(|(ranking, ties_by_earlier_stages)| Method::Irv(Irv { ranking, ties_by_earlier_stages }))
}

fn schulze() -> impl Strategy<Value = Method> {
    let strength = prop_oneof![3 => Just(Strength::WinningVotes), 1 => Just(Strength::Margins)];
    let allows_equal = prop_oneof![4 => Just(true), 1 => Just(false)];
    (rules(), allows_equal, strength)
        .prop_map(|(ranking, allows_equal, strength)| Method::Schulze(Schulze { ranking, allows_equal, strength }))
}

fn borda() -> impl Strategy<Value = Method> {
    let points = select(vec![
        (BordaScale::ToZero, Unranked::Nothing),
        (BordaScale::ToZero, Unranked::MeanOfRest),
        (BordaScale::ToOne, Unranked::Nothing),
        (BordaScale::ToOne, Unranked::MeanOfRest),
        (BordaScale::OfRanked, Unranked::Nothing),
    ]);
    (rules(), any::<bool>(), points).prop_map(|(ranking, allows_equal, (scale, unranked))| {
        Method::Borda(Borda { ranking, allows_equal, scale, unranked })
    })
}

fn lists(candidates: u32) -> impl Strategy<Value = Method> {
    let divisors = prop_oneof![Just(Divisors::SainteLague), Just(Divisors::DHondt)];
    let order = prop_oneof![Just(ListOrder::AsListed), Just(ListOrder::ByVotes), Just(ListOrder::ByVotesThenListed)];
    (divisors, order, 1..=3_u32, 0..=3_u32, vec(any::<Index>(), candidates as usize)).prop_map(
        |(divisors, order, size, most_choices, places)| {
            // Each candidate stands on one list, and some lists may be empty.
            let mut lists = vec![Vec::new(); size as usize];
            for (number, place) in (1..).zip(places) {
                lists[place.index(size as usize)].push(Candidate::numbered(number));
            }
            Method::Lists(Lists { divisors, lists, most_choices, order })
        },
    )
}

/// Mostly a candidate of the election. Rarely a number that nobody has.
fn candidate(candidates: u32) -> impl Strategy<Value = Candidate> {
    let number = prop_oneof![60 => 1..=candidates, 1 => 0..=candidates + 1];
    number.prop_map(Candidate::numbered)
}

fn choices(candidates: u32) -> impl Strategy<Value = Marks> {
    let once = btree_set(candidate(candidates), 0..=candidates as usize).prop_map(|set| set.into_iter().collect());
    prop_oneof![6 => once, 1 => vec(candidate(candidates), 0..=4)].prop_map(Marks::Choices)
}

fn answers(candidates: u32) -> impl Strategy<Value = Marks> {
    let answer = prop_oneof![
        Just(Some(CandidateAnswer::Yes)),
        Just(Some(CandidateAnswer::No)),
        Just(Some(CandidateAnswer::Abstain)),
        Just(None)
    ];
    let each = vec(answer.clone(), candidates as usize).prop_map(|answers| {
        let numbered = (1..).zip(answers).filter_map(|(number, answer)| Some((Candidate::numbered(number), answer?)));
        numbered.collect()
    });
    let any = vec((candidate(candidates), Just(CandidateAnswer::Yes)), 0..=3);
    prop_oneof![10 => each, 1 => any].prop_map(Marks::Answers)
}

fn points(candidates: u32) -> impl Strategy<Value = Marks> {
    let each = (vec(0..=3_u32, candidates as usize), any::<bool>()).prop_map(|(points, writes_zeros)| {
        let numbered = (1..).zip(points).map(|(number, points)| (Candidate::numbered(number), points));
        numbered.filter(|(_, points)| writes_zeros || *points > 0).collect()
    });
    prop_oneof![6 => each, 1 => vec((candidate(candidates), 0..=4_u32), 0..=3)].prop_map(Marks::Points)
}

fn ranking(candidates: u32) -> impl Strategy<Value = Marks> {
    let orderly = Just((1..=candidates).map(Candidate::numbered).collect::<Vec<_>>()).prop_shuffle();
    let orderly = (orderly, 0..=candidates as usize)
        .prop_map(|(order, length)| order.into_iter().take(length).map(|candidate| vec![candidate]).collect());
    let rank = prop_oneof![
        6 => candidate(candidates).prop_map(|candidate| vec![candidate]),
        1 => Just(Vec::new()),
        2 => vec(candidate(candidates), 2..=3)
    ];
    prop_oneof![4 => orderly, 2 => vec(rank, 0..=6)].prop_map(Marks::Ranking)
}

fn list(candidates: u32) -> impl Strategy<Value = Marks> {
    let list = prop_oneof![30 => 1..=3_u32, 1 => 0..=4_u32];
    let chosen = prop_oneof![3 => Just(Vec::new()), 2 => vec(candidate(candidates), 0..=3)];
    (list, chosen).prop_map(|(list, candidates)| Marks::List { list, candidates })
}

fn any_marks(candidates: u32) -> impl Strategy<Value = Marks> {
    prop_oneof![choices(candidates), answers(candidates), points(candidates), ranking(candidates), list(candidates)]
}
