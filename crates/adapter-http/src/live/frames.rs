use bytes::Bytes;
use plenum_meetings::live::{Audience, LiveChange, LiveFrames, LiveState};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::live::quorum::QuorumStateView;
use crate::live::views::{LiveCheckInView, LiveQuestionView, LiveStateView, PresentationView, counts_of};
use crate::views::MeetingStatusName;

/// Encodes events as server-sent events: `id: <version>`, `data: {"type", "data"}`.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonFrames;

impl LiveFrames for JsonFrames {
    fn encode(&self, change: LiveChange, state: &LiveState, audience: Audience) -> Bytes {
        frame(state.version, type_of(change), &data_of(change, state, audience))
    }
}

/// The frame that ends a stream with a reason.
pub(super) fn error_frame(code: &str, message: &str) -> Bytes {
    let data = json!({ "type": "error", "data": { "code": code, "message": message } });
    Bytes::from(format!("data: {data}\n\n"))
}

/// What a frame says about rounds, for a watcher who may lose access when a round ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A heartbeat or a counter. They are frequent, and say nothing about a question.
    Frequent,
    /// A round may have opened.
    Opening,
    /// A round has ended.
    Closing,
    /// Something else.
    Other,
}

impl FrameKind {
    pub(super) fn of(frame: &[u8]) -> Self {
        match type_in(frame) {
            Some("heartbeat" | "vote_count" | "participant_count") => Self::Frequent,
            // A slow client gets the whole state in place of missed events.
            Some("connected" | "question_activated") => Self::Opening,
            Some("question_deactivated") => Self::Closing,
            _ => Self::Other,
        }
    }
}

/// The type of the event in a frame.
fn type_in(frame: &[u8]) -> Option<&str> {
    #[derive(Deserialize)]
    struct Event<'a> {
        #[serde(rename = "type")]
        event_type: &'a str,
    }
    let (_, event) = std::str::from_utf8(frame).ok()?.split_once("data: ")?;
    let event: Event<'_> = serde_json::from_str(event).ok()?;
    Some(event.event_type)
}

fn frame(version: u64, event_type: &str, data: &impl Serialize) -> Bytes {
    let event = json!({ "type": event_type, "data": data });
    Bytes::from(format!("id: {version}\ndata: {event}\n\n"))
}

fn type_of(change: LiveChange) -> &'static str {
    match change {
        LiveChange::Connected => "connected",
        LiveChange::Heartbeat { .. } => "heartbeat",
        LiveChange::QuestionActivated => "question_activated",
        LiveChange::QuestionDeactivated { .. } => "question_deactivated",
        LiveChange::MeetingStatus => "meeting_status",
        LiveChange::MeetingUpdate => "meeting_update",
        LiveChange::OwnCheckIn { .. } => "own_check_in",
        LiveChange::VoteCount => "vote_count",
        LiveChange::ParticipantCount => "participant_count",
        LiveChange::ResultDeclared { .. } => "result_declared",
    }
}

fn data_of(change: LiveChange, state: &LiveState, audience: Audience) -> Value {
    match change {
        LiveChange::Heartbeat { at } => json!({ "version": state.version, "serverTime": at }),
        LiveChange::OwnCheckIn { is_in } => json!({ "checkedIn": is_in }),
        LiveChange::VoteCount => with_quorum(counts(state), QuorumStateView::of_votes(state)),
        LiveChange::ParticipantCount => participants(state),
        LiveChange::ResultDeclared { round, question } => {
            json!({ "roundId": round.as_uuid(), "questionId": question.as_uuid() })
        }
        // For any other change, the presentation gets the whole snapshot, which is small.
        _ if audience == Audience::Public => json!(PresentationView::from(state)),
        LiveChange::Connected | LiveChange::MeetingUpdate => json!(LiveStateView::new(state, audience)),
        LiveChange::QuestionActivated => activation(state, audience),
        LiveChange::QuestionDeactivated { question } => json!({ "id": question.as_uuid(), "step": state.facts.step.0 }),
        LiveChange::MeetingStatus => {
            json!({ "status": MeetingStatusName::from(state.facts.status), "step": state.facts.step.0 })
        }
    }
}

fn counts(state: &LiveState) -> Value {
    let (vote_count, register_size) = counts_of(&state.facts);
    json!({ "voteCount": vote_count, "registerSize": register_size })
}

/// The connected or checked in people, and those whom they are compared with.
fn participants(state: &LiveState) -> Value {
    let counters = json!({ "participantCount": state.participants });
    let mut counters = with_quorum(counters, QuorumStateView::of(state));
    if let (Value::Object(counters), Some(check_in)) = (&mut counters, state.facts.check_in) {
        counters.insert("checkIn".to_owned(), json!(LiveCheckInView::from(check_in)));
    }
    counters
}

/// Counters contain the quorum only if there is one. Snapshots contain its terms, or null.
fn with_quorum(mut counters: Value, quorum: Option<QuorumStateView>) -> Value {
    if let (Value::Object(counters), Some(quorum)) = (&mut counters, quorum) {
        counters.insert("quorum".to_owned(), json!(quorum));
    }
    counters
}

/// The question with its counts and the step, so that a screen needs nothing else to show it.
fn activation(state: &LiveState, audience: Audience) -> Value {
    let mut data = json!(LiveQuestionView::of(&state.facts, audience));
    if let (Value::Object(data), Value::Object(counts)) = (&mut data, counts(state)) {
        data.extend(counts);
        data.insert("step".to_owned(), json!(state.facts.step.0));
    }
    data
}

/// A snapshot with a question whose round is open or ended.
#[cfg(test)]
pub(super) fn sample_state(is_open: bool) -> LiveState {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, InstanceId, MeetingId, QuestionId, QuestionType, RoundId, Step};
    use plenum_meetings::live::{LiveFacts, LiveQuestion, LiveRound};
    use plenum_meetings::{MeetingStatus, People};

    let ids = CountingIds::new();
    let question = LiveQuestion {
        id: QuestionId::new(&ids),
        text: "Approve the budget?".to_owned(),
        question_type: QuestionType::YesNo,
        options: vec!["Yes".to_owned(), "No".to_owned()],
        abstention: None,
        rating_max: None,
        max_choices: None,
        election: None,
        secrecy: plenum_kernel::Secrecy::Named,
        counts_heads: false,
        groups: Vec::new(),
        position: 1,
        round: Some(LiveRound {
            id: RoundId::new(&ids),
            is_open,
            is_declared: false,
            opened_at: DateTime::<Utc>::UNIX_EPOCH,
            closes_at: Some(DateTime::<Utc>::UNIX_EPOCH + chrono::TimeDelta::minutes(1)),
            urn_key: None,
            is_void: false,
            register_size: 3,
            votes_cast: 2,
            weight_cast: None,
            answer_wall: None,
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
        step: Step(12),
        scheduled_start: DateTime::<Utc>::UNIX_EPOCH,
        scheduled_end: DateTime::<Utc>::UNIX_EPOCH,
        question_count: 5,
        question: Some(question),
        quorum: None,
        rehearsal: None,
        check_in: None,
        holders: Arc::default(),
    };
    LiveState {
        instance: InstanceId::new(&ids),
        version: 7,
        participants: 4,
        present: People::default(),
        represented: People::default(),
        is_delayed: false,
        facts: Arc::new(facts),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{AtOpening, Attendance, Minimum, Quorum, RehearsalId, Secrecy, Threshold, Unit};
    use plenum_meetings::People;
    use plenum_meetings::live::{LiveCheckIn, LiveFacts, LiveQuorum, LiveRehearsal};

    use super::{sample_state as state, *};

    fn with_quorum(state: &LiveState, attendance: Attendance) -> LiveState {
        let quorum = Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Heads, attendance };
        let eligible = People { heads: 5, weight: "5.5".parse().unwrap() };
        let quorum = Some(LiveQuorum { quorum, at_opening: Some(AtOpening::Warn), eligible, weight_kind: None });
        LiveState { facts: Arc::new(LiveFacts { quorum, ..(*state.facts).clone() }), ..state.clone() }
    }

    /// An open secret round.
    fn with_urn(state: &LiveState) -> LiveState {
        let mut facts = (*state.facts).clone();
        if let Some(question) = &mut facts.question {
            question.secrecy = Secrecy::Secret;
            question.round.as_mut().unwrap().urn_key = Some(vec![4; 65]);
        }
        LiveState { facts: Arc::new(facts), ..state.clone() }
    }

    /// A snapshot without a question, during a rehearsal.
    fn rehearsing() -> LiveState {
        let id = RehearsalId::new(&CountingIds::new());
        let rehearsal = Some(LiveRehearsal { id, started_at: DateTime::<Utc>::UNIX_EPOCH });
        let facts = LiveFacts { question: None, rehearsal, ..(*state(true).facts).clone() };
        LiveState { facts: Arc::new(facts), ..state(true) }
    }

    #[test]
    fn organizers_and_voters_see_a_rehearsal_and_the_presentation_does_not() {
        let state = rehearsing();
        let rehearsal = state.facts.rehearsal.unwrap();
        for change in [LiveChange::Connected, LiveChange::MeetingUpdate] {
            for audience in [Audience::Organizer, Audience::Voter, Audience::VoterWhoVoted] {
                let shown = &event(change, &state, audience)["data"]["rehearsal"];
                let expected = json!({ "id": rehearsal.id.as_uuid(), "startedAt": "1970-01-01T00:00:00Z" });
                assert_eq!(*shown, expected, "{audience:?}");
            }
            let public = event(change, &state, Audience::Public).to_string();
            assert!(!public.contains("rehears") && !public.contains(&rehearsal.id.to_string()), "{public}");
        }
    }

    fn event(change: LiveChange, state: &LiveState, audience: Audience) -> Value {
        let frame = String::from_utf8(JsonFrames.encode(change, state, audience).to_vec()).unwrap();
        assert!(frame.ends_with("\n\n"));
        let (id, data) = frame.trim_end().split_once('\n').unwrap();
        assert_eq!(id, "id: 7");
        serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap()
    }

    #[test]
    fn each_voter_sees_whether_they_have_voted() {
        let state = state(true);
        for (audience, has_voted) in [(Audience::Voter, false), (Audience::VoterWhoVoted, true)] {
            let event = event(LiveChange::QuestionActivated, &state, audience);
            assert_eq!(event["type"], "question_activated");
            assert_eq!(event["data"]["hasVoted"], has_voted);
            assert_eq!(event["data"]["isActive"], true);
            assert_eq!(event["data"]["isNamed"], true);
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
    fn everybody_sees_a_question_whose_last_round_is_void() {
        let state = state(false);
        let mut facts = (*state.facts).clone();
        facts.question.as_mut().unwrap().round.as_mut().unwrap().is_void = true;
        let void = LiveState { facts: Arc::new(facts), ..state };
        for audience in Audience::ALL {
            let event = event(LiveChange::MeetingUpdate, &void, audience);
            assert_eq!(event["data"]["currentQuestion"]["isVoid"], true, "{audience:?}");
        }
    }

    #[test]
    fn the_presentation_gets_no_ids() {
        for change in [LiveChange::Connected, LiveChange::QuestionActivated, LiveChange::MeetingStatus] {
            let event = event(change, &state(true), Audience::Public);
            let data = event["data"].as_object().unwrap();
            assert_eq!(data["organization"], "Rowing club");
            assert!(!data.contains_key("meetingId"));
            assert!(!data["currentQuestion"].as_object().unwrap().contains_key("id"));
        }
    }

    #[test]
    fn the_kind_of_a_frame_follows_from_its_event() {
        let state = state(true);
        let question = state.facts.question.as_ref().unwrap().id;
        for (change, kind) in [
            (LiveChange::Heartbeat { at: DateTime::<Utc>::UNIX_EPOCH }, FrameKind::Frequent),
            (LiveChange::VoteCount, FrameKind::Frequent),
            (LiveChange::ParticipantCount, FrameKind::Frequent),
            (LiveChange::Connected, FrameKind::Opening),
            (LiveChange::QuestionActivated, FrameKind::Opening),
            (LiveChange::QuestionDeactivated { question }, FrameKind::Closing),
            (LiveChange::MeetingStatus, FrameKind::Other),
            (LiveChange::MeetingUpdate, FrameKind::Other),
            (LiveChange::OwnCheckIn { is_in: true }, FrameKind::Other),
            (declared(&state), FrameKind::Other),
        ] {
            for audience in Audience::ALL {
                assert_eq!(FrameKind::of(&JsonFrames.encode(change, &state, audience)), kind, "{change:?}");
            }
        }
        assert_eq!(FrameKind::of(&error_frame("session_ended", "data: \"type\":\"vote_count\"")), FrameKind::Other);
        assert_eq!(FrameKind::of(b"data: {}\n\n"), FrameKind::Other);
    }

    /// The names of all fields, also of nested ones.
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
    fn the_examples_in_the_documentation_match_the_events() {
        let page = include_str!("../../../../docs/api.md");
        let section = page.split("## Live state and events").nth(1).unwrap();
        let block = section.split("```json").nth(1).unwrap().split("```").next().unwrap();
        let mut examples: Vec<(Value, Audience)> = serde_json::Deserializer::from_str(block)
            .into_iter()
            .map(|example| (example.unwrap(), Audience::Organizer))
            .collect();
        let public = section.split("\ndata: ").nth(1).unwrap().lines().next().unwrap();
        examples.push((serde_json::from_str(public).unwrap(), Audience::Public));

        let (open, empty) = (state(true), rehearsing());
        let mut documented: Vec<&str> = Vec::new();
        for (example, audience) in &examples {
            let change = match example["type"].as_str().unwrap() {
                "connected" => LiveChange::Connected,
                "heartbeat" => LiveChange::Heartbeat { at: DateTime::<Utc>::UNIX_EPOCH },
                "question_activated" => LiveChange::QuestionActivated,
                "question_deactivated" => {
                    LiveChange::QuestionDeactivated { question: open.facts.question.as_ref().unwrap().id }
                }
                "meeting_status" => LiveChange::MeetingStatus,
                "meeting_update" => LiveChange::MeetingUpdate,
                "own_check_in" => LiveChange::OwnCheckIn { is_in: true },
                "vote_count" => LiveChange::VoteCount,
                "participant_count" => LiveChange::ParticipantCount,
                "result_declared" => declared(&open),
                "error" => {
                    let frame = String::from_utf8(error_frame("session_ended", "Over.").to_vec()).unwrap();
                    let sent: Value = serde_json::from_str(frame.trim_start_matches("data: ")).unwrap();
                    assert_eq!(names(example), names(&sent));
                    continue;
                }
                "server_stopping" => {
                    let stopping = crate::system::Stopping::default();
                    stopping.begin();
                    let frame = String::from_utf8(stopping.last_event().unwrap().to_vec()).unwrap();
                    let sent: Value = serde_json::from_str(frame.trim_start_matches("data: ")).unwrap();
                    assert_eq!(names(example), names(&sent));
                    continue;
                }
                unknown => panic!("nobody sends {unknown}"),
            };
            let state = if change == LiveChange::MeetingUpdate { &empty } else { &open };
            // A client that knows the example of a quorum gets the same fields.
            let measured = with_quorum(state, Attendance::Present);
            let state = if example["data"]["quorum"].is_object() { &measured } else { state };
            let secret = with_urn(state);
            let state = if example["data"]["sealing"].is_object() { &secret } else { state };
            assert_eq!(names(example), names(&event(change, state, *audience)), "{example}");
            documented.push(type_of(change));
        }
        documented.sort_unstable();
        documented.dedup();
        assert_eq!(documented.len(), 10, "{documented:?} have an example");
    }

    fn declared(state: &LiveState) -> LiveChange {
        let question = state.facts.question.as_ref().unwrap();
        LiveChange::ResultDeclared { round: question.round.as_ref().unwrap().id, question: question.id }
    }

    #[test]
    fn the_event_names_the_declared_round_and_contains_no_result() {
        let state = state(false);
        let question = state.facts.question.as_ref().unwrap();
        let (round, question) = (question.round.as_ref().unwrap().id.as_uuid(), question.id.as_uuid());
        for audience in Audience::ALL {
            let event = event(declared(&state), &state, audience);
            assert_eq!(event["data"], json!({ "roundId": round, "questionId": question }), "{audience:?}");
        }
    }

    #[test]
    fn the_last_round_of_the_question_is_named_once_its_result_is_declared() {
        let state = state(false);
        let mut facts = (*state.facts).clone();
        let round = facts.question.as_mut().unwrap().round.as_mut().unwrap();
        round.is_declared = true;
        let id = json!(round.id.as_uuid());
        let declared = LiveState { facts: Arc::new(facts), ..state.clone() };
        for audience in [Audience::Organizer, Audience::Public] {
            for (state, shown) in [(&state, &Value::Null), (&declared, &id)] {
                let event = event(LiveChange::Connected, state, audience);
                assert_eq!(&event["data"]["currentQuestion"]["declaredRoundId"], shown, "{audience:?}");
            }
        }
    }

    #[test]
    fn counters_contain_the_quorum_that_they_change() {
        let present = with_quorum(&state(true), Attendance::Present);
        let voted = with_quorum(&state(true), Attendance::Voted);
        for audience in Audience::ALL {
            let quorum = |change, state| event(change, state, audience)["data"]["quorum"]["attending"].clone();
            assert_eq!(quorum(LiveChange::ParticipantCount, &present), 0);
            assert_eq!(quorum(LiveChange::VoteCount, &present), Value::Null);
            assert_eq!(quorum(LiveChange::VoteCount, &voted), 2);
            assert_eq!(quorum(LiveChange::Connected, &voted), 2);
        }
    }

    #[test]
    fn every_screen_shows_when_the_round_ends_by_itself() {
        for audience in Audience::ALL {
            let event = event(LiveChange::MeetingUpdate, &state(true), audience);
            assert_eq!(event["data"]["currentQuestion"]["closesAt"], "1970-01-01T00:01:00Z", "{audience:?}");
        }
    }

    #[test]
    fn every_event_of_a_step_contains_its_number() {
        let state = state(true);
        let question = state.facts.question.as_ref().unwrap().id;
        for change in [
            LiveChange::Connected,
            LiveChange::QuestionActivated,
            LiveChange::QuestionDeactivated { question },
            LiveChange::MeetingStatus,
            LiveChange::MeetingUpdate,
        ] {
            assert_eq!(event(change, &state, Audience::Organizer)["data"]["step"], 12, "{change:?}");
        }
    }

    #[test]
    fn small_changes_are_small_events() {
        let state = state(true);
        let sizes = event(LiveChange::VoteCount, &state, Audience::Public);
        assert_eq!(sizes["data"], json!({ "voteCount": 2, "registerSize": 3 }));
        let here = event(LiveChange::ParticipantCount, &state, Audience::Voter);
        assert_eq!(here["data"], json!({ "participantCount": 4 }));
        let check_in =
            LiveCheckIn { eligible: People { heads: 9, weight: "9.5".parse().unwrap() }, ..LiveCheckIn::default() };
        let facts = LiveFacts { check_in: Some(check_in), ..(*state.facts).clone() };
        let checked_in = LiveState { facts: Arc::new(facts), ..state.clone() };
        for audience in Audience::ALL {
            let here = event(LiveChange::ParticipantCount, &checked_in, audience);
            let expected = json!({ "participantCount": 4, "checkIn": { "eligible": 9, "selfCheckIn": false } });
            assert_eq!(here["data"], expected, "{audience:?}");
        }
        let status = event(LiveChange::MeetingStatus, &state, Audience::Voter);
        assert_eq!(status["data"], json!({ "status": "ACTIVE", "step": 12 }));
        let heartbeat = event(LiveChange::Heartbeat { at: DateTime::<Utc>::UNIX_EPOCH }, &state, Audience::Voter);
        assert_eq!(heartbeat["data"], json!({ "version": 7, "serverTime": "1970-01-01T00:00:00Z" }));
    }
}
