//! The OpenAPI document, generated from the handlers.

mod examples;

use std::sync::OnceLock;

use actix_web::http::header::ContentType;
use actix_web::web::Data;
use actix_web::{App, HttpResponse};
use bytes::Bytes;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Content, InfoBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, ServerBuilder, Type,
};
use utoipa_actix_web::AppExt as _;

use crate::config::HttpSettings;
use crate::registration::Routes;
use crate::routes::api_routes;
use examples::Examples;

const JSON: &str = "application/json";
const PLAIN_TEXT: &str = "text/plain";
/// The addresses whose errors are plain text unless the caller accepts JSON.
const ERRORS_AS_TEXT: &str = "/voting/meetings/{meetingId}/questions/{questionId}/";

/// The responses of every operation, so that no handler repeats them.
const EVERYWHERE: &[(&str, &str)] =
    &[("503", "The service is busy or restarting; try again after `Retry-After` seconds")];
const SIGNED_IN: &[(&str, &str)] =
    &[("401", "The token is missing or has expired"), ("403", "The token is not valid, or the caller may not do this")];
const WITH_BODY: &[(&str, &str)] = &[
    ("400", "The body is not valid JSON"),
    ("408", "The body arrived too slowly"),
    ("413", "The body is too large"),
    ("415", "The body is compressed, or is not JSON in UTF-8"),
    ("422", "A field is missing or invalid; `fields` contains the requirements"),
];
const WITH_QUERY: &[(&str, &str)] = &[("422", "A parameter is invalid; `fields` contains the requirements")];

/// The operations as their handlers describe them.
pub(crate) fn operations() -> OpenApi {
    App::new().into_utoipa_app().configure(|config| api_routes(&mut Routes::Described(config))).split_for_parts().1
}

/// The OpenAPI document of all addresses below `{base_path}/api`.
pub fn openapi_document(base_path: &str) -> OpenApi {
    let mut document = operations();
    document.info = InfoBuilder::new()
        .title("Plenum")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Live voting and meetings for organizations."))
        .build();
    document.servers = Some(vec![ServerBuilder::new().url(format!("{base_path}/api")).build()]);
    let components = document.components.get_or_insert_default();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let stream_token = SecurityScheme::ApiKey(ApiKey::Query(ApiKeyValue::new("token")));
    components.add_security_scheme("bearer", bearer);
    components.add_security_scheme("streamToken", stream_token);
    let examples = Examples::new(components);
    for (path, item) in &mut document.paths.paths {
        for operation in operations_of(item) {
            split_summary(operation);
            add_common_errors(operation);
            for (status, response) in errors_of(operation) {
                add_retry_after(status, response);
                add_challenge(status, response);
                if path.starts_with(ERRORS_AS_TEXT) {
                    add_plain_text(response);
                }
            }
            add_location(operation);
            examples.add_to(path, operation);
        }
    }
    document
}

/// The serialized document. The first request creates it for all workers.
#[derive(Debug, Default)]
pub(crate) struct WrittenDocument(OnceLock<Bytes>);

impl WrittenDocument {
    fn text(&self, base_path: &str) -> Bytes {
        let write =
            || openapi_document(base_path).to_json().expect("a document contains only texts, numbers and lists").into();
        self.0.get_or_init(write).clone()
    }
}

/// Sends the document.
pub(crate) async fn send_document(settings: Data<HttpSettings>, document: Data<WrittenDocument>) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(document.text(&settings.base_path))
}

fn operations_of(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.delete].into_iter().flatten()
}

/// Splits the text of an operation: the first sentence is the summary, the rest is the description.
fn split_summary(operation: &mut Operation) {
    let text = operation.summary.take().unwrap_or_default().replace('\n', " ");
    let (first, rest) = match text.split_once(". ") {
        Some((first, rest)) => (format!("{first}."), Some(rest.to_owned())),
        None => (text, None),
    };
    operation.summary = Some(first);
    let paragraphs: Vec<String> = rest.into_iter().chain(operation.description.take()).collect();
    operation.description = Some(paragraphs.join("\n\n")).filter(|text| !text.is_empty());
}

fn add_common_errors(operation: &mut Operation) {
    let has_query = operation.parameters.as_ref().is_some_and(|parameters| {
        parameters.iter().any(|parameter| match parameter {
            RefOr::T(parameter) => parameter.parameter_in == ParameterIn::Query,
            RefOr::Ref(_) => false,
        })
    });
    let mut common = EVERYWHERE.to_vec();
    if operation.security.is_some() {
        common.extend(SIGNED_IN);
    }
    if operation.request_body.is_some() {
        common.extend(WITH_BODY);
    }
    if has_query {
        common.extend(WITH_QUERY);
    }
    for (status, description) in common {
        operation.responses.responses.entry(status.to_owned()).or_insert_with(|| {
            ResponseBuilder::new()
                .description(description)
                .content(JSON, Content::new(Some(api_error())))
                .build()
                .into()
        });
    }
}

fn api_error() -> Ref {
    Ref::from_schema_name("ApiError")
}

/// The error responses of an operation, each with its status.
fn errors_of(operation: &mut Operation) -> impl Iterator<Item = (&str, &mut Response)> {
    operation.responses.responses.iter_mut().filter(|(status, _)| !status.starts_with('2')).filter_map(
        |(status, response)| match response {
            RefOr::T(response) => Some((status.as_str(), response)),
            RefOr::Ref(_) => None,
        },
    )
}

/// Adds `Retry-After` to the responses that have it.
fn add_retry_after(status: &str, response: &mut Response) {
    if matches!(status, "429" | "503") {
        let header = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::Integer)))
            .description(Some("The number of seconds until the next attempt."))
            .build();
        response.headers.insert("Retry-After".to_owned(), header.into());
    }
}

fn add_challenge(status: &str, response: &mut Response) {
    if status == "401" {
        let header = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .description(Some("Always `Bearer`."))
            .build();
        response.headers.insert("WWW-Authenticate".to_owned(), header.into());
    }
}

/// Adds `Location` to the responses that report a new resource.
fn add_location(operation: &mut Operation) {
    if let Some(RefOr::T(response)) = operation.responses.responses.get_mut("201") {
        let header = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .description(Some("The address of the new resource, or of the resource that contains it."))
            .build();
        response.headers.insert("Location".to_owned(), header.into());
    }
}

/// The JSON body of a response, if it has one.
fn json_of(response: &mut Response) -> Option<&mut Content> {
    match response.content.get_mut(JSON)? {
        RefOr::T(content) => Some(content),
        RefOr::Ref(_) => None,
    }
}

fn add_plain_text(response: &mut Response) {
    let text = Content::new(Some(ObjectBuilder::new().schema_type(Type::String)));
    response.content.insert(PLAIN_TEXT.to_owned(), text.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_written_once() {
        let document = WrittenDocument::default();
        let first = document.text("/plenum");
        assert!(first.starts_with(b"{") && std::ptr::eq(first.as_ptr(), document.text("/plenum").as_ptr()));
    }
}
