//! Who was there from when to when, in a meeting with check-in.

use std::collections::BTreeMap;

use plenum_result_format::{AttendanceKind, AttendanceLogEntry};

/// A stay of a person.
pub(super) struct Stay<'a> {
    pub(super) came: &'a AttendanceLogEntry,
    pub(super) went: Option<&'a AttendanceLogEntry>,
}

/// The stays by name, and each person's in order.
pub(super) fn stays_of(log: &[AttendanceLogEntry]) -> Vec<Stay<'_>> {
    let mut people: BTreeMap<(String, &str), Vec<&AttendanceLogEntry>> = BTreeMap::new();
    for entry in log {
        people.entry((entry.name.to_lowercase(), &entry.username)).or_default().push(entry);
    }
    let mut stays: Vec<Stay<'_>> = Vec::new();
    for (_, mut entries) in people {
        entries.sort_by_key(|entry| entry.at);
        let mut of_person: Vec<Stay<'_>> = Vec::new();
        for entry in entries {
            match (entry.kind, of_person.last_mut()) {
                (AttendanceKind::In, _) => of_person.push(Stay { came: entry, went: None }),
                (AttendanceKind::Out, Some(stay)) => stay.went = Some(entry),
                // A person who was renamed in between.
                (AttendanceKind::Out, None) => {}
            }
        }
        stays.append(&mut of_person);
    }
    stays
}
