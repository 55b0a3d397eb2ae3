use std::sync::Arc;

use plenum_kernel::{
    ClientId, Clock, EndUserId, MeetingId, NewIds, Page, PortFailure, ProxyId, QuestionId, lower_case,
};

use crate::{
    ChangeProxySettingsError, GrantError, Granting, HeldVotes, NewProxy, Proxy, ProxyAuthor, ProxyFilter, ProxyNote,
    ProxyReference, ProxyRule, ProxyScope, ProxySettings, ProxyStore, ProxyTotals, ProxyUse, Revocation, RevokeError,
    VotingSignals,
};

/// A request to grant a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRequest {
    /// The username of the principal. `None` if the principal grants it.
    pub principal: Option<String>,
    /// The username of the holder.
    pub holder: String,
    /// The questions.
    pub scope: ProxyScope,
    /// Instructions.
    pub note: Option<ProxyNote>,
    /// The place of the written proof.
    pub reference: Option<ProxyReference>,
}

/// Grants, revokes and lists proxies.
pub struct ProxyService {
    store: Arc<dyn ProxyStore>,
    signals: Arc<dyn VotingSignals>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
}

impl ProxyService {
    /// Creates the service on this store.
    pub fn new(
        store: Arc<dyn ProxyStore>,
        signals: Arc<dyn VotingSignals>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
    ) -> Self {
        Self { store, signals, clock, ids }
    }

    /// The settings of a meeting. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn settings(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxySettings>, PortFailure> {
        self.store.settings(owner, meeting).await
    }

    /// Changes the settings, and informs the live screens.
    ///
    /// # Errors
    /// Fails when the client has no such meeting, and when a question without proxies is not one of the meeting.
    pub async fn change_settings(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        settings: ProxySettings,
    ) -> Result<(), ChangeProxySettingsError> {
        self.store.change_settings(owner, meeting, settings).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Grants one proxy.
    ///
    /// # Errors
    /// States why it was not granted.
    pub async fn grant(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        request: GrantRequest,
        by: ProxyAuthor,
    ) -> Result<ProxyId, GrantError> {
        let id = ProxyId::new(&*self.ids);
        let refused = self.store_all(owner, meeting, vec![(id, request)], (by, false)).await?;
        if let Some(rule) = refused.into_iter().flatten().next() {
            return Err(rule.into());
        }
        Ok(id)
    }

    /// Grants all of these proxies or none. Returns the reason for each that is refused. With `is_check` nothing is stored.
    ///
    /// # Errors
    /// Fails when the client has no such meeting, or the store does not respond.
    pub async fn grant_all(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        requests: Vec<GrantRequest>,
        (by, is_check): (ProxyAuthor, bool),
    ) -> Result<Vec<Option<ProxyRule>>, GrantError> {
        let requests = requests.into_iter().map(|request| (ProxyId::new(&*self.ids), request)).collect();
        self.store_all(owner, meeting, requests, (by, is_check)).await
    }

    async fn store_all(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        requests: Vec<(ProxyId, GrantRequest)>,
        (by, is_check): (ProxyAuthor, bool),
    ) -> Result<Vec<Option<ProxyRule>>, GrantError> {
        let named = requests.iter().flat_map(|(_, request)| request.principal.iter().chain([&request.holder]));
        // A username has no control characters, and a database refuses some of them.
        let named = named.filter(|username| !username.contains(char::is_control));
        let known = self.store.named(owner, named.map(|username| lower(username)).collect()).await?;
        let mut refused: Vec<Option<ProxyRule>> = Vec::with_capacity(requests.len());
        let mut proxies = Vec::with_capacity(requests.len());
        for (id, request) in requests {
            let principal = match (&request.principal, by) {
                (None, ProxyAuthor::Principal(principal)) => Some(principal),
                (None, ProxyAuthor::Organizer(_)) => None,
                (Some(username), _) => known.get(&lower(username)).copied(),
            };
            let holder = known.get(&lower(&request.holder)).copied();
            refused.push(match (principal, holder) {
                (None, _) => Some(ProxyRule::NoSuchPrincipal),
                (_, None) => Some(ProxyRule::NoSuchHolder),
                (Some(principal), Some(holder)) => {
                    let GrantRequest { scope, note, reference, .. } = request;
                    proxies.push(NewProxy { id, principal, holder, scope, note, reference });
                    None
                }
            });
        }
        let is_unknown = refused.iter().any(Option::is_some);
        let granting = Granting { proxies, by, at: self.clock.now(), is_check: is_check || is_unknown };
        let mut decided = self.store.grant(owner, meeting, granting).await?.into_iter();
        for place in refused.iter_mut().filter(|place| place.is_none()) {
            *place = decided.next().flatten();
        }
        if !is_check && refused.iter().all(Option::is_none) {
            self.signals.meeting_changed(meeting).await;
        }
        Ok(refused)
    }

    /// Revokes a proxy.
    ///
    /// # Errors
    /// States why it was not revoked.
    pub async fn revoke(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        proxy: ProxyId,
        by: ProxyAuthor,
    ) -> Result<(), RevokeError> {
        self.store.revoke(owner, meeting, Revocation { proxy, by, at: self.clock.now() }).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// A page of the proxies of a meeting. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn page(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ProxyFilter,
    ) -> Result<Option<Page<Proxy>>, PortFailure> {
        self.store.page(owner, meeting, filter).await
    }

    /// The totals of all holders of a meeting. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxyTotals>, PortFailure> {
        self.store.totals(owner, meeting).await
    }

    /// The proxies that a person gave or holds in a meeting and that are not revoked, and the rounds of those that the person
    /// gave.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn of_person(
        &self,
        client: ClientId,
        meeting: MeetingId,
        person: EndUserId,
    ) -> Result<(Vec<Proxy>, Vec<ProxyUse>), PortFailure> {
        let proxies = self.store.of_person(client, meeting, person).await?;
        Ok((proxies, self.store.uses(client, meeting, person).await?))
    }

    /// The votes that a holder has in the last round of a question.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn held(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        holder: EndUserId,
    ) -> Result<HeldVotes, PortFailure> {
        self.store.held(client, meeting, question, holder).await
    }
}

fn lower(username: &str) -> String {
    lower_case(username.trim())
}
