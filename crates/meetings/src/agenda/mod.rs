//! The agenda: its questions, their order, and changes to them.

pub(crate) mod arrange_agenda;
pub(crate) mod change_question;
pub(crate) mod changed_form;
pub(crate) mod next_ballot;
pub(crate) mod ports;
pub(crate) mod question;
pub(crate) mod question_form;
pub(crate) mod reorder_agenda;
#[cfg(test)]
pub(crate) mod sample_question;
