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

use crate::config::TrustedProxies;
use crate::connections::{
    AdmissionBatches, Connection, ConnectionLimits, ConnectionQuota, ConnectionTimeouts, Encryption, Socket,
};
use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::network_of;
use crate::middleware::static_data_headers;

/// The number of connections that can receive a rejection at the same time. Further connections are closed at once.
/// Each rejection holds an open file.
pub(crate) const MAX_CONCURRENT_REJECTIONS: usize = 128;
/// The time to wait for the first request before the server sends a rejection.
const REJECTION_TIMEOUT: Duration = Duration::from_millis(500);

/// Accepts connections within the limits.
pub(crate) struct ConnectionAcceptor {
    quota: Arc<ConnectionQuota<IpAddr>>,
    proxies: TrustedProxies,
    timeouts: ConnectionTimeouts,
    rejections: Semaphore,
    rejection_response: String,
}

impl ConnectionAcceptor {
    /// An acceptor for these limits. Connections of trusted proxies carry many callers, so only the total limit applies
    /// to them.
    pub(crate) fn new(limits: &ConnectionLimits, proxies: TrustedProxies) -> Self {
        Self {
            quota: ConnectionQuota::new(limits.connections, limits.connections_per_address),
            proxies,
            timeouts: limits.timeouts,
            rejections: Semaphore::new(MAX_CONCURRENT_REJECTIONS),
            rejection_response: rejection_response(),
        }
    }

    /// Admits a connection at its turn on this thread, if the quota allows it, and encrypts it if the server does that. A
    /// handshake has the time of a request head.
    ///
    /// # Errors
    /// The quota is exceeded. A client that sends a request in time gets a response that says so. Or the handshake failed.
    pub(crate) async fn admit(
        &self,
        batches: &AdmissionBatches,
        stream: TcpStream,
        encryption: Option<&dyn Encryption>,
    ) -> io::Result<Connection<Socket>> {
        batches.next().await;
        let address = stream.peer_addr()?.ip().to_canonical();
        let caller = (!self.proxies.contain(address)).then(|| network_of(address));
        match self.quota.take(caller) {
            Ok(permit) => {
                let socket = timeout(self.timeouts.head, socket_of(stream, encryption)).await??;
                Ok(Connection::new(socket, self.timeouts, Some(permit)))
            }
            Err(_) => {
                // On the heap, so that admitted connections do not keep room for its buffer.
                Box::pin(self.reject(stream, encryption)).await;
                Err(io::ErrorKind::ConnectionRefused.into())
            }
        }
    }

    async fn reject(&self, stream: TcpStream, encryption: Option<&dyn Encryption>) {
        let Ok(_permit) = self.rejections.try_acquire() else { return };
        let rejection = async {
            let mut stream = socket_of(stream, encryption).await?;
            // A client that gets a response before it has sent its request may report an error instead.
            let _request = stream.read(&mut [0; 16 * 1024]).await?;
            stream.write_all(self.rejection_response.as_bytes()).await?;
            stream.shutdown().await
        };
        // A failure to deliver the rejection is ignored.
        let _ = timeout(REJECTION_TIMEOUT, rejection).await;
    }
}

async fn socket_of(stream: TcpStream, encryption: Option<&dyn Encryption>) -> io::Result<Socket> {
    match encryption {
        None => Ok(Socket::Plain(stream)),
        Some(encryption) => encryption.encrypt(stream).await.map(Socket::Encrypted),
    }
}

/// The response to a connection beyond the quota. It is sent without reading the request, so it has no request id.
fn rejection_response() -> String {
    let text = "Too many connections are open. Please try again in a moment.";
    let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::TEMPORARILY_UNAVAILABLE, text);
    let body = json!(error.body()).to_string();
    let headers: String = static_data_headers().flat_map(|(name, value)| [name, ": ", value, "\r\n"]).collect();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         retry-after: 2\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use actix_web::rt::spawn;
    use async_trait::async_trait;
    use tokio::net::TcpListener;
    use tokio::task::yield_now;

    use super::*;
    use crate::connections::EncryptedStream;

    /// Never finishes a handshake.
    struct Silent;

    #[async_trait]
    impl Encryption for Silent {
        async fn encrypt(&self, _: TcpStream) -> io::Result<EncryptedStream> {
            std::future::pending().await
        }
    }

    #[actix_web::test]
    async fn a_handshake_has_the_time_of_a_request_head_and_counts_towards_the_quota() {
        let head = Duration::from_millis(50);
        let timeouts = ConnectionTimeouts { head, ..ConnectionTimeouts::default() };
        let limits = ConnectionLimits { connections: 1, timeouts, ..ConnectionLimits::default() };
        let acceptor = ConnectionAcceptor::new(&limits, TrustedProxies::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (batches, address) = (AdmissionBatches::new(), listener.local_addr().unwrap());
        for _ in 0..2 {
            let (theirs, ours) = tokio::join!(TcpStream::connect(address), listener.accept());
            let admitted = acceptor.admit(&batches, ours.unwrap().0, Some(&Silent)).await;
            // The second one finds the quota free again.
            assert_eq!(admitted.err().map(|error| error.kind()), Some(io::ErrorKind::TimedOut));
            drop(theirs);
        }
    }

    /// A connection keeps the room of its admission until its end, also while it is silent.
    #[actix_web::test]
    async fn an_admission_needs_little_memory() {
        let acceptor = ConnectionAcceptor::new(&ConnectionLimits::default(), TrustedProxies::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let connecting = TcpStream::connect(listener.local_addr().unwrap());
        let (_theirs, ours) = tokio::join!(connecting, listener.accept());
        let batches = AdmissionBatches::new();
        let size = size_of_val(&acceptor.admit(&batches, ours.unwrap().0, None));
        assert!(size < 1_024, "{size} bytes");
    }

    #[actix_web::test]
    async fn simultaneous_connections_are_admitted_in_batches() {
        const ARRIVING: usize = 100;
        let acceptor = Rc::new(ConnectionAcceptor::new(&ConnectionLimits::default(), TrustedProxies::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut streams = Vec::new();
        for _ in 0..ARRIVING {
            let connecting = TcpStream::connect(listener.local_addr().unwrap());
            let (theirs, ours) = tokio::join!(connecting, listener.accept());
            streams.push((theirs.unwrap(), ours.unwrap().0));
        }
        let (batches, admitted) = (AdmissionBatches::new(), Rc::new(Cell::new(0)));
        let arriving: Vec<_> = streams
            .into_iter()
            .map(|(theirs, ours)| {
                let (acceptor, batches, admitted) = (Rc::clone(&acceptor), batches.clone(), Rc::clone(&admitted));
                spawn(async move {
                    let connection = acceptor.admit(&batches, ours, None).await;
                    admitted.set(admitted.get() + 1);
                    (connection.is_ok(), theirs)
                })
            })
            .collect();
        // Simulates another request, which would wait for all of them.
        yield_now().await;
        assert!(admitted.get() <= 2 * AdmissionBatches::BATCH_SIZE, "{} were admitted at once", admitted.get());
        for one in arriving {
            assert!(one.await.unwrap().0);
        }
    }
}
