//! The contract of every [`ClientReportSource`](crate::ClientReportSource).

use chrono::TimeDelta;
use plenum_kernel::{Page, PageRequest, VotingWeight};
use rust_decimal::Decimal;

use super::{SeedMeeting, SeedRound, SeedStatus, Stores, search};
use crate::testkit::Samples;
use crate::{Client, ClientFilter, ClientReport, ClientSort, ClientStatus, EndUser, EndUserStats, MeetingCounts};

async fn all(stores: &Stores) -> Vec<ClientReport> {
    stores.reports.list(&ClientFilter::default()).await.unwrap().rows
}

fn nothing_of(client: &Client) -> ClientReport {
    ClientReport {
        client: client.clone(),
        end_users: EndUserStats::default(),
        meetings: MeetingCounts::default(),
        questions: 0,
        rounds: 0,
        votes_cast: 0,
        last_activity_at: None,
    }
}

/// It has no last activity either.
pub async fn an_empty_client_is_reported_with_zeros(stores: &Stores) {
    let samples = Samples::new();
    assert_eq!(all(stores).await, []);
    let client = stores.with_client(&samples, "club").await;
    assert_eq!(all(stores).await, [nothing_of(&client)]);
}

/// Weights are exact, and votes of all writers in all rounds count.
pub async fn all_data_of_a_client_is_counted_and_no_other_data(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    let empty = stores.with_client(&samples, "empty").await;
    for (username, weight, is_active) in [("a", "0.1", true), ("b", "0.2", true), ("c", "33.3333", false)] {
        let weight = VotingWeight::new(weight.parse::<Decimal>().unwrap()).unwrap();
        stores.add_end_user(EndUser { weight, is_active, ..samples.end_user(&client, username) }).await;
    }
    stores.with_end_user(&samples, &other, "a").await;
    for (of, status) in [
        (&client, SeedStatus::Scheduled),
        (&client, SeedStatus::Active),
        (&client, SeedStatus::Active),
        (&client, SeedStatus::Completed),
        (&client, SeedStatus::Cancelled),
        (&other, SeedStatus::Completed),
    ] {
        let meeting = SeedMeeting { status, ..samples.meeting(of, "Assembly") };
        stores.foreign.add_meeting(meeting.clone()).await;
        for number in 0..2 {
            let question = samples.question(&meeting, &format!("{number}?"));
            stores.foreign.add_question(question.clone()).await;
            if number == 0 && status == SeedStatus::Completed {
                for votes_by_writer in [vec![100, 31], vec![], vec![2]] {
                    let round = SeedRound { votes_by_writer, ..samples.round(&question) };
                    let round = SeedRound { ended_at: Some(round.opened_at), ..round };
                    stores.foreign.add_round(round).await;
                }
            }
        }
    }
    let reports = all(stores).await;
    let codes: Vec<_> = reports.iter().map(|report| report.client.code.as_str()).collect();
    assert_eq!(codes, ["empty", "other", "club"]);
    let expected = ClientReport {
        end_users: EndUserStats { total: 3, active: 2, inactive: 1, total_weight: Decimal::new(3, 1) },
        meetings: MeetingCounts { total: 5, active: 2, completed: 1 },
        questions: 10,
        rounds: 3,
        votes_cast: 133,
        last_activity_at: reports[2].last_activity_at,
        ..nothing_of(&client)
    };
    assert_eq!(reports[2], expected);
    let expected = ClientReport {
        end_users: EndUserStats { total: 1, active: 1, inactive: 0, total_weight: Decimal::ONE },
        meetings: MeetingCounts { total: 1, active: 0, completed: 1 },
        questions: 2,
        rounds: 3,
        votes_cast: 133,
        last_activity_at: reports[1].last_activity_at,
        ..nothing_of(&other)
    };
    assert_eq!(reports[1], expected);
    assert_eq!(reports[0], nothing_of(&empty));
}

/// Each kind of event in turn, while another client is active.
pub async fn the_last_activity_is_the_newest_event_of_the_feed(stores: &Stores) {
    let samples = Samples::new();
    let client = samples.client("club");
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    let other = stores.with_client(&samples, "other").await;
    let mut end_user = samples.end_user(&other, "anna");
    end_user.created_at = samples.now() + TimeDelta::days(1);
    stores.add_end_user(end_user).await;
    let mut last = None;
    for step in 0..7 {
        let meeting = samples.meeting(&client, "Assembly");
        let question = samples.question(&meeting, "?");
        let round = samples.round(&question);
        // After all earlier events.
        let at = samples.now() + TimeDelta::hours(step);
        match step {
            0 => stores.add_end_user(EndUser { created_at: at, ..samples.end_user(&client, "anna") }).await,
            1 => {
                let mut session = samples.session(admin.person(), "first");
                session.first_token.issued_at = at;
                stores.sessions.open(session).await.unwrap();
            }
            2 => stores.foreign.add_meeting(SeedMeeting { created_at: at, ..meeting }).await,
            3 => stores.foreign.add_meeting(SeedMeeting { started_at: Some(at), ..meeting }).await,
            4 => stores.foreign.add_meeting(SeedMeeting { ended_at: Some(at), ..meeting }).await,
            _ => {
                stores.foreign.add_meeting(meeting).await;
                stores.foreign.add_question(question).await;
                let (opened_at, ended_at) = if step == 5 { (at, None) } else { (round.opened_at, Some(at)) };
                stores.foreign.add_round(SeedRound { opened_at, ended_at, ..round }).await;
            }
        }
        let newest = stores.activity.of_client(client.id, 1).await.unwrap().pop().map(|activity| activity.at);
        assert!(newest > last, "step {step} is the newest");
        let reports = all(stores).await;
        assert_eq!(reports[1].last_activity_at, newest, "step {step}");
        last = newest;
    }
}

/// By name, code and contact address, by status, ordered by name, with the total of all matches.
pub async fn reports_are_searched_filtered_sorted_and_paged_as_clients_are(stores: &Stores) {
    let samples = Samples::new();
    for (code, status) in
        [("ant", ClientStatus::Active), ("Bee", ClientStatus::Suspended), ("cat", ClientStatus::Active)]
    {
        let client = Client { status, ..samples.client(&code.to_lowercase()) };
        stores.add_client(&samples, client).await;
    }
    let page = Some(PageRequest { page: 2, page_size: 1 });
    for filter in [
        ClientFilter::default(),
        ClientFilter { search: search("CONTACT@bee"), ..ClientFilter::default() },
        ClientFilter { search: search("%"), ..ClientFilter::default() },
        ClientFilter { status: Some(ClientStatus::Active), page, ..ClientFilter::default() },
        ClientFilter { sort: ClientSort::NameAscending, page, ..ClientFilter::default() },
        ClientFilter { sort: ClientSort::NameDescending, ..ClientFilter::default() },
    ] {
        let Page { rows, total } = stores.clients.list(&filter).await.unwrap();
        let expected = Page { rows: rows.iter().map(|row| nothing_of(&row.client)).collect(), total };
        assert_eq!(stores.reports.list(&filter).await.unwrap(), expected, "{filter:?}");
    }
}
