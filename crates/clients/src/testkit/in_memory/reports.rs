use async_trait::async_trait;
use plenum_kernel::{Page, PortFailure};

use super::foreign_fixture::votes_cast;
use super::{InMemoryClients, State, page_of};
use crate::testkit::contract::SeedStatus;
use crate::{Client, ClientFilter, ClientReport, ClientReportSource, MeetingCounts};

impl State {
    fn report(&self, client: &Client) -> ClientReport {
        let in_status =
            |status| self.counted_meetings(client.id).filter(|meeting| meeting.status == status).count() as u64;
        ClientReport {
            client: client.clone(),
            end_users: self.end_user_stats(client.id),
            meetings: MeetingCounts {
                total: self.counted_meetings(client.id).count() as u64,
                active: in_status(SeedStatus::Active),
                completed: in_status(SeedStatus::Completed),
            },
            questions: self.counted_questions(client.id).count() as u64,
            rounds: self.counted_rounds(client.id).count() as u64,
            votes_cast: self.counted_rounds(client.id).map(|(_, round)| votes_cast(round)).sum(),
            last_activity_at: self.events_in(client.id).into_iter().map(|(at, _)| at).max(),
        }
    }
}

#[async_trait]
impl ClientReportSource for InMemoryClients {
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure> {
        let state = self.state();
        let clients = state.matching_clients(filter).into_iter().filter(|client| !client.is_test());
        let reports = clients.map(|client| state.report(client)).collect();
        Ok(page_of(reports, filter.page))
    }
}
