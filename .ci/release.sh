#!/usr/bin/env bash
# a release of a copy of the working tree, and its modules as their users install them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need git

exec deploy/prove.sh
