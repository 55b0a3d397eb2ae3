//! The license of everything in the repository.

use std::fs;

use cargo_metadata::MetadataCommand;
use serde_json::Value;

use super::root;

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
