use krilla::image::Image;

use super::text::{Ink, Line, Run, Side, Style, Typesetter};

/// A4, in points.
pub(super) const WIDTH: f32 = 595.28;
pub(super) const HEIGHT: f32 = 841.89;
/// Two centimeters.
pub(super) const MARGIN: f32 = 56.7;
pub(super) const BOTTOM: f32 = HEIGHT - 70.;
pub(super) const INNER: f32 = WIDTH - 2. * MARGIN;

/// An element on a page. A screen reader assigns it to its part; an element without a part is only decoration.
pub(super) struct Drawn {
    pub(super) part: Option<usize>,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    /// Letters, from the left of the page and the baseline.
    Letters { x: f32, y: f32, run: Run },
    /// A filled rectangle.
    Area { x: f32, y: f32, width: f32, height: f32, ink: Ink },
    /// An image.
    Picture { x: f32, y: f32, width: f32, height: f32, image: Image },
    /// A line through points.
    Stroke { points: Vec<(f32, f32)>, width: f32, ink: Ink, is_dashed: bool },
}

/// The place of a line of text: its left and upper edge, and its width.
#[derive(Clone, Copy)]
pub(super) struct LineBox {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
}

/// The roles of parts for a screen reader.
pub(super) enum Structure {
    Heading { level: u16, part: usize },
    Paragraph(usize),
    Figure { part: usize, alternative: String },
    Table { headings: Vec<usize>, rows: Vec<Vec<usize>> },
}

/// A chapter, for the outline.
pub(super) struct Chapter {
    pub(super) title: String,
    pub(super) page: usize,
    pub(super) y: f32,
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) struct Column {
    /// Its share of the width; the shares of a table add up to 1.
    pub(super) share: f32,
    pub(super) side: Side,
}

/// A column of texts.
pub(super) const fn texts(share: f32) -> Column {
    Column { share, side: Side::Start }
}

/// A column of numbers.
pub(super) const fn numbers(share: f32) -> Column {
    Column { share, side: Side::Right }
}

/// A row of a table.
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    pub(super) is_bold: bool,
}

impl Row {
    pub(super) fn of<const N: usize>(cells: [String; N]) -> Self {
        Self { cells: cells.into(), is_bold: false }
    }
}

const CELL_GAP: f32 = 12.;
const ROW_GAP: f32 = 2.5;

/// The number of rows up to which a table is not divided between two pages.
const SHORT_TABLE: usize = 15;

/// Pages that are filled from the top to the bottom.
pub(super) struct Pages {
    typesetter: Typesetter,
    pub(super) pages: Vec<Vec<Drawn>>,
    pub(super) structure: Vec<Structure>,
    pub(super) chapters: Vec<Chapter>,
    /// The number of parts.
    pub(super) parts: usize,
    y: f32,
}

impl Pages {
    pub(super) fn new(typesetter: Typesetter) -> Self {
        Self { typesetter, pages: vec![Vec::new()], structure: Vec::new(), chapters: Vec::new(), parts: 0, y: MARGIN }
    }

    fn new_part(&mut self) -> usize {
        self.parts += 1;
        self.parts - 1
    }

    fn turn(&mut self) {
        self.pages.push(Vec::new());
        self.y = MARGIN;
    }

    fn is_at_top(&self) -> bool {
        self.y <= MARGIN
    }

    /// Starts a new page if less than this height is left.
    pub(super) fn keep(&mut self, height: f32) {
        if self.y + height > BOTTOM && !self.is_at_top() {
            self.turn();
        }
    }

    pub(super) fn space(&mut self, height: f32) {
        if !self.is_at_top() {
            self.y += height;
        }
    }

    fn draw(&mut self, part: Option<usize>, shape: Shape) {
        self.pages.last_mut().expect("there is a first page").push(Drawn { part, shape });
    }

    fn draw_line(&mut self, line: Line, x: f32, y: f32, part: Option<usize>) {
        for run in line.runs {
            let (x, y) = (x + run.x, y + run.baseline);
            self.draw(part, Shape::Letters { x, y, run });
        }
    }

    fn flow(&mut self, lines: Vec<Line>, x: f32, part: Option<usize>) {
        for line in lines {
            self.keep(line.height);
            let (height, y) = (line.height, self.y);
            self.draw_line(line, x, y, part);
            self.y += height;
        }
    }

    /// A heading, together with at least some of the text below it.
    pub(super) fn heading(&mut self, level: u16, text: &str) {
        let size = match level {
            1 => 21.,
            2 => 14.,
            _ => 11.5,
        };
        let style = Style::BODY.sized(size).bold();
        let lines = self.typesetter.set(text, style, INNER);
        let height: f32 = lines.iter().take(4).map(|line| line.height).sum();
        self.keep(height + 70.);
        if level > 1 {
            let title = text.chars().take(120).collect();
            self.chapters.push(Chapter { title, page: self.pages.len() - 1, y: self.y });
        }
        let part = self.new_part();
        self.structure.push(Structure::Heading { level, part });
        self.flow(lines, MARGIN, Some(part));
        self.space(size * 0.3);
    }

    /// A picture at the left edge, as large as fits into this box. It is decoration: the text has to say what it shows.
    pub(super) fn picture(&mut self, image: Image, most_width: f32, most_height: f32) {
        let (width, height) = image.size();
        let scale = (most_width / width as f32).min(most_height / height as f32);
        let (width, height) = (width as f32 * scale, height as f32 * scale);
        self.keep(height);
        let y = self.y;
        self.draw(None, Shape::Picture { x: MARGIN, y, width, height, image });
        self.y += height;
    }

    /// A line across the page.
    pub(super) fn bar(&mut self, height: f32, ink: Ink) {
        self.keep(height);
        let y = self.y;
        self.draw(None, Shape::Area { x: MARGIN, y, width: INNER, height, ink });
        self.y += height;
    }

    pub(super) fn paragraph(&mut self, text: &str, style: Style) {
        let part = self.new_part();
        self.structure.push(Structure::Paragraph(part));
        let lines = self.typesetter.set(text, style, INNER);
        self.flow(lines, MARGIN, Some(part));
    }

    /// A paragraph whose letters are struck through.
    pub(super) fn struck_paragraph(&mut self, text: &str, style: Style) {
        let part = self.new_part();
        self.structure.push(Structure::Paragraph(part));
        for line in self.typesetter.set(text, style, INNER) {
            self.keep(line.height);
            let (height, y) = (line.height, self.y);
            let ends = line.runs.iter().map(|run| {
                let advance: f32 = run.glyphs.iter().map(|glyph| glyph.x_advance).sum();
                (run.x, run.x + advance * run.size)
            });
            let (from, to) =
                ends.fold((f32::MAX, 0.), |(from, to): (f32, f32), (left, right)| (from.min(left), to.max(right)));
            // Through the middle of small letters.
            let at = line.runs.first().map(|run| y + run.baseline - run.size * 0.28);
            self.draw_line(line, MARGIN, y, Some(part));
            if let Some(at) = at {
                let points = vec![(MARGIN + from, at), (MARGIN + to, at)];
                self.draw(None, Shape::Stroke { points, width: 0.8, ink: style.ink, is_dashed: false });
            }
            self.y += height;
        }
    }

    /// Paragraphs with a bar next to them, on a tinted background.
    pub(super) fn boxed(&mut self, paragraphs: &[(&str, Style)]) {
        const PADDING: f32 = 8.;
        let width = INNER - 2. * PADDING - 3.;
        let mut lines = Vec::new();
        for (text, style) in paragraphs {
            let part = self.new_part();
            self.structure.push(Structure::Paragraph(part));
            lines.extend(self.typesetter.set(text, *style, width).into_iter().map(|line| (line, part)));
        }
        let height: f32 = lines.iter().map(|(line, _)| line.height).sum();
        self.keep((height + 2. * PADDING).min(BOTTOM - MARGIN));
        let mut lines = lines.into_iter().peekable();
        while let Some((first, _)) = lines.peek() {
            self.keep(first.height + 2. * PADDING);
            let (top, index) = (self.y, self.pages.last().map_or(0, Vec::len));
            self.y += PADDING;
            while let Some((line, part)) = lines.next_if(|(line, _)| self.y + line.height + PADDING <= BOTTOM) {
                let (line_height, y) = (line.height, self.y);
                self.draw_line(line, MARGIN + PADDING + 3., y, Some(part));
                self.y += line_height;
            }
            self.y += PADDING;
            let height = self.y - top;
            // The background lies below the letters.
            let ground = Shape::Area { x: MARGIN, y: top, width: INNER, height, ink: Ink::Faint };
            let bar = Shape::Area { x: MARGIN, y: top, width: 3., height, ink: Ink::Gray };
            let page = self.pages.last_mut().expect("there is a first page");
            page.splice(index..index, [ground, bar].map(|shape| Drawn { part: None, shape }));
        }
    }

    /// A list of names and values, one below the other.
    pub(super) fn facts(&mut self, facts: &[(&str, String)]) {
        let columns = [texts(0.24), texts(0.76)];
        let mut rows = Vec::new();
        for (what, value) in facts {
            let cells = [(*what).to_owned(), value.clone()];
            let styles = [Style::BODY.gray(), Style::BODY];
            let parts = self.row(&columns, &cells, &styles, 1.);
            rows.push(parts);
        }
        self.structure.push(Structure::Table { headings: Vec::new(), rows });
    }

    /// A table that repeats its headings on each page. A short one is not divided.
    pub(super) fn table<const N: usize>(
        &mut self,
        columns: [Column; N],
        headings: [&str; N],
        rows: impl IntoIterator<Item = Row>,
    ) {
        let rows: Vec<Row> = rows.into_iter().collect();
        self.keep(60.);
        if rows.len() <= SHORT_TABLE {
            let height = self.height_of(&columns, &headings, &rows);
            self.keep(height);
        }
        let heading_parts = self.headings(&columns, &headings, true);
        let mut row_parts = Vec::new();
        for row in rows {
            let page = self.pages.len();
            let lines = self.set_cells(&columns, &row.cells, &[row_style(&row); N]);
            let height = tallest(&lines);
            if self.y + height.min(BOTTOM - MARGIN - 40.) + 2. * ROW_GAP > BOTTOM {
                self.turn();
            }
            if self.pages.len() > page {
                self.headings(&columns, &headings, false);
            }
            row_parts.push(self.place_row(&columns, lines, ROW_GAP));
            let y = self.y;
            self.rule(y, 0.4, Ink::Pale);
        }
        self.structure.push(Structure::Table { headings: heading_parts, rows: row_parts });
        self.space(6.);
    }

    /// The height of a table, and 0 if it does not fit on a page.
    fn height_of<const N: usize>(&mut self, columns: &[Column; N], headings: &[&str; N], rows: &[Row]) -> f32 {
        let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
        let mut height = tallest(&self.set_cells(columns, &headings, &[Style::SMALL.bold(); N])) + 2. * ROW_GAP;
        for row in rows {
            height += tallest(&self.set_cells(columns, &row.cells, &[row_style(row); N])) + 2. * ROW_GAP;
        }
        if height > BOTTOM - MARGIN { 0. } else { height }
    }

    fn headings(&mut self, columns: &[Column], headings: &[&str], is_first: bool) -> Vec<usize> {
        let cells: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
        let styles = vec![Style::SMALL.bold(); columns.len()];
        let parts = if is_first {
            self.row(columns, &cells, &styles, ROW_GAP)
        } else {
            let lines = self.set_cells(columns, &cells, &styles);
            let first = self.parts;
            self.place_row(columns, lines, ROW_GAP);
            // The text before contains them. Here they are only decoration.
            self.parts = first;
            for drawn in self.pages.last_mut().into_iter().flatten() {
                drawn.part = drawn.part.filter(|part| *part < first);
            }
            Vec::new()
        };
        let y = self.y;
        self.rule(y, 0.8, Ink::Gray);
        parts
    }

    fn row(&mut self, columns: &[Column], cells: &[String], styles: &[Style], gap: f32) -> Vec<usize> {
        let lines = self.set_cells(columns, cells, styles);
        let height = tallest(&lines);
        self.keep(height.min(BOTTOM - MARGIN) + 2. * gap);
        self.place_row(columns, lines, gap)
    }

    fn set_cells(&mut self, columns: &[Column], cells: &[String], styles: &[Style]) -> Vec<Vec<Line>> {
        let last = columns.len().saturating_sub(1);
        let cells = columns.iter().zip(cells).zip(styles).enumerate();
        cells
            .map(|(index, ((column, cell), style))| {
                let gap = if index == last { 0. } else { CELL_GAP };
                self.typesetter.set(cell, style.on(column.side), INNER * column.share - gap)
            })
            .collect()
    }

    /// Draws the cells next to each other. A row that is taller than the rest of the page continues on the next one.
    fn place_row(&mut self, columns: &[Column], cells: Vec<Vec<Line>>, gap: f32) -> Vec<usize> {
        let parts: Vec<usize> = cells.iter().map(|_| self.new_part()).collect();
        let mut cells: Vec<_> = cells.into_iter().map(|lines| lines.into_iter().peekable()).collect();
        loop {
            self.y += gap;
            let (top, mut bottom, mut x) = (self.y, self.y, MARGIN);
            for ((column, lines), part) in columns.iter().zip(&mut cells).zip(&parts) {
                let mut y = top;
                while let Some(line) = lines.next_if(|line| y + line.height <= BOTTOM || y <= MARGIN + gap) {
                    let height = line.height;
                    self.draw_line(line, x, y, Some(*part));
                    y += height;
                }
                bottom = bottom.max(y);
                x += INNER * column.share;
            }
            self.y = bottom + gap;
            if cells.iter_mut().all(|lines| lines.peek().is_none()) {
                return parts;
            }
            self.turn();
        }
    }

    /// A line across the page.
    pub(super) fn rule(&mut self, y: f32, width: f32, ink: Ink) {
        let points = vec![(MARGIN, y), (MARGIN + INNER, y)];
        self.draw(None, Shape::Stroke { points, width, ink, is_dashed: false });
    }

    /// Reserves space for a figure of this height, with a text for people who cannot see it. Returns its part and its
    /// upper edge.
    pub(super) fn figure(&mut self, height: f32, alternative: String) -> (usize, f32) {
        self.keep(height);
        let part = self.new_part();
        self.structure.push(Structure::Figure { part, alternative });
        let top = self.y;
        self.y += height;
        (part, top)
    }

    /// Draws a shape of a figure.
    pub(super) fn draw_of(&mut self, part: usize, shape: Shape) {
        self.draw(Some(part), shape);
    }

    /// Writes a text of a figure in one line.
    pub(super) fn write_of(&mut self, part: usize, text: &str, style: Style, at: LineBox) {
        let LineBox { x, y, width } = at;
        if let Some(line) = self.typesetter.set(text, style, width).into_iter().next() {
            self.draw_line(line, x, y, Some(part));
        }
    }

    /// Writes a text of a figure in as many lines as it needs. Returns its lower edge.
    pub(super) fn flow_of(&mut self, part: usize, text: &str, style: Style, at: LineBox) -> f32 {
        let LineBox { x, mut y, width } = at;
        for line in self.typesetter.set(text, style, width) {
            let height = line.height;
            self.draw_line(line, x, y, Some(part));
            y += height;
        }
        y
    }

    /// Lines for signatures, two next to each other, with their captions below.
    pub(super) fn lines_to_sign(&mut self, names: &[[&str; 2]]) {
        for pair in names {
            self.keep(58.);
            self.y += 40.;
            let (y, width) = (self.y, INNER * 0.45);
            for (name, x) in pair.iter().zip([MARGIN, MARGIN + INNER - width]) {
                let points = vec![(x, y), (x + width, y)];
                self.draw(None, Shape::Stroke { points, width: 0.8, ink: Ink::Black, is_dashed: false });
                let part = self.new_part();
                self.structure.push(Structure::Paragraph(part));
                self.write_of(part, name, Style::SMALL, LineBox { x, y: y + 3., width });
            }
            self.y += 18.;
        }
    }

    /// Writes the title and the page number at the bottom of each page.
    pub(super) fn number_pages(&mut self, title: &str) {
        let count = self.pages.len();
        let title = self.shortened(title, INNER * 0.7);
        for index in 0..count {
            let number = format!("Page {} of {count}", index + 1);
            let feet = [(title.as_str(), Side::Start), (number.as_str(), Side::Right)];
            for (text, side) in feet {
                let style = Style::SMALL.sized(8.).on(side);
                // A right-to-left title would cover the number.
                let (x, width) = match side {
                    Side::Start => (MARGIN, INNER * 0.7),
                    Side::Right => (MARGIN + INNER * 0.75, INNER * 0.25),
                };
                let Some(line) = self.typesetter.set(text, style, width).into_iter().next() else { continue };
                for run in line.runs {
                    let (x, y) = (x + run.x, BOTTOM + 24. + run.baseline);
                    self.pages[index].push(Drawn { part: None, shape: Shape::Letters { x, y, run } });
                }
            }
        }
    }

    /// The beginning of a text that fits into one line.
    fn shortened(&mut self, text: &str, width: f32) -> String {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let style = Style::SMALL.sized(8.);
        let mut letters = text.chars().count().min(160);
        loop {
            let cut: String = text.chars().take(letters).collect();
            let shown = if cut.len() < text.len() { format!("{}…", cut.trim_end()) } else { cut };
            if letters < 8 || self.typesetter.set(&shown, style, width).len() <= 1 {
                return shown;
            }
            letters = letters * 9 / 10;
        }
    }
}

fn row_style(row: &Row) -> Style {
    let style = Style::BODY.sized(9.);
    if row.is_bold { style.bold() } else { style }
}

fn tallest(cells: &[Vec<Line>]) -> f32 {
    cells.iter().map(|lines| lines.iter().map(|line| line.height).sum()).fold(0., f32::max)
}
