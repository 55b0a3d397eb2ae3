#!/usr/bin/env bash
# Installs nginx for the browser tests behind a reverse proxy, if there is none: Debian's, where it may be installed.
# Elsewhere those tests are skipped. frontend/e2e/support/nginx.ts looks for it in the same order.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in "${NGINX:-}" /usr/sbin/nginx; do
    if [ -n "$program" ] && [ -x "$program" ]; then exit 0; fi
done
echo "Installing nginx for the tests …"
scripts/apt-install.sh nginx ||
    echo "nginx cannot be installed here: that takes Debian or Ubuntu, and root or sudo without a password. The browser
tests behind a reverse proxy are skipped; name a program in NGINX to run them." >&2
