use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::election::ElectionRule;
use plenum_kernel::{
    AtOpening, Attendance, ClientId, InstanceId, MeetingId, QuestionId, QuestionType, Quorum, RehearsalId, RoundId,
    Secrecy, Step, Unit, WeightKind,
};
use rust_decimal::Decimal;

use crate::live::Holders;
use crate::{MeetingStatus, People};

/// The last round of the question on the presentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRound {
    /// Its id.
    pub id: RoundId,
    /// Whether votes are taken right now.
    pub is_open: bool,
    /// Whether its result is declared.
    pub is_declared: bool,
    /// When voting was opened.
    pub opened_at: DateTime<Utc>,
    /// The closing time, if a countdown runs.
    pub closes_at: Option<DateTime<Utc>>,
    /// The public key of its urn, if it is secret: an uncompressed point of P-256.
    pub urn_key: Option<Vec<u8>>,
    /// Whether it is void, because its key was lost.
    pub is_void: bool,
    /// The number of voters in its register.
    pub register_size: u64,
    /// The number of votes.
    pub votes_cast: u64,
    /// The sum of the weights of the votes. Known only if the quorum needs it.
    pub weight_cast: Option<Decimal>,
    /// The version of the answer wall, if its result is declared and the organizer shows the answers.
    pub answer_wall: Option<u32>,
}

/// The question on the presentation, with the wording of its round while that is open, otherwise of the agenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveQuestion {
    /// Its id.
    pub id: QuestionId,
    /// The text of the question.
    pub text: String,
    /// The type of its answers.
    pub question_type: QuestionType,
    /// The texts of the options, in order.
    pub options: Vec<String>,
    /// The text of the option that stands alone on the ballot: the abstention of a multiple choice question.
    pub abstention: Option<String>,
    /// The highest number of a rating.
    pub rating_max: Option<u32>,
    /// The maximum number of choices.
    pub max_choices: Option<u32>,
    /// The terms of an election. `None` for other types.
    pub election: Option<Arc<ElectionRule>>,
    /// Who can learn how a person voted.
    pub secrecy: Secrecy,
    /// Whether every vote counts one, whatever the weight.
    pub counts_heads: bool,
    /// The names of the groups that it is for, or else those of the meeting. Empty for everybody.
    pub groups: Vec<String>,
    /// The position on the agenda, from 1.
    pub position: u32,
    /// Its last round, if it ever had one.
    pub round: Option<LiveRound>,
}

impl LiveQuestion {
    /// Its round, if it is open.
    pub fn open_round(&self) -> Option<&LiveRound> {
        self.round.as_ref().filter(|round| round.is_open)
    }

    /// Whether its last round is void.
    pub fn is_void(&self) -> bool {
        self.round.as_ref().is_some_and(|round| round.is_void)
    }

    /// Its round, if its result is declared.
    pub fn declared_round(&self) -> Option<&LiveRound> {
        self.round.as_ref().filter(|round| round.is_declared)
    }
}

/// The current quorum: of the open round, otherwise of the current question, otherwise of the meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveQuorum {
    /// The requirement.
    pub quorum: Quorum,
    /// The effect of a missing quorum at opening, from the meeting. `None` if only the question has a quorum.
    pub at_opening: Option<AtOpening>,
    /// The eligible people: the register of the open round, otherwise the people who would be in it if the question
    /// opened now.
    pub eligible: People,
    /// The kind that is counted as weight. `None` for the ordinary weight, and if the quorum counts people.
    pub weight_kind: Option<WeightKind>,
}

impl LiveQuorum {
    /// Whether it counts votes.
    pub fn counts_votes(&self) -> bool {
        self.quorum.attendance == Attendance::Voted
    }

    /// Whether it counts the weight of votes.
    pub fn weighs_votes(&self) -> bool {
        self.counts_votes() && self.quorum.unit == Unit::Weight
    }
}

/// The running rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveRehearsal {
    /// Its id.
    pub id: RehearsalId,
    /// When it was started.
    pub started_at: DateTime<Utc>,
}

/// The people of a meeting with check-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveCheckIn {
    /// The people who are checked in and may vote.
    pub present: People,
    /// Those who may vote and are not checked in, while the holder of their proxy is.
    pub represented: People,
    /// All people who may vote.
    pub eligible: People,
    /// Whether voters can check themselves in, with the code on the presentation.
    pub is_self: bool,
}

/// The stored facts about a meeting that live screens show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveFacts {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The organization's name.
    pub client_name: String,
    /// The organization's public code.
    pub client_code: String,
    /// The title.
    pub title: String,
    /// The description.
    pub description: Option<String>,
    /// The status.
    pub status: MeetingStatus,
    /// The number of steps made in it.
    pub step: Step,
    /// The planned start.
    pub scheduled_start: DateTime<Utc>,
    /// The planned end.
    pub scheduled_end: DateTime<Utc>,
    /// The number of questions on the agenda.
    pub question_count: u64,
    /// The question on the presentation.
    pub question: Option<LiveQuestion>,
    /// The quorum that applies now.
    pub quorum: Option<LiveQuorum>,
    /// The running rehearsal. The presentation does not show it.
    pub rehearsal: Option<LiveRehearsal>,
    /// The people by the record of check-in. `None` in a meeting without check-in.
    pub check_in: Option<LiveCheckIn>,
    /// The holder of each principal whose proxy is in force and does not rest. Empty without a quorum. No screen shows it.
    pub holders: Arc<Holders>,
}

impl LiveFacts {
    /// The question that is open for voting, with its round.
    pub fn open_question(&self) -> Option<(&LiveQuestion, &LiveRound)> {
        self.question.as_ref().and_then(|question| Some((question, question.open_round()?)))
    }

    /// Whether a secret vote is open whose key is not confirmed, so that no ballot can be sealed.
    pub fn lacks_key(&self) -> bool {
        self.open_question()
            .is_some_and(|(question, round)| question.secrecy == Secrecy::Secret && round.urn_key.is_none())
    }
}

/// The snapshot that all live screens of a meeting show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveState {
    /// The instance that counts the versions. Versions of two instances are not comparable.
    pub instance: InstanceId,
    /// The version. It grows by one with every change sent. It starts at the time of the first snapshot, in
    /// microseconds, so that a restart never decreases it.
    pub version: u64,
    /// The number of connected voters, or of the people who are checked in, in a meeting with check-in.
    pub participants: u64,
    /// Whether changes from other instances appear a few seconds late, because this instance receives no messages from
    /// them.
    pub is_delayed: bool,
    /// The eligible ones among them. Zero without a quorum.
    pub present: People,
    /// The eligible ones who are not connected, and the holder of their proxy is. Zero without a quorum.
    pub represented: People,
    /// The facts from the store.
    pub facts: Arc<LiveFacts>,
}

impl LiveState {
    /// The people who count for the quorum: present people, or people who have voted in the open round.
    pub fn attending(&self) -> People {
        let attendance = self.facts.quorum.as_ref().map(|quorum| quorum.quorum.attendance);
        match (attendance, self.facts.open_question()) {
            (Some(Attendance::Present), _) => People {
                heads: self.present.heads + self.represented.heads,
                weight: self.present.weight + self.represented.weight,
            },
            (Some(Attendance::Voted), Some((_, round))) => {
                People { heads: round.votes_cast, weight: round.weight_cast.unwrap_or_default() }
            }
            _ => People::default(),
        }
    }
}
