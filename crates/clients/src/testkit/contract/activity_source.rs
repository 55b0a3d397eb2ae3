//! The contract of every [`ActivitySource`](crate::ActivitySource).

use chrono::{DateTime, TimeDelta, Utc};

use super::{SeedMeeting, SeedRound, Stores, person};
use crate::testkit::Samples;
use crate::{Account, Activity, ActivityKind, Client, ClientReference, PersonName};

const PLENTY: u32 = 100;

/// The times and kinds of a client's events.
async fn events(stores: &Stores, client: &Client) -> Vec<(DateTime<Utc>, ActivityKind)> {
    let listed = stores.activity.of_client(client.id, PLENTY).await.unwrap();
    listed.into_iter().map(|activity| (activity.at, activity.kind)).collect()
}

fn reference(client: &Client) -> Option<ClientReference> {
    let Client { id, name, code, status, .. } = client.clone();
    Some(ClientReference { id, name, code, status })
}

/// A meeting that was started and ended, with an ended round.
async fn with_meeting(stores: &Stores, samples: &Samples, client: &Client, title: &str) -> (SeedMeeting, SeedRound) {
    let meeting = samples.meeting(client, title);
    let started_at = meeting.created_at + TimeDelta::hours(1);
    let meeting =
        SeedMeeting { started_at: Some(started_at), ended_at: Some(started_at + TimeDelta::hours(2)), ..meeting };
    stores.foreign.add_meeting(meeting.clone()).await;
    let question = samples.question(&meeting, &format!("{title}?"));
    stores.foreign.add_question(question.clone()).await;
    let opened_at = started_at + TimeDelta::minutes(1);
    let round = SeedRound { opened_at, ended_at: Some(opened_at + TimeDelta::minutes(5)), ..samples.round(&question) };
    stores.foreign.add_round(round.clone()).await;
    (meeting, round)
}

/// The creation of a client is not an event of its own feed.
pub async fn a_new_client_has_no_events(stores: &Stores) {
    let samples = Samples::new();
    assert_eq!(stores.activity.of_platform(PLENTY).await.unwrap(), []);
    let client = stores.with_client(&samples, "club").await;
    assert_eq!(events(stores, &client).await, []);
    assert_eq!(events(stores, &samples.client("never-stored")).await, []);
}

/// With their number, active or not.
pub async fn end_users_added_at_one_time_are_one_event(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let first = stores.with_end_user(&samples, &client, "first").await;
    let at = samples.now() + TimeDelta::minutes(1);
    for (username, is_active) in [("a", true), ("b", false), ("c", true)] {
        let mut end_user = samples.end_user(&client, username);
        (end_user.created_at, end_user.is_active) = (at, is_active);
        stores.add_end_user(end_user).await;
    }
    let added = |number| ActivityKind::EndUsersAdded { number };
    assert_eq!(events(stores, &client).await, [(at, added(3)), (first.created_at, added(1))]);
}

/// End users added at one moment are an event of their own also then.
pub async fn end_users_added_within_ten_minutes_are_one_event(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let start = samples.now();
    let minute = |minutes| start + TimeDelta::minutes(minutes);
    for (username, at) in [("a", 0), ("b", 5), ("c", 6), ("d", 6), ("e", 11), ("f", 30)] {
        let mut end_user = samples.end_user(&client, username);
        end_user.created_at = minute(at);
        stores.add_end_user(end_user).await;
    }
    let added = |at, number| (minute(at), ActivityKind::EndUsersAdded { number });
    let expected = [added(30, 1), added(11, 2), added(6, 2), added(0, 1)];
    assert_eq!(events(stores, &client).await, expected);
    let platform = stores.activity.of_platform(PLENTY).await.unwrap();
    let platform = platform.into_iter().filter(|activity| activity.kind != ActivityKind::ClientCreated);
    assert_eq!(platform.map(|activity| (activity.at, activity.kind)).collect::<Vec<_>>(), expected);
}

/// As far as it has come.
pub async fn a_meeting_reports_its_creation_start_and_end(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let title = || "Assembly".to_owned();
    let meeting = samples.meeting(&client, &title());
    let (created_at, started_at) = (meeting.created_at, meeting.created_at + TimeDelta::hours(1));
    let ended_at = started_at + TimeDelta::hours(1);
    let planned = samples.meeting(&client, "Planned only");
    stores.foreign.add_meeting(planned.clone()).await;
    let meeting = SeedMeeting { started_at: Some(started_at), ended_at: Some(ended_at), ..meeting };
    stores.foreign.add_meeting(meeting).await;
    let expected = [
        (ended_at, ActivityKind::MeetingEnded { title: title() }),
        (started_at, ActivityKind::MeetingStarted { title: title() }),
        (planned.created_at, ActivityKind::MeetingCreated { title: planned.title }),
        (created_at, ActivityKind::MeetingCreated { title: title() }),
    ];
    assert_eq!(events(stores, &client).await, expected);
}

/// Of all writers, once the round has ended. An open round only reports its opening.
pub async fn a_round_reports_how_many_voted(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let meeting = samples.meeting(&client, "Assembly");
    stores.foreign.add_meeting(meeting.clone()).await;
    let mut expected = vec![(meeting.created_at, ActivityKind::MeetingCreated { title: meeting.title.clone() })];
    for (text, votes_by_writer, is_over) in [("A?", vec![100, 31], true), ("B?", vec![], true), ("C?", vec![7], false)]
    {
        let question = samples.question(&meeting, text);
        stores.foreign.add_question(question.clone()).await;
        let round = SeedRound { register_heads: 180, votes_by_writer, ..samples.round(&question) };
        let round = SeedRound { ended_at: is_over.then(|| samples.round(&question).opened_at), ..round };
        expected.push((round.opened_at, ActivityKind::RoundOpened { question: text.to_owned() }));
        expected.extend(round.ended_at.map(|at| {
            let votes_cast = round.votes_by_writer.iter().copied().map(u64::from).sum();
            (at, ActivityKind::RoundEnded { question: text.to_owned(), votes_cast, register_heads: 180 })
        }));
        stores.foreign.add_round(round).await;
    }
    expected.reverse();
    assert_eq!(events(stores, &client).await, expected);
}

/// Each account has only its last sign-in.
pub async fn the_last_sign_in_of_each_account_is_an_event_and_of_voters_none(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = Account { last_name: PersonName::parse("Berg").unwrap(), ..samples.admin_of(&client) };
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let voter = stores.with_end_user(&samples, &client, "anna").await;
    stores.with_session(&samples, admin.person(), "first").await;
    stores.with_session(&samples, admin.person(), "second").await;
    let at = samples.now();
    stores.with_session(&samples, person(&voter), "third").await;
    let expected = [
        (at, ActivityKind::AccountSignedIn { name: "Ada Berg".to_owned() }),
        (voter.created_at, ActivityKind::EndUsersAdded { number: 1 }),
    ];
    assert_eq!(events(stores, &client).await, expected);
}

/// All kinds of events together, on the platform and in a client.
pub async fn the_newest_events_come_first_up_to_the_limit(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    stores.with_end_user(&samples, &client, "anna").await;
    stores.with_end_user(&samples, &client, "bert").await;
    with_meeting(stores, &samples, &client, "First").await;
    with_meeting(stores, &samples, &client, "Second").await;
    stores.with_session(&samples, admin.person(), "first").await;
    for is_platform in [false, true] {
        let first = async |limit| match is_platform {
            true => stores.activity.of_platform(limit).await.unwrap(),
            false => stores.activity.of_client(client.id, limit).await.unwrap(),
        };
        let all = first(PLENTY).await;
        assert_eq!(all.len(), if is_platform { 13 } else { 12 });
        assert!(all.is_sorted_by(|one, other| one.at > other.at), "{all:?}");
        for limit in 0..=all.len() {
            assert_eq!(first(limit as u32).await, all[..limit], "{limit}");
        }
    }
}

/// The end of a round comes before the end of its meeting, and before the opening of the next round.
pub async fn events_of_one_moment_are_in_their_natural_order(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    stores.with_session(&samples, admin.person(), "first").await;
    let at = samples.now();
    let mut end_user = samples.end_user(&client, "anna");
    end_user.created_at = at;
    stores.add_end_user(end_user).await;
    let meeting = samples.meeting(&client, "M");
    let meeting = SeedMeeting { created_at: at, started_at: Some(at), ended_at: Some(at), ..meeting };
    stores.foreign.add_meeting(meeting.clone()).await;
    let question = samples.question(&meeting, "Q");
    stores.foreign.add_question(question.clone()).await;
    stores.foreign.add_round(SeedRound { opened_at: at, ended_at: Some(at), ..samples.round(&question) }).await;
    let (title, question) = (|| "M".to_owned(), || "Q".to_owned());
    let expected = [
        ActivityKind::MeetingEnded { title: title() },
        ActivityKind::RoundOpened { question: question() },
        ActivityKind::RoundEnded { question: question(), votes_cast: 0, register_heads: 0 },
        ActivityKind::MeetingStarted { title: title() },
        ActivityKind::MeetingCreated { title: title() },
        ActivityKind::EndUsersAdded { number: 1 },
        ActivityKind::AccountSignedIn { name: "Ada Lovelace".to_owned() },
    ];
    let listed: Vec<_> = events(stores, &client).await.into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(listed, expected);
    let platform = stores.activity.of_platform(expected.len() as u32).await.unwrap();
    assert_eq!(platform.into_iter().map(|activity| activity.kind).collect::<Vec<_>>(), expected);
}

/// For each kind of event, also when two clients act at the same time.
pub async fn a_client_sees_no_events_of_another(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    stores.with_session(&samples, root.person(), "of root").await;
    let clients = [samples.client("one"), samples.client("two")];
    let at = samples.now() + TimeDelta::minutes(1);
    for client in &clients {
        let admin = samples.admin_of(client);
        let admin = Account { last_name: PersonName::parse(client.code.as_str()).unwrap(), ..admin };
        stores.clients.add(client.clone(), admin.clone()).await.unwrap();
        for number in 0..if client.code.as_str() == "one" { 1 } else { 2 } {
            let mut end_user = samples.end_user(client, &format!("anna-{number}"));
            end_user.created_at = at;
            stores.add_end_user(end_user).await;
        }
        with_meeting(stores, &samples, client, client.code.as_str()).await;
        stores.with_session(&samples, admin.person(), client.code.as_str()).await;
    }
    for (client, number) in clients.iter().zip([1, 2]) {
        let code = client.code.as_str();
        let mut mine = 0;
        for Activity { kind, client: named, .. } in stores.activity.of_client(client.id, PLENTY).await.unwrap() {
            let is_mine = match &kind {
                ActivityKind::ClientCreated => false,
                ActivityKind::AccountSignedIn { name } => *name == format!("Ada {code}"),
                ActivityKind::EndUsersAdded { number: added } => *added == number,
                ActivityKind::MeetingCreated { title }
                | ActivityKind::MeetingStarted { title }
                | ActivityKind::MeetingEnded { title } => title == code,
                ActivityKind::RoundOpened { question } | ActivityKind::RoundEnded { question, .. } => {
                    *question == format!("{code}?")
                }
            };
            assert!(is_mine, "{code} sees {kind:?}");
            assert_eq!(named, reference(client));
            mine += 1;
        }
        assert_eq!(mine, 7);
    }
}

/// With the client; super administrators have none. Inactive clients are included.
pub async fn the_platform_sees_all_events_with_their_clients(stores: &Stores) {
    let samples = Samples::new();
    let root = samples.super_admin("root@example.org");
    stores.accounts.add(root.clone()).await.unwrap();
    stores.with_session(&samples, root.person(), "of root").await;
    let mut expected = vec![(samples.now(), ActivityKind::AccountSignedIn { name: "Ada Lovelace".to_owned() }, None)];
    let mut clients = Vec::new();
    for code in ["one", "two"] {
        let mut client = samples.client(code);
        client.status = if code == "one" { crate::ClientStatus::Suspended } else { crate::ClientStatus::Active };
        stores.add_client(&samples, client.clone()).await;
        expected.push((client.created_at, ActivityKind::ClientCreated, reference(&client)));
        clients.push(client);
    }
    let at = samples.now() + TimeDelta::minutes(1);
    for (place, client) in clients.iter().enumerate() {
        // At the same time in both clients, and still separate events.
        for number in 0..=place {
            let mut end_user = samples.end_user(client, &format!("anna-{number}"));
            end_user.created_at = at;
            stores.add_end_user(end_user).await;
        }
        let number = place as u64 + 1;
        expected.push((at, ActivityKind::EndUsersAdded { number }, reference(client)));
    }
    let listed = stores.activity.of_platform(PLENTY).await.unwrap();
    let listed: Vec<_> = listed.into_iter().map(|activity| (activity.at, activity.kind, activity.client)).collect();
    assert_eq!(listed.len(), expected.len());
    assert!(expected.iter().all(|activity| listed.contains(activity)), "{listed:?}");
}

/// End users, and clients with all their data.
pub async fn removed_data_has_no_events(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    stores.with_end_user(&samples, &client, "bert").await;
    with_meeting(stores, &samples, &client, "Assembly").await;
    let added = async || {
        let added = events(stores, &client).await.into_iter().filter_map(|(_, kind)| match kind {
            ActivityKind::EndUsersAdded { number } => Some(number),
            _ => None,
        });
        added.collect::<Vec<_>>()
    };
    assert_eq!((events(stores, &client).await.len(), added().await), (6, vec![2]));
    stores.end_users.remove(client.id, anna.id).await.unwrap();
    assert_eq!((events(stores, &client).await.len(), added().await), (6, vec![1]));
    stores.clients.remove(client.id, samples.now()).await.unwrap();
    assert_eq!(events(stores, &client).await, []);
    let left = stores.activity.of_platform(PLENTY).await.unwrap();
    let expected = Activity { at: other.created_at, kind: ActivityKind::ClientCreated, client: reference(&other) };
    assert_eq!(left, [expected]);
}
