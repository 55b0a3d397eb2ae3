//! The contract of [`crate::QuestionStore`] on changes of an agenda.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    Attendance, ClientId, DecisionRule, Majority, MeetingId, Minimum, OptionId, OptionRole, QuestionId, QuestionType,
    Quorum, RoundId, Seats, Secrecy, Threshold, Unit, Units,
};

use super::{MeetingsFixture, Scene};
use crate::{
    AddQuestionError, AgendaOrder, AgendaRule, ChangeQuestionError, MAX_QUESTIONS, NextBallot, Question,
    QuestionChanges, QuestionDecision, QuestionOption, QuestionText, QuestionUse, ReorderError,
};

async fn agenda(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Vec<Question> {
    let agenda = fixture.questions().list(scene.client.id, meeting).await.expect("the store answers");
    agenda.expect("the meeting is there")
}

fn ids(agenda: &[Question]) -> Vec<QuestionId> {
    agenda.iter().map(|question| question.id).collect()
}

/// Checks that the agenda has these questions, at positions without gaps.
async fn assert_agenda(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId, expected: &[QuestionId]) {
    let agenda = agenda(fixture, scene, meeting).await;
    assert_eq!(ids(&agenda), expected);
    assert!(agenda.iter().map(|question| question.position).eq(1..=expected.len() as u32), "{agenda:?}");
}

async fn add(fixture: &dyn MeetingsFixture, question: Question) -> Question {
    fixture.questions().add(question).await.expect("the meeting is there")
}

/// A meeting with as many yes/no questions.
async fn meeting_with(fixture: &dyn MeetingsFixture, scene: &Scene, number: usize) -> (MeetingId, Vec<QuestionId>) {
    let meeting = scene.add_draft(fixture).await;
    let mut added = Vec::new();
    for _ in 0..number {
        added.push(add(fixture, yes_no(scene, meeting)).await.id);
    }
    (meeting, added)
}

fn yes_no(scene: &Scene, meeting: MeetingId) -> Question {
    scene.question(meeting, QuestionType::YesNo, &["Yes", "No"])
}

fn decision(changes: QuestionChanges) -> QuestionDecision {
    Box::new(move |question, used| changes.apply_to(question, used, &CountingIds::new()))
}

fn rewording() -> QuestionChanges {
    QuestionChanges {
        text: Some(QuestionText::from_stored("Something else?".to_owned())),
        ..QuestionChanges::default()
    }
}

fn with_options(options: &[&str]) -> QuestionChanges {
    let options = Some(options.iter().map(|text| (*text).to_owned()).collect());
    QuestionChanges { options, ..QuestionChanges::default() }
}

async fn change(
    fixture: &dyn MeetingsFixture,
    owner: ClientId,
    id: QuestionId,
    changes: QuestionChanges,
) -> Result<Question, ChangeQuestionError> {
    fixture.questions().update(owner, id, decision(changes)).await
}

/// A copy as the service makes it.
fn copy(original: &Question) -> Question {
    let ids = CountingIds::new();
    let anew = |option: &QuestionOption| QuestionOption { id: OptionId::new(&ids), ..option.clone() };
    Question { id: QuestionId::new(&ids), options: original.options.iter().map(anew).collect(), ..original.clone() }
}

async fn duplicate(fixture: &dyn MeetingsFixture, scene: &Scene, id: QuestionId) -> Question {
    fixture.questions().duplicate(scene.client.id, id, Box::new(copy)).await.expect("there is room")
}

fn order(questions: &[QuestionId]) -> AgendaOrder {
    AgendaOrder::of_places(questions.iter().copied().zip(1..).collect()).expect("each question once")
}

pub async fn a_question_may_change_into_every_type_and_back(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 3).await;
    let [before, _, after] = &agenda(fixture, &scene, meeting).await[..] else { panic!("there are three") };
    let id = questions[1];
    // An election needs its terms, which no other type can have.
    let types = QuestionType::ALL.into_iter().filter(|question_type| *question_type != QuestionType::Election);
    for question_type in types.clone().chain(types.rev()) {
        let is_choice = question_type == QuestionType::MultipleChoice;
        let is_rating = question_type == QuestionType::Rating;
        let changes = QuestionChanges {
            question_type: Some(question_type),
            options: is_choice.then(|| vec!["Anna".to_owned(), "Bert".to_owned(), "Zoé".to_owned()]),
            max_choices: is_choice.then_some(Some(2)),
            rating_max: is_rating.then_some(Some(10)),
            ..rewording()
        };
        let changed = change(fixture, scene.client.id, id, changes).await.expect("nobody has voted");
        let options = match question_type {
            QuestionType::YesNo => 2,
            QuestionType::MultipleChoice => 3,
            QuestionType::OpenText | QuestionType::Rating | QuestionType::Percentage | QuestionType::Election => 0,
        };
        assert_eq!((changed.question_type, changed.options.len()), (question_type, options));
        assert_eq!(changed.max_choices, is_choice.then_some(2));
        assert_eq!(changed.rating_max, is_rating.then_some(10));
        assert_eq!(agenda(fixture, &scene, meeting).await, [before.clone(), changed, after.clone()]);
    }
}

pub async fn options_may_swap_places_and_those_that_stay_keep_their_ids(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let question = scene.question(meeting, QuestionType::MultipleChoice, &["Anna", "Bert", "Carl"]);
    let [anna, bert, _] = &question.options[..] else { panic!("there are three") };
    let (anna, bert, id) = (anna.id, bert.id, question.id);
    add(fixture, question).await;
    for texts in [["Bert", "Anna", "Dora"], ["Dora", "Bert", "Anna"], ["Anna", "Bert", "Carl"]] {
        let changed = change(fixture, scene.client.id, id, with_options(&texts)).await.expect("nobody has voted");
        let place = |option: OptionId| changed.options.iter().position(|known| known.id == option);
        assert_eq!(place(anna), texts.iter().position(|text| *text == "Anna"));
        assert_eq!(place(bert), texts.iter().position(|text| *text == "Bert"));
        assert_eq!(agenda(fixture, &scene, meeting).await, [changed]);
    }
}

pub async fn a_change_moves_no_question_elsewhere(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let (meeting, questions) = meeting_with(fixture, &scene, 2).await;
    let elsewhere = stranger.add_draft(fixture).await;
    let before = agenda(fixture, &scene, meeting).await;
    let new_id = QuestionId::new(&scene.ids);
    let decide = move |question: &mut Question, _: QuestionUse| {
        question.id = new_id;
        question.client_id = stranger.client.id;
        question.meeting_id = elsewhere;
        question.position = 2;
        question.is_required = false;
        Ok(())
    };
    let changed = fixture.questions().update(scene.client.id, questions[0], Box::new(decide)).await;
    let changed = changed.expect("nothing forbids it");
    assert_eq!(changed, Question { is_required: false, ..before[0].clone() });
    assert_eq!(agenda(fixture, &scene, meeting).await, [changed, before[1].clone()]);
}

pub async fn a_refused_change_stores_nothing(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 2).await;
    let before = agenda(fixture, &scene, meeting).await;
    let decide = |question: &mut Question, _: QuestionUse| {
        question.text = QuestionText::from_stored("Half done?".to_owned());
        question.options.pop();
        Err(AgendaRule::IsOpen.into())
    };
    let refused = fixture.questions().update(scene.client.id, questions[0], Box::new(decide)).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::IsOpen))), "{refused:?}");
    let refused = change(fixture, scene.client.id, questions[1], with_options(&["One"])).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Form { field: "options", .. })), "{refused:?}");
    assert_eq!(agenda(fixture, &scene, meeting).await, before);
}

pub async fn a_change_is_decided_knowing_how_far_voting_has_come(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (_, questions) = meeting_with(fixture, &scene, 4).await;
    let marks = [QuestionUse::Unused, QuestionUse::Open, QuestionUse::Voted];
    for (question, used) in questions[1..].iter().zip(marks) {
        fixture.mark_used(*question, used).await;
    }
    for (question, used) in questions.into_iter().zip([QuestionUse::Unused].into_iter().chain(marks)) {
        let decide = move |_: &mut Question, seen: QuestionUse| {
            assert_eq!(seen, used);
            Ok(())
        };
        let kept = fixture.questions().update(scene.client.id, question, Box::new(decide)).await;
        kept.expect("nothing forbids it");
    }
}

pub async fn a_question_with_votes_asks_the_same_for_good(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 2).await;
    let before = agenda(fixture, &scene, meeting).await;
    fixture.mark_used(questions[0], QuestionUse::Voted).await;
    let other_type = QuestionChanges { question_type: Some(QuestionType::Rating), ..QuestionChanges::default() };
    for changes in [rewording(), with_options(&["Yes", "No", "Abstain"]), with_options(&["No", "Yes"]), other_type] {
        let refused = change(fixture, scene.client.id, questions[0], changes).await;
        assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    }
    assert_eq!(agenda(fixture, &scene, meeting).await, before);
    let as_it_is = QuestionChanges {
        text: Some(before[0].text.clone()),
        question_type: Some(QuestionType::YesNo),
        is_required: Some(false),
        ..with_options(&["Yes", "No"])
    };
    let saved = change(fixture, scene.client.id, questions[0], as_it_is).await.expect("it asks the same");
    assert_eq!(saved, Question { is_required: false, ..before[0].clone() });
    assert_eq!(agenda(fixture, &scene, meeting).await, [saved, before[1].clone()]);
}

pub async fn a_question_with_votes_keeps_its_terms(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 1).await;
    let quorum = Quorum {
        minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
        unit: Unit::Heads,
        attendance: Attendance::Present,
    };
    let terms = |majority| QuestionChanges {
        decision_rule: Some(Some(DecisionRule::Majority(majority))),
        quorum: Some(Some(quorum.into())),
        secrecy: Some(Secrecy::Named),
        option_roles: Some(Some(vec![OptionRole::No, OptionRole::Yes])),
        ..QuestionChanges::default()
    };
    let two_thirds = terms(Majority::two_thirds(Units::Weight));
    let set = change(fixture, scene.client.id, questions[0], two_thirds.clone()).await.expect("nobody has voted");
    assert_eq!((set.quorum, set.secrecy, set.options[0].role), (Some(quorum.into()), Secrecy::Named, OptionRole::No));
    assert_eq!(agenda(fixture, &scene, meeting).await.first(), Some(&set));
    fixture.mark_used(questions[0], QuestionUse::Voted).await;
    let none = QuestionChanges::default;
    for changes in [
        terms(Majority::simple(Units::Weight)),
        QuestionChanges { decision_rule: Some(None), ..none() },
        QuestionChanges { quorum: Some(None), ..none() },
        QuestionChanges { secrecy: Some(Secrecy::Unshown), ..none() },
        QuestionChanges { option_roles: Some(None), ..none() },
    ] {
        let refused = change(fixture, scene.client.id, questions[0], changes).await;
        assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    }
    let saved = change(fixture, scene.client.id, questions[0], two_thirds).await.expect("they are the same");
    assert_eq!(saved, set);
    assert_eq!(agenda(fixture, &scene, meeting).await, [set]);
}

pub async fn an_open_question_asks_the_same_until_it_is_ended(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 2).await;
    let before = agenda(fixture, &scene, meeting).await;
    fixture.mark_used(questions[0], QuestionUse::Open).await;
    fixture.mark_used(questions[1], QuestionUse::Unused).await;
    let refused = change(fixture, scene.client.id, questions[0], rewording()).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::IsOpen))), "{refused:?}");
    let ended = change(fixture, scene.client.id, questions[1], rewording()).await.expect("nobody can vote on it");
    assert_eq!(agenda(fixture, &scene, meeting).await, [before[0].clone(), ended]);
}

pub async fn questions_after_a_removed_one_move_up(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, mut questions) = meeting_with(fixture, &scene, 5).await;
    let (other, untouched) = meeting_with(fixture, &scene, 3).await;
    for place in [4, 0, 1] {
        let removed = questions.remove(place);
        let gone = fixture.questions().remove(scene.client.id, removed).await;
        assert_eq!(gone.expect("nobody has voted"), meeting);
        assert_agenda(fixture, &scene, meeting, &questions).await;
        assert_eq!(fixture.questions().find(scene.client.id, removed).await.expect("the store answers"), None);
        let again = fixture.questions().remove(scene.client.id, removed).await;
        assert!(matches!(again, Err(ChangeQuestionError::NotFound)), "{again:?}");
    }
    assert_agenda(fixture, &scene, other, &untouched).await;
    assert_eq!(scene.find(fixture, meeting).await.question_count, 2);
}

pub async fn a_question_without_votes_is_removed_with_its_rounds(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 3).await;
    fixture.mark_used(questions[0], QuestionUse::Open).await;
    fixture.mark_used(questions[1], QuestionUse::Unused).await;
    for question in &questions[..2] {
        fixture.questions().remove(scene.client.id, *question).await.expect("nobody has voted");
    }
    assert_agenda(fixture, &scene, meeting, &questions[2..]).await;
}

pub async fn a_question_with_votes_is_not_removed(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 3).await;
    fixture.mark_used(questions[1], QuestionUse::Voted).await;
    let before = agenda(fixture, &scene, meeting).await;
    let refused = fixture.questions().remove(scene.client.id, questions[1]).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    assert_eq!(agenda(fixture, &scene, meeting).await, before);
}

pub async fn a_copy_stands_right_behind_its_original(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let mut expected = Vec::new();
    for question_type in QuestionType::ALL {
        let options: &[&str] = match question_type {
            QuestionType::YesNo => &["No", "Yes"],
            QuestionType::MultipleChoice | QuestionType::Election => &["Anna", "Bert"],
            QuestionType::OpenText | QuestionType::Rating | QuestionType::Percentage => &[],
        };
        expected.push(add(fixture, scene.question(meeting, question_type, options)).await.id);
    }
    let (other, untouched) = meeting_with(fixture, &scene, 2).await;
    for place in [0, 2, 6] {
        let original = agenda(fixture, &scene, meeting).await.swap_remove(place);
        let copied = duplicate(fixture, &scene, original.id).await;
        expected.insert(place + 1, copied.id);
        assert_agenda(fixture, &scene, meeting, &expected).await;
        let found = fixture.questions().find(scene.client.id, copied.id).await.expect("the store answers");
        assert_eq!(found.as_ref(), Some(&copied));
        let Question { id, position, .. } = original;
        let options = original.options.clone();
        assert!(copied.options.iter().all(|option| options.iter().all(|before| before.id != option.id)));
        let as_original =
            |(option, before): (QuestionOption, &QuestionOption)| QuestionOption { id: before.id, ..option };
        let options = copied.options.clone().into_iter().zip(&options).map(as_original).collect();
        assert_eq!(Question { id, position, options, ..copied }, original);
    }
    assert_agenda(fixture, &scene, other, &untouched).await;
}

pub async fn a_copy_of_a_question_with_votes_has_none(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 1).await;
    fixture.mark_used(questions[0], QuestionUse::Voted).await;
    let copied = duplicate(fixture, &scene, questions[0]).await;
    change(fixture, scene.client.id, copied.id, rewording()).await.expect("nobody has voted on the copy");
    fixture.questions().remove(scene.client.id, copied.id).await.expect("nobody has voted on the copy");
    assert_agenda(fixture, &scene, meeting, &questions).await;
}

pub async fn a_ballot_of_an_election_is_continued_once(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let first = add(fixture, scene.question(meeting, QuestionType::Election, &["Anna", "Bert", "Carla"])).await;
    let ids = CountingIds::new();
    let [round, other] = [RoundId::new(&ids), RoundId::new(&ids)];
    let continued = async |round: RoundId| {
        let next =
            NextBallot { round, candidates: vec![(1, "Anna".to_owned()), (3, "Carla".to_owned())], seats: Seats::ONE };
        let copy = move |original: &Question| original.next_ballot(&next, &CountingIds::new(), original.created_at);
        fixture.questions().duplicate(scene.client.id, first.id, Box::new(copy)).await
    };
    let next = continued(round).await.expect("nothing continues it");
    let names: Vec<&str> = next.options.iter().map(|option| option.text.as_str()).collect();
    assert_eq!((names, next.position), (vec!["Anna", "Carla"], 2));
    assert_eq!(next.followed_ballot().map(|follows| (follows.round, follows.number)), Some((round, 2)));
    let again = continued(round).await;
    assert!(matches!(again, Err(ChangeQuestionError::Rule(AgendaRule::HasNextBallot))), "{again:?}");
    assert_agenda(fixture, &scene, meeting, &[first.id, next.id]).await;
    fixture.questions().remove(scene.client.id, next.id).await.expect("it has no votes");
    continued(round).await.expect("nothing continues it any more");
    let of_revote = continued(other).await;
    assert!(matches!(of_revote, Ok(question) if question.position == 2), "another round");
}

pub async fn an_agenda_is_put_into_another_order(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 4).await;
    let (other, untouched) = meeting_with(fixture, &scene, 4).await;
    for places in [[3, 2, 1, 0], [0, 1, 2, 3], [0, 1, 2, 3], [1, 0, 2, 3], [3, 0, 1, 2]] {
        let wanted = places.map(|place: usize| questions[place]);
        let arranged = fixture.questions().reorder(scene.client.id, meeting, order(&wanted)).await;
        assert_eq!(arranged.expect("it names all of them"), agenda(fixture, &scene, meeting).await);
        assert_agenda(fixture, &scene, meeting, &wanted).await;
    }
    assert_agenda(fixture, &scene, other, &untouched).await;
    let empty = scene.add_draft(fixture).await;
    let arranged = fixture.questions().reorder(scene.client.id, empty, order(&[])).await;
    assert_eq!(arranged.expect("there are none to name"), []);
}

pub async fn an_order_of_other_questions_changes_nothing(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let (meeting, questions) = meeting_with(fixture, &scene, 3).await;
    let (other, of_other) = meeting_with(fixture, &scene, 1).await;
    let (_, of_stranger) = meeting_with(fixture, &stranger, 1).await;
    let [first, second, third] = questions[..] else { panic!("there are three") };
    let unknown = QuestionId::new(&scene.ids);
    for wrong in [
        vec![],
        vec![third, second],
        vec![third, second, of_other[0]],
        vec![third, second, of_stranger[0]],
        vec![third, second, unknown],
        vec![third, second, first, of_other[0]],
        vec![third, second, first, unknown],
    ] {
        let refused = fixture.questions().reorder(scene.client.id, meeting, order(&wrong)).await;
        assert!(matches!(refused, Err(ReorderError::NotTheAgenda)), "{wrong:?}: {refused:?}");
        assert_agenda(fixture, &scene, meeting, &questions).await;
    }
    assert_agenda(fixture, &scene, other, &of_other).await;
}

pub async fn positions_stay_without_gaps_in_any_mix(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, mut expected) = meeting_with(fixture, &scene, 2).await;
    let questions = fixture.questions();
    for turn in 0..24_usize {
        let place = turn * 7 % expected.len();
        match turn % 5 {
            0 | 3 => {
                let copied = duplicate(fixture, &scene, expected[place]).await;
                expected.insert(place + 1, copied.id);
            }
            1 => {
                expected.rotate_left(place);
                let arranged = questions.reorder(scene.client.id, meeting, order(&expected)).await;
                arranged.expect("it names all of them");
            }
            2 => {
                let removed = expected.remove(place);
                questions.remove(scene.client.id, removed).await.expect("nobody has voted");
            }
            _ => expected.push(add(fixture, yes_no(&scene, meeting)).await.id),
        }
        assert_agenda(fixture, &scene, meeting, &expected).await;
    }
}

pub async fn positions_stay_without_gaps_when_all_change_at_once(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, agenda_before) = meeting_with(fixture, &scene, 8).await;
    let owner = scene.client.id;
    let mut racers = Vec::new();
    for place in 0..4 {
        let (questions, doubled, removed) = (fixture.questions(), agenda_before[place], agenda_before[place + 4]);
        let added = yes_no(&scene, meeting);
        let mut wanted = agenda_before.clone();
        wanted.rotate_left(place + 1);
        racers.push(tokio::spawn(async move {
            let copying = questions.duplicate(owner, doubled, Box::new(copy));
            let removing = questions.remove(owner, removed);
            let arranging = questions.reorder(owner, meeting, order(&wanted));
            let (copied, removed, arranged) = tokio::join!(copying, removing, arranging);
            copied.expect("there is room");
            removed.expect("nobody has voted");
            assert!(matches!(arranged, Ok(_) | Err(ReorderError::NotTheAgenda)), "{arranged:?}");
        }));
        let questions = fixture.questions();
        racers.push(tokio::spawn(async move {
            questions.add(added).await.expect("there is room");
        }));
    }
    for racer in racers {
        racer.await.expect("no panic");
    }
    let agenda = agenda(fixture, &scene, meeting).await;
    assert!(agenda.iter().map(|question| question.position).eq(1..=12), "{agenda:?}");
}

pub async fn a_full_agenda_takes_no_more(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, first) = meeting_with(fixture, &scene, 1).await;
    for _ in 1..MAX_QUESTIONS {
        add(fixture, scene.question(meeting, QuestionType::OpenText, &[])).await;
    }
    let questions = fixture.questions();
    let added = questions.add(yes_no(&scene, meeting)).await;
    assert!(matches!(added, Err(AddQuestionError::Rule(AgendaRule::Full))), "{added:?}");
    let copied = questions.duplicate(scene.client.id, first[0], Box::new(copy)).await;
    assert!(matches!(copied, Err(ChangeQuestionError::Rule(AgendaRule::Full))), "{copied:?}");
    assert_eq!(agenda(fixture, &scene, meeting).await.len(), MAX_QUESTIONS);
    meeting_with(fixture, &scene, 1).await;
    questions.remove(scene.client.id, first[0]).await.expect("nobody has voted");
    let last = add(fixture, yes_no(&scene, meeting)).await;
    assert_eq!(last.position as usize, MAX_QUESTIONS);
}

pub async fn a_question_of_another_client_is_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let (meeting, ids) = meeting_with(fixture, &scene, 2).await;
    let before = agenda(fixture, &scene, meeting).await;
    let (questions, owner) = (fixture.questions(), stranger.client.id);
    for (owner, id) in [(owner, ids[0]), (scene.client.id, QuestionId::new(&scene.ids))] {
        let changed = questions.update(owner, id, Box::new(|_, _| panic!("there is nothing to decide"))).await;
        assert!(matches!(changed, Err(ChangeQuestionError::NotFound)), "{changed:?}");
        let removed = questions.remove(owner, id).await;
        assert!(matches!(removed, Err(ChangeQuestionError::NotFound)), "{removed:?}");
        let copied = questions.duplicate(owner, id, Box::new(|_| panic!("there is nothing to copy"))).await;
        assert!(matches!(copied, Err(ChangeQuestionError::NotFound)), "{copied:?}");
    }
    let wanted = order(&[ids[1], ids[0]]);
    for (owner, meeting) in [(owner, meeting), (scene.client.id, MeetingId::new(&scene.ids))] {
        let arranged = questions.reorder(owner, meeting, wanted.clone()).await;
        assert!(matches!(arranged, Err(ReorderError::MeetingNotFound)), "{arranged:?}");
    }
    assert_eq!(agenda(fixture, &scene, meeting).await, before);
}

pub async fn one_of_many_racers_removes_the_question(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, questions) = meeting_with(fixture, &scene, 3).await;
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let (store, owner, id) = (fixture.questions(), scene.client.id, questions[0]);
            tokio::spawn(async move { store.remove(owner, id).await })
        })
        .collect();
    let mut winners = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(_) => winners += 1,
            Err(ChangeQuestionError::NotFound) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(winners, 1);
    assert_agenda(fixture, &scene, meeting, &questions[1..]).await;
}
