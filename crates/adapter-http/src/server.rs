use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_server::ServerBuilder;
use actix_service::{
    IntoServiceFactory as _, Service, ServiceFactoryExt as _, apply_fn_factory, fn_service, map_config,
};
use actix_web::dev::{AppConfig, Server};
use actix_web::rt::net::TcpStream;
use actix_web::web::Data;

use crate::application::application;
use crate::config::HttpSettings;
use crate::connections::{
    AdmissionBatches, Connection, ConnectionAcceptor, Encrypted, Encryption, LINGER, MAX_CONCURRENT_REJECTIONS, Socket,
};
use crate::diagnostics::ServedAt;
use crate::redirect::{Redirect, listen_for_redirects};
use crate::services::Services;
use crate::shared_state::Shared;

/// The time that running requests have to finish when the server stops. Streams end before.
const SHUTDOWN_SECONDS: u64 = 10;
/// The time that a connection may wait for the next request.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// The addresses that the server listens on.
pub struct Listeners {
    /// Of the product.
    pub product: TcpListener,
    /// Encrypts the connections of the product. `None` serves plain http.
    pub encryption: Option<Arc<dyn Encryption>>,
    /// Leads callers over plain http to the encrypted address.
    pub redirect: Option<Redirect>,
}

impl Listeners {
    /// Plain http on this address.
    pub fn plain(product: TcpListener) -> Self {
        Self { product, encryption: None, redirect: None }
    }
}

/// Serves the product on these listeners until the returned server is stopped. It handles no signals, because the owner
/// of the process must stop streams and the database in order.
///
/// # Errors
/// A listener cannot be used.
pub fn serve(listeners: Listeners, services: Services, settings: HttpSettings) -> io::Result<Server> {
    let Listeners { product, encryption, redirect } = listeners;
    // The server calls itself in a test of its headers. Its certificate names another host than this machine's own address.
    let own = encryption.as_ref().map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).transpose()?;
    let served_at = ServedAt(own.as_ref().unwrap_or(&product).local_addr()?);
    let limits = settings.limits;
    let acceptor = Arc::new(ConnectionAcceptor::new(&limits, settings.trusted_proxies.clone()));
    // Each thread may hold all connections, because a full thread would accept a connection without a response.
    let mut builder = Server::build()
        .disable_signals()
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .max_concurrent_connections(limits.connections.saturating_add(MAX_CONCURRENT_REJECTIONS));
    let served =
        Served { shared: Shared::new(&settings), services, settings, acceptor: Arc::clone(&acceptor), served_at };
    if let Some(own) = own {
        builder = served.clone().listen(builder, own, None)?;
    }
    if let Some(redirect) = redirect {
        builder = listen_for_redirects(builder, redirect, acceptor)?;
    }
    Ok(served.listen(builder, product, encryption)?.run())
}

/// The product as it is served on each listener.
#[derive(Clone)]
struct Served {
    services: Services,
    settings: HttpSettings,
    shared: Shared,
    acceptor: Arc<ConnectionAcceptor>,
    served_at: ServedAt,
}

impl Served {
    /// Like actix's `HttpServer`, with the acceptor before each connection.
    fn listen(
        self,
        builder: ServerBuilder,
        listener: TcpListener,
        encryption: Option<Arc<dyn Encryption>>,
    ) -> io::Result<ServerBuilder> {
        let stopping = builder.graceful_shutdown_signal();
        builder.listen("plenum", listener, move || {
            let stopping = stopping.clone();
            let product = application(&self.services, &self.settings, &self.shared)
                .app_data(Data::new(self.served_at))
                .into_factory()
                .map_err(|error: actix_web::Error| error.error_response());
            let http = HttpService::build()
                .graceful_shutdown_signal(move || {
                    let stopping = stopping.clone();
                    async move { stopping.notified().await }
                })
                // Detects a disconnected screen at once, not at the next heartbeat.
                .h1_allow_half_closed(false)
                .client_request_timeout(self.settings.limits.timeouts.head)
                .client_disconnect_timeout(LINGER)
                .keep_alive(KEEP_ALIVE)
                .on_connect_ext(|connection: &Connection<Socket>, data| {
                    data.insert(connection.progress());
                    data.insert(connection.handover());
                    if connection.is_encrypted() {
                        data.insert(Encrypted);
                    }
                })
                .finish(map_config(product, |()| AppConfig::default()));
            // Called once for each thread.
            let (acceptor, batches, encryption) =
                (Arc::clone(&self.acceptor), AdmissionBatches::new(), encryption.clone());
            fn_service(move |stream: TcpStream| {
                let (acceptor, batches, encryption) = (Arc::clone(&acceptor), batches.clone(), encryption.clone());
                async move {
                    let peer = stream.peer_addr().ok();
                    let admitted = acceptor.admit(&batches, stream, encryption.as_deref()).await;
                    Ok((admitted.map_err(DispatchError::Io)?, Protocol::Http1, peer))
                }
            })
            .and_then(apply_fn_factory(http, serve_connection))
        })
    }
}

/// A connection as actix takes it.
type Accepted = (Connection<Socket>, Protocol, Option<SocketAddr>);

/// Lets actix respond to requests until the connection ends or is released for a stream, and then sends that.
fn serve_connection<H>(accepted: Accepted, http: &H) -> impl Future<Output = Result<(), H::Error>> + use<H>
where
    H: Service<Accepted, Response = (), Future: 'static>,
{
    let handover = accepted.0.handover();
    // On the heap, so that a stream does not keep its memory.
    let responding = Box::pin(http.call(accepted));
    async move {
        let ended = responding.await;
        match handover.take() {
            Some(released) => {
                released.relay().await;
                Ok(())
            }
            None => ended,
        }
    }
}
