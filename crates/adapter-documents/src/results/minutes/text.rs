use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use krilla::Data;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use parley::{
    Alignment, AlignmentOptions, FontContext, FontFamily, FontWeight, Layout, LayoutContext, LineHeight, OverflowWrap,
    StyleProperty,
};

use super::fonts;

/// The colors of the minutes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ink {
    #[default]
    Black,
    Gray,
    /// Lines and bars.
    Pale,
    /// The background of a box.
    Faint,
    /// The organization's accent color: red, green and blue.
    Accent([u8; 3]),
}

/// The side on which lines start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The side on which the script starts: on the right for Arabic and Hebrew.
    Start,
    /// On the right, for any script.
    Right,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) is_bold: bool,
    pub(super) ink: Ink,
    pub(super) side: Side,
}

impl Style {
    pub(super) const BODY: Self = Self { size: 10., is_bold: false, ink: Ink::Black, side: Side::Start };
    pub(super) const SMALL: Self = Self { size: 8.5, is_bold: false, ink: Ink::Gray, side: Side::Start };

    pub(super) const fn bold(self) -> Self {
        Self { is_bold: true, ..self }
    }

    pub(super) const fn gray(self) -> Self {
        Self { ink: Ink::Gray, ..self }
    }

    pub(super) const fn sized(self, size: f32) -> Self {
        Self { size, ..self }
    }

    pub(super) const fn on(self, side: Side) -> Self {
        Self { side, ..self }
    }
}

/// Adjacent letters of one font.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) font: Font,
    pub(super) size: f32,
    pub(super) ink: Ink,
    /// Whether the font has no bold letters, so that they must be emboldened.
    pub(super) is_thickened: bool,
    /// From the left of the paragraph.
    pub(super) x: f32,
    /// From the top of the line.
    pub(super) baseline: f32,
    pub(super) text: Rc<str>,
    pub(super) glyphs: Vec<KrillaGlyph>,
}

/// A line of a paragraph.
pub(super) struct Line {
    pub(super) height: f32,
    pub(super) runs: Vec<Run>,
}

/// Breaks texts into lines. All text is literal: there is no markup in it.
pub(super) struct Typesetter {
    fonts: FontContext,
    layouts: LayoutContext<Ink>,
    families: FontFamily<'static>,
    /// The embedded fonts, by the id that the layouts use.
    embedded: HashMap<u64, Font>,
}

const LINE_HEIGHT: f32 = 1.42;

impl Typesetter {
    /// A typesetter with all fonts.
    ///
    /// # Errors
    /// Returns the name of a missing font.
    pub(super) fn new() -> Result<Self, String> {
        let (fonts, families) = (fonts::load()?, fonts::families());
        Ok(Self { fonts, layouts: LayoutContext::new(), families, embedded: HashMap::new() })
    }

    /// Breaks a text into lines of at most this width.
    pub(super) fn set(&mut self, text: &str, style: Style, width: f32) -> Vec<Line> {
        let text: Rc<str> = clean(text).into();
        let mut builder = self.layouts.ranged_builder(&mut self.fonts, &text, 1.0, false);
        builder.push_default(StyleProperty::FontFamily(self.families.clone()));
        builder.push_default(StyleProperty::FontSize(style.size));
        builder.push_default(StyleProperty::LineHeight(LineHeight::FontSizeRelative(LINE_HEIGHT)));
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        builder.push_default(StyleProperty::FontWeight(if style.is_bold {
            FontWeight::BOLD
        } else {
            FontWeight::NORMAL
        }));
        let mut layout = builder.build(&*text);
        layout.break_all_lines(Some(width));
        let alignment = match style.side {
            Side::Start => Alignment::Start,
            Side::Right => Alignment::Right,
        };
        layout.align(alignment, AlignmentOptions::default());
        self.lines(&layout, &text, style)
    }

    fn lines(&mut self, layout: &Layout<Ink>, text: &Rc<str>, style: Style) -> Vec<Line> {
        let mut lines = Vec::new();
        for line in layout.lines() {
            let metrics = line.metrics();
            let (mut x, baseline) = (metrics.offset, metrics.baseline - metrics.block_min_coord);
            let mut runs = Vec::new();
            for run in line.runs() {
                let (glyphs, advance) = glyphs_of(&run);
                runs.push(Run {
                    font: self.font(&run),
                    size: run.font_size(),
                    ink: style.ink,
                    is_thickened: run.synthesis().embolden(),
                    x,
                    baseline,
                    text: Rc::clone(text),
                    glyphs,
                });
                x += advance;
            }
            lines.push(Line { height: metrics.line_height, runs });
        }
        lines
    }

    fn font(&mut self, run: &parley::Run<'_, Ink>) -> Font {
        let font = run.font();
        let (data, index) = (&font.data, font.index);
        let made = || {
            let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(data.clone());
            Font::new(Data::from(bytes), index).expect("the fonts were read when they were loaded")
        };
        self.embedded.entry(data.id()).or_insert_with(made).clone()
    }
}

/// The glyphs of a run from left to right, and their total width.
fn glyphs_of(run: &parley::Run<'_, Ink>) -> (Vec<KrillaGlyph>, f32) {
    let size = run.font_size();
    let mut glyphs: Vec<KrillaGlyph> = Vec::new();
    let mut width = 0.;
    let mut ligature: Option<Range<usize>> = None;
    for cluster in run.visual_clusters() {
        let range = cluster.text_range();
        // The letters of a ligature belong to its only glyph, on either side of it.
        if cluster.is_ligature_continuation() {
            match glyphs.last_mut() {
                Some(glyph) if !run.is_rtl() => glyph.text_range.end = range.end,
                _ => ligature = Some(ligature.map_or(range.clone(), |held| range.start..held.end)),
            }
            continue;
        }
        let range = ligature.take().map_or(range.clone(), |held| range.start..held.end);
        for glyph in cluster.glyphs() {
            glyphs.push(KrillaGlyph::new(
                GlyphId::new(glyph.id),
                glyph.advance / size,
                glyph.x / size,
                glyph.y / size,
                0.0,
                range.clone(),
                None,
            ));
            width += glyph.advance;
        }
    }
    (glyphs, width)
}

/// The text without control characters and characters that change the text direction.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let letters =
        text.chars().filter(|letter| !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'));
    let letters = letters.map(|letter| match letter {
        '\n' => '\n',
        '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        '\t' => ' ',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_not_printable_are_removed_or_replaced() {
        assert_eq!(clean("a\u{202e}b\u{2066}c\r\nd\re\tf\u{0}"), "abc\nd\ne f\u{fffd}");
        assert_eq!(clean("#[]*_$\\ \u{200f}"), "#[]*_$\\ \u{200f}");
    }

    #[test]
    fn every_font_is_there() {
        assert!(Typesetter::new().is_ok());
    }
}
