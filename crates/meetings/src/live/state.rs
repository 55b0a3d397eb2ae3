use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, QuestionId, QuestionType, RoundId};

use crate::MeetingStatus;

/// The last round of the question on the big screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRound {
    /// Its id.
    pub id: RoundId,
    /// Whether votes are taken right now.
    pub is_open: bool,
    /// When voting was opened.
    pub opened_at: DateTime<Utc>,
    /// How many may vote, in heads.
    pub register_size: u64,
    /// How many have voted, in heads.
    pub votes_cast: u64,
}

/// The question on the big screen: in the words of its round while that is open, else as it stands on the agenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveQuestion {
    /// Its id.
    pub id: QuestionId,
    /// What is asked.
    pub text: String,
    /// What kind of answer it asks for.
    pub question_type: QuestionType,
    /// The texts of the options, in order.
    pub options: Vec<String>,
    /// The top of the scale of a rating.
    pub rating_max: Option<u32>,
    /// How many options may be chosen.
    pub max_choices: Option<u32>,
    /// Its place on the agenda, from 1.
    pub position: u32,
    /// Its last round, if it ever had one.
    pub round: Option<LiveRound>,
}

impl LiveQuestion {
    /// Its round, if that is open.
    pub fn open_round(&self) -> Option<&LiveRound> {
        self.round.as_ref().filter(|round| round.is_open)
    }
}

/// What the store knows of a meeting that live screens show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveFacts {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// Whose it is.
    pub client_id: ClientId,
    /// The organization's name.
    pub client_name: String,
    /// The organization's public code.
    pub client_code: String,
    /// What the meeting is called.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// Where it is in its life.
    pub status: MeetingStatus,
    /// When it is planned to begin.
    pub scheduled_start: DateTime<Utc>,
    /// When it is planned to end.
    pub scheduled_end: DateTime<Utc>,
    /// How many questions are on the agenda.
    pub question_count: u64,
    /// The question on the big screen.
    pub question: Option<LiveQuestion>,
}

impl LiveFacts {
    /// The question that is open for voting, with its round.
    pub fn open_question(&self) -> Option<(&LiveQuestion, &LiveRound)> {
        self.question.as_ref().and_then(|question| Some((question, question.open_round()?)))
    }
}

/// The picture that all live screens of a meeting show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveState {
    /// Goes up by one with every change that is told. Starts at the time when the picture was first taken, in
    /// microseconds, so that it never goes back when the server starts again.
    pub version: u64,
    /// How many different voters are connected.
    pub participants: u64,
    /// What the store knows.
    pub facts: Arc<LiveFacts>,
}
