//! The sizes of source files and functions.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{files_below, root, rust_files};

/// The most lines of a file.
const FILE_LINES: usize = 600;
/// The most lines of a function, from its `fn` to its last brace.
const FUNCTION_LINES: usize = 80;

/// Generated files.
const GENERATED: [&str; 2] = ["crates/adapter-postgres/src/schema.rs", "frontend/src/api/schema.d.ts"];

fn all_rust_files() -> Vec<PathBuf> {
    ["crates", "tools/loadtest", "fuzz"].iter().flat_map(|folder| rust_files(&root().join(folder))).collect()
}

fn front_end_files() -> Vec<PathBuf> {
    let has_source = |path: &Path| {
        path.extension().is_some_and(|extension| ["ts", "tsx", "css", "js", "mjs"].iter().any(|it| extension == *it))
    };
    ["frontend/src", "frontend/e2e"].iter().flat_map(|folder| files_below(&root().join(folder), &has_source)).collect()
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// The functions with more lines than allowed, each with its number of lines.
fn long_functions(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    collect_functions(text.parse().unwrap(), &mut found);
    found.retain(|(_, lines)| *lines > FUNCTION_LINES);
    found
}

fn collect_functions(tokens: TokenStream, found: &mut Vec<(String, usize)>) {
    // The name and the first line of a function whose body has not come yet.
    let mut open: Option<(String, usize)> = None;
    let mut is_after_fn = None;
    for token in tokens {
        match &token {
            TokenTree::Ident(word) if word == "fn" => is_after_fn = Some(word.span().start().line),
            TokenTree::Ident(name) => {
                if let Some(line) = is_after_fn.take() {
                    open = Some((name.to_string(), line));
                }
            }
            TokenTree::Punct(punct) => {
                is_after_fn = None;
                if punct.as_char() == ';' {
                    open = None;
                }
            }
            TokenTree::Group(group) => {
                is_after_fn = None;
                if group.delimiter() == Delimiter::Brace
                    && let Some((name, first)) = open.take()
                {
                    found.push((name, group.span_close().end().line + 1 - first));
                }
                collect_functions(group.stream(), found);
            }
            TokenTree::Literal(_) => {}
        }
    }
}

#[test]
fn no_source_file_is_too_long() {
    let files = all_rust_files().into_iter().chain(front_end_files());
    let long: Vec<String> = files
        .map(|path| (name_of(&path), fs::read_to_string(&path).unwrap().lines().count()))
        .filter(|(name, lines)| *lines > FILE_LINES && !GENERATED.contains(&name.as_str()))
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "divide files of more than {FILE_LINES} lines: {long:#?}");
}

#[test]
fn no_function_is_too_long() {
    let mut long = Vec::new();
    for path in all_rust_files() {
        for (function, lines) in long_functions(&fs::read_to_string(&path).unwrap()) {
            long.push(format!("{}: {function} has {lines} lines", name_of(&path)));
        }
    }
    assert!(long.is_empty(), "divide functions of more than {FUNCTION_LINES} lines: {long:#?}");
}

#[test]
fn the_lines_of_a_function_are_counted_with_its_comments() {
    let body = "    // A comment.\n".repeat(FUNCTION_LINES - 2);
    let text = format!(
        "trait T {{\n    fn declared(\n        &self,\n    );\n}}\npub fn short() {{\n{body}}}\npub const fn long(\n    \
         _: u8,\n) {{\n{body}}}\n"
    );
    assert_eq!(long_functions(&text), [("long".to_owned(), FUNCTION_LINES + 2)]);
}
