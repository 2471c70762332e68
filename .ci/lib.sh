# What the parts of test.sh share: to be sourced by them, at the root of the repository.

step() { printf '\n== %s\n' "$*"; }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

command -v go >/dev/null || PATH="$PATH:/usr/local/go/bin"
command -v go >/dev/null || fail "Go is not installed: https://go.dev/dl/"
PATH="$PATH:/usr/sbin"

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif ! command -v sudo >/dev/null; then
		fail "not root and no sudo; as root, run: $*"
	elif [ -n "${CI:-}" ] || [ ! -t 0 ]; then
		sudo -n "$@" # nobody is there to type a password
	else
		sudo "$@"
	fi
}

# Debian's package of each program or file that a part can need, where it is not called the same.
declare -A package_of=(
	[mariadbd]=mariadb-server-core [mariadb]=mariadb-client [mariadb-dump]=mariadb-client [nginx]=nginx-light
	[php]=php-cli [/usr/share/wordpress/wp-load.php]=wordpress [/usr/share/doc/php-mysql]=php-mysql [/usr/share/doc/php-redis]=php-redis
	[systemd-analyze]=systemd [node]=nodejs [varnishd]=varnish
	[/usr/include/stdlib.h]=libc6-dev [/etc/ssl/certs/ca-certificates.crt]=ca-certificates
	[/usr/lib/python3/dist-packages/recurring_ical_events.py]=python3-recurring-ical-events
	[/usr/share/keyrings/debian-archive-keyring.gpg]=debian-archive-keyring
	[wsrep_sst_rsync]=mariadb-server # by which a node of a cluster gives another one its data
	[/usr/lib/galera/libgalera_smm.so]=galera-4
	[etcd]=etcd-server
)

# need PROGRAM|FILE... installs the Debian packages of those that are missing. It looks for the programs and not for the packages,
# since something else may have installed them.
need() {
	local wanted missing=()
	for wanted in "$@" /etc/ssl/certs/ca-certificates.crt; do
		case $wanted in
		mariadbd) [ -z "${AGENDA_TEST_DSN:-}${AGENDA_TEST_SERVER:-}" ] || continue ;;
		chromium) ! command -v google-chrome >/dev/null || continue ;;
		/etc/ssl/*) [ -z "${SSL_CERT_FILE:-}" ] || continue ;;
		esac
		command -v "$wanted" >/dev/null || [ -e "$wanted" ] || missing+=("${package_of[$wanted]:-$wanted}")
	done
	[ "${#missing[@]}" -gt 0 ] || return 0
	(
		flock 9 # parts can run at the same time
		step "install ${missing[*]}"
		command -v apt-get >/dev/null || fail "no apt-get here; install what these Debian packages contain: ${missing[*]}"
		as_root apt-get update -qq
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
	) 9>"${TMPDIR:-/tmp}/agenda-install.lock"
}

# modules are all packages of the three modules, as the go command takes them at the root.
modules=(./... ./schema/embedded/... ./example/...)
