//! The groups of the people in a file.

use std::collections::{HashMap, HashSet};

use plenum_kernel::{GroupId, Invalid, NamedGroup, NewIds, folded_name, nfc};

use crate::{
    EndUser, GroupName, ImportField, ImportPlan, ImportStep, MAX_GROUPS, MAX_GROUPS_OF_PERSON, RowFault, sort_groups,
};

/// The names of the groups that are there, in any spelling. `None` for a name of several groups that differ only in the
/// number of blanks, which earlier versions accepted.
#[derive(Default)]
pub(crate) struct KnownNames(HashMap<String, Option<GroupName>>);

impl KnownNames {
    pub(crate) fn of(known: &[NamedGroup]) -> Self {
        let mut names = HashMap::new();
        for group in known {
            let name = Some(GroupName::from_stored(group.name.clone()));
            names.entry(folded_name(&group.name)).and_modify(|known| *known = None).or_insert(name);
        }
        Self(names)
    }

    /// The known name, which can be older than a requirement of names, or a new one.
    fn parse(&self, text: &str) -> Result<GroupName, Invalid> {
        match self.0.get(&folded_name(&nfc(text))) {
            Some(Some(name)) => Ok(name.clone()),
            Some(None) => Err(Invalid::new(format!(
                "Must not contain \u{201c}{}\u{201d}: several groups have this name and differ only in blanks. Rename \
                 them first.",
                text.trim()
            ))),
            None => GroupName::parse(text),
        }
    }
}

/// Reads names of groups that are separated by semicolons, each once.
///
/// # Errors
/// Describes the valid names of new groups.
pub(crate) fn parse_groups(text: &str, known: &KnownNames) -> Result<Vec<GroupName>, Invalid> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for part in text.split(';').filter(|part| !part.trim().is_empty()) {
        let name = known.parse(part)?;
        if seen.insert(folded_name(name.as_str())) {
            names.push(name);
        }
    }
    if names.len() > MAX_GROUPS_OF_PERSON {
        return Err(Invalid::new(format!("Must be at most {MAX_GROUPS_OF_PERSON} groups, separated by semicolons.")));
    }
    Ok(names)
}

/// Whether the end user is in these groups and in no other.
pub(crate) fn is_in_exactly(end_user: &EndUser, groups: &[GroupName]) -> bool {
    let present: HashSet<String> = end_user.groups.iter().map(|group| folded_name(&group.name)).collect();
    let wanted: HashSet<String> = groups.iter().map(|name| folded_name(name.as_str())).collect();
    present == wanted
}

/// Plans the groups that the import creates, because rows name them and they are not `known`. Refuses rows that would
/// exceed the highest number of groups.
pub(crate) fn plan_groups(plan: &mut ImportPlan, known: &[NamedGroup]) {
    let mut names: HashSet<String> = known.iter().map(|group| folded_name(&group.name)).collect();
    for row in &mut plan.rows {
        let wanted = match &row.step {
            ImportStep::Add(person) => person.groups.as_slice(),
            ImportStep::Change(person) => person.groups.as_deref().unwrap_or_default(),
            ImportStep::Keep | ImportStep::Refuse(_) => &[],
        };
        let new: Vec<GroupName> =
            wanted.iter().filter(|name| !names.contains(&folded_name(name.as_str()))).cloned().collect();
        if names.len() + new.len() > MAX_GROUPS {
            let wanted = format!("Must not need more groups: there can be at most {MAX_GROUPS}.");
            row.step = ImportStep::Refuse(vec![RowFault { field: ImportField::Groups, wanted }]);
            continue;
        }
        names.extend(new.iter().map(|name| folded_name(name.as_str())));
        plan.new_groups.extend(new);
    }
}

/// The known groups and the planned ones, by name.
pub(crate) struct GroupsByName {
    by_name: HashMap<String, NamedGroup>,
}

impl GroupsByName {
    /// Gives the planned groups ids, and returns them as well.
    pub(crate) fn of(known: Vec<NamedGroup>, planned: &[GroupName], ids: &dyn NewIds) -> (Self, Vec<NamedGroup>) {
        let named = |name: &GroupName| NamedGroup { id: GroupId::new(ids), name: name.as_str().to_owned() };
        let new: Vec<NamedGroup> = planned.iter().map(named).collect();
        let all = known.into_iter().chain(new.iter().cloned());
        let by_name = all.map(|group| (folded_name(&group.name), group)).collect();
        (Self { by_name }, new)
    }

    /// The groups of these names, in the order in which they are shown.
    pub(crate) fn named(&self, names: &[GroupName]) -> Vec<NamedGroup> {
        let find = |name: &GroupName| self.by_name.get(&folded_name(name.as_str())).cloned();
        let mut groups: Vec<NamedGroup> = names.iter().filter_map(find).collect();
        sort_groups(&mut groups);
        groups
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;
    use crate::ImportRow;
    use crate::clients::import::decide::decide;

    fn names(groups: &[GroupName]) -> Vec<&str> {
        groups.iter().map(GroupName::as_str).collect()
    }

    fn row(line: u32, name: &str, groups: &str) -> ImportRow {
        let text = |text: &str| Some(text.to_owned());
        ImportRow { line, username: text(name), name: text(name), groups: text(groups), ..ImportRow::default() }
    }

    #[test]
    fn a_cell_names_several_groups_each_once() {
        let parse_groups = |text: &str| parse_groups(text, &KnownNames::default());
        assert_eq!(names(&parse_groups(" Members ;Delegates; ; MEMBERS;").unwrap()), ["Members", "Delegates"]);
        assert_eq!(parse_groups("; ").unwrap(), []);
        assert!(parse_groups(&"g".repeat(101)).is_err());
        let many = |number: usize| (0..number).map(|place| place.to_string()).collect::<Vec<_>>().join(";");
        assert!(parse_groups(&many(MAX_GROUPS_OF_PERSON)).is_ok());
        assert!(parse_groups(&many(MAX_GROUPS_OF_PERSON + 1)).is_err());
    }

    #[test]
    fn unknown_groups_are_planned_once_in_the_order_of_the_file() {
        let known = [NamedGroup { id: GroupId::new(&CountingIds::new()), name: "Members".to_owned() }];
        let rows = [row(2, "anna", "members; Unit 2"), row(3, "ben", "unit  2;Unit 1"), row(4, "c\0", "Never")];
        let mut plan = decide(&[], &rows, &[], &known);
        plan_groups(&mut plan, &known);
        assert_eq!(names(&plan.new_groups), ["Unit 2", "Unit 1"]);
        let (by_name, new) = GroupsByName::of(known.to_vec(), &plan.new_groups, &CountingIds::new());
        assert_eq!(new.len(), 2);
        let found = by_name.named(&parse_groups("unit 2;Members", &KnownNames::of(&known)).unwrap());
        assert_eq!(found.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["Members", "Unit 2"]);
    }

    #[test]
    fn a_stored_name_is_found_even_if_it_would_be_refused_as_a_new_one() {
        let stored = "\u{2696}\u{fe0f} Board";
        assert!(GroupName::parse(stored).is_err());
        let known = [NamedGroup { id: GroupId::new(&CountingIds::new()), name: stored.to_owned() }];
        let rows = [
            row(2, "anna", "\u{2696}\u{fe0f} Board"),
            row(3, "ben", "Members;\u{2696}\u{fe0f}  BOARD"),
            row(4, "cleo", "\u{2697}\u{fe0f} Board"),
        ];
        let mut plan = decide(&[], &rows, &[], &known);
        plan_groups(&mut plan, &known);
        assert_eq!(names(&plan.new_groups), ["Members"]);
        let groups = |place: usize| match &plan.rows[place].step {
            ImportStep::Add(person) => Some(names(&person.groups)),
            _ => None,
        };
        assert_eq!((groups(0), groups(1)), (Some(vec![stored]), Some(vec!["Members", stored])));
        assert!(matches!(&plan.rows[2].step, ImportStep::Refuse(faults) if faults[0].field == ImportField::Groups));
        let (by_name, _) = GroupsByName::of(known.to_vec(), &plan.new_groups, &CountingIds::new());
        let found = by_name.named(&parse_groups(stored, &KnownNames::of(&known)).unwrap());
        assert_eq!(found, known);
    }

    #[test]
    fn a_name_of_groups_that_differ_only_in_blanks_is_refused() {
        let ids = CountingIds::new();
        let known =
            ["Unit 2", "Unit  2", "Unit 3"].map(|name| NamedGroup { id: GroupId::new(&ids), name: name.to_owned() });
        let rows = [row(2, "anna", "Unit 3; unit  2"), row(3, "ben", "Unit 3"), row(4, "cleo", "UNIT 2")];
        let plan = decide(&[], &rows, &[], &known);
        let wanted = |place: usize| -> Vec<(ImportField, &str)> {
            match &plan.rows[place].step {
                ImportStep::Refuse(faults) => faults.iter().map(|fault| (fault.field, fault.wanted.as_str())).collect(),
                ImportStep::Add(_) | ImportStep::Change(_) | ImportStep::Keep => Vec::new(),
            }
        };
        let reason = "Must not contain \u{201c}unit  2\u{201d}: several groups have this name and differ only in blanks. \
                      Rename them first.";
        assert_eq!(wanted(0), [(ImportField::Groups, reason)]);
        assert!(wanted(1).is_empty());
        assert_eq!(wanted(2)[0].0, ImportField::Groups);
    }

    #[test]
    fn rows_beyond_the_highest_number_of_groups_are_refused() {
        let groups = |from: usize| (from..from + 50).map(|place| format!("G{place}")).collect::<Vec<_>>().join(";");
        let mut rows: Vec<ImportRow> =
            (0..4).map(|part| row(part, &format!("p{part}"), &groups(part as usize * 50))).collect();
        rows.extend([row(9, "late", "One more"), row(10, "last", "g1")]);
        let mut plan = decide(&[], &rows, &[], &[]);
        plan_groups(&mut plan, &[]);
        assert_eq!(plan.new_groups.len(), MAX_GROUPS);
        assert!(matches!(&plan.rows[4].step, ImportStep::Refuse(faults) if faults[0].field == ImportField::Groups));
        assert!(matches!(plan.rows[5].step, ImportStep::Add(_)));
    }
}
