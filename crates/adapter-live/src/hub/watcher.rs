//! The stream of one watcher.

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use plenum_kernel::{PortFailure, RoundId};
use plenum_meetings::live::{Audience, FrameStream, LiveChange, LiveState, Watcher};
use tokio::select;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::{Sleep, sleep, sleep_until};

use super::announcement::{Announcement, open_round};
use super::backoff::Backoff;
use super::channel::Snapshot;
use super::state::{Hub, WatcherGuard};

/// Starts the watcher's stream: the whole snapshot, the time, and then the changes. `None` if there is no such meeting.
///
/// # Errors
/// Fails if the first load fails, or if the store cannot answer whether the voter has voted.
pub(super) async fn watch(guard: WatcherGuard) -> Result<Option<FrameStream>, PortFailure> {
    // Subscribes first, so that the subscription contains the announcements after the snapshot.
    let announcements = guard.channel.announcements.subscribe();
    let snapshot = match guard.channel.first_snapshot().await {
        Snapshot::Live(snapshot) => snapshot,
        Snapshot::Missing => return Ok(None),
        Snapshot::Failed(failure) => return Err(PortFailure::new("the live snapshot", failure)),
        Snapshot::Loading | Snapshot::ShutDown => return Ok(Some(stream::empty().boxed())),
    };
    let end = guard.channel.end();
    let beat = Box::pin(sleep_until(guard.hub.heartbeats.first()));
    let mut watcher = WatcherStream { guard, announcements, sent: snapshot.state.clone(), voted_in: None, beat };
    let first = watcher.whole_snapshot(&snapshot).await?;
    let (hub, kind) = (Arc::clone(&watcher.guard.hub), watcher.guard.watcher);
    // The frame of the snapshot is shared and may have been encoded long ago. The current time follows it.
    let time = async move { heartbeat(&hub, &snapshot.state, kind) };

    let later = stream::unfold(watcher, |mut watcher| async move {
        let frame = watcher.next().await?;
        Some((frame, watcher))
    });
    Ok(Some(stream::once(async { first }).chain(stream::once(time)).chain(later).take_until(Box::pin(end)).boxed()))
}

/// Waits for the next check-in or check-out of this voter. Never returns for other watchers.
async fn own_check_in(check_ins: Option<&mut watch::Receiver<bool>>) -> bool {
    let Some(check_ins) = check_ins else { return pending().await };
    match check_ins.changed().await {
        Ok(()) => *check_ins.borrow_and_update(),
        // Not before the channel has ended.
        Err(_) => pending().await,
    }
}

/// A frame with the current time and the version of `sent`. It is the same for all voters.
fn heartbeat(hub: &Hub, sent: &LiveState, watcher: Watcher) -> Bytes {
    let audience = match watcher {
        Watcher::Organizer => Audience::Organizer,
        Watcher::Voter(_) => Audience::Voter,
        Watcher::Public => Audience::Public,
    };
    hub.frames.encode(LiveChange::Heartbeat { at: hub.now() }, sent, audience)
}

/// One watcher, and the state that they received.
struct WatcherStream {
    guard: WatcherGuard,
    announcements: broadcast::Receiver<Arc<Announcement>>,
    /// The state that was sent last.
    sent: LiveState,
    /// The round in which the voter has voted, as far as it was sent.
    voted_in: Option<RoundId>,
    /// The timer of the next heartbeat. It lives from frame to frame, and is reset only when it was due.
    beat: Pin<Box<Sleep>>,
}

impl WatcherStream {
    /// The next frame. `None` when the channel has ended.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let announced = select! {
                // An announcement goes before a heartbeat.
                biased;
                announced = self.announcements.recv() => announced,
                is_in = own_check_in(self.guard.own_check_ins.as_mut()) => return Some(self.check_in(is_in)),
                () = &mut self.beat => return Some(self.heartbeat()),
            };
            match announced {
                Ok(announcement) if announcement.state.version <= self.sent.version => {}
                Ok(announcement) => return self.send(&announcement).await,
                Err(RecvError::Lagged(_)) => return self.catch_up().await,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn heartbeat(&mut self) -> Bytes {
        let next = self.guard.hub.heartbeats.next(self.beat.deadline());
        self.beat.as_mut().reset(next);
        // Repeats the version that was sent, not the current one. Announcements up to the current version may still be
        // unread, and the client would conclude that it had missed them.
        heartbeat(&self.guard.hub, &self.sent, self.guard.watcher)
    }

    async fn send(&mut self, announcement: &Announcement) -> Option<Bytes> {
        if let (Some(voted), Watcher::Voter(voter)) = (&announcement.voted, self.guard.watcher) {
            let round = open_round(&announcement.state);
            let had_voted = round.is_some() && self.voted_in == round;
            if had_voted && !voted.contains(&voter) {
                // Either the vote was withdrawn, or it was cast after the announcement was prepared: the store knows.
                match self.query_vote(&announcement.state).await {
                    Ok(voted_in) => self.voted_in = voted_in,
                    Err(_) => return self.catch_up().await,
                }
            } else {
                self.voted_in = round.filter(|_| voted.contains(&voter));
            }
        }
        self.sent = announcement.state.clone();
        Some(self.frame(announcement))
    }

    /// Tells the voter alone. As with heartbeats, the version is the one that was sent.
    fn check_in(&self, is_in: bool) -> Bytes {
        self.guard.hub.frames.encode(LiveChange::OwnCheckIn { is_in }, &self.sent, Audience::Voter)
    }

    /// The whole current snapshot instead of missed announcements. Retries until the store answers, and sends nothing
    /// before that, not even a heartbeat.
    async fn catch_up(&mut self) -> Option<Bytes> {
        let mut backoff = Backoff::new();
        loop {
            let snapshot = self.guard.channel.current_snapshot()?;
            match self.whole_snapshot(&snapshot).await {
                Ok(frame) => return Some(frame),
                Err(_) => sleep(backoff.next()).await,
            }
        }
    }

    async fn whole_snapshot(&mut self, snapshot: &Announcement) -> Result<Bytes, PortFailure> {
        self.voted_in = self.query_vote(&snapshot.state).await?;
        self.sent = snapshot.state.clone();
        Ok(self.frame(snapshot))
    }

    async fn query_vote(&self, state: &LiveState) -> Result<Option<RoundId>, PortFailure> {
        let has_voted = self.guard.hub.has_voted(state, self.guard.watcher).await?;
        Ok(open_round(state).filter(|_| has_voted))
    }

    fn frame(&self, announcement: &Announcement) -> Bytes {
        let round = open_round(&announcement.state);
        let audience = match self.guard.watcher {
            Watcher::Organizer => Audience::Organizer,
            Watcher::Public => Audience::Public,
            Watcher::Voter(_) if round.is_some() && self.voted_in == round => Audience::VoterWhoVoted,
            Watcher::Voter(_) => Audience::Voter,
        };
        announcement.frame(&*self.guard.hub.frames, audience)
    }
}
