#!/usr/bin/env python3
"""Writes rules.jsonl: rules with the dates that python-dateutil (Debian: python3-dateutil) gives them.

Run it in this directory with python3 vectors.py > rules.jsonl. What is drawn is the same each time.

Where RFC 5545 and python-dateutil differ, the rule is given to the latter in words that mean the same:
- The start is the first date and counts (RFC 5545, 3.8.5.3); dateutil leaves out one that the rule does not have.
- BYWEEKNO alone is the weekday of the start in that week (3.3.10: what is missing is taken from DTSTART); dateutil gives
  seven days.
- BYDAY=WE,-2TU is Wednesdays and the last Tuesday but one; dateutil asks that a day be both, which none is.
- BYSETPOS of a week is of the whole week (3.3.10: of one interval), also of the one in which the start is; dateutil counts from
  the start.
- WRONG_WEEKS: dateutil takes the last week of a year for its 53rd (week 53 before 1 January of a year that does not begin
  with week 1) where the year has 52.
- An UNTIL that is a day is over when the day is, as calendars have it; dateutil reads midnight, and RFC 5545 has a time there.
- A time that the clock leaves out is moved on by what it leaves out (3.3.5); dateutil has resolve_imaginary for that.
- Where the clock shows a time twice it is the first (3.3.5): fold=0.
Until in UTC is compared with the moments, as RFC 5545 has it, after the dates are made.
"""
import datetime as dt
import json
import random
import re

from dateutil import rrule, tz

random.seed(5545)
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# Zones and dates of changes that are past, so that no new version of the zone database moves them: in Europe and America at
# night, in Brazil at midnight, on Lord Howe by half an hour, on Samoa by a day.
ZONES = {
    "Europe/Brussels": ["2024-03-31", "2024-10-27", "2021-03-28", "2022-10-30"],
    "America/New_York": ["2024-03-10", "2024-11-03", "2019-03-10", "2019-11-03"],
    "America/Sao_Paulo": ["2017-10-15", "2018-02-18", "2018-11-04", "2019-02-17"],
    "Australia/Lord_Howe": ["2023-10-01", "2024-04-07", "2022-10-02", "2023-04-02"],
    "Pacific/Apia": ["2011-12-30", "2011-09-24", "2012-04-01", "2012-09-30"],
}
HOURS = {  # near the change
    "Europe/Brussels": [(2, 30), (2, 0), (3, 0), (1, 59), (20, 0)],
    "America/New_York": [(2, 30), (1, 30), (2, 0), (3, 0), (19, 30)],
    "America/Sao_Paulo": [(0, 0), (0, 30), (23, 30), (1, 0), (12, 0)],
    "Australia/Lord_Howe": [(2, 0), (2, 15), (1, 45), (1, 30), (9, 0)],
    "Pacific/Apia": [(3, 30), (0, 0), (23, 59), (12, 0), (4, 0)],
}
LIMIT = 40
WRONG_WEEKS = {  # ends of weeks 52: 2 January 2022 is of 2021-W52, and with weeks from Sunday there are 52 in 2026
    "FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH,FR;WKST=SU": [dt.date(2027, 1, 1)],
    "FREQ=YEARLY;INTERVAL=4;BYWEEKNO=1,53;BYDAY=SU": [dt.date(2022, 1, 2)],
}


def expand(parts, start):
    """The dates of a rule without COUNT and UNTIL, as the clock shows them."""
    numbered = [d for d in parts.get("BYDAY", "").split(",") if len(d) > 2]
    plain = [d for d in parts.get("BYDAY", "").split(",") if len(d) == 2]
    if numbered and plain:
        two = [expand({**parts, "BYDAY": ",".join(days)}, start) for days in (numbered, plain)]
        return sorted(set(two[0] + two[1]))
    begin = start
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        begin -= dt.timedelta(days=(start.weekday() - DAYS.index(parts.get("WKST", "MO"))) % 7)
    text = ";".join(f"{k}={v}" for k, v in parts.items())
    end, found = start.replace(year=start.year + 10, day=min(start.day, 28)), []
    for wall in rrule.rrulestr(text, dtstart=begin):
        if wall > end or len(found) > 400:
            break
        if wall >= start and wall.date() not in WRONG_WEEKS.get(text, []):
            found.append(wall)
    return found


def dates(start, zone, text):
    """The dates of a rule from its start to ten years later, LIMIT at most."""
    parts = dict(part.split("=", 1) for part in text.split(";"))
    until, count = parts.pop("UNTIL", None), int(parts.pop("COUNT", 0))
    if "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & parts.keys():
        parts["BYDAY"] = DAYS[start.weekday()]
    found = expand(parts, start)
    if found[:1] != [start]:
        found.insert(0, start)
    if count:
        found = found[:count]
    info = tz.gettz(zone)
    moments = []
    for wall in found:
        at = tz.resolve_imaginary(wall.replace(tzinfo=info)).astimezone(dt.timezone.utc)
        if until and until.endswith("Z"):
            if at > dt.datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=dt.timezone.utc):
                continue
        elif until and len(until) == 8:
            if wall.date() > dt.datetime.strptime(until, "%Y%m%d").date():
                continue
        elif until and wall > dt.datetime.strptime(until, "%Y%m%dT%H%M%S"):
            continue
        moments.append(at)
    return [at.strftime("%Y%m%dT%H%M%SZ") for at in sorted(set(moments))][:LIMIT]


def some(items, most):
    return ",".join(str(i) for i in sorted(random.sample(items, random.randint(1, most)), key=items.index))


def draw(start, kind):
    """A rule of one of the kinds that the test is about."""
    day, n = DAYS[start.weekday()], random.randint(1, 4)
    signed = lambda most: [i for i in range(-most, most + 1) if i]
    numbered = lambda most: ",".join(f"{random.choice(signed(most))}{d}" for d in random.sample(DAYS, random.randint(1, 2)))
    text = {
        "clock": lambda: random.choice([
            f"FREQ=DAILY;INTERVAL={n}", f"FREQ=WEEKLY;INTERVAL={n}", f"FREQ=WEEKLY;BYDAY={some(DAYS, 3)}",
            "FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,30", f"FREQ=MONTHLY;BYDAY={random.choice(['1SU', '-1SU', '2SU', '-1SA'])}",
            f"FREQ=YEARLY;BYMONTH={start.month};BYDAY={random.choice(['1SU', '-1SU', '2SU'])}", "FREQ=MONTHLY", "FREQ=YEARLY"]),
        "leap": lambda: random.choice([
            "FREQ=YEARLY", "FREQ=YEARLY;INTERVAL=3", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
            "FREQ=YEARLY;BYYEARDAY=60", "FREQ=YEARLY;BYYEARDAY=366", "FREQ=YEARLY;BYYEARDAY=-1,-366,59", "FREQ=MONTHLY;BYMONTHDAY=29",
            "FREQ=MONTHLY;BYMONTHDAY=30,31", "FREQ=MONTHLY;BYMONTHDAY=-29", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=28,29",
            "FREQ=MONTHLY;INTERVAL=12", f"FREQ=MONTHLY;INTERVAL={n};BYMONTHDAY=-1", "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYDAY=-1SU"]),
        "position": lambda: random.choice([
            f"FREQ=MONTHLY;BYDAY={some(DAYS, 5)};BYSETPOS={some(signed(6), 2)}",
            f"FREQ=YEARLY;BYMONTH={some(list(range(1, 13)), 3)};BYDAY={some(DAYS, 4)};BYSETPOS={some(signed(12), 3)}",
            f"FREQ=MONTHLY;BYMONTHDAY={some(signed(31), 5)};BYSETPOS={some(signed(3), 2)}",
            f"FREQ=WEEKLY;BYDAY={some(DAYS, 5)};BYSETPOS={some(signed(3), 2)};WKST={random.choice(DAYS)}",
            f"FREQ=YEARLY;BYDAY={some(DAYS, 3)};BYSETPOS={some(signed(50), 3)}",
            f"FREQ=DAILY;BYHOUR=8,12,20;BYSETPOS={some(signed(3), 2)}",
            f"FREQ=YEARLY;BYYEARDAY={some(signed(366), 6)};BYSETPOS={some(signed(4), 2)}"]),
        "until": lambda: f"FREQ={random.choice(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])};INTERVAL={n}",
        "week": lambda: random.choice([
            f"FREQ=WEEKLY;INTERVAL={n};BYDAY={some(DAYS, 4)};WKST={random.choice(DAYS)}",
            f"FREQ=YEARLY;BYWEEKNO={some(signed(53), 3)};WKST={random.choice(DAYS)}",
            f"FREQ=YEARLY;BYWEEKNO={some([1, 52, 53, -1, 2], 3)};BYDAY={some(DAYS, 3)};WKST={random.choice(DAYS)}",
            f"FREQ=YEARLY;INTERVAL={n};BYWEEKNO=1,53;BYDAY={day}"]),
        "day": lambda: random.choice([
            f"FREQ=MONTHLY;INTERVAL={n};BYDAY={numbered(5)}", f"FREQ=YEARLY;BYDAY={numbered(53)}",
            f"FREQ=YEARLY;BYMONTH={some(list(range(1, 13)), 3)};BYDAY={numbered(5)}",
            f"FREQ=MONTHLY;BYDAY={some(DAYS, 2)};BYMONTHDAY={some(signed(31), 6)}",
            f"FREQ=MONTHLY;BYMONTH={some(list(range(1, 13)), 4)};BYDAY={some(DAYS, 1)},{numbered(2)}",
            f"FREQ=YEARLY;BYYEARDAY={some(signed(366), 6)};BYDAY={some(DAYS, 3)}", f"FREQ=YEARLY;BYMONTHDAY={some(signed(31), 3)}",
            f"FREQ=DAILY;INTERVAL={n};BYMONTH={some(list(range(1, 13)), 3)};BYDAY={some(DAYS, 3)}",
            f"FREQ=WEEKLY;INTERVAL={n};BYMONTH={some(list(range(1, 13)), 3)};BYDAY={some(DAYS, 3)}"]),
    }[kind]()
    at = start + dt.timedelta(days=random.choice([3, 40, 400]))
    if kind == "until":
        text += ";UNTIL=" + random.choice([
            at.strftime("%Y%m%dT%H%M%S"), at.strftime("%Y%m%dT%H%M%SZ"), at.strftime("%Y%m%d"), "UTC", "UTC-1"])
    elif random.random() < 0.3:
        text += f";COUNT={random.randint(1, 12)}"
    return text


def main():
    for number in range(300):
        zone = list(ZONES)[number % 5]
        kind = ["clock", "leap", "position", "until", "week", "day"][number // 5 % 6]
        change = dt.datetime.strptime(random.choice(ZONES[zone]), "%Y-%m-%d")
        hour, minute = random.choice(HOURS[zone])
        start = change.replace(hour=hour, minute=minute) - dt.timedelta(days=random.choice([0, 1, 2, 3, 7, 14, 28]))
        if kind == "leap":
            start = start.replace(year=2016 if zone == "America/Sao_Paulo" else 2020, month=2, day=29)
        text = draw(start, kind)
        if "UTC" in text:  # the moment of one of its dates, or the second before
            free = re.sub(";UNTIL.*", "", text)
            one = dt.datetime.strptime(random.choice(dates(start, zone, free)[:12]), "%Y%m%dT%H%M%SZ")
            if text.endswith("-1"):
                one -= dt.timedelta(seconds=1)
            text = free + one.strftime(";UNTIL=%Y%m%dT%H%M%SZ")
        print(json.dumps({"kind": kind, "zone": zone, "start": start.strftime("%Y%m%dT%H%M%S"), "rule": text, "dates": dates(start, zone, text)}))


main()
