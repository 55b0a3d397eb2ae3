use std::num::NonZeroU16;

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{Path, PathBuilder, Point, Rect, Size, Transform};
use krilla::metadata::{self, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, TableHeaderScope, Tag, TagGroup, TagTree,
};
use krilla::{Document, SerializeSettings};

use super::page::{Chapter, Drawn, HEIGHT, Pages, Shape, Structure, WIDTH};
use super::text::Ink;

/// The metadata of the file.
pub(super) struct About<'a> {
    pub(super) title: &'a str,
    pub(super) author: &'a str,
    pub(super) at: DateTime<Utc>,
}

/// Writes pages as a PDF file, tagged for screen readers.
///
/// # Errors
/// Returns the reason if the file could not be written.
pub(super) fn write(pages: Pages, about: &About<'_>) -> Result<Vec<u8>, String> {
    let mut document = Document::new_with(SerializeSettings::default());
    let Pages { pages, structure, chapters, parts, .. } = pages;
    let mut identifiers: Vec<Vec<Identifier>> = Vec::new();
    identifiers.resize_with(parts, Vec::new);
    // Each page is dropped after it was written.
    for drawn in pages {
        let settings = PageSettings::from_wh(WIDTH, HEIGHT).ok_or("a page has no size")?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        // Elements of the same part are tagged together.
        for group in drawn.chunk_by(|left, right| left.part == right.part) {
            let tag = match group[0].part {
                Some(_) => ContentTag::Span(SpanTag::empty()),
                None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Other)),
            };
            let identifier = surface.start_tagged(tag);
            for Drawn { shape, .. } in group {
                draw(&mut surface, shape);
            }
            surface.end_tagged();
            if let Some(part) = group[0].part {
                identifiers[part].push(identifier);
            }
        }
        surface.finish();
        page.finish();
    }
    document.set_tag_tree(tree(&structure, &mut identifiers));
    document.set_outline(outline(&chapters));
    document.set_metadata(metadata(about));
    document.finish().map_err(|error| format!("{error:?}"))
}

fn color(ink: Ink) -> rgb::Color {
    match ink {
        Ink::Black => rgb::Color::new(20, 22, 26),
        Ink::Gray => rgb::Color::new(96, 102, 112),
        Ink::Pale => rgb::Color::new(206, 210, 216),
        Ink::Faint => rgb::Color::new(244, 245, 247),
        Ink::Accent([red, green, blue]) => rgb::Color::new(red, green, blue),
    }
}

fn fill(ink: Ink) -> Fill {
    Fill { paint: color(ink).into(), opacity: NormalizedF32::ONE, ..Fill::default() }
}

fn stroke(ink: Ink, width: f32, is_dashed: bool) -> Stroke {
    let dash = is_dashed.then(|| StrokeDash { array: vec![3., 2.5], offset: 0. });
    Stroke { paint: color(ink).into(), width, dash, ..Stroke::default() }
}

fn draw(surface: &mut Surface<'_>, shape: &Shape) {
    match shape {
        Shape::Letters { x, y, run } => {
            surface.set_fill(Some(fill(run.ink)));
            surface.set_stroke(run.is_thickened.then(|| stroke(run.ink, run.size / 35., false)));
            let (font, start) = (run.font.clone(), Point::from_xy(*x, *y));
            surface.draw_glyphs(start, &run.glyphs, font, &run.text, run.size, false);
        }
        Shape::Area { x, y, width, height, ink } => {
            surface.set_fill(Some(fill(*ink)));
            surface.set_stroke(None);
            if let Some(path) = rectangle(*x, *y, *width, *height) {
                surface.draw_path(&path);
            }
        }
        Shape::Picture { x, y, width, height, image } => {
            if let Some(size) = Size::from_wh(*width, *height) {
                surface.push_transform(&Transform::from_translate(*x, *y));
                surface.draw_image(image.clone(), size);
                surface.pop();
            }
        }
        Shape::Stroke { points, width, ink, is_dashed } => {
            surface.set_fill(None);
            surface.set_stroke(Some(stroke(*ink, *width, *is_dashed)));
            if let Some(path) = through(points) {
                surface.draw_path(&path);
            }
        }
    }
}

fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(Rect::from_xywh(x, y, width, height)?);
    path.finish()
}

fn through(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, others) = points.split_first()?;
    path.move_to(first.0, first.1);
    for (x, y) in others {
        path.line_to(*x, *y);
    }
    path.finish()
}

/// The roles of the parts, in reading order.
fn tree(structure: &[Structure], identifiers: &mut [Vec<Identifier>]) -> TagTree {
    let mut of = |part: usize| std::mem::take(&mut identifiers[part]).into_iter().map(Node::from).collect::<Vec<_>>();
    let mut tree = TagTree::new().with_lang(Some("en".to_owned()));
    for structure in structure {
        tree.push(match structure {
            Structure::Heading { level, part } => {
                let level = NonZeroU16::new(*level).unwrap_or(NonZeroU16::MIN);
                TagGroup::with_children(Tag::Hn(level, None), of(*part))
            }
            Structure::Paragraph(part) => TagGroup::with_children(Tag::P, of(*part)),
            Structure::Figure { part, alternative } => {
                TagGroup::with_children(Tag::Figure(Some(alternative.clone())), of(*part))
            }
            Structure::Table { headings, rows } => {
                let mut table = TagGroup::new(Tag::Table);
                if !headings.is_empty() {
                    let mut row = TagGroup::new(Tag::TR);
                    for part in headings {
                        row.push(TagGroup::with_children(Tag::TH(TableHeaderScope::Column), of(*part)));
                    }
                    table.push(row);
                }
                for parts in rows {
                    let mut row = TagGroup::new(Tag::TR);
                    for part in parts {
                        row.push(TagGroup::with_children(Tag::TD, of(*part)));
                    }
                    table.push(row);
                }
                table
            }
        });
    }
    tree
}

fn outline(chapters: &[Chapter]) -> Outline {
    let mut outline = Outline::new();
    for chapter in chapters {
        let destination = XyzDestination::new(chapter.page, Point::from_xy(0., chapter.y));
        outline.push_child(OutlineNode::new(chapter.title.clone(), destination));
    }
    outline
}

fn metadata(about: &About<'_>) -> Metadata {
    let number = |number: u32| u8::try_from(number).unwrap_or_default();
    let made = metadata::DateTime::new(u16::try_from(about.at.year()).unwrap_or_default())
        .month(number(about.at.month()))
        .day(number(about.at.day()))
        .hour(number(about.at.hour()))
        .minute(number(about.at.minute()))
        .second(number(about.at.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0);
    Metadata::new()
        .title(about.title.to_owned())
        .authors(vec![about.author.to_owned()])
        .language("en".to_owned())
        .creator("Plenum".to_owned())
        .creation_date(made)
}
