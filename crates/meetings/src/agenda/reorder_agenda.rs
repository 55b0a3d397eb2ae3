use std::collections::HashSet;

use plenum_kernel::{ClientId, Invalid, MeetingId, PortFailure, QuestionId};

use crate::{AgendaService, Question};

/// An order for an agenda: each question once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgendaOrder(Vec<QuestionId>);

impl AgendaOrder {
    /// An order from positions that start at 1.
    ///
    /// # Errors
    /// States the requirement when a question or position occurs twice, or a position is missing.
    pub fn of_places(mut places: Vec<(QuestionId, u32)>) -> Result<Self, Invalid> {
        places.sort_unstable_by_key(|(_, place)| *place);
        if !places.iter().map(|(_, place)| *place).eq((1..).take(places.len())) {
            return Err(Invalid::new("Must give each of the places 1, 2, 3 and so on to exactly one question."));
        }
        let mut seen = HashSet::new();
        if !places.iter().all(|(question, _)| seen.insert(*question)) {
            return Err(Invalid::new("Must name each question once."));
        }
        Ok(Self(places.into_iter().map(|(question, _)| question).collect()))
    }

    /// The questions, in order.
    pub fn questions(&self) -> &[QuestionId] {
        &self.0
    }

    /// Whether it contains exactly these questions.
    pub fn fits(&self, agenda: &[QuestionId]) -> bool {
        let named: HashSet<&QuestionId> = self.0.iter().collect();
        named.len() == agenda.len() && agenda.iter().all(|question| named.contains(question))
    }
}

/// The reason why an agenda was not reordered.
#[derive(Debug, thiserror::Error)]
pub enum ReorderError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// A question of the agenda is missing, or a question of another meeting is listed.
    #[error("name every question of the meeting, and no other")]
    NotTheAgenda,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl AgendaService {
    /// Reorders a whole agenda, and informs the live screens.
    ///
    /// # Errors
    /// Fails when the client has no such meeting, or the order is not one of exactly its questions.
    pub async fn reorder(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: AgendaOrder,
    ) -> Result<Vec<Question>, ReorderError> {
        let agenda = self.questions.reorder(owner, meeting, order).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(agenda)
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn an_order_is_read_from_places_in_any_sequence() {
        let ids = CountingIds::new();
        let (first, second) = (QuestionId::new(&ids), QuestionId::new(&ids));
        let order = AgendaOrder::of_places(vec![(second, 2), (first, 1)]).unwrap();
        assert_eq!(order.questions(), [first, second]);
        assert!(order.fits(&[second, first]));
        assert!(!order.fits(&[first]));
        assert!(!order.fits(&[first, QuestionId::new(&ids)]));
        assert!(!order.fits(&[first, second, QuestionId::new(&ids)]));
    }

    #[test]
    fn invalid_orders_are_refused() {
        let ids = CountingIds::new();
        let (first, second) = (QuestionId::new(&ids), QuestionId::new(&ids));
        for places in [
            vec![(first, 0), (second, 1)],
            vec![(first, 1), (second, 3)],
            vec![(first, 1), (second, 1)],
            vec![(first, 1), (first, 2)],
            vec![(first, 2)],
        ] {
            assert!(AgendaOrder::of_places(places.clone()).is_err(), "{places:?}");
        }
    }
}
