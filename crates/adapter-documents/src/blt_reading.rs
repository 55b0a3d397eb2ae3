//! Ballot files in the format BLT: candidates and seats, withdrawn candidates, groups of equal ballots, and names.
//!
//! ```text
//! 4 2              four candidates, two seats
//! -3               candidate 3 has withdrawn (optional)
//! 12 1 3=4 2 0     twelve ballots: 1 first, then 3 and 4 as equals, then 2
//! 5 2 - 1 0        five ballots that skip the second rank
//! 0                the end of the ballots
//! "Anna"           the names, with or without quotes, or none at all
//! "Bert" "Greens"  a party belongs to the name before it
//! Carla
//! "Dora ""Do"" D"  a quote in quotes is doubled
//! "Board 2026"     the title and further lines (optional)
//! ```
//!
//! Before the names a `#` begins a comment. Empty lines have no meaning. Several names in quotes can stand on one line,
//! if all lines together are fewer than the candidates. Programs write names in different ways, and no name changes a
//! count, so only missing names are an error.

use std::fmt;

/// The most candidates.
const MAX_CANDIDATES: u32 = 1_000;
/// The most seats.
const MAX_SEATS: u32 = 10_000;

/// The ballots of an election.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BltFile {
    /// The number of candidates.
    pub candidates: u32,
    /// The number of seats.
    pub seats: u32,
    /// The names of the candidates. The first one has the number 1. Empty if the file has no names.
    pub names: Vec<String>,
    /// The numbers of those who have withdrawn.
    pub withdrawn: Vec<u32>,
    /// The groups of equal ballots.
    pub ballots: Vec<BltBallots>,
    /// The title, and the lines after it.
    pub titles: Vec<String>,
}

/// Equal ballots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BltBallots {
    /// Their number.
    pub voters: u64,
    /// The numbers of the candidates, rank by rank. An empty rank was skipped.
    pub ranks: Vec<Vec<u32>>,
}

/// The reason why a file cannot be read, with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BltError {
    /// The number of the line, from 1.
    pub line: usize,
    problem: String,
}

impl fmt::Display for BltError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for BltError {}

/// A line with its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    fn error(&self, problem: impl Into<String>) -> BltError {
        BltError { line: self.number, problem: problem.into() }
    }
}

/// Reads a ballot file.
///
/// # Errors
/// Names the line, what is wrong, and what is expected there.
pub fn read_blt(content: &[u8]) -> Result<BltFile, BltError> {
    let text = std::str::from_utf8(content).map_err(|error| {
        let before = &content[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        BltError { line, problem: "there is a character that is not UTF-8. Save the file as UTF-8".to_owned() }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<Line<'_>> = (1..).zip(text.lines()).map(|(number, text)| Line { number, text }).collect();
    let last = lines.last().map_or(1, |line| line.number);
    let mut rest = lines.into_iter();
    let (candidates, seats) = read_head(&mut rest, last)?;
    let mut file = BltFile {
        candidates,
        seats,
        names: Vec::new(),
        withdrawn: Vec::new(),
        ballots: Vec::new(),
        titles: Vec::new(),
    };
    if !read_ballots(&mut rest, &mut file)? {
        return Err(end(last, "the ballots do not end. Put a line with 0 after the last one"));
    }
    let mut texts = texts(rest, candidates as usize);
    if !texts.is_empty() && texts.len() < candidates as usize {
        let problem = format!("only {} of the {candidates} names are there. Put one name on each line", texts.len());
        return Err(end(last, problem));
    }
    file.titles = texts.split_off(texts.len().min(candidates as usize));
    file.names = texts;
    Ok(file)
}

fn end(line: usize, problem: impl Into<String>) -> BltError {
    BltError { line, problem: problem.into() }
}

/// The parts of a line before a comment.
fn parts<'a>(line: &Line<'a>) -> Vec<&'a str> {
    line.text.split('#').next().unwrap_or_default().split_whitespace().collect()
}

fn read_head<'a>(lines: &mut impl Iterator<Item = Line<'a>>, last: usize) -> Result<(u32, u32), BltError> {
    const WANTED: &str = "the first line must have two numbers: the candidates and the seats, such as 8 3";
    for line in lines {
        let parts = parts(&line);
        match parts[..] {
            [] => {}
            [candidates, seats] => {
                let candidates = number(candidates, MAX_CANDIDATES.into());
                let seats = number(seats, MAX_SEATS.into());
                return match (candidates, seats) {
                    (Some(candidates), Some(seats)) => Ok((candidates as u32, seats as u32)),
                    (None, _) => {
                        Err(line.error(format!("the number of candidates must be from 1 to {MAX_CANDIDATES}")))
                    }
                    (_, None) => Err(line.error(format!("the number of seats must be from 1 to {MAX_SEATS}"))),
                };
            }
            _ => return Err(line.error(WANTED)),
        }
    }
    Err(end(last, WANTED))
}

/// A whole number from 1 to `most`, in digits only.
fn number(text: &str, most: u64) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && (1..=most).contains(number))
}

/// Reads the withdrawn candidates and the ballots. Returns whether the line with 0 came.
fn read_ballots<'a>(lines: &mut impl Iterator<Item = Line<'a>>, file: &mut BltFile) -> Result<bool, BltError> {
    let candidates = file.candidates;
    for line in lines {
        let parts = parts(&line);
        match parts[..] {
            [] => {}
            ["0"] => return Ok(true),
            [first, ..] if first.starts_with('-') && file.ballots.is_empty() => {
                for part in &parts {
                    file.withdrawn.push(withdrawn(part, candidates).ok_or_else(|| {
                        line.error(format!("{part} must be a withdrawn candidate: a number from -1 to -{candidates}"))
                    })?);
                }
            }
            [voters, ref ranks @ ..] => {
                let voters = number(voters, u64::from(u32::MAX) * 1_000).ok_or_else(|| {
                    line.error(format!(
                        "{voters} must be the number of these ballots, from 1, or 0 alone at the end of all ballots"
                    ))
                })?;
                file.ballots.push(BltBallots { voters, ranks: read_ranks(&line, ranks, candidates)? });
            }
        }
    }
    Ok(false)
}

fn withdrawn(part: &str, candidates: u32) -> Option<u32> {
    number(part.strip_prefix('-')?, candidates.into()).map(|number| number as u32)
}

/// Reads the ranks of a ballot, up to the 0 at its end.
fn read_ranks(line: &Line<'_>, parts: &[&str], candidates: u32) -> Result<Vec<Vec<u32>>, BltError> {
    let [parts @ .., "0"] = parts else {
        return Err(line.error("the ballot must end with 0"));
    };
    let mut ranks: Vec<Vec<u32>> = Vec::new();
    // Whether the last part was an equals sign, which joins the next candidate to the rank before.
    let mut joins = false;
    for part in parts {
        if *part == "-" && !joins {
            ranks.push(Vec::new());
            continue;
        }
        for (place, piece) in part.split('=').enumerate() {
            joins |= place > 0;
            if piece.is_empty() {
                continue;
            }
            let candidate = number(piece, candidates.into()).ok_or_else(|| {
                line.error(format!(
                    "{piece} must be a candidate from 1 to {candidates}, = between equal ones, - for a skipped rank, or 0 at \
                     the end"
                ))
            })? as u32;
            match ranks.last_mut() {
                Some(rank) if joins && !rank.is_empty() => rank.push(candidate),
                _ if joins => return Err(line.error("an = must stand between two candidates")),
                _ => ranks.push(vec![candidate]),
            }
            joins = false;
        }
        joins |= part.ends_with('=');
    }
    if joins {
        return Err(line.error("an = must stand between two candidates"));
    }
    Ok(ranks)
}

/// The names and titles: one from each line, or all texts in quotes if there are too few lines.
fn texts<'a>(lines: impl Iterator<Item = Line<'a>>, candidates: usize) -> Vec<String> {
    let lines: Vec<Vec<String>> =
        lines.map(|line| quoted(line.text.trim())).filter(|texts| !texts.is_empty()).collect();
    if lines.len() < candidates && lines.iter().map(Vec::len).sum::<usize>() >= candidates {
        return lines.concat();
    }
    lines.iter().map(|texts| texts.join(", ")).collect()
}

/// The texts in quotes of a line, or the line itself if it has other parts.
fn quoted(line: &str) -> Vec<String> {
    if line.is_empty() {
        return Vec::new();
    }
    let mut texts = Vec::new();
    let mut rest = line;
    while let Some((text, after)) = next_quoted(rest) {
        texts.push(text);
        rest = after.trim_start();
    }
    if rest.is_empty() { texts } else { vec![line.to_owned()] }
}

/// The text in quotes at the beginning, in which a doubled quote is one, and what follows it.
fn next_quoted(text: &str) -> Option<(String, &str)> {
    let mut inside = text.strip_prefix('"')?;
    let mut found = String::new();
    loop {
        let (part, after) = inside.split_once('"')?;
        found.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                found.push('"');
                inside = after;
            }
            None => return Some((found, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Board\n4 2\n-3 \n12 1 3=4 2 0\n5 2 - 1 0 # skipped\n1 1 = 2 4 0\n2 0\n0\n\"Anna\"\n\n\"Bert\" \"Greens\"\nCarla\n\"Dora \"\"Do\"\" D\"\n\"Board 2026\"\nBerlin\n";

    fn refusal(text: &str) -> String {
        read_blt(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_file_with_all_parts_is_read() {
        let file = read_blt(FILE.as_bytes()).unwrap();
        assert_eq!((file.candidates, file.seats, &file.withdrawn[..]), (4, 2, &[3][..]));
        assert_eq!(file.names, ["Anna", "Bert, Greens", "Carla", "Dora \"Do\" D"]);
        assert_eq!(file.titles, ["Board 2026", "Berlin"]);
        let ballots: Vec<_> = file.ballots.into_iter().map(|ballots| (ballots.voters, ballots.ranks)).collect();
        let expected: Vec<(u64, Vec<Vec<u32>>)> = vec![
            (12, vec![vec![1], vec![3, 4], vec![2]]),
            (5, vec![vec![2], vec![], vec![1]]),
            (1, vec![vec![1, 2], vec![4]]),
            (2, vec![]),
        ];
        assert_eq!(ballots, expected);
        let with_mark = ["\u{feff}", &FILE.replace('\n', "\r\n")].concat();
        assert_eq!(read_blt(with_mark.as_bytes()).unwrap().names.len(), 4);
    }

    #[test]
    fn names_can_be_written_in_several_ways() {
        let names = |text: &str| {
            let file = read_blt(["2 1\n1 1 0\n0\n", text].concat().as_bytes()).unwrap();
            (file.names, file.titles)
        };
        let of = |names: &[&str], titles: &[&str]| {
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            (texts(names), texts(titles))
        };
        assert_eq!(names(""), of(&[], &[]));
        assert_eq!(names("\"A\" \"B\" \"T\"\n"), of(&["A", "B"], &["T"]));
        assert_eq!(names("\"A\"\nB (C)\n"), of(&["A", "B (C)"], &[]));
        assert_eq!(names("\"A\nB\" C\nT\n"), of(&["\"A", "B\" C"], &["T"]));
        assert_eq!(names("\"LD \"\"A B\"\"\"\n\"\"\n"), of(&["LD \"A B\"", ""], &[]));
    }

    #[test]
    fn a_refusal_names_the_line_and_what_is_expected() {
        for (text, expected) in [
            ("", "line 1: the first line must have two numbers"),
            ("3\n", "line 1: the first line must have two numbers"),
            ("0 1\n", "line 1: the number of candidates must be from 1 to 1000"),
            ("2 0\n", "line 1: the number of seats must be from 1"),
            ("2 1\n-3\n", "line 2: -3 must be a withdrawn candidate: a number from -1 to -2"),
            ("2 1\n3 1 2\n", "line 2: the ballot must end with 0"),
            ("2 1\n3 1 3 0\n", "line 2: 3 must be a candidate from 1 to 2"),
            ("2 1\n3 1 x 0\n", "line 2: x must be a candidate"),
            ("2 1\n1.5 1 0\n", "line 2: 1.5 must be the number of these ballots"),
            ("2 1\n3 1 = 0\n", "line 2: an = must stand between two candidates"),
            ("2 1\n3 =1 0\n", "line 2: an = must stand between two candidates"),
            ("2 1\n3 - = 1 0\n", "line 2: an = must stand between two candidates"),
            ("2 1\n3 1 0 2 0\n", "line 2: 0 must be a candidate"),
            ("2 1\n3 1 0\n-2\n", "line 3: -2 must be the number of these ballots"),
            ("2 1\n3 1 0\n", "line 2: the ballots do not end"),
            ("2 1\n3 1 0\n0\nA\n", "line 4: only 1 of the 2 names are there"),
        ] {
            let found = refusal(text);
            assert!(found.starts_with(expected), "{text:?}: {found}");
        }
        let refused = read_blt(b"2 1\n1 1 0\n0\nA\nB\xff\n").unwrap_err().to_string();
        assert!(refused.starts_with("line 5: there is a character"), "{refused}");
    }
}
