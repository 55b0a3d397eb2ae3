//! The generic part of the fan-out, for servers of another kind: somebody publishes by a POST, and everybody who has
//! subscribed receives it as a server-sent event. nginx with nchan is measured so.

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

/// What is watched.
#[derive(Clone, Debug, Args)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    /// Where events come from.
    #[arg(long)]
    subscribe_url: String,
    /// Where a body is posted that everybody is to receive.
    #[arg(long)]
    publish_url: String,
    /// How many streams.
    #[arg(long, default_value_t = 1_000)]
    watchers: usize,
    /// These many more ask for the stream as well, and never read it.
    #[arg(long, default_value_t = 0)]
    stalled: usize,
    /// How often something is published.
    #[arg(long, default_value_t = 20)]
    events: usize,
    /// How large a message is.
    #[arg(long, default_value_t = 600)]
    bytes: usize,
    /// How long it is quiet before each one.
    #[arg(long, value_parser = read_duration, default_value = "500ms")]
    pause: Duration,
    /// How long one is waited for.
    #[arg(long, value_parser = read_duration, default_value = "10s")]
    timeout: Duration,
    /// The process of the server, whose memory is looked at (Linux).
    #[arg(long, value_name = "PID")]
    server_pid: Option<u32>,
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
/// Fails when the server does not take a watcher or a message.
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

/// A message that tells its number, and is as large as is wanted.
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
