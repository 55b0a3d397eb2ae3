//! The recount and the engine count the same rounds; and whatever is changed in a file is found.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod agreement;
mod damage;
mod files;
mod hall;
mod tampering;
mod timestamps;
