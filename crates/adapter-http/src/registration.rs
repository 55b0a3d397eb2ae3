use actix_web::dev::HttpServiceFactory;
use actix_web::web;
use utoipa_actix_web::OpenApiFactory;
use utoipa_actix_web::service_config::ServiceConfig;

/// Where the modules register their operations: at a server, or in the OpenAPI document. Each worker of a server registers all of
/// them, and describing them takes most of that time.
pub(crate) enum Routes<'a, 'b> {
    Served(&'a mut web::ServiceConfig),
    Described(&'a mut ServiceConfig<'b>),
}

impl Routes<'_, '_> {
    /// Adds an operation, or a scope with several.
    pub(crate) fn service(&mut self, operation: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        match self {
            Self::Served(config) => {
                config.service(operation);
            }
            Self::Described(config) => {
                config.service(operation);
            }
        }
        self
    }
}
