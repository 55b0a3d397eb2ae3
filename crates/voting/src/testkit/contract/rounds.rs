//! The contract of [`crate::RoundStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{ClientId, Clock, EndUserId, MeetingId, QuestionId, QuestionType, RoundId, Secrecy};
use rust_decimal::Decimal;

use super::scene::wording;
use super::{Scene, SeedMeeting, SeedQuestion, SeedVoter, VotingFixture};
use crate::{
    CastOutcome, Count, CurrentQuestion, LogKind, OpenRoundError, OpeningRule, Round, RoundOpening, RoundStatus,
    Screen, ScreenChange, VoterAgenda,
};

async fn find(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> Option<Round> {
    let found = fixture.results().find(scene.client, scene.meeting, round).await;
    found.expect("the store answers").map(|found| found.round)
}

async fn screen(fixture: &dyn VotingFixture, scene: &Scene) -> Screen {
    let screen = fixture.rounds().screen(scene.client, scene.meeting).await.expect("the store answers");
    screen.expect("the meeting is known")
}

async fn current(fixture: &dyn VotingFixture, scene: &Scene) -> Option<CurrentQuestion> {
    screen(fixture, scene).await.question
}

pub async fn opening_freezes_the_question_and_the_register(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let id = scene.open(fixture).await;
    let opened_at = scene.clock.now();
    fixture.reword(scene.question, "Something else?").await;
    let round = find(fixture, &scene, id).await.expect("the round is there");
    let expected = Round {
        id,
        client_id: scene.client,
        meeting_id: scene.meeting,
        question_id: scene.question,
        number: 1,
        status: RoundStatus::Open,
        wording: scene.wording.clone(),
        opened_at,
        ended_at: None,
        closes_at: None,
        register: Count { heads: 3, weight: Decimal::new(15_002, 4) },
        reason: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weight_kind: None,
        second_weight_kind: None,
        urn: None,
        counted_at: None,
        declared: None,
    };
    assert_eq!(round, expected);
}

pub async fn opening_makes_the_question_the_current_one(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    assert_eq!(current(fixture, &scene).await, None);
    let id = scene.open(fixture).await;
    let current = current(fixture, &scene).await.expect("the question is shown");
    assert_eq!((current.question_id, current.position), (scene.question, 1));
    assert_eq!(current.open_round().map(|open| (open.round.id, open.votes_cast)), Some((id, 0)));
}

pub async fn the_screen_shows_the_words_of_the_round_while_it_is_open(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    scene.open(fixture).await;
    fixture.reword(scene.question, "Something else?").await;
    assert_eq!(current(fixture, &scene).await.expect("it is shown").wording, scene.wording);
    let shown = fixture.rounds().show(scene.screen_change(Some(scene.question))).await;
    shown.expect("the meeting is active");
    let current = current(fixture, &scene).await.expect("it is shown");
    assert_eq!(current.wording.text, "Something else?");
    assert_eq!(current.wording.options, scene.wording.options);
    assert_eq!(current.open_round(), None);
    assert_eq!(current.last_round.map(|last| last.round.status), Some(RoundStatus::Ended));
}

pub async fn another_clients_meeting_looks_missing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let id = scene.open(fixture).await;
    scene.cast(fixture, id, scene.voters[0], scene.yes()).await;
    let stranger = ClientId::new(&scene.ids);
    let own = MeetingId::new(&scene.ids);
    fixture.add_meeting(SeedMeeting { client: stranger, id: own, has_participant_list: false }).await;
    let rounds = fixture.rounds();
    let opened = rounds.open(RoundOpening { owner: stranger, ..scene.opening(scene.question) }).await;
    assert!(matches!(opened, Err(OpenRoundError::MeetingNotFound)), "{opened:?}");
    let shown = rounds.show(ScreenChange { owner: stranger, ..scene.screen_change(None) }).await;
    assert!(matches!(shown, Err(OpenRoundError::MeetingNotFound)), "{shown:?}");
    assert_eq!(rounds.screen(stranger, scene.meeting).await.expect("the store answers"), None);
    assert_eq!(rounds.list(stranger, scene.meeting).await.expect("the store answers"), None);
    let last = rounds.last_of_question(stranger, scene.meeting, scene.question).await;
    assert_eq!(last.expect("the store answers"), None);
    let last = rounds.last_of_question(scene.client, own, scene.question).await;
    assert_eq!(last.expect("the store answers"), None);
    let seen = rounds.agenda_of_voter(stranger, scene.meeting, scene.voters[0]).await;
    assert_eq!(seen.expect("the store answers"), VoterAgenda::default());
    assert_eq!(find(fixture, &scene, id).await.map(|round| round.status), Some(RoundStatus::Open));
}

pub async fn a_question_of_another_meeting_looks_missing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let (meeting, question) = (MeetingId::new(&scene.ids), QuestionId::new(&scene.ids));
    fixture.add_meeting(SeedMeeting { client: scene.client, id: meeting, has_participant_list: false }).await;
    let other = wording(&scene.ids, QuestionType::OpenText, &[]);
    fixture.add_question(SeedQuestion { meeting, id: question, position: 1, wording: other }).await;
    let rounds = fixture.rounds();
    for question in [question, QuestionId::new(&scene.ids)] {
        let opened = rounds.open(scene.opening(question)).await;
        assert!(matches!(opened, Err(OpenRoundError::QuestionNotFound)), "{opened:?}");
        let shown = rounds.show(scene.screen_change(Some(question))).await;
        assert!(matches!(shown, Err(OpenRoundError::QuestionNotFound)), "{shown:?}");
    }
    assert_eq!(current(fixture, &scene).await, None);
}

pub async fn nothing_opens_in_a_meeting_that_is_not_active(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.set_meeting_active(scene.meeting, false).await;
    let rounds = fixture.rounds();
    let opened = rounds.open(scene.opening(scene.question)).await;
    assert!(matches!(opened, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))), "{opened:?}");
    let shown = rounds.show(scene.screen_change(Some(scene.question))).await;
    assert!(matches!(shown, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))), "{shown:?}");
    assert_eq!(current(fixture, &scene).await, None);
    assert_eq!(rounds.list(scene.client, scene.meeting).await.expect("the store answers"), Some(Vec::new()));
}

pub async fn a_refused_opening_changes_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let declared = scene.open(fixture).await;
    scene.end(fixture).await;
    fixture.declare(declared).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let running = scene.open_question(fixture, other).await;
    let opened = fixture.rounds().open(scene.opening(scene.question)).await;
    assert!(matches!(opened, Err(OpenRoundError::Rule(OpeningRule::AlreadyDeclared))), "{opened:?}");
    let current = current(fixture, &scene).await.expect("the other question is still shown");
    assert_eq!(current.open_round().map(|open| open.round.id), Some(running));
    assert_eq!(find(fixture, &scene, declared).await.map(|round| round.status), Some(RoundStatus::Declared));
}

pub async fn opening_twice_is_one_round(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let first = scene.open(fixture).await;
    let before = find(fixture, &scene, first).await;
    assert_eq!(scene.open(fixture).await, first);
    assert_eq!(find(fixture, &scene, first).await, before);
    let listed = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    assert_eq!(listed.map(|rounds| rounds.len()), Some(1));
}

pub async fn opening_another_question_ends_the_first(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let first = scene.open(fixture).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::Rating, &[])).await;
    let second = scene.open_question(fixture, other).await;
    let ended = find(fixture, &scene, first).await.expect("the first round is there");
    assert_eq!((ended.status, ended.ended_at), (RoundStatus::Ended, Some(scene.clock.now())));
    let current = current(fixture, &scene).await.expect("the second question is shown");
    assert_eq!((current.question_id, current.position), (other, 2));
    assert_eq!(current.open_round().map(|open| open.round.id), Some(second));
    assert_eq!(current.wording.rating_max, Some(10));
}

pub async fn a_round_without_votes_is_frozen_anew(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 2).await;
    let first = scene.open(fixture).await;
    scene.end(fixture).await;
    fixture.reword(scene.question, "Something else?").await;
    fixture.set_voter_active(scene.voters[0], false).await;
    scene.add_voter(fixture).await;
    scene.add_voter(fixture).await;
    let second = scene.open(fixture).await;
    assert_ne!(second, first);
    assert_eq!(find(fixture, &scene, first).await, None);
    let round = find(fixture, &scene, second).await.expect("the round is there");
    assert_eq!((round.number, round.status, round.ended_at), (1, RoundStatus::Open, None));
    assert_eq!(round.wording.text, "Something else?");
    assert_eq!(round.register, Count { heads: 3, weight: Decimal::new(3, 4) });
    assert_eq!(round.opened_at, scene.clock.now());
}

pub async fn a_round_with_votes_is_opened_again(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 2).await;
    let first = scene.open(fixture).await;
    let opened_at = scene.clock.now();
    scene.cast(fixture, first, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    fixture.reword(scene.question, "Something else?").await;
    fixture.set_voter_active(scene.voters[1], false).await;
    let late = scene.add_voter(fixture).await;
    assert_eq!(scene.open(fixture).await, first);
    let round = find(fixture, &scene, first).await.expect("the round is there");
    assert_eq!((round.number, round.status, round.ended_at), (1, RoundStatus::Open, None));
    assert_eq!((round.wording, round.opened_at), (scene.wording.clone(), opened_at));
    assert_eq!(round.register, Count { heads: 3, weight: Decimal::new(15_002, 4) });
    assert_eq!(scene.votes_cast(fixture, first).await, 1);
    assert_eq!(scene.cast(fixture, first, late, scene.no()).await, CastOutcome::Counted);
    assert_eq!(scene.votes_cast(fixture, first).await, 2);
}

pub async fn a_reopening_logs_everybody_who_joins_the_register(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    let (third, fourth) = (scene.add_voter(fixture).await, scene.add_voter(fixture).await);
    fixture.rename_voter(third, "Zoe").await;
    fixture.rename_voter(fourth, "adam").await;
    assert_eq!(scene.open(fixture).await, round);
    scene.end(fixture).await;
    let after_two = scene.add_voter(fixture).await;
    scene.open(fixture).await;
    let log = fixture.log_of(round).await;
    let told: Vec<_> =
        log.iter().map(|entry| (entry.kind, entry.person.as_ref().map(|person| person.end_user_id))).collect();
    let expected = [
        (LogKind::Opened, None),
        (LogKind::Ended, None),
        (LogKind::Reopened, None),
        (LogKind::Joined, Some(fourth)),
        (LogKind::Joined, Some(third)),
        (LogKind::Ended, None),
        (LogKind::Reopened, None),
        (LogKind::Joined, Some(after_two)),
    ];
    assert_eq!(told, expected, "those of one reopening by username");
    assert_eq!((log[3].at, log[3].by.as_deref()), (log[2].at, Some("Anna Berg")));
}

/// Somebody in the register was renamed, and a new person has the name now.
pub async fn a_reopening_never_registers_two_people_under_one_username(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    fixture.rename_voter(scene.voters[1], "somebody-else").await;
    let second = scene.add_voter(fixture).await;
    fixture.rename_voter(second, "VOTER-2").await;
    let before = fixture.log_of(round).await;
    let refused = fixture.rounds().open(scene.opening(scene.question)).await;
    let Err(OpenRoundError::Rule(OpeningRule::UsernameInRegister { username })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(username.to_lowercase(), "voter-2");
    assert_eq!(fixture.log_of(round).await, before, "nothing has changed");
    assert_eq!(scene.find(fixture, round).await.round.register.heads, 2);
    fixture.rename_voter(second, "voter-3").await;
    assert_eq!(scene.open(fixture).await, round);
}

pub async fn only_active_participants_are_in_the_register(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let (meeting, question) = (MeetingId::new(&scene.ids), QuestionId::new(&scene.ids));
    fixture.add_meeting(SeedMeeting { client: scene.client, id: meeting, has_participant_list: true }).await;
    let wording = wording(&scene.ids, QuestionType::Percentage, &[]);
    fixture.add_question(SeedQuestion { meeting, id: question, position: 1, wording }).await;
    fixture.invite(meeting, scene.voters[0]).await;
    fixture.invite(meeting, scene.voters[1]).await;
    fixture.set_voter_active(scene.voters[1], false).await;
    let (rounds, opening) = (fixture.rounds(), RoundOpening { meeting, ..scene.opening(question) });
    let id = opening.new_round;
    rounds.open(opening).await.expect("the question opens");
    let found = fixture.results().find(scene.client, meeting, id).await.expect("the store answers");
    assert_eq!(found.expect("it is there").round.register, Count { heads: 1, weight: Decimal::new(15, 1) });
    for (voter, expected) in scene.voters.iter().zip([true, false, false]) {
        let seen = rounds.agenda_of_voter(scene.client, meeting, *voter).await.expect("the store answers");
        assert_eq!(seen.rounds.iter().map(|round| round.is_in_register).collect::<Vec<_>>(), [expected]);
    }
}

pub async fn test_people_are_in_the_register_only_among_test_data(fixture: &dyn VotingFixture) {
    for (client, title, has_list, expected) in [
        (None, None, false, [true, false, false]),
        (None, Some("TEST_Assembly"), false, [true, true, true]),
        (Some("TEST_CLIENT_1"), None, false, [true, true, true]),
        // A list gives test people no vote in a real meeting.
        (None, None, true, [false, false, false]),
        (None, Some("TEST_Assembly"), true, [false, true, true]),
    ] {
        let mut scene = Scene::with_voters(fixture, 1).await;
        for (username, name) in [("bert", "TEST_Bert"), ("TEST_cleo", "Cleo")] {
            let id = EndUserId::new(&scene.ids);
            let (username, name) = (username.to_owned(), name.to_owned());
            let voter = SeedVoter { client: scene.client, id, username, name, weight: Decimal::ONE, is_active: true };
            fixture.add_voter(voter).await;
            scene.voters.push(id);
        }
        if has_list {
            let id = MeetingId::new(&scene.ids);
            fixture.add_meeting(SeedMeeting { client: scene.client, id, has_participant_list: true }).await;
            let (question, wording) = (QuestionId::new(&scene.ids), wording(&scene.ids, QuestionType::Percentage, &[]));
            fixture.add_question(SeedQuestion { meeting: id, id: question, position: 1, wording }).await;
            (scene.meeting, scene.question) = (id, question);
            for voter in &scene.voters[1..] {
                fixture.invite(id, *voter).await;
            }
        }
        if let Some(name) = client {
            fixture.rename_client(scene.client, name).await;
        }
        if let Some(title) = title {
            fixture.rename_meeting(scene.meeting, title).await;
        }
        scene.open(fixture).await;
        for (voter, expected) in scene.voters.iter().zip(expected) {
            let seen = fixture.rounds().agenda_of_voter(scene.client, scene.meeting, *voter).await;
            let seen = seen.expect("the store answers");
            assert_eq!(seen.rounds[0].is_in_register, expected, "{client:?} {title:?} {has_list}");
        }
    }
}

pub async fn showing_a_question_ends_the_running_round_and_opens_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let running = scene.open(fixture).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::MultipleChoice, &["A", "B"])).await;
    let shown = fixture.rounds().show(scene.screen_change(Some(other))).await;
    shown.expect("the meeting is active");
    assert_eq!(find(fixture, &scene, running).await.map(|round| round.status), Some(RoundStatus::Ended));
    let current = current(fixture, &scene).await.expect("the other question is shown");
    assert_eq!((current.question_id, current.last_round), (other, None));
    assert_eq!((current.wording.options.len(), current.wording.max_choices), (2, Some(2)));
}

pub async fn showing_nothing_works_in_any_meeting_and_twice(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let id = scene.open(fixture).await;
    scene.end(fixture).await;
    let ended_at = scene.clock.now();
    scene.end(fixture).await;
    fixture.set_meeting_active(scene.meeting, false).await;
    scene.end(fixture).await;
    assert_eq!(current(fixture, &scene).await, None);
    let round = find(fixture, &scene, id).await.expect("the round is there");
    assert_eq!((round.status, round.ended_at), (RoundStatus::Ended, Some(ended_at)));
}

pub async fn one_of_many_racers_opens_the_round(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
            tokio::spawn(async move { rounds.open(opening).await })
        })
        .collect();
    for racer in racers {
        racer.await.expect("no panic").expect("everyone finds the question open");
    }
    let listed = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    let listed = listed.expect("the meeting is known");
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].round.status, listed[0].round.register.heads), (RoundStatus::Open, 3));
}

pub async fn racers_for_different_questions_leave_one_open(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let mut racers = Vec::new();
    for position in 2..8 {
        let wording = wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"]);
        let question = scene.add_question(fixture, position, wording).await;
        let (rounds, opening) = (fixture.rounds(), scene.opening(question));
        racers.push(tokio::spawn(async move { rounds.open(opening).await }));
    }
    for racer in racers {
        racer.await.expect("no panic").expect("every question may be opened");
    }
    let listed = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    let open: Vec<_> = listed
        .expect("the meeting is known")
        .into_iter()
        .filter(|overview| overview.round.status == RoundStatus::Open)
        .map(|overview| overview.round.question_id)
        .collect();
    let current = current(fixture, &scene).await.expect("one of them is shown");
    assert_eq!(open, [current.question_id]);
}

pub async fn rounds_are_listed_the_earliest_first_with_their_votes(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"])).await;
    let second_on_the_agenda = scene.open_question(fixture, other).await;
    let first_on_the_agenda = scene.open(fixture).await;
    for voter in &scene.voters {
        scene.cast(fixture, first_on_the_agenda, *voter, scene.yes()).await;
    }
    let listed = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    let listed: Vec<_> = listed
        .expect("the meeting is known")
        .into_iter()
        .map(|overview| (overview.round.id, overview.votes_cast, overview.round.wording.options.len()))
        .collect();
    assert_eq!(listed, [(second_on_the_agenda, 0, 2), (first_on_the_agenda, 2, 2)]);
}

pub async fn votes_carry_the_weight_of_the_register(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let id = scene.open(fixture).await;
    scene.cast(fixture, id, scene.voters[0], scene.yes()).await;
    scene.cast(fixture, id, scene.voters[1], scene.no()).await;
    scene.cast(fixture, id, scene.voters[2], scene.no()).await;
    fixture.set_voter_active(scene.voters[0], false).await;
    fixture.remove_voter(scene.voters[1]).await;
    assert_eq!(scene.votes_of(fixture, id).await, [], "the round is still open");
    scene.end(fixture).await;
    let mut votes = scene.votes_of(fixture, id).await;
    votes.sort_by_key(|vote| vote.weight);
    let weights: Vec<_> = votes.iter().map(|vote| vote.weight.to_string()).collect();
    assert_eq!(weights, ["0.0001", "0.0001", "1.5"]);
    assert_eq!(votes[0].answer, scene.no());
    assert_eq!(votes[2].answer, scene.yes());
}

pub async fn a_voter_sees_the_last_round_of_each_question_in_the_order_of_the_agenda(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let third = scene.add_question(fixture, 3, wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"])).await;
    scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let of_third = scene.open_question(fixture, third).await;
    let of_first = scene.open(fixture).await;
    let voter = scene.voters[0];
    let ballot = scene.ballot(of_first, voter, scene.no());
    fixture.ballot_box().cast(ballot.clone()).await.expect("the box answers");
    let late = SeedVoter {
        client: scene.client,
        id: EndUserId::new(&scene.ids),
        username: "late".to_owned(),
        name: "Late".to_owned(),
        weight: Decimal::ONE,
        is_active: true,
    };
    fixture.add_voter(late.clone()).await;
    let seen = fixture.rounds().agenda_of_voter(scene.client, scene.meeting, voter).await.expect("the store answers");
    let seen = seen.rounds;
    let places: Vec<_> = seen.iter().map(|seen| (seen.position, seen.round.id, seen.is_in_register)).collect();
    assert_eq!(places, [(1, of_first, true), (3, of_third, true)]);
    assert_eq!(seen[0].answer_texts(ballot.session), Some(vec!["No".to_owned()]));
    let vote = seen[0].vote.as_ref().expect("the vote is shown");
    assert_eq!((vote.id, vote.cast_at, vote.session), (ballot.vote_id, Some(ballot.cast_at), Some(ballot.session)));
    assert_eq!(seen[1].vote, None);
    let of_late = fixture.rounds().agenda_of_voter(scene.client, scene.meeting, late.id).await;
    let of_late = of_late.expect("the store answers");
    assert!(of_late.rounds.iter().all(|seen| !seen.is_in_register && seen.vote.is_none()));
}
