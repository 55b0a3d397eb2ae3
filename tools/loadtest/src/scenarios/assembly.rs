//! A whole meeting: sign-ins, screens, questions, votes and results, with people's reaction times.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until};

use super::voting::{CastResult, PendingBallot, cast, renew_if_due};
use crate::failure::LoadFailure;
use crate::fixture::{
    AgendaQuestion, Fixture, FixtureContent, PreparedBallot, QuestionKind, RoundPath, Voter, ballot, sign_in_request,
};
use crate::http::{Connection, EventStream, Opened, Target};
use crate::latencies::{Latencies, number, seconds};
use crate::options::{Common, Server, read_duration};
use crate::output::progress;
use crate::rng::{Rng, ThinkTime};
use crate::run::{RunResult, check_journal, clean_up, set_up};

/// The time for which the organizer waits for pending sign-ins after the time of arrivals.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(600);
/// The time until a screen reconnects to a lost stream.
const RECONNECT_AFTER: Duration = Duration::from_secs(3);

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// Number of voters.
    #[arg(long, default_value_t = 500)]
    voters: usize,
    /// Number of questions. Their types alternate.
    #[arg(long, default_value_t = 5)]
    questions: usize,
    /// Period in which all voters begin to sign in.
    #[arg(long, value_parser = read_duration, default_value = "60s")]
    arrive_within: Duration,
    /// Time limit of a voter's reaction to a question.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    vote_within: Duration,
    /// Time that each question is open.
    #[arg(long, value_parser = read_duration, default_value = "12s")]
    question: Duration,
    /// Share of deliberately late votes, none of which may count.
    #[arg(long, default_value_t = 0.01)]
    late: f64,
}

impl Settings {
    /// The shared options.
    pub fn common(&self) -> &Common {
        &self.common
    }
}

/// Plays the scenario.
///
/// # Errors
/// Fails when the set-up fails, an organizer's step is refused, or the record cannot be fetched.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    let questions = QuestionKind::ALL.into_iter().cycle().take(settings.questions).collect();
    let content = FixtureContent::unlisted(settings.voters, questions);
    let mut fixture = set_up(&settings.common, &settings.server, content).await?;
    let mut run = RunResult::begin("assembly", settings.voters.to_string(), settings.common.seed);
    let outcome = play_in(settings, &mut fixture, &mut run).await;
    clean_up(&mut fixture, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, fixture: &mut Fixture, run: &mut RunResult) -> Result<(), LoadFailure> {
    let context = Arc::new(MeetingContext::new(settings, fixture));
    run.setting("voters", settings.voters);
    run.setting("questions", settings.questions);
    run.setting("arrivals", context.arrivals.description());
    run.setting("think_time", context.thinking.description());
    run.setting("late", settings.late);
    let tasks: Vec<_> = fixture
        .voters
        .iter()
        .cloned()
        .enumerate()
        .map(|(number, voter)| tokio::spawn(Attendee::new(Arc::clone(&context), number, voter).attend()))
        .collect();
    let meeting = run_meeting(settings, fixture, &context).await;
    context.close();
    let mut all = AttendeeResult::default();
    for done in join_all(tasks).await {
        all.add(done.expect("a simulated voter does not panic"));
    }
    meeting?;
    all.add_to(run);
    check_journal(fixture, &all.cast.entries, run).await
}

/// The state that all simulated people share.
struct MeetingContext {
    target: Arc<Target>,
    client_code: String,
    meeting: String,
    agenda: Vec<AgendaQuestion>,
    arrivals: ThinkTime,
    thinking: ThinkTime,
    late: f64,
    too_late: Duration,
    seed: u64,
    connected: AtomicUsize,
    /// The number of voters who could not take part to the end.
    dropped_out: AtomicUsize,
    closed: tokio::sync::watch::Sender<bool>,
}

impl MeetingContext {
    fn new(settings: &Settings, fixture: &Fixture) -> Self {
        Self {
            target: Arc::clone(&fixture.target),
            client_code: fixture.client_code.clone(),
            meeting: fixture.meeting.clone(),
            agenda: fixture.questions.clone(),
            arrivals: ThinkTime::within(settings.arrive_within),
            thinking: ThinkTime::within(settings.vote_within),
            late: settings.late,
            too_late: settings.question + Duration::from_millis(500),
            seed: settings.common.seed,
            connected: AtomicUsize::new(0),
            dropped_out: AtomicUsize::new(0),
            closed: tokio::sync::watch::Sender::new(false),
        }
    }

    fn close(&self) {
        self.closed.send_replace(true);
    }
}

/// The organizer's part.
async fn run_meeting(settings: &Settings, fixture: &mut Fixture, context: &MeetingContext) -> Result<(), LoadFailure> {
    let deadline = Instant::now() + settings.arrive_within + SIGN_IN_TIMEOUT;
    let here = || (context.connected.load(Ordering::Acquire), context.dropped_out.load(Ordering::Acquire));
    let mut last_progress = Instant::now();
    while here().0 + here().1 < settings.voters && Instant::now() < deadline {
        if last_progress.elapsed() >= Duration::from_secs(10) {
            last_progress = Instant::now();
            progress(&format!("{} of {} voters are connected", here().0, settings.voters));
        }
        sleep(Duration::from_millis(50)).await;
    }
    progress(&format!("{} of {} voters are connected; voting begins", here().0, settings.voters));
    for question in 0..fixture.questions.len() {
        let round = fixture.open(question).await?;
        sleep(settings.question).await;
        fixture.clear().await?;
        fixture.declare(&round.id).await?;
        progress(&format!("question {} of {} is decided", question + 1, fixture.questions.len()));
    }
    // Late votes have to be refused before the meeting ends.
    sleep(context.too_late.saturating_sub(settings.question) * 2).await;
    fixture.end_meeting().await
}

/// The measurements of voters.
#[derive(Debug, Default)]
struct AttendeeResult {
    cast: CastResult,
    sign_ins: Vec<Duration>,
    pages: Vec<Duration>,
    retries_requested: u64,
    streams_lost: u64,
    not_signed_in: u64,
}

impl AttendeeResult {
    fn add(&mut self, other: Self) {
        self.cast.add(other.cast);
        self.sign_ins.extend(other.sign_ins);
        self.pages.extend(other.pages);
        self.retries_requested += other.retries_requested;
        self.streams_lost += other.streams_lost;
        self.not_signed_in += other.not_signed_in;
    }

    fn add_to(&self, run: &mut RunResult) {
        let too_late = self.cast.entries.iter().filter(|entry| entry.is_refused_as_late()).count();
        if self.not_signed_in > 0 {
            run.fail(format!("{} voters could not sign in", self.not_signed_in));
        }
        run.figures([
            number("signed_in", self.sign_ins.len() as u64),
            number("not_let_in", self.not_signed_in),
            number("asked_to_come_again", self.retries_requested),
            number("streams_lost", self.streams_lost),
            number("ballots", self.cast.acknowledged() as u64),
            number("too_late", too_late as u64),
            number("repeats_without_answer", self.cast.retries.without_answer),
            number("repeats_as_asked", self.cast.retries.as_requested),
        ]);
        let all = [("vote", &self.cast.latencies), ("sign_in", &self.sign_ins), ("page", &self.pages)];
        for (name, measured) in all {
            let latencies = Latencies::of(measured.clone());
            run.figures(latencies.figures(name));
            run.series(latencies.series(name));
        }
        run.figures([seconds("sign_in_last", self.sign_ins.iter().max().copied().unwrap_or_default())]);
    }
}

/// A question on a screen.
struct Seen {
    question: String,
    round: String,
    at: Instant,
}

/// One voter, from the sign-in to the end.
struct Attendee {
    context: Arc<MeetingContext>,
    number: usize,
    voter: Voter,
    rng: Rng,
    connection: Connection,
    result: AttendeeResult,
}

impl Attendee {
    fn new(context: Arc<MeetingContext>, number: usize, voter: Voter) -> Self {
        let connection = Connection::new(Arc::clone(&context.target), number).with_timeout(SIGN_IN_TIMEOUT);
        let rng = Rng::of(context.seed, number);
        Self { context, number, voter, rng, connection, result: AttendeeResult::default() }
    }

    async fn attend(mut self) -> AttendeeResult {
        sleep(self.context.arrivals.draw(&mut self.rng)).await;
        if !self.sign_in().await || !self.fetch_meeting().await {
            self.result.not_signed_in += 1;
            self.context.dropped_out.fetch_add(1, Ordering::AcqRel);
            return self.result;
        }
        let (sender, receiver) = unbounded_channel();
        let watching = tokio::spawn(watch(Arc::clone(&self.context), self.number, self.voter.clone(), sender));
        self.vote_on_questions(receiver).await;
        self.result.streams_lost += watching.await.unwrap_or_default();
        self.result
    }

    async fn sign_in(&mut self) -> bool {
        let request = sign_in_request(&self.context.target, &self.context.client_code, &self.voter);
        let begun = Instant::now();
        while begun.elapsed() < SIGN_IN_TIMEOUT {
            match self.connection.call(&request).await {
                Ok(answer) if answer.is_success() => {
                    self.result.sign_ins.push(begun.elapsed());
                    let session: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
                    return self.voter.tokens.take(&session).is_ok();
                }
                Ok(answer) if answer.status == 503 => {
                    self.result.retries_requested += 1;
                    sleep(answer.retry_after.unwrap_or(Duration::from_secs(1))).await;
                }
                Ok(_) => return false,
                Err(_) => sleep(Duration::from_secs(1)).await,
            }
        }
        false
    }

    /// Fetches the data that a voter's screen needs before it shows the meeting.
    async fn fetch_meeting(&mut self) -> bool {
        for path in ["/api/voting/meetings".to_owned(), format!("/api/voting/meetings/{}", self.context.meeting)] {
            let request = self.context.target.request("GET", &path).bearer(&self.voter.tokens.token()).bytes();
            let begun = Instant::now();
            match self.connection.call(&request).await {
                Ok(answer) if answer.is_success() => self.result.pages.push(begun.elapsed()),
                _ => return false,
            }
        }
        true
    }

    async fn vote_on_questions(&mut self, mut receiver: UnboundedReceiver<Seen>) {
        let mut last_round = String::new();
        while let Some(seen) = receiver.recv().await {
            if seen.round == last_round {
                continue;
            }
            last_round.clone_from(&seen.round);
            let is_late = self.rng.share() < self.context.late;
            let think = if is_late { self.context.too_late } else { self.context.thinking.draw(&mut self.rng) };
            let intended = seen.at + think;
            let Some(pending) = self.ballot(&seen) else { continue };
            renew_if_due(&self.voter, &mut self.connection).await;
            sleep_until(intended).await;
            self.result.cast.add(cast(&mut self.connection, pending.late(is_late), intended).await);
        }
    }

    fn ballot(&mut self, seen: &Seen) -> Option<PendingBallot> {
        let asked = self.context.agenda.iter().find(|asked| asked.id == seen.question)?;
        let answers = asked.kind.answer(&mut self.rng);
        let MeetingContext { target, meeting, .. } = &*self.context;
        let round = RoundPath { meeting, question: &asked.id, round: &seen.round };
        let prepared = PreparedBallot { request: ballot(target, round, &answers), receipt: None };
        Some(PendingBallot::new(prepared, &seen.round, &self.voter, answers))
    }
}

/// Watches until the meeting ends, reconnects lost streams, and reports each question that appears. Returns the number
/// of lost streams.
async fn watch(context: Arc<MeetingContext>, number: usize, voter: Voter, sender: UnboundedSender<Seen>) -> u64 {
    let mut closed = context.closed.subscribe();
    let mut lost = 0;
    let mut has_connected = false;
    loop {
        if let Some(mut stream) = open_stream(&context, number, &voter).await {
            if !has_connected {
                has_connected = true;
                context.connected.fetch_add(1, Ordering::AcqRel);
            }
            tokio::select! {
                () = read_on(&mut stream, &sender) => {}
                _ = closed.wait_for(|is_closed| *is_closed) => return lost,
            }
        }
        lost += 1;
        tokio::select! {
            () = sleep(RECONNECT_AFTER) => {}
            _ = closed.wait_for(|is_closed| *is_closed) => return lost,
        }
    }
}

async fn open_stream(context: &MeetingContext, number: usize, voter: &Voter) -> Option<EventStream> {
    renew_if_due(voter, &mut Connection::new(Arc::clone(&context.target), number)).await;
    let path = format!("/api/sse/meetings/{}/stream", context.meeting);
    let request = context.target.request("GET", &path).bearer(&voter.tokens.token()).bytes_of_stream();
    let stream = context.target.connect(number).await.ok()?;
    match EventStream::open(stream, &request).await.ok()? {
        Opened::Stream(stream) => Some(stream),
        Opened::Refused(_) => None,
    }
}

async fn read_on(stream: &mut EventStream, sender: &UnboundedSender<Seen>) {
    let see = |frame: &[u8]| {
        if let Some(seen) = question_in(frame) {
            // A voter who has left needs no events.
            let _ = sender.send(seen);
        }
    };
    while let Ok(true) = stream.read(see).await {}
}

/// The open question of a frame: in the event of its opening, or in a whole snapshot.
fn question_in(frame: &[u8]) -> Option<Seen> {
    let at = Instant::now();
    let text = std::str::from_utf8(frame).ok()?;
    let data = text.lines().find_map(|line| line.strip_prefix("data:"))?;
    if !data.contains("\"roundId\":\"") {
        return None;
    }
    let event: Value = serde_json::from_str(data).ok()?;
    let question = match event["type"].as_str()? {
        "question_activated" => &event["data"],
        "connected" | "meeting_update" => &event["data"]["currentQuestion"],
        _ => return None,
    };
    if question["isActive"] != true || question["hasVoted"] == true {
        return None;
    }
    let text_of = |field: &str| question[field].as_str().map(str::to_owned);
    Some(Seen { question: text_of("id")?, round: text_of("roundId")?, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(data: &str) -> Option<(String, String)> {
        question_in(format!("id: 7\ndata: {data}").as_bytes()).map(|seen| (seen.question, seen.round))
    }

    #[test]
    fn an_open_question_is_seen_in_its_event_and_in_a_whole_snapshot() {
        let question = r#"{"id":"q","roundId":"r","isActive":true,"hasVoted":false}"#;
        let expected = Some(("q".to_owned(), "r".to_owned()));
        assert_eq!(seen(&format!(r#"{{"type":"question_activated","data":{question}}}"#)), expected);
        for kind in ["connected", "meeting_update"] {
            let event = format!(r#"{{"type":"{kind}","data":{{"currentQuestion":{question}}}}}"#);
            assert_eq!(seen(&event), expected);
        }
    }

    #[test]
    fn a_closed_or_answered_question_is_not_seen() {
        let voted = r#"{"id":"q","roundId":"r","isActive":true,"hasVoted":true}"#;
        assert_eq!(seen(&format!(r#"{{"type":"question_activated","data":{voted}}}"#)), None);
        assert_eq!(seen(r#"{"type":"result_declared","data":{"roundId":"r","questionId":"q"}}"#), None);
        assert_eq!(seen(r#"{"type":"vote_count","data":{"voteCount":1}}"#), None);
    }
}
