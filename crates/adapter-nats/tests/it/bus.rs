//! Instances on a real NATS server. Needs `nats-server` (`scripts/install-nats.sh`).
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use futures_util::{FutureExt as _, Stream, StreamExt as _};
use plenum_adapter_nats::testkit::NatsServer;
use plenum_adapter_nats::{NatsAddress, NatsBus, NatsSettings};
use plenum_clients::{RevocationBus as _, SessionRevocation};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{EndUserId, InstanceId, MeetingId, SessionId};
use plenum_meetings::live::{LiveBus as _, LiveNotice, NoticeStream, PresenceBus as _, PresenceNews, PresenceReport};
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};

/// For how long something may take that happens soon.
const PATIENCE: Duration = Duration::from_secs(30);

/// After which time something is tried again that may come to nothing.
const AGAIN: Duration = Duration::from_millis(200);

fn instance_of(installation: &str, server: &NatsServer) -> NatsBus {
    instance_at(server.address(), installation)
}

fn instance_at(address: NatsAddress, installation: &str) -> NatsBus {
    NatsBus::start(NatsSettings { address, installation: installation.to_owned() })
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let all = async {
        while !holds() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, all).await.unwrap_or_else(|_| panic!("in vain: {what}"));
}

/// What nobody guesses.
fn random() -> u64 {
    RandomState::new().hash_one(0)
}

/// Two instances of an installation that hear one another, what they are told from then on, and ids that nobody has yet.
async fn pair_of(installation: &str, server: &NatsServer) -> ([NatsBus; 2], [NoticeStream; 2], CountingIds) {
    let buses = [instance_of(installation, server), instance_of(installation, server)];
    let mut heard = [buses[0].subscribe(), buses[1].subscribe()];
    let ids = CountingIds::new();
    for (from, to) in [(0, 1), (1, 0)] {
        // Repeated, because whoever is connected may not have asked for messages yet.
        let arrives = async {
            loop {
                let probe = LiveNotice::MeetingChanged(MeetingId::new(&ids));
                buses[from].publish(probe).await;
                if timeout(AGAIN, until_heard(&mut heard[to], probe)).await.is_ok() {
                    return;
                }
            }
        };
        timeout(PATIENCE, arrives).await.expect("the other instance hears");
        // Behind it nothing is under way any more.
        let last = LiveNotice::MeetingChanged(MeetingId::new(&ids));
        buses[from].publish(last).await;
        for stream in &mut heard {
            timeout(PATIENCE, until_heard(stream, last)).await.expect("both hear the last one");
        }
    }
    (buses, heard, ids)
}

async fn pair(server: &NatsServer) -> ([NatsBus; 2], [NoticeStream; 2], CountingIds) {
    pair_of("one", server).await
}

async fn until_heard(heard: &mut NoticeStream, notice: LiveNotice) {
    while heard.next().await.expect("the bus goes on") != Some(notice) {}
}

/// An item of a stream of the bus, as soon as there is one, apart from those that say that something was missed.
async fn next<T>(heard: &mut (impl Stream<Item = Option<T>> + Unpin)) -> T {
    let item = async {
        loop {
            if let Some(item) = heard.next().await.expect("the bus goes on") {
                return item;
            }
        }
    };
    timeout(PATIENCE, item).await.expect("an item")
}

/// The same, where there is one already.
fn next_now<T>(heard: &mut (impl Stream<Item = Option<T>> + Unpin)) -> Option<T> {
    next(heard).now_or_never()
}

async fn next_missed<T>(heard: &mut (impl Stream<Item = Option<T>> + Unpin)) {
    while timeout(PATIENCE, heard.next()).await.expect("an item").expect("the bus goes on").is_some() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_reaches_this_instance_and_the_others_once() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, mut heard, ids) = pair(&server).await;
    let notices = [LiveNotice::VotesChanged(MeetingId::new(&ids)), LiveNotice::MeetingChanged(MeetingId::new(&ids))];
    for notice in notices {
        buses[0].publish(notice).await;
        // Here it is already.
        assert_eq!(next_now(&mut heard[0]), Some(notice));
        assert_eq!(next(&mut heard[1]).await, notice);
    }
    buses[1].publish(notices[0]).await;
    assert_eq!(next(&mut heard[0]).await, notices[0], "and nothing of its own came back before");
}

#[tokio::test(flavor = "multi_thread")]
async fn departures_and_presence_reach_the_others_and_not_this_instance() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, _heard, ids) = pair(&server).await;
    let mut departures = [buses[0].revocations(), buses[1].revocations()];
    let mut reports = [buses[0].reports(), buses[1].reports()];

    let departure = SessionRevocation::Session(SessionId::new(&ids));
    buses[0].announce(departure);
    assert_eq!(next(&mut departures[1]).await, departure);

    let voters: Vec<_> = (0..10_000).map(|_| EndUserId::new(&ids)).collect();
    let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
    let all = |number| PresenceReport {
        instance,
        meeting,
        number,
        news: PresenceNews::All { part: 0, parts: 1, voters: voters.clone() },
    };
    for number in 1..=20 {
        buses[0].report(all(number));
    }
    for number in 1..=20 {
        assert_eq!(next(&mut reports[1]).await, all(number), "in their order");
    }
    assert!(next_now(&mut departures[0]).is_none() && next_now(&mut reports[0]).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_installations_on_one_nats_do_not_hear_one_another() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, mut heard, ids) = pair(&server).await;
    let (strangers, mut strangers_heard, _) = pair_of("two", &server).await;
    let (strange, own) = (MeetingId::new(&ids), MeetingId::new(&ids));
    strangers[0].publish(LiveNotice::MeetingChanged(strange)).await;
    until_heard(&mut strangers_heard[1], LiveNotice::MeetingChanged(strange)).await;
    // Sent after it went through NATS, and so heard after it.
    buses[0].publish(LiveNotice::MeetingChanged(own)).await;
    assert_eq!(next(&mut heard[1]).await, LiveNotice::MeetingChanged(own));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_nats_an_instance_goes_on_alone_and_when_it_is_back_everybody_looks_again() {
    let Some(mut server) = NatsServer::start() else { return };
    let (buses, mut heard, ids) = pair(&server).await;
    let mut reports = buses[1].reports();
    block_in_place(|| server.stop());
    for (bus, heard) in buses.iter().zip(&mut heard) {
        until("the instance notices", || !bus.hears_others()).await;
        next_missed(heard).await;
    }
    let notice = LiveNotice::MeetingChanged(MeetingId::new(&ids));
    buses[0].publish(notice).await;
    assert_eq!(next_now(&mut heard[0]), Some(notice), "its own screens are told as ever");
    while reports.next().now_or_never().is_some() {}

    block_in_place(|| server.start_again());
    for (bus, heard) in buses.iter().zip(&mut heard) {
        until("the instance is connected again", || bus.hears_others()).await;
        next_missed(heard).await;
    }
    assert_eq!(timeout(PATIENCE, reports.next()).await.unwrap(), Some(None), "and is asked who is there");
    let notice = LiveNotice::VotesChanged(MeetingId::new(&ids));
    let arrives = async {
        loop {
            buses[0].publish(notice).await;
            if timeout(AGAIN, until_heard(&mut heard[1], notice)).await.is_ok() {
                return;
            }
        }
    };
    timeout(PATIENCE, arrives).await.expect("they hear one another again");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_may_start_before_nats() {
    let Some(mut server) = NatsServer::start() else { return };
    block_in_place(|| server.stop());
    let bus = instance_of("one", &server);
    let notice = LiveNotice::MeetingChanged(MeetingId::new(&CountingIds::new()));
    let mut heard = bus.subscribe();
    bus.publish(notice).await;
    assert_eq!(heard.next().now_or_never(), Some(Some(Some(notice))));
    assert!(!bus.hears_others());
    block_in_place(|| server.start_again());
    until("the instance is connected", || bus.hears_others()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_later_makes_the_others_look_and_tell() {
    let Some(mut server) = NatsServer::start() else { return };
    block_in_place(|| server.stop());
    let bus = instance_of("one", &server);
    let (mut heard, mut reports, mut departures) = (bus.subscribe(), bus.reports(), bus.revocations());
    block_in_place(|| server.start_again());
    // When it comes itself, and when the other one does.
    for newcomer in [false, true] {
        let _newcomer = newcomer.then(|| instance_of("one", &server));
        next_missed(&mut heard).await;
        next_missed(&mut reports).await;
        next_missed(&mut departures).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn user_and_password_are_those_of_the_address() {
    let secret = format!("s3cr%t{}", random());
    let Some(server) = NatsServer::start_with(&["--user", "m@e", "--pass", &secret]) else { return };
    let at = |user: &str| NatsAddress::parse(&server.url().replace("//", &format!("//{user}@"))).unwrap();
    let bus = instance_at(at(&format!("m%40e:{}", secret.replace('%', "%25"))), "one");
    let stranger = instance_at(at("m%40e:wrong"), "one");
    let nobody = instance_of("one", &server);
    until("who knows the password is let in", || bus.hears_others()).await;
    for bus in [stranger, nobody] {
        let notice = LiveNotice::MeetingChanged(MeetingId::new(&CountingIds::new()));
        let mut heard = bus.subscribe();
        bus.publish(notice).await;
        assert_eq!(heard.next().now_or_never(), Some(Some(Some(notice))), "an instance goes on alone");
        assert!(!bus.hears_others());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_alone_is_a_token() {
    let secret = format!("t0k%n{}", random());
    let Some(server) = NatsServer::start_with(&["--auth", &secret]) else { return };
    let address = server.url().replace("//", &format!("//{}@", secret.replace('%', "%25")));
    let bus = instance_at(NatsAddress::parse(&address).unwrap(), "one");
    until("who knows the token is let in", || bus.hears_others()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_falls_silent_is_noticed_and_one_that_goes_on_is_heard_again() {
    let Some(server) = NatsServer::start() else { return };
    let (buses, mut heard, ids) = pair(&server).await;
    server.pause();
    until("the silence is noticed", || !buses[0].hears_others() && !buses[1].hears_others()).await;
    server.resume();
    until("both are connected again", || buses[0].hears_others() && buses[1].hears_others()).await;
    let notice = LiveNotice::MeetingChanged(MeetingId::new(&ids));
    let arrives = async {
        loop {
            buses[0].publish(notice).await;
            if timeout(AGAIN, until_heard(&mut heard[1], notice)).await.is_ok() {
                return;
            }
        }
    };
    timeout(PATIENCE, arrives).await.expect("they hear one another again");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_cut_to_what_the_server_takes_and_a_larger_one_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nats.conf");
    std::fs::write(&file, "max_payload: 1024\nmax_pending: 1MB\n").unwrap();
    let Some(server) = NatsServer::start_with(&["--config", file.to_str().unwrap()]) else { return };
    let (buses, _heard, ids) = pair(&server).await;
    let mut reports = buses[1].reports();
    until("its measure is known", || buses[0].most_in_a_report() < 64).await;
    let most = buses[0].most_in_a_report();
    let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
    let all = |number: u64, count: usize| {
        let voters = (0..count).map(|_| EndUserId::new(&ids)).collect();
        PresenceReport { instance, meeting, number, news: PresenceNews::All { part: 0, parts: 1, voters } }
    };
    buses[0].report(all(1, 2 * most));
    let fitting = all(2, most);
    buses[0].report(fitting.clone());
    assert_eq!(next(&mut reports).await, fitting);
    assert!(buses[0].hears_others() && buses[1].hears_others());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_starts_can_wait_until_the_others_have_told_and_waits_for_nobody_without_nats() {
    let Some(mut server) = NatsServer::start() else { return };
    let (buses, _heard, ids) = pair(&server).await;
    let [teller, _] = buses;
    let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
    let news = PresenceNews::All { part: 0, parts: 1, voters: vec![EndUserId::new(&ids)] };
    let report = PresenceReport { instance, meeting, number: 1, news };
    let told = report.clone();
    let telling = tokio::spawn(async move {
        let mut asked = teller.reports();
        while let Some(item) = asked.next().await {
            if item.is_none() {
                teller.report(told.clone());
            }
        }
    });
    let newcomer = instance_of("one", &server);
    let mut reports = newcomer.reports();
    newcomer.first_reports(PATIENCE).await;
    assert_eq!(next_now(&mut reports), Some(report));
    telling.abort();
    assert!(newcomer.first_reports(PATIENCE).now_or_never().is_some(), "the time that they need is over");

    block_in_place(|| server.stop());
    let lonely = instance_of("one", &server);
    lonely.first_reports(Duration::from_millis(100)).await;
    assert!(!lonely.hears_others());
}
