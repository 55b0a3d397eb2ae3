use actix_web::App;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, InfoBuilder, OpenApi, Ref, RefOr, ResponseBuilder, ServerBuilder};
use utoipa_actix_web::AppExt as _;

use crate::routes::api_routes;

/// What every operation may answer, so that no handler has to repeat it.
const EVERYWHERE: &[(&str, &str)] = &[("503", "Busy or restarting; try again after `Retry-After` seconds")];
const SIGNED_IN: &[(&str, &str)] = &[
    ("401", "No token, or one that is over"),
    ("403", "A token that is not valid, another role, or something that one may not do"),
];
const WITH_BODY: &[(&str, &str)] = &[
    ("400", "The body is no JSON"),
    ("413", "The body is too large"),
    ("422", "A field is missing or wrong; `fields` says what is wanted"),
];
const WITH_QUERY: &[(&str, &str)] = &[("422", "A parameter is wrong; `fields` says what is wanted")];

/// The OpenAPI document of everything below `{base_path}/api`, made from the handlers themselves.
pub fn openapi_document(base_path: &str) -> OpenApi {
    let (_, mut document) = App::new().into_utoipa_app().configure(api_routes).split_for_parts();
    document.info = InfoBuilder::new()
        .title("Plenum")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Live voting and meetings for organisations."))
        .build();
    document.servers = Some(vec![ServerBuilder::new().url(format!("{base_path}/api")).build()]);
    let components = document.components.get_or_insert_default();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let stream_token = SecurityScheme::ApiKey(ApiKey::Query(ApiKeyValue::new("token")));
    components.add_security_scheme("bearer", bearer);
    components.add_security_scheme("streamToken", stream_token);
    for item in document.paths.paths.values_mut() {
        for operation in operations_of(item) {
            add_common_errors(operation);
        }
    }
    document
}

fn operations_of(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.delete].into_iter().flatten()
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
            let error = Content::new(Some(Ref::from_schema_name("ApiError")));
            ResponseBuilder::new().description(description).content("application/json", error).build().into()
        });
    }
}
