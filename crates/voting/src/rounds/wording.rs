use std::sync::Arc;

use plenum_kernel::election::ElectionRule;
use plenum_kernel::{OptionId, OptionRole, QuestionType, spelled};

use crate::ballots::marks::BallotForm;

/// A frozen option of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOption {
    /// Its id.
    pub id: OptionId,
    /// The text, unique in the round.
    pub text: String,
    /// The position, from 1.
    pub position: u32,
    /// The meaning for the decision.
    pub role: OptionRole,
}

/// A question, frozen when the round opened. It never changes: a round with a new wording gets a new id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// The text of the question.
    pub text: String,
    /// The type of its answers.
    pub question_type: QuestionType,
    /// The options, in order. Empty for types without options.
    pub options: Vec<RoundOption>,
    /// The highest number of a rating.
    pub rating_max: Option<u32>,
    /// The maximum number of choices. `None` allows all options.
    pub max_choices: Option<u32>,
    /// The terms of an election. `None` for other types.
    pub election: Option<Arc<ElectionRule>>,
}

impl Wording {
    /// The option with this text, apart from spaces around it, the kind of blanks and Unicode normalization.
    pub fn option_saying(&self, text: &str) -> Option<&RoundOption> {
        let entered = text.trim();
        let exact = self.options.iter().find(|option| option.text == entered);
        exact.or_else(|| {
            let entered = spelled(entered);
            self.options.iter().find(|option| spelled(&option.text) == entered)
        })
    }

    /// The form of a ballot in an election. `None` for other types.
    pub fn ballot_form(&self) -> Option<BallotForm> {
        self.election.as_ref().map(|rule| BallotForm::of(rule, self.options.len()))
    }

    /// The texts of all options, in order.
    pub fn option_texts(&self) -> Vec<String> {
        self.options.iter().map(|option| option.text.clone()).collect()
    }

    /// The text of the option that cannot be combined with others: the abstention of a multiple choice question.
    pub fn abstention(&self) -> Option<&str> {
        let abstention = self.options.iter().find(|option| option.role.stands_alone(self.question_type));
        abstention.map(|option| option.text.as_str())
    }

    /// Returns the text of the option with this id.
    pub fn text_of(&self, id: OptionId) -> Option<&str> {
        self.options.iter().find(|option| option.id == id).map(|option| option.text.as_str())
    }
}
