use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::handshake;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use plenum_kernel::Secrets;
use plenum_records::{AuthorityFailure, IssuedTimestamp, TimestampAuthority};
use plenum_result_format::from_hexadecimal;
use plenum_timestamp_format::{Authorities, MAX_TOKEN_BYTES, TimestampRequest};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use crate::TimestampAddress;

/// The most bytes of a response: a token, and the status around it.
const MAX_RESPONSE_BYTES: usize = MAX_TOKEN_BYTES + 1024;
/// The media type of a response.
const REPLY: &str = "application/timestamp-reply";

/// The timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(20);

/// TLS to the service cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("TLS to the timestamp service does not start")]
pub struct TlsError(#[from] rustls::Error);

/// An RFC 3161 service over HTTP. It is called directly: neither redirects nor the proxy variables of other programs apply.
pub struct HttpTimestamps {
    address: TimestampAddress,
    /// `None` without encryption.
    tls: Option<TlsConnector>,
    /// Vouch for the service. `None` believes any.
    authorities: Option<Arc<Authorities>>,
    secrets: Arc<dyn Secrets>,
    timeout: Duration,
}

impl HttpTimestamps {
    /// The service at this address. With `authorities`, tokens of others are refused. `secrets` makes nonces.
    ///
    /// # Errors
    /// Fails when TLS does not start.
    pub fn new(
        address: TimestampAddress,
        authorities: Option<Arc<Authorities>>,
        secrets: Arc<dyn Secrets>,
    ) -> Result<Self, TlsError> {
        let tls = if address.is_encrypted() { Some(tls()?) } else { None };
        Ok(Self { address, tls, authorities, secrets, timeout: TIMEOUT })
    }

    /// The same service, which must answer within this time.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Sends a request, and returns the content of the response.
    async fn respond(&self, content: Vec<u8>) -> Result<Vec<u8>, AuthorityFailure> {
        let host = self.address.host();
        let stream = TcpStream::connect((host, self.address.port())).await.map_err(unreached)?;
        let Some(tls) = &self.tls else { return self.exchange(stream, content).await };
        let name = ServerName::try_from(host.to_owned()).map_err(unreached)?;
        let stream = tls.connect(name, stream).await.map_err(unreached)?;
        self.exchange(stream, content).await
    }

    async fn exchange(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        content: Vec<u8>,
    ) -> Result<Vec<u8>, AuthorityFailure> {
        let mut request = Request::post(self.address.path())
            .header(HOST, self.address.authority())
            .header(CONTENT_TYPE, TimestampRequest::MEDIA_TYPE)
            .header(ACCEPT, REPLY);
        if let Some(authorization) = self.address.authorization() {
            request = request.header(AUTHORIZATION, authorization);
        }
        let request = request.body(Full::new(Bytes::from(content))).map_err(unreached)?;
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(unreached)?;
        let answer = async {
            let response = sender.send_request(request).await.map_err(unreached)?;
            read_response(response).await
        };
        tokio::pin!(answer);
        tokio::select! {
            answer = &mut answer => answer,
            // The connection may end as soon as the response was received.
            _ = connection => answer.await,
        }
    }
}

/// TLS with the system's certificates.
fn tls() -> Result<TlsConnector, TlsError> {
    let mut roots = RootCertStore::empty();
    // Without any, every connection fails and says so.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
}

async fn read_response(response: Response<Incoming>) -> Result<Vec<u8>, AuthorityFailure> {
    let status = response.status();
    if status.is_redirection() {
        return Err(AuthorityFailure(format!("it redirects to another address, with status {}", status.as_u16())));
    }
    if !status.is_success() {
        return Err(AuthorityFailure(format!("it answers with status {}", status.as_u16())));
    }
    let mut body = response.into_body();
    let mut content = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(unreached)?.into_data() else { continue };
        if content.len() + data.len() > MAX_RESPONSE_BYTES {
            return Err(AuthorityFailure(format!("its answer is larger than {MAX_RESPONSE_BYTES} bytes")));
        }
        content.extend_from_slice(&data);
    }
    Ok(content)
}

fn unreached(cause: impl std::error::Error) -> AuthorityFailure {
    AuthorityFailure(format!("it cannot be reached: {cause}"))
}

#[async_trait]
impl TimestampAuthority for HttpTimestamps {
    async fn timestamp(&self, hash: &str) -> Result<IssuedTimestamp, AuthorityFailure> {
        let bytes = from_hexadecimal(hash).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let bytes = bytes.ok_or_else(|| AuthorityFailure("the hash to timestamp is no SHA-256".to_owned()))?;
        let request = TimestampRequest::new(bytes, nonce(&*self.secrets));
        let response = tokio::time::timeout(self.timeout, self.respond(request.content())).await;
        let response = response.map_err(|_| AuthorityFailure("it does not answer in time".to_owned()))??;
        let (token, read) = request.read(&response).map_err(|reason| AuthorityFailure(reason.to_string()))?;
        if self.authorities.as_ref().is_some_and(|authorities| !authorities.vouch_for(&read)) {
            return Err(AuthorityFailure(format!(
                "the token is of {:?}, for which no certificate of PLENUM_TIMESTAMP_CERTIFICATES vouches",
                read.authority
            )));
        }
        Ok(IssuedTimestamp { token, authority: read.authority, at: read.at })
    }
}

fn nonce(secrets: &dyn Secrets) -> [u8; 8] {
    let random = URL_SAFE_NO_PAD.decode(secrets.token()).unwrap_or_default();
    random.first_chunk().copied().unwrap_or_default()
}
