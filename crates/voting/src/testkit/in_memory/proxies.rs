use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    ClientId, EndUserId, MeetingId, Page, PageRequest, PortFailure, PresenceRule, ProxyId, QuestionId, RoundId,
    lower_case,
};
use rust_decimal::Decimal;

use super::{InMemoryVoting, KnownRound, SeedVoter, State, person_of, weight_in};
use crate::{
    AllowedHolders, ChangeProxySettingsError, Count, GrantContext, GrantError, Granting, HeldState, HeldVote,
    HeldVotes, HolderTotal, LoggedPerson, PaperProxy, Proxy, ProxyAuthor, ProxyCandidate, ProxyFilter, ProxyPerson,
    ProxyRule, ProxyScope, ProxySettings, ProxyStore, ProxyTotals, ProxyUse, Represented, Revocation, RevokeError,
    RoundStatus, StandingProxy, decide_grant, load_of,
};

/// A proxy that is in force in a round.
#[derive(Clone, Debug)]
pub(super) struct KeptProxy {
    proxy: ProxyId,
    pub(super) holder: EndUserId,
    paper: PaperProxy,
}

impl KnownRound {
    /// Those who take part by proxy.
    pub(super) fn represented(&self) -> Represented {
        let mut represented = Represented::default();
        for (principal, kept) in &self.proxies {
            let Some(entry) = self.register.get(principal).filter(|_| !self.connected.contains(principal)) else {
                continue;
            };
            let by_holder = self.votes.get(principal).map(|vote| vote.cast_by.is_some());
            if by_holder.unwrap_or(kept.paper.was_represented) {
                represented.count.add(entry.weight);
            }
            if by_holder == Some(true) {
                represented.cast_by_holder.add(entry.weight);
            }
        }
        represented
    }

    /// Whether somebody who is not connected is represented, and nobody has voted for them.
    pub(super) fn is_represented_without_vote(&self, principal: EndUserId) -> bool {
        let kept = self.proxies.get(&principal);
        kept.is_some_and(|kept| kept.paper.was_represented) && !self.votes.contains_key(&principal)
    }

    /// The proxy of a person in the register.
    pub(super) fn paper_proxy(&self, principal: EndUserId) -> Option<PaperProxy> {
        let kept = self.proxies.get(&principal)?;
        let is_used = self.votes.get(&principal).is_some_and(|vote| vote.cast_by.is_some());
        Some(PaperProxy { is_used, ..kept.paper.clone() })
    }

    fn held_state(&self, principal: EndUserId, rests: bool) -> HeldState {
        match self.votes.get(&principal).map(|vote| vote.cast_by) {
            None if rests => HeldState::Resting,
            None => HeldState::Open,
            Some(None) => HeldState::VotedByPrincipal,
            Some(Some(_)) => HeldState::CastByHolder,
        }
    }

    /// Keeps a proxy for a principal in the register who has none yet.
    fn keep_proxy(&mut self, proxy: Proxy, holder: SeedVoter, was_represented: bool) {
        let principal = proxy.principal.id;
        if !self.register.contains_key(&principal) || self.proxies.contains_key(&principal) {
            return;
        }
        let paper = PaperProxy {
            holder_name: holder.name,
            holder_username: holder.username,
            was_represented,
            is_used: false,
            reference: proxy.reference,
        };
        self.proxies.insert(principal, KeptProxy { proxy: proxy.id, holder: holder.id, paper });
    }

    fn drop_unused_proxies(&mut self, of: impl Fn(&KeptProxy) -> bool) {
        let votes = &self.votes;
        self.proxies.retain(|principal, kept| votes.contains_key(principal) || !of(kept));
    }
}

impl State {
    /// The proxies that are in force for a question now, with their holders.
    fn in_force(&self, meeting: MeetingId, question: QuestionId) -> Vec<(Proxy, SeedVoter)> {
        let settings = self.proxy_settings.get(&meeting).cloned().unwrap_or_default();
        let is_meant = settings.is_on && !settings.without_questions.contains(&question);
        let in_force = self.standing(meeting).filter(|proxy| is_meant && proxy.scope.covers(question));
        in_force
            .filter_map(|proxy| Some((proxy.clone(), self.voters.get(&proxy.holder.id)?.clone())))
            .filter(|(_, holder)| holder.is_active)
            .collect()
    }

    /// The people who are not among these, and the holder of their proxy is.
    pub(super) fn represented_in(
        &self,
        meeting: MeetingId,
        question: QuestionId,
        present: &BTreeSet<EndUserId>,
    ) -> BTreeSet<EndUserId> {
        let in_force = self.in_force(meeting, question).into_iter();
        let of_present = in_force.filter(|(_, holder)| present.contains(&holder.id));
        of_present.map(|(proxy, _)| proxy.principal.id).filter(|principal| !present.contains(principal)).collect()
    }

    /// Whether the proxy of a principal rests because they are checked in.
    pub(super) fn rests(&self, round: RoundId, principal: EndUserId) -> bool {
        let known = self.rounds.iter().find(|known| known.round.id == round);
        let meeting = known.and_then(|known| self.meetings.get(&known.round.meeting_id));
        let present = meeting.and_then(|meeting| meeting.present.as_ref());
        present.is_some_and(|present| present.contains(&principal))
    }

    /// Keeps the proxies that are in force when a round opens or, at the given time, reopens. A reopening is an opening only for the
    /// people whom it registers: nobody else becomes represented by it, unless presence is a record.
    pub(super) fn keep_proxies(
        &mut self,
        round: RoundId,
        connected: &BTreeSet<EndUserId>,
        reopened_at: Option<DateTime<Utc>>,
    ) {
        let Some(known) = self.rounds.iter().find(|known| known.round.id == round) else { return };
        let holders = self.in_force(known.round.meeting_id, known.round.question_id);
        let Some(known) = self.round_mut(round) else { return };
        let by_record = known.terms.presence == PresenceRule::CheckedIn;
        known.drop_unused_proxies(|kept| by_record || holders.iter().all(|(proxy, _)| proxy.id != kept.proxy));
        for (proxy, holder) in holders {
            let principal = proxy.principal.id;
            let is_opening_for_them =
                by_record || reopened_at.is_none_or(|at| known.added.get(&principal) == Some(&at));
            let was_represented = connected.contains(&holder.id)
                && !known.connected.contains(&principal)
                && !(by_record && connected.contains(&principal))
                && is_opening_for_them;
            known.keep_proxy(proxy, holder, was_represented);
        }
    }

    /// Keeps the proxies of a person who entered the register of an open round at this time, the given one and those of others who
    /// entered it then.
    pub(super) fn keep_proxies_of_latecomer(&mut self, round: RoundId, person: EndUserId, at: DateTime<Utc>) {
        let Some(known) = self.rounds.iter().find(|known| known.round.id == round) else { return };
        let holders = self.in_force(known.round.meeting_id, known.round.question_id);
        let Some(known) = self.round_mut(round) else { return };
        for (proxy, holder) in holders {
            let is_new = known.added.get(&proxy.principal.id) == Some(&at);
            if is_new && [proxy.principal.id, holder.id].contains(&person) {
                known.keep_proxy(proxy, holder, false);
            }
        }
    }

    /// Registers those in an open round with check-in whom this person represents. Returns them in the order of their usernames.
    pub(super) fn register_represented(
        &mut self,
        round: RoundId,
        holder: EndUserId,
        now: DateTime<Utc>,
    ) -> Vec<LoggedPerson> {
        let Some(index) = self.rounds.iter().position(|known| known.round.id == round) else { return Vec::new() };
        let known = &self.rounds[index];
        let (meeting_id, question) = (known.round.meeting_id, known.round.question_id);
        let Some(meeting) = self.meetings.get(&meeting_id) else { return Vec::new() };
        let Some(present) = meeting.present.as_ref().filter(|present| present.contains(&holder)) else {
            return Vec::new();
        };
        let in_force = self.in_force(meeting_id, question).into_iter().filter(|(_, by)| by.id == holder);
        let principals: BTreeSet<EndUserId> = in_force.map(|(proxy, _)| proxy.principal.id).collect();
        let mut joining: Vec<SeedVoter> = self
            .eligible(meeting_id, meeting)
            .filter(|voter| principals.contains(&voter.id) && !present.contains(&voter.id))
            .filter(|voter| self.takes_part_by_groups(meeting_id, question, voter.id))
            .filter(|voter| !self.exclusions.contains_key(&(question, voter.id)))
            .filter(|voter| !known.register.contains_key(&voter.id))
            .filter(|voter| {
                let username = lower_case(&voter.username);
                known.register.values().all(|entry| lower_case(&entry.username) != username)
            })
            .map(|voter| SeedVoter { weight: weight_in(known, &self.weights, voter), ..voter.clone() })
            .collect();
        joining.sort_by_key(|voter| voter.username.to_lowercase());
        let kind = known.round.second_weight_kind.as_ref().map(|kind| kind.id);
        for voter in &joining {
            let second = kind.map(|kind| self.weights.of(Some(kind), voter));
            let known = &mut self.rounds[index];
            known.round.register.add(voter.weight);
            known.added.insert(voter.id, now);
            known.second_weights.extend(second.map(|second| (voter.id, second)));
            known.register.insert(voter.id, voter.clone());
        }
        joining.iter().map(person_of).collect()
    }

    fn standing(&self, meeting: MeetingId) -> impl Iterator<Item = &Proxy> {
        let of_meeting = self.proxies.iter().filter(move |(of, proxy)| *of == meeting && proxy.revoked.is_none());
        of_meeting.map(|(_, proxy)| proxy)
    }

    fn weights_of(&self, meeting: MeetingId) -> HashMap<EndUserId, Decimal> {
        let Some(known) = self.meetings.get(&meeting) else { return HashMap::new() };
        let kind = known.weight_kind;
        self.eligible(meeting, known).map(|voter| (voter.id, self.weights.of(kind, voter))).collect()
    }

    fn standing_with(&self, meeting: MeetingId, weights: &HashMap<EndUserId, Decimal>) -> Vec<StandingProxy> {
        let standing = |proxy: &Proxy| StandingProxy {
            principal: proxy.principal.id,
            weight: weights.get(&proxy.principal.id).copied().unwrap_or(proxy.weight),
            holder: proxy.holder.id,
            holder_name: proxy.holder.name.clone(),
            scope: proxy.scope.clone(),
        };
        self.standing(meeting).map(standing).collect()
    }

    fn author(&self, by: ProxyAuthor) -> String {
        match by {
            ProxyAuthor::Organizer(account) => self.account_name(account),
            ProxyAuthor::Principal(person) => {
                self.voters.get(&person).map(|voter| voter.name.clone()).unwrap_or_default()
            }
        }
    }

    fn decide(&self, meeting: MeetingId, granting: &Granting) -> Vec<Option<ProxyRule>> {
        let settings = self.proxy_settings.get(&meeting).cloned().unwrap_or_default();
        let weights = self.weights_of(meeting);
        let whole_weight = weights.values().copied().sum();
        let mut standing = self.standing_with(meeting, &weights);
        let is_by_principal = matches!(granting.by, ProxyAuthor::Principal(_));
        let client = self.meetings.get(&meeting).map(|known| known.client);
        let candidate = |id: EndUserId| {
            let voter = self.voters.get(&id).filter(|voter| Some(voter.client) == client)?;
            let (name, username) = (voter.name.clone(), voter.username.clone());
            Some(ProxyCandidate {
                id,
                name,
                username,
                is_active: voter.is_active,
                votes_with: weights.get(&id).copied(),
            })
        };
        let mut decide = |new: &crate::NewProxy| {
            let principal = candidate(new.principal).ok_or(ProxyRule::NoSuchPrincipal)?;
            let holder = candidate(new.holder).ok_or(ProxyRule::NoSuchHolder)?;
            if let ProxyScope::Questions(named) = &new.scope
                && (named.is_empty() || !named.iter().all(|question| self.has_question(meeting, *question)))
            {
                return Err(ProxyRule::UnknownQuestion);
            }
            decide_grant(&GrantContext {
                settings: &settings,
                is_by_principal,
                principal: &principal,
                holder: &holder,
                scope: &new.scope,
                standing: &standing,
                whole_weight,
            })?;
            standing.push(StandingProxy {
                principal: principal.id,
                weight: principal.votes_with.unwrap_or_default(),
                holder: holder.id,
                holder_name: holder.name,
                scope: new.scope.clone(),
            });
            Ok(())
        };
        granting.proxies.iter().map(|new| decide(new).err()).collect()
    }

    fn person(&self, id: EndUserId) -> ProxyPerson {
        let voter = self.voters.get(&id);
        let text = |of: fn(&SeedVoter) -> &str| voter.map(of).unwrap_or_default().to_owned();
        ProxyPerson { id, name: text(|voter| &voter.name), username: text(|voter| &voter.username) }
    }

    fn list(&self, meeting: MeetingId, filter: &ProxyFilter) -> Vec<Proxy> {
        let is_found = |proxy: &&Proxy| {
            (filter.with_revoked || proxy.revoked.is_none())
                && filter.search.as_ref().is_none_or(|search| {
                    let people = [&proxy.principal, &proxy.holder];
                    people.iter().any(|person| search.is_in(&person.name) || search.is_in(&person.username))
                        || proxy.reference.as_ref().is_some_and(|reference| search.is_in(reference))
                })
        };
        let of_meeting = self.proxies.iter().filter(|(of, _)| *of == meeting).map(|(_, proxy)| proxy);
        let mut rows: Vec<Proxy> = of_meeting.filter(is_found).cloned().collect();
        rows.sort_by_key(|proxy| (proxy.principal.name.to_lowercase(), proxy.granted_at, proxy.id));
        rows
    }
}

#[async_trait]
impl ProxyStore for InMemoryVoting {
    async fn settings(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxySettings>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        Ok(Some(state.proxy_settings.get(&meeting).cloned().unwrap_or_default()))
    }

    async fn change_settings(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        settings: ProxySettings,
    ) -> Result<(), ChangeProxySettingsError> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Err(ChangeProxySettingsError::MeetingNotFound);
        }
        let before = state.proxy_settings.get(&meeting).cloned().unwrap_or_default().without_questions;
        let is_known = |question: &QuestionId| before.contains(question) || state.has_question(meeting, *question);
        if !settings.without_questions.iter().all(is_known) {
            return Err(ChangeProxySettingsError::UnknownQuestion);
        }
        state.proxy_settings.insert(meeting, settings);
        Ok(())
    }

    async fn named(&self, owner: ClientId, usernames: Vec<String>) -> Result<HashMap<String, EndUserId>, PortFailure> {
        let state = self.state();
        let of_client = state.voters.values().filter(|voter| voter.client == owner);
        let named = of_client.map(|voter| (lower_case(&voter.username), voter.id));
        Ok(named.filter(|(username, _)| usernames.contains(username)).collect())
    }

    async fn grant(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        granting: Granting,
    ) -> Result<Vec<Option<ProxyRule>>, GrantError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(GrantError::MeetingNotFound)?;
        let refused = state.decide(meeting, &granting);
        if granting.is_check || refused.iter().any(Option::is_some) {
            return Ok(refused);
        }
        let granted_by = state.author(granting.by);
        for new in granting.proxies {
            let principal = state.voters.get(&new.principal);
            let proxy = Proxy {
                id: new.id,
                principal: state.person(new.principal),
                weight: principal.map(|voter| state.weights.of(state.kind_of(meeting), voter)).unwrap_or_default(),
                holder: state.person(new.holder),
                scope: new.scope,
                note: new.note.map(|note| note.to_string()),
                reference: new.reference.map(|reference| reference.to_string()),
                granted_at: granting.at,
                granted_by: granted_by.clone(),
                is_by_principal: matches!(granting.by, ProxyAuthor::Principal(_)),
                revoked: None,
                rests: false,
            };
            state.proxies.push((meeting, proxy));
        }
        Ok(refused)
    }

    async fn revoke(&self, owner: ClientId, meeting: MeetingId, revocation: Revocation) -> Result<(), RevokeError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(RevokeError::NotFound)?;
        let by = state.author(revocation.by);
        let found = state.proxies.iter_mut().find(|(of, proxy)| *of == meeting && proxy.id == revocation.proxy);
        let (_, proxy) = found.ok_or(RevokeError::NotFound)?;
        if let ProxyAuthor::Principal(person) = revocation.by {
            if person != proxy.principal.id {
                return Err(RevokeError::NotFound);
            }
            if !proxy.is_by_principal {
                return Err(RevokeError::ByOrganizer);
            }
        }
        if proxy.revoked.is_some() {
            return Err(RevokeError::AlreadyRevoked);
        }
        proxy.revoked = Some((revocation.at, by));
        let is_open =
            |known: &&mut KnownRound| known.round.meeting_id == meeting && known.round.status == RoundStatus::Open;
        if let Some(open) = state.rounds.iter_mut().find(is_open) {
            open.drop_unused_proxies(|kept| kept.proxy == revocation.proxy);
        }
        Ok(())
    }

    async fn page(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ProxyFilter,
    ) -> Result<Option<Page<Proxy>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let rows = state.list(meeting, filter);
        let total = rows.len() as u64;
        let skipped = usize::try_from(filter.page.offset()).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(skipped).take(filter.page.page_size as usize).collect();
        Ok(Some(Page { rows, total }))
    }

    async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxyTotals>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let settings = state.proxy_settings.get(&meeting).cloned().unwrap_or_default();
        let weights = state.weights_of(meeting);
        let whole_weight: Decimal = weights.values().copied().sum();
        let mut of_holder: BTreeMap<(String, EndUserId), Vec<StandingProxy>> = BTreeMap::new();
        for proxy in state.standing_with(meeting, &weights) {
            of_holder.entry((proxy.holder_name.to_lowercase(), proxy.holder)).or_default().push(proxy);
        }
        let total = |((_, id), standing): ((String, EndUserId), Vec<StandingProxy>)| {
            let (holder, load) =
                (state.person(id), load_of(&standing.iter().collect::<Vec<_>>(), &ProxyScope::Meeting));
            let is_active = state.voters.get(&id).is_some_and(|voter| voter.is_active);
            HolderTotal {
                is_beyond_limits: settings.check_load(&holder.name, load, whole_weight).is_err(),
                holder,
                principals: load.0,
                weight: load.1.normalize(),
                may_hold: is_active && (settings.holders == AllowedHolders::Anybody || weights.contains_key(&id)),
            }
        };
        Ok(Some(ProxyTotals { holders: of_holder.into_iter().map(total).collect(), whole_weight }))
    }

    async fn of_person(
        &self,
        client: ClientId,
        meeting: MeetingId,
        person: EndUserId,
    ) -> Result<Vec<Proxy>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(client, meeting).is_none() {
            return Ok(Vec::new());
        }
        let page = PageRequest { page: 1, page_size: u32::MAX };
        let mut rows = state.list(meeting, &ProxyFilter { search: None, with_revoked: false, page });
        rows.retain(|proxy| proxy.principal.id == person || proxy.holder.id == person);
        Ok(rows)
    }

    async fn uses(
        &self,
        client: ClientId,
        meeting: MeetingId,
        principal: EndUserId,
    ) -> Result<Vec<ProxyUse>, PortFailure> {
        let state = self.state();
        let of_meeting = state.rounds.iter().rev().filter(|known| known.round.meeting_id == meeting);
        let own = of_meeting.filter(|known| known.round.client_id == client);
        let used = |known: &KnownRound| {
            let kept = known.proxies.get(&principal)?;
            Some(ProxyUse {
                round: known.round.id,
                question: known.round.question_id,
                question_text: known.round.wording.text.clone(),
                number: known.round.number,
                holder: kept.paper.holder_name.clone(),
                state: known.held_state(principal, state.rests(known.round.id, principal)),
            })
        };
        Ok(own.filter_map(used).collect())
    }

    async fn held(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        holder: EndUserId,
    ) -> Result<HeldVotes, PortFailure> {
        let state = self.state();
        let last = state.last_round(meeting, question).filter(|known| known.round.client_id == client);
        let Some(known) = last else { return Ok(HeldVotes { round: None, votes: Vec::new() }) };
        let vote = |principal: &EndUserId, kept: &KeptProxy| {
            let entry = known.register.get(principal)?;
            let granted = state.proxies.iter().find(|(_, proxy)| proxy.id == kept.proxy);
            Some(HeldVote {
                principal: ProxyPerson { id: *principal, name: entry.name.clone(), username: entry.username.clone() },
                weight: entry.weight,
                note: granted.and_then(|(_, proxy)| proxy.note.clone()),
                state: known.held_state(*principal, state.rests(known.round.id, *principal)),
            })
        };
        let of_holder = known.proxies.iter().filter(|(_, kept)| kept.holder == holder);
        let mut votes: Vec<HeldVote> = of_holder.filter_map(|(principal, kept)| vote(principal, kept)).collect();
        votes.sort_by_key(|vote| (vote.principal.name.to_lowercase(), vote.principal.id));
        Ok(HeldVotes { round: Some(known.round.id), votes })
    }
}

/// The attending people of a round at an opening or reopening: connected, or else represented, now.
pub(super) fn attending(known: &KnownRound, connected: &BTreeSet<EndUserId>) -> Count {
    let mut attending = known.count_of(connected);
    for (principal, kept) in known.proxies.iter().filter(|(principal, _)| !connected.contains(principal)) {
        let by_holder = known.votes.get(principal).map(|vote| vote.cast_by.is_some());
        let is_represented = by_holder.unwrap_or(connected.contains(&kept.holder));
        if let Some(entry) = known.register.get(principal).filter(|_| is_represented) {
            attending.add(entry.weight);
        }
    }
    attending
}
