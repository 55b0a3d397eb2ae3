use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::StreamExt;
use plenum_adapter_live::{InProcessBus, LiveHub, LivePorts, LiveSettings};
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{
    ClientId, EndUserId, InstanceId, MeetingId, PortFailure, QuestionId, QuestionType, RoundId, Secrecy, Step,
};
use plenum_meetings::live::{
    Audience, FrameStream, LiveBus, LiveChange, LiveCheckIn, LiveFacts, LiveFrames, LiveNotice, LiveQuestion,
    LiveRound, LiveSource, LiveState, LiveStreams, Watcher, Weights,
};
use plenum_meetings::{MeetingStatus, People};
use rust_decimal::Decimal;
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};

/// A hub on fakes, with one meeting in its store.
pub(crate) struct Fixture {
    pub(crate) hub: LiveHub,
    pub(crate) bus: Arc<InProcessBus>,
    pub(crate) source: Arc<FakeSource>,
    pub(crate) frames: Arc<FakeFrames>,
    pub(crate) clock: Arc<StillClock>,
    pub(crate) meeting: MeetingId,
    ids: CountingIds,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with(LiveSettings::default())
    }

    pub(crate) fn with(settings: LiveSettings) -> Self {
        Self::with_bus(settings, InProcessBus::new())
    }

    pub(crate) fn with_bus(settings: LiveSettings, bus: InProcessBus) -> Self {
        let ids = CountingIds::new();
        let meeting = MeetingId::new(&ids);
        let source = Arc::new(FakeSource::new(facts(meeting, &ids)));
        let frames = Arc::new(FakeFrames::default());
        let clock = Arc::new(StillClock::new());
        let bus = Arc::new(bus);
        let ports =
            LivePorts { source: source.clone(), frames: frames.clone(), bus: bus.clone(), clock: clock.clone() };
        let hub = LiveHub::start(ports, InstanceId::new(&ids), settings);
        Self { hub, bus, source, frames, clock, meeting, ids }
    }

    pub(crate) async fn watch(&self, watcher: Watcher) -> WatcherStream {
        WatcherStream::new(self.hub.watch(self.meeting, watcher).await.unwrap().unwrap())
    }

    /// A stream that has received its first frame.
    pub(crate) async fn watch_from_now(&self, watcher: Watcher) -> WatcherStream {
        let mut stream = self.watch(watcher).await;
        assert_eq!(stream.next().await.change, LiveChange::Connected);
        stream
    }

    pub(crate) fn new_voter(&self) -> EndUserId {
        EndUserId::new(&self.ids)
    }

    /// Changes the stored facts and sends a notice.
    pub(crate) async fn change(&self, change: impl FnOnce(&mut LiveFacts)) {
        self.source.change(change);
        self.bus.publish(LiveNotice::MeetingChanged(self.meeting)).await;
    }

    pub(crate) async fn rename(&self, title: &str) {
        self.change(|facts| facts.title = title.to_owned()).await;
    }

    /// Opens a new question for voting.
    pub(crate) async fn open_question(&self) -> RoundId {
        let question = question(&self.ids);
        let round = question.round.as_ref().unwrap().id;
        self.change(|facts| facts.question = Some(question)).await;
        round
    }

    /// Closes or reopens the round of the current question.
    pub(crate) async fn set_open(&self, is_open: bool) {
        self.change(|facts| facts.question.as_mut().unwrap().round.as_mut().unwrap().is_open = is_open).await;
    }

    /// Stores a vote and sends a notice.
    pub(crate) async fn vote(&self, round: RoundId, voter: EndUserId) {
        self.source.voted.lock().unwrap().insert((round, voter));
        self.bus.publish(LiveNotice::VotesChanged(self.meeting)).await;
    }

    /// Withdraws a vote and sends a notice.
    pub(crate) async fn withdraw(&self, round: RoundId, voter: EndUserId) {
        self.source.voted.lock().unwrap().remove(&(round, voter));
        self.bus.publish(LiveNotice::VotesChanged(self.meeting)).await;
    }
}

fn facts(meeting_id: MeetingId, ids: &CountingIds) -> LiveFacts {
    LiveFacts {
        meeting_id,
        client_id: ClientId::new(ids),
        client_name: "Rowing club".to_owned(),
        client_code: "rowing-club".to_owned(),
        title: "General assembly".to_owned(),
        description: None,
        status: MeetingStatus::Active,
        step: Step(1),
        scheduled_start: DateTime::<Utc>::UNIX_EPOCH,
        scheduled_end: DateTime::<Utc>::UNIX_EPOCH,
        question_count: 2,
        question: None,
        quorum: None,
        rehearsal: None,
        check_in: None,
        holders: Arc::default(),
    }
}

fn question(ids: &CountingIds) -> LiveQuestion {
    LiveQuestion {
        id: QuestionId::new(ids),
        text: "Approve the budget?".to_owned(),
        question_type: QuestionType::YesNo,
        options: vec!["Yes".to_owned(), "No".to_owned()],
        abstention: None,
        rating_max: None,
        max_choices: None,
        election: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        position: 1,
        round: Some(LiveRound {
            id: RoundId::new(ids),
            is_open: true,
            is_declared: false,
            opened_at: DateTime::<Utc>::UNIX_EPOCH,
            closes_at: None,
            urn_key: None,
            is_void: false,
            register_size: 100,
            votes_cast: 0,
            weight_cast: None,
            answer_wall: None,
        }),
    }
}

/// The stream of one watcher.
pub(crate) struct WatcherStream {
    frames: FrameStream,
    /// Whether the heartbeat right after the first snapshot was read.
    has_read_time: bool,
    /// The version of the last frame.
    version: u64,
}

impl WatcherStream {
    pub(crate) fn new(frames: FrameStream) -> Self {
        Self { frames, has_read_time: false, version: 0 }
    }

    /// The next frame, without the heartbeat right after the first snapshot. Waits for at most a minute, so that every test
    /// ends.
    pub(crate) async fn next(&mut self) -> ReceivedFrame {
        let received = self.next_of_all().await;
        if received.change == LiveChange::Connected && !self.has_read_time {
            self.has_read_time = true;
            let time = self.next_of_all().await;
            assert!(time.is_heartbeat(), "no time after the snapshot: {time:?}");
        }
        received
    }

    /// The next frame that is not a heartbeat.
    pub(crate) async fn next_but_heartbeats(&mut self) -> ReceivedFrame {
        loop {
            let received = self.next().await;
            if !received.is_heartbeat() {
                return received;
            }
        }
    }

    /// The next frame, also the heartbeat right after the first snapshot. A heartbeat always repeats the last version.
    pub(crate) async fn next_of_all(&mut self) -> ReceivedFrame {
        let frame = timeout(Duration::from_secs(60), self.frames.next()).await.expect("a frame within a minute");
        let received = ReceivedFrame::parse(&frame.expect("a stream that goes on"));
        if received.is_heartbeat() {
            assert_eq!(received.version, self.version, "{received:?}");
        }
        self.version = received.version;
        received
    }

    /// Asserts that nothing but heartbeats comes within `duration`.
    pub(crate) async fn receives_nothing_for(&mut self, duration: Duration) {
        let end = Instant::now() + duration;
        while let Ok(received) = timeout_at(end, self.next_of_all()).await {
            assert!(received.is_heartbeat(), "{received:?}");
        }
    }

    /// Reads what has come, and then waits with `waker` for more.
    pub(crate) fn wait_with(&mut self, waker: &Waker) {
        while let Poll::Ready(Some(_)) = self.frames.poll_next_unpin(&mut Context::from_waker(waker)) {}
    }

    /// Asserts that the stream ends without another frame.
    pub(crate) async fn has_ended(&mut self) {
        assert_eq!(timeout(Duration::from_secs(60), self.frames.next()).await.expect("an end"), None);
    }
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReceivedFrame {
    pub(crate) change: LiveChange,
    pub(crate) version: u64,
    pub(crate) participants: u64,
    pub(crate) votes: Option<u64>,
    /// Voters who count for the quorum, and all eligible voters.
    pub(crate) quorum: Option<(People, People)>,
    pub(crate) present: People,
    pub(crate) is_delayed: bool,
    pub(crate) title: String,
    pub(crate) audience: Audience,
}

/// All encoded frames. The bytes of a frame are its index here.
static ENCODED: Mutex<Vec<ReceivedFrame>> = Mutex::new(Vec::new());

impl ReceivedFrame {
    pub(crate) fn is_heartbeat(&self) -> bool {
        matches!(self.change, LiveChange::Heartbeat { .. })
    }

    fn parse(frame: &Bytes) -> Self {
        let number = usize::from_ne_bytes(frame[..].try_into().unwrap());
        ENCODED.lock().unwrap()[number].clone()
    }
}

/// Encodes frames that tests can read, and counts them.
#[derive(Default)]
pub(crate) struct FakeFrames {
    written: Mutex<HashMap<(String, u64, Audience), usize>>,
}

impl FakeFrames {
    /// Counts for each audience how often a frame of this change was encoded.
    pub(crate) fn times_encoded(&self, change: LiveChange, version: u64) -> HashMap<Audience, usize> {
        let name = format!("{change:?}");
        let written = self.written.lock().unwrap();
        let fitting = written.iter().filter(|((of, at, _), _)| *of == name && *at == version);
        fitting.map(|((_, _, audience), times)| (*audience, *times)).collect()
    }
}

impl LiveFrames for FakeFrames {
    fn encode(&self, change: LiveChange, state: &LiveState, audience: Audience) -> Bytes {
        *self.written.lock().unwrap().entry((format!("{change:?}"), state.version, audience)).or_default() += 1;
        let received = ReceivedFrame {
            change,
            version: state.version,
            participants: state.participants,
            votes: state.facts.open_question().map(|(_, round)| round.votes_cast),
            quorum: state.facts.quorum.as_ref().map(|quorum| (state.attending(), quorum.eligible)),
            present: state.present,
            is_delayed: state.is_delayed,
            title: state.facts.title.clone(),
            audience,
        };
        let mut written = ENCODED.lock().unwrap();
        written.push(received);
        Bytes::copy_from_slice(&(written.len() - 1).to_ne_bytes())
    }
}

/// A store that can fail or answer late.
pub(crate) struct FakeSource {
    facts: Mutex<Option<LiveFacts>>,
    voted: Mutex<HashSet<(RoundId, EndUserId)>>,
    /// The weights of eligible voters.
    weights: Mutex<Weights>,
    failures: AtomicUsize,
    who_voted_failures: AtomicUsize,
    is_held: watch::Sender<bool>,
    is_who_voted_held: watch::Sender<bool>,
    pub(crate) loads: AtomicUsize,
    pub(crate) who_voted_calls: AtomicUsize,
    pub(crate) votes_cast_calls: AtomicUsize,
    pub(crate) weight_cast_calls: AtomicUsize,
}

impl FakeSource {
    fn new(facts: LiveFacts) -> Self {
        Self {
            facts: Mutex::new(Some(facts)),
            voted: Mutex::default(),
            weights: Mutex::default(),
            failures: AtomicUsize::new(0),
            who_voted_failures: AtomicUsize::new(0),
            is_held: watch::Sender::new(false),
            is_who_voted_held: watch::Sender::new(false),
            loads: AtomicUsize::new(0),
            who_voted_calls: AtomicUsize::new(0),
            votes_cast_calls: AtomicUsize::new(0),
            weight_cast_calls: AtomicUsize::new(0),
        }
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut LiveFacts)) {
        change(self.facts.lock().unwrap().as_mut().unwrap());
    }

    /// Makes a voter eligible with this weight, or not eligible.
    pub(crate) fn weigh(&self, voter: EndUserId, weight: Option<&str>) {
        let mut weights = self.weights.lock().unwrap();
        match weight {
            Some(weight) => weights.insert(voter, weight.parse().unwrap()),
            None => weights.remove(&voter),
        };
    }

    fn weight_of(&self, round: RoundId) -> Decimal {
        let weights = self.weights.lock().unwrap();
        self.voters_of(round).iter().filter_map(|voter| weights.get(voter)).sum()
    }

    pub(crate) fn remove_meeting(&self) {
        *self.facts.lock().unwrap() = None;
    }

    /// Stores a vote without a notice.
    pub(crate) fn add_vote_silently(&self, round: RoundId, voter: EndUserId) {
        self.voted.lock().unwrap().insert((round, voter));
    }

    /// Lets the next `times` queries fail.
    pub(crate) fn fail(&self, times: usize) {
        self.failures.store(times, Ordering::SeqCst);
    }

    /// As [`Self::fail`], but only for `who_voted`.
    pub(crate) fn fail_who_voted(&self, times: usize) {
        self.who_voted_failures.store(times, Ordering::SeqCst);
    }

    /// Holds all answers until this is called with `false`.
    pub(crate) fn hold(&self, is_held: bool) {
        self.is_held.send_replace(is_held);
    }

    /// Holds the answer of `who_voted`, as it was at the time of the query, until this is called with `false`.
    pub(crate) fn hold_who_voted(&self, is_held: bool) {
        self.is_who_voted_held.send_replace(is_held);
    }

    async fn answer(&self) -> Result<(), PortFailure> {
        self.is_held.subscribe().wait_for(|is_held| !is_held).await.unwrap();
        fail_if_set(&self.failures)
    }

    fn voters_of(&self, round: RoundId) -> Vec<EndUserId> {
        let voted = self.voted.lock().unwrap();
        voted.iter().filter(|(of, _)| *of == round).map(|(_, voter)| *voter).collect()
    }
}

fn fail_if_set(times: &AtomicUsize) -> Result<(), PortFailure> {
    match times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
        Ok(_) => Err(PortFailure::busy("the fake store")),
        Err(_) => Ok(()),
    }
}

#[async_trait]
impl LiveSource for FakeSource {
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        self.answer().await?;
        let facts = self.facts.lock().unwrap().clone();
        Ok(facts.filter(|facts| facts.meeting_id == meeting).map(|mut facts| {
            if let Some(round) = facts.question.as_mut().and_then(|question| question.round.as_mut()) {
                round.votes_cast = self.voters_of(round.id).len() as u64;
            }
            facts
        }))
    }

    async fn load_with_weights(&self, meeting: MeetingId) -> Result<Option<(LiveFacts, Weights)>, PortFailure> {
        let Some(mut facts) = self.load(meeting).await? else { return Ok(None) };
        let Some(quorum) = facts.quorum.as_mut() else { return Ok(Some((facts, Weights::new()))) };
        let weights = self.weights.lock().unwrap().clone();
        quorum.eligible = weights.values().copied().collect();
        if quorum.weighs_votes()
            && let Some(round) = facts.question.as_mut().and_then(|question| question.round.as_mut())
        {
            round.weight_cast = Some(self.weight_of(round.id));
        }
        Ok(Some((facts, weights)))
    }

    async fn weight_cast(&self, round: RoundId) -> Result<Decimal, PortFailure> {
        self.weight_cast_calls.fetch_add(1, Ordering::SeqCst);
        self.answer().await?;
        Ok(self.weight_of(round))
    }

    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure> {
        self.votes_cast_calls.fetch_add(1, Ordering::SeqCst);
        self.answer().await?;
        Ok(self.voters_of(round).len() as u64)
    }

    async fn checked_in(&self, _: MeetingId) -> Result<LiveCheckIn, PortFailure> {
        self.answer().await?;
        Ok(self.facts.lock().unwrap().as_ref().and_then(|facts| facts.check_in).unwrap_or_default())
    }

    async fn has_voted(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        self.answer().await?;
        Ok(self.voted.lock().unwrap().contains(&(round, voter)))
    }

    async fn who_voted(&self, round: RoundId) -> Result<Vec<EndUserId>, PortFailure> {
        self.who_voted_calls.fetch_add(1, Ordering::SeqCst);
        self.answer().await?;
        fail_if_set(&self.who_voted_failures)?;
        let voters = self.voters_of(round);
        self.is_who_voted_held.subscribe().wait_for(|is_held| !is_held).await.unwrap();
        Ok(voters)
    }
}
