#!/usr/bin/env bash
# Installs Debian's Firefox and WebKit for `just browsers`, if they are missing and can be installed. Otherwise the
# browser is skipped. tools/browsers looks for them in the same order.
set -euo pipefail
cd "$(dirname "$0")/.."

# Whether one of the programs exists.
has() {
    for program in "$@"; do
        if [ -n "$program" ] && [ -x "$program" ]; then return 0; fi
    done
    return 1
}

missing=()
has "${FIREFOX:-}" /usr/bin/firefox-esr /usr/bin/firefox || missing+=(firefox-esr)
has "${WEBKIT_DRIVER:-}" /usr/bin/WebKitWebDriver || missing+=(webkit2gtk-driver)
# The virtual screen for WebKit.
[ -n "${DISPLAY:-}" ] || has /usr/bin/Xvfb || missing+=(xvfb)
if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing ${missing[*]} for the tests …"
    scripts/apt-install.sh --no-install-recommends "${missing[@]}" ||
        echo "${missing[*]} cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. The
tests in these browsers are skipped; name programs in FIREFOX and WEBKIT_DRIVER to run them." >&2
fi

scripts/npm-ci.sh tools/browsers
