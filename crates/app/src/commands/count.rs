use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use plenum_adapter_documents::{BltFile, read_blt};
use plenum_kernel::{Seats, Unit, VotingWeight};
use plenum_voting::elections::{
    Abstentions, Ballot, Blank, Borda, BordaScale, Candidate, Count, Election, ElectionTerms, Electorate, Irv,
    MAX_SEATS, Marks, Method, Outcome, RankingRules, Schulze, Standing, Strength, TieDecisions, Unranked, Votes, Words,
    count,
};

use super::{count_json, count_table};
use crate::output::{one_line, print_line, print_to_stderr};

/// The exit code for a file or an option that cannot be read.
const UNREADABLE: u8 = 2;
/// The exit code for a count that ended at a tie.
const TIED: u8 = 3;

/// The largest file.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The arguments of the command.
#[derive(Clone, Debug, Args)]
pub(super) struct CountArguments {
    /// The method.
    #[arg(long)]
    method: RankedMethod,
    /// The ballots, in the format BLT.
    file: PathBuf,
    /// The number of seats. Default: that of the file.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SEATS)))]
    seats: Option<u32>,
    /// Draw lots from this text where nothing else decides a tie. docs/elections.md says how to repeat a lot.
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Print the count as JSON.
    #[arg(long)]
    json: bool,
}

/// The methods of ballots with rankings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum RankedMethod {
    /// Instant-runoff voting.
    Irv,
    /// Single transferable vote by the rules of Scottish councils.
    StvScottish,
    /// Schulze's method, by winning votes.
    Schulze,
    /// The Borda count: the first of n candidates gets n - 1 points, the last one 0.
    Borda,
}

impl RankedMethod {
    /// The method with its usual settings.
    const fn settings(self) -> Method {
        let ranking = RankingRules::LENIENT;
        match self {
            Self::Irv => Method::Irv(Irv { ranking, ties_by_earlier_stages: false }),
            Self::StvScottish => Method::StvScottish(RankingRules::UP_TO_FAULT),
            Self::Schulze => Method::Schulze(Schulze { ranking, allows_equal: true, strength: Strength::WinningVotes }),
            Self::Borda => Method::Borda(Borda {
                ranking,
                allows_equal: true,
                scale: BordaScale::ToZero,
                unranked: Unranked::Nothing,
            }),
        }
    }

    /// The least decimals of votes.
    const fn decimals(self) -> usize {
        match self {
            Self::StvScottish => 5,
            Self::Irv | Self::Schulze | Self::Borda => 0,
        }
    }
}

/// A counted file.
pub(super) struct CountedFile<'a> {
    pub(super) file: &'a BltFile,
    pub(super) count: &'a Count,
    pub(super) words: &'a Words<'a>,
}

impl CountedFile<'_> {
    /// A number of votes with the decimals of the method.
    pub(super) fn votes(&self, votes: Votes) -> String {
        self.words.votes(votes)
    }
}

/// Counts a file, and prints the count.
pub(super) fn run(arguments: &CountArguments) -> ExitCode {
    match counted(arguments) {
        Ok(code) => code,
        Err(reason) => {
            print_to_stderr(&format!("plenum: {}: {reason}", arguments.file.display()));
            ExitCode::from(UNREADABLE)
        }
    }
}

fn counted(arguments: &CountArguments) -> Result<ExitCode, String> {
    let file = read_blt(&read(&arguments.file)?).map_err(|error| error.to_string())?;
    let election = Election::new(terms(arguments, &file)?).map_err(|rule| rule.to_string())?;
    let ballots: Vec<Ballot> = file.ballots.iter().map(|group| ballot(group.voters, &group.ranks)).collect();
    let decisions = TieDecisions { seed: arguments.seed.clone(), ..TieDecisions::default() };
    let count = count(&election, &ballots, &decisions).map_err(|error| error.to_string())?;
    let names = names(&file);
    let words = Words { names: &names, decimals: arguments.method.decimals() };
    let counted = CountedFile { file: &file, count: &count, words: &words };
    if arguments.json {
        print_line(&count_json::text(&counted).map_err(|error| error.to_string())?);
    } else {
        count_table::lines(&counted).iter().for_each(|line| print_line(line));
    }
    let Outcome::Tied(tie) = &count.outcome else { return Ok(ExitCode::SUCCESS) };
    print_to_stderr(&format!(
        "plenum: {} The count ended there. Repeat it with --seed TEXT to draw lots.",
        one_line(&words.tie(tie))
    ));
    Ok(ExitCode::from(TIED))
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    let size = std::fs::metadata(file).map_err(|error| error.to_string())?.len();
    if size > MAX_BYTES {
        return Err(format!("the file has more than {} MB", MAX_BYTES / 1024 / 1024));
    }
    std::fs::read(file).map_err(|error| error.to_string())
}

fn terms(arguments: &CountArguments, file: &BltFile) -> Result<ElectionTerms, String> {
    let seats =
        Seats::new(arguments.seats.unwrap_or(file.seats)).map_err(|(_, requirement)| requirement.to_string())?;
    let standing = |number: u32| match file.withdrawn.contains(&number) {
        true => Standing::Withdrawn,
        false => Standing::Stands,
    };
    Ok(ElectionTerms {
        method: arguments.method.settings(),
        candidates: (1..=file.candidates).map(standing).collect(),
        seats: Some(seats),
        unit: Unit::Heads,
        abstentions: Abstentions::AreNotVotes,
        blank: Blank::Invalid,
        least_support: None,
        electorate: Electorate::default(),
    })
}

/// The names, or numbers if the file has none.
fn names(file: &BltFile) -> Vec<String> {
    match file.names.is_empty() {
        true => (1..=file.candidates).map(|number| format!("Candidate {number}")).collect(),
        false => file.names.clone(),
    }
}

fn ballot(voters: u64, ranks: &[Vec<u32>]) -> Ballot {
    let rank = |rank: &Vec<u32>| rank.iter().copied().map(Candidate::numbered).collect();
    Ballot { marks: Marks::Ranking(ranks.iter().map(rank).collect()), weight: VotingWeight::ONE, voters }
}
