#!/usr/bin/env bash
# more of what tests draw at random: writes, changes to follow, reads beside writes; on MariaDB and SQLite
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd gcc /usr/include/stdlib.h

go test -vet=off -timeout 45m -run '^TestSuite$/^(model|sync:_random)' ./calendar ./example/agenda -rapid.checks 60 -sync.rounds 9
go test -vet=off -timeout 45m -run '^Test(Exact|AtMostStale|LongExact)$' ./internal/test/exact ./example/agenda -exact.reads 20000
