use std::sync::Arc;

use actix_web::get;
use actix_web::web::{Data, Json, Query};
use plenum_clients::{SignInQueue, SignInService, Waiting};
use plenum_kernel::SignInTicket;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::whole_seconds;
use crate::middleware::CallerConnection;

/// How the one who sent this sign-in waits.
pub(crate) fn waiting(ticket: Option<Uuid>, presence: CallerConnection) -> Waiting {
    Waiting { ticket: ticket.map(SignInTicket::from_uuid), caller: Some(Arc::new(presence)) }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct QueueQuery {
    /// That of the sign-in whose place is asked for; without it, or when it is not known here, the place of a newcomer.
    ticket: Option<Uuid>,
}

/// How many wait for their sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "waiting": 312, "seconds": 10, "isYours": true }))]
pub(crate) struct SignInQueueView {
    /// How many come before the one who asks.
    #[schema(minimum = 0)]
    waiting: u64,
    /// About how long it will take, by the pace of the last sign-ins.
    #[schema(minimum = 1)]
    seconds: u32,
    /// Whether this is the place of the ticket. Else it is the place of a newcomer.
    is_yours: bool,
}

impl From<SignInQueue> for SignInQueueView {
    fn from(queue: SignInQueue) -> Self {
        Self { waiting: queue.ahead as u64, seconds: whole_seconds(queue.wait), is_yours: queue.is_own }
    }
}

/// Tells how many wait for their sign-in, and about how long it takes. No login.
#[utoipa::path(
    tag = "auth",
    params(QueueQuery),
    responses(
        (status = 200, description = "As it is now, on the instance that answers", body = SignInQueueView),
    ),
)]
#[get("/auth/sign-in-queue")]
pub(crate) async fn sign_in_queue(
    query: Query<QueueQuery>,
    sign_in: Data<SignInService>,
) -> Result<Json<SignInQueueView>, ApiError> {
    let ticket = query.ticket.map(SignInTicket::from_uuid);
    Ok(Json(sign_in.queue(ticket).into()))
}
