use std::sync::Arc;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt as _, stream};
use plenum_clients::AccessCheck;
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingService;
use plenum_meetings::live::LiveStreams;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::{ApiId as _, MeetingViewer, PathId, Voter};
use crate::live::access::admit;
use crate::live::frames::error_frame;
use crate::live::revocations::Revocations;
use crate::live::sse::StreamResponder;
use crate::live::stream_quota::AuthorizedStream;
use crate::live::until_revoked::{Access, WatcherAccess, session_access, until_revoked};
use crate::live::watcher_checks::{WatchPermission, WatcherChecks, WatchingVoter};

/// Streams a meeting: first the whole live state, then every change. The token may be in the query (`?token=`).
#[utoipa::path(
    tag = "live",
    security(("bearer" = []), ("streamToken" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Server-sent events: `id` is the version, `data` is `{type, data}`",
         body = String, content_type = "text/event-stream",
         example = json!("id: 1795230843796744\ndata: {\"type\":\"participant_count\",\"data\":{\"participantCount\":164}}\n\n")),
        (status = 404, description = "There is no such meeting", body = ApiErrorBody),
        (status = 429, description = "Too many streams are open; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_streams",
             "error": "You have too many live screens open. This one is updated every few seconds instead.",
         })),
    ),
)]
#[get("/sse/meetings/{meetingId}/stream")]
pub(crate) async fn live_stream(
    AuthorizedStream { viewer, permit }: AuthorizedStream,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    streams: Data<dyn LiveStreams>,
    revocations: Data<Revocations>,
    (access, checks): (Data<AccessCheck>, Data<WatcherChecks>),
    responder: StreamResponder,
) -> Result<HttpResponse, ApiError> {
    let acting = viewer.acting();
    // Subscribes before all checks, so that no revocation is missed in between.
    let revocations = revocations.listen(acting);
    let watcher = admit(viewer, meeting, &meetings).await?;
    if permit.is_for_headers_only() {
        return Ok(responder.respond(stream::empty(), permit));
    }
    let frames = streams.watch(meeting, watcher).await?.ok_or_else(MeetingId::missing)?;
    let watching = Watching { viewer, meeting, access, meetings, checks };
    Ok(responder.respond(until_revoked(frames, revocations, watching), permit))
}

/// A watched meeting, and the services that check the watcher's access.
struct Watching {
    viewer: MeetingViewer,
    meeting: MeetingId,
    access: Data<AccessCheck>,
    meetings: Data<MeetingService>,
    checks: Data<WatcherChecks>,
}

impl WatcherAccess for Watching {
    fn now(&self) -> LocalBoxFuture<'static, Access> {
        let (viewer, meeting) = (self.viewer, self.meeting);
        let (access, meetings) = (self.access.clone(), self.meetings.clone());
        async move {
            match session_access(&access, &viewer.acting()).await {
                Access::Granted => {}
                other => return other,
            }
            match admit(viewer, meeting, &meetings).await {
                Ok(_) => Access::Granted,
                Err(error) if error.is_refusal() => Access::Ended(error_frame("meeting_gone", &error.to_string())),
                Err(_) => Access::Unknown,
            }
        }
        .boxed_local()
    }

    fn soon(&self) -> LocalBoxFuture<'static, Access> {
        let now = self.now();
        let MeetingViewer::Voter(acting, Voter { id: voter, client_id: client, .. }) = self.viewer else { return now };
        let watching = WatchingVoter { acting, client, voter, meeting: self.meeting };
        let permission = Arc::clone(&self.checks).permission(watching);
        async move {
            match permission.await {
                Some(WatchPermission::MayContinue) => Access::Granted,
                Some(WatchPermission::SessionEnded) => Access::session_ended(),
                // The meeting may be missing as well.
                Some(WatchPermission::NotInvited) => now.await,
                None => Access::Unknown,
            }
        }
        .boxed_local()
    }

    fn may_depend_on_a_round(&self) -> bool {
        matches!(self.viewer, MeetingViewer::Voter(..))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use plenum_clients::SessionState;
    use plenum_clients::testkit::MockSessionStore;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ActingPerson, ClientId, EndUserId, Person, SessionId};
    use plenum_meetings::testkit::MockVoterMeetings;

    use super::*;
    use crate::live::mock_services::{access_on, meetings_on};

    /// A voter's stream, with stores of these answers.
    fn watching(is_active: bool, is_invited: bool) -> Watching {
        let ids = CountingIds::new();
        let (client, voter, session) = (ClientId::new(&ids), EndUserId::new(&ids), SessionId::new(&ids));
        let person = Person::EndUser { end_user: voter, client };
        let mut sessions = MockSessionStore::new();
        let active = if is_active { HashMap::from([(session, person)]) } else { HashMap::new() };
        sessions.expect_active_among().times(1).returning(move |_| Ok(active.clone()));
        // Only why somebody may not see the meeting needs further questions.
        let refusals = usize::from(is_active && !is_invited);
        sessions
            .expect_session_state()
            .times(refusals)
            .returning(move |_| Ok(Some(SessionState { person, is_active })));
        let mut voters = MockVoterMeetings::new();
        let invited = if is_invited { HashSet::from([voter]) } else { HashSet::new() };
        voters.expect_invited_among().times(1).returning(move |_, _, _| Ok(invited.clone()));
        voters.expect_find().times(refusals).returning(|_, _, _| Ok(None));
        let (access, meetings) = (access_on(sessions), meetings_on(voters));
        Watching {
            viewer: MeetingViewer::Voter(
                ActingPerson { session, person },
                Voter { id: voter, client_id: client, session },
            ),
            meeting: MeetingId::new(&ids),
            checks: Data::new(WatcherChecks::new(Arc::clone(&access), Arc::clone(&meetings))),
            access: Data::from(access),
            meetings: Data::from(meetings),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_voter_who_may_continue_is_asked_about_with_others_only() {
        assert!(matches!(watching(true, true).soon().await, Access::Granted));
    }

    #[tokio::test(start_paused = true)]
    async fn a_voter_who_may_not_continue_is_told_why() {
        for (is_active, is_invited, code) in [(false, true, "session_ended"), (true, false, "meeting_gone")] {
            let access = watching(is_active, is_invited).soon().await;
            let Access::Ended(frame) = access else { panic!("the stream does not end: {code}") };
            let frame = String::from_utf8(frame.to_vec()).unwrap();
            assert!(frame.contains(&format!(r#""code":"{code}""#)), "{frame}");
        }
    }
}
