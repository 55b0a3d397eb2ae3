#!/usr/bin/env bash
# Installs Debian's nginx for the browser tests behind a reverse proxy, if it is missing and can be installed. Otherwise
# these tests are skipped. frontend/e2e/support/nginx.ts looks for it in the same order.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in "${NGINX:-}" /usr/sbin/nginx; do
    if [ -n "$program" ] && [ -x "$program" ]; then exit 0; fi
done
echo "Installing nginx for the tests …"
scripts/apt-install.sh nginx ||
    echo "nginx cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. The browser
tests behind a reverse proxy are skipped; name a program in NGINX to run them." >&2
