//! The values of kinds of weight of the people in a file.

use std::collections::HashSet;

use plenum_kernel::{Invalid, KindWeight, WeightKind, WeightKindId};

use crate::clients::import::cells::read;
use crate::clients::import::values::{parse_kind_weight, parse_workbook_value};
use crate::{ImportField, ImportRow, RowFault};

/// Reads the cells with values of kinds of weight. A fault names its kind. An empty cell has no value.
pub(super) fn read_weights(
    faults: &mut Vec<RowFault>,
    row: &ImportRow,
    kinds: &[WeightKind],
) -> Vec<(WeightKindId, KindWeight)> {
    let parse = if row.is_from_workbook { parse_workbook_value } else { parse_kind_weight };
    let mut values: Vec<(WeightKindId, KindWeight)> = Vec::new();
    let mut seen = HashSet::new();
    for (id, text) in &row.weights {
        let known = kinds.iter().find(|kind| kind.id == *id);
        let is_repeated = !seen.insert(*id);
        let value = read(faults, ImportField::Weights(*id), Some(text), |text| {
            let kind = known.ok_or_else(|| Invalid::new("Must be of a kind of weight of your organization."))?;
            if is_repeated {
                return Err(Invalid::new(format!("{}: Must be in the row only once.", kind.name)));
            }
            let value = parse(text, kind.decimals);
            value.map_err(|wanted| Invalid::new(format!("{}: {wanted}", kind.name)))
        });
        values.extend(value.map(|value| (*id, value)));
    }
    values
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, WeightDecimals};

    use super::*;
    use crate::clients::import::decide::decide;
    use crate::testkit::Samples;
    use crate::{ImportStep, WeightChanges};

    fn kind(ids: &CountingIds, name: &str, decimals: i64) -> WeightKind {
        let decimals = WeightDecimals::new(decimals).unwrap();
        WeightKind { id: WeightKindId::new(ids), name: name.to_owned(), unit: None, decimals }
    }

    fn row(weights: &[(WeightKindId, &str)]) -> ImportRow {
        let weights = weights.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect();
        let name = Some("anna".to_owned());
        ImportRow { line: 2, username: name.clone(), name, weights, ..ImportRow::default() }
    }

    fn faults(row: &ImportRow, kinds: &[WeightKind]) -> Vec<(ImportField, String)> {
        match &decide(&[], std::slice::from_ref(row), kinds, &[]).rows[0].step {
            ImportStep::Refuse(faults) => faults.iter().map(|fault| (fault.field, fault.wanted.clone())).collect(),
            ImportStep::Add(_) | ImportStep::Change(_) | ImportStep::Keep => Vec::new(),
        }
    }

    #[test]
    fn a_fault_names_its_kind() {
        let ids = CountingIds::new();
        let (shares, area) = (kind(&ids, "Shares", 0), kind(&ids, "Area", 1));
        let unknown = WeightKindId::from_uuid(ClientId::new(&ids).as_uuid());
        let kinds = [shares.clone(), area.clone()];
        for (given, id, wanted) in [
            ((shares.id, "1,5"), shares.id, "Shares: Must be a whole number."),
            ((area.id, "0.25"), area.id, "Area: Must have at most 1 decimal."),
            ((area.id, "many"), area.id, "Area: Must be a number from 0 to less than 1,000,000,000,000,000,000."),
            ((unknown, "1"), unknown, "Must be of a kind of weight of your organization."),
        ] {
            assert_eq!(faults(&row(&[given]), &kinds), [(ImportField::Weights(id), wanted.to_owned())]);
        }
        let twice = row(&[(area.id, "1"), (area.id, "1")]);
        let wanted = "Area: Must be in the row only once.".to_owned();
        assert_eq!(faults(&twice, &kinds), [(ImportField::Weights(area.id), wanted)]);
        assert_eq!(faults(&row(&[(unknown, " ")]), &kinds), []);
    }

    #[test]
    fn a_row_with_many_cells_is_read_in_one_pass() {
        let ids = CountingIds::new();
        let cells: Vec<(WeightKindId, String)> =
            (0..200_000).map(|_| (WeightKindId::new(&ids), "1".to_owned())).collect();
        let row = ImportRow { weights: cells, ..ImportRow::default() };
        let mut faults = Vec::new();
        assert!(read_weights(&mut faults, &row, &[]).is_empty());
        assert_eq!(faults.len(), row.weights.len());
    }

    #[test]
    fn an_empty_cell_changes_nothing_and_other_kinds_stay() {
        let (samples, ids) = (Samples::new(), CountingIds::new());
        let (shares, area) = (kind(&ids, "Shares", 0), kind(&ids, "Area", 1));
        let kinds = [shares.clone(), area.clone()];
        let value = |text| KindWeight::parse(text, area.decimals).unwrap();
        let mut anna = samples.end_user(&samples.client("club"), "anna");
        anna.weights = [(shares.id, value("5")), (area.id, value("7.5"))].into_iter().collect();
        let present = [anna];
        let step = |cells: &[(WeightKindId, &str)]| decide(&present, &[row(cells)], &kinds, &[]).rows.remove(0).step;
        assert_eq!(step(&[(shares.id, ""), (area.id, "7,50")]), ImportStep::Keep);
        let ImportStep::Change(changed) = step(&[(shares.id, " "), (area.id, "0")]) else { panic!("it changes") };
        assert_eq!(changed.changes.weights, Some(WeightChanges::Some(vec![(area.id, value("0"))])));
        assert_eq!(changed.fields, [ImportField::Weights(area.id)]);
        let new = decide(&[], &[row(&[(shares.id, "1'234"), (area.id, "")])], &kinds, &[]);
        let ImportStep::Add(added) = &new.rows[0].step else { panic!("{new:?}") };
        assert_eq!(added.weights, [(shares.id, value("1234"))].into_iter().collect());
    }
}
