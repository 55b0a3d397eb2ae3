//! Times and amendments in rows, compared with what is signed and chained.

use chrono::{DateTime, Utc};
use plenum_result_format::ClosingRecord;
use plenum_voting::{AmendmentGap, is_other_time};

/// The finding about a row whose time is not that of its document.
pub(crate) fn other_time(subject: &str, row: Option<DateTime<Utc>>, document: DateTime<Utc>) -> Option<String> {
    let is_other = row.is_some_and(|row| is_other_time(Some(row), Some(document)));
    is_other.then(|| format!("the row of {subject} has another time than its document"))
}

/// The times of a completed meeting that are not those of its last closing record, by their names in the document.
pub(crate) fn other_ends(
    (started_at, ended_at): (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
    last: &ClosingRecord,
) -> impl Iterator<Item = String> {
    let times = [("startedAt", started_at, last.started_at), ("endedAt", ended_at, last.ended_at)];
    times.into_iter().filter(|(_, row, document)| is_other_time(*row, *document)).map(|(name, ..)| name.to_owned())
}

/// The finding about an amendment that is not in the audit log as it is stored.
pub(crate) fn gap_sentence(gap: AmendmentGap) -> String {
    match gap {
        AmendmentGap::Different(number) => format!("amendment {number} is not the one that the audit log tells"),
        AmendmentGap::Missing(number) => format!("amendment {number} is missing, and the audit log tells it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_another_one_from_the_first_microsecond() {
        let at = |text: &str| -> DateTime<Utc> { text.parse().unwrap() };
        let document = at("2026-11-30T10:00:00.000001999Z");
        let found = |row: Option<&str>| other_time("closing record 1", row.map(at), document);
        assert_eq!(found(Some("2026-11-30T10:00:00.000001Z")), None);
        assert_eq!(found(None), None, "another check finds a missing row");
        let words = "the row of closing record 1 has another time than its document";
        assert_eq!(found(Some("2026-11-30T10:00:00.000002Z")).as_deref(), Some(words));
        assert_eq!(found(Some("2014-11-30T10:00:00.000001Z")).as_deref(), Some(words));
    }
}
