#!/usr/bin/env bash
# Unpacks a database server of another release of Debian into a directory, for tests.
# Nothing is installed, apt's own state stays as it is, and any user may run it.
#
#   get.sh [DIRECTORY [SUITE PACKAGE...]]
#
# DIRECTORY        where to, by default a directory of the user's cache
# SUITE PACKAGE... by default sid mysql-server-core: no stable release has MySQL.
#                  MariaDB 11.8: trixie mariadb-server-core mariadb-client-core
#
# It prints the paths of scripts that run the programs with the libraries they were
# built for. What is there already stays; remove DIRECTORY for a newer version. Needs
# apt-get, dpkg-deb, flock, Debian's keyring and 0.5 GB.
set -euo pipefail

fail() { printf 'get.sh: %s\n' "$*" >&2; exit 1; }

[ "$#" -gt 1 ] || set -- "${1:-}" sid mysql-server-core
to=${1:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/agenda-servers/$2-$3}
suite=$2
shift 2
packages=("$@")
wanted="$suite ${packages[*]}"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

mkdir -p "$to"
to=$(cd "$to" && pwd)

finish_if_there() {
	[ "$(cat "$to/complete" 2>/dev/null)" = "$wanted" ] || return 0
	printf '%s\n' "$to"/bin/*
	exit
}

# mirror prints the one that this machine has its packages from, if it is a Debian.
mirror() {
	local found
	found=$(apt-get indextargets --format '$(SITE) $(CREATED_BY)' 2>/dev/null |
		awk '$2 == "Packages" && $1 ~ /debian\/?$/ { print $1; exit }')
	echo "${found:-http://deb.debian.org/debian}"
}

# download fills cache/archives with the packages and all that they depend on: apt is told
# that nothing is installed. It checks signatures.
download() {
	local work=$1 apt
	mkdir -p "$work"/{lists/partial,cache/archives/partial,none}
	: >"$work/status"
	echo "deb [signed-by=$keyring] $(mirror) $suite main" >"$work/sources.list"
	apt=(apt-get -qq
		-o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/none"
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$work/none"
		-o Dir::State="$work" -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status"
		-o Dir::Cache="$work/cache" -o Dir::Cache::archives="$work/cache/archives"
		-o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=false -o Acquire::Languages=none
		-o Acquire::Retries=3 -o APT::Keep-Downloaded-Packages=true -o Debug::NoLocking=true)
	"${apt[@]}" update >&2
	"${apt[@]}" --yes --download-only install "${packages[@]}" >/dev/null
}

# script prints a program that runs another one by the loader of its C library. Servers are
# told where their messages and character sets are.
script() {
	local program=$1 loader=$2 share= more=
	case ${program##*/} in
	mysqld) share=mysql more='--secure-file-priv=NULL ' ;; # else it wants a directory of its package
	mariadbd) share=mariadb ;;
	esac
	cat <<-END
		#!/bin/sh
		root='$to/root'
		libraries="\$root/${loader%/*}:\$root/usr/lib/mysql:\$root/usr/lib/mysql/private:\$root/usr/lib/mysql-router"
	END
	[ "${program##*/}" != mysqlrouter ] || echo 'set -- "--DEFAULT.plugin_folder=$root/usr/lib/mysqlrouter/plugin" "$@"'
	if [ -n "$share" ]; then # --no-defaults and its like have to come first
		cat <<-END
			case \${1:-} in --no-defaults | --defaults-*) first=\$1; shift ;; *) first=--no-defaults ;; esac
			set -- "\$first" --lc-messages-dir="\$root/usr/share/$share" --character-sets-dir="\$root/usr/share/$share/charsets" \\
				--plugin-dir="\$root/usr/lib/mysql/plugin" $more"\$@"
		END
	fi
	echo "exec \"\$root/$loader\" --library-path \"\$libraries\" \"\$root/$program\" \"\$@\""
}

finish_if_there
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail "no apt-get and dpkg-deb here"
[ -r "$keyring" ] || fail "no $keyring: install debian-archive-keyring"
exec 9>"$to/lock"
flock 9 # of another one that runs
finish_if_there
rm -rf "$to/root" "$to/bin" "$to/complete"
work=$(mktemp -d "$to/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
download "$work"

mkdir "$to/root" "$to/bin"
for package in "$work"/cache/archives/*.deb; do
	dpkg-deb -x "$package" "$to/root"
done
cd "$to/root"
loader=$(find . -name 'ld-linux*.so.*' -type f | head -n 1)
[ -n "$loader" ] || fail "the packages hold no C library"
for program in usr/sbin/{mysqld,mariadbd} usr/bin/{mysql,mysqldump,mysqladmin,mysqlrouter,mysqlrouter_keyring,mariadb,mariadb-dump,mariadb-admin}; do
	[ -f "$program" ] && [ ! -L "$program" ] || continue # MariaDB's programs have links of MySQL's names
	script "$program" "${loader#./}" >"$to/bin/${program##*/}"
	chmod 755 "$to/bin/${program##*/}"
done
for server in "$to"/bin/{mysqld,mariadbd}; do
	[ ! -e "$server" ] || "$server" --version >&2 || fail "$server does not run"
done
printf '%s\n' "$wanted" >"$to/complete"
finish_if_there
