//! The contract of [`crate::CurationStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use futures_util::future::join_all;
use plenum_kernel::{QuestionType, RoundId};

use super::scene::wording;
use super::{Scene, VotingFixture};
use crate::{
    Answer, AnswerCuration, AnswerGroup, AnswerId, CurateError, CurationChange, CurationRule, GroupName, StoredCuration,
};

/// A counted round of a text question, with two answers.
async fn counted(fixture: &dyn VotingFixture, scene: &Scene) -> RoundId {
    let words = wording(&scene.ids, QuestionType::OpenText, &[]);
    let question = scene.add_question(fixture, 2, words).await;
    let round = scene.open_question(fixture, question).await;
    scene.cast(fixture, round, scene.voters[0], Answer::Text("Trees".to_owned())).await;
    scene.cast(fixture, round, scene.voters[1], Answer::Text("Benches".to_owned())).await;
    scene.end(fixture).await;
    scene.count(fixture, round).await;
    round
}

fn curation() -> AnswerCuration {
    let name = GroupName::parse("Nature \"and\" more").expect("it is short");
    AnswerCuration {
        is_shown: true,
        picked: vec![AnswerId::of("Water")],
        groups: vec![AnswerGroup { name, answers: vec![AnswerId::of("Trees"), AnswerId::of("Oaks")] }],
        hidden: vec![AnswerId::of("Benches")],
    }
}

fn change(scene: &Scene, round: RoundId, seen: u32, curation: AnswerCuration) -> CurationChange {
    CurationChange { owner: scene.client, meeting: scene.meeting, round, seen, curation }
}

async fn found(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> StoredCuration {
    fixture.curations().find(scene.client, scene.meeting, round).await.expect("the store answers")
}

pub async fn a_round_that_nobody_has_curated_has_version_0(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene).await;
    assert_eq!(found(fixture, &scene, round).await, StoredCuration::default());
}

pub async fn a_curation_is_read_as_it_was_stored(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene).await;
    let step = scene.step(fixture).await;
    let stored = StoredCuration { version: 1, curation: curation() };
    let first = fixture.curations().replace(change(&scene, round, 0, curation())).await.expect("it is counted");
    assert_eq!(first, (stored.clone(), true));
    assert_eq!(found(fixture, &scene, round).await, stored);
    // The response to the first request may have been lost.
    let again = fixture.curations().replace(change(&scene, round, 0, curation())).await.expect("it is a repeat");
    assert_eq!(again, (stored, false));
    let empty = fixture.curations().replace(change(&scene, round, 1, AnswerCuration::default())).await;
    let emptied = StoredCuration { version: 2, curation: AnswerCuration::default() };
    assert_eq!(empty.expect("it is the last version"), (emptied.clone(), true));
    assert_eq!(found(fixture, &scene, round).await, emptied);
    assert_eq!(scene.step(fixture).await, step);
}

pub async fn a_curation_of_an_older_version_is_refused_and_changes_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene).await;
    fixture.curations().replace(change(&scene, round, 0, curation())).await.expect("it is the first one");
    for seen in [0, 2] {
        let refused = fixture.curations().replace(change(&scene, round, seen, AnswerCuration::default())).await;
        assert!(matches!(refused, Err(CurateError::Rule(CurationRule::Stale))), "{refused:?}");
    }
    assert_eq!(found(fixture, &scene, round).await, StoredCuration { version: 1, curation: curation() });
}

pub async fn one_of_many_concurrent_curations_is_stored(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene).await;
    let curations = fixture.curations();
    let racers = (0..8).map(|racer| {
        let hidden = vec![AnswerId::of(&format!("Answer {racer}"))];
        let curation = AnswerCuration { hidden, ..AnswerCuration::default() };
        curations.replace(change(&scene, round, 0, curation))
    });
    let outcomes = join_all(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let is_stale = |outcome: &_| matches!(outcome, Err(CurateError::Rule(CurationRule::Stale)));
    assert_eq!(outcomes.iter().filter(|outcome| is_stale(outcome)).count(), 7, "{outcomes:?}");
    assert_eq!(found(fixture, &scene, round).await.version, 1);
}

pub async fn a_declared_round_can_be_curated_and_its_record_stays(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene).await;
    fixture.results().declare(scene.result_step(round)).await.expect("it is counted");
    let records = fixture.result_records();
    let record = records.load(scene.client, scene.meeting, vec![round]).await.expect("the store answers");
    let declared = scene.find(fixture, round).await;
    fixture.curations().replace(change(&scene, round, 0, curation())).await.expect("it is declared");
    assert_eq!(records.load(scene.client, scene.meeting, vec![round]).await.expect("the store answers"), record);
    assert_eq!(scene.find(fixture, round).await, declared);
    assert_eq!(found(fixture, &scene, round).await.version, 1);
}

pub async fn a_round_that_was_voted_on_again_is_not_curated(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene).await;
    let question = scene.find(fixture, round).await.round.question_id;
    scene.revote(fixture, question).await.expect("it has ended");
    let refused = fixture.curations().replace(change(&scene, round, 0, curation())).await;
    assert!(matches!(refused, Err(CurateError::Rule(CurationRule::Superseded))), "{refused:?}");
    assert_eq!(found(fixture, &scene, round).await, StoredCuration::default());
}

pub async fn another_clients_curation_looks_missing(fixture: &dyn VotingFixture) {
    let (scene, other) = (Scene::with_voters(fixture, 2).await, Scene::with_voters(fixture, 2).await);
    let round = counted(fixture, &scene).await;
    fixture.curations().replace(change(&scene, round, 0, curation())).await.expect("it is the own one");
    assert_eq!(found(fixture, &other, round).await, StoredCuration::default());
    let own = change(&scene, round, 1, AnswerCuration::default());
    for foreign in [
        change(&other, round, 1, AnswerCuration::default()),
        CurationChange { owner: other.client, ..own.clone() },
        CurationChange { meeting: other.meeting, ..own.clone() },
        CurationChange { round: RoundId::new(&scene.ids), ..own },
    ] {
        let refused = fixture.curations().replace(foreign).await;
        assert!(matches!(refused, Err(CurateError::RoundNotFound)), "{refused:?}");
    }
    assert_eq!(found(fixture, &scene, round).await, StoredCuration { version: 1, curation: curation() });
}
