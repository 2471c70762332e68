#!/usr/bin/env bash
# the tests that take longest: TestLong…, on MariaDB and SQLite
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd gcc /usr/include/stdlib.h

exec go test -vet=off -timeout 45m -run '^TestLong' "$@" ./internal/test/exact ./example/agenda "${modules[@]}"
