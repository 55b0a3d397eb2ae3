//! Who was there from when to when, in a meeting with check-in.

use std::collections::BTreeMap;

use plenum_result_format::{AttendanceKind, AttendanceLogEntry};

/// A stay of a person.
pub(super) struct Stay<'a> {
    /// The entry with the name at that time.
    pub(super) person: &'a AttendanceLogEntry,
    /// `None` if the person came under another username.
    pub(super) came: Option<&'a AttendanceLogEntry>,
    pub(super) went: Option<&'a AttendanceLogEntry>,
}

impl<'a> Stay<'a> {
    fn of(entry: &'a AttendanceLogEntry) -> Self {
        match entry.kind {
            AttendanceKind::In => Self { person: entry, came: Some(entry), went: None },
            AttendanceKind::Out => Self { person: entry, came: None, went: Some(entry) },
        }
    }
}

/// The stays by name, and each person's in order. A person is known by the username, because the name may change during the
/// meeting.
pub(super) fn stays_of(log: &[AttendanceLogEntry]) -> Vec<Stay<'_>> {
    let mut people: BTreeMap<&str, Vec<&AttendanceLogEntry>> = BTreeMap::new();
    for entry in log {
        people.entry(&entry.username).or_default().push(entry);
    }
    let mut stays: Vec<Stay<'_>> = Vec::new();
    for (_, mut entries) in people {
        entries.sort_by_key(|entry| entry.at);
        let mut of_person: Vec<Stay<'_>> = Vec::new();
        for entry in entries {
            match (entry.kind, of_person.last_mut()) {
                (AttendanceKind::Out, Some(stay)) => stay.went = Some(entry),
                _ => of_person.push(Stay::of(entry)),
            }
        }
        stays.append(&mut of_person);
    }
    // Stable: those with the same name stay in the order of their usernames, and of their times.
    stays.sort_by_key(|stay| stay.person.name.to_lowercase());
    stays
}
