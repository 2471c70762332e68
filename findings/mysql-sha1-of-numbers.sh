#!/usr/bin/env bash
# MySQL 9.7: MD5() and SHA1() are gone, and where the component that brings them back is installed they refuse what is not a text.
#
# Surprise: until MySQL 9.5 both functions were built in and took numbers, dates and expressions of any type, as MariaDB's still do. From
# 9.6 on a statement with SHA1() or MD5() ends as if a stored function were missing: with error 1305, or where the connection has no
# database with 1046, "No database selected", which leads astray. The classic_hashing component of the
# same package brings them back, but for texts alone: a number or a column of a number is refused with error 1123, so that dumps and queries with
# MD5(id) or SHA1(post_id) work on no 9.6 or later, component or not, until they are written with CAST. SHA2() takes both as before.
# Hurts: plugins and reports that compare or anonymise rows by MD5(ID), checksums made by CONCAT_WS of a single number, migrations that
# fill a hash column.
# Version: Debian's mysql-server-core 9.7.4-2 (sid). Source: MySQL 9.6 Reference Manual, "Legacy Hashing Component".
# Needs: apt-get, dpkg-deb, Debian's keyring, 600 MB in a temporary folder. Nothing is installed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$(mktemp -d)
pid=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$dir"
}
trap finish EXIT

"$here/../.ci/servers/get.sh" "$dir/server" sid mysql-server-core mysql-client-core >/dev/null
mysqld=$dir/server/bin/mysqld
"$mysqld" --no-defaults --version
"$mysqld" --no-defaults --initialize-insecure --datadir="$dir/data" --user="$(id -un)" >/dev/null 2>&1
"$mysqld" --no-defaults --datadir="$dir/data" --socket="$dir/s" --pid-file="$dir/pid" --skip-networking --mysqlx=OFF \
	--user="$(id -un)" >"$dir/log" 2>&1 &
pid=$!
ask() { "$dir/server/bin/mysql" --no-defaults -u root -S "$dir/s" -N -B -e "$1" 2>&1 || true; }
for _ in $(seq 300); do
	[ "$(ask 'SELECT 1')" != 1 ] || break
	sleep 0.2
done

failed=
# sees WHAT STATEMENT PART: what a statement is answered has the part in it.
sees() {
	local got
	got=$(ask "$2")
	printf '%-24s %s\n%24s %s\n' "$1" "$2" '->' "$got"
	case $got in *"$3"*) ;; *) printf '%24s changed: "%s" was expected\n' '' "$3"; failed=yes ;; esac
}
sees 'without a database' "SELECT SHA1('a')" 'ERROR 1046'
sees 'within a database' "USE mysql; SELECT SHA1('a')" 'ERROR 1305'
sees 'within a database' "USE mysql; SELECT MD5('a')" 'ERROR 1305'
sees 'SHA2 of a number' "SELECT SHA2(1, 256)" 6b86b273ff34fce1
sees 'installing it' "INSTALL COMPONENT 'file://component_classic_hashing'" ''
sees 'a text' "SELECT SHA1('1')" 356a192b7913b04c54574d18c28d46e6395428ab
sees 'a number' "SELECT SHA1(1)" "ERROR 1123"
sees 'a column of a number' "SELECT SHA1(n) FROM (SELECT 1 AS n) t" "ERROR 1123"
sees 'a number, cast' "SELECT SHA1(CAST(1 AS CHAR))" 356a192b7913b04c54574d18c28d46e6395428ab
[ -z "$failed" ]
