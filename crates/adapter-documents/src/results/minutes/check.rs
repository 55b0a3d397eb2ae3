//! The check of the results in the minutes: a QR code with the record hashes and their signature.

use plenum_result_format::{DocumentSeal, ResultsFile, hexadecimal, minutes_message};
use qrcode::{Color, EcLevel, QrCode};

use super::super::labels;
use super::page::{INNER, LineBox, MARGIN, Pages, Row, Shape, texts};
use super::sentences::groups;
use super::text::{Ink, Style};

/// The most hashes in a code that a phone can read from paper: its squares are then half a millimeter wide.
const MOST: usize = 16;
/// The width of the code on paper, in points: 6 cm.
const WIDTH: f32 = 170.;

/// Writes the last chapter before the signatures of people.
pub(super) fn write(pages: &mut Pages, results: &ResultsFile, seal: &DocumentSeal) -> Result<(), String> {
    pages.keep(WIDTH + 120.);
    pages.heading(2, "Check these results");
    let printed = Printed::of(results, seal);
    let key = format!("Fingerprint of the key of this installation: {}", groups(&seal.unsigned.key));
    let Some(printed) = printed else {
        pages.paragraph(
            "These minutes contain no declared result with a record, so that no record can be checked.",
            Style::BODY,
        );
        pages.paragraph(&key, Style::SMALL);
        pages.space(10.);
        return Ok(());
    };
    draw_code(pages, &printed, seal)?;
    pages.space(8.);
    pages.paragraph(&key, Style::SMALL);
    pages.space(4.);
    let recorded = results.rounds.iter().filter_map(|round| Some((&round.result, round.result.record.as_ref()?)));
    let rows = recorded.map(|(result, mark)| Row::of([labels::round_name(result), groups(&mark.hash)]));
    pages.table([texts(0.16), texts(0.84)], ["Item", "Record hash"], rows);
    let covers = if printed.is_all {
        "The signature covers the record hashes above, in this order."
    } else {
        "The signature covers the hash of the meeting's last record, which is in the code. Each record contains the hash of the \
         one before it."
    };
    let covers = format!(
        "{covers} Each hash covers one declared result with its question, register and ballots. The signature does not cover the \
         text of this document, the attendance or the remarks: compare the figures here with the page that the code opens and \
         with the signed export of the results (JSON)."
    );
    pages.paragraph(&covers, Style::SMALL);
    pages.paragraph(&format!("Signature: {}", groups(&printed.signature)), Style::SMALL);
    pages.space(10.);
    Ok(())
}

/// The content of the code.
struct Printed {
    hashes: Vec<String>,
    signature: String,
    /// Whether it contains the hashes of all records.
    is_all: bool,
}

impl Printed {
    /// Reads the hashes and their signature; `None` without a record.
    fn of(results: &ResultsFile, seal: &DocumentSeal) -> Option<Self> {
        let mut hashes = super::super::record_hashes(results);
        let is_all = hashes.len() <= MOST;
        if !is_all {
            let sealed = results.rounds.iter().filter_map(|round| Some((round.seal.as_ref()?.number, &round.result)));
            let last = sealed.max_by_key(|(number, _)| *number)?.1;
            hashes = vec![last.record.as_ref()?.hash.clone()];
        }
        let signature = hexadecimal(&seal.keys.sign(&minutes_message(&hashes)));
        (!hashes.is_empty()).then_some(Self { hashes, signature, is_all })
    }

    /// The address in the code. Browsers do not send its fragment. Capital letters take less space in a code.
    fn address(&self, verify_at: &str) -> String {
        let (hashes, signature) = (self.hashes.join("-").to_uppercase(), self.signature.to_uppercase());
        format!("{verify_at}#R={hashes}&S={signature}")
    }
}

/// Draws the code, with a text next to it.
fn draw_code(pages: &mut Pages, printed: &Printed, seal: &DocumentSeal) -> Result<(), String> {
    let address = printed.address(&seal.verify_at);
    let code = QrCode::with_error_correction_level(&address, EcLevel::L).map_err(|error| error.to_string())?;
    let told = format!("A QR code that opens the page {} with the record hashes below.", seal.verify_at);
    let (part, top) = pages.figure(WIDTH + 16., told);
    for (column, row, length) in runs(&code) {
        let module = WIDTH / code.width() as f32;
        let (x, y) = (MARGIN + 8. + column as f32 * module, top + 8. + row as f32 * module);
        // Slightly higher, so that no light line is visible between two rows.
        let (width, height) = (length as f32 * module, module * 1.02);
        pages.draw_of(part, Shape::Area { x, y, width, height, ink: Ink::Black });
    }
    let (x, width) = (MARGIN + WIDTH + 32., INNER - WIDTH - 32.);
    let texts = [
        ("Scan the code to check that this installation", Style::BODY.bold()),
        ("declared and signed these results, or open", Style::BODY.bold()),
        (seal.verify_at.as_str(), Style::BODY),
        ("and choose the exported file of the results.", Style::BODY),
        ("The address contains only record hashes", Style::SMALL),
        ("and their signature: nothing secret.", Style::SMALL),
    ];
    let mut y = top + 12.;
    for (text, style) in texts {
        // A long address needs several lines.
        y = pages.flow_of(part, text, style, LineBox { x, y, width }) + 2.;
    }
    Ok(())
}

/// The dark modules, joined from the left to the right: column, row and length of each run.
fn runs(code: &QrCode) -> Vec<(usize, usize, usize)> {
    let width = code.width();
    let colors = code.to_colors();
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (place, _) in colors.iter().enumerate().filter(|(_, color)| **color == Color::Dark) {
        let (column, row) = (place % width, place / width);
        match runs.last_mut() {
            Some((first, last_row, length)) if *last_row == row && *first + *length == column => *length += 1,
            _ => runs.push((column, row, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that a phone reads from the drawn squares.
    fn scanned(code: &QrCode) -> String {
        const SCALE: usize = 3;
        let size = (code.width() + 8) * SCALE;
        let mut pixels = vec![255; size * size];
        for (column, row, length) in runs(code) {
            for y in (row + 4) * SCALE..(row + 5) * SCALE {
                pixels[y * size + (column + 4) * SCALE..][..length * SCALE].fill(0);
            }
        }
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(size, size, |x, y| pixels[y * size + x]);
        let grids = image.detect_grids();
        grids[0].decode().unwrap().1
    }

    #[test]
    fn a_code_of_as_many_hashes_as_it_takes_can_be_read() {
        for count in [1, MOST] {
            let hash = |number: usize| format!("{number:x}e9").repeat(40)[..64].to_owned();
            let hashes: Vec<String> = (0..count).map(|number| hash(number + 10)).collect();
            let printed = Printed { hashes, signature: "0f".repeat(64), is_all: true };
            let address = printed.address("https://vote.example.org/assembly/verify");
            let code = QrCode::with_error_correction_level(&address, EcLevel::L).unwrap();
            assert!(code.width() <= 129, "{} squares in 6 cm", code.width());
            assert_eq!(scanned(&code), address);
        }
    }
}
