use plenum_kernel::{PaperBatchId, RoundId, capitalized};
use plenum_voting::{CloseBatchError, ConfirmationRule, EnterBatchError, EntryRule};

use crate::error::ApiError;
use crate::extract::ApiId as _;

/// The error of a broken rule. `is_named` tells the field with the people.
fn of_entry(rule: EntryRule, is_named: bool) -> ApiError {
    let person = |place: usize| if is_named { format!("ballots.{place}.endUserId") } else { format!("people.{place}") };
    let at = |place: usize, code: &'static str| ApiError::taken(code, &person(place), rule);
    match rule {
        EntryRule::NotOpen => ApiError::conflict("round_not_open", rule),
        EntryRule::Secret => ApiError::conflict("no_paper_in_secret", rule),
        EntryRule::TooManyBatches | EntryRule::TooManyDiscarded => ApiError::conflict("too_many_batches", rule),
        EntryRule::IdTaken => ApiError::conflict("batch_id_taken", rule),
        EntryRule::NotInRegister(place) => at(place, "not_in_register"),
        EntryRule::HasVoted(place) => at(place, "already_voted"),
        EntryRule::InOtherBatch(place) => at(place, "in_other_batch"),
        EntryRule::DifferentWeights(place) => at(place, "different_weights"),
    }
}

/// The error of an entry. `is_named` says whether the body has answers of people, or else people and numbers.
pub(super) fn of_entering(error: EnterBatchError, is_named: bool) -> ApiError {
    let people = if is_named { "ballots" } else { "people" };
    let text = capitalized(&error.to_string());
    match error {
        EnterBatchError::RoundNotFound => RoundId::missing(),
        EnterBatchError::Rule(rule) => of_entry(rule, is_named),
        EnterBatchError::OtherForm { is_named: true } => ApiError::invalid_field("ballots", text),
        EnterBatchError::OtherForm { is_named: false } => ApiError::invalid_field("people", text),
        EnterBatchError::WrongSize => ApiError::invalid_field(people, text),
        EnterBatchError::Repeated(place) if is_named => {
            ApiError::invalid_field(&format!("ballots.{place}.endUserId"), text)
        }
        EnterBatchError::Repeated(place) => ApiError::invalid_field(&format!("people.{place}"), text),
        EnterBatchError::Answers(place, rule) => {
            let list = if is_named { "ballots" } else { "counts" };
            ApiError::invalid_field(&format!("{list}.{place}.answers"), rule).with_code("invalid_ballot")
        }
        EnterBatchError::WrongSum { .. } => ApiError::invalid_field("counts", text),
        EnterBatchError::Port(failure) => failure.into(),
    }
}

/// The code of a broken rule.
const fn code_of(rule: &ConfirmationRule) -> &'static str {
    match rule {
        ConfirmationRule::Closed => "batch_closed",
        ConfirmationRule::OwnBatch => "second_teller_needed",
        ConfirmationRule::NotOpen => "round_not_open",
        ConfirmationRule::DifferentWeights => "different_weights",
        ConfirmationRule::NotCountable(_) => "set_not_countable",
    }
}

impl From<CloseBatchError> for ApiError {
    fn from(error: CloseBatchError) -> Self {
        match error {
            CloseBatchError::NotFound => PaperBatchId::missing(),
            CloseBatchError::Rule(rule) => Self::conflict(code_of(&rule), rule),
            CloseBatchError::Port(failure) => failure.into(),
        }
    }
}
