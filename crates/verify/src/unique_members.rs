use std::collections::HashSet;

/// Whether no object of this text has two members with the same name. Parsers choose different ones, so a person could
/// see another value than the signed one. The text may be invalid JSON, which the parser reports.
pub(crate) fn has_unique_members(text: &[u8]) -> bool {
    let mut open: Vec<Option<HashSet<String>>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'{' => open.push(Some(HashSet::new())),
            b'[' => open.push(None),
            b'}' | b']' => {
                open.pop();
            }
            b'"' => {
                let end = end_of_string(text, at);
                let is_name = next_byte(text, end) == Some(b':');
                if let (true, Some(Some(names))) = (is_name, open.last_mut()) {
                    let name = serde_json::from_slice(&text[at..end]).unwrap_or_default();
                    if !names.insert(name) {
                        return false;
                    }
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    true
}

/// The place after the string that starts here.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn next_byte(text: &[u8], from: usize) -> Option<u8> {
    text.get(from..)?.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_occur_once_in_each_object() {
        for unique in [
            "",
            "{}",
            r#"{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}"#,
            r#"{"a": "a", "b": "a"}"#,
            r#"["a", "a"]"#,
            r#"{"a\"": 1, "a": 2}"#,
            r#"{"a": "{\"a\":1"#,
        ] {
            assert!(has_unique_members(unique.as_bytes()), "{unique}");
        }
        for twice in [r#"{"a": 1, "a": 1}"#, r#"[{"b": [{"a": 1 , "c": 2, "a" : 3}]}]"#, r#"{"a": 1, "\u0061": 2}"#] {
            assert!(!has_unique_members(twice.as_bytes()), "{twice}");
        }
    }
}
