use rust_decimal::Decimal;

/// A number of people, in heads and in weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// How many they are.
    pub heads: u64,
    /// What they weigh together, exactly.
    pub weight: Decimal,
}

impl People {
    /// One more, of this weight.
    pub fn add(&mut self, weight: Decimal) {
        self.heads += 1;
        self.weight += weight;
    }

    /// One less. They MUST have been added with this weight.
    pub fn remove(&mut self, weight: Decimal) {
        self.heads -= 1;
        self.weight -= weight;
    }
}

impl FromIterator<Decimal> for People {
    /// As many people as there are weights.
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
    fn whoever_comes_and_goes_leaves_nothing_behind() {
        let weights: Vec<Decimal> =
            ["0.0001", "33.3333", "100", "0"].iter().map(|text| text.parse().unwrap()).collect();
        let mut people: People = weights.iter().copied().collect();
        assert_eq!(people, People { heads: 4, weight: "133.3334".parse().unwrap() });
        weights.into_iter().for_each(|weight| people.remove(weight));
        assert_eq!(people, People::default());
    }
}
