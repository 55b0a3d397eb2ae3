use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_clients::{
    Address, ClientService, EndUserService, GroupService, NewEndUser, Password, PersonName, Username, WeightKindService,
};
use plenum_kernel::{ClientId, EmailAddress, KindWeights, NamedGroup, VotingWeight};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::end_users::credentials::{CredentialsView, PortalAddress, example_credentials};
use crate::end_users::groups::read_groups;
use crate::end_users::weights::{WeightBody, read_weights};
use crate::end_users::{EndUserView, example_end_user};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::read_exact;
use crate::middleware::created;

/// A new voter.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "username": "ben", "name": "Ben Otto", "email": "ben@example.org", "weight": 1.5, "password": "correct horse",
}))]
pub(crate) struct CreateEndUserBody {
    /// The name for sign-in, unique in the organization regardless of case. 1 to 64 characters after trimming. Not `erased-` and
    /// 32 hexadecimal digits, as erased people have it.
    #[schema(min_length = 1, max_length = 64)]
    username: String,
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// An email address of at most 254 characters after trimming. Empty means none.
    #[schema(max_length = 254)]
    email: Option<String>,
    /// At most 500 characters after trimming. Empty means none.
    #[schema(max_length = 500)]
    address: Option<String>,
    /// 0 to 100 with at most 4 decimals; 1 if missing.
    #[serde(default, deserialize_with = "read_exact")]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    weight: Option<Decimal>,
    /// The values of kinds of weight. A kind that is not listed has 0.
    #[schema(max_items = 20)]
    weights: Option<Vec<WeightBody>>,
    /// Ids of the organization's groups, at most 50. None if missing.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    group_ids: Option<Vec<String>>,
    /// True if missing.
    is_active: Option<bool>,
    /// At least 8 characters, at most 72 bytes. Nothing is trimmed.
    #[schema(min_length = 8)]
    password: String,
}

impl CreateEndUserBody {
    fn check(&self, groups: Vec<NamedGroup>, weights: KindWeights) -> Result<NewEndUser, ApiError> {
        let mut check = FieldCheck::default();
        let username = check.keep("username", Username::parse_chosen(&self.username));
        let name = check.keep("name", PersonName::parse(&self.name));
        let email = check.keep_text("email", self.email.as_deref(), EmailAddress::parse);
        let address = check.keep_text("address", self.address.as_deref(), Address::parse);
        let weight = check.keep("weight", self.weight.map_or(Ok(VotingWeight::ONE), VotingWeight::new));
        let password = check.keep("password", Password::parse(&self.password));
        let is_active = self.is_active.unwrap_or(true);
        let new = username.zip(name).zip(weight).zip(password).map(|(((username, name), weight), password)| {
            NewEndUser { username, name, email, address, weight, weights, groups, is_active, password }
        });
        check.finish(new)
    }
}

/// A new voter with credentials.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true, "data": example_end_user(), "credentials": example_credentials(),
}))]
pub(crate) struct CreatedEndUserAnswer {
    success: bool,
    data: EndUserView,
    credentials: CredentialsView,
}

/// Creates a voter. The response contains their credentials, which cannot be read again later.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    request_body = CreateEndUserBody,
    responses(
        (status = 201, description = "Created", body = CreatedEndUserAnswer),
        (status = 409, description = "The username is taken", body = ApiErrorBody,
         example = json!({
             "code": "username_taken", "error": "Another end user has this username.",
             "fields": { "username": ["Another end user has this username."] },
         })),
    ),
)]
#[post("/client/end-users")]
pub(crate) async fn create_end_user(
    admin: ClientAdmin,
    Body(body): Body<CreateEndUserBody>,
    (end_users, groups, kinds): (Data<EndUserService>, Data<GroupService>, Data<WeightKindService>),
    clients: Data<ClientService>,
    portal: PortalAddress,
) -> Result<HttpResponse, ApiError> {
    let chosen = read_groups(&groups, admin.client_id, body.group_ids.as_deref().unwrap_or_default()).await?;
    let weights = read_weights(&kinds, admin.client_id, body.weights.as_deref().unwrap_or_default()).await?;
    let new = body.check(chosen, weights)?;
    let client = clients.find(admin.client_id).await?.ok_or_else(ClientId::missing)?.client;
    let made = end_users.add(admin.client_id, new).await?;
    let answer = CreatedEndUserAnswer {
        success: true,
        data: EndUserView::from(&made.end_user),
        credentials: CredentialsView::new(&client, &made, &portal),
    };
    Ok(created(format_args!("/client/end-users/{}", made.end_user.id), answer))
}
