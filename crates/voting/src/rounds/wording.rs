use plenum_kernel::{OptionId, OptionRole, QuestionType, nfc};

/// An option as it stood when the round opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOption {
    /// Its id.
    pub id: OptionId,
    /// What it said; unique in its round.
    pub text: String,
    /// Its place, from 1.
    pub position: u32,
    /// What it means.
    pub role: OptionRole,
}

/// A question as it stood when the round opened. It never changes: a round that is frozen anew gets a new id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// What was asked.
    pub text: String,
    /// What kind of answer it asked for.
    pub question_type: QuestionType,
    /// The options in order; empty for types without options.
    pub options: Vec<RoundOption>,
    /// The top of the scale of a rating.
    pub rating_max: Option<u32>,
    /// How many options may be chosen; as many as there are when missing.
    pub max_choices: Option<u32>,
}

impl Wording {
    /// The option that says `text`, without regard to spaces around it and to how its letters are coded.
    pub fn option_saying(&self, text: &str) -> Option<&RoundOption> {
        let said = text.trim();
        let exact = self.options.iter().find(|option| option.text == said);
        exact.or_else(|| {
            let said = nfc(said);
            self.options.iter().find(|option| nfc(&option.text) == said)
        })
    }

    /// Returns the text of the option with this id.
    pub fn text_of(&self, id: OptionId) -> Option<&str> {
        self.options.iter().find(|option| option.id == id).map(|option| option.text.as_str())
    }
}
