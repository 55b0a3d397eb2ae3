#!/usr/bin/env bash
# Runs the Rust tests: test-rust.sh [--config SETTING] [-p PACKAGE]… [FILTER…]. Each filter is a part of a test's name; options of
# libtest may stand beside them. Cargo always builds the whole workspace, because for single packages it selects other features of
# dependencies and builds half of them again. So `-p` chooses whose tests run, not what is built.
set -euo pipefail
cd "$(dirname "$0")/.."

settings=() packages=() filters=()
while [ $# -gt 0 ]; do
    case $1 in
        --config)
            settings+=("$1" "$2")
            shift 2
            ;;
        -p | --package)
            if ! grep --quiet --no-messages --line-regexp "name = \"${2:-}\"" crates/*/Cargo.toml; then
                echo "-p needs the name of a package in crates, such as plenum-voting, and not \"${2:-}\"." >&2
                exit 2
            fi
            packages+=("$2")
            shift 2
            ;;
        *)
            filters+=("$1")
            shift
            ;;
    esac
done
export PLENUM_TEST_PACKAGES="${packages[*]}"
exec cargo test "${settings[@]}" --workspace --locked --tests --no-fail-fast -- "${filters[@]}"
