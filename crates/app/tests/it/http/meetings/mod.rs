//! Meetings before and during the assembly: agenda, participants, invitations, rehearsals.

mod candidate_files;
mod check_in;
mod closing;
mod copies;
mod current_question;
mod decision_rules;
mod invitations;
mod organizer_steps;
mod participants;
mod planning;
mod questions;
mod rehearsals;
mod remarks;
