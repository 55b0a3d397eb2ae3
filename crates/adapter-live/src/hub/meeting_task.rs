//! Keeps the picture of one meeting: the only one who changes it, and who tells the watchers.

use std::collections::HashSet;
use std::error::Error;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::{EndUserId, MeetingId, PortFailure, RoundId};
use plenum_meetings::People;
use plenum_meetings::live::{LiveChange, LiveFacts, LiveQuorum, LiveRound, LiveSource, LiveState, Weights};
use rust_decimal::Decimal;
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use crate::LiveSettings;
use crate::hub::announcement::{Announcement, open_round};
use crate::hub::backoff::Backoff;
use crate::hub::channel::{DeclaredResult, Granted, Room, Snapshot};
use crate::hub::presence_set::Presence;
use crate::hub::state::Hub;

/// The least time between two questions for the weight of the votes: adding them up takes the longer the more there are.
const WEIGHT_INTERVAL: Duration = Duration::from_secs(1);

/// How often the picture is loaded while other instances cannot be heard.
const DELAYED_LOOK: Duration = Duration::from_secs(2);

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
    let (facts, weights) = match hub.source.load_with_weights(room.meeting).await {
        Ok(Some(loaded)) => loaded,
        Ok(None) => {
            room.picture.send_replace(Snapshot::Missing);
            return;
        }
        Err(failure) => {
            room.picture.send_replace(Snapshot::Failed(Arc::new(failure)));
            return;
        }
    };
    MeetingTask::new(hub, room, facts, weights).run().await;
}

/// What was told of a round's counters: the round, its votes, its register, and the weight of its votes where that matters.
type Counts = Option<(RoundId, u64, u64, Option<Decimal>)>;

/// What was told of those who are here, and of those who may vote, if a quorum asks for them.
type Attendance = (Presence, Option<People>);

/// A question to the store that is on its way. There is one at a time, so that every answer is newer than the one
/// before, and a lower count is a withdrawn vote and not an older reading.
type Question = Pin<Box<dyn Future<Output = Answer> + Send>>;

enum Answer {
    Facts(Result<Option<Loaded>, PortFailure>),
    Votes(RoundId, Result<u64, PortFailure>),
    Weight(RoundId, Result<Decimal, PortFailure>),
}

struct Loaded {
    is_delayed: bool,
    facts: Arc<LiveFacts>,
    weights: Arc<Weights>,
    changes: Vec<LiveChange>,
    voted: Arc<HashSet<EndUserId>>,
}

struct MeetingTask<'a> {
    hub: &'a Hub,
    room: &'a Room,
    state: LiveState,
    told_counts: Counts,
    told_attendance: Attendance,
    /// By which those who are here are counted.
    weights: Arc<Weights>,
    /// Results that nobody was told of yet.
    untold_results: Vec<DeclaredResult>,
    /// The first so many of them were declared before the question that is on its way; its answer shows them.
    answered_results: usize,
    /// The first so many wishes for a picture as it is stored are granted by the answer that is on its way.
    granted_wishes: u64,
    /// The whole picture is to be loaded.
    is_out_of_date: bool,
    /// The votes of the open round are to be read.
    has_new_votes: bool,
    /// The weight of those votes is to be read.
    has_new_weight: bool,
    /// Counters are told again from then on.
    counters_from: Instant,
    /// The weight of the votes is read again from then on.
    weight_from: Instant,
    /// While other instances cannot be heard, the picture is loaded again from then on.
    look_from: Instant,
    /// After a failure the store is asked again from then on.
    ask_from: Instant,
    backoff: Backoff,
}

impl<'a> MeetingTask<'a> {
    fn new(hub: &'a Hub, room: &'a Room, facts: LiveFacts, weights: Weights) -> Self {
        let weights = Arc::new(weights);
        room.crowd.weigh_by(Arc::clone(&weights));
        let presence = room.crowd.presence();
        let Presence { participants, present } = presence;
        let state = LiveState {
            instance: hub.instance,
            version: hub.first_version(),
            participants,
            present,
            is_delayed: hub.is_delayed(),
            facts: Arc::new(facts),
        };
        hub.has_told(state.version);
        let now = Instant::now();
        let keeper = Self {
            told_counts: counts(&state.facts),
            told_attendance: (presence, eligible(&state.facts)),
            weights,
            untold_results: Vec::new(),
            answered_results: 0,
            granted_wishes: 0,
            hub,
            room,
            state,
            is_out_of_date: false,
            has_new_votes: false,
            has_new_weight: false,
            counters_from: now,
            weight_from: now,
            look_from: now + DELAYED_LOOK,
            ask_from: now,
            backoff: Backoff::new(),
        };
        keeper.show_picture();
        keeper
    }

    /// Returns when the meeting is gone.
    async fn run(mut self) {
        let period = self.hub.settings.heartbeat;
        let mut look = interval_at(Instant::now() + period, period);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut question: Option<Question> = None;
        loop {
            self.is_out_of_date |= self.room.errands.take_meeting_changed();
            self.has_new_votes |= self.room.errands.take_votes_changed();
            self.take_declared();
            let now = Instant::now();
            self.look_if_delayed(now);
            if question.is_none() {
                question = self.next_question(now);
            }
            if now >= self.counters_from {
                self.tell_counters(now);
            }
            let wake = self.wakes_at(question.is_some());
            // A question on its way stands still for nothing here: a hanging store leaves the participants counted.
            select! {
                answer = answer_to(&mut question) => {
                    question = None;
                    if !self.take(answer) {
                        return;
                    }
                }
                () = self.room.errands.raised() => {}
                () = wait_until(wake) => {}
                // A change whose commit was not acknowledged is signalled by nobody. Looking now and then heals it.
                _ = look.tick() => self.is_out_of_date = true,
            }
        }
    }

    /// Nobody says what happens on other instances: it is looked for.
    fn look_if_delayed(&mut self, now: Instant) {
        let is_delayed = self.hub.is_delayed();
        // Also when they can be heard again: that has to be told, with what was missed.
        self.is_out_of_date |= is_delayed != self.state.is_delayed;
        if is_delayed && now >= self.look_from {
            self.is_out_of_date = true;
            self.look_from = now + DELAYED_LOOK;
        }
    }

    /// A result is told with a picture that shows it.
    fn take_declared(&mut self) {
        let declared = self.room.errands.take_declared();
        self.is_out_of_date |= !declared.is_empty();
        self.untold_results.extend(declared);
    }

    /// What is to be asked of the store now. Flags are lowered before, so that what comes in meanwhile is asked again.
    fn next_question(&mut self, now: Instant) -> Option<Question> {
        if now < self.ask_from {
            return None;
        }
        if self.is_out_of_date {
            self.is_out_of_date = false;
            self.has_new_votes = false;
            self.has_new_weight = false;
            self.answered_results = self.untold_results.len();
            self.granted_wishes = self.room.errands.wishes();
            let (source, meeting) = (Arc::clone(&self.hub.source), self.room.meeting);
            let (before, is_delayed) = (self.state.clone(), self.hub.is_delayed());
            return Some(Box::pin(async move { Answer::Facts(load(&*source, meeting, &before, is_delayed).await) }));
        }
        if self.has_new_votes && now >= self.counters_from {
            self.has_new_votes = false;
            // Without an open round there is no counter on any screen.
            let round = open_round(&self.state)?;
            self.has_new_weight = self.weighs_votes();
            let source = Arc::clone(&self.hub.source);
            return Some(Box::pin(async move { Answer::Votes(round, source.votes_cast(round).await) }));
        }
        if self.has_new_weight && now >= self.weight_from {
            self.has_new_weight = false;
            self.weight_from = now + WEIGHT_INTERVAL;
            let round = open_round(&self.state)?;
            let source = Arc::clone(&self.hub.source);
            return Some(Box::pin(async move { Answer::Weight(round, source.weight_cast(round).await) }));
        }
        None
    }

    fn weighs_votes(&self) -> bool {
        self.state.facts.quorum.as_ref().is_some_and(LiveQuorum::weighs_votes)
    }

    /// When there is something to do although nothing happens.
    fn wakes_at(&self, is_asking: bool) -> Option<Instant> {
        let counters = self.has_untold_counters().then_some(self.counters_from);
        let picture = self.is_out_of_date.then_some(self.ask_from);
        let votes = self.has_new_votes.then(|| self.ask_from.max(self.counters_from));
        let weight = self.has_new_weight.then(|| self.ask_from.max(self.weight_from));
        let look = self.state.is_delayed.then(|| self.ask_from.max(self.look_from));
        let question = [picture, votes, weight, look].into_iter().flatten().min().filter(|_| !is_asking);
        [counters, question].into_iter().flatten().min()
    }

    /// Works an answer of the store into the picture. False when the meeting is gone.
    fn take(&mut self, answer: Answer) -> bool {
        let failure = match answer {
            Answer::Facts(Ok(None)) => return false,
            Answer::Facts(Ok(Some(loaded))) => {
                self.take_facts(loaded);
                self.grant(None);
                None
            }
            Answer::Votes(round, Ok(votes)) => {
                self.take_votes(round, votes);
                None
            }
            Answer::Weight(round, Ok(weight)) => {
                self.change_open(round, |open| open.weight_cast = Some(weight));
                None
            }
            Answer::Facts(Err(failure)) => {
                self.is_out_of_date = true;
                let failure = Arc::new(failure);
                self.grant(Some(Arc::clone(&failure)));
                Some(failure)
            }
            Answer::Votes(_, Err(failure)) => {
                self.has_new_votes = true;
                Some(Arc::new(failure))
            }
            Answer::Weight(_, Err(failure)) => {
                self.has_new_weight = true;
                Some(Arc::new(failure))
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
                    error = &*failure as &dyn Error,
                    "the live picture could not be brought up to date",
                );
            }
        }
        true
    }

    /// Tells those who wished for a picture as it is stored that it was loaded, or why it was not.
    fn grant(&self, failure: Option<Arc<PortFailure>>) {
        self.room.granted.send_replace(Granted { wishes: self.granted_wishes, failure });
    }

    fn take_facts(&mut self, loaded: Loaded) {
        self.state.facts = loaded.facts;
        self.state.is_delayed = loaded.is_delayed;
        self.weigh_by(loaded.weights);
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
                LiveChange::MeetingUpdate => {
                    let told = Presence { participants: self.state.participants, present: self.state.present };
                    self.told_attendance = (told, eligible(&self.state.facts));
                    self.announce(change, Some(Arc::clone(&loaded.voted)));
                }
                _ => self.announce(change, None),
            }
        }
        if open_round(&self.state).is_none() {
            self.told_counts = None;
        }
        for (round, question) in self.untold_results.drain(..self.answered_results).collect::<Vec<_>>() {
            self.announce(LiveChange::ResultDeclared { round, question }, None);
        }
        self.answered_results = 0;
    }

    /// Most pictures are loaded while the same people may vote; those who are here are not counted anew then.
    fn weigh_by(&mut self, weights: Arc<Weights>) {
        if weights != self.weights {
            self.room.crowd.weigh_by(Arc::clone(&weights));
            self.weights = weights;
            self.state.present = self.room.crowd.presence().present;
        }
    }

    fn take_votes(&mut self, round: RoundId, votes: u64) {
        self.change_open(round, |open| open.votes_cast = votes);
        let now = Instant::now();
        self.tell_votes();
        self.counters_from = now + self.pace();
    }

    /// Changes the open round of the picture, if it is this one.
    fn change_open(&mut self, round: RoundId, change: impl FnOnce(&mut LiveRound)) {
        let mut facts = LiveFacts::clone(&self.state.facts);
        if let Some(open) = facts.question.as_mut().and_then(|question| question.round.as_mut())
            && open.id == round
        {
            change(open);
        }
        self.state.facts = Arc::new(facts);
    }

    /// How long counters rest after they were told. Each is a write for each watcher, so that a hall of thousands would
    /// otherwise be kept busy by nothing but who comes through the door.
    fn pace(&self) -> Duration {
        let watchers = u32::try_from(self.room.announcements.receiver_count()).unwrap_or(u32::MAX);
        let LiveSettings { merge_interval, merge_per_watcher, .. } = self.hub.settings;
        merge_interval.max(merge_per_watcher.saturating_mul(watchers))
    }

    fn has_untold_counters(&self) -> bool {
        self.told_counts != counts(&self.state.facts) || self.told_attendance != self.attendance()
    }

    fn tell_counters(&mut self, now: Instant) {
        let is_told = [self.tell_votes(), self.tell_participants()];
        if is_told.contains(&true) {
            self.counters_from = now + self.pace();
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
        let attendance = self.attendance();
        let is_new = attendance != self.told_attendance;
        if is_new {
            self.told_attendance = attendance;
            let Presence { participants, present } = attendance.0;
            (self.state.participants, self.state.present) = (participants, present);
            self.announce(LiveChange::ParticipantCount, None);
        }
        is_new
    }

    fn attendance(&self) -> Attendance {
        (self.room.crowd.presence(), eligible(&self.state.facts))
    }

    /// Tells a change as the next version.
    fn announce(&mut self, change: LiveChange, voted: Option<Arc<HashSet<EndUserId>>>) {
        self.state.version += 1;
        self.hub.has_told(self.state.version);
        self.show_picture();
        // With nobody there to hear it, the room is about to end.
        let _ = self.room.announcements.send(Arc::new(Announcement::new(change, self.state.clone(), voted)));
    }

    fn show_picture(&self) {
        let picture = Announcement::new(LiveChange::Connected, self.state.clone(), None);
        self.room.picture.send_replace(Snapshot::Live(Arc::new(picture)));
    }
}

/// Loads the picture, what is different from `before`, and who has voted if someone is to be told.
async fn load(
    source: &dyn LiveSource,
    meeting: MeetingId,
    before: &LiveState,
    is_delayed: bool,
) -> Result<Option<Loaded>, PortFailure> {
    let Some((facts, weights)) = source.load_with_weights(meeting).await? else {
        return Ok(None);
    };
    let mut changes = facts.changes_since(&before.facts);
    // The picture itself says so.
    if is_delayed != before.is_delayed && !changes.contains(&LiveChange::MeetingUpdate) {
        changes.push(LiveChange::MeetingUpdate);
    }
    let shows_question =
        changes.iter().any(|change| matches!(change, LiveChange::QuestionActivated | LiveChange::MeetingUpdate));
    let voted = match facts.open_question() {
        Some((_, round)) if shows_question && round.votes_cast > 0 => source.who_voted(round.id).await?,
        _ => Vec::new(),
    };
    let (facts, weights, voted) = (Arc::new(facts), Arc::new(weights), Arc::new(voted.into_iter().collect()));
    Ok(Some(Loaded { is_delayed, facts, weights, changes, voted }))
}

fn counts(facts: &LiveFacts) -> Counts {
    facts.open_question().map(|(_, round)| (round.id, round.votes_cast, round.register_size, round.weight_cast))
}

fn eligible(facts: &LiveFacts) -> Option<People> {
    facts.quorum.map(|quorum| quorum.eligible)
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
