//! The canonical form of JSON, by RFC 8785: one text for one value, so that it can be hashed and signed.

use std::cmp::Ordering;

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Number, Value};

/// The canonical form of a value (RFC 8785): no spaces, members sorted by the UTF-16 code units of their names, numbers as
/// ECMAScript prints them.
///
/// A number that a double cannot hold, such as a weight with 17 digits, is written as a string with all of its digits
/// (RFC 8785, appendix D). Readers take both.
pub fn canonical(value: &impl Serialize) -> Vec<u8> {
    // Only values of this crate and parsed JSON are passed, which can always be serialized.
    let value = serde_json::to_value(value).unwrap_or_default();
    let mut text = Vec::new();
    write(&mut text, &value);
    text
}

fn write(text: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => text.extend(b"null"),
        Value::Bool(true) => text.extend(b"true"),
        Value::Bool(false) => text.extend(b"false"),
        Value::Number(number) => write_number(text, number),
        Value::String(string) => write_string(text, string),
        Value::Array(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                write(text, item);
            }
            text.push(b']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(left, _), (right, _)| order(left, right));
            text.push(b'{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                write_string(text, name);
                text.push(b':');
                write(text, member);
            }
            text.push(b'}');
        }
    }
}

/// The order of names by their UTF-16 code units. In ASCII, which is almost all names, it is the order of the bytes.
fn order(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
}

/// `serde_json` escapes exactly what RFC 8785 asks for, in the same form.
fn write_string(text: &mut Vec<u8>, string: &str) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(text, string);
}

fn write_number(text: &mut Vec<u8>, number: &Number) {
    let digits = number.to_string();
    // Most numbers of a record. They need no test: a double holds every whole number of up to 15 digits.
    if is_short_natural(&digits) {
        text.extend(digits.as_bytes());
        return;
    }
    match plain(&digits) {
        Some(plain) if is_a_double(&plain) => text.extend(plain.as_bytes()),
        Some(plain) => write_string(text, &plain),
        // Not a number of a result: it is written unchanged, so that the signature covers it.
        None => write_string(text, &digits),
    }
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
