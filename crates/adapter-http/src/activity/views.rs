use chrono::{DateTime, Utc};
use plenum_clients::{Activity, ActivityKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::NumberParameter;
use crate::extract::read_number;

/// The number of actions in a response without `limit`.
const DEFAULT_LIMIT: u32 = 20;
/// The highest `limit`.
const MAX_LIMIT: u32 = 100;
/// The number of characters of a title or question that a sentence quotes.
const QUOTED_LETTERS: usize = 100;

/// The number of actions to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ActivityQuery {
    /// The highest number of actions to return; 20 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: Option<String>,
}

impl ActivityQuery {
    /// Checks the limit.
    pub(super) fn read(&self) -> Result<u32, ApiError> {
        let mut check = FieldCheck::default();
        let limit = read_number(
            &mut check,
            NumberParameter { name: "limit", text: self.limit.as_deref(), default: DEFAULT_LIMIT, max: MAX_LIMIT },
        );
        check.finish(limit)
    }
}

/// The kind of an action.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ActivityKind)]
pub(crate) enum ActivityKindName {
    ClientCreated,
    AccountSignedIn,
    EndUsersAdded,
    MeetingCreated,
    MeetingStarted,
    RoundEnded,
    RoundOpened,
    MeetingEnded,
}

impl From<&ActivityKind> for ActivityKindName {
    fn from(kind: &ActivityKind) -> Self {
        match kind {
            ActivityKind::ClientCreated => Self::ClientCreated,
            ActivityKind::AccountSignedIn { .. } => Self::AccountSignedIn,
            ActivityKind::EndUsersAdded { .. } => Self::EndUsersAdded,
            ActivityKind::MeetingCreated { .. } => Self::MeetingCreated,
            ActivityKind::MeetingStarted { .. } => Self::MeetingStarted,
            ActivityKind::RoundEnded { .. } => Self::RoundEnded,
            ActivityKind::RoundOpened { .. } => Self::RoundOpened,
            ActivityKind::MeetingEnded { .. } => Self::MeetingEnded,
        }
    }
}

/// An action in the caller's organization.
#[derive(Serialize, ToSchema)]
#[schema(example = example_activity)]
pub(crate) struct ActivityView {
    at: DateTime<Utc>,
    kind: ActivityKindName,
    /// The action as a sentence.
    text: String,
}

/// An example for the OpenAPI document.
pub(super) fn example_activity() -> Value {
    json!({
        "at": "2026-11-21T18:09:12Z", "kind": "round_ended", "text": "Voting on “Budget” ended with 131 of 180 votes",
    })
}

impl From<&Activity> for ActivityView {
    fn from(activity: &Activity) -> Self {
        Self { at: activity.at, kind: ActivityKindName::from(&activity.kind), text: sentence(activity) }
    }
}

/// Describes the action in a sentence.
pub(super) fn sentence(activity: &Activity) -> String {
    match &activity.kind {
        ActivityKind::ClientCreated => {
            let name = activity.client.as_ref().map_or("", |client| client.name.as_str());
            format!("Organization {} was created", quoted(name))
        }
        ActivityKind::AccountSignedIn { name } => format!("{name} signed in"),
        ActivityKind::EndUsersAdded { number: 1 } => "1 end user was added".to_owned(),
        ActivityKind::EndUsersAdded { number } => format!("{} end users were added", grouped(*number)),
        ActivityKind::MeetingCreated { title } => format!("Meeting {} was created", quoted(title)),
        ActivityKind::MeetingStarted { title } => format!("Meeting {} was started", quoted(title)),
        ActivityKind::MeetingEnded { title } => format!("Meeting {} was ended", quoted(title)),
        ActivityKind::RoundOpened { question } => format!("Voting on {} was opened", quoted(question)),
        ActivityKind::RoundEnded { question, votes_cast, register_heads } => {
            let (cast, all) = (grouped(*votes_cast), grouped(*register_heads));
            let votes = if *register_heads == 1 { "vote" } else { "votes" };
            format!("Voting on {} ended with {cast} of {all} {votes}", quoted(question))
        }
    }
}

/// Writes a number with a comma before each group of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Quotes a text on one line, shortened to `QUOTED_LETTERS`.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED_LETTERS) {
        Some((end, _)) => format!("“{}…”", line[..end].trim_end()),
        None => format!("“{line}”"),
    }
}

#[cfg(test)]
mod tests {
    use plenum_clients::ClientReference;
    use plenum_clients::testkit::Samples;

    use super::*;

    #[test]
    fn every_activity_is_a_plain_sentence() {
        let samples = Samples::new();
        let client = samples.client("Rowing");
        let at = client.created_at;
        let title = || "General assembly".to_owned();
        let question = || "Budget".to_owned();
        for (kind, name, text) in [
            (ActivityKind::ClientCreated, "client_created", "Organization “Rowing” was created"),
            (ActivityKind::AccountSignedIn { name: "Anna Berg".into() }, "account_signed_in", "Anna Berg signed in"),
            (ActivityKind::EndUsersAdded { number: 1 }, "end_users_added", "1 end user was added"),
            (ActivityKind::EndUsersAdded { number: 12 }, "end_users_added", "12 end users were added"),
            (ActivityKind::EndUsersAdded { number: 20_000 }, "end_users_added", "20,000 end users were added"),
            (
                ActivityKind::MeetingCreated { title: title() },
                "meeting_created",
                "Meeting “General assembly” was created",
            ),
            (
                ActivityKind::MeetingStarted { title: title() },
                "meeting_started",
                "Meeting “General assembly” was started",
            ),
            (ActivityKind::MeetingEnded { title: title() }, "meeting_ended", "Meeting “General assembly” was ended"),
            (ActivityKind::RoundOpened { question: question() }, "round_opened", "Voting on “Budget” was opened"),
            (
                ActivityKind::RoundEnded { question: question(), votes_cast: 131, register_heads: 180 },
                "round_ended",
                "Voting on “Budget” ended with 131 of 180 votes",
            ),
            (
                ActivityKind::RoundEnded { question: question(), votes_cast: 11_842, register_heads: 12_000 },
                "round_ended",
                "Voting on “Budget” ended with 11,842 of 12,000 votes",
            ),
            (
                ActivityKind::RoundEnded { question: question(), votes_cast: 1, register_heads: 1 },
                "round_ended",
                "Voting on “Budget” ended with 1 of 1 vote",
            ),
        ] {
            let reference = ClientReference {
                id: client.id,
                name: client.name.clone(),
                code: client.code.clone(),
                status: client.status,
            };
            let view = ActivityView::from(&Activity { at, kind, client: Some(reference) });
            assert_eq!(view.text, text);
            assert_eq!(json!(view.kind), name);
        }
    }

    #[test]
    fn a_long_question_is_shortened_to_one_line() {
        assert_eq!(quoted("One\n  or\ttwo?"), "“One or two?”");
        assert_eq!(quoted(&"ü".repeat(QUOTED_LETTERS)), format!("“{}”", "ü".repeat(QUOTED_LETTERS)));
        let long = format!("{} end", "ü".repeat(QUOTED_LETTERS - 1));
        assert_eq!(quoted(&long), format!("“{}…”", "ü".repeat(QUOTED_LETTERS - 1)));
    }
}
