//! The binary `plenum`.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Parser as _;
use plenum_app::commands::{Arguments, run, run_alone};
use plenum_app::{Config, LogFormat, whole_chain};
use tracing_subscriber::EnvFilter;

// Measured faster than the system's allocator for many small frames and rows.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(outcome) = run_alone(&arguments) {
        return outcome;
    }
    let config = match Config::from_environment() {
        Ok(config) => config,
        Err(errors) => {
            for error in errors {
                print_error(&error.to_string());
            }
            return ExitCode::from(2);
        }
    };
    if let Err(reason) = start_log(&config) {
        print_error(&format!("PLENUM_LOG must be a filter like info or plenum=debug: {reason}"));
        return ExitCode::from(2);
    }
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    match run(arguments, &config) {
        Ok(outcome) => outcome,
        Err(error) => {
            print_error(&whole_chain(&*error));
            ExitCode::FAILURE
        }
    }
}

fn start_log(config: &Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(&config.log).map_err(|error| error.to_string())?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Text => log.init(),
        // One object a line, with the fields of the event, and the fields of its request in `span`.
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the log may not have started yet")]
fn print_error(text: &str) {
    eprintln!("plenum: {text}");
}
