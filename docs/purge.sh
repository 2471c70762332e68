#!/bin/sh
# Drops from Varnish what changed: a command for 'agenda serve --on-change', see caches.md. The socket for purges may be given, or the
# address where Varnish listens for them.
to=${1:-/run/varnish/purges.sock}
case $to in
/*) set -- --unix-socket "$to" http://purges/ ;;
*) set -- "$to" ;;
esac
sed 's/.*"tags":\[\([^]]*\)\].*/\1/; s/[",]\{1,\}/ /g' | tr -s ' ' '\n' | sed '/^$/d' | sort -u | xargs -n 100 | tr ' ' '|' |
    while read -r keys; do
        curl --fail --silent --show-error --max-time 10 -X BAN -H "X-Keys: $keys" "$@" >/dev/null || exit 1
    done
