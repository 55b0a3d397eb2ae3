use chrono::{DateTime, Utc};
use plenum_clients::{AUDIT_KINDS, AuditFilter, AuditPlace};
use plenum_kernel::SearchText;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::NumberParameter;
use crate::extract::read_number;

/// The number of entries in a response without `limit`.
const DEFAULT_LIMIT: u32 = 50;
/// The highest `limit`.
const MAX_LIMIT: u32 = 200;

/// The filter and the page of an audit log.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Plain text to find in names, titles, addresses and changes. `%` and `_` match themselves.
    pub(super) search: Option<String>,
    /// Part of the name of the actor or the affected person.
    pub(super) person: Option<String>,
    /// Only entries of this kind.
    pub(super) kind: Option<String>,
    /// Only entries at or after this time.
    #[param(value_type = Option<DateTime<Utc>>)]
    pub(super) from: Option<String>,
    /// Only entries before this time.
    #[param(value_type = Option<DateTime<Utc>>)]
    pub(super) until: Option<String>,
    /// The value of `next` in the previous page.
    pub(super) behind: Option<String>,
    /// The highest number of entries to return; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub(super) limit: Option<String>,
}

impl AuditQuery {
    /// Checks the filter and the limit.
    pub(super) fn read(&self) -> Result<(AuditFilter, u32), ApiError> {
        let mut check = FieldCheck::default();
        let limit = read_number(
            &mut check,
            NumberParameter { name: "limit", text: self.limit.as_deref(), default: DEFAULT_LIMIT, max: MAX_LIMIT },
        );
        let filter = AuditFilter {
            search: self.search.as_deref().and_then(SearchText::parse),
            person: self.person.as_deref().and_then(SearchText::parse),
            kind: read_kind(&mut check, self.kind.as_deref()),
            from: read_time(&mut check, "from", self.from.as_deref()),
            until: read_time(&mut check, "until", self.until.as_deref()),
            behind: read_place(&mut check, self.behind.as_deref()),
        };
        check.finish(limit.map(|limit| (filter, limit)))
    }
}

fn read_kind(check: &mut FieldCheck, text: Option<&str>) -> Option<&'static str> {
    let text = text.filter(|text| !text.is_empty())?;
    let kind = AUDIT_KINDS.iter().find(|kind| **kind == text).copied();
    if kind.is_none() {
        check.note("kind", "Must be a kind of entry, such as end_user_changed.".to_owned());
    }
    kind
}

fn read_time(check: &mut FieldCheck, field: &str, text: Option<&str>) -> Option<DateTime<Utc>> {
    let text = text?;
    let time = DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc());
    // The range keeps the time within the limits of the database.
    let time = time.filter(|time| (1900..=9999).contains(&chrono::Datelike::year(time)));
    if time.is_none() {
        check.note(field, "Must be a time such as 2026-11-22T10:00:00Z.".to_owned());
    }
    time
}

/// Writes the position at which the next page begins.
pub(super) fn place_text(place: AuditPlace) -> String {
    format!("{}-{}", place.at.timestamp_micros(), place.id)
}

fn read_place(check: &mut FieldCheck, text: Option<&str>) -> Option<AuditPlace> {
    let text = text.filter(|text| !text.is_empty())?;
    let place = text.split_once('-').and_then(|(micros, id)| {
        let at = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
        let is_in_range = (1900..=9999).contains(&chrono::Datelike::year(&at));
        Some(AuditPlace { at, id: id.parse().ok()? }).filter(|_| is_in_range)
    });
    if place.is_none() {
        check.note("behind", "Must be the value of `next` of a page.".to_owned());
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query() -> AuditQuery {
        AuditQuery { search: None, person: None, kind: None, from: None, until: None, behind: None, limit: None }
    }

    #[test]
    fn the_next_page_begins_where_the_previous_one_ends() {
        let place = AuditPlace { at: DateTime::from_timestamp_micros(1_795_000_000_123_456).unwrap(), id: 7 };
        let behind = AuditQuery { behind: Some(place_text(place)), ..query() };
        assert_eq!(behind.read().unwrap().0.behind, Some(place));
    }

    #[test]
    fn meaningless_values_are_rejected() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(query().read().unwrap(), (AuditFilter::default(), DEFAULT_LIMIT));
        for wrong in [
            AuditQuery { kind: text("votes_cast"), ..query() },
            AuditQuery { from: text("yesterday"), ..query() },
            AuditQuery { until: text(""), ..query() },
            AuditQuery { until: text("+262000-01-01T00:00:00Z"), ..query() },
            AuditQuery { behind: text("1-x"), ..query() },
            AuditQuery { behind: text("9223372036854775807-1"), ..query() },
            AuditQuery { limit: text("201"), ..query() },
        ] {
            assert!(wrong.read().is_err());
        }
    }
}
