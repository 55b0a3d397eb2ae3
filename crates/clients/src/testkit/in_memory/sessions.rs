use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{Person, PortFailure, SessionId};
use uuid::Uuid;

use super::{InMemoryClients, State};
use crate::{
    DeviceMark, NewSession, OpenedSession, OwnSession, PresentedToken, RefreshTokenHash, Renewal, Rotation,
    SessionOrigin, SessionState, SessionStats, SessionStore, Spending, Successor,
};

#[derive(Debug)]
pub(super) struct Session {
    pub(super) person: Person,
    pub(super) remember_me: bool,
    pub(super) origin: SessionOrigin,
    pub(super) started_at: DateTime<Utc>,
    pub(super) last_used_at: DateTime<Utc>,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) ended_at: Option<DateTime<Utc>>,
    pub(super) renewals_until: Option<DateTime<Utc>>,
}

impl Session {
    fn goes_on(&self, now: DateTime<Utc>) -> bool {
        self.ended_at.is_none() && self.expires_at > now
    }

    fn own(&self, id: SessionId) -> OwnSession {
        OwnSession {
            id,
            origin: self.origin.clone(),
            remember_me: self.remember_me,
            started_at: self.started_at,
            last_used_at: self.last_used_at,
            expires_at: self.expires_at,
        }
    }
}

#[derive(Debug)]
pub(super) struct Token {
    pub(super) session: SessionId,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) used_at: Option<DateTime<Utc>>,
    pub(super) used_by: Option<DeviceMark>,
    pub(super) used_for: Option<Uuid>,
}

impl Token {
    fn unused(session: SessionId, expires_at: DateTime<Utc>) -> Self {
        Self { session, expires_at, used_at: None, used_by: None, used_for: None }
    }
}

#[async_trait]
impl SessionStore for InMemoryClients {
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let NewSession { id, person, password_hash, second_factor, join_link, remember_me, origin, first_token } =
            session;
        match person {
            Person::SuperAdmin { .. } | Person::ClientAdmin { .. } => {
                let known = state.account(person).filter(|account| account.password_hash == password_hash);
                let Some(account) = known.map(|account| account.id) else { return Ok(false) };
                if !state.spend(account, &second_factor) {
                    return Ok(false);
                }
                state.account_sign_ins.insert(account, first_token.issued_at);
            }
            Person::EndUser { end_user, client } => {
                if let Some(link) = &join_link
                    && (state.tokens.contains_key(&first_token.hash)
                        || !state.use_link(link, end_user, first_token.issued_at))
                {
                    return Ok(false);
                }
                let Some((end_user, _)) = state.end_users.iter_mut().find(|(candidate, hash)| {
                    let is_theirs = candidate.is_active && *hash == password_hash;
                    candidate.id == end_user && candidate.client_id == client && is_theirs
                }) else {
                    return Ok(false);
                };
                end_user.last_login_at = Some(first_token.issued_at);
            }
        }
        let (started_at, expires_at) = (first_token.issued_at, first_token.expires_at);
        let last_used_at = started_at;
        let (ended_at, renewals_until) = (None, None);
        let session =
            Session { person, remember_me, origin, started_at, last_used_at, expires_at, ended_at, renewals_until };
        state.sessions.insert(id, session);
        state.tokens.insert(first_token.hash, Token::unused(id, first_token.expires_at));
        Ok(true)
    }

    async fn opened_with(&self, first_token: RefreshTokenHash) -> Result<Option<OpenedSession>, PortFailure> {
        let state = self.state();
        let Some(token) = state.tokens.get(&first_token) else { return Ok(None) };
        Ok(state.sessions.get(&token.session).map(|session| OpenedSession {
            id: token.session,
            session_state: state.session_state(session),
            started_at: session.started_at,
            is_renewed: token.used_at.is_some(),
        }))
    }

    async fn rotate(&self, renewal: Renewal, now: DateTime<Utc>) -> Result<Rotation, PortFailure> {
        let mut state = self.state();
        let Some(token) = state.tokens.get(&renewal.presented) else {
            return Ok(Rotation::Refused);
        };
        let Some(session) = state.sessions.get(&token.session) else {
            return Ok(Rotation::Refused);
        };
        let id = token.session;
        let successor = match state.tokens.get(&renewal.next) {
            None => Successor::Missing,
            Some(Token { used_at: None, .. }) => Successor::Unused,
            Some(Token { used_by, .. }) => Successor::Used(used_by.clone()),
        };
        let found = PresentedToken {
            session: id,
            session_state: state.session_state(session),
            remember_me: session.remember_me,
            expires_at: token.expires_at,
            used_at: token.used_at,
            used_for: token.used_for,
            successor,
            renewals_until: session.renewals_until,
        };
        let expires_at = found.next_expiry(now);
        let spending = found.spend(&renewal, now);
        let is_first = spending == Spending::First;
        match spending {
            Spending::Over => return Ok(Rotation::Refused),
            Spending::TooOften { retry_after } => return Ok(Rotation::TooOften { retry_after }),
            Spending::Stolen => {
                end(&mut state, id, now);
                return Ok(Rotation::Stolen { session: id });
            }
            Spending::First => {
                if let Some(token) = state.tokens.get_mut(&renewal.presented) {
                    (token.used_at, token.used_by, token.used_for) = (Some(now), Some(renewal.by), renewal.id);
                }
                state.tokens.insert(renewal.next, Token::unused(id, expires_at));
            }
            Spending::Again => {}
        }
        if let Some(session) = state.sessions.get_mut(&id) {
            if is_first {
                session.expires_at = session.expires_at.max(expires_at);
            }
            session.last_used_at = session.last_used_at.max(now);
            session.renewals_until = Some(found.next_renewals(now));
        }
        Ok(Rotation::Renewed { session: id, person: found.session_state.person })
    }

    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure> {
        end(&mut self.state(), session, now);
        Ok(())
    }

    async fn stats(&self, now: DateTime<Utc>) -> Result<SessionStats, PortFailure> {
        let state = self.state();
        let mut stats = SessionStats::default();
        let goes_on = |session: &&Session| session.expires_at > now && state.counts_on_the_platform(session.person);
        for session in state.sessions.values().filter(goes_on) {
            match state.session_state(session) {
                SessionState { is_active: false, .. } => {}
                SessionState { person: Person::EndUser { .. }, .. } => stats.end_users += 1,
                SessionState { person: Person::SuperAdmin { .. } | Person::ClientAdmin { .. }, .. } => {
                    stats.accounts += 1;
                }
            }
        }
        Ok(stats)
    }

    async fn of_person(&self, person: Person, now: DateTime<Utc>, limit: u32) -> Result<Vec<OwnSession>, PortFailure> {
        let state = self.state();
        let goes_on = |session: &Session| session.person == person && session.goes_on(now);
        let mut own: Vec<OwnSession> = state
            .sessions
            .iter()
            .filter(|(_, session)| goes_on(session))
            .map(|(id, session)| session.own(*id))
            .collect();
        own.sort_by_key(|session| Reverse((session.last_used_at, session.id)));
        own.truncate(limit as usize);
        Ok(own)
    }

    async fn end_of_person(&self, person: Person, session: SessionId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let own = state.sessions.get_mut(&session).filter(|session| session.person == person && session.goes_on(now));
        let Some(own) = own else { return Ok(false) };
        own.ended_at = Some(now);
        Ok(true)
    }

    async fn end_all(&self, person: Person, kept: Option<SessionId>, now: DateTime<Utc>) -> Result<u64, PortFailure> {
        Ok(self.state().end_sessions_but(kept, person, now))
    }

    async fn session_state(&self, session: SessionId) -> Result<Option<SessionState>, PortFailure> {
        let state = self.state();
        Ok(state.sessions.get(&session).map(|session| state.session_state(session)))
    }

    async fn active_among(&self, sessions: Vec<SessionId>) -> Result<HashMap<SessionId, Person>, PortFailure> {
        let state = self.state();
        let known = sessions.into_iter().filter_map(|id| Some((id, state.session_state(state.sessions.get(&id)?))));
        Ok(known.filter(|(_, found)| found.is_active).map(|(id, found)| (id, found.person)).collect())
    }

    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure> {
        let mut state = self.state();
        let limit = limit as usize;
        let over_at =
            |session: &Session| session.ended_at.map_or(session.expires_at, |ended| ended.min(session.expires_at));
        let over = state.sessions.iter().filter(|(_, session)| over_at(session) < before);
        let over: HashSet<SessionId> = over.map(|(id, _)| *id).take(limit).collect();
        state.remove_sessions(|id, _| over.contains(id));
        let expired = state.tokens.iter().filter(|(_, token)| token.expires_at < before);
        let expired: Vec<RefreshTokenHash> = expired.map(|(hash, _)| hash.clone()).take(limit).collect();
        for hash in &expired {
            state.tokens.remove(hash);
        }
        Ok((over.len() + expired.len()) as u64)
    }
}

fn end(state: &mut State, session: SessionId, now: DateTime<Utc>) {
    if let Some(session) = state.sessions.get_mut(&session) {
        session.ended_at.get_or_insert(now);
    }
}
