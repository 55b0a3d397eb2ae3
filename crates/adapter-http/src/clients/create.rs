use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_clients::{ClientCode, ClientName, ClientService, NewClient, Password, PersonName, SubscriptionPlan};
use plenum_kernel::{ClientId, EmailAddress};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::clients::views::{ClientAnswer, ClientView, PlanName};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::SuperAdmin;
use crate::middleware::created;

/// A new organization and its administrator.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Rowing Club", "firstName": "Anna", "lastName": "Berg", "email": "anna@example.org",
    "password": "correct horse", "subscriptionPlan": "BASIC",
}))]
pub(crate) struct CreateClientBody {
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Of the administrator; 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    first_name: String,
    /// Of the administrator; 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    last_name: String,
    /// The contact address, and the administrator's email address for sign-in; at most 254 characters after trimming.
    #[schema(format = "idn-email", max_length = 254)]
    email: String,
    /// Of the administrator; at least 8 characters, at most 72 bytes. Nothing is trimmed.
    #[schema(min_length = 8)]
    password: String,
    /// BASIC if missing.
    subscription_plan: Option<PlanName>,
    /// 1 to 32 letters a to z, digits and single hyphens between them, in any case, after trimming. It is stored in
    /// lower case. If missing or empty, the suggestion of `/clients/code-check`: 4 to 12 characters where possible, of the
    /// significant words of the name.
    #[schema(pattern = r"^\s*([A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?)?\s*$")]
    client_code: Option<String>,
}

impl CreateClientBody {
    fn check(&self) -> Result<NewClient, ApiError> {
        let mut check = FieldCheck::default();
        let name = check.keep("name", ClientName::parse(&self.name));
        let first_name = check.keep("firstName", PersonName::parse(&self.first_name));
        let last_name = check.keep("lastName", PersonName::parse(&self.last_name));
        let email = check.keep("email", EmailAddress::parse(&self.email));
        let password = check.keep("password", Password::parse(&self.password));
        let code = check.keep_text("clientCode", self.client_code.as_deref(), ClientCode::parse);
        let plan = self.subscription_plan.map_or_else(SubscriptionPlan::default, SubscriptionPlan::from);
        let new = name.zip(first_name).zip(last_name).zip(email).zip(password).map(
            |((((name, first_name), last_name), email), password)| NewClient {
                name,
                code,
                plan,
                email,
                first_name,
                last_name,
                password,
            },
        );
        check.finish(new)
    }
}

/// Creates an organization and its administrator.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    request_body = CreateClientBody,
    responses(
        (status = 201, description = "Created", body = ClientAnswer),
        (status = 409, description = "The email address or the code is taken", body = ApiErrorBody,
         example = json!({
             "code": "email_taken", "error": "Another account signs in with this email address.",
             "fields": { "email": ["Another account signs in with this email address."] },
         })),
    ),
)]
#[post("/clients")]
pub(crate) async fn create_client(
    _: SuperAdmin,
    Body(body): Body<CreateClientBody>,
    clients: Data<ClientService>,
) -> Result<HttpResponse, ApiError> {
    let client = clients.add(body.check()?).await?;
    let overview = clients.find(client.id).await?.ok_or_else(ClientId::missing)?;
    let answer = ClientAnswer { success: true, data: ClientView::from(&overview) };
    Ok(created(format_args!("/clients/{}", client.id), answer))
}
