use chrono::{DateTime, Utc};
use plenum_clients::{ClientOverview, ClientStatus, ContactAdmin, SubscriptionPlan};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// The status of an organization. Its people can sign in only if it is ACTIVE.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = ClientStatus)]
pub(crate) enum ClientStatusName {
    Active,
    Inactive,
    Suspended,
}

impl From<ClientStatus> for ClientStatusName {
    fn from(status: ClientStatus) -> Self {
        match status {
            ClientStatus::Active => Self::Active,
            ClientStatus::Inactive => Self::Inactive,
            ClientStatus::Suspended => Self::Suspended,
        }
    }
}

impl From<ClientStatusName> for ClientStatus {
    fn from(status: ClientStatusName) -> Self {
        match status {
            ClientStatusName::Active => Self::Active,
            ClientStatusName::Inactive => Self::Inactive,
            ClientStatusName::Suspended => Self::Suspended,
        }
    }
}

/// The subscription plan of an organization.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = SubscriptionPlan)]
pub(crate) enum PlanName {
    Basic,
    Pro,
    Enterprise,
}

impl From<SubscriptionPlan> for PlanName {
    fn from(plan: SubscriptionPlan) -> Self {
        match plan {
            SubscriptionPlan::Basic => Self::Basic,
            SubscriptionPlan::Pro => Self::Pro,
            SubscriptionPlan::Enterprise => Self::Enterprise,
        }
    }
}

impl From<PlanName> for SubscriptionPlan {
    fn from(plan: PlanName) -> Self {
        match plan {
            PlanName::Basic => Self::Basic,
            PlanName::Pro => Self::Pro,
            PlanName::Enterprise => Self::Enterprise,
        }
    }
}

/// An account of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000002", "email": "anna@example.org", "role": "CLIENT", "firstName": "Anna",
    "lastName": "Berg",
}))]
pub(crate) struct ClientUserView {
    id: Uuid,
    email: String,
    /// `CLIENT`.
    role: &'static str,
    first_name: String,
    last_name: String,
}

impl From<&ContactAdmin> for ClientUserView {
    fn from(admin: &ContactAdmin) -> Self {
        Self {
            id: admin.id.as_uuid(),
            email: admin.email.to_string(),
            role: "CLIENT",
            first_name: admin.first_name.to_string(),
            last_name: admin.last_name.to_string(),
        }
    }
}

/// The number of accounts, voters and meetings of an organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "users": 1, "endUsers": 180, "meetings": 12 }))]
pub(crate) struct ClientCounts {
    /// Accounts.
    users: u64,
    /// Voters. Test data counts only if the organization itself is test data.
    end_users: u64,
    /// Meetings. Test data counts only if the organization itself is test data.
    meetings: u64,
}

/// An organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_client)]
pub(crate) struct ClientView {
    id: Uuid,
    name: String,
    /// The organization's short public name.
    client_code: String,
    contact_email: String,
    status: ClientStatusName,
    subscription_plan: PlanName,
    created_at: DateTime<Utc>,
    /// Whether the name starts with `TEST_`. Statistics of all clients leave such an organization out.
    is_test: bool,
    /// The accounts. The first one is the main contact.
    users: Vec<ClientUserView>,
    #[serde(rename = "_count")]
    count: ClientCounts,
}

/// An example for the OpenAPI document.
pub(super) fn example_client() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club",
        "contactEmail": "anna@example.org", "status": "ACTIVE", "subscriptionPlan": "BASIC",
        "createdAt": "2026-11-21T09:30:00Z", "isTest": false,
        "users": [{
            "id": "019a9d5e-0000-7000-8000-000000000002", "email": "anna@example.org", "role": "CLIENT",
            "firstName": "Anna", "lastName": "Berg",
        }],
        "_count": { "users": 1, "endUsers": 180, "meetings": 12 },
    })
}

impl From<&ClientOverview> for ClientView {
    fn from(overview: &ClientOverview) -> Self {
        let client = &overview.client;
        Self {
            id: client.id.as_uuid(),
            name: client.name.to_string(),
            client_code: client.code.to_string(),
            contact_email: client.contact_email.to_string(),
            status: client.status.into(),
            subscription_plan: client.plan.into(),
            created_at: client.created_at,
            is_test: client.is_test(),
            users: overview.admins.iter().map(ClientUserView::from).collect(),
            count: ClientCounts {
                users: overview.admins.len() as u64,
                end_users: overview.end_user_count,
                meetings: overview.meeting_count,
            },
        }
    }
}

/// One organization in its envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_client() }))]
pub(crate) struct ClientAnswer {
    pub(crate) success: bool,
    pub(crate) data: ClientView,
}
