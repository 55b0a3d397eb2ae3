/// Says something to whoever started the program. Standard output, in contrast to the log.
#[expect(clippy::print_stdout, reason = "the one place that speaks to whoever started the program")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}
