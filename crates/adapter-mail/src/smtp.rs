use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::{Address, Message};
use plenum_meetings::{Mail, MailFailure, Mailer};
use tokio::time::timeout;

use crate::settings::Security;
use crate::{MailSettings, message};

/// How long each step of a conversation with the mail server may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connecting, encrypting and signing in.
    pub connect: Duration,
    /// Naming sender and recipient.
    pub envelope: Duration,
    /// Handing the message over, until the server has confirmed it.
    pub content: Duration,
    /// Saying goodbye.
    pub goodbye: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            envelope: Duration::from_secs(30),
            content: Duration::from_secs(60),
            goodbye: Duration::from_secs(2),
        }
    }
}

/// Why there is no mailer.
#[derive(Debug, thiserror::Error)]
#[error("connections to the mail server cannot be encrypted")]
pub struct MailerError(#[source] Error);

/// Sends messages by SMTP, each over a connection of its own.
pub struct SmtpMailer {
    settings: MailSettings,
    limits: Limits,
    tls: Option<TlsParameters>,
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpMailer")
            .field("settings", &self.settings)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl SmtpMailer {
    /// A mailer that connects as needed.
    ///
    /// # Errors
    /// Fails when connections are to be encrypted and cannot be.
    pub fn new(settings: MailSettings, limits: Limits) -> Result<Self, MailerError> {
        let tls = match settings.server.security {
            Security::None => None,
            Security::StartTls | Security::Tls => {
                Some(TlsParameters::new(settings.server.host.clone()).map_err(MailerError)?)
            }
        };
        Ok(Self { settings, limits, tls })
    }

    /// Whether the mail server answers, and takes the sign-in. Sends nothing.
    ///
    /// # Errors
    /// Says, for people, why it does not.
    pub async fn check(&self) -> Result<(), MailFailure> {
        let connection = self.connect().await?;
        self.leave(connection).await;
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, MailFailure> {
        match timeout(self.limits.connect, self.connect_and_sign_in()).await {
            Ok(outcome) => outcome,
            Err(_) => Err(unreachable("connect", "The mail server did not answer in time.")),
        }
    }

    async fn connect_and_sign_in(&self) -> Result<AsyncSmtpConnection, MailFailure> {
        let server = &self.settings.server;
        // The sender's domain is ours, and other than the machine's name it is known everywhere.
        let hello = ClientId::Domain(self.settings.sender.0.email.domain().to_owned());
        let tls_at_once = self.tls.clone().filter(|_| server.security == Security::Tls);
        let address = (server.host.as_str(), server.port);
        let mut connection = AsyncSmtpConnection::connect_tokio1(address, None, &hello, tls_at_once, None)
            .await
            .map_err(|error| later("connect", "The mail server cannot be reached", &error))?;
        if let Some(tls) = self.tls.clone().filter(|_| server.security == Security::StartTls) {
            connection
                .starttls(tls, &hello)
                .await
                .map_err(|error| later("starttls", "The connection to the mail server cannot be encrypted", &error))?;
        }
        if let Some(account) = &server.account {
            let credentials = Credentials::new(account.user.clone(), account.password.clone());
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .await
                .map_err(|error| later("auth", "The mail server does not take the sign-in", &error))?;
        }
        Ok(connection)
    }

    /// Names sender and recipient. Nothing is sent yet.
    async fn begin(&self, connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), MailFailure> {
        let envelope = message.envelope();
        let mut parameters = Vec::new();
        let is_ascii = |address: &Address| address.user().is_ascii() && address.domain().is_ascii();
        if !envelope.from().into_iter().chain(envelope.to()).all(is_ascii) {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(MailFailure::Refused(FOREIGN_LETTERS.to_owned()));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        // Who is refused here is us, not the recipient: another time, or another configuration, may do.
        connection
            .command(MailFrom::new(envelope.from().cloned(), parameters))
            .await
            .map_err(|error| later("mail from", "The mail server does not take the sender", &error))?;
        for recipient in envelope.to() {
            connection
                .command(Rcpt::new(recipient.clone(), Vec::new()))
                .await
                .map_err(|error| refused_or_later("rcpt to", "The mail server does not take the address", &error))?;
        }
        connection
            .command(Data)
            .await
            .map_err(|error| refused_or_later("data", "The mail server does not take the message", &error))?;
        Ok(())
    }

    /// Hands the message over. From here on, no answer means that nobody knows.
    async fn hand_over(&self, connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), MailFailure> {
        match timeout(self.limits.content, connection.message(&message.formatted())).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if error.status().is_some() => {
                Err(refused_or_later("content", "The mail server does not take the message", &error))
            }
            Ok(Err(_)) | Err(_) => {
                tracing::warn!(phase = "content", "the mail server did not confirm a message");
                Err(MailFailure::NotKnown)
            }
        }
    }

    /// Says goodbye, as is polite. What comes of it changes nothing.
    async fn leave(&self, mut connection: AsyncSmtpConnection) {
        let _ = timeout(self.limits.goodbye, connection.quit()).await;
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailFailure> {
        let message = message::write(&self.settings.sender, &mail)?;
        let mut connection = self.connect().await?;
        let begun = timeout(self.limits.envelope, self.begin(&mut connection, &message)).await;
        let outcome = match begun {
            Ok(Ok(())) => self.hand_over(&mut connection, &message).await,
            Ok(Err(failure)) => Err(failure),
            Err(_) => return Err(unreachable("envelope", "The mail server did not answer in time.")),
        };
        if outcome != Err(MailFailure::NotKnown) {
            self.leave(connection).await;
        }
        outcome
    }
}

const FOREIGN_LETTERS: &str = "The mail server does not take addresses with such letters.";

/// Replies that speak of us, whatever they are given to: sign in first, the sign-in is wrong, encrypt first.
const ABOUT_US: [u16; 4] = [530, 534, 535, 538];

/// A failure after which another try may do. Addresses and passwords stay out of the log: the reply may repeat them.
fn later(phase: &'static str, what: &str, error: &Error) -> MailFailure {
    let code = error.status().map(u16::from);
    tracing::warn!(phase, code, "the mail server cannot be used");
    MailFailure::Unreachable(describe(what, error))
}

fn refused_or_later(phase: &'static str, what: &str, error: &Error) -> MailFailure {
    let is_about_us = error.status().is_some_and(|code| ABOUT_US.contains(&code.into()));
    if error.is_permanent() && !is_about_us {
        MailFailure::Refused(describe(what, error))
    } else {
        later(phase, what, error)
    }
}

fn unreachable(phase: &'static str, text: &str) -> MailFailure {
    tracing::warn!(phase, "the mail server did not answer in time");
    MailFailure::Unreachable(text.to_owned())
}

/// What went wrong, with what the mail server said.
fn describe(what: &str, error: &Error) -> String {
    const LONGEST: usize = 300;
    let Some(code) = error.status() else { return format!("{what}.") };
    let said = error.source().map(ToString::to_string).unwrap_or_default();
    let said: Vec<&str> = said.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    let said: String = said.join(" ").chars().take(LONGEST).collect();
    format!("{what}: {code} {said}").trim_end().to_owned()
}
