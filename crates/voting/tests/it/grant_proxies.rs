//! Grants of proxies by username, settings, and the signals.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, ClientId, PageRequest};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockVotingSignals};
use plenum_voting::{
    ChangeProxySettingsError, GrantRequest, ProxyAuthor, ProxyFilter, ProxyRule, ProxyScope, ProxyService,
    ProxySettings,
};

/// A meeting with three voters, and an organizer.
struct Hall {
    store: InMemoryVoting,
    scene: Scene,
    maria: AccountId,
}

impl Hall {
    async fn new() -> Self {
        let store = InMemoryVoting::new();
        let scene = Scene::with_voters(&store, 3).await;
        let maria = AccountId::new(&scene.ids);
        store.add_account(scene.client, maria, "Maria", "Keller").await;
        let settings = ProxySettings { is_on: true, ..ProxySettings::default() };
        store.proxies().change_settings(scene.client, scene.meeting, settings).await.unwrap();
        Self { store, scene, maria }
    }

    /// Announces changes of the meeting this often.
    fn proxies(&self, announced: usize) -> ProxyService {
        let (mut signals, meeting) = (MockVotingSignals::new(), self.scene.meeting);
        signals.expect_meeting_changed().withf(move |changed| *changed == meeting).times(announced).return_const(());
        let (clock, ids) = (Arc::new(StillClock::new()), Arc::new(CountingIds::new()));
        ProxyService::new(self.store.proxies(), Arc::new(signals), clock, ids)
    }

    async fn grant_all(&self, announced: usize, names: &[(&str, &str)], is_check: bool) -> Vec<Option<ProxyRule>> {
        let request = |(principal, holder): &(&str, &str)| GrantRequest {
            principal: Some((*principal).to_owned()),
            holder: (*holder).to_owned(),
            scope: ProxyScope::Meeting,
            note: None,
            reference: None,
        };
        let (client, meeting, by) = (self.scene.client, self.scene.meeting, ProxyAuthor::Organizer(self.maria));
        let requests = names.iter().map(request).collect();
        self.proxies(announced).grant_all(client, meeting, requests, (by, is_check)).await.unwrap()
    }

    async fn granted(&self) -> u64 {
        let page = PageRequest { page: 1, page_size: 10 };
        let filter = ProxyFilter { search: None, with_revoked: true, page };
        let page = self.store.proxies().page(self.scene.client, self.scene.meeting, &filter).await.unwrap();
        page.expect("the client has the meeting").total
    }
}

#[tokio::test]
async fn a_username_is_known_in_any_case_and_without_the_blanks_around_it() {
    let hall = Hall::new().await;
    hall.store.rename_voter(hall.scene.voters[2], "ipek").await;
    let names = [(" VOTER-1", "voter-2 "), ("\u{130}PEK", "voter-2")];
    assert_eq!(hall.grant_all(1, &names, false).await, [None, None]);
    assert_eq!(hall.granted().await, 2);
}

#[tokio::test]
async fn one_unknown_person_holds_back_all_grants_and_each_reason_is_at_its_place() {
    let hall = Hall::new().await;
    let names = [("voter-1", "nobody"), ("voter-2", "voter-3"), ("vo\0ter-1", "voter-3"), ("voter-1", "voter-1")];
    let refused = hall.grant_all(0, &names, false).await;
    assert_eq!(refused[..3], [Some(ProxyRule::NoSuchHolder), None, Some(ProxyRule::NoSuchPrincipal)]);
    assert!(matches!(refused[3], Some(ProxyRule::SamePerson(_))), "{:?}", refused[3]);
    assert_eq!(hall.granted().await, 0);
}

#[tokio::test]
async fn a_check_stores_and_announces_nothing() {
    let hall = Hall::new().await;
    assert_eq!(hall.grant_all(0, &[("voter-1", "voter-2")], true).await, [None]);
    assert_eq!(hall.granted().await, 0);
}

#[tokio::test]
async fn settings_are_announced_for_a_meeting_of_the_client_only() {
    let hall = Hall::new().await;
    let (client, meeting) = (hall.scene.client, hall.scene.meeting);
    hall.proxies(1).change_settings(client, meeting, ProxySettings::default()).await.unwrap();
    let other = ClientId::new(&hall.scene.ids);
    let refused = hall.proxies(0).change_settings(other, meeting, ProxySettings::default()).await;
    assert!(matches!(refused, Err(ChangeProxySettingsError::MeetingNotFound)), "{refused:?}");
}
