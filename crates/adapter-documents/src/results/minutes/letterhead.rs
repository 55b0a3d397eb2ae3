use std::panic::{AssertUnwindSafe, catch_unwind};

use krilla::Data;
use krilla::image::Image;
use plenum_result_format::{Letterhead, LetterheadLogo};

use super::page::Pages;
use super::text::Ink;

/// The largest size of the logo, in points.
const LOGO_WIDTH: f32 = 170.;
const LOGO_HEIGHT: f32 = 42.;

/// Writes with the letterhead and, if its logo cannot be drawn, without the logo. Only the first bytes of a logo were checked
/// when it was stored, and minutes matter more than a logo.
pub(super) fn with_letterhead(
    letterhead: &Letterhead,
    write: impl Fn(&Letterhead) -> Result<Vec<u8>, String>,
) -> Result<Vec<u8>, String> {
    if letterhead.logo.is_some() {
        // The reader of images expects files of programs for images; other files may make it panic.
        let written = catch_unwind(AssertUnwindSafe(|| write(letterhead)));
        if let Ok(Ok(content)) = written {
            return Ok(content);
        }
    }
    write(&Letterhead { accent: letterhead.accent, logo: None })
}

pub(super) fn write_logo(pages: &mut Pages, letterhead: &Letterhead) -> Result<(), String> {
    if let Some(logo) = &letterhead.logo {
        pages.picture(image(logo)?, LOGO_WIDTH, LOGO_HEIGHT);
        pages.space(12.);
    }
    Ok(())
}

pub(super) fn write_line(pages: &mut Pages, letterhead: &Letterhead) {
    if let Some(accent) = letterhead.accent {
        pages.space(2.);
        pages.bar(2.5, Ink::Accent(accent));
        pages.space(4.);
    }
}

fn image(logo: &LetterheadLogo) -> Result<Image, String> {
    let content = Data::from(logo.content.clone());
    match logo.media_type {
        "image/png" => Image::from_png(content, true),
        "image/jpeg" => Image::from_jpeg(content, true),
        "image/webp" => Image::from_webp(content, true),
        other => Err(format!("{other} is no image")),
    }
}
