use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::AUTHORIZATION;
use actix_web::middleware::Next;
use actix_web::web::{Data, Query};
use actix_web::{HttpMessage as _, HttpRequest};
use plenum_clients::{AccessCheck, AccessRefusal};
use plenum_kernel::{Origin, PortFailure};
use plenum_meetings::{CheckInService, DESK_TOKEN_MARK};
use serde::Deserialize;

use crate::error::ApiError;
use crate::extract::{Caller, CallerAddress};
use crate::middleware::Attribution;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

#[derive(Deserialize)]
struct StreamToken {
    token: Option<String>,
}

/// Authenticates the caller before any handler runs. So 401 takes precedence over 404 and over errors of the body.
/// Passes the origin of the request to the stores.
pub(crate) async fn identify(
    (access, check_ins, lookups, attribution): (
        Data<AccessCheck>,
        Data<CheckInService>,
        Data<LookupRateLimit>,
        Data<dyn Attribution>,
    ),
    address: CallerAddress,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let caller = match token_of(request.request()) {
        None => Caller::Anonymous,
        Some(token) if token.starts_with(DESK_TOKEN_MARK) => {
            let find = async { Ok(check_ins.find_desk(&token).await?) };
            let lookup = Lookup { kind: LookupKind::Desk, from: address.0, value: &token };
            match lookups.look_up(lookup, find).await? {
                Some(desk) if desk.works() => Caller::Desk(Arc::new(desk)),
                Some(_) => Caller::DeskEnded,
                None => Caller::Forged,
            }
        }
        Some(token) => match access.authenticate(&token).await {
            Ok(acting) => Caller::Known(acting),
            Err(AccessRefusal::Expired) => Caller::Expired,
            Err(AccessRefusal::SessionEnded) => Caller::SessionEnded,
            Err(AccessRefusal::Invalid) => Caller::Forged,
            Err(AccessRefusal::Port(failure)) => {
                log(&failure);
                Caller::Unknown
            }
        },
    };
    let acting = match &caller {
        Caller::Known(acting) => Some(*acting),
        _ => None,
    };
    request.extensions_mut().insert(caller);
    let mut answer = None;
    let work = async { answer = Some(next.call(request).await) };
    attribution.attribute(Origin { acting, address: address.0 }, Box::pin(work)).await;
    answer.unwrap_or_else(|| Err(ApiError::unavailable(&PortFailure::busy("the handler")).into()))
}

fn log(failure: &PortFailure) {
    tracing::error!(error = failure as &dyn std::error::Error, "could not authenticate the caller");
}

/// The token in the header. Below `/sse` also the token in the query, because `EventSource` of browsers cannot send
/// headers.
fn token_of(request: &HttpRequest) -> Option<String> {
    if let Some(header) = request.headers().get(AUTHORIZATION) {
        // A header with invalid characters is a wrong token, not a missing one.
        let text = String::from_utf8_lossy(header.as_bytes());
        let (scheme, token) = text.split_once(' ').unwrap_or((&text, ""));
        let token = token.trim();
        return (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| token.to_owned());
    }
    if !request.path().contains("/api/sse/") {
        return None;
    }
    Query::<StreamToken>::from_query(request.query_string()).ok()?.into_inner().token.filter(|token| !token.is_empty())
}
