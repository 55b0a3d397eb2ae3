//! Test data in statistics: the same rules for all stores that count.

use chrono::TimeDelta;
use plenum_kernel::Page;

use super::{SeedMeeting, SeedQuestion, SeedRound, SeedStatus, Stores, person};
use crate::EndUserUpdate;
use crate::testkit::Samples;
use crate::{
    Activity, ChangeClientError, Client, ClientChanges, ClientFilter, ClientName, ClientReport, ClientStats, EndUser,
    EndUserChanges, EndUserFilter, EndUserStats, PersonName, SessionStats, Username,
};

const PLENTY: u32 = 100;

/// The statistics of all clients.
#[derive(Debug, PartialEq)]
struct PlatformStats {
    clients: ClientStats,
    sessions: SessionStats,
    activity: Vec<Activity>,
    reports: Page<ClientReport>,
}

impl PlatformStats {
    async fn read(stores: &Stores, samples: &Samples) -> Self {
        Self {
            clients: stores.clients.stats().await.unwrap(),
            sessions: stores.sessions.stats(samples.now()).await.unwrap(),
            activity: stores.activity.of_platform(PLENTY).await.unwrap(),
            reports: stores.reports.list(&ClientFilter::default()).await.unwrap(),
        }
    }
}

/// The statistics of one client.
#[derive(Debug, PartialEq)]
struct OwnStats {
    end_users: EndUserStats,
    activity: Vec<Activity>,
    /// The end users in exports.
    counted: Page<EndUser>,
    end_user_count: u64,
    meeting_count: u64,
}

impl OwnStats {
    async fn read(stores: &Stores, client: &Client) -> Self {
        let filter = EndUserFilter { counted_only: true, ..EndUserFilter::default() };
        let overview = stores.clients.find(client.id).await.unwrap().unwrap();
        Self {
            end_users: stores.end_users.stats(client.id).await.unwrap(),
            activity: stores.activity.of_client(client.id, PLENTY).await.unwrap(),
            counted: stores.end_users.list(client.id, &filter).await.unwrap(),
            end_user_count: overview.end_user_count,
            meeting_count: overview.meeting_count,
        }
    }
}

/// An end user with this username and name who has signed in.
async fn sample_person(stores: &Stores, samples: &Samples, client: &Client, (username, name): (&str, &str)) -> EndUser {
    let name = PersonName::parse(name).unwrap();
    let end_user = EndUser { name, ..samples.end_user(client, username) };
    stores.add_end_user(end_user.clone()).await;
    stores.with_session(samples, person(&end_user), &format!("{username} of {}", client.code)).await;
    end_user
}

/// An ended meeting with a question that was never opened.
async fn meeting_without_round(stores: &Stores, samples: &Samples, client: &Client, title: &str) -> SeedQuestion {
    let meeting = samples.meeting(client, title);
    let (started_at, ended_at) = (meeting.created_at, meeting.created_at + TimeDelta::hours(1));
    let status = SeedStatus::Completed;
    let meeting = SeedMeeting { status, started_at: Some(started_at), ended_at: Some(ended_at), ..meeting };
    stores.foreign.add_meeting(meeting.clone()).await;
    let question = samples.question(&meeting, &format!("{title}?"));
    stores.foreign.add_question(question.clone()).await;
    question
}

/// An ended meeting with a round and votes.
async fn meeting(stores: &Stores, samples: &Samples, client: &Client, title: &str) {
    let question = meeting_without_round(stores, samples, client, title).await;
    let round = samples.round(&question);
    let ended_at = Some(round.opened_at + TimeDelta::minutes(1));
    stores.foreign.add_round(SeedRound { ended_at, votes_by_writer: vec![2, 3], ..round }).await;
}

async fn try_rename(stores: &Stores, samples: &Samples, client: &Client, name: &str) -> Result<(), ChangeClientError> {
    let name = Some(ClientName::parse(name).unwrap());
    let changes = ClientChanges { name, ..ClientChanges::default() };
    stores.clients.update(client.id, changes, None, samples.now()).await
}

async fn rename(stores: &Stores, samples: &Samples, client: &Client, name: &str) {
    try_rename(stores, samples, client, name).await.unwrap();
}

/// A client with this name that is test data, with a signed-in administrator and people.
async fn test_client_without_meeting(stores: &Stores, samples: &Samples, name: &str) -> Client {
    let client = Client { name: ClientName::parse(name).unwrap(), ..samples.client("test") };
    let admin = samples.admin_of(&client);
    stores.clients.add(client.clone(), admin.clone()).await.unwrap();
    stores.with_session(samples, admin.person(), "administrator of a test").await;
    sample_person(stores, samples, &client, ("cleo", "Cleo")).await;
    sample_person(stores, samples, &client, ("dora", "TEST_Dora")).await;
    client
}

/// The same with meetings and their data.
async fn test_client(stores: &Stores, samples: &Samples, name: &str) -> Client {
    let client = test_client_without_meeting(stores, samples, name).await;
    meeting(stores, samples, &client, "Assembly").await;
    meeting(stores, samples, &client, "TEST_Assembly").await;
    client
}

/// Test data is recognized by name or username, and takes all its data with it. It stays in the list, so that it can be
/// found.
pub async fn test_data_changes_no_statistics_of_a_real_client(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    sample_person(stores, &samples, &club, ("anna", "Anna")).await;
    meeting(stores, &samples, &club, "Assembly").await;
    let (platform, own) = (PlatformStats::read(stores, &samples).await, OwnStats::read(stores, &club).await);
    assert_eq!((own.end_user_count, own.meeting_count, own.counted.total), (1, 1, 1));
    for (username, name) in [("bert", "TEST_Bert"), ("TEST_cleo", "Cleo"), ("TEST_dora", "TEST_Dora")] {
        sample_person(stores, &samples, &club, (username, name)).await;
    }
    for title in ["TEST_Assembly", "TEST_"] {
        meeting(stores, &samples, &club, title).await;
    }
    assert_eq!(PlatformStats::read(stores, &samples).await, platform);
    assert_eq!(OwnStats::read(stores, &club).await, own);
    let listed = stores.end_users.list(club.id, &EndUserFilter::default()).await.unwrap();
    let tests: Vec<_> = listed.rows.iter().filter(|listed| listed.is_test()).map(|one| one.username.as_str()).collect();
    assert_eq!((listed.total, tests), (4, vec!["TEST_cleo", "bert", "TEST_dora"]));
}

/// Also not in reports and recent events. It stays in the list of clients.
pub async fn a_test_client_counts_in_its_own_statistics_only(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    sample_person(stores, &samples, &club, ("anna", "Anna")).await;
    meeting(stores, &samples, &club, "Assembly").await;
    let platform = PlatformStats::read(stores, &samples).await;
    let test = test_client(stores, &samples, "TEST_CLIENT_1").await;
    assert_eq!(PlatformStats::read(stores, &samples).await, platform);
    let own = OwnStats::read(stores, &test).await;
    assert_eq!((own.end_users.total, own.end_user_count, own.counted.total, own.meeting_count), (2, 2, 2, 2));
    assert_eq!(
        own.activity.len(),
        12,
        "a sign-in, an addition of two, and five things of each meeting: {:?}",
        own.activity
    );
    assert_eq!(stores.clients.list(&ClientFilter::default()).await.unwrap().total, 2);
    stores.clients.remove(test.id, samples.now()).await.unwrap();
    assert_eq!(PlatformStats::read(stores, &samples).await, platform);
}

/// And data that gets a test name no longer counts. No round was opened in the client.
pub async fn renamed_test_data_counts(stores: &Stores) {
    let samples = Samples::new();
    let club = stores.with_client(&samples, "club").await;
    let anna = sample_person(stores, &samples, &club, ("anna", "TEST_Anna")).await;
    let test = test_client_without_meeting(stores, &samples, "TEST_CLIENT_1").await;
    for title in ["Assembly", "TEST_Assembly"] {
        meeting_without_round(stores, &samples, &test, title).await;
    }
    let figures = async || {
        let PlatformStats { clients, sessions, activity, reports } = PlatformStats::read(stores, &samples).await;
        let votes: Vec<u64> = reports.rows.iter().map(|report| report.votes_cast).collect();
        (clients.total, sessions.total(), activity.len(), reports.total, votes)
    };
    let (of_tests, of_all) = ((1, 0, 1, 1, vec![0]), (2, 2, 7, 2, vec![0, 0]));
    assert_eq!(figures().await, of_tests);
    rename(stores, &samples, &test, "Sailing Club").await;
    assert_eq!(figures().await, of_all, "what is called a test in it is one now");
    rename(stores, &samples, &test, "TEST_CLIENT_1").await;
    assert_eq!(figures().await, of_tests);

    let own = async || stores.end_users.stats(club.id).await.unwrap().total;
    assert_eq!(own().await, 0);
    let name = Some(PersonName::parse("Anna").unwrap());
    let changes = EndUserChanges { name, ..EndUserChanges::default() };
    stores
        .end_users
        .update(club.id, EndUserUpdate { id: anna.id, changes, password: None }, samples.now())
        .await
        .unwrap();
    assert_eq!(own().await, 1);
    let username = Some(Username::parse("TEST_anna").unwrap());
    let changes = EndUserChanges { username, ..EndUserChanges::default() };
    stores
        .end_users
        .update(club.id, EndUserUpdate { id: anna.id, changes, password: None }, samples.now())
        .await
        .unwrap();
    assert_eq!(own().await, 0);
}

/// Results of its meetings bear the mark. Rounds of other clients settle nothing.
pub async fn a_client_in_which_a_round_was_opened_keeps_its_mark(stores: &Stores) {
    let samples = Samples::new();
    for (code, name, other) in [("a", "Rowing Club", "TEST_Rowing Club"), ("b", "TEST_CLIENT_1", "Sailing Club")] {
        let client = Client { name: ClientName::parse(name).unwrap(), ..samples.client(code) };
        stores.add_client(&samples, client.clone()).await;
        let question = meeting_without_round(stores, &samples, &client, "Assembly").await;
        rename(stores, &samples, &client, other).await;
        rename(stores, &samples, &client, name).await;
        stores.foreign.add_round(samples.round(&question)).await;
        let before = stores.clients.find(client.id).await.unwrap();
        let refused = try_rename(stores, &samples, &client, other).await;
        assert!(matches!(refused, Err(ChangeClientError::TestMarkSettled)), "{refused:?}");
        assert_eq!(stores.clients.find(client.id).await.unwrap(), before);
        rename(stores, &samples, &client, &format!("{name} 1897")).await;
    }
}

/// The name must begin with the prefix, in capitals.
pub async fn a_similar_name_is_no_test_data(stores: &Stores) {
    let samples = Samples::new();
    for (code, name) in [("a", "test_club"), ("b", "My TEST_club"), ("c", "TEST club")] {
        let client = Client { name: ClientName::parse(name).unwrap(), ..samples.client(code) };
        stores.add_client(&samples, client.clone()).await;
        sample_person(stores, &samples, &client, ("test_anna", name)).await;
        sample_person(stores, &samples, &client, ("TEST_anna-2", name)).await;
        meeting(stores, &samples, &client, name).await;
        let own = OwnStats::read(stores, &client).await;
        assert_eq!((own.end_user_count, own.meeting_count), (1, 1), "{name}");
    }
    assert_eq!(stores.clients.stats().await.unwrap().total, 3);
    assert_eq!(stores.sessions.stats(samples.now()).await.unwrap().end_users, 3);
}
