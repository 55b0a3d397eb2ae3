use rust_decimal::Decimal;

/// A number of people, in heads and in weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// The number of people.
    pub heads: u64,
    /// The exact sum of their weights.
    pub weight: Decimal,
}

impl People {
    /// Adds one person of this weight.
    pub fn add(&mut self, weight: Decimal) {
        self.heads += 1;
        self.weight += weight;
    }

    /// Removes one person. The caller MUST have added them with this weight.
    pub fn remove(&mut self, weight: Decimal) {
        self.heads -= 1;
        self.weight -= weight;
    }
}

impl FromIterator<Decimal> for People {
    /// Counts one person for each weight.
    fn from_iter<T: IntoIterator<Item = Decimal>>(weights: T) -> Self {
        let mut people = Self::default();
        weights.into_iter().for_each(|weight| people.add(weight));
        people
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_and_removing_the_same_people_gives_zero() {
        let weights: Vec<Decimal> =
            ["0.0001", "33.3333", "100", "0"].iter().map(|text| text.parse().unwrap()).collect();
        let mut people: People = weights.iter().copied().collect();
        assert_eq!(people, People { heads: 4, weight: "133.3334".parse().unwrap() });
        weights.into_iter().for_each(|weight| people.remove(weight));
        assert_eq!(people, People::default());
    }
}
