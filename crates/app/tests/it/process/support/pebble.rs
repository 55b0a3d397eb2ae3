use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use serde_json::json;
use tempfile::TempDir;

use super::https::Https;
use super::{folder, until};

/// Pebble, the ACME authority for tests of Let's Encrypt, until it is dropped. It checks domains at `port`.
pub(crate) struct Pebble {
    process: Child,
    folder: TempDir,
    directory_port: u16,
    management_port: u16,
}

impl Pebble {
    /// The program: named by `PEBBLE`, or Debian's. `None` if it is missing and cannot be installed: then the test reports that it is
    /// skipped.
    pub(crate) fn program() -> Option<PathBuf> {
        let named = std::env::var_os("PEBBLE").filter(|name| !name.is_empty()).map(PathBuf::from);
        named.into_iter().chain([PathBuf::from("/usr/bin/pebble")]).find(|program| program.is_file())
    }

    /// Starts it. Its certificates are valid for so many seconds.
    pub(crate) async fn start(program: &Path, port: u16, seconds: u32) -> Self {
        let folder = folder();
        let (directory_port, management_port) = (free_port(), free_port());
        write_certificate(folder.path());
        let configuration = json!({ "pebble": {
            "listenAddress": format!("127.0.0.1:{directory_port}"),
            "managementListenAddress": format!("127.0.0.1:{management_port}"),
            "certificate": "server.pem",
            "privateKey": "key.pem",
            "httpPort": 1,
            "tlsPort": port,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
            "certificateValidityPeriod": seconds,
        }});
        fs::write(folder.path().join("configuration.json"), configuration.to_string()).unwrap();
        let mut command = Command::new(program);
        command.args(["-config", "configuration.json"]).current_dir(folder.path());
        // By default it waits before each check, and refuses some valid requests.
        command.env("PEBBLE_VA_NOSLEEP", "1").env("PEBBLE_WFE_NONCEREJECT", "0");
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pebble = Self { process, folder, directory_port, management_port };
        until("pebble listens", || std::net::TcpStream::connect(("127.0.0.1", directory_port)).is_ok()).await;
        pebble
    }

    /// The address of the directory.
    pub(crate) fn directory(&self) -> String {
        format!("https://localhost:{}/dir", self.directory_port)
    }

    /// The file with the certificate that vouches for the authority's own address.
    pub(crate) fn vouching(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// The certificate that vouches for what it issues, as PEM.
    pub(crate) async fn root(&self) -> String {
        let vouching = fs::read_to_string(self.vouching()).unwrap();
        Https::trusting(&vouching, self.management_port).get("/roots/0").await.unwrap().body
    }
}

impl Pebble {
    /// Ends it. Its files stay.
    pub(crate) fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A certificate for `localhost`, and the one above it.
pub(crate) struct Certificate {
    pub(crate) pem: String,
    pub(crate) key: String,
    pub(crate) authority: String,
}

pub(crate) fn certificate() -> Certificate {
    let mut above = CertificateParams::default();
    above.distinguished_name.push(DnType::CommonName, "Authority of a test");
    above.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let above_key = KeyPair::generate().unwrap();
    let authority = above.self_signed(&above_key).unwrap().pem();
    let issuer = Issuer::new(above, above_key);
    let key = KeyPair::generate().unwrap();
    let pem = CertificateParams::new(["localhost".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap().pem();
    Certificate { pem, key: key.serialize_pem(), authority }
}

fn write_certificate(folder: &Path) {
    let Certificate { pem, key, authority } = certificate();
    for (name, content) in [("server.pem", pem), ("key.pem", key), ("authority.pem", authority)] {
        fs::write(folder.join(name), content).unwrap();
    }
}
