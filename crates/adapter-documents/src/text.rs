use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// The text of a file without a byte order mark, and the name of its encoding.
///
/// A byte order mark determines the encoding. Without one it is UTF-8 if that is valid; otherwise a guess by the
/// resulting letters, which prefers those of German. `None` if it is not text.
pub(crate) fn decode(content: &[u8]) -> Option<(Cow<'_, str>, &'static str)> {
    let (encoding, mark) = Encoding::for_bom(content).unwrap_or_else(|| (guess(content), 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&content[mark..])?;
    // Texts sometimes contain other control characters, but never this one.
    (!text.contains('\0')).then_some((text, encoding.name()))
}

fn guess(content: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(content).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(content, true);
    detector.guess(Some(b"de"), Utf8Detection::Deny)
}
