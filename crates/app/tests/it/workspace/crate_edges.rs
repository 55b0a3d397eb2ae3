//! The allowed dependencies between crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};

use super::root;

/// The workspace crates that each crate depends on. A new edge needs a good reason and a review.
const EDGES: &[(&str, &[&str])] = &[
    ("plenum-kernel", &[]),
    ("plenum-clients", &["plenum-kernel"]),
    ("plenum-meetings", &["plenum-kernel"]),
    ("plenum-voting", &["plenum-kernel"]),
    ("plenum-result-format", &["plenum-kernel"]),
    ("plenum-records", &["plenum-kernel", "plenum-result-format", "plenum-timestamp-format", "plenum-voting"]),
    ("plenum-timestamp-format", &[]),
    ("plenum-sealed-ballots", &[]),
    // The recount shares the file format with the server, but not its counting in plenum-voting.
    ("plenum-verify", &["plenum-result-format", "plenum-timestamp-format"]),
    ("plenum-embedded-postgres", &[]),
    (
        "plenum-adapter-postgres",
        // The embedded server is for its `testkit` only; see `the_stores_use_the_embedded_server_only_in_tests`.
        &[
            "plenum-clients",
            "plenum-embedded-postgres",
            "plenum-kernel",
            "plenum-meetings",
            "plenum-result-format",
            "plenum-voting",
        ],
    ),
    ("plenum-adapter-documents", &["plenum-clients", "plenum-kernel", "plenum-result-format"]),
    (
        "plenum-adapter-http",
        &[
            "plenum-clients",
            "plenum-kernel",
            "plenum-meetings",
            "plenum-records",
            "plenum-result-format",
            // The page that checks files gives the verdicts of `plenum verify`.
            "plenum-verify",
            "plenum-voting",
        ],
    ),
    ("plenum-adapter-tls", &[]),
    ("plenum-adapter-live", &["plenum-kernel", "plenum-meetings", "plenum-voting"]),
    ("plenum-adapter-mail", &["plenum-meetings"]),
    ("plenum-adapter-nats", &["plenum-clients", "plenum-kernel", "plenum-meetings", "plenum-voting"]),
    (
        "plenum-adapter-security",
        &["plenum-clients", "plenum-kernel", "plenum-result-format", "plenum-sealed-ballots", "plenum-voting"],
    ),
    (
        "plenum-adapter-timestamps",
        &["plenum-kernel", "plenum-records", "plenum-result-format", "plenum-timestamp-format"],
    ),
    (
        "plenum-app",
        &[
            "plenum-adapter-documents",
            "plenum-adapter-http",
            "plenum-adapter-live",
            "plenum-adapter-mail",
            "plenum-adapter-nats",
            "plenum-adapter-postgres",
            "plenum-adapter-security",
            "plenum-adapter-timestamps",
            "plenum-adapter-tls",
            "plenum-clients",
            "plenum-embedded-postgres",
            "plenum-kernel",
            "plenum-meetings",
            "plenum-records",
            "plenum-result-format",
            "plenum-timestamp-format",
            "plenum-verify",
            "plenum-voting",
        ],
    ),
];

/// Further crates that the tests of each crate use, mostly for a `testkit`. A crate that names itself enables its own.
const TEST_EDGES: &[(&str, &[&str])] = &[
    ("plenum-kernel", &[]),
    ("plenum-clients", &["plenum-clients", "plenum-kernel"]),
    ("plenum-meetings", &["plenum-kernel", "plenum-meetings"]),
    ("plenum-voting", &["plenum-kernel", "plenum-voting"]),
    ("plenum-result-format", &[]),
    ("plenum-records", &["plenum-adapter-security", "plenum-kernel", "plenum-timestamp-format", "plenum-voting"]),
    ("plenum-timestamp-format", &["plenum-kernel", "plenum-timestamp-format"]),
    ("plenum-sealed-ballots", &["plenum-kernel", "plenum-sealed-ballots"]),
    // The engine writes the files, so that the tests compare both counts.
    ("plenum-verify", &["plenum-kernel", "plenum-timestamp-format", "plenum-verify", "plenum-voting"]),
    ("plenum-embedded-postgres", &[]),
    (
        "plenum-adapter-postgres",
        &["plenum-adapter-postgres", "plenum-clients", "plenum-kernel", "plenum-meetings", "plenum-voting"],
    ),
    // Documents are signed, and checked as `plenum verify` does.
    ("plenum-adapter-documents", &["plenum-adapter-security", "plenum-kernel", "plenum-records", "plenum-verify"]),
    ("plenum-adapter-http", &["plenum-clients", "plenum-kernel", "plenum-meetings"]),
    ("plenum-adapter-tls", &[]),
    ("plenum-adapter-live", &["plenum-kernel"]),
    ("plenum-adapter-mail", &["plenum-adapter-mail"]),
    ("plenum-adapter-nats", &["plenum-adapter-nats", "plenum-kernel"]),
    ("plenum-adapter-security", &["plenum-adapter-security", "plenum-kernel", "plenum-voting"]),
    ("plenum-adapter-timestamps", &["plenum-adapter-security", "plenum-adapter-timestamps"]),
    (
        "plenum-app",
        &[
            "plenum-adapter-mail",
            "plenum-adapter-nats",
            "plenum-adapter-postgres",
            "plenum-adapter-security",
            "plenum-adapter-timestamps",
            "plenum-kernel",
            "plenum-load",
            "plenum-sealed-ballots",
            "plenum-voting",
        ],
    ),
];

const DOMAIN: &[&str] = &["plenum-kernel", "plenum-clients", "plenum-meetings", "plenum-voting"];

/// The third-party crates of the domain: values, errors and asynchronous traits. None does IO, and none knows a wire
/// format or a database.
const DOMAIN_MAY_USE: &[&str] = &[
    "async-trait",
    "bytes",
    "chrono",
    "chrono-tz",
    "deunicode",
    "email_address",
    "futures-util",
    // Unicode's tables, as compiled-in data.
    "icu_properties",
    "rust_decimal",
    // Hashes texts into ids.
    "sha2",
    "thiserror",
    "unicode-normalization",
    "uuid",
];
/// Third-party crates for `testkit`s only. They must be optional.
const DOMAIN_TESTKITS_MAY_USE: &[&str] = &["mockall", "tokio"];

/// Third-party crates of one technology, the one crate that may use them, and the crates whose tests may.
const TECHNOLOGIES: &[(&[&str], &str, &[&str])] = &[
    (
        &["diesel", "diesel_migrations", "r2d2", "pq-sys", "openssl-sys"],
        "plenum-adapter-postgres",
        // Tests query real servers, and hold race windows open with connections of their own.
        &["plenum-app", "plenum-embedded-postgres"],
    ),
    (
        &[
            "actix-web",
            "actix-cors",
            "actix-http",
            "actix-server",
            "actix-service",
            "tracing-actix-web",
            "utoipa",
            "utoipa-actix-web",
            "utoipa-swagger-ui",
        ],
        "plenum-adapter-http",
        &[],
    ),
    (
        &["calamine", "chardetng", "csv", "encoding_rs", "krilla", "parley", "qrcode", "rust_xlsxwriter", "zip"],
        "plenum-adapter-documents",
        &["plenum-app"],
    ),
    (&["lettre"], "plenum-adapter-mail", &[]),
    (&["http-body-util", "hyper", "hyper-util"], "plenum-adapter-timestamps", &[]),
    (&["der", "rustls-pki-types", "rustls-webpki", "x509-cert"], "plenum-timestamp-format", &[]),
    // Certificates of tests.
    (&["rcgen"], "plenum-timestamp-format", &["plenum-adapter-tls", "plenum-app"]),
    (&["rustls-acme", "x509-parser"], "plenum-adapter-tls", &[]),
    (&["async-nats"], "plenum-adapter-nats", &[]),
    (&["aws-lc-rs", "jsonwebtoken", "bcrypt", "rand", "sha2"], "plenum-adapter-security", &[]),
];

/// The library that counts, and the crates that may use it: adapters count, and `plenum-app` names the metrics.
const COUNTING: (&str, &[&str]) =
    ("prometheus-client", &["plenum-adapter-http", "plenum-adapter-live", "plenum-adapter-postgres", "plenum-app"]);

/// The libraries of TLS, and the crates that may use them: one calls a service, one serves.
const ENCRYPTING: (&[&str], &[&str]) =
    (&["rustls-native-certs", "tokio-rustls"], &["plenum-adapter-timestamps", "plenum-adapter-tls"]);

/// The JSON form of results has its own OpenAPI description, because responses and files share it.
const DESCRIBED_IN_PLACE: (&str, &str) = ("plenum-result-format", "utoipa");

/// A mail has its picture of the check-in code attached, and no document is drawn for it.
const CODE_IN_MAIL: (&str, &str) = ("plenum-adapter-mail", "qrcode");

/// The audit chain is hashed by the store, and again by the verification.
const CHAINED: [(&str, &str); 7] = [
    ("plenum-adapter-postgres", "sha2"),
    // The hash of a record belongs to its format, and every verifier checks signatures.
    ("plenum-result-format", "sha2"),
    ("plenum-verify", "aws-lc-rs"),
    // The ids of answers are hashes of their texts, and lots follow from hashes.
    ("plenum-voting", "sha2"),
    // The signatures of timestamps are checked by the server and by whoever verifies a file.
    ("plenum-timestamp-format", "aws-lc-rs"),
    // Envelopes are sealed and opened by the server, and their receipts compared by whoever verifies a file.
    ("plenum-sealed-ballots", "aws-lc-rs"),
    ("plenum-sealed-ballots", "sha2"),
];

/// The load tool's workspace.
const LOAD_TOOL: &str = "tools/loadtest";

const READ: &str = "Read docs/architecture.md, \"Invariants\", before you add to the table in crates/app/tests/it/workspace/crate_edges.rs.";

fn workspace() -> Metadata {
    metadata(".")
}

fn metadata(folder: &str) -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join(folder).join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".into()])
        .exec()
        .unwrap()
}

fn is_ours(dependency: &Dependency) -> bool {
    dependency.path.is_some()
}

fn is_for_tests(dependency: &Dependency) -> bool {
    dependency.kind == DependencyKind::Development
}

/// The edges between the workspace's crates; `for_tests` selects the kind.
fn edges_of(package: &Package, for_tests: bool) -> BTreeSet<String> {
    let edges = package.dependencies.iter().filter(|edge| is_ours(edge) && is_for_tests(edge) == for_tests);
    edges.map(|edge| edge.name.clone()).collect()
}

fn compare_with(table: &[(&str, &[&str])], for_tests: bool) {
    let table: BTreeMap<&str, BTreeSet<String>> =
        table.iter().map(|(name, edges)| (*name, edges.iter().map(|edge| (*edge).to_owned()).collect())).collect();
    let workspace = workspace();
    for package in workspace.workspace_packages() {
        let name = package.name.as_str();
        let allowed =
            table.get(name).unwrap_or_else(|| panic!("{name} is a crate that the table does not know. {READ}"));
        let found = edges_of(package, for_tests);
        let new: Vec<_> = found.difference(allowed).collect();
        assert!(new.is_empty(), "{name} must not depend on {new:?}. {READ}");
        let gone: Vec<_> = allowed.difference(&found).collect();
        assert!(gone.is_empty(), "{name} no longer depends on {gone:?}: take the edge out of the table.");
    }
    assert_eq!(workspace.workspace_packages().len(), table.len(), "the table names a crate that is gone");
}

#[test]
fn crates_depend_on_one_another_only_along_the_listed_edges() {
    compare_with(EDGES, false);
}

#[test]
fn tests_depend_on_other_crates_only_along_their_own_edges() {
    compare_with(TEST_EDGES, true);
}

/// The load tool uses the product through its HTTP API. It seals secret ballots as a device does, with the crate that knows
/// nothing but the format of envelopes, and runs database servers with the crate that knows nothing of what they store.
#[test]
fn the_load_tool_depends_on_no_crate_that_knows_the_product() {
    let tool = metadata(LOAD_TOOL);
    let package = &tool.workspace_packages()[0];
    assert_eq!(package.name, "plenum-load");
    let ours = package.dependencies.iter().filter(|dependency| is_ours(dependency));
    let ours: Vec<_> = ours.map(|dependency| dependency.name.as_str()).collect();
    assert_eq!(ours, ["plenum-embedded-postgres", "plenum-sealed-ballots"], "{READ}");
}

/// The packages of a lock file, each with version, source and checksum.
fn locked_packages(folder: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(folder).join("Cargo.lock")).unwrap();
    let packages = text.split("[[package]]").skip(1);
    packages.map(|package| package.split("dependencies = [").next().unwrap().trim().to_owned()).collect()
}

/// Both workspaces share a target folder, in which each external crate is compiled once if its version is the same.
#[test]
fn the_load_tool_uses_the_versions_of_the_product() {
    let others: Vec<_> = locked_packages(LOAD_TOOL).difference(&locked_packages(".")).cloned().collect();
    assert!(
        others.is_empty(),
        "Cargo.lock has other versions of {others:#?}. Copy it to {LOAD_TOOL}, and run `cargo metadata` there."
    );
}

#[test]
fn the_stores_use_the_embedded_server_only_in_tests() {
    let workspace = workspace();
    let stores = workspace.workspace_packages().into_iter().find(|package| package.name == "plenum-adapter-postgres");
    let stores = stores.unwrap();
    let edge = stores.dependencies.iter().find(|edge| edge.name == "plenum-embedded-postgres").unwrap();
    assert!(edge.optional, "plenum-adapter-postgres builds on the embedded server. {READ}");
    let turned_on_by: Vec<_> = stores
        .features
        .iter()
        .filter(|(_, parts)| parts.iter().any(|part| part.contains("plenum-embedded-postgres")))
        .map(|(feature, _)| feature.as_str())
        .collect();
    assert_eq!(turned_on_by, ["testkit"]);
    let app = workspace.workspace_packages().into_iter().find(|package| package.name == "plenum-app").unwrap();
    for edge in app.dependencies.iter().filter(|edge| !is_for_tests(edge)) {
        assert!(
            !edge.features.iter().any(|feature| feature == "testkit"),
            "the product is built with a testkit: {edge:?}"
        );
    }
}

#[test]
fn the_domain_uses_no_io_no_wire_format_and_no_database() {
    for package in workspace().workspace_packages() {
        if !DOMAIN.contains(&package.name.as_str()) {
            continue;
        }
        for dependency in package.dependencies.iter().filter(|edge| !is_ours(edge) && !is_for_tests(edge)) {
            let name = dependency.name.as_str();
            let for_testkit = dependency.optional && DOMAIN_TESTKITS_MAY_USE.contains(&name);
            assert!(for_testkit || DOMAIN_MAY_USE.contains(&name), "{} must not use {name}. {READ}", package.name);
        }
    }
}

#[test]
fn each_technology_is_used_by_one_crate() {
    for package in workspace().workspace_packages() {
        for dependency in &package.dependencies {
            for (crates, owner, tests_of) in TECHNOLOGIES {
                let name = package.name.as_str();
                let is_excepted = is_for_tests(dependency) && tests_of.contains(&name);
                let edge = (name, dependency.name.as_str());
                let is_excepted =
                    is_excepted || [DESCRIBED_IN_PLACE, CODE_IN_MAIL].contains(&edge) || CHAINED.contains(&edge);
                let is_fine = name == *owner || is_excepted || !crates.contains(&dependency.name.as_str());
                assert!(is_fine, "{name} must not use {}: only {owner} does. {READ}", dependency.name);
            }
        }
    }
}

/// The crates that use a library, outside of their tests.
fn users_of(library: &str) -> Vec<String> {
    let is_use = |edge: &Dependency| edge.name == library && !is_for_tests(edge);
    let workspace = workspace();
    let packages = workspace.workspace_packages().into_iter();
    packages.filter(|package| package.dependencies.iter().any(is_use)).map(|package| package.name.to_string()).collect()
}

#[test]
fn adapters_count_and_the_domain_does_not() {
    let (library, allowed) = COUNTING;
    assert_eq!(users_of(library), allowed, "{library} is used elsewhere. {READ}");
}

#[test]
fn one_crate_encrypts_calls_and_one_the_servers_address() {
    let (libraries, allowed) = ENCRYPTING;
    for library in libraries {
        assert_eq!(users_of(library), allowed, "{library} is used elsewhere. {READ}");
    }
}

/// The lines of a manifest's dependency tables, without comments.
fn dependency_lines(manifest: &str) -> Vec<&str> {
    let mut is_inside = false;
    let mut lines = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            is_inside = line.ends_with("dependencies]");
        } else if is_inside && !line.is_empty() && !line.starts_with('#') {
            lines.push(line);
        }
    }
    lines
}

#[test]
fn every_crate_takes_lints_and_versions_from_the_workspace() {
    for package in workspace().workspace_packages() {
        let manifest = fs::read_to_string(&package.manifest_path).unwrap();
        let name = &package.name;
        assert!(manifest.contains("\n[lints]\nworkspace = true\n"), "{name} does not take the workspace's lints");
        assert!(
            !manifest.contains("dependencies."),
            "{name} has a dependency in a table of its own: write it in one line"
        );
        for line in dependency_lines(&manifest) {
            let from_workspace = line.contains("workspace = true") || line.contains("path = \".\"");
            assert!(
                from_workspace,
                "{name}: `{line}` must take its version from the root manifest: x.workspace = true"
            );
        }
        assert!(manifest.contains("version.workspace = true"), "{name} has a version of its own");
        assert!(manifest.contains("publish.workspace = true"), "{name} could be published by mistake");
        assert!(package.description.is_some(), "{name} does not say what it is");
    }
}
