//! The canonical form of JSON, by RFC 8785: one text for one value, so that it can be hashed and signed.

use std::cmp::Ordering;
use std::io;
use std::ops::Range;

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

/// The canonical form of a value (RFC 8785): no spaces, members sorted by the UTF-16 code units of their names, numbers as
/// ECMAScript prints them.
///
/// A number that a double cannot hold, such as a weight with 17 digits, is written as a string with all of its digits
/// (RFC 8785, appendix D). Readers take both.
pub fn canonical(value: &impl Serialize) -> Vec<u8> {
    let mut canonical = Canonical::default();
    // Only values of this crate and parsed JSON are passed, which can always be serialized.
    let written = value.serialize(&mut Serializer::with_formatter(io::sink(), &mut canonical));
    debug_assert!(written.is_ok(), "{written:?}");
    canonical.text
}

/// Writes JSON into its own buffer, because it sorts the members of each object at the object's end. The record of a large
/// assembly has a hundred thousand members, so there is no tree of values in between.
#[derive(Default)]
struct Canonical {
    text: Vec<u8>,
    /// The objects that are being written, the innermost last.
    objects: Vec<Object>,
    /// Memory for the sorted members.
    sorted: Vec<u8>,
}

/// An object whose members stand one after another in the buffer.
struct Object {
    start: usize,
    members: Vec<Member>,
}

/// A member's place in the buffer. The value follows the name.
#[derive(Clone)]
struct Member {
    name: Range<usize>,
    end: usize,
}

impl Canonical {
    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.text.extend_from_slice(text);
        Ok(())
    }

    fn write_digits(&mut self, digits: &str) -> io::Result<()> {
        // Most numbers of a record. They need no test: a double holds every whole number of up to 15 digits.
        if is_short_natural(digits) {
            return self.write(digits.as_bytes());
        }
        match plain(digits) {
            Some(plain) if is_a_double(&plain) => self.write(plain.as_bytes()),
            Some(plain) => self.write_in_quotes(&plain),
            // Not a number of a result: it is written unchanged, so that the signature covers it.
            None => self.write_in_quotes(digits),
        }
    }

    fn write_in_quotes(&mut self, digits: &str) -> io::Result<()> {
        self.text.push(b'"');
        self.text.extend_from_slice(digits.as_bytes());
        self.text.push(b'"');
        Ok(())
    }

    /// Replaces the members of an object by their sorted form.
    fn sort(&mut self, mut object: Object) {
        let text = &self.text;
        object.members.sort_by(|left, right| order(&text[left.name.clone()], &text[right.name.clone()]));
        self.sorted.clear();
        for (index, member) in object.members.iter().enumerate() {
            if index > 0 {
                self.sorted.push(b',');
            }
            self.sorted.extend_from_slice(&text[member.name.clone()]);
            self.sorted.push(b':');
            self.sorted.extend_from_slice(&text[member.name.end..member.end]);
        }
        self.text.truncate(object.start);
        self.text.push(b'{');
        self.text.extend_from_slice(&self.sorted);
        self.text.push(b'}');
    }
}

/// `serde_json` escapes exactly what RFC 8785 asks for, in the same form.
impl Formatter for &mut Canonical {
    fn write_null<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.write(b"null")
    }

    fn write_bool<W: io::Write + ?Sized>(&mut self, _: &mut W, value: bool) -> io::Result<()> {
        self.write(if value { b"true" } else { b"false" })
    }

    fn write_i8<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i8) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_i16<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i16) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_i32<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i32) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_i64<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i64) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_i128<W: io::Write + ?Sized>(&mut self, _: &mut W, value: i128) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_u8<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u8) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_u16<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u16) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_u32<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u32) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_u64<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u64) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_u128<W: io::Write + ?Sized>(&mut self, _: &mut W, value: u128) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_f32<W: io::Write + ?Sized>(&mut self, _: &mut W, value: f32) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_f64<W: io::Write + ?Sized>(&mut self, _: &mut W, value: f64) -> io::Result<()> {
        self.write_digits(&value.to_string())
    }

    fn write_number_str<W: io::Write + ?Sized>(&mut self, _: &mut W, value: &str) -> io::Result<()> {
        self.write_digits(value)
    }

    fn begin_string<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.write(b"\"")
    }

    fn end_string<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.write(b"\"")
    }

    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, _: &mut W, fragment: &str) -> io::Result<()> {
        self.write(fragment.as_bytes())
    }

    fn write_char_escape<W: io::Write + ?Sized>(&mut self, _: &mut W, escape: CharEscape) -> io::Result<()> {
        CompactFormatter.write_char_escape(&mut self.text, escape)
    }

    fn begin_array<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.write(b"[")
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.write(b"]")
    }

    fn begin_array_value<W: io::Write + ?Sized>(&mut self, _: &mut W, is_first: bool) -> io::Result<()> {
        self.write(if is_first { b"" } else { b"," })
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        let start = self.text.len();
        self.objects.push(Object { start, members: Vec::new() });
        Ok(())
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, _: &mut W, _is_first: bool) -> io::Result<()> {
        let start = self.text.len();
        if let Some(object) = self.objects.last_mut() {
            object.members.push(Member { name: start..start, end: start });
        }
        Ok(())
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.text.len();
        if let Some(member) = self.objects.last_mut().and_then(|object| object.members.last_mut()) {
            member.name.end = end;
        }
        Ok(())
    }

    fn end_object_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.text.len();
        if let Some(member) = self.objects.last_mut().and_then(|object| object.members.last_mut()) {
            member.end = end;
        }
        Ok(())
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        if let Some(object) = self.objects.pop() {
            self.sort(object);
        }
        Ok(())
    }
}

/// A simple name without its quotes.
fn unquoted(name: &[u8]) -> &[u8] {
    name.get(1..name.len() - 1).unwrap_or_default()
}

/// The order of quoted names by their UTF-16 code units. In ASCII, which is almost all names, it is the order of the bytes.
fn order(left: &[u8], right: &[u8]) -> Ordering {
    let is_simple = |name: &[u8]| name.is_ascii() && !name.contains(&b'\\');
    if is_simple(left) && is_simple(right) {
        return unquoted(left).cmp(unquoted(right));
    }
    let name = |quoted: &[u8]| serde_json::from_slice::<String>(quoted).unwrap_or_default();
    name(left).encode_utf16().cmp(name(right).encode_utf16())
}

/// Whether these are one to 15 digits without a superfluous zero.
fn is_short_natural(digits: &str) -> bool {
    let has_superfluous_zero = digits.len() > 1 && digits.starts_with('0');
    (1..=15).contains(&digits.len()) && !has_superfluous_zero && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// The number without an exponent and without superfluous zeros. `None` if it has more digits than a decimal.
fn plain(digits: &str) -> Option<String> {
    let exact = digits.parse::<Decimal>().or_else(|_| Decimal::from_scientific(digits)).ok()?;
    Some(if exact.is_zero() { "0".to_owned() } else { exact.normalize().to_string() })
}

/// Whether ECMAScript reads and prints this number unchanged. Decimals have at most 28 digits, and ECMAScript prints
/// numbers from 1e21 and below 1e-6 with an exponent.
fn is_a_double(plain: &str) -> bool {
    let double = plain.parse::<f64>().ok().filter(|double| double.is_finite());
    double.is_some_and(|double| {
        let size = double.abs();
        let has_no_exponent = size == 0.0 || (1e-6..1e21).contains(&size);
        // Rust prints the shortest digits that read as the same double, as ECMAScript does.
        has_no_exponent && double.to_string() == plain
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn text(json: &str) -> String {
        String::from_utf8(canonical(&serde_json::from_str::<Value>(json).unwrap())).unwrap()
    }

    #[test]
    fn the_example_of_the_standard_has_its_form() {
        // RFC 8785, section 3.2.2, without the number that a double cannot hold.
        let given = r#"{"numbers": [333333333.3333333, 4.50, 2e-3], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
                        "literals": [null, true, false]}"#;
        assert_eq!(
            text(given),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,4.5,0.002],\
             \"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        );
    }

    #[test]
    fn members_are_sorted_by_utf_16() {
        // RFC 8785, section 3.2.3.
        let given = r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#;
        assert_eq!(text(given), "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}");
    }

    #[test]
    fn members_are_sorted_in_every_object_of_a_list() {
        let given =
            r#"{"b": [{"d": {"f": 1, "e": []}, "c": "\u0001\""}, {}], "a\\": [[{"z": null, "a!": 0, "a": -1}]]}"#;
        assert_eq!(text(given), r#"{"a\\":[[{"a":-1,"a!":0,"z":null}]],"b":[{"c":"\u0001\"","d":{"e":[],"f":1}},{}]}"#);
    }

    #[test]
    fn equal_amounts_have_one_form_and_long_ones_are_strings() {
        for (given, form) in [
            ("1.50", "1.5"),
            ("-0.0", "0"),
            ("1e2", "100"),
            ("0.0001", "0.0001"),
            ("12345678901.2345", "12345678901.2345"),
            ("9007199254740993", "\"9007199254740993\""),
            ("1234567890123456.7891", "\"1234567890123456.7891\""),
        ] {
            assert_eq!(text(given), form);
        }
    }
}
