#!/usr/bin/env bash
# all tests of all modules but TestLong…, on MariaDB and SQLite
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd mariadb-dump openssl gcc /usr/include/stdlib.h

# The packages that take longest come first.
exec go test -vet=off -timeout 45m -skip '^TestLong' "$@" ./calendar ./example/agenda "${modules[@]}"
