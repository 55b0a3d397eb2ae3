use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{
    AtOpening, Attendance, ClientId, InstanceId, MeetingId, QuestionId, QuestionType, Quorum, RehearsalId, RoundId,
    Step, Unit,
};
use rust_decimal::Decimal;

use crate::{MeetingStatus, People};

/// The last round of the question on the big screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRound {
    /// Its id.
    pub id: RoundId,
    /// Whether votes are taken right now.
    pub is_open: bool,
    /// Whether its result was declared.
    pub is_declared: bool,
    /// When voting was opened.
    pub opened_at: DateTime<Utc>,
    /// When it ends by itself, if a countdown runs.
    pub closes_at: Option<DateTime<Utc>>,
    /// How many may vote, in heads.
    pub register_size: u64,
    /// How many have voted, in heads.
    pub votes_cast: u64,
    /// What those who have voted weigh together; known only where the quorum asks for it.
    pub weight_cast: Option<Decimal>,
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
    /// Whether it is told who voted what.
    pub is_named: bool,
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

    /// Its round, if the result of that was declared.
    pub fn declared_round(&self) -> Option<&LiveRound> {
        self.round.as_ref().filter(|round| round.is_declared)
    }
}

/// The quorum that holds at the moment: that of the open round, else that of the question on the screen, else the
/// meeting's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveQuorum {
    /// What is asked for.
    pub quorum: Quorum,
    /// What happens when a question is to be opened without it, as the meeting has it. None where only the question has a
    /// quorum.
    pub at_opening: Option<AtOpening>,
    /// Who may vote: the register of the open round, else those who would be in it if the question were opened now.
    pub eligible: People,
}

impl LiveQuorum {
    /// Whether it is measured by what the votes weigh.
    pub fn weighs_votes(&self) -> bool {
        self.quorum.attendance == Attendance::Voted && self.quorum.unit == Unit::Weight
    }
}

/// The rehearsal that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveRehearsal {
    /// Its id.
    pub id: RehearsalId,
    /// When it was started.
    pub started_at: DateTime<Utc>,
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
    /// How many steps were made in it.
    pub step: Step,
    /// When it is planned to begin.
    pub scheduled_start: DateTime<Utc>,
    /// When it is planned to end.
    pub scheduled_end: DateTime<Utc>,
    /// How many questions are on the agenda.
    pub question_count: u64,
    /// The question on the big screen.
    pub question: Option<LiveQuestion>,
    /// The quorum that holds at the moment.
    pub quorum: Option<LiveQuorum>,
    /// The rehearsal that runs. Nothing of it is for the big screen.
    pub rehearsal: Option<LiveRehearsal>,
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
    /// Who counts the versions. Those of two instances have nothing to do with one another.
    pub instance: InstanceId,
    /// Goes up by one with every change that is told. Starts at the time when the picture was first taken, in
    /// microseconds, so that it never goes back when the server starts again.
    pub version: u64,
    /// How many different voters are connected.
    pub participants: u64,
    /// Whether what happens by way of other instances is shown some seconds late, because they cannot be heard.
    pub is_delayed: bool,
    /// Those of them who may vote. Nobody where no quorum asks for them.
    pub present: People,
    /// What the store knows.
    pub facts: Arc<LiveFacts>,
}

impl LiveState {
    /// Who takes part by the quorum that holds: those present, or those who have voted in the open round.
    pub fn attending(&self) -> People {
        let attendance = self.facts.quorum.map(|quorum| quorum.quorum.attendance);
        match (attendance, self.facts.open_question()) {
            (Some(Attendance::Present), _) => self.present,
            (Some(Attendance::Voted), Some((_, round))) => {
                People { heads: round.votes_cast, weight: round.weight_cast.unwrap_or_default() }
            }
            _ => People::default(),
        }
    }
}
