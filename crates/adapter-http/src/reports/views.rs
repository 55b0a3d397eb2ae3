use chrono::{DateTime, Utc};
use plenum_clients::ClientReport;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::clients::{ClientStatusName, PlanName};
use crate::extract::exact;

/// The number of an organization's voters.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "total": 180, "active": 176 }))]
pub(crate) struct ReportedEndUsers {
    total: u64,
    active: u64,
}

/// The number of an organization's meetings.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "total": 12, "active": 1, "completed": 9 }))]
pub(crate) struct ReportedMeetings {
    total: u64,
    /// With status ACTIVE.
    active: u64,
    /// With status COMPLETED.
    completed: u64,
}

/// The usage of an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_report)]
pub(crate) struct ClientReportView {
    id: Uuid,
    name: String,
    /// The organization's short public name.
    client_code: String,
    status: ClientStatusName,
    plan: PlanName,
    end_users: ReportedEndUsers,
    /// The exact total weight of active voters.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    total_weight: Decimal,
    meetings: ReportedMeetings,
    /// Questions on all agendas.
    questions: u64,
    /// All rounds.
    rounds: u64,
    /// Votes in all rounds, in heads.
    votes_cast: u64,
    /// The time of the newest action. Null without any action.
    #[schema(required)]
    last_activity_at: Option<DateTime<Utc>>,
}

/// An example for the OpenAPI document.
pub(super) fn example_report() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club",
        "status": "ACTIVE", "plan": "BASIC", "endUsers": { "total": 180, "active": 176 }, "totalWeight": 201.5,
        "meetings": { "total": 12, "active": 1, "completed": 9 }, "questions": 64, "rounds": 58, "votesCast": 7410,
        "lastActivityAt": "2026-11-21T18:09:12Z",
    })
}

impl From<&ClientReport> for ClientReportView {
    fn from(report: &ClientReport) -> Self {
        let ClientReport { client, end_users, meetings, .. } = report;
        Self {
            id: client.id.as_uuid(),
            name: client.name.to_string(),
            client_code: client.code.to_string(),
            status: client.status.into(),
            plan: client.plan.into(),
            end_users: ReportedEndUsers { total: end_users.total, active: end_users.active },
            total_weight: end_users.total_weight.normalize(),
            meetings: ReportedMeetings {
                total: meetings.total,
                active: meetings.active,
                completed: meetings.completed,
            },
            questions: report.questions,
            rounds: report.rounds,
            votes_cast: report.votes_cast,
            last_activity_at: report.last_activity_at,
        }
    }
}
