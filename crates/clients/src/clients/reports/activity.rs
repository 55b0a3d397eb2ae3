use chrono::{DateTime, Utc};

use crate::ClientReference;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// What it was.
    pub kind: ActivityKind,
    /// The client in which it happened; none for super administrators.
    pub client: Option<ClientReference>,
}

/// What happened. Of a round that is how many voted, and never what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityKind {
    /// The client was made.
    ClientCreated,
    /// An account was signed in to; of each the last time counts.
    AccountSignedIn {
        /// The full name of its owner.
        name: String,
    },
    /// So many end users were added at one time.
    EndUsersAdded {
        /// How many of them are still there.
        number: u64,
    },
    /// A meeting was planned.
    MeetingCreated {
        /// What it is called.
        title: String,
    },
    /// A meeting was started.
    MeetingStarted {
        /// What it is called.
        title: String,
    },
    /// Voting on a question ended.
    RoundEnded {
        /// What was asked.
        question: String,
        /// How many voted.
        votes_cast: u64,
        /// How many could have voted.
        register_heads: u64,
    },
    /// Voting on a question was opened.
    RoundOpened {
        /// What is asked.
        question: String,
    },
    /// A meeting was ended.
    MeetingEnded {
        /// What it is called.
        title: String,
    },
}

impl ActivityKind {
    /// Where it stands among what happened at the same moment: the later in the course of things, the higher. Whoever
    /// ends a meeting ends its round with it, and whoever opens a question ends the one before.
    pub fn place(&self) -> u8 {
        match self {
            Self::ClientCreated => 1,
            Self::AccountSignedIn { .. } => 2,
            Self::EndUsersAdded { .. } => 3,
            Self::MeetingCreated { .. } => 4,
            Self::MeetingStarted { .. } => 5,
            Self::RoundEnded { .. } => 6,
            Self::RoundOpened { .. } => 7,
            Self::MeetingEnded { .. } => 8,
        }
    }
}
