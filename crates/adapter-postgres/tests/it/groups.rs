//! Groups of many people.

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresClients, PostgresEndUsers, PostgresGroups};
use plenum_clients::testkit::Samples;
use plenum_clients::{
    ClientStore as _, EndUserChanges, EndUserFilter, EndUserStore as _, EndUserUpdate, Group, GroupName,
    GroupStore as _, ImportedPeople,
};
use plenum_kernel::{GroupId, NamedGroup};

/// 160,000 memberships are too many for the memory in which the database could compare them.
#[tokio::test]
async fn an_import_changes_the_groups_of_twenty_thousand_people() {
    let database = TestDatabase::fresh().await;
    let samples = Samples::new();
    let client = samples.client("club");
    let owner = client.id;
    PostgresClients::new(database.db()).add(client.clone(), samples.admin_of(&client)).await.unwrap();
    let groups = PostgresGroups::new(database.db());
    let mut named = Vec::new();
    for number in 0..9 {
        let name = GroupName::parse(&format!("Group {number}")).unwrap();
        let group = Group { id: GroupId::new(samples.ids()), client_id: owner, name };
        named.push(NamedGroup::from(&group));
        groups.add(group).await.unwrap();
    }
    let people_in_eight_groups = format!(
        "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
             SELECT md5('person ' || n)::uuid, '{owner}', 'voter' || n, 'Voter', 1, true, 'hash', now()
             FROM generate_series(1, 20000) AS n;
         INSERT INTO group_members (client_id, group_id, end_user_id)
             SELECT '{owner}', groups.id, end_users.id FROM groups CROSS JOIN end_users WHERE groups.name <> 'Group 8'"
    );
    database.connection().batch_execute(&people_in_eight_groups).unwrap();

    let end_users = PostgresEndUsers::new(database.db());
    let people = end_users.list(owner, &EndUserFilter::default()).await.unwrap().rows;
    let changed = people.iter().map(|person| {
        let changes = EndUserChanges { groups: Some(named[1..].to_vec()), ..EndUserChanges::default() };
        EndUserUpdate { id: person.id, changes, password: None }
    });
    let import = ImportedPeople { changed: changed.collect(), ..ImportedPeople::default() };
    end_users.import(owner, import, samples.now()).await.unwrap();
    let members: Vec<u64> = groups.list(owner).await.unwrap().iter().map(|known| known.members).collect();
    let mut expected = [20_000; 9];
    expected[0] = 0;
    assert_eq!(members, expected);
}
