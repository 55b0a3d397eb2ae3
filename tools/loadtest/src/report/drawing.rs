//! SVG for the charts: plain shapes with classes, in colors for light and dark pages.

use std::fmt::Write as _;

/// The width of every chart.
pub(crate) const WIDTH: f64 = 720.0;

/// The first color is for Plenum, the second for the comparison.
pub(crate) const SHADES: usize = 3;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.faint{fill:#57606a}\
.rule{stroke:#d0d7de}.whisker{stroke:#24292f;stroke-width:1.5}.limit{stroke:#b3261e;stroke-dasharray:5 4}\
.fill0{fill:#1c6fd1}.fill1{fill:#a85a00}.fill2{fill:#6e7781}.line0{stroke:#1c6fd1}.line1{stroke:#a85a00}\
.line2{stroke:#6e7781}.line{fill:none;stroke-width:2}.band{opacity:.18}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.faint{fill:#9198a1}.rule{stroke:#3d444d}.whisker{stroke:#e6edf3}\
.limit{stroke:#ff7b72}.fill0{fill:#4493f8}.fill1{fill:#e3924a}.fill2{fill:#9198a1}.line0{stroke:#4493f8}\
.line1{stroke:#e3924a}.line2{stroke:#9198a1}}";

/// A chart under construction.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    shapes: String,
}

/// The alignment of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = at;
        let text = escaped(text);
        self.shape(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        ));
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.shape(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        ));
    }

    pub(crate) fn bar(&mut self, corner: (f64, f64), size: (f64, f64), class: &str) {
        let ((x, y), (width, height)) = (corner, size);
        self.shape(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" class=\"{class}\"/>"
        ));
    }

    pub(crate) fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        self.shape(format_args!("<polyline points=\"{}\" class=\"line {class}\"/>", listed(points)));
    }

    pub(crate) fn area(&mut self, points: &[(f64, f64)], class: &str) {
        self.shape(format_args!("<polygon points=\"{}\" class=\"band {class}\"/>", listed(points)));
    }

    /// The whole file. Screen readers read `title` aloud.
    pub(crate) fn finish(self, title: &str, height: f64) -> String {
        let title = escaped(title);
        let shapes = self.shapes;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n\
             <text x=\"8\" y=\"20\" class=\"title\">{title}</text>\n{shapes}</svg>\n"
        )
    }

    fn shape(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = writeln!(self.shapes, "{shape}");
    }
}

fn listed(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Whether elements are nested correctly below one root.
    pub(crate) fn is_well_formed(svg: &str) -> bool {
        let mut open = Vec::new();
        let mut rest = svg.trim();
        while let Some((before, tag_and_rest)) = rest.split_once('<') {
            let Some((tag, behind)) = tag_and_rest.split_once('>') else { return false };
            let is_stray = before.contains('>') || (open.is_empty() && !before.trim().is_empty());
            if is_stray || tag.matches('"').count() % 2 == 1 {
                return false;
            }
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            match tag {
                _ if tag.starts_with('/') => {
                    if open.pop() != Some(&tag[1..]) {
                        return false;
                    }
                }
                _ if tag.ends_with('/') => {}
                _ => open.push(name),
            }
            rest = behind;
        }
        open.is_empty() && rest.is_empty()
    }

    #[test]
    fn the_check_finds_text_that_is_not_well_formed() {
        assert!(is_well_formed("<a><b x=\"1\"/><c>text</c></a>"));
        for wrong in ["<a>", "<a></b>", "<a><b></a></b>", "<a x=\"></a>", "<a></a>text", "<a>1 > 0</a>"] {
            assert!(!is_well_formed(wrong), "{wrong}");
        }
    }

    #[test]
    fn special_characters_are_escaped() {
        let mut drawing = Drawing::default();
        drawing.text((1.0, 2.0), Anchor::Start, "", "p99 < 250 ms & none lost");
        let svg = drawing.finish("a > b", 30.0);
        assert!(is_well_formed(&svg), "{svg}");
        assert!(svg.contains("p99 &lt; 250 ms &amp; none lost"));
    }

    #[test]
    fn a_chart_has_colors_for_dark_pages_and_a_name() {
        let svg = Drawing::default().finish("Ballots", 30.0);
        assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("<title>Ballots</title>"));
    }
}
