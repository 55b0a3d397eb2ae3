use crate::QuestionType;

/// Who can learn how a person voted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Secrecy {
    /// Results and exports show how each person voted.
    Named,
    /// Nobody is shown how a person voted. The operator's database contains it.
    #[default]
    Unshown,
    /// Ballots are sealed. When the votes are counted, they are opened once, only sums are kept, and the key is destroyed.
    Secret,
}

impl Secrecy {
    /// Every level, the most open one first.
    pub const ALL: [Self; 3] = [Self::Named, Self::Unshown, Self::Secret];

    /// Whether the result shows how each person voted.
    pub const fn is_named(self) -> bool {
        matches!(self, Self::Named)
    }

    /// Whether ballots are sealed.
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::Secret)
    }

    /// Whether every vote of a question counts one, whatever the weight. `is_set` is the setting of the question. A weight
    /// next to a text, a number or a ranking would tell whose it is, so such answers count by heads if they are secret.
    pub const fn counts_heads(self, question_type: QuestionType, is_set: bool) -> bool {
        is_set || self.is_secret() && (!question_type.has_options() || matches!(question_type, QuestionType::Election))
    }
}
