use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

/// The lines of a QR code for a terminal, two rows of squares in each. The light squares are drawn, as dark terminals
/// expect it; on others the code is inverted, unless white on black is set. `None` if the text is too long for a code.
pub fn terminal_qr_code(text: &str) -> Option<Vec<String>> {
    let code = QrCode::new(text).ok()?;
    let drawn = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    Some(drawn.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use qrcode::Color;

    use super::*;

    /// The squares of the drawing, true if light.
    fn squares(lines: &[String]) -> Vec<Vec<bool>> {
        let halves = |line: &String, upper: bool| {
            line.chars().map(|half| half == '█' || half == if upper { '▀' } else { '▄' }).collect()
        };
        lines.iter().flat_map(|line| [halves(line, true), halves(line, false)]).collect()
    }

    #[test]
    fn a_code_is_drawn_square_by_square_with_its_quiet_zone() {
        const ADDRESS: &str = "http://192.168.178.23:8080/participant";
        const QUIET: usize = 4;
        let drawn = squares(&terminal_qr_code(ADDRESS).unwrap());
        let code = QrCode::new(ADDRESS).unwrap();
        let width = code.width();
        assert!(drawn.iter().all(|row| row.len() == width + 2 * QUIET));
        for (place, color) in code.to_colors().into_iter().enumerate() {
            let is_light = drawn[QUIET + place / width][QUIET + place % width];
            assert_eq!(is_light, color == Color::Light, "square {place}");
        }
        assert!(drawn[..QUIET].iter().flatten().all(|is_light| *is_light));
    }

    #[test]
    fn a_text_that_is_too_long_has_no_code() {
        assert_eq!(terminal_qr_code(&"a".repeat(10_000)), None);
    }
}
