use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};
use plenum_kernel::{ClientId, MeetingId, Person};
use plenum_meetings::{CallingDesk, DeskPurpose};
use plenum_voting::Teller;

use crate::error::ApiError;
use crate::extract::ApiId as _;
use crate::extract::roles::{Caller, acting, wrong_role};

/// A helper with the link of any desk. No person is known, and handlers for people do not accept the link.
pub(crate) struct AnyDesk(pub(crate) Arc<CallingDesk>);

/// A helper with the link of a desk for check-in.
pub(crate) struct Desk(pub(crate) Arc<CallingDesk>);

/// A helper with the link of a voting place.
pub(crate) struct VotingPlace(pub(crate) Arc<CallingDesk>);

/// A helper with the link of a voting place or of tellers.
pub(crate) struct VoteDesk(pub(crate) Arc<CallingDesk>);

/// Somebody who enters and confirms votes on paper: an organizer, or a helper with the link of tellers.
pub(crate) struct TellerCaller {
    /// The client.
    pub(crate) client: ClientId,
    /// The teller.
    pub(crate) teller: Teller,
    /// The only meeting of a desk.
    only_in: Option<MeetingId>,
}

/// Somebody who may see the register of a round: an organizer, or a helper with the link of a voting place or of tellers.
pub(crate) struct RegisterReader {
    /// The client.
    pub(crate) client: ClientId,
    /// The only meeting of a desk.
    only_in: Option<MeetingId>,
}

/// Other meetings look missing to a desk.
fn check_meeting(only_in: Option<MeetingId>, meeting: MeetingId) -> Result<(), ApiError> {
    if only_in.is_none_or(|only| only == meeting) { Ok(()) } else { Err(MeetingId::missing()) }
}

impl TellerCaller {
    /// Checks that the caller belongs to this meeting. Whether an organizer's client has it is for the service to find out.
    ///
    /// # Errors
    /// The meeting looks missing to a desk of another one.
    pub(crate) fn in_meeting(&self, meeting: MeetingId) -> Result<(), ApiError> {
        check_meeting(self.only_in, meeting)
    }
}

impl RegisterReader {
    /// As [`TellerCaller::in_meeting`].
    pub(crate) fn in_meeting(&self, meeting: MeetingId) -> Result<(), ApiError> {
        check_meeting(self.only_in, meeting)
    }
}

/// The desk that calls, if it has one of these purposes.
fn desk_for(request: &HttpRequest, purposes: &[DeskPurpose]) -> Result<Arc<CallingDesk>, ApiError> {
    let caller = request.extensions().get::<Caller>().cloned();
    match caller {
        Some(Caller::Desk(desk)) if purposes.contains(&desk.purpose) => Ok(desk),
        Some(Caller::Desk(_)) => {
            Err(ApiError::new(StatusCode::FORBIDDEN, "wrong_desk", "The link of this desk is for something else."))
        }
        _ => acting(request).and_then(|_| Err(wrong_role())),
    }
}

/// The client of an organizer, or of a desk with one of these purposes and its meeting.
fn organizer_or_desk<T>(
    request: &HttpRequest,
    purposes: &[DeskPurpose],
    of: impl Fn(ClientId, Teller, Option<MeetingId>) -> T,
) -> Result<T, ApiError> {
    let is_desk = matches!(request.extensions().get::<Caller>(), Some(Caller::Desk(_)));
    if is_desk {
        let desk = desk_for(request, purposes)?;
        return Ok(of(desk.client, Teller::Desk(desk.id), Some(desk.meeting)));
    }
    match acting(request)?.person {
        Person::ClientAdmin { account, client } => Ok(of(client, Teller::Organizer(account), None)),
        Person::SuperAdmin { .. } | Person::EndUser { .. } => Err(wrong_role()),
    }
}

macro_rules! extract_desk {
    ($name:ident, $purposes:expr) => {
        impl FromRequest for $name {
            type Error = ApiError;
            type Future = Ready<Result<Self, ApiError>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                ready(desk_for(request, &$purposes).map(Self))
            }
        }
    };
}

extract_desk!(AnyDesk, [DeskPurpose::CheckIn, DeskPurpose::VotingPlace, DeskPurpose::Tellers]);
extract_desk!(Desk, [DeskPurpose::CheckIn]);
extract_desk!(VotingPlace, [DeskPurpose::VotingPlace]);
extract_desk!(VoteDesk, [DeskPurpose::VotingPlace, DeskPurpose::Tellers]);

impl FromRequest for TellerCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let of = |client, teller, only_in| Self { client, teller, only_in };
        ready(organizer_or_desk(request, &[DeskPurpose::Tellers], of))
    }
}

impl FromRequest for RegisterReader {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let of = |client, _, only_in| Self { client, only_in };
        ready(organizer_or_desk(request, &[DeskPurpose::VotingPlace, DeskPurpose::Tellers], of))
    }
}
