use std::io::{self, Write};

/// Prints a line on standard output. The log goes to standard error.
///
/// Ignores a closed output, so that it stops no server.
pub(crate) fn print_line(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints a line on standard error, when standard output has other content.
pub(crate) fn print_to_stderr(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A text without control characters, which a terminal would interpret as commands.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
