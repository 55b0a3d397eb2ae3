//! QR codes as pictures.

use qrcode::types::QrError;
use qrcode::{Color, QrCode};

/// The pixels of a module: a picture of about 330 pixels, which a phone shows sharply.
const SCALE: usize = 8;

/// The white border in modules, which scanners need.
const BORDER: usize = 4;

/// The reason why a code was not drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrawError {
    #[error("the content does not fit: {0}")]
    Content(#[from] QrError),
    #[error("the picture was not written: {0}")]
    Picture(#[from] png::EncodingError),
    #[error("the picture is too large")]
    Size(#[from] std::num::TryFromIntError),
}

/// Draws a QR code with this content as a PNG in black and white.
pub(crate) fn draw(content: &str) -> Result<Vec<u8>, DrawError> {
    let code = QrCode::new(content)?;
    let modules = code.width() + 2 * BORDER;
    let size = u32::try_from(modules * SCALE)?;
    let mut written = Vec::new();
    let mut encoder = png::Encoder::new(&mut written, size, size);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels(&code, modules))?;
    writer.finish()?;
    Ok(written)
}

/// A byte for each pixel, row by row.
fn pixels(code: &QrCode, modules: usize) -> Vec<u8> {
    let inside = BORDER..BORDER + code.width();
    let shade = |x: usize, y: usize| {
        let is_dark = inside.contains(&x) && inside.contains(&y) && code[(x - BORDER, y - BORDER)] == Color::Dark;
        if is_dark { 0 } else { 255 }
    };
    let row = |y: usize| (0..modules * SCALE).map(move |x| shade(x / SCALE, y / SCALE));
    (0..modules * SCALE).flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_code_reads_back() {
        let content = "PLENUM-IN:019A9D5E000070008000000000000003";
        let drawn = draw(content).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&drawn)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let (width, height) = (info.width as usize, info.height as usize);
        assert_eq!(width, height);
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| pixels[y * width + x]);
        let grids = image.detect_grids();
        let (_, read) = grids[0].decode().unwrap();
        assert_eq!(read, content);
    }
}
