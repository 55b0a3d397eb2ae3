use std::collections::HashMap;

use uuid::Uuid;

use crate::RoundResult;

/// The places of questions among results, for people who read them.
///
/// A declared result keeps the position of its declaration. The agenda may change before a re-vote, so rounds of one question
/// can have different positions. The place of a question is the position of its last round here. It follows from the results
/// alone, so a file and the server agree on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionPlaces {
    /// The number and the position of each question's last round.
    last: HashMap<Uuid, (u32, u32)>,
}

impl QuestionPlaces {
    /// The places of the questions of these results.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a RoundResult>) -> Self {
        let mut last: HashMap<Uuid, (u32, u32)> = HashMap::new();
        for result in results {
            let known = last.entry(result.question_id).or_default();
            *known = (result.number, result.position).max(*known);
        }
        Self { last }
    }

    /// The place of the question of a result, from 1. The result's own position if its question is not among the results.
    pub fn place(&self, result: &RoundResult) -> u32 {
        self.last.get(&result.question_id).map_or(result.position, |(_, position)| *position)
    }

    /// The key by which results are sorted: by the places of their questions, with the rounds of each question together and in
    /// the order of their numbers. Questions with the same place are in the order of their ids.
    pub fn order(&self, result: &RoundResult) -> (u32, Uuid, u32) {
        (self.place(result), result.question_id, result.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_result::example;

    /// A round of the question with this id.
    fn round(question: u128, position: u32, number: u32) -> RoundResult {
        let mut result: RoundResult = serde_json::from_value(example()).unwrap();
        (result.question_id, result.position, result.number) = (Uuid::from_u128(question), position, number);
        result
    }

    /// The questions, positions and numbers after sorting.
    fn sorted(mut results: Vec<RoundResult>) -> Vec<(u128, u32, u32)> {
        let places = QuestionPlaces::of(&results);
        results.sort_by_key(|result| places.order(result));
        results.iter().map(|result| (result.question_id.as_u128(), result.position, result.number)).collect()
    }

    #[test]
    fn a_question_has_the_place_of_its_last_round() {
        let results = [round(7, 2, 2), round(7, 3, 1), round(8, 3, 1)];
        let places = QuestionPlaces::of(&results);
        assert_eq!(results.each_ref().map(|result| places.place(result)), [2, 2, 3]);
        assert_eq!(places.place(&round(9, 4, 1)), 4, "of a question that is not among them");
    }

    #[test]
    fn the_rounds_of_a_question_stay_together_when_it_moves_up() {
        let results = vec![round(7, 2, 2), round(7, 3, 1), round(8, 1, 1), round(9, 3, 1)];
        assert_eq!(sorted(results), [(8, 1, 1), (7, 3, 1), (7, 2, 2), (9, 3, 1)]);
    }

    #[test]
    fn the_rounds_of_a_question_stay_together_when_another_one_is_inserted() {
        let results = vec![round(5, 1, 1), round(7, 2, 1), round(9, 2, 1), round(7, 3, 2)];
        assert_eq!(sorted(results), [(5, 1, 1), (9, 2, 1), (7, 2, 1), (7, 3, 2)]);
    }

    #[test]
    fn questions_with_the_same_place_are_in_the_order_of_their_ids() {
        let rounds = [round(9, 2, 1), round(7, 2, 1), round(7, 2, 2)];
        let expected = [(7, 2, 1), (7, 2, 2), (9, 2, 1)];
        assert_eq!(sorted(rounds.to_vec()), expected);
        assert_eq!(sorted(rounds.into_iter().rev().collect()), expected);
    }
}
