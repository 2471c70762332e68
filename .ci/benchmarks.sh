#!/usr/bin/env bash
# each benchmark once: that it runs, not how fast, which depends on the machine
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd

exec go test -vet=off -timeout 45m -run '^$' -bench . -benchtime 1x "$@" "${modules[@]}"
