use std::collections::HashMap;

use plenum_kernel::{
    EmailAddress, EndUserId, Invalid, KindWeight, NamedGroup, VotingWeight, WeightKind, WeightKindId, folded_name,
    lower_case,
};

use crate::clients::end_users::erasure::{NOT_RESERVED, is_reserved};
use crate::clients::import::cells::{filled, full_name, read};
use crate::clients::import::groups::{KnownNames, is_in_exactly, parse_groups};
use crate::clients::import::people::{Found, People};
use crate::clients::import::username::free_username;
use crate::clients::import::values::{parse_is_active, parse_weight};
use crate::clients::import::weights::read_weights;
use crate::{
    AddedPerson, Address, ChangedPerson, EndUser, EndUserChanges, GroupName, ImportField, ImportPlan, ImportRow,
    ImportStep, MAX_IMPORTED_PASSWORDS, Password, PersonName, PlannedRow, RowFault, Username, WeightChanges,
};

/// Decides the effect of an import of these rows on a client with the end users `present`, these kinds of weight and groups.
///
/// A row describes the end user with its username; case does not matter. Without a username, it describes the end user
/// with its name and email address. If one of the two has no address, it describes the only end user with its name.
/// Otherwise it describes a new end user, whose username is derived from the name. So the same file can be imported
/// twice.
pub(crate) fn decide(
    present: &[EndUser],
    rows: &[ImportRow],
    kinds: &[WeightKind],
    groups: &[NamedGroup],
) -> ImportPlan {
    let people = People::new(present);
    let groups = KnownNames::of(groups);
    let mut passwords = 0;
    let mut read: Vec<ReadRow<'_>> = rows.iter().map(|row| ReadRow::new(row, kinds, &groups, &mut passwords)).collect();
    for row in &mut read {
        row.target = target(&people, row);
    }
    refuse_duplicates(&mut read);
    derive_usernames(&people, &mut read);
    ImportPlan { rows: read.into_iter().map(ReadRow::plan).collect(), new_groups: Vec::new() }
}

/// The end user that a row describes.
#[derive(Clone, Debug)]
enum Target<'a> {
    /// An existing end user.
    Present(&'a EndUser),
    /// A new end user with a username.
    New(Username),
    /// A new end user whose username must be derived from the name.
    Nameless,
    /// Unknown because the row has errors.
    Unclear,
}

/// The end user that a row describes. Notes a username that cannot be taken, and a name that several end users have.
fn target<'a>(people: &People<'a>, row: &mut ReadRow<'_>) -> Target<'a> {
    if let Some(username) = &row.username {
        if let Some(end_user) = people.with_username(username.as_str()) {
            return Target::Present(end_user);
        }
        if is_reserved(username.as_str()) {
            row.note(ImportField::Username, NOT_RESERVED);
            return Target::Unclear;
        }
        return Target::New(username.clone());
    }
    if row.is_wrong(ImportField::Username) || row.is_wrong(ImportField::Email) {
        return Target::Unclear;
    }
    let Some(name) = &row.name else { return Target::Unclear };
    match people.named(name, row.email.as_ref()) {
        Found::Nobody => Target::Nameless,
        Found::One(end_user) => Target::Present(end_user),
        Found::Several => {
            row.note(ImportField::Username, "Is required: several end users have this name.");
            Target::Unclear
        }
    }
}

/// A row with its parsed values.
struct ReadRow<'a> {
    row: &'a ImportRow,
    username: Option<Username>,
    name: Option<PersonName>,
    email: Option<EmailAddress>,
    address: Option<Address>,
    weight: Option<VotingWeight>,
    weights: Vec<(WeightKindId, KindWeight)>,
    groups: Option<Vec<GroupName>>,
    is_active: Option<bool>,
    password: Option<Password>,
    target: Target<'a>,
    faults: Vec<RowFault>,
}

impl<'a> ReadRow<'a> {
    fn new(row: &'a ImportRow, kinds: &[WeightKind], known: &KnownNames, passwords: &mut usize) -> Self {
        let mut faults = Vec::new();
        let username = read(&mut faults, ImportField::Username, row.username.as_deref(), Username::parse);
        let name = read(&mut faults, ImportField::Name, full_name(row).as_deref(), PersonName::parse);
        let email = read(&mut faults, ImportField::Email, row.email.as_deref(), EmailAddress::parse);
        let address = read(&mut faults, ImportField::Address, row.address.as_deref(), Address::parse);
        let weight = read(&mut faults, ImportField::Weight, row.weight.as_deref(), parse_weight);
        let weights = read_weights(&mut faults, row, kinds);
        let groups = read(&mut faults, ImportField::Groups, row.groups.as_deref(), |text| parse_groups(text, known));
        let is_active = read(&mut faults, ImportField::IsActive, row.is_active.as_deref(), parse_is_active);
        let password = read(&mut faults, ImportField::Password, row.password.as_deref(), |text| {
            *passwords += 1;
            if *passwords > MAX_IMPORTED_PASSWORDS {
                return Err(Invalid::new(format!(
                    "Must be empty: at most {MAX_IMPORTED_PASSWORDS} rows of an import may have a password. \
                     The other end users get random passwords."
                )));
            }
            Password::parse(text)
        });
        let target = Target::Unclear;
        Self { row, username, name, email, address, weight, weights, groups, is_active, password, target, faults }
    }

    fn is_wrong(&self, field: ImportField) -> bool {
        self.faults.iter().any(|fault| fault.field == field)
    }

    fn note(&mut self, field: ImportField, wanted: impl Into<String>) {
        self.faults.push(RowFault { field, wanted: wanted.into() });
    }

    fn plan(mut self) -> PlannedRow {
        let before = match &self.target {
            Target::Present(end_user) => Some(*end_user),
            Target::New(_) | Target::Nameless | Target::Unclear => None,
        };
        if self.name.is_none() && before.is_none() && !self.is_wrong(ImportField::Name) {
            self.note(ImportField::Name, "Must not be empty.");
        }
        let username = match (&self.target, before) {
            (_, Some(end_user)) => Some(end_user.username.as_str().to_owned()),
            (Target::New(username), None) => Some(username.as_str().to_owned()),
            (Target::Present(_) | Target::Nameless | Target::Unclear, None) => filled(self.row.username.as_deref()),
        };
        let known_name = self.name.as_ref().or(before.map(|end_user| &end_user.name));
        let name = known_name.map_or_else(|| full_name(self.row), |name| Some(name.as_str().to_owned()));
        PlannedRow { line: self.row.line, username, name, step: self.step(before) }
    }

    fn step(self, before: Option<&EndUser>) -> ImportStep {
        if !self.faults.is_empty() {
            return ImportStep::Refuse(self.faults);
        }
        if let Some(before) = before {
            return self.change(before);
        }
        match (self.target, self.name) {
            (Target::New(username), Some(name)) => ImportStep::Add(Box::new(AddedPerson {
                username,
                name,
                email: self.email,
                address: self.address,
                weight: self.weight.unwrap_or(VotingWeight::ONE),
                weights: self.weights.into_iter().collect(),
                groups: self.groups.unwrap_or_default(),
                is_active: self.is_active.unwrap_or(true),
                password: self.password,
            })),
            // The row has errors.
            _ => ImportStep::Refuse(self.faults),
        }
    }

    fn change(self, before: &EndUser) -> ImportStep {
        let mut weights = self.weights;
        weights.retain(|(kind, value)| before.weights.of(*kind) != *value);
        let changes = EndUserChanges {
            username: None,
            name: self.name.filter(|name| *name != before.name),
            email: self.email.filter(|email| before.email.as_ref() != Some(email)).map(Some),
            address: self.address.filter(|address| before.address.as_ref() != Some(address)).map(Some),
            weight: self.weight.filter(|weight| *weight != before.weight),
            weights: Some(weights.clone()).filter(|weights| !weights.is_empty()).map(WeightChanges::Some),
            groups: None,
            is_active: self.is_active.filter(|is_active| *is_active != before.is_active),
        };
        let groups = self.groups.filter(|groups| !is_in_exactly(before, groups));
        let different = [
            (ImportField::Name, changes.name.is_some()),
            (ImportField::Email, changes.email.is_some()),
            (ImportField::Address, changes.address.is_some()),
            (ImportField::Weight, changes.weight.is_some()),
            (ImportField::Groups, groups.is_some()),
            (ImportField::IsActive, changes.is_active.is_some()),
            (ImportField::Password, self.password.is_some()),
        ];
        let mut fields: Vec<ImportField> =
            different.into_iter().filter(|(_, is_different)| *is_different).map(|(field, _)| field).collect();
        fields.extend(weights.iter().map(|(kind, _)| ImportField::Weights(*kind)));
        if fields.is_empty() {
            return ImportStep::Keep;
        }
        if before.is_erased {
            let wanted = "The personal data of this person was erased. Remove the row.".to_owned();
            return ImportStep::Refuse(vec![RowFault { field: ImportField::Username, wanted }]);
        }
        let (before, password) = (before.clone(), self.password);
        ImportStep::Change(Box::new(ChangedPerson { before, changes, groups, password, fields }))
    }
}

/// Refuses all rows that describe the same end user as another row.
fn refuse_duplicates(rows: &mut [ReadRow<'_>]) {
    let mut indices: HashMap<DuplicateKey, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        if let Some(key) = DuplicateKey::of(row) {
            indices.entry(key).or_default().push(index);
        }
    }
    for indices in indices.into_values().filter(|indices| indices.len() > 1) {
        let lines: Vec<u32> = indices.iter().map(|index| rows[*index].row.line).collect();
        let wanted = format!("Must be in the file only once: {} describe the same end user.", list_rows(&lines));
        for index in indices {
            rows[index].note(ImportField::Username, wanted.as_str());
        }
    }
}

/// The shared property of two rows about the same end user.
#[derive(PartialEq, Eq, Hash)]
enum DuplicateKey {
    Present(EndUserId),
    Username(String),
    NameAndEmail(String, String),
}

impl DuplicateKey {
    fn of(row: &ReadRow<'_>) -> Option<Self> {
        match &row.target {
            Target::Present(end_user) => Some(Self::Present(end_user.id)),
            Target::New(username) => Some(Self::Username(lower_case(username.as_str()))),
            // New people with the same name and no address may be different people.
            Target::Nameless => {
                let (name, email) = row.name.as_ref().zip(row.email.as_ref())?;
                Some(Self::NameAndEmail(folded_name(name.as_str()), email.as_str().to_owned()))
            }
            Target::Unclear => None,
        }
    }
}

/// Lists rows of the file by their numbers: "rows 2, 5 and 7". Lists only the first of many.
fn list_rows(lines: &[u32]) -> String {
    const NAMED: usize = 5;
    let mut texts: Vec<String> = lines.iter().take(NAMED).map(u32::to_string).collect();
    let last = match lines.len().saturating_sub(NAMED) {
        0 => texts.pop().unwrap_or_default(),
        more => format!("{more} more"),
    };
    format!("rows {} and {last}", texts.join(", "))
}

/// Derives free usernames for new end users without one, in the order of the file.
fn derive_usernames(people: &People<'_>, rows: &mut [ReadRow<'_>]) {
    let mut taken = people.usernames();
    taken.extend(rows.iter().filter_map(|row| row.username.as_ref()).map(|username| lower_case(username.as_str())));
    let mut numbers: HashMap<String, u32> = HashMap::new();
    for row in rows {
        if let (Target::Nameless, Some(name)) = (&row.target, &row.name) {
            row.target = Target::New(free_username(name, &mut taken, &mut numbers));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chrono::DateTime;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, KindWeights};

    use super::*;

    /// End users with these usernames, names and addresses. An empty text means no address.
    fn present(people: &[(&str, &str, &str)]) -> Vec<EndUser> {
        let ids = CountingIds::new();
        let made = people.iter().map(|(username, name, email)| EndUser {
            id: EndUserId::new(&ids),
            client_id: ClientId::new(&ids),
            username: Username::parse(username).unwrap(),
            name: PersonName::parse(name).unwrap(),
            email: EmailAddress::parse(email).ok(),
            address: None,
            weight: VotingWeight::ONE,
            weights: KindWeights::default(),
            groups: Vec::new(),
            is_active: true,
            last_login_at: None,
            created_at: DateTime::UNIX_EPOCH,
            is_erased: false,
        });
        made.collect()
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    /// Numbers rows from line 2 on, as a file does.
    fn numbered(rows: impl IntoIterator<Item = ImportRow>) -> Vec<ImportRow> {
        rows.into_iter().zip(2..).map(|(row, line)| ImportRow { line, ..row }).collect()
    }

    fn row(username: &str, name: &str, email: &str) -> ImportRow {
        ImportRow { username: text(username), name: text(name), email: text(email), ..ImportRow::default() }
    }

    fn rows(rows: &[(&str, &str, &str)]) -> Vec<ImportRow> {
        numbered(rows.iter().map(|(username, name, email)| row(username, name, email)))
    }

    /// The decision about each row, in short: "new anna", "change anna weight", "unchanged anna", "error username".
    fn outcome(present: &[EndUser], rows: &[ImportRow]) -> Vec<String> {
        decide(present, rows, &[], &[]).rows.iter().map(in_short).collect()
    }

    fn in_short(row: &PlannedRow) -> String {
        let username = row.username.as_deref().unwrap_or_default();
        match &row.step {
            ImportStep::Add(_) => format!("new {username}"),
            ImportStep::Change(person) => format!("change {username} {:?}", person.fields),
            ImportStep::Keep => format!("unchanged {username}"),
            ImportStep::Refuse(faults) => {
                format!("error {:?}", faults.iter().map(|fault| fault.field).collect::<Vec<_>>())
            }
        }
    }

    fn faults(row: &PlannedRow) -> Vec<&str> {
        match &row.step {
            ImportStep::Refuse(faults) => faults.iter().map(|fault| fault.wanted.as_str()).collect(),
            ImportStep::Add(_) | ImportStep::Change(_) | ImportStep::Keep => Vec::new(),
        }
    }

    #[test]
    fn a_username_matches_in_any_case() {
        let present = present(&[("Änna", "Anna Berg", ""), ("ipek", "Cem", "")]);
        let rows = rows(&[("änna", "Anna Berg", ""), ("bert", "Bert", ""), ("\u{130}PEK", "Cem", "")]);
        assert_eq!(outcome(&present, &rows), ["unchanged Änna", "new bert", "unchanged ipek"]);
    }

    #[test]
    fn a_missing_username_is_derived_from_the_name() {
        for (name, username) in [
            ("Anna Berg", "anna.berg"),
            ("Jürgen Müller-Lüdenscheid", "jurgen.muller-ludenscheid"),
            ("Dr. Zoë  O'Brien", "dr.zoe.obrien"),
            ("Weiß, Ævar (Vorstand)", "weiss.aevar.vorstand"),
            ("-- Anna -", "anna"),
            ("Анна", "anna"),
            ("!", "voter"),
        ] {
            let rows = rows(&[("", name, "")]);
            assert_eq!(outcome(&[], &rows), [format!("new {username}")], "{name}");
            assert!(Username::parse(username).is_ok(), "{username}");
        }
        let longest = "Annemarie ".repeat(20);
        let plan = decide(&[], &rows(&[("", &longest, ""), ("", &longest, "")]), &[], &[]);
        for row in plan.rows {
            assert!(row.username.as_deref().is_some_and(|username| Username::parse(username).is_ok()), "{row:?}");
        }
    }

    #[test]
    fn a_derived_username_gets_the_first_free_number() {
        let present = present(&[("Anna.Berg", "Somebody Else", "")]);
        let rows = rows(&[
            ("", "Anna Berg", "one@example.org"),
            ("anna.berg2", "Another", ""),
            ("", "Anna Bérg", ""),
            ("", "Anna Berg", "two@example.org"),
        ]);
        let expected = ["new anna.berg3", "new anna.berg2", "new anna.berg4", "new anna.berg5"];
        assert_eq!(outcome(&present, &rows), expected);
    }

    #[test]
    fn without_a_username_name_and_address_identify_the_end_user() {
        let one = present(&[("anna", "Anna Berg", "anna@example.org")]);
        for (name, email, expected) in [
            ("Anna Berg", "Anna@example.org", "unchanged anna"),
            ("ANNA  BERG", "anna@example.org", "change anna [Name]"),
            ("Anna Berg", "", "unchanged anna"),
            ("Anna Berg", "other@example.org", "new anna.berg"),
            ("Anna Borg", "anna@example.org", "new anna.borg"),
        ] {
            assert_eq!(outcome(&one, &rows(&[("", name, email)])), [expected], "{name} {email}");
        }
        let without_address = present(&[("anna", "Anna Berg", "")]);
        for (email, expected) in [("", "unchanged anna"), ("anna@example.org", "change anna [Email]")] {
            assert_eq!(outcome(&without_address, &rows(&[("", "Anna Berg", email)])), [expected], "{email}");
        }
    }

    #[test]
    fn an_address_or_a_username_distinguishes_end_users_with_one_name() {
        let two = present(&[("anna", "Anna Berg", "one@example.org"), ("anna2", "Anna Berg", "two@example.org")]);
        for (username, email, expected) in [
            ("", "two@example.org", "unchanged anna2"),
            ("", "", "error [Username]"),
            ("anna", "", "unchanged anna"),
            ("", "three@example.org", "new anna.berg"),
        ] {
            assert_eq!(outcome(&two, &rows(&[(username, "Anna Berg", email)])), [expected], "{username} {email}");
        }
        let one_without = present(&[("anna", "Anna Berg", "one@example.org"), ("anna2", "Anna Berg", "")]);
        let rows = rows(&[("", "Anna Berg", "three@example.org")]);
        assert_eq!(outcome(&one_without, &rows), ["error [Username]"]);
    }

    #[test]
    fn a_repeated_import_duplicates_nobody() {
        let file = [("", "Anna Berg", ""), ("", "Bert Öst", "bert@example.org"), ("Cleo", "Cleo", "")];
        let rows = rows(&file);
        let first = outcome(&[], &rows);
        assert_eq!(first, ["new anna.berg", "new bert.ost", "new Cleo"]);
        let present = present(&[
            ("anna.berg", "Anna Berg", ""),
            ("bert.ost", "Bert Öst", "bert@example.org"),
            ("Cleo", "Cleo", ""),
        ]);
        let second = outcome(&present, &rows);
        assert_eq!(second, ["unchanged anna.berg", "unchanged bert.ost", "unchanged Cleo"]);
    }

    #[test]
    fn all_rows_about_one_person_are_refused_with_their_numbers() {
        let wanted = "Must be in the file only once: rows 2 and 4 describe the same end user.";
        let present = present(&[("dora", "Dora", "")]);
        for [one, two] in [
            [("anna", "Anna", ""), ("ANNA", "Another", "")],
            [("\u{130}nci", "Anna", ""), ("inci", "Another", "")],
            [("Dora", "Dora", ""), ("dora", "Dora", "")],
            [("dora", "Dora", ""), ("", "Dora", "")],
            [("", "Emil", "emil@example.org"), ("", "EMIL", "emil@example.org")],
        ] {
            let plan = decide(&present, &rows(&[one, ("bert", "Bert", ""), two]), &[], &[]);
            assert_eq!(faults(&plan.rows[0]), [wanted], "{one:?}");
            assert_eq!(faults(&plan.rows[1]), [""; 0]);
            assert_eq!(faults(&plan.rows[2]), [wanted], "{two:?}");
        }
        let many = decide(&[], &rows(&[("anna", "Anna", ""); 9]), &[], &[]);
        let wanted = "Must be in the file only once: rows 2, 3, 4, 5, 6 and 4 more describe the same end user.";
        assert_eq!(faults(&many.rows[8]), [wanted]);
    }

    #[test]
    fn each_field_is_checked_as_in_the_form() {
        let full = row("anna", "Anna", "anna@example.org");
        for (wrong, field) in [
            (ImportRow { username: text("a\0b"), ..full.clone() }, ImportField::Username),
            (ImportRow { username: text(&"u".repeat(65)), ..full.clone() }, ImportField::Username),
            (ImportRow { name: text(" "), ..full.clone() }, ImportField::Name),
            (ImportRow { name: None, ..full.clone() }, ImportField::Name),
            (ImportRow { name: text(&"n".repeat(201)), ..full.clone() }, ImportField::Name),
            (ImportRow { email: text("anna"), ..full.clone() }, ImportField::Email),
            (ImportRow { address: text("a\0b"), ..full.clone() }, ImportField::Address),
            (ImportRow { weight: text("heavy"), ..full.clone() }, ImportField::Weight),
            (ImportRow { weight: text("100,5"), ..full.clone() }, ImportField::Weight),
            (ImportRow { is_active: text("maybe"), ..full.clone() }, ImportField::IsActive),
            (ImportRow { password: text("short"), ..full.clone() }, ImportField::Password),
        ] {
            assert_eq!(outcome(&[], &[wrong]), [format!("error [{field:?}]")]);
        }
        let all = ImportRow { email: text("x"), weight: text("x"), is_active: text("x"), ..row("anna", "Anna", "") };
        assert_eq!(outcome(&[], &[all]), ["error [Email, Weight, IsActive]"]);
        let nobody = decide(&[], &[ImportRow { line: 7, ..ImportRow::default() }], &[], &[]);
        assert_eq!((nobody.rows[0].line, faults(&nobody.rows[0])), (7, vec!["Must not be empty."]));
    }

    #[test]
    fn omitted_values_are_defaults_for_new_end_users_and_stay_for_present_ones() {
        let plan = decide(&[], &[row("anna", "Anna", "")], &[], &[]);
        let ImportStep::Add(person) = &plan.rows[0].step else { panic!("{plan:?}") };
        assert_eq!(
            (person.weight, person.is_active, &person.email, &person.password),
            (VotingWeight::ONE, true, &None, &None)
        );

        let mut present = present(&[("anna", "Anna", "anna@example.org")]);
        present[0].is_active = false;
        present[0].weight = parse_weight("2,5").unwrap();
        present[0].address = Address::parse("Hauptstraße 1").ok();
        let blank = ImportRow {
            email: text(" "),
            address: text(""),
            weight: text(""),
            is_active: text(""),
            password: text(""),
            ..row("anna", "", "")
        };
        assert_eq!(outcome(&present, &[blank]), ["unchanged anna"]);
    }

    #[test]
    fn only_different_values_change() {
        let mut present = present(&[("anna", "Anna", "anna@example.org")]);
        present[0].address = Address::parse("Hauptstraße 1").ok();
        let same = ImportRow {
            address: text("Hauptstraße 1"),
            weight: text("1,0"),
            is_active: text("ja"),
            ..row("anna", "Anna", "ANNA@example.org")
        };
        for (given, expected) in [
            (same.clone(), "unchanged anna"),
            (ImportRow { name: text("Anna Berg"), ..same.clone() }, "change anna [Name]"),
            (ImportRow { email: text("new@example.org"), ..same.clone() }, "change anna [Email]"),
            (ImportRow { address: text("Nebengasse 2"), ..same.clone() }, "change anna [Address]"),
            (ImportRow { weight: text("1.5"), ..same.clone() }, "change anna [Weight]"),
            (ImportRow { is_active: text("nein"), ..same.clone() }, "change anna [IsActive]"),
            (ImportRow { password: text("correct horse"), ..same.clone() }, "change anna [Password]"),
        ] {
            assert_eq!(outcome(&present, &[given]), [expected]);
        }
    }

    #[test]
    fn the_name_may_be_in_two_columns() {
        for (name, first, last, expected) in [
            ("", "Anna", "Berg", "Anna Berg"),
            ("", " Anna ", "", "Anna"),
            ("", "", "Berg", "Berg"),
            ("Dr. Anna Berg", "Anna", "Berg", "Dr. Anna Berg"),
        ] {
            let given = ImportRow { first_name: text(first), last_name: text(last), ..row("anna", name, "") };
            assert_eq!(decide(&[], &[given], &[], &[]).rows[0].name.as_deref(), Some(expected));
        }
    }

    #[test]
    fn passwords_beyond_the_limit_are_refused() {
        let with_password = |number: usize| ImportRow {
            password: text("correct horse"),
            ..row(&format!("voter-{number}"), "Voter", "")
        };
        let rows = numbered((0..=MAX_IMPORTED_PASSWORDS).map(with_password));
        let plan = decide(&[], &rows, &[], &[]);
        let refused: Vec<u32> = plan.rows.iter().filter(|row| !faults(row).is_empty()).map(|row| row.line).collect();
        assert_eq!(refused, [502]);
        assert!(faults(&plan.rows[500])[0].contains("at most 500 rows"), "{:?}", plan.rows[500]);
    }

    #[test]
    fn thousands_of_people_with_one_name_all_get_usernames() {
        let rows = rows(&[("", "Anna Berg", ""); 5_000]);
        let plan = decide(&[], &rows, &[], &[]);
        let usernames: HashSet<&str> = plan.rows.iter().filter_map(|row| row.username.as_deref()).collect();
        assert_eq!(usernames.len(), 5_000);
    }

    #[test]
    fn thousands_of_people_with_one_name_are_found_by_their_addresses() {
        let people: Vec<String> = (0..20_000).map(|number| format!("voter{number}@example.org")).collect();
        let file: Vec<(&str, &str, &str)> = people.iter().map(|email| ("", "Anna Berg", email.as_str())).collect();
        let known: Vec<(&str, &str, &str)> =
            people.iter().map(|email| (email.as_str(), "Anna Berg", email.as_str())).collect();
        let plan = decide(&present(&known), &rows(&file), &[], &[]);
        assert!(plan.rows.iter().all(|row| row.step == ImportStep::Keep));
        let usernames: Vec<&str> = plan.rows.iter().filter_map(|row| row.username.as_deref()).collect();
        assert_eq!(usernames, people);
    }
}
