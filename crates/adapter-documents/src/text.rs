use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// The text of a file, without a mark at its beginning, and the name of its encoding.
///
/// A mark says which it is. Without one it is UTF-8 if it can be; else what is likely by the letters that come out,
/// where those of German come first. `None` for what is no text.
pub(crate) fn decode(content: &[u8]) -> Option<(Cow<'_, str>, &'static str)> {
    let (encoding, mark) = Encoding::for_bom(content).unwrap_or_else(|| (guess(content), 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&content[mark..])?;
    // Other characters below the space are seen in texts at times; this one never is.
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
