use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};

use super::{InMemoryVoting, SeedVoter, person_of, weight_in};
use crate::{
    AdmitError, ExcludeError, Exclusion, Latecomer, LiftExclusionError, LogEntry, LogKind, RegisterChange,
    RegisterChanges, RoundStatus, decide_admission, decide_exclusion,
};

#[async_trait]
impl RegisterChanges for InMemoryVoting {
    async fn exclusions(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Vec<Exclusion>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() || !state.has_question(meeting, question) {
            return Ok(None);
        }
        let of_question = state.exclusions.iter().filter(|((excluded_from, _), _)| *excluded_from == question);
        let mut exclusions: Vec<Exclusion> = of_question.map(|(_, exclusion)| exclusion.clone()).collect();
        exclusions.sort_by_key(|exclusion| (exclusion.name.to_lowercase(), exclusion.end_user_id));
        Ok(Some(exclusions))
    }

    async fn exclude(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        change: RegisterChange,
    ) -> Result<Exclusion, ExcludeError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(ExcludeError::MeetingNotFound)?;
        if !state.has_question(meeting, question) {
            return Err(ExcludeError::QuestionNotFound);
        }
        let voter = state.voter_of(owner, change.end_user).ok_or(ExcludeError::EndUserNotFound)?.clone();
        let open = state.open_round_of(question);
        let has_voted = open.is_some_and(|known| known.votes.contains_key(&voter.id));
        let open = open.map(|known| known.round.id);
        decide_exclusion(state.exclusions.contains_key(&(question, voter.id)), has_voted)?;
        let at = state.time(meeting, change.at);
        let exclusion = Exclusion {
            end_user_id: voter.id,
            name: voter.name,
            username: voter.username,
            reason: change.reason,
            at,
            by: state.account_name(change.by),
        };
        state.exclusions.insert((question, voter.id), exclusion.clone());
        if let Some(round) = open {
            state.leave_out_excluded(round);
        }
        Ok(exclusion)
    }

    async fn lift(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        end_user: EndUserId,
    ) -> Result<(), LiftExclusionError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(LiftExclusionError::MeetingNotFound)?;
        if !state.has_question(meeting, question) {
            return Err(LiftExclusionError::QuestionNotFound);
        }
        if !state.exclusions.contains_key(&(question, end_user)) {
            return Err(LiftExclusionError::NotExcluded);
        }
        if state.open_round_of(question).is_some() {
            return Err(LiftExclusionError::RoundOpen);
        }
        state.exclusions.remove(&(question, end_user));
        Ok(())
    }

    async fn admit(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        change: RegisterChange,
    ) -> Result<LogEntry, AdmitError> {
        let mut state = self.state();
        let known = state.round_of(owner, meeting, round).ok_or(AdmitError::RoundNotFound)?;
        let (question, is_open) = (known.round.question_id, known.round.status == RoundStatus::Open);
        let voter = state.voter_of(owner, change.end_user).ok_or(AdmitError::EndUserNotFound)?.clone();
        let is_in_register = known.register.contains_key(&change.end_user);
        let second = known.round.second_weight_kind.as_ref().map(|kind| state.weights.of(Some(kind.id), &voter));
        let voter = SeedVoter { weight: weight_in(known, &state.weights, &voter), ..voter };
        let username = voter.username.to_lowercase();
        let username_is_in_register = known.register.values().any(|entry| entry.username.to_lowercase() == username);
        // Meetings of the fake have no limit.
        let latecomer = Latecomer {
            round_is_open: is_open,
            is_in_register,
            username_is_in_register,
            is_active: voter.is_active,
            is_test_in_real_meeting: voter.is_test() && !state.is_for_tests(meeting),
            is_outside_groups: !state.takes_part_by_groups(meeting, question, voter.id),
            full_list: None,
        };
        decide_admission(&latecomer)?;
        let at = state.time(meeting, change.at);
        let entry = LogEntry {
            at,
            kind: LogKind::Admitted,
            by: Some(state.account_name(change.by)),
            person: Some(person_of(&voter)),
            reason: Some(change.reason.to_string()),
        };
        state.exclusions.remove(&(question, voter.id));
        if let Some(meeting) = state.meetings.get_mut(&meeting).filter(|meeting| meeting.has_participant_list) {
            meeting.listed.insert(voter.id);
        }
        if let Some(known) = state.round_mut(round) {
            known.round.register.add(voter.weight);
            known.added.insert(voter.id, at);
            known.second_weights.extend(second.map(|second| (voter.id, second)));
            known.register.insert(voter.id, voter);
            known.log.push(entry.clone());
        }
        for person in state.register_represented(round, change.end_user, at) {
            let known = state.round_mut(round);
            known
                .into_iter()
                .for_each(|known| known.log.push(LogEntry { person: Some(person.clone()), ..entry.clone() }));
        }
        state.keep_proxies_of_latecomer(round, change.end_user, at);
        state.place_members(round);
        state.count_absent(round);
        Ok(entry)
    }
}
