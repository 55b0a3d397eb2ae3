use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use url::{Position, Url};

/// The address of a timestamp service.
#[derive(Clone, PartialEq, Eq)]
pub struct TimestampAddress(Url);

impl TimestampAddress {
    /// The description of a valid address.
    pub const WANTED: &str = "must be the address of an RFC 3161 service, for example https://timestamps.example.org/tsa \
                              or https://user:password@timestamps.example.org/tsa";

    /// Parses `http://…` and `https://…`. A user has a password.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
        let has_credentials = url.username().is_empty() == url.password().is_none_or(str::is_empty);
        (is_web && has_credentials && url.fragment().is_none()).then_some(Self(url))
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The host without the brackets of an IPv6 address.
    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
    }

    pub(crate) fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(80)
    }

    /// Host and port, as a request names them.
    pub(crate) fn authority(&self) -> &str {
        &self.0[Position::BeforeHost..Position::AfterPort]
    }

    /// Path and query, as a request names them.
    pub(crate) fn path(&self) -> &str {
        &self.0[Position::BeforePath..Position::AfterQuery]
    }

    /// The value of the header `Authorization`, with a user.
    pub(crate) fn authorization(&self) -> Option<String> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let password = self.0.password()?;
        Some(format!("Basic {}", STANDARD.encode(format!("{}:{}", decoded(self.0.username()), decoded(password)))))
    }
}

/// Without user, password, path and query, which may contain secrets.
impl fmt::Display for TimestampAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        write!(f, "{}://{}{port}", self.0.scheme(), self.0.host_str().unwrap_or_default())
    }
}

impl fmt::Debug for TimestampAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimestampAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_web_are_accepted() {
        for text in [
            "http://127.0.0.1:3161",
            "https://timestamps.example.org/tsa?policy=1",
            "https://user:p%40ss@timestamps.example.org/tsa",
        ] {
            assert!(TimestampAddress::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "timestamps.example.org",
            "ftp://timestamps.example.org",
            "https://",
            "https://user@timestamps.example.org",
            "https://:password@timestamps.example.org",
            "https://timestamps.example.org/#tsa",
        ] {
            assert!(TimestampAddress::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_request_names_the_parts_of_the_address() {
        let address = TimestampAddress::parse("https://user:p%40ss@timestamps.example.org/tsa?policy=1").unwrap();
        assert_eq!((address.host(), address.port()), ("timestamps.example.org", 443));
        assert_eq!((address.authority(), address.path()), ("timestamps.example.org", "/tsa?policy=1"));
        assert_eq!(address.authorization().as_deref(), Some("Basic dXNlcjpwQHNz"));
        let address = TimestampAddress::parse("http://[::1]:3161").unwrap();
        assert_eq!((address.host(), address.port()), ("::1", 3161));
        assert_eq!((address.authority(), address.path(), address.authorization()), ("[::1]:3161", "/", None));
    }

    #[test]
    fn no_secret_of_an_address_is_shown() {
        let address =
            TimestampAddress::parse("https://user:secret@timestamps.example.org:8443/key?token=hidden").unwrap();
        assert_eq!(address.to_string(), "https://timestamps.example.org:8443");
        assert_eq!(format!("{address:?}"), "TimestampAddress(https://timestamps.example.org:8443)");
    }
}
