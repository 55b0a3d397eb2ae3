use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, DecisionRule, NewIds, QuestionId, RoundId, Seats};

use crate::{AgendaService, ChangeQuestionError, Question, QuestionOption, QuestionText};

/// The ballot that continues an election, as its result asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextBallot {
    /// The declared round.
    pub round: RoundId,
    /// The numbers of the candidates who stand again, in ascending order.
    pub candidates: Vec<u32>,
    /// The seats that are left.
    pub seats: Seats,
}

impl Question {
    /// The question of the next ballot: the same terms, with the candidates who stand again and the seats that are left.
    pub(crate) fn next_ballot(&self, next: &NextBallot, ids: &dyn NewIds, now: DateTime<Utc>) -> Self {
        let mut question = self.copy_to(self.meeting_id, ids, now);
        let Some(DecisionRule::Election(rule)) = &self.decision_rule else { return question };
        let rule = rule.next_ballot(next.round, &next.candidates, next.seats);
        question.text = numbered_text(&self.text, rule.ballot_number());
        question.options.retain(|option| next.candidates.contains(&option.position));
        for (position, option) in (1..).zip(&mut question.options) {
            *option = QuestionOption { position, ..option.clone() };
        }
        question.decision_rule = Some(DecisionRule::Election(Box::new(rule)));
        question.fix_order_of_candidates();
        question
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
    /// Fails when the client has no such question, the agenda is full, or the round has a next ballot.
    pub async fn add_next_ballot(
        &self,
        owner: ClientId,
        question: QuestionId,
        next: NextBallot,
    ) -> Result<Question, ChangeQuestionError> {
        let (ids, now) = (Arc::clone(&self.ids), self.clock.now());
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
