#!/usr/bin/env bash
# the tests that take longest: TestLong…, on MariaDB and SQLite
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd gcc /usr/include/stdlib.h

go test -vet=off -timeout 45m -run '^TestLong' -skip '^TestLongExact$' "$@" ./internal/test/exact ./example/agenda "${modules[@]}"
go test -vet=off -timeout 45m -skip '^TestLong' ./example/bench/...
