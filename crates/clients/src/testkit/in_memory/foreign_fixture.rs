use async_trait::async_trait;
use plenum_kernel::{ClientId, is_test_name};

use super::{InMemoryClients, State};
use crate::testkit::contract::{ForeignFixture, SeedMeeting, SeedQuestion, SeedRound};

impl State {
    fn meetings_of(&self, client: ClientId) -> impl Iterator<Item = &SeedMeeting> {
        self.meetings.iter().filter(move |meeting| meeting.client == client)
    }

    /// Whether a round of the client was ever opened.
    pub(super) fn was_opened(&self, client: ClientId) -> bool {
        let has_round = |question: &SeedQuestion| self.rounds.iter().any(|round| round.question == question.id);
        let is_of = |question: &SeedQuestion| self.meetings_of(client).any(|meeting| meeting.id == question.meeting);
        self.questions.iter().any(|question| is_of(question) && has_round(question))
    }

    /// The meetings that count in a client's statistics.
    pub(super) fn counted_meetings(&self, client: ClientId) -> impl Iterator<Item = &SeedMeeting> {
        self.meetings_of(client).filter(move |meeting| self.counts_in(client, is_test_name(&meeting.title)))
    }

    /// The questions that count in a client's statistics.
    pub(super) fn counted_questions(&self, client: ClientId) -> impl Iterator<Item = &SeedQuestion> {
        let is_of_client =
            move |question: &&SeedQuestion| self.counted_meetings(client).any(|meeting| meeting.id == question.meeting);
        self.questions.iter().filter(is_of_client)
    }

    /// The rounds that count in a client's statistics, each with its question.
    pub(super) fn counted_rounds(&self, client: ClientId) -> impl Iterator<Item = (&SeedQuestion, &SeedRound)> {
        self.counted_questions(client).flat_map(|question| {
            self.rounds.iter().filter(|round| round.question == question.id).map(move |round| (question, round))
        })
    }
}

/// The number of votes in a round.
pub(super) fn votes_cast(round: &SeedRound) -> u64 {
    round.votes_by_writer.iter().copied().map(u64::from).sum()
}

#[async_trait]
impl ForeignFixture for InMemoryClients {
    async fn add_meeting(&self, meeting: SeedMeeting) {
        self.state().meetings.push(meeting);
    }

    async fn add_question(&self, question: SeedQuestion) {
        self.state().questions.push(question);
    }

    async fn add_round(&self, round: SeedRound) {
        self.state().rounds.push(round);
    }
}
