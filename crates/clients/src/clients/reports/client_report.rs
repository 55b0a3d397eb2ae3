use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{Clock, Page, PortFailure};

use crate::clients::sheet::time_text;
use crate::{
    Client, ClientFilter, ClientReportSource, ClientStatus, EndUserStats, Sheet, SheetCell, SheetFile, SheetFormat,
    SheetWriter, SubscriptionPlan,
};

/// How many meetings a client has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeetingCounts {
    /// All of them.
    pub total: u64,
    /// Those that are running.
    pub active: u64,
    /// Those that are over.
    pub completed: u64,
}

/// How much a client uses the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientReport {
    /// The client itself.
    pub client: Client,
    /// Its end users, and what those who are active weigh together.
    pub end_users: EndUserStats,
    /// Its meetings.
    pub meetings: MeetingCounts,
    /// How many questions stand on its agendas.
    pub questions: u64,
    /// How many rounds there were.
    pub rounds: u64,
    /// How many votes were cast in them.
    pub votes_cast: u64,
    /// When the last thing happened that the client's own activity feed tells of.
    pub last_activity_at: Option<DateTime<Utc>>,
}

/// The columns of the file.
const COLUMNS: [&str; 14] = [
    "Name",
    "Client Code",
    "Status",
    "Plan",
    "End Users",
    "Active End Users",
    "Total Weight",
    "Meetings",
    "Active Meetings",
    "Completed Meetings",
    "Questions",
    "Rounds",
    "Votes Cast",
    "Last Activity",
];

/// Reports how much each client uses the product.
pub struct ClientReports {
    source: Arc<dyn ClientReportSource>,
    sheets: Arc<dyn SheetWriter>,
    clock: Arc<dyn Clock>,
}

impl ClientReports {
    /// Reports from this source.
    pub fn new(source: Arc<dyn ClientReportSource>, sheets: Arc<dyn SheetWriter>, clock: Arc<dyn Clock>) -> Self {
        Self { source, sheets, clock }
    }

    /// A report of each client that fits the filter.
    ///
    /// # Errors
    /// Fails when the source does not answer.
    pub async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure> {
        self.source.list(filter).await
    }

    /// The same as a file that is named after the day.
    ///
    /// # Errors
    /// Fails when the source or the writer does not answer.
    pub async fn export(&self, filter: &ClientFilter, format: SheetFormat) -> Result<SheetFile, PortFailure> {
        let reports = self.source.list(filter).await?.rows;
        let rows = reports.iter().map(row_of).collect();
        let sheet = Sheet { title: "Clients", columns: COLUMNS.to_vec(), rows };
        let content = self.sheets.write(sheet, format).await?;
        let day = self.clock.now().format("%Y-%m-%d");
        Ok(SheetFile { name: format!("client-reports-{day}.{}", format.extension()), content })
    }
}

fn row_of(report: &ClientReport) -> Vec<SheetCell> {
    let ClientReport { client, end_users, meetings, .. } = report;
    let text = |text: &str| SheetCell::Text(text.to_owned());
    let number = |number: u64| SheetCell::Number(number.into());
    vec![
        text(client.name.as_str()),
        text(client.code.as_str()),
        text(status_text(client.status)),
        text(plan_text(client.plan)),
        number(end_users.total),
        number(end_users.active),
        SheetCell::Number(end_users.total_weight),
        number(meetings.total),
        number(meetings.active),
        number(meetings.completed),
        number(report.questions),
        number(report.rounds),
        number(report.votes_cast),
        SheetCell::Text(report.last_activity_at.map(time_text).unwrap_or_default()),
    ]
}

fn status_text(status: ClientStatus) -> &'static str {
    match status {
        ClientStatus::Active => "Active",
        ClientStatus::Inactive => "Inactive",
        ClientStatus::Suspended => "Suspended",
    }
}

fn plan_text(plan: SubscriptionPlan) -> &'static str {
    match plan {
        SubscriptionPlan::Basic => "Basic",
        SubscriptionPlan::Pro => "Pro",
        SubscriptionPlan::Enterprise => "Enterprise",
    }
}
