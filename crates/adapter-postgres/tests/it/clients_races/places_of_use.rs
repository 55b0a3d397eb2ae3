//! Groups and kinds of weight in use are not deleted.

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresClients, PostgresGroups, PostgresWeightKinds};
use plenum_clients::testkit::Samples;
use plenum_clients::{
    Client, ClientStore as _, Group, GroupName, GroupStore as _, PlaceOfUse, RemoveGroupError, RemoveWeightKindError,
    WeightKindStore as _,
};
use plenum_kernel::{GroupId, WeightKindId};

use super::{until_someone_waits, until_waiting};

/// A client with a group and a kind of weight.
struct Owner {
    client: Client,
    group: GroupId,
    kind: WeightKindId,
}

struct Scene {
    database: TestDatabase,
    samples: Samples,
}

impl Scene {
    async fn new() -> Self {
        Self { database: TestDatabase::fresh().await, samples: Samples::new() }
    }

    fn groups(&self) -> PostgresGroups {
        PostgresGroups::new(self.database.db())
    }

    fn kinds(&self) -> PostgresWeightKinds {
        PostgresWeightKinds::new(self.database.db())
    }

    async fn owner(&self, code: &str) -> Owner {
        let client = self.samples.client(code);
        PostgresClients::new(self.database.db()).add(client.clone(), self.samples.admin_of(&client)).await.unwrap();
        let group = Group {
            id: GroupId::new(self.samples.ids()),
            client_id: client.id,
            name: GroupName::parse("Owners").unwrap(),
        };
        let id = group.id;
        self.groups().add(group).await.unwrap();
        let kind = self.samples.weight_kind("Shares");
        let kind_id = kind.id;
        self.kinds().add(client.id, kind, self.samples.now()).await.unwrap();
        Owner { client, group: id, kind: kind_id }
    }

    /// Adds a meeting, one second after the one before it, and a question.
    fn add_meeting(&self, owner: &Owner, number: u32) {
        let client = owner.client.id;
        self.run(&format!(
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, \
                                   is_recurring, has_participant_list, created_at) \
             VALUES (md5('{client} {number}')::uuid, '{client}', 'Meeting {number}', 'DRAFT', now(), \
                     now() + interval '1 hour', false, false, timestamptz '2030-01-01' + {number} * interval '1 s'); \
             INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at) \
             SELECT md5('question ' || id)::uuid, client_id, id, 1, 'Agreed?', 'OPEN_TEXT', true, created_at \
             FROM meetings WHERE title = 'Meeting {number}' AND client_id = '{client}'"
        ));
    }

    fn run(&self, statements: &str) {
        self.database.connection().batch_execute(statements).unwrap();
    }

    /// The places that keep the group, and those that keep the kind, with the numbers of others.
    async fn refusals(&self, owner: &Owner) -> [(Vec<PlaceOfUse>, u64); 2] {
        let group = match self.groups().remove(owner.client.id, owner.group).await {
            Err(RemoveGroupError::InUse { places, more }) => (places, more),
            other => panic!("{other:?}"),
        };
        let kind = match self.kinds().remove(owner.client.id, owner.kind).await {
            Err(RemoveWeightKindError::InUse { places, more }) => (places, more),
            other => panic!("{other:?}"),
        };
        [group, kind]
    }
}

fn meeting(number: u32) -> PlaceOfUse {
    PlaceOfUse::Meeting(format!("Meeting {number}"))
}

#[tokio::test]
async fn the_newest_places_are_named_and_the_others_counted() {
    let scene = Scene::new().await;
    let (club, other) = (scene.owner("club").await, scene.owner("other").await);
    for number in 1..=7 {
        scene.add_meeting(&club, number);
        scene.add_meeting(&other, number);
    }
    let (group, kind) = (club.group, club.kind);
    scene.run(&format!(
        "UPDATE meetings SET group_ids = '{{{group}}}', weight_kind_id = '{kind}' WHERE client_id = '{}'",
        club.client.id
    ));
    let newest: Vec<PlaceOfUse> = [7, 6, 5, 4, 3].map(meeting).into();
    assert_eq!(scene.refusals(&club).await, [(newest.clone(), 2), (newest, 2)]);
    // What another client has keeps nothing of this one, and a client never sees the other one's.
    scene.groups().remove(other.client.id, other.group).await.unwrap();
    scene.kinds().remove(other.client.id, other.kind).await.unwrap();
    let foreign = scene.groups().remove(other.client.id, group).await;
    assert!(matches!(foreign, Err(RemoveGroupError::NotFound)), "{foreign:?}");
    let foreign = scene.kinds().remove(other.client.id, kind).await;
    assert!(matches!(foreign, Err(RemoveWeightKindError::NotFound)), "{foreign:?}");
}

#[tokio::test]
async fn questions_and_rules_keep_a_group_and_both_weights_of_a_question_a_kind() {
    let scene = Scene::new().await;
    let club = scene.owner("club").await;
    scene.add_meeting(&club, 1);
    let (group, kind) = (club.group, club.kind);
    let question = PlaceOfUse::Question { question: "Agreed?".to_owned(), meeting: "Meeting 1".to_owned() };
    let asked = (vec![question], 0);
    for (of_group, of_kind) in [
        (format!("group_ids = '{{{group}}}'"), format!("weight_kind_id = '{kind}'")),
        (
            format!("decision_rule = '{{\"kind\":\"majority\",\"inEach\":[\"{group}\"]}}'"),
            format!("second_weight_kind_id = '{kind}'"),
        ),
    ] {
        scene.run(&format!("UPDATE questions SET {of_group}, {of_kind}"));
        assert_eq!(scene.refusals(&club).await, [asked.clone(), asked.clone()], "{of_group}");
        scene.run(
            "UPDATE questions SET group_ids = '{}', decision_rule = NULL, weight_kind_id = NULL, second_weight_kind_id = NULL",
        );
    }
    scene.groups().remove(club.client.id, group).await.unwrap();
    scene.kinds().remove(club.client.id, kind).await.unwrap();
}

#[tokio::test]
async fn a_deletion_waits_for_a_meeting_that_is_being_stored() {
    let scene = Scene::new().await;
    let club = scene.owner("club").await;
    scene.add_meeting(&club, 1);
    let (client, group, kind) = (club.client.id, club.group, club.kind);
    let mut writer = scene.database.connection();
    // As a writer of meetings: locks what the meeting refers to, and stores it.
    writer
        .batch_execute(&format!(
            "BEGIN; SELECT FROM groups WHERE id = '{group}' FOR KEY SHARE; \
             SELECT FROM weight_kinds WHERE id = '{kind}' FOR KEY SHARE; \
             UPDATE meetings SET group_ids = '{{{group}}}', weight_kind_id = '{kind}'"
        ))
        .unwrap();
    let groups = scene.groups();
    let deletion = tokio::spawn(async move { groups.remove(client, group).await });
    until_someone_waits(&scene.database).await;
    let kinds = scene.kinds();
    let second = tokio::spawn(async move { kinds.remove(client, kind).await });
    until_waiting(&scene.database, 2).await;
    writer.batch_execute("COMMIT").unwrap();
    let refused = deletion.await.unwrap();
    assert!(matches!(refused, Err(RemoveGroupError::InUse { .. })), "{refused:?}");
    let refused = second.await.unwrap();
    assert!(matches!(refused, Err(RemoveWeightKindError::InUse { .. })), "{refused:?}");
}
