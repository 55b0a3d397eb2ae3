//! The command line.

use clap::{Parser, Subcommand};

use crate::bcrypt_baseline::BcryptArguments;
use crate::faults;
use crate::report::ReportArguments;
use crate::scenarios::{assembly, ballots, fan_out, growth, sign_in_burst, slow_clients, watch};

/// Simulates voters, watchers and organizers over real HTTP and event streams, on a running Plenum.
///
/// Everything is created through the API and deleted at the end. All random choices are derived from the seed. The exit
/// code is 1 if a vote was lost, doubled, changed or smuggled, or if the run could not be carried out. Slowness never
/// changes it.
#[derive(Debug, Parser)]
#[command(name = "plenum-load", version)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Voters submit ballots, as fast as the connections allow or each at their own time.
    Ballots(ballots::Settings),
    /// Screens watch a meeting while its organizer steps through the agenda.
    FanOut(fan_out::Settings),
    /// The same with another kind of server: one client publishes, and all subscribers receive it.
    Watch(watch::Settings),
    /// All participants sign in at once, while others vote and watch.
    SignInBurst(sign_in_burst::Settings),
    /// One address opens slow connections and floods the sign-in, while voters at another address vote.
    SlowClients(slow_clients::Settings),
    /// A whole meeting, from the sign-ins to the results.
    Assembly(assembly::Settings),
    /// The cost of a vote, an event, a page of a list, a sign-in and a tally, with the database as it is.
    Growth(growth::Settings),
    /// Injects faults of every kind into an installation of its own while people vote on it.
    Faults(faults::Settings),
    /// Password checks a second that this machine can do with bcrypt alone.
    Bcrypt(BcryptArguments),
    /// Writes the page about the measurements.
    Report(ReportArguments),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
