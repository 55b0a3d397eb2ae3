use actix_web::put;
use actix_web::web::{Data, Json};
use plenum_clients::{
    ClientChanges, ClientCode, ClientName, ClientService, ClientStatus, Password, PersonName, SessionRevocation,
    SubscriptionPlan,
};
use plenum_kernel::{ClientId, EmailAddress};
use plenum_meetings::live::LiveSignals;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::clients::views::{ClientAnswer, ClientStatusName, ClientView, PlanName};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::PathId;
use crate::extract::SuperAdmin;
use crate::live::Revocations;

/// Changes to an organization and its main contact. Missing fields and `null` change nothing.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Rowing Club 1897", "contactEmail": "office@example.org", "status": "ACTIVE", "subscriptionPlan": "PRO",
    "firstName": "Anna", "lastName": "Berg", "password": "",
}))]
pub(crate) struct UpdateClientBody {
    /// 1 to 200 characters after trimming.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The contact address. It does not change the sign-in of any account. At most 254 characters after trimming.
    #[schema(format = "idn-email", max_length = 254)]
    contact_email: Option<String>,
    status: Option<ClientStatusName>,
    subscription_plan: Option<PlanName>,
    /// A new short public name: 1 to 32 letters a to z, digits and single hyphens between them, in any case, after
    /// trimming. It is stored in lower case. Empty changes nothing. A new `name` never changes it. The
    /// former code still leads to the organization.
    #[schema(pattern = r"^\s*([A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?)?\s*$")]
    client_code: Option<String>,
    /// Of the main contact; at most 200 characters after trimming. Empty changes nothing.
    #[schema(max_length = 200)]
    first_name: Option<String>,
    /// Of the main contact; at most 200 characters after trimming. Empty changes nothing.
    #[schema(max_length = 200)]
    last_name: Option<String>,
    /// Of the main contact; at least 8 characters, at most 72 bytes. Empty changes nothing. A new password ends all
    /// their sessions.
    password: Option<String>,
}

impl UpdateClientBody {
    fn check(&self) -> Result<(ClientChanges, Option<Password>), ApiError> {
        let mut check = FieldCheck::default();
        let changes = ClientChanges {
            name: self.name.as_deref().and_then(|name| check.keep("name", ClientName::parse(name))),
            code: check.keep_text("clientCode", self.client_code.as_deref(), ClientCode::parse),
            contact_email: self
                .contact_email
                .as_deref()
                .and_then(|email| check.keep("contactEmail", EmailAddress::parse(email))),
            status: self.status.map(ClientStatus::from),
            plan: self.subscription_plan.map(SubscriptionPlan::from),
            first_name: check.keep_text("firstName", self.first_name.as_deref(), PersonName::parse),
            last_name: check.keep_text("lastName", self.last_name.as_deref(), PersonName::parse),
        };
        let password = check.keep_text("password", self.password.as_deref(), Password::parse);
        check.finish(Some((changes, password)))
    }
}

/// Changes an organization. Unless the organization is ACTIVE, none of its people can sign in or act. A new password
/// ends all sessions of the main contact.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path)),
    request_body = UpdateClientBody,
    responses(
        (status = 200, description = "The changed organization", body = ClientAnswer),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
        (status = 409, description = "The code is taken, or the name gains or loses `TEST_` after voting was opened", body = ApiErrorBody,
         example = json!({
             "code": "client_code_taken", "error": "Another client has this code.",
             "fields": { "clientCode": ["Another client has this code."] },
         })),
    ),
)]
#[put("/clients/{clientId}")]
pub(crate) async fn update_client(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    Body(body): Body<UpdateClientBody>,
    clients: Data<ClientService>,
    revocations: Data<Revocations>,
    signals: Data<dyn LiveSignals>,
) -> Result<Json<ClientAnswer>, ApiError> {
    let (changes, password) = body.check()?;
    let revocation = revocation_of(id, &changes, password.as_ref());
    let is_on_screens = changes.name.is_some() || changes.status.is_some();
    clients.change(id, changes, password).await?;
    if let Some(revocation) = revocation {
        revocations.announce(revocation);
    }
    // After the revocation, which ends the streams of its people with a reason.
    if is_on_screens {
        signals.client_changed(id).await;
    }
    let overview = clients.find(id).await?.ok_or_else(ClientId::missing)?;
    Ok(Json(ClientAnswer { success: true, data: ClientView::from(&overview) }))
}

/// The revocation that follows from the changes.
fn revocation_of(id: ClientId, changes: &ClientChanges, password: Option<&Password>) -> Option<SessionRevocation> {
    match (changes.status, password) {
        (Some(ClientStatus::Inactive | ClientStatus::Suspended), _) => Some(SessionRevocation::Client(id)),
        (Some(ClientStatus::Active) | None, Some(_)) => Some(SessionRevocation::Administrators(id)),
        (Some(ClientStatus::Active) | None, None) => None,
    }
}
