use std::io::{self, Write};

/// Says something to whoever started the program. Standard output, in contrast to the log.
///
/// Nobody may listen any more: that ends no server.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Says it on standard error, where standard output is for something else.
pub(crate) fn say_aside(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
