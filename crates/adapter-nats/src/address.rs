use std::fmt;

use async_nats::{ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use url::Url;

/// The addresses of NATS, of one server or several of a cluster, and the credentials.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsAddress {
    /// Without users and passwords, so that a log of them contains none.
    servers: Vec<Url>,
    credentials: Credentials,
}

/// The credentials for all servers. The NATS client takes them from its options, never from an address.
#[derive(Clone, PartialEq, Eq)]
enum Credentials {
    None,
    Token(String),
    User { name: String, password: String },
}

impl NatsAddress {
    /// The description of a valid address.
    pub const WANTED: &str = "must be the address of a NATS server, for example nats://127.0.0.1:4222 or \
                              tls://user:password@nats.example.org, or several with commas between them and the same user and password in each";

    /// Parses `nats://…` and `tls://…`, separated by commas. A user without a password is a token.
    pub fn parse(text: &str) -> Option<Self> {
        let read: Option<Vec<(Url, Credentials)>> = text.split(',').map(|server| read_server(server.trim())).collect();
        let (servers, mut credentials): (Vec<_>, Vec<_>) = read?.into_iter().unzip();
        credentials.dedup();
        let credentials = credentials.pop().filter(|_| credentials.is_empty())?;
        Some(Self { servers, credentials })
    }

    /// Adds the credentials to the options.
    pub(crate) fn authenticate(&self, options: ConnectOptions) -> ConnectOptions {
        match &self.credentials {
            Credentials::None => options,
            Credentials::Token(token) => options.token(token.clone()),
            Credentials::User { name, password } => options.user_and_password(name.clone(), password.clone()),
        }
    }

    /// The addresses for the NATS client.
    pub(crate) fn servers(&self) -> Vec<ServerAddr> {
        self.servers.iter().filter_map(|server| ServerAddr::from_url(server.clone()).ok()).collect()
    }

    fn shown(server: &Url) -> String {
        let port = server.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}", server.scheme(), server.host_str().unwrap_or_default())
    }
}

fn read_server(text: &str) -> Option<(Url, Credentials)> {
    let mut url = Url::parse(text).ok()?;
    let is_known = matches!(url.scheme(), "nats" | "tls") && url.host_str().is_some_and(|host| !host.is_empty());
    let is_bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
    if !is_known || !is_bare {
        return None;
    }
    let credentials = credentials_of(&url)?;
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some((url, credentials))
}

fn credentials_of(url: &Url) -> Option<Credentials> {
    let plain = |text| percent_decode_str(text).decode_utf8().ok().map(String::from);
    Some(match (plain(url.username())?, url.password()) {
        (name, None) if name.is_empty() => Credentials::None,
        (name, Some(_)) if name.is_empty() => return None,
        (token, None) => Credentials::Token(token),
        (name, Some(password)) => Credentials::User { name, password: plain(password)? },
    })
}

/// Without users and passwords, for logs.
impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.servers.iter().map(Self::shown).collect();
        f.write_str(&shown.join(","))
    }
}

impl fmt::Debug for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_credentials() {
        for (text, shown) in [
            ("nats://127.0.0.1:4222", "nats://127.0.0.1:4222"),
            ("nats://nats.example.org", "nats://nats.example.org"),
            ("tls://me:secret@nats.example.org:4443/", "tls://nats.example.org:4443"),
            ("nats://secret@a:1, nats://secret@b:2", "nats://a:1,nats://b:2"),
            ("nats://[::1]:4222", "nats://[::1]:4222"),
        ] {
            let address = NatsAddress::parse(text).unwrap();
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("secret"), "{address:?}");
            assert!(!format!("{:?}", address.servers()).contains("secret"), "the client logs these");
            assert_eq!(address.servers().len(), text.split(',').count());
        }
    }

    #[test]
    fn credentials_are_decoded_from_the_address() {
        let user =
            |name: &str, password: &str| Credentials::User { name: name.to_owned(), password: password.to_owned() };
        for (text, credentials) in [
            ("nats://a", Credentials::None),
            ("nats://to%2Fken@a", Credentials::Token("to/ken".to_owned())),
            ("tls://me:s3cr%25t%2C%20%C3%A9@a", user("me", "s3cr%t, é")),
            ("nats://m%40e:p@a:1,nats://m%40e:p@b:2", user("m@e", "p")),
        ] {
            assert!(NatsAddress::parse(text).unwrap().credentials == credentials, "{text}");
        }
    }

    #[test]
    fn all_addresses_have_the_same_credentials() {
        for text in ["nats://me:p@a,nats://me:q@b", "nats://me:p@a,nats://b", "nats://a,nats://t@b", "nats://:p@a"] {
            assert_eq!(NatsAddress::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_invalid_address_is_refused() {
        for text in ["", "nats", "127.0.0.1:4222", "http://a", "nats://", "nats://a/b", "nats://a,", "nats://a?x=1"] {
            assert_eq!(NatsAddress::parse(text), None, "{text}");
        }
    }
}
