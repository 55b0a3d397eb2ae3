//! Who sees the rows of all clients. Whoever can say whose rows it needs says so (`db.of(owner)`); this list may only become
//! shorter, unless there is something new that concerns no single client.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How often each file asks for all rows.
const CALLERS: [(&str, usize); 13] = [
    // The person is looked for by what they sign in with; and the first super administrator, of the installation.
    ("identity/accounts.rs", 5),
    // What happened last on the platform.
    ("clients/activity.rs", 1),
    // The hub knows the meeting; `live/access.rs` has settled whose it is.
    ("voting/attendance.rs", 1),
    // The log of the platform, and acts of whoever belongs to no client; the chains of all are linked and verified.
    ("audit/trail.rs", 2),
    ("audit/chain.rs", 4),
    // Rounds of which `BallotService` has settled whose they are, and test votes that a super administrator discards.
    ("voting/ballot_box.rs", 3),
    ("clients/reports.rs", 1),
    // Super administrators' lists of clients, new ones, and a code that somebody typed.
    ("clients/organizations.rs", 4),
    // The integrity checks look for what points across clients.
    ("diagnostics/mod.rs", 1),
    // The sender serves all clients.
    ("meetings/invitations.rs", 3),
    // As for the attendance.
    ("live/state.rs", 6),
    // A link that somebody followed.
    ("meetings/planning.rs", 1),
    // Whoever has a link for a new password.
    ("identity/passwords.rs", 3),
];

/// The same for those that are asked by a token or a session, before it is known whose it is, and of what is due.
const CALLERS_BY_TOKEN_OR_TIME: [(&str, usize); 4] =
    [("voting/results.rs", 1), ("voting/rounds.rs", 1), ("identity/second_factors.rs", 3), ("identity/sessions.rs", 5)];

fn count_in(folder: &Path, prefix: &str, callers: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let entry = entry.expect("the sources can be listed");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            count_in(&entry.path(), &format!("{name}/"), callers);
        } else if !name.starts_with("pool/database") {
            let text = fs::read_to_string(entry.path()).expect("a source can be read");
            let number = text.matches(".platform()").count();
            if number > 0 {
                callers.insert(name, number);
            }
        }
    }
}

#[test]
fn only_these_see_the_rows_of_all_clients() {
    let mut callers = BTreeMap::new();
    count_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut callers);
    let known = CALLERS.into_iter().chain(CALLERS_BY_TOKEN_OR_TIME);
    let known: BTreeMap<String, usize> = known.map(|(name, number)| (name.to_owned(), number)).collect();
    assert_eq!(callers, known, "say whose rows are needed, or why nobody's can be named");
}
