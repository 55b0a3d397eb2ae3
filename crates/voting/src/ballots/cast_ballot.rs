use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;
use plenum_kernel::{
    ClientId, Clock, EndUserId, MeetingId, NewIds, PortFailure, QuestionId, RoundId, Secrecy, SessionId, VoteId,
};

use crate::{
    Answer, Ballot, BallotBox, BallotRule, CastOn, CastOutcome, Envelope, OpenedBallot, Round, RoundStatus, RoundStore,
    Sealing, SealingError, SealingKeys, StoredVote, VoterQuestion, VotingSignals,
};

/// The reason why a ballot was not counted.
#[derive(Debug, thiserror::Error)]
pub enum CastBallotError {
    /// The voter's client has no such meeting or question, or the question was never opened.
    #[error("the question does not exist")]
    NotFound,
    /// Voting on the question is not open.
    #[error("voting on this question is not open")]
    NotOpen,
    /// A newer round has replaced the round of the ballot.
    #[error("this round is over, and another round is open")]
    RoundOver,
    /// The voter is not in the register of the round.
    #[error("you are not in the register of this vote")]
    NotInRegister,
    /// The voter has voted in this round, with another answer, or in another session.
    #[error("You have already voted")]
    AlreadyVoted,
    /// The vote of the voter was cast on paper or at a voting place.
    #[error("your vote was cast {}", match .0 { CastOn::Paper => "on paper", CastOn::VotingPlace => "at a voting place" })]
    VotedElsewhere(CastOn),
    /// The holder of the voter's proxy has voted.
    #[error("the holder of your proxy has already voted for you")]
    VotedByHolder,
    /// The voter for whom the holder votes has voted.
    #[error("this person has already voted, so your proxy rests")]
    VotedByPrincipal,
    /// The caster holds no proxy of the voter in this round, or it rests.
    #[error("you hold no proxy of this person for this vote, or it rests")]
    NoProxy,
    /// The key of a secret round is not confirmed, so the ballot cannot be sealed.
    #[error("the key of this secret vote cannot be confirmed")]
    KeyUnconfirmed,
    /// The ballot does not fit the question.
    #[error(transparent)]
    Ballot(#[from] BallotRule),
    /// The queue is full or the store did not answer. The voter may send the same ballot again.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<SealingError> for CastBallotError {
    fn from(error: SealingError) -> Self {
        match error {
            SealingError::Unconfirmed(_) => Self::KeyUnconfirmed,
            SealingError::Port(failure) => Self::Port(failure),
        }
    }
}

/// The rounds in which voters can withdraw their votes, for testing. In a real meeting they cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VoteReset {
    /// None.
    #[default]
    Off,
    /// In rounds that were test data when they were opened.
    TestData,
    /// In every round: the whole installation is a demonstration.
    Demonstration,
}

/// The reason why a vote was not withdrawn.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    /// Votes of this round cannot be withdrawn.
    #[error("votes cannot be reset in this meeting")]
    NotAllowed,
    /// The voter's client has no such meeting or question, or the question was never opened.
    #[error("the question does not exist")]
    NotFound,
    /// Voting on the question is not open.
    #[error("voting on this question is not open")]
    NotOpen,
    /// The voter has no vote in the round.
    #[error("you have not voted on this question")]
    NoVote,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The ports of [`BallotService`].
pub struct BallotPorts {
    /// Rounds.
    pub rounds: Arc<dyn RoundStore>,
    /// Stores ballots as votes.
    pub ballot_box: Arc<dyn BallotBox>,
    /// Seals ballots for devices that cannot.
    pub sealing_keys: Arc<SealingKeys>,
    /// Informs the live screens.
    pub signals: Arc<dyn VotingSignals>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn NewIds>,
}

/// Accepts and withdraws ballots, and lists the rounds of a voter.
///
/// The service remembers the last round of each question, because the wording of a round never changes. Only the ballot
/// box decides, in the moment in which it stores the vote, whether the round is open and the voter is in its register.
pub struct BallotService {
    pub(crate) ports: BallotPorts,
    remembered: Mutex<HashMap<QuestionId, Arc<Round>>>,
}

/// A stored vote, in the words of its round.
struct CastVote {
    vote: StoredVote,
    texts: Vec<String>,
    /// False if it had been stored before.
    is_new: bool,
}

impl CastVote {
    fn into_vote(self) -> (StoredVote, Vec<String>) {
        (self.vote, self.texts)
    }
}

/// The answers of a voter to a question.
#[derive(Clone, Copy, Debug)]
pub struct CastRequest<'a> {
    /// The voter's client.
    pub client: ClientId,
    /// The voter.
    pub voter: EndUserId,
    /// The holder of the voter's proxy, if the voter does not cast it.
    pub cast_by: Option<EndUserId>,
    /// Where it is cast. `None` on a device of the voter or the holder.
    pub cast_on: Option<CastOn>,
    /// The session that casts it. At a voting place, the id of the ballot that it gave to the voter.
    pub session: SessionId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The question.
    pub question: QuestionId,
    /// The round for which the answers are meant. `None` for the open one.
    pub round: Option<RoundId>,
    /// The content of the ballot.
    pub content: BallotContent<'a>,
}

/// The content of a ballot as it arrives.
#[derive(Clone, Copy, Debug)]
pub enum BallotContent<'a> {
    /// Answers, as typed or chosen. In a secret round they are sealed on arrival.
    Answers(&'a [String]),
    /// A ballot that the voter's device has sealed.
    Sealed(&'a Envelope),
}

impl BallotService {
    /// The maximum number of remembered rounds.
    const REMEMBERED: usize = 1_000;

    /// Creates the service on these ports.
    pub fn new(ports: BallotPorts) -> Self {
        Self { ports, remembered: Mutex::default() }
    }

    /// Casts a voter's answers to a question, in the given round or otherwise in the open one. A repeat with the same
    /// answers returns the first vote, because the first response may have been lost.
    ///
    /// In a round that does not show how each person voted, this holds for the session that cast the vote. Another
    /// session gets `AlreadyVoted` for any answers, so that trying answers does not reveal the stored one. In a secret
    /// round it holds for the same envelope.
    ///
    /// # Errors
    /// States why the ballot was not counted: `RoundOver` when a newer round has replaced the given one, unless the
    /// same ballot is a vote in the given round.
    pub async fn cast(&self, request: CastRequest<'_>) -> Result<(StoredVote, Vec<String>), CastBallotError> {
        let Some(meant) = request.round else { return self.cast_in_last(&request).await };
        let CastRequest { client, voter, meeting, question, .. } = request;
        let remembered = self.recall(client, meeting, question).filter(|round| round.id == meant);
        let round = match remembered {
            Some(round) => round,
            None => self.look_up(client, meeting, question).await?,
        };
        if round.id == meant {
            let outcome = self.cast_in(&request, &round).await;
            let is_refused = !matches!(outcome, Ok(_) | Err(CastBallotError::Port(_)));
            // The remembered round may be over by now.
            if !is_refused || self.look_up(client, meeting, question).await?.id == meant {
                return outcome.map(CastVote::into_vote);
            }
        }
        let asked = VoterQuestion { client, voter, meeting, question };
        let before = self.ports.rounds.vote_in(asked, meant).await?;
        let sent = match request.content {
            // All rounds after one with votes have its options.
            BallotContent::Answers(answers) => round.wording.read(answers),
            BallotContent::Sealed(envelope) => Ok(Answer::Sealed(Some(envelope.clone()))),
        };
        // The newest round may be named and an earlier one not, so a vote of another session is never compared.
        match (before, sent) {
            (Some(before), Ok(answer)) => {
                let ballot = self.ballot_of(&request, meant, answer);
                if before.is_repeated_by(&ballot, Secrecy::Unshown) {
                    let texts = ballot.answer.texts(&round.wording);
                    Ok((before.with_content_of(ballot), texts))
                } else {
                    Err(CastBallotError::RoundOver)
                }
            }
            _ => Err(CastBallotError::RoundOver),
        }
    }

    /// Casts several ballots of one person, each for another voter, as [`Self::cast`] does. Each has an outcome of its own, in
    /// the order of the requests.
    pub async fn cast_all(
        &self,
        requests: Vec<CastRequest<'_>>,
    ) -> Vec<Result<(StoredVote, Vec<String>), CastBallotError>> {
        join_all(requests.into_iter().map(|request| self.cast(request))).await
    }

    /// Casts a voter's answers in the last round of a question.
    async fn cast_in_last(&self, request: &CastRequest<'_>) -> Result<(StoredVote, Vec<String>), CastBallotError> {
        let CastRequest { client, meeting, question, .. } = *request;
        let Some(remembered) = self.recall(client, meeting, question) else {
            let round = self.look_up(client, meeting, question).await?;
            return self.cast_in(request, &round).await.map(CastVote::into_vote);
        };
        let outcome = self.cast_in(request, &remembered).await;
        if matches!(outcome, Ok(CastVote { is_new: true, .. }) | Err(CastBallotError::Port(_))) {
            return outcome.map(CastVote::into_vote);
        }
        // A newer round may have replaced the remembered one. A refusal by the old one, or a vote in it, says nothing about
        // the new one.
        let current = self.look_up(client, meeting, question).await?;
        if current.id == remembered.id {
            return outcome.map(CastVote::into_vote);
        }
        self.cast_in(request, &current).await.map(CastVote::into_vote)
    }

    async fn cast_in(&self, request: &CastRequest<'_>, round: &Round) -> Result<CastVote, CastBallotError> {
        let answer = match self.answer_of(request, round).await {
            Err(CastBallotError::KeyUnconfirmed) => return Err(self.refusal_without_key(request, round).await?),
            answer => answer?,
        };
        let ballot = self.ballot_of(request, round.id, answer);
        let (vote, is_new) = match self.ports.ballot_box.cast(ballot.clone()).await? {
            CastOutcome::Counted => (ballot.into_vote(), true),
            CastOutcome::VotedBefore(before) if before.is_repeated_by(&ballot, round.secrecy) => {
                (before.with_content_of(ballot), false)
            }
            CastOutcome::VotedBefore(before) => {
                return Err(voted_before(&before, request.cast_by, request.cast_on));
            }
            CastOutcome::NoProxy => return Err(CastBallotError::NoProxy),
            CastOutcome::NotOpen => return Err(CastBallotError::NotOpen),
            CastOutcome::NotInRegister => return Err(CastBallotError::NotInRegister),
        };
        if is_new {
            self.ports.signals.votes_changed(round.meeting_id).await;
        }
        let texts = vote.answer.texts(&round.wording);
        Ok(CastVote { vote, texts, is_new })
    }

    /// The request as a ballot in this round, cast now.
    fn ballot_of(&self, request: &CastRequest<'_>, round_id: RoundId, answer: Answer) -> Ballot {
        let CastRequest { voter, cast_by, cast_on, session, .. } = *request;
        let vote_id = match &answer {
            Answer::Sealed(Some(envelope)) => envelope.vote_id(round_id, voter),
            _ => VoteId::new(&*self.ports.ids),
        };
        let cast_at = self.ports.clock.now();
        Ballot { vote_id, round_id, voter, cast_by, cast_on, session, answer, cast_at }
    }

    /// Checks the content of a ballot against the round. The content of an envelope is checked when the urn is opened.
    async fn answer_of(&self, request: &CastRequest<'_>, round: &Round) -> Result<Answer, CastBallotError> {
        let wording = &round.wording;
        match (request.content, &round.urn) {
            (BallotContent::Answers(answers), None) => Ok(wording.read(answers)?),
            (BallotContent::Sealed(_), None) => Err(BallotRule::NotSecret.into()),
            (BallotContent::Sealed(envelope), Some(_)) if envelope.fits(wording) => {
                Ok(Answer::Sealed(Some(envelope.clone())))
            }
            (BallotContent::Sealed(_), Some(_)) => Err(BallotRule::NoEnvelope(wording.envelope_size()).into()),
            (BallotContent::Answers(answers), Some(urn)) => {
                let answer = wording.read(answers)?;
                let ballot = OpenedBallot::of(&answer, wording).ok_or(BallotRule::OtherType)?;
                let sealing = Sealing { round: round.id, public_key: urn.public_key.clone(), voter: request.voter };
                let size = wording.sealed_size();
                match self.ports.sealing_keys.seal(&ballot, size, sealing.clone()).await {
                    Err(SealingError::Unconfirmed(_)) => {
                        self.seal_for_stored_key(request, &ballot, (size, sealing)).await
                    }
                    sealed => Ok(Answer::Sealed(Some(sealed?))),
                }
            }
        }
    }

    /// Seals for the key that the database has now: the remembered round may have one that somebody has put there meanwhile, and
    /// that was put back.
    async fn seal_for_stored_key(
        &self,
        request: &CastRequest<'_>,
        ballot: &OpenedBallot,
        (size, sealing): (usize, Sealing),
    ) -> Result<Answer, CastBallotError> {
        let CastRequest { client, meeting, question, .. } = *request;
        let current = self.look_up(client, meeting, question).await?;
        let urn = current.urn.as_ref().filter(|_| current.id == sealing.round);
        let public_key = urn.ok_or(CastBallotError::KeyUnconfirmed)?.public_key.clone();
        let envelope = self.ports.sealing_keys.seal(ballot, size, Sealing { public_key, ..sealing }).await?;
        Ok(Answer::Sealed(Some(envelope)))
    }

    /// The refusal of a ballot that cannot be sealed. The count deletes the key, so a repeat whose first response was lost, and a
    /// late ballot, come here as well.
    async fn refusal_without_key(
        &self,
        request: &CastRequest<'_>,
        round: &Round,
    ) -> Result<CastBallotError, CastBallotError> {
        let CastRequest { client, voter, cast_by, cast_on, meeting, question, .. } = *request;
        let before = self.ports.rounds.vote_in(VoterQuestion { client, voter, meeting, question }, round.id).await?;
        // Nobody has checked the proxy of a holder, who therefore learns of an own vote only.
        if let Some(before) = before.filter(|before| cast_by.is_none() || before.cast_by == cast_by) {
            return Ok(voted_before(&before, cast_by, cast_on));
        }
        let current = self.look_up(client, meeting, question).await?;
        let is_over = current.id == round.id && current.status != RoundStatus::Open;
        Ok(if is_over { CastBallotError::NotOpen } else { CastBallotError::KeyUnconfirmed })
    }

    /// The public key for which ballots of this round are sealed. `None` if it is not secret.
    ///
    /// # Errors
    /// Fails when the key cannot be confirmed.
    pub async fn sealing_key(&self, round: &Round) -> Result<Option<Vec<u8>>, SealingError> {
        let Some(urn) = &round.urn else { return Ok(None) };
        self.ports.sealing_keys.confirm(round.id, &urn.public_key).await?;
        Ok(Some(urn.public_key.clone()))
    }

    /// Withdraws the voter's vote from the open round, for testing.
    ///
    /// # Errors
    /// States why no vote was withdrawn.
    pub async fn withdraw(&self, question: VoterQuestion, allowed: VoteReset) -> Result<(), WithdrawError> {
        let VoterQuestion { client, voter, meeting, question } = question;
        if allowed == VoteReset::Off {
            return Err(WithdrawError::NotAllowed);
        }
        let round =
            self.ports.rounds.last_of_question(client, meeting, question).await?.ok_or(WithdrawError::NotFound)?;
        if allowed == VoteReset::TestData && !self.ports.ballot_box.is_for_tests(round.id).await? {
            return Err(WithdrawError::NotAllowed);
        }
        if round.status != RoundStatus::Open {
            return Err(WithdrawError::NotOpen);
        }
        if !self.ports.ballot_box.withdraw(round.id, voter).await? {
            return Err(WithdrawError::NoVote);
        }
        self.ports.signals.votes_changed(meeting).await;
        Ok(())
    }

    fn recall(&self, client: ClientId, meeting: MeetingId, question: QuestionId) -> Option<Arc<Round>> {
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let round = remembered.get(&question)?;
        (round.client_id == client && round.meeting_id == meeting).then(|| Arc::clone(round))
    }

    async fn look_up(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Arc<Round>, CastBallotError> {
        let round = self.ports.rounds.last_of_question(client, meeting, question).await?;
        let round = Arc::new(round.ok_or(CastBallotError::NotFound)?);
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered.len() >= Self::REMEMBERED {
            remembered.clear();
        }
        remembered.insert(question, Arc::clone(&round));
        Ok(round)
    }
}

/// The refusal of a ballot whose voter has this vote. A voter learns where their vote was cast; a holder and a voting place learn
/// only that there is one.
fn voted_before(before: &StoredVote, cast_by: Option<EndUserId>, cast_on: Option<CastOn>) -> CastBallotError {
    match (before.cast_by, cast_by, before.cast_on.filter(|_| cast_on.is_none())) {
        (Some(_), None, _) if cast_on.is_none() => CastBallotError::VotedByHolder,
        (None, Some(_), _) => CastBallotError::VotedByPrincipal,
        (None, None, Some(place)) => CastBallotError::VotedElsewhere(place),
        _ => CastBallotError::AlreadyVoted,
    }
}
