use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse};
use tracing_actix_web::TracingLogger;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::config::HttpSettings;
use crate::connections::record_request;
use crate::error::no_such_path;
use crate::front_end::{FrontEnd, front_end};
use crate::middleware::RequestSpan;
use crate::middleware::SecurityHeaders;
use crate::middleware::check_method;
use crate::middleware::cors;
use crate::middleware::detach;
use crate::middleware::finish_response;
use crate::middleware::identify;
use crate::middleware::set_request_id;
use crate::middleware::set_security_headers;
use crate::openapi::send_document;
use crate::public;
use crate::registration::Routes;
use crate::routes::api_routes;
use crate::services::Services;
use crate::shared_state::Shared;
use crate::system;
use crate::views::MeetingTables;

/// Builds the actix application: the API, its document and the front end. All workers share the content of `shared`.
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
    // By default Swagger UI sends the document to an external server for validation.
    let config = Config::from(document_path.clone()).validator_url("none");
    let page = SwaggerUi::new(format!("{base_path}/api/docs/{{_:.*}}")).config(config);
    let api = web::scope(&format!("{base_path}/api"))
        .wrap(from_fn(identify))
        .wrap(from_fn(detach))
        .wrap(from_fn(finish_response))
        .configure(|config| api_routes(&mut Routes::Served(config)))
        .default_service(web::to(no_such_path));
    App::new()
        .wrap(Compress::default())
        .wrap(from_fn(check_method))
        .wrap(cors::policy(&settings.cors_origins))
        .wrap(from_fn(cors::tidy))
        .wrap(from_fn(set_security_headers))
        .wrap(from_fn(set_request_id))
        .wrap(TracingLogger::<RequestSpan>::new())
        .wrap(from_fn(record_request))
        .app_data(Data::new(settings.clone()))
        .app_data(Data::new(SecurityHeaders::new(settings)))
        .app_data(Data::new(FrontEnd::load(settings)))
        .app_data(Data::new(meeting_tables(services, settings)))
        .configure(|config| services.share(config))
        .configure(|config| shared.share(config))
        .configure(system::plain_routes)
        .configure(|config| system::metrics_routes(config, &base_path))
        .configure(|config| public::well_known_routes(config, &base_path))
        .route(&document_path, web::get().to(send_document))
        .route(&format!("{base_path}/api/docs"), web::get().to(to_docs))
        .service(page)
        .service(api)
        .default_service(web::to(front_end))
}

fn meeting_tables(services: &Services, settings: &HttpSettings) -> MeetingTables {
    MeetingTables {
        meetings: Arc::clone(&services.meetings),
        results: Arc::clone(&services.recorded_results),
        sheets: Arc::clone(&services.sheet_writer),
        keys: Arc::clone(&services.evidence_keys),
        clock: Arc::clone(&services.clock),
        settings: settings.clone(),
    }
}

async fn to_docs(settings: Data<HttpSettings>) -> HttpResponse {
    let location = format!("{}/api/docs/", settings.base_path);
    HttpResponse::PermanentRedirect().insert_header(("Location", location)).finish()
}
