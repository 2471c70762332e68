"""Expands the events of a feed, and of an export, that have several dates by python-icalendar,
with recurring_ical_events, and by khal, and holds the dates against the list, which has one item
for each. usage: dates.py ROOT FIRST LAST [EXPORT], the first and the last day to compare"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

import icalendar
import recurring_ical_events

root, first, last, *exported = sys.argv[1:]
window = f"start_date={first}&end_date={last}"


def get(path):
    with urllib.request.urlopen(root + path) as answer:
        return answer.read()


def shown(title, start, end):
    if not isinstance(start, datetime.datetime):
        return f"{title} {start}"
    return " ".join([title] + [t.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M") for t in (start, end)])


events = json.loads(get(f"/events?per_page=5000&{window}"))["events"]
want = sorted(
    f"{e['title']} {e['start_date'][:10]}" if e["all_day"] else f"{e['title']} {e['utc_start_date'][:16]} {e['utc_end_date'][:16]}"
    for e in events
)


def compare(name, found):
    found = sorted(found)
    assert found == want, f"{name}: lacks {sorted(set(want) - set(found))}\nhas besides {sorted(set(found) - set(want))}"
    print(f"{name}: {len(found)} dates")


def by_icalendar(text):
    day = [datetime.date.fromisoformat(d) for d in (first, last)]
    parsed = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(*day)
    # Of two components for dates of one day it gives one twice.
    return {shown(str(e["SUMMARY"]), e["DTSTART"].dt, e["DTEND"].dt) for e in parsed}


def by_khal(text):
    with tempfile.TemporaryDirectory() as work:
        here = pathlib.Path(work)
        (here / "calendar").mkdir()
        (here / "feed.ics").write_bytes(text)
        (here / "config").write_text(
            f"[calendars]\n[[feed]]\npath = {work}/calendar\n[sqlite]\npath = {work}/db\n[locale]\nlocal_timezone = UTC\n"
            "default_timezone = UTC\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
            "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
        )

        def khal(*args):
            env = dict(os.environ, LC_ALL="C.UTF-8")
            return subprocess.run(["khal", "-c", work + "/config", *args], check=True, env=env, capture_output=True, text=True).stdout

        khal("import", "--batch", "-a", "feed", work + "/feed.ics")
        lines = khal("list", "--notstarted", "--day-format", "", "--format", "{title}\t{all-day}\t{start-long-full}\t{end-long-full}",
                     first, last)
        found = set()  # it shows a date of several days on each of them
        for line in filter(None, lines.splitlines()):
            title, all_day, start, end = line.split("\t")
            found.add(f"{title} {start[:10]}" if all_day == "True" else f"{title} {start} {end}")
        return found


texts = {"feed": get(f"/events?_format=ics&{window}")}
if exported:
    texts["export"] = pathlib.Path(exported[0]).read_bytes()
for what, text in texts.items():
    compare(f"python-icalendar, {what}", by_icalendar(text))
    compare(f"khal, {what}", by_khal(text))
