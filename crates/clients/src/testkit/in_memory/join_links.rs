use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ClientId, EndUserId, JoinLinkId, MeetingId, Page, Person, PortFailure};

use super::{InMemoryClients, State, by_name};
use crate::testkit::contract::SeedStatus;
use crate::{
    CODE_TRIES, FoundJoinLink, JoinAsk, JoinCodeHash, JoinLink, JoinLinkChoice, JoinLinkFilter, JoinLinkStore,
    JoinLinkUse, JoinPeople, JoinPerson, JoinTokenHash, MakeJoinLinksError, NewJoinCode, NewJoinLinks, PasswordHash,
    StoredCredentials,
};

#[derive(Clone, Debug)]
pub(super) struct StoredLink {
    id: JoinLinkId,
    owner: ClientId,
    end_user: EndUserId,
    meeting: Option<MeetingId>,
    token: JoinTokenHash,
    password: PasswordHash,
    is_single_use: bool,
    made_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
    last_used_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    /// The last code and its tries.
    code: Option<(NewJoinCode, i16)>,
}

impl State {
    fn works(&self, link: &StoredLink, now: DateTime<Utc>) -> bool {
        let password = self.end_users.iter().find(|(end_user, _)| end_user.id == link.end_user).map(|(_, hash)| hash);
        let is_over = |meeting| self.is_open(link.owner, meeting).is_err();
        link.revoked_at.is_none()
            && link.expires_at.is_none_or(|expires_at| expires_at > now)
            && !(link.is_single_use && link.last_used_at.is_some())
            && password == Some(&link.password)
            && !link.meeting.is_some_and(is_over)
    }

    fn is_open(&self, owner: ClientId, id: MeetingId) -> Result<(), MakeJoinLinksError> {
        let meeting = self.meetings.iter().find(|meeting| meeting.id == id && meeting.client == owner);
        match meeting.ok_or(MakeJoinLinksError::MeetingNotFound)?.status {
            SeedStatus::Scheduled | SeedStatus::Active => Ok(()),
            SeedStatus::Completed | SeedStatus::Cancelled => Err(MakeJoinLinksError::MeetingOver),
        }
    }

    fn title(&self, meeting: Option<MeetingId>) -> Option<(MeetingId, String)> {
        let found = self.meetings.iter().find(|found| Some(found.id) == meeting)?;
        Some((found.id, found.title.clone()))
    }

    /// Notes the use of a link by its active owner, if it works with this code. Uses the code up.
    pub(super) fn use_link(&mut self, used: &JoinLinkUse, end_user: EndUserId, now: DateTime<Utc>) -> bool {
        let place = self.join_links.iter().position(|link| link.token == used.token && link.end_user == end_user);
        let Some(place) = place.filter(|place| self.works(&self.join_links[*place], now)) else { return false };
        let is_active = self.end_users.iter().any(|(owner, _)| owner.id == end_user && owner.is_active);
        let link = &mut self.join_links[place];
        let is_wrong = |code: &JoinCodeHash| link.code.as_ref().is_none_or(|(stored, _)| stored.hash != *code);
        if !is_active || used.code.as_ref().is_some_and(is_wrong) {
            return false;
        }
        if used.code.is_some() {
            link.code = None;
        }
        link.last_used_at = Some(now);
        true
    }
}

#[async_trait]
impl JoinLinkStore for InMemoryClients {
    async fn people(
        &self,
        owner: ClientId,
        meeting: Option<MeetingId>,
        people: &JoinPeople,
        limit: u32,
    ) -> Result<Vec<JoinPerson>, MakeJoinLinksError> {
        let state = self.state();
        if let Some(meeting) = meeting {
            state.is_open(owner, meeting)?;
        }
        let mut found: Vec<_> = state.end_users.iter().map(|(end_user, _)| end_user).collect();
        if let JoinPeople::Named(ids) = people {
            let is_known = |id: &EndUserId| found.iter().any(|known| known.id == *id && known.client_id == owner);
            if !ids.iter().all(is_known) {
                return Err(MakeJoinLinksError::UnknownEndUsers);
            }
        }
        found.retain(|end_user| {
            let is_meant = match people {
                JoinPeople::All => true,
                JoinPeople::NeverSignedIn => end_user.last_login_at.is_none(),
                JoinPeople::Named(ids) => ids.contains(&end_user.id),
            };
            is_meant && end_user.client_id == owner && end_user.is_active
        });
        found.sort_by(|one, other| by_name((one.name.as_str(), one.id), (other.name.as_str(), other.id)));
        found.truncate(limit as usize);
        let person = |end_user: &crate::EndUser| JoinPerson {
            id: end_user.id,
            name: end_user.name.clone(),
            username: end_user.username.clone(),
            email: end_user.email.clone(),
        };
        Ok(found.into_iter().map(person).collect())
    }

    async fn make(&self, owner: ClientId, new: NewJoinLinks) -> Result<Vec<EndUserId>, MakeJoinLinksError> {
        let mut state = self.state();
        if let Some(meeting) = new.meeting {
            state.is_open(owner, meeting)?;
        }
        let ids = CountingIds::new();
        let mut made = Vec::new();
        for (end_user, token) in new.links {
            let found = state
                .end_users
                .iter()
                .find(|(found, _)| found.id == end_user && found.client_id == owner && found.is_active);
            let Some((_, password)) = found.cloned() else { continue };
            state.join_links.retain(|link| link.end_user != end_user || link.meeting != new.meeting);
            // Unique among all links, as ids are.
            let mut id = JoinLinkId::new(&ids);
            while state.join_links.iter().any(|link| link.id == id) {
                id = JoinLinkId::new(&ids);
            }
            let (meeting, is_single_use) = (new.meeting, new.is_single_use);
            let (made_at, expires_at) = (new.made_at, new.expires_at);
            let (last_used_at, revoked_at) = (None, None);
            state.join_links.push(StoredLink {
                id,
                owner,
                end_user,
                meeting,
                token,
                password,
                is_single_use,
                made_at,
                expires_at,
                last_used_at,
                revoked_at,
                code: None,
            });
            made.push(end_user);
        }
        Ok(made)
    }

    async fn find(&self, token: &JoinTokenHash, now: DateTime<Utc>) -> Result<Option<FoundJoinLink>, PortFailure> {
        let state = self.state();
        let link = state.join_links.iter().find(|link| link.token == *token && state.works(link, now));
        let Some(link) = link else { return Ok(None) };
        let person = Person::EndUser { end_user: link.end_user, client: link.owner };
        let found = state.end_user(link.owner, link.end_user).zip(state.client(link.owner));
        Ok(found.map(|(end_user, client)| FoundJoinLink {
            credentials: StoredCredentials {
                person,
                password_hash: link.password.clone(),
                may_sign_in: state.may_act(person),
            },
            name: end_user.name.clone(),
            username: end_user.username.clone(),
            client: client.id,
            client_code: client.code.clone(),
            client_name: client.name.to_string(),
            email: end_user.email.clone(),
            meeting: state.title(link.meeting),
            asks: state.join_asks.get(&client.id).copied().unwrap_or_default(),
        }))
    }

    async fn list(
        &self,
        owner: ClientId,
        filter: JoinLinkFilter,
        now: DateTime<Utc>,
    ) -> Result<Page<JoinLink>, PortFailure> {
        let state = self.state();
        let mut links: Vec<_> = state.join_links.iter().collect();
        links.retain(|link| {
            link.owner == owner
                && filter.end_user.is_none_or(|id| link.end_user == id)
                && filter.meeting.is_none_or(|id| link.meeting == Some(id))
        });
        links.sort_by(|one, other| (other.made_at, one.id).cmp(&(one.made_at, other.id)));
        let shown = links.into_iter().filter_map(|link| {
            let end_user = state.end_user(owner, link.end_user)?;
            Some(JoinLink {
                id: link.id,
                end_user: link.end_user,
                name: end_user.name.clone(),
                username: end_user.username.clone(),
                meeting: state.title(link.meeting),
                is_single_use: link.is_single_use,
                works: end_user.is_active && state.works(link, now),
                made_at: link.made_at,
                expires_at: link.expires_at,
                last_used_at: link.last_used_at,
                revoked_at: link.revoked_at,
            })
        });
        Ok(Page::of_list(shown.collect(), filter.page))
    }

    async fn revoke(&self, owner: ClientId, choice: JoinLinkChoice, now: DateTime<Utc>) -> Result<u64, PortFailure> {
        let mut state = self.state();
        let chosen = state.join_links.iter_mut().filter(|link| {
            let is_chosen = match choice {
                JoinLinkChoice::One(id) => link.id == id,
                JoinLinkChoice::OfMeeting(meeting) => link.meeting == Some(meeting),
                JoinLinkChoice::All => true,
            };
            is_chosen && link.owner == owner && link.revoked_at.is_none()
        });
        Ok(chosen.map(|link| link.revoked_at = Some(now)).count() as u64)
    }

    async fn put_code(&self, owner: ClientId, token: &JoinTokenHash, new: NewJoinCode) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let link = state.join_links.iter_mut().find(|link| link.owner == owner && link.token == *token);
        Ok(link.map(|link| link.code = Some((new, 0))).is_some())
    }

    async fn try_code(
        &self,
        owner: ClientId,
        token: &JoinTokenHash,
        code: &JoinCodeHash,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let link = state.join_links.iter_mut().find(|link| link.owner == owner && link.token == *token);
        let Some(link) = link else { return Ok(false) };
        let Some((stored, tries)) = &mut link.code else { return Ok(false) };
        if stored.expires_at <= now || *tries >= CODE_TRIES {
            return Ok(false);
        }
        let is_right = stored.hash == *code;
        *tries += i16::from(!is_right);
        Ok(is_right)
    }

    async fn asks(&self, owner: ClientId) -> Result<JoinAsk, PortFailure> {
        Ok(self.state().join_asks.get(&owner).copied().unwrap_or_default())
    }

    async fn set_asks(&self, owner: ClientId, asks: JoinAsk) -> Result<(), PortFailure> {
        self.state().join_asks.insert(owner, asks);
        Ok(())
    }
}
