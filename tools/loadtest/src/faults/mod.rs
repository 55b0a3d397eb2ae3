//! Injects faults into an installation of the product while people vote on it, and then checks every vote, in rounds that
//! are named, secret, or both in turn.
//!
//! The run starts the product's processes, a data directory on a small disk, a proxy between voters and server, another
//! proxy between server and database, and a clock for the server alone. Voters, organizer and screens behave as the
//! product's own do: they submit the same ballot again, renew their tokens or sign in again, and reconnect. Each fault
//! has its own round, so that every error can be attributed to a fault. In the first half of the run the database is
//! embedded in the server, in the second half it is external. Faults of a standby need two database servers, and come last.
//!
//! A fault begins while a round is opened, while people vote (once a certain share has voted), while the round is ended,
//! or, if it is secret, while it is counted, which opens its urn. Kind, time and duration are derived from the seed. The
//! timing of the machine is not, so the same seed gives the same faults, but not the same run.

mod acks;
mod clock;
mod database;
mod folder;
mod inject;
mod installation;
mod key_folder;
mod kind;
mod page;
mod pair;
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
mod urns;
mod user_session;
mod verify;
mod voting;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

pub use kind::{Kind, Place};
pub use plan::{Extent, Fault, Moment, plan};
pub use report::{FaultResult, Report, Row, Times};
pub use run::play;
pub use tampering::Tampering;
pub use urns::UrnCounts;

use crate::failure::LoadFailure;
use crate::fixture::Secrecy;
use crate::options::{Common, read_duration};
use crate::output::{print, progress};

/// Options of a fault run.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    #[command(flatten)]
    common: Common,
    /// The product's program.
    #[arg(long, value_name = "FILE", default_value = "target/release/plenum")]
    binary: PathBuf,
    /// Secrecy of the votes. Several, separated by commas, are played in one run.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "named", overrides_with = "secrecy")]
    secrecy: Vec<Secrecy>,
    /// Number of faults for each secrecy. Each has its own round.
    #[arg(long, default_value_t = 100)]
    faults: usize,
    /// Number of ballots for each secrecy, plus some that are refused.
    #[arg(long, default_value_t = 20_000)]
    votes: usize,
    /// Kinds of faults, separated by commas. Default: all that rounds of this secrecy can have.
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// Plays the kinds that need a standby of the database server, unless others are chosen: two database servers of which one
    /// confirms each commit of the other.
    #[arg(long)]
    with_standby: bool,
    /// Longest duration of a fault.
    #[arg(long, default_value = "3s", value_parser = read_duration)]
    longest: Duration,
    /// Number of voters who watch, in addition to three presentations and the organizer.
    #[arg(long, default_value_t = 20)]
    watchers: usize,
    /// File of the page.
    #[arg(long, value_name = "FILE", overrides_with = "to")]
    to: Option<PathBuf>,
    /// Tampers with a vote in the database before the check, to verify that the check finds it.
    #[arg(long, value_delimiter = ',', hide = true)]
    tamper: Vec<Tampering>,
}

impl Settings {
    /// Number of voters in each round, with a tenth more, because some vote too late.
    fn voters(&self) -> usize {
        (self.votes.div_ceil(self.faults.max(1)) * 11).div_ceil(10).max(4)
    }

    /// Each once.
    fn secrecies(&self) -> Vec<Secrecy> {
        [Secrecy::Named, Secrecy::Secret].into_iter().filter(|secrecy| self.secrecy.contains(secrecy)).collect()
    }

    fn kinds(&self) -> Vec<Kind> {
        let is_possible = |kind: &Kind| self.secrecy.iter().any(|secrecy| kind.is_possible_with(*secrecy));
        let chosen = match &self.kinds[..] {
            [] if self.with_standby => Kind::OF_STANDBYS.to_vec(),
            [] => Kind::ALL.into_iter().chain(Kind::OF_SECRET_ROUNDS).collect(),
            chosen => chosen.to_vec(),
        };
        chosen.into_iter().filter(is_possible).collect()
    }

    /// The command line of this run.
    fn command(&self) -> String {
        let Self { faults, votes, longest, common, .. } = self;
        let mut command = format!(
            "just faults --faults {faults} --votes {votes} --longest {}ms --seed {}",
            longest.as_millis(),
            common.seed
        );
        // `just faults` plays both.
        if let [secrecy] = self.secrecies()[..] {
            command = format!("{command} --secrecy {secrecy}");
        }
        if self.with_standby {
            command.push_str(" --with-standby");
        }
        if !self.kinds.is_empty() {
            let kinds: Vec<_> = self.kinds.iter().map(|kind| kind.name()).collect();
            command = format!("{command} --kinds {}", kinds.join(","));
        }
        command
    }

    /// Writes the results as text, as JSON and as a page.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
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
