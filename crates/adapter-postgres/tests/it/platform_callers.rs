//! Files that access the rows of all clients. A store that knows the client uses `db.of(owner)`, so this list should only
//! shrink, unless new data belongs to no single client.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The number of accesses to all rows in each file.
const CALLERS: [(&str, usize); 24] = [
    // A desk is known by its token, and the presentation by its meeting; neither names a client.
    ("check_in/check_ins.rs", 1),
    ("check_in/desks.rs", 1),
    // Sign-ins look people up before their client is known; and the first super administrator belongs to none.
    ("identity/accounts.rs", 5),
    // Recent activity of the platform.
    ("clients/activity.rs", 1),
    // The hub knows the meeting; `live/access.rs` has checked its client.
    ("voting/attendance.rs", 1),
    // The log of the platform, actions of people without a client, and the linking and verification of all chains.
    ("audit/trail.rs", 2),
    ("audit/chain.rs", 4),
    // Rounds whose client `BallotService` has checked, and test votes that a super administrator discards.
    ("voting/ballot_box.rs", 3),
    // The client of a running meeting, whose register is prepared without a caller.
    ("voting/prepared_registers.rs", 1),
    // The keys of the whole installation.
    ("voting/installation_keys.rs", 2),
    // Imported archives belong to no client.
    ("voting/archives.rs", 4),
    // Reads across clients: results that were declared before there were records, meetings whose records the program
    // checks, the meeting or the records of given hashes, and whether their client was deleted.
    ("voting/records.rs", 6),
    // What is due in all organizations and in the platform's log, and the removal of it.
    ("voting/purges.rs", 3),
    // The newest entry of all audit logs, for the check of the clock.
    ("voting/purge_clock.rs", 1),
    // The hashes of all clients that wait for a timestamp, and their number.
    ("voting/timestamps.rs", 2),
    // The keys of secret rounds of all clients, which one sweep destroys. The hub and `BallotService` know the round.
    ("voting/urns.rs", 4),
    ("clients/reports.rs", 1),
    // People of all clients who are erased by rule.
    ("clients/end_users.rs", 1),
    // Super administrators' lists of clients, new clients and their codes, and client codes that people enter.
    ("clients/organizations.rs", 5),
    // The integrity checks search for references across clients.
    ("diagnostics/mod.rs", 1),
    // The sender serves all clients.
    ("meetings/invitations.rs", 3),
    // As for attendance.
    ("live/state.rs", 7),
    // An invitation link that a person followed, and meetings of all clients that ended before there were closing records.
    ("meetings/planning.rs", 2),
    // Links for new passwords.
    ("identity/passwords.rs", 3),
];

/// Further files: accesses by token or session before the client is known, and by due time.
const CALLERS_BY_TOKEN_OR_TIME: [(&str, usize); 5] = [
    ("identity/join_links.rs", 1),
    ("voting/results.rs", 1),
    ("voting/rounds.rs", 1),
    ("identity/second_factors.rs", 3),
    ("identity/sessions.rs", 7),
];

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
