use actix_web::http::StatusCode;
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, QuestionId, RemarkId, RoundId, SessionId, VoteId};
use serde_json::{Map, Value, json};
use utoipa::openapi::path::Operation;
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{Components, Content, RefOr, Response};

use super::{JSON, PLAIN_TEXT, api_error, json_of};
use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::ApiId as _;
use crate::extract::MAX_BODY;
use crate::extract::body_compressed;
use crate::extract::body_too_large;
use crate::extract::body_too_slow;

/// An id for schemas without an example.
const SOME_ID: &str = "019a9d5e-0000-7000-8000-000000000001";
/// A time for schemas without an example.
const SOME_TIME: &str = "2026-11-21T18:00:00Z";

/// Adds an example to every body of the document. Examples of an operation or a schema have priority.
pub(super) struct Examples {
    schemas: Value,
}

impl Examples {
    /// Examples from the referenced schemas.
    pub(super) fn new(components: &Components) -> Self {
        Self { schemas: json!(components.schemas) }
    }

    /// Adds missing examples to the bodies of an operation.
    pub(super) fn add_to(&self, path: &str, operation: &mut Operation) {
        let mut requested = None;
        if let Some(content) = operation.request_body.as_mut().and_then(json_of_request) {
            requested = content.schema.as_ref().map(|schema| json!(schema));
            self.illustrate(content);
        }
        let common = CommonErrors {
            path,
            is_for_all_roles: operation.tags.iter().flatten().any(|tag| tag == "auth"),
            is_signed_in: operation.security.is_some(),
            wrong_field: requested.as_ref().and_then(|schema| self.wrong_field(schema)),
        };
        for (status, response) in &mut operation.responses.responses {
            let RefOr::T(response) = response else { continue };
            let Some(content) = json_of(response) else { continue };
            if content.schema == Some(api_error().into()) {
                content.example = content.example.take().or_else(|| common.example(status)).map(complete_error);
            } else {
                self.illustrate(content);
            }
            repeat_as_text(response);
        }
    }

    fn illustrate(&self, content: &mut Content) {
        if content.example.is_none() {
            content.example = content.schema.as_ref().and_then(|schema| self.of(&json!(schema)));
        }
    }

    /// An example value of a schema. `None` if the schema has too little information.
    fn of(&self, schema: &Value) -> Option<Value> {
        if let Some(example) = schema.get("example") {
            return Some(example.clone());
        }
        if let Some(referred) = self.referred(schema) {
            return self.of(referred);
        }
        if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
            return choices.iter().find_map(|choice| self.of(choice));
        }
        if let Some(first) = schema.pointer("/enum/0") {
            return Some(first.clone());
        }
        match (type_of(schema), schema.get("format").and_then(Value::as_str)) {
            ("array", _) => Some(json!([self.of(schema.get("items")?)?])),
            ("object", _) => self.of_object(schema),
            ("string", Some("uuid")) => Some(json!(SOME_ID)),
            ("string", Some("date-time")) => Some(json!(SOME_TIME)),
            ("boolean", _) => Some(json!(true)),
            ("null", _) => Some(Value::Null),
            _ if is_nullable(schema) => Some(Value::Null),
            _ => None,
        }
    }

    /// All required fields, each with its own example.
    fn of_object(&self, schema: &Value) -> Option<Value> {
        let properties = schema.get("properties")?;
        let required = schema.get("required")?.as_array()?;
        let fields: Option<Map<String, Value>> = required
            .iter()
            .filter_map(Value::as_str)
            .map(|name| Some((name.to_owned(), self.of(properties.get(name)?)?)))
            .collect();
        fields.map(Value::Object)
    }

    fn referred(&self, schema: &Value) -> Option<&Value> {
        self.schemas.get(schema.get("$ref")?.as_str()?.rsplit('/').next()?)
    }

    /// A field of a body and a possible error in it.
    fn wrong_field(&self, schema: &Value) -> Option<(String, &'static str)> {
        let body = self.referred(schema)?;
        if let Some(required) = body.pointer("/required/0").and_then(Value::as_str) {
            return Some((required.to_owned(), "Is required."));
        }
        let (name, _) = body.get("properties")?.as_object()?.iter().find(|(_, field)| type_of(field) == "string")?;
        Some((name.clone(), "Must be a text, not a number."))
    }
}

/// The type of a schema; the first of several.
fn type_of(schema: &Value) -> &str {
    let types = schema.get("type");
    types.and_then(|types| types.as_str().or_else(|| types.get(0)?.as_str())).unwrap_or_default()
}

fn is_nullable(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_array).is_some_and(|types| types.contains(&json!("null")))
}

fn json_of_request(body: &mut RefOr<RequestBody>) -> Option<&mut Content> {
    let RefOr::T(body) = body else { return None };
    match body.content.get_mut(JSON)? {
        RefOr::T(content) => Some(content),
        RefOr::Ref(_) => None,
    }
}

/// Completes an error example. Operations state only `code` and `error`.
fn complete_error(mut example: Value) -> Value {
    if example.get("message").is_none() {
        example["message"] = example["error"].clone();
    }
    example
}

/// Adds the text of an error, if the response can be plain text.
fn repeat_as_text(response: &mut Response) {
    let text = json_of(response).and_then(|content| content.example.as_ref()?.get("error").cloned());
    if let Some(RefOr::T(content)) = response.content.get_mut(PLAIN_TEXT) {
        content.example = text;
    }
}

/// Errors that are equal for all operations.
struct CommonErrors<'a> {
    path: &'a str,
    is_for_all_roles: bool,
    is_signed_in: bool,
    wrong_field: Option<(String, &'static str)>,
}

impl CommonErrors<'_> {
    /// The body of the error with this status. `None` if only the operation knows it.
    fn example(&self, status: &str) -> Option<Value> {
        let error = match status {
            "400" => ApiError::new(StatusCode::BAD_REQUEST, ErrorCode::NOT_JSON, "The body is not valid JSON."),
            "401" if self.is_signed_in => {
                ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::TOKEN_EXPIRED, "The access token has expired.")
            }
            "403" if self.is_for_all_roles && self.is_signed_in => {
                ApiError::new(StatusCode::FORBIDDEN, ErrorCode::INVALID_TOKEN, "The access token is not valid.")
            }
            "403" if self.is_signed_in => {
                ApiError::new(StatusCode::FORBIDDEN, ErrorCode::WRONG_ROLE, "Your role may not do this.")
            }
            "404" => self.missing()?,
            "408" => body_too_slow(),
            "413" => body_too_large(MAX_BODY),
            "415" => body_compressed(),
            "422" => match &self.wrong_field {
                Some((field, requirement)) => ApiError::invalid_field(field, requirement),
                None => ApiError::invalid_field("page", "Must be a whole number from 1."),
            },
            "429" => ApiError::rate_limited("Too many failed sign-ins. Please try again in 30 seconds.", 30),
            "503" => ApiError::try_again(),
            _ => return None,
        };
        Some(json!(error.body()))
    }

    /// The error for an unknown last id of the path.
    fn missing(&self) -> Option<ApiError> {
        let (_, last) = self.path.rsplit_once('{')?;
        Some(match last.split('}').next()? {
            AccountId::NAME => AccountId::missing(),
            ClientId::NAME | "clientCode" => ClientId::missing(),
            EndUserId::NAME => EndUserId::missing(),
            MeetingId::NAME | "link" => MeetingId::missing(),
            QuestionId::NAME => QuestionId::missing(),
            RemarkId::NAME => RemarkId::missing(),
            RoundId::NAME => RoundId::missing(),
            SessionId::NAME => SessionId::missing(),
            VoteId::NAME => VoteId::missing(),
            _ => return None,
        })
    }
}
