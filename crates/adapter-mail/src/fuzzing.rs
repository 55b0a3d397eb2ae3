//! The invariants of mail server addresses and mail headers, for any input. The tests below check them with random
//! texts, and so does the target `addresses` of `fuzz/`.

use plenum_meetings::Mail;

use crate::message::write;
use crate::{Sender, SmtpAddress};

/// Checks `data` as the address of a mail server, as a sender, and as the headers of a message.
pub fn addresses(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Some(address) = SmtpAddress::parse(&text) {
        assert!(!address.host.is_empty(), "{text:?}");
    }
    let secret = "u4Zq9secret";
    if let Some(address) = SmtpAddress::parse(&format!("smtps://somebody:{secret}@{text}")) {
        let shown = format!("{address:?}");
        assert!(text.contains(secret) || !shown.contains(secret), "{shown}");
    }
    let _ = Sender::parse(&text);
    headers(&text);
}

/// A message has the same headers, each once, and is ASCII, for any names and subjects. An address cannot begin a
/// header either; its characters stay unchanged (RFC 6532).
pub fn headers(text: &str) {
    let sender = Sender::parse("Plenum <no-reply@example.org>").expect("a sender");
    let mail = |text: &str| Mail {
        reference: "019a.7".to_owned(),
        to_name: text.to_owned(),
        to: "zoe@example.org".to_owned(),
        reply_to_name: text.to_owned(),
        reply_to: "board@rowing.example".to_owned(),
        subject: text.to_owned(),
        text: "Hello".to_owned(),
        code: None,
    };
    let names = |text: &str| {
        write(&sender, &mail(text)).map(|message| {
            let written = message.formatted();
            assert!(written.is_ascii(), "{text:?} is not coded");
            header_names(&written)
        })
    };
    let plain = names("Zoe").expect("a message");
    if let Ok(names) = names(text) {
        assert_eq!(names, plain, "{text:?} makes other headers");
    }
    // A text that lettre accepts as an address is one address.
    let to = Mail { to: text.to_owned(), reply_to: text.to_owned(), ..mail("Zoe") };
    if let Ok(message) = write(&sender, &to) {
        let names = header_names(&message.formatted());
        assert!(names.iter().all(|name| plain.contains(name)), "{text:?} makes other headers: {names:?}");
    }
}

fn header_names(message: &[u8]) -> Vec<String> {
    let message = String::from_utf8_lossy(message).into_owned();
    let (headers, _) = message.split_once("\r\n\r\n").expect("headers and a body");
    let begins = headers.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
    begins.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_begins_a_header(words in vec(prop_oneof![
            select(vec!["\r\n", "\n", "\r", "Bcc: ", "a@b.example", "\"", "<", ">", ",", "\u{85}", "\u{2028}", " ", "\0", "=?"])
                .prop_map(str::to_owned),
            vec(any::<char>(), 0..30).prop_map(String::from_iter),
        ], 0..12)) {
            headers(&words.concat());
            addresses(words.concat().as_bytes());
        }

        #[test]
        fn an_address_is_parsed_or_refused(text in "(smtps?://)?[a-z0-9:@/.%?=&\\[\\]#-]{0,40}") {
            addresses(text.as_bytes());
        }
    }
}
