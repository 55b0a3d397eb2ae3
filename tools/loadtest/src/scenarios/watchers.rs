//! Thousands of watching screens that record the arrival of each step.

use std::io;
use std::iter::repeat_n;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::failure::LoadFailure;
use crate::http::{EventStream, Opened, Target};
use crate::latencies::{Latencies, figure, seconds};
use crate::machine::resident_bytes;
use crate::output::progress;
use crate::run::RunResult;

/// The text before the number of a step, in questions and in generic messages.
const MARK: &[u8] = b"Load step ";
const COUNTER: &[u8] = br#""type":"vote_count""#;
const HEARTBEAT: &[u8] = br#""type":"heartbeat""#;
/// The number of connections that open at a time.
const OPENED_AT_ONCE: usize = 200;
/// The share of streams for warm-up: one in this many opens and closes before the first memory measurement.
const WARM_UP_OF: usize = 50;
/// The receive buffer of a watcher that does not read, in bytes.
const BUFFER_OF_STALLED: u32 = 4096;

/// The receipts of all watchers.
#[derive(Debug)]
pub(super) struct Receipts {
    begun: Instant,
    watchers: usize,
    /// The first arrival of each step at each watcher, in nanoseconds from the beginning, or 0.
    receipts: Vec<AtomicU64>,
    arrived: Vec<AtomicUsize>,
    changed: Notify,
    bytes: AtomicU64,
    frames: AtomicU64,
    counters: AtomicU64,
    heartbeats: AtomicU64,
    /// The last heartbeat of each watcher, in nanoseconds from the beginning.
    last_heartbeats: Vec<AtomicU64>,
    longest_gap: AtomicU64,
    ended: AtomicU64,
}

impl Receipts {
    pub(super) fn new(watchers: usize, steps: usize) -> Arc<Self> {
        let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Self {
            begun: Instant::now(),
            watchers,
            receipts: zeros(watchers * steps),
            arrived: (0..steps).map(|_| AtomicUsize::new(0)).collect(),
            changed: Notify::new(),
            bytes: AtomicU64::new(0),
            frames: AtomicU64::new(0),
            counters: AtomicU64::new(0),
            heartbeats: AtomicU64::new(0),
            last_heartbeats: zeros(watchers),
            longest_gap: AtomicU64::new(0),
            ended: AtomicU64::new(0),
        })
    }

    fn record(&self, step: usize, watcher: usize, at: Instant) {
        let nanoseconds = nanoseconds(at - self.begun).max(1);
        let Some(receipt) = self.receipts.get(step * self.watchers + watcher) else { return };
        if receipt.compare_exchange(0, nanoseconds, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        if self.arrived[step].fetch_add(1, Ordering::AcqRel) + 1 == self.watchers {
            self.changed.notify_waiters();
        }
    }

    fn is_received_by_all(&self, step: usize) -> bool {
        self.arrived[step].load(Ordering::Acquire) >= self.watchers
    }

    /// Waits until a step has arrived everywhere, or the time limit is over.
    pub(super) async fn wait_for(&self, step: usize, time_limit: Duration) {
        let all = async {
            loop {
                let changed = self.changed.notified();
                if self.is_received_by_all(step) {
                    return;
                }
                // Checked again even without a signal, because a watcher may have ended meanwhile.
                let _ = timeout(Duration::from_millis(50), changed).await;
            }
        };
        let _ = timeout(time_limit, all).await;
    }

    /// The latency of a step at each watcher, from its request, and the number of watchers that it did not reach.
    pub(super) fn latencies(&self, step: usize, asked: Instant) -> (Vec<Duration>, usize) {
        let asked = nanoseconds(asked - self.begun);
        let of_step = &self.receipts[step * self.watchers..(step + 1) * self.watchers];
        let received: Vec<Duration> = of_step
            .iter()
            .map(|receipt| receipt.load(Ordering::Relaxed))
            .filter(|nanoseconds| *nanoseconds > 0)
            .map(|nanoseconds| Duration::from_nanos(nanoseconds.saturating_sub(asked)))
            .collect();
        let missed = self.watchers - received.len();
        (received, missed)
    }

    /// Received bytes, with framing.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Received frames.
    pub(super) fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// Received counters of votes.
    pub(super) fn counters(&self) -> u64 {
        self.counters.load(Ordering::Relaxed)
    }

    /// Received heartbeats.
    pub(super) fn heartbeats(&self) -> u64 {
        self.heartbeats.load(Ordering::Relaxed)
    }

    /// The longest time without a heartbeat of one stream: between two of them, or since the last. A stream whose
    /// heartbeats have stopped is silent until now.
    pub(super) fn longest_gap(&self, now: Instant) -> Duration {
        let now = nanoseconds(now - self.begun);
        let since_last = self.last_heartbeats.iter().map(|last| now.saturating_sub(last.load(Ordering::Relaxed)));
        let longest = self.longest_gap.load(Ordering::Relaxed);
        Duration::from_nanos(since_last.fold(longest, u64::max))
    }

    /// Streams that the server has ended.
    pub(super) fn ended(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    fn on_frame(&self, watcher: usize, frame: &[u8], at: Instant) {
        self.frames.fetch_add(1, Ordering::Relaxed);
        if let Some(step) = step_of(frame) {
            self.record(step, watcher, at);
        } else if contains(frame, COUNTER) {
            self.counters.fetch_add(1, Ordering::Relaxed);
        } else if contains(frame, HEARTBEAT) {
            self.heartbeats.fetch_add(1, Ordering::Relaxed);
            self.record_heartbeat(watcher, at);
        }
    }

    fn record_heartbeat(&self, watcher: usize, at: Instant) {
        let at = nanoseconds(at - self.begun);
        let last = self.last_heartbeats[watcher].swap(at, Ordering::Relaxed);
        self.longest_gap.fetch_max(at.saturating_sub(last), Ordering::Relaxed);
    }

    async fn watch(self: Arc<Self>, watcher: usize, mut stream: EventStream) {
        // A heartbeat is due at once.
        self.last_heartbeats[watcher].store(nanoseconds(self.begun.elapsed()), Ordering::Relaxed);
        let mut bytes = 0;
        loop {
            let read = stream.read(|frame| self.on_frame(watcher, frame, Instant::now())).await;
            self.bytes.fetch_add(stream.bytes() - bytes, Ordering::Relaxed);
            bytes = stream.bytes();
            if !matches!(read, Ok(true)) {
                self.ended.fetch_add(1, Ordering::Relaxed);
                return;
            }
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}

/// The number of the step in a frame.
fn step_of(frame: &[u8]) -> Option<usize> {
    let start = frame.windows(MARK.len()).position(|window| window == MARK)? + MARK.len();
    let digits: Vec<u8> = frame[start..].iter().copied().take_while(u8::is_ascii_digit).collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

/// Connected watchers. Dropping the value disconnects them.
#[derive(Debug)]
pub(super) struct Watchers {
    pub(super) receipts: Arc<Receipts>,
    _tasks: JoinSet<()>,
    stalled: Vec<TcpStream>,
}

/// The number of watchers and their requests.
pub(super) struct WatcherGroup<'a> {
    pub(super) target: &'a Arc<Target>,
    pub(super) watchers: usize,
    /// Number of further streams that are never read.
    pub(super) stalled: usize,
    pub(super) steps: usize,
    /// The request of the watcher with this number.
    pub(super) request: &'a (dyn Fn(usize) -> Vec<u8> + Sync),
}

impl WatcherGroup<'_> {
    /// Connects all watchers. Returns the connection times of those that read.
    pub(super) async fn connect(&self) -> Result<(Watchers, Duration), LoadFailure> {
        let receipts = Receipts::new(self.watchers, self.steps);
        let mut tasks = JoinSet::new();
        let begun = Instant::now();
        let numbers: Vec<usize> = (0..self.watchers).collect();
        for some in numbers.chunks(OPENED_AT_ONCE) {
            let opened = join_all(some.iter().map(|number| self.open(*number))).await;
            for (number, stream) in some.iter().zip(opened) {
                tasks.spawn(Arc::clone(&receipts).watch(*number, stream?));
            }
        }
        let took = begun.elapsed();
        let mut stalled = Vec::with_capacity(self.stalled);
        for number in 0..self.stalled {
            stalled.push(self.open_stalled(self.watchers + number).await.map_err(no_response)?);
        }
        Ok((Watchers { receipts, _tasks: tasks, stalled }, took))
    }

    /// The same, and records the duration and the growth of the server's process. Pauses for `rest` before: by then the
    /// server has sent merged events and released the memory of connecting.
    pub(super) async fn connect_measured(
        &self,
        server_pid: Option<u32>,
        rest: Duration,
        run: &mut RunResult,
    ) -> Result<Watchers, LoadFailure> {
        self.warm_up().await?;
        sleep(rest).await;
        let before = server_pid.and_then(resident_bytes);
        let (watchers, took) = self.connect().await?;
        progress(&format!("{} watchers are connected, after {:.1} s", self.watchers, took.as_secs_f64()));
        run.figures([seconds("connect_all", took)]);
        sleep(rest).await;
        if let Some((before, after)) = before.zip(server_pid.and_then(resident_bytes)) {
            add_memory_figures(before, after, self.watchers + self.stalled, run);
        }
        Ok(watchers)
    }

    /// Memory that a server allocates once for its first streams does not count.
    async fn warm_up(&self) -> Result<(), LoadFailure> {
        let streams = (0..self.watchers.div_ceil(WARM_UP_OF)).map(|number| self.open(number));
        try_join_all(streams).await.map(drop)
    }

    async fn open(&self, number: usize) -> Result<EventStream, LoadFailure> {
        let request = (self.request)(number);
        loop {
            let stream = self.target.connect(number).await.map_err(no_response)?;
            match EventStream::open(stream, &request).await.map_err(no_response)? {
                Opened::Stream(stream) => return Ok(stream),
                Opened::Refused(answer) if answer.status == 503 => {
                    sleep(answer.retry_after.unwrap_or(Duration::from_secs(1))).await;
                }
                Opened::Refused(answer) => {
                    let what = "watching".to_owned();
                    return Err(LoadFailure::Refused { what, status: answer.status, text: answer.text() });
                }
            }
        }
    }

    async fn open_stalled(&self, number: usize) -> io::Result<TcpStream> {
        use tokio::io::AsyncWriteExt as _;
        let mut stream = self.target.connect_with(number, Some(BUFFER_OF_STALLED)).await?;
        stream.write_all(&(self.request)(number % self.watchers.max(1))).await?;
        Ok(stream)
    }
}

/// If the process shrank, the memory of the streams is unknown.
fn add_memory_figures(before: u64, after: u64, streams: usize, run: &mut RunResult) {
    const OF_EACH: &str = "server_memory_per_stream";
    run.figures([figure("server_memory", "B", after as f64)]);
    if after > before {
        run.figures([figure(OF_EACH, "B", (after - before) as f64 / streams.max(1) as f64)]);
    } else {
        run.leave_out(OF_EACH, "the server's memory did not grow while the watchers connected");
    }
}

fn no_response(source: io::Error) -> LoadFailure {
    LoadFailure::NoResponse { what: "watching".to_owned(), source }
}

/// The arrivals of steps.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    all: Vec<Duration>,
    medians: Vec<Duration>,
    lasts: Vec<Duration>,
    pub(super) answers: Vec<Duration>,
    pub(super) missed: u64,
}

impl Arrivals {
    /// Records one step. A watcher that it did not reach counts with the time limit, so that a lost event never looks
    /// quick.
    pub(super) fn record(&mut self, receipts: (Vec<Duration>, usize), answered: Duration, time_limit: Duration) {
        let (mut received, missed) = receipts;
        received.extend(repeat_n(time_limit, missed));
        let of_step = Latencies::of(received.clone());
        self.medians.push(of_step.median());
        self.lasts.push(of_step.longest());
        self.answers.push(answered);
        self.all.extend(received);
        self.missed += missed as u64;
    }

    /// The receipts of all steps by all watchers, the medians of the steps, the last receipts of the steps, and the
    /// responses.
    pub(super) fn latencies(self) -> [(&'static str, Latencies); 4] {
        [("receipt", self.all), ("step_median", self.medians), ("last", self.lasts), ("answer", self.answers)]
            .map(|(name, measured)| (name, Latencies::of(measured)))
    }
}

impl Watchers {
    /// The number of watchers that do not read.
    pub(super) fn stalled(&self) -> usize {
        self.stalled.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_recognized_by_its_number() {
        assert_eq!(step_of(br#"data: {"type":"question_activated","data":{"text":"Load step 17."}}"#), Some(17));
        assert_eq!(step_of(b"data: Load step 0"), Some(0));
        assert_eq!(step_of(br#"data: {"type":"heartbeat"}"#), None);
        assert_eq!(step_of(b"data: Load step ."), None);
    }

    #[tokio::test]
    async fn each_watcher_is_recorded_once_for_each_step() {
        let receipts = Receipts::new(2, 2);
        let asked = Instant::now();
        receipts.on_frame(0, b"data: Load step 1", asked + Duration::from_millis(3));
        receipts.on_frame(0, b"data: Load step 1", asked + Duration::from_millis(9));
        assert_eq!(receipts.latencies(1, asked), (vec![Duration::from_millis(3)], 1));
        assert!(!receipts.is_received_by_all(1));
        receipts.on_frame(1, b"data: Load step 1", asked + Duration::from_millis(4));
        receipts.wait_for(1, Duration::from_secs(60)).await;
        assert_eq!(receipts.latencies(1, asked).1, 0);
        assert_eq!(receipts.latencies(0, asked), (Vec::new(), 2));
        // An unknown step is ignored.
        receipts.on_frame(1, b"data: Load step 99", asked);
        assert_eq!(receipts.frames(), 4);
    }

    #[tokio::test]
    async fn a_wait_ends_at_its_limit() {
        let receipts = Receipts::new(1, 1);
        receipts.wait_for(0, Duration::from_millis(1)).await;
        assert!(!receipts.is_received_by_all(0));
    }

    #[test]
    fn a_watcher_without_the_step_counts_with_the_time_limit() {
        let (quick, time_limit) = (Duration::from_millis(3), Duration::from_secs(10));
        let mut arrivals = Arrivals::default();
        arrivals.record((vec![quick], 0), quick, time_limit);
        arrivals.record((vec![quick], 2), quick, time_limit);
        arrivals.record((Vec::new(), 3), quick, time_limit);
        assert_eq!(arrivals.missed, 5);
        let [(_, receipts), (_, medians), (_, lasts), _] = arrivals.latencies();
        assert_eq!((receipts.count(), receipts.longest()), (7, time_limit));
        assert_eq!((medians.percentile(0.0), medians.median()), (quick, time_limit));
        assert_eq!((lasts.percentile(0.0), lasts.median()), (quick, time_limit));
    }

    #[test]
    fn a_stream_whose_heartbeats_have_stopped_is_silent_until_now() {
        let (receipts, heartbeat) = (Receipts::new(2, 0), br#"data: {"type":"heartbeat"}"#);
        let at = |seconds| receipts.begun + Duration::from_secs(seconds);
        for (watcher, seconds) in [(0, 1), (1, 2), (0, 16), (0, 33), (0, 48)] {
            receipts.on_frame(watcher, heartbeat, at(seconds));
        }
        assert_eq!(receipts.longest_gap(at(18)), Duration::from_secs(17), "between two");
        assert_eq!(receipts.longest_gap(at(50)), Duration::from_secs(48), "of the other one since its first");
        assert_eq!(Receipts::new(0, 0).longest_gap(at(50)), Duration::ZERO);
    }

    #[test]
    fn memory_without_growth_gives_no_figure() {
        let figures = |before, after| {
            let mut run = RunResult::begin("watch", "2", 7);
            add_memory_figures(before, after, 2, &mut run);
            let outcome = run.outcome();
            (outcome.figure("server_memory_per_stream"), outcome.left_out.contains_key("server_memory_per_stream"))
        };
        assert_eq!(figures(1_000, 5_000), (Some(2_000.0), false));
        assert_eq!(figures(5_000, 5_000), (None, true));
        assert_eq!(figures(5_000, 1_000), (None, true));
    }

    #[test]
    fn counters_and_heartbeats_are_distinguished() {
        let receipts = Receipts::new(1, 1);
        for frame in [&br#"data: {"type":"vote_count","data":{}}"#[..], br#"data: {"type":"heartbeat","data":{}}"#] {
            receipts.on_frame(0, frame, Instant::now());
        }
        assert_eq!((receipts.counters(), receipts.heartbeats(), receipts.frames()), (1, 1, 2));
    }
}
