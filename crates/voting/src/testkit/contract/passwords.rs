//! The contract of stores of end users with rounds, on passwords that somebody other than the voter sets.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{Clock, EndUserId, LogEntryId, QuestionType, RoundId};

use super::scene::wording;
use super::{Scene, SeedPassword, VotingFixture};
use crate::{LogEntry, LogKind, Reason, RegisterChange};

/// The organizer sets passwords of these voters, a second after whatever was before. Returns whether it was permitted.
async fn set(fixture: &dyn VotingFixture, scene: &Scene, voters: &[EndUserId], reason: Option<&str>) -> bool {
    scene.clock.advance(TimeDelta::seconds(1));
    fixture.set_passwords(scene.client, voters, password(scene, reason, scene.clock.now())).await
}

/// A password of the scene's organizer.
fn password(scene: &Scene, reason: Option<&str>, now: DateTime<Utc>) -> SeedPassword {
    SeedPassword { by: scene.organizer, reason: reason.map(str::to_owned), now }
}

/// The entries about passwords in the log of a round.
async fn passwords(fixture: &dyn VotingFixture, round: RoundId) -> Vec<LogEntry> {
    let log = fixture.log_of(round).await;
    log.into_iter().filter(|entry| entry.kind == LogKind::PasswordSet).collect()
}

fn names(entries: &[LogEntry]) -> Vec<&str> {
    entries.iter().filter_map(|entry| entry.person.as_ref()).map(|person| person.username.as_str()).collect()
}

pub async fn a_password_that_is_set_in_an_open_round_is_logged_with_its_reason(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let round = scene.open(fixture).await;
    // The log names people as the register does.
    fixture.rename_voter(scene.voters[0], "renamed").await;
    assert!(set(fixture, &scene, &[scene.voters[2], scene.voters[0]], Some("Lost the letter")).await);
    assert!(set(fixture, &scene, &[scene.voters[0]], Some("Lost it again")).await);
    let logged = passwords(fixture, round).await;
    assert_eq!(names(&logged), ["voter-1", "voter-3", "voter-1"], "by name within one moment");
    assert_eq!(logged.iter().map(|entry| entry.by.as_deref()).collect::<Vec<_>>(), [Some("Anna Berg"); 3]);
    let reasons: Vec<_> = logged.iter().map(|entry| entry.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("Lost the letter"), Some("Lost the letter"), Some("Lost it again")]);
    assert_eq!(logged[2].at, scene.clock.now());
    scene.end(fixture).await;
    let kinds: Vec<_> = fixture.log_of(round).await.into_iter().map(|entry| entry.kind).collect();
    let between = [LogKind::PasswordSet; 3];
    assert_eq!(kinds, [&[LogKind::Opened], &between[..], &[LogKind::Ended]].concat());
}

pub async fn without_a_reason_no_password_is_set_in_an_open_round(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    let late = scene.add_voter(fixture).await;
    assert!(!set(fixture, &scene, &[scene.voters[0]], None).await);
    assert!(!set(fixture, &scene, &[late, scene.voters[1]], None).await, "one of them is in the register");
    assert!(set(fixture, &scene, &[late], None).await, "the register lacks the latecomer");
    assert_eq!(passwords(fixture, round).await, []);
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    scene.open(fixture).await;
    assert_eq!(passwords(fixture, round).await, [], "what was refused is not told later");
}

pub async fn only_open_rounds_log_a_password(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    assert!(set(fixture, &scene, &scene.voters, None).await, "nothing is open yet");
    let first = scene.open(fixture).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let second = scene.open_question(fixture, other).await;
    assert!(set(fixture, &scene, &scene.voters, Some("Lost the letter")).await);
    scene.end(fixture).await;
    assert!(set(fixture, &scene, &scene.voters, None).await, "nothing is open any more");
    assert_eq!(passwords(fixture, first).await, []);
    assert_eq!(names(&passwords(fixture, second).await), ["voter-1", "voter-2"]);
}

pub async fn a_round_for_tests_needs_no_reason_and_logs_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.rename_meeting(scene.meeting, "TEST_Assembly").await;
    let round = scene.open(fixture).await;
    assert!(set(fixture, &scene, &scene.voters, None).await);
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    assert!(set(fixture, &scene, &scene.voters, None).await);
    scene.open(fixture).await;
    assert_eq!(passwords(fixture, round).await, []);
}

/// Also on a clock that stands still or runs late.
pub async fn a_password_that_was_set_while_a_round_was_closed_is_logged_when_it_reopens(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[2], scene.yes()).await;
    let early = scene.clock.now() - TimeDelta::seconds(9);
    let early_password = |reason| password(&scene, reason, early);
    assert!(fixture.set_passwords(scene.client, &[scene.voters[2]], early_password(Some("In the open round"))).await);
    scene.end(fixture).await;
    assert!(fixture.set_passwords(scene.client, &[scene.voters[1], scene.voters[0]], early_password(None)).await);
    assert_eq!(passwords(fixture, round).await.len(), 1);
    // Whoever has the new password can change it as the voter does.
    fixture.change_own_password(scene.client, scene.voters[0]).await;
    assert_eq!(scene.open(fixture).await, round);
    scene.end(fixture).await;
    scene.open(fixture).await;
    let log = fixture.log_of(round).await;
    let told: Vec<_> = log
        .iter()
        .map(|entry| {
            (entry.kind, entry.person.as_ref().map(|person| person.username.as_str()), entry.reason.as_deref())
        })
        .collect();
    let expected = [
        (LogKind::Opened, None, None),
        (LogKind::PasswordSet, Some("voter-3"), Some("In the open round")),
        (LogKind::Ended, None, None),
        (LogKind::PasswordSet, Some("voter-1"), None),
        (LogKind::PasswordSet, Some("voter-2"), None),
        (LogKind::Reopened, None, None),
        (LogKind::Ended, None, None),
        (LogKind::Reopened, None, None),
    ];
    assert_eq!(told, expected);
    assert_eq!(log[3].by.as_deref(), Some("Anna Berg"));
}

/// Otherwise the log would tell of somebody who is neither in the register nor leaves it later.
pub async fn a_password_of_somebody_who_was_excluded_before_is_not_logged_at_a_reopening(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[2], scene.yes()).await;
    scene.end(fixture).await;
    exclude(fixture, &scene, scene.voters[0]).await;
    // Who has voted stays in the register.
    exclude(fixture, &scene, scene.voters[2]).await;
    assert!(set(fixture, &scene, &scene.voters, None).await);
    exclude(fixture, &scene, scene.voters[1]).await;
    assert_eq!(scene.open(fixture).await, round);
    assert_eq!(names(&passwords(fixture, round).await), ["voter-2", "voter-3"]);
}

/// The organizer excludes a voter from the scene's question, a second after whatever was before.
async fn exclude(fixture: &dyn VotingFixture, scene: &Scene, end_user: EndUserId) {
    scene.clock.advance(TimeDelta::seconds(1));
    let reason = Reason::parse("Conflict of interest").expect("a reason");
    let (at, log_entry) = (scene.clock.now(), LogEntryId::new(&scene.ids));
    let change = RegisterChange { end_user, reason, by: scene.organizer, at, log_entry };
    let excluded = fixture.register_changes().exclude(scene.client, scene.meeting, scene.question, change).await;
    excluded.expect("nothing forbids it");
}
