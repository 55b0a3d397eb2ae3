use plenum_kernel::listed;

/// A place where a group or a kind of weight is used, so that it cannot be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceOfUse {
    /// A meeting.
    Meeting(String),
    /// A question.
    Question {
        /// The text of the question.
        question: String,
        /// The title of its meeting.
        meeting: String,
    },
}

impl PlaceOfUse {
    /// The places in words. The store names a few of them; `more` are not named.
    pub fn in_words(places: &[Self], more: u64) -> String {
        let mut words: Vec<String> = places
            .iter()
            .map(|place| match place {
                Self::Meeting(title) => format!("the meeting \u{201c}{title}\u{201d}"),
                Self::Question { question, meeting } => {
                    format!("the question \u{201c}{question}\u{201d} in \u{201c}{meeting}\u{201d}")
                }
            })
            .collect();
        if more > 0 {
            words.push(format!("{more} more"));
        }
        listed(&words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_are_named() {
        let places = [
            PlaceOfUse::Meeting("Assembly".to_owned()),
            PlaceOfUse::Question { question: "Budget?".to_owned(), meeting: "Assembly".to_owned() },
        ];
        let both =
            "the meeting \u{201c}Assembly\u{201d} and the question \u{201c}Budget?\u{201d} in \u{201c}Assembly\u{201d}";
        assert_eq!(PlaceOfUse::in_words(&places, 0), both);
        assert!(PlaceOfUse::in_words(&places, 3).ends_with(" and 3 more"));
    }
}
