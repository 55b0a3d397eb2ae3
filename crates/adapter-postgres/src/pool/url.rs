//! Addresses of databases. We parse them ourselves, because libpq repeats invalid ones, passwords included, in its errors.

use std::fmt;

use percent_encoding::percent_decode_str;

/// The reason why a database address cannot be used. No text repeats any part of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// This program was built without the feature `pg-tls`.
    #[error(
        "the database address asks for TLS (sslmode), but this build of Plenum cannot do TLS to PostgreSQL; \
         use a distribution build, build with `--features pg-tls`, or connect without TLS (sslmode=disable)"
    )]
    TlsMissing,
    /// It does not have the form of a PostgreSQL URL.
    #[error("the database address cannot be read: {0}")]
    Unreadable(&'static str),
}

/// The expected form of an address.
const WANTED: &str = "must be the address of a PostgreSQL, for example postgres://user:password@host:5432/plenum, with special \
                      characters in user and password percent-encoded (% is %25, @ is %40, : is %3A, / is %2F, a space is %20)";

/// Defaults that keep a lost network from blocking a connection for hours. Settings in the address win.
const DEFAULTS: [(&str, &str); 6] = [
    ("application_name", "plenum"),
    ("connect_timeout", "5"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "25000"),
];

/// Defaults for an address with several servers: only the one that accepts writes, and a server that fell silent is left within
/// five seconds.
const DEFAULTS_OF_SEVERAL: [(&str, &str); 6] = [
    ("target_session_attrs", "read-write"),
    ("connect_timeout", "2"),
    ("keepalives_idle", "2"),
    ("keepalives_interval", "1"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "5000"),
];

/// Parameters of libpq with any value.
const TEXTS: [&str; 31] = [
    "application_name",
    "channel_binding",
    "client_encoding",
    "dbname",
    "fallback_application_name",
    "gssdelegation",
    "gssencmode",
    "gsslib",
    "host",
    "hostaddr",
    "krbsrvname",
    "load_balance_hosts",
    "max_protocol_version",
    "min_protocol_version",
    "options",
    "passfile",
    "password",
    "require_auth",
    "requirepeer",
    "service",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcert",
    "sslcertmode",
    "sslcrl",
    "sslcrldir",
    "sslkey",
    "sslnegotiation",
    "sslpassword",
    "sslrootcert",
    "user",
];

/// Parameters of libpq with a number.
const NUMBERS: [&str; 8] = [
    "connect_timeout",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "sslcompression",
    "sslsni",
    "tcp_user_timeout",
];

const SSL_MODES: [&str; 6] = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/// A valid address of a database. Its password is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Parses an address in the form of a URL.
    ///
    /// # Errors
    /// Names the expected form and the mistake, without repeating any part of the address.
    pub fn parse(text: &str) -> Result<Self, String> {
        match settings_of(text).and_then(|settings| separate(&settings)) {
            Ok(_) => Ok(Self(text.to_owned())),
            Err(reason) => Err(format!("{WANTED}; {reason}")),
        }
    }

    /// The address as given, password included.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}

/// Parses an address, adds defaults, and returns it as libpq's names and values, which cannot be misread: once for each server
/// that it names, in its order.
pub(crate) fn servers(url: &str) -> Result<Vec<String>, UrlError> {
    let settings = settings_of(url).map_err(UrlError::Unreadable)?;
    let wants_tls = settings
        .iter()
        .any(|(name, value)| name == "sslmode" && matches!(value.as_str(), "require" | "verify-ca" | "verify-full"));
    if wants_tls && !cfg!(feature = "pg-tls") {
        return Err(UrlError::TlsMissing);
    }
    let servers = separate(&settings).map_err(UrlError::Unreadable)?;
    let defaults: Vec<(&str, &str)> =
        if servers.len() > 1 { [&DEFAULTS_OF_SEVERAL[..], &DEFAULTS].concat() } else { DEFAULTS.to_vec() };
    Ok(servers.into_iter().map(|settings| written(settings, &defaults)).collect())
}

/// The settings of each server. Only the host, its numeric address and its port differ.
fn separate(settings: &Settings) -> Result<Vec<Settings>, &'static str> {
    let list = |name: &str| {
        let found = settings.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.split(',').collect::<Vec<_>>()).unwrap_or_default()
    };
    let lists = [("host", list("host")), ("hostaddr", list("hostaddr")), ("port", list("port"))];
    let number = lists.iter().map(|(_, values)| values.len()).max().unwrap_or_default().max(1);
    // As libpq has it: one port is for all hosts.
    let fits = |(name, values): &(&str, Vec<&str>)| {
        values.is_empty() || values.len() == number || (*name == "port" && values.len() == 1)
    };
    if !lists.iter().all(fits) || lists[0].1.len().max(lists[1].1.len()).max(1) < number {
        return Err("the address has different numbers of hosts and ports");
    }
    let of = |place: usize| {
        let mut own = settings.clone();
        for (name, values) in &lists {
            let Some(value) = values.get(place).or_else(|| values.first()) else { continue };
            own.retain(|(given, _)| given != name);
            if !value.is_empty() {
                own.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        own
    };
    Ok((0..number).map(of).collect())
}

fn written(mut settings: Settings, defaults: &[(&str, &str)]) -> String {
    for (name, value) in defaults {
        if !settings.iter().any(|(given, _)| given == name) {
            settings.push(((*name).to_owned(), (*value).to_owned()));
        }
    }
    let quoted = |value: &str| value.replace('\\', r"\\").replace('\'', r"\'");
    let parts: Vec<String> = settings.iter().map(|(name, value)| format!("{name}='{}'", quoted(value))).collect();
    parts.join(" ")
}

/// Adds a setting to an address. `value` must need no escaping.
#[cfg(feature = "testkit")]
pub(crate) fn add(url: &mut String, name: &str, value: &str) {
    let separator = if url.contains('?') { '&' } else { '?' };
    url.push_str(&format!("{separator}{name}={value}"));
}

type Settings = Vec<(String, String)>;

/// All settings of the address, decoded, each once.
fn settings_of(url: &str) -> Result<Settings, &'static str> {
    let rest = ["postgres://", "postgresql://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let rest = rest.ok_or("the address does not begin with postgres:// or postgresql://")?;
    if rest.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err("the address has a space or another invisible character");
    }
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    if path.contains('@') || query.is_some_and(|query| query.contains('@')) {
        return Err(
            "the address has an @ after the host: the part that it belongs to, such as the password, is not encoded",
        );
    }
    let mut settings = Settings::new();
    read_authority(authority, &mut settings)?;
    let database = path.strip_prefix('/').unwrap_or_default();
    if database.contains('/') {
        return Err("the address has a second / after the host");
    }
    if !database.is_empty() {
        set(&mut settings, "dbname", decoded(database)?);
    }
    for pair in query.into_iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty()) {
        read_parameter(pair, &mut settings)?;
    }
    Ok(settings)
}

/// Parses `user:password@host:port,host:port`. All parts are optional.
fn read_authority(authority: &str, settings: &mut Settings) -> Result<(), &'static str> {
    let (person, hosts) = match authority.split_once('@') {
        Some((person, hosts)) => (Some(person), hosts),
        None => (None, authority),
    };
    if hosts.contains('@') {
        return Err("the address has more than one @: those in user and password must be encoded");
    }
    if let Some(person) = person {
        let (user, password) = person.split_once(':').map_or((person, None), |(user, word)| (user, Some(word)));
        if !user.is_empty() {
            set(settings, "user", decoded(user)?);
        }
        if let Some(password) = password.filter(|password| !password.is_empty()) {
            set(settings, "password", decoded(password)?);
        }
    }
    let (mut names, mut ports) = (Vec::new(), Vec::new());
    for host in hosts.split(',') {
        let (name, port) = split_port(host)?;
        if !port.is_empty() && !is_port(port) {
            return Err("the port is not a number from 1 to 65535, or user and password are not encoded");
        }
        names.push(decoded(name)?);
        ports.push(port);
    }
    if names.iter().any(|name| !name.is_empty()) {
        set(settings, "host", names.join(","));
    }
    if ports.iter().any(|port| !port.is_empty()) {
        set(settings, "port", ports.join(","));
    }
    Ok(())
}

/// The host and its port. An IPv6 address has brackets.
fn split_port(host: &str) -> Result<(&str, &str), &'static str> {
    const BRACKETS: &str = "the brackets of an IPv6 address are wrong; it looks like [::1] or [::1]:5432";
    let Some(inside) = host.strip_prefix('[') else {
        let (name, port) = host.split_once(':').unwrap_or((host, ""));
        let is_host = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | '%' | '~');
        return if name.chars().all(is_host) {
            Ok((name, port))
        } else {
            Err("the host has a character that is not allowed there")
        };
    };
    let (name, rest) = inside.split_once(']').ok_or(BRACKETS)?;
    // A zone may follow the address.
    if name.split('%').next().and_then(|name| name.parse::<std::net::Ipv6Addr>().ok()).is_none() {
        return Err(BRACKETS);
    }
    match rest.strip_prefix(':') {
        Some(port) => Ok((name, port)),
        None if rest.is_empty() => Ok((name, "")),
        None => Err(BRACKETS),
    }
}

fn read_parameter(pair: &str, settings: &mut Settings) -> Result<(), &'static str> {
    let (name, value) = pair.split_once('=').ok_or("the address has a parameter without a value after the ?")?;
    if value.contains('=') {
        return Err("the address has a parameter with a second = in it, which must be encoded (%3D)");
    }
    let (name, value) = (decoded(name)?, decoded(value)?);
    match name.as_str() {
        // The name in other drivers.
        "ssl" if value == "true" => set(settings, "sslmode", "require".to_owned()),
        "sslmode" if SSL_MODES.contains(&value.as_str()) => set(settings, "sslmode", value),
        "sslmode" => {
            return Err("sslmode is neither disable, allow, prefer, require, verify-ca nor verify-full");
        }
        "port" if value.split(',').all(is_port) => {
            set(settings, "port", value);
        }
        "port" => return Err("the port is not a number from 1 to 65535"),
        "target_session_attrs" => match value.as_str() {
            "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby" => {
                set(settings, "target_session_attrs", value);
            }
            _ => return Err("target_session_attrs has a value that PostgreSQL does not know"),
        },
        known if NUMBERS.contains(&known) => {
            if value.parse::<u32>().is_err() {
                return Err("a parameter must be a whole number and is not");
            }
            set(settings, &name, value);
        }
        known if TEXTS.contains(&known) => set(settings, &name, value),
        _ => return Err("the address has a parameter after the ? that PostgreSQL does not know"),
    }
    Ok(())
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok_and(|port| port > 0)
}

/// The last one wins.
fn set(settings: &mut Settings, name: &str, value: String) {
    settings.retain(|(given, _)| given != name);
    settings.push((name.to_owned(), value));
}

fn decoded(text: &str) -> Result<String, &'static str> {
    let bytes = text.as_bytes();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%') {
        let is_encoded = bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        if !is_encoded {
            return Err("the address has a % that two hexadecimal digits do not follow");
        }
    }
    let text = percent_decode_str(text).decode_utf8().map_err(|_| "a percent-encoded value is not valid UTF-8")?;
    if text.contains('\0') {
        return Err("the address has a %00");
    }
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(url: &str, name: &str) -> Option<String> {
        let settings = settings_of(url).unwrap_or_else(|reason| panic!("{url}: {reason}"));
        settings.into_iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    #[test]
    fn an_address_is_read_as_libpq_reads_it() {
        for (url, expected) in [
            ("postgres://", &[][..]),
            ("postgresql://db/plenum", &[("host", "db"), ("dbname", "plenum")]),
            ("postgres://u:a%40b%25%20c%2Fd@db", &[("user", "u"), ("password", "a@b% c/d"), ("host", "db")]),
            ("postgres://u:a:b#c'd\\e@db", &[("password", "a:b#c'd\\e")]),
            ("postgres://plenum@%2Frun%2Fa%20b:5432/p", &[("host", "/run/a b"), ("port", "5432"), ("user", "plenum")]),
            ("postgres:///p?host=/run&port=6543", &[("host", "/run"), ("port", "6543"), ("dbname", "p")]),
            ("postgres://u:w@[::1]:5433/p", &[("host", "::1"), ("port", "5433")]),
            ("postgres://[fe80::1%25eth0]/p", &[("host", "fe80::1%eth0")]),
            ("postgres://a:1,b:2/p", &[("host", "a,b"), ("port", "1,2")]),
            ("postgres://a,b:2/p?target_session_attrs=read-write", &[("host", "a,b"), ("port", ",2")]),
            ("postgres://db/p?password=x%26y&sslmode=disable", &[("password", "x&y"), ("sslmode", "disable")]),
            ("postgres://db?ssl=true", &[("sslmode", "require")]),
            (
                "postgres://db?options=-csearch_path%3Dplenum%20-crole%3Dx",
                &[("options", "-csearch_path=plenum -crole=x")],
            ),
        ] {
            for (name, value) in expected {
                assert_eq!(setting(url, name).as_deref(), Some(*value), "{url}: {name}");
            }
        }
        assert_eq!(setting("postgres://db/p", "port"), None);
    }

    #[test]
    fn an_address_that_libpq_rejects_is_refused_without_repeating_it() {
        for url in [
            "mysql://plenum:hunter2@db/plenum",
            "hunter2",
            "host=db password='hunter2 more' dbname=plenum",
            "postgres://plenum:hunter2%off@db/plenum",
            "postgres://plenum:hunter2%@db/plenum",
            "postgres://plenum:hunter2%de@db/plenum",
            "postgres://plenum:hunter2%00@db/plenum",
            "postgres://plenum:hunter2 x@db/plenum",
            "postgres://plenum:hunter2\tx@db/plenum",
            "postgres://plenum:x@hunter2@db/plenum",
            "postgres://plenum:x/hunter2@db/plenum",
            "postgres://plenum:12/hunter2@db/plenum",
            "postgres://plenum:hunter2?x@db/plenum",
            "postgres://plenum:hunter2?x=y@db/plenum",
            "postgres://plenum:hunter2/x",
            "postgres://plenum:hunter2",
            "postgres://plenum:x@hunter2[/plenum",
            "postgres://plenum:x@[hunter2/plenum",
            "postgres://plenum:x@[::1]hunter2/plenum",
            "postgres://plenum:x@db:hunter2/plenum",
            "postgres://plenum:x@db:1,other:hunter2/plenum",
            "postgres://plenum:x@db:99999/hunter2",
            "postgres://db/plenum/hunter2",
            "postgres://db/plenum?hunter2",
            "postgres://db/plenum?hunter2=1",
            "postgres://db/plenum?password=a&hunter2=b",
            "postgres://db/plenum?password=hunter2=b",
            "postgres://db/plenum?sslmode=hunter2",
            "postgres://db/plenum?connect_timeout=hunter2",
            "postgres://db/plenum?port=hunter2",
            "postgres://db/plenum?target_session_attrs=hunter2",
        ] {
            let refused = DatabaseUrl::parse(url).expect_err(url);
            assert!(refused.starts_with("must be the address of a PostgreSQL"), "{url}: {refused}");
            assert!(refused.contains("percent-encoded") && !refused.contains("hunter2"), "{url}: {refused}");
            let refused = servers(url).expect_err(url);
            assert!(!format!("{refused} {refused:?}").contains("hunter2"), "{url}: {refused}");
        }
    }

    #[test]
    fn an_address_is_shown_to_nobody() {
        let address = DatabaseUrl::parse("postgres://plenum:hunter2@db/plenum").unwrap();
        assert!(!format!("{address:?}").contains("hunter2"));
    }

    #[test]
    fn an_address_is_completed_and_cannot_be_misread() {
        let [complete] = &servers(r"postgres://u:it's%20a%5Cb@db/plenum?connect_timeout=60").unwrap()[..] else {
            panic!("it is one server");
        };
        assert!(
            complete.starts_with(r"user='u' password='it\'s a\\b' dbname='plenum' connect_timeout='60' host='db' "),
            "{complete}"
        );
        assert!(complete.contains(" application_name='plenum'") && complete.matches("connect_timeout").count() == 1);
        assert!(complete.contains(" tcp_user_timeout='25000'") && !complete.contains("target_session_attrs"));
    }

    #[test]
    fn each_server_of_an_address_has_its_own_host_and_port_and_quick_timeouts() {
        for (url, expected) in [
            ("postgres://u@a:1,b:2/p", [" host='a' port='1' ", " host='b' port='2' "]),
            ("postgres://u@a,b:2/p", [" host='a' ", " host='b' port='2' "]),
            ("postgres://u@/p?host=a,b&port=7", [" host='a' port='7' ", " host='b' port='7' "]),
            ("postgres://u@/p?hostaddr=::1,::2", [" hostaddr='::1' ", " hostaddr='::2' "]),
        ] {
            let found = servers(url).unwrap();
            assert_eq!(found.len(), 2, "{url}");
            for (server, expected) in found.iter().zip(expected) {
                assert!(server.contains(expected), "{url}: {server}");
                assert!(server.contains("target_session_attrs='read-write'"), "{server}");
                assert!(
                    server.contains("tcp_user_timeout='5000'") && server.contains("connect_timeout='2'"),
                    "{server}"
                );
                assert_eq!(server.matches("connect_timeout").count(), 1, "{server}");
            }
        }
        let chosen = servers("postgres://a,b/p?target_session_attrs=primary&connect_timeout=9").unwrap();
        assert!(chosen.iter().all(|server| server.contains("='primary'") && server.contains("connect_timeout='9'")));
        for url in
            ["postgres:///p?host=a,b,c&port=1,2", "postgres:///p?host=a,b&hostaddr=::1", "postgres:///p?port=1,2"]
        {
            assert!(matches!(servers(url), Err(UrlError::Unreadable(_))), "{url}");
        }
    }

    #[cfg(not(feature = "pg-tls"))]
    #[test]
    fn tls_is_refused_with_a_clear_error_by_a_build_without_it() {
        for url in [
            "postgresql://db/plenum?sslmode=require",
            "postgresql://db/plenum?application_name=x&sslmode=verify-full",
            "postgresql://db/plenum?ssl=true",
        ] {
            assert_eq!(servers(url), Err(UrlError::TlsMissing), "{url}");
        }
        assert!(servers("postgresql://db/plenum?sslmode=prefer").is_ok());
        assert!(servers("postgresql://db/sslmode=require").is_ok());
    }

    #[cfg(feature = "pg-tls")]
    #[test]
    fn tls_is_accepted_by_a_build_with_it() {
        assert!(servers("postgresql://db/plenum?sslmode=require").is_ok());
    }
}
