/// What a column of an imported file may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportField {
    /// The full name.
    Name,
    /// The first name, where the full name is in two columns.
    FirstName,
    /// The last name, where the full name is in two columns.
    LastName,
    /// The username.
    Username,
    /// The e-mail address.
    Email,
    /// The postal address.
    Address,
    /// The voting weight.
    Weight,
    /// Whether they may sign in and vote.
    IsActive,
    /// The password.
    Password,
}

/// The headings of each field, in English and German, as [`plain`] leaves them.
const HEADINGS: &[(ImportField, &[&str])] = &[
    (
        ImportField::Name,
        &["name", "fullname", "vollername", "vollstandigername", "person", "voter", "enduser", "mitglied", "member"],
    ),
    (ImportField::FirstName, &["firstname", "givenname", "forename", "vorname", "rufname"]),
    (ImportField::LastName, &["lastname", "familyname", "surname", "nachname", "familienname", "zuname"]),
    (
        ImportField::Username,
        &["username", "user", "login", "loginname", "benutzername", "benutzer", "nutzername", "anmeldename"],
    ),
    (
        ImportField::Email,
        &["email", "mail", "emailaddress", "mailaddress", "emailadresse", "mailadresse", "contactemail"],
    ),
    (
        ImportField::Address,
        &["address", "postaladdress", "adresse", "anschrift", "postadresse", "postanschrift", "wohnadresse"],
    ),
    (
        ImportField::Weight,
        &[
            "weight",
            "votingweight",
            "votes",
            "shares",
            "gewicht",
            "stimmen",
            "stimmgewicht",
            "stimmenzahl",
            "stimmanteil",
            "stimmanteile",
            "stimmrechte",
            "anteil",
            "anteile",
        ],
    ),
    (ImportField::IsActive, &["active", "isactive", "status", "aktiv", "istaktiv"]),
    (ImportField::Password, &["password", "passwort", "kennwort"]),
];

/// Which column probably holds which field, by the headings. Of two columns with the same meaning it is the first.
/// Where "Name" stands beside a first name and no last name, it is the last name.
pub fn suggest_columns(headings: &[String]) -> Vec<(ImportField, usize)> {
    let headings: Vec<String> = headings.iter().map(|heading| plain(heading)).collect();
    let place = |names: &[&str]| headings.iter().position(|heading| names.contains(&heading.as_str()));
    let found = HEADINGS.iter().filter_map(|(field, names)| Some((*field, place(names)?)));
    let mut found: Vec<(ImportField, usize)> = found.collect();
    let has = |field: ImportField| found.iter().any(|(other, _)| *other == field);
    if has(ImportField::FirstName) && !has(ImportField::LastName) {
        for (field, _) in found.iter_mut().filter(|(field, _)| *field == ImportField::Name) {
            *field = ImportField::LastName;
        }
    }
    found
}

/// A heading in lower case and without umlauts, spaces, hyphens and what stands in brackets.
fn plain(heading: &str) -> String {
    let without_remark = heading.split(['(', '[']).next().unwrap_or_default();
    let ascii = deunicode::deunicode(without_remark).to_lowercase();
    ascii.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(headings: &[&str]) -> Vec<(ImportField, usize)> {
        suggest_columns(&headings.iter().map(|heading| (*heading).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_heading_is_known_in_english_and_german() {
        for (field, headings) in [
            (ImportField::Name, ["Full Name", "Vollständiger Name"]),
            (ImportField::FirstName, ["First-Name", "VORNAME"]),
            (ImportField::LastName, ["last name", "Nachname"]),
            (ImportField::Username, ["User name", "Benutzername"]),
            (ImportField::Email, ["E-mail", "E-Mail-Adresse"]),
            (ImportField::Address, ["Address", "Anschrift"]),
            (ImportField::Weight, ["Shares", " Stimm-Gewicht (0–100) "]),
            (ImportField::IsActive, ["Active", "Aktiv"]),
            (ImportField::Password, ["Password", "Paßwort"]),
        ] {
            for heading in headings {
                assert_eq!(suggested(&["#", heading]), [(field, 1)], "{heading}");
            }
        }
    }

    #[test]
    fn what_the_export_writes_is_found_again() {
        let headings = ["Name", "Username", "Email", "Address", "Weight", "Status", "Last Login"];
        let expected = [
            (ImportField::Name, 0),
            (ImportField::Username, 1),
            (ImportField::Email, 2),
            (ImportField::Address, 3),
            (ImportField::Weight, 4),
            (ImportField::IsActive, 5),
        ];
        assert_eq!(suggested(&headings), expected);
    }

    #[test]
    fn a_name_beside_a_first_name_is_the_last_name() {
        assert_eq!(suggested(&["Name", "Vorname"]), [(ImportField::LastName, 0), (ImportField::FirstName, 1)]);
        let all = [(ImportField::Name, 2), (ImportField::FirstName, 0), (ImportField::LastName, 1)];
        assert_eq!(suggested(&["Vorname", "Nachname", "Name"]), all);
    }

    #[test]
    fn of_two_columns_with_one_meaning_the_first_is_taken_and_others_mean_nothing() {
        assert_eq!(suggested(&["Stimmen", "Gewicht", "Bemerkung", ""]), [(ImportField::Weight, 0)]);
    }
}
