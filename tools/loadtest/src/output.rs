//! Output for people.

/// Prints progress. To standard error, so that standard output contains only figures.
#[expect(clippy::print_stderr, reason = "the one place that prints progress")]
pub fn progress(text: &str) {
    eprintln!("plenum-load: {text}");
}

/// Prints a result to standard output.
#[expect(clippy::print_stdout, reason = "the one place that prints results")]
pub fn print(text: &str) {
    println!("{text}");
}
