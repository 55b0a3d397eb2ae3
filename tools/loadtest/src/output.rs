//! Who is told what, and where.

<<<<<<< ours
/// Tells how far a run has come. Standard error, so that figures on standard output stay alone.
#[expect(clippy::print_stderr, reason = "the one place that tells progress to whoever started the program")]
=======
/// Prints progress. To standard error, so that standard output contains only figures.
#[expect(clippy::print_stderr, reason = "the one place that prints progress")]
>>>>>>> theirs
pub fn progress(text: &str) {
    eprintln!("plenum-load: {text}");
}

<<<<<<< ours
/// Says something to whoever started the program.
#[expect(clippy::print_stdout, reason = "the one place that speaks to whoever started the program")]
=======
/// Prints a result to standard output.
#[expect(clippy::print_stdout, reason = "the one place that prints results")]
>>>>>>> theirs
pub fn print(text: &str) {
    println!("{text}");
}
