use std::net::ToSocketAddrs as _;

use plenum_adapter_security::SystemClock;
use plenum_adapter_tls::{CertificateFiles, FileCertificates};
use plenum_kernel::Clock as _;

use super::finding::Finding;
use crate::config::tls::{AuthorityConfig, TlsConfig};
use crate::server::ENDS_SOON;
use crate::{Config, whole_chain};

/// Checks how browsers reach the server: over https, with a certificate that does not end soon.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    let certificate = config.tls.as_ref().map(|tls| match tls {
        TlsConfig::Files(files) => check_files(files),
        TlsConfig::Authority(authority) => check_domain(authority),
    });
    let plain = config.plain_address().map(|address| {
        Finding::warning(format!("Voters reach Plenum at {address}, without https."))
            .because(
                "Nothing is encrypted there: others can read passwords and votes, devices cannot seal secret ballots, and cameras \
                 cannot scan codes.",
            )
            .so(
                "Set PLENUM_DOMAIN, and Plenum gets a certificate by itself; or put a proxy with a certificate in front, and set \
                 PLENUM_PUBLIC_URL to its https address.",
            )
    });
    certificate.into_iter().chain(plain).collect()
}

fn check_files(files: &CertificateFiles) -> Finding {
    const RENEW: &str = "Renew it, and replace both files: Plenum reloads them automatically.";
    let certificates = match FileCertificates::load(files.clone()) {
        Ok(certificates) => certificates,
        Err(error) => {
            return Finding::failure(format!("PLENUM_TLS_CERTIFICATE, PLENUM_TLS_KEY: {}.", whole_chain(&error)))
                .because("Plenum does not start without a certificate that it can use.");
        }
    };
    let Some(end) = certificates.validity().get().map(|validity| validity.ends_at) else {
        return Finding::warning("The end of the certificate cannot be read.")
            .because("Nobody is warned before it ends.");
    };
    let (now, day) = (SystemClock.now(), end.format("%Y-%m-%d"));
    if end <= now {
        Finding::failure(format!("The certificate in {} ended on {day}.", files.certificate.display()))
            .because("Browsers refuse the connection.")
            .so(RENEW)
    } else if end < now + ENDS_SOON {
        Finding::warning(format!("The certificate in {} ends on {day}.", files.certificate.display()))
            .because("From then on, browsers refuse the connection.")
            .so(RENEW)
    } else {
        Finding::well(format!("The certificate in {} is valid until {day}.", files.certificate.display()))
    }
}

fn check_domain(authority: &AuthorityConfig) -> Finding {
    let domain = authority.domain.as_str();
    let found: Vec<_> =
        (domain, 443).to_socket_addrs().into_iter().flatten().map(|found| found.ip().to_string()).collect();
    if found.is_empty() {
        return Finding::warning(format!("The name {domain} does not resolve to an address."))
            .because("The authority gives a certificate only for a name that leads to this server.")
            .so("Enter the public address of this server for it in DNS, or correct PLENUM_DOMAIN.");
    }
    Finding::well(format!(
        "{domain} leads to {}. The authority must reach port 443 of this server there to give a certificate.",
        found.join(", ")
    ))
}
