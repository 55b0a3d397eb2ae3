#!/usr/bin/env bash
# Looks for known vulnerabilities of dependencies in RustSec's database, which is on GitHub, and in npm's registry, which
# a mirror may not support. An unreachable database is reported and is not a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

deny=target/cargo-deny/bin/cargo-deny
status=0
if said=$("$deny" fetch db 2>&1); then
    "$deny" --locked check advisories || status=1
else
    echo "NOT CHECKED: vulnerabilities of the Rust crates. RustSec's database is not reachable: $(tail -n 1 <<<"$said")"
fi
if said=$(npm audit --omit=dev --json --prefix frontend 2>/dev/null); then
    echo "The front end's packages have no known vulnerabilities."
elif grep --quiet '"auditReportVersion"' <<<"$said"; then
    npm audit --omit=dev --prefix frontend || true
    status=1
else
    why=$(sed -n 's/^  "message": "\(.*\)",$/\1/p' <<<"$said")
    echo "NOT CHECKED: vulnerabilities of the front end's packages. The registry does not respond to the query: ${why:-no answer}"
fi
exit "$status"
