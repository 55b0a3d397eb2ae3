use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_service::{IntoServiceFactory as _, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::dev::{AppConfig, Server};
use actix_web::rt::net::TcpStream;
use actix_web::web::Data;

use crate::application::application;
use crate::config::HttpSettings;
use crate::connections::{AdmissionBatches, Connection, ConnectionAcceptor, MAX_CONCURRENT_REJECTIONS};
use crate::diagnostics::ServedAt;
use crate::services::Services;
use crate::shared_state::Shared;

/// The time that running requests have to finish when the server stops. Streams end before.
const SHUTDOWN_SECONDS: u64 = 10;
/// The time that a connection may wait for the next request.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// The time that the server reads from a closing connection. Otherwise the client may lose the last response.
const LINGER: Duration = Duration::from_secs(1);

/// Serves the product on this listener until the returned server is stopped. It handles no signals, because the owner
/// of the process must stop streams and the database in order.
///
/// # Errors
/// The listener cannot be used.
pub fn serve(listener: TcpListener, services: Services, settings: HttpSettings) -> io::Result<Server> {
    let served_at = ServedAt(listener.local_addr()?);
    let shared = Shared::new(&settings);
    let limits = settings.limits;
    let acceptor = Arc::new(ConnectionAcceptor::new(&limits, settings.trusted_proxies.clone()));
    // Each thread may hold all connections, because a full thread would accept a connection without a response.
    let builder = Server::build()
        .disable_signals()
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .max_concurrent_connections(limits.connections.saturating_add(MAX_CONCURRENT_REJECTIONS));
    let stopping = builder.graceful_shutdown_signal();
    // Like `HttpServer`, with the acceptor before each connection.
    let server = builder.listen("plenum", listener, move || {
        let stopping = stopping.clone();
        let product = application(&services, &settings, &shared)
            .app_data(Data::new(served_at))
            .into_factory()
            .map_err(|error: actix_web::Error| error.error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            // Detects a disconnected screen at once, not at the next heartbeat.
            .h1_allow_half_closed(false)
            .client_request_timeout(limits.timeouts.head)
            .client_disconnect_timeout(LINGER)
            .keep_alive(KEEP_ALIVE)
            .on_connect_ext(|connection: &Connection<TcpStream>, data| {
                data.insert(connection.progress());
            })
            .finish(map_config(product, |()| AppConfig::default()));
        // Called once for each thread.
        let (acceptor, batches) = (Arc::clone(&acceptor), AdmissionBatches::new());
        fn_service(move |stream: TcpStream| {
            let (acceptor, batches) = (Arc::clone(&acceptor), batches.clone());
            async move {
                let peer = stream.peer_addr().ok();
                let connection = acceptor.admit(&batches, stream).await.map_err(DispatchError::Io)?;
                Ok((connection, Protocol::Http1, peer))
            }
        })
        .and_then(http)
    })?;
    Ok(server.run())
}
