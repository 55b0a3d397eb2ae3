use std::borrow::Cow;
use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, Page, PortFailure};

use crate::clients::sheet::time_text;
use crate::{
    Activity, ActivitySource, ClientFilter, ClientReport, ClientReportSource, ClientStatus, Sheet, SheetCell,
    SheetFile, SheetFormat, SheetWriter, SubscriptionPlan,
};

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

/// Reports the use of the product by clients, and recent events.
pub struct ReportService {
    clients: Arc<dyn ClientReportSource>,
    activity: Arc<dyn ActivitySource>,
    sheets: Arc<dyn SheetWriter>,
    clock: Arc<dyn Clock>,
}

impl ReportService {
    /// A service over these sources.
    pub fn new(
        clients: Arc<dyn ClientReportSource>,
        activity: Arc<dyn ActivitySource>,
        sheets: Arc<dyn SheetWriter>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { clients, activity, sheets, clock }
    }

    /// Reports on each client that matches the filter.
    ///
    /// # Errors
    /// Fails when the source does not answer.
    pub async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure> {
        self.clients.list(filter).await
    }

    /// Exports these reports to a file that is named after the day.
    ///
    /// # Errors
    /// Fails when the source or the writer does not answer.
    pub async fn export(&self, filter: &ClientFilter, format: SheetFormat) -> Result<SheetFile, PortFailure> {
        let reports = self.clients.list(filter).await?.rows;
        let rows = reports.iter().map(row_of).collect();
        let sheet = Sheet { title: "Clients", columns: COLUMNS.map(Cow::Borrowed).to_vec(), rows };
        let content = self.sheets.write(sheet, format).await?;
        let day = self.clock.now().format("%Y-%m-%d");
        Ok(SheetFile { name: format!("client-reports-{day}.{}", format.extension()), content })
    }

    /// Lists the last activities in one client, the newest first, at most `limit`. They are read from the stored data,
    /// so that no log can contradict it. Activities of deleted data are not listed.
    ///
    /// # Errors
    /// Fails when the source does not answer.
    pub async fn activity_of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        self.activity.of_client(owner, limit).await
    }

    /// Lists the last activities on the platform, as [`Self::activity_of_client`] does.
    ///
    /// # Errors
    /// Fails when the source does not answer.
    pub async fn activity_of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        self.activity.of_platform(limit).await
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
