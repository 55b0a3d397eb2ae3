use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_clients::{AccountFilter, AccountOverview, AccountService, AccountSort, ClientReference};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::auth::RoleName;
use crate::clients::ClientStatusName;
use crate::error::ApiError;
use crate::extract::ListQuery;
use crate::extract::Listing;
use crate::extract::PageMeta;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::extract::meta_of;

/// Search, order and page of the list of accounts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct AccountQuery {
    /// Plain text to find in the name, the email address and the name of the organization. `%` and `_` match
    /// themselves.
    search: Option<String>,
    /// `name` or `-name`.
    sort: Option<String>,
    /// The page, from 1. Without it the response contains all rows.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl AccountQuery {
    fn read(self) -> Result<AccountFilter, ApiError> {
        let Self { search, sort, page, page_size } = self;
        let sorts = [("name", AccountSort::NameAscending), ("-name", AccountSort::NameDescending)];
        let query = ListQuery { search, status: None, sort, page, page_size };
        let Listing { search, status: _, sort, page } = query.read::<(), _>(&[], &sorts)?;
        Ok(AccountFilter { search, sort: sort.unwrap_or_default(), page })
    }
}

/// The organization of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountClientView {
    id: Uuid,
    #[schema(example = "Rowing Club")]
    name: String,
    /// The organization's short public name.
    #[schema(example = "rowing-club")]
    client_code: String,
    status: ClientStatusName,
}

impl From<&ClientReference> for AccountClientView {
    fn from(client: &ClientReference) -> Self {
        Self {
            id: client.id.as_uuid(),
            name: client.name.to_string(),
            client_code: client.code.to_string(),
            status: client.status.into(),
        }
    }
}

/// A person who signs in to a portal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_account)]
pub(crate) struct AccountView {
    id: Uuid,
    /// `SUPER_ADMIN` or `CLIENT`.
    role: RoleName,
    email: String,
    first_name: String,
    last_name: String,
    /// Null before the first sign-in.
    #[schema(required)]
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    /// Null for super administrators.
    #[schema(required)]
    client: Option<AccountClientView>,
}

fn example_account() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000002", "role": "CLIENT", "email": "anna@example.org",
        "firstName": "Anna", "lastName": "Berg", "lastLoginAt": "2026-11-21T17:40:00Z",
        "createdAt": "2026-11-21T09:30:00Z",
        "client": {
            "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club",
            "status": "ACTIVE",
        },
    })
}

impl From<&AccountOverview> for AccountView {
    fn from(account: &AccountOverview) -> Self {
        Self {
            id: account.id.as_uuid(),
            role: if account.client.is_some() { RoleName::Client } else { RoleName::SuperAdmin },
            email: account.email.to_string(),
            first_name: account.first_name.to_string(),
            last_name: account.last_name.to_string(),
            last_login_at: account.last_login_at,
            created_at: account.created_at,
            client: account.client.as_ref().map(AccountClientView::from),
        }
    }
}

/// A list of accounts.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_account()] }))]
pub(crate) struct AccountListAnswer {
    success: bool,
    data: Vec<AccountView>,
    /// With `page` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// Lists the accounts that can sign in to a portal. The newest account is first unless `sort` is given.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    params(AccountQuery),
    responses(
        (status = 200, description = "The accounts", body = AccountListAnswer),
    ),
)]
#[get("/accounts")]
pub(crate) async fn list_accounts(
    _: SuperAdmin,
    query: Query<AccountQuery>,
    accounts: Data<AccountService>,
) -> Result<Json<AccountListAnswer>, ApiError> {
    let filter = query.into_inner().read()?;
    let page = accounts.list(&filter).await?;
    let meta = meta_of(filter.page, &page);
    Ok(Json(AccountListAnswer { success: true, data: page.rows.iter().map(AccountView::from).collect(), meta }))
}
