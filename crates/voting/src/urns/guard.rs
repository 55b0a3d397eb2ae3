use std::collections::BTreeMap;

use plenum_kernel::capitalized;
use rust_decimal::Decimal;

/// The smallest number of people among whom a vote is hidden.
pub const MIN_ANONYMITY_SET: u64 = 5;

/// People whose votes could be inferred from the totals of a secret round: in its register before it opens, and among those
/// who have voted before its urn is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecrecyRisk {
    /// The number of these people.
    pub people: u64,
    /// Their weights, the lightest first, each once.
    pub weights: Vec<Decimal>,
}

/// The longest list of weights in a sentence.
const LISTED: usize = 10;

impl SecrecyRisk {
    /// The risk among people with these weights, each with a number of people who have it; a weight may stand here several
    /// times. At risk are those whose weight fewer than [`MIN_ANONYMITY_SET`] have. They include every person whose weight no sum
    /// of other people's weights makes, because that person is the only one with it. `None` if there are no such people.
    pub fn among(weights: impl IntoIterator<Item = (Decimal, u64)>) -> Option<Self> {
        let mut people_of: BTreeMap<Decimal, u64> = BTreeMap::new();
        for (weight, people) in weights {
            *people_of.entry(weight).or_default() += people;
        }
        people_of.retain(|_, people| (1..MIN_ANONYMITY_SET).contains(people));
        let people = people_of.values().sum();
        let weights = people_of.into_keys().map(|weight| weight.normalize()).collect();
        (people > 0).then_some(Self { people, weights })
    }

    /// The sentence for organizers and minutes, without a full stop: "The votes of 3 people could be inferred from the totals
    /// (weights 37.5; 50)".
    pub fn sentence(&self) -> String {
        let votes =
            if self.people == 1 { "vote of 1 person".to_owned() } else { format!("votes of {} people", self.people) };
        let mut listed: Vec<String> = self.weights.iter().take(LISTED).map(ToString::to_string).collect();
        if self.weights.len() > LISTED {
            listed.push(format!("and {} others", self.weights.len() - LISTED));
        }
        let name = if self.weights.len() == 1 { "weight" } else { "weights" };
        capitalized(&format!("the {votes} could be inferred from the totals ({name} {})", listed.join("; ")))
    }
}

/// The risk of secret votes among the people who would be in a register if a round opened now. Exclusions from single questions
/// are not known yet, so the check at the opening may find more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecrecyForecast {
    /// The number of these people.
    pub people: u64,
    /// The risk of a question that counts weights.
    pub by_weight: Option<SecrecyRisk>,
    /// The risk of a question that counts heads.
    pub by_heads: Option<SecrecyRisk>,
}

impl SecrecyForecast {
    /// The forecast for these weights, each with the number of people who have it.
    pub fn of(weights: &[(Decimal, u64)]) -> Self {
        let people = weights.iter().map(|(_, people)| people).sum();
        let by_weight = SecrecyRisk::among(weights.iter().copied());
        Self { people, by_weight, by_heads: SecrecyRisk::among([(Decimal::ONE, people)]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn weights_that_fewer_than_five_people_have_are_named() {
        let register = [(decimal("50.0000"), 1), (decimal("1"), 200), (decimal("37.5"), 2), (decimal("2"), 5)];
        let risk = SecrecyRisk::among(register).unwrap();
        assert_eq!((risk.people, risk.weights.as_slice()), (3, [decimal("37.5"), decimal("50")].as_slice()));
        assert_eq!(risk.sentence(), "The votes of 3 people could be inferred from the totals (weights 37.5; 50)");
    }

    #[test]
    fn a_large_crowd_of_equal_weights_is_no_risk() {
        assert_eq!(SecrecyRisk::among([(decimal("1"), 5)]), None);
        assert_eq!(SecrecyRisk::among([]), None);
        let alone = SecrecyRisk::among([(decimal("1"), 1)]).unwrap();
        assert_eq!(alone.sentence(), "The vote of 1 person could be inferred from the totals (weight 1)");
    }

    #[test]
    fn equal_weights_are_one_crowd_however_they_are_written() {
        let register = ["1", "1.0", "1", "1.00", "1"].map(|weight| (decimal(weight), 1));
        assert_eq!(SecrecyRisk::among(register), None);
        let risk = SecrecyRisk::among(register.into_iter().skip(1)).unwrap();
        assert_eq!((risk.people, risk.weights), (4, vec![decimal("1")]));
    }

    #[test]
    fn counting_heads_hides_rare_weights_but_not_a_small_group() {
        let forecast = SecrecyForecast::of(&[(decimal("1"), 4), (decimal("2"), 1)]);
        assert_eq!((forecast.people, forecast.by_weight.unwrap().people, forecast.by_heads), (5, 5, None));
        let forecast = SecrecyForecast::of(&[(decimal("7"), 4)]);
        assert_eq!(
            forecast.by_heads.unwrap().sentence(),
            "The votes of 4 people could be inferred from the totals (weight 1)"
        );
    }

    #[test]
    fn many_weights_are_not_all_listed() {
        let register = (1..=30_u32).map(|weight| (Decimal::from(weight), 1));
        let sentence = SecrecyRisk::among(register).unwrap().sentence();
        assert!(sentence.ends_with("10; and 20 others)"), "{sentence}");
    }
}
