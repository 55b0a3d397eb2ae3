//! How the server encrypts its connections: by the certificate of an authority, by one of files, or not at all.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use plenum_adapter_tls::{CertificateFiles, LETS_ENCRYPT};
use plenum_kernel::EmailAddress;
use url::Url;

use super::{Config, ConfigError, Reader};

const DOMAIN: &str = "PLENUM_DOMAIN";
const CERTIFICATE: &str = "PLENUM_TLS_CERTIFICATE";
const KEY: &str = "PLENUM_TLS_KEY";
const REDIRECT: &str = "PLENUM_REDIRECT_LISTEN";
/// Variables without effect unless there is a domain.
const OF_DOMAIN: [&str; 3] = ["PLENUM_ACME_URL", "PLENUM_ACME_CERTIFICATES", "PLENUM_ACME_CONTACT"];

const DOMAIN_WANTED: &str =
    "must be the name of this server on the internet, for example vote.example.org, without scheme, port or *";
const ALONE_WANTED: &str =
    "must not be set together with PLENUM_TLS_CERTIFICATE: the certificate comes from files or from an authority";
const ONE_INSTANCE_WANTED: &str = "must not be set together with PLENUM_NATS_URL: with several instances, the proxy in front of them holds the \
                                   certificate";
const ACME_URL_WANTED: &str =
    "must be the https address of an ACME directory, for example https://acme.example.org/directory";
const REDIRECT_WANTED: &str = "must be an address and a port, for example 0.0.0.0:80, or off";
const TLS_WANTED: &str = "has an effect only together with PLENUM_DOMAIN or PLENUM_TLS_CERTIFICATE";

/// The ports of https and http.
const HTTPS: u16 = 443;
const HTTP: u16 = 80;

/// Where the certificate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TlsConfig {
    /// From an authority that speaks ACME.
    Authority(AuthorityConfig),
    /// From two files: `PLENUM_TLS_CERTIFICATE` and `PLENUM_TLS_KEY`.
    Files(CertificateFiles),
}

/// The certificate of an authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorityConfig {
    /// `PLENUM_DOMAIN`: the name that leads to this server.
    pub domain: String,
    /// `PLENUM_ACME_URL`: the authority. Default: Let's Encrypt.
    pub directory: String,
    /// `PLENUM_ACME_CERTIFICATES`: a PEM file with the certificates that vouch for the authority. Default: the system's.
    pub vouching: Option<PathBuf>,
    /// `PLENUM_ACME_CONTACT`: the email address to which the authority writes.
    pub contact: Option<EmailAddress>,
}

/// The listener that leads from plain http to the encrypted address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RedirectListen {
    /// There is none.
    #[default]
    Off,
    /// On port 80, as long as nothing else listens there.
    IfFree(SocketAddr),
    /// On this address, by `PLENUM_REDIRECT_LISTEN`.
    On(SocketAddr),
}

impl Reader {
    /// Where the certificate comes from, if the server encrypts its connections.
    pub(super) fn tls(&mut self) -> Option<TlsConfig> {
        let files = self.certificate_files();
        let authority = self.authority();
        if authority.is_some() && self.has(CERTIFICATE) {
            self.errors.push(ConfigError::new(DOMAIN, ALONE_WANTED));
        }
        authority.map(TlsConfig::Authority).or(files.map(TlsConfig::Files))
    }

    fn certificate_files(&mut self) -> Option<CertificateFiles> {
        match (self.text(CERTIFICATE), self.text(KEY)) {
            (None, None) => None,
            (Some(certificate), Some(key)) => {
                Some(CertificateFiles { certificate: certificate.into(), key: key.into() })
            }
            (Some(_), None) => {
                self.errors.push(ConfigError::new(KEY, "must be set together with PLENUM_TLS_CERTIFICATE"));
                None
            }
            (None, Some(_)) => {
                self.errors.push(ConfigError::new(CERTIFICATE, "must be set together with PLENUM_TLS_KEY"));
                None
            }
        }
    }

    fn authority(&mut self) -> Option<AuthorityConfig> {
        let directory = self.parse("PLENUM_ACME_URL", ACME_URL_WANTED, read_directory);
        let contact =
            self.parse("PLENUM_ACME_CONTACT", "must be an email address", |text| EmailAddress::parse(text).ok());
        let vouching = self.text("PLENUM_ACME_CERTIFICATES").map(PathBuf::from);
        if !self.has(DOMAIN) {
            for variable in OF_DOMAIN.into_iter().filter(|variable| self.has(variable)).collect::<Vec<_>>() {
                self.errors.push(ConfigError::new(variable, "has an effect only together with PLENUM_DOMAIN"));
            }
            return None;
        }
        if self.has("PLENUM_NATS_URL") {
            self.errors.push(ConfigError::new(DOMAIN, ONE_INSTANCE_WANTED));
        }
        let domain = self.parse(DOMAIN, DOMAIN_WANTED, read_domain)?;
        let directory = directory.unwrap_or_else(|| LETS_ENCRYPT.to_owned());
        Some(AuthorityConfig { domain, directory, vouching, contact })
    }

    /// The address that leads to the encrypted one. On port 443, port 80 leads there by itself.
    pub(super) fn redirect_listen(&mut self, tls: Option<&TlsConfig>, listen: SocketAddr) -> RedirectListen {
        let read = |text: &str| match text {
            "off" => Some(RedirectListen::Off),
            _ => text.parse().ok().map(RedirectListen::On),
        };
        let named = self.parse(REDIRECT, REDIRECT_WANTED, read);
        if tls.is_none() && self.has(REDIRECT) {
            self.errors.push(ConfigError::new(REDIRECT, TLS_WANTED));
        }
        named.unwrap_or_else(|| match tls {
            Some(_) if listen.port() == HTTPS => RedirectListen::IfFree(SocketAddr::new(listen.ip(), HTTP)),
            _ => RedirectListen::Off,
        })
    }
}

/// The address for a server with or without a certificate of an authority, which checks port 443 of all addresses.
pub(super) fn default_listen(tls: Option<&TlsConfig>) -> SocketAddr {
    match tls {
        Some(TlsConfig::Authority(_)) => SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), HTTPS),
        _ => SocketAddr::from(([127, 0, 0, 1], 8080)),
    }
}

/// The origin of links that follows from a domain.
pub(super) fn public_url_of(tls: Option<&TlsConfig>) -> Option<String> {
    match tls {
        Some(TlsConfig::Authority(authority)) => Some(format!("https://{}", authority.domain)),
        _ => None,
    }
}

/// A name of the internet in lower case, with its international letters as DNS has them.
fn read_domain(text: &str) -> Option<String> {
    // A port of https, or a slash, would vanish in the address.
    if text.contains(['/', ':', '@', '?', '#']) {
        return None;
    }
    let url = Url::parse(&format!("https://{text}")).ok()?;
    let domain = url.domain()?;
    let is_name = domain.split('.').all(|label| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
    });
    (is_name && domain.len() <= 253).then(|| domain.to_owned())
}

fn read_directory(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    (url.scheme() == "https" && url.host().is_some()).then(|| text.to_owned())
}

/// Whether browsers offer cryptography and cameras to pages of this origin: <https://www.w3.org/TR/secure-contexts/>.
fn is_secure_context(origin: &str) -> bool {
    let Some(rest) = origin.strip_prefix("http://") else { return true };
    let host = rest.split('/').next().unwrap_or_default();
    let name = if host.starts_with('[') { host.split(']').next() } else { host.split(':').next() };
    let name = name.unwrap_or_default().trim_start_matches('[');
    name == "localhost"
        || name.ends_with(".localhost")
        || name == "::1"
        || name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

impl Config {
    /// The address at which people reach the server without encryption, as far as the configuration tells. A server that listens for
    /// other machines without a certificate and without a trusted proxy is reached directly.
    pub(crate) fn plain_address(&self) -> Option<String> {
        match &self.public_url {
            Some(url) => (!is_secure_context(url)).then(|| url.clone()),
            None => {
                let is_direct = self.tls.is_none() && self.trusted_proxies.is_empty();
                (is_direct && !self.listen.ip().to_canonical().is_loopback()).then(|| format!("http://{}", self.listen))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, Vec<ConfigError>> {
        Config::read(variables.iter().copied())
    }

    fn refused(variables: &[(&str, &str)]) -> Vec<String> {
        read(variables).unwrap_err().into_iter().map(|error| error.variable.into_owned()).collect()
    }

    #[test]
    fn a_domain_is_all_that_https_needs() {
        let config = read(&[("PLENUM_DOMAIN", "Vote.Example.org")]).unwrap();
        let Some(TlsConfig::Authority(authority)) = config.tls else { panic!("{:?}", config.tls) };
        assert_eq!((authority.domain.as_str(), authority.directory.as_str()), ("vote.example.org", LETS_ENCRYPT));
        assert_eq!(config.listen.to_string(), "[::]:443");
        assert_eq!(config.redirect_listen, RedirectListen::IfFree("[::]:80".parse().unwrap()));
        assert_eq!(config.public_url.as_deref(), Some("https://vote.example.org"));
    }

    #[test]
    fn what_is_configured_comes_before_what_follows_from_the_domain() {
        let config = read(&[
            ("PLENUM_DOMAIN", "vote.example.org"),
            ("PLENUM_LISTEN", "0.0.0.0:8443"),
            ("PLENUM_PUBLIC_URL", "https://vote.example.org:8443"),
            ("PLENUM_ACME_URL", "https://acme.example.org/directory"),
            ("PLENUM_ACME_CONTACT", "admin@example.org"),
        ])
        .unwrap();
        assert_eq!((config.listen.port(), config.redirect_listen), (8443, RedirectListen::Off));
        assert_eq!(config.public_url.as_deref(), Some("https://vote.example.org:8443"));
        let Some(TlsConfig::Authority(authority)) = config.tls else { panic!("{:?}", config.tls) };
        assert_eq!(authority.directory, "https://acme.example.org/directory");
        assert_eq!(authority.contact.unwrap().as_str(), "admin@example.org");
    }

    #[test]
    fn certificates_of_files_come_with_their_key() {
        let both = [("PLENUM_TLS_CERTIFICATE", "/etc/a.pem"), ("PLENUM_TLS_KEY", "/etc/b.pem")];
        let config = read(&both).unwrap();
        let files = CertificateFiles { certificate: "/etc/a.pem".into(), key: "/etc/b.pem".into() };
        assert_eq!(config.tls, Some(TlsConfig::Files(files)));
        assert_eq!((config.listen.port(), config.redirect_listen), (8080, RedirectListen::Off));
        let on_443 = read(&[both[0], both[1], ("PLENUM_LISTEN", "0.0.0.0:443")]).unwrap();
        assert_eq!(on_443.redirect_listen, RedirectListen::IfFree("0.0.0.0:80".parse().unwrap()));
        for (redirect, expected) in
            [("off", RedirectListen::Off), ("0.0.0.0:8080", RedirectListen::On("0.0.0.0:8080".parse().unwrap()))]
        {
            let config = read(&[both[0], both[1], ("PLENUM_REDIRECT_LISTEN", redirect)]).unwrap();
            assert_eq!(config.redirect_listen, expected);
        }
        assert_eq!(refused(&both[..1]), ["PLENUM_TLS_KEY"]);
        assert_eq!(refused(&both[1..]), ["PLENUM_TLS_CERTIFICATE"]);
        assert_eq!(refused(&[both[0], both[1], ("PLENUM_DOMAIN", "vote.example.org")]), ["PLENUM_DOMAIN"]);
    }

    #[test]
    fn a_domain_is_a_name_and_nothing_else() {
        for wrong in [
            "https://vote.example.org",
            "vote.example.org:443",
            "vote.example.org/",
            "*.example.org",
            "10.0.0.7",
            "[::1]",
            "a b",
            "-a.org",
            "a@b.org",
            ".",
        ] {
            assert_eq!(refused(&[("PLENUM_DOMAIN", wrong)]), ["PLENUM_DOMAIN"], "{wrong}");
        }
        for (given, expected) in [("münchen.example", "xn--mnchen-3ya.example"), ("localhost", "localhost")] {
            assert_eq!(read_domain(given).as_deref(), Some(expected));
        }
    }

    #[test]
    fn variables_of_an_authority_need_a_domain_and_a_single_instance() {
        assert_eq!(refused(&[("PLENUM_ACME_URL", "https://a.example")]), ["PLENUM_ACME_URL"]);
        assert_eq!(refused(&[("PLENUM_ACME_CERTIFICATES", "a.pem")]), ["PLENUM_ACME_CERTIFICATES"]);
        assert_eq!(refused(&[("PLENUM_REDIRECT_LISTEN", "0.0.0.0:80")]), ["PLENUM_REDIRECT_LISTEN"]);
        let domain = ("PLENUM_DOMAIN", "vote.example.org");
        assert_eq!(refused(&[domain, ("PLENUM_ACME_URL", "http://a.example")]), ["PLENUM_ACME_URL"]);
        assert_eq!(refused(&[domain, ("PLENUM_ACME_CONTACT", "nobody")]), ["PLENUM_ACME_CONTACT"]);
        assert_eq!(refused(&[domain, ("PLENUM_REDIRECT_LISTEN", "80")]), ["PLENUM_REDIRECT_LISTEN"]);
        let several = [
            domain,
            ("PLENUM_NATS_URL", "nats://127.0.0.1"),
            ("DATABASE_URL", "postgres://a:b@c/d"),
            ("PLENUM_JWT_SECRET", "R3ySx0Vt7kq1Zc9bWm4pLh8uGd2fNj6e"),
        ];
        assert_eq!(refused(&several), ["PLENUM_DOMAIN"]);
    }

    #[test]
    fn plain_http_is_noticed_where_people_would_use_it() {
        let plain = |variables: &[(&str, &str)]| read(variables).unwrap().plain_address();
        let open = ("PLENUM_LISTEN", "0.0.0.0:8080");
        assert_eq!(plain(&[]), None);
        assert_eq!(plain(&[open]).as_deref(), Some("http://0.0.0.0:8080"));
        assert_eq!(plain(&[open, ("PLENUM_TRUSTED_PROXIES", "10.0.0.7")]), None);
        assert_eq!(plain(&[open, ("PLENUM_TLS_CERTIFICATE", "a"), ("PLENUM_TLS_KEY", "b")]), None);
        assert_eq!(plain(&[open, ("PLENUM_PUBLIC_URL", "https://vote.example.org")]), None);
        assert_eq!(
            plain(&[("PLENUM_PUBLIC_URL", "http://vote.example.org")]).as_deref(),
            Some("http://vote.example.org")
        );
    }

    #[test]
    fn browsers_trust_https_and_the_own_machine() {
        for origin in ["https://vote.example.org", "http://localhost:8080", "http://127.0.0.1:80", "http://[::1]:8080"]
        {
            assert!(is_secure_context(origin), "{origin}");
        }
        for origin in ["http://vote.example.org", "http://192.168.1.7:8080", "http://localhost.example.org"] {
            assert!(!is_secure_context(origin), "{origin}");
        }
    }
}
