#!/usr/bin/env bash
# Runs the tests on another server than the MariaDB that is installed:
#
#   run.sh mysql|mariadb11 [ARGUMENTS of go test]
#
# Without arguments these are all tests of all modules. The server is of another release
# of Debian, and is downloaded where it is not yet there. $AGENDA_TEST_SERVER, the path of
# a server's program, replaces it. Needs Go.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

case ${1:-} in
mysql) program=mysqld tested=9.7 packages=(sid mysql-server-core) ;;
mariadb11) program=mariadbd tested=11.8 packages=(trixie mariadb-server-core mariadb-client-core) ;;
*) printf 'usage: run.sh mysql|mariadb11 [ARGUMENTS of go test]\n' >&2; exit 2 ;;
esac
shift

[ -n "${AGENDA_TEST_SERVER:-}" ] || AGENDA_TEST_SERVER=$("$here/get.sh" "" "${packages[@]}" | grep "/$program\$")
export AGENDA_TEST_SERVER
unset AGENDA_TEST_DSN
version=$("$AGENDA_TEST_SERVER" --no-defaults --version)
printf '\n== tests on %s\n' "${version#*Ver }"
case $version in
*"Ver $tested."*) ;;
*) printf 'This is not version %s, which the documentation names as tested: say there what this run shows.\n' "$tested" ;;
esac
if [ "$#" -eq 0 ]; then
	# The suite and most long tests of the program are on the embedded database, whatever the server.
	go test -vet=off -count=1 -timeout 30m -skip '^(TestSuite$|TestLong)' ./example/agenda
	go test -vet=off -count=1 -timeout 30m -run '^TestLong(JournalModel|JournalFollowCopy|Webhooks)' ./example/agenda
	set -- -count=1 -vet=off ./calendar $(go list ./... ./schema/embedded/... ./example/... | grep -v '/calendar$\|/example/agenda$')
fi
exec go test -timeout 30m "$@"
