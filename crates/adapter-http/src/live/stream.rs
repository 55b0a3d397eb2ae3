use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt as _, Stream, StreamExt as _, stream};
use plenum_clients::{AccessCheck, AccessRefusal};
use plenum_kernel::{ActingPerson, MeetingId};
use plenum_meetings::live::{FrameStream, LiveRooms};
use plenum_meetings::{MeetingPlanning, VoterMeetingService};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::ErrorCode;
use crate::extract::ApiId as _;
use crate::extract::PathId;
use crate::live::access::admit;
use crate::live::frames::error_frame;
use crate::live::revocations::{RevocationListener, Revocations};
use crate::live::sse::event_stream;
use crate::live::stream_quota::AuthorizedStream;
use crate::system::Stopping;

/// The interval of checks whether the watcher may continue.
const RECHECK: Duration = Duration::from_secs(60);
/// The delay before another query of a store that did not answer.
const ASK_AGAIN: Duration = Duration::from_secs(1);

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
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn live_stream(
    AuthorizedStream { viewer, permit }: AuthorizedStream,
    PathId(meeting): PathId<MeetingId>,
    meetings: Data<MeetingPlanning>,
    voter_meetings: Data<VoterMeetingService>,
    rooms: Data<dyn LiveRooms>,
    access: Data<AccessCheck>,
    revocations: Data<Revocations>,
    stopping: Data<Stopping>,
) -> Result<HttpResponse, ApiError> {
    let acting = viewer.acting();
    // Subscribes before all checks, so that no revocation is missed in between.
    let revocations = revocations.listen(acting);
    let watcher = admit(viewer, meeting, &meetings, &voter_meetings).await?;
    if permit.is_for_headers_only() {
        return Ok(event_stream(stream::empty(), permit, stopping));
    }
    let frames = rooms.watch(meeting, watcher).await?.ok_or_else(MeetingId::missing)?;
    let revocation_frame = move || {
        let (access, meetings, voter_meetings) = (access.clone(), meetings.clone(), voter_meetings.clone());
        async move {
            match session_standing(&access, &acting).await {
                Standing::Welcome => {}
                other => return other,
            }
            match admit(viewer, meeting, &meetings, &voter_meetings).await {
                Ok(_) => Standing::Welcome,
                Err(error) if error.is_refusal() => Standing::Over(error_frame("meeting_gone", &error.to_string())),
                Err(_) => Standing::Unknown,
            }
        }
        .boxed_local()
    };
    Ok(event_stream(until_revoked(frames, revocations, revocation_frame), permit, stopping))
}

/// The outcome of a check.
enum Standing {
    /// The watcher may continue.
    Welcome,
    /// The watcher may not continue, and gets this frame.
    Over(Bytes),
    /// The store did not answer.
    Unknown,
}

/// Checks whether the session is active. A store that does not answer ends no session.
async fn session_standing(access: &AccessCheck, acting: &ActingPerson) -> Standing {
    match access.recheck(acting).await {
        Err(AccessRefusal::SessionEnded) => {
            Standing::Over(error_frame(ErrorCode::SESSION_ENDED, "The session has ended. Please sign in again."))
        }
        Err(AccessRefusal::Port(_)) => Standing::Unknown,
        _ => Standing::Welcome,
    }
}

/// An open stream.
struct Watching<F> {
    frames: FrameStream,
    revocations: RevocationListener,
    revocation_frame: F,
    recheck: Interval,
    /// Whether each frame needs a check. This is so after a revocation that did not end the stream: a person removed
    /// from the list may watch while they vote in an open round.
    is_watched: bool,
    is_over: bool,
}

/// The reason for a check.
enum Occasion {
    /// The interval is over.
    Time,
    /// A revocation, possibly of this person alone.
    SessionRevocation { is_personal: bool },
    /// A frame that needs a check.
    Frame(Bytes),
}

/// Passes frames on until the watcher loses access. Checks once a minute, and at once after a revocation of the
/// watcher, before the next frame. So a person who is signed out or removed from the list gets no further frame. If the
/// store does not answer then, frames wait.
fn until_revoked<F>(
    frames: FrameStream,
    revocations: RevocationListener,
    revocation_frame: F,
) -> impl Stream<Item = Bytes>
where
    F: Fn() -> LocalBoxFuture<'static, Standing>,
{
    // The session may have been remembered for half a minute at the start.
    let mut recheck = interval_at(Instant::now() + RECHECK / 2, RECHECK);
    recheck.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watching = Watching { frames, revocations, revocation_frame, recheck, is_watched: false, is_over: false };
    stream::unfold(watching, |mut watching| async move {
        let frame = watching.next().await?;
        Some((frame, watching))
    })
}

impl<F> Watching<F>
where
    F: Fn() -> LocalBoxFuture<'static, Standing>,
{
    /// The next frame. `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        loop {
            let occasion = tokio::select! {
                biased;
                is_personal = self.revocations.concerned() => Occasion::SessionRevocation { is_personal },
                _ = self.recheck.tick() => Occasion::Time,
                frame = self.frames.next() => Occasion::Frame(frame?),
            };
            if let (Occasion::Frame(frame), false) = (&occasion, self.is_watched) {
                return Some(frame.clone());
            }
            if let Standing::Over(goodbye) = self.standing(&occasion).await {
                self.is_over = true;
                return Some(goodbye);
            }
            match occasion {
                Occasion::Time => {}
                Occasion::SessionRevocation { is_personal } => self.is_watched |= is_personal,
                Occasion::Frame(frame) => return Some(frame),
            }
        }
    }

    /// The outcome of the check. It is definite for a frame or a revocation.
    async fn standing(&self, occasion: &Occasion) -> Standing {
        loop {
            match (self.revocation_frame)().await {
                Standing::Unknown if !matches!(occasion, Occasion::Time) => sleep(ASK_AGAIN).await,
                standing => return standing,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use plenum_clients::testkit::{InMemoryClients, NumberedAccessTokens, Samples};
    use plenum_clients::{AccountStore, SessionRevocation, SessionStore};
    use plenum_kernel::SessionId;
    use plenum_kernel::testkit::StillClock;

    use super::*;

    /// A signed-in super administrator, and the sender of revocations.
    struct Someone {
        clients: Arc<InMemoryClients>,
        session: SessionId,
        revocations: Revocations,
    }

    impl Someone {
        async fn leave(&self) {
            self.clients.end(self.session, Samples::new().now()).await.unwrap();
        }
    }

    /// A person and their stream, with one frame every 40 seconds.
    async fn watching() -> (Someone, impl Stream<Item = Bytes>) {
        let (samples, clients) = (Samples::new(), Arc::new(InMemoryClients::new()));
        let root = samples.super_admin("root@example.org");
        let session = samples.session(root.person(), "refresh");
        let acting = ActingPerson { session: session.id, person: root.person() };
        AccountStore::add(&*clients, root).await.unwrap();
        clients.open(session).await.unwrap();
        let sessions = Arc::clone(&clients) as Arc<dyn SessionStore>;
        let tokens = Arc::new(NumberedAccessTokens::default());
        let access = Arc::new(AccessCheck::new(tokens, sessions, Arc::new(StillClock::new())));
        let frames = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(40)).await;
            Some((Bytes::from_static(b"data: {}\n\n"), ()))
        });
        let revocations = Revocations::new(Arc::clone(&access), None);
        let listener = revocations.listen(acting);
        let revocation_frame = move || {
            let access = Arc::clone(&access);
            async move { session_standing(&access, &acting).await }.boxed_local()
        };
        let someone = Someone { clients, session: acting.session, revocations };
        (someone, until_revoked(Box::pin(frames), listener, revocation_frame))
    }

    /// Reads the revocation frame, and expects the end of the stream.
    async fn assert_goodbye(frames: &mut (impl Stream<Item = Bytes> + Unpin)) {
        let goodbye = String::from_utf8(frames.next().await.unwrap().to_vec()).unwrap();
        assert!(goodbye.contains(r#""type":"error""#) && goodbye.contains(r#""code":"session_ended""#), "{goodbye}");
        assert!(frames.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_continues_while_the_session_is_active() {
        let (_someone, frames) = watching().await;
        let frames: Vec<Bytes> = frames.take(10).collect().await;
        assert!(frames.iter().all(|frame| &frame[..] == b"data: {}\n\n"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_an_error_event_within_a_minute_after_its_session() {
        let (someone, frames) = watching().await;
        let mut frames = Box::pin(frames);
        frames.next().await.unwrap();
        someone.leave().await;
        let ended = Instant::now();
        let mut frames = Box::pin(frames.skip_while(|frame| std::future::ready(&frame[..] == b"data: {}\n\n")));
        assert_goodbye(&mut frames).await;
        assert!(ended.elapsed() <= RECHECK);
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_remembered_at_the_start_is_checked_sooner() {
        let (someone, frames) = watching().await;
        let opened = Instant::now();
        someone.leave().await;
        assert_goodbye(&mut Box::pin(frames)).await;
        assert!(opened.elapsed() <= RECHECK / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_an_error_event_at_once_after_a_revocation() {
        let (someone, frames) = watching().await;
        let mut frames = Box::pin(frames);
        frames.next().await.unwrap();
        someone.leave().await;
        someone.revocations.announce(SessionRevocation::Session(someone.session));
        let ended = Instant::now();
        assert_goodbye(&mut frames).await;
        assert!(ended.elapsed().is_zero());
    }

    #[tokio::test(start_paused = true)]
    async fn a_revocation_without_effect_in_the_store_ends_no_stream() {
        let (someone, frames) = watching().await;
        let mut frames = Box::pin(frames);
        someone.revocations.announce(SessionRevocation::Session(someone.session));
        assert_eq!(&frames.next().await.unwrap()[..], b"data: {}\n\n");
        assert!(frames.next().await.is_some());
    }

    /// A frame that is ready before a revocation is not sent after it.
    #[tokio::test(start_paused = true)]
    async fn a_waiting_frame_is_not_sent_after_a_revocation() {
        let clock = Arc::new(StillClock::new());
        let clients = Arc::new(InMemoryClients::new());
        let access = Arc::new(AccessCheck::new(Arc::new(NumberedAccessTokens::default()), clients, clock));
        let revocations = Revocations::new(access, None);
        let samples = Samples::new();
        let person = samples.super_admin("root@example.org").person();
        let acting = ActingPerson { session: samples.session_id(), person };
        // Without the check, one of two runs would send a frame by chance.
        for _ in 0..50 {
            let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
            let over = || async { Standing::Over(Bytes::from_static(b"over")) }.boxed_local();
            let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), over));
            assert_eq!(&watched.next().await.unwrap()[..], b"data: {}\n\n");
            revocations.announce(SessionRevocation::Session(acting.session));
            assert_eq!(&watched.next().await.unwrap()[..], b"over");
            assert!(watched.next().await.is_none());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn frames_wait_while_the_store_does_not_answer_after_a_revocation() {
        let clients = Arc::new(InMemoryClients::new());
        let tokens = Arc::new(NumberedAccessTokens::default());
        let access = Arc::new(AccessCheck::new(tokens, clients, Arc::new(StillClock::new())));
        let revocations = Revocations::new(access, None);
        let samples = Samples::new();
        let person = samples.super_admin("root@example.org").person();
        let acting = ActingPerson { session: samples.session_id(), person };
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let standing = move || {
            let number = count.fetch_add(1, Ordering::Relaxed);
            async move { if number < 3 { Standing::Unknown } else { Standing::Over(Bytes::from_static(b"over")) } }
                .boxed_local()
        };
        let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
        let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), standing));
        revocations.announce(SessionRevocation::Session(acting.session));
        assert_eq!(&watched.next().await.unwrap()[..], b"over");
        assert_eq!(asked.load(Ordering::Relaxed), 4);
    }

    /// A person removed from the list watches while they vote, and gets nothing after the round ends.
    #[tokio::test(start_paused = true)]
    async fn each_frame_is_checked_after_a_revocation_that_does_not_end_the_stream() {
        let clients = Arc::new(InMemoryClients::new());
        let tokens = Arc::new(NumberedAccessTokens::default());
        let access = Arc::new(AccessCheck::new(tokens, clients, Arc::new(StillClock::new())));
        let revocations = Revocations::new(access, None);
        let samples = Samples::new();
        let person = samples.super_admin("root@example.org").person();
        let acting = ActingPerson { session: samples.session_id(), person };
        let may_watch = Arc::new(AtomicU32::new(1));
        let asked = Arc::clone(&may_watch);
        let standing = move || {
            let is_welcome = asked.load(Ordering::Relaxed) == 1;
            async move { if is_welcome { Standing::Welcome } else { Standing::Over(Bytes::from_static(b"over")) } }
                .boxed_local()
        };
        let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
        let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), standing));
        revocations.announce(SessionRevocation::of(person));
        for _ in 0..3 {
            assert_eq!(&watched.next().await.unwrap()[..], b"data: {}\n\n");
        }
        may_watch.store(0, Ordering::Relaxed);
        assert_eq!(&watched.next().await.unwrap()[..], b"over");
        assert!(watched.next().await.is_none());
    }
}
