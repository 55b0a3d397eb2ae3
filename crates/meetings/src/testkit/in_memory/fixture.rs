use std::sync::Arc;

use async_trait::async_trait;
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, NamedGroup, QuestionId, WeightKindId};

use super::super::contract::{Amended, MeetingsFixture};
use super::InMemoryMeetings;
use crate::{
    AttendanceStore, CheckInStore, DeskStore, InvitationStore, MeetingClient, MeetingStore, Participant,
    ParticipantStore, QuestionStore, QuestionUse, RehearsalStore, RemarkStore, VoterMeetings,
};

#[async_trait]
impl MeetingsFixture for InMemoryMeetings {
    fn meetings(&self) -> Arc<dyn MeetingStore> {
        Arc::new(self.clone())
    }

    fn participants(&self) -> Arc<dyn ParticipantStore> {
        Arc::new(self.clone())
    }

    fn questions(&self) -> Arc<dyn QuestionStore> {
        Arc::new(self.clone())
    }

    fn voter_meetings(&self) -> Arc<dyn VoterMeetings> {
        Arc::new(self.clone())
    }

    fn invitations(&self) -> Arc<dyn InvitationStore> {
        Arc::new(self.clone())
    }

    fn attendance(&self) -> Arc<dyn AttendanceStore> {
        Arc::new(self.clone())
    }

    fn check_ins(&self) -> Arc<dyn CheckInStore> {
        Arc::new(self.clone())
    }

    fn desks(&self) -> Arc<dyn DeskStore> {
        Arc::new(self.clone())
    }

    fn remarks(&self) -> Arc<dyn RemarkStore> {
        Arc::new(self.clone())
    }

    fn rehearsals(&self) -> Arc<dyn RehearsalStore> {
        Arc::new(self.clone())
    }

    async fn add_account(&self, _: ClientId, id: AccountId, first_name: &str, last_name: &str) {
        let name = format!("{first_name} {last_name}");
        let name = if name.trim().is_empty() { format!("{id}@example.org") } else { name.trim().to_owned() };
        self.state().accounts.insert(id, name);
    }

    async fn add_client(&self, client: MeetingClient) {
        self.state().clients.insert(client.id, client);
    }

    async fn add_end_user(&self, client: ClientId, person: Participant) {
        self.state().end_users.insert(person.id, (client, person));
    }

    async fn add_weight_kind(&self, client: ClientId, id: WeightKindId, name: &str) {
        self.state().weight_kinds.insert(id, (client, name.to_owned()));
    }

    async fn add_group(&self, client: ClientId, group: NamedGroup, members: Vec<EndUserId>) {
        let mut state = self.state();
        state.groups.insert(group.id, client);
        for member in members {
            let (_, person) = state.end_users.get_mut(&member).expect("the end user was seeded");
            person.groups.push(group.clone());
            person.groups.sort_by_key(|group| group.name.to_lowercase());
        }
    }

    async fn remove_end_user(&self, id: EndUserId) {
        let mut state = self.state();
        state.end_users.remove(&id);
        for listed in state.listed.values_mut() {
            listed.remove(&id);
        }
        state.invitations.retain(|(_, end_user), _| *end_user != id);
        for stored in state.rehearsals.values_mut() {
            stored.answers.remove(&id);
        }
    }

    async fn change_end_user(&self, changed: Participant) {
        let mut state = self.state();
        let (_, person) = state.end_users.get_mut(&changed.id).expect("the end user was seeded");
        *person = changed;
    }

    async fn closings(&self, meeting: MeetingId) -> Vec<String> {
        self.state().closings.get(&meeting).cloned().unwrap_or_default()
    }

    async fn amendments(&self, meeting: MeetingId) -> Vec<Amended> {
        self.state().amendments.get(&meeting).cloned().unwrap_or_default()
    }

    async fn forget_closings(&self, meeting: MeetingId) {
        let mut state = self.state();
        state.closings.remove(&meeting);
        state.meetings.get_mut(&meeting).expect("the meeting is there").closing_hash = None;
    }

    async fn mark_used(&self, question: QuestionId, used: QuestionUse) {
        self.state().used.insert(question, used);
    }

    async fn add_to_register(&self, question: QuestionId, voter: EndUserId) {
        self.state().registers.entry(question).or_default().insert(voter);
    }
}
