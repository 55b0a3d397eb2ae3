#!/usr/bin/env bash
# Installs schemathesis and Python, if they are missing: the packages of tools/schemathesis/requirements.txt below target/.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=tools/schemathesis/requirements.txt
venv=target/schemathesis
if cmp --silent "$wanted" "$venv/requirements.txt" && "$venv/bin/python" -c 'import schemathesis' 2>/dev/null; then
    exit 0
fi

is_good_python() {
    python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}
if ! is_good_python; then
    echo "Installing Python for the tests of the API …"
    scripts/apt-install.sh python3 python3-venv python3-pip || true
    is_good_python || {
        echo "Python 3.11 or newer with venv and ensurepip is needed to test the API: install python3, python3-venv and" >&2
        echo "python3-pip (or put such a python3 first in PATH), then try again." >&2
        exit 1
    }
fi

echo "Installing schemathesis …"
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$wanted" || {
    echo "The packages of $wanted could not be installed: pip must reach a package index (see \`pip config list\`)." >&2
    exit 1
}
# Last, so that an installation that was broken off is not taken for a whole one.
cp "$wanted" "$venv/requirements.txt"
