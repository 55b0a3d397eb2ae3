//! The generic part of the fan-out, for other servers: one client publishes by a POST, and all subscribers receive a
//! server-sent event. The benchmarks measure nginx with nchan in this way.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::{Instant, sleep};

use super::watchers::{Arrivals, WatcherGroup};
use crate::failure::LoadFailure;
use crate::http::{Connection, Target};
use crate::latencies::number;
use crate::options::{Common, read_duration};
use crate::run::RunResult;

/// The options of the scenario.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    /// Address of the event stream.
    #[arg(long)]
    subscribe_url: String,
    /// Address for the POST of messages.
    #[arg(long)]
    publish_url: String,
    /// Number of streams.
    #[arg(long, default_value_t = 1_000)]
    watchers: usize,
    /// Number of further streams that are never read.
    #[arg(long, default_value_t = 0)]
    stalled: usize,
    /// Number of messages.
    #[arg(long, default_value_t = 20)]
    events: usize,
    /// Size of a message.
    #[arg(long, default_value_t = 600)]
    bytes: usize,
    /// Pause before each message.
    #[arg(long, value_parser = read_duration, default_value = "500ms")]
    pause: Duration,
    /// Time limit for a message.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    timeout: Duration,
    /// Process id of the server, whose memory is measured (Linux).
    #[arg(long, value_name = "PID")]
    server_pid: Option<u32>,
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
/// Fails when the server refuses a watcher or a message.
pub async fn play(settings: &Settings) -> Result<RunResult, LoadFailure> {
    let mut run = RunResult::begin("watch", settings.watchers.to_string(), settings.common.seed);
    run.setting("watchers", settings.watchers);
    run.setting("stalled", settings.stalled);
    run.setting("events", settings.events);
    run.setting("bytes", settings.bytes);
    let subscribe = Arc::new(Target::find(&settings.subscribe_url).await?);
    let request = |_| subscribe.request("GET", "").bytes_of_stream();
    let group = WatcherGroup {
        target: &subscribe,
        watchers: settings.watchers,
        stalled: settings.stalled,
        steps: settings.events,
        request: &request,
    };
    let rest = Duration::from_secs(2).min(settings.pause * 4);
    let watchers = group.connect_measured(settings.server_pid, rest, &mut run).await?;
    let publish = Arc::new(Target::find(&settings.publish_url).await?);
    let mut publisher = Connection::new(publish, 0);
    let mut arrivals = Arrivals::default();
    for step in 0..settings.events {
        sleep(settings.pause).await;
        let asked = Instant::now();
        post(&mut publisher, &message(step, settings.bytes)).await?;
        let answered = asked.elapsed();
        watchers.receipts.wait_for(step, settings.timeout).await;
        arrivals.record(watchers.receipts.latencies(step, asked), answered, settings.timeout);
    }
    run.figures([number("missed", arrivals.missed), number("ended", watchers.receipts.ended())]);
    for (name, latencies) in arrivals.latencies() {
        run.figures(latencies.figures(name));
        run.series(latencies.series(name));
    }
    Ok(run)
}

/// A message of this size that contains its number.
fn message(step: usize, bytes: usize) -> String {
    let mut message = format!("{{\"text\":\"Load step {step}.\",\"padding\":\"");
    let padding = bytes.saturating_sub(message.len() + 2);
    message.extend(std::iter::repeat_n('.', padding));
    message + "\"}"
}

async fn post(publisher: &mut Connection, message: &str) -> Result<(), LoadFailure> {
    let what = || "publishing".to_owned();
    let request = publisher.target().request("POST", "").json(message).bytes();
    let response = publisher.call(&request).await;
    let response = response.map_err(|source| LoadFailure::NoResponse { what: what(), source })?;
    if response.is_success() {
        return Ok(());
    }
    Err(LoadFailure::Refused { what: what(), status: response.status, text: response.text() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_its_number_and_its_size() {
        let message = message(17, 600);
        assert_eq!(message.len(), 600);
        assert!(message.contains("Load step 17."));
        assert!(super::message(17, 0).contains("Load step 17."));
    }
}
