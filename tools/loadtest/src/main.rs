//! The binary `plenum-load`.

use std::error::Error;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::Parser as _;
use plenum_load::arguments::{Arguments, Command};
use plenum_load::failure::LoadFailure;
use plenum_load::faults;
use plenum_load::machine::raise_open_files;
use plenum_load::output::{print, progress};
use plenum_load::play::play;
use plenum_load::report::write_report;

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
        print(&write_report(arguments)?);
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(limit) = raise_open_files() {
        progress(&format!("up to {limit} files can be open, one for each connection"));
    }
    // The server that is measured mostly runs on the same machine and needs the rest.
    let threads = available_parallelism().map_or(1, |cores| cores.get().div_ceil(4));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    if let Command::Faults(settings) = command {
        let report = runtime.block_on(until_broken_off(faults::play(settings)))?;
        settings.write_results(&report)?;
        return Ok(exit_code(report.is_clean()));
    }
    let (result, json) = runtime.block_on(play(command))?;
    result.print(json)?;
    Ok(exit_code(result.is_clean()))
}

/// Runs to the end, or until Ctrl-C. Dropping the run then ends everything that it started.
async fn until_broken_off<T>(run: impl Future<Output = Result<T, LoadFailure>>) -> Result<T, LoadFailure> {
    tokio::select! {
        outcome = run => outcome,
        _ = tokio::signal::ctrl_c() => Err(LoadFailure::Settings("interrupted".to_owned())),
    }
}

fn exit_code(is_clean: bool) -> ExitCode {
    if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
