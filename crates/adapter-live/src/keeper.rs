//! Keeps the picture of one meeting: the only one who changes it, and who tells the watchers.

use std::collections::HashSet;
use std::error::Error;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;

use plenum_kernel::{EndUserId, MeetingId, PortFailure, RoundId};
use plenum_meetings::live::{LiveChange, LiveFacts, LiveSource, LiveState};
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use crate::announcement::{Announcement, open_round};
use crate::backoff::Backoff;
use crate::hub::Hub;
use crate::room::{Picture, Room};

/// Keeps `room` until everyone has left, the meeting is gone or the hub is shut down.
pub(crate) async fn keep(hub: Arc<Hub>, room: Arc<Room>) {
    // However this ends, by a panic too: nobody waits in a room that has no keeper.
    let _closing = Closing { hub: &hub, room: &room };
    select! {
        biased;
        () = room.end() => {}
        () = load_and_keep(&hub, &room) => {}
    }
}

struct Closing<'a> {
    hub: &'a Hub,
    room: &'a Arc<Room>,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.hub.close(self.room);
    }
}

async fn load_and_keep(hub: &Hub, room: &Room) {
    let facts = match hub.source.load(room.meeting).await {
        Ok(Some(facts)) => facts,
        Ok(None) => {
            room.picture.send_replace(Picture::Missing);
            return;
        }
        Err(failure) => {
            room.picture.send_replace(Picture::Failed(Arc::new(failure)));
            return;
        }
    };
    Keeper::new(hub, room, facts).run().await;
}

/// What was told of a round's counters: the round, its votes, its register.
type Counts = Option<(RoundId, u64, u64)>;

/// A question to the store that is on its way. There is one at a time, so that every answer is newer than the one
/// before, and a lower count is a withdrawn vote and not an older reading.
type Question = Pin<Box<dyn Future<Output = Answer> + Send>>;

enum Answer {
    Facts(Result<Option<Loaded>, PortFailure>),
    Votes(RoundId, Result<u64, PortFailure>),
}

struct Loaded {
    facts: Arc<LiveFacts>,
    changes: Vec<LiveChange>,
    voted: Arc<HashSet<EndUserId>>,
}

struct Keeper<'a> {
    hub: &'a Hub,
    room: &'a Room,
    state: LiveState,
    told_counts: Counts,
    /// The whole picture is to be loaded.
    is_out_of_date: bool,
    /// The votes of the open round are to be read.
    has_new_votes: bool,
    /// Counters are told again from then on.
    counters_from: Instant,
    /// After a failure the store is asked again from then on.
    ask_from: Instant,
    backoff: Backoff,
}

impl<'a> Keeper<'a> {
    fn new(hub: &'a Hub, room: &'a Room, facts: LiveFacts) -> Self {
        let state =
            LiveState { version: hub.first_version(), participants: room.participants(), facts: Arc::new(facts) };
        hub.has_told(state.version);
        let now = Instant::now();
        let keeper = Self {
            told_counts: counts(&state.facts),
            hub,
            room,
            state,
            is_out_of_date: false,
            has_new_votes: false,
            counters_from: now,
            ask_from: now,
            backoff: Backoff::new(),
        };
        keeper.show_picture();
        keeper
    }

    /// Returns when the meeting is gone.
    async fn run(mut self) {
        let period = self.hub.settings.heartbeat;
        let mut heartbeat = interval_at(Instant::now() + period, period);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut question: Option<Question> = None;
        loop {
            self.is_out_of_date |= self.room.errands.take_meeting_changed();
            self.has_new_votes |= self.room.errands.take_votes_changed();
            let now = Instant::now();
            if question.is_none() {
                question = self.next_question(now);
            }
            if now >= self.counters_from {
                self.tell_counters(now);
            }
            let wake = self.wakes_at(question.is_some());
            // A question on its way stands still for nothing here: a hanging store leaves the heartbeats beating.
            select! {
                answer = answer_to(&mut question) => {
                    question = None;
                    if !self.take(answer) {
                        return;
                    }
                }
                () = self.room.errands.raised() => {}
                () = wait_until(wake) => {}
                _ = heartbeat.tick() => {
                    self.send(LiveChange::Heartbeat, None);
                    // A change whose commit was not acknowledged is signalled by nobody. Looking now and then heals it.
                    self.is_out_of_date = true;
                }
            }
        }
    }

    /// What is to be asked of the store now. Flags are lowered before, so that what comes in meanwhile is asked again.
    fn next_question(&mut self, now: Instant) -> Option<Question> {
        if now < self.ask_from {
            return None;
        }
        if self.is_out_of_date {
            self.is_out_of_date = false;
            self.has_new_votes = false;
            let (source, meeting) = (Arc::clone(&self.hub.source), self.room.meeting);
            let before = Arc::clone(&self.state.facts);
            return Some(Box::pin(async move { Answer::Facts(load(&*source, meeting, &before).await) }));
        }
        if self.has_new_votes && now >= self.counters_from {
            self.has_new_votes = false;
            // Without an open round there is no counter on any screen.
            let round = open_round(&self.state)?;
            let source = Arc::clone(&self.hub.source);
            return Some(Box::pin(async move { Answer::Votes(round, source.votes_cast(round).await) }));
        }
        None
    }

    /// When there is something to do although nothing happens.
    fn wakes_at(&self, is_asking: bool) -> Option<Instant> {
        let counters = self.has_untold_counters().then_some(self.counters_from);
        let question = match (is_asking, self.is_out_of_date, self.has_new_votes) {
            (true, ..) | (false, false, false) => None,
            (false, true, _) => Some(self.ask_from),
            (false, false, true) => Some(self.ask_from.max(self.counters_from)),
        };
        [counters, question].into_iter().flatten().min()
    }

    /// Works an answer of the store into the picture. False when the meeting is gone.
    fn take(&mut self, answer: Answer) -> bool {
        let failure = match answer {
            Answer::Facts(Ok(None)) => return false,
            Answer::Facts(Ok(Some(loaded))) => {
                self.take_facts(loaded);
                None
            }
            Answer::Votes(round, Ok(votes)) => {
                self.take_votes(round, votes);
                None
            }
            Answer::Facts(Err(failure)) => {
                self.is_out_of_date = true;
                Some(failure)
            }
            Answer::Votes(_, Err(failure)) => {
                self.has_new_votes = true;
                Some(failure)
            }
        };
        match failure {
            None => self.backoff = Backoff::new(),
            Some(failure) => {
                let wait = self.backoff.next();
                self.ask_from = Instant::now() + wait;
                tracing::warn!(
                    meeting.id = %self.room.meeting,
                    retry_ms = wait.as_millis() as u64,
                    error = &failure as &dyn Error,
                    "the live picture could not be brought up to date",
                );
            }
        }
        true
    }

    fn take_facts(&mut self, loaded: Loaded) {
        self.state.facts = loaded.facts;
        // Also when there is nothing to tell: who comes now sees what is stored now.
        self.show_picture();
        for change in loaded.changes {
            match change {
                // Told with the other counters, no more often than those.
                LiveChange::VoteCount => {}
                LiveChange::QuestionActivated => {
                    self.told_counts = counts(&self.state.facts);
                    self.announce(change, Some(Arc::clone(&loaded.voted)));
                }
                LiveChange::MeetingUpdate => self.announce(change, Some(Arc::clone(&loaded.voted))),
                _ => self.announce(change, None),
            }
        }
        if open_round(&self.state).is_none() {
            self.told_counts = None;
        }
    }

    fn take_votes(&mut self, round: RoundId, votes: u64) {
        let mut facts = LiveFacts::clone(&self.state.facts);
        if let Some(open) = facts.question.as_mut().and_then(|question| question.round.as_mut())
            && open.id == round
        {
            open.votes_cast = votes;
        }
        self.state.facts = Arc::new(facts);
        let now = Instant::now();
        self.tell_votes();
        self.counters_from = now + self.hub.settings.merge_interval;
    }

    fn has_untold_counters(&self) -> bool {
        self.told_counts != counts(&self.state.facts) || self.state.participants != self.room.participants()
    }

    fn tell_counters(&mut self, now: Instant) {
        let is_told = [self.tell_votes(), self.tell_participants()];
        if is_told.contains(&true) {
            self.counters_from = now + self.hub.settings.merge_interval;
        }
    }

    fn tell_votes(&mut self) -> bool {
        let counts = counts(&self.state.facts);
        let is_new = counts != self.told_counts;
        if is_new {
            self.told_counts = counts;
            self.announce(LiveChange::VoteCount, None);
        }
        is_new
    }

    fn tell_participants(&mut self) -> bool {
        let participants = self.room.participants();
        let is_new = participants != self.state.participants;
        if is_new {
            self.state.participants = participants;
            self.announce(LiveChange::ParticipantCount, None);
        }
        is_new
    }

    /// Tells a change as the next version.
    fn announce(&mut self, change: LiveChange, voted: Option<Arc<HashSet<EndUserId>>>) {
        self.state.version += 1;
        self.hub.has_told(self.state.version);
        self.show_picture();
        self.send(change, voted);
    }

    fn show_picture(&self) {
        let picture = Announcement::new(LiveChange::Connected, self.state.clone(), None);
        self.room.picture.send_replace(Picture::Live(Arc::new(picture)));
    }

    fn send(&self, change: LiveChange, voted: Option<Arc<HashSet<EndUserId>>>) {
        // With nobody there to hear it, the room is about to end.
        let _ = self.room.announcements.send(Arc::new(Announcement::new(change, self.state.clone(), voted)));
    }
}

/// Loads the picture, what is different from `before`, and who has voted if someone is to be told.
async fn load(source: &dyn LiveSource, meeting: MeetingId, before: &LiveFacts) -> Result<Option<Loaded>, PortFailure> {
    let Some(facts) = source.load(meeting).await? else {
        return Ok(None);
    };
    let changes = facts.changes_since(before);
    let shows_question =
        changes.iter().any(|change| matches!(change, LiveChange::QuestionActivated | LiveChange::MeetingUpdate));
    let voted = match facts.open_question() {
        Some((_, round)) if shows_question && round.votes_cast > 0 => source.who_voted(round.id).await?,
        _ => Vec::new(),
    };
    Ok(Some(Loaded { facts: Arc::new(facts), changes, voted: Arc::new(voted.into_iter().collect()) }))
}

fn counts(facts: &LiveFacts) -> Counts {
    facts.open_question().map(|(_, round)| (round.id, round.votes_cast, round.register_size))
}

async fn answer_to(question: &mut Option<Question>) -> Answer {
    match question {
        Some(question) => question.await,
        None => pending().await,
    }
}

async fn wait_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => sleep_until(wake).await,
        None => pending().await,
    }
}
