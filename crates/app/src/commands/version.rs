//! The text of `plenum --version`: version, commit and build.

use std::sync::LazyLock;

use chrono::DateTime;

/// The version of the program.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version with the source and the build. `build.rs` sets the values.
pub(super) static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    Build {
        commit: env!("PLENUM_BUILT_COMMIT"),
        time: env!("PLENUM_BUILT_TIME"),
        profile: env!("PLENUM_BUILT_PROFILE"),
        target: env!("PLENUM_BUILT_TARGET"),
        compiler: env!("PLENUM_BUILT_COMPILER"),
        has_database_tls: cfg!(feature = "pg-tls"),
    }
    .describe()
});

/// What is known about a build. An empty text is unknown.
struct Build {
    commit: &'static str,
    /// The time of the source, not of the build, in seconds since 1970.
    time: &'static str,
    profile: &'static str,
    target: &'static str,
    compiler: &'static str,
    has_database_tls: bool,
}

impl Build {
    fn describe(&self) -> String {
        let commit = match (self.commit, self.profile) {
            ("", "release") => "unknown (built without git)",
            ("", _) => "unknown (development build)",
            (known, _) => known,
        };
        let date = self.time.parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        let date = date.map_or_else(|| "unknown".to_owned(), |date| date.format("%Y-%m-%d").to_string());
        let tls = if self.has_database_tls { "with" } else { "without" };
        let Self { profile, target, compiler, .. } = self;
        format!(
            "{VERSION}\ncommit: {commit}\nsource of: {date}\nbuild: {profile}, {target}, {compiler}, {tls} TLS to PostgreSQL"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASE: Build = Build {
        commit: "0123abcd",
        time: "1764288000",
        profile: "release",
        target: "x86_64-unknown-linux-gnu",
        compiler: "rustc 1.95.0",
        has_database_tls: true,
    };

    #[test]
    fn a_release_names_its_commit_and_the_date_of_its_source() {
        assert_eq!(
            RELEASE.describe(),
            format!(
                "{VERSION}\ncommit: 0123abcd\nsource of: 2025-11-28\n\
                 build: release, x86_64-unknown-linux-gnu, rustc 1.95.0, with TLS to PostgreSQL"
            )
        );
    }

    #[test]
    fn a_build_without_git_says_so() {
        let described = Build { commit: "", time: "", has_database_tls: false, ..RELEASE }.describe();
        assert!(described.contains("commit: unknown (built without git)\nsource of: unknown\n"), "{described}");
        assert!(described.ends_with("without TLS to PostgreSQL"), "{described}");
    }

    #[test]
    fn a_development_build_says_so() {
        let described = Build { commit: "", profile: "development", ..RELEASE }.describe();
        assert!(described.contains("commit: unknown (development build)\n"), "{described}");
    }
}
