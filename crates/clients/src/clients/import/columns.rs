use std::borrow::Cow;

use plenum_kernel::{WeightKind, WeightKindId};

/// A field of an end user that a column can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportField {
    /// The full name.
    Name,
    /// The first name, if the full name is in two columns.
    FirstName,
    /// The last name, if the full name is in two columns.
    LastName,
    /// The username.
    Username,
    /// The email address.
    Email,
    /// The postal address.
    Address,
    /// The voting weight.
    Weight,
    /// The value of a kind of weight.
    Weights(WeightKindId),
    /// The groups, separated by semicolons.
    Groups,
    /// Whether the end user may sign in and vote.
    IsActive,
    /// The password.
    Password,
}

/// The headings of each field in English, German and some other languages, as [`normalized_heading`] returns them. Where a field
/// is listed twice, the later headings count only without an earlier one.
const HEADINGS: &[(ImportField, &[&str])] = &[
    (
        ImportField::Name,
        &[
            "name",
            "fullname",
            "vollername",
            "vollstandigername",
            "person",
            "voter",
            "enduser",
            "mitglied",
            "member",
            "membername",
            "nameofmember",
            "votername",
            "participant",
            "participantname",
            "teilnehmer",
            "teilnehmername",
            "mitgliedsname",
            "displayname",
            "namevorname",
            "vorundnachname",
            "vornamenachname",
            "vornameundnachname",
            "nachnamevorname",
            "owner",
            "eigentumer",
            "nomcomplet",
            "nombrecompleto",
            "nomecompleto",
        ],
    ),
    (ImportField::FirstName, &["firstname", "givenname", "forename", "vorname", "rufname", "prenom"]),
    (
        ImportField::LastName,
        &[
            "lastname",
            "familyname",
            "surname",
            "nachname",
            "familienname",
            "zuname",
            "nomdefamille",
            "apellido",
            "apellidos",
            "cognome",
        ],
    ),
    (
        ImportField::Username,
        &[
            "username",
            "user",
            "login",
            "loginname",
            "benutzername",
            "benutzer",
            "nutzername",
            "anmeldename",
            "accountname",
            "userid",
            "loginid",
            "benutzerkennung",
            "benutzerid",
            "kennung",
            "nomdutilisateur",
        ],
    ),
    // A membership number serves as the username when no other column does.
    (
        ImportField::Username,
        &[
            "memberno",
            "membernr",
            "membernumber",
            "memberid",
            "membershipno",
            "membershipnr",
            "membershipnumber",
            "membershipid",
            "mitgliedsnummer",
            "mitgliedsnr",
            "mitgliedsno",
            "mitgliedsid",
            "mitgliednummer",
            "mitgliednr",
            "mitgliedernummer",
            "mitgliedernr",
            "mglnr",
            "voterno",
            "voternr",
            "voternumber",
            "voterid",
            "participantno",
            "participantnumber",
            "participantid",
            "teilnehmernummer",
            "teilnehmernr",
            "ownerno",
            "ownernumber",
            "ownerid",
            "eigentumernummer",
            "eigentumernr",
            "employeeno",
            "employeenumber",
            "employeeid",
            "personalnummer",
            "personalnr",
            "numerodemembre",
            "numerodesocio",
        ],
    ),
    (
        ImportField::Email,
        &[
            "email",
            "mail",
            "emailaddress",
            "mailaddress",
            "emailadresse",
            "mailadresse",
            "contactemail",
            "emailid",
            "privateemail",
            "privatemail",
            "emailprivat",
            "mailprivat",
            "courriel",
            "adressemail",
            "correoelectronico",
            "correo",
        ],
    ),
    (
        ImportField::Address,
        &[
            "address",
            "postaladdress",
            "adresse",
            "anschrift",
            "postadresse",
            "postanschrift",
            "wohnadresse",
            "homeaddress",
            "mailingaddress",
            "streetaddress",
            "fulladdress",
            "residentialaddress",
            "residence",
            "privateaddress",
            "privatadresse",
            "privatanschrift",
            "heimadresse",
            "heimatadresse",
            "hausanschrift",
            "wohnanschrift",
            "wohnort",
            "adressepostale",
            "adresseprivee",
            "domicile",
            "direccion",
            "domicilio",
            "indirizzo",
        ],
    ),
    // A street is the address when no other column is. Its house number and town are in columns of their own.
    (
        ImportField::Address,
        &[
            "street",
            "streetandnumber",
            "strasse",
            "strassenr",
            "strassehausnr",
            "strassehausnummer",
            "strasseundnr",
            "strasseundhausnr",
            "strasseundhausnummer",
            "strasseundnummer",
        ],
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
            "voteweight",
            "numberofvotes",
            "noofvotes",
            "numberofshares",
            "noofshares",
            "anzahlstimmen",
            "anzahlderstimmen",
            "stimmenanzahl",
            "stimmrecht",
            "stimmkraft",
            "miteigentumsanteil",
            "miteigentumsanteile",
            "voix",
            "poids",
            "votos",
            "peso",
        ],
    ),
    (
        ImportField::Groups,
        &[
            "groups",
            "group",
            "gruppen",
            "gruppe",
            "membergroup",
            "membergroups",
            "mitgliedergruppe",
            "mitgliedergruppen",
            "stimmgruppe",
            "stimmgruppen",
            "shareclass",
            "classofshares",
            "aktiengattung",
            "groupe",
            "groupes",
            "grupo",
            "grupos",
            "gruppo",
            "gruppi",
        ],
    ),
    (ImportField::IsActive, &["active", "isactive", "status", "aktiv", "istaktiv", "enabled", "actif", "activo"]),
    (ImportField::Password, &["password", "passwort", "kennwort", "motdepasse", "contrasena"]),
];

/// Suggests the column of each field by the headings. Of two columns with the same meaning, takes the first. "Name"
/// next to a first name, without a last name, is the last name.
pub fn suggest_columns(headings: &[String]) -> Vec<(ImportField, usize)> {
    suggest_columns_of(headings, &[])
}

/// As [`suggest_columns`], with a column for each kind of weight that a heading names, with or without its unit. Of two columns
/// with the name of a kind, takes the last: an export has them behind all others.
pub fn suggest_columns_of(headings: &[String], kinds: &[WeightKind]) -> Vec<(ImportField, usize)> {
    let of_kinds = columns_of_kinds(headings, kinds);
    let normalized = headings.iter().enumerate().map(|(column, heading)| {
        let is_of_kind = of_kinds.iter().any(|(_, other)| *other == column);
        if is_of_kind { String::new() } else { normalized_heading(heading) }
    });
    let headings: Vec<String> = normalized.collect();
    let place = |names: &[&str]| headings.iter().position(|heading| names.contains(&heading.as_str()));
    let mut found: Vec<(ImportField, usize)> = Vec::new();
    for (field, names) in HEADINGS {
        if let Some(column) = place(names).filter(|_| found.iter().all(|(other, _)| other != field)) {
            found.push((*field, column));
        }
    }
    let has = |field: ImportField| found.iter().any(|(other, _)| *other == field);
    if has(ImportField::FirstName) && !has(ImportField::LastName) {
        for (field, _) in found.iter_mut().filter(|(field, _)| *field == ImportField::Name) {
            *field = ImportField::LastName;
        }
    }
    found.extend(of_kinds);
    found
}

/// The column of each kind that a heading names: first to the letter, then in other words for the same.
fn columns_of_kinds(headings: &[String], kinds: &[WeightKind]) -> Vec<(ImportField, usize)> {
    let mut found: Vec<(ImportField, usize)> = Vec::new();
    let exact = |text: &str| text.trim().to_lowercase();
    for read in [&exact as &dyn Fn(&str) -> String, &normalized_heading] {
        let headings: Vec<String> = headings.iter().map(|heading| read(heading)).collect();
        for kind in kinds {
            let field = ImportField::Weights(kind.id);
            let names = [Some(Cow::Borrowed(kind.name.as_str())), with_unit(kind).map(Cow::Owned)];
            let names: Vec<String> =
                names.iter().flatten().map(|name| read(name)).filter(|name| !name.is_empty()).collect();
            let is_free = |column: &usize| found.iter().all(|(other, taken)| *other != field && taken != column);
            let column = (0..headings.len()).rev().find(|column| names.contains(&headings[*column]) && is_free(column));
            found.extend(column.map(|column| (field, column)));
        }
    }
    found.sort_by_key(|(_, column)| *column);
    found
}

/// "Area m²".
fn with_unit(kind: &WeightKind) -> Option<String> {
    kind.unit.as_ref().map(|unit| format!("{} {unit}", kind.name))
}

/// A heading in lower case, without umlauts, spaces, hyphens and text in brackets.
pub fn normalized_heading(heading: &str) -> String {
    let without_remark = heading.split(['(', '[']).next().unwrap_or_default();
    let ascii = deunicode::deunicode(without_remark).to_lowercase();
    ascii.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use plenum_kernel::WeightDecimals;
    use plenum_kernel::testkit::CountingIds;

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
            (ImportField::Address, ["Home address", "Home Address:"]),
            (ImportField::Address, ["Straße", "Strasse"]),
            (ImportField::Address, ["STRASSE", "Straße, Hausnummer"]),
            (ImportField::Address, ["Straße und Hausnr.", "Street"]),
            (ImportField::Username, ["Member no.", "Mitglieds-Nr."]),
            (ImportField::Username, ["Membership number", "MITGLIEDSNUMMER"]),
            (ImportField::Email, ["E-Mail (privat)", "Courriel"]),
            (ImportField::Weight, ["Shares", " Stimm-Gewicht (0–100) "]),
            (ImportField::Groups, ["Groups", "Gruppe(n)"]),
            (ImportField::IsActive, ["Active", "Aktiv"]),
            (ImportField::Password, ["Password", "Paßwort"]),
        ] {
            for heading in headings {
                assert_eq!(suggested(&["#", heading]), [(field, 1)], "{heading}");
            }
        }
    }

    #[test]
    fn the_headings_of_the_export_are_recognized() {
        let headings = ["Name", "Username", "Email", "Address", "Weight", "Status", "Last Login", "Groups"];
        let expected = [
            (ImportField::Name, 0),
            (ImportField::Username, 1),
            (ImportField::Email, 2),
            (ImportField::Address, 3),
            (ImportField::Weight, 4),
            (ImportField::Groups, 7),
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
    fn a_membership_number_is_the_username_without_another_one() {
        assert_eq!(suggested(&["Member no.", "Member"]), [(ImportField::Name, 1), (ImportField::Username, 0)]);
        assert_eq!(suggested(&["Member no.", "Login"]), [(ImportField::Username, 1)]);
        assert_eq!(suggested(&["No.", "Nr.", "ID"]), [], "rows are numbered, too");
    }

    #[test]
    fn a_street_is_the_address_without_another_one() {
        assert_eq!(suggested(&["Straße", "PLZ", "Ort"]), [(ImportField::Address, 0)]);
        assert_eq!(suggested(&["Straße", "Anschrift"]), [(ImportField::Address, 1)]);
    }

    #[test]
    fn no_heading_has_two_meanings() {
        let mut all: Vec<&str> = HEADINGS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert!(all.iter().all(|name| normalized_heading(name) == *name));
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number);
    }

    #[test]
    fn a_heading_with_the_name_of_a_kind_is_its_column() {
        let ids = CountingIds::new();
        let kinds: Vec<WeightKind> = [("Fläche", Some("m²")), ("Shares", None), ("shares A", None), ("(!)", None)]
            .into_iter()
            .map(|(name, unit)| WeightKind {
                id: WeightKindId::new(&ids),
                name: name.to_owned(),
                unit: unit.map(str::to_owned),
                decimals: WeightDecimals::default(),
            })
            .collect();
        let of = |place: usize| ImportField::Weights(kinds[place].id);
        for (headings, expected) in [
            (vec!["Name", "Flaeche"], vec![(ImportField::Name, 0)]),
            (vec!["Name", "FLÄCHE"], vec![(ImportField::Name, 0), (of(0), 1)]),
            (vec!["Name", "Fläche (m²)"], vec![(ImportField::Name, 0), (of(0), 1)]),
            (vec!["Flache m2"], vec![(of(0), 0)]),
            // A kind has priority over the ordinary weight, and the last column is its own.
            (vec!["Shares"], vec![(of(1), 0)]),
            (vec!["Shares", "Stimmen", "Shares"], vec![(ImportField::Weight, 0), (of(1), 2)]),
            (vec!["Shares A", "Shares (A)"], vec![(of(2), 0), (of(1), 1)]),
            (vec!["!", ""], vec![]),
        ] {
            let headings: Vec<String> = headings.into_iter().map(str::to_owned).collect();
            assert_eq!(suggest_columns_of(&headings, &kinds), expected, "{headings:?}");
        }
    }

    #[test]
    fn the_first_of_two_columns_with_one_meaning_is_suggested() {
        assert_eq!(suggested(&["Stimmen", "Gewicht", "Bemerkung", ""]), [(ImportField::Weight, 0)]);
    }
}
