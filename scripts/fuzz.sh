#!/usr/bin/env bash
# Runs each target of fuzz/, or the named one, for this many seconds, and ends at the first finding:
# `scripts/fuzz.sh 60 tokens`. PLENUM_FUZZ_SEED sets the random seed.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
export PATH="$PWD/target/tools/bin:$PATH"

without_fuzzer() {
    echo "$1" >&2
    echo "Instead the property tests of the same parsers run, with 20,000 cases each." >&2
    export PROPTEST_CASES=20000
    cargo test --locked --workspace --lib -- fuzzing::
    cargo test --locked --workspace --test it -- damage::
    exit
}
cargo fuzz --version >/dev/null 2>&1 || without_fuzzer "cargo-fuzz is missing: scripts/install-fuzz.sh installs it."
command -v c++ >/dev/null || without_fuzzer "A C++ compiler is missing: libFuzzer is built with one."

# The code is safe Rust, so the targets look for panics, broken invariants, hangs and excessive memory. That needs no
# sanitizer and no nightly compiler.
if [ -n "${2:-}" ]; then targets=("$2"); else mapfile -t targets < <(cd fuzz/fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//'); fi
cargo fuzz build --sanitizer none "${@:2:1}"

for target in "${targets[@]}"; do
    echo "== $target, $seconds s"
    mkdir -p "fuzz/corpus/$target"
    log=$(mktemp)
    if ! cargo fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -seed="${PLENUM_FUZZ_SEED:-1}" >"$log" 2>&1; then
        tail -n 60 "$log"
        rm "$log"
        echo "To keep the finding: minimize it with \`cargo fuzz tmin --sanitizer none $target FILE\`, move it to" >&2
        echo "fuzz/seeds/$target/ under a descriptive name, and write a test of that name beside the code." >&2
        exit 1
    fi
    grep -E '^Done ' "$log" || tail -n 3 "$log"
    rm "$log"
done
