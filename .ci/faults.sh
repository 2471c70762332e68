#!/usr/bin/env bash
# makes each mistake of .ci/faults, or those named, and tests find them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd git

exec go run ./.ci/faults "$@"
