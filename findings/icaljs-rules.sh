#!/usr/bin/env bash
# ical.js 2.2.1: four valid recurrence rules give other dates than RFC 5545 says, one of them dates that go back in time.
#
# Surprise: a yearly event of 29 February moves to 1 March in the years between, where the RFC leaves it out (3.3.10: invalid dates are
# ignored); with BYMONTH=2;BYMONTHDAY=29 it does not. FREQ=YEARLY;BYDAY=20MO, the RFC's own example of the twentieth Monday of a year, is
# every Monday from the start on. BYSETPOS is not looked at in a weekly rule. A monthly rule with BYMONTH=3,1 begins with the start, goes on
# with March of the next year, and then goes back to January of that year: whoever stops at the first date after a range misses some.
# FREQ=MONTHLY from the 31st leaves short months out, as it should, so it is no rule of the library to move what does not exist.
# Hurts: calendars of mail programs and web applications that expand subscribed feeds with it; who writes feeds has to give months, days
# and an order that nobody asked for.
# Version: ical.js 2.2.1 (npm). Source: RFC 5545, 3.3.10.
# Needs: npm, node 18 or later, in a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error ical.js@2.2.1 >/dev/null
cat >rules.mjs <<'END'
import fs from 'node:fs'
import ICAL from 'ical.js'

console.log('ical.js', JSON.parse(fs.readFileSync('node_modules/ical.js/package.json')).version)
let failed = false
function sees (what, start, rule, expected) {
  const dates = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(start + 'T19:00:00'))
  const got = expected.map(() => dates.next().toString().slice(0, 10))
  console.log(`${what}: ${rule} from ${start}\n  ${got.join(' ')}`)
  if (got.join() !== expected.join()) {
    console.log(`  changed: ${expected.join(' ')} was expected`)
    failed = true
  }
}
sees('leap day', '2028-02-29', 'FREQ=YEARLY', ['2028-02-29', '2029-03-01', '2030-03-01', '2031-03-01', '2032-02-29'])
sees('leap day by name', '2028-02-29', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', ['2028-02-29', '2032-02-29', '2036-02-29'])
sees('the 31st', '2030-01-31', 'FREQ=MONTHLY', ['2030-01-31', '2030-03-31', '2030-05-31'])
sees('twentieth Monday', '2030-05-13', 'FREQ=YEARLY;BYDAY=20MO', ['2030-05-13', '2030-05-20', '2030-05-27'])
sees('first of three days', '2030-01-07', 'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1', ['2030-01-07', '2030-01-09', '2030-01-11'])
sees('months out of order', '2030-01-10', 'FREQ=MONTHLY;BYMONTH=3,1;BYMONTHDAY=10', ['2030-01-10', '2031-03-10', '2031-01-10', '2032-03-10'])
process.exit(failed ? 1 : 0)
END
node rules.mjs
