use std::collections::{BTreeMap, BTreeSet};

use plenum_kernel::{OptionId, QuestionType};
use rust_decimal::Decimal;

use crate::elections::{CandidateAnswer, Marks};
use crate::{Answer, CastOn, Count, RoundOption, UrnTally, Wording};
use plenum_kernel::election::Candidate;

/// A vote with its voter's weight in the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedVote {
    /// The answer.
    pub answer: Answer,
    /// The weight.
    pub weight: Decimal,
    /// The second weight, if the round has one.
    pub second_weight: Option<Decimal>,
    /// Whether the voter was connected at opening.
    pub was_connected: bool,
    /// The groups of the round's rule to which the voter belongs, as places in their list, from 0. Empty in a secret round.
    pub groups: Vec<u16>,
    /// Where it was cast. `None` on a device of the voter or the holder of their proxy.
    pub cast_on: Option<CastOn>,
}

/// The count of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionTally {
    /// The option.
    pub option: RoundOption,
    /// The voters who chose it.
    pub count: Count,
}

/// The count of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCount {
    /// The number.
    pub value: Decimal,
    /// The voters who gave it.
    pub count: Count,
}

/// The answers to a rating or percentage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberTally {
    /// The mean by heads, to 4 decimals. `None` without votes.
    pub mean: Option<Decimal>,
    /// The mean by weight, to 4 decimals. `None` without weight.
    pub weighted_mean: Option<Decimal>,
    /// The median by heads: the middle number, or the mean of the two in the middle.
    pub median: Option<Decimal>,
    /// The median by weight: the number at which half of the weight is reached, or the mean of it and the next one if it is
    /// reached exactly. `None` without weight.
    pub weighted_median: Option<Decimal>,
    /// The count of each number, in order. A rating has an entry for each number of its scale.
    pub distribution: Vec<ValueCount>,
}

/// The count of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTally {
    /// The text, trimmed.
    pub text: String,
    /// The voters who gave it.
    pub count: Count,
}

/// The counts of a round, in heads and in weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// All votes cast that count.
    pub votes_cast: Count,
    /// The count of each option, in order. Empty for types without options. In an election, the ballots that choose the
    /// candidate, give points or a yes, or rank the candidate first.
    pub options: Vec<OptionTally>,
    /// For ratings and percentages.
    pub numbers: Option<NumberTally>,
    /// For text answers, in alphabetical order.
    pub texts: Option<Vec<TextTally>>,
}

/// The decimals of means, rounded half away from zero.
const MEAN_DECIMALS: u32 = 4;

impl Tally {
    /// Counts the votes of a round.
    pub fn count(wording: &Wording, votes: &[CountedVote]) -> Self {
        let mut votes_cast = Count::default();
        for vote in votes {
            votes_cast.add(vote.weight);
        }
        let is_text = matches!(wording.question_type, QuestionType::OpenText);
        let is_number = matches!(wording.question_type, QuestionType::Rating | QuestionType::Percentage);
        Self {
            votes_cast,
            options: count_options(wording, votes.iter()),
            numbers: is_number.then(|| count_numbers(wording, votes, votes_cast)),
            texts: is_text.then(|| count_texts(votes)),
        }
    }

    /// The counts of an opened urn.
    pub fn of_urn(wording: &Wording, urn: &UrnTally) -> Self {
        if let Some(votes) = urn.as_votes() {
            return Self::count(wording, &votes);
        }
        let sum_of = |option: &RoundOption| {
            urn.options.iter().find(|(id, _)| *id == option.id).map(|(_, sum)| *sum).unwrap_or_default()
        };
        let tallies =
            wording.options.iter().map(|option| OptionTally { option: option.clone(), count: sum_of(option) });
        Self { votes_cast: urn.valid, options: tallies.collect(), numbers: None, texts: None }
    }
}

/// The count of each option, in order.
pub(crate) fn count_options<'a>(wording: &Wording, votes: impl Iterator<Item = &'a CountedVote>) -> Vec<OptionTally> {
    let form = wording.ballot_form();
    let mut counts: BTreeMap<OptionId, Count> = BTreeMap::new();
    for vote in votes {
        match &vote.answer {
            Answer::Options(chosen) => {
                for option in chosen {
                    counts.entry(*option).or_default().add(vote.weight);
                }
            }
            Answer::Text(text) => {
                let marks = form.as_ref().and_then(|form| form.stored(text));
                let named = marks.as_ref().map(named_first).unwrap_or_default();
                let places = named.into_iter().filter_map(Candidate::place);
                for option in places.filter_map(|place| wording.options.get(place)) {
                    counts.entry(option.id).or_default().add(vote.weight);
                }
            }
            Answer::Number(_) | Answer::Sealed(_) => {}
        }
    }
    let count_of = |option: &RoundOption| counts.get(&option.id).copied().unwrap_or_default();
    wording.options.iter().map(|option| OptionTally { option: option.clone(), count: count_of(option) }).collect()
}

/// The candidates for whom a ballot counts at once: chosen, with a yes or points, or in the first rank.
fn named_first(marks: &Marks) -> BTreeSet<Candidate> {
    match marks {
        Marks::Abstention | Marks::Blank => BTreeSet::new(),
        Marks::Choices(candidates) | Marks::List { candidates, .. } => candidates.iter().copied().collect(),
        Marks::Answers(answers) => answers
            .iter()
            .filter(|(_, answer)| *answer == CandidateAnswer::Yes)
            .map(|(candidate, _)| *candidate)
            .collect(),
        Marks::Points(points) => {
            points.iter().filter(|(_, points)| *points > 0).map(|(candidate, _)| *candidate).collect()
        }
        Marks::Ranking(ranks) => ranks.iter().find(|rank| !rank.is_empty()).into_iter().flatten().copied().collect(),
    }
}

fn count_numbers(wording: &Wording, votes: &[CountedVote], votes_cast: Count) -> NumberTally {
    let mut counts: BTreeMap<Decimal, Count> = BTreeMap::new();
    for step in 1..=wording.rating_max.unwrap_or(0) {
        counts.insert(Decimal::from(step), Count::default());
    }
    for vote in votes {
        if let Answer::Number(number) = &vote.answer {
            counts.entry(number.normalize()).or_default().add(vote.weight);
        }
    }
    let by_heads: Decimal = counts.iter().map(|(value, count)| *value * Decimal::from(count.heads)).sum();
    let by_weight: Decimal = counts.iter().map(|(value, count)| *value * count.weight).sum();
    NumberTally {
        mean: mean(by_heads, Decimal::from(votes_cast.heads)),
        weighted_mean: mean(by_weight, votes_cast.weight),
        median: median(&counts, votes_cast.heads),
        weighted_median: weighted_median(&counts, votes_cast.weight),
        distribution: counts.into_iter().map(|(value, count)| ValueCount { value, count }).collect(),
    }
}

fn mean(sum: Decimal, of: Decimal) -> Option<Decimal> {
    let mean = sum.checked_div(of)?;
    Some(mean.round_dp_with_strategy(MEAN_DECIMALS, rust_decimal::RoundingStrategy::MidpointAwayFromZero).normalize())
}

fn median(counts: &BTreeMap<Decimal, Count>, heads: u64) -> Option<Decimal> {
    if heads == 0 {
        return None;
    }
    let at = |place: u64| {
        let mut passed = 0;
        counts.iter().find_map(|(value, count)| {
            passed += count.heads;
            (passed > place).then_some(*value)
        })
    };
    let sum = at((heads - 1) / 2)? + at(heads / 2)?;
    mean(sum, Decimal::TWO)
}

fn weighted_median(counts: &BTreeMap<Decimal, Count>, weight: Decimal) -> Option<Decimal> {
    let mut weighing = counts.iter().filter(|(_, count)| !count.weight.is_zero());
    let mut passed = Decimal::ZERO;
    let (value, _) = weighing.find(|(_, count)| {
        passed += count.weight;
        passed * Decimal::TWO >= weight
    })?;
    if passed * Decimal::TWO > weight {
        return Some(*value);
    }
    let (next, _) = weighing.next()?;
    mean(*value + *next, Decimal::TWO)
}

fn count_texts(votes: &[CountedVote]) -> Vec<TextTally> {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for vote in votes {
        if let Answer::Text(text) = &vote.answer {
            counts.entry(text).or_default().add(vote.weight);
        }
    }
    counts.into_iter().map(|(text, count)| TextTally { text: text.to_owned(), count }).collect()
}

#[cfg(test)]
mod tests {
    use plenum_kernel::OptionRole;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn wording(question_type: QuestionType, options: &[&str]) -> Wording {
        let ids = CountingIds::new();
        let options = (1..)
            .zip(options)
            .map(|(position, text)| RoundOption {
                id: OptionId::new(&ids),
                text: (*text).to_owned(),
                position,
                role: OptionRole::Choice,
            })
            .collect();
        let rating_max = (question_type == QuestionType::Rating).then_some(5);
        Wording { text: "?".to_owned(), question_type, options, rating_max, max_choices: None, election: None }
    }

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn number(value: &str, weight: &str) -> CountedVote {
        CountedVote {
            answer: Answer::Number(decimal(value)),
            weight: decimal(weight),
            second_weight: None,
            was_connected: true,
            groups: Vec::new(),
            cast_on: None,
        }
    }

    #[test]
    fn options_are_counted_in_heads_and_in_weight() {
        let wording = wording(QuestionType::MultipleChoice, &["A", "B", "C"]);
        let [a, b, _] = [0, 1, 2].map(|index| wording.options[index].id);
        let votes = [
            CountedVote {
                answer: Answer::Options(vec![a, b]),
                weight: decimal("1.5"),
                second_weight: None,
                was_connected: true,
                groups: Vec::new(),
                cast_on: None,
            },
            CountedVote {
                answer: Answer::Options(vec![b]),
                weight: decimal("0.0001"),
                second_weight: None,
                was_connected: true,
                groups: Vec::new(),
                cast_on: None,
            },
        ];
        let tally = Tally::count(&wording, &votes);
        let counts: Vec<_> = tally.options.iter().map(|option| (option.count.heads, option.count.weight)).collect();
        assert_eq!(counts, [(1, decimal("1.5")), (2, decimal("1.5001")), (0, Decimal::ZERO)]);
        assert_eq!(tally.votes_cast, Count { heads: 2, weight: decimal("1.5001") });
        assert_eq!((tally.numbers, tally.texts), (None, None));
    }

    #[test]
    fn weights_are_added_exactly() {
        let wording = wording(QuestionType::YesNo, &["Yes", "No"]);
        let yes = wording.options[0].id;
        let votes = vec![
            CountedVote {
                answer: Answer::Options(vec![yes]),
                weight: decimal("0.1"),
                second_weight: None,
                was_connected: true,
                groups: Vec::new(),
                cast_on: None,
            };
            1_000
        ];
        assert_eq!(Tally::count(&wording, &votes).options[0].count.weight, decimal("100"));
    }

    #[test]
    fn a_rating_has_an_entry_for_each_number() {
        let votes = [number("5", "1"), number("4", "3"), number("5", "1")];
        let numbers = Tally::count(&wording(QuestionType::Rating, &[]), &votes).numbers.unwrap();
        let heads: Vec<_> = numbers.distribution.iter().map(|value| value.count.heads).collect();
        assert_eq!(heads, [0, 0, 0, 1, 2]);
        assert_eq!(numbers.mean, Some(decimal("4.6667")));
        assert_eq!(numbers.weighted_mean, Some(decimal("4.4")));
        assert_eq!(numbers.median, Some(decimal("5")));
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        let votes = [number("10", "1"), number("20", "1"), number("35.5", "1"), number("90", "1")];
        let numbers = Tally::count(&wording(QuestionType::Percentage, &[]), &votes).numbers.unwrap();
        assert_eq!(numbers.median, Some(decimal("27.75")));
    }

    #[test]
    fn the_weighted_median_is_where_half_of_the_weight_is_reached() {
        let median_of = |votes: &[CountedVote]| {
            let tally = Tally::count(&wording(QuestionType::Percentage, &[]), votes);
            tally.numbers.unwrap().weighted_median.map(|median| median.to_string())
        };
        assert_eq!(median_of(&[number("10", "1"), number("20", "1"), number("90", "5")]).unwrap(), "90");
        assert_eq!(median_of(&[number("90", "2.5"), number("10", "1.5"), number("35.5", "1")]).unwrap(), "62.75");
        assert_eq!(median_of(&[number("10", "0.0001"), number("50", "0"), number("20", "0.0001")]).unwrap(), "15");
        assert_eq!(median_of(&[number("50", "0")]), None);
        assert_eq!(median_of(&[]), None);
    }

    #[test]
    fn nothing_is_divided_by_no_votes_or_no_weight() {
        let none = Tally::count(&wording(QuestionType::Percentage, &[]), &[]).numbers.unwrap();
        assert_eq!((none.mean, none.weighted_mean, none.median), (None, None, None));
        let weightless = [number("50", "0")];
        let numbers = Tally::count(&wording(QuestionType::Percentage, &[]), &weightless).numbers.unwrap();
        assert_eq!((numbers.mean, numbers.weighted_mean), (Some(decimal("50")), None));
    }

    #[test]
    fn equal_texts_are_counted_together() {
        let text = |text: &str| CountedVote {
            answer: Answer::Text(text.to_owned()),
            weight: Decimal::ONE,
            second_weight: None,
            was_connected: true,
            groups: Vec::new(),
            cast_on: None,
        };
        let votes = [text("Trees"), text("Benches"), text("Trees")];
        let texts = Tally::count(&wording(QuestionType::OpenText, &[]), &votes).texts.unwrap();
        let counted: Vec<_> = texts.iter().map(|text| (text.text.as_str(), text.count.heads)).collect();
        assert_eq!(counted, [("Benches", 1), ("Trees", 2)]);
    }
}
