//! All integration tests of the crate, in one binary, so that they are linked once.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod arrange_agenda;
mod contract;
mod plan_and_run;
mod rehearse;
mod send_invitations;
mod write_remarks;
