#!/usr/bin/env bash
# Runs the recorded sites and the suite on MySQL, as the tests run them on MariaDB:
# check.sh [ARGUMENTS of go test]. The server is $AGENDA_TEST_SERVER, or one of Debian's
# unstable release, which is downloaded
# where it is not yet there. Needs Go.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

tested=9.7 # as the documentation says

if [ -z "${AGENDA_TEST_SERVER:-}" ]; then
	printf '\n== get MySQL\n'
	AGENDA_TEST_SERVER=$("$here/get.sh" | grep '/mysqld$')
fi
export AGENDA_TEST_SERVER
unset AGENDA_TEST_DSN
version=$("$AGENDA_TEST_SERVER" --no-defaults --version)
printf '\n== recorded sites and suite on MySQL: %s\n' "${version#*Ver }"
case $version in
*"Ver $tested."*) ;;
*) printf 'This is not MySQL %s, which the documentation names as tested: say there what this run shows.\n' "$tested" ;;
esac
[ "$#" -gt 0 ] || set -- -run '^(TestRecorded|TestSuite)' ./calendar
exec go test -count=1 -timeout 30m "$@"
