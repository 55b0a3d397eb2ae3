//! The configuration from environment variables.

pub(crate) mod evidence_key;
pub(crate) mod key_file;
mod origins;
pub(crate) mod secret_keys;
mod secret_strength;
pub(crate) mod signing_key;
pub(crate) mod timestamp_certificates;
pub(crate) mod tls;
mod variable_names;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use plenum_adapter_http::{MetricsToken, TrustedProxies};
use plenum_adapter_mail::{MailSettings, Sender, SmtpAddress};
use plenum_adapter_nats::NatsAddress;
use plenum_adapter_postgres::DatabaseUrl;
use plenum_adapter_timestamps::TimestampAddress;
use plenum_clients::Password;
use plenum_kernel::EmailAddress;
use plenum_voting::Retention;
use tracing_subscriber::EnvFilter;

use origins::read_origin;
use secret_strength::is_guessable;
use tls::{RedirectListen, TlsConfig, default_listen, public_url_of};
use variable_names::{check_names, letters_between};

/// A variable with an invalid value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable} {requirement}")]
pub struct ConfigError {
    /// The variable's name.
    pub variable: Cow<'static, str>,
    /// The expected form.
    pub requirement: Cow<'static, str>,
}

impl ConfigError {
    pub(crate) fn new(variable: impl Into<Cow<'static, str>>, requirement: impl Into<Cow<'static, str>>) -> Self {
        Self { variable: variable.into(), requirement: requirement.into() }
    }
}

/// A key that debug output does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(String);

impl SigningSecret {
    /// The key itself.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(…)")
    }
}

/// The format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For machines.
    Json,
}

/// The super administrator that the start creates if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuperAdminConfig {
    /// The address for sign-in.
    pub email: EmailAddress,
    /// The first password.
    pub password: Password,
}

/// The configuration. `docs/operations.md` describes every variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `DATABASE_URL`: a PostgreSQL to use instead of the embedded one.
    pub database_url: Option<DatabaseUrl>,
    /// `PLENUM_DATA_DIR`: the folder of the embedded database and the keys.
    pub data_dir: PathBuf,
    /// `PLENUM_SECRET_KEYS_DIR`: the folder of the keys of secret votes. Default: `secret-keys` in the data directory.
    pub secret_keys_dir: Option<PathBuf>,
    /// `PLENUM_EVIDENCE_KEY_FILE`: the file with the key that signs records and exports. Default: `evidence-key` in the data
    /// directory.
    pub evidence_key_file: Option<PathBuf>,
    /// `PLENUM_POSTGRES_BIN`: the folder with the programs of the embedded PostgreSQL.
    pub postgres_bin: Option<PathBuf>,
    /// `PLENUM_LISTEN`: address and port.
    pub listen: SocketAddr,
    /// Where the certificate for this address comes from. `None` serves plain http.
    pub tls: Option<TlsConfig>,
    /// The listener that leads from plain http to the encrypted address.
    pub redirect_listen: RedirectListen,
    /// `PLENUM_PUBLIC_URL`: the origin for links, without a slash at the end. With a domain, its origin.
    pub public_url: Option<String>,
    /// `PLENUM_BASE_PATH`: empty, or a path that starts with a slash and ends without one.
    pub base_path: String,
    /// `PLENUM_SUPER_ADMIN_EMAIL` and `PLENUM_SUPER_ADMIN_PASSWORD`.
    pub super_admin: Option<SuperAdminConfig>,
    /// `PLENUM_NEW_PASSWORD`: the password for `create-super-admin`.
    pub new_password: Option<Password>,
    /// `PLENUM_JWT_SECRET`: the signing key, at least 32 bytes.
    pub jwt_secret: Option<SigningSecret>,
    /// `PLENUM_CORS_ORIGINS`: other origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// `PLENUM_TRUSTED_PROXIES`: the proxies whose headers name the address of the caller.
    pub trusted_proxies: TrustedProxies,
    /// `PLENUM_CONNECTIONS`: the quota of connections. Default: as many as the limit of open files allows.
    pub connections: Option<NonZeroUsize>,
    /// `PLENUM_CONNECTIONS_PER_ADDRESS`: the quota of one address. Default: three quarters of all.
    pub connections_per_address: Option<NonZeroUsize>,
    /// `PLENUM_STREAMS_PER_PERSON`: the quota of streams of one person. Default: 20.
    pub streams_per_person: Option<NonZeroUsize>,
    /// `PLENUM_METRICS_TOKEN`: the token for `/metrics`. Without it, the metrics are not available.
    pub metrics_token: Option<MetricsToken>,
    /// `PLENUM_ALLOW_VOTE_RESET`.
    pub allow_vote_reset: Option<bool>,
    /// `PLENUM_NATS_URL`: the NATS server between several instances. `None` for a single instance.
    pub nats: Option<NatsAddress>,
    /// `PLENUM_SMTP_URL` and `PLENUM_MAIL_FROM`: the mail server and the sender. `None` turns mail off.
    pub mail: Option<MailSettings>,
    /// `PLENUM_TIMESTAMP_URL`: the RFC 3161 service that timestamps the hashes of records. `None` turns timestamps off.
    pub timestamps: Option<TimestampAddress>,
    /// `PLENUM_TIMESTAMP_CERTIFICATES`: a PEM file with the certificates that vouch for timestamp authorities.
    pub timestamp_certificates: Option<PathBuf>,
    /// `PLENUM_DRAIN_SECONDS`: how long a stopping server serves after it has reported that it is not ready.
    pub drain: Duration,
    /// `PLENUM_RETENTION_YEARS`: how long records and the audit log are kept. Default: 10 years.
    pub retention: Retention,
    /// `PLENUM_ERASE_INACTIVE_YEARS`: how long deactivated people keep their personal data. `None` turns the rule off.
    pub erase_inactive: Option<Retention>,
    /// `PLENUM_LOG`: the filter of log lines.
    pub log: String,
    /// `PLENUM_LOG_FORMAT`.
    pub log_format: LogFormat,
    /// Sentences about valid values that are probably mistakes.
    pub warnings: Vec<String>,
}

impl Config {
    /// Reads these variables and ignores those of other programs. An empty value counts as missing.
    ///
    /// # Errors
    /// Names every variable with an invalid value, and every probably mistyped name.
    pub fn read<N: Into<OsString>, V: Into<OsString>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::of(variables);
        let warnings = reader.check_names();
        let database_url = reader.database_url();
        let tls = reader.tls();
        let listen = reader
            .parse("PLENUM_LISTEN", "must be an address and a port, for example 0.0.0.0:8080", |text| text.parse().ok())
            .unwrap_or_else(|| default_listen(tls.as_ref()));
        let config = Self {
            redirect_listen: reader.redirect_listen(tls.as_ref(), listen),
            database_url,
            secret_keys_dir: reader.text("PLENUM_SECRET_KEYS_DIR").map(PathBuf::from),
            evidence_key_file: reader.text("PLENUM_EVIDENCE_KEY_FILE").map(PathBuf::from),
            data_dir: reader.text("PLENUM_DATA_DIR").map_or_else(|| PathBuf::from(".plenum"), PathBuf::from),
            postgres_bin: reader.text("PLENUM_POSTGRES_BIN").map(PathBuf::from),
            listen,
            public_url: reader
                .parse("PLENUM_PUBLIC_URL", PUBLIC_URL_WANTED, read_origin)
                .or_else(|| public_url_of(tls.as_ref())),
            tls,
            base_path: reader.parse("PLENUM_BASE_PATH", BASE_PATH_WANTED, read_base_path).unwrap_or_default(),
            super_admin: reader.super_admin(),
            new_password: reader.parse("PLENUM_NEW_PASSWORD", PASSWORD_WANTED, read_password),
            jwt_secret: reader.parse("PLENUM_JWT_SECRET", SECRET_WANTED, |text| {
                (text.len() >= 32 && !is_guessable(text.as_bytes())).then(|| SigningSecret(text.to_owned()))
            }),
            cors_origins: reader
                .parse("PLENUM_CORS_ORIGINS", CORS_WANTED, |text| text.split(',').map(read_origin).collect())
                .unwrap_or_default(),
            trusted_proxies: reader
                .parse("PLENUM_TRUSTED_PROXIES", PROXIES_WANTED, TrustedProxies::parse)
                .unwrap_or_default(),
            connections: reader.parse("PLENUM_CONNECTIONS", NUMBER_WANTED, |text| text.parse().ok()),
            connections_per_address: reader
                .parse("PLENUM_CONNECTIONS_PER_ADDRESS", NUMBER_WANTED, |text| text.parse().ok()),
            streams_per_person: reader.parse("PLENUM_STREAMS_PER_PERSON", NUMBER_WANTED, |text| text.parse().ok()),
            metrics_token: reader.parse("PLENUM_METRICS_TOKEN", METRICS_WANTED, read_metrics_token),
            allow_vote_reset: reader.parse("PLENUM_ALLOW_VOTE_RESET", "must be on or off", read_switch),
            nats: reader.nats(),
            mail: reader.mail(),
            timestamps: reader.parse("PLENUM_TIMESTAMP_URL", TimestampAddress::WANTED, TimestampAddress::parse),
            timestamp_certificates: reader.text("PLENUM_TIMESTAMP_CERTIFICATES").map(PathBuf::from),
            drain: reader.parse("PLENUM_DRAIN_SECONDS", DRAIN_WANTED, read_drain).unwrap_or_default(),
            retention: reader.parse("PLENUM_RETENTION_YEARS", YEARS_WANTED, read_years).unwrap_or_default(),
            erase_inactive: reader.parse("PLENUM_ERASE_INACTIVE_YEARS", YEARS_WANTED, read_years),
            log: reader.parse("PLENUM_LOG", LOG_WANTED, read_log).unwrap_or_else(|| DEFAULT_LOG.to_owned()),
            log_format: reader
                .parse("PLENUM_LOG_FORMAT", "must be text or json", |text| match text {
                    "text" => Some(LogFormat::Text),
                    "json" => Some(LogFormat::Json),
                    _ => None,
                })
                .unwrap_or_default(),
            warnings,
        };
        if reader.errors.is_empty() { Ok(config) } else { Err(reader.errors) }
    }

    /// Reads the environment of the process.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn from_environment() -> Result<Self, Vec<ConfigError>> {
        Self::read(std::env::vars_os())
    }
}

/// The default log filter: lines of the product from `info` on. It omits lines of the HTTP library at start and stop, its
/// errors about invalid HTTP from clients, and the lines of the NATS client for each attempt to connect.
const DEFAULT_LOG: &str = "info,actix_server=warn,actix_http=off,async_nats=off";
const PUBLIC_URL_WANTED: &str = "must be an origin without a path, for example https://vote.example.org";
const SECRET_WANTED: &str = "must be at least 32 bytes long, and not guessable: no repetition of one byte or of a few (openssl rand -base64 48 \
                             creates one)";
const METRICS_WANTED: &str = "must be 16 to 256 letters, digits or other visible characters of ASCII, and not guessable: no repetition \
                              of one character or of a few";
const PASSWORD_WANTED: &str =
    "must be at least 8 characters and at most 72 bytes long, and not a repetition of one character";
const LOG_WANTED: &str =
    "must be a filter like info, or plenum=debug,warn, of the levels off, error, warn, info, debug and trace";
const UTF8_WANTED: &str = "must be text in UTF-8";
const BASE_PATH_WANTED: &str = "must be a path of letters, digits and hyphens, for example /plenum";
const CORS_WANTED: &str = "must be origins with commas between them, each named in full and without a path (no *), for example \
                           https://intranet.example.org,https://other.example.org:8443";
const NUMBER_WANTED: &str = "must be a whole number of at least 1";
const PROXIES_WANTED: &str = "must be addresses or networks of your own proxies with commas between them, for example 10.0.0.7,192.168.0.0/16; a network \
     wider than /8 (IPv6: /7) would trust everybody";

const SHARED_WANTED: &str = "must be set together with PLENUM_NATS_URL, and be the same for all instances";
const FROM_WANTED: &str = "must be set together with PLENUM_SMTP_URL, for example Plenum <no-reply@example.org>";

const YEARS_WANTED: &str = "must be a whole number of years from 1 to 100";
const DRAIN_WANTED: &str = "must be a number of seconds from 0 to 300";

fn read_years(text: &str) -> Option<Retention> {
    text.parse().ok().and_then(Retention::years)
}

fn read_drain(text: &str) -> Option<Duration> {
    text.parse().ok().filter(|seconds| *seconds <= 300).map(Duration::from_secs)
}

/// Refuses a mistyped level. The filter would treat it as the name of a module, and show no line at all.
fn read_log(text: &str) -> Option<String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let is_mistyped = |directive: &str| {
        let word = directive.trim().to_ascii_lowercase();
        !LEVELS.contains(&&*word) && LEVELS.iter().any(|level| letters_between(&word, level) <= 2)
    };
    let is_read = EnvFilter::try_new(text).is_ok() && !text.split(',').any(is_mistyped);
    is_read.then(|| text.to_owned())
}

fn read_password(text: &str) -> Option<Password> {
    let is_varied = text.chars().any(|letter| !text.starts_with(letter));
    Password::parse(text).ok().filter(|_| is_varied)
}

fn read_metrics_token(text: &str) -> Option<MetricsToken> {
    MetricsToken::parse(text).filter(|_| !is_guessable(text.as_bytes()))
}

fn read_base_path(text: &str) -> Option<String> {
    let path = text.trim_matches('/');
    let is_plain = |segment: &str| {
        !segment.is_empty()
            && segment.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
    };
    match path {
        "" => Some(String::new()),
        _ if path.split('/').all(is_plain) => Some(format!("/{path}")),
        _ => None,
    }
}

fn read_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "1" | "yes" => Some(true),
        "off" | "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// Reads values and collects errors.
struct Reader {
    variables: HashMap<String, OsString>,
    errors: Vec<ConfigError>,
}

impl Reader {
    fn of<N: Into<OsString>, V: Into<OsString>>(variables: impl IntoIterator<Item = (N, V)>) -> Self {
        // A name that is not UTF-8 is not a variable of Plenum.
        let named =
            variables.into_iter().filter_map(|(name, value)| Some((name.into().into_string().ok()?, value.into())));
        Self { variables: named.collect(), errors: Vec::new() }
    }

    /// Refuses mistyped names, and returns warnings.
    fn check_names(&mut self) -> Vec<String> {
        let are_set = self.variables.iter().filter(|(_, value)| !value.is_empty());
        let (errors, warnings) = check_names(are_set.map(|(name, _)| name.as_str()));
        self.errors.extend(errors);
        warnings
    }

    fn text(&mut self, variable: &'static str) -> Option<String> {
        let Some(text) = self.variables.get(variable)?.to_str() else {
            let error = ConfigError::new(variable, UTF8_WANTED);
            if !self.errors.contains(&error) {
                self.errors.push(error);
            }
            return None;
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Whether there is a value, valid or not.
    fn has(&self, variable: &str) -> bool {
        self.variables.get(variable).is_some_and(|value| value.to_str().is_none_or(|text| !text.trim().is_empty()))
    }

    fn database_url(&mut self) -> Option<DatabaseUrl> {
        const VARIABLE: &str = "DATABASE_URL";
        let text = self.text(VARIABLE)?;
        DatabaseUrl::parse(&text).map_err(|requirement| self.errors.push(ConfigError::new(VARIABLE, requirement))).ok()
    }

    fn parse<T>(
        &mut self,
        variable: &'static str,
        requirement: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(variable)?;
        let value = parse(&text);
        if value.is_none() {
            self.errors.push(ConfigError::new(variable, requirement));
        }
        value
    }

    /// A sender without a mail server is accepted: no mail is sent.
    fn mail(&mut self) -> Option<MailSettings> {
        const FROM: &str = "PLENUM_MAIL_FROM";
        let server = self.parse("PLENUM_SMTP_URL", SmtpAddress::WANTED, SmtpAddress::parse);
        if server.is_some() && !self.has(FROM) {
            self.errors.push(ConfigError::new(FROM, FROM_WANTED));
        }
        let sender = self.parse(FROM, Sender::WANTED, Sender::parse);
        server.zip(sender).map(|(server, sender)| MailSettings { server, sender })
    }

    /// Several instances must share the database and the signing key. A single instance can create both for itself.
    fn nats(&mut self) -> Option<NatsAddress> {
        let address = self.parse("PLENUM_NATS_URL", NatsAddress::WANTED, NatsAddress::parse)?;
        for variable in ["DATABASE_URL", "PLENUM_JWT_SECRET"] {
            if !self.has(variable) {
                self.errors.push(ConfigError::new(variable, SHARED_WANTED));
            }
        }
        Some(address)
    }

    fn super_admin(&mut self) -> Option<SuperAdminConfig> {
        const EMAIL: &str = "PLENUM_SUPER_ADMIN_EMAIL";
        const PASSWORD: &str = "PLENUM_SUPER_ADMIN_PASSWORD";
        match (self.has(EMAIL), self.has(PASSWORD)) {
            (false, false) => return None,
            (false, true) => self.errors.push(ConfigError::new(EMAIL, "must be set together with the password")),
            (true, false) => self.errors.push(ConfigError::new(PASSWORD, "must be set together with the address")),
            (true, true) => {}
        }
        let email = self.parse(EMAIL, "must be an email address", |text| EmailAddress::parse(text).ok());
        let password = self.parse(PASSWORD, PASSWORD_WANTED, read_password);
        email.zip(password).map(|(email, password)| SuperAdminConfig { email, password })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, Vec<ConfigError>> {
        Config::read(variables.iter().copied())
    }

    #[test]
    fn every_variable_is_optional() {
        let config = read(&[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.data_dir, PathBuf::from(".plenum"));
        assert_eq!((config.database_url, config.base_path.as_str()), (None, ""));
    }

    #[test]
    fn every_wrong_value_is_named() {
        let errors = read(&[
            ("DATABASE_URL", "mysql://x"),
            ("PLENUM_LISTEN", "localhost"),
            ("PLENUM_PUBLIC_URL", "vote.example.org"),
            ("PLENUM_BASE_PATH", "/a b"),
            ("PLENUM_JWT_SECRET", "short"),
            ("PLENUM_CORS_ORIGINS", "https://a.example,b"),
            ("PLENUM_TRUSTED_PROXIES", "10.0.0.7,proxy"),
            ("PLENUM_CONNECTIONS", "many"),
            ("PLENUM_CONNECTIONS_PER_ADDRESS", "0"),
            ("PLENUM_STREAMS_PER_PERSON", "-1"),
            ("PLENUM_METRICS_TOKEN", "too short"),
            ("PLENUM_ALLOW_VOTE_RESET", "perhaps"),
            ("PLENUM_DRAIN_SECONDS", "5s"),
            ("PLENUM_TIMESTAMP_URL", "ftp://timestamps.example.org"),
            ("PLENUM_LOG", "inof"),
            ("PLENUM_LOG_FORMAT", "xml"),
            ("PLENUM_SUPER_ADMIN_EMAIL", "anna"),
        ])
        .unwrap_err();
        let named: Vec<_> = errors.iter().map(|error| &*error.variable).collect();
        assert_eq!(
            named,
            [
                "DATABASE_URL",
                "PLENUM_LISTEN",
                "PLENUM_PUBLIC_URL",
                "PLENUM_BASE_PATH",
                "PLENUM_SUPER_ADMIN_PASSWORD",
                "PLENUM_SUPER_ADMIN_EMAIL",
                "PLENUM_JWT_SECRET",
                "PLENUM_CORS_ORIGINS",
                "PLENUM_TRUSTED_PROXIES",
                "PLENUM_CONNECTIONS",
                "PLENUM_CONNECTIONS_PER_ADDRESS",
                "PLENUM_STREAMS_PER_PERSON",
                "PLENUM_METRICS_TOKEN",
                "PLENUM_ALLOW_VOTE_RESET",
                "PLENUM_TIMESTAMP_URL",
                "PLENUM_DRAIN_SECONDS",
                "PLENUM_LOG",
                "PLENUM_LOG_FORMAT",
            ]
        );
        assert!(errors[1].to_string().contains("0.0.0.0:8080"));
    }

    #[test]
    fn a_base_path_starts_with_a_slash_and_ends_without_one() {
        for (typed, meant) in [("plenum", "/plenum"), ("/plenum/", "/plenum"), ("/a/b", "/a/b"), ("/", "")] {
            assert_eq!(read(&[("PLENUM_BASE_PATH", typed)]).unwrap().base_path, meant);
        }
    }

    #[test]
    fn a_super_administrator_has_an_address_and_a_password() {
        let config =
            read(&[("PLENUM_SUPER_ADMIN_EMAIL", "Root@Example.org"), ("PLENUM_SUPER_ADMIN_PASSWORD", "correct horse")]);
        assert_eq!(config.unwrap().super_admin.unwrap().email.as_str(), "root@example.org");
        let errors = read(&[("PLENUM_SUPER_ADMIN_PASSWORD", "correct horse")]).unwrap_err();
        assert_eq!(errors[0].variable, "PLENUM_SUPER_ADMIN_EMAIL");
    }

    #[test]
    fn trusted_proxies_are_addresses_and_networks_and_none_by_default() {
        let config = read(&[("PLENUM_TRUSTED_PROXIES", "10.0.0.7, 2001:db8::/32")]).unwrap();
        assert_eq!(Some(config.trusted_proxies), TrustedProxies::parse("10.0.0.7/32,2001:db8::/32"));
        assert_eq!(read(&[]).unwrap().trusted_proxies, TrustedProxies::default());
    }

    #[test]
    fn mail_needs_a_server_and_a_sender() {
        const SERVER: (&str, &str) = ("PLENUM_SMTP_URL", "smtps://me:secret@mail.example.org");
        const SENDER: (&str, &str) = ("PLENUM_MAIL_FROM", "Plenum <no-reply@example.org>");
        assert!(read(&[SERVER, SENDER]).unwrap().mail.is_some());
        assert_eq!((read(&[]).unwrap().mail, read(&[SENDER]).unwrap().mail), (None, None));
        let named = |variables: &[_]| -> Vec<_> {
            read(variables).unwrap_err().into_iter().map(|error| error.variable.into_owned()).collect()
        };
        assert_eq!(named(&[SERVER]), ["PLENUM_MAIL_FROM"]);
        assert_eq!(named(&[SERVER, ("PLENUM_MAIL_FROM", "nobody")]), ["PLENUM_MAIL_FROM"]);
        assert_eq!(named(&[("PLENUM_SMTP_URL", "mail.example.org"), SENDER]), ["PLENUM_SMTP_URL"]);
    }

    #[test]
    fn several_instances_share_a_database_and_a_key() {
        const NATS: (&str, &str) = ("PLENUM_NATS_URL", "nats://me:hunter2@nats.example.org");
        const SHARED: [(&str, &str); 2] =
            [("DATABASE_URL", "postgres://db/plenum"), ("PLENUM_JWT_SECRET", "0123456789abcdef0123456789abcdef")];
        let config = read(&[NATS, SHARED[0], SHARED[1]]).unwrap();
        assert!(config.nats.is_some() && !format!("{config:?}").contains("hunter2"));
        let named = |variables: &[_]| -> Vec<_> {
            read(variables).unwrap_err().into_iter().map(|error| error.variable.into_owned()).collect()
        };
        assert_eq!(named(&[NATS]), ["DATABASE_URL", "PLENUM_JWT_SECRET"]);
        assert_eq!(named(&[NATS, SHARED[0]]), ["PLENUM_JWT_SECRET"]);
        assert_eq!(named(&[("PLENUM_NATS_URL", "nats.example.org"), SHARED[0], SHARED[1]]), ["PLENUM_NATS_URL"]);
    }

    #[test]
    fn debug_output_of_the_configuration_contains_no_password() {
        let config = read(&[
            ("PLENUM_SMTP_URL", "smtps://me:hunter2@mail.example.org"),
            ("PLENUM_MAIL_FROM", "no-reply@example.org"),
            ("PLENUM_METRICS_TOKEN", "hunter2-and-a-token"),
            ("DATABASE_URL", "postgres://plenum:hunter2@mail.example.org/plenum"),
            ("PLENUM_JWT_SECRET", "hunter2-and-what-signs-access-tokens"),
        ]);
        let shown = format!("{config:?}");
        assert!(shown.contains("mail.example.org") && !shown.contains("hunter2"), "{shown}");
        let refused = read(&[("PLENUM_SMTP_URL", "smtp://me:hunter2@mail.example.org/x")]).unwrap_err();
        assert!(!format!("{refused:?} {}", refused[0]).contains("hunter2"));
    }

    #[test]
    fn a_guessable_secret_is_refused() {
        for (variable, value) in [
            ("PLENUM_JWT_SECRET", "a".repeat(48)),
            ("PLENUM_JWT_SECRET", "12345678".repeat(5)),
            ("PLENUM_JWT_SECRET", "01".repeat(20)),
            ("PLENUM_METRICS_TOKEN", "x".repeat(16)),
            ("PLENUM_METRICS_TOKEN", "abcd".repeat(4)),
            ("PLENUM_NEW_PASSWORD", "a".repeat(12)),
        ] {
            let refused = read(&[(variable, &value)]).unwrap_err();
            assert_eq!((&*refused[0].variable, refused.len()), (variable, 1), "{value}");
            assert!(!refused[0].to_string().contains(&value));
        }
        let password = [("PLENUM_SUPER_ADMIN_EMAIL", "a@example.org"), ("PLENUM_SUPER_ADMIN_PASSWORD", "aaaaaaaaaa")];
        assert_eq!(read(&password).unwrap_err()[0].variable, "PLENUM_SUPER_ADMIN_PASSWORD");
        assert!(read(&[("PLENUM_JWT_SECRET", "0123456789abcdef0123456789abcdef")]).is_ok());
    }

    #[test]
    fn every_value_must_be_text() {
        use std::os::unix::ffi::OsStringExt as _;

        for variable in variable_names::VARIABLES {
            let garbled = OsString::from_vec(b"postgres://plenum:hunter2\xff@db/plenum".to_vec());
            let refused = Config::read([(*variable, garbled)]).expect_err(variable);
            assert!(refused.contains(&ConfigError::new(*variable, UTF8_WANTED)), "{refused:?}");
        }
    }

    #[test]
    fn a_network_of_all_addresses_is_not_a_proxy() {
        for value in ["0.0.0.0/0", "::/0", "10.0.0.7,0.0.0.0/1", "0.0.0.0", "::", "::ffff:0:0/96", "10.0.0.0/7"] {
            let refused = read(&[("PLENUM_TRUSTED_PROXIES", value)]).expect_err(value);
            assert_eq!(refused[0].variable, "PLENUM_TRUSTED_PROXIES", "{value}");
        }
        for value in ["10.0.0.0/8", "fc00::/7", "127.0.0.1,::1", "::ffff:10.0.0.7"] {
            assert!(read(&[("PLENUM_TRUSTED_PROXIES", value)]).is_ok(), "{value}");
        }
    }

    #[test]
    fn a_switch_takes_the_documented_words() {
        let read = |word| read(&[("PLENUM_ALLOW_VOTE_RESET", word)]).unwrap().allow_vote_reset;
        let documented = include_str!("../../../../docs/operations.md");
        for (word, is_on) in [("on", true), ("true", true), ("yes", true), ("1", true)].into_iter().chain([
            ("off", false),
            ("false", false),
            ("no", false),
            ("0", false),
        ]) {
            assert_eq!(read(word), Some(is_on), "{word}");
            let line = documented.lines().find(|line| line.starts_with("| `PLENUM_ALLOW_VOTE_RESET`")).unwrap();
            assert!(line.contains(&format!("`{word}`")), "{word}: {line}");
        }
    }

    #[test]
    fn an_empty_value_counts_as_missing() {
        assert_eq!(read(&[("DATABASE_URL", " "), ("PLENUM_JWT_SECRET", "")]), read(&[]));
    }
}
