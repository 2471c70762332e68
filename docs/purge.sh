#!/bin/sh
# Drops from Varnish what changed: a command for 'agenda serve --on-change', see caches.md. The address of the cache may be given.
sed 's/.*"tags":\[\([^]]*\)\].*/\1/; s/[",]\{1,\}/ /g' | tr -s ' ' '\n' | sed '/^$/d' | sort -u | xargs -n 100 | tr ' ' '|' |
    while read -r keys; do
        curl --fail --silent --show-error --max-time 10 -X BAN -H "X-Keys: $keys" "${1:-http://127.0.0.1:6081/}" >/dev/null || exit 1
    done
