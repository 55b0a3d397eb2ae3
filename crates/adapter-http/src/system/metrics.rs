use std::fmt;

use actix_web::error::ErrorInternalServerError;
use actix_web::http::header::{AUTHORIZATION, CACHE_CONTROL};
use actix_web::web::{Data, ServiceConfig, block, get};
use actix_web::{HttpRequest, HttpResponse};

use crate::config::HttpSettings;
use crate::error::no_such_path;

/// The media type of OpenMetrics, which Prometheus reads.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Writes the metrics of the product.
pub trait MetricsPage: Send + Sync {
    /// The metrics in the text format of OpenMetrics. May block.
    ///
    /// # Errors
    /// Fails when a metric cannot be encoded.
    fn write(&self) -> Result<String, fmt::Error>;
}

/// The routes at the root, which Prometheus uses by default, and below the base path.
pub(crate) fn metrics_routes(config: &mut ServiceConfig, base_path: &str) {
    config.route("/metrics", get().to(send_metrics));
    if !base_path.is_empty() {
        config.route(&format!("{base_path}/metrics"), get().to(send_metrics));
    }
}

/// Sends the metrics. Without the token the response is the 404 of an unknown address.
async fn send_metrics(
    request: HttpRequest,
    settings: Data<HttpSettings>,
    page: Data<dyn MetricsPage>,
) -> Result<HttpResponse, actix_web::Error> {
    let shown = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    let shown = shown.and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default();
    if !settings.metrics_token.as_ref().is_some_and(|token| token.is(shown)) {
        return Ok(no_such_path().await);
    }
    let page = page.into_inner();
    let text = block(move || page.write()).await?.map_err(ErrorInternalServerError)?;
    Ok(HttpResponse::Ok().content_type(OPENMETRICS).insert_header((CACHE_CONTROL, "no-store")).body(text))
}
