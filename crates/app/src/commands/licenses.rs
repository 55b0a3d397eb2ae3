use plenum_adapter_documents::font_licenses;
use plenum_adapter_http::front_end_licenses;

use crate::output::print_line;

/// The license texts of all crates in the program. `just notices` writes the file.
const CRATES: &str = include_str!("../../third-party-notices.txt");

const OWN: &str =
    "Plenum is licensed under either of the Apache License, Version 2.0, or the MIT license, at your option.
It contains the following work of others.";

/// Prints the licenses of everything that is built into the program.
pub(super) fn run() {
    print_line(OWN);
    let front_end = front_end_licenses().unwrap_or_else(|| "This build has no front end.\n".to_owned());
    for (title, texts) in
        [("Crates", CRATES), ("Packages of the front end", &front_end), ("Fonts of the minutes", &font_licenses())]
    {
        print_line(&format!("\n==== {title} ====\n\n{}", texts.trim_end()));
    }
}
