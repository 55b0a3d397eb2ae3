#!/usr/bin/env bash
# Installs a Chromium for the browser tests, if it is missing: Debian's, or else the one that Playwright downloads.
# frontend/playwright.config.ts looks for them in the same order. The headless one needs two thirds of the time.
set -euo pipefail
cd "$(dirname "$0")/.."

for browser in "${CHROMIUM:-}" /usr/bin/chromium-headless-shell /usr/bin/chromium; do
    if [ -n "$browser" ] && [ -x "$browser" ]; then exit 0; fi
done
echo "Installing a browser for the tests …"
scripts/apt-install.sh chromium-headless-shell || scripts/apt-install.sh chromium \
    || (cd frontend && npx playwright install --with-deps chromium)
