//! Remarks for the minutes.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, ClientId, Clock};
use plenum_meetings::testkit::InMemoryMeetings;
use plenum_meetings::testkit::contract::{MeetingsFixture, Scene};
use plenum_meetings::{RemarkDraft, RemarkKind, RemarkService, RemarkText, WriteRemarkError};

#[tokio::test]
async fn a_remark_carries_the_time_and_the_name_of_its_writer() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let (owner, meeting, maria) = (scene.client.id, scene.add_draft(&store).await, AccountId::new(&scene.ids));
    store.add_account(owner, maria, "Maria", "Keller").await;
    let clock = StillClock::new();
    let now = clock.now();
    let keeping = RemarkService::new(store.remarks(), Arc::new(clock), Arc::new(CountingIds::new()));
    let text = RemarkText::parse(" It rained.\nThe roof held. ").unwrap();
    let draft = RemarkDraft { by: maria, kind: RemarkKind::Incident, text };
    let remark = keeping.write(owner, meeting, draft.clone()).await.unwrap();
    assert_eq!((remark.at, remark.by.as_str(), remark.kind), (now, "Maria Keller", RemarkKind::Incident));
    assert_eq!(remark.text.as_str(), "It rained.\nThe roof held.");
    assert_eq!(keeping.list(owner, meeting).await.unwrap(), Some(vec![remark.clone()]));
    let stranger = ClientId::new(&scene.ids);
    let refused = keeping.write(stranger, meeting, draft).await;
    assert!(matches!(refused, Err(WriteRemarkError::MeetingNotFound)), "{refused:?}");
    assert!(!keeping.strike(stranger, meeting, remark.id, maria).await.unwrap());
    assert!(keeping.strike(owner, meeting, remark.id, maria).await.unwrap());
    assert!(!keeping.strike(owner, meeting, remark.id, maria).await.unwrap());
}
