# For checks with npm's tools: to be sourced by a check.sh, with $here its directory.
# Makes $work, which ends with the check, as does the example once it is started.

cd "$here/../.."
. .ci/lib.sh
work=$(mktemp -d)
server=
finish() {
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$work"
}
trap finish EXIT

# install copies files of $here to $work and installs what the lock file says. No
# script of a package is run.
install() {
	step "npm ci, node $(node --version)"
	cp "$here"/package.json "$here"/package-lock.json "${@/#/$here/}" "$work"
	(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# start runs the example: $pages is the address of its pages, $root that of the API,
# $login and $password an administrator's.
start() {
	step start the example
	go build -ldflags="-s -w" -o "$work/agenda" ./example/agenda
	"$work/agenda" -addr 127.0.0.1:0 -data "$work/data" "$@" >"$work/out" 2>"$work/log" &
	server=$!
	pages= root=
	for _ in $(seq 300); do
		read -r pages root < <(sed -n 's/^ *en  pages \(.*\)\/  API \(.*\)\/events$/\1 \2/p' "$work/out") || true
		[ -z "$root" ] || break
		kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
		sleep 0.1
	done
	[ -n "$root" ] || { echo "the example does not start" >&2; exit 1; }
	login=generated
	password=$("$work/agenda" user add -data "$work/data" -login "$login" -email "$login@example.org" -role administrator | tail -n 1)
}
