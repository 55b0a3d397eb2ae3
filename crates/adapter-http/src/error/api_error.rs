use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use plenum_kernel::{Invalid, PortFailure, capitalized};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::ErrorCode;
use crate::views::OpenVoteView;

/// The requirements that each invalid field does not meet.
pub(crate) type FieldErrors = BTreeMap<String, Vec<String>>;

/// An error, for people and for programs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApiError, example = json!({
    "error": "weight must be a number from 0 to 100.",
    "message": "weight must be a number from 0 to 100.",
    "code": "invalid_input",
    "fields": { "weight": ["Must be a number from 0 to 100."] },
}))]
pub(crate) struct ApiErrorBody {
    /// The error as a sentence for people.
    pub(crate) error: String,
    /// The same sentence.
    pub(crate) message: String,
    /// A stable code for programs.
    pub(crate) code: String,
    /// The requirements for the fields of the request that the error belongs to. Missing if it belongs to none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::HashMap<String, Vec<String>>>)]
    pub(crate) fields: Option<FieldErrors>,
    /// Only with `stale_step`: the number of steps in the meeting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) step: Option<u64>,
    /// Only with `stale_step`: the question on the presentation, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::views::CurrentQuestionView>)]
    pub(crate) current_question: Option<Value>,
    /// Only with `password_reason_needed`: the first 20 open votes with these people in the register.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<OpenVoteView>>)]
    pub(crate) open_votes: Option<Box<[OpenVoteView]>>,
}

/// An error response.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    text: String,
    fields: Option<FieldErrors>,
    screen: Option<Box<(u64, Value)>>,
    open_votes: Option<Box<[OpenVoteView]>>,
    retry_after_seconds: Option<u32>,
    header: Option<Box<(HeaderName, HeaderValue)>>,
}

impl ApiError {
    /// An error with a status, a stable code and a text for people. The first letter becomes upper-case.
    pub(crate) fn new(status: StatusCode, code: &'static str, text: impl fmt::Display) -> Self {
        Self {
            status,
            code,
            text: capitalized(&text.to_string()),
            fields: None,
            screen: None,
            open_votes: None,
            retry_after_seconds: None,
            header: None,
        }
    }

    /// A resource that does not exist, or belongs to another client.
    pub(crate) fn not_found(code: &'static str, text: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, text)
    }

    /// A request that violates a rule.
    pub(crate) fn conflict(code: &'static str, text: impl fmt::Display) -> Self {
        Self::new(StatusCode::CONFLICT, code, text)
    }

    /// The same error with the requirement for a field.
    pub(crate) fn with_field(self, field: &str, requirement: &str) -> Self {
        Self { fields: Some(FieldErrors::from([(field.to_owned(), vec![requirement.to_owned()])])), ..self }
    }

    /// The same error with the open votes that it is about.
    pub(crate) fn with_open_votes(self, votes: Box<[OpenVoteView]>) -> Self {
        Self { open_votes: Some(votes), ..self }
    }

    /// A name that is already taken.
    pub(crate) fn taken(code: &'static str, field: &str, text: impl fmt::Display) -> Self {
        let error = Self::conflict(code, text);
        let fields = FieldErrors::from([(field.to_owned(), vec![error.text.clone()])]);
        Self { fields: Some(fields), ..error }
    }

    /// Well-formed input that violates the rules of its fields.
    pub(crate) fn invalid(fields: FieldErrors) -> Self {
        let text: Vec<String> = fields
            .iter()
            .filter_map(|(field, requirement)| Some(with_field_name(field, requirement.first()?)))
            .collect();
        let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::INVALID_INPUT, "");
        error.text = text.join(" ");
        error.fields = Some(fields);
        error
    }

    /// Input with one invalid field.
    pub(crate) fn invalid_field(field: &str, requirement: impl fmt::Display) -> Self {
        Self::invalid(FieldErrors::from([(field.to_owned(), vec![requirement.to_string()])]))
    }

    /// Too many attempts. The caller may try again after this number of seconds.
    pub(crate) fn rate_limited(text: impl fmt::Display, retry_after_seconds: u32) -> Self {
        Self::too_many("too_many_tries", text, retry_after_seconds)
    }

    /// A limit of the caller that is reached. The caller may try again after this number of seconds.
    pub(crate) fn too_many(code: &'static str, text: impl fmt::Display, retry_after_seconds: u32) -> Self {
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, code, text);
        Self { retry_after_seconds: Some(retry_after_seconds), ..error }
    }

    /// A dependency that is down or busy. Logs the cause once, and asks the caller to try again.
    pub(crate) fn unavailable(failure: &PortFailure) -> Self {
        if failure.is_busy() {
            // Expected under load, and often many at once.
            tracing::debug!(
                error = failure as &dyn std::error::Error,
                "a request was rejected because a dependency is busy"
            );
        } else {
            tracing::error!(error = failure as &dyn std::error::Error, "a request failed because a dependency failed");
        }
        let retry_after = failure.retry_after().map(whole_seconds);
        Self { retry_after_seconds: retry_after.or(Some(1)), ..Self::try_again() }
    }

    /// Stored data that cannot be read. A retry does not help.
    fn damaged(failure: &PortFailure) -> Self {
        tracing::error!(error = failure as &dyn std::error::Error, "a request found damaged data");
        let text = "The stored data is damaged and cannot be read. Trying again does not help. Please tell the operator of the server.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::DATABASE_DAMAGED, text)
    }

    /// The error for a dependency that is down or busy.
    pub(crate) fn try_again() -> Self {
        // It is unknown whether the change was stored, because the response to a commit may be lost.
        let text = "The service is busy or restarting. Please try again in a moment.";
        Self {
            retry_after_seconds: Some(1),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::TEMPORARILY_UNAVAILABLE, text)
        }
    }

    /// A row that the request refers to was removed during the request. Nothing was stored.
    fn removed_meanwhile() -> Self {
        Self::conflict(ErrorCode::REMOVED_MEANWHILE, "Data for this request was removed a moment ago. Please reload.")
    }

    /// Whether the error is 403 or 404.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.status, StatusCode::FORBIDDEN | StatusCode::NOT_FOUND)
    }

    /// The same error with another code.
    pub(crate) fn with_code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// The same error with another text.
    pub(crate) fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }

    /// The same error with a header that names accepted values.
    pub(crate) fn with_header(self, name: HeaderName, value: &'static str) -> Self {
        Self { header: Some(Box::new((name, HeaderValue::from_static(value)))), ..self }
    }

    /// The same error with the number of steps and the question on the presentation, or null.
    pub(crate) fn with_screen(self, step: u64, current_question: Value) -> Self {
        Self { screen: Some(Box::new((step, current_question))), ..self }
    }

    /// Whether the error has this code.
    pub(crate) fn has_code(&self, code: &str) -> bool {
        self.code == code
    }

    /// The body of the response.
    pub(crate) fn body(&self) -> ApiErrorBody {
        ApiErrorBody {
            error: self.text.clone(),
            message: self.text.clone(),
            code: self.code.to_owned(),
            fields: self.fields.clone(),
            step: self.screen.as_ref().map(|screen| screen.0),
            current_question: self.screen.as_ref().map(|screen| screen.1.clone()),
            open_votes: self.open_votes.clone(),
        }
    }
}

/// Rounds up to whole seconds, so that a retry after this time is not too early.
pub(crate) fn whole_seconds(time: Duration) -> u32 {
    let begun = u64::from(time.subsec_nanos() > 0);
    u32::try_from(time.as_secs() + begun).unwrap_or(u32::MAX).max(1)
}

/// The sentence that asks for a retry.
pub(crate) fn try_again_in(seconds: u32) -> String {
    let unit = if seconds == 1 { "second" } else { "seconds" };
    format!("Please try again in {seconds} {unit}.")
}

/// Turns "Must not be empty." into "title must not be empty." Keeps full sentences.
fn with_field_name(field: &str, requirement: &str) -> String {
    match ["Must ", "Is "].iter().find(|verb| requirement.starts_with(*verb)) {
        Some(verb) => format!("{field} {}{}", verb.to_lowercase(), &requirement[verb.len()..]),
        None => requirement.to_owned(),
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text of an error, for responses in plain text.
pub(crate) struct ErrorText(pub(crate) String);

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if self.status == StatusCode::UNAUTHORIZED {
            // Required by RFC 9110. Browsers ask for nothing with this scheme.
            response.insert_header((WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(seconds) = self.retry_after_seconds {
            response.insert_header((RETRY_AFTER, seconds.to_string()));
        }
        if let Some(header) = &self.header {
            response.insert_header((header.0.clone(), header.1.clone()));
        }
        let mut response = response.json(self.body());
        response.extensions_mut().insert(ErrorText(self.text.clone()));
        response
    }
}

impl From<PortFailure> for ApiError {
    fn from(failure: PortFailure) -> Self {
        match failure {
            outdated if outdated.is_outdated() => Self::removed_meanwhile(),
            damaged if damaged.is_damaged() => Self::damaged(&damaged),
            failure => Self::unavailable(&failure),
        }
    }
}

/// Collects the errors of all fields of a body, so that a form can show them together.
#[derive(Default)]
pub(crate) struct FieldCheck(FieldErrors);

impl FieldCheck {
    /// Returns the value, or records the requirement of `field`.
    pub(crate) fn keep<T>(&mut self, field: &str, value: Result<T, Invalid>) -> Option<T> {
        value.map_err(|requirement| self.note(field, requirement.to_string())).ok()
    }

    /// Returns a value of several fields, or records the requirement of one of them under its path in `field`.
    pub(crate) fn keep_within<T>(&mut self, field: &str, value: Result<T, (String, Invalid)>) -> Option<T> {
        value.map_err(|(part, requirement)| self.note(&format!("{field}.{part}"), requirement.to_string())).ok()
    }

    /// Returns an optional value. A missing or blank text is `None`.
    pub(crate) fn keep_text<T>(
        &mut self,
        field: &str,
        text: Option<&str>,
        parse: impl FnOnce(&str) -> Result<T, Invalid>,
    ) -> Option<T> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        self.keep(field, parse(text))
    }

    /// Returns a change of an optional text: missing (no change), `null` or blank (cleared), or set.
    pub(crate) fn keep_change<T>(
        &mut self,
        field: &str,
        text: Option<&Option<String>>,
        parse: impl FnOnce(&str) -> Result<T, Invalid>,
    ) -> Option<Option<T>> {
        text.map(|text| self.keep_text(field, text.as_deref(), parse))
    }

    /// Records that `field` is required, if `text` is empty.
    pub(crate) fn require(&mut self, field: &str, text: &str) {
        if text.is_empty() {
            self.note(field, "Is required.".to_owned());
        }
    }

    /// Records the errors of one entry of a list under its path.
    pub(crate) fn note_all(&mut self, entry: &str, errors: Self) {
        self.0.extend(errors.0.into_iter().map(|(field, requirements)| (format!("{entry}.{field}"), requirements)));
    }

    /// Records the requirement of `field`.
    pub(crate) fn note(&mut self, field: &str, requirement: String) {
        self.0.entry(field.to_owned()).or_default().push(requirement);
    }

    /// Returns the recorded errors, or `value` if there are none.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, ApiError> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(ApiError::invalid(self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_the_field_and_the_requirement() {
        assert_eq!(ApiError::invalid_field("title", "Must not be empty.").to_string(), "title must not be empty.");
        assert_eq!(
            ApiError::invalid_field("options", "Please provide at least 2 options").to_string(),
            "Please provide at least 2 options"
        );
    }

    #[test]
    fn all_invalid_fields_are_reported_together() {
        let mut check = FieldCheck::default();
        let name: Option<()> = check.keep("name", Err(Invalid::new("Must not be empty.")));
        let weight: Option<()> = check.keep("weight", Err(Invalid::new("Must be a number from 0 to 100.")));
        let error = check.finish(name.zip(weight)).unwrap_err();
        assert_eq!(error.fields.unwrap().keys().collect::<Vec<_>>(), ["name", "weight"]);
    }

    #[test]
    fn a_busy_dependency_sets_retry_after() {
        let retry_after = |failure: &PortFailure| {
            let answer = ApiError::unavailable(failure).error_response();
            answer.headers().get(RETRY_AFTER).unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(retry_after(&PortFailure::busy_for("hashing", Duration::from_millis(7_001))), "8");
        assert_eq!(retry_after(&PortFailure::busy_for("hashing", Duration::ZERO)), "1");
        assert_eq!(retry_after(&PortFailure::busy("hashing")), "1");
    }

    #[test]
    fn a_failure_does_not_reveal_its_cause() {
        let failure = PortFailure::new("the database", "password authentication failed for user plenum");
        let error = ApiError::unavailable(&failure);
        assert!(!error.to_string().contains("password"));
        assert_eq!(error.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(error.error_response().headers().get(RETRY_AFTER).unwrap(), "1");
    }
}
