use serde::Serialize;
use utoipa::ToSchema;

/// It was done, and there is nothing more to say.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true }))]
pub(crate) struct DoneView {
    pub(crate) success: bool,
}

impl DoneView {
    pub(crate) const DONE: Self = Self { success: true };
}
