//! Questions for tests.

use plenum_kernel::testkit::{CountingIds, StillClock, approval};
use plenum_kernel::{ClientId, Clock, DecisionRule, MeetingId, QuestionId, QuestionType, Secrecy};

use crate::agenda::question::options_with;
use crate::{Question, QuestionForm, QuestionText, QuestionWeights};

/// The rule of an election.
pub(crate) fn by_approval() -> DecisionRule {
    DecisionRule::Election(Box::new(approval()))
}

/// A question with the default form of its type.
pub(crate) fn question(question_type: QuestionType) -> Question {
    let ids = CountingIds::new();
    let options = match question_type {
        QuestionType::YesNo => Some(vec!["Yes".to_owned(), "No".to_owned()]),
        QuestionType::MultipleChoice | QuestionType::Election => {
            Some(vec!["Anna".to_owned(), "Bert".to_owned(), "Carl".to_owned()])
        }
        QuestionType::OpenText | QuestionType::Rating | QuestionType::Percentage => None,
    };
    let form = QuestionForm { question_type, options, option_roles: None, rating_max: Some(10), max_choices: Some(2) };
    let (question_type, options, rating_max, max_choices) = form.check().unwrap().into_parts();
    Question {
        id: QuestionId::new(&ids),
        client_id: ClientId::new(&ids),
        meeting_id: MeetingId::new(&ids),
        position: 3,
        text: QuestionText::parse("What shall we do?").unwrap(),
        question_type,
        is_required: true,
        options: options_with(options, &[], &ids),
        rating_max,
        max_choices,
        decision_rule: (question_type == QuestionType::Election).then(by_approval),
        quorum: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weights: QuestionWeights::default(),
        created_at: StillClock::new().now(),
    }
}
