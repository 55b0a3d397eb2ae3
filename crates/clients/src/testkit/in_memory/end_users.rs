use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, OpenVote, Page, Person, PortFailure};

use super::{InMemoryClients, by_name, is_found, page_of};
use crate::{
    AddEndUserError, ChangeEndUserError, EndUser, EndUserFilter, EndUserSort, EndUserStats, EndUserStore,
    EndUserUpdate, EraseEndUserError, ErasedBy, Erasure, Group, GroupName, ImportError, ImportedPeople, MAX_GROUPS,
    PasswordHash, RemoveEndUserError, WeightChanges,
};

#[async_trait]
impl EndUserStore for InMemoryClients {
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError> {
        let mut state = self.state();
        if state.client(end_user.client_id).is_none() {
            return Err(missing("the client of an end user").into());
        }
        if state.is_taken(&end_user) {
            return Err(AddEndUserError::UsernameTaken);
        }
        let kinds: Vec<_> = end_user.weights.iter().map(|(kind, _)| kind).collect();
        state.require_kinds(end_user.client_id, &kinds)?;
        state.end_users.push((end_user, password));
        Ok(())
    }

    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        Ok(self.state().end_user(owner, id).cloned())
    }

    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        let state = self.state();
        let fits = |end_user: &&EndUser| {
            let email = end_user.email.as_ref().map_or("", EmailAddress::as_str);
            end_user.client_id == owner
                && filter.is_active.is_none_or(|is_active| end_user.is_active == is_active)
                && filter.group.is_none_or(|group| end_user.groups.iter().any(|own| own.id == group))
                && (!filter.counted_only || state.counts_in(owner, end_user.is_test()))
                && is_found(filter.search.as_ref(), [end_user.name.as_str(), end_user.username.as_str(), email])
        };
        let mut end_users: Vec<&EndUser> = state.end_users.iter().map(|(end_user, _)| end_user).filter(fits).collect();
        end_users.sort_by(|one, other| match filter.sort {
            EndUserSort::NameAscending => by_name((one.name.as_str(), one.id), (other.name.as_str(), other.id)),
            EndUserSort::NameDescending => by_name((other.name.as_str(), other.id), (one.name.as_str(), one.id)),
        });
        Ok(page_of(end_users.into_iter().cloned().collect(), filter.page))
    }

    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        Ok(self.state().end_user_stats(owner))
    }

    /// None: this fake has no rounds.
    async fn open_votes(&self, _owner: ClientId, _people: &[EndUserId]) -> Result<Vec<OpenVote>, PortFailure> {
        Ok(Vec::new())
    }

    async fn update(
        &self,
        owner: ClientId,
        update: EndUserUpdate,
        now: DateTime<Utc>,
    ) -> Result<EndUser, ChangeEndUserError> {
        let EndUserUpdate { id, changes, password } = update;
        let mut state = self.state();
        let mut changed = state.end_user(owner, id).cloned().ok_or(ChangeEndUserError::NotFound)?;
        if changed.is_erased {
            return Err(ChangeEndUserError::Erased);
        }
        state.require_kinds(owner, &changes.weights.as_ref().map(WeightChanges::kinds).unwrap_or_default())?;
        changes.apply_to(&mut changed);
        if state.is_taken(&changed) {
            return Err(ChangeEndUserError::UsernameTaken);
        }
        if password.is_some() || !changed.is_active {
            state.end_sessions(Person::EndUser { end_user: id, client: owner }, now);
        }
        if let Some((end_user, hash)) = state.end_users.iter_mut().find(|(end_user, _)| end_user.id == id) {
            end_user.clone_from(&changed);
            if let Some(password) = password {
                *hash = password.hash;
            }
        }
        Ok(changed)
    }

    async fn remove(&self, owner: ClientId, id: EndUserId) -> Result<(), RemoveEndUserError> {
        let mut state = self.state();
        if state.end_user(owner, id).is_none() {
            return Err(RemoveEndUserError::NotFound);
        }
        state.end_users.retain(|(end_user, _)| end_user.id != id);
        state.remove_sessions(|_, session| session.person == Person::EndUser { end_user: id, client: owner });
        Ok(())
    }

    async fn erase(&self, owner: ClientId, erasure: Erasure) -> Result<(), EraseEndUserError> {
        let Erasure { id, by, password } = erasure;
        let mut state = self.state();
        let found = state.end_user(owner, id).cloned().ok_or(EraseEndUserError::NotFound)?;
        if found.is_erased {
            return Err(EraseEndUserError::AlreadyErased);
        }
        match by {
            ErasedBy::Organizer(typed) if typed != found.username => return Err(EraseEndUserError::OtherUsername),
            ErasedBy::Rule(before) if !is_inactive_since(&found, before) => return Err(EraseEndUserError::NotFound),
            ErasedBy::Organizer(_) | ErasedBy::Rule(_) => {}
        }
        if state.is_taken(&found.erased()) {
            return Err(EraseEndUserError::UsernameTaken);
        }
        for (end_user, hash) in state.end_users.iter_mut().filter(|(end_user, _)| end_user.id == id) {
            (*end_user, *hash) = (found.erased(), password.clone());
        }
        state.remove_sessions(|_, session| session.person == Person::EndUser { end_user: id, client: owner });
        Ok(())
    }

    async fn inactive_since(
        &self,
        before: DateTime<Utc>,
        behind: Option<EndUserId>,
        limit: u32,
    ) -> Result<Vec<(ClientId, EndUserId)>, PortFailure> {
        let is_due = |end_user: &&EndUser| is_inactive_since(end_user, before) && Some(end_user.id) > behind;
        let state = self.state();
        let due = state.end_users.iter().map(|(end_user, _)| end_user).filter(is_due);
        let mut due: Vec<_> = due.map(|end_user| (end_user.client_id, end_user.id)).collect();
        due.sort_by_key(|(_, id)| *id);
        due.truncate(limit as usize);
        Ok(due)
    }

    async fn import(&self, owner: ClientId, people: ImportedPeople, now: DateTime<Utc>) -> Result<(), ImportError> {
        let kinds = people.weight_kinds();
        let ImportedPeople { groups, new, changed } = people;
        let mut state = self.state();
        let before = state.end_users.clone();
        let groups = groups.into_iter().map(|new| Group {
            id: new.id,
            client_id: owner,
            name: GroupName::from_stored(new.name),
        });
        let groups: Vec<Group> = groups.collect();
        let known = state.groups.iter().filter(|known| known.client_id == owner).count();
        let is_outdated = known + groups.len() > MAX_GROUPS && !groups.is_empty()
            || groups.iter().any(|group| state.is_group_name_taken(group))
            || state.require_kinds(owner, &kinds).is_err();
        if is_outdated {
            return Err(ImportError::Outdated);
        }
        let mut signed_out = Vec::new();
        for EndUserUpdate { id, changes, password } in changed {
            let is_wanted =
                |end_user: &EndUser| end_user.client_id == owner && end_user.id == id && !end_user.is_erased;
            let Some((end_user, hash)) = state.end_users.iter_mut().find(|(end_user, _)| is_wanted(end_user)) else {
                state.end_users = before;
                return Err(ImportError::Outdated);
            };
            changes.apply_to(end_user);
            if password.is_some() || !end_user.is_active {
                signed_out.push(id);
            }
            *hash = password.map_or_else(|| hash.clone(), |password| password.hash);
        }
        for (end_user, password) in new {
            if state.is_taken(&end_user) {
                state.end_users = before;
                return Err(ImportError::Outdated);
            }
            state.end_users.push((end_user, password));
        }
        state.groups.extend(groups);
        for end_user in signed_out {
            state.end_sessions(Person::EndUser { end_user, client: owner }, now);
        }
        Ok(())
    }
}

/// Whether the rule concerns the end user. The time of a deactivation is not known in memory.
fn is_inactive_since(end_user: &EndUser, before: DateTime<Utc>) -> bool {
    let last_seen = end_user.last_login_at.unwrap_or(end_user.created_at);
    !end_user.is_active && !end_user.is_erased && last_seen < before
}

/// The failure of a foreign key in a database.
fn missing(what: &'static str) -> PortFailure {
    PortFailure::new("the store in memory", format!("{what} is missing"))
}
