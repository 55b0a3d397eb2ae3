#!/usr/bin/env bash
# Installs the programs that `bench` compares with, if possible: PostgreSQL's pgbench, and nginx with nchan. A missing
# program is not a failure: its rows in the report say "not measured". tools/loadtest/bench/programs.mjs looks for them.
set -euo pipefail
cd "$(dirname "$0")/.."

is_there() { compgen -G "$1" >/dev/null; }
# Debian's wrapper of that name exists without the program itself.
has_pgbench() {
    is_there '/usr/lib/postgresql/*/bin/pgbench' ||
        { [ ! -e /usr/share/postgresql-common/pg_wrapper ] && pgbench --version >/dev/null 2>&1; }
}

packages=()
if ! has_pgbench; then
    packages+=(postgresql postgresql-contrib)
fi
if ! is_there '/usr/lib/nginx/modules/ngx_nchan_module.so'; then
    packages+=(nginx libnginx-mod-nchan)
fi
if [ "${#packages[@]}" = 0 ]; then exit 0; fi
echo "Installing the programs that the benchmarks compare with: ${packages[*]} …"
scripts/apt-install.sh "${packages[@]}" ||
    echo "${packages[*]} cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. What
they would be compared with is measured all the same." >&2
