/// The kind of answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionType {
    /// Exactly one of the options, usually Yes, No and perhaps Abstain.
    YesNo,
    /// One or more of the options.
    MultipleChoice,
    /// A text in the voter's own words.
    OpenText,
    /// A whole number from 1 to the question's `ratingMax`.
    Rating,
    /// A number from 0 to 100.
    Percentage,
    /// Marks for candidates, as the method of the election says.
    Election,
}

impl QuestionType {
    /// Every type, in the order in which the editor offers them.
    pub const ALL: [Self; 6] =
        [Self::YesNo, Self::MultipleChoice, Self::OpenText, Self::Rating, Self::Percentage, Self::Election];

    /// Whether voters choose among options, or mark candidates, which are options too.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::YesNo | Self::MultipleChoice | Self::Election)
    }
}

/// The meaning of an option for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionRole {
    /// In favor.
    Yes,
    /// Against.
    No,
    /// Present, but neither for nor against.
    Abstain,
    /// One of several proposals or candidates.
    Choice,
}

impl OptionRole {
    /// Whether an option with this role cannot be combined with others on a ballot: the abstention of a multiple choice question.
    pub fn stands_alone(self, question_type: QuestionType) -> bool {
        question_type == QuestionType::MultipleChoice && self == Self::Abstain
    }
}
