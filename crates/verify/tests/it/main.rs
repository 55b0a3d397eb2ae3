//! The recount and the engine count the same rounds, and every change in a file is detected.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod agreement;
mod audit_members;
mod casting_votes;
mod check_ins;
mod damage;
mod elections;
mod files;
mod hall;
mod limits;
mod round_numbers;
mod secret_rounds;
mod tampering;
mod timestamps;
