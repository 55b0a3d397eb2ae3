use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::fixture::Secrecy;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The server is killed (-9), and started again.
    ServerKilled,
    /// The server is stopped in order (SIGTERM), and started again.
    ServerRestarted,
    /// The server's process is suspended (SIGSTOP).
    ServerHalted,
    /// The server's clock jumps an hour ahead, and back at the end.
    ClockForward,
    /// The server's clock jumps an hour back, and ahead at the end.
    ClockBack,
    /// PostgreSQL's postmaster is killed (-9).
    PostmasterKilled,
    /// A process of PostgreSQL that serves a session is killed (-9).
    BackendKilled,
    /// All processes of PostgreSQL are suspended (SIGSTOP).
    DatabaseHalted,
    /// A process of PostgreSQL that serves a session is suspended (SIGSTOP).
    BackendHalted,
    /// All sessions are ended by `pg_terminate_backend`.
    SessionsEnded,
    /// Another session locks a whole table.
    TableLocked,
    /// All sessions are ended, and foreign sessions take every connection of the database.
    ConnectionsUsedUp,
    /// The disk of the data directory is full.
    DiskFull,
    /// PostgreSQL is stopped in order, and started again.
    DatabaseRestarted,
    /// Connections of voters and screens are cut repeatedly.
    VotersCut,
    /// No data passes between voters and server, and the connections stay open.
    VotersStalled,
    /// Data between voters and server is delayed.
    VotersSlowed,
    /// Requests of voters arrive, the responses are dropped, and at the end the connections are cut.
    AnswersLost,
    /// Connections to the database are cut repeatedly.
    DatabaseCut,
    /// No data passes between server and database, and the connections stay open.
    DatabaseStalled,
    /// Data between server and database is delayed.
    DatabaseSlowed,
    /// Statements arrive at the database, the responses are dropped, and at the end the connections are cut.
    CommitsUnanswered,
    /// The key folder is missing, or a file is in its place, while a secret round is opened. Opening it must fail.
    NoKeyFolderAtOpening,
    /// The same while an urn is opened. The count must fail.
    NoKeyFolderAtCount,
    /// The server is killed (-9) while it opens an urn, and started again.
    ServerKilledAtCount,
    /// The primary database server is killed (-9), and its standby promoted.
    PrimaryKilled,
    /// The primary database server is cut off from the product, and its standby promoted. At the end it is reachable again, and
    /// accepts writes without its standby.
    PrimaryCutOff,
    /// The standby is killed (-9), and started again.
    StandbyGone,
}

/// Place of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A child process of the server, which starts and stops with it.
    Embedded,
    /// Outside of the server. A proxy between the two can inject faults.
    External,
    /// Two database servers outside of the server, of which one is the standby of the other and confirms each commit.
    Replicated,
}

impl Kind {
    /// All kinds that every round can have.
    pub const ALL: [Self; 22] = [
        Self::ServerKilled,
        Self::ServerRestarted,
        Self::ServerHalted,
        Self::ClockForward,
        Self::ClockBack,
        Self::PostmasterKilled,
        Self::BackendKilled,
        Self::DatabaseHalted,
        Self::BackendHalted,
        Self::SessionsEnded,
        Self::TableLocked,
        Self::ConnectionsUsedUp,
        Self::DiskFull,
        Self::DatabaseRestarted,
        Self::VotersCut,
        Self::VotersStalled,
        Self::VotersSlowed,
        Self::AnswersLost,
        Self::DatabaseCut,
        Self::DatabaseStalled,
        Self::DatabaseSlowed,
        Self::CommitsUnanswered,
    ];

    /// The kinds that only secret rounds can have.
    pub const OF_SECRET_ROUNDS: [Self; 3] =
        [Self::NoKeyFolderAtOpening, Self::NoKeyFolderAtCount, Self::ServerKilledAtCount];

    /// The kinds that need a standby of the database server.
    pub const OF_STANDBYS: [Self; 3] = [Self::PrimaryKilled, Self::PrimaryCutOff, Self::StandbyGone];

    /// All kinds.
    pub fn every() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(Self::OF_SECRET_ROUNDS).chain(Self::OF_STANDBYS)
    }

    /// Whether rounds with this secrecy can have it.
    pub fn is_possible_with(self, secrecy: Secrecy) -> bool {
        secrecy == Secrecy::Secret || !Self::OF_SECRET_ROUNDS.contains(&self)
    }

    /// Name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ServerKilled => "server-killed",
            Self::ServerRestarted => "server-restarted",
            Self::ServerHalted => "server-halted",
            Self::ClockForward => "clock-forward",
            Self::ClockBack => "clock-back",
            Self::PostmasterKilled => "postmaster-killed",
            Self::BackendKilled => "backend-killed",
            Self::DatabaseHalted => "database-halted",
            Self::BackendHalted => "backend-halted",
            Self::SessionsEnded => "sessions-ended",
            Self::TableLocked => "table-locked",
            Self::ConnectionsUsedUp => "connections-used-up",
            Self::DiskFull => "disk-full",
            Self::DatabaseRestarted => "database-restarted",
            Self::VotersCut => "voters-cut",
            Self::VotersStalled => "voters-stalled",
            Self::VotersSlowed => "voters-slowed",
            Self::AnswersLost => "answers-lost",
            Self::DatabaseCut => "database-cut",
            Self::DatabaseStalled => "database-stalled",
            Self::DatabaseSlowed => "database-slowed",
            Self::CommitsUnanswered => "commits-unanswered",
            Self::NoKeyFolderAtOpening => "no-key-folder-at-opening",
            Self::NoKeyFolderAtCount => "no-key-folder-at-count",
            Self::ServerKilledAtCount => "server-killed-at-count",
            Self::PrimaryKilled => "primary-killed",
            Self::PrimaryCutOff => "primary-cut-off",
            Self::StandbyGone => "standby-gone",
        }
    }

    /// Description for the page.
    pub fn description(self) -> &'static str {
        match self {
            Self::ServerKilled => "server killed (`kill -9`), started again",
            Self::ServerRestarted => "server stopped in order (SIGTERM), started again",
            Self::ServerHalted => "server suspended (SIGSTOP)",
            Self::ClockForward => "the server's clock jumps an hour ahead, and back",
            Self::ClockBack => "the server's clock jumps an hour back, and ahead",
            Self::PostmasterKilled => "PostgreSQL's postmaster killed (`kill -9`)",
            Self::BackendKilled => "a session's process in PostgreSQL killed (`kill -9`)",
            Self::DatabaseHalted => "all of PostgreSQL suspended (SIGSTOP)",
            Self::BackendHalted => "a session's process in PostgreSQL suspended (SIGSTOP)",
            Self::SessionsEnded => "all sessions ended (`pg_terminate_backend`)",
            Self::TableLocked => "a whole table locked",
            Self::ConnectionsUsedUp => "all sessions ended, every connection taken by foreign sessions",
            Self::DiskFull => "the disk of the data directory is full",
            Self::DatabaseRestarted => "database stopped in order, started again",
            Self::VotersCut => "connections of voters and screens cut repeatedly",
            Self::VotersStalled => "no data passes between voters and server",
            Self::VotersSlowed => "data between voters and server is delayed",
            Self::AnswersLost => "votes arrive, their responses are dropped",
            Self::DatabaseCut => "connections to the database cut repeatedly",
            Self::DatabaseStalled => "no data passes between server and database",
            Self::DatabaseSlowed => "data between server and database is delayed",
            Self::CommitsUnanswered => "statements arrive, their responses are dropped",
            Self::NoKeyFolderAtOpening => "no key folder while a vote is opened",
            Self::NoKeyFolderAtCount => "no key folder while an urn is opened",
            Self::ServerKilledAtCount => "server killed (`kill -9`) while it opens an urn, started again",
            Self::PrimaryKilled => "primary database server killed (`kill -9`), standby promoted",
            Self::PrimaryCutOff => {
                "primary database server cut off, standby promoted; the old one comes back and accepts writes"
            }
            Self::StandbyGone => "standby killed (`kill -9`), started again",
        }
    }

    /// Whether it needs a database outside of the server.
    pub(super) fn is_of_external_databases(self) -> bool {
        matches!(
            self,
            Self::DatabaseRestarted
                | Self::DatabaseCut
                | Self::DatabaseStalled
                | Self::DatabaseSlowed
                | Self::CommitsUnanswered
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::every().map(Self::name).collect::<Vec<_>>().join(", ");
        Self::every().find(|kind| kind.name() == text).ok_or_else(|| format!("unknown kind; use one of {}", names()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Embedded => "embedded",
            Self::External => "external",
            Self::Replicated => "replicated",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_and_written_by_its_name() {
        for kind in Kind::every() {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert!("earthquake".parse::<Kind>().unwrap_err().contains("server-killed"));
    }
}
