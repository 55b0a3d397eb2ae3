use std::io::{Cursor, Read as _};

use plenum_clients::ReadSheetError;
use zip::ZipArchive;
use zip::result::ZipError;

/// The first bytes of a ZIP archive, which the newer workbooks are.
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";
const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The largest unpacked size of a workbook, in bytes; 20,000 rows of ten columns have about 10 MB.
const MAX_UNPACKED: u64 = 48 * 1024 * 1024;
/// The most parts of a workbook.
const MAX_PARTS: usize = 2_000;
/// The most digits of the number of texts for which memory may be reserved.
const MAX_COUNT_DIGITS: usize = 7;

/// Whether it is a Microsoft OLE container.
pub(crate) fn is_ole(content: &[u8]) -> bool {
    content.starts_with(OLE)
}

/// Whether an OLE container has an encrypted workbook: its parts have names in UTF-16.
pub(crate) fn is_encrypted(content: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    content.windows(name.len()).any(|part| part == name)
}

/// Unpacks everything once without keeping it, and measures: the sizes in the archive may be wrong.
///
/// # Errors
/// Returns the reason why an archive of any kind is not read further.
pub(crate) fn check(content: &[u8]) -> Result<(), ReadSheetError> {
    check_within(content, MAX_UNPACKED)
}

/// Like [`check`], with another limit for the unpacked size, in bytes.
///
/// # Errors
/// Like [`check`].
pub(crate) fn check_within(content: &[u8], most: u64) -> Result<(), ReadSheetError> {
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|_| ReadSheetError::NoTable)?;
    if archive.len() > MAX_PARTS {
        return Err(ReadSheetError::TooLarge);
    }
    let mut left = most;
    let mut part = Vec::new();
    for place in 0..archive.len() {
        let mut packed = archive.by_index(place).map_err(|error| refusal(&error))?;
        let is_xml = packed.name().map_err(|error| refusal(&error))?.to_lowercase().ends_with(".xml");
        part.clear();
        packed.by_ref().take(left.saturating_add(1)).read_to_end(&mut part).map_err(|_| ReadSheetError::NoTable)?;
        left = left.checked_sub(part.len() as u64).ok_or(ReadSheetError::TooLarge)?;
        if is_xml && !is_plain_xml(&part) {
            return Err(ReadSheetError::NoTable);
        }
    }
    Ok(())
}

fn refusal(error: &ZipError) -> ReadSheetError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => ReadSheetError::Protected,
        _ => ReadSheetError::NoTable,
    }
}

/// Whether no number in a part makes the reader reserve too much memory. The reader reserves memory for the stated
/// number of texts, so that number is checked here. To find it, the part must be in an encoding whose letters are
/// bytes; programs write UTF-8.
fn is_plain_xml(part: &[u8]) -> bool {
    const COUNT: &[u8] = b"uniqueCount";
    let is_readable = !part.iter().any(|byte| matches!(byte, 0 | 0x1b)) && !part.starts_with(b"\xff\xfe");
    let mut counts = part.windows(COUNT.len()).enumerate().filter(|(_, window)| *window == COUNT);
    is_readable && counts.all(|(place, _)| is_small_number(&part[place + COUNT.len()..]))
}

/// Whether `="123"` follows, with few digits.
fn is_small_number(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b"=") else { return false };
    let rest = rest.trim_ascii_start();
    let Some((quote @ (b'"' | b'\''), rest)) = rest.split_first() else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits <= MAX_COUNT_DIGITS && rest.get(digits) == Some(quote)
}
