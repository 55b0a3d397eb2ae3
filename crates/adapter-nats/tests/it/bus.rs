//! Instances on a real NATS server. The tests need `nats-server` (`just install-nats`).
// For clippy, so that helpers count as test code too.
#![cfg(test)]

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use futures_util::{FutureExt as _, Stream, StreamExt as _};
use plenum_adapter_nats::testkit::NatsServer;
use plenum_adapter_nats::{NatsAddress, NatsBus, NatsSettings};
use plenum_clients::{RevocationBus as _, SessionRevocation};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{EndUserId, InstanceId, MeetingId, SessionId};
use plenum_meetings::live::{LiveBus as _, LiveNotice, NoticeStream, PresenceBus as _, PresenceReport, PresenceUpdate};
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};

/// The maximum wait for an expected event.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The wait before a notice is sent again.
const RETRY_DELAY: Duration = Duration::from_millis(200);

fn instance_of(installation: &str, server: &NatsServer) -> NatsBus {
    instance_at(server.address(), installation)
}

fn instance_at(address: NatsAddress, installation: &str) -> NatsBus {
    NatsBus::start(NatsSettings { address, installation: installation.to_owned() })
}

async fn until(event: &str, holds: impl Fn() -> bool) {
    let all = async {
        while !holds() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TIMEOUT, all).await.unwrap_or_else(|_| panic!("timed out: {event}"));
}

/// An unpredictable number.
fn random() -> u64 {
    RandomState::new().hash_one(0)
}

/// Two connected instances of an installation, their notices from then on, and unused ids.
async fn pair_of(installation: &str, server: &NatsServer) -> ([NatsBus; 2], [NoticeStream; 2], CountingIds) {
    let buses = [instance_of(installation, server), instance_of(installation, server)];
    let mut notices = [buses[0].subscribe(), buses[1].subscribe()];
    let ids = CountingIds::new();
    for (from, to) in [(0, 1), (1, 0)] {
        // Repeated, because a connected instance may not have subscribed yet.
        let arrives = async {
            loop {
                let probe = LiveNotice::MeetingChanged(MeetingId::new(&ids));
                buses[from].publish(probe).await;
                if timeout(RETRY_DELAY, until_received(&mut notices[to], probe)).await.is_ok() {
                    return;
                }
            }
        };
        timeout(TIMEOUT, arrives).await.expect("the other instance receives it");
        // After this one, no earlier message is on its way.
        let last = LiveNotice::MeetingChanged(MeetingId::new(&ids));
        buses[from].publish(last).await;
        for stream in &mut notices {
            timeout(TIMEOUT, until_received(stream, last)).await.expect("both receive the last one");
        }
    }
    (buses, notices, ids)
}

async fn pair(server: &NatsServer) -> ([NatsBus; 2], [NoticeStream; 2], CountingIds) {
    pair_of("one", server).await
}

async fn until_received(notices: &mut NoticeStream, notice: LiveNotice) {
    while notices.next().await.expect("the bus does not end") != Some(notice) {}
}

/// The next item of a stream of the bus, without those for missed messages.
async fn next<T>(notices: &mut (impl Stream<Item = Option<T>> + Unpin)) -> T {
    let item = async {
        loop {
            if let Some(item) = notices.next().await.expect("the bus does not end") {
                return item;
            }
        }
    };
    timeout(TIMEOUT, item).await.expect("an item")
}

/// The next item, if it is there already.
fn next_now<T>(notices: &mut (impl Stream<Item = Option<T>> + Unpin)) -> Option<T> {
    next(notices).now_or_never()
}

async fn next_missed<T>(notices: &mut (impl Stream<Item = Option<T>> + Unpin)) {
    while timeout(TIMEOUT, notices.next()).await.expect("an item").expect("the bus does not end").is_some() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_reaches_this_instance_and_the_others_once() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, mut notices, ids) = pair(&server).await;
    let sent = [LiveNotice::VotesChanged(MeetingId::new(&ids)), LiveNotice::MeetingChanged(MeetingId::new(&ids))];
    for notice in sent {
        buses[0].publish(notice).await;
        // The sending instance has it already.
        assert_eq!(next_now(&mut notices[0]), Some(notice));
        assert_eq!(next(&mut notices[1]).await, notice);
    }
    buses[1].publish(sent[0]).await;
    assert_eq!(next(&mut notices[0]).await, sent[0], "its own notices do not come back");
}

#[tokio::test(flavor = "multi_thread")]
async fn revocations_and_presence_reach_the_others_and_not_this_instance() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, _notices, ids) = pair(&server).await;
    let mut revocations = [buses[0].revocations(), buses[1].revocations()];
    let mut reports = [buses[0].reports(), buses[1].reports()];

    let revocation = SessionRevocation::Session(SessionId::new(&ids));
    buses[0].announce(revocation);
    assert_eq!(next(&mut revocations[1]).await, revocation);

    let voters: Vec<_> = (0..10_000).map(|_| EndUserId::new(&ids)).collect();
    let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
    let all = |number| PresenceReport {
        instance,
        meeting,
        number,
        update: PresenceUpdate::All { part: 0, parts: 1, voters: voters.clone() },
    };
    for number in 1..=20 {
        buses[0].report(all(number));
    }
    for number in 1..=20 {
        assert_eq!(next(&mut reports[1]).await, all(number), "in their order");
    }
    assert!(next_now(&mut revocations[0]).is_none() && next_now(&mut reports[0]).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_installations_on_one_nats_are_separate() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, mut notices, ids) = pair(&server).await;
    let (other_installation, mut stranger_notices, _) = pair_of("two", &server).await;
    let (strange, own) = (MeetingId::new(&ids), MeetingId::new(&ids));
    other_installation[0].publish(LiveNotice::MeetingChanged(strange)).await;
    until_received(&mut stranger_notices[1], LiveNotice::MeetingChanged(strange)).await;
    // Sent after the other one passed NATS, so it would arrive after it.
    buses[0].publish(LiveNotice::MeetingChanged(own)).await;
    assert_eq!(next(&mut notices[1]).await, LiveNotice::MeetingChanged(own));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_nats_an_instance_works_alone_and_a_reconnection_causes_reloads() {
    let Some(mut server) = NatsServer::start() else { return };
    let (buses, mut notices, ids) = pair(&server).await;
    let mut reports = buses[1].reports();
    block_in_place(|| server.stop());
    for (bus, notices) in buses.iter().zip(&mut notices) {
        until("the instance notices", || !bus.receives_others()).await;
        next_missed(notices).await;
    }
    let notice = LiveNotice::MeetingChanged(MeetingId::new(&ids));
    buses[0].publish(notice).await;
    assert_eq!(next_now(&mut notices[0]), Some(notice), "its own screens get it as before");
    while reports.next().now_or_never().is_some() {}

    block_in_place(|| server.start_again());
    for (bus, notices) in buses.iter().zip(&mut notices) {
        until("the instance is connected again", || bus.receives_others()).await;
        next_missed(notices).await;
    }
    assert_eq!(timeout(TIMEOUT, reports.next()).await.unwrap(), Some(None), "a request for a full report");
    let notice = LiveNotice::VotesChanged(MeetingId::new(&ids));
    let arrives = async {
        loop {
            buses[0].publish(notice).await;
            if timeout(RETRY_DELAY, until_received(&mut notices[1], notice)).await.is_ok() {
                return;
            }
        }
    };
    timeout(TIMEOUT, arrives).await.expect("the instances exchange notices again");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_may_start_before_nats() {
    let Some(mut server) = NatsServer::start() else { return };
    block_in_place(|| server.stop());
    let bus = instance_of("one", &server);
    let notice = LiveNotice::MeetingChanged(MeetingId::new(&CountingIds::new()));
    let mut notices = bus.subscribe();
    bus.publish(notice).await;
    assert_eq!(notices.next().now_or_never(), Some(Some(Some(notice))));
    assert!(!bus.receives_others());
    block_in_place(|| server.start_again());
    until("the instance is connected", || bus.receives_others()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_instance_causes_reloads_and_reports() {
    let Some(mut server) = NatsServer::start() else { return };
    block_in_place(|| server.stop());
    let bus = instance_of("one", &server);
    let (mut notices, mut reports, mut revocations) = (bus.subscribe(), bus.reports(), bus.revocations());
    block_in_place(|| server.start_again());
    // When this instance connects, and when the other one does.
    for newcomer in [false, true] {
        let _newcomer = newcomer.then(|| instance_of("one", &server));
        next_missed(&mut notices).await;
        next_missed(&mut reports).await;
        next_missed(&mut revocations).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn user_and_password_come_from_the_address() {
    let secret = format!("s3cr%t{}", random());
    let Some(server) = NatsServer::start_with(&["--user", "m@e", "--pass", &secret]) else { return };
    let at = |user: &str| NatsAddress::parse(&server.url().replace("//", &format!("//{user}@"))).unwrap();
    let bus = instance_at(at(&format!("m%40e:{}", secret.replace('%', "%25"))), "one");
    let stranger = instance_at(at("m%40e:wrong"), "one");
    let nobody = instance_of("one", &server);
    until("the right password is accepted", || bus.receives_others()).await;
    for bus in [stranger, nobody] {
        let notice = LiveNotice::MeetingChanged(MeetingId::new(&CountingIds::new()));
        let mut notices = bus.subscribe();
        bus.publish(notice).await;
        assert_eq!(notices.next().now_or_never(), Some(Some(Some(notice))), "an instance works alone");
        assert!(!bus.receives_others());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_without_a_password_is_a_token() {
    let secret = format!("t0k%n{}", random());
    let Some(server) = NatsServer::start_with(&["--auth", &secret]) else { return };
    let address = server.url().replace("//", &format!("//{}@", secret.replace('%', "%25")));
    let bus = instance_at(NatsAddress::parse(&address).unwrap(), "one");
    until("the right token is accepted", || bus.receives_others()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_is_noticed_and_a_resumed_one_is_used_again() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, mut notices, ids) = pair(&server).await;
    server.pause();
    until("the silence is noticed", || !buses[0].receives_others() && !buses[1].receives_others()).await;
    server.resume();
    until("both are connected again", || buses[0].receives_others() && buses[1].receives_others()).await;
    let notice = LiveNotice::MeetingChanged(MeetingId::new(&ids));
    let arrives = async {
        loop {
            buses[0].publish(notice).await;
            if timeout(RETRY_DELAY, until_received(&mut notices[1], notice)).await.is_ok() {
                return;
            }
        }
    };
    timeout(TIMEOUT, arrives).await.expect("the instances exchange notices again");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_cut_to_the_servers_limit_and_a_larger_one_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nats.conf");
    std::fs::write(&file, "max_payload: 1024\nmax_pending: 1MB\n").unwrap();
    let Some(server) = NatsServer::start_with(&["--config", file.to_str().unwrap()]) else { return };
    let (buses, _notices, ids) = pair(&server).await;
    let mut reports = buses[1].reports();
    until("the limit is known", || buses[0].max_voters_in_report() < 64).await;
    let max = buses[0].max_voters_in_report();
    let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
    let all = |number: u64, count: usize| {
        let voters = (0..count).map(|_| EndUserId::new(&ids)).collect();
        PresenceReport { instance, meeting, number, update: PresenceUpdate::All { part: 0, parts: 1, voters } }
    };
    buses[0].report(all(1, 2 * max));
    let fitting = all(2, max);
    buses[0].report(fitting.clone());
    assert_eq!(next(&mut reports).await, fitting);
    assert!(buses[0].receives_others() && buses[1].receives_others());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_instance_waits_for_the_first_reports_and_not_without_nats() {
    let Some(mut server) = NatsServer::start() else { return };
    let (buses, _notices, ids) = pair(&server).await;
    let [sender, _] = buses;
    let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
    let update = PresenceUpdate::All { part: 0, parts: 1, voters: vec![EndUserId::new(&ids)] };
    let report = PresenceReport { instance, meeting, number: 1, update };
    let sent = report.clone();
    let answering = tokio::spawn(async move {
        let mut requests = sender.reports();
        while let Some(item) = requests.next().await {
            if item.is_none() {
                sender.report(sent.clone());
            }
        }
    });
    let newcomer = instance_of("one", &server);
    let mut reports = newcomer.reports();
    newcomer.wait_for_first_reports(TIMEOUT).await;
    assert_eq!(next_now(&mut reports), Some(report));
    answering.abort();
    assert!(newcomer.wait_for_first_reports(TIMEOUT).now_or_never().is_some(), "the wait is over");

    block_in_place(|| server.stop());
    let alone = instance_of("one", &server);
    alone.wait_for_first_reports(Duration::from_millis(100)).await;
    assert!(!alone.receives_others());
}
