use plenum_meetings::People;
use plenum_meetings::live::{LiveQuorum, LiveState};
use plenum_result_format::{AtOpeningName, Count as CountView, QuorumFormat, WeightKindFormat, exact, exact_option};
use plenum_voting::{Count, MeasuredQuorum};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The current quorum and its state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_quorum_state)]
pub(crate) struct QuorumStateView {
    /// The quorum of the question on the screen, or otherwise of the meeting.
    quorum: QuorumFormat,
    /// The meeting's reaction when a question is opened without the quorum. Null if only the question has a quorum.
    #[schema(required)]
    at_opening: Option<AtOpeningName>,
    /// Connected voters who may vote. In a meeting with check-in, people who are checked in and may vote.
    present: CountView,
    /// Voters who may vote and are not there, while the holder of their proxy is.
    represented: CountView,
    /// All voters who may vote: the register while a question is open, or otherwise the voters who would enter it. In a meeting
    /// with check-in, also those who are not there.
    eligible: CountView,
    /// The part that takes part, in the quorum's unit: voters present or represented, or votes on the open question.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    attending: Decimal,
    /// The part needed, in the quorum's unit. Null if no one may vote.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    needed: Option<Decimal>,
    /// The share of the voters who may vote, in percent with 2 decimals. Null if no one may vote.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    percent: Option<Decimal>,
    /// Whether the quorum is met.
    is_met: bool,
    /// The kind that is counted as weight. Left out for the ordinary weight, and if the quorum counts people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    weight_kind: Option<WeightKindFormat>,
}

/// An example for the OpenAPI document.
pub(super) fn example_quorum_state() -> Value {
    json!({
        "quorum": {
            "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
        },
        "atOpening": "warn", "present": { "heads": 160, "weight": 179.25 },
        "represented": { "heads": 4, "weight": 4 }, "eligible": { "heads": 180, "weight": 201.5 },
        "attending": 164, "needed": 90, "percent": 91.11, "isMet": true,
    })
}

impl QuorumStateView {
    /// The state of the quorum. `None` without a quorum.
    pub(super) fn of(state: &LiveState) -> Option<Self> {
        let live = state.facts.quorum.as_ref()?;
        let figures = MeasuredQuorum::measure(live.quorum, count(state.attending()), count(live.eligible));
        Some(Self {
            quorum: live.quorum.into(),
            at_opening: live.at_opening.map(Into::into),
            present: view(state.present),
            represented: view(state.represented),
            eligible: view(live.eligible),
            attending: figures.attending,
            needed: figures.needed.map(|needed| needed.amount),
            percent: figures.percent,
            is_met: figures.is_met,
            weight_kind: live.weight_kind.as_ref().map(Into::into),
        })
    }

    /// The state of the quorum if it changes with every vote.
    pub(super) fn of_votes(state: &LiveState) -> Option<Self> {
        Self::of(state).filter(|_| state.facts.quorum.as_ref().is_some_and(LiveQuorum::counts_votes))
    }
}

fn count(people: People) -> Count {
    Count { heads: people.heads, weight: people.weight }
}

fn view(people: People) -> CountView {
    CountView { heads: people.heads, weight: people.weight.normalize() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plenum_kernel::{AtOpening, Attendance, Minimum, Quorum, Threshold, Unit};
    use plenum_meetings::live::LiveFacts;

    use super::*;
    use crate::live::frames::sample_state;

    fn people(heads: u64, weight: &str) -> People {
        People { heads, weight: weight.parse().unwrap() }
    }

    fn measured(is_open: bool, unit: Unit, attendance: Attendance) -> Value {
        let state = sample_state(is_open);
        let quorum = Quorum { minimum: Minimum::Share(Threshold::MORE_THAN_TWO_THIRDS), unit, attendance };
        let eligible = people(6, "604.5");
        let quorum = Some(LiveQuorum { quorum, at_opening: Some(AtOpening::Bar), eligible, weight_kind: None });
        let mut facts = LiveFacts { quorum, ..(*state.facts).clone() };
        facts.question.as_mut().unwrap().round.as_mut().unwrap().weight_cast = Some("403".parse().unwrap());
        let state = LiveState { present: people(5, "412.5000"), facts: Arc::new(facts), ..state };
        json!(QuorumStateView::of(&state))
    }

    /// Digit for digit, not as floats.
    fn figures(view: &Value) -> [String; 4] {
        ["attending", "needed", "percent", "isMet"].map(|name| view[name].to_string())
    }

    #[test]
    fn present_voters_are_measured_in_the_quorums_unit() {
        let view = measured(true, Unit::Heads, Attendance::Present);
        assert_eq!(figures(&view), ["5", "5", "83.33", "true"]);
        assert_eq!(
            (view["present"]["weight"].to_string(), view["eligible"]["weight"].to_string()),
            ("412.5".to_owned(), "604.5".to_owned())
        );
        assert_eq!((&view["atOpening"], &view["quorum"]["unit"]), (&json!("bar"), &json!("heads")));
        assert_eq!(figures(&measured(true, Unit::Weight, Attendance::Present)), ["412.5", "403", "68.24", "true"]);
    }

    #[test]
    fn votes_are_measured_while_voting_is_open() {
        assert_eq!(figures(&measured(true, Unit::Heads, Attendance::Voted)), ["2", "5", "33.33", "false"]);
        assert_eq!(figures(&measured(true, Unit::Weight, Attendance::Voted)), ["403", "403", "66.67", "false"]);
        assert_eq!(figures(&measured(false, Unit::Weight, Attendance::Voted)), ["0", "403", "0.00", "false"]);
    }

    #[test]
    fn without_a_quorum_there_is_no_quorum_state() {
        assert!(QuorumStateView::of(&sample_state(true)).is_none());
    }
}
