use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::Server;
use actix_web::web::Data;

use crate::openapi::WrittenDocument;
use crate::routes::application;
use crate::settings::{HttpSettings, Services};
use crate::test_calls::ServedAt;

/// How long running requests may take to finish when the server stops. Streams are ended before.
const SHUTDOWN_SECONDS: u64 = 10;

/// Serves the product on this listener until the returned server is stopped. It handles no signals: whoever owns the
/// process does, because streams and the database have to be ended in order.
///
/// # Errors
/// Fails when the listener cannot be used.
pub fn serve(listener: TcpListener, services: Services, settings: HttpSettings) -> io::Result<Server> {
    let served_at = ServedAt(listener.local_addr()?);
    let document = Data::new(WrittenDocument::default());
    let server = HttpServer::new(move || application(&services, &settings, &document).app_data(Data::new(served_at)))
        .disable_signals()
        // A screen that is gone is noticed at once, not when a heartbeat cannot be written.
        .h1_allow_half_closed(false)
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .client_request_timeout(Duration::from_secs(10))
        .keep_alive(Duration::from_secs(75))
        .listen(listener)?
        .run();
    Ok(server)
}
