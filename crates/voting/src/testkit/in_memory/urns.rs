use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{EndUserId, PortFailure, RoundId};
use rust_decimal::Decimal;

use super::weight_kinds::KnownWeights;
use super::{InMemoryVoting, KnownRound, State};
use crate::testkit::contract::SeedVoter;
use crate::{
    Answer, CastEnvelope, ClosedUrn, Envelope, KeyShare, LogEntry, LogKind, OpenedUrn, OpeningRule, PreparedKey,
    ResultStep, ResultStepError, RoundStatus, SecrecyRisk, UnlockError, Urn, UrnKeys as _, UrnStore, UrnTally,
    check_secrecy, envelopes_hash,
};

impl KnownRound {
    /// Adds the urn with this key. The round MUST be secret.
    pub(super) fn add_urn(&mut self, key: PreparedKey) {
        let PreparedKey { public_key, database_share, holders, .. } = key;
        self.round.urn = Some(Urn { public_key, holders, is_void: false });
        self.database_share = Some(database_share);
    }

    /// The urn, if it is not opened.
    pub(super) fn closed_urn(&self) -> Option<ClosedUrn> {
        let urn = self.round.urn.as_ref().filter(|_| self.round.counted_at.is_none())?;
        let cast = self.register.iter().filter(|(voter, _)| self.votes.contains_key(voter));
        Some(ClosedUrn { risk: SecrecyRisk::among(cast.map(|(_, voter)| (voter.weight, 1))), is_void: urn.is_void })
    }

    /// Checks that nobody's vote could be inferred, and logs an accepted risk.
    pub(super) fn check_secrecy(&mut self, accepts_risk: bool, by: &str, at: DateTime<Utc>) -> Result<(), OpeningRule> {
        if self.round.urn.is_none() {
            return Ok(());
        }
        let risk = SecrecyRisk::among(self.register.values().map(|voter| (voter.weight, 1)));
        if let Some(risk) = check_secrecy(risk, accepts_risk)? {
            self.log_risk(risk.sentence(), by, at);
        }
        Ok(())
    }

    fn log_risk(&mut self, sentence: String, by: &str, at: DateTime<Utc>) {
        let kind = LogKind::RiskAccepted;
        self.log.push(LogEntry { at, kind, by: Some(by.to_owned()), person: None, reason: Some(sentence) });
    }

    fn envelopes(&self) -> (Vec<CastEnvelope>, Vec<Decimal>) {
        let sealed = self.votes.iter().filter_map(|(voter, vote)| match &vote.answer {
            Answer::Sealed(Some(envelope)) => Some((*voter, envelope.clone())),
            _ => None,
        });
        let weight_of = |voter: EndUserId| self.register.get(&voter).map(|entry| entry.weight).unwrap_or_default();
        sealed.map(|(voter, envelope)| (CastEnvelope { voter, envelope }, weight_of(voter))).unzip()
    }
}

impl InMemoryVoting {
    /// Opens the urn of a secret round, before it is marked as counted. Returns false for another round.
    pub(super) fn open_urn(
        &self,
        state: &mut State,
        step: &ResultStep,
        now: DateTime<Utc>,
    ) -> Result<bool, ResultStepError> {
        let name = state.account_name(step.by);
        let Some(known) = state.round_mut(step.round) else { return Ok(false) };
        let Some(urn) = known.round.urn.clone() else { return Ok(false) };
        let share = known.database_share.clone().unwrap_or(KeyShare([0; 32]));
        let (envelopes, weights) = known.envelopes();
        let risk = SecrecyRisk::among(weights.iter().map(|weight| (*weight, 1)));
        let opened =
            self.keys.unlock(step.round, &urn.public_key, &share, &envelopes).map_err(|error| match error {
                UnlockError::ShareLost => ResultStepError::KeyMissing,
                UnlockError::Port(failure) => failure.into(),
            })?;
        let ballots: Vec<_> = opened.into_iter().zip(weights).collect();
        let mut receipts: Vec<String> = envelopes.iter().map(|cast| cast.envelope.receipt()).collect();
        receipts.sort();
        let all: Vec<&Envelope> = envelopes.iter().map(|cast| &cast.envelope).collect();
        let envelopes_hash = envelopes_hash(all.into_iter());
        let tally = UrnTally::count(&known.round.wording, &ballots);
        if let Some(risk) = risk {
            known.log_risk(risk.sentence(), &name, now);
        }
        known.opened_urn = Some(OpenedUrn { tally, receipts, envelopes_hash, opened_at: now });
        known.database_share = None;
        for vote in known.votes.values_mut() {
            vote.answer = Answer::Sealed(None);
        }
        Ok(true)
    }
}

#[async_trait]
impl UrnStore for InMemoryVoting {
    async fn needing_keys(&self, rounds: Vec<RoundId>) -> Result<Vec<RoundId>, PortFailure> {
        let state = self.state();
        let needs_key = |known: &&KnownRound| known.closed_urn().is_some_and(|urn| !urn.is_void);
        let needing = state.rounds.iter().filter(needs_key).map(|known| known.round.id);
        Ok(needing.filter(|round| rounds.contains(round)).collect())
    }

    async fn with_undestroyed_keys(&self) -> Result<Vec<RoundId>, PortFailure> {
        let state = self.state();
        let is_undestroyed = |known: &&KnownRound| known.opened_urn.is_some() && !known.is_key_destroyed;
        Ok(state.rounds.iter().filter(is_undestroyed).map(|known| known.round.id).collect())
    }

    async fn database_share(&self, round: RoundId) -> Result<Option<KeyShare>, PortFailure> {
        let state = self.state();
        let known = state.rounds.iter().find(|known| known.round.id == round);
        Ok(known.and_then(|known| known.database_share.clone()))
    }

    async fn note_destroyed(&self, round: RoundId, _: DateTime<Utc>) -> Result<(), PortFailure> {
        if let Some(known) = self.state().round_mut(round) {
            known.is_key_destroyed = true;
        }
        Ok(())
    }

    async fn mark_void(&self, step: ResultStep) -> Result<(), ResultStepError> {
        let mut state = self.state();
        let ResultStep { owner, meeting, round, by, now, .. } = step;
        let known = state.meeting_of(owner, meeting).ok_or(ResultStepError::MeetingNotFound)?;
        let (current, is_active) = (known.current, known.is_active);
        state.round_of(owner, meeting, round).ok_or(ResultStepError::RoundNotFound)?;
        let (name, now) = (state.account_name(by), state.time(meeting, now));
        let Some(known) = state.round_mut(round) else { return Ok(()) };
        let is_closed = known.closed_urn().is_some_and(|urn| !urn.is_void) && known.round.status == RoundStatus::Ended;
        if !is_closed {
            return Ok(());
        }
        if let Some(urn) = &mut known.round.urn {
            urn.is_void = true;
        }
        known.log(LogKind::Voided, Some(name), now);
        let question = known.round.question_id;
        state.take_step(meeting, current.or(is_active.then_some(question)));
        Ok(())
    }
}

/// The weight with which a person enters the register of a round.
pub(super) fn weight_in(known: &KnownRound, weights: &KnownWeights, voter: &SeedVoter) -> Decimal {
    let kind = known.round.weight_kind.as_ref().map(|kind| kind.id);
    if known.round.counts_heads { Decimal::ONE } else { weights.of(kind, voter) }
}
