use std::collections::BTreeSet;

use actix_web::http::header::{HeaderName, HeaderValue};

/// The response header that lists the unknown fields of the body.
pub(crate) const UNKNOWN_FIELDS: HeaderName = HeaderName::from_static("plenum-unknown-fields");

/// The unknown fields of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnknownFields(pub(crate) BTreeSet<String>);

impl UnknownFields {
    /// The limit of the list, so that proxies accept the header.
    pub(crate) const MOST: usize = 20;
    /// The limit of a name, in bytes.
    const LONGEST: usize = 100;

    /// The names of the fields.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let names: Vec<String> = self.0.iter().map(|name| visible(name)).collect();
        HeaderValue::from_str(&names.join(", ")).ok().filter(|_| !names.is_empty())
    }
}

/// Percent-encodes all characters that could have a meaning in a header.
fn visible(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes().take(UnknownFields::LONGEST) {
        if byte.is_ascii_alphanumeric() || b"-._~$".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
