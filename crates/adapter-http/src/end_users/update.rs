use actix_web::put;
use actix_web::web::{Data, Json};
use plenum_clients::{
    Address, EndUserChanges, EndUserService, GroupService, Password, PersonName, SessionRevocation, Username,
    WeightKindService,
};
use plenum_kernel::{EmailAddress, EndUserId, PasswordSetter, VotingWeight};
use rust_decimal::Decimal;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::end_users::groups::read_groups;
use crate::end_users::password_reason::read_setter;
use crate::end_users::views::{EndUserAnswer, EndUserView};
use crate::end_users::weights::{WeightBody, read_weight_changes};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::cleared;
use crate::extract::read_exact;
use crate::live::Revocations;

/// Changes to a voter. Missing fields change nothing. `null` or an empty text clears an email or postal address.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Ben Otto", "email": "ben@example.org", "address": null, "weight": 2.5 }))]
pub(crate) struct UpdateEndUserBody {
    /// The name for sign-in, unique in the organization regardless of case. 1 to 64 characters after trimming. Not `erased-` and
    /// 32 hexadecimal digits, as erased people have it.
    #[schema(min_length = 1, max_length = 64)]
    username: Option<String>,
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// An email address of at most 254 characters after trimming.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<String>, max_length = 254)]
    email: Option<Option<String>>,
    /// At most 500 characters after trimming.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<String>, max_length = 500)]
    address: Option<Option<String>>,
    /// 0 to 100 with at most 4 decimals. Open rounds keep the weight of their register.
    #[serde(default, deserialize_with = "read_exact")]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    weight: Option<Decimal>,
    /// The values of all kinds of weight: a kind that is not listed gets 0. Open rounds keep the values of their register.
    #[schema(max_items = 20)]
    weights: Option<Vec<WeightBody>>,
    /// The values of some kinds of weight, in place of `weights`: a kind that is not listed keeps its value.
    #[schema(max_items = 20)]
    weight_changes: Option<Vec<WeightBody>>,
    /// Ids of the organization's groups, at most 50. They replace the voter's groups.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    group_ids: Option<Vec<String>>,
    /// Whether the voter may sign in and vote. False ends all their sessions.
    is_active: Option<bool>,
    /// At least 8 characters, at most 72 bytes. Empty changes nothing. A new password ends all sessions of the voter.
    password: Option<String>,
    /// The reason for the new password, shown in the log of each open vote that the voter may vote in. Needed only then. At
    /// most 200 characters after trimming.
    #[schema(max_length = 200)]
    password_reason: Option<String>,
}

impl UpdateEndUserBody {
    fn check(&self, admin: &ClientAdmin) -> Result<(EndUserChanges, Option<(Password, PasswordSetter)>), ApiError> {
        let mut check = FieldCheck::default();
        let changes = EndUserChanges {
            username: self
                .username
                .as_deref()
                .and_then(|username| check.keep("username", Username::parse_chosen(username))),
            name: self.name.as_deref().and_then(|name| check.keep("name", PersonName::parse(name))),
            email: check.keep_change("email", self.email.as_ref(), EmailAddress::parse),
            address: check.keep_change("address", self.address.as_ref(), Address::parse),
            weight: self.weight.and_then(|weight| check.keep("weight", VotingWeight::new(weight))),
            weights: None,
            groups: None,
            is_active: self.is_active,
        };
        let password = check.keep_text("password", self.password.as_deref(), Password::parse);
        let setter = read_setter(&mut check, admin, self.password_reason.as_deref());
        check.finish(Some((changes, password.map(|password| (password, setter)))))
    }
}

/// Changes a voter. A new password or deactivation ends all sessions of the voter.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(("endUserId" = Uuid, Path)),
    request_body = UpdateEndUserBody,
    responses(
        (status = 200, description = "The changed voter", body = EndUserAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The username is taken, the personal data was erased (`end_user_erased`), or the voter may vote in an open question and the new password has no reason", body = ApiErrorBody,
         example = json!({
             "code": "password_reason_needed",
             "error": "1 person may vote on “Approve the budget?” in “General assembly”, and voting is open. Give a reason: it is shown in the minutes, with your name. Or end the question first",
             "fields": { "passwordReason": ["Must be the reason for the new password, of 1 to 200 characters."] },
             "openVotes": [{ "meeting": "General assembly", "question": "Approve the budget?", "people": 1 }],
         })),
    ),
)]
#[put("/client/end-users/{endUserId}")]
pub(crate) async fn update_end_user(
    admin: ClientAdmin,
    PathId(id): PathId<EndUserId>,
    Body(body): Body<UpdateEndUserBody>,
    (end_users, groups, kinds): (Data<EndUserService>, Data<GroupService>, Data<WeightKindService>),
    revocations: Data<Revocations>,
) -> Result<Json<EndUserAnswer>, ApiError> {
    let groups = match &body.group_ids {
        Some(ids) => Some(read_groups(&groups, admin.client_id, ids).await?),
        None => None,
    };
    let (all, some) = (body.weights.as_deref(), body.weight_changes.as_deref());
    let weights = read_weight_changes(&kinds, admin.client_id, all, some).await?;
    let (mut changes, password) = body.check(&admin)?;
    let may_lose_meetings = groups.is_some();
    (changes.groups, changes.weights) = (groups, weights);
    let is_signed_out = password.is_some() || changes.is_active == Some(false);
    let end_user = end_users.change(admin.client_id, id, changes, password).await?;
    if is_signed_out || may_lose_meetings {
        revocations.announce(SessionRevocation::EndUser(id));
    }
    Ok(Json(EndUserAnswer { success: true, data: EndUserView::from(&end_user) }))
}
