//! Secret rounds whose rows somebody with access to the database has changed.

use chrono::TimeDelta;
use diesel::connection::SimpleConnection as _;
use plenum_kernel::{RoundId, Secrecy};
use plenum_voting::testkit::contract::{Scene, SeedTerms, VotingFixture};
use plenum_voting::{Answer, Envelope, ResultStep, ResultStepError, RoundOpening, UrnKeys as _};

use crate::voting_contract::fixture::PostgresVoting;

/// A scene with an ended secret round with one vote.
async fn ended() -> (PostgresVoting, Scene, RoundId) {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    fixture.set_terms(scene.question, SeedTerms { secrecy: Secrecy::Secret, ..SeedTerms::default() }).await;
    let opening = scene.opening(scene.question);
    let round = opening.new_round;
    let key = fixture.urn_keys().prepare(round).await.unwrap();
    fixture.rounds().open(RoundOpening { key: Some(key), accepts_risk: true, ..opening }).await.unwrap();
    let size = scene.find(&fixture, round).await.round.wording.envelope_size();
    let answer = Answer::Sealed(Some(Envelope([vec![1], vec![0; size - 1]].concat())));
    scene.cast(&fixture, round, scene.voters[0], answer).await;
    scene.end(&fixture).await;
    scene.clock.advance(TimeDelta::seconds(1));
    (fixture, scene, round)
}

#[tokio::test]
async fn without_its_share_or_its_urn_a_secret_round_is_never_counted_like_another() {
    for table in ["urn_shares", "urns"] {
        let (fixture, scene, round) = ended().await;
        let removal = format!("DELETE FROM {table} WHERE round_id = '{round}'");
        fixture.database().connection().batch_execute(&removal).unwrap();
        let counting = ResultStep { accepts_risk: true, ..scene.result_step(round) };
        let refused = fixture.results().mark_counted(counting).await;
        assert!(matches!(refused, Err(ResultStepError::KeyMissing)), "{table}: {refused:?}");
        assert!(scene.find(&fixture, round).await.round.counted_at.is_none(), "{table}");
    }
}
