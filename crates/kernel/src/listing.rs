use crate::nfc;
use crate::text::{is_blank, is_hidden};

/// The maximum number of rows on a page.
pub const MAX_PAGE_SIZE: u32 = 200;

/// The requested page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// From 1.
    pub page: u32,
    /// From 1 to [`MAX_PAGE_SIZE`].
    pub page_size: u32,
}

impl PageRequest {
    /// The number of rows before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.page.saturating_sub(1)) * i64::from(self.page_size)
    }
}

/// The rows of one page, and the number of all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page, in order.
    pub rows: Vec<T>,
    /// The number of rows that match the filter, on all pages.
    pub total: u64,
}

impl<T> Page<T> {
    /// The page of a list that is in memory.
    pub fn of_list(list: Vec<T>, page: PageRequest) -> Self {
        let total = list.len() as u64;
        let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        Self { rows: list.into_iter().skip(skipped).take(page.page_size as usize).collect(), total }
    }
}

/// The text from a search box: plain text in which `%` and `_` are literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText(String);

impl SearchText {
    /// The text in NFC, like stored texts, without control characters and invisible ones, which no stored text has. `None`
    /// when nothing is left.
    pub fn parse(text: &str) -> Option<Self> {
        let seen: String = text.chars().filter(|letter| !letter.is_control() && !is_hidden(*letter)).collect();
        let cleaned: String = nfc(&seen).trim().chars().take(200).collect();
        let cleaned = cleaned.trim_end();
        (!cleaned.chars().all(is_blank)).then(|| Self(cleaned.to_owned()))
    }

    /// The text, in the case in which it was typed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pattern for SQL's `ILIKE`, with its default escape, that finds the text anywhere.
    pub fn as_like_pattern(&self) -> String {
        let escaped = self.0.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        format!("%{escaped}%")
    }

    /// Whether `text` contains the searched text, in any case.
    pub fn is_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.0.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_and_underscore_are_literal() {
        assert_eq!(SearchText::parse("50%_a\\").unwrap().as_like_pattern(), "%50\\%\\_a\\\\%");
    }

    #[test]
    fn a_truncated_search_has_no_trailing_space() {
        let cut = SearchText::parse(&format!("{} b", "a".repeat(199))).unwrap();
        assert_eq!(cut.as_str(), "a".repeat(199));
    }

    #[test]
    fn blank_and_control_characters_search_for_nothing() {
        assert_eq!(SearchText::parse("  "), None);
        assert_eq!(SearchText::parse("\0"), None);
        assert_eq!(SearchText::parse("a\0b").unwrap().as_like_pattern(), "%ab%");
        assert_eq!(SearchText::parse("\u{200b}\u{202e} \u{200d}"), None);
        assert_eq!(SearchText::parse("\u{feff} ann \u{200b}").unwrap().as_str(), "ann");
    }

    #[test]
    fn search_finds_letters_in_any_encoding() {
        for typed in ["pe\u{301}ter", "p\u{e9}ter", "PE\u{301}", "e\u{200b}\u{301}"] {
            assert!(SearchText::parse(typed).unwrap().is_in("Anna P\u{e9}ter"), "{typed:?}");
        }
        assert!(!SearchText::parse("peter").unwrap().is_in("Anna P\u{e9}ter"));
    }

    #[test]
    fn the_first_page_starts_at_the_first_row() {
        assert_eq!(PageRequest { page: 1, page_size: 50 }.offset(), 0);
        assert_eq!(PageRequest { page: 3, page_size: 50 }.offset(), 100);
        assert_eq!(PageRequest { page: 0, page_size: 50 }.offset(), 0);
    }
}
