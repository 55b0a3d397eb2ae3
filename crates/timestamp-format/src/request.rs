use der::Tag;

use crate::elements::{Element, Malformed, element, named};
use crate::signer::SHA_256;
use crate::token::{BadToken, TimestampToken};

/// The maximum number of letters of an authority's words that an error repeats.
const MOST_LETTERS: usize = 200;

/// A request for the timestamp of a SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampRequest {
    hash: [u8; 32],
    nonce: [u8; 8],
}

/// Why a response is no timestamp of the requested hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadResponse {
    /// It is no response.
    #[error("the response is not a timestamp response")]
    Malformed,
    /// The authority refuses. Its status, and its words.
    #[error("the authority refuses: status {status}{words}", words = quoted(.words))]
    Refused {
        /// The number of the status.
        status: u8,
        /// The authority's explanation. May be empty.
        words: String,
    },
    /// The answer is to another request.
    #[error("the nonce of the response differs from that of the request")]
    Nonce,
    /// The token is not valid.
    #[error("the token is not valid: {0}")]
    Token(#[from] BadToken),
}

impl From<Malformed> for BadResponse {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

fn quoted(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(", {words:?}") }
}

impl TimestampRequest {
    /// The media type of a request.
    pub const MEDIA_TYPE: &str = "application/timestamp-query";

    /// A request for this SHA-256. `random` makes sure that an earlier response is no answer to it.
    pub fn new(hash: [u8; 32], random: [u8; 8]) -> Self {
        let mut nonce = random;
        // A positive number in its shortest form, as DER wants it.
        nonce[0] = (nonce[0] & 0x3f) | 0x40;
        Self { hash, nonce }
    }

    /// The request in DER. It asks for the authority's certificate.
    pub fn content(&self) -> Vec<u8> {
        let algorithm = element(Tag::Sequence, &[&named(SHA_256), &element(Tag::Null, &[])]);
        let imprint = element(Tag::Sequence, &[&algorithm, &element(Tag::OctetString, &[&self.hash])]);
        let version = element(Tag::Integer, &[&[1]]);
        let nonce = element(Tag::Integer, &[&self.nonce]);
        let wants_certificate = element(Tag::Boolean, &[&[0xff]]);
        element(Tag::Sequence, &[&version, &imprint, &nonce, &wants_certificate])
    }

    /// Checks the response, and returns the token in it with what it says.
    ///
    /// # Errors
    /// Says why the response is no timestamp of this request.
    pub fn read(&self, response: &[u8]) -> Result<(Vec<u8>, TimestampToken), BadResponse> {
        let mut parts = Element::of(response, Tag::Sequence)?.elements()?;
        let mut status_parts = parts.take(Tag::Sequence)?.elements()?;
        let [status] = status_parts.take(Tag::Integer)?.value else { return Err(BadResponse::Malformed) };
        // 0 is granted, and 1 granted with changes, which the check of the token judges.
        if *status > 1 {
            let words = status_parts.take_if(Tag::Sequence)?.map(|texts| words_of(&texts)).unwrap_or_default();
            return Err(BadResponse::Refused { status: *status, words });
        }
        let content = parts.take(Tag::Sequence)?.raw;
        parts.end()?;
        let token = TimestampToken::read(content, &self.hash)?;
        if token.nonce.as_deref() != Some(&self.nonce) {
            return Err(BadResponse::Nonce);
        }
        Ok((content.to_vec(), token))
    }
}

/// The words of an authority, without control characters and not too long.
fn words_of(texts: &Element<'_>) -> String {
    let texts = texts.elements().and_then(|texts| texts.all()).unwrap_or_default();
    let texts: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text.value)).collect();
    plain(&texts.join(" "))
}

/// A text of one line, and not too long.
pub(crate) fn plain(text: &str) -> String {
    let letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    letters.take(MOST_LETTERS).collect::<String>().trim().to_owned()
}

/// The content of a request, for an authority of tests: the hash, and the nonce with its tag.
#[cfg(feature = "testkit")]
pub(crate) fn parts_of(request: &[u8]) -> Option<([u8; 32], Vec<u8>)> {
    let mut parts = Element::of(request, Tag::Sequence).ok()?.elements().ok()?;
    parts.take(Tag::Integer).ok()?;
    let imprint = parts.take(Tag::Sequence).ok()?.elements().ok()?.all().ok()?;
    let hash = imprint.last()?.value.try_into().ok()?;
    Some((hash, parts.take(Tag::Integer).ok()?.raw.to_vec()))
}

/// A response, for an authority of tests.
#[cfg(feature = "testkit")]
pub(crate) fn response(status: u8, words: Option<&str>, token: &[u8]) -> Vec<u8> {
    let status = element(Tag::Integer, &[&[status]]);
    let words = words
        .map(|words| element(Tag::Sequence, &[&element(Tag::Utf8String, &[words.as_bytes()])]))
        .unwrap_or_default();
    element(Tag::Sequence, &[&element(Tag::Sequence, &[&status, &words]), token])
}
