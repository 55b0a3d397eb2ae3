//! The preparation of registers.

use std::sync::Arc;

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{EndUserId, MeetingId, PortFailure};
use plenum_voting::PreparationService;
use plenum_voting::testkit::{MockPreparedRegisters, MockPresence};

#[tokio::test]
async fn a_large_register_is_prepared_with_the_connected_voters() {
    let ids = Arc::new(CountingIds::new());
    let (meeting, voter) = (MeetingId::new(&*ids), EndUserId::new(&*ids));
    let mut presence = MockPresence::new();
    presence.expect_connected().withf(move |asked| *asked == meeting).return_const(vec![voter]);
    let mut registers = MockPreparedRegisters::new();
    registers
        .expect_prepare()
        .withf(move |preparation| {
            preparation.meeting == meeting && preparation.connected == [voter] && preparation.at_least == 300
        })
        .times(1)
        .returning(|_| Ok(true));
    let service = PreparationService::new(Arc::new(registers), Arc::new(presence), ids);
    assert!(service.prepare(meeting).await.unwrap());
}

#[tokio::test]
async fn a_failure_of_the_store_is_returned() {
    let ids = Arc::new(CountingIds::new());
    let meeting = MeetingId::new(&*ids);
    let mut presence = MockPresence::new();
    presence.expect_connected().return_const(Vec::new());
    let mut registers = MockPreparedRegisters::new();
    registers.expect_prepare().returning(|_| Err(PortFailure::busy("the database")));
    let service = PreparationService::new(Arc::new(registers), Arc::new(presence), ids);
    service.prepare(meeting).await.unwrap_err();
}
