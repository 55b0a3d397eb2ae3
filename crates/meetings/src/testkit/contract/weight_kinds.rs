//! The contract of meetings and questions that count by a kind of weight.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{MeetingId, QuestionId, QuestionType, WeightKindId};

use super::{MeetingsFixture, Scene};
use crate::{
    AddQuestionError, AgendaRule, ChangeQuestionError, Meeting, MeetingChanges, Question, QuestionChanges, QuestionUse,
    QuestionWeights, UpdateMeetingError,
};

fn by(scene: &Scene, kind: Option<WeightKindId>) -> Meeting {
    Meeting { weight_kind: kind, ..scene.draft("General assembly", 1) }
}

fn counted_by(scene: &Scene, meeting: MeetingId, weight: WeightKindId, second: WeightKindId) -> Question {
    let weights = QuestionWeights { weight: Some(weight), second: Some(second) };
    Question { weights, ..scene.question(meeting, QuestionType::Percentage, &[]) }
}

pub async fn kinds_are_kept_with_meetings_and_questions_and_in_copies(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let shares = scene.add_weight_kind(fixture, "Shares").await;
    let capital = scene.add_weight_kind(fixture, "Capital").await;
    let draft = by(&scene, Some(shares));
    let question = counted_by(&scene, draft.id, capital, shares);
    let (id, question_id) = (draft.id, question.id);
    fixture.meetings().add(draft.clone(), vec![question.clone()]).await.expect("the kinds are there");
    assert_eq!(scene.find(fixture, id).await.meeting, draft);
    let found = fixture.questions().find(scene.client.id, question_id).await.expect("the store answers");
    assert_eq!(found, Some(question.clone()));
    let again = Question { id: QuestionId::new(&scene.ids), ..question.clone() };
    let copied = fixture.questions().duplicate(scene.client.id, question_id, Box::new(move |_: &Question| again)).await;
    assert_eq!(copied.expect("there is room").weights, question.weights);
    let ordinary = MeetingChanges { weight_kind: Some(None), ..MeetingChanges::default() };
    let now = plenum_kernel::Clock::now(&scene.clock);
    let decide = Box::new(move |meeting: &mut Meeting| meeting.change(ordinary, now));
    let changed = fixture.meetings().update(scene.client.id, id, None, decide).await;
    assert_eq!(changed.expect("it can be changed").weight_kind, None);
}

pub async fn kinds_of_others_are_refused_and_nothing_is_stored(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let own = scene.add_weight_kind(fixture, "Shares").await;
    let theirs = stranger.add_weight_kind(fixture, "Shares").await;
    let unknown = WeightKindId::new(&CountingIds::new());
    let meeting = scene.add(fixture, by(&scene, None)).await;
    let question = scene.question(meeting, QuestionType::Percentage, &[]);
    fixture.questions().add(question.clone()).await.expect("there is room");
    for kind in [theirs, unknown] {
        let refused = fixture.meetings().add(by(&scene, Some(kind)), Vec::new()).await;
        assert!(matches!(refused, Err(UpdateMeetingError::UnknownWeightKind)), "{refused:?}");
        let changes = MeetingChanges { weight_kind: Some(Some(kind)), ..MeetingChanges::default() };
        let now = plenum_kernel::Clock::now(&scene.clock);
        let decide = Box::new(move |meeting: &mut Meeting| meeting.change(changes, now));
        let refused = fixture.meetings().update(scene.client.id, meeting, None, decide).await;
        assert!(matches!(refused, Err(UpdateMeetingError::UnknownWeightKind)), "{refused:?}");
        for (weight, second, field) in [(kind, own, "weightKindId"), (own, kind, "secondWeightKindId")] {
            let refused = fixture.questions().add(counted_by(&scene, meeting, weight, second)).await;
            let is_named = matches!(&refused, Err(AddQuestionError::Form { field: named, .. }) if named == field);
            assert!(is_named, "{refused:?}");
            let decide = Box::new(move |question: &mut Question, _: QuestionUse| {
                question.weights = QuestionWeights { weight: Some(weight), second: Some(second) };
                Ok(())
            });
            let refused = fixture.questions().update(scene.client.id, question.id, decide).await;
            let is_named = matches!(&refused, Err(ChangeQuestionError::Form { field: named, .. }) if *named == field);
            assert!(is_named, "{refused:?}");
        }
    }
    let found = scene.find(fixture, meeting).await;
    assert_eq!((found.meeting.weight_kind, found.question_count), (None, 1));
}

pub async fn a_question_with_votes_keeps_its_kinds(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let shares = scene.add_weight_kind(fixture, "Shares").await;
    let meeting = scene.add(fixture, by(&scene, None)).await;
    let question = scene.question(meeting, QuestionType::Percentage, &[]);
    let id = question.id;
    fixture.questions().add(question).await.expect("there is room");
    fixture.mark_used(id, QuestionUse::Voted).await;
    for changes in [
        QuestionChanges { weight_kind: Some(Some(shares)), ..QuestionChanges::default() },
        QuestionChanges { second_weight_kind: Some(Some(shares)), ..QuestionChanges::default() },
    ] {
        let decide = Box::new(move |question: &mut Question, used: QuestionUse| {
            changes.apply_to(question, used, &CountingIds::new())
        });
        let refused = fixture.questions().update(scene.client.id, id, decide).await;
        assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    }
}
