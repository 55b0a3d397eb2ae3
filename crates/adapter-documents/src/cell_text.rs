//! Texts that fit in a cell of a workbook. A longer text would make the library refuse the whole file.

use std::borrow::Cow;

/// The longest text of a cell in Excel, in units of UTF-16.
const MAX_TEXT: usize = 32_767;

/// The end of a text that was cut.
const MARK: &str = "… [shortened: the CSV file has the whole text]";

/// The text of a cell: unchanged if it fits, otherwise its beginning and a mark.
pub(crate) fn cell_text(text: &str) -> Cow<'_, str> {
    let length = |text: &str| text.encode_utf16().count();
    if length(text) <= MAX_TEXT {
        return Cow::Borrowed(text);
    }
    Cow::Owned(cut(text, MAX_TEXT - length(MARK)) + MARK)
}

/// The beginning of a text, with at most `most` units of UTF-16, because Excel counts these.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut left = most;
    let fits = |letter: &char| {
        let is_left = left >= letter.len_utf16();
        left = left.saturating_sub(letter.len_utf16());
        is_left
    };
    text.chars().take_while(fits).collect()
}
