#!/usr/bin/env bash
# WordPress with an object cache and deploy/wordpress/agenda-companion.php beside the program: nothing old is shown, nothing is undone
#
# Debian's WordPress on PHP and Redis, on the recorded site: what is written here is read and saved there, in turns; a request of the site
# goes on while something is written; the program is killed after a commit, the site is stopped, its cache is flushed. Before that, the
# companion alone on the oldest and the newest PHP that it is for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
. .ci/lib.sh
need mariadbd mariadb curl python3 redis-server php /usr/share/wordpress/wp-load.php /usr/share/doc/php-mysql /usr/share/doc/php-redis node npm

work=$(mktemp -d)
pids=()
finish() {
	[ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

step the companion on PHP 7.4 and 8.4
mkdir "$work/php"
cp "$here"/{package.json,package-lock.json,releases.mjs} "$work/php"
(cd "$work/php" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
node "$work/php/releases.mjs" deploy/wordpress/agenda-companion.php "$here/stubs.php"

step start MariaDB and Redis
mariadb-install-db --no-defaults --datadir="$work/db" --user="$(id -un)" --auth-root-authentication-method=normal --skip-test-db >/dev/null
mariadbd --no-defaults --datadir="$work/db" --user="$(id -un)" --socket="$work/db.sock" --skip-networking >"$work/db.log" 2>&1 &
pids+=($!)
redis-server --port 0 --unixsocket "$work/redis.sock" --save '' --dir "$work" >"$work/redis.log" &
pids+=($!)
for _ in $(seq 300); do
	! mariadb --no-defaults -S "$work/db.sock" -u root -e 'CREATE DATABASE site' 2>/dev/null || break
	sleep 0.1
done
zcat internal/test/db/testdata/site_a.sql.gz | mariadb --no-defaults -S "$work/db.sock" -u root --init-command="SET sql_mode=''" site

step lay the site
mkdir -p "$work/content/mu-plugins" "$work/content/plugins" "$work/content/themes"
cp -rs /usr/share/wordpress "$work/site"
rm "$work/site/wp-load.php" "$work/site/wp-config.php"
cp /usr/share/wordpress/wp-load.php "$work/site" # the directory of the file itself is that of the site
cp "$here/object-cache.php" "$work/content"
cp "$here/types.php" "$work/content/mu-plugins"
cat >"$work/site/wp-config.php" <<END
<?php
define( 'DB_NAME', 'site' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:$work/db.sock' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'WP_CONTENT_DIR', '$work/content' );
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', '$work/php.log' );
define( 'TEST_REDIS', '$work/redis.sock' );
define( 'TEST_LOG', '$work/changed' );
\$table_prefix = defined( 'TEST_PREFIX' ) ? TEST_PREFIX : 'wp_';
require_once ABSPATH . 'wp-settings.php';
END

step build the program
[ -n "${AGENDA:-}" ] || { go build -o "$work/agenda" ./example/agenda; AGENDA=$work/agenda; }

step write here, read there, save there
WORK=$work AGENDA=$AGENDA HERE=$here COMPANION=$PWD/deploy/wordpress/agenda-companion.php python3 "$here/drive.py"
[ ! -s "$work/php.log" ] || ! grep -i 'agenda' "$work/php.log" >&2 || fail "the companion has said something"
