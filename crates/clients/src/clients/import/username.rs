use std::collections::{HashMap, HashSet};

use crate::clients::end_users::erasure::is_reserved;
use crate::{PersonName, Username};

/// Derives a free username from a name: "anna.berg", or with the first free number. `numbers` holds the next number of
/// each name.
pub(crate) fn free_username(
    name: &PersonName,
    taken: &mut HashSet<String>,
    numbers: &mut HashMap<String, u32>,
) -> Username {
    let base = username_from(name);
    let number = numbers.entry(base.clone()).or_insert(1);
    loop {
        let username = if *number == 1 { base.clone() } else { format!("{base}{number}") };
        *number += 1;
        if !is_reserved(&username) && taken.insert(username.clone()) {
            return Username::from_stored(username);
        }
    }
}

/// The name in lower-case ASCII, with dots between the words: "anna.muller-lang".
fn username_from(name: &PersonName) -> String {
    // Leaves space for a number.
    const LONGEST: usize = Username::MAX - 8;
    let ascii = deunicode::deunicode(name.as_str()).to_lowercase().replace(['\'', '`'], "");
    let words = ascii.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let words: Vec<&str> = words.map(|word| word.trim_matches('-')).filter(|word| !word.is_empty()).collect();
    let username: String = words.join(".").chars().take(LONGEST).collect();
    let username = username.trim_end_matches(['.', '-']);
    if username.is_empty() { "voter".to_owned() } else { username.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_gives_the_username_of_an_erased_person() {
        let (mut taken, mut numbers) = (HashSet::new(), HashMap::new());
        let mut from = |name: &str| {
            let name = PersonName::parse(name).unwrap();
            free_username(&name, &mut taken, &mut numbers).as_str().to_owned()
        };
        let (whole, short) = (format!("erased-{}", "0a".repeat(16)), format!("erased-{}", "b".repeat(31)));
        assert_eq!(from(&whole), format!("{whole}2"));
        assert_eq!([from(&short), from(&short)], [short.clone(), format!("{short}10")]);
    }
}
