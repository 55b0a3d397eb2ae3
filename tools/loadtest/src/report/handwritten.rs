//! The hand-written parts of the page, which stay when the tool writes the rest.

/// The content of the hand-written part with this name.
pub(crate) fn handwritten<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = page.split_once(&opening(name))?;
    let (inside, _) = behind.split_once(CLOSING)?;
    Some(inside.trim())
}

/// The part with its marks, in the form of the page.
pub(crate) fn part(before: &str, name: &str) -> String {
    let inside = handwritten(before, name).unwrap_or_default();
    let inside = if inside.is_empty() { String::new() } else { format!("{inside}\n") };
    format!("{}\n{inside}{CLOSING}\n", opening(name))
}

fn opening(name: &str) -> String {
    format!("<!-- written by hand: {name} -->")
}

const CLOSING: &str = "<!-- written by the tool again -->";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_written_parts_stay_after_repeated_writing() {
        let first = format!("# Page\n{}", part("", "ballots"));
        assert_eq!(handwritten(&first, "ballots"), Some(""));
        let filled = first.replace("ballots -->\n", "ballots -->\nWhy it is so.\n\n- And a list.\n");
        let second = format!("# Other page\n{}{}", part(&filled, "sign-in-burst"), part(&filled, "ballots"));
        let third = part(&second, "ballots");
        assert_eq!(handwritten(&third, "ballots"), Some("Why it is so.\n\n- And a list."));
        assert_eq!(part(&third, "ballots"), third);
        assert_eq!(handwritten(&second, "sign-in-burst"), Some(""));
    }

    #[test]
    fn a_part_without_its_end_mark_is_ignored() {
        assert_eq!(handwritten("<!-- written by hand: ballots -->\ntext", "ballots"), None);
        assert_eq!(handwritten("text", "ballots"), None);
    }
}
