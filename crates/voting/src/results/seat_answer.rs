use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId};

use crate::results::succession::{Refusal, Succession};
use crate::{Decision, ResultService, RoundPapers, RoundStatus};

/// The most answers that an election keeps, corrections included.
pub const MAX_SEAT_ANSWERS: usize = 1_000;

/// The answer of a person who has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeatAnswer {
    /// The person accepts the election.
    Accepted,
    /// The person declines it.
    Declined,
    /// An earlier answer was noted by mistake.
    TakenBack,
}

/// A request to note an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatAnswerRequest {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The declared round.
    pub round: RoundId,
    /// The organizer.
    pub by: AccountId,
    /// The number of the candidate.
    pub candidate: u32,
    /// The answer.
    pub answer: SeatAnswer,
}

/// An answer to note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewSeatAnswer {
    /// The request. The name of its organizer is stored.
    pub request: SeatAnswerRequest,
    /// The time.
    pub at: DateTime<Utc>,
}

/// A noted answer, with its effect on the seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedSeatAnswer {
    /// The round.
    pub round: RoundId,
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer.
    pub by: String,
    /// The number of the candidate.
    pub candidate: u32,
    /// The answer.
    pub answer: SeatAnswer,
    /// Whether a next ballot was on the agenda, so that nobody moved up.
    pub is_continued: bool,
    /// The numbers of those who had a seat before it.
    pub before: Vec<u32>,
    /// The seats from then on.
    pub succession: Succession,
}

/// The reason why an answer was not noted.
#[derive(Debug, thiserror::Error)]
pub enum SeatAnswerError {
    /// The client has no such meeting, or the meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// The result is not declared.
    #[error("the result of this vote is not declared yet")]
    NotDeclared,
    /// The question elects nobody.
    #[error("this vote is not an election")]
    NoElection,
    /// The quorum was missed, so nobody has a seat.
    #[error("the quorum of this election was missed, so nobody is elected")]
    QuorumMissed,
    /// A re-vote of this ballot, or of one that it continues, is declared, and its result counts.
    #[error("a re-vote of this election is declared: note the answer there")]
    Superseded,
    /// The person has no seat that could be accepted or declined.
    #[error("this candidate has no seat")]
    NoSeat,
    /// Somebody would get a seat again that a next ballot may fill.
    #[error("the next ballot of this election is on the agenda: delete it first, or let it decide")]
    IsContinued,
    /// There are too many answers.
    #[error("this election has {MAX_SEAT_ANSWERS} noted answers, which is the maximum")]
    Full,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The answers that count: the last one of each candidate.
fn answers_of(noted: &[NotedSeatAnswer]) -> BTreeMap<u32, SeatAnswer> {
    noted.iter().map(|noted| (noted.candidate, noted.answer)).collect()
}

/// The refusals that count, in the order in which they were noted.
fn refusals_of(noted: &[NotedSeatAnswer]) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    for NotedSeatAnswer { candidate, answer, is_continued, .. } in noted {
        refusals.retain(|refusal| refusal.candidate != *candidate);
        if *answer == SeatAnswer::Declined {
            refusals.push(Refusal { candidate: *candidate, is_continued: *is_continued });
        }
    }
    refusals
}

/// What decides on an answer.
#[derive(Clone, Copy, Debug)]
pub struct SeatAnswerContext<'a> {
    /// The round with its votes.
    pub papers: &'a RoundPapers,
    /// Its earlier answers, the first one first.
    pub noted: &'a [NotedSeatAnswer],
    /// Whether a question on the agenda continues this ballot.
    pub is_continued: bool,
}

/// Decides on an answer for a declared round. Returns the seats before and after it, or `None` if this is the person's answer
/// already. Whoever has a seat keeps it unless they decline, or moved up only because of a refusal that is taken back. While a
/// next ballot is on the agenda, nobody moves up: that ballot fills the seat.
///
/// # Errors
/// Fails when the round is not declared or no election, when its quorum was missed, when the person neither has a seat nor
/// declined one, and when a refusal is taken back although a next ballot may fill the seat.
pub fn decide_seat_answer(
    context: SeatAnswerContext<'_>,
    (candidate, answer): (u32, SeatAnswer),
) -> Result<Option<(Vec<u32>, Succession)>, SeatAnswerError> {
    let SeatAnswerContext { papers, noted, is_continued } = context;
    let result = &papers.result.result.result;
    let election = result.election.as_ref().ok_or(SeatAnswerError::NoElection)?;
    if result.round.status != RoundStatus::Declared {
        return Err(SeatAnswerError::NotDeclared);
    }
    if result.decision == Decision::QuorumMissed {
        return Err(SeatAnswerError::QuorumMissed);
    }
    let given = answers_of(noted).get(&candidate).copied().unwrap_or(SeatAnswer::TakenBack);
    let elected = || election.count.elected.iter().map(|elected| elected.candidate.number());
    let before = noted.last().map_or_else(|| elected().collect(), |last| last.succession.seated.clone());
    if !before.contains(&candidate) && given != SeatAnswer::Declined {
        return Err(SeatAnswerError::NoSeat);
    }
    if given == answer {
        return Ok(None);
    }
    if noted.len() >= MAX_SEAT_ANSWERS {
        return Err(SeatAnswerError::Full);
    }
    if is_continued && given == SeatAnswer::Declined {
        return Err(SeatAnswerError::IsContinued);
    }
    if answer != SeatAnswer::Declined && given != SeatAnswer::Declined {
        // Only refusals change seats.
        let last = noted.last().map(|last| last.succession.clone());
        let succession = last.unwrap_or_else(|| Succession { seated: before.clone(), ..Succession::default() });
        return Ok(Some((before, Succession { drawn: Vec::new(), ..succession })));
    }
    if is_continued {
        let seated = before.iter().copied().filter(|number| *number != candidate);
        return Ok(Some((before.clone(), Succession { seated: seated.collect(), ..Succession::default() })));
    }
    let mut refusals = refusals_of(noted);
    let succession = if answer == SeatAnswer::Declined {
        refusals.push(Refusal { candidate, is_continued });
        Succession::after_refusal(papers, &before, &refusals)
    } else {
        refusals.retain(|refusal| refusal.candidate != candidate);
        Succession::anew(papers, &refusals)
    };
    let succession = succession.ok_or(SeatAnswerError::NoElection)?;
    if answer == SeatAnswer::Accepted && !succession.seated.contains(&candidate) {
        return Err(SeatAnswerError::NoSeat);
    }
    Ok(Some((before, succession)))
}

impl ResultService {
    /// Notes whether a person accepts the election, and who moves up if not. The declared result stays. A repeat succeeds and
    /// changes nothing.
    ///
    /// # Errors
    /// As [`decide_seat_answer`]; also for a round of another client or meeting.
    pub async fn note_seat_answer(&self, request: SeatAnswerRequest) -> Result<(), SeatAnswerError> {
        let new = NewSeatAnswer { request, at: self.ports.clock.now() };
        if self.ports.declarations.note_seat_answer(new).await? {
            self.ports.signals.meeting_changed(request.meeting).await;
        }
        Ok(())
    }
}
