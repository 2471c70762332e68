#!/usr/bin/env bash
# the processor time that the tests of each package take but for TestLong…, of all or of those named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd

[ "$#" -gt 0 ] || set -- "${modules[@]}"
exec go run ./.ci/usage -vet=off -timeout 45m -skip '^TestLong' "$@"
