//! Who is told what, and where.

/// Tells how far a run has come. Standard error, so that figures on standard output stay alone.
#[expect(clippy::print_stderr, reason = "the one place that tells progress to whoever started the program")]
pub fn progress(text: &str) {
    eprintln!("plenum-load: {text}");
}

/// Says something to whoever started the program.
#[expect(clippy::print_stdout, reason = "the one place that speaks to whoever started the program")]
pub fn print(text: &str) {
    println!("{text}");
}
