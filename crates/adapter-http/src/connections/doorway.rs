use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::rt::net::TcpStream;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::connections::{Connection, ConnectionLimits, Patience, Places};
use crate::rim::{ApiError, ErrorCode, TrustedProxies, network_of};

/// To so many at a time it is said that there is no room; others find the door shut. Each has an open file meanwhile.
pub(crate) const FAREWELLS: usize = 128;
/// For so long it is waited for the question before it is answered that there is no room.
const FAREWELL: Duration = Duration::from_millis(500);

/// Where connections come in.
pub(crate) struct Doorway {
    places: Arc<Places<IpAddr>>,
    proxies: TrustedProxies,
    patience: Patience,
    farewells: Semaphore,
    no_room: String,
}

impl Doorway {
    /// With room for as many as the limits say. Connections of trusted proxies are those of many, and only counted.
    pub(crate) fn new(limits: &ConnectionLimits, proxies: TrustedProxies) -> Self {
        Self {
            places: Places::new(limits.connections, limits.connections_per_address),
            proxies,
            patience: limits.patience,
            farewells: Semaphore::new(FAREWELLS),
            no_room: no_room(),
        }
    }

    /// Lets a connection in, if there is a place.
    ///
    /// # Errors
    /// Fails when there is none; whoever came was told so, if they asked soon.
    pub(crate) async fn admit(&self, stream: TcpStream) -> io::Result<Connection<TcpStream>> {
        let address = stream.peer_addr()?.ip().to_canonical();
        let who = (!self.proxies.contain(address)).then(|| network_of(address));
        match self.places.take(who) {
            Ok(place) => Ok(Connection::new(stream, self.patience, Some(place))),
            Err(_) => {
                self.turn_away(stream).await;
                Err(io::ErrorKind::ConnectionRefused.into())
            }
        }
    }

    async fn turn_away(&self, mut stream: TcpStream) {
        let Ok(_turn) = self.farewells.try_acquire() else { return };
        let farewell = async {
            // Who is answered before they have asked, and asks then, may see an error in place of the answer.
            let _asked = stream.read(&mut [0; 16 * 1024]).await?;
            stream.write_all(self.no_room.as_bytes()).await?;
            stream.shutdown().await
        };
        // Whether they heard it is their business.
        let _ = timeout(FAREWELL, farewell).await;
    }
}

/// The answer to whoever finds no place.
fn no_room() -> String {
    let text = "Too many are connected. Please try again in a moment.";
    let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::TEMPORARILY_UNAVAILABLE, text);
    let body = json!(error.body()).to_string();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         retry-after: 2\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}
