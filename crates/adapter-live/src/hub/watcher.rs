use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use plenum_kernel::{PortFailure, RoundId};
use plenum_meetings::live::{Audience, FrameStream, LiveChange, LiveState, Watcher};
use tokio::select;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Sleep, sleep, sleep_until};

use crate::hub::announcement::{Announcement, open_round};
use crate::hub::backoff::Backoff;
use crate::hub::channel::Snapshot;
use crate::hub::state::{Hub, Seat};

/// The frames for whoever took this seat. `None` when there is no such meeting.
pub(crate) async fn watch(seat: Seat) -> Result<Option<FrameStream>, PortFailure> {
    // In this order nothing is missed: what is announced after the picture was taken is in the subscription already.
    let announcements = seat.room.announcements.subscribe();
    let picture = match seat.room.loaded_picture().await {
        Snapshot::Live(picture) => picture,
        Snapshot::Missing => return Ok(None),
        Snapshot::Failed(failure) => return Err(PortFailure::new("the live picture", failure)),
        Snapshot::Loading | Snapshot::ShutDown => return Ok(Some(stream::empty().boxed())),
    };
    let end = seat.room.end();
    let beat = Box::pin(sleep_until(seat.hub.rhythm.join()));
    let mut watching = Watching { seat, announcements, told: picture.state.clone(), voted_in: None, beat };
    let first = watching.whole_picture(&picture).await?;
    let (hub, watcher) = (Arc::clone(&watching.seat.hub), watching.seat.watcher);
    // The picture may have been written long ago, and is shared. What time it is has to be told freshly.
    let time = async move { heartbeat(&hub, &picture.state, watcher) };

    let later = stream::unfold(watching, |mut watching| async move {
        let frame = watching.next().await?;
        Some((frame, watching))
    });
    Ok(Some(stream::once(async { first }).chain(stream::once(time)).chain(later).take_until(Box::pin(end)).boxed()))
}

/// What time it is, and the version of `told`. All voters are told the same.
fn heartbeat(hub: &Hub, told: &LiveState, watcher: Watcher) -> Bytes {
    let audience = match watcher {
        Watcher::Organizer => Audience::Organizer,
        Watcher::Voter(_) => Audience::Voter,
        Watcher::Public => Audience::Public,
    };
    hub.frames.encode(LiveChange::Heartbeat { at: hub.now() }, told, audience)
}

/// One watcher, and what they have been told.
struct Watching {
    seat: Seat,
    announcements: broadcast::Receiver<Arc<Announcement>>,
    /// The picture that they were told last.
    told: LiveState,
    /// The round in which they have voted, as far as they were told.
    voted_in: Option<RoundId>,
    /// Until the next heartbeat. Kept from frame to frame: it is set anew only when it was due.
    beat: Pin<Box<Sleep>>,
}

impl Watching {
    /// The next frame. `None` when the room is over.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let announced = select! {
                // What happened goes before the time.
                biased;
                announced = self.announcements.recv() => announced,
                () = &mut self.beat => return Some(self.heartbeat()),
            };
            match announced {
                Ok(announcement) if announcement.state.version <= self.told.version => {}
                Ok(announcement) => return self.tell(&announcement).await,
                Err(RecvError::Lagged(_)) => return self.catch_up().await,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn heartbeat(&mut self) -> Bytes {
        let next = self.seat.hub.rhythm.after(self.beat.deadline());
        self.beat.as_mut().reset(next);
        // Of the picture that was told, and not of the present one: what is told of that may still lie unread, and whoever
        // is told its version now would think that it was missed.
        heartbeat(&self.seat.hub, &self.told, self.seat.watcher)
    }

    async fn tell(&mut self, announcement: &Announcement) -> Option<Bytes> {
        if let (Some(voted), Watcher::Voter(voter)) = (&announcement.voted, self.seat.watcher) {
            let round = open_round(&announcement.state);
            let was_told = round.is_some() && self.voted_in == round;
            if was_told && !voted.contains(&voter) {
                // Either the vote was withdrawn, or it was cast after the announcement was prepared: the store knows.
                match self.ask_store(&announcement.state).await {
                    Ok(voted_in) => self.voted_in = voted_in,
                    Err(_) => return self.catch_up().await,
                }
            } else {
                self.voted_in = round.filter(|_| voted.contains(&voter));
            }
        }
        self.told = announcement.state.clone();
        Some(self.frame(announcement))
    }

    /// The whole present picture in place of what was missed, as soon as it can be told rightly. Nothing else is told
    /// before, the time neither.
    async fn catch_up(&mut self) -> Option<Bytes> {
        let mut backoff = Backoff::new();
        loop {
            let picture = self.seat.room.live_picture()?;
            match self.whole_picture(&picture).await {
                Ok(frame) => return Some(frame),
                Err(_) => sleep(backoff.next()).await,
            }
        }
    }

    async fn whole_picture(&mut self, picture: &Announcement) -> Result<Bytes, PortFailure> {
        self.voted_in = self.ask_store(&picture.state).await?;
        self.told = picture.state.clone();
        Ok(self.frame(picture))
    }

    async fn ask_store(&self, state: &LiveState) -> Result<Option<RoundId>, PortFailure> {
        let has_voted = self.seat.hub.has_voted(state, self.seat.watcher).await?;
        Ok(open_round(state).filter(|_| has_voted))
    }

    fn frame(&self, announcement: &Announcement) -> Bytes {
        let round = open_round(&announcement.state);
        let audience = match self.seat.watcher {
            Watcher::Organizer => Audience::Organizer,
            Watcher::Public => Audience::Public,
            Watcher::Voter(_) if round.is_some() && self.voted_in == round => Audience::VoterWhoVoted,
            Watcher::Voter(_) => Audience::Voter,
        };
        announcement.frame(&*self.seat.hub.frames, audience)
    }
}
