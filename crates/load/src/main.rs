//! The binary `plenum-load`.

use std::error::Error;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::Parser as _;
use plenum_load::arguments::{Arguments, Command};
use plenum_load::machine::raise_open_files;
use plenum_load::report::write_report;
use plenum_load::say::{progress, say};
use plenum_load::scenarios::play;

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(code) => code,
        Err(failure) => {
            progress(&whole_chain(&*failure));
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<ExitCode, Box<dyn Error>> {
    if let Command::Report(arguments) = command {
        say(&write_report(arguments)?);
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(limit) = raise_open_files() {
        progress(&format!("up to {limit} files can be open, one for each connection"));
    }
    // The server that is measured mostly runs on the same machine and needs the rest.
    let threads = available_parallelism().map_or(1, |cores| cores.get().div_ceil(4));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let (gathered, json) = runtime.block_on(play(command))?;
    gathered.tell(json)?;
    Ok(if gathered.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn whole_chain(failure: &(dyn Error + 'static)) -> String {
    let mut chain = failure.to_string();
    let mut source = failure.source();
    while let Some(cause) = source {
        chain = format!("{chain}: {cause}");
        source = cause.source();
    }
    chain
}
