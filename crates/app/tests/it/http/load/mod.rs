//! The load generator on the real product, in its short version. It fails on votes that are lost, doubled, changed or
//! smuggled, and never because something takes long. That it would find these is what `faults` shows.

mod faults;
mod scenarios;
mod tampering_proxy;

use clap::Parser as _;
use plenum_load::arguments::Arguments;
use plenum_load::machine::raise_open_files;
use plenum_load::outcome::Outcome;
use plenum_load::play::play;

use crate::http::support::{PASSWORD, ROOT_EMAIL};

/// Plays what a command line asks for, and gives what it would write as JSON.
async fn run(url: &str, line: &str) -> Outcome {
    raise_open_files();
    let words = ["plenum-load"].into_iter().chain(line.split_whitespace());
    let server = ["--url", url, "--admin-email", ROOT_EMAIL, "--admin-password", PASSWORD];
    let arguments = Arguments::try_parse_from(words.chain(server)).unwrap();
    let (result, _) = play(&arguments.command).await.unwrap();
    assert_eq!(result.is_clean(), result.outcome().journal.is_none_or(|counts| counts.is_clean()));
    result.outcome().clone()
}
