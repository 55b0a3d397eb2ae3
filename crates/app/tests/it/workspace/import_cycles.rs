//! Import cycles within a crate.
//!
//! Files of one folder may import each other in a cycle. Files of different folders may not, so that each folder can be
//! read and changed without those that use it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::imports::{Import, ModulePath, Reading, read_imports};
use super::{root, rust_files};

/// The source files of one crate, by module.
struct CrateSource {
    /// The file of each module, as a path below `src`. Inline modules have the file in which they are.
    files: BTreeMap<ModulePath, String>,
    imports: Vec<(String, Import)>,
    /// The targets of imported and re-exported names, by module and name.
    names: BTreeMap<(ModulePath, String), ModulePath>,
}

impl CrateSource {
    /// Reads files, each with its path below `src` and its text.
    fn read(texts: &[(String, String)]) -> Self {
        let mut source = Self { files: BTreeMap::new(), imports: Vec::new(), names: BTreeMap::new() };
        let has_library = texts.iter().any(|(path, _)| path == "lib.rs");
        let mut test_modules = Vec::new();
        for (path, text) in texts {
            // A library and a program in one folder are two crates.
            if path == "main.rs" && has_library {
                continue;
            }
            let module = module_of(path);
            let Reading { imports, inline_modules, test_modules: of_file } = read_imports(&module, text);
            test_modules.extend(of_file);
            source.files.insert(module, path.clone());
            source.files.extend(inline_modules.into_iter().map(|inline| (inline, path.clone())));
            source.imports.extend(imports.into_iter().map(|import| (path.clone(), import)));
        }
        let is_test = |module: &ModulePath| test_modules.iter().any(|test| module.starts_with(test));
        source.files.retain(|module, _| !is_test(module));
        source.imports.retain(|(_, import)| !is_test(&import.module));
        for (_, import) in &source.imports {
            if let (Some(name), Some(target)) = (&import.name, source.absolute(import)) {
                source.names.insert((import.module.clone(), name.clone()), target);
            }
        }
        source
    }

    /// The path of an import from the root of the crate. `None` for other crates.
    fn absolute(&self, import: &Import) -> Option<ModulePath> {
        let mut rest = import.path.as_slice();
        let mut base = match rest.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => import.module.clone(),
            first => {
                let child = [&import.module[..], &[first.to_owned()]].concat();
                return self.files.contains_key(&child).then(|| [&import.module[..], rest].concat());
            }
        };
        while let Some((first, tail)) = rest.split_first() {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => {
                    base.pop()?;
                }
                _ => break,
            }
            rest = tail;
        }
        Some([&base[..], rest].concat())
    }

    /// The file that declares the item at this path, through re-exports.
    fn declaring_file(&self, path: &[String], depth: usize) -> Option<&str> {
        let (module, rest) =
            (0..=path.len()).rev().map(|at| path.split_at(at)).find(|(module, _)| self.files.contains_key(*module))?;
        if let Some((name, tail)) = rest.split_first()
            && let Some(target) = self.names.get(&(module.to_vec(), name.clone()))
            && target != path
            && depth > 0
        {
            return self.declaring_file(&[&target[..], tail].concat(), depth - 1);
        }
        self.files.get(module).map(String::as_str)
    }

    /// The imports between files.
    fn edges(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (file, import) in &self.imports {
            let target = self.absolute(import).and_then(|path| self.declaring_file(&path, 8));
            if let Some(target) = target.filter(|target| target != file) {
                edges.entry(file).or_default().insert(target);
            }
        }
        edges
    }
}

/// The module of a file, from its path below `src`.
fn module_of(path: &str) -> ModulePath {
    let mut parts: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn reachable<'a>(from: &'a str, edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        for target in edges.get(file).into_iter().flatten() {
            if reached.insert(*target) {
                next.push(target);
            }
        }
    }
    reached
}

/// The imports between files of different folders that are part of a cycle.
fn cycles_across_folders(texts: &[(String, String)]) -> Vec<String> {
    let source = CrateSource::read(texts);
    let edges = source.edges();
    let crossing = edges.iter().flat_map(|(file, targets)| targets.iter().map(move |target| (*file, *target)));
    crossing
        .filter(|(file, target)| folder_of(file) != folder_of(target) && reachable(target, &edges).contains(file))
        .map(|(file, target)| format!("{file} imports {target}"))
        .collect()
}

fn cycles_in(source: &Path) -> Vec<String> {
    let texts: Vec<(String, String)> = rust_files(source)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(source).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    assert!(!texts.is_empty(), "{} has no source files", source.display());
    cycles_across_folders(&texts)
}

#[test]
fn files_of_different_folders_import_one_another_in_no_cycle() {
    let mut sources: Vec<_> =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    sources.push(root().join("tools/loadtest/src"));
    let found: Vec<String> = sources
        .iter()
        .flat_map(|source| cycles_in(source).into_iter().map(move |cycle| format!("{}: {cycle}", source.display())))
        .collect();
    assert!(found.is_empty(), "imports in cycles across folders: {found:#?}");
}

fn texts(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect()
}

#[test]
fn a_cycle_across_folders_is_found_through_a_re_export() {
    let files = [
        ("lib.rs", "mod live; mod views; pub use live::Stream;"),
        ("live/mod.rs", "mod stream; pub(crate) use stream::{Frame as LiveFrame, Stream};"),
        ("live/stream.rs", "use crate::views::Name; pub struct Stream(Name); pub struct Frame;"),
        ("views.rs", "mod inner { use super::super::live::LiveFrame; } pub struct Name;"),
    ];
    assert_eq!(
        cycles_across_folders(&texts(&files)),
        ["live/stream.rs imports views.rs", "views.rs imports live/stream.rs"]
    );
}

#[test]
fn a_cycle_across_folders_is_found_in_paths_without_use() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "pub fn f() { println!(\"{}\", crate::b::g()) }"),
        ("b/mod.rs", "pub fn g() -> u8 { super::a::f(); 1 }"),
    ];
    assert_eq!(cycles_across_folders(&texts(&files)), ["a/mod.rs imports b/mod.rs", "b/mod.rs imports a/mod.rs"]);
}

#[test]
fn a_cycle_within_a_folder_or_in_tests_only_is_accepted() {
    let files = [
        ("lib.rs", "mod live; mod views; pub use live::{Stream, Frame};"),
        (
            "live/mod.rs",
            "mod frame; mod stream; pub use frame::Frame; pub use stream::Stream; #[cfg(test)] mod checks;",
        ),
        ("live/stream.rs", "use super::Frame; use crate::views::Name; pub struct Stream(Name, Frame);"),
        ("live/frame.rs", "use super::stream::Stream; pub struct Frame(Box<Stream>);"),
        ("live/checks.rs", "use crate::views::Name;"),
        (
            "views.rs",
            "// use crate::live::Stream;\n pub struct Name; #[cfg(test)] mod tests { use crate::live::Stream; }
             #[cfg(test)] use crate::live::Frame; const TEXT: &str = \"use crate::live::Frame;\";",
        ),
    ];
    assert_eq!(cycles_across_folders(&texts(&files)), Vec::<String>::new());
}
