use std::io;
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::TIME_LIMIT;

/// A client that trusts one authority, and calls `localhost` over https.
pub(crate) struct Https {
    connector: TlsConnector,
    port: u16,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Https {
    pub(crate) fn trusting(authority: &str, port: u16) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(authority.as_bytes()).unwrap()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let config = builder.with_root_certificates(roots).with_no_client_auth();
        Self { connector: TlsConnector::from(Arc::new(config)), port }
    }

    /// Connects. Fails if the certificate is not the authority's.
    pub(crate) async fn connect(&self) -> io::Result<TlsStream<TcpStream>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        self.connector.connect(ServerName::try_from("localhost").unwrap(), stream).await
    }

    /// The bytes of the server's current certificate.
    pub(crate) async fn certificate(&self) -> io::Result<Vec<u8>> {
        let stream = self.connect().await?;
        Ok(stream.get_ref().1.peer_certificates().unwrap()[0].to_vec())
    }

    pub(crate) async fn get(&self, path: &str) -> io::Result<Response> {
        self.send(("GET", path), "", &Value::Null).await
    }

    pub(crate) async fn send(&self, call: (&str, &str), token: &str, body: &Value) -> io::Result<Response> {
        let mut stream = self.connect().await?;
        stream.write_all(self.request(call, token, body).as_bytes()).await?;
        let mut text = Vec::new();
        stream.read_to_end(&mut text).await?;
        let text = String::from_utf8(text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok(Response { status, head: head.to_lowercase(), body: body.to_owned() })
    }

    /// Opens a stream of events.
    pub(crate) async fn stream(&self, path: &str, token: &str) -> Events {
        let mut stream = self.connect().await.unwrap();
        stream.write_all(self.request(("GET", path), token, &Value::Null).as_bytes()).await.unwrap();
        Events(stream)
    }

    fn request(&self, (method, path): (&str, &str), token: &str, body: &Value) -> String {
        let port = self.port;
        let authorization = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
        let (kind, body) = match body {
            Value::Null => ("", String::new()),
            body => ("content-type: application/json\r\n", body.to_string()),
        };
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n{authorization}{kind}\
             content-length: {length}\r\n\r\n{body}"
        )
    }
}

/// An open stream of events.
pub(crate) struct Events(TlsStream<TcpStream>);

impl Events {
    /// Reads until these words arrive.
    pub(crate) async fn wait_for(&mut self, words: &str) {
        let (mut seen, deadline) = (String::new(), Instant::now() + TIME_LIMIT);
        while !seen.contains(words) {
            let mut bytes = [0; 1024];
            let reading = timeout_at(deadline, self.0.read(&mut bytes)).await;
            let read = reading.unwrap_or_else(|_| panic!("no {words} in {seen}")).unwrap();
            assert!(read > 0, "the stream ended without {words}: {seen}");
            seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    }
}
