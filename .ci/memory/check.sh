#!/usr/bin/env bash
# a flood of requests within the MemoryMax of deploy/agenda.service
#
# The kernel keeps the limit, in a control group, for which it has to be root. Large bodies, large answers, clients that take
# nothing, pictures and connections: the example stays up, is never killed, and answers afterwards.
set -euo pipefail
[ "$(id -u)" = 0 ] || exec sudo -n env PATH="$PATH" HOME="$HOME" "$0"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need python3

limit=$(sed -n 's/^MemoryMax=\([0-9]*\)G$/\1/p' deploy/agenda.service)
GOMEMLIMIT=$(sed -n 's/^Environment=GOMEMLIMIT=//p' deploy/agenda.service)
export GOMEMLIMIT
bytes=$((limit << 30))

step "a control group with $limit GiB"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
	group=/sys/fs/cgroup/agenda-flood-$$
	mkdir "$group"
	echo "$bytes" >"$group/memory.max"
	[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
	killed() { sed -n 's/^oom_kill //p' "$group/memory.events"; }
	peak() { cat "$group/memory.peak"; }
else
	group=/sys/fs/cgroup/memory/agenda-flood-$$
	mkdir "$group"
	echo "$bytes" >"$group/memory.limit_in_bytes"
	killed() { sed -n 's/^oom_kill //p' "$group/memory.oom_control"; }
	peak() { cat "$group/memory.max_usage_in_bytes"; }
fi
trap 'finish; rmdir "$group"' EXIT

# The example runs in the group, and nothing else does.
go build -o "$work/program" ./example/agenda
cat >"$work/limited" <<-END
	#!/bin/sh
	[ "\$1" = user ] || echo \$\$ >$group/cgroup.procs
	exec $work/program "\$@"
END
chmod +x "$work/limited"
go() { cp "$work/limited" "$work/agenda"; } # what start would build
start -log-level error
unset -f go

another=$("$work/program" user add -data "$work/data" -login another -email another@example.org -role administrator | tail -n 1)

step "flood process $server"
ROOT=$root PAGES=$pages LOGIN=$login PASSWORD=$password LOGIN2=another PASSWORD2=$another PROCESS=$server python3 "$here/flood.py"
kill -0 "$server" || { tail -n 30 "$work/log" >&2; exit 1; }
[ "$(killed)" = 0 ] || { echo "the kernel killed $(killed) processes" >&2; exit 1; }
grep -q "^$server\$" "$group/cgroup.procs" || { echo "the example does not run in the group" >&2; exit 1; }
echo "at most $(($(peak) >> 20)) MiB of $((bytes >> 20)), with what the kernel keeps of files; none killed"
