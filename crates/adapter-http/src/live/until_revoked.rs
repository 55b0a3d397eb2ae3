//! Ends a stream when its watcher loses access: signed out, removed from the list, or the session is over.

use std::future::pending;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::{Stream, StreamExt as _, stream};
use plenum_clients::{AccessCheck, AccessRefusal};
use plenum_kernel::ActingPerson;
use plenum_meetings::live::FrameStream;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep};

use crate::error::ErrorCode;
use crate::live::frames::{FrameKind, error_frame};
use crate::live::revocations::RevocationListener;

/// The interval of checks whether the watcher may continue. The rest of a minute is for the check itself.
const RECHECK: Duration = Duration::from_secs(58);
/// The delay before another query of a store that did not answer.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// The time after which the stream has got every event about a round that opened before. Without a notice, the next load of the
/// meeting finds it, 15 seconds later at most.
const ROUNDS_KNOWN: Duration = Duration::from_secs(20);

/// The outcome of a check.
pub(super) enum Access {
    /// The watcher may continue.
    Granted,
    /// The watcher may not continue, and gets this frame.
    Ended(Bytes),
    /// The store did not answer.
    Unknown,
}

impl Access {
    pub(super) fn session_ended() -> Self {
        Self::Ended(error_frame(ErrorCode::SESSION_ENDED, "The session has ended. Please sign in again."))
    }
}

/// Checks whether the session is active. A store that does not answer ends no session.
pub(super) async fn session_access(access: &AccessCheck, acting: &ActingPerson) -> Access {
    match access.recheck(acting).await {
        Err(AccessRefusal::SessionEnded) => Access::session_ended(),
        Err(AccessRefusal::Port(_)) => Access::Unknown,
        _ => Access::Granted,
    }
}

/// Tells whether the watcher of a stream may continue.
pub(super) trait WatcherAccess {
    /// Asks at once.
    fn now(&self) -> LocalBoxFuture<'static, Access>;

    /// Asks soon, together with other streams.
    fn soon(&self) -> LocalBoxFuture<'static, Access>;

    /// Whether the watcher may be let in only while a round is open: a voter in its register.
    fn may_depend_on_a_round(&self) -> bool;
}

/// The frames that wait for a check. Some do after a revocation that did not end the stream: a person removed from the list may
/// watch while they vote in an open round.
#[derive(Clone, Copy)]
enum FrameChecks {
    /// None.
    None,
    /// Each, after a revocation of this person.
    Personal,
    /// Each but heartbeats and counters, after a revocation of many, together with their other streams.
    Shared {
        /// The time when the watcher was let in after a round had ended, if no other one has opened since.
        let_in_between: Option<Instant>,
    },
}

/// An open stream.
struct OpenStream<W> {
    frames: FrameStream,
    revocations: RevocationListener,
    watcher: W,
    recheck: Interval,
    /// A check because the interval is over. Frames do not wait for it.
    rechecking: Option<LocalBoxFuture<'static, Access>>,
    frame_checks: FrameChecks,
    has_ended: bool,
}

/// What happens to a stream next.
enum Event {
    /// A revocation, possibly of this person alone.
    Revocation { is_personal: bool },
    /// The outcome of the check because of the interval.
    Rechecked(Access),
    /// The interval is over.
    RecheckDue,
    /// A frame, or the end of the stream.
    Frame(Option<Bytes>),
}

/// Forwards frames until the watcher loses access. Checks once a minute, and at once after a revocation of the watcher,
/// before the next frame. So a person who is signed out or removed from the list gets no further frame. If the store
/// does not answer then, frames wait. A person who may watch the rest of a round gets no frame after it.
pub(super) fn until_revoked(
    frames: FrameStream,
    revocations: RevocationListener,
    watcher: impl WatcherAccess,
) -> impl Stream<Item = Bytes> {
    // The session may have been remembered for half a minute at the start.
    let mut recheck = interval_at(Instant::now() + RECHECK / 2, RECHECK);
    recheck.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let frame_checks = FrameChecks::None;
    let stream = OpenStream { frames, revocations, watcher, recheck, rechecking: None, frame_checks, has_ended: false };
    stream::unfold(stream, |mut stream| async move {
        let frame = stream.next().await?;
        Some((frame, stream))
    })
}

impl<W: WatcherAccess> OpenStream<W> {
    /// The next frame. `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        if self.has_ended {
            return None;
        }
        loop {
            let access = match self.event().await {
                Event::Frame(frame) => {
                    let frame = frame?;
                    match self.check_frame(&frame).await {
                        Access::Ended(last) => Access::Ended(last),
                        _ => return Some(frame),
                    }
                }
                Event::Revocation { is_personal } => {
                    self.frame_checks = self.frame_checks_after(is_personal);
                    // Any other revocation may concern thousands of streams.
                    self.check(if is_personal { W::now } else { W::soon }).await
                }
                Event::RecheckDue => {
                    self.rechecking = Some(self.watcher.soon());
                    continue;
                }
                Event::Rechecked(access) => access,
            };
            if let Access::Ended(frame) = access {
                self.has_ended = true;
                return Some(frame);
            }
        }
    }

    /// The checks from a revocation on. A revocation of many may also stand for one of this person that was missed.
    fn frame_checks_after(&self, is_personal: bool) -> FrameChecks {
        if is_personal {
            return FrameChecks::Personal;
        }
        match self.frame_checks {
            FrameChecks::None | FrameChecks::Shared { .. } if self.watcher.may_depend_on_a_round() => {
                FrameChecks::Shared { let_in_between: None }
            }
            unchanged => unchanged,
        }
    }

    /// The check for which this frame waits, if it waits for any.
    async fn check_frame(&mut self, frame: &Bytes) -> Access {
        let let_in_between = match self.frame_checks {
            FrameChecks::None => return Access::Granted,
            FrameChecks::Personal => return self.check(W::now).await,
            FrameChecks::Shared { let_in_between } => let_in_between,
        };
        let kind = FrameKind::of(frame);
        if kind == FrameKind::Frequent {
            return Access::Granted;
        }
        if let_in_between.is_some_and(|since| since.elapsed() >= ROUNDS_KNOWN) {
            // No register had let the watcher in, or its round would have been announced.
            self.frame_checks = FrameChecks::None;
            return Access::Granted;
        }
        let access = self.check(W::soon).await;
        let let_in_between = match kind {
            FrameKind::Opening => None,
            FrameKind::Closing => Some(Instant::now()),
            FrameKind::Frequent | FrameKind::Other => let_in_between,
        };
        self.frame_checks = FrameChecks::Shared { let_in_between };
        access
    }

    async fn event(&mut self) -> Event {
        tokio::select! {
            biased;
            is_personal = self.revocations.concerned() => Event::Revocation { is_personal },
            access = outcome(&mut self.rechecking) => Event::Rechecked(access),
            _ = self.recheck.tick() => Event::RecheckDue,
            frame = self.frames.next() => Event::Frame(frame),
        }
    }

    /// The outcome of a check for a frame or a revocation. It is definite.
    async fn check(&self, ask: fn(&W) -> LocalBoxFuture<'static, Access>) -> Access {
        loop {
            match ask(&self.watcher).await {
                Access::Unknown => sleep(RETRY_DELAY).await,
                access => return access,
            }
        }
    }
}

/// The outcome of a check, which is over then. Without a check there is never one.
async fn outcome(check: &mut Option<LocalBoxFuture<'static, Access>>) -> Access {
    let Some(checking) = check else { return pending().await };
    let access = checking.await;
    *check = None;
    access
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use futures_util::FutureExt as _;
    use plenum_clients::testkit::{InMemoryClients, NumberedAccessTokens, Samples};
    use plenum_clients::{AccountStore, SessionRevocation, SessionStore};
    use plenum_kernel::testkit::{CountingIds, StillClock};
    use plenum_kernel::{ClientId, EndUserId, Person, SessionId};
    use tokio::sync::mpsc;

    use super::*;
    use crate::live::revocations::Revocations;

    /// Both kinds of checks are one here.
    impl<F: Fn() -> LocalBoxFuture<'static, Access>> WatcherAccess for F {
        fn now(&self) -> LocalBoxFuture<'static, Access> {
            self()
        }

        fn soon(&self) -> LocalBoxFuture<'static, Access> {
            self()
        }

        fn may_depend_on_a_round(&self) -> bool {
            true
        }
    }

    /// A signed-in super administrator, and the sender of revocations.
    struct SignedInPerson {
        clients: Arc<InMemoryClients>,
        session: SessionId,
        revocations: Revocations,
    }

    impl SignedInPerson {
        async fn leave(&self) {
            self.clients.end(self.session, Samples::new().now()).await.unwrap();
        }
    }

    /// A person and their stream, with one frame every 40 seconds.
    async fn watching() -> (SignedInPerson, impl Stream<Item = Bytes>) {
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
        let check_access = move || {
            let access = Arc::clone(&access);
            async move { session_access(&access, &acting).await }.boxed_local()
        };
        let person = SignedInPerson { clients, session: acting.session, revocations };
        (person, until_revoked(Box::pin(frames), listener, check_access))
    }

    /// The sender of revocations, and a person whose access the test decides.
    fn revocations_for_somebody() -> (Revocations, ActingPerson) {
        let (samples, clients) = (Samples::new(), Arc::new(InMemoryClients::new()));
        let tokens = Arc::new(NumberedAccessTokens::default());
        let access = Arc::new(AccessCheck::new(tokens, clients, Arc::new(StillClock::new())));
        let person = samples.super_admin("root@example.org").person();
        (Revocations::new(access, None), ActingPerson { session: samples.session_id(), person })
    }

    /// Reads the revocation frame, and expects the end of the stream.
    async fn assert_revoked(frames: &mut (impl Stream<Item = Bytes> + Unpin)) {
        let frame = String::from_utf8(frames.next().await.unwrap().to_vec()).unwrap();
        assert!(frame.contains(r#""type":"error""#) && frame.contains(r#""code":"session_ended""#), "{frame}");
        assert!(frames.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_continues_while_the_session_is_active() {
        let (_person, frames) = watching().await;
        let frames: Vec<Bytes> = frames.take(10).collect().await;
        assert!(frames.iter().all(|frame| &frame[..] == b"data: {}\n\n"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_an_error_event_within_a_minute_after_its_session() {
        let (person, frames) = watching().await;
        let mut frames = Box::pin(frames);
        frames.next().await.unwrap();
        person.leave().await;
        let ended = Instant::now();
        let mut frames = Box::pin(frames.skip_while(|frame| std::future::ready(&frame[..] == b"data: {}\n\n")));
        assert_revoked(&mut frames).await;
        assert!(ended.elapsed() <= RECHECK);
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_remembered_at_the_start_is_checked_sooner() {
        let (person, frames) = watching().await;
        let opened = Instant::now();
        person.leave().await;
        assert_revoked(&mut Box::pin(frames)).await;
        assert!(opened.elapsed() <= RECHECK / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_an_error_event_at_once_after_a_revocation() {
        let (person, frames) = watching().await;
        let mut frames = Box::pin(frames);
        frames.next().await.unwrap();
        person.leave().await;
        person.revocations.announce(SessionRevocation::Session(person.session));
        let ended = Instant::now();
        assert_revoked(&mut frames).await;
        assert!(ended.elapsed().is_zero());
    }

    #[tokio::test(start_paused = true)]
    async fn a_revocation_without_effect_in_the_store_ends_no_stream() {
        let (person, frames) = watching().await;
        let mut frames = Box::pin(frames);
        person.revocations.announce(SessionRevocation::Session(person.session));
        assert_eq!(&frames.next().await.unwrap()[..], b"data: {}\n\n");
        assert!(frames.next().await.is_some());
    }

    /// A frame that is ready before a revocation is not sent after it.
    #[tokio::test(start_paused = true)]
    async fn a_waiting_frame_is_not_sent_after_a_revocation() {
        let (revocations, acting) = revocations_for_somebody();
        // Without the check, one of two runs would send a frame by chance.
        for _ in 0..50 {
            let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
            let over = || async { Access::Ended(Bytes::from_static(b"over")) }.boxed_local();
            let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), over));
            assert_eq!(&watched.next().await.unwrap()[..], b"data: {}\n\n");
            revocations.announce(SessionRevocation::Session(acting.session));
            assert_eq!(&watched.next().await.unwrap()[..], b"over");
            assert!(watched.next().await.is_none());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn frames_wait_while_the_store_does_not_answer_after_a_revocation() {
        let (revocations, acting) = revocations_for_somebody();
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let check_access = move || {
            let number = count.fetch_add(1, Ordering::Relaxed);
            async move { if number < 3 { Access::Unknown } else { Access::Ended(Bytes::from_static(b"over")) } }
                .boxed_local()
        };
        let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
        let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), check_access));
        revocations.announce(SessionRevocation::Session(acting.session));
        assert_eq!(&watched.next().await.unwrap()[..], b"over");
        assert_eq!(asked.load(Ordering::Relaxed), 4);
    }

    /// A person removed from the list watches while they vote, and gets nothing after the round ends.
    #[tokio::test(start_paused = true)]
    async fn each_frame_is_checked_after_a_revocation_that_does_not_end_the_stream() {
        let (revocations, acting) = revocations_for_somebody();
        let may_watch = Arc::new(AtomicU32::new(1));
        let asked = Arc::clone(&may_watch);
        let check_access = move || {
            let may_continue = asked.load(Ordering::Relaxed) == 1;
            async move { if may_continue { Access::Granted } else { Access::Ended(Bytes::from_static(b"over")) } }
                .boxed_local()
        };
        let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
        let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), check_access));
        revocations.announce(SessionRevocation::of(acting.person));
        for _ in 0..3 {
            assert_eq!(&watched.next().await.unwrap()[..], b"data: {}\n\n");
        }
        may_watch.store(0, Ordering::Relaxed);
        assert_eq!(&watched.next().await.unwrap()[..], b"over");
        assert!(watched.next().await.is_none());
    }

    /// Frames once a second, and a check because of the interval that takes ten seconds and ends the stream.
    #[tokio::test(start_paused = true)]
    async fn frames_do_not_wait_for_a_check_because_of_the_interval() {
        let (revocations, acting) = revocations_for_somebody();
        let slow = || {
            let access = Access::Ended(Bytes::from_static(b"over"));
            sleep(Duration::from_secs(10)).map(|()| access).boxed_local()
        };
        let frames = stream::unfold((), |()| async {
            sleep(Duration::from_secs(1)).await;
            Some((Bytes::from_static(b"data: {}\n\n"), ()))
        });
        let opened = Instant::now();
        let received: Vec<Bytes> = until_revoked(Box::pin(frames), revocations.listen(acting), slow).collect().await;
        assert_eq!((received.len(), opened.elapsed()), (39, RECHECK / 2 + Duration::from_secs(10)));
        assert_eq!(&received[38][..], b"over");
    }

    /// May be asked together with others only, and then ends its stream after a second.
    struct AskedTogether;

    impl WatcherAccess for AskedTogether {
        fn now(&self) -> LocalBoxFuture<'static, Access> {
            panic!("asked alone")
        }

        fn soon(&self) -> LocalBoxFuture<'static, Access> {
            sleep(Duration::from_secs(1)).map(|()| Access::Ended(Bytes::from_static(b"over"))).boxed_local()
        }

        fn may_depend_on_a_round(&self) -> bool {
            true
        }
    }

    /// The sender of revocations, and a voter of this client.
    fn revocations_for_a_voter() -> (Revocations, ActingPerson, ClientId) {
        let (revocations, acting) = revocations_for_somebody();
        let ids = CountingIds::new();
        let (end_user, client) = (EndUserId::new(&ids), ClientId::new(&ids));
        (revocations, ActingPerson { person: Person::EndUser { end_user, client }, ..acting }, client)
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_revocation_of_an_organization_its_streams_are_checked_together_and_frames_wait() {
        let (revocations, acting, client) = revocations_for_a_voter();
        let frames = stream::repeat(Bytes::from_static(b"data: {}\n\n")).boxed();
        let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), AskedTogether));
        assert_eq!(&watched.next().await.unwrap()[..], b"data: {}\n\n");
        revocations.announce(SessionRevocation::Client(client));
        assert_eq!(&watched.next().await.unwrap()[..], b"over");
        assert!(watched.next().await.is_none());
    }

    /// A voter who is asked about together with others only, whether they may continue, and how often that was asked.
    #[derive(Clone, Default)]
    struct Voter {
        is_out: Arc<AtomicBool>,
        asked: Arc<AtomicU32>,
    }

    impl WatcherAccess for Voter {
        fn now(&self) -> LocalBoxFuture<'static, Access> {
            panic!("asked alone")
        }

        fn soon(&self) -> LocalBoxFuture<'static, Access> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let is_out = self.is_out.load(Ordering::Relaxed);
            async move { if is_out { Access::Ended(Bytes::from_static(b"over")) } else { Access::Granted } }
                .boxed_local()
        }

        fn may_depend_on_a_round(&self) -> bool {
            true
        }
    }

    /// A stream to which events can be sent.
    fn events() -> (mpsc::UnboundedSender<Bytes>, FrameStream) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let frames = stream::unfold(receiver, |mut receiver| async move {
            let frame = receiver.recv().await?;
            Some((frame, receiver))
        });
        (sender, frames.boxed())
    }

    fn event(event_type: &str) -> Bytes {
        Bytes::from(format!("data: {{\"data\":{{}},\"type\":\"{event_type}\"}}\n\n"))
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_revocation_of_many_or_a_missed_one_events_wait_for_a_shared_check_and_counters_do_not() {
        for is_missed in [false, true] {
            let (revocations, acting, client) = revocations_for_a_voter();
            let (voter, (sender, frames)) = (Voter::default(), events());
            let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), voter.clone()));
            if is_missed {
                let other = SessionRevocation::EndUser(EndUserId::new(&CountingIds::new()));
                (0..2_000).for_each(|_| revocations.announce(other));
            } else {
                revocations.announce(SessionRevocation::Client(client));
            }
            for (event_type, asked) in [
                ("vote_count", 1),
                ("meeting_update", 2),
                ("heartbeat", 2),
                ("participant_count", 2),
                ("vote_count", 2),
            ] {
                sender.send(event(event_type)).unwrap();
                assert_eq!(watched.next().await.unwrap(), event(event_type));
                assert_eq!(voter.asked.load(Ordering::Relaxed), asked, "{event_type}");
            }
            voter.is_out.store(true, Ordering::Relaxed);
            sender.send(event("question_deactivated")).unwrap();
            assert_eq!(&watched.next().await.unwrap()[..], b"over");
            assert!(watched.next().await.is_none());
        }
    }

    /// Sends these events with a long pause before the last one. Returns how often the voter was asked about for each.
    async fn checks_of(event_types: [&str; 4]) -> [u32; 4] {
        let (revocations, acting, client) = revocations_for_a_voter();
        let (voter, (sender, frames)) = (Voter::default(), events());
        let mut watched = Box::pin(until_revoked(frames, revocations.listen(acting), voter.clone()));
        revocations.announce(SessionRevocation::Client(client));
        sender.send(event("heartbeat")).unwrap();
        watched.next().await.unwrap();
        let mut checks = [0; 4];
        for (number, event_type) in event_types.into_iter().enumerate() {
            if number == 3 {
                sleep(ROUNDS_KNOWN).await;
            }
            voter.asked.store(0, Ordering::Relaxed);
            sender.send(event(event_type)).unwrap();
            assert_eq!(watched.next().await.unwrap(), event(event_type));
            checks[number] = voter.asked.load(Ordering::Relaxed);
        }
        checks
    }

    #[tokio::test(start_paused = true)]
    async fn a_voter_who_is_let_in_after_a_round_is_soon_no_longer_checked() {
        let round = ["question_activated", "question_deactivated", "meeting_update", "question_activated"];
        assert_eq!(checks_of(round).await, [1, 1, 1, 0]);
        // The register of the next round may have let them in.
        for opening in ["question_activated", "connected"] {
            let reopened = ["question_activated", "question_deactivated", opening, "question_deactivated"];
            assert_eq!(checks_of(reopened).await, [1, 1, 1, 1]);
        }
        let still_open = ["meeting_update", "question_activated", "meeting_update", "meeting_update"];
        assert_eq!(checks_of(still_open).await, [1, 1, 1, 1]);
    }
}
