#!/usr/bin/env bash
# the recipes of docs/recipes.md, made as patches, with the tests of all that they touch
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd git

exec go test -vet=off -timeout 45m -tags exercises -count=1 "$@" ./internal/test/exercises
