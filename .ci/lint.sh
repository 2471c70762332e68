#!/usr/bin/env bash
# golangci-lint, as .golangci.yml configures it: vet, staticcheck and rules of the project
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need gcc /usr/include/stdlib.h

export GOGC=300 # a third less processor time, for more memory
golangci=github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
go run "$golangci" run --allow-parallel-runners ./.ci/faults ./.ci/usage "${modules[@]}"
cd .ci/pages
GOWORK=off go run "$golangci" run --allow-parallel-runners ./...
