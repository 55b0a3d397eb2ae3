#!/usr/bin/env bash
# Checks the alert rules, runs their tests and checks the queries of the dashboard, with promtool. Without it this is
# skipped: Debian's package `prometheus` has it, but also starts a server, so no recipe installs it.
set -euo pipefail
cd "$(dirname "$0")/.."

promtool=${PROMTOOL:-$(command -v promtool || true)}
if [ -z "$promtool" ]; then
    echo "promtool is missing, so the alert rules are not evaluated. It is in Debian's package prometheus; or name the program
in PROMTOOL." >&2
    exit 0
fi
queries=$(mktemp --suffix=.yml)
trap 'rm -f "$queries"' EXIT
node tools/gate/monitoring.mjs >"$queries"
for arguments in "check rules docs/monitoring/alerts.yml" "test rules docs/monitoring/alerts.test.yml" "check rules $queries"; do
    # shellcheck disable=SC2086 # The words are separate arguments.
    output=$("$promtool" $arguments 2>&1) || { echo "$output" >&2; exit 1; }
done
