use std::io;
use std::sync::Arc;

use rustls_acme::acme::ACME_TLS_ALPN_NAME;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs::{Ticketer, default_provider};
use tokio_rustls::rustls::server::ResolvesServerCert;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

/// The name of HTTP/1.1 in a handshake.
const HTTP: &[u8] = b"http/1.1";

/// Encrypts connections that the server accepts.
#[derive(Clone)]
pub struct ServerTls {
    acceptor: TlsAcceptor,
}

impl ServerTls {
    /// TLS 1.2 and 1.3 with the certificates of `resolver`. Devices that return resume their session without a new signature,
    /// because a whole hall returns at once.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn new(resolver: Arc<dyn ResolvesServerCert>) -> Result<Self, rustls::Error> {
        let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
        let mut config =
            builder.with_safe_default_protocol_versions()?.with_no_client_auth().with_cert_resolver(resolver);
        config.alpn_protocols = vec![HTTP.to_vec(), ACME_TLS_ALPN_NAME.to_vec()];
        config.ticketer = Ticketer::new()?;
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)) })
    }

    /// Encrypts this connection. The caller limits the time.
    ///
    /// # Errors
    /// The handshake fails, or the connection was an authority's check of the domain, which ends with the handshake.
    pub async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        // Otherwise the first response would wait for the acknowledgement of the handshake's end.
        stream.set_nodelay(true)?;
        let mut stream = self.acceptor.accept(stream).await?;
        if stream.get_ref().1.alpn_protocol() == Some(ACME_TLS_ALPN_NAME) {
            stream.shutdown().await?;
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "the connection only checked the domain"));
        }
        Ok(stream)
    }
}
