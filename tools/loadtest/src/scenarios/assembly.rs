//! A whole meeting: the door, the screens, the questions, the votes and the results, with people who take their time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until};

use super::voting::{Cast, Ready, cast, keep_fresh};
use crate::arguments::{Common, Server, read_duration};
use crate::chance::{Chance, ThinkTime};
use crate::failure::LoadFailure;
use crate::hall::{Asked, Hall, QuestionKind, Voter, ballot, sign_in_request};
use crate::http::{Connection, EventStream, Opened, Target};
use crate::latencies::{Latencies, number, seconds};
use crate::run::{Gathered, check_journal, set_up, tidy};
use crate::say::progress;

/// Beyond the time in which people arrive: how long the organizer waits for those who stand at the door.
const AT_THE_DOOR: Duration = Duration::from_secs(600);
/// How long a screen waits before it comes back to a stream that it has lost.
const BACK_AFTER: Duration = Duration::from_secs(3);

/// Who comes, and how long everything takes.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: Server,
    /// How many voters.
    #[arg(long, default_value_t = 500)]
    voters: usize,
    /// How many questions; their kinds take turns.
    #[arg(long, default_value_t = 5)]
    questions: usize,
    /// Within so much time everybody comes to the door.
    #[arg(long, value_parser = read_duration, default_value = "60s")]
    arrive_within: Duration,
    /// Within so much time of seeing a question a voter votes.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    vote_within: Duration,
    /// How long a question is open.
    #[arg(long, value_parser = read_duration, default_value = "12s")]
    question: Duration,
    /// The share of those who come too late with their vote, of whom none may be counted.
    #[arg(long, default_value_t = 0.01)]
    late: f64,
}

impl Settings {
    /// What the command line says.
    pub fn common(&self) -> &Common {
        &self.common
    }
}

/// Plays it.
///
/// # Errors
/// Fails when the set-up fails, an organizer's step is refused, or the record cannot be had.
pub async fn play(settings: &Settings) -> Result<Gathered, LoadFailure> {
    let questions = QuestionKind::ALL.into_iter().cycle().take(settings.questions).collect();
    let mut hall = set_up(&settings.common, &settings.server, settings.voters, questions, false).await?;
    let mut run = Gathered::begin("assembly", settings.voters.to_string(), settings.common.seed);
    let outcome = play_in(settings, &mut hall, &mut run).await;
    tidy(&mut hall, &settings.server).await;
    outcome.map(|()| run)
}

async fn play_in(settings: &Settings, hall: &mut Hall, run: &mut Gathered) -> Result<(), LoadFailure> {
    let venue = Arc::new(Venue::new(settings, hall));
    run.setting("voters", settings.voters);
    run.setting("questions", settings.questions);
    run.setting("arrivals", venue.arrivals.told());
    run.setting("think_time", venue.thinking.told());
    run.setting("late", settings.late);
    let tasks: Vec<_> = hall
        .voters
        .iter()
        .cloned()
        .enumerate()
        .map(|(number, voter)| tokio::spawn(Attending::new(Arc::clone(&venue), number, voter).attend()))
        .collect();
    let led = lead(settings, hall, &venue).await;
    venue.close();
    let mut all = Experience::default();
    for done in join_all(tasks).await {
        all.add(done.expect("a simulated voter does not panic"));
    }
    led?;
    all.tell(run);
    check_journal(hall, &all.cast.entries, run).await
}

/// What everybody in the hall knows.
struct Venue {
    target: Arc<Target>,
    client_code: String,
    meeting: String,
    agenda: Vec<Asked>,
    arrivals: ThinkTime,
    thinking: ThinkTime,
    late: f64,
    too_late: Duration,
    seed: u64,
    seated: AtomicUsize,
    /// Who could not be let in, or has lost their way.
    gone: AtomicUsize,
    closed: tokio::sync::watch::Sender<bool>,
}

impl Venue {
    fn new(settings: &Settings, hall: &Hall) -> Self {
        Self {
            target: Arc::clone(&hall.target),
            client_code: hall.client_code.clone(),
            meeting: hall.meeting.clone(),
            agenda: hall.questions.clone(),
            arrivals: ThinkTime::within(settings.arrive_within),
            thinking: ThinkTime::within(settings.vote_within),
            late: settings.late,
            too_late: settings.question + Duration::from_millis(500),
            seed: settings.common.seed,
            seated: AtomicUsize::new(0),
            gone: AtomicUsize::new(0),
            closed: tokio::sync::watch::Sender::new(false),
        }
    }

    fn close(&self) {
        self.closed.send_replace(true);
    }
}

/// The organizer's part.
async fn lead(settings: &Settings, hall: &mut Hall, venue: &Venue) -> Result<(), LoadFailure> {
    let deadline = Instant::now() + settings.arrive_within + AT_THE_DOOR;
    let here = || (venue.seated.load(Ordering::Acquire), venue.gone.load(Ordering::Acquire));
    let mut told = Instant::now();
    while here().0 + here().1 < settings.voters && Instant::now() < deadline {
        if told.elapsed() >= Duration::from_secs(10) {
            told = Instant::now();
            progress(&format!("{} of {} voters are in the hall", here().0, settings.voters));
        }
        sleep(Duration::from_millis(50)).await;
    }
    progress(&format!("{} of {} voters are in the hall; voting begins", here().0, settings.voters));
    for question in 0..hall.questions.len() {
        let round = hall.open(question).await?;
        sleep(settings.question).await;
        hall.clear().await?;
        hall.declare(&round).await?;
        progress(&format!("question {} of {} is decided", question + 1, hall.questions.len()));
    }
    // Those who come too late have to be refused before the meeting is over.
    sleep(venue.too_late.saturating_sub(settings.question) * 2).await;
    hall.end_meeting().await
}

/// What voters have lived through.
#[derive(Debug, Default)]
struct Experience {
    cast: Cast,
    sign_ins: Vec<Duration>,
    pages: Vec<Duration>,
    asked_to_come_again: u64,
    streams_lost: u64,
    not_let_in: u64,
}

impl Experience {
    fn add(&mut self, other: Self) {
        self.cast.add(other.cast);
        self.sign_ins.extend(other.sign_ins);
        self.pages.extend(other.pages);
        self.asked_to_come_again += other.asked_to_come_again;
        self.streams_lost += other.streams_lost;
        self.not_let_in += other.not_let_in;
    }

    fn tell(&self, run: &mut Gathered) {
        let too_late = self.cast.entries.iter().filter(|entry| entry.is_refused_as_late()).count();
        if self.not_let_in > 0 {
            run.falls_short(format!("{} voters were not let in", self.not_let_in));
        }
        run.figures([
            number("signed_in", self.sign_ins.len() as u64),
            number("not_let_in", self.not_let_in),
            number("asked_to_come_again", self.asked_to_come_again),
            number("streams_lost", self.streams_lost),
            number("ballots", self.cast.acknowledged() as u64),
            number("too_late", too_late as u64),
            number("repeats_without_answer", self.cast.repeats.without_answer),
            number("repeats_as_asked", self.cast.repeats.as_asked),
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

/// A question that appeared on a screen.
struct Seen {
    question: String,
    round: String,
    at: Instant,
}

/// One voter, from the door to the end.
struct Attending {
    venue: Arc<Venue>,
    number: usize,
    voter: Voter,
    chance: Chance,
    connection: Connection,
    experience: Experience,
}

impl Attending {
    fn new(venue: Arc<Venue>, number: usize, voter: Voter) -> Self {
        let connection = Connection::new(Arc::clone(&venue.target), number).with_patience(AT_THE_DOOR);
        let chance = Chance::of(venue.seed, number);
        Self { venue, number, voter, chance, connection, experience: Experience::default() }
    }

    async fn attend(mut self) -> Experience {
        sleep(self.venue.arrivals.draw(&mut self.chance)).await;
        if !self.sign_in().await || !self.look_at_the_meeting().await {
            self.experience.not_let_in += 1;
            self.venue.gone.fetch_add(1, Ordering::AcqRel);
            return self.experience;
        }
        let (tell, told) = unbounded_channel();
        let watching = tokio::spawn(watch(Arc::clone(&self.venue), self.number, self.voter.clone(), tell));
        self.vote_on_what_is_seen(told).await;
        self.experience.streams_lost += watching.await.unwrap_or_default();
        self.experience
    }

    async fn sign_in(&mut self) -> bool {
        let request = sign_in_request(&self.venue.target, &self.venue.client_code, &self.voter);
        let begun = Instant::now();
        while begun.elapsed() < AT_THE_DOOR {
            match self.connection.call(&request).await {
                Ok(answer) if answer.is_success() => {
                    self.experience.sign_ins.push(begun.elapsed());
                    let session: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
                    return self.voter.pass.take(&session).is_ok();
                }
                Ok(answer) if answer.status == 503 => {
                    self.experience.asked_to_come_again += 1;
                    sleep(answer.retry_after.unwrap_or(Duration::from_secs(1))).await;
                }
                Ok(_) => return false,
                Err(_) => sleep(Duration::from_secs(1)).await,
            }
        }
        false
    }

    /// What a voter's screen fetches before it shows the meeting.
    async fn look_at_the_meeting(&mut self) -> bool {
        for path in ["/api/voting/meetings".to_owned(), format!("/api/voting/meetings/{}", self.venue.meeting)] {
            let request = self.venue.target.request("GET", &path).bearer(&self.voter.pass.token()).bytes();
            let begun = Instant::now();
            match self.connection.call(&request).await {
                Ok(answer) if answer.is_success() => self.experience.pages.push(begun.elapsed()),
                _ => return false,
            }
        }
        true
    }

    async fn vote_on_what_is_seen(&mut self, mut told: UnboundedReceiver<Seen>) {
        let mut last_round = String::new();
        while let Some(seen) = told.recv().await {
            if seen.round == last_round {
                continue;
            }
            last_round.clone_from(&seen.round);
            let is_late = self.chance.share() < self.venue.late;
            let think = if is_late { self.venue.too_late } else { self.venue.thinking.draw(&mut self.chance) };
            let intended = seen.at + think;
            let Some(ready) = self.ballot(&seen) else { continue };
            keep_fresh(&self.voter, &mut self.connection).await;
            sleep_until(intended).await;
            self.experience.cast.add(cast(&mut self.connection, ready.late(is_late), intended).await);
        }
    }

    fn ballot(&mut self, seen: &Seen) -> Option<Ready> {
        let asked = self.venue.agenda.iter().find(|asked| asked.id == seen.question)?;
        let answers = asked.kind.answer(&mut self.chance);
        let Venue { target, meeting, .. } = &*self.venue;
        let request = ballot(target, meeting, &asked.id, &seen.round, &answers);
        Some(Ready::new(request, &seen.round, &self.voter, answers))
    }
}

/// Watches until the hall is closed, comes back when the stream is lost, and tells of each question that appears.
/// Returns how often it was lost.
async fn watch(venue: Arc<Venue>, number: usize, voter: Voter, tell: UnboundedSender<Seen>) -> u64 {
    let mut closed = venue.closed.subscribe();
    let mut lost = 0;
    let mut is_seated = false;
    loop {
        if let Some(mut stream) = open_stream(&venue, number, &voter).await {
            if !is_seated {
                is_seated = true;
                venue.seated.fetch_add(1, Ordering::AcqRel);
            }
            tokio::select! {
                () = read_on(&mut stream, &tell) => {}
                _ = closed.wait_for(|is_closed| *is_closed) => return lost,
            }
        }
        lost += 1;
        tokio::select! {
            () = sleep(BACK_AFTER) => {}
            _ = closed.wait_for(|is_closed| *is_closed) => return lost,
        }
    }
}

async fn open_stream(venue: &Venue, number: usize, voter: &Voter) -> Option<EventStream> {
    keep_fresh(voter, &mut Connection::new(Arc::clone(&venue.target), number)).await;
    let path = format!("/api/sse/meetings/{}/stream", venue.meeting);
    let request = venue.target.request("GET", &path).bearer(&voter.pass.token()).bytes_of_stream();
    let stream = venue.target.connect(number).await.ok()?;
    match EventStream::open(stream, &request).await.ok()? {
        Opened::Stream(stream) => Some(stream),
        Opened::Refused(_) => None,
    }
}

async fn read_on(stream: &mut EventStream, tell: &UnboundedSender<Seen>) {
    let see = |frame: &[u8]| {
        if let Some(seen) = question_in(frame) {
            // Who has left the hall needs no news.
            let _ = tell.send(seen);
        }
    };
    while let Ok(true) = stream.read(see).await {}
}

/// The open question that a frame tells of, as the one that was just opened or in a whole picture.
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
    fn an_open_question_is_seen_in_its_event_and_in_a_whole_picture() {
        let question = r#"{"id":"q","roundId":"r","isActive":true,"hasVoted":false}"#;
        let expected = Some(("q".to_owned(), "r".to_owned()));
        assert_eq!(seen(&format!(r#"{{"type":"question_activated","data":{question}}}"#)), expected);
        for kind in ["connected", "meeting_update"] {
            let event = format!(r#"{{"type":"{kind}","data":{{"currentQuestion":{question}}}}}"#);
            assert_eq!(seen(&event), expected);
        }
    }

    #[test]
    fn what_is_not_open_or_was_voted_on_is_not_seen() {
        let voted = r#"{"id":"q","roundId":"r","isActive":true,"hasVoted":true}"#;
        assert_eq!(seen(&format!(r#"{{"type":"question_activated","data":{voted}}}"#)), None);
        assert_eq!(seen(r#"{"type":"result_declared","data":{"roundId":"r","questionId":"q"}}"#), None);
        assert_eq!(seen(r#"{"type":"vote_count","data":{"voteCount":1}}"#), None);
    }
}
