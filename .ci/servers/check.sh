#!/usr/bin/env bash
# Runs on MySQL what depends on the server most: the recorded sites, the suite, replicas, the
# store, the tables, what notices changes, and doctor.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/run.sh" mysql -run '^(TestRecorded|TestSuite|TestReplicas)' ./calendar
"$here/run.sh" mysql ./internal/store/... ./schema ./internal/change
"$here/run.sh" mysql -run InAllForms ./internal/test/exact
"$here/run.sh" mysql -run Doctor ./example/agenda
