use chrono::{DateTime, Utc};
use plenum_kernel::{WeightDecimals, WeightKind};
use rust_decimal::Decimal;

use crate::ChangeWeightKindError;

plenum_kernel::text_value!(
    /// The name of a kind of weight, unique in its client regardless of case.
    WeightKindName, check_distinct_name, 100
);

plenum_kernel::text_value!(
    /// The unit of a kind of weight: "m²".
    WeightUnit, check_line, 20
);

/// A kind of weight to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewWeightKind {
    /// The name.
    pub name: WeightKindName,
    /// The unit, if numbers have one.
    pub unit: Option<WeightUnit>,
    /// The decimals of a value.
    pub decimals: WeightDecimals,
}

/// A kind of weight with the sum of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightKindOverview {
    /// The kind.
    pub kind: WeightKind,
    /// The exact sum of the values of all end users of the client, inactive ones included.
    pub total: Decimal,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

/// Changes to a kind of weight. `None` keeps a value, and an inner `None` clears the unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeightKindChanges {
    /// Another name.
    pub name: Option<WeightKindName>,
    /// Another unit, or none.
    pub unit: Option<Option<WeightUnit>>,
    /// More decimals.
    pub decimals: Option<WeightDecimals>,
}

impl WeightKindChanges {
    /// Applies all of the changes.
    ///
    /// # Errors
    /// `FewerDecimals`, because stored values would have to be rounded.
    pub fn apply_to(self, kind: &mut WeightKind) -> Result<(), ChangeWeightKindError> {
        if let Some(decimals) = self.decimals {
            if decimals < kind.decimals {
                return Err(ChangeWeightKindError::FewerDecimals);
            }
            kind.decimals = decimals;
        }
        if let Some(name) = self.name {
            kind.name = name.to_string();
        }
        if let Some(unit) = self.unit {
            kind.unit = unit.map(|unit| unit.to_string());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::WeightKindId;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn decimals(number: i64) -> WeightDecimals {
        WeightDecimals::new(number).unwrap()
    }

    #[test]
    fn the_decimals_of_a_kind_never_get_fewer() {
        let id = WeightKindId::new(&CountingIds::new());
        let unit = Some("m²".to_owned());
        let mut kind = WeightKind { id, name: "Area".to_owned(), unit, decimals: decimals(2) };
        let before = kind.clone();
        let to = |number| WeightKindChanges { decimals: Some(decimals(number)), ..WeightKindChanges::default() };
        let name = WeightKindName::parse("Other").ok();
        let fewer = WeightKindChanges { name: name.clone(), ..to(1) };
        assert!(matches!(fewer.apply_to(&mut kind), Err(ChangeWeightKindError::FewerDecimals)));
        assert_eq!(kind, before);
        assert!(to(2).apply_to(&mut kind).is_ok() && WeightKindChanges::default().apply_to(&mut kind).is_ok());
        assert_eq!(kind, before);
        let changes = WeightKindChanges { name, unit: Some(None), ..to(3) };
        changes.apply_to(&mut kind).unwrap();
        assert_eq!(kind, WeightKind { id, name: "Other".to_owned(), unit: None, decimals: decimals(3) });
    }

    #[test]
    fn names_and_units_have_limits() {
        assert!(WeightKindName::parse(" Shares; class A ").is_ok_and(|name| name.as_str() == "Shares; class A"));
        assert!(WeightKindName::parse(" ").is_err() && WeightKindName::parse(&"n".repeat(101)).is_err());
        assert!(WeightKindName::parse("Shares\u{3164}").is_err(), "it looks like another name");
        assert!(WeightUnit::parse("m²").is_ok() && WeightUnit::parse(&"u".repeat(21)).is_err());
    }
}
