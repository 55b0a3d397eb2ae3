use std::fmt;

use plenum_kernel::Invalid;

/// The darkest surface of the light theme on which accent text stands: `--plenum-sunken` of the screens.
const LIGHT_SURFACE: Rgb = Rgb(0xf4, 0xf2, 0xee);
/// The brightest surface of the dark theme: its `--plenum-surface`.
const DARK_SURFACE: Rgb = Rgb(0x1f, 0x1d, 0x1a);
const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);

/// The contrast of text (WCAG 2.2, 1.4.3, level AA). A control needs only 3 (1.4.11).
const TEXT_CONTRAST: f64 = 4.5;
/// The contrast of the accent in the dark theme, as that of Plenum's own accent (WCAG 2.2, 1.4.6, level AAA).
const DARK_CONTRAST: f64 = 7.;

/// The tints of the soft backgrounds below accent text, in percent of the accent.
const LIGHT_TINT: u8 = 5;
const DARK_TINT: u8 = 10;

/// A color of the sRGB color space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rgb(u8, u8, u8);

impl Rgb {
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let channel = |from: usize| u8::from_str_radix(&digits[from..from + 2], 16).ok();
        is_hexadecimal.then(|| Some(Self(channel(0)?, channel(2)?, channel(4)?))).flatten()
    }

    /// The relative luminance, 0 to 1 (WCAG 2.2).
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// The contrast ratio, 1 to 21 (WCAG 2.2).
    fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// This color with `percent` of another one.
    fn mixed(self, other: Self, percent: u8) -> Self {
        let share = u32::from(percent);
        let channel = |own: u8, other: u8| {
            let sum = u32::from(own) * (100 - share) + u32::from(other) * share;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        Self(channel(self.0, other.0), channel(self.1, other.1), channel(self.2, other.2))
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The accent color of an organization in the light theme. Text in it is readable on every light surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccentColor(Rgb);

impl AccentColor {
    /// Reads `#RRGGBB`, in any case.
    ///
    /// # Errors
    /// Fails for other notations, and for colors with a contrast below 4.5:1 to the light surfaces.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let Some(color) = Rgb::parse(text) else {
            return Err(Invalid::new("Must be a color such as #0f5e5a."));
        };
        // Rounded down: 4.49 must not be told as 4.5.
        let reached = (color.contrast(LIGHT_SURFACE) * 100.).floor() / 100.;
        if reached < TEXT_CONTRAST {
            return Err(Invalid::new(format!(
                "Must be darker: text in this color has a contrast of {reached:.2}:1 on a light page, and 4.5:1 is needed."
            )));
        }
        Ok(Self(color))
    }

    /// A stored color, which was checked when it was stored.
    ///
    /// # Errors
    /// Fails when the stored text is not a color.
    pub fn from_stored(text: &str) -> Result<Self, Invalid> {
        Rgb::parse(text).map(Self).ok_or_else(|| Invalid::new(format!("{text} is not a color")))
    }

    /// The channels red, green and blue.
    pub fn channels(self) -> [u8; 3] {
        [self.0.0, self.0.1, self.0.2]
    }

    /// The soft background of the light theme, as `#rrggbb`.
    pub fn soft(self) -> String {
        WHITE.mixed(self.0, LIGHT_TINT).to_string()
    }

    /// The accent of the dark theme, as `#rrggbb`: this color with as much white as a contrast of 7:1 needs.
    pub fn dark(self) -> String {
        self.in_dark().to_string()
    }

    /// The soft background of the dark theme, as `#rrggbb`.
    pub fn dark_soft(self) -> String {
        DARK_SURFACE.mixed(self.in_dark(), DARK_TINT).to_string()
    }

    fn in_dark(self) -> Rgb {
        let shades = (0..=100).map(|percent| self.0.mixed(WHITE, percent));
        shades.into_iter().find(|shade| shade.contrast(DARK_SURFACE) >= DARK_CONTRAST).unwrap_or(WHITE)
    }
}

/// In lower case, as `#rrggbb`.
impl fmt::Display for AccentColor {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrasts_are_those_of_wcag() {
        let contrast = |one, two| Rgb::parse(one).unwrap().contrast(Rgb::parse(two).unwrap());
        assert!((contrast("#000000", "#ffffff") - 21.).abs() < 1e-9);
        // Known values: the darkest gray that fails on white, and the next one.
        assert!(contrast("#777777", "#ffffff") < 4.5);
        assert!(contrast("#767676", "#ffffff") >= 4.5);
    }

    #[test]
    fn a_color_is_read_in_any_case_and_written_in_lower_case() {
        assert_eq!(AccentColor::parse("#7A1F5C").unwrap().to_string(), "#7a1f5c");
        for text in ["", "#", " #7a1f5c", "7a1f5c", "#7a1f5", "#7a1f5c0", "#7a1f5g", "red", "#é1f5c", "#+a1f5c"] {
            assert_eq!(AccentColor::parse(text).unwrap_err().to_string(), "Must be a color such as #0f5e5a.", "{text}");
        }
    }

    #[test]
    fn a_color_without_enough_contrast_is_refused_with_the_reached_one() {
        assert_eq!(
            AccentColor::parse("#ffcc00").unwrap_err().to_string(),
            "Must be darker: text in this color has a contrast of 1.35:1 on a light page, and 4.5:1 is needed."
        );
        assert!(AccentColor::parse("#0f5e5a").is_ok());
    }

    #[test]
    fn every_accepted_color_is_readable_on_every_surface_of_both_themes() {
        let channel = || (0..=255_u8).step_by(15);
        let colors =
            channel().flat_map(|red| channel().flat_map(move |green| channel().map(move |blue| (red, green, blue))));
        let mut accepted = 0;
        for (red, green, blue) in colors {
            let Ok(accent) = AccentColor::parse(&Rgb(red, green, blue).to_string()) else { continue };
            accepted += 1;
            let read = |text: String| Rgb::parse(&text).unwrap();
            let (dark, soft, dark_soft) = (read(accent.dark()), read(accent.soft()), read(accent.dark_soft()));
            assert!(accent.0.contrast(WHITE) >= 4.5, "white text on {accent}");
            assert!(accent.0.contrast(soft) >= 4.5, "{accent} on {soft}");
            assert!(dark.contrast(DARK_SURFACE) >= 7., "{accent} as {dark} in the dark theme");
            assert!(dark.contrast(dark_soft) >= 4.5, "{dark} on {dark_soft}");
        }
        assert!(accepted > 1_000);
    }
}
