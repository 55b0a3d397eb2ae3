//! The sizes of source files and functions.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{files_below, root, rust_files};

/// The most lines of a file.
const FILE_LINES: usize = 600;
/// The most lines of a function, from its `fn` to its last brace.
const FUNCTION_LINES: usize = 80;

/// The most arguments of a function, without `self`.
const ARGUMENTS: usize = 4;

/// The attributes of HTTP handlers. actix calls a handler, and finds each argument by its type.
const HANDLERS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

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

/// The functions with more arguments than allowed, each with its number of arguments. Traits are counted in their
/// declarations, not in their implementations. HTTP handlers are excluded.
fn functions_with_many_arguments(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    collect_arguments(text.parse().unwrap(), true, &mut found);
    found.retain(|(_, arguments)| *arguments > ARGUMENTS);
    found
}

fn collect_arguments(tokens: TokenStream, is_counted: bool, found: &mut Vec<(String, usize)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut is_handler, mut is_trait_implementation) = (false, false);
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "fn" => {
                if let [TokenTree::Ident(name), rest @ ..] = &tokens[index + 1..]
                    && is_counted
                    && !is_handler
                    && let Some(list) = argument_list(rest)
                {
                    found.push((name.to_string(), arguments_in(list)));
                }
                is_handler = false;
            }
            TokenTree::Ident(word) if word == "impl" => is_trait_implementation = false,
            // `for` of a trait, not `for<'a>`.
            TokenTree::Ident(word) if word == "for" => {
                is_trait_implementation |= !starts_generics(&tokens[index + 1..]);
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && is_punct(&tokens, index, '#') => {
                is_handler |= HANDLERS.iter().any(|name| is_called(name, group.stream()));
            }
            TokenTree::Group(group) => {
                let is_body_of_trait = is_trait_implementation && group.delimiter() == Delimiter::Brace;
                collect_arguments(group.stream(), !is_body_of_trait, found);
                is_trait_implementation &= !is_body_of_trait;
            }
            _ => {}
        }
    }
}

/// Whether this is the punctuation before the token at `index`.
fn is_punct(tokens: &[TokenTree], index: usize, sign: char) -> bool {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn starts_generics(tokens: &[TokenTree]) -> bool {
    matches!(tokens.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '<')
}

/// Whether an attribute calls the macro with this name.
fn is_called(name: &str, attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(first)) if first == name)
}

/// The argument list of a function, after its name.
fn argument_list(tokens: &[TokenTree]) -> Option<TokenStream> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis && depth == 0 => {
                return Some(group.stream());
            }
            _ => depth += nesting(tokens, index),
        }
    }
    None
}

fn arguments_in(list: TokenStream) -> usize {
    let tokens: Vec<TokenTree> = list.into_iter().collect();
    let mut depth = 0;
    let mut arguments: Vec<Vec<String>> = vec![Vec::new()];
    for (index, token) in tokens.iter().enumerate() {
        depth += nesting(&tokens, index);
        match (token, arguments.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' && depth == 0 => arguments.push(Vec::new()),
            (_, Some(argument)) => argument.push(token.to_string()),
            (_, None) => {}
        }
    }
    let is_self = |argument: &[String]| argument.iter().take_while(|token| *token != ":").any(|token| token == "self");
    arguments.iter().filter(|argument| !argument.is_empty() && !is_self(argument)).count()
}

/// 1 for a `<` and -1 for a `>` of generics. The arrows `->` and `=>` are neither.
fn nesting(tokens: &[TokenTree], index: usize) -> i32 {
    match &tokens[index] {
        TokenTree::Punct(punct) if punct.as_char() == '<' => 1,
        TokenTree::Punct(punct) if punct.as_char() == '>' => {
            -i32::from(!is_punct(tokens, index, '-') && !is_punct(tokens, index, '='))
        }
        _ => 0,
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

#[test]
fn no_function_has_too_many_arguments() {
    let mut long = Vec::new();
    for path in all_rust_files() {
        for (function, arguments) in functions_with_many_arguments(&fs::read_to_string(&path).unwrap()) {
            long.push(format!("{}: {function} has {arguments} arguments", name_of(&path)));
        }
    }
    assert!(long.is_empty(), "pass structs to functions with more than {ARGUMENTS} arguments: {long:#?}");
}

#[test]
fn a_function_of_five_arguments_is_found() {
    let text = "
        fn four(a: u8, b: Map<u8, u8>, c: (u8, u8), d: impl Fn(u8, u8) -> u8,) {}
        fn five<F: Fn(u8) -> u8>(a: u8, b: F, c: &'static [u8], mut d: u8, e: fn(u8, u8) -> u8) {}
        trait Port {
            async fn method(&self, a: u8, b: u8, c: u8, d: u8);
            async fn declared(self: &Self, a: u8, b: u8, c: u8, d: u8, e: Self) {
                fn within(a: u8, b: u8, c: u8, d: u8, e: u8) {}
            }
        }
        impl<T> Port for Vec<T> where T: for<'a> Read<'a> {
            async fn declared(&self, a: u8, b: u8, c: u8, d: u8, e: u8) {}
        }
        impl Adapter {
            fn own(&mut self, a: u8, b: u8, c: u8, d: u8, e: u8, f: u8) {}
        }
        #[utoipa::path(tag = \"one\")]
        #[get(\"/one\")]
        pub(crate) async fn handler(a: u8, b: u8, c: u8, d: u8, e: u8) {}
        #[test]
        fn after_a_handler(a: u8, b: u8, c: u8, d: u8, e: u8) {}
    ";
    let found = [("five", 5), ("declared", 5), ("within", 5), ("own", 6), ("after_a_handler", 5)];
    assert_eq!(functions_with_many_arguments(text), found.map(|(name, arguments)| (name.to_owned(), arguments)));
}
