use plenum_kernel::{AtOpening, Attendance, Invalid, MeetingQuorum, Minimum, MinimumAmount, PlannedQuorum, Quorum};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decision_rule::{same_names, threshold, within};
use crate::{ComparisonName, ExactNumber, FieldError, UnitName};

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

/// The part of the register that must take part, so that a decision is valid: a share, or a number of people or units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Quorum, example = json!({
    "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
}))]
pub struct QuorumFormat {
    /// The comparison with the share of the register. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub comparison: Option<ComparisonName>,
    /// The numerator of the share: from 1 to the denominator. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub numerator: Option<u32>,
    /// The denominator: from 1 to 1,000,000. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub denominator: Option<u32>,
    /// The number of people, or the amount of weight, in place of a share: more than 0, a whole number of people, at most 6
    /// decimals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    pub minimum: Option<ExactNumber>,
    /// The unit of the count.
    pub unit: UnitName,
    /// The kind of participation that counts.
    pub attendance: AttendanceName,
}

impl From<Quorum> for QuorumFormat {
    fn from(quorum: Quorum) -> Self {
        let share = quorum.share();
        Self {
            comparison: share.map(|share| share.comparison().into()),
            numerator: share.map(|share| share.fraction().numerator()),
            denominator: share.map(|share| share.fraction().denominator()),
            minimum: quorum.amount().map(|amount| ExactNumber(amount.as_decimal())),
            unit: quorum.unit.into(),
            attendance: quorum.attendance.into(),
        }
    }
}

impl TryFrom<QuorumFormat> for Quorum {
    type Error = FieldError;

    fn try_from(format: QuorumFormat) -> Result<Self, FieldError> {
        let unit = format.unit.into();
        let minimum = format.checked_minimum(unit).map_err(within(""))?;
        Ok(Self { minimum, unit, attendance: format.attendance.into() })
    }
}

impl QuorumFormat {
    /// Whether its values can be a quorum.
    pub fn is_valid(&self) -> bool {
        Quorum::try_from(*self).is_ok()
    }

    fn checked_minimum(&self, unit: plenum_kernel::Unit) -> Result<Minimum, (&'static str, Invalid)> {
        match (self.comparison, self.numerator, self.denominator, self.minimum) {
            (Some(comparison), Some(numerator), Some(denominator), None) => {
                threshold(comparison, numerator, denominator).map(Minimum::Share)
            }
            (None, None, None, Some(minimum)) => MinimumAmount::new(minimum.0, unit).map(Minimum::Amount),
            (.., Some(_)) => Err(("minimum", Invalid::new("Must be left out with a share, and a share with it."))),
            (None, ..) => Err(("comparison", Invalid::new("Is required, or a minimum in place of a share."))),
            (_, None, ..) => Err(("numerator", Invalid::new("Is required."))),
            (_, _, None, _) => Err(("denominator", Invalid::new("Is required."))),
        }
    }
}

/// The quorum of a question, and that for a second call of its meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PlannedQuorum, example = json!({
    "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
    "secondCall": { "minimum": 15, "unit": "heads", "attendance": "present" },
}))]
pub struct PlannedQuorumFormat {
    /// The comparison with the share of the register. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub comparison: Option<ComparisonName>,
    /// The numerator of the share: from 1 to the denominator. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub numerator: Option<u32>,
    /// The denominator: from 1 to 1,000,000. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub denominator: Option<u32>,
    /// The number of people, or the amount of weight, in place of a share: more than 0, a whole number of people, at most 6
    /// decimals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    pub minimum: Option<ExactNumber>,
    /// The unit of the count.
    pub unit: UnitName,
    /// The kind of participation that counts.
    pub attendance: AttendanceName,
    /// The quorum on a second call of the meeting. Left out if it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_call: Option<QuorumFormat>,
}

impl From<PlannedQuorum> for PlannedQuorumFormat {
    fn from(planned: PlannedQuorum) -> Self {
        let QuorumFormat { comparison, numerator, denominator, minimum, unit, attendance } = planned.quorum.into();
        let second_call = planned.second_call.map(QuorumFormat::from);
        Self { comparison, numerator, denominator, minimum, unit, attendance, second_call }
    }
}

impl TryFrom<PlannedQuorumFormat> for PlannedQuorum {
    type Error = FieldError;

    fn try_from(format: PlannedQuorumFormat) -> Result<Self, FieldError> {
        let PlannedQuorumFormat { comparison, numerator, denominator, minimum, unit, attendance, second_call } = format;
        let quorum = QuorumFormat { comparison, numerator, denominator, minimum, unit, attendance };
        let second_call = second_call.map(Quorum::try_from).transpose();
        let second_call = second_call.map_err(|(field, wanted)| (format!("secondCall.{field}"), wanted))?;
        Ok(Self { quorum: quorum.try_into()?, second_call })
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
    /// The comparison with the share of the register. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub comparison: Option<ComparisonName>,
    /// The numerator of the share: from 1 to the denominator. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub numerator: Option<u32>,
    /// The denominator: from 1 to 1,000,000. Left out with `minimum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub denominator: Option<u32>,
    /// The number of people, or the amount of weight, in place of a share: more than 0, a whole number of people, at most 6
    /// decimals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    pub minimum: Option<ExactNumber>,
    /// The unit of the count.
    pub unit: UnitName,
    /// The kind of participation that counts.
    pub attendance: AttendanceName,
    /// The effect of a missing quorum at opening.
    pub at_opening: AtOpeningName,
    /// The quorum on a second call of the meeting. Left out if it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub second_call: Option<QuorumFormat>,
}

impl MeetingQuorumFormat {
    /// Reads the text of an amendment: the quorum in JSON, a space, and its effect at opening. `None` for another text.
    pub fn of_amendment(text: &str) -> Option<Self> {
        let (planned, at_opening) = text.rsplit_once(' ')?;
        let PlannedQuorumFormat { comparison, numerator, denominator, minimum, unit, attendance, second_call } =
            serde_json::from_str(planned).ok()?;
        let at_opening = match at_opening {
            "WARN" => AtOpeningName::Warn,
            "BAR" => AtOpeningName::Bar,
            _ => return None,
        };
        Some(Self { comparison, numerator, denominator, minimum, unit, attendance, at_opening, second_call })
    }
}

impl From<MeetingQuorum> for MeetingQuorumFormat {
    fn from(meeting: MeetingQuorum) -> Self {
        let PlannedQuorumFormat { comparison, numerator, denominator, minimum, unit, attendance, second_call } =
            meeting.planned.into();
        let at_opening = meeting.at_opening.into();
        Self { comparison, numerator, denominator, minimum, unit, attendance, at_opening, second_call }
    }
}

impl TryFrom<MeetingQuorumFormat> for MeetingQuorum {
    type Error = FieldError;

    fn try_from(format: MeetingQuorumFormat) -> Result<Self, FieldError> {
        let MeetingQuorumFormat {
            comparison,
            numerator,
            denominator,
            minimum,
            unit,
            attendance,
            at_opening,
            second_call,
        } = format;
        let planned =
            PlannedQuorumFormat { comparison, numerator, denominator, minimum, unit, attendance, second_call };
        Self::new(planned.try_into()?, at_opening.into()).map_err(within(""))
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
        let wrong = MeetingQuorumFormat { numerator: Some(4), ..format };
        assert_eq!(MeetingQuorum::try_from(wrong).unwrap_err().0, "numerator");
        let second = QuorumFormat { minimum: None, ..format.quorum() };
        let planned = MeetingQuorumFormat { second_call: Some(second), ..format };
        assert_eq!(MeetingQuorumFormat::from(MeetingQuorum::try_from(planned).unwrap()), planned);
        let wrong = QuorumFormat { denominator: Some(0), ..second };
        let wrong = MeetingQuorumFormat { second_call: Some(wrong), ..format };
        assert_eq!(MeetingQuorum::try_from(wrong).unwrap_err().0, "secondCall.denominator");
        let too_early = MeetingQuorumFormat { at_opening: AtOpeningName::Bar, ..format };
        assert_eq!(MeetingQuorum::try_from(too_early).unwrap_err().0, "atOpening");
    }

    #[test]
    fn the_quorum_of_an_amendment_is_read() {
        let text = r#"{"unit": "heads", "minimum": 40, "attendance": "present",
                       "secondCall": {"unit": "heads", "minimum": 15, "attendance": "present"}}"#;
        let read = MeetingQuorumFormat::of_amendment(&format!("{text} BAR")).unwrap();
        assert_eq!(read.quorum().words(), "At least 40 must be present, by heads");
        assert_eq!(read.in_force(true).words(), "At least 15 must be present, by heads");
        assert_eq!(read.at_opening, AtOpeningName::Bar);
        assert!(MeetingQuorumFormat::of_amendment(&format!("{text} WARN")).is_some());
        for other in [text, "40 BAR", "", format!("{text} NEVER").as_str()] {
            assert_eq!(MeetingQuorumFormat::of_amendment(other), None, "{other}");
        }
    }

    #[test]
    fn a_quorum_is_a_share_or_a_number() {
        let read = |json: &str| -> Result<Quorum, String> {
            let format: QuorumFormat = serde_json::from_str(json).map_err(|error| error.to_string())?;
            let quorum = Quorum::try_from(format).map_err(|(field, _)| field)?;
            assert_eq!(QuorumFormat::from(quorum), format);
            Ok(quorum)
        };
        assert!(read(r#"{ "minimum": 40, "unit": "heads", "attendance": "voted" }"#).is_ok());
        assert!(read(r#"{ "minimum": 812400.5, "unit": "weight", "attendance": "present" }"#).is_ok());
        for (json, field) in [
            (r#"{ "minimum": 40.5, "unit": "heads", "attendance": "voted" }"#, "minimum"),
            (r#"{ "minimum": 0, "unit": "weight", "attendance": "voted" }"#, "minimum"),
            (r#"{ "minimum": 40, "numerator": 1, "unit": "heads", "attendance": "voted" }"#, "minimum"),
            (r#"{ "unit": "heads", "attendance": "voted" }"#, "comparison"),
            (r#"{ "comparison": "at_least", "denominator": 2, "unit": "heads", "attendance": "voted" }"#, "numerator"),
            (r#"{ "comparison": "at_least", "numerator": 2, "unit": "heads", "attendance": "voted" }"#, "denominator"),
        ] {
            assert_eq!(read(json).unwrap_err(), field, "{json}");
        }
    }
}
