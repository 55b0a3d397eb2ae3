use std::future::pending;
use std::sync::Arc;

use futures_util::StreamExt as _;
use plenum_clients::{AccessCheck, RevocationBus, SessionRevocation};
use plenum_kernel::{ActingPerson, ClientId, EndUserId};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Applies revocations of sessions. It removes remembered sessions, and makes the open streams of the affected people
/// ask the store.
///
/// Other instances receive revocations over the bus. An unreachable instance notices within a minute, when its
/// remembered sessions expire.
pub struct Revocations {
    access: Arc<AccessCheck>,
    announced: broadcast::Sender<SessionRevocation>,
    others: Option<Arc<dyn RevocationBus>>,
}

impl Revocations {
    /// The number of revocations that a stream may fall behind. After that it asks the store, because it may have
    /// missed its own.
    const BACKLOG: usize = 1024;

    /// Revocations for this access check. Without a bus there are no other instances.
    pub fn new(access: Arc<AccessCheck>, others: Option<Arc<dyn RevocationBus>>) -> Self {
        Self { access, announced: broadcast::Sender::new(Self::BACKLOG), others }
    }

    /// Applies the revocations of other instances, until dropped.
    pub async fn apply_remote(self: Arc<Self>) {
        let Some(others) = &self.others else { return };
        let mut incoming = others.revocations();
        while let Some(revocation) = incoming.next().await {
            match revocation {
                Some(revocation) => self.apply(revocation),
                // All remembered sessions are checked again. Open streams, possibly thousands, do so by themselves
                // within a minute.
                None => self.access.forget_people(|_| true),
            }
        }
    }

    /// Announces a revocation, here and on all other instances. Call it after the change is stored, never before.
    pub(crate) fn announce(&self, revocation: SessionRevocation) {
        self.apply(revocation);
        if let Some(others) = &self.others {
            others.announce(revocation);
        }
    }

    /// Makes people who were removed from a participant list subject to a new check. Call it after the change is
    /// stored. For very many people, the whole client is checked.
    pub(crate) fn announce_removed_participants(&self, client: ClientId, end_users: &[EndUserId]) {
        if end_users.len() > Self::BACKLOG / 4 {
            return self.announce(SessionRevocation::Client(client));
        }
        for end_user in end_users {
            self.announce(SessionRevocation::EndUser(*end_user));
        }
    }

    fn apply(&self, revocation: SessionRevocation) {
        match revocation {
            SessionRevocation::Session(session) => self.access.forget(session),
            SessionRevocation::EndUser(_)
            | SessionRevocation::Administrators(_)
            | SessionRevocation::Client(_)
            | SessionRevocation::Account(_) => {
                self.access.forget_people(|person| revocation.concerns_person(person));
            }
        }
        // Without any stream there is no receiver.
        let _ = self.announced.send(revocation);
    }

    /// Subscribes to revocations for a watching person, from now on.
    pub(super) fn listen(&self, acting: ActingPerson) -> RevocationListener {
        RevocationListener { acting, announced: self.announced.subscribe() }
    }
}

/// Receives the revocations of one acting person.
pub(super) struct RevocationListener {
    acting: ActingPerson,
    announced: broadcast::Receiver<SessionRevocation>,
}

impl RevocationListener {
    /// Resolves when a revocation affects the person, or may have been missed. Returns whether it affects this person
    /// alone. A missed one may have, but thousands miss revocations at once.
    pub(super) async fn concerned(&mut self) -> bool {
        loop {
            match self.announced.recv().await {
                Ok(revocation) if !revocation.concerns(&self.acting) => {}
                Ok(revocation) => {
                    return !matches!(revocation, SessionRevocation::Client(_) | SessionRevocation::Administrators(_));
                }
                Err(RecvError::Lagged(_)) => return false,
                Err(RecvError::Closed) => pending().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use plenum_clients::testkit::{InMemoryClients, NumberedAccessTokens};
    use plenum_kernel::testkit::{CountingIds, StillClock};
    use plenum_kernel::{AccountId, Person, SessionId};

    use super::*;

    fn revocations() -> Revocations {
        let sessions = Arc::new(InMemoryClients::new());
        let access = AccessCheck::new(Arc::new(NumberedAccessTokens::default()), sessions, Arc::new(StillClock::new()));
        Revocations::new(Arc::new(access), None)
    }

    /// Two voters of one client, its administrator, a voter of another client, and a super administrator.
    fn people(ids: &CountingIds) -> [ActingPerson; 5] {
        let (client, other) = (ClientId::new(ids), ClientId::new(ids));
        [
            Person::EndUser { end_user: EndUserId::new(ids), client },
            Person::EndUser { end_user: EndUserId::new(ids), client },
            Person::ClientAdmin { account: AccountId::new(ids), client },
            Person::EndUser { end_user: EndUserId::new(ids), client: other },
            Person::SuperAdmin { account: AccountId::new(ids) },
        ]
        .map(|person| ActingPerson { session: SessionId::new(ids), person })
    }

    #[test]
    fn only_affected_people_receive_a_revocation() {
        let people = people(&CountingIds::new());
        let client = people[0].person.client().unwrap();
        let Person::EndUser { end_user, .. } = people[0].person else { panic!("another person") };
        for (revocation, concerned) in [
            (SessionRevocation::Session(people[4].session), [false, false, false, false, true]),
            (SessionRevocation::EndUser(end_user), [true, false, false, false, false]),
            (SessionRevocation::Administrators(client), [false, false, true, false, false]),
            (SessionRevocation::Client(client), [true, true, true, false, false]),
            (SessionRevocation::of(people[0].person), [true, false, false, false, false]),
            (SessionRevocation::of(people[2].person), [false, false, true, false, false]),
            (SessionRevocation::of(people[4].person), [false, false, false, false, true]),
        ] {
            let revocations = revocations();
            let mut listeners = people.map(|acting| revocations.listen(acting));
            revocations.announce(revocation);
            let received = listeners.each_mut().map(|listener| listener.concerned().now_or_never().is_some());
            assert_eq!(received, concerned, "{revocation:?}");
        }
    }

    #[test]
    fn a_lagging_listener_checks_its_session() {
        let people = people(&CountingIds::new());
        let revocations = revocations();
        let mut listener = revocations.listen(people[0]);
        for _ in 0..=Revocations::BACKLOG {
            revocations.announce(SessionRevocation::Session(people[1].session));
        }
        assert!(listener.concerned().now_or_never().is_some());
        assert!(listener.concerned().now_or_never().is_none());
    }

    #[test]
    fn a_removal_from_a_list_checks_the_removed_people_or_for_very_many_the_whole_client() {
        let ids = CountingIds::new();
        let people = people(&ids);
        let client = people[0].person.client().unwrap();
        let Person::EndUser { end_user, .. } = people[0].person else { panic!("another person") };
        let many = vec![end_user; Revocations::BACKLOG / 4 + 1];
        for (uninvited, concerned) in
            [(&[end_user][..], [true, false, false, false, false]), (&many[..], [true, true, true, false, false])]
        {
            let revocations = revocations();
            let mut listeners = people.map(|acting| revocations.listen(acting));
            revocations.announce_removed_participants(client, uninvited);
            let received = listeners.each_mut().map(|listener| listener.concerned().now_or_never().is_some());
            assert_eq!(received, concerned, "{}", uninvited.len());
        }
    }
}
