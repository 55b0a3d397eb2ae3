use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};
use plenum_kernel::{AccountId, ActingPerson, ClientId, EndUserId, Person, PortFailure, SessionId};
use plenum_meetings::CallingDesk;

use crate::error::ApiError;
use crate::error::ErrorCode;

/// A signed-in person of any role.
pub(crate) struct SignedIn(pub(crate) ActingPerson);

/// A super administrator. A handler with this argument rejects all other roles.
pub(crate) struct SuperAdmin;

/// An administrator of a client.
pub(crate) struct ClientAdmin {
    /// The administrator's account.
    pub(crate) account_id: AccountId,
    /// The client of the administrator.
    pub(crate) client_id: ClientId,
}

/// A super administrator, or an administrator of a client.
pub(crate) struct AccountHolder {
    /// The account.
    pub(crate) id: AccountId,
    /// The client of an administrator. `None` for super administrators, who may see all clients.
    pub(crate) client_id: Option<ClientId>,
}

/// A voter.
#[derive(Clone, Copy)]
pub(crate) struct Voter {
    /// The voter's id.
    pub(crate) id: EndUserId,
    /// The voter's client.
    pub(crate) client_id: ClientId,
    /// The voter's session.
    pub(crate) session: SessionId,
}

/// A person who may watch the meetings of a client: an administrator or a voter of the client.
#[derive(Clone, Copy)]
pub(crate) enum MeetingViewer {
    /// An administrator.
    Organizer(ActingPerson, ClientId),
    /// A voter.
    Voter(ActingPerson, Voter),
}

impl MeetingViewer {
    /// The acting person and their session.
    pub(crate) fn acting(&self) -> ActingPerson {
        match self {
            Self::Organizer(acting, _) | Self::Voter(acting, _) => *acting,
        }
    }
}

/// The outcome of authentication.
#[derive(Clone)]
pub(crate) enum Caller {
    Anonymous,
    Known(ActingPerson),
    /// A helper with the link of a desk.
    Desk(Arc<CallingDesk>),
    /// A desk that is revoked, or whose meeting is over.
    DeskEnded,
    Expired,
    SessionEnded,
    Forged,
    Unknown,
}

pub(super) fn acting(request: &HttpRequest) -> Result<ActingPerson, ApiError> {
    let unauthorized = |code, text: &str| Err(ApiError::new(StatusCode::UNAUTHORIZED, code, text));
    match request.extensions().get::<Caller>().cloned().unwrap_or(Caller::Anonymous) {
        Caller::Known(acting) => Ok(acting),
        Caller::Desk(_) => Err(wrong_role()),
        Caller::DeskEnded => Err(desk_ended()),
        Caller::Anonymous => unauthorized(ErrorCode::AUTHENTICATION_REQUIRED, "Authentication required"),
        Caller::Expired => unauthorized(ErrorCode::TOKEN_EXPIRED, "The access token has expired."),
        Caller::SessionEnded => unauthorized(ErrorCode::SESSION_ENDED, "The session has ended. Please sign in again."),
        Caller::Forged => {
            Err(ApiError::new(StatusCode::FORBIDDEN, ErrorCode::INVALID_TOKEN, "The access token is not valid."))
        }
        Caller::Unknown => Err(ApiError::unavailable(&PortFailure::busy("the check of sessions"))),
    }
}

fn desk_ended() -> ApiError {
    let text = "The link of this desk no longer works. Please ask the organizer for a new one.";
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::DESK_ENDED, text)
}

pub(super) fn wrong_role() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::WRONG_ROLE, "Your role may not do this.")
}

macro_rules! extract {
    ($name:ident, $acting:ident => $taken:expr) => {
        impl FromRequest for $name {
            type Error = ApiError;
            type Future = Ready<Result<Self, ApiError>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                ready(acting(request).and_then(|$acting| $taken))
            }
        }
    };
}

extract!(SignedIn, acting => Ok(Self(acting)));

extract!(SuperAdmin, acting => match acting.person {
    Person::SuperAdmin { .. } => Ok(Self),
    Person::ClientAdmin { .. } | Person::EndUser { .. } => Err(wrong_role()),
});

extract!(ClientAdmin, acting => match acting.person {
    Person::ClientAdmin { account, client } => Ok(Self { account_id: account, client_id: client }),
    Person::SuperAdmin { .. } | Person::EndUser { .. } => Err(wrong_role()),
});

extract!(AccountHolder, acting => match acting.person {
    Person::SuperAdmin { account } => Ok(Self { id: account, client_id: None }),
    Person::ClientAdmin { account, client } => Ok(Self { id: account, client_id: Some(client) }),
    Person::EndUser { .. } => Err(wrong_role()),
});

extract!(Voter, acting => match acting.person {
    Person::EndUser { end_user, client } => Ok(Self { id: end_user, client_id: client, session: acting.session }),
    Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => Err(wrong_role()),
});

extract!(MeetingViewer, acting => match acting.person {
    Person::ClientAdmin { client, .. } => Ok(Self::Organizer(acting, client)),
    Person::EndUser { end_user, client } => {
        Ok(Self::Voter(acting, Voter { id: end_user, client_id: client, session: acting.session }))
    }
    Person::SuperAdmin { .. } => Err(wrong_role()),
});
