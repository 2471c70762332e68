"""Floods a calendar with what costs memory, and checks that it answers afterwards. check.sh runs it."""

import asyncio
import base64
import collections
import json
import os
import struct
import sys
import time
import urllib.parse
import urllib.request
import zlib

API, PAGES, PROCESS = os.environ["ROOT"], os.environ["PAGES"], os.environ["PROCESS"]


def basic(number):
    """Returns the credentials of a user, the first one without a number."""
    return "Basic " + base64.b64encode(f"{os.environ['LOGIN' + number]}:{os.environ['PASSWORD' + number]}".encode()).decode()


LOGIN, ANOTHER = basic(""), basic("2")
ADDRESS = urllib.parse.urlsplit(API)
worst = 0


def resident():
    """Returns the resident memory of the process in MiB."""
    with open(f"/proc/{PROCESS}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) >> 10


async def ask(method, url, body=b"", headers=(), pace=None, take=None):
    """Sends a request, the body in pieces of pace (bytes, seconds), and returns the status, None without an answer.

    With take the answer is read at that many bytes a second, for at most five seconds."""
    reader, writer = await asyncio.open_connection(ADDRESS.hostname, ADDRESS.port, limit=1 << 16)
    try:
        path = url.removeprefix(f"{ADDRESS.scheme}://{ADDRESS.netloc}")
        head = [f"{method} {path} HTTP/1.1", f"Host: {ADDRESS.netloc}", "Connection: close", *headers]
        if body:
            head.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join(head).encode() + b"\r\n\r\n")
        if pace:
            for start in range(0, len(body), pace[0]):
                writer.write(body[start:start + pace[0]])
                await writer.drain()
                await asyncio.sleep(pace[1])
        else:
            writer.write(body)
            await writer.drain()
        status = (await reader.readline()).split()
        until = time.monotonic() + 5
        while chunk := await reader.read(take or 1 << 16):
            if take:
                await asyncio.sleep(len(chunk) / take)
                if time.monotonic() > until:
                    break
        return int(status[1]) if status else None
    except (ConnectionError, asyncio.IncompleteReadError):
        return None
    finally:
        writer.close()


async def watch():
    global worst
    while True:
        worst = max(worst, resident())
        await asyncio.sleep(0.05)


async def flood(name, number, request):
    """Sends so many requests at once, each made by request(i)."""
    began = time.monotonic()

    async def bounded(i):
        try:
            return await asyncio.wait_for(request(i), 90)
        except (TimeoutError, OSError) as error:
            return type(error).__name__

    counted = collections.Counter(await asyncio.gather(*(bounded(i) for i in range(number))))
    print(f"{name}: {number} at once, {time.monotonic() - began:.1f} s, answers {dict(counted)}, resident {resident()} MiB", flush=True)
    if counted.get(500):
        sys.exit(f"{name}: {counted[500]} answers are 500")


def png(side):
    """Returns a picture of one colour, of which a small file becomes four bytes for each pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes(side * (4 * side + 1)))) + chunk(b"IEND", b""))


def jpeg(side):
    """Returns a progressive picture of one colour, of which a decoder keeps twelve bytes for each pixel besides the picture."""
    def segment(kind, data):
        return b"\xff" + kind + struct.pack(">H", len(data) + 2) + data
    components = bytes((1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0))
    table = b"\0" + b"\1" + bytes(15) + b"\0"  # one code, "0", for a difference of 0
    return (b"\xff\xd8" + segment(b"\xdb", b"\0" + b"\1" * 64) + segment(b"\xc2", struct.pack(">BHHB", 8, side, side, 3) + components) +
            segment(b"\xc4", table) + segment(b"\xda", bytes((3, 1, 0, 2, 0, 3, 0, 0, 0, 0))) + bytes(side * side // 64 * 3 // 8) +
            b"\xff\xd9")


def form(fields, file):
    """Returns a body of a form with parts, and its header."""
    parts = [f'--xx\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode() for name, text in fields.items()]
    parts.append(b'--xx\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n' + file + b"\r\n--xx--\r\n")
    return b"".join(parts), "Content-Type: multipart/form-data; boundary=xx"


async def main():
    watching = asyncio.create_task(watch())
    auth, as_json = f"Authorization: {LOGIN}", "Content-Type: application/json"
    dates = {"start_date": "2031-05-01 20:00", "end_date": "2031-05-01 22:00"}
    text = "<p>" + "Large words in a text. " * 40000 + "</p>"
    for i in range(40):
        event = {"title": f"Large {i}", "description": text[:900_000], **dates}
        made = await ask("POST", API + "/events", json.dumps(event).encode(), [auth, as_json])
        assert made == 201, made
    large = b'{"title":"' + b"x" * (1 << 20) + b'"}'
    many = b"[" + b"{}," * 300_000 + b"{}]"
    picture, kind = form({"title": "Picture", **dates}, png(4096))  # 64 MiB when it is decoded
    progressive, _ = form({"title": "Picture", **dates}, jpeg(4096))
    broken, _ = form({"title": "Picture", **dates}, png(4096)[:2000] + b"\0" * 9_500_000)
    batch = json.dumps({"requests": [{"path": "/events", "body": {"title": "x" * 15_000, **dates}} for _ in range(60)]}).encode()

    await flood("bodies of 1 MiB without a login", 600, lambda i: ask("POST", API + "/events", large, [as_json]))
    await flood("bodies of 1 MiB with a login", 300, lambda i: ask("POST", API + "/events", large, [auth, as_json]))
    await flood("JSON of 300,000 objects", 300, lambda i: ask("POST", API + "/events", many, [auth, as_json]))
    await flood("bodies that come slowly", 600, lambda i: ask("POST", API + "/events", large, [auth, as_json], pace=(64 << 10, 0.3)))
    await flood("batches", 60, lambda i: ask("POST", API + "/batch", batch, [auth, as_json]))
    await flood("pictures", 30, lambda i: ask("POST", API + "/events", picture, [auth, kind]))
    await flood("progressive pictures of two users", 30,
                lambda i: ask("POST", API + "/events", progressive, [f"Authorization: {(LOGIN, ANOTHER)[i % 2]}", kind]))
    await flood("broken pictures of 10 MiB", 120, lambda i: ask("POST", API + "/events", broken, [auth, kind]))
    await flood("large lists", 300,
                lambda i: ask("GET", f"{API}/events?start_date=2031-01-01&end_date=2032-01-01&per_page=50&n={i}", headers=[auth]))
    await flood("large lists, taken slowly", 300,
                lambda i: ask("GET", f"{API}/events?start_date=2031-01-01&end_date=2032-01-01&per_page=12&n={i}", headers=[auth],
                              take=20_000))
    shown = ("/?view=list&month=2031-05&n=", "/events/?ical=1&n=", "/sitemap.xml?n=")
    await flood("pages and feeds, taken slowly", 300, lambda i: ask("GET", f"{PAGES}{shown[i % 3]}{i}", take=20_000))
    await flood("pages of large events, taken slowly", 600, lambda i: ask("GET", f"{PAGES}/event/large-{i % 40}/?n={i}", take=20_000))
    await flood("different lists, taken slowly", 300, lambda i: ask("GET", f"{PAGES}/?q=words&near=51.{i:03},4.4", take=20_000))
    await flood("compressed answers, taken slowly", 300, lambda i: ask("GET", f"{API}/events?per_page=2&page={i % 20 + 1}&n={i}", headers=[
        "Accept-Encoding: zstd"], take=20_000))
    sign_in = urllib.parse.urlencode({"name": "x", "password": "x", "typed": "y" * 2_500_000}).encode()
    await flood("forms without a session", 300, lambda i: ask("POST", PAGES + "/edit/sign-in/", sign_in, [
        "Content-Type: application/x-www-form-urlencoded", f"Origin: {PAGES}"]))
    await flood("headers of 60 KiB", 600, lambda i: ask("GET", API + "/events", headers=[f"X-{n}: " + "y" * 6000 for n in range(10)]))
    await flood("connections that say nothing", 1500, lambda i: ask("POST", API + "/events", b" " * 4096, [as_json], pace=(1024, 1)))
    watching.cancel()
    print(f"resident at most {worst} MiB")
    for path in ("/events?per_page=5", "/venues", "/doc"):
        with urllib.request.urlopen(API + path, timeout=30) as answer:
            assert answer.status == 200, path
    made = await ask("POST", API + "/events", json.dumps({"title": "Afterwards", **dates}).encode(), [auth, as_json])
    assert made == 201, f"a write afterwards: {made}"


asyncio.run(main())
