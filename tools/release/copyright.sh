#!/usr/bin/env bash
# Prints the licenses of a clone, for the package: copyright.sh SOURCE.
set -euo pipefail
echo "Plenum, by the Plenum contributors."
found=
for license in "$1"/LICENSE*; do
    [ -e "$license" ] || continue
    found=1
    printf '\n---- %s ----\n\n' "$(basename "$license")"
    cat "$license"
done
[ -n "$found" ] || echo "This source has no license file."
printf '\nThe packages inside the program are listed in the CycloneDX documents beside the release. `plenum licenses` prints their licenses.\n'
