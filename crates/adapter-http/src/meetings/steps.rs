//! Concurrent steps of several organizers in one meeting. A step may name the state on which it was decided.

use plenum_kernel::{MeetingId, Step};
use plenum_meetings::{MeetingService, MeetingStatus};
use plenum_voting::{OrganizerStep, RoundService, Screen};
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::meetings::current_question::screen_of;
use crate::views::CurrentQuestionView;

/// The state on which a step was decided.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StepQuery {
    /// The step number of the meeting when the organizer decided. If another step was made since, this one is rejected
    /// with `stale_step`, unless it would change nothing. If it is missing or empty, the server compares nothing.
    #[param(value_type = Option<u64>, minimum = 0)]
    pub(super) step: Option<String>,
    /// `true` to open or count a secret vote although votes could be inferred from its totals. Without it, such a step is
    /// rejected with `secrecy_at_risk`.
    #[serde(rename = "acceptRisk")]
    #[param(value_type = Option<bool>)]
    pub(super) accept_risk: Option<String>,
}

impl StepQuery {
    /// The step number, if given.
    pub(crate) fn read(&self) -> Result<Option<Step>, ApiError> {
        // Also for steps that cannot be risky.
        self.read_risk()?;
        let Some(text) = self.step.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
        // The OpenAPI document declares an int64.
        let number = text.parse::<i64>().ok().and_then(|number| u64::try_from(number).ok());
        let number = number.ok_or_else(|| ApiError::invalid_field("step", "Must be a whole number from 0."))?;
        Ok(Some(Step(number)))
    }

    fn read_risk(&self) -> Result<bool, ApiError> {
        match self.accept_risk.as_deref() {
            None | Some("" | "false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(ApiError::invalid_field("acceptRisk", "Must be true or false.")),
        }
    }

    /// The step of this administrator in a meeting.
    pub(crate) fn read_step(&self, admin: &ClientAdmin, meeting: MeetingId) -> Result<OrganizerStep, ApiError> {
        let (seen, accepts_risk) = (self.read()?, self.read_risk()?);
        Ok(OrganizerStep { owner: admin.client_id, meeting, by: admin.account_id, seen, accepts_risk })
    }
}

/// A meeting that an organizer controls, with the services that read its state.
#[derive(Clone, Copy)]
pub(crate) struct ControlledMeeting<'a> {
    /// The organizer.
    pub(crate) admin: &'a ClientAdmin,
    /// The meeting.
    pub(crate) id: MeetingId,
    /// Knows the content of the presentation.
    pub(crate) rounds: &'a RoundService,
    /// Knows the status of the meeting.
    pub(crate) meetings: &'a MeetingService,
}

impl ControlledMeeting<'_> {
    /// The content of the presentation.
    pub(super) async fn screen(self) -> Result<Screen, ApiError> {
        screen_of(self.admin, self.id, self.rounds).await
    }

    /// The error for a rejected step. A stale step gets the current state.
    pub(crate) async fn refused_step(self, error: ApiError) -> ApiError {
        if !error.has_code(ErrorCode::STALE_STEP) {
            return error;
        }
        self.with_state(error).await.unwrap_or_else(|failure| failure)
    }

    async fn with_state(self, error: ApiError) -> Result<ApiError, ApiError> {
        // Loaded after the step, so that the description of the meeting is at least as new.
        let screen = self.screen().await?;
        let overview = self.meetings.find(self.admin.client_id, self.id).await?.ok_or_else(MeetingId::missing)?;
        let current_question = json!(screen.question.as_ref().map(CurrentQuestionView::from));
        let state = state_in_words(overview.meeting.status, &screen);
        let text = format!("Another organizer made a change first: {state}. Your change was not made.");
        Ok(error.with_text(text).with_screen(screen.step.0, current_question))
    }
}

/// Describes the state of the meeting, for the middle of a sentence.
fn state_in_words(status: MeetingStatus, screen: &Screen) -> String {
    match status {
        MeetingStatus::Draft => "the meeting is a draft".to_owned(),
        MeetingStatus::Scheduled => "the meeting has not been started".to_owned(),
        MeetingStatus::Completed => "the meeting has ended".to_owned(),
        MeetingStatus::Cancelled => "the meeting is cancelled".to_owned(),
        MeetingStatus::Active => screen_in_words(screen),
    }
}

fn screen_in_words(screen: &Screen) -> String {
    let Some(question) = &screen.question else { return "nothing is on the presentation now".to_owned() };
    let text = shortened(&question.wording.text);
    match question.open_round().map(|open| open.round.closes_at) {
        Some(Some(_)) => format!("voting on “{text}” is open now and a countdown runs"),
        Some(None) => format!("voting on “{text}” is open now"),
        None => format!("“{text}” is shown now, and voting on it is not open"),
    }
}

/// The first line of a question, shortened for a notice.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let kept: String = line.chars().take(LONGEST - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_of_steps_is_accepted() {
        for (text, number) in [(None, None), (Some(""), None), (Some("0"), Some(0)), (Some("12"), Some(12))] {
            let query = StepQuery { step: text.map(str::to_owned), accept_risk: None };
            assert_eq!(query.read().unwrap(), number.map(Step), "{text:?}");
        }
        for text in ["-1", "1.5", "one", "9223372036854775808"] {
            assert!(StepQuery { step: Some(text.to_owned()), accept_risk: None }.read().is_err(), "{text}");
        }
    }

    #[test]
    fn a_long_question_is_shortened_to_its_beginning() {
        assert_eq!(shortened("Agreed?\nThe whole budget."), "Agreed?");
        let long = shortened(&"very ".repeat(40));
        assert!(long.ends_with("very…") && long.chars().count() <= 80, "{long}");
    }

    #[test]
    fn the_error_distinguishes_an_empty_screen_from_an_ended_meeting() {
        let empty = Screen { step: Step(3), question: None };
        assert_eq!(state_in_words(MeetingStatus::Active, &empty), "nothing is on the presentation now");
        assert_eq!(state_in_words(MeetingStatus::Completed, &empty), "the meeting has ended");
    }
}
