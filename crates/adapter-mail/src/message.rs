use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart, SinglePart};
use lettre::{Address, address::Envelope};
use plenum_meetings::{AttachedCode, Mail, MailFailure};

use crate::Sender;
use crate::picture::draw;

/// Formats the message for transfer. Its `Message-ID` derives from the reference, so that all attempts have the same
/// one.
pub(crate) fn write(sender: &Sender, mail: &Mail) -> Result<Message, MailFailure> {
    let to: Address = mail.to.parse().map_err(|_| MailFailure::Refused(NO_ADDRESS.to_owned()))?;
    let envelope = Envelope::new(Some(sender.0.email.clone()), vec![to.clone()])
        .map_err(|error| MailFailure::Refused(error.to_string()))?;
    let mut message = Message::builder()
        .envelope(envelope)
        .from(sender.0.clone())
        .to(mailbox(&mail.to_name, to))
        .subject(one_line(&mail.subject))
        .message_id(Some(format!("<{}@{}>", mail.reference, sender.0.email.domain())))
        // Prevents automatic replies (RFC 3834).
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()));
    // Replies go to people. Without such an address they go to the sender.
    if let Ok(reply_to) = mail.reply_to.parse() {
        message = message.reply_to(mailbox(&mail.reply_to_name, reply_to));
    }
    let written = match &mail.code {
        None => message.header(ContentType::TEXT_PLAIN).body(mail.text.clone()),
        Some(code) => message.multipart(with_picture(&mail.text, code)?),
    };
    written.map_err(|error| MailFailure::Refused(error.to_string()))
}

/// The text, and the code as an attached picture: mail programs show it below the text, and keep it. They would remove a picture
/// inside an HTML text that has no attachment.
fn with_picture(text: &str, code: &AttachedCode) -> Result<MultiPart, MailFailure> {
    let failed = |error: String| MailFailure::Refused(format!("The QR code cannot be drawn: {error}."));
    let png = draw(&code.content).map_err(|error| failed(error.to_string()))?;
    let kind = ContentType::parse("image/png").map_err(|error| failed(error.to_string()))?;
    let picture = Attachment::new(format!("{}.png", code.name)).body(png, kind);
    Ok(MultiPart::mixed().singlepart(SinglePart::plain(text.to_owned())).singlepart(picture))
}

const NO_ADDRESS: &str = "Mail cannot be sent to this address.";
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

fn mailbox(name: &str, address: Address) -> Mailbox {
    Mailbox::new(Some(one_line(name)).filter(|name| !name.is_empty()), address)
}

/// Removes line breaks, so that the value of a header cannot begin another one.
fn one_line(text: &str) -> String {
    text.split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail() -> Mail {
        Mail {
            reference: "019a.7".to_owned(),
            to_name: "Zoë \"Z\" Müller, Dr.".to_owned(),
            to: "zoe@example.org".to_owned(),
            reply_to_name: "Rowing Club".to_owned(),
            reply_to: "board@rowing.example".to_owned(),
            subject: "Invitation: Jahreshauptversammlung für alle".to_owned(),
            text: "Hello Zoë,\n\nJoin here: https://vote.example.org/vote/q3Zr8\n".to_owned(),
            code: None,
        }
    }

    fn written(mail: &Mail) -> String {
        let sender = Sender::parse("Plenum <no-reply@example.org>").unwrap();
        String::from_utf8(write(&sender, mail).unwrap().formatted()).unwrap()
    }

    fn header(message: &str, name: &str) -> String {
        let (headers, _) = message.split_once("\r\n\r\n").unwrap();
        let unfolded = headers.replace("\r\n ", " ");
        let line = unfolded.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned));
        line.unwrap_or_else(|| panic!("no {name} in {message}"))
    }

    #[test]
    fn a_message_has_all_headers_in_ascii() {
        let message = written(&mail());
        assert!(message.is_ascii(), "{message}");
        assert_eq!(header(&message, "From"), "Plenum <no-reply@example.org>");
        assert_eq!(header(&message, "Message-ID"), "<019a.7@example.org>");
        assert_eq!(header(&message, "Auto-Submitted"), "auto-generated");
        assert_eq!(header(&message, "Reply-To"), "\"Rowing Club\" <board@rowing.example>");
        assert_eq!(header(&message, "Content-Type"), "text/plain; charset=utf-8");
        let to = header(&message, "To");
        assert!(to.starts_with("=?utf-8?") && to.ends_with(" <zoe@example.org>"), "{to}");
        assert!(header(&message, "Subject").contains("=?utf-8?"), "{message}");
        assert!(!header(&message, "Date").is_empty());
        assert!(
            message.contains("Hello Zo=C3=AB,\r\n\r\nJoin here: https://vote.example.org/vote/q3Zr8\r\n"),
            "{message}"
        );
    }

    #[test]
    fn a_code_is_attached_as_a_picture() {
        let code = AttachedCode { content: "PLENUM-IN:019A".to_owned(), name: "check-in-code".to_owned() };
        let message = written(&Mail { code: Some(code), ..mail() });
        assert!(message.is_ascii(), "{message}");
        assert!(header(&message, "Content-Type").starts_with("multipart/mixed;"), "{message}");
        assert!(message.contains("Content-Type: text/plain; charset=utf-8\r\n"), "{message}");
        assert!(message.contains("Hello Zo=C3=AB,\r\n\r\nJoin here:"), "{message}");
        let (_, picture) =
            message.split_once("Content-Disposition: attachment; filename=\"check-in-code.png\"").unwrap();
        let (headers, content) = picture.split_once("\r\n\r\n").unwrap();
        assert!(message.contains("Content-Type: image/png\r\n"), "{headers}");
        assert!(content.starts_with("iVBORw0KGgo"), "{content}");
        let long = AttachedCode { content: "x".repeat(5_000), name: "code".to_owned() };
        let sender = Sender::parse("no-reply@example.org").unwrap();
        let refused = write(&sender, &Mail { code: Some(long), ..mail() });
        assert!(matches!(refused, Err(MailFailure::Refused(_))), "a QR code has at most 2,953 bytes");
    }

    #[test]
    fn no_value_begins_another_header() {
        let evil = "x\r\nBcc: all@example.org\r\n\r\nbody";
        let mail = Mail {
            to_name: evil.to_owned(),
            reply_to_name: evil.to_owned(),
            subject: evil.to_owned(),
            text: "Text.\n".to_owned(),
            ..mail()
        };
        let message = written(&mail);
        let (headers, body) = message.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, "Text.\r\n");
        assert!(!headers.lines().any(|line| line.starts_with("Bcc")), "{headers}");
        let plain = written(&Mail { to_name: "x".to_owned(), ..self::mail() });
        let names = |message: &str| -> Vec<String> {
            let (headers, _) = message.split_once("\r\n\r\n").unwrap();
            let lines = headers.lines().filter(|line| !line.starts_with(' '));
            lines.map(|line| line.split(':').next().unwrap().to_owned()).collect()
        };
        assert_eq!(names(&message), names(&plain));
    }

    #[test]
    fn an_invalid_recipient_is_refused_and_the_reply_address_is_optional() {
        let sender = Sender::parse("no-reply@example.org").unwrap();
        for wrong in ["", "zoe", "zoe@example.org\r\nBcc: x@example.org", "a@example.org, b@example.org"] {
            let refused = write(&sender, &Mail { to: wrong.to_owned(), ..mail() });
            assert!(matches!(refused, Err(MailFailure::Refused(_))), "{wrong:?}");
        }
        let message = written(&Mail { reply_to: "nowhere".to_owned(), ..mail() });
        assert!(!message.contains("Reply-To"), "{message}");
    }
}
