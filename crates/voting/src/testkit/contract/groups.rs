//! The contract of rounds for groups.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{
    Clock, DecisionRule, EndUserId, GroupId, LogEntryId, Majority, NamedGroup, PageRequest, RoundId, Units,
};
use rust_decimal::Decimal;

use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    AdmissionRule, AdmitError, CastOutcome, Decision, ForecastScope, Reason, RegisterChange, RegisterFilter,
    RoundOpening, RoundResult,
};

pub(super) async fn group(fixture: &dyn VotingFixture, scene: &Scene, name: &str, members: &[EndUserId]) -> GroupId {
    let id = GroupId::new(&scene.ids);
    fixture.add_group(scene.client, NamedGroup { id, name: name.to_owned() }, members).await;
    id
}

/// The people in the register, in the order of the scene.
async fn registered(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> Vec<usize> {
    let page = PageRequest { page: 1, page_size: 100 };
    let filter = RegisterFilter { search: None, has_voted: None, page };
    let found = fixture.rounds().register(scene.client, scene.meeting, round, &filter).await;
    let found = found.expect("the store answers").expect("the round is there").rows;
    let place = |id: EndUserId| scene.voters.iter().position(|voter| *voter == id).expect("a voter of the scene");
    let mut places: Vec<usize> = found.into_iter().map(|entry| place(entry.end_user_id)).collect();
    places.sort_unstable();
    places
}

pub async fn the_register_has_the_members_of_the_groups_of_meeting_and_question(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 5).await;
    let v = &scene.voters;
    let members = group(fixture, &scene, "Members", &v[..4]).await;
    let guests = group(fixture, &scene, "Guests", &v[4..]).await;
    let delegates = group(fixture, &scene, "Delegates", &[v[0], v[2], v[4]]).await;
    fixture.set_meeting_groups(scene.meeting, &[members]).await;
    let round = scene.open(fixture).await;
    assert_eq!(registered(fixture, &scene, round).await, [0, 1, 2, 3]);
    scene.end(fixture).await;
    fixture.set_question_groups(scene.question, &[delegates]).await;
    let round = scene.open(fixture).await;
    assert_eq!(registered(fixture, &scene, round).await, [0, 2]);
    let found = scene.find(fixture, round).await.round;
    assert_eq!((found.register.heads, found.register.weight), (2, Decimal::new(15_001, 4)));
    scene.end(fixture).await;
    fixture.set_meeting_groups(scene.meeting, &[members, guests]).await;
    let round = scene.open(fixture).await;
    assert_eq!(registered(fixture, &scene, round).await, [0, 2, 4]);
}

pub async fn a_person_in_two_groups_is_registered_once(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let one = group(fixture, &scene, "One", &scene.voters[..2]).await;
    let two = group(fixture, &scene, "Two", &scene.voters[1..]).await;
    fixture.set_question_groups(scene.question, &[one, two]).await;
    let round = scene.open(fixture).await;
    assert_eq!(registered(fixture, &scene, round).await, [0, 1, 2]);
    assert_eq!(scene.find(fixture, round).await.round.register.heads, 3);
}

pub async fn a_round_keeps_the_names_of_its_groups(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let names = async |round| scene.find(fixture, round).await.round.groups;
    let round = scene.open(fixture).await;
    assert_eq!(names(round).await, [""; 0]);
    scene.end(fixture).await;
    let units = group(fixture, &scene, "Units", &scene.voters).await;
    let delegates = group(fixture, &scene, "delegates", &scene.voters).await;
    fixture.set_meeting_groups(scene.meeting, &[units]).await;
    let round = scene.open(fixture).await;
    assert_eq!(names(round).await, ["Units"], "the meeting decides if the question does not");
    scene.end(fixture).await;
    fixture.set_question_groups(scene.question, &[units, delegates]).await;
    let round = scene.open(fixture).await;
    assert_eq!(names(round).await, ["delegates", "Units"]);
    fixture.set_question_groups(scene.question, &[]).await;
    fixture.set_meeting_groups(scene.meeting, &[]).await;
    assert_eq!(names(round).await, ["delegates", "Units"]);
}

pub async fn a_question_for_an_empty_group_has_an_empty_register(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let empty = group(fixture, &scene, "Nobody", &[]).await;
    fixture.set_question_groups(scene.question, &[empty]).await;
    let round = scene.open(fixture).await;
    assert_eq!(registered(fixture, &scene, round).await, [0; 0]);
}

pub async fn a_reopening_adds_new_members_and_keeps_those_who_left(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let v = &scene.voters;
    let units = group(fixture, &scene, "Units", &v[..2]).await;
    fixture.set_question_groups(scene.question, &[units]).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, v[0], scene.yes()).await;
    scene.end(fixture).await;
    fixture.set_member(units, v[0], false).await;
    fixture.set_member(units, v[2], true).await;
    let again = scene.open(fixture).await;
    let last = scene.screen(fixture).await.question.and_then(|question| question.last_round);
    assert_eq!(last.map(|last| last.round.id), Some(round), "not {again}");
    assert_eq!(registered(fixture, &scene, round).await, [0, 1, 2]);
}

pub async fn somebody_outside_the_groups_is_not_admitted(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 2).await;
    let v = scene.voters.clone();
    let members = group(fixture, &scene, "Members", &v).await;
    let delegates = group(fixture, &scene, "Delegates", &v[..1]).await;
    fixture.set_meeting_groups(scene.meeting, &[members]).await;
    fixture.set_question_groups(scene.question, &[delegates]).await;
    let round = scene.open(fixture).await;
    let late = scene.add_voter(fixture).await;
    let admit = async |voter| {
        scene.clock.advance(TimeDelta::seconds(1));
        let reason = Reason::parse("Came late").expect("a reason");
        let (at, log_entry) = (scene.clock.now(), LogEntryId::new(&scene.ids));
        let change = RegisterChange { end_user: voter, reason, by: scene.organizer, at, log_entry };
        fixture.register_changes().admit(scene.client, scene.meeting, round, change).await
    };
    let outside = |refused| matches!(refused, Err(AdmitError::Rule(AdmissionRule::OutsideGroups)));
    assert!(outside(admit(v[1]).await) && outside(admit(late).await));
    fixture.set_member(delegates, late, true).await;
    assert!(outside(admit(late).await), "outside of the meeting's groups");
    fixture.set_member(members, late, true).await;
    admit(late).await.expect("a member by now");
    fixture.set_member(delegates, v[1], true).await;
    admit(v[1]).await.expect("a member by now");
    assert_eq!(registered(fixture, &scene, round).await, [0, 1, 2]);
}

pub async fn a_member_who_is_not_in_the_register_casts_no_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let units = group(fixture, &scene, "Units", &scene.voters[..1]).await;
    fixture.set_question_groups(scene.question, &[units]).await;
    let round = scene.open(fixture).await;
    fixture.set_member(units, scene.voters[1], true).await;
    assert_eq!(scene.cast(fixture, round, scene.voters[1], scene.yes()).await, CastOutcome::NotInRegister);
    fixture.set_member(units, scene.voters[0], false).await;
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
}

pub async fn a_forecast_knows_the_weights_of_the_members(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let members = group(fixture, &scene, "Members", &scene.voters[..3]).await;
    let units = group(fixture, &scene, "Units", &scene.voters[1..]).await;
    fixture.set_meeting_groups(scene.meeting, &[members]).await;
    let people = async |groups: &[GroupId]| {
        let found = fixture
            .rounds()
            .eligible_weights(
                scene.client,
                scene.meeting,
                &ForecastScope { groups: groups.to_vec(), weight_kind: None },
            )
            .await;
        found.expect("the store answers").expect("the meeting is known").iter().map(|(_, people)| people).sum::<u64>()
    };
    assert_eq!((people(&[]).await, people(&[units]).await, people(&[units, members]).await), (3, 2, 3));
}

pub async fn a_rule_is_measured_in_each_of_its_groups(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 6).await;
    let v = &scene.voters;
    let owners = group(fixture, &scene, "Owners", &v[..4]).await;
    let tenants = group(fixture, &scene, "Tenants", &v[3..5]).await;
    let rule = Majority::simple(Units::Heads).in_each_of(vec![owners, tenants]).map(DecisionRule::Majority).ok();
    fixture.set_terms(scene.question, SeedTerms { rule, ..SeedTerms::default() }).await;
    let opening = RoundOpening { connected: vec![v[0], v[3]], ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    // Who leaves or joins a group during the vote changes nothing in it.
    fixture.set_member(tenants, v[4], false).await;
    fixture.set_member(tenants, v[5], true).await;
    for (voter, answer) in [(0, scene.yes()), (1, scene.yes()), (3, scene.no()), (4, scene.yes()), (5, scene.yes())] {
        scene.cast(fixture, round, v[voter], answer).await;
    }
    scene.end(fixture).await;
    let found = scene.find(fixture, round).await;
    let names: Vec<(&str, u64, u64)> =
        found.terms.groups.iter().map(|of| (of.name.as_str(), of.register.heads, of.connected.heads)).collect();
    assert_eq!(names, [("Owners", 4, 2), ("Tenants", 2, 1)]);
    let votes = scene.votes_of(fixture, round).await;
    let result = RoundResult::of(found.round, found.terms, &votes, None);
    let counted: Vec<(u64, u64, u64)> = result
        .groups
        .iter()
        .map(|of| (of.present.heads, of.votes_cast.heads, of.options.first().map_or(0, |yes| yes.count.heads)))
        .collect();
    // One yes and one no of the tenants, and 4 of 5 in total.
    assert_eq!(counted, [(3, 3, 2), (2, 2, 1)]);
    assert_eq!(result.decision, Decision::Rejected);
}
