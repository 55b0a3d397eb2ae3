use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::{ClientCode, ClientName, ClientService, CodeCheck};
use plenum_kernel::ClientId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::error::ApiError;
use crate::extract::Query;
use crate::extract::SuperAdmin;

/// The name and the code in a form, while they are typed.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct CodeCheckQuery {
    /// The organization's name, for a suggestion.
    name: Option<String>,
    /// A code to check.
    code: Option<String>,
    /// The organization that wants the code, if it exists already. Its own codes, today's and former ones, are free.
    client_id: Option<Uuid>,
}

/// Why a code cannot be chosen.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CodeProblem {
    /// It is not a valid code.
    Invalid,
    /// Another organization has it.
    Taken,
    /// Another organization had it, and it still leads there.
    Former,
}

/// A suggested code, and the outcome for the code of the query.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = CodeCheckView::example)]
pub(crate) struct CodeCheckView {
    /// The free code that an organization of this name would get now. Null without a name.
    #[schema(required)]
    suggestion: Option<String>,
    /// The checked code as it would be stored. Null without a code, and if it is invalid.
    #[schema(required)]
    code: Option<String>,
    /// Whether the checked code can be chosen. Null without a code.
    #[schema(required)]
    is_free: Option<bool>,
    /// Why it cannot be chosen.
    #[schema(required)]
    problem: Option<CodeProblem>,
    /// The same as a sentence.
    #[schema(required)]
    message: Option<String>,
}

impl CodeCheckView {
    fn example() -> serde_json::Value {
        serde_json::json!({
            "suggestion": "rowing-club-26", "code": "rowing-club", "isFree": false, "problem": "taken",
            "message": "Another client has this code.",
        })
    }
}

/// The check in its envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": CodeCheckView::example() }))]
pub(crate) struct CodeCheckAnswer {
    success: bool,
    data: CodeCheckView,
}

/// Suggests a code for a name, and checks a code. It reserves nothing: a code can be taken until the organization is stored.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(CodeCheckQuery),
    responses(
        (status = 200, description = "The suggestion and the outcome", body = CodeCheckAnswer),
    ),
)]
#[get("/clients/code-check")]
pub(crate) async fn check_client_code(
    _: SuperAdmin,
    query: Query<CodeCheckQuery>,
    clients: Data<ClientService>,
) -> Result<Json<CodeCheckAnswer>, ApiError> {
    let name = query.name.as_deref().and_then(|name| ClientName::parse(name).ok());
    let suggestion = match name {
        Some(name) => clients.suggest_code(&name).await?.map(|code| code.to_string()),
        None => None,
    };
    let typed = query.code.as_deref().filter(|code| !code.trim().is_empty());
    let (code, problem, message) = match typed.map(ClientCode::parse) {
        None => (None, None, None),
        Some(Err(invalid)) => (None, Some(CodeProblem::Invalid), Some(invalid.to_string())),
        Some(Ok(code)) => {
            let chooser = query.client_id.map(ClientId::from_uuid);
            let (problem, message) = match clients.check_code(&code, chooser).await? {
                CodeCheck::Free => (None, None),
                CodeCheck::Taken => (Some(CodeProblem::Taken), Some("Another client has this code.".to_owned())),
                CodeCheck::Former => (
                    Some(CodeProblem::Former),
                    Some("Another client had this code, and it still leads there.".to_owned()),
                ),
            };
            (Some(code.to_string()), problem, message)
        }
    };
    let is_free = typed.map(|_| problem.is_none());
    let data = CodeCheckView { suggestion, code, is_free, problem, message };
    Ok(Json(CodeCheckAnswer { success: true, data }))
}
