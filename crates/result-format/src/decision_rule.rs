use plenum_kernel::{
    Base, BlockingMinority, Comparison, Condition, DecisionRule, EachOption, Fraction, GroupId, Invalid, Joined,
    Majority, Measure, OnTie, Seats, Threshold, Unit, Units,
};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::ElectionRuleFormat;

/// The path of the invalid field of a rule ("conditions.0.numerator"), and the requirement.
pub type FieldError = (String, Invalid);

/// The unit of a count of votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Unit)]
pub enum UnitName {
    /// Each person counts one.
    Heads,
    /// Each person counts with the weight in the register.
    Weight,
}

/// The number in which a condition was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Measure)]
pub enum MeasureName {
    /// Each person counts one.
    Heads,
    /// Each person counts with the weight in the register.
    Weight,
    /// Each person counts with the second weight in the register.
    SecondWeight,
}

impl From<UnitName> for MeasureName {
    fn from(unit: UnitName) -> Self {
        match unit {
            UnitName::Heads => Self::Heads,
            UnitName::Weight => Self::Weight,
        }
    }
}

/// The units in which a condition must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Units)]
pub enum UnitsName {
    /// In heads.
    Heads,
    /// In weight.
    Weight,
    /// In both units.
    Both,
    /// In the second weight of the question. Only for a YES_NO question that has one and is not secret.
    SecondWeight,
}

/// The whole for a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Base)]
pub enum BaseName {
    /// The votes for yes and no. Abstentions do not count.
    YesPlusNo,
    /// All votes cast, with abstentions.
    VotesCast,
    /// The votes cast without those for an option that means abstain.
    VotesWithoutAbstentions,
    /// The whole register.
    WholeRegister,
    /// The present voters: those of the register who were connected at opening, or voted.
    ConnectedAtOpening,
}

/// The comparison of a count with a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Comparison)]
pub enum ComparisonName {
    /// The share itself is not enough.
    MoreThan,
    /// The share itself is enough.
    AtLeast,
}

/// The meaning of equal numbers of yes and no.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OnTie)]
pub enum OnTieName {
    /// It is not a majority.
    #[default]
    Rejected,
    /// It counts as a majority.
    Accepted,
    /// The chair's casting vote decides. It is noted after the count.
    CastingVote,
}

/// The connection of a condition with the one before it. "And" binds stronger than "or".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Joined)]
pub enum JoinedName {
    /// Both must be met.
    #[default]
    And,
    /// It begins an alternative: it is enough if one of the alternatives is met.
    Or,
}

/// One requirement: a share of a base, in heads, in weight, or in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Condition, example = json!({
    "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
}))]
pub struct ConditionFormat {
    /// The units of the count.
    pub units: UnitsName,
    /// The base of the share.
    pub base: BaseName,
    /// The comparison of the count with the share.
    pub comparison: ComparisonName,
    /// The numerator of the share: from 1 to the denominator.
    pub numerator: u32,
    /// The denominator: from 1 to 1,000,000.
    pub denominator: u32,
    /// The number of people who must not be in favor to prevent the decision, from 2 to 1,000,000. If fewer of the base are not
    /// in favor, the condition counts as met. Left out if the share alone decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocking_minority: Option<u32>,
    /// The connection with the condition before it: "and" if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub joined: Option<JoinedName>,
}

/// The way from a tally to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = DecisionRule, example = json!({
    "kind": "majority",
    "conditions": [
        { "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2 },
    ],
    "onTie": "rejected",
}))]
pub enum DecisionRuleFormat {
    /// A YES_NO question is accepted if its conditions are met.
    Majority {
        /// One to three conditions. All must be met, or those of one alternative.
        conditions: Vec<ConditionFormat>,
        /// The meaning of a tie, if more than 1/2 of yes and no is required.
        #[serde(default, rename = "onTie")]
        on_tie: OnTieName,
        /// The ids of groups among whose members the conditions must be met as well. Left out without groups.
        #[serde(default, rename = "inEach", skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        in_each: Vec<Uuid>,
    },
    /// The options with the most votes are elected (MULTIPLE_CHOICE).
    Plurality {
        /// The unit of the count.
        unit: UnitName,
        /// The number of options to elect, from 1 to the number of options.
        seats: u32,
    },
    /// Each option needs its own majority (MULTIPLE_CHOICE).
    EachOption {
        /// The condition for each option. Its base is not yes and no.
        condition: ConditionFormat,
        /// The number of options to elect among those that meet the condition. Null elects all of them.
        #[serde(default)]
        seats: Option<u32>,
    },
    /// An election of persons is counted by its method (ELECTION).
    Election {
        /// The terms of the election.
        election: Box<ElectionRuleFormat>,
    },
}

/// A rule as it is parsed, with the fields of every kind. serde reads an internally tagged enum from a copy, and errors
/// in it have no path.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AnyRule {
    kind: Kind,
    #[serde(default, deserialize_with = "given")]
    conditions: Option<Vec<ConditionFormat>>,
    #[serde(default, deserialize_with = "given")]
    on_tie: Option<OnTieName>,
    #[serde(default, deserialize_with = "given")]
    in_each: Option<Vec<Uuid>>,
    #[serde(default, deserialize_with = "given")]
    unit: Option<UnitName>,
    #[serde(default, deserialize_with = "given")]
    seats: Option<Option<u32>>,
    #[serde(default, deserialize_with = "given")]
    condition: Option<ConditionFormat>,
    #[serde(default, deserialize_with = "given")]
    election: Option<Box<ElectionRuleFormat>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Majority,
    Plurality,
    EachOption,
    Election,
}

/// A field that is present, possibly with null.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

/// The error for a field that this kind of rule does not have.
fn check_absent<T, E: Error>(name: &'static str, field: Option<&T>, of_kind: &'static [&'static str]) -> Result<(), E> {
    field.map_or(Ok(()), |_| Err(E::unknown_field(name, of_kind)))
}

impl AnyRule {
    fn of_its_kind<E: Error>(self) -> Result<DecisionRuleFormat, E> {
        let Self { kind, conditions, on_tie, in_each, unit, seats, condition, election } = self;
        if !matches!(kind, Kind::Majority) {
            check_absent("inEach", in_each.as_ref(), &["the fields of this kind"])?;
        }
        if !matches!(kind, Kind::Election) {
            check_absent("election", election.as_ref(), &["the fields of this kind"])?;
        }
        match kind {
            Kind::Election => {
                let own = &["election"];
                check_absent("conditions", conditions.as_ref(), own)?;
                check_absent("onTie", on_tie.as_ref(), own)?;
                check_absent("unit", unit.as_ref(), own)?;
                check_absent("seats", seats.as_ref(), own)?;
                check_absent("condition", condition.as_ref(), own)?;
                Ok(DecisionRuleFormat::Election { election: election.ok_or_else(|| E::missing_field("election"))? })
            }
            Kind::Majority => {
                let own = &["conditions", "onTie", "inEach"];
                check_absent("unit", unit.as_ref(), own)?;
                check_absent("seats", seats.as_ref(), own)?;
                check_absent("condition", condition.as_ref(), own)?;
                let conditions = conditions.ok_or_else(|| E::missing_field("conditions"))?;
                let (on_tie, in_each) = (on_tie.unwrap_or_default(), in_each.unwrap_or_default());
                Ok(DecisionRuleFormat::Majority { conditions, on_tie, in_each })
            }
            Kind::Plurality => {
                let own = &["unit", "seats"];
                check_absent("conditions", conditions.as_ref(), own)?;
                check_absent("onTie", on_tie.as_ref(), own)?;
                check_absent("condition", condition.as_ref(), own)?;
                let unit = unit.ok_or_else(|| E::missing_field("unit"))?;
                let seats = seats.flatten().ok_or_else(|| E::missing_field("seats"))?;
                Ok(DecisionRuleFormat::Plurality { unit, seats })
            }
            Kind::EachOption => {
                let own = &["condition", "seats"];
                check_absent("conditions", conditions.as_ref(), own)?;
                check_absent("onTie", on_tie.as_ref(), own)?;
                check_absent("unit", unit.as_ref(), own)?;
                let condition = condition.ok_or_else(|| E::missing_field("condition"))?;
                Ok(DecisionRuleFormat::EachOption { condition, seats: seats.flatten() })
            }
        }
    }
}

impl<'de> Deserialize<'de> for DecisionRuleFormat {
    fn deserialize<D: Deserializer<'de>>(rule: D) -> Result<Self, D::Error> {
        AnyRule::deserialize(rule)?.of_its_kind()
    }
}

impl DecisionRuleFormat {
    /// Whether its values can be a rule.
    pub fn is_valid(&self) -> bool {
        DecisionRule::try_from(self.clone()).is_ok()
    }
}

macro_rules! same_names {
    ($format:ty, $value:ty, [$($name:ident),+]) => {
        impl From<$value> for $format {
            fn from(value: $value) -> Self {
                match value { $(<$value>::$name => Self::$name),+ }
            }
        }

        impl From<$format> for $value {
            fn from(format: $format) -> Self {
                match format { $(<$format>::$name => Self::$name),+ }
            }
        }
    };
}
pub(crate) use same_names;

same_names!(UnitName, Unit, [Heads, Weight]);
same_names!(UnitsName, Units, [Heads, Weight, Both, SecondWeight]);
same_names!(MeasureName, Measure, [Heads, Weight, SecondWeight]);
same_names!(BaseName, Base, [YesPlusNo, VotesCast, VotesWithoutAbstentions, WholeRegister, ConnectedAtOpening]);
same_names!(ComparisonName, Comparison, [MoreThan, AtLeast]);
same_names!(OnTieName, OnTie, [Rejected, Accepted, CastingVote]);
same_names!(JoinedName, Joined, [And, Or]);

/// Prefixes the invalid field with the path of its part.
pub(crate) fn within(part: &str) -> impl Fn((&'static str, Invalid)) -> FieldError {
    move |(field, requirement)| {
        (if part.is_empty() { field.to_owned() } else { format!("{part}.{field}") }, requirement)
    }
}

/// The fields of the format for errors of the whole rule.
fn at_its_path((field, requirement): (&'static str, Invalid)) -> FieldError {
    let path = match field {
        "tie" => "onTie",
        "base" => "condition.base",
        "unit" => "condition.units",
        "blockingMinority" => "condition.blockingMinority",
        other => other,
    };
    (path.to_owned(), requirement)
}

/// Checks a share.
pub(crate) fn threshold(
    comparison: ComparisonName,
    numerator: u32,
    denominator: u32,
) -> Result<Threshold, (&'static str, Invalid)> {
    Threshold::new(comparison.into(), Fraction::new(numerator, denominator)?)
}

impl ConditionFormat {
    fn checked(self, part: &str) -> Result<Condition, FieldError> {
        let threshold = threshold(self.comparison, self.numerator, self.denominator).map_err(within(part))?;
        let blocking_minority = self.blocking_minority.map(BlockingMinority::new).transpose().map_err(within(part))?;
        Ok(Condition { units: self.units.into(), base: self.base.into(), threshold, blocking_minority })
    }
}

impl From<Condition> for ConditionFormat {
    fn from(condition: Condition) -> Self {
        let (comparison, fraction) = (condition.threshold.comparison(), condition.threshold.fraction());
        Self {
            units: condition.units.into(),
            base: condition.base.into(),
            comparison: comparison.into(),
            numerator: fraction.numerator(),
            denominator: fraction.denominator(),
            blocking_minority: condition.blocking_minority.map(BlockingMinority::get),
            joined: None,
        }
    }
}

/// The conditions of a majority with their connections.
fn joined_conditions(majority: &Majority) -> Vec<ConditionFormat> {
    let or = |joined: Joined| (joined == Joined::Or).then_some(JoinedName::Or);
    let joined = std::iter::once(None).chain(majority.joined().iter().map(|joined| or(*joined)));
    let conditions = majority.conditions().iter().zip(joined);
    conditions.map(|(condition, joined)| ConditionFormat { joined, ..(*condition).into() }).collect()
}

/// A majority with its connections and groups.
fn read_majority(
    conditions: Vec<ConditionFormat>,
    on_tie: OnTieName,
    in_each: Vec<Uuid>,
) -> Result<Majority, FieldError> {
    if conditions.first().is_some_and(|first| first.joined.is_some()) {
        let requirement = Invalid::new("Must be left out: there is no condition before it.");
        return Err(("conditions.0.joined".to_owned(), requirement));
    }
    let joined = conditions.iter().skip(1).map(|condition| condition.joined.unwrap_or_default().into()).collect();
    let checked = conditions.into_iter().enumerate();
    let conditions = checked.map(|(index, condition)| condition.checked(&format!("conditions.{index}")));
    let majority = Majority::new(conditions.collect::<Result<_, _>>()?, on_tie.into()).map_err(at_its_path)?;
    let groups = in_each.into_iter().map(GroupId::from_uuid).collect();
    majority.joined_by(joined).in_each_of(groups).map_err(at_its_path)
}

impl From<&DecisionRule> for DecisionRuleFormat {
    fn from(rule: &DecisionRule) -> Self {
        match rule {
            DecisionRule::Majority(majority) => Self::Majority {
                conditions: joined_conditions(majority),
                on_tie: majority.on_tie().into(),
                in_each: majority.in_each().iter().map(|group| group.as_uuid()).collect(),
            },
            DecisionRule::Plurality { unit, seats } => Self::Plurality { unit: (*unit).into(), seats: seats.get() },
            DecisionRule::EachOption(each) => {
                Self::EachOption { condition: each.condition().into(), seats: each.seats().map(Seats::get) }
            }
            DecisionRule::Election(rule) => Self::Election { election: Box::new((&**rule).into()) },
        }
    }
}

impl TryFrom<DecisionRuleFormat> for DecisionRule {
    type Error = FieldError;

    fn try_from(format: DecisionRuleFormat) -> Result<Self, FieldError> {
        match format {
            DecisionRuleFormat::Majority { conditions, on_tie, in_each } => {
                read_majority(conditions, on_tie, in_each).map(Self::Majority)
            }
            DecisionRuleFormat::Plurality { unit, seats } => {
                let seats = Seats::new(seats).map_err(within(""))?;
                Ok(Self::Plurality { unit: unit.into(), seats })
            }
            DecisionRuleFormat::EachOption { condition, seats } => {
                if condition.joined.is_some() {
                    let requirement = Invalid::new("Must be left out: there is one condition.");
                    return Err(("condition.joined".to_owned(), requirement));
                }
                let condition = condition.checked("condition")?;
                let seats = seats.map(Seats::new).transpose().map_err(within(""))?;
                EachOption::new(condition, seats).map(Self::EachOption).map_err(at_its_path)
            }
            DecisionRuleFormat::Election { election } => {
                let rule = (*election).try_into();
                rule.map(|rule| Self::Election(Box::new(rule)))
                    .map_err(|(field, wanted): FieldError| (format!("election.{field}"), wanted))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<DecisionRule, String> {
        let format: DecisionRuleFormat = serde_json::from_str(json).map_err(|error| error.to_string())?;
        DecisionRule::try_from(format).map_err(|(field, _)| field)
    }

    #[test]
    fn every_rule_is_parsed_as_it_was_written() {
        let each = EachOption::new(
            Condition { base: Base::VotesCast, ..Majority::two_thirds(Units::Heads).conditions()[0] },
            Some(Seats::ONE),
        );
        for rule in [
            DecisionRule::Majority(Majority::condominium(Units::Heads)),
            DecisionRule::Majority(Majority::simple(Units::Both)),
            DecisionRule::Majority(Majority::simple(Units::SecondWeight)),
            DecisionRule::Plurality { unit: Unit::Weight, seats: Seats::ONE },
            DecisionRule::EachOption(each.unwrap()),
            widest_majority(),
        ] {
            let json = serde_json::to_string(&DecisionRuleFormat::from(&rule)).unwrap();
            assert_eq!(read(&json), Ok(rule), "{json}");
        }
    }

    /// A majority that uses every field.
    fn widest_majority() -> DecisionRule {
        let simple = Majority::simple(Units::Heads).conditions()[0];
        let blocked = Condition { blocking_minority: BlockingMinority::new(4).ok(), ..simple };
        let majority = Majority::new(vec![simple, blocked, simple], OnTie::CastingVote).unwrap();
        let groups = [1, 2].map(|id| GroupId::from_uuid(Uuid::from_u128(id))).to_vec();
        DecisionRule::Majority(majority.joined_by(vec![Joined::Or, Joined::And]).in_each_of(groups).unwrap())
    }

    #[test]
    fn what_a_plain_rule_does_not_use_is_left_out() {
        let json =
            serde_json::to_string(&DecisionRuleFormat::from(&DecisionRule::Majority(Majority::simple(Units::Heads))));
        let json = json.unwrap();
        for member in ["joined", "blockingMinority", "inEach"] {
            assert!(!json.contains(member), "{json}");
        }
    }

    #[test]
    fn connections_and_groups_are_refused_where_they_mean_nothing() {
        let half = |more: &str| {
            format!(
                r#"{{ "units": "heads", "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2{more} }}"#
            )
        };
        let motion = |first: &str, second: &str| {
            format!(r#"{{ "kind": "majority", "conditions": [{}, {}] }}"#, half(first), half(second))
        };
        assert!(read(&motion("", r#", "joined": "or""#)).is_ok());
        assert_eq!(read(&motion(r#", "joined": "or""#, "")).unwrap_err(), "conditions.0.joined");
        assert_eq!(read(&motion("", r#", "blockingMinority": 1"#)).unwrap_err(), "conditions.1.blockingMinority");
        let each = |more: &str| format!(r#"{{ "kind": "each_option", "condition": {} }}"#, half(more));
        assert!(read(&each("")).is_ok());
        assert_eq!(read(&each(r#", "joined": "and""#)).unwrap_err(), "condition.joined");
        assert_eq!(read(&each(r#", "blockingMinority": 4"#)).unwrap_err(), "condition.blockingMinority");
        let twice = "019a9d5e-0000-7000-8000-000000000001";
        let groups =
            format!(r#"{{ "kind": "majority", "conditions": [{}], "inEach": ["{twice}", "{twice}"] }}"#, half(""));
        assert_eq!(read(&groups).unwrap_err(), "inEach");
        let plurality = r#"{ "kind": "plurality", "unit": "heads", "seats": 1, "inEach": [] }"#;
        assert!(read(plurality).unwrap_err().starts_with("unknown field `inEach`"));
    }

    #[test]
    fn a_rule_has_the_fields_of_its_kind_and_no_others() {
        for (json, requirement) in [
            (r#"{ "kind": "majority" }"#, "missing field `conditions`"),
            (r#"{ "kind": "majority", "conditions": [], "seats": null }"#, "unknown field `seats`"),
            (r#"{ "kind": "plurality", "unit": "heads", "seats": null }"#, "missing field `seats`"),
            (r#"{ "kind": "plurality", "seats": 1 }"#, "missing field `unit`"),
            (r#"{ "kind": "plurality", "unit": "heads", "seats": 1, "onTie": "rejected" }"#, "unknown field `onTie`"),
            (r#"{ "kind": "each_option", "seats": 1 }"#, "missing field `condition`"),
            (r#"{ "kind": "each_option", "seats": 1, "unit": "heads" }"#, "unknown field `unit`"),
            (r#"{ "kind": "plurality", "unit": "heads", "seats": 1, "more": 1 }"#, "unknown field `more`"),
            (r#"{ "kind": "unanimity" }"#, "unknown variant `unanimity`"),
            (r#"{ "seats": 1 }"#, "missing field `kind`"),
        ] {
            let refused = read(json).unwrap_err();
            assert!(refused.starts_with(requirement), "{json}: {refused}");
        }
        assert!(read(r#"{ "kind": "majority", "conditions": [], "onTie": null }"#).is_err());
    }

    #[test]
    fn an_invalid_field_is_named_by_its_path() {
        let rule = |condition: &str| format!(r#"{{ "kind": "majority", "conditions": [{condition}] }}"#);
        let of = |numerator, denominator| {
            rule(&format!(
                r#"{{ "units": "heads", "base": "votes_cast", "comparison": "more_than",
                      "numerator": {numerator}, "denominator": {denominator} }}"#
            ))
        };
        assert!(read(&of(1, 2)).is_ok());
        assert_eq!(read(&of(3, 2)).unwrap_err(), "conditions.0.numerator");
        assert_eq!(read(&of(1, 0)).unwrap_err(), "conditions.0.denominator");
        assert_eq!(read(&of(2, 2)).unwrap_err(), "conditions.0.comparison");
        assert_eq!(read(&rule("")).unwrap_err(), "conditions");
        assert_eq!(read(r#"{ "kind": "plurality", "unit": "heads", "seats": 0 }"#).unwrap_err(), "seats");
    }
}
