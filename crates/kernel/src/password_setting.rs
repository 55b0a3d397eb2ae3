use std::fmt;

use crate::AccountId;

crate::text_value!(
    /// The reason why somebody other than the voter sets a password during a vote. The log of the round shows it.
    PasswordReason, check_line, 200
);

/// The organizer who sets passwords of voters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordSetter {
    /// The organizer's account.
    pub by: AccountId,
    /// The reason. Needed for a voter in the register of an open round.
    pub reason: Option<PasswordReason>,
}

/// An open round of a real meeting, with people in its register whose password is to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenVote {
    /// The title of the meeting.
    pub meeting: String,
    /// The text of the question.
    pub question: String,
    /// The number of these people in its register.
    pub people: u64,
}

/// No password was set, because at least one of the people may vote in an open round and no reason was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonNeeded(
    /// The open rounds, at least one.
    pub Vec<OpenVote>,
);

impl ReasonNeeded {
    /// The number of rounds that the text names.
    const NAMED: usize = 3;
}

/// Decides whether passwords can be set while these rounds are open.
///
/// # Errors
/// Names the rounds if a reason is missing.
pub fn decide_setting(open: Vec<OpenVote>, setter: &PasswordSetter) -> Result<(), ReasonNeeded> {
    if open.is_empty() || setter.reason.is_some() { Ok(()) } else { Err(ReasonNeeded(open)) }
}

impl fmt::Display for ReasonNeeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, OpenVote { meeting, question, people }) in self.0.iter().take(Self::NAMED).enumerate() {
            let separator = if place == 0 { "" } else { " and " };
            let who = if *people == 1 { "1 person".to_owned() } else { format!("{people} people") };
            write!(f, "{separator}{who} may vote on \u{201c}{question}\u{201d} in \u{201c}{meeting}\u{201d}")?;
        }
        match self.0.len().saturating_sub(Self::NAMED) {
            0 => {}
            1 => write!(f, " and in 1 more vote")?,
            more => write!(f, " and in {more} more votes")?,
        }
        write!(
            f,
            ", and voting is open. Give a reason: it is shown in the minutes, with your name. Or end the question first"
        )
    }
}

impl std::error::Error for ReasonNeeded {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::CountingIds;

    fn vote(question: &str, people: u64) -> OpenVote {
        OpenVote { meeting: "General assembly".to_owned(), question: question.to_owned(), people }
    }

    #[test]
    fn a_reason_is_needed_while_a_round_is_open() {
        let setter = PasswordSetter { by: AccountId::new(&CountingIds::new()), reason: None };
        let with_reason = PasswordSetter { reason: PasswordReason::parse("Forgotten").ok(), ..setter.clone() };
        let open = vec![vote("Approve the budget?", 1)];
        assert_eq!(decide_setting(Vec::new(), &setter), Ok(()));
        assert_eq!(decide_setting(open.clone(), &with_reason), Ok(()));
        assert_eq!(decide_setting(open.clone(), &setter), Err(ReasonNeeded(open)));
    }

    #[test]
    fn the_text_names_meeting_question_and_number() {
        let text = ReasonNeeded(vec![vote("Approve the budget?", 1), vote("Who chairs?", 12)]).to_string();
        assert_eq!(
            text,
            "1 person may vote on \u{201c}Approve the budget?\u{201d} in \u{201c}General assembly\u{201d} and 12 people may vote on \
             \u{201c}Who chairs?\u{201d} in \u{201c}General assembly\u{201d}, and voting is open. Give a reason: it is shown in the \
             minutes, with your name. Or end the question first"
        );
        let many = ReasonNeeded((0..5).map(|number| vote("?", number)).collect()).to_string();
        assert!(many.contains(" and in 2 more votes, and voting is open."), "{many}");
    }
}
