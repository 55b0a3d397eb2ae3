use plenum_kernel::Invalid;

/// The largest file of a logo.
pub const MAX_LOGO_BYTES: usize = 256 * 1024;
/// The largest width and height of a logo, in pixels.
pub const MAX_LOGO_SIDE: u32 = 2_000;

/// The format of a logo. SVG is left out: it can contain scripts, and it refers to other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogoFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
}

impl LogoFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Png, Self::Jpeg, Self::Webp];

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    /// The format with this media type.
    pub fn of_media_type(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.media_type() == text)
    }
}

/// A checked logo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    format: LogoFormat,
    width: u32,
    height: u32,
    content: Vec<u8>,
}

impl Logo {
    /// Reads the format and the size from the first bytes of a file. Its name and its media type do not matter.
    ///
    /// # Errors
    /// Fails for other formats, a damaged header, and a file or picture that is too large.
    pub fn read(content: Vec<u8>) -> Result<Self, Invalid> {
        if content.len() > MAX_LOGO_BYTES {
            let size = content.len().div_ceil(1024);
            return Err(Invalid::new(format!("Must be at most 256 KiB; this file has {size} KiB.")));
        }
        let (format, size) = if content.starts_with(b"\x89PNG\r\n\x1a\n") {
            (LogoFormat::Png, png_size(&content))
        } else if content.starts_with(&[0xff, 0xd8, 0xff]) {
            (LogoFormat::Jpeg, jpeg_size(&content))
        } else if content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP") {
            (LogoFormat::Webp, webp_size(&content))
        } else {
            return Err(Invalid::new("Must be a PNG, JPEG or WebP image."));
        };
        let Some((width, height)) = size.filter(|(width, height)| *width > 0 && *height > 0) else {
            return Err(Invalid::new("Must be a whole image; this file is damaged."));
        };
        if width > MAX_LOGO_SIDE || height > MAX_LOGO_SIDE {
            return Err(Invalid::new(format!(
                "Must be at most 2000 × 2000 pixels; this image has {width} × {height}."
            )));
        }
        Ok(Self { format, width, height, content })
    }

    /// The format.
    pub fn format(&self) -> LogoFormat {
        self.format
    }

    /// The width and the height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The file.
    pub fn content(&self) -> &[u8] {
        &self.content
    }
}

fn big_endian(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn big_endian_16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn little_endian_16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn little_endian_24(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 3)?;
    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]))
}

/// The size in the first chunk, IHDR (PNG specification, 11.2.1).
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    (bytes.get(12..16)? == b"IHDR").then_some(())?;
    Some((big_endian(bytes, 16)?, big_endian(bytes, 20)?))
}

/// The size in the frame header (ITU T.81, B.2.2).
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = *bytes.get(at + 1)?;
        match (*bytes.get(at)?, marker) {
            // Bytes between segments, and segments without content.
            (0xff, 0xff) => at += 1,
            (0xff, 0x01 | 0xd0..=0xd7) => at += 2,
            // The frame header in each coding except the tables of the codes: C4, C8 and CC.
            (0xff, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf) => {
                return Some((big_endian_16(bytes, at + 7)?, big_endian_16(bytes, at + 5)?));
            }
            // The picture itself comes after the frame header.
            (0xff, 0xda | 0xd9) => return None,
            (0xff, _) => {
                let length = big_endian_16(bytes, at + 2)?;
                at += 2 + usize::try_from(length).ok().filter(|length| *length >= 2)?;
            }
            _ => return None,
        }
    }
}

/// The size in the first chunk, which depends on the coding (RFC 9649, 2.5 to 2.7).
fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => {
            (bytes.get(23..26)? == [0x9d, 0x01, 0x2a]).then_some(())?;
            Some((little_endian_16(bytes, 26)? & 0x3fff, little_endian_16(bytes, 28)? & 0x3fff))
        }
        b"VP8L" => {
            (*bytes.get(20)? == 0x2f).then_some(())?;
            let bits = u32::from_le_bytes(bytes.get(21..25)?.try_into().ok()?);
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        b"VP8X" => Some((little_endian_24(bytes, 24)? + 1, little_endian_24(bytes, 27)? + 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        file.extend(width.to_be_bytes());
        file.extend(height.to_be_bytes());
        file
    }

    fn refusal(content: Vec<u8>) -> String {
        Logo::read(content).unwrap_err().to_string()
    }

    fn jpeg(segments: &[u8]) -> Vec<u8> {
        [&[0xff, 0xd8], segments].concat()
    }

    #[test]
    fn each_format_is_known_by_its_content() {
        let frame = [0xff, 0xc2, 0, 17, 8, 0, 40, 0, 120];
        let comment = [0xff, 0xfe, 0, 4, b'h', b'i', 0xff];
        let progressive = jpeg(&[&comment[..], &frame].concat());
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x78\0\x28\0".to_vec();
        let lossless = [&b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f"[..], &(119_u32 | 39 << 14).to_le_bytes()].concat();
        let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x77\0\0\x27\0\0".to_vec();
        for (content, format) in [
            (png(120, 40), LogoFormat::Png),
            (progressive, LogoFormat::Jpeg),
            (lossy, LogoFormat::Webp),
            (lossless, LogoFormat::Webp),
            (extended, LogoFormat::Webp),
        ] {
            let logo = Logo::read(content).unwrap();
            assert_eq!((logo.format(), logo.size()), (format, (120, 40)));
            assert_eq!(LogoFormat::of_media_type(format.media_type()), Some(format));
        }
    }

    #[test]
    fn other_formats_and_damaged_files_are_refused() {
        for content in
            [&b""[..], b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", b"GIF89a", b"RIFF\0\0\0\0WAVE", b"PNG"]
        {
            assert_eq!(refusal(content.to_vec()), "Must be a PNG, JPEG or WebP image.");
        }
        let damaged = "Must be a whole image; this file is damaged.";
        assert_eq!(refusal(png(0, 40)), damaged);
        assert_eq!(refusal(png(1, 1)[..20].to_vec()), damaged);
        assert_eq!(refusal(jpeg(&[0xff, 0xda, 0, 2])), damaged);
        assert_eq!(refusal(jpeg(&[0xff, 0xfe, 0, 0, 0xff, 0xc0])), damaged);
        assert_eq!(refusal(b"RIFF\0\0\0\0WEBPVP9 ".to_vec()), damaged);
    }

    #[test]
    fn large_files_and_pictures_are_refused_with_their_size() {
        let mut large = png(10, 10);
        large.resize(MAX_LOGO_BYTES, 0);
        assert!(Logo::read(large.clone()).is_ok());
        large.push(0);
        assert_eq!(refusal(large), "Must be at most 256 KiB; this file has 257 KiB.");
        assert!(Logo::read(png(2_000, 2_000)).is_ok());
        assert_eq!(refusal(png(2_001, 16)), "Must be at most 2000 × 2000 pixels; this image has 2001 × 16.");
    }

    proptest! {
        #[test]
        fn no_file_makes_the_reader_panic(start in 0_usize..4, rest in proptest::collection::vec(any::<u8>(), 0..200)) {
            let starts: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", &[0xff, 0xd8, 0xff], b"RIFF\0\0\0\0WEBPVP8 ", b""];
            let content = [starts[start], &rest].concat();
            if let Ok(logo) = Logo::read(content) {
                let (width, height) = logo.size();
                prop_assert!((1..=MAX_LOGO_SIDE).contains(&width) && (1..=MAX_LOGO_SIDE).contains(&height));
            }
        }
    }
}
