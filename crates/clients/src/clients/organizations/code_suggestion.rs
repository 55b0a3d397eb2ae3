use crate::ClientCode;

/// The length up to which a suggested code takes further words of the name: it can be typed from a wall without looking
/// twice.
const TARGET: usize = 12;
/// A code below this length says too little, so it takes all words.
const SHORTEST: usize = 4;

/// Letters whose spelling in ASCII is a rule of their language. All others lose their accents.
const SPELLINGS: [(char, &str); 12] = [
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('ß', "ss"),
    ('ẞ', "ss"),
    ('å', "aa"),
    ('ø', "oe"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('þ', "th"),
    ('ð', "d"),
    ('ĳ', "ij"),
];

/// Legal forms, which nobody says. They are dropped behind the first word.
const LEGAL_FORMS: [&str; 40] = [
    "ab", "ag", "aps", "as", "asa", "bv", "cic", "co", "corp", "cv", "eg", "egmbh", "ek", "ev", "gbr", "ggmbh", "gmbh",
    "inc", "kg", "kgaa", "limited", "llc", "llp", "ltd", "mbh", "nv", "ohg", "oy", "plc", "pty", "rv", "sa", "sarl",
    "sas", "sc", "se", "spa", "srl", "ug", "vof",
];

/// Small words between the others.
const FILLERS: [&str; 52] = [
    "a", "am", "an", "and", "auf", "aus", "bei", "beim", "da", "das", "de", "dei", "del", "della", "dem", "den", "der",
    "des", "di", "die", "do", "du", "e", "ein", "eine", "el", "en", "et", "for", "fuer", "het", "i", "il", "im", "in",
    "la", "las", "le", "les", "los", "och", "of", "og", "on", "the", "und", "van", "vom", "von", "y", "zu", "zum",
];

/// Kinds of organizations, which many share. A word that ends in one of the first five is a compound with it.
const KINDS: [&str; 34] = [
    "genossenschaft",
    "gesellschaft",
    "gemeinschaft",
    "verein",
    "verband",
    "aktiengesellschaft",
    "asociacion",
    "association",
    "associazione",
    "bund",
    "coop",
    "cooperative",
    "cooperativa",
    "eingetragene",
    "eingetragener",
    "federation",
    "federatie",
    "forening",
    "foreningen",
    "foundation",
    "gemeinnuetzige",
    "gemeinnuetziger",
    "incorporated",
    "kooperative",
    "organisation",
    "organization",
    "registered",
    "society",
    "stichting",
    "stiftung",
    "syndicat",
    "union",
    "vereinigung",
    "vereniging",
];
const COMPOUNDED: usize = 5;

/// The code that the name suggests: in ASCII, of its significant words, as far as they fit. No word is cut. `None` if
/// nothing of the name remains.
pub(super) fn suggest(name: &str) -> Option<String> {
    let all = words(name);
    let significant = significant(&all);
    let short: Vec<&str> = significant.iter().map(String::as_str).filter(|word| word.len() <= TARGET).collect();
    let code = match short.as_slice() {
        [] => {
            let stems = significant.iter().map(|word| stem(word));
            stems.min_by_key(|word| word.len())?.to_owned()
        }
        words => joined(words, TARGET),
    };
    if code.len() < SHORTEST {
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let longer = joined(&all, ClientCode::MAX);
        return Some(if longer.len() > code.len() && longer.len() <= ClientCode::MAX { longer } else { code });
    }
    if code.len() <= ClientCode::MAX { Some(code) } else { Some(initials(&all)) }
}

/// The words of a name in ASCII and lower case, without the points of abbreviations: "e. V." is "ev".
fn words(name: &str) -> Vec<String> {
    let spelled: String = name.to_lowercase().chars().map(spelled).collect();
    let ascii = deunicode::deunicode(&spelled).to_lowercase();
    let kept: String = ascii.chars().filter(|letter| !['\'', '`'].contains(letter)).collect();
    let mut words: Vec<String> = Vec::new();
    let mut follows_initial = false;
    for part in kept.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        if word.is_empty() {
            continue;
        }
        let is_initial = word.len() == 1 && part.ends_with('.');
        match words.last_mut() {
            Some(last) if is_initial && follows_initial => last.push_str(word),
            _ => words.push(word.to_owned()),
        }
        follows_initial = is_initial;
    }
    words
}

fn spelled(letter: char) -> String {
    let spelling = SPELLINGS.iter().find(|(special, _)| *special == letter);
    spelling.map_or_else(|| letter.to_string(), |(_, text)| (*text).to_owned())
}

/// The words that tell the organization from others. If there are none, all words.
fn significant(all: &[String]) -> Vec<String> {
    let is_form = |place: usize, word: &str| place > 0 && LEGAL_FORMS.contains(&word);
    let named: Vec<String> = all
        .iter()
        .enumerate()
        .filter(|(place, word)| !is_form(*place, word) && !FILLERS.contains(&word.as_str()))
        .map(|(_, word)| word.clone())
        .collect();
    let own: Vec<String> = named.iter().filter(|word| !KINDS.contains(&word.as_str())).cloned().collect();
    [own, named].into_iter().find(|words| !words.is_empty()).unwrap_or_else(|| all.to_vec())
}

/// A long compound without the kind of organization: "wohnungsbau" of "wohnungsbaugenossenschaft".
fn stem(word: &str) -> &str {
    let stems = KINDS[..COMPOUNDED].iter().filter_map(|kind| word.strip_suffix(kind));
    stems.filter(|stem| stem.len() >= SHORTEST).min_by_key(|stem| stem.len()).unwrap_or(word)
}

/// The first word, and the words behind it up to the first that would exceed `most`.
fn joined(words: &[&str], most: usize) -> String {
    let mut code = String::new();
    for word in words {
        let separator = if code.is_empty() { "" } else { "-" };
        if !code.is_empty() && code.len() + separator.len() + word.len() > most {
            break;
        }
        code = format!("{code}{separator}{word}");
    }
    code
}

/// The first letters of all words, for names of endless words.
fn initials(words: &[String]) -> String {
    words.iter().filter_map(|word| word.chars().next()).take(ClientCode::MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_short_and_made_of_significant_words() {
        for (name, code) in [
            ("Rowing Club", "rowing-club"),
            ("The Club", "club"),
            ("Riverside Housing Cooperative", "riverside"),
            ("Wohnungsbaugenossenschaft Mitte eG", "mitte"),
            ("Verein der Freunde des Stadtparks e. V.", "freunde"),
            ("Bürgerinitiative Grüne Mitte Linden", "gruene-mitte"),
            ("Ruderverein Nord", "ruderverein"),
            ("St. Pauli", "st-pauli"),
            ("Women's Institute", "womens"),
            ("Club 2000+", "club-2000"),
        ] {
            assert_eq!(suggest(name).as_deref(), Some(code), "{name}");
        }
    }

    #[test]
    fn letters_are_spelled_by_the_rules_of_their_language() {
        for (name, code) in [
            ("Müller & Söhne", "mueller"),
            ("Große Straße", "grosse"),
            ("ÄRZTE", "aerzte"),
            ("Århus Forening", "aarhus"),
            ("Tromsø", "tromsoe"),
            ("Besançon", "besancon"),
            ("Łódź", "lodz"),
            ("Московский клуб", "moskovskii"),
        ] {
            assert_eq!(suggest(name).as_deref(), Some(code), "{name}");
        }
    }

    #[test]
    fn legal_forms_are_dropped_unless_they_are_the_name() {
        for (name, code) in [
            ("Acme Ltd.", "acme"),
            ("Nordlicht gGmbH & Co. KG", "nordlicht"),
            ("Chor e.V.", "chor"),
            ("Chor eingetragener Verein", "chor"),
            ("AG Wohnen", "ag-wohnen"),
            ("Genossenschaft", "genossenschaft"),
            ("Der Verein", "verein"),
            ("The", "the"),
        ] {
            assert_eq!(suggest(name).as_deref(), Some(code), "{name}");
        }
    }

    #[test]
    fn no_word_is_cut() {
        for (name, code) in [
            ("Nachbarschaftsversammlung", "nachbarschaftsversammlung"),
            ("Wohnungsbaugenossenschaft", "wohnungsbau"),
            ("IG Metallarbeiterinnen", "ig-metallarbeiterinnen"),
            ("TU", "tu"),
        ] {
            assert_eq!(suggest(name).as_deref(), Some(code), "{name}");
        }
        let endless = format!("{} {}", "a".repeat(40), "b".repeat(50));
        assert_eq!(suggest(&endless).as_deref(), Some("ab"));
        let endless = format!("{} IT", "a".repeat(40));
        assert_eq!(suggest(&endless).as_deref(), Some("it"));
        assert_eq!(suggest("!!!"), None);
    }
}
