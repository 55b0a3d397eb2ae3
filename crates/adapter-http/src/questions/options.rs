use plenum_kernel::Invalid;
use serde::Deserialize;
use utoipa::ToSchema;

/// The texts of options, as a JSON string (as in the specification) or an array.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a JSON string of texts or an array of texts")]
#[schema(example = json!("[\"Yes\",\"No\",\"Abstain\"]"))]
pub(crate) enum OptionTexts {
    /// `"[\"Yes\",\"No\"]"`
    Encoded(String),
    /// `["Yes", "No"]`
    Array(Vec<String>),
}

impl OptionTexts {
    /// Reads the texts. An empty list or string counts as missing.
    pub(super) fn read(given: Option<Self>) -> Result<Option<Vec<String>>, Invalid> {
        match given {
            None => Ok(None),
            Some(Self::Array(texts)) => Ok(Some(texts)),
            Some(Self::Encoded(encoded)) if encoded.trim().is_empty() => Ok(None),
            Some(Self::Encoded(encoded)) => {
                serde_json::from_str(&encoded).map_err(|_| Invalid::new("Invalid options format"))
            }
        }
    }
}
