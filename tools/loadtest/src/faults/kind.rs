use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// What is done to the installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The server is killed (-9), and started again.
    ServerKilled,
    /// The server is stopped in order (SIGTERM), and started again.
    ServerRestarted,
    /// The server's process stands still (SIGSTOP).
    ServerHalted,
    /// The clock of the server jumps an hour ahead, and back again at the end.
    ClockForward,
    /// The clock of the server jumps an hour back, and forward again at the end.
    ClockBack,
    /// PostgreSQL's postmaster is killed (-9).
    PostmasterKilled,
    /// A process of PostgreSQL that serves a session is killed (-9).
    BackendKilled,
    /// All processes of PostgreSQL stand still (SIGSTOP).
    DatabaseHalted,
    /// A process of PostgreSQL that serves a session stands still (SIGSTOP).
    BackendHalted,
    /// All sessions are ended by `pg_terminate_backend`.
    SessionsEnded,
    /// Somebody holds a lock on a whole table.
    TableLocked,
    /// All sessions are ended, and strangers take every connection that the database has.
    ConnectionsUsedUp,
    /// The disk of the data directory has no byte left.
    DiskFull,
    /// PostgreSQL is stopped in order, and started again.
    DatabaseRestarted,
    /// Connections of voters and screens are cut again and again.
    VotersCut,
    /// Nothing passes between voters and server, and the connections stay.
    VotersStalled,
    /// What passes between voters and server takes long.
    VotersSlowed,
    /// What voters send arrives, the answers do not, and in the end the connections are cut.
    AnswersLost,
    /// Connections to the database are cut again and again.
    DatabaseCut,
    /// Nothing passes between server and database, and the connections stay.
    DatabaseStalled,
    /// What passes between server and database takes long.
    DatabaseSlowed,
    /// What the server sends arrives at the database, the answers do not, and in the end the connections are cut.
    CommitsUnanswered,
}

/// Where the database is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// It comes with the server, and ends with it.
    Embedded,
    /// It is another's, and the way to it can be disturbed.
    External,
}

impl Kind {
    /// Every kind there is.
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

    /// As it stands on the command line and in JSON.
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
        }
    }

    /// As people are told of it.
    pub fn description(self) -> &'static str {
        match self {
            Self::ServerKilled => "server killed (`kill -9`), started again",
            Self::ServerRestarted => "server stopped in order (SIGTERM), started again",
            Self::ServerHalted => "server stands still (SIGSTOP)",
            Self::ClockForward => "the server's clock an hour ahead, and back",
            Self::ClockBack => "the server's clock an hour back, and forward",
            Self::PostmasterKilled => "PostgreSQL's postmaster killed (`kill -9`)",
            Self::BackendKilled => "a session's process in PostgreSQL killed (`kill -9`)",
            Self::DatabaseHalted => "all of PostgreSQL stands still (SIGSTOP)",
            Self::BackendHalted => "a session's process in PostgreSQL stands still (SIGSTOP)",
            Self::SessionsEnded => "all sessions ended (`pg_terminate_backend`)",
            Self::TableLocked => "a whole table locked",
            Self::ConnectionsUsedUp => "all sessions ended, every connection taken by strangers",
            Self::DiskFull => "the disk of the data directory is full",
            Self::DatabaseRestarted => "database stopped in order, started again",
            Self::VotersCut => "voters and screens cut off again and again",
            Self::VotersStalled => "nothing passes between voters and server",
            Self::VotersSlowed => "what passes between voters and server takes long",
            Self::AnswersLost => "votes arrive, their answers get lost",
            Self::DatabaseCut => "database cut off again and again",
            Self::DatabaseStalled => "nothing passes between server and database",
            Self::DatabaseSlowed => "what passes between server and database takes long",
            Self::CommitsUnanswered => "statements arrive, their answers get lost",
        }
    }

    /// Whether it can only be done where the database is not the server's own.
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
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| format!("one of {} is wanted", names()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Embedded => "embedded",
            Self::External => "external",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_by_its_name_and_written_so() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert!("earthquake".parse::<Kind>().unwrap_err().contains("server-killed"));
    }
}
