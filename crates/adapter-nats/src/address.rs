use std::fmt;

use async_nats::{ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;
use url::Url;

/// Where NATS is, one server or several of one cluster, and as whom it is asked.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsAddress {
    /// Without users and passwords: what writes them into a log has none to write.
    servers: Vec<Url>,
    credentials: Credentials,
}

/// What NATS wants to see. The client sends them to every server, and takes them from its options, never from an address.
#[derive(Clone, PartialEq, Eq)]
enum Credentials {
    None,
    Token(String),
    User { name: String, password: String },
}

impl NatsAddress {
    /// What an address must look like.
    pub const WANTED: &str = "must be the address of a NATS server, for example nats://127.0.0.1:4222 or \
                              tls://user:password@nats.example.org, or several with commas between them and the same user and password in each";

    /// Reads `nats://…` and `tls://…`, with commas between them. A user without a password is a token.
    pub fn parse(text: &str) -> Option<Self> {
        let read: Option<Vec<(Url, Credentials)>> = text.split(',').map(|server| read_server(server.trim())).collect();
        let (servers, mut credentials): (Vec<_>, Vec<_>) = read?.into_iter().unzip();
        credentials.dedup();
        let credentials = credentials.pop().filter(|_| credentials.is_empty())?;
        Some(Self { servers, credentials })
    }

    /// Says as whom we come.
    pub(crate) fn introduce(&self, options: ConnectOptions) -> ConnectOptions {
        match &self.credentials {
            Credentials::None => options,
            Credentials::Token(token) => options.token(token.clone()),
            Credentials::User { name, password } => options.user_and_password(name.clone(), password.clone()),
        }
    }

    /// The same for the client.
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

/// Without users and passwords, for people and logs.
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
    fn servers_are_named_by_their_addresses() {
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
    fn credentials_are_taken_as_they_were_before_they_were_written_into_an_address() {
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
    fn one_list_has_the_same_credentials_in_each_address() {
        for text in ["nats://me:p@a,nats://me:q@b", "nats://me:p@a,nats://b", "nats://a,nats://t@b", "nats://:p@a"] {
            assert_eq!(NatsAddress::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "nats", "127.0.0.1:4222", "http://a", "nats://", "nats://a/b", "nats://a,", "nats://a?x=1"] {
            assert_eq!(NatsAddress::parse(text), None, "{text}");
        }
    }
}
