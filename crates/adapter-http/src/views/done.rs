use serde::Serialize;
use utoipa::ToSchema;

/// A success without further data.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true }))]
pub(crate) struct DoneView {
    pub(crate) success: bool,
}

impl DoneView {
    pub(crate) const DONE: Self = Self { success: true };
}
