use chrono::{DateTime, Utc};
use plenum_clients::EndUser;
use plenum_meetings::Participant;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::end_users::weights::WeightView;
use crate::extract::exact;
use crate::views::GroupReferenceView;

/// A voter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_end_user)]
pub(crate) struct EndUserView {
    id: Uuid,
    username: String,
    name: String,
    #[schema(required)]
    email: Option<String>,
    #[schema(required)]
    address: Option<String>,
    /// 0 to 100, exact, with at most 4 decimals.
    #[serde(with = "exact")]
    #[schema(value_type = f64, example = 1.5)]
    weight: Decimal,
    /// The values of kinds of weight, in the order of the kinds' ids. A kind that is not listed has 0.
    weights: Vec<WeightView>,
    /// The groups of the voter, by name.
    groups: Vec<GroupReferenceView>,
    /// Whether the voter may sign in and vote.
    is_active: bool,
    #[schema(required)]
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    /// Whether the name or the username starts with `TEST_`. Unless the organization is test data itself, its
    /// statistics and files leave such voters out, and its meetings for everybody do not include them.
    is_test: bool,
    /// Whether the personal data was erased. Such a voter cannot be changed, and never signs in again.
    is_erased: bool,
}

/// An example for the OpenAPI document.
pub(crate) fn example_end_user() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000003", "username": "ben", "name": "Ben Otto", "email": "ben@example.org",
        "address": null, "weight": 1.5,
        "weights": [{ "kindId": "019a9d5e-0000-7000-8000-000000000030", "value": "250.5" }],
        "groups": [{ "id": "019a9d5e-0000-7000-8000-000000000020", "name": "Delegates" }], "isActive": true, "lastLoginAt": "2026-11-21T18:01:12Z",
        "createdAt": "2026-11-21T09:45:00Z", "isTest": false, "isErased": false,
    })
}

impl From<&EndUser> for EndUserView {
    fn from(end_user: &EndUser) -> Self {
        Self {
            id: end_user.id.as_uuid(),
            username: end_user.username.to_string(),
            name: end_user.name.to_string(),
            email: end_user.email.as_ref().map(ToString::to_string),
            address: end_user.address.as_ref().map(ToString::to_string),
            weight: end_user.weight.as_decimal(),
            weights: WeightView::all(&end_user.weights),
            groups: end_user.groups.iter().map(GroupReferenceView::from).collect(),
            is_active: end_user.is_active,
            last_login_at: end_user.last_login_at,
            created_at: end_user.created_at,
            is_test: end_user.is_test(),
            is_erased: end_user.is_erased,
        }
    }
}

impl From<Participant> for EndUserView {
    fn from(participant: Participant) -> Self {
        Self {
            is_test: participant.is_test(),
            is_erased: participant.is_erased,
            id: participant.id.as_uuid(),
            username: participant.username,
            name: participant.name,
            email: participant.email,
            address: participant.address,
            weight: participant.weight.as_decimal(),
            weights: WeightView::all(&participant.weights),
            groups: participant.groups.iter().map(GroupReferenceView::from).collect(),
            is_active: participant.is_active,
            last_login_at: participant.last_login_at,
            created_at: participant.created_at,
        }
    }
}

/// One voter in the envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_end_user() }))]
pub(crate) struct EndUserAnswer {
    pub(crate) success: bool,
    pub(crate) data: EndUserView,
}
