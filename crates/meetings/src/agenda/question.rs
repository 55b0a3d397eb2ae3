use chrono::{DateTime, Utc};
use plenum_kernel::election::{BallotOrder, FollowedBallot};
use plenum_kernel::{
    ClientId, DecisionRule, GroupId, Invalid, MeetingId, NewIds, OptionId, OptionRole, PlannedQuorum, QuestionId,
    QuestionType, Secrecy, WeightKindId,
};

use crate::agenda::question_form::{FormError, OptionForm};

plenum_kernel::text_value!(
    /// The text of the question.
    QuestionText, check_text, 1_000
);
plenum_kernel::text_value!(
    /// The text of an option.
    OptionText, check_line, 300
);

/// An option of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionOption {
    /// Its id.
    pub id: OptionId,
    /// The text, unique in the question.
    pub text: OptionText,
    /// The position, from 1.
    pub position: u32,
    /// The meaning for the decision.
    pub role: OptionRole,
}

impl QuestionOption {
    /// Whether this is its text. Earlier versions stored blanks of other kinds, which stay until the text changes.
    pub(crate) fn says(&self, text: &OptionText) -> bool {
        self.text == *text || OptionText::parse(self.text.as_str()).is_ok_and(|spelled| spelled == *text)
    }
}

/// The options, in order. An unchanged text keeps its id.
pub(crate) fn options_with(
    options: Vec<OptionForm>,
    before: &[QuestionOption],
    ids: &dyn NewIds,
) -> Vec<QuestionOption> {
    (1..)
        .zip(options)
        .map(|(position, OptionForm { text, role })| match before.iter().find(|option| option.says(&text)) {
            Some(known) => QuestionOption { position, role, ..known.clone() },
            None => QuestionOption { id: OptionId::new(ids), text, position, role },
        })
        .collect()
}

/// The kinds of weight by which a question counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuestionWeights {
    /// A kind of its own. Without one, it counts as its meeting does.
    pub weight: Option<WeightKindId>,
    /// The second weight, for rules that need one.
    pub second: Option<WeightKindId>,
}

impl QuestionWeights {
    /// The kinds that it names.
    pub fn kinds(self) -> impl Iterator<Item = WeightKindId> {
        self.weight.into_iter().chain(self.second)
    }
}

/// A question on the agenda of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The position on the agenda, from 1.
    pub position: u32,
    /// The text of the question.
    pub text: QuestionText,
    /// The type of its answers.
    pub question_type: QuestionType,
    /// The organizer's mark. It is stored and shown, but does not force anybody to vote.
    pub is_required: bool,
    /// The options, in order; empty for types without options.
    pub options: Vec<QuestionOption>,
    /// The highest number of a rating.
    pub rating_max: Option<u32>,
    /// The maximum number of choices.
    pub max_choices: Option<u32>,
    /// The decision rule. Without one, the question is only counted.
    pub decision_rule: Option<DecisionRule>,
    /// Its own quorum. Without one, the quorum of the meeting applies.
    pub quorum: Option<PlannedQuorum>,
    /// Who can learn how a person voted.
    pub secrecy: Secrecy,
    /// Whether every vote counts one, whatever the weight.
    pub counts_heads: bool,
    /// The groups that it is for, in the order of ids ([`plenum_kernel::audience`]). Empty for everybody whom the meeting is for.
    pub groups: Vec<GroupId>,
    /// The kinds of weight by which it counts.
    pub weights: QuestionWeights,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

/// A rule of the agenda that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgendaRule {
    /// The question has votes, so it and its terms cannot change.
    #[error("this question has votes, so it can be neither changed nor deleted; copy it instead")]
    HasVotes,
    /// A result of the question was declared without votes, so it cannot be deleted.
    #[error("a result of this question has been declared, so it cannot be deleted")]
    IsDeclared,
    /// Voting on the question is open, so it cannot change.
    #[error("voting on this question is open; end it before you change the question")]
    IsOpen,
    /// The candidates of the question are not those of the ballot.
    #[error("this question was changed after the ballot, so it cannot be continued: ask a new question")]
    ChangedSinceBallot,
    /// The round has a next ballot.
    #[error("the next ballot of this election is on the agenda already")]
    HasNextBallot,
    /// The question has a later round than the one that its next ballot would continue.
    #[error("this ballot was opened again, so the next ballot must follow its last round")]
    RoundSuperseded,
    /// The agenda has the maximum number of questions.
    #[error("the agenda is full; delete a question first")]
    Full,
}

/// The progress of voting on a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionUse {
    /// No votes, and no open round.
    Unused,
    /// An open round, without votes so far.
    Open,
    /// Votes in one of its rounds.
    Voted,
}

impl Question {
    /// Whether wording, answers and terms are the same.
    pub(crate) fn is_put_as(&self, other: &Self) -> bool {
        let offered = |question: &Self| -> Vec<(OptionText, OptionRole)> {
            question.options.iter().map(|option| (option.text.clone(), option.role)).collect()
        };
        self.text == other.text
            && self.question_type == other.question_type
            && offered(self) == offered(other)
            && self.rating_max == other.rating_max
            && self.max_choices == other.max_choices
            && self.decision_rule == other.decision_rule
            && self.quorum == other.quorum
            && self.secrecy == other.secrecy
            && self.counts_heads == other.counts_heads
            && self.groups == other.groups
            && self.weights == other.weights
    }

    /// A copy with new ids for this meeting, at the same position.
    pub(crate) fn copy_to(&self, meeting: MeetingId, ids: &dyn NewIds, now: DateTime<Utc>) -> Self {
        let anew = |option: &QuestionOption| QuestionOption { id: OptionId::new(ids), ..option.clone() };
        let mut copy = Self {
            id: QuestionId::new(ids),
            meeting_id: meeting,
            options: self.options.iter().map(anew).collect(),
            created_at: now,
            ..self.clone()
        };
        // Only the next ballot of a result continues an election.
        if let Some(DecisionRule::Election(rule)) = &mut copy.decision_rule {
            rule.follows = None;
        }
        copy
    }

    /// The ballot that its election continues.
    pub fn followed_ballot(&self) -> Option<FollowedBallot> {
        match &self.decision_rule {
            Some(DecisionRule::Election(rule)) => rule.follows,
            _ => None,
        }
    }

    /// Continues the same ballot as before, if its new terms do not say.
    pub(crate) fn keep_followed_ballot(&mut self, before: &Self) {
        if let Some(DecisionRule::Election(rule)) = &mut self.decision_rule {
            rule.follows = rule.follows.or(before.followed_ballot());
        }
    }

    /// Whether its election continues that ballot, or is a first one.
    ///
    /// # Errors
    /// Names the field.
    pub(crate) fn check_follows(&self, allowed: Option<FollowedBallot>) -> Result<(), FormError> {
        if self.followed_ballot() == allowed {
            return Ok(());
        }
        let requirement = "Leave it out or keep its value: only the next ballot of a result continues an election.";
        Err(("decisionRule.election.follows", Invalid::new(requirement)))
    }

    /// Fixes the seed of a drawn order of candidates, if the organizer gave none: the id of the question. Nobody can choose it,
    /// and everybody can repeat the draw.
    pub(crate) fn fix_order_of_candidates(&mut self) {
        if let Some(DecisionRule::Election(rule)) = &mut self.decision_rule
            && let BallotOrder::ByLot { seed } = &mut rule.order
            && seed.is_empty()
        {
            *seed = self.id.as_uuid().to_string();
        }
    }

    /// Whether its decision rule, if it has one, can decide it.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub(crate) fn check_rule(&self) -> Result<(), FormError> {
        let Some(rule) = &self.decision_rule else {
            let is_missing = self.question_type == QuestionType::Election;
            let requirement = "Is required: an election needs its method, as {\"kind\":\"election\",\"election\":{…}}.";
            return if is_missing { Err(("decisionRule", Invalid::new(requirement))) } else { Ok(()) };
        };
        self.check_secret_groups()?;
        let roles: Vec<OptionRole> = self.options.iter().map(|option| option.role).collect();
        rule.check_for(self.question_type, &roles)
    }

    /// As [`Self::check_rule`] after a change. A rule that stays for the same options is not checked against them: it can be
    /// older than a requirement, and a question with votes could not be mended.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub(crate) fn check_changed_rule(&self, before: &Self) -> Result<(), FormError> {
        let stays = self.question_type == before.question_type
            && self.options == before.options
            && self.decision_rule == before.decision_rule;
        if stays { self.check_secret_groups() } else { self.check_rule() }
    }

    /// A secret vote has no result of a group.
    fn check_secret_groups(&self) -> Result<(), FormError> {
        let needs_groups =
            matches!(&self.decision_rule, Some(DecisionRule::Majority(majority)) if !majority.in_each().is_empty());
        if self.secrecy.is_secret() && needs_groups {
            let requirement =
                "Must be left out: a secret vote is counted in total. Hold one secret vote for each group.";
            return Err(("decisionRule.inEach", Invalid::new(requirement)));
        }
        Ok(())
    }

    /// Whether its kinds of weight fit it and its decision rule.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub(crate) fn check_weights(&self) -> Result<(), FormError> {
        let QuestionWeights { weight, second } = self.weights;
        let refused = |field, requirement: &'static str| Err((field, Invalid::new(requirement)));
        let needs_second = self.decision_rule.as_ref().is_some_and(DecisionRule::needs_second_weight);
        if self.question_type == QuestionType::Election && weight.is_some() {
            let requirement = "Must be left out: an election of persons counts heads or the ordinary weight.";
            return refused("weightKindId", requirement);
        }
        match second {
            None if needs_second => {
                refused("secondWeightKindId", "Is required: the decision rule counts by a second weight.")
            }
            Some(_) if self.secrecy.is_secret() => {
                refused("secondWeightKindId", "Must be left out: a secret vote counts one weight.")
            }
            Some(_) if self.question_type == QuestionType::Election => {
                refused("secondWeightKindId", "Must be left out: an election of persons counts one weight.")
            }
            Some(_) if second == weight => refused("secondWeightKindId", "Must be another kind than the weight."),
            _ => Ok(()),
        }
    }

    /// The error for a kind of weight which the client does not have.
    pub fn unknown_weight_kind(&self, are_known: impl Fn(WeightKindId) -> bool) -> Option<FormError> {
        let QuestionWeights { weight, second } = self.weights;
        let fields = [("weightKindId", weight), ("secondWeightKindId", second)];
        let unknown = fields.into_iter().find(|(_, kind)| kind.is_some_and(|kind| !are_known(kind)));
        unknown.map(|(field, _)| (field, Invalid::new("Must be the id of a kind of weight of your organization.")))
    }

    /// The groups that its decision rule names.
    pub fn rule_groups(&self) -> Vec<GroupId> {
        self.decision_rule.as_ref().map(DecisionRule::groups).unwrap_or_default()
    }

    /// The error for a rule that names a group which the client does not have.
    pub fn unknown_rule_group() -> FormError {
        ("decisionRule.inEach", Invalid::new("Must contain ids of groups of your organization."))
    }

    /// Whether the question can be deleted.
    ///
    /// # Errors
    /// Refuses once there are votes, or a declared result, which may be one without votes.
    pub fn check_removal(used: QuestionUse, is_declared: bool) -> Result<(), AgendaRule> {
        match used {
            QuestionUse::Voted => Err(AgendaRule::HasVotes),
            QuestionUse::Unused | QuestionUse::Open if is_declared => Err(AgendaRule::IsDeclared),
            QuestionUse::Unused | QuestionUse::Open => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;
    use crate::agenda::sample_question::question;

    #[test]
    fn an_option_that_was_stored_with_another_blank_stays_as_it_is() {
        let mut before = question(QuestionType::MultipleChoice).options;
        before[0].text = OptionText::from_stored("Anna\u{a0}Berg".to_owned());
        let of = |texts: [&str; 3]| {
            let form = |text| OptionForm { text: OptionText::parse(text).unwrap(), role: OptionRole::Choice };
            options_with(texts.map(form).into(), &before, &CountingIds::new())
        };
        assert_eq!(of(["Anna\u{a0}Berg", "Bert", "Carl"]), before);
        assert_eq!(of(["Anna Berg", "Bert", "Carl"]), before);
        let other = of(["Anna", "Bert", "Carl"]);
        assert!(other[0].id != before[0].id && other[1..] == before[1..]);
    }
}
