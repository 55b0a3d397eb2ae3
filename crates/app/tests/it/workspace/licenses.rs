//! The license of everything in the repository.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use cargo_metadata::MetadataCommand;
use serde_json::Value;

use super::root;

/// The platform on which the packages of a release are compared with the notices.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

const LICENSE: &str = "Apache-2.0 OR MIT";

#[test]
fn every_crate_has_the_license() {
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml", "tools/loadtest/Cargo.toml"] {
        let mut command = MetadataCommand::new();
        command.manifest_path(root().join(manifest)).no_deps().other_options(["--offline".into()]);
        let metadata = command.exec().unwrap();
        assert!(!metadata.packages.is_empty(), "{manifest}");
        for package in metadata.packages {
            assert_eq!(package.license.as_deref(), Some(LICENSE), "{}", package.manifest_path);
        }
    }
}

#[test]
fn every_npm_package_has_the_license() {
    for folder in ["frontend", "tools/browsers", "tools/fonts", "tools/lighthouse", "tools/postgres"] {
        let text = fs::read_to_string(root().join(folder).join("package.json")).unwrap();
        let package: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(package["license"], LICENSE, "{folder}");
    }
}

#[test]
fn the_texts_of_both_licenses_are_there() {
    let text = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let apache = text("LICENSE-APACHE");
    assert!(apache.contains("Version 2.0, January 2004") && apache.contains("END OF TERMS AND CONDITIONS"));
    let mit = text("LICENSE-MIT");
    assert!(mit.contains("Copyright (c) 2026 The Plenum contributors"));
    assert!(mit.contains("Permission is hereby granted, free of charge"));
    assert!(mit.contains("THE SOFTWARE IS PROVIDED \"AS IS\""));
}

/// The crates of others that are built into a release, each with its version.
fn crates_of_a_release() -> BTreeSet<String> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root()).args([
        "tree",
        "--offline",
        "--locked",
        "--package",
        "plenum-app",
        "--features",
        "pg-tls",
    ]);
    command.args(["--edges", "normal", "--target", PLATFORM, "--prefix", "none", "--format", "{p}"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let lines = tree.lines().filter(|line| !line.is_empty() && !line.starts_with("plenum-"));
    // "serde v1.0.1 (proc-macro) (*)"
    lines.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ").replacen(" v", " ", 1)).collect()
}

#[test]
fn the_notices_have_the_license_of_each_crate_in_a_release() {
    let notices = fs::read_to_string(root().join("crates/app/third-party-notices.txt")).unwrap();
    let lines: BTreeSet<&str> = notices.lines().collect();
    let missing: Vec<_> = crates_of_a_release().into_iter().filter(|name| !lines.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "run `just notices`: {missing:?} are missing");
}
