#!/usr/bin/env bash
# Compiles the program from a clean clone, such that the same commit gives the same bytes in any folder:
# compile.sh SOURCE TARGET. SOURCE is the clone, TARGET Cargo's folder. The program is TARGET/release/plenum.
set -euo pipefail
source=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
cd "$source"

# Nothing of the caller's shell may reach the program.
unset RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET NODE_ENV PLENUM_BUILD_COMMIT
for name in $(compgen -e CARGO_PROFILE_ || true); do unset "$name"; done
export LC_ALL=C TZ=UTC CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$target"
umask 022
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

npm ci --prefix frontend --no-audit --no-fund --loglevel=error
npm ci --prefix tools/fonts --no-audit --no-fund --loglevel=error
npm run --silent --prefix frontend build -- --logLevel warn

# Messages and assertions name source files. These paths replace the machine's own.
cargo_home=$(realpath "${CARGO_HOME:-$HOME/.cargo}")
library=$(rustc --print sysroot)/lib/rustlib/src/rust
rustc_commit=$(rustc --verbose --version | sed -n 's/^commit-hash: //p')
export RUSTFLAGS="--remap-path-prefix=$source=/plenum --remap-path-prefix=$target=/target \
--remap-path-prefix=$cargo_home=/cargo --remap-path-prefix=$library=/rustc/$rustc_commit"
unset CFLAGS CXXFLAGS CC CXX
# The same for C. OpenSSL writes its compiler's options and its folders into the program, so a wrapper adds and replaces them
# where OpenSSL does not see it.
wrapper=$target/compiler
mkdir -p "$wrapper"
{
    printf '#!/usr/bin/env bash\ntarget=%q compiler=%q\n' "$target" "$(command -v cc)"
    printf 'maps=(-ffile-prefix-map=%q=/plenum -ffile-prefix-map=%q=/target -ffile-prefix-map=%q=/cargo)\n' \
        "$source" "$target" "$cargo_home"
    cat <<'WRAPPER'
arguments=()
for argument; do
    case $argument in -D*DIR=*) argument=${argument//"$target"/\/target} ;; esac
    arguments+=("$argument")
done
exec "$compiler" "${maps[@]}" "${arguments[@]}"
WRAPPER
} >"$wrapper/cc"
chmod 0755 "$wrapper/cc"
export PATH="$wrapper:$PATH"
cargo build --quiet --release --locked --package plenum-app --features pg-tls

# A folder of this machine in the program would differ in the next one.
for folder in "$source" "$target" "$cargo_home"; do
    if grep --quiet --fixed-strings --text "$folder" "$target/release/plenum"; then
        echo "The program contains the folder $folder." >&2
        exit 1
    fi
done
