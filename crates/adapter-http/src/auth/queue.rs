use std::sync::Arc;

use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::{SignInQueue, SignInService, Waiting};
use plenum_kernel::SignInTicket;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::whole_seconds;
use crate::extract::Query;
use crate::middleware::CallerConnection;

/// Describes the waiting caller to the sign-in queue.
pub(crate) fn waiting(ticket: Option<Uuid>, presence: CallerConnection) -> Waiting {
    Waiting { ticket: ticket.map(SignInTicket::from_uuid), caller: Some(Arc::new(presence)) }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct QueueQuery {
    /// The ticket of the waiting sign-in. Without a ticket known to this instance, the response describes the end of
    /// the queue.
    ticket: Option<Uuid>,
}

/// The length of the sign-in queue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "waiting": 312, "seconds": 10, "isYours": true }))]
pub(crate) struct SignInQueueView {
    /// The number of sign-ins before this one.
    #[schema(minimum = 0)]
    waiting: u64,
    /// The estimated wait in seconds, from the speed of recent sign-ins.
    #[schema(minimum = 1)]
    seconds: u32,
    /// Whether this is the position of the ticket. If false, it is the end of the queue.
    is_yours: bool,
}

impl From<SignInQueue> for SignInQueueView {
    fn from(queue: SignInQueue) -> Self {
        Self { waiting: queue.ahead as u64, seconds: whole_seconds(queue.wait), is_yours: queue.is_own }
    }
}

/// Returns the length of the sign-in queue and the estimated wait. No login.
#[utoipa::path(
    tag = "auth",
    params(QueueQuery),
    responses(
        (status = 200, description = "The queue of the responding instance", body = SignInQueueView),
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
