//! An installation of the product is broken in every way that can be thought of while people vote on it, and afterwards it
//! is looked whether every vote is where it belongs.
//!
//! The run owns everything: the product's processes, a data directory on a small disk, a way between voters and server and
//! another one between server and database that it can disturb, and a clock that the server alone looks at. Voters,
//! organizer and screens behave as ours do: they hand the same ballot in again, renew their tokens or sign in anew, and come
//! back. Each fault has a round of its own, so that what is wrong has a name. In the first half of the run the database
//! comes with the server, in the second it is another's.
//!
//! A fault comes while a round is opened, while people vote (when a certain share of them has voted), or while it is ended.
//! Which, when and for how long comes from the seed alone; what the machine makes of it does not, so that the same seed
//! gives the same faults and not the same run.

mod acks;
mod clock;
mod database;
mod folder;
mod inject;
mod installation;
mod kind;
mod page;
mod plan;
mod postgres;
mod process;
mod report;
mod retry;
mod round;
mod run;
mod screens;
mod socket;
mod tampering;
mod tcp_proxy;
mod user_session;
mod verify;
mod voting;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

pub use kind::{Kind, Place};
pub use plan::{Fault, Moment, plan};
pub use report::{FaultResult, Report, Row, Times};
pub use run::play;
pub use tampering::Tampering;

use crate::arguments::{Common, read_duration};
use crate::failure::LoadFailure;
use crate::output::{print, progress};

/// How much is broken.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    /// The product's program.
    #[arg(long, value_name = "FILE", default_value = "target/release/plenum")]
    binary: PathBuf,
    /// How many faults. Each has a round of its own.
    #[arg(long, default_value_t = 100)]
    faults: usize,
    /// So many ballots are handed in, and some more that are refused.
    #[arg(long, default_value_t = 20_000)]
    votes: usize,
    /// Which kinds, with commas between them; all of them when missing.
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// How long a fault lasts at most.
    #[arg(long, default_value = "3s", value_parser = read_duration)]
    longest: Duration,
    /// How many voters watch, beside three big screens and the organizer's.
    #[arg(long, default_value_t = 20)]
    watchers: usize,
    /// The page that is written.
    #[arg(long, value_name = "FILE", overrides_with = "to")]
    to: Option<PathBuf>,
    /// Does this to a vote in the database before it is looked at, to see that it is found.
    #[arg(long, value_delimiter = ',', hide = true)]
    tamper: Vec<Tampering>,
}

impl Settings {
    /// In every round: what is asked for, and a tenth more, because some come too late.
    fn voters(&self) -> usize {
        (self.votes.div_ceil(self.faults.max(1)) * 11).div_ceil(10).max(4)
    }

    fn kinds(&self) -> &[Kind] {
        if self.kinds.is_empty() { &Kind::ALL } else { &self.kinds }
    }

    /// As it would be typed.
    fn command(&self) -> String {
        let Self { faults, votes, longest, common, .. } = self;
        let mut command = format!(
            "just faults --faults {faults} --votes {votes} --longest {}ms --seed {}",
            longest.as_millis(),
            common.seed
        );
        if !self.kinds.is_empty() {
            let kinds: Vec<_> = self.kinds.iter().map(|kind| kind.name()).collect();
            command = format!("{command} --kinds {}", kinds.join(","));
        }
        command
    }

    /// Tells what a run has come to: in words, as JSON, and as a page.
    ///
    /// # Errors
    /// Fails when a file cannot be written.
    pub fn write_results(&self, report: &Report) -> Result<(), LoadFailure> {
        for problem in &report.problems {
            progress(&format!("FAULT: {problem}"));
        }
        print(&page::verdict(report));
        if let Some(file) = &self.common.json {
            let failed =
                |source: serde_json::Error| LoadFailure::Write { file: "JSON".to_owned(), source: source.into() };
            write(file, &(serde_json::to_string_pretty(report).map_err(failed)? + "\n"))?;
        }
        if let Some(file) = &self.to {
            let before = fs::read_to_string(file).unwrap_or_default();
            write(file, &page::page(report, &before))?;
        }
        Ok(())
    }
}

fn write(file: &PathBuf, text: &str) -> Result<(), LoadFailure> {
    fs::write(file, text).map_err(|source| LoadFailure::Write { file: file.display().to_string(), source })
}
