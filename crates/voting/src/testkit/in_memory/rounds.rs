use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    ClientId, DecisionRule, EndUserId, MeetingId, Page, PortFailure, PresenceRule, QuestionId, RoundId, Step,
    WeightKindId,
};
use rust_decimal::Decimal;

use super::proxies::attending;
use super::{InMemoryVoting, KnownRound, State};
use crate::testkit::contract::SeedVoter;
use crate::{
    Count, CountdownContext, CountdownError, CurrentQuestion, ForecastScope, LastRound, LogKind, MAX_DEADLINES,
    MAX_NAMED_WEIGHTLESS, NamedVoter, OpenRoundError, Opening, OpeningContext, OpeningRule, PreparedKey, RegisterEntry,
    RegisterFilter, Round, RoundDeadline, RoundOpening, RoundOverview, RoundStatus, RoundStore, Screen, ScreenChange,
    ShowingContext, StoredVote, Terms, VoterAgenda, VoterQuestion, VoterRound, Weightless, check_quorum,
    decide_closing, decide_opening, decide_revote, decide_showing, is_test_round,
};

/// A round that is about to open.
struct FrozenRound {
    id: RoundId,
    place: (ClientId, MeetingId, QuestionId),
    number: u32,
    reason: Option<String>,
    key: Option<PreparedKey>,
}

impl State {
    /// Creates a round from the question as it is now, with an empty register.
    fn freeze_round(&mut self, frozen: FrozenRound, now: DateTime<Utc>) {
        let FrozenRound { id, place: (client_id, meeting_id, question_id), number, reason, key } = frozen;
        let Some(question) = self.questions.get(&question_id) else { return };
        let (mut wording, terms) = (question.wording.clone(), question.terms.clone());
        let groups = self.audience_names(meeting_id, question_id);
        let (kind, second) = self.kinds_of(meeting_id, question_id);
        let kind_of = |kind: Option<WeightKindId>| kind.and_then(|kind| self.weights.kinds.get(&kind).cloned());
        let counts_heads = terms.secrecy.counts_heads(wording.question_type, terms.counts_heads);
        if let Some(DecisionRule::Election(rule)) = &terms.rule {
            wording.election = Some((**rule).clone().into());
        }
        let round = Round {
            id,
            client_id,
            meeting_id,
            question_id,
            number,
            status: RoundStatus::Ended,
            opened_at: now,
            ended_at: None,
            closes_at: None,
            register: Count::default(),
            reason,
            secrecy: terms.secrecy,
            counts_heads,
            weight_kind: kind_of(kind).filter(|_| !counts_heads),
            second_weight_kind: kind_of(second),
            wording,
            groups,
            urn: None,
            counted_at: None,
            declared: None,
        };
        let is_test = is_test_round(self.client_name(client_id), self.meeting_title(meeting_id));
        let meeting = self.meetings.get(&meeting_id);
        let of_meeting = meeting.and_then(|known| known.quorum);
        let is_second_call = meeting.is_some_and(|known| known.is_second_call);
        let quorum = terms.quorum.or(of_meeting.map(|quorum| quorum.planned.in_force(is_second_call)));
        let groups = terms.rule.as_ref().map(DecisionRule::groups).unwrap_or_default();
        let groups = groups.iter().map(|group| self.registered_group(*group)).collect();
        let by_record = meeting.is_some_and(|known| known.present.is_some());
        let presence = if by_record { PresenceRule::CheckedIn } else { PresenceRule::default() };
        let terms_of_round = Terms { rule: terms.rule, quorum, presence, groups, ..Terms::default() };
        let mut known = KnownRound::new(round, terms_of_round, is_test);
        if let Some(key) = key.filter(|_| terms.secrecy.is_secret()) {
            known.add_urn(key);
        }
        self.rounds.push(known);
    }
}

#[async_trait]
impl RoundStore for InMemoryVoting {
    async fn open(&self, opening: RoundOpening) -> Result<(), OpenRoundError> {
        let RoundOpening { owner, meeting, question, new_round, now, seen, by, connected, revote, key, accepts_risk } =
            opening;
        let connected: BTreeSet<EndUserId> = connected.into_iter().collect();
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(OpenRoundError::MeetingNotFound)?;
        let (is_active, is_stale, quorum) = (known.is_active, known.step.has_passed(seen), known.quorum);
        let known = state.require_question(meeting, question)?;
        let is_secret = known.terms.secrecy.is_secret();
        let last_round = state.last_round(meeting, question).map(|known| LastRound {
            id: known.round.id,
            number: known.round.number,
            status: known.round.status,
            has_votes: !known.votes.is_empty() || state.has_waiting_batch(known.round.id),
            is_counted: known.round.counted_at.is_some(),
            is_void: known.round.urn.as_ref().is_some_and(|urn| urn.is_void),
        });
        // This store knows no agenda.
        let context = OpeningContext { is_active, is_stale, last_round, waits_for_next_ballot: false };
        let decided = if revote.is_some() { decide_revote(&context) } else { decide_opening(&context) }?;
        let now = state.time(meeting, now);
        // The register shows whether enough people are present: until then everything can be reverted.
        let rounds_before = state.rounds.clone();
        let name = state.account_name(by);
        let id = match decided {
            Opening::AlreadyOpen(_) => return Ok(()),
            Opening::New { .. } if is_secret && key.is_none() => {
                return Err(OpeningRule::KeyNeeded.into());
            }
            Opening::New { number, replaces } => {
                let replaced = replaces.and_then(|replaced| state.round_mut(replaced)?.round.reason.clone());
                state.rounds.retain(|known| Some(known.round.id) != replaces);
                let reason = revote.map(|reason| reason.to_string()).or(replaced);
                let frozen = FrozenRound { id: new_round, place: (owner, meeting, question), number, reason, key };
                state.freeze_round(frozen, now);
                state.log(new_round, LogKind::Opened, &name, now);
                let present = state.present_for(new_round, &connected);
                state.register_eligible(new_round, now, &present);
                new_round
            }
            Opening::Reopen(id) => {
                state.log_passwords_of_pause(id);
                state.log(id, LogKind::Reopened, &name, now);
                let present = state.present_for(id, &connected);
                let joined = state.register_eligible(id, now, &present);
                if let Err(refusal) = state.require_unique_usernames(id) {
                    state.rounds = rounds_before;
                    return Err(refusal);
                }
                state.log_joined(id, joined, &name, now);
                id
            }
        };
        let connected = state.present_for(id, &connected);
        state.keep_proxies(id, &connected, matches!(decided, Opening::Reopen(_)).then_some(now));
        let Some(known) = state.round_mut(id) else { return Err(OpenRoundError::QuestionNotFound) };
        let checked =
            known.check_register().and_then(|()| known.check_secrecy(accepts_risk, &name, now)).and_then(|()| {
                let present = attending(known, &connected);
                check_quorum(known.terms.quorum, quorum, present, known.round.register.plus(known.terms.absent))
            });
        if let Err(rule) = checked {
            state.rounds = rounds_before;
            return Err(rule.into());
        }
        state.end_running_round(meeting, Some(by), now);
        if let Some(known) = state.round_mut(id) {
            known.round.status = RoundStatus::Open;
            known.round.ended_at = None;
        }
        state.take_step(meeting, Some(question));
        Ok(())
    }

    async fn show(&self, change: ScreenChange) -> Result<(), OpenRoundError> {
        let ScreenChange { owner, meeting, question, by, now, seen } = change;
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(OpenRoundError::MeetingNotFound)?;
        let (is_active, is_stale, current) = (known.is_active, known.step.has_passed(seen), known.current);
        if let Some(question) = question {
            state.require_question(meeting, question)?;
        }
        let is_shown = current == question && state.open_round(meeting).is_none();
        if decide_showing(&ShowingContext { is_active, is_stale, is_question: question.is_some(), is_shown })? {
            let now = state.time(meeting, now);
            state.end_running_round(meeting, Some(by), now);
            state.take_step(meeting, question);
        }
        Ok(())
    }

    async fn set_closing(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        closes_at: Option<DateTime<Utc>>,
        seen: Option<Step>,
    ) -> Result<(), CountdownError> {
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(CountdownError::MeetingNotFound)?;
        let (is_stale, current) = (known.step.has_passed(seen), known.current);
        let open = state.open_round(meeting).map(|round| (round.id, round.closes_at));
        let running = CountdownContext {
            is_stale,
            is_open: open.is_some(),
            closes_at: open.and_then(|(_, closes_at)| closes_at),
        };
        if decide_closing(&running, closes_at)? {
            if let Some(known) = open.and_then(|(id, _)| state.round_mut(id)) {
                known.round.closes_at = closes_at;
            }
            state.take_step(meeting, current);
        }
        Ok(())
    }

    async fn deadlines_until(&self, until: DateTime<Utc>) -> Result<Vec<RoundDeadline>, PortFailure> {
        let state = self.state();
        let deadline = |round: &Round| {
            let closes_at = round.closes_at.filter(|time| *time <= until)?;
            Some(RoundDeadline { client_id: round.client_id, meeting_id: round.meeting_id, closes_at })
        };
        let mut deadlines: Vec<RoundDeadline> =
            state.rounds.iter().filter_map(|known| deadline(&known.round)).collect();
        deadlines.sort_by_key(|deadline| deadline.closes_at);
        deadlines.truncate(MAX_DEADLINES);
        Ok(deadlines)
    }

    async fn end_due(&self, owner: ClientId, meeting: MeetingId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let Some(known) = state.meeting_of(owner, meeting) else { return Ok(false) };
        let current = known.current;
        let closes_at = state.open_round(meeting).and_then(|round| round.closes_at);
        let is_due = closes_at.is_some_and(|time| time <= now);
        if is_due {
            let now = state.time(meeting, now);
            state.end_running_round(meeting, None, now);
            state.take_step(meeting, current);
        }
        Ok(is_due)
    }

    async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure> {
        let mut state = self.state();
        let Some(known) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let (step, current) = (known.step, known.current);
        let question = current.and_then(|id| {
            let question = state.questions.get(&id)?;
            let last_round = state.last_round(meeting, id).map(|known| state.overview(known));
            let open = last_round.as_ref().filter(|last| last.round.status == RoundStatus::Open);
            let wording = open.map_or(&question.wording, |open| &open.round.wording).clone();
            Some(CurrentQuestion { question_id: id, position: question.position, wording, last_round })
        });
        Ok(Some(Screen { step, question }))
    }

    async fn eligible_weights(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Vec<(Decimal, u64)>>, PortFailure> {
        let state = self.state();
        let kind = scope.weight_kind.or(state.kind_of(meeting));
        let known = state.meetings.get(&meeting).filter(|known| known.client == owner);
        Ok(known.map(|known| {
            let eligible = state.eligible(meeting, known).filter(|voter| state.is_for(&scope.groups, voter.id));
            eligible.map(|voter| (state.weights.of(kind, voter), 1)).collect()
        }))
    }

    async fn weightless(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Weightless>, PortFailure> {
        let state = self.state();
        let kind = scope.weight_kind.or(state.kind_of(meeting));
        let Some(known) = state.meetings.get(&meeting).filter(|known| known.client == owner) else { return Ok(None) };
        let Some(kind) = kind else { return Ok(Some(Weightless::default())) };
        let eligible = state.eligible(meeting, known).filter(|voter| state.is_for(&scope.groups, voter.id));
        let mut lacking: Vec<_> = eligible.filter(|voter| state.weights.of(Some(kind), voter).is_zero()).collect();
        lacking.sort_by_key(|voter| (voter.name.to_lowercase(), voter.id));
        let named =
            |voter: &SeedVoter| NamedVoter { id: voter.id, name: voter.name.clone(), username: voter.username.clone() };
        let first = lacking.iter().take(MAX_NAMED_WEIGHTLESS).map(|voter| named(voter)).collect();
        Ok(Some(Weightless { people: lacking.len() as u64, first }))
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let of_meeting = state.rounds.iter().filter(|known| known.round.meeting_id == meeting);
        Ok(Some(of_meeting.map(|known| state.overview(known)).collect()))
    }

    async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure> {
        let state = self.state();
        let Some(known) = state.round_of(owner, meeting, round) else { return Ok(None) };
        let is_found = |entry: &RegisterEntry| {
            filter.has_voted.is_none_or(|has_voted| entry.has_voted == has_voted)
                && filter
                    .search
                    .as_ref()
                    .is_none_or(|search| search.is_in(&entry.name) || search.is_in(&entry.username))
        };
        let entries = known.register.values().map(|voter| RegisterEntry {
            end_user_id: voter.id,
            name: voter.name.clone(),
            username: voter.username.clone(),
            weight: voter.weight,
            second_weight: known.second_weights.get(&voter.id).copied(),
            has_voted: known.votes.contains_key(&voter.id),
            cast_on: known.votes.get(&voter.id).and_then(|vote| vote.cast_on),
            holder: known.paper_proxy(voter.id).map(|proxy| proxy.holder_name),
        });
        let mut rows: Vec<RegisterEntry> = entries.filter(is_found).collect();
        rows.sort_by_key(|entry| (entry.name.to_lowercase(), entry.end_user_id));
        let total = rows.len() as u64;
        let skipped = usize::try_from(filter.page.offset()).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(skipped).take(filter.page.page_size as usize).collect();
        Ok(Some(Page { rows, total }))
    }

    async fn vote_in(&self, question: VoterQuestion, round: RoundId) -> Result<Option<StoredVote>, PortFailure> {
        let VoterQuestion { client, voter, meeting, question } = question;
        let state = self.state();
        let known = state.round_of(client, meeting, round).filter(|known| known.round.question_id == question);
        Ok(known.and_then(|known| known.votes.get(&voter)).cloned())
    }

    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure> {
        let state = self.state();
        let last = state.last_round(meeting, question).map(|known| &known.round);
        Ok(last.filter(|round| round.client_id == client).cloned())
    }

    async fn agenda_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<VoterAgenda, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(client, meeting).is_none() {
            return Ok(VoterAgenda::default());
        }
        let agenda = state.questions.iter().filter(|(_, question)| question.meeting == meeting);
        let mut rounds: Vec<VoterRound> = agenda
            .filter_map(|(id, question)| {
                let last = state.last_round(meeting, *id)?;
                Some(VoterRound {
                    round: last.round.clone(),
                    position: question.position,
                    is_in_register: last.register.contains_key(&voter),
                    vote: last.votes.get(&voter).cloned(),
                })
            })
            .collect();
        rounds.sort_by_key(|round| round.position);
        let has_proxies = state.proxy_settings.get(&meeting).is_some_and(|settings| settings.is_on);
        Ok(VoterAgenda { rounds, has_proxies })
    }
}
