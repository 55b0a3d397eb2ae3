use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use plenum_adapter_tls::{CertificateError, CertificateFiles, FileCertificates};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

const NAME: &str = "vote.example.org";

/// A certificate and its key, as PEM.
struct Pair {
    certificate: String,
    key: String,
}

fn pair() -> Pair {
    pair_until(2096)
}

/// A pair whose certificate ends on 3 February of this year.
fn pair_until(year: i32) -> Pair {
    let key = KeyPair::generate().unwrap();
    let mut parameters = CertificateParams::new([NAME.to_owned()]).unwrap();
    parameters.not_after = date_time_ymd(year, 2, 3);
    let certificate = parameters.self_signed(&key).unwrap().pem();
    Pair { certificate, key: key.serialize_pem() }
}

fn files_in(folder: &TempDir) -> CertificateFiles {
    CertificateFiles { certificate: folder.path().join("certificate.pem"), key: folder.path().join("key.pem") }
}

fn write(files: &CertificateFiles, pair: &Pair) {
    fs::write(&files.certificate, &pair.certificate).unwrap();
    fs::write(&files.key, &pair.key).unwrap();
}

fn trusting(pair: &Pair) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(pair.certificate.as_bytes()).unwrap()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    TlsConnector::from(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
}

/// Connects to a server with these certificates, and returns what it says.
async fn greeting(certificates: &FileCertificates, client: &TlsConnector) -> io::Result<String> {
    let tls = certificates.tls().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = async {
        let (stream, _) = listener.accept().await?;
        let mut stream = tls.accept(stream).await?;
        stream.write_all(b"hello").await?;
        stream.shutdown().await
    };
    let calling = async {
        let stream = TcpStream::connect(address).await?;
        let mut stream = client.connect(ServerName::try_from(NAME).unwrap(), stream).await?;
        let mut said = String::new();
        stream.read_to_string(&mut said).await?;
        Ok(said)
    };
    let (_, said) = tokio::join!(serving, calling);
    said
}

#[tokio::test]
async fn a_replaced_certificate_serves_new_connections() {
    let folder = tempfile::tempdir().unwrap();
    let files = files_in(&folder);
    let (first, second) = (pair(), pair_until(2097));
    write(&files, &first);
    let certificates = FileCertificates::load(files.clone()).unwrap();
    let validity = certificates.validity();
    assert_eq!(validity.get().unwrap().ends_at.date_naive().to_string(), "2096-02-03");
    assert!(!certificates.reload().unwrap(), "nothing has changed");
    assert_eq!(greeting(&certificates, &trusting(&first)).await.unwrap(), "hello");

    write(&files, &second);
    assert!(certificates.reload().unwrap());
    assert_eq!(validity.get().unwrap().ends_at.date_naive().to_string(), "2097-02-03");
    assert_eq!(greeting(&certificates, &trusting(&second)).await.unwrap(), "hello");
    assert!(greeting(&certificates, &trusting(&first)).await.is_err(), "the former certificate is still served");
}

#[tokio::test]
async fn a_half_written_pair_leaves_the_former_certificate_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let files = files_in(&folder);
    let (first, second) = (pair(), pair());
    write(&files, &first);
    let certificates = FileCertificates::load(files.clone()).unwrap();
    for half in ["", "-----BEGIN CERTIFICATE-----\nMIIB", &second.certificate] {
        fs::write(&files.certificate, half).unwrap();
        assert!(certificates.reload().is_err(), "{half:?}");
        assert_eq!(greeting(&certificates, &trusting(&first)).await.unwrap(), "hello");
    }
    fs::remove_file(&files.certificate).unwrap();
    assert!(matches!(certificates.reload(), Err(CertificateError::Inaccessible { .. })));
    write(&files, &second);
    assert!(certificates.reload().unwrap(), "the whole pair is used");
    assert_eq!(greeting(&certificates, &trusting(&second)).await.unwrap(), "hello");
}

#[test]
fn unusable_files_are_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let files = files_in(&folder);
    let named = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    let (certificate, key) = (named(&files.certificate), named(&files.key));
    let own = pair();
    let error = |certificate: &str, key: &str| {
        fs::write(&files.certificate, certificate).unwrap();
        fs::write(&files.key, key).unwrap();
        FileCertificates::load(files.clone()).err().unwrap().to_string()
    };
    let text = error("nothing", &own.key);
    assert!(text.contains(&certificate) && text.contains("no certificate in PEM form"), "{text}");
    let text = error(&own.certificate, &own.certificate);
    assert!(text.contains(&key) && text.contains("no private key"), "{text}");
    let text = error(&own.certificate, &pair().key);
    assert!(text.contains(&key) && text.contains("not the one of the first certificate"), "{text}");
    let text = error("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", &own.key);
    assert!(text.contains(&certificate) && text.contains("cannot be used"), "{text}");
    fs::remove_file(&files.key).unwrap();
    let text = FileCertificates::load(files).err().unwrap().to_string();
    assert!(text.contains("cannot read") && text.contains(&key), "{text}");
}
