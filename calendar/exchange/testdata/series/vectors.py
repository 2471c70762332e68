#!/usr/bin/env python3
"""Writes NAME.txt for each NAME.ics here: the dates of its events that recurring_ical_events (Debian:
python3-recurring-ical-events 2.0.1) finds from 2026 to the middle of 2028, in UTC, or as days, of which the end is the last one.

Run it in this directory with /usr/bin/python3 vectors.py. The files are written as the programs write theirs that they are named
after. Where that library differs from RFC 5545, or from what such programs show, it is given what means the same:
- It shows dates that STATUS:CANCELLED takes away (3.8.1.11): they are left out here.
- It fails on an RDATE with VALUE=PERIOD (3.8.5.2): each is an event of its own here.
- It reads an EXDATE that is a day as midnight: it is given that of the start.
- It knows nothing of X-MICROSOFT-CDO-ALLDAYEVENT: such an event is given days.
"""
import datetime as dt
import glob
import re

import icalendar
import recurring_ical_events

BEGIN, END = (2026, 1, 1), (2028, 7, 1)


def whole_days(text):
    for event in re.findall(r"BEGIN:VEVENT.*?END:VEVENT\n", text, re.S):
        if "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE" in event:
            days = re.sub(r"^(DTSTART|DTEND|EXDATE|RECURRENCE-ID)(?:;[^:\n]*)?:(\d{8})T000000$", r"\1;VALUE=DATE:\2", event, flags=re.M)
            text = text.replace(event, days)
    return text


def periods(text):
    for event in re.findall(r"BEGIN:VEVENT.*?END:VEVENT\n", text, re.S):
        for line, params, value in re.findall(r"^(RDATE((?:;[^:;\n]*)*?);VALUE=PERIOD:(.*)\n)", event, re.M):
            text = text.replace(line, "")
            title = re.search("^SUMMARY:.*$", event, re.M)[0]
            for i, period in enumerate(value.split(",")):
                start, end = period.split("/")
                end = f"DURATION:{end}" if end.startswith("P") else f"DTEND{params}:{end}"
                one = f"BEGIN:VEVENT\nUID:{i}-{value}\n{title}\nDTSTART{params}:{start}\n{end}\nEND:VEVENT\n"
                text = text.replace("END:VCALENDAR", one + "END:VCALENDAR")
    return text


def excluded_days(text):
    for event in re.findall(r"BEGIN:VEVENT.*?END:VEVENT\n", text, re.S):
        start = re.search(r"^DTSTART((?:;[^:\n]*)?):\d{8}(T\d{6}Z?)$", event, re.M)
        if start:
            days = re.sub(r"^EXDATE;VALUE=DATE:(\d{8})$", rf"EXDATE{start[1]}:\1{start[2]}", event, flags=re.M)
            text = text.replace(event, days)
    return text


for name in sorted(glob.glob("*.ics")):
    with open(name, encoding="utf-8") as f:
        text = excluded_days(periods(whole_days(f.read())))
    calendar = icalendar.Calendar.from_ical(text.replace("\n", "\r\n"))
    lines = []
    for event in recurring_ical_events.of(calendar).between(BEGIN, END):
        if event.get("STATUS") == "CANCELLED":
            continue
        start, end = event["DTSTART"].dt, event["DTEND"].dt
        if isinstance(start, dt.datetime):
            start, end = (t.astimezone(dt.timezone.utc).strftime("%Y-%m-%d %H:%M:%S") for t in (start, end))
        else:
            end -= dt.timedelta(days=1)
        lines.append(f"{event['SUMMARY']} {start}/{end}\n")
    with open(name[:-4] + ".txt", "w", encoding="utf-8") as f:
        f.writelines(sorted(lines))
