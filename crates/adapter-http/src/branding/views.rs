use plenum_clients::{AccentColor, Branding};
use serde::Serialize;
use utoipa::ToSchema;

/// An accent color and the shades that follow from it, each as `#rrggbb`. Texts in them reach at least 4.5:1.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "color": "#7a1f5c", "soft": "#f8f4f7", "dark": "#c49cb7", "darkSoft": "#302a2a" }))]
pub(crate) struct AccentView {
    /// The chosen color, for the light theme. Text on it is white.
    color: String,
    /// A soft background in the light theme.
    soft: String,
    /// The color in the dark theme. Text on it is dark.
    dark: String,
    /// A soft background in the dark theme.
    dark_soft: String,
}

impl From<AccentColor> for AccentView {
    fn from(accent: AccentColor) -> Self {
        Self { color: accent.to_string(), soft: accent.soft(), dark: accent.dark(), dark_soft: accent.dark_soft() }
    }
}

/// The branding of an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "accent": { "color": "#7a1f5c", "soft": "#f8f4f7", "dark": "#c49cb7", "darkSoft": "#302a2a" },
    "logoVersion": "3f786850e387550f",
}))]
pub(crate) struct BrandingView {
    /// Null without an accent color: then Plenum's own holds.
    #[schema(required)]
    accent: Option<AccentView>,
    /// Changes with the logo. Null without one. The logo is at `/public/client/{clientCode}/logo?v={logoVersion}`.
    #[schema(required)]
    logo_version: Option<String>,
}

impl From<Branding> for BrandingView {
    fn from(branding: Branding) -> Self {
        Self { accent: branding.accent.map(AccentView::from), logo_version: branding.logo_version }
    }
}
