#!/usr/bin/env bash
# Looks for known weaknesses of what we depend on, where that can be asked: RustSec's database is on GitHub, and npm's
# registry answers where it is no mirror. What could not be asked is said, and fails nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

deny=target/cargo-deny/bin/cargo-deny
status=0
if said=$("$deny" fetch db 2>&1); then
    "$deny" --locked check advisories || status=1
else
    echo "NOT CHECKED: weaknesses of the Rust crates. RustSec's database cannot be had: $(tail -n 1 <<<"$said")"
fi
if said=$(npm audit --omit=dev --json --prefix frontend 2>/dev/null); then
    echo "No weakness is known of the front end's packages."
elif grep --quiet '"auditReportVersion"' <<<"$said"; then
    npm audit --omit=dev --prefix frontend || true
    status=1
else
    why=$(sed -n 's/^  "message": "\(.*\)",$/\1/p' <<<"$said")
    echo "NOT CHECKED: weaknesses of the front end's packages. The registry does not say: ${why:-no answer}"
fi
exit "$status"
