use actix_web::web::{Data, Json};
use actix_web::{get, put};
use plenum_kernel::{MeetingId, QuestionId};
use plenum_voting::{AllowedHolders, ChangeProxySettingsError, ProxyService, ProxySettings};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::read_exact;

/// The people who may hold proxies.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum HoldersName {
    /// Those who may vote in the meeting.
    Participants,
    /// Every active end user of the organization.
    Anybody,
}

/// The proxies of a meeting. All fields are needed; null means without limit.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "isOn": true, "principalsMayGrant": true, "maxPrincipals": 3, "maxWeight": null, "maxSharePercent": 10,
    "holders": "PARTICIPANTS", "questionsWithout": [],
}))]
pub(super) struct ProxySettingsView {
    /// Whether votes can be cast by proxy.
    is_on: bool,
    /// Whether principals grant proxies themselves, beside the organizers.
    principals_may_grant: bool,
    /// The most principals of one holder on one question.
    #[schema(required, minimum = 1, maximum = 100_000)]
    max_principals: Option<u32>,
    /// The largest sum of the weights of one holder's principals on one question. At most 6 decimals.
    #[serde(default, deserialize_with = "read_exact", serialize_with = "exact_or_null")]
    #[schema(value_type = Option<f64>, required, exclusive_minimum = 0, maximum = 1_000_000_000_000_f64)]
    max_weight: Option<Decimal>,
    /// The same as a share of the weight of everybody who may vote, in percent. At most 2 decimals.
    #[serde(default, deserialize_with = "read_exact", serialize_with = "exact_or_null")]
    #[schema(value_type = Option<f64>, required, exclusive_minimum = 0, maximum = 100)]
    max_share_percent: Option<Decimal>,
    holders: HoldersName,
    /// The questions on which nobody can vote by proxy.
    #[schema(max_items = 500)]
    questions_without: Vec<Uuid>,
}

fn exact_or_null<S: serde::Serializer>(number: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    rust_decimal::serde::arbitrary_precision_option::serialize(number, serializer)
}

impl From<ProxySettings> for ProxySettingsView {
    fn from(settings: ProxySettings) -> Self {
        Self {
            is_on: settings.is_on,
            principals_may_grant: settings.principals_may_grant,
            max_principals: settings.max_principals,
            max_weight: settings.max_weight,
            max_share_percent: settings.max_share,
            holders: match settings.holders {
                AllowedHolders::Participants => HoldersName::Participants,
                AllowedHolders::Anybody => HoldersName::Anybody,
            },
            questions_without: settings.without_questions.into_iter().map(QuestionId::as_uuid).collect(),
        }
    }
}

impl ProxySettingsView {
    fn read(self) -> Result<ProxySettings, ApiError> {
        let mut check = FieldCheck::default();
        if self.max_principals.is_some_and(|limit| limit == 0 || limit > 100_000) {
            check.note("maxPrincipals", "Must be a whole number from 1 to 100,000, or null.".to_owned());
        }
        let is_within = |number: Decimal, max: i64, decimals: u32| {
            number > Decimal::ZERO && number <= Decimal::from(max) && number.normalize().scale() <= decimals
        };
        if self.max_weight.is_some_and(|limit| !is_within(limit, 1_000_000_000_000, 6)) {
            check.note("maxWeight", "Must be a number above 0 with at most 6 decimals, or null.".to_owned());
        }
        if self.max_share_percent.is_some_and(|limit| !is_within(limit, 100, 2)) {
            let wanted = "Must be a number above 0 and at most 100, with at most 2 decimals, or null.";
            check.note("maxSharePercent", wanted.to_owned());
        }
        if self.questions_without.len() > 500 {
            check.note("questionsWithout", "Must have at most 500 questions.".to_owned());
        }
        check.finish(Some(ProxySettings {
            is_on: self.is_on,
            principals_may_grant: self.principals_may_grant,
            max_principals: self.max_principals,
            max_weight: self.max_weight,
            max_share: self.max_share_percent,
            holders: match self.holders {
                HoldersName::Participants => AllowedHolders::Participants,
                HoldersName::Anybody => AllowedHolders::Anybody,
            },
            without_questions: self.questions_without.into_iter().map(QuestionId::from_uuid).collect(),
        }))
    }
}

impl From<ChangeProxySettingsError> for ApiError {
    fn from(error: ChangeProxySettingsError) -> Self {
        match error {
            ChangeProxySettingsError::MeetingNotFound => MeetingId::missing(),
            ChangeProxySettingsError::UnknownQuestion => {
                Self::invalid_field("questionsWithout", "Must be ids of questions of this meeting.")
            }
            ChangeProxySettingsError::Port(failure) => failure.into(),
        }
    }
}

/// Returns the settings of a meeting's proxies.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The settings", body = ProxySettingsView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/proxies/settings")]
pub(super) async fn proxy_settings(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    proxies: Data<ProxyService>,
) -> Result<Json<ProxySettingsView>, ApiError> {
    let settings = proxies.settings(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(settings.into()))
}

/// Changes the settings of a meeting's proxies. Limits apply to later grants. Proxies that were granted before stay; the list of
/// holders shows those beyond the limits. The settings take effect at the next opening.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = ProxySettingsView,
    responses(
        (status = 200, description = "The new settings", body = ProxySettingsView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[put("/client/meetings/{meetingId}/proxies/settings")]
pub(super) async fn change_proxy_settings(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<ProxySettingsView>,
    proxies: Data<ProxyService>,
) -> Result<Json<ProxySettingsView>, ApiError> {
    let settings = body.read()?;
    proxies.change_settings(admin.client_id, meeting, settings.clone()).await?;
    Ok(Json(settings.into()))
}
