#!/usr/bin/env bash
# Checks a change:
#
#   ./test.sh             what protects every change, in minutes; CI calls this
#   ./test.sh all         everything that one machine can check; takes more than an hour
#   ./test.sh PART [ARG]  a part of it, such as lint or pages, or one that takes longer
#   ./test.sh -run TestX  go test with these arguments, on all modules
#   ./test.sh help        lists the parts
#
# A part is .ci/PART.sh or .ci/PART/check.sh. It installs the Debian packages that it needs, as root or by sudo; Go has to be there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. .ci/lib.sh

# Parts with the word quick have a shorter form, which protects most of what the whole part does.
every_change=(format lint tests 'mysql quick' 'race quick' 'openapi quick' 'pages quick' 'feeds quick')
# First what every change runs a part of, then the longest, so that none of these is left alone at the end.
everything=(format lint tests mysql pages race openapi feeds long random exercises mariadb11 release benchmarks deploy companion caches clients webhooks proxies)

script_of() { if [ -e ".ci/$1.sh" ]; then echo ".ci/$1.sh"; else echo ".ci/$1/check.sh"; fi; }

help() {
	sed -n '2,/^set/ s/^# \{0,1\}//p' test.sh
	local script part
	printf 'Parts:\n\n'
	for script in .ci/*.sh .ci/*/check.sh; do
		part=${script#.ci/} part=${part%/check.sh} part=${part%.sh}
		[ "$part" = lib ] || [ "$part" = example ] || printf '  %-11s %s\n' "$part" "$(sed -n '2s/^# //p' "$script")"
	done
	printf '\nWithout arguments: %s.\nall: %s.\n' "$(printf '%s, ' "${every_change[@]}" | sed 's/, $//')" "$(printf '%s, ' "${everything[@]}" | sed 's/, $//')"
}

# run_part runs one part, prints its output when it has ended, and adds a line to the results in a directory.
run_part() {
	local part=$1 results=$2 began=$SECONDS state='' output
	output=$(mktemp "$results/output.XXXXXX")
	# shellcheck disable=SC2086 # a part can have arguments
	bash "$(script_of ${part%% *})" $([ "$part" = "${part#* }" ] || echo "${part#* }") </dev/null >"$output" 2>&1 || state=' FAILED'
	{
		flock 9
		step "$part$state"
		cat "$output"
		printf '%5d s  %s%s\n' $((SECONDS - began)) "$part" "$state" >>"$results/times"
	} 9>"$results/lock"
}

# run_parts runs each part to its end, whatever became of the others: lint first, which compiles what most parts need, and then two
# at a time, since one that waits for a server, a browser or the network leaves the processors to the other.
run_parts() {
	local part results
	results=$(mktemp -d)
	# shellcheck disable=SC2064 # the variable is gone when the program ends
	trap "rm -rf '$results'" EXIT
	for part in "$@"; do
		case $part in
		format | lint) run_part "$part" "$results" ;;
		*)
			[ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
			run_part "$part" "$results" &
			;;
		esac
	done
	wait
	printf '\n%s\n%5d s  in all\n' "$(cat "$results/times")" "$SECONDS"
	! grep -q FAILED "$results/times" || fail "failed: $(sed -n 's/^ *[0-9]* s  \(.*\) FAILED$/\1/p' "$results/times" | paste -sd, -)"
}

case ${1:-} in
'') run_parts "${every_change[@]}" ;;
all) run_parts "${everything[@]}" ;;
help | -h | --help) help ;;
-*)
	need mariadbd
	exec go test -timeout 30m "$@" "${modules[@]}"
	;;
*)
	[ -e "$(script_of "$1")" ] || fail "no part is called $1: see ./test.sh help"
	part=$1
	shift
	exec bash "$(script_of "$part")" "$@"
	;;
esac
