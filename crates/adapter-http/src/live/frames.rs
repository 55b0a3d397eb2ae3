use bytes::Bytes;
use plenum_kernel::QuestionId;
use plenum_meetings::live::{Audience, LiveChange, LiveFrames, LiveState};
use serde::Serialize;
use serde_json::{Value, json};

use crate::live::views::{LiveQuestionView, LiveStateView, PresentationView, counts_of};
use crate::meetings::MeetingStatusName;

/// Writes events as server-sent events: `id: <version>`, `data: {"type", "data"}`.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonFrames;

impl LiveFrames for JsonFrames {
    fn encode(&self, change: LiveChange, state: &LiveState, audience: Audience) -> Bytes {
        frame(state.version, type_of(change), &data_of(change, state, audience))
    }
}

/// The frame that ends a stream, with a reason.
pub(super) fn error_frame(code: &str, message: &str) -> Bytes {
    let data = json!({ "type": "error", "data": { "code": code, "message": message } });
    Bytes::from(format!("data: {data}\n\n"))
}

fn frame(version: u64, event_type: &str, data: &impl Serialize) -> Bytes {
    let event = json!({ "type": event_type, "data": data });
    Bytes::from(format!("id: {version}\ndata: {event}\n\n"))
}

fn type_of(change: LiveChange) -> &'static str {
    match change {
        LiveChange::Connected => "connected",
        LiveChange::Heartbeat => "heartbeat",
        LiveChange::QuestionActivated => "question_activated",
        LiveChange::QuestionDeactivated { .. } => "question_deactivated",
        LiveChange::MeetingStatus => "meeting_status",
        LiveChange::MeetingUpdate => "meeting_update",
        LiveChange::VoteCount => "vote_count",
        LiveChange::ParticipantCount => "participant_count",
    }
}

fn data_of(change: LiveChange, state: &LiveState, audience: Audience) -> Value {
    match change {
        LiveChange::Heartbeat => json!({ "version": state.version }),
        LiveChange::VoteCount => counts(state),
        LiveChange::ParticipantCount => json!({ "participantCount": state.participants }),
        // Whatever else changes on the big screen, it is sent the whole picture: that is small, and cannot go wrong.
        _ if audience == Audience::Public => json!(PresentationView::from(state)),
        LiveChange::Connected | LiveChange::MeetingUpdate => json!(LiveStateView::new(state, audience)),
        LiveChange::QuestionActivated => activation(state, audience),
        LiveChange::QuestionDeactivated { question } => deactivation(question),
        LiveChange::MeetingStatus => json!({ "status": MeetingStatusName::from(state.facts.status) }),
    }
}

fn counts(state: &LiveState) -> Value {
    let (vote_count, register_size) = counts_of(&state.facts);
    json!({ "voteCount": vote_count, "registerSize": register_size })
}

fn deactivation(question: QuestionId) -> Value {
    json!({ "id": question.as_uuid() })
}

/// The question with its counts, so that a screen needs nothing else to show it.
fn activation(state: &LiveState, audience: Audience) -> Value {
    let mut data = json!(LiveQuestionView::of(&state.facts, audience));
    if let (Value::Object(data), Value::Object(counts)) = (&mut data, counts(state)) {
        data.extend(counts);
    }
    data
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, MeetingId, QuestionType, RoundId};
    use plenum_meetings::MeetingStatus;
    use plenum_meetings::live::{LiveFacts, LiveQuestion, LiveRound};

    use super::*;

    fn state(is_open: bool) -> LiveState {
        let ids = CountingIds::new();
        let question = LiveQuestion {
            id: QuestionId::new(&ids),
            text: "Approve the budget?".to_owned(),
            question_type: QuestionType::YesNo,
            options: vec!["Yes".to_owned(), "No".to_owned()],
            rating_max: None,
            max_choices: None,
            position: 1,
            round: Some(LiveRound {
                id: RoundId::new(&ids),
                is_open,
                opened_at: DateTime::<Utc>::UNIX_EPOCH,
                register_size: 3,
                votes_cast: 2,
            }),
        };
        let facts = LiveFacts {
            meeting_id: MeetingId::new(&ids),
            client_id: ClientId::new(&ids),
            client_name: "Rowing club".to_owned(),
            client_code: "rowing-club".to_owned(),
            title: "General assembly".to_owned(),
            description: None,
            status: MeetingStatus::Active,
            scheduled_start: DateTime::<Utc>::UNIX_EPOCH,
            scheduled_end: DateTime::<Utc>::UNIX_EPOCH,
            question_count: 5,
            question: Some(question),
        };
        LiveState { version: 7, participants: 4, facts: Arc::new(facts) }
    }

    fn without_question() -> LiveState {
        let facts = LiveFacts { question: None, ..(*state(true).facts).clone() };
        LiveState { facts: Arc::new(facts), ..state(true) }
    }

    fn event(change: LiveChange, state: &LiveState, audience: Audience) -> Value {
        let frame = String::from_utf8(JsonFrames.encode(change, state, audience).to_vec()).unwrap();
        assert!(frame.ends_with("\n\n"));
        let (id, data) = frame.trim_end().split_once('\n').unwrap();
        assert_eq!(id, "id: 7");
        serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap()
    }

    #[test]
    fn each_voter_is_told_whether_they_have_voted() {
        let state = state(true);
        for (audience, has_voted) in [(Audience::Voter, false), (Audience::VoterWhoVoted, true)] {
            let event = event(LiveChange::QuestionActivated, &state, audience);
            assert_eq!(event["type"], "question_activated");
            assert_eq!(event["data"]["hasVoted"], has_voted);
            assert_eq!(event["data"]["isActive"], true);
            assert_eq!(event["data"]["type"], "SINGLE_CHOICE");
            assert_eq!(event["data"]["voteCount"], 2);
        }
    }

    #[test]
    fn voters_do_not_see_a_question_that_is_only_shown() {
        let state = state(false);
        assert!(event(LiveChange::Connected, &state, Audience::Voter)["data"]["currentQuestion"].is_null());
        let shown = event(LiveChange::Connected, &state, Audience::Organizer);
        assert_eq!(shown["data"]["currentQuestion"]["isActive"], false);
    }

    #[test]
    fn the_big_screen_is_sent_no_ids() {
        for change in [LiveChange::Connected, LiveChange::QuestionActivated, LiveChange::MeetingStatus] {
            let event = event(change, &state(true), Audience::Public);
            let data = event["data"].as_object().unwrap();
            assert_eq!(data["organization"], "Rowing club");
            assert!(!data.contains_key("meetingId"));
            assert!(!data["currentQuestion"].as_object().unwrap().contains_key("id"));
        }
    }

    /// The names of all fields, also of those within.
    fn names(value: &Value) -> Vec<String> {
        let Value::Object(fields) = value else { return Vec::new() };
        let within = |(name, value): (&String, &Value)| {
            names(value).into_iter().map(|inner| format!("{name}.{inner}")).chain([name.clone()]).collect::<Vec<_>>()
        };
        let mut names: Vec<String> = fields.iter().flat_map(within).collect();
        names.sort();
        names
    }

    #[test]
    fn the_examples_of_the_documentation_are_what_is_sent() {
        let page = include_str!("../../../../docs/api.md");
        let section = page.split("## Live state and events").nth(1).unwrap();
        let block = section.split("```json").nth(1).unwrap().split("```").next().unwrap();
        let mut examples: Vec<(Value, Audience)> = serde_json::Deserializer::from_str(block)
            .into_iter()
            .map(|example| (example.unwrap(), Audience::Organizer))
            .collect();
        let public = section.split("\ndata: ").nth(1).unwrap().lines().next().unwrap();
        examples.push((serde_json::from_str(public).unwrap(), Audience::Public));

        let (open, empty) = (state(true), without_question());
        let mut documented: Vec<&str> = Vec::new();
        for (example, audience) in &examples {
            let change = match example["type"].as_str().unwrap() {
                "connected" => LiveChange::Connected,
                "heartbeat" => LiveChange::Heartbeat,
                "question_activated" => LiveChange::QuestionActivated,
                "question_deactivated" => {
                    LiveChange::QuestionDeactivated { question: open.facts.question.as_ref().unwrap().id }
                }
                "meeting_status" => LiveChange::MeetingStatus,
                "meeting_update" => LiveChange::MeetingUpdate,
                "vote_count" => LiveChange::VoteCount,
                "participant_count" => LiveChange::ParticipantCount,
                "error" => {
                    let frame = String::from_utf8(error_frame("session_ended", "Over.").to_vec()).unwrap();
                    let sent: Value = serde_json::from_str(frame.trim_start_matches("data: ")).unwrap();
                    assert_eq!(names(example), names(&sent));
                    continue;
                }
                unknown => panic!("nobody sends {unknown}"),
            };
            let state = if change == LiveChange::MeetingUpdate { &empty } else { &open };
            assert_eq!(names(example), names(&event(change, state, *audience)), "{example}");
            documented.push(type_of(change));
        }
        documented.sort_unstable();
        documented.dedup();
        assert_eq!(documented.len(), 8, "{documented:?} have an example");
    }

    #[test]
    fn small_changes_are_small_events() {
        let state = state(true);
        let sizes = event(LiveChange::VoteCount, &state, Audience::Public);
        assert_eq!(sizes["data"], json!({ "voteCount": 2, "registerSize": 3 }));
        let here = event(LiveChange::ParticipantCount, &state, Audience::Voter);
        assert_eq!(here["data"], json!({ "participantCount": 4 }));
        let status = event(LiveChange::MeetingStatus, &state, Audience::Voter);
        assert_eq!(status["data"], json!({ "status": "ACTIVE" }));
        let heartbeat = event(LiveChange::Heartbeat, &state, Audience::Voter);
        assert_eq!(heartbeat["data"], json!({ "version": 7 }));
    }
}
