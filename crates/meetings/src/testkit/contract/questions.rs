//! The contract of [`crate::QuestionStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{
    Attendance, Base, Condition, DecisionRule, EachOption, Majority, Minimum, OptionRole, QuestionId, QuestionType,
    Quorum, Seats, Secrecy, Threshold, Unit, Units,
};

use super::{MeetingsFixture, Scene};
use crate::{AddQuestionError, AgendaRule, MAX_QUESTIONS, Question};

pub async fn questions_are_kept_in_the_order_of_their_addition(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let mut stored = Vec::new();
    for position in [7, 1, 1] {
        let question = Question { position, ..scene.question(meeting, QuestionType::OpenText, &[]) };
        stored.push(fixture.questions().add(question).await.expect("the meeting is there"));
    }
    let elsewhere = scene.question(other, QuestionType::OpenText, &[]);
    let elsewhere = fixture.questions().add(elsewhere).await.expect("the meeting is there");
    assert_eq!(elsewhere.position, 1);
    assert_eq!(stored.iter().map(|question| question.position).collect::<Vec<_>>(), [1, 2, 3]);
    let agenda = fixture.questions().list(scene.client.id, meeting).await.expect("the store answers");
    assert_eq!(agenda, Some(stored));
}

pub async fn every_type_is_kept_with_its_fields(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    for question_type in QuestionType::ALL {
        let options: &[&str] = match question_type {
            QuestionType::YesNo => &["No", "Yes", "Abstain"],
            QuestionType::MultipleChoice | QuestionType::Election => &["Zoé", "{\"A\", NULL}", "100 %"],
            _ => &[],
        };
        let question = scene.question(meeting, question_type, options);
        let stored = fixture.questions().add(question.clone()).await.expect("the meeting is there");
        assert_eq!(stored, Question { position: stored.position, ..question });
        let found = fixture.questions().find(scene.client.id, stored.id).await.expect("the store answers");
        assert_eq!(found, Some(stored));
    }
}

pub async fn terms_are_kept_exactly(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let seats = Seats::new(2).expect("two seats");
    let condition = Condition {
        units: Units::Both,
        base: Base::VotesCast,
        threshold: Threshold::MORE_THAN_TWO_THIRDS,
        blocking_minority: None,
    };
    let quorum =
        Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Weight, attendance: Attendance::Voted };
    let mut yes_no = scene.question(meeting, QuestionType::YesNo, &["No", "Yes", "Abstain"]);
    for (option, role) in yes_no.options.iter_mut().zip([OptionRole::Yes, OptionRole::Choice, OptionRole::No]) {
        option.role = role;
    }
    let choice = || scene.question(meeting, QuestionType::MultipleChoice, &["Anna", "Bert", "Carl"]);
    for (question, rule, quorum) in [
        (yes_no, DecisionRule::Majority(Majority::condominium(Units::Heads)), Some(quorum)),
        (choice(), DecisionRule::Plurality { unit: Unit::Weight, seats }, None),
        (choice(), DecisionRule::EachOption(EachOption::new(condition, None).expect("a rule")), Some(quorum)),
    ] {
        let question =
            Question { decision_rule: Some(rule), quorum: quorum.map(Into::into), secrecy: Secrecy::Named, ..question };
        let stored = fixture.questions().add(question.clone()).await.expect("the meeting is there");
        assert_eq!(stored, Question { position: stored.position, ..question });
        let found = fixture.questions().find(scene.client.id, stored.id).await.expect("the store answers");
        assert_eq!(found, Some(stored));
    }
}

pub async fn two_questions_added_at_once_get_two_positions(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let questions = fixture.questions();
            let question = scene.question(meeting, QuestionType::YesNo, &["Yes", "No"]);
            tokio::spawn(async move { questions.add(question).await })
        })
        .collect();
    let mut places = Vec::new();
    for racer in racers {
        places.push(racer.await.expect("no panic").expect("the meeting is there").position);
    }
    places.sort_unstable();
    assert_eq!(places, (1..=8).collect::<Vec<_>>());
}

pub async fn questions_are_added_together_in_order_or_not_at_all(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let meeting = scene.add_draft(fixture).await;
    let many = |number: usize| -> Vec<Question> {
        (0..number).map(|_| scene.question(meeting, QuestionType::YesNo, &["Yes", "No"])).collect()
    };
    let (owner, questions) = (scene.client.id, fixture.questions());
    let first = questions.add_all(owner, meeting, many(2)).await.expect("there is room");
    let second = questions.add_all(owner, meeting, many(MAX_QUESTIONS - 2)).await.expect("there is room");
    let whole = [first, second].concat();
    assert!(whole.iter().map(|question| question.position).eq(1..=MAX_QUESTIONS as u32));
    let refused = questions.add_all(owner, meeting, many(1)).await;
    assert!(matches!(refused, Err(AddQuestionError::Rule(AgendaRule::Full))), "{refused:?}");
    assert_eq!(questions.list(owner, meeting).await.expect("the store answers"), Some(whole));
    let refused = questions.add_all(stranger.client.id, meeting, many(1)).await;
    assert!(matches!(refused, Err(AddQuestionError::MeetingNotFound)), "{refused:?}");
}

pub async fn another_clients_agenda_is_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let meeting = scene.add_draft(fixture).await;
    let question = scene.question(meeting, QuestionType::OpenText, &[]);
    let id = fixture.questions().add(question).await.expect("the meeting is there").id;
    let questions = fixture.questions();
    let refused = questions.add(stranger.question(meeting, QuestionType::OpenText, &[])).await;
    assert!(matches!(refused, Err(AddQuestionError::MeetingNotFound)), "{refused:?}");
    assert_eq!(questions.list(stranger.client.id, meeting).await.expect("the store answers"), None);
    assert_eq!(questions.find(stranger.client.id, id).await.expect("the store answers"), None);
    let unknown = QuestionId::new(&scene.ids);
    assert_eq!(questions.find(scene.client.id, unknown).await.expect("the store answers"), None);
    let agenda = questions.list(scene.client.id, meeting).await.expect("the store answers");
    assert_eq!(agenda.map(|agenda| agenda.len()), Some(1));
}
