#!/usr/bin/env bash
# gofmt, the modules that a host gets, seeded faults that are no longer in the code; lists untranslated texts
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need git

unformatted=$("$(go env GOROOT)/bin/gofmt" -l .)
[ -z "$unformatted" ] || fail "not formatted; run gofmt -w on:
$unformatted"

hosts=$(GOWORK=off go list -m all | wc -l)
[ "$hosts" -le 75 ] || fail "a host that imports calendar gets $hosts modules, at most 75: does an import belong in example/?"

before=$(git hash-object go.work.sum)
go list -m all >/dev/null
[ "$(git hash-object go.work.sum)" = "$before" ] || fail "go list -m all changes go.work.sum: commit what it adds"

go test ./.ci/faults ./.ci/untranslated
go run ./.ci/faults -check
go run ./.ci/untranslated
