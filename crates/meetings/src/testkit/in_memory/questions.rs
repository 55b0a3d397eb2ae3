use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure, QuestionId};

use super::InMemoryMeetings;
use crate::{
    AddQuestionError, AgendaOrder, AgendaRule, ChangeQuestionError, Question, QuestionCopy, QuestionDecision,
    QuestionStore, ReorderError,
};

#[async_trait]
impl QuestionStore for InMemoryMeetings {
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError> {
        let (owner, meeting) = (question.client_id, question.meeting_id);
        let added = self.add_all(owner, meeting, vec![question]).await?.pop();
        added.ok_or(AddQuestionError::MeetingNotFound)
    }

    async fn add_all(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        questions: Vec<Question>,
    ) -> Result<Vec<Question>, AddQuestionError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(AddQuestionError::MeetingNotFound)?;
        state.check_room(meeting, questions.len())?;
        if !questions.iter().all(|question| state.has_groups(owner, &question.groups)) {
            return Err(AddQuestionError::UnknownGroups);
        }
        if !questions.iter().all(|question| state.has_groups(owner, &question.rule_groups())) {
            return Err(Question::unknown_rule_group().into());
        }
        questions.iter().try_for_each(|question| state.check_kinds(owner, question))?;
        let next = state.agenda(meeting).len() as u32 + 1;
        let added: Vec<Question> =
            (next..).zip(questions).map(|(position, question)| Question { position, ..question }).collect();
        for question in &added {
            state.questions.push(question.clone());
            state.amend_question(meeting, None, Some(question.text.to_string()));
        }
        Ok(added)
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure> {
        let state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        Ok(Some(state.agenda(meeting)))
    }

    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure> {
        Ok(self.state().question_of(owner, id).cloned())
    }

    async fn update(
        &self,
        owner: ClientId,
        id: QuestionId,
        decide: QuestionDecision,
    ) -> Result<Question, ChangeQuestionError> {
        let mut state = self.state();
        let before = state.question_of(owner, id).ok_or(ChangeQuestionError::NotFound)?.clone();
        let mut after = before.clone();
        decide(&mut after, state.question_use(id))?;
        if !state.has_groups(owner, &after.groups) {
            return Err(ChangeQuestionError::UnknownGroups);
        }
        if after.decision_rule != before.decision_rule && !state.has_groups(owner, &after.rule_groups()) {
            return Err(Question::unknown_rule_group().into());
        }
        state.check_kinds(owner, &after)?;
        let Question { id, client_id, meeting_id, position, .. } = before;
        let after = Question { id, client_id, meeting_id, position, ..after };
        state.questions.retain(|question| question.id != id);
        state.questions.push(after.clone());
        let (was, became) = (before.text.to_string(), after.text.to_string());
        state.amend_question(meeting_id, Some(was), Some(became));
        Ok(after)
    }

    async fn remove(&self, owner: ClientId, id: QuestionId) -> Result<MeetingId, ChangeQuestionError> {
        let mut state = self.state();
        let removed = state.question_of(owner, id).ok_or(ChangeQuestionError::NotFound)?;
        let (meeting, text) = (removed.meeting_id, removed.text.to_string());
        // Results are in another store.
        Question::check_removal(state.question_use(id), false)?;
        let rest = state.agenda(meeting).into_iter().filter(|question| question.id != id).collect();
        state.arrange(meeting, rest);
        state.amend_question(meeting, Some(text), None);
        Ok(meeting)
    }

    async fn duplicate(
        &self,
        owner: ClientId,
        id: QuestionId,
        copy: QuestionCopy,
    ) -> Result<Question, ChangeQuestionError> {
        let mut state = self.state();
        let original = state.question_of(owner, id).ok_or(ChangeQuestionError::NotFound)?.clone();
        let Question { client_id, meeting_id, position, .. } = original;
        state.check_room(meeting_id, 1)?;
        let copy = Question { client_id, meeting_id, position: position + 1, ..copy(&original) };
        let mut agenda = state.agenda(meeting_id);
        let follows = copy.followed_ballot();
        if follows.is_some() && agenda.iter().any(|question| question.followed_ballot() == follows) {
            return Err(AgendaRule::HasNextBallot.into());
        }
        agenda.insert(position as usize, copy.clone());
        state.arrange(meeting_id, agenda);
        state.amend_question(meeting_id, None, Some(copy.text.to_string()));
        Ok(copy)
    }

    async fn reorder(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: AgendaOrder,
    ) -> Result<Vec<Question>, ReorderError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(ReorderError::MeetingNotFound)?;
        let mut agenda = state.agenda(meeting);
        let ids: Vec<QuestionId> = agenda.iter().map(|question| question.id).collect();
        if !order.fits(&ids) {
            return Err(ReorderError::NotTheAgenda);
        }
        agenda.sort_by_key(|question| order.questions().iter().position(|id| *id == question.id));
        state.arrange(meeting, agenda);
        Ok(state.agenda(meeting))
    }
}
