use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use plenum_kernel::{
    AccountId, ClientId, DeskId, EndUserId, GroupId, IssuedBallotId, MeetingId, PaperBatchId, ProxyId, QuestionId,
    RemarkId, RoundId, SessionId, VoteId, WeightKindId,
};

use crate::error::ApiError;

/// An id that has a name of its own in paths.
pub(crate) trait ApiId: FromStr {
    /// The name of the path segment.
    const NAME: &'static str;
    /// The error code of a malformed or unknown id.
    const NOT_FOUND: &'static str;
    /// The resource that the id identifies.
    const WHAT: &'static str;

    /// The error for an unknown id.
    fn missing() -> ApiError {
        ApiError::not_found(Self::NOT_FOUND, format!("the {} does not exist", Self::WHAT))
    }
}

macro_rules! path_ids {
    ($($id:ident $name:literal $not_found:literal $what:literal;)*) => {$(
        impl ApiId for $id {
            const NAME: &'static str = $name;
            const NOT_FOUND: &'static str = $not_found;
            const WHAT: &'static str = $what;
        }
    )*};
}

path_ids! {
    AccountId "accountId" "account_not_found" "account";
    ClientId "clientId" "client_not_found" "client";
    DeskId "deskId" "desk_not_found" "desk";
    EndUserId "endUserId" "end_user_not_found" "end user";
    GroupId "groupId" "group_not_found" "group";
    IssuedBallotId "ballotId" "ballot_not_found" "ballot";
    MeetingId "meetingId" "meeting_not_found" "meeting";
    PaperBatchId "batchId" "batch_not_found" "batch";
    ProxyId "proxyId" "proxy_not_found" "proxy";
    QuestionId "questionId" "question_not_found" "question";
    RemarkId "remarkId" "remark_not_found" "remark";
    RoundId "roundId" "round_not_found" "round";
    SessionId "sessionId" "session_not_found" "session";
    VoteId "voteId" "vote_not_found" "vote";
    WeightKindId "kindId" "weight_kind_not_found" "kind of weight";
}

/// The length of a UUID with hyphens. Each resource has one address, so the other forms of a UUID are malformed ids.
const LENGTH: usize = 36;

/// An id in the path. A malformed id is an unknown one: 404.
pub(crate) struct PathId<T>(pub(crate) T);

impl<T: ApiId> FromRequest for PathId<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.match_info().get(T::NAME).filter(|text| text.len() == LENGTH);
        let id = id.and_then(|text| text.parse().ok());
        ready(id.map(PathId).ok_or_else(T::missing))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[tokio::test]
    async fn an_id_has_one_form() {
        let read = async |text: &str| {
            let request = TestRequest::default().param("meetingId", text.to_owned()).to_http_request();
            PathId::<MeetingId>::from_request(&request, &mut Payload::None).await.is_ok()
        };
        let id = "019a9d5e-0000-7000-8000-000000000001";
        assert!(read(id).await && read(&id.to_uppercase()).await);
        for other in
            [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}"), format!("{id} "), "x".repeat(36)]
        {
            assert!(!read(&other).await, "{other}");
        }
    }
}
