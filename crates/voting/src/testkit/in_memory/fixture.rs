use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::DateTime;
use plenum_kernel::{
    AccountId, ClientId, DeskId, EndUserId, GroupId, MeetingId, MeetingQuorum, NamedGroup, PresenceRule, QuestionId,
    RoundId, Step, WeightKind,
};
use rust_decimal::Decimal;

use super::super::InMemoryUrnKeys;
use super::super::contract::{SeedKinds, SeedMeeting, SeedPassword, SeedQuestion, SeedTerms, SeedVoter, VotingFixture};
use super::{InMemoryVoting, KnownMeeting, KnownQuestion};
use crate::{
    Archives, BallotBox, CurationStore, Declared, LogEntry, PaperVotes, ProxyStore, PurgeDocuments, PurgeStore,
    RecordTimestamps, RegisterChanges, ResultRecords, ResultStore, RoundStatus, RoundStore, UrnStore,
};

#[async_trait]
impl VotingFixture for InMemoryVoting {
    fn rounds(&self) -> Arc<dyn RoundStore> {
        Arc::new(self.clone())
    }

    fn results(&self) -> Arc<dyn ResultStore> {
        Arc::new(self.clone())
    }

    fn result_records(&self) -> Arc<dyn ResultRecords> {
        Arc::new(self.clone())
    }

    fn curations(&self) -> Arc<dyn CurationStore> {
        Arc::new(self.clone())
    }

    fn timestamps(&self) -> Arc<dyn RecordTimestamps> {
        Arc::new(self.clone())
    }

    fn paper_votes(&self) -> Arc<dyn PaperVotes> {
        Arc::new(self.clone())
    }

    async fn add_desk(&self, _: ClientId, _: MeetingId, desk: DeskId, name: &str) {
        self.state().desk_names.insert(desk, name.to_owned());
    }

    fn urns(&self) -> Arc<dyn UrnStore> {
        Arc::new(self.clone())
    }

    fn urn_keys(&self) -> Arc<InMemoryUrnKeys> {
        Arc::new(self.keys.clone())
    }

    fn archives(&self) -> Arc<dyn Archives> {
        Arc::new(self.clone())
    }

    fn purges(&self) -> Arc<dyn PurgeStore> {
        Arc::new(self.clone())
    }

    fn purge_documents(&self) -> Arc<dyn PurgeDocuments> {
        Arc::new(self.clone())
    }

    async fn forget_record(&self, round: RoundId) {
        self.state().records.retain(|record| record.round != round);
    }

    fn ballot_box(&self) -> Arc<dyn BallotBox> {
        Arc::new(self.clone())
    }

    fn proxies(&self) -> Arc<dyn ProxyStore> {
        Arc::new(self.clone())
    }

    fn register_changes(&self) -> Arc<dyn RegisterChanges> {
        Arc::new(self.clone())
    }

    async fn log_of(&self, round: RoundId) -> Vec<LogEntry> {
        let mut log = self.state().round_mut(round).map(|known| known.log.clone()).unwrap_or_default();
        log.sort_by_key(|entry| entry.at);
        log
    }

    async fn is_listed(&self, meeting: MeetingId, voter: EndUserId) -> bool {
        self.state().meetings.get(&meeting).is_some_and(|known| known.listed.contains(&voter))
    }

    async fn set_presence_rule(&self, round: RoundId, rule: PresenceRule) {
        if let Some(known) = self.state().round_mut(round) {
            known.terms.presence = rule;
        }
    }

    async fn set_check_in(&self, meeting: MeetingId, present: Option<Vec<EndUserId>>) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.present = present.map(|present| present.into_iter().collect());
        }
    }

    async fn set_passwords(&self, client: ClientId, voters: &[EndUserId], password: SeedPassword) -> bool {
        self.state().set_passwords(client, voters, &password)
    }

    /// The fake keeps no passwords, and the settings by others stay known.
    async fn change_own_password(&self, _client: ClientId, _voter: EndUserId) {}

    async fn rename_voter(&self, voter: EndUserId, username: &str) {
        if let Some(known) = self.state().voters.get_mut(&voter) {
            username.clone_into(&mut known.username);
        }
    }

    async fn set_weight(&self, voter: EndUserId, weight: Decimal) {
        if let Some(known) = self.state().voters.get_mut(&voter) {
            known.weight = weight;
        }
    }

    async fn add_meeting(&self, meeting: SeedMeeting) {
        let known = KnownMeeting {
            client: meeting.client,
            title: "General assembly".to_owned(),
            is_active: true,
            has_participant_list: meeting.has_participant_list,
            listed: BTreeSet::new(),
            current: None,
            step: Step::default(),
            quorum: None,
            is_second_call: false,
            counts_surveys_at_end: false,
            groups: Vec::new(),
            weight_kind: None,
            present: None,
        };
        self.state().meetings.insert(meeting.id, known);
    }

    async fn add_account(&self, _client: ClientId, account: AccountId, first_name: &str, last_name: &str) {
        self.state().account_names.insert(account, format!("{first_name} {last_name}"));
    }

    async fn rename_client(&self, client: ClientId, name: &str) {
        self.state().client_names.insert(client, name.to_owned());
    }

    async fn rename_meeting(&self, meeting: MeetingId, title: &str) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            title.clone_into(&mut known.title);
        }
    }

    async fn add_question(&self, question: SeedQuestion) {
        let SeedQuestion { meeting, id: _, position, wording } = question.clone();
        let (terms, groups, weight_kinds) = (SeedTerms::default(), Vec::new(), (None, None));
        let known = KnownQuestion { meeting, position, wording, terms, groups, weight_kinds };
        self.state().questions.insert(question.id, known);
    }

    async fn add_voter(&self, voter: SeedVoter) {
        self.state().voters.insert(voter.id, voter);
    }

    async fn invite(&self, meeting: MeetingId, voter: EndUserId) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.listed.insert(voter);
        }
    }

    async fn add_group(&self, _client: ClientId, group: NamedGroup, members: &[EndUserId]) {
        self.state().groups.insert(group.id, (group.name, members.iter().copied().collect()));
    }

    async fn set_member(&self, group: GroupId, voter: EndUserId, is_member: bool) {
        let mut state = self.state();
        let Some((_, members)) = state.groups.get_mut(&group) else { return };
        if is_member {
            members.insert(voter);
        } else {
            members.remove(&voter);
        }
    }

    async fn set_meeting_groups(&self, meeting: MeetingId, groups: &[GroupId]) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.groups = groups.to_vec();
        }
    }

    async fn set_question_groups(&self, question: QuestionId, groups: &[GroupId]) {
        if let Some(known) = self.state().questions.get_mut(&question) {
            known.groups = groups.to_vec();
        }
    }

    async fn set_weight_kind(&self, _client: ClientId, kind: &WeightKind, values: &[(EndUserId, Decimal)]) {
        let mut state = self.state();
        state.weights.kinds.insert(kind.id, kind.clone());
        state.weights.values.extend(values.iter().map(|(person, value)| ((kind.id, *person), *value)));
    }

    async fn set_kinds(&self, meeting: MeetingId, question: QuestionId, kinds: SeedKinds) {
        let mut state = self.state();
        if let Some(known) = state.meetings.get_mut(&meeting) {
            known.weight_kind = kinds.meeting;
        }
        if let Some(known) = state.questions.get_mut(&question) {
            known.weight_kinds = (kinds.question, kinds.second);
        }
    }

    async fn set_voter_active(&self, voter: EndUserId, is_active: bool) {
        if let Some(known) = self.state().voters.get_mut(&voter) {
            known.is_active = is_active;
        }
    }

    async fn remove_voter(&self, voter: EndUserId) {
        let mut state = self.state();
        state.voters.remove(&voter);
        state.exclusions.retain(|(_, excluded), _| *excluded != voter);
    }

    async fn set_meeting_active(&self, meeting: MeetingId, is_active: bool) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.is_active = is_active;
        }
    }

    async fn reword(&self, question: QuestionId, text: &str) {
        if let Some(known) = self.state().questions.get_mut(&question) {
            text.clone_into(&mut known.wording.text);
        }
    }

    async fn rename_option(&self, question: QuestionId, position: u32, text: &str) {
        let mut state = self.state();
        let Some(known) = state.questions.get_mut(&question) else { return };
        let options = known.wording.options.iter_mut();
        options.filter(|option| option.position == position).for_each(|option| text.clone_into(&mut option.text));
    }

    async fn set_terms(&self, question: QuestionId, terms: SeedTerms) {
        if let Some(known) = self.state().questions.get_mut(&question) {
            known.terms = terms;
        }
    }

    async fn set_second_call(&self, meeting: MeetingId, is_second_call: bool) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.is_second_call = is_second_call;
        }
    }

    async fn set_meeting_quorum(&self, meeting: MeetingId, quorum: Option<MeetingQuorum>) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.quorum = quorum;
        }
    }

    async fn set_counting_at_end(&self, meeting: MeetingId, counts: bool) {
        if let Some(known) = self.state().meetings.get_mut(&meeting) {
            known.counts_surveys_at_end = counts;
        }
    }

    async fn declare(&self, round: RoundId) {
        if let Some(known) = self.state().round_mut(round) {
            known.round.status = RoundStatus::Declared;
            known.round.declared = Some(Declared { at: DateTime::UNIX_EPOCH, by: "Anna Berg".to_owned() });
        }
    }
}
