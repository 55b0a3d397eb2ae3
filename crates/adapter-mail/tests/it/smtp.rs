//! The mailer with all answers of a mail server, and with none.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

use std::time::Duration;

use plenum_adapter_mail::testkit::{FakeSmtpServer, ServerBehavior, Treatment};
use plenum_adapter_mail::{Limits, MailSettings, Sender, SmtpAddress, SmtpMailer};
use plenum_meetings::{Mail, MailFailure, Mailer};

const ZOE: &str = "zoe@example.org";

/// Short timeouts, for a server that never answers.
fn short_limits() -> Limits {
    let soon = Duration::from_millis(300);
    Limits { connect: soon, envelope: soon, content: soon, quit: soon }
}

fn mailer_at(url: &str, limits: Limits) -> SmtpMailer {
    let server = SmtpAddress::parse(url).unwrap();
    let sender = Sender::parse("Plenum <no-reply@example.org>").unwrap();
    SmtpMailer::new(MailSettings { server, sender }, limits).unwrap()
}

fn mailer(server: &FakeSmtpServer) -> SmtpMailer {
    mailer_at(&server.url(), Limits::default())
}

fn mail() -> Mail {
    Mail {
        reference: "019a.7".to_owned(),
        to_name: "Zoë".to_owned(),
        to: ZOE.to_owned(),
        reply_to_name: "Rowing Club".to_owned(),
        reply_to: "board@rowing.example".to_owned(),
        subject: "Invitation".to_owned(),
        text: "Hello,\n.\nthe end\n".to_owned(),
        code: None,
    }
}

fn reason(outcome: Result<(), MailFailure>) -> String {
    match outcome {
        Err(MailFailure::Refused(error)) => format!("refused: {error}"),
        Err(MailFailure::Unreachable(error)) => format!("unreachable: {error}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_message_arrives_unchanged() {
    let server = FakeSmtpServer::start();
    mailer(&server).send(mail()).await.unwrap();
    let [kept] = <[_; 1]>::try_from(server.kept()).unwrap();
    assert_eq!(kept.to, ZOE);
    assert!(kept.content.contains("Message-ID: <019a.7@example.org>\r\n"), "{}", kept.content);
    assert!(kept.content.ends_with("\r\n\r\nHello,\r\n.\r\nthe end\r\n\r\n"), "{:?}", kept.content);
}

#[tokio::test]
async fn a_refused_recipient_or_message_is_refused_for_good() {
    let server = FakeSmtpServer::start();
    server.treat(ZOE, Treatment::AnswerRecipient("550 5.1.1 No such mailbox".to_owned()));
    let text = reason(mailer(&server).send(mail()).await);
    assert_eq!(text, "refused: The mail server refused the address: 550 5.1.1 No such mailbox");
    server.treat(ZOE, Treatment::AnswerContent("554 Looks like spam".to_owned()));
    let text = reason(mailer(&server).send(mail()).await);
    assert_eq!(text, "refused: The mail server refused the message: 554 Looks like spam");
    assert_eq!(server.kept(), []);
}

#[tokio::test]
async fn temporary_failures_are_distinguished() {
    let server = FakeSmtpServer::start();
    for treatment in [
        Treatment::AnswerRecipient("451 Come back".to_owned()),
        Treatment::AnswerRecipient("530 Sign in first".to_owned()),
        Treatment::AnswerContent("421 Going down".to_owned()),
        Treatment::AnswerContent("452 Disk full".to_owned()),
    ] {
        server.treat(ZOE, treatment.clone());
        let text = reason(mailer(&server).send(mail()).await);
        assert!(text.starts_with("unreachable: The mail server refused"), "{treatment:?}: {text}");
    }
    server.set_behavior(ServerBehavior::Closed("421 Too many connections".to_owned()));
    let text = reason(mailer(&server).send(mail()).await);
    assert_eq!(text, "unreachable: The mail server cannot be reached: 421 Too many connections");
    assert_eq!(server.kept(), []);
}

#[tokio::test]
async fn the_outcome_of_an_unconfirmed_message_is_unknown() {
    let server = FakeSmtpServer::start();
    server.treat(ZOE, Treatment::KeepAndCut);
    assert_eq!(mailer(&server).send(mail()).await, Err(MailFailure::NotKnown));
    server.treat(ZOE, Treatment::KeepAndHold);
    let limits = Limits { content: Duration::from_millis(300), ..Limits::default() };
    assert_eq!(mailer_at(&server.url(), limits).send(mail()).await, Err(MailFailure::NotKnown));
    assert_eq!(server.kept().len(), 2);
}

#[tokio::test]
async fn a_missing_or_silent_server_is_unreachable() {
    let server = FakeSmtpServer::start();
    server.set_behavior(ServerBehavior::Silent);
    let text = reason(mailer_at(&server.url(), short_limits()).send(mail()).await);
    assert_eq!(text, "unreachable: The mail server did not answer in time.");
    let url = server.url();
    drop(server);
    let text = reason(mailer_at(&url, Limits::default()).send(mail()).await);
    assert_eq!(text, "unreachable: The mail server cannot be reached.");
    let text = reason(mailer_at(&url, Limits::default()).check().await);
    assert_eq!(text, "unreachable: The mail server cannot be reached.");
}

#[tokio::test]
async fn the_mailer_signs_in_and_never_reveals_the_password() {
    let server = FakeSmtpServer::start();
    // "\0user\0pass"
    server.set_behavior(ServerBehavior::WantsSignIn("AHVzZXIAcGFzcw==".to_owned()));
    let right = mailer_at(&server.url_with_account("user", "pass"), Limits::default());
    right.check().await.unwrap();
    right.send(mail()).await.unwrap();
    let wrong = mailer_at(&server.url_with_account("user", "guess"), Limits::default());
    let text = reason(wrong.send(mail()).await);
    assert_eq!(text, "unreachable: The mail server refused the sign-in: 535 Authentication failed");
    assert!(!format!("{wrong:?} {text}").contains("guess"));
    assert_eq!(server.kept().len(), 1);
}

#[tokio::test]
async fn nothing_is_sent_unencrypted_when_encryption_is_required() {
    let server = FakeSmtpServer::start();
    let url = format!("{}?tls=required", server.url());
    let text = reason(mailer_at(&url, Limits::default()).send(mail()).await);
    assert_eq!(text, "unreachable: The connection to the mail server cannot be encrypted.");
    let text = reason(mailer_at(&server.url().replace("smtp:", "smtps:"), short_limits()).check().await);
    assert!(text.starts_with("unreachable: "), "{text}");
    assert_eq!(server.kept(), []);
}
