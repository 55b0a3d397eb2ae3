use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use plenum_kernel::Secrets;
use plenum_records::{AuthorityFailure, IssuedTimestamp, TimestampAuthority};
use plenum_result_format::from_hexadecimal;
use plenum_timestamp_format::{Authorities, MAX_TOKEN_BYTES, TimestampRequest};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use rustls::{ClientConfig, RootCertStore};

use crate::TimestampAddress;

/// The most bytes of a response: a token, and the status around it.
const MAX_RESPONSE_BYTES: usize = MAX_TOKEN_BYTES + 1024;
/// The media type of a response.
const REPLY: &str = "application/timestamp-reply";

/// How long a request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until the connection is there.
    pub connect: Duration,
    /// The whole request.
    pub request: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), request: Duration::from_secs(20) }
    }
}

/// The client of the service cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The HTTP client does not start.
    #[error("the HTTP client for the timestamp service does not start")]
    Client(#[from] reqwest::Error),
    /// The TLS library does not start.
    #[error("TLS to the timestamp service does not start")]
    Tls(#[from] rustls::Error),
}

/// An RFC 3161 service over HTTP. It is called directly: neither redirects nor the proxy variables of other programs apply.
pub struct HttpTimestamps {
    client: Client,
    address: TimestampAddress,
    /// Vouch for the service. `None` believes any.
    authorities: Option<Arc<Authorities>>,
    secrets: Arc<dyn Secrets>,
}

impl HttpTimestamps {
    /// The service at this address. With `authorities`, tokens of others are refused. `secrets` makes nonces.
    ///
    /// # Errors
    /// Fails when the HTTP client or TLS does not start.
    pub fn new(
        address: TimestampAddress,
        authorities: Option<Arc<Authorities>>,
        secrets: Arc<dyn Secrets>,
        limits: Limits,
    ) -> Result<Self, ServiceError> {
        let mut client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .connect_timeout(limits.connect)
            .timeout(limits.request);
        if address.is_encrypted() {
            client = client.use_preconfigured_tls(tls()?);
        }
        Ok(Self { client: client.build()?, address, authorities, secrets })
    }

    async fn respond(&self, request: Vec<u8>) -> Result<Vec<u8>, AuthorityFailure> {
        let sent = self.client.post(self.address.url()).header(CONTENT_TYPE, TimestampRequest::MEDIA_TYPE);
        let mut response = sent.header(ACCEPT, REPLY).body(request).send().await.map_err(|error| unreached(&error))?;
        let status = response.status();
        if status.is_redirection() {
            return Err(AuthorityFailure(format!("it redirects to another address, with status {}", status.as_u16())));
        }
        if !status.is_success() {
            return Err(AuthorityFailure(format!("it answers with status {}", status.as_u16())));
        }
        content(&mut response).await
    }
}

/// TLS with the system's certificates.
fn tls() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    // Without any, every connection fails and says so.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

async fn content(response: &mut Response) -> Result<Vec<u8>, AuthorityFailure> {
    let mut content = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreached(&error))? {
        if content.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(AuthorityFailure(format!("its answer is larger than {MAX_RESPONSE_BYTES} bytes")));
        }
        content.extend_from_slice(&chunk);
    }
    Ok(content)
}

/// The reason at the end of an error's chain. Those before it repeat the address, which may contain a password.
fn unreached(error: &reqwest::Error) -> AuthorityFailure {
    if error.is_timeout() {
        return AuthorityFailure("it does not answer in time".to_owned());
    }
    let mut cause = error.source();
    while let Some(inner) = cause.and_then(|cause| cause.source()) {
        cause = Some(inner);
    }
    AuthorityFailure(match cause {
        Some(cause) => format!("it cannot be reached: {cause}"),
        None => "it cannot be reached".to_owned(),
    })
}

#[async_trait]
impl TimestampAuthority for HttpTimestamps {
    async fn timestamp(&self, hash: &str) -> Result<IssuedTimestamp, AuthorityFailure> {
        let bytes = from_hexadecimal(hash).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let bytes = bytes.ok_or_else(|| AuthorityFailure("the hash to timestamp is no SHA-256".to_owned()))?;
        let request = TimestampRequest::new(bytes, nonce(&*self.secrets));
        let response = self.respond(request.content()).await?;
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
