//! The contract of [`crate::RoundStore`] on registers and on the vote of one voter.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{ClientId, EndUserId, MeetingId, PageRequest, QuestionType, RoundId, SearchText};
use rust_decimal::Decimal;

use super::scene::wording;
use super::{Scene, SeedMeeting, SeedVoter, VotingFixture};
use crate::{RegisterEntry, RegisterFilter, VoterQuestion};

const ALL: RegisterFilter =
    RegisterFilter { search: None, has_voted: None, page: PageRequest { page: 1, page_size: 200 } };

fn searching(text: &str) -> RegisterFilter {
    RegisterFilter { search: SearchText::parse(text), ..ALL }
}

/// A scene whose voters have these names.
async fn hall(fixture: &dyn VotingFixture, names: &[&str]) -> Scene {
    let mut scene = Scene::with_voters(fixture, 0).await;
    for (number, name) in names.iter().enumerate() {
        let id = EndUserId::new(&scene.ids);
        let voter = SeedVoter {
            client: scene.client,
            id,
            username: format!("user-{number}"),
            name: (*name).to_owned(),
            weight: Decimal::new(15, 1),
            is_active: true,
        };
        fixture.add_voter(voter).await;
        scene.voters.push(id);
    }
    scene
}

async fn entries(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    round: RoundId,
    filter: RegisterFilter,
) -> (Vec<RegisterEntry>, u64) {
    let page = fixture.rounds().register(scene.client, scene.meeting, round, &filter).await;
    let page = page.expect("the store answers").expect("the round is there");
    (page.rows, page.total)
}

async fn names(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId, filter: RegisterFilter) -> Vec<String> {
    entries(fixture, scene, round, filter).await.0.into_iter().map(|entry| entry.name).collect()
}

pub async fn a_register_lists_by_name_whether_each_person_has_voted(fixture: &dyn VotingFixture) {
    let scene = hall(fixture, &["clara", "Ada", "Ben"]).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[1], scene.no()).await;
    let (rows, total) = entries(fixture, &scene, round, ALL).await;
    let ada = RegisterEntry {
        end_user_id: scene.voters[1],
        name: "Ada".to_owned(),
        username: "user-1".to_owned(),
        weight: Decimal::new(15, 1),
        second_weight: None,
        has_voted: true,
        cast_on: None,
        holder: None,
    };
    assert_eq!((&rows[0], total), (&ada, 3));
    let listed: Vec<_> = rows.iter().map(|entry| (entry.name.as_str(), entry.has_voted)).collect();
    assert_eq!(listed, [("Ada", true), ("Ben", false), ("clara", false)]);
    assert_eq!(names(fixture, &scene, round, RegisterFilter { has_voted: Some(true), ..ALL }).await, ["Ada"]);
    let missing = RegisterFilter { has_voted: Some(false), ..ALL };
    assert_eq!(names(fixture, &scene, round, missing.clone()).await, ["Ben", "clara"]);
    scene.end(fixture).await;
    assert_eq!(entries(fixture, &scene, round, missing).await.1, 2);
}

pub async fn a_register_is_searched_and_shown_in_pages(fixture: &dyn VotingFixture) {
    let scene = hall(fixture, &["Ada 100%", "Ada_B", "Ben", "Clara", "Dora"]).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    assert_eq!(names(fixture, &scene, round, searching("ADA")).await, ["Ada 100%", "Ada_B"]);
    assert_eq!(names(fixture, &scene, round, searching("%")).await, ["Ada 100%"]);
    assert_eq!(names(fixture, &scene, round, searching("a_")).await, ["Ada_B"]);
    assert_eq!(names(fixture, &scene, round, searching("user-3")).await, ["Clara"]);
    let missing = RegisterFilter { has_voted: Some(false), ..searching("ada") };
    assert_eq!(names(fixture, &scene, round, missing).await, ["Ada_B"]);
    let mut seen = Vec::new();
    for page in 1..=3 {
        let page = PageRequest { page, page_size: 2 };
        let (rows, total) =
            entries(fixture, &scene, round, RegisterFilter { page, has_voted: Some(false), ..ALL }).await;
        assert_eq!(total, 4);
        seen.push(rows.into_iter().map(|entry| entry.name).collect::<Vec<_>>());
    }
    assert_eq!(seen, [vec!["Ada_B", "Ben"], vec!["Clara", "Dora"], vec![]]);
}

pub async fn a_register_keeps_deleted_people(fixture: &dyn VotingFixture) {
    let scene = hall(fixture, &["Ada", "Ben"]).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    for voter in &scene.voters {
        fixture.remove_voter(*voter).await;
    }
    assert_eq!(names(fixture, &scene, round, ALL).await, ["Ada", "Ben"]);
    assert_eq!(names(fixture, &scene, round, RegisterFilter { has_voted: Some(true), ..ALL }).await, ["Ada"]);
}

pub async fn another_clients_register_looks_missing(fixture: &dyn VotingFixture) {
    let scene = hall(fixture, &["Ada"]).await;
    let round = scene.open(fixture).await;
    let (rounds, stranger, own) = (fixture.rounds(), ClientId::new(&scene.ids), MeetingId::new(&scene.ids));
    fixture.add_meeting(SeedMeeting { client: stranger, id: own, has_participant_list: false }).await;
    for (client, meeting, round) in [
        (stranger, scene.meeting, round),
        (stranger, own, round),
        (scene.client, own, round),
        (scene.client, scene.meeting, RoundId::new(&scene.ids)),
    ] {
        assert_eq!(rounds.register(client, meeting, round, &ALL).await.expect("the store answers"), None);
    }
}

pub async fn a_vote_is_found_in_its_round_and_nowhere_else(fixture: &dyn VotingFixture) {
    let scene = hall(fixture, &["Ada", "Ben"]).await;
    let round = scene.open(fixture).await;
    let (ada, ben) = (scene.voters[0], scene.voters[1]);
    let ballot = scene.ballot(round, ada, scene.no());
    fixture.ballot_box().cast(ballot.clone()).await.expect("the box answers");
    let rounds = fixture.rounds();
    for is_open in [true, false] {
        let found = rounds.vote_in(scene.voter_question(ada), round).await;
        let found = found.expect("the store answers").expect("the vote is there");
        assert_eq!((found.id, found.answer, found.cast_at), (ballot.vote_id, scene.no(), Some(ballot.cast_at)));
        if is_open {
            scene.end(fixture).await;
        }
    }
    let (stranger, elsewhere) = (ClientId::new(&scene.ids), MeetingId::new(&scene.ids));
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let of_ada = scene.voter_question(ada);
    for (question, round) in [
        (VoterQuestion { client: stranger, ..of_ada }, round),
        (VoterQuestion { meeting: elsewhere, ..of_ada }, round),
        (VoterQuestion { question: other, ..of_ada }, round),
        (of_ada, RoundId::new(&scene.ids)),
        (VoterQuestion { voter: ben, ..of_ada }, round),
    ] {
        let found = rounds.vote_in(question, round).await;
        assert_eq!(found.expect("the store answers"), None);
    }
}
