use std::fmt;

use url::Url;

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

    pub(crate) fn url(&self) -> Url {
        self.0.clone()
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
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
    fn no_secret_of_an_address_is_shown() {
        let address =
            TimestampAddress::parse("https://user:secret@timestamps.example.org:8443/key?token=hidden").unwrap();
        assert_eq!(address.to_string(), "https://timestamps.example.org:8443");
        assert_eq!(format!("{address:?}"), "TimestampAddress(https://timestamps.example.org:8443)");
    }
}
