//! The files with which Docker or Podman start Plenum from its image.

use std::collections::BTreeSet;
use std::fs;

use super::root;

const FILES: [&str; 3] = ["compose.yml", "compose.with-postgres.yml", "compose.two-instances.yml"];

fn read(file: &str) -> String {
    fs::read_to_string(root().join("tools/release/files").join(file)).unwrap()
}

/// The names of variables of the program that a text sets.
fn set_variables(text: &str) -> impl Iterator<Item = &str> {
    let names = text.lines().filter_map(|line| line.trim().split_once(": ")).map(|(name, _)| name);
    names.filter(|name| name.starts_with("PLENUM_") || *name == "DATABASE_URL")
}

/// The names that a file takes from `.env`.
fn taken_variables(text: &str) -> BTreeSet<&str> {
    let places = text.lines().flat_map(|line| line.split("${").skip(1));
    places.filter_map(|place| place.split([':', '}']).next()).collect()
}

#[test]
fn operations_names_the_variables_that_compose_files_take_from_env() {
    let page = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    let (_, list) = page.split_once("only fills the places with `${NAME}`: ").unwrap();
    let (list, _) = list.split_once(". ").unwrap();
    let named: BTreeSet<&str> = list.split('`').skip(1).step_by(2).collect();
    let [one, with_postgres, two] = FILES.map(read);
    assert_eq!(taken_variables(&one), named);

    let mut expected = named;
    expected.insert("POSTGRES_PASSWORD");
    assert_eq!(taken_variables(&with_postgres), expected);

    expected.insert("PLENUM_JWT_SECRET");
    expected.remove("PLENUM_TRUSTED_PROXIES");
    assert_eq!(taken_variables(&two), expected);
}

#[test]
fn compose_files_set_documented_variables_only() {
    let documented = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    for file in FILES {
        let text = read(file);
        let unknown: Vec<_> = set_variables(&text).filter(|name| !documented.contains(&format!("`{name}`"))).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
        assert!(set_variables(&text).any(|name| name == "PLENUM_PUBLIC_URL"), "{file}");
    }
}

#[test]
fn compose_files_have_the_version_of_the_program_and_what_protects_the_host() {
    let image = format!("image: plenum:${{PLENUM_VERSION:-{}}}", env!("CARGO_PKG_VERSION"));
    for file in FILES {
        let text = read(file);
        for line in [image.as_str(), "read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "plenum-health"] {
            assert!(text.contains(line), "{file}: {line}");
        }
        // A hall is reached through a proxy with a certificate, never around it.
        let ports: Vec<_> = text.lines().filter(|line| line.trim().starts_with("ports:")).collect();
        assert!(ports.len() == 1 && ports[0].contains("\"127.0.0.1:8080:"), "{file}: {ports:?}");
    }
}
