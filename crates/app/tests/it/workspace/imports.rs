//! The imports of a Rust source file.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// A module path below the root of its crate, such as `["live", "stream"]`. Empty for the root.
pub(super) type ModulePath = Vec<String>;

/// A path that a file names: in a `use` declaration, or elsewhere.
pub(super) struct Import {
    /// The module that names it.
    pub(super) module: ModulePath,
    /// The path as written, such as `["super", "stream", "Stream"]`.
    pub(super) path: Vec<String>,
    /// The name that the module gets by a `use` declaration.
    pub(super) name: Option<String>,
}

/// The content of a file.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) imports: Vec<Import>,
    pub(super) inline_modules: Vec<ModulePath>,
    /// Modules under `#[cfg(test)]` with files of their own.
    pub(super) test_modules: Vec<ModulePath>,
}

/// Reads the imports of a file, without items under `#[cfg(test)]`.
pub(super) fn read_imports(module: &[String], text: &str) -> Reading {
    let tokens: TokenStream = text.parse().unwrap();
    let mut reading = Reading::default();
    reading.read(module, tokens);
    reading
}

impl Reading {
    fn read(&mut self, module: &[String], tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let taken = self.read_next(module, rest, is_after_colons(&tokens[..tokens.len() - rest.len()]));
            rest = &rest[taken..];
        }
    }

    /// Reads the item that starts here, and returns the number of its tokens.
    fn read_next(&mut self, module: &[String], tokens: &[TokenTree], continues_a_path: bool) -> usize {
        match tokens {
            [TokenTree::Punct(hash), TokenTree::Group(attribute), ..]
                if hash.as_char() == '#' && attribute.stream().to_string().replace(' ', "") == "cfg(test)" =>
            {
                2 + self.skip_test_item(module, &tokens[2..])
            }
            [TokenTree::Ident(word), TokenTree::Ident(_), ..] if word == "use" => self.read_use(module, tokens),
            [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..] if word == "mod" => {
                let inline = [module, &[name.to_string()]].concat();
                self.read(&inline, body.stream());
                self.inline_modules.push(inline);
                3
            }
            // `pub(in crate::live)` is not an import.
            [TokenTree::Ident(word), TokenTree::Group(_), ..] if word == "pub" => 2,
            [TokenTree::Ident(_), ..] if !continues_a_path => {
                let path = path_at(tokens);
                let taken = path.len() * 3 - 2;
                if path.len() > 1 {
                    self.imports.push(Import { module: module.to_vec(), path, name: None });
                }
                taken
            }
            [TokenTree::Group(group), ..] => {
                self.read(module, group.stream());
                1
            }
            _ => 1,
        }
    }

    /// Skips an item with its further attributes: until `;`, or until braces.
    fn skip_test_item(&mut self, module: &[String], tokens: &[TokenTree]) -> usize {
        let is_end = |token: &TokenTree| match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        // The braces of `use a::{b, c};` do not end it.
        let is_use = tokens.iter().take_while(|token| !is_end(token)).any(|token| is_word(token, "use"));
        let mut end = tokens.iter().position(is_end).map_or(tokens.len(), |at| at + 1);
        if is_use && end < tokens.len() && matches!(tokens[end - 1], TokenTree::Group(_)) {
            end += 1;
        }
        if let [.., word, TokenTree::Ident(name), TokenTree::Punct(_)] = &tokens[..end]
            && is_word(word, "mod")
        {
            self.test_modules.push([module, &[name.to_string()]].concat());
        }
        end
    }

    fn read_use(&mut self, module: &[String], tokens: &[TokenTree]) -> usize {
        let is_semicolon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
        let end = tokens.iter().position(is_semicolon).unwrap();
        self.read_tree(module, &[], &tokens[1..end]);
        end + 1
    }

    /// Reads a tree of a `use` declaration after this prefix.
    fn read_tree(&mut self, module: &[String], prefix: &[String], tokens: &[TokenTree]) {
        let mut path = [prefix, &path_at(tokens)].concat();
        let (mut name, mut group) = (None, None::<&Group>);
        for token in tokens {
            match token {
                TokenTree::Group(braces) => group = Some(braces),
                TokenTree::Ident(word) => name = Some(word.to_string()),
                TokenTree::Punct(star) if star.as_char() == '*' => name = None,
                _ => {}
            }
        }
        if let Some(group) = group {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            for branch in inner.split(|token| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',')) {
                if !branch.is_empty() {
                    self.read_tree(module, &path, branch);
                }
            }
            return;
        }
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
            name = name.filter(|name| name != "self").or_else(|| path.last().cloned());
        }
        self.imports.push(Import { module: module.to_vec(), path, name });
    }
}

fn is_word(token: &TokenTree, expected: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == expected)
}

/// Whether the last tokens are `::`.
fn is_after_colons(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Punct(first), TokenTree::Punct(second)] = before else { return false };
    (first.as_char(), first.spacing(), second.as_char()) == (':', Spacing::Joint, ':')
}

/// The words of the path that begins here: `a::b::c`.
fn path_at(tokens: &[TokenTree]) -> Vec<String> {
    let mut path = Vec::new();
    let mut rest = tokens;
    while let [TokenTree::Ident(word), tail @ ..] = rest {
        path.push(word.to_string());
        match tail {
            [TokenTree::Punct(first), TokenTree::Punct(_), next @ ..]
                if first.as_char() == ':' && first.spacing() == Spacing::Joint =>
            {
                rest = next;
            }
            _ => break,
        }
    }
    path
}
