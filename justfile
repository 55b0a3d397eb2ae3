# Plenum's commands. Without `just`: `npx --yes rust-just <recipe>`.

set shell := ["bash", "-euo", "pipefail", "-c"]

# Each crate is linted while it is compiled, so lints need no second pass over the workspace. A warning is an error.
# CI builds everything once from scratch. Incremental builds and line numbers would only cost time.
with_lints := "RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__ " + \
    if env("CI", "") == "" { "" } else { "CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0" }

# Prints each test with its time.
with_times := "--config 'target.\"cfg(all())\".runner = \"" + justfile_directory() + "/scripts/run-rust-tests.sh\"'"

# Serves the demonstration to the whole network, on the port of PLENUM_LISTEN. The passwords are public, so it is said twice.
serve_lan := 'listen="${PLENUM_LISTEN:-:8080}"; PLENUM_LISTEN="0.0.0.0:${listen##*:}" target/release/plenum serve --demo --demo-on-any-address'

# List the recipes.
default:
    @{{ just_executable() }} --list --unsorted

# Install missing programs, build, and serve with demonstration data. `just up lan` lets phones of the same network in.
up network="": build
    {{ if network == "" { "target/release/plenum serve --demo" } else if network == "lan" { serve_lan } else { error("`up` takes `lan` or nothing") } }}

# Serve a debug build with demonstration data on port 8080, and the front end with hot reload.
dev: install
    scripts/dev.sh

# Run everything that CI runs: checks, licenses and origins of dependencies, Rust tests on fakes and on real PostgreSQL, the benchmark's driver, the API by its document, front end, browser, and a voter in Firefox and WebKit. The recipes and their order are in tools/gate.
test:
    JUST={{ just_executable() }} node tools/gate/run.mjs

# Check formatting, the front end's lints and types, generated files, links between documents, alert rules and dashboard, and tools/gate. Changes nothing. Rust is linted by `build-for-tests`.
check: install
    cargo fmt --check
    cd tools/loadtest && cargo fmt --check
    npm run --silent --prefix frontend lint
    npm run --silent --prefix frontend typecheck
    scripts/check-generated.sh
    scripts/check-monitoring.sh
    node --test --test-reporter=dot tools/gate/*.test.mjs

# Build everything that tests need, with lints. All packages at once, because for single packages Cargo selects other features of dependencies and builds half of them again.
build-for-tests: install
    {{ with_lints }} cargo build --locked --workspace --all-targets
    cd tools/loadtest && {{ with_lints }} cargo build --locked --all-targets

# Run the Rust tests: all, or `just test-rust -p plenum-voting ballots:: proxies::`. PostgreSQL comes from an npm package and runs in temporary folders. There are no tests in comments.
test-rust *arguments: install install-nginx install-nats install-pebble
    RUST_TEST_THREADS=${RUST_TEST_THREADS:-3} {{ with_lints }} scripts/test-rust.sh {{ with_times }} {{ arguments }}

# Count this many random elections by both counts, and compare every stage.
test-elections number="100000":
    PLENUM_ELECTION_PROFILES={{ number }} {{ with_lints }} cargo test --locked --package plenum-verify --test it elections::agreement

# Run the load tool's tests, and a short run of the benchmark driver. It fails for a lost vote or a broken row, never for low speed.
test-loadtest: install-nats build-for-tests
    cd tools/loadtest && {{ with_lints }} cargo test {{ with_times }} --locked --tests --no-fail-fast
    node --test tools/loadtest/bench/*.test.mjs

# Call every operation of the OpenAPI document with generated input: `just test-api --examples 500 --seed random`.
test-api *arguments: install-schemathesis build-for-tests
    scripts/test-api.sh {{ arguments }}

# Run the front end's unit and component tests.
test-frontend: install
    npm test --silent --prefix frontend

# Run whole meetings in a real browser against a real server.
e2e *arguments: install-browser install-nginx build-frontend build-for-tests
    npm run --silent --prefix frontend e2e -- {{ arguments }}

# Run a meeting in Firefox and WebKit: organizer, presentation and voter. `--voter` runs only the voter, in both browsers.
browsers *arguments: install-browsers build-frontend build-for-tests
    node tools/browsers/run.mjs {{ arguments }}

# Write the generated files: schema.rs, docs/openapi.json and the front end's client types. Builds as the tests do, and again if schema.rs changed.
generate: install
    {{ with_lints }} cargo build --workspace --all-targets
    PLENUM_BLESS=1 {{ with_lints }} scripts/test-rust.sh {{ with_times }} -p plenum-adapter-postgres schema_file
    {{ with_lints }} cargo build --workspace --all-targets
    target/debug/plenum openapi > docs/openapi.json.new
    mv docs/openapi.json.new docs/openapi.json
    npm run --silent --prefix frontend generate

# Write crates/app/third-party-notices.txt, the license texts of all crates in the program: after a change of dependencies.
notices:
    @scripts/install-about.sh
    target/tools/bin/cargo-about generate --frozen --fail --manifest-path crates/app/Cargo.toml --features pg-tls \
        --config tools/notices/about.toml --output-file crates/app/third-party-notices.txt tools/notices/about.hbs

# Format everything.
format: install
    cargo fmt
    cd tools/loadtest && cargo fmt
    npm run --silent --prefix frontend format

# Build the release binary with the front end inside: target/release/plenum.
build: install build-frontend
    cargo build --release --locked --package plenum-app

# Build a release from a clean clone of the last commit, into target/release-artifacts: archive, Debian package, container image (as root on Debian), lists of packages, hashes. PLENUM_RELEASE_KEY signs them.
release: install-cyclonedx install-image-tools
    tools/release/build.sh

# Build a release twice, in two folders, and compare every file. Takes half an hour.
release-check: install-cyclonedx install-image-tools
    tools/release/check.sh

# Install the Debian package of `release` in a bare Debian root, sign in, upgrade, remove and purge: `just test-package`, or with the previous release `just test-package OLD.deb`. Needs root.
test-package old="": install-pebble
    @scripts/install-mmdebstrap.sh
    tools/release/test-package.sh target/release-artifacts/plenum_*.deb {{ old }}

# Upgrade from an earlier release to this source, with an open round and while people vote: `just test-upgrade PREVIOUS`, its program or Debian package.
test-upgrade previous: install install-nginx install-nats
    {{ with_lints }} tools/release/test-upgrade.sh {{ quote(previous) }}

# Test the container image of `release`: read-only, without root, with one volume, through a whole vote. Needs root.
test-image: install-image-tools
    tools/release/test-image.sh target/release-artifacts/plenum-*-image.tar

# Build the front end if it changed: frontend/dist.
build-frontend: install
    scripts/build-frontend.sh

# Measure a release build with Lighthouse, and write docs/lighthouse.md. Takes 15 minutes, on an otherwise idle machine.
lighthouse *arguments: build install-browser
    scripts/npm-ci.sh tools/lighthouse
    node tools/lighthouse/run.mjs {{ arguments }}

# Measure speed beside pgbench, nchan and bcrypt, and write docs/performance.md. Takes long, on an otherwise idle machine. Options: `--short`, `--only ballots`, `--repeats 3`.
bench *arguments: install build-frontend install-bench install-nats
    cargo build --release --locked --package plenum-app
    cd tools/loadtest && cargo build --release --locked
    ulimit -S -n "$(ulimit -H -n)" && node tools/loadtest/bench/run.mjs {{ arguments }}

# Profile ballots, events and openings with Linux's perf, which must be installed, and write the flame graphs of docs/performance.md. Takes about ten minutes, on an otherwise idle machine. Not optimized at link time, so that functions keep their names.
flame-graphs: install build-frontend
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_STRIP=none CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 RUSTFLAGS="-C force-frame-pointers=yes" cargo build --release --locked --package plenum-app --target-dir target/frame-pointers
    cd tools/loadtest && cargo build --release --locked
    cargo install --quiet --locked --root target/inferno --version 0.12.8 inferno
    ulimit -S -n "$(ulimit -H -n)" && node tools/loadtest/bench/flame-graphs.mjs

# Inject faults into a release build while simulated voters vote, and write docs/reliability.md: 100 faults over 20,000 named votes, and 100 over 20,000 secret votes. With arguments (`--faults 20 --votes 2000 --seed 7`) it writes target/reliability.md.
faults *arguments: install build-frontend install-faketime
    cargo build --release --locked --package plenum-app
    cd tools/loadtest && cargo build --release --locked
    target/release/plenum-load faults --secrecy named,secret --to {{ if arguments == "" { "docs/reliability.md" } else { "target/reliability.md" } }} {{ arguments }}

# Fuzz every parser of outside input for this many seconds each, and end at the first finding: `just fuzz 10`, `just fuzz 600 tokens`.
fuzz seconds="60" target="": install-fuzz
    scripts/fuzz.sh {{ seconds }} {{ target }}

# Install missing programs for building and running.
install:
    @scripts/install.sh

# Install the programs that tests start: browsers, nginx, nats-server, pebble.
install-test-programs: install-browser install-nginx install-nats install-pebble install-browsers

# Install the Python packages of the tests, below target/.
install-test-packages: install-schemathesis install-deny

# Install a browser for `e2e`, if it is missing.
install-browser: install
    @scripts/install-browser.sh

# Install Firefox and WebKit for `browsers`, if possible.
install-browsers: install
    @scripts/install-browsers.sh

# Install nginx for `e2e` and the tests of several instances, if possible.
install-nginx:
    @scripts/install-test-program.sh nginx

# Install nats-server for `bench` and the tests of several instances, if possible.
install-nats:
    @scripts/install-test-program.sh nats-server

# Install pebble, an ACME authority for tests of automatic certificates.
install-pebble:
    @scripts/install-test-program.sh pebble

# Install the programs that `bench` compares with, if possible.
install-bench:
    @scripts/install-bench.sh

# Install libfaketime for `faults`, if possible.
install-faketime:
    @scripts/install-faketime.sh

# Install cargo-fuzz for `fuzz`, if possible.
install-fuzz:
    @scripts/install-fuzz.sh

# Install cargo-cyclonedx for `release`.
install-cyclonedx:
    @scripts/install-cyclonedx.sh

# Install mmdebstrap and buildah for the container image, if possible.
install-image-tools:
    @scripts/install-buildah.sh

# Install schemathesis for `test-api`, and Python if possible.
install-schemathesis: install
    @scripts/install-schemathesis.sh

# Install cargo-deny for `check-dependencies` and `audit`.
install-deny:
    @scripts/install-deny.sh

# Check licenses, bans and sources of all crates that Plenum depends on.
check-dependencies: install-deny
    target/cargo-deny/bin/cargo-deny --locked check licenses bans sources
    target/cargo-deny/bin/cargo-deny --locked --manifest-path tools/loadtest/Cargo.toml check --allow license-not-encountered licenses bans sources

# Check all dependencies, and look for known vulnerabilities if the databases are reachable.
audit: check-dependencies
    @scripts/audit.sh
