//! The plaintext of a ballot: JSON in UTF-8, with exactly one member, as `JSON.stringify` of every browser writes it.
//!
//! | answer | plaintext |
//! | --- | --- |
//! | options | `{"options":[1,3]}`: positions in the frozen wording from 1, ascending |
//! | a number | `{"number":"37.5"}` |
//! | a text, or the marks of an election with blanks between them | `{"text":"…"}` |
//!
//! Each answer has one plaintext: without blanks, and escaped only where JSON demands it. All else is refused, so that nothing
//! can be hidden beside an answer. That is why no general JSON parser reads it.

use std::fmt;

/// The answer in a sealed ballot. Whether it fits the question is for the caller to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealedAnswer {
    /// The positions of the chosen options in the frozen wording, from 1, ascending.
    Options(Vec<u16>),
    /// A decimal number, as typed: digits, perhaps a point and more digits, perhaps a sign before them.
    Number(String),
    /// A text in the voter's own words.
    Text(String),
}

/// A plaintext that is not an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPlaintext;

impl fmt::Display for BadPlaintext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sealed ballot does not contain an answer")
    }
}

impl std::error::Error for BadPlaintext {}

impl SealedAnswer {
    /// The maximum length of a number in characters.
    pub const MAX_NUMBER: usize = 40;

    /// Reads a plaintext.
    ///
    /// # Errors
    /// Refuses all but the one form of an answer.
    pub fn parse(plaintext: &[u8]) -> Result<Self, BadPlaintext> {
        let text = std::str::from_utf8(plaintext).map_err(|_| BadPlaintext)?;
        let within = |prefix, suffix| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        if let Some(positions) = within("{\"options\":[", "]}") {
            read_positions(positions).map(Self::Options)
        } else if let Some(number) = within("{\"number\":\"", "\"}") {
            is_number(number).then(|| Self::Number(number.to_owned()))
        } else {
            within("{\"text\":\"", "\"}").and_then(unescape).map(Self::Text)
        }
        .ok_or(BadPlaintext)
    }

    /// Writes the plaintext. [`Self::parse`] refuses it if the positions do not ascend from 1, or the number is none.
    pub fn write(&self) -> Vec<u8> {
        match self {
            Self::Options(positions) => {
                let positions: Vec<_> = positions.iter().map(ToString::to_string).collect();
                format!("{{\"options\":[{}]}}", positions.join(","))
            }
            Self::Number(number) => format!("{{\"number\":\"{number}\"}}"),
            Self::Text(text) => format!("{{\"text\":\"{}\"}}", escape(text)),
        }
        .into_bytes()
    }
}

fn read_positions(text: &str) -> Option<Vec<u16>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let mut positions = Vec::new();
    for part in text.split(',') {
        // `parse` also accepts a plus sign.
        let is_plain = part.bytes().all(|byte| byte.is_ascii_digit()) && !part.starts_with('0');
        let position = part.parse().ok().filter(|_| is_plain)?;
        if positions.last().is_some_and(|last| *last >= position) {
            return None;
        }
        positions.push(position);
    }
    Some(positions)
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= SealedAnswer::MAX_NUMBER && are_digits(whole) && are_digits(fraction)
}

/// The content of a JSON string, with the escapes of `JSON.stringify` (ECMA-262, section 25.5.2.3).
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            '\u{8}' => escaped.push_str("\\b"),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\u{c}' => escaped.push_str("\\f"),
            '\r' => escaped.push_str("\\r"),
            '\0'..' ' => escaped.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// The text of an escaped one. `None` if it is escaped in any other way.
fn unescape(escaped: &str) -> Option<String> {
    let mut text = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(place) = rest.find('\\') {
        let (before, escape) = rest.split_at(place);
        text.push_str(before);
        let (letter, length) = match escape.as_bytes().get(1)? {
            b'"' => ('"', 2),
            b'\\' => ('\\', 2),
            b'b' => ('\u{8}', 2),
            b't' => ('\t', 2),
            b'n' => ('\n', 2),
            b'f' => ('\u{c}', 2),
            b'r' => ('\r', 2),
            b'u' => (char::from_u32(u32::from_str_radix(escape.get(2..6)?, 16).ok()?)?, 6),
            _ => return None,
        };
        text.push(letter);
        rest = escape.get(length..)?;
    }
    text.push_str(rest);
    // What should have been escaped and was not, or the other way round, is found by writing it again.
    (escape(&text) == escaped).then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<SealedAnswer, BadPlaintext> {
        SealedAnswer::parse(text.as_bytes())
    }

    #[test]
    fn each_kind_of_answer_has_its_plaintext() {
        for (answer, plaintext) in [
            (SealedAnswer::Options(vec![1, 3]), "{\"options\":[1,3]}"),
            (SealedAnswer::Options(vec![u16::MAX]), "{\"options\":[65535]}"),
            (SealedAnswer::Options(vec![]), "{\"options\":[]}"),
            (SealedAnswer::Number("37.5".to_owned()), "{\"number\":\"37.5\"}"),
            (SealedAnswer::Number("-0".to_owned()), "{\"number\":\"-0\"}"),
            (SealedAnswer::Text("Zoë: \"ok\"\n\\".to_owned()), "{\"text\":\"Zoë: \\\"ok\\\"\\n\\\\\"}"),
            (
                SealedAnswer::Text("\0\u{8}\u{1f}\u{7f}\u{2028}/".to_owned()),
                "{\"text\":\"\\u0000\\b\\u001f\u{7f}\u{2028}/\"}",
            ),
            (SealedAnswer::Text(String::new()), "{\"text\":\"\"}"),
        ] {
            assert_eq!(String::from_utf8(answer.write()).unwrap(), plaintext);
            assert_eq!(parse(plaintext), Ok(answer));
        }
    }

    #[test]
    fn every_other_plaintext_is_refused() {
        for plaintext in [
            "",
            "{}",
            "null",
            "[1]",
            "{\"options\":[1]",
            "{\"options\":[1]}}",
            "{\"options\":[1]} ",
            "{ \"options\":[1]}",
            "{\"options\":[1, 2]}",
            "{\"options\":[1],\"options\":[1]}",
            "{\"options\":[1],\"text\":\"a\"}",
            "{\"text\":\"a\",\"text\":\"b\"}",
            "{\"text\":\"a\",\"number\":\"1\"}",
            "{\"weight\":\"1\"}",
            "{\"Options\":[1]}",
            "{\"options\":1}",
            "{\"options\":[0]}",
            "{\"options\":[-1]}",
            "{\"options\":[+1]}",
            "{\"options\":[01]}",
            "{\"options\":[1.0]}",
            "{\"options\":[1e0]}",
            "{\"options\":[\"1\"]}",
            "{\"options\":[65536]}",
            "{\"options\":[3,1]}",
            "{\"options\":[1,1]}",
            "{\"options\":[1,]}",
            "{\"options\":[,1]}",
            "{\"number\":37.5}",
            "{\"number\":\"\"}",
            "{\"number\":\".5\"}",
            "{\"number\":\"5.\"}",
            "{\"number\":\"1e3\"}",
            "{\"number\":\"+1\"}",
            "{\"number\":\" 1\"}",
            "{\"number\":\"1,5\"}",
            "{\"number\":\"11111111111111111111111111111111111111111\"}",
            "{\"text\":\"\n\"}",
            "{\"text\":\"\"\"}",
            "{\"text\":\"\\\"}",
            "{\"text\":\"\\u000A\"}",
            "{\"text\":\"\\u000a\"}",
            "{\"text\":\"\\u0041\"}",
            "{\"text\":\"\\ud83d\\ude00\"}",
            "{\"text\":\"\\ud83d\"}",
            "{\"text\":\"\\u00\"}",
            "{\"text\":\"\\/\"}",
            "{\"text\":\"\\ü\"}",
            "{\"text\":null}",
        ] {
            assert_eq!(parse(plaintext), Err(BadPlaintext), "{plaintext}");
        }
        assert_eq!(SealedAnswer::parse(b"{\"text\":\"\xff\"}"), Err(BadPlaintext));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_written_answer_is_json_and_is_read_back(
            letters in vec(any::<char>(), 0..50), positions in btree_set(1_u16.., 0..20), number in "-?[0-9]{1,9}(\\.[0-9]{1,9})?",
        ) {
            for answer in [
                SealedAnswer::Text(String::from_iter(letters)),
                SealedAnswer::Options(positions.into_iter().collect()),
                SealedAnswer::Number(number),
            ] {
                let plaintext = answer.write();
                prop_assert_eq!(SealedAnswer::parse(&plaintext), Ok(answer.clone()));
                let json: serde_json::Value = serde_json::from_slice(&plaintext).unwrap();
                prop_assert_eq!(&serde_json::to_vec(&json).unwrap(), &plaintext);
                match &answer {
                    SealedAnswer::Options(positions) => prop_assert_eq!(&json["options"], &serde_json::json!(positions)),
                    SealedAnswer::Number(number) => prop_assert_eq!(&json["number"], number),
                    SealedAnswer::Text(text) => prop_assert_eq!(&json["text"], text),
                }
            }
        }
    }
}
