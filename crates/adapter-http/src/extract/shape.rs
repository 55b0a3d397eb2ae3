//! The expected form of a body, read from the OpenAPI schema of its type.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use serde_json::{Map, Number, Value};
use utoipa::ToSchema;

/// The expected form of a value.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    /// Whether the value may be `null`.
    pub(super) is_nullable: bool,
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Text,
    Time,
    Id,
    Choice(Vec<String>),
    Switch,
    Number {
        least: Option<String>,
        most: Option<String>,
    },
    Whole(WholeNumber),
    List {
        items: Box<Shape>,
        most: Option<usize>,
    },
    Object(ObjectShape),
    /// Objects that differ in the value of one field.
    Tagged {
        tag: String,
        variants: BTreeMap<String, ObjectShape>,
    },
    /// One of several kinds.
    Either(Vec<Shape>),
    Anything,
}

/// A number without decimals.
#[derive(Clone, Debug)]
pub(super) struct WholeNumber {
    least: Option<i64>,
    most: Option<i64>,
    /// The accepted numbers, if there are only a few.
    choices: Vec<String>,
}

/// The fields of an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectShape {
    pub(super) fields: BTreeMap<String, Shape>,
    pub(super) required: Vec<String>,
    /// Whether unknown fields are an error.
    pub(super) is_strict: bool,
}

/// Error texts name no limits from here on, because these are technical.
const FIRST_TECHNICAL_LIMIT: i64 = i32::MAX as i64;

impl Shape {
    /// The shape of a type, built once.
    pub(super) fn of<T: ToSchema + 'static>() -> Arc<Self> {
        static KNOWN: LazyLock<RwLock<HashMap<TypeId, Arc<Shape>>>> = LazyLock::new(RwLock::default);
        let id = TypeId::of::<T>();
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&id).map(Arc::clone);
        known.unwrap_or_else(|| {
            let shape = Arc::new(Self::read::<T>());
            KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&shape));
            shape
        })
    }

    fn read<T: ToSchema>() -> Self {
        let mut named = Vec::new();
        T::schemas(&mut named);
        let json = |schema| serde_json::to_value(schema).unwrap_or_default();
        let named: HashMap<String, Value> = named.into_iter().map(|(name, schema)| (name, json(schema))).collect();
        Self::of_schema(&json(T::schema()), &named)
    }

    fn of_schema(schema: &Value, named: &HashMap<String, Value>) -> Self {
        if let Some(name) = schema["$ref"].as_str().and_then(|address| address.rsplit('/').next()) {
            return named.get(name).map_or_else(Self::anything, |schema| Self::of_schema(schema, named));
        }
        if let Some(variants) = schema["oneOf"].as_array() {
            return Self::of_variants(variants, named);
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            single => single.as_str().into_iter().collect(),
        };
        let kind =
            types.iter().find(|name| **name != "null").map_or(Kind::Anything, |name| kind_of(name, schema, named));
        Self { kind, is_nullable: types.contains(&"null") }
    }

    fn of_variants(variants: &[Value], named: &HashMap<String, Value>) -> Self {
        let is_null = |schema: &&Value| schema["type"] == "null";
        let is_nullable = variants.iter().any(|schema| is_null(&schema));
        let mut shapes: Vec<Self> =
            variants.iter().filter(|schema| !is_null(schema)).map(|schema| Self::of_schema(schema, named)).collect();
        if shapes.len() == 1 {
            let only = shapes.remove(0);
            return Self { is_nullable: is_nullable || only.is_nullable, ..only };
        }
        let kind = tagged(&shapes).unwrap_or(Kind::Either(shapes));
        Self { kind, is_nullable }
    }

    fn anything() -> Self {
        Self { kind: Kind::Anything, is_nullable: true }
    }

    /// The shape of a field or a list entry.
    pub(super) fn within(&self, field: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Object(object) => object.fields.get(field),
            Kind::Tagged { variants, .. } => variants.values().find_map(|object| object.fields.get(field)),
            Kind::List { items, .. } => Some(items),
            Kind::Either(shapes) => shapes.iter().find_map(|shape| shape.within(field)),
            _ => None,
        }
    }

    /// The expected value, for use after "Must be": "a text".
    pub(super) fn expected(&self) -> String {
        match &self.kind {
            Kind::Text => "a text".to_owned(),
            Kind::Time => "a time such as 2026-12-01T18:00:00Z".to_owned(),
            Kind::Id => "an id such as 019a9d5e-0000-7000-8000-000000000004".to_owned(),
            Kind::Choice(names) => format!("one of {}", names.join(", ")),
            Kind::Switch => "true or false".to_owned(),
            // Weights are the only numbers with decimals in bodies.
            Kind::Number { least: Some(least), most: Some(most) } => {
                format!("a number from {least} to {most} with at most 4 decimals")
            }
            Kind::Number { .. } => "a number".to_owned(),
            Kind::Whole(number) => number.expected(),
            Kind::List { items, .. } => match items.kind {
                Kind::Text => "a list of texts".to_owned(),
                _ => "a list".to_owned(),
            },
            Kind::Object(_) | Kind::Tagged { .. } => "an object".to_owned(),
            Kind::Either(shapes) => shapes.iter().map(Self::expected).collect::<Vec<_>>().join(" or "),
            Kind::Anything => "something else".to_owned(),
        }
    }
}

impl WholeNumber {
    /// Whether the sign of a number is acceptable. Handlers check other limits, for which they have better texts.
    pub(super) fn takes_sign_of(&self, number: &Number) -> bool {
        self.least.is_none_or(|least| least < 0) && !self.is_a_choice() || !number.to_string().starts_with('-')
    }

    /// Whether only a few numbers are accepted.
    pub(super) fn is_a_choice(&self) -> bool {
        !self.choices.is_empty()
    }

    fn expected(&self) -> String {
        match (&self.choices[..], self.least, self.most.filter(|most| *most < FIRST_TECHNICAL_LIMIT)) {
            ([first, others @ ..], _, _) => {
                others.iter().fold(format!("the number {first}"), |text, other| format!("{text} or {other}"))
            }
            ([], Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
            ([], Some(least), None) => format!("a whole number of at least {least}"),
            ([], None, Some(most)) => format!("a whole number of at most {most}"),
            ([], None, None) => "a whole number".to_owned(),
        }
    }
}

fn kind_of(name: &str, schema: &Value, named: &HashMap<String, Value>) -> Kind {
    let choices = || schema["enum"].as_array().into_iter().flatten().filter(|choice| !choice.is_null());
    match name {
        "string" if schema["enum"].is_array() => {
            Kind::Choice(choices().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        "string" => match schema["format"].as_str() {
            Some("date-time") => Kind::Time,
            Some("uuid") => Kind::Id,
            _ => Kind::Text,
        },
        "boolean" => Kind::Switch,
        "number" => {
            let limit = |name: &str| schema.get(name).map(Value::to_string);
            Kind::Number { least: limit("minimum"), most: limit("maximum") }
        }
        "integer" => Kind::Whole(WholeNumber {
            least: schema["minimum"].as_i64(),
            most: schema["maximum"].as_i64(),
            choices: choices().map(Value::to_string).collect(),
        }),
        "array" => {
            let most = schema["maxItems"].as_u64().and_then(|most| usize::try_from(most).ok());
            Kind::List { items: Box::new(Shape::of_schema(&schema["items"], named)), most }
        }
        "object" => Kind::Object(object_of(schema, named)),
        _ => Kind::Anything,
    }
}

fn object_of(schema: &Value, named: &HashMap<String, Value>) -> ObjectShape {
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let fields = properties.iter().map(|(name, schema)| (name.clone(), Shape::of_schema(schema, named))).collect();
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    ObjectShape {
        fields,
        required: required.map(str::to_owned).collect(),
        is_strict: schema["additionalProperties"] == Value::Bool(false),
    }
}

/// Objects that share a field with exactly one allowed value each.
fn tagged(shapes: &[Shape]) -> Option<Kind> {
    let name_of = |object: &ObjectShape, tag: &str| match &object.fields.get(tag)?.kind {
        Kind::Choice(names) => names.first().filter(|_| names.len() == 1).cloned(),
        _ => None,
    };
    let objects: Option<Vec<&ObjectShape>> = shapes
        .iter()
        .map(|shape| match &shape.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        })
        .collect();
    let objects = objects?;
    let tag = objects.first()?.fields.keys().find(|tag| objects.iter().all(|object| name_of(object, tag).is_some()))?;
    // Unknown fields are an error here, because the tag decides on the meaning of fields.
    let variants = objects.iter().map(|object| {
        let strict = ObjectShape { is_strict: true, ..(*object).clone() };
        Some((name_of(object, tag)?, strict))
    });
    Some(Kind::Tagged { tag: tag.clone(), variants: variants.collect::<Option<_>>()? })
}
