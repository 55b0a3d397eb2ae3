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

/// The timeouts of the steps of a conversation with the mail server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connection, encryption and sign-in.
    pub connect: Duration,
    /// Sender and recipient.
    pub envelope: Duration,
    /// The message, until the server confirms it.
    pub content: Duration,
    /// The end of the conversation.
    pub quit: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            envelope: Duration::from_secs(30),
            content: Duration::from_secs(60),
            quit: Duration::from_secs(2),
        }
    }
}

/// The mailer cannot encrypt connections.
#[derive(Debug, thiserror::Error)]
#[error("connections to the mail server cannot be encrypted")]
pub struct MailerError(#[source] Error);

/// Sends messages by SMTP, each with its own connection.
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
    /// A mailer, which connects for each message.
    ///
    /// # Errors
    /// Fails when connections must be encrypted and cannot be.
    pub fn new(settings: MailSettings, limits: Limits) -> Result<Self, MailerError> {
        let tls = match settings.server.security {
            Security::None => None,
            Security::StartTls | Security::Tls => {
                Some(TlsParameters::new(settings.server.host.clone()).map_err(MailerError)?)
            }
        };
        Ok(Self { settings, limits, tls })
    }

    /// Checks whether the mail server answers and accepts the sign-in. Sends nothing.
    ///
    /// # Errors
    /// States the reason, as a sentence for people.
    pub async fn check(&self) -> Result<(), MailFailure> {
        let connection = self.connect().await?;
        self.quit(connection).await;
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
        // The sender's domain. Unlike the name of the machine, it is known everywhere.
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
                .map_err(|error| later("auth", "The mail server refused the sign-in", &error))?;
        }
        Ok(connection)
    }

    /// Transfers sender and recipient. Nothing is sent yet.
    async fn transfer_envelope(
        &self,
        connection: &mut AsyncSmtpConnection,
        message: &Message,
    ) -> Result<(), MailFailure> {
        let envelope = message.envelope();
        let mut parameters = Vec::new();
        let is_ascii = |address: &Address| address.user().is_ascii() && address.domain().is_ascii();
        if !envelope.from().into_iter().chain(envelope.to()).all(is_ascii) {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(MailFailure::Refused(UNSUPPORTED_CHARACTERS.to_owned()));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        // A refusal here concerns this installation, not the recipient. A later attempt or another configuration may
        // succeed.
        connection
            .command(MailFrom::new(envelope.from().cloned(), parameters))
            .await
            .map_err(|error| later("mail from", "The mail server refused the sender", &error))?;
        for recipient in envelope.to() {
            connection
                .command(Rcpt::new(recipient.clone(), Vec::new()))
                .await
                .map_err(|error| refused_or_later("rcpt to", "The mail server refused the address", &error))?;
        }
        connection
            .command(Data)
            .await
            .map_err(|error| refused_or_later("data", "The mail server refused the message", &error))?;
        Ok(())
    }

    /// Transfers the message. Without an answer, the outcome is unknown.
    async fn transfer_message(
        &self,
        connection: &mut AsyncSmtpConnection,
        message: &Message,
    ) -> Result<(), MailFailure> {
        match timeout(self.limits.content, connection.message(&message.formatted())).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if error.status().is_some() => {
                Err(refused_or_later("content", "The mail server refused the message", &error))
            }
            Ok(Err(_)) | Err(_) => {
                tracing::warn!(phase = "content", "the mail server did not confirm a message");
                Err(MailFailure::NotKnown)
            }
        }
    }

    /// Ends the conversation. Its outcome does not matter.
    async fn quit(&self, mut connection: AsyncSmtpConnection) {
        let _ = timeout(self.limits.quit, connection.quit()).await;
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailFailure> {
        let message = message::write(&self.settings.sender, &mail)?;
        let mut connection = self.connect().await?;
        let envelope_outcome = timeout(self.limits.envelope, self.transfer_envelope(&mut connection, &message)).await;
        let outcome = match envelope_outcome {
            Ok(Ok(())) => self.transfer_message(&mut connection, &message).await,
            Ok(Err(failure)) => Err(failure),
            Err(_) => return Err(unreachable("envelope", "The mail server did not answer in time.")),
        };
        if outcome != Err(MailFailure::NotKnown) {
            self.quit(connection).await;
        }
        outcome
    }
}

const UNSUPPORTED_CHARACTERS: &str = "The mail server does not support addresses with these characters.";

/// Replies that concern this installation in any step: sign-in required, wrong sign-in, encryption required.
const OWN_FAULTS: [u16; 4] = [530, 534, 535, 538];

/// A failure after which another attempt may succeed. The log has no addresses or passwords, which the reply may
/// repeat.
fn later(phase: &'static str, what: &str, error: &Error) -> MailFailure {
    let code = error.status().map(u16::from);
    tracing::warn!(phase, code, "the mail server cannot be used");
    MailFailure::Unreachable(describe(what, error))
}

fn refused_or_later(phase: &'static str, what: &str, error: &Error) -> MailFailure {
    let is_own_fault = error.status().is_some_and(|code| OWN_FAULTS.contains(&code.into()));
    if error.is_permanent() && !is_own_fault {
        MailFailure::Refused(describe(what, error))
    } else {
        later(phase, what, error)
    }
}

fn unreachable(phase: &'static str, text: &str) -> MailFailure {
    tracing::warn!(phase, "the mail server did not answer in time");
    MailFailure::Unreachable(text.to_owned())
}

/// Describes a failure, with the answer of the mail server.
fn describe(what: &str, error: &Error) -> String {
    const LONGEST: usize = 300;
    let Some(code) = error.status() else { return format!("{what}.") };
    let reply_text = error.source().map(ToString::to_string).unwrap_or_default();
    let reply_text: Vec<&str> =
        reply_text.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    let reply_text: String = reply_text.join(" ").chars().take(LONGEST).collect();
    format!("{what}: {code} {reply_text}").trim_end().to_owned()
}
