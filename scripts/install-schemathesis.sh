#!/usr/bin/env bash
# Installs schemathesis and Python, if they are missing: the packages of tools/schemathesis/requirements.txt below target/.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=tools/schemathesis/requirements.txt
venv=target/schemathesis
if cmp --silent "$wanted" "$venv/requirements.txt" && "$venv/bin/python" -c 'import schemathesis' 2>/dev/null; then
    exit 0
fi

# Prints the first Python that is new enough and can create a virtual environment with pip. Beside an old `python3` there
# is often a newer one.
find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        if [ -n "$candidate" ] &&
            "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}
python=$(find_python) || {
    echo "Installing Python for the tests of the API …"
    scripts/apt-install.sh python3 python3-venv || true
    python=$(find_python) || {
        echo "The tests of the API need Python 3.11 or newer with venv and ensurepip. It cannot be installed here: that" >&2
        echo "needs Debian or Ubuntu, and root or sudo without a password. Install it (there: python3 and python3-venv)," >&2
        echo "or set PYTHON to its path, then try again. \`check\`, \`test-rust\`, \`test-frontend\` and \`e2e\` do not need it." >&2
        exit 1
    }
}

echo "Installing schemathesis …"
rm -rf "$venv"
"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$wanted" || {
    echo "The packages of $wanted could not be installed: pip must reach a package index (see \`pip config list\`)." >&2
    exit 1
}
# Last, so that an interrupted installation does not count as complete.
cp "$wanted" "$venv/requirements.txt"
