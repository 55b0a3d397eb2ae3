use chrono::{DateTime, Utc};

use crate::ClientReference;

/// A recent event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The time of the event.
    pub at: DateTime<Utc>,
    /// The kind of activity.
    pub kind: ActivityKind,
    /// The client of the event; `None` for super administrators.
    pub client: Option<ClientReference>,
}

/// The kind of activity. A round shows the number of votes, and no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityKind {
    /// The client was created.
    ClientCreated,
    /// An account signed in. Each account has only its last sign-in.
    AccountSignedIn {
        /// The full name of the owner.
        name: String,
    },
    /// End users were added at one time.
    EndUsersAdded {
        /// The number of them that still exist.
        number: u64,
    },
    /// A meeting was created.
    MeetingCreated {
        /// The title of the meeting.
        title: String,
    },
    /// A meeting was started.
    MeetingStarted {
        /// The title of the meeting.
        title: String,
    },
    /// Voting on a question ended.
    RoundEnded {
        /// The text of the question.
        question: String,
        /// The number of votes.
        votes_cast: u64,
        /// The number of voters in the register.
        register_heads: u64,
    },
    /// Voting on a question was opened.
    RoundOpened {
        /// The text of the question.
        question: String,
    },
    /// A meeting ended.
    MeetingEnded {
        /// The title of the meeting.
        title: String,
    },
}

impl ActivityKind {
    /// The position among events of the same moment: later steps are higher. The end of a meeting ends its round, and
    /// an opened question ends the one before.
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
