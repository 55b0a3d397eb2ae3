use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, DecisionRule, NewIds, QuestionId, RoundId, Seats};

use crate::{AgendaRule, AgendaService, ChangeQuestionError, Question, QuestionOption, QuestionText};

/// The ballot that continues an election, as its result asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextBallot {
    /// The declared round.
    pub round: RoundId,
    /// The candidates who stand again, by number and name, in ascending order.
    pub candidates: Vec<(u32, String)>,
    /// The seats that are left.
    pub seats: Seats,
}

impl Question {
    /// The question of the next ballot: the same terms, with the candidates who stand again and the seats that are left.
    pub(crate) fn next_ballot(&self, next: &NextBallot, ids: &dyn NewIds, now: DateTime<Utc>) -> Self {
        let mut question = self.copy_to(self.meeting_id, ids, now);
        let Some(DecisionRule::Election(rule)) = &self.decision_rule else { return question };
        let numbers: Vec<u32> = next.candidates.iter().map(|(number, _)| *number).collect();
        let rule = rule.next_ballot(next.round, &numbers, next.seats);
        question.text = numbered_text(&self.text, rule.ballot_number());
        question.options.retain(|option| numbers.contains(&option.position));
        for (position, option) in (1..).zip(&mut question.options) {
            *option = QuestionOption { position, ..option.clone() };
        }
        question.decision_rule = Some(DecisionRule::Election(Box::new(rule)));
        question.fix_order_of_candidates();
        question
    }
}

impl NextBallot {
    /// Whether it continues this question: its candidates are still those of the ballot, and the new question can be decided.
    fn check(&self, question: &Question, ids: &dyn NewIds, now: DateTime<Utc>) -> Result<(), ChangeQuestionError> {
        let is_known = |(number, name): &(u32, String)| {
            let place = (*number as usize).checked_sub(1);
            place.and_then(|place| question.options.get(place)).is_some_and(|option| option.text.as_str() == name)
        };
        let is_election = matches!(question.decision_rule, Some(DecisionRule::Election(_)));
        if !is_election || !self.candidates.iter().all(is_known) {
            return Err(AgendaRule::ChangedSinceBallot.into());
        }
        let next = question.next_ballot(self, ids, now);
        next.check_rule().map_err(|(field, requirement)| ChangeQuestionError::Form { field, requirement })
    }
}

/// "Who joins the board? (ballot 2)". The number of an earlier ballot is replaced. A text without room for it stays.
fn numbered_text(text: &QuestionText, number: u32) -> QuestionText {
    let first = text.as_str().strip_suffix(&format!(" (ballot {})", number - 1)).unwrap_or(text.as_str());
    QuestionText::parse(&format!("{first} (ballot {number})")).unwrap_or_else(|_| text.clone())
}

impl AgendaService {
    /// Adds the next ballot of an election right after its question, and informs the live screens.
    ///
    /// # Errors
    /// Fails when the client has no such question, the agenda is full, the round has a next ballot, or the question was changed
    /// after it.
    pub async fn add_next_ballot(
        &self,
        owner: ClientId,
        question: QuestionId,
        next: NextBallot,
    ) -> Result<Question, ChangeQuestionError> {
        let (ids, now) = (Arc::clone(&self.ids), self.clock.now());
        let found = self.questions.find(owner, question).await?.ok_or(ChangeQuestionError::NotFound)?;
        next.check(&found, &*ids, now)?;
        let copy = move |original: &Question| original.next_ballot(&next, &*ids, now);
        let question = self.questions.duplicate(owner, question, Box::new(copy)).await?;
        self.signals.meeting_changed(question.meeting_id).await;
        Ok(question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> QuestionText {
        QuestionText::parse(text).unwrap()
    }

    #[test]
    fn the_text_names_the_ballot() {
        assert_eq!(numbered_text(&text("Who?"), 2), text("Who? (ballot 2)"));
        assert_eq!(numbered_text(&text("Who? (ballot 2)"), 3), text("Who? (ballot 3)"));
        let longest = "w".repeat(1_000);
        assert_eq!(numbered_text(&text(&longest), 2), text(&longest));
    }
}
