//! The organization, the people and the agenda that a run plays with, made through the API as an organizer makes them.

mod agenda;
mod organization;
mod pass;
mod person;
mod sessions;

pub use agenda::{Asked, QuestionKind};
pub use organization::{Hall, Voter, Wishes, ballot};
pub use pass::Pass;
pub use person::Person;
pub use sessions::{Entrance, run_command, sign_in_request, sign_in_request_with};
