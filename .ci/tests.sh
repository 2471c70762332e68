#!/usr/bin/env bash
# go test of all modules, on MariaDB and SQLite
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd mariadb-dump openssl gcc /usr/include/stdlib.h

# The packages that take longest come first.
exec go test -vet=off -timeout 45m "$@" ./calendar ./example/agenda "${modules[@]}"
