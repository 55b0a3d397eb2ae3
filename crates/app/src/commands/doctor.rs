use super::CommandError;
use crate::Config;
use crate::doctor::{CHECKS, Finding};
use crate::output::print_line;

/// Prints each finding as soon as it is there: some checks take seconds.
pub(super) fn run(config: &Config) -> Result<(), CommandError> {
    let mut findings = Vec::new();
    for check in CHECKS {
        for finding in check(config) {
            print_line(&finding.to_string());
            findings.push(finding);
        }
    }
    let failures: Vec<_> = findings.iter().filter(|finding| finding.is_failure()).map(Finding::in_one_line).collect();
    if !failures.is_empty() {
        return Err(failures.join(" ").into());
    }
    print_line(match findings.iter().filter(|finding| finding.is_warning()).count() {
        0 => "\nNo problems found.",
        1 => "\nPlenum can be served. One warning is above.",
        _ => "\nPlenum can be served. The warnings are above.",
    });
    Ok(())
}
