use std::collections::BTreeSet;

use actix_web::http::header::{HeaderName, HeaderValue};

/// Where an answer names the fields of the body that the server does not know.
pub(crate) const UNKNOWN_FIELDS: HeaderName = HeaderName::from_static("plenum-unknown-fields");

/// The fields of a body that were not read, because nothing has their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnknownFields(pub(crate) BTreeSet<String>);

impl UnknownFields {
    /// More are not named: the header must stay one that every proxy passes on.
    pub(crate) const MOST: usize = 20;
    /// The bytes of a name that are told.
    const LONGEST: usize = 100;

    /// Those that are told.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let names: Vec<String> = self.0.iter().map(|name| visible(name)).collect();
        HeaderValue::from_str(&names.join(", ")).ok().filter(|_| !names.is_empty())
    }
}

/// The name with everything percent-encoded that could mean something in a header.
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
