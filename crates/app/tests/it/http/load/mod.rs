//! Short runs of the load generator on the real product. They fail on votes that are lost, doubled, changed or
//! smuggled, but never on slowness. `faults` shows that they find such votes.

mod faults;
mod scenarios;
mod tampering_proxy;

use clap::Parser as _;
use plenum_load::arguments::Arguments;
use plenum_load::machine::raise_open_files;
use plenum_load::outcome::Outcome;
use plenum_load::play::play;

use crate::http::support::{PASSWORD, ROOT_EMAIL};

/// Plays the scenario of a command line. Returns its JSON output.
async fn run(url: &str, line: &str) -> Outcome {
    raise_open_files();
    let words = ["plenum-load"].into_iter().chain(line.split_whitespace());
    let server = ["--url", url, "--admin-email", ROOT_EMAIL, "--admin-password", PASSWORD];
    let arguments = Arguments::try_parse_from(words.chain(server)).unwrap();
    let (result, _) = play(&arguments.command).await.unwrap();
    assert_eq!(result.is_clean(), result.outcome().journal.is_none_or(|counts| counts.is_clean()));
    result.outcome().clone()
}
