"""Writes by the API, and reads and saves by WordPress, in turns: see check.sh."""
import base64
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

WORK, AGENDA, HERE, COMPANION = (os.environ[name] for name in ("WORK", "AGENDA", "HERE", "COMPANION"))
DSN = f"root@unix({WORK}/db.sock)/site"
ROUNDS = 40


def port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def await_port(number):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", number), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("a server does not start")


class Server:
    """A process that listens."""

    def __init__(self, command, env=None):
        self.command, self.env, self.process = command, env, None

    def start(self):
        self.port = port()
        with open(f"{WORK}/servers.log", "ab") as log:
            self.process = subprocess.Popen(
                [a.format(port=self.port) for a in self.command], stdout=log, stderr=log, env={**os.environ, **(self.env or {})},
                start_new_session=True)
        await_port(self.port)

    def kill(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, 9)
            self.process.wait()


site = Server(["php", "-S", "127.0.0.1:{port}", f"{HERE}/site.php"], {"SITE": f"{WORK}/site", "PHP_CLI_SERVER_WORKERS": "4"})
here = Server([AGENDA, "--dsn", DSN, "--addr", "127.0.0.1:{port}", "--log-level", "warn"])


def command(*arguments):
    done = subprocess.run([AGENDA, *arguments], capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"agenda {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done


def sql(statement):
    done = subprocess.run(["mariadb", "--no-defaults", "-S", f"{WORK}/db.sock", "-u", "root", "-N", "-r", "site", "-e", statement],
                          capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n")


def wordpress(do, **parameters):
    query = urllib.parse.urlencode({"do": do, **parameters})
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/?{query}", timeout=60) as answer:
        return json.load(answer)["answer"]


def api(method, path, body=None):
    r = urllib.request.Request(f"http://127.0.0.1:{here.port}/wp-json/vendor/events/v1{path}", method=method)
    r.add_header("Authorization", "Basic " + base64.b64encode(f"tester:{password}".encode()).decode())
    if body is not None:
        r.add_header("Content-Type", "application/json")
        r.data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(r, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as e:
        sys.exit(f"{method} {path}: {e.code} {e.read().decode()}")


def stored(event):
    """What the database has, in the form of "read" of site.php."""
    title, text, status, slug = json.loads(sql(
        f"SELECT JSON_ARRAY(post_title, post_content, post_status, post_name) FROM wp_posts WHERE ID = {event}"))
    start = sql(f"SELECT meta_value FROM wp_postmeta WHERE post_id = {event} AND meta_key = '_EventStartDate'")
    terms = sql("SELECT t.term_id FROM wp_term_relationships r JOIN wp_term_taxonomy t USING (term_taxonomy_id) "
                f"WHERE r.object_id = {event} AND t.taxonomy IN ('tribe_events_cat', 'post_tag') ORDER BY 1")
    return {"title": title, "text": text, "status": status, "slug": slug, "start": start, "terms": [int(t) for t in terms.split()]}


def counts():
    rows = sql("SELECT CONCAT(term_id, ' ', count) FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat'")
    return {row.split()[0]: int(row.split()[1]) for row in rows.splitlines()}


def body_of(i):
    """What round i writes."""
    kind = i % 6
    body = {"title": f"Round {i}", "description": f"Text of round {i}"}
    if kind == 1:
        body = {"status": "draft"}
    elif kind == 2:
        body = {"status": "publish", "slug": f"round-{i}"}
    elif kind == 3:
        body = {"categories": [f"Category {i // 6 % 3}", f"Other {i // 6 % 2}"]}
    elif kind == 4:
        body = {"start_date": f"2034-05-{i % 28 + 1:02d} 10:00:00", "end_date": f"2034-05-{i % 28 + 1:02d} 12:00:00"}
    elif kind == 5:
        body = {"tags": [f"Tag {i // 6 % 4}"], "title": f"Tagged {i}"}
    return body


def turns(event, rounds, between=lambda i: None):
    """Writes here, reads there, saves there. Returns how often WordPress showed something old, and undid a write."""
    stale = undone = 0
    for i in rounds:
        wordpress("read", id=event)
        wordpress("terms")
        between(i)
        api("PATCH", f"/events/{event}", body_of(i))
        if not site.process or site.process.poll() is not None:
            site.start()
        wanted = stored(event)
        shown = wordpress("read", id=event)
        numbers = {term: c[1] for term, c in wordpress("terms").items()}
        if shown != wanted or numbers != counts():
            stale += 1
            print("stale", i, shown, wanted)
        wordpress("save", id=event)
        if stored(event) != wanted:
            undone += 1
            print("undone", i, stored(event), wanted)
    return stale, undone


def expect(what, got, wanted):
    print(f"{what}: {got}", flush=True)
    if got != wanted:
        sys.exit(f"{what}: {got}, not {wanted}")


def revoked(name):
    """Reads the passwords there, revokes one here, and has the site write them."""
    command("user", "password", "--dsn", DSN, "--login", "tester", "--password-name", name)
    wordpress("passwords", login="tester")
    done = command("user", "revoke", "--dsn", DSN, "--login", "tester", "--password-name", name)
    wordpress("passwords", login="tester", write=1)
    return name in sql("SELECT meta_value FROM wp_usermeta JOIN wp_users ON ID = user_id WHERE user_login = 'tester' "
                       "AND meta_key = '_application_passwords'"), done.stderr


sql("REPLACE INTO wp_options (option_name, option_value, autoload) "
    "VALUES ('active_plugins', 'a:1:{i:0;s:27:\"redis-cache/redis-cache.php\";}', 'yes')")
password = command("user", "add", "--dsn", DSN, "--login", "tester", "--email", "tester@example.org", "--role",
                   "administrator").stdout.split("\n")[1]
site.start()
here.start()
try:
    made = api("POST", "/events", {"title": "Event", "status": "publish", "start_date": "2034-05-01 10:00:00",
                                   "end_date": "2034-05-01 12:00:00"})
    event = made["id"]

    print("== without the companion", flush=True)
    stale, undone = turns(event, range(6))
    if not stale or not undone:
        sys.exit(f"the test shows nothing: {stale} stale, {undone} undone without the companion")
    back, warning = revoked("first")
    expect("a revoked password came back, with a warning", (back, "Redis Object Cache" in warning), (True, True))

    print("== with it", flush=True)
    command("companion", "install", "--dsn", DSN)
    with open(COMPANION, "rb") as f, open(f"{WORK}/content/mu-plugins/agenda-companion.php", "wb") as to:
        to.write(f.read())
    wordpress("flush")
    time.sleep(3)  # within which the server finds the table
    expect("stale, undone", turns(event, range(100, 100 + ROUNDS)), (0, 0))
    back, warning = revoked("second")
    expect("a revoked password came back, with a warning", (back, "Redis Object Cache" in warning), (False, False))
    venues = wordpress("venues")
    api("POST", "/venues", {"venue": "A new venue"})
    expect("the new venue is listed", "A new venue" in wordpress("venues") and "A new venue" not in venues, True)

    print("== a request that began before", flush=True)
    wordpress("read", id=event)
    early = subprocess.Popen(["curl", "-s", f"http://127.0.0.1:{site.port}/?do=overlap&id={event}"], stdout=subprocess.PIPE)
    for _ in range(300):
        if os.path.exists(f"{WORK}/changed.begun"):
            break
        time.sleep(0.1)
    api("PATCH", f"/events/{event}", {"title": "Overlapped"})
    wordpress("option", name="blogname")  # follows the write, and leaves the event out of the cache
    open(f"{WORK}/changed.go", "w").close()
    expect("it has read what was there", json.loads(early.communicate(timeout=60)[0])["answer"]["title"] != "Overlapped", True)
    began, fresh = time.time(), False
    while not fresh and time.time() - began < 60:
        fresh = wordpress("read", id=event)["title"] == "Overlapped"
        time.sleep(0.2)
    expect("fresh within a minute", fresh, True)
    print(f"after {time.time() - began:.1f} s", flush=True)

    print("== killed, stopped, flushed", flush=True)
    wordpress("read", id=event)
    api("PATCH", f"/events/{event}", {"title": "Killed"})
    here.kill()
    expect("after a kill", wordpress("read", id=event)["title"], "Killed")
    wordpress("save", id=event)
    expect("saved after a kill", stored(event)["title"], "Killed")
    here.start()
    expect("stopped between", turns(event, range(200, 206), lambda i: site.kill()), (0, 0))
    expect("flushed between", turns(event, range(300, 306), lambda i: wordpress("flush")), (0, 0))

    print("== its rows", flush=True)
    sql("UPDATE wp_agenda_told SET moment = moment - 90000 WHERE number < (SELECT m FROM (SELECT MAX(number) m FROM wp_agenda_told) x)")
    here.kill()
    here.start()
    api("PATCH", f"/events/{event}", {"title": "Tidied"})
    expect("rows that are left", int(sql("SELECT COUNT(*) FROM wp_agenda_told")) <= 2, True)
    expect("an action for plugins", os.path.getsize(f"{WORK}/changed") > 0, True)
    command("companion", "check", "--dsn", DSN)
    command("companion", "remove", "--dsn", DSN)
    wordpress("read", id=event)  # the table is gone, and the site goes on
    api("PATCH", f"/events/{event}", {"title": "No table"})
finally:
    site.kill()
    here.kill()
