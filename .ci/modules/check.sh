#!/usr/bin/env bash
# A go command that lists all modules leaves go.work.sum as it is committed, so that
# it changes nothing in a fresh clone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

before=$(<go.work.sum)
go list -m all >/dev/null
[ "$before" = "$(<go.work.sum)" ] || {
	echo "go list -m all changed go.work.sum: commit it as it is now" >&2
	exit 1
}
