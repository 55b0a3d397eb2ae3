use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse, ResponseError as _};
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt as _;
use utoipa_actix_web::service_config::ServiceConfig;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::connections::note_request;
use crate::front_end::{FrontEnd, front_end};
use crate::methods::answer_methods;
use crate::openapi::send_document;
use crate::request_name::name_answer;
use crate::request_span::RequestSpan;
use crate::rim::{ApiError, ErrorCode, carry_out, finish_answer, identify, query_config};
use crate::security_headers::{SecurityHeaders, secure};
use crate::settings::{HttpSettings, Services};
use crate::shared::Shared;
use crate::{
    accounts, activity, audit, auth, clients, cors, end_users, live, meetings, public, questions, reports, results,
    sessions, system, test_calls, voting,
};

/// Every operation of the API, relative to its base path. They are tried in this order: what a whole hall calls in the
/// same second comes first.
pub(crate) fn api_routes(config: &mut ServiceConfig<'_>) {
    voting::routes(config);
    live::routes(config);
    auth::routes(config);
    public::routes(config);
    clients::routes(config);
    accounts::routes(config);
    sessions::routes(config);
    activity::routes(config);
    reports::routes(config);
    end_users::routes(config);
    meetings::routes(config);
    results::routes(config);
    questions::routes(config);
    system::routes(config);
    test_calls::routes(config);
    audit::routes(config);
}

/// The whole product as actix serves it: the API, its document, and the front end. What `shared` holds all workers have in common.
pub(crate) fn application(
    services: &Services,
    settings: &HttpSettings,
    shared: &Shared,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody + use<>>,
        Error = actix_web::Error,
        InitError = (),
    > + use<>,
> {
    let base_path = settings.base_path.clone();
    let document_path = format!("{base_path}/api/openapi.json");
    // Left to itself it has somebody else's server say whether the document is right.
    let config = Config::from(document_path.clone()).validator_url("none");
    let page = SwaggerUi::new(format!("{base_path}/api/docs/{{_:.*}}")).config(config);
    let api = utoipa_actix_web::scope(format!("{base_path}/api").as_str())
        .wrap(from_fn(identify))
        .wrap(from_fn(carry_out))
        .wrap(from_fn(finish_answer))
        .configure(api_routes)
        .default_service(web::to(no_such_path));
    App::new()
        .wrap(Compress::default())
        .wrap(from_fn(answer_methods))
        .wrap(cors::policy(&settings.cors_origins))
        .wrap(from_fn(cors::tidy))
        .wrap(from_fn(secure))
        .wrap(from_fn(name_answer))
        .wrap(TracingLogger::<RequestSpan>::new())
        .wrap(from_fn(note_request))
        .app_data(query_config())
        .app_data(Data::new(settings.clone()))
        .app_data(Data::new(SecurityHeaders::new(settings)))
        .app_data(Data::new(FrontEnd::load(settings)))
        .configure(|config| services.share(config))
        .configure(|config| shared.share(config))
        .configure(system::plain_routes)
        .configure(|config| system::metrics_routes(config, &base_path))
        .route(&document_path, web::get().to(send_document))
        .route(&format!("{base_path}/api/docs"), web::get().to(to_docs))
        .service(page)
        .into_utoipa_app()
        .service(api)
        .into_app()
        .default_service(web::to(front_end))
}

async fn to_docs(settings: Data<HttpSettings>) -> HttpResponse {
    let location = format!("{}/api/docs/", settings.base_path);
    HttpResponse::PermanentRedirect().insert_header(("Location", location)).finish()
}

/// Nested scopes need it, too: they would fall back to the front end's page.
pub(crate) async fn no_such_path() -> HttpResponse {
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::NOT_FOUND, "There is nothing at this address.").error_response()
}
