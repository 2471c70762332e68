#!/usr/bin/env bash
# all tests of all modules but TestLong… and those of the program that measures, on MariaDB and SQLite
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd mariadb-dump openssl gcc /usr/include/stdlib.h

# The packages that take longest come first, and one more at a time than there are processors, since some wait.
at_once=$(($(nproc) + 1))
# shellcheck disable=SC2046 # one word for each package
exec go test -vet=off -p "$at_once" -timeout 45m -skip '^TestLong' "$@" \
	./calendar ./example/agenda $(go list "${modules[@]}" | grep -v /example/bench/)
