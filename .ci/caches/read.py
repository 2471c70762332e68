"""Reads a calendar through a cache while it is written."""

import base64
import glob
import json
import os
import sqlite3
import time
import urllib.error
import urllib.request

env = os.environ
API = "/wp-json/vendor/events/v1"


def ask(base, path, method="GET", values=None):
    """Returns the text of an answer, and whether the cache had it."""
    r = urllib.request.Request(base + path, method=method)
    if values is not None:
        r.data = json.dumps(values).encode()
        r.add_header("Content-Type", "application/json")
        r.add_header("Authorization", "Basic " + base64.b64encode((env["LOGIN"] + ":" + env["PASSWORD"]).encode()).decode())
    try:
        with urllib.request.urlopen(r, timeout=60) as answer:
            assert method != "GET" or base != env["CACHE"] or not answer.headers["Surrogate-Key"], "visitors see the keys"
            return answer.read().decode(), len((answer.headers["X-Varnish"] or "").split()) == 2
    except urllib.error.HTTPError as refused:
        return refused.read().decode(), len((refused.headers["X-Varnish"] or "").split()) == 2


def cached(path):
    """Asks until the cache has the answer, and returns it."""
    for _ in range(600):
        text, hit = ask(env["CACHE"], path)
        if hit:
            return text
        time.sleep(0.1)
    raise SystemExit(path + " is never cached")


def seen(what, text, paths):
    """Waits until the cache answers everything with a text."""
    began = time.monotonic()
    for _ in range(1200):
        if all(text in ask(env["CACHE"], path)[0] for path in paths):
            print("%s: seen after %.1f s" % (what, time.monotonic() - began))
            return
        time.sleep(0.1)
    raise SystemExit("%s: %s is not seen in %s" % (what, text, [p for p in paths if text not in ask(env["CACHE"], p)[0]]))


def dropped(paths):
    """Waits until the cache has none of the answers that it had."""
    began, left = time.monotonic(), list(paths)
    for _ in range(1200):
        left = [path for path in left if ask(env["CACHE"], path)[1]]
        if not left:
            print("dropped once more after %.1f s" % (time.monotonic() - began))
            return
        time.sleep(0.1)
    raise SystemExit("no second purge of %s" % left)


def noted():
    """Waits until the journal knows the site and is followed: nobody is told of what changes before."""
    for _ in range(1200):
        db = sqlite3.connect(env["DATA"] + "/agenda.db.changes", timeout=60)
        complete = dict(db.execute("SELECT name, complete FROM wp_agenda_journal"))
        db.close()
        if complete["journal"] and "hooks" in complete:
            return
        time.sleep(0.1)
    raise SystemExit("the first comparison does not end")


def sql(statement, *values):
    """Writes as another program does."""
    for name in glob.glob(env["DATA"] + "/agenda.db"):
        db = sqlite3.connect(name, timeout=60)
        db.create_collation("site_ci", lambda a, b: (a > b) - (a < b))
        db.execute(statement, values)
        db.commit()
        db.close()


def main():
    noted()
    event = json.loads(ask(env["ORIGIN"], API + "/events", "POST", {
        "title": "First title", "slug": "cached-event", "status": "publish", "start_date": "2031-05-01 10:00",
        "end_date": "2031-05-01 11:00"})[0])
    paths = ["%s/events/%d" % (API, event["id"]), API + "/events?start_date=2031-04-01&end_date=2031-06-01",
             API + "/events?_format=ics&start_date=2031-04-01&end_date=2031-06-01", "/?month=2031-05", "/event/cached-event/"]
    seen("created", "First title", paths)
    for path in paths:
        cached(path)
    venues = cached(API + "/venues")
    ask(env["ORIGIN"], "%s/events/%d" % (API, event["id"]), "PUT", {"title": "By the API"})
    seen("by the API", "By the API", paths)
    text, hit = ask(env["CACHE"], API + "/venues")
    assert hit and text == venues, "the list of venues was dropped with an event"
    for path in paths:
        cached(path)
    sql("UPDATE wp_posts SET post_title = 'By SQL' WHERE ID = ?", event["id"])
    seen("by SQL", "By SQL", paths)
    # What came to the cache after the purge is dropped once more: it may have been an answer from before the change.
    for path in paths:
        cached(path)
    dropped(paths)
    seen("by SQL, once more", "By SQL", paths)


main()
