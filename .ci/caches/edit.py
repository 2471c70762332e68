"""Edits a calendar in a session through a cache, behind the end of TLS: nothing of it is kept, and nobody else sees it."""

import os
import re
import urllib.error
import urllib.parse
import urllib.request

env = os.environ


class Stay(urllib.request.HTTPRedirectHandler):
    """Does not follow redirections, which are looked at themselves."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(Stay)


def ask(path, cookie="", form=None):
    """Returns the status, the headers and the text of an answer through the cache, and whether the cache had it."""
    r = urllib.request.Request(env["CACHE"] + path, data=form and urllib.parse.urlencode(form).encode())
    r.add_header("X-Forwarded-Proto", "https")
    if cookie:
        r.add_header("Cookie", cookie)
    try:
        answer = opener.open(r, timeout=60)
    except urllib.error.HTTPError as other:
        answer = other
    with answer:
        return answer.status, answer.headers, answer.read().decode(), len((answer.headers["X-Varnish"] or "").split()) == 2


def private(path, cookie="", form=None):
    """Asks three times for what is for its reader alone, and returns the last answer."""
    for _ in range(3):
        status, headers, text, hit = ask(path, cookie, form)
        assert not hit and headers["Cache-Control"] == "private, no-store", (path, hit, headers["Cache-Control"])
    return status, headers, text


def public(path):
    """Asks until the cache has what everybody may see, and returns it."""
    for _ in range(600):
        _, headers, text, hit = ask(path)
        assert not headers["Set-Cookie"], path
        if hit:
            return text
    raise SystemExit(path + " is never cached")


def main():
    page = "/event/cached-event/"
    before = public(page)
    wrong = {"name": env["LOGIN"], "password": "wrong"}
    assert private("/edit/sign-in/", form=wrong)[0] == 401
    status, headers, _ = private("/edit/sign-in/", form={"name": env["LOGIN"], "password": env["PASSWORD"]})
    assert status == 303 and headers["Set-Cookie"], (status, headers)
    cookie = headers["Set-Cookie"].split(";")[0]
    for path in ("/edit/sign-in/", "/edit/", "/edit/events/", "/edit/nothing/", "/edit/pictures/ABC/", "/edit/invitation/ABC/"):
        private(path)
    private("/edit/events/", "__Host-agenda_session=another")
    _, _, events = private("/edit/events/", cookie)
    form = re.search(r'/edit/events/[0-9]+/', events).group()
    status, _, text = private(form, cookie)
    assert status == 200 and 'name="title"' in text, (form, status)
    preview = {"title": "A secret preview", "act": "preview"}
    private("/edit/events/new/", cookie, preview)
    assert "secret preview" not in public("/?view=list")
    status, _, own = private(page, cookie)
    assert status == 200 and "/edit/events/" in own, "the editor has no link to the form"
    assert public(page) == before and "/edit/events/" not in before, "what the editor sees is kept for others"
    print("edited through the cache")


main()
