use plenum_kernel::{AtOpening, Attendance, MeetingQuorum, Quorum};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decision_rule::{same_names, threshold, within};
use crate::{ComparisonName, FieldError, UnitName};

/// The kind of participation that counts for a quorum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Attendance)]
pub enum AttendanceName {
    /// Presence: connected at opening, or voted.
    Present,
    /// A vote.
    Voted,
}

/// The effect of a missing quorum on the opening of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AtOpening)]
pub enum AtOpeningName {
    /// The organizer is warned and can continue.
    Warn,
    /// The question is not opened.
    Bar,
}

same_names!(AttendanceName, Attendance, [Present, Voted]);
same_names!(AtOpeningName, AtOpening, [Warn, Bar]);

/// The share of the register that must take part, so that a decision is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Quorum, example = json!({
    "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
}))]
pub struct QuorumFormat {
    /// The comparison with the share of the register.
    pub comparison: ComparisonName,
    /// The numerator of the share: from 1 to the denominator.
    pub numerator: u32,
    /// The denominator: from 1 to 1,000,000.
    pub denominator: u32,
    /// The unit of the count.
    pub unit: UnitName,
    /// The kind of participation that counts.
    pub attendance: AttendanceName,
}

impl From<Quorum> for QuorumFormat {
    fn from(quorum: Quorum) -> Self {
        let (comparison, fraction) = (quorum.threshold.comparison(), quorum.threshold.fraction());
        Self {
            comparison: comparison.into(),
            numerator: fraction.numerator(),
            denominator: fraction.denominator(),
            unit: quorum.unit.into(),
            attendance: quorum.attendance.into(),
        }
    }
}

impl TryFrom<QuorumFormat> for Quorum {
    type Error = FieldError;

    fn try_from(format: QuorumFormat) -> Result<Self, FieldError> {
        let threshold = threshold(format.comparison, format.numerator, format.denominator).map_err(within(""))?;
        Ok(Self { threshold, unit: format.unit.into(), attendance: format.attendance.into() })
    }
}

/// The quorum of a meeting, for every question without its own quorum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = MeetingQuorum, example = json!({
    "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
    "atOpening": "warn",
}))]
pub struct MeetingQuorumFormat {
    /// The comparison with the share of the register.
    pub comparison: ComparisonName,
    /// The numerator of the share: from 1 to the denominator.
    pub numerator: u32,
    /// The denominator: from 1 to 1,000,000.
    pub denominator: u32,
    /// The unit of the count.
    pub unit: UnitName,
    /// The kind of participation that counts.
    pub attendance: AttendanceName,
    /// The effect of a missing quorum at opening.
    pub at_opening: AtOpeningName,
}

impl From<MeetingQuorum> for MeetingQuorumFormat {
    fn from(meeting: MeetingQuorum) -> Self {
        let QuorumFormat { comparison, numerator, denominator, unit, attendance } = meeting.quorum.into();
        Self { comparison, numerator, denominator, unit, attendance, at_opening: meeting.at_opening.into() }
    }
}

impl TryFrom<MeetingQuorumFormat> for MeetingQuorum {
    type Error = FieldError;

    fn try_from(format: MeetingQuorumFormat) -> Result<Self, FieldError> {
        let MeetingQuorumFormat { comparison, numerator, denominator, unit, attendance, at_opening } = format;
        let quorum = QuorumFormat { comparison, numerator, denominator, unit, attendance }.try_into()?;
        Self::new(quorum, at_opening.into()).map_err(within(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quorum_is_parsed_as_it_was_written_and_an_invalid_field_is_named() {
        let json = r#"{ "comparison": "at_least", "numerator": 1, "denominator": 3, "unit": "weight",
                        "attendance": "voted", "atOpening": "warn" }"#;
        let format: MeetingQuorumFormat = serde_json::from_str(json).unwrap();
        let quorum = MeetingQuorum::try_from(format).unwrap();
        assert_eq!(MeetingQuorumFormat::from(quorum), format);
        let wrong = MeetingQuorumFormat { numerator: 4, ..format };
        assert_eq!(MeetingQuorum::try_from(wrong).unwrap_err().0, "numerator");
        let too_early = MeetingQuorumFormat { at_opening: AtOpeningName::Bar, ..format };
        assert_eq!(MeetingQuorum::try_from(too_early).unwrap_err().0, "atOpening");
    }
}
