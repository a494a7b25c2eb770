# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""The studio's server from outside: test_cli_studio.py PROGRAM ASSETS_DIR

It serves a page that the test makes itself, so that no other program is needed. What comes from
elsewhere, without the token or for another file is refused, whatever it sends; the server goes on.
"""

import http.client
import os
import re
import signal
import socket
import stat
import threading
import time
from contextlib import contextmanager

import cli_helper as cli
from cli_helper import case, check, check_equal, model, run, start
from cli_readers import Gltf

PAGE = {"index.html": b"<!doctype html><title>studio</title>", "assets/index.js": b"export {};",
        "assets/core.wasm": b"\0asm"}
IS_BUILT = []  # whether, once that is known
SECRET = b"nobody's business"
SETTINGS = b'{"turgor": 1, "volume": {"joints": {"%s": {"profile": "muscle"}}}}\n'


def make_page():
    if not IS_BUILT:
        os.environ["TURGOR_STUDIO"] = "nowhere"
        _, err = run("studio", status=1)
        IS_BUILT.append("without libmicrohttpd" not in err)
    if not IS_BUILT[0]:
        raise cli.Skipped("the program was built without libmicrohttpd")
    folder = cli.WORK / "page"
    for name, content in PAGE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (cli.WORK / "secret.txt").write_bytes(SECRET)
    os.environ["TURGOR_STUDIO"] = str(folder)


class Server:
    """A running studio, and its address in parts."""

    def __init__(self, process):
        self.process = process
        self.address = process.stdout.readline().decode().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        check(found, f"the address is {self.address!r}: {process.stderr.read() if not self.address else ''}")
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"

    def ask(self, path, method="GET", body=None, host=None, origin=None, headers=()):
        """Status, headers and body of one request; the path goes out as it is written here."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host or self.host)
        if origin is not None:
            connection.putheader("Origin", origin)
        for name, value in headers:
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), content

    def own(self, name, *arguments, **more):
        return self.ask(f"/{self.token}/{name}", *arguments, **more)

    def save(self, body, **more):
        more.setdefault("origin", f"http://{self.host}")
        return self.own("settings", "PUT", body, **more)

    def check_answers(self, within=5.0):
        begin = time.monotonic()
        status, _, content = self.own("")
        check_equal((status, content), (200, PAGE["index.html"]), "the page")
        elapsed = time.monotonic() - begin
        check(elapsed < within, f"the page took {elapsed:.1f} s, wanted {within}")


@contextmanager
def studio(*arguments):
    make_page()
    process = start("studio", "--no-open", *arguments)
    try:
        yield Server(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        check_equal((process.returncode, err), (0, b""), "status and standard error after Ctrl-C")


def joint_names():
    gltf = Gltf(model("arm")).json
    return [gltf["nodes"][j]["name"] for j in gltf["skins"][0]["joints"]]


# ---- what it serves ------------------------------------------------------------------------------


@case()
def page_character_and_settings():
    settings = cli.WORK / "served.json"
    settings.write_bytes(b"{}")
    with studio(model("arm"), "--settings", settings) as server:
        for name, content in PAGE.items():
            status, headers, found = server.own(name)
            check_equal((status, found), (200, content), name)
            check_equal(headers["X-Content-Type-Options"], "nosniff", "a header")
            check("default-src 'self'" in headers["Content-Security-Policy"], headers)
        check_equal(server.own("assets/index.js")[1]["Content-Type"], "text/javascript; charset=utf-8", "type")
        check_equal(server.own("assets/core.wasm")[1]["Content-Type"], "application/wasm", "type")
        check_equal(server.own("session")[2], b"arm.glb\nserved.json", "session")
        check_equal(server.own("character")[2], model("arm").read_bytes(), "character")
        check_equal(server.own("settings")[2], b"{}", "settings")
        check_equal(server.own("", "HEAD")[2], b"", "body of HEAD")
        check_equal(server.own("", host=f"localhost:{server.port}")[0], 200, "status by the name localhost")


@case()
def nothing_named():
    """The page shows a character of its own; nothing else can be read or written."""
    with studio() as server:
        check_equal(server.own("session")[2], b"\n", "session")
        check_equal([server.own(name)[0] for name in ("character", "settings")], [404, 404], "statuses")
        check_equal(server.save(b"{}")[0], 404, "status of saving")
        server.check_answers()


@case()
def token_is_another_each_time():
    tokens = set()
    for _ in range(3):
        with studio() as server:
            tokens.add(server.token)
    check_equal(len(tokens), 3, "different tokens of 3")


@case()
def port_of_choice():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.listen()
        make_page()
        _, err = run("studio", "--no-open", "--port", port, status=1)
        check(f"turgor: studio: cannot listen on port {port} of 127.0.0.1" in err and err.count("\n") == 1, err)
    for _ in range(2):  # at once again
        with studio("--port", port) as server:
            check_equal(server.port, port, "port")
            server.check_answers()


@case()
def loopback_only():
    with studio() as server:
        lines = open("/proc/net/tcp").read() + open("/proc/net/tcp6").read()
        listening = [line.split()[1] for line in lines.splitlines() if f":{server.port:04X} " in line.split(" 0A ")[0]
                     and " 0A " in line]
        check_equal(listening, [f"0100007F:{server.port:04X}"], "listening at")


# ---- who is refused ------------------------------------------------------------------------------


def check_refused(server, answer, wanted, what):
    status, _, content = answer
    check_equal(status, wanted, f"status of {what}")
    check(len(content) < 32 and SECRET not in content, f"{what} is told {content!r}")
    server.check_answers()


@case()
def wrong_token():
    with studio(model("arm")) as server:
        token = server.token
        for wrong in ("", "0" * 32, token[:-1], token + "0", token[:-1] + ("0" if token[-1] != "0" else "1"),
                      token.upper() if token.upper() != token else "A" * 32):
            for name in ("", "character", "assets/index.js"):
                check_refused(server, server.ask(f"/{wrong}/{name}"), 404, f"token {wrong!r}, {name!r}")
        check_refused(server, server.ask("/"), 404, "no token")
        check_refused(server, server.ask(f"/{token}"), 404, "no slash after the token")


@case()
def wrong_host_and_origin():
    settings = cli.WORK / "guarded.json"
    settings.write_bytes(b"{}")
    with studio(model("arm"), "--settings", settings) as server:
        good = f"http://{server.host}"
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}",
                     f"127.0.0.1.evil.example:{server.port}", f"[::1]:{server.port}"):
            check_refused(server, server.own("character", host=host), 403, f"host {host}")
            check_refused(server, server.save(b"{ }", host=host), 403, f"saving with host {host}")
        for origin in ("http://evil.example", "null", f"https://{server.host}", f"http://127.0.0.1:{server.port + 1}",
                       good + ".evil.example", ""):
            check_refused(server, server.own("character", origin=origin), 403, f"origin {origin!r}")
            check_refused(server, server.save(b"{ }", origin=origin), 403, f"saving with origin {origin!r}")
        two = [("Host", "evil.example")]
        check_refused(server, server.own("character", headers=two), 403, "two hosts")
        check_refused(server, server.save(b"{ }", headers=[("Origin", "http://evil.example")]), 403, "two origins")
        check_refused(server, server.own("settings", "PUT", b"{ }"), 403, "saving without an origin")
        check_equal(server.own("character", origin=good)[0], 200, "status with the right origin")
    check_equal(settings.read_bytes(), b"{}", "settings")


@case()
def paths_that_lead_elsewhere():
    (cli.WORK / "page" / "assets").mkdir(parents=True, exist_ok=True)
    link = cli.WORK / "page" / "assets" / "link.js"
    with studio(model("arm")) as server:
        link.symlink_to(cli.WORK / "secret.txt")  # after it was started: the page is in memory
        secret = str(cli.WORK / "secret.txt")
        names = ["../secret.txt", "../../secret.txt", "assets/../../secret.txt", "%2e%2e/secret.txt",
                 "..%2fsecret.txt", "%2e%2e%2f%2e%2e%2fetc/passwd", "..\\secret.txt", "/etc/passwd", secret,
                 "/" + secret, "file://" + secret, "assets/link.js", "assets", "assets/", "character/", "settings/..",
                 "index.html/", "./index.html", "index.html%00.js", "session/../../secret.txt", "?character",
                 "arm.glb", str(model("arm"))]
        for name in names:
            if name == "?character":
                check_equal(server.own(name)[2], PAGE["index.html"], "a query is no path")
            else:
                check_refused(server, server.own(name), 404, name)
        check_refused(server, server.ask(secret), 404, "an absolute path")
        check_refused(server, server.ask("/" + "../" * 30 + "etc/passwd"), 404, "a path upwards")
        check_refused(server, server.ask("http://evil.example/" + server.token + "/character"), 404, "a proxy's path")
        link.unlink()


@case("POST", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "MKCOL", "FROB")
def other_methods(method):
    with studio(model("arm")) as server:
        status, _, content = server.own("character", method, origin=f"http://{server.host}")
        check(status in (405, 501) and len(content) < 32, (status, content))
        server.check_answers()


# ---- saving --------------------------------------------------------------------------------------


@case()
def save():
    settings = cli.WORK / "saved" / "arm.json"
    settings.parent.mkdir(exist_ok=True)
    joint = joint_names()[-1]
    text = SETTINGS % joint.encode()
    with studio(model("arm"), "--settings", settings) as server:
        check_equal(server.own("settings")[0], 404, "status before there are any")
        check_equal(server.save(text)[0::2], (200, b"saved\n"), "saving")
        check_equal(settings.read_bytes(), text, "the file")
        check_equal(server.own("settings")[2], text, "the settings it serves")
        number = os.stat(settings).st_ino
        check_equal(server.save(b"{}")[0], 200, "status of saving again")
        check(os.stat(settings).st_ino != number, "it was written in place, not renamed")
        for wrong, words in ((b'{"volume": ', b"line 1, column"), (b'{"volum": 1}', b"volume"), (b"", b"line 1"),
                             (b'{"volume": {"joints": {"nosuch": null}}}', b"nosuch"), (b"\xff\xfe", b"line 1")):
            status, _, content = server.save(wrong)
            check(status == 422 and words in content and content.count(b"\n") == 1, (wrong, status, content))
            check_equal(settings.read_bytes(), b"{}", f"the file after {wrong}")
    check_equal([path.name for path in settings.parent.iterdir()], ["arm.json"], "what is left in the folder")
    run("info", model("arm"), "--settings", settings)


@case()
def save_that_cannot_be_written():
    settings = cli.WORK / "gone" / "arm.json"
    settings.parent.mkdir(exist_ok=True)
    with studio(model("arm"), "--settings", settings) as server:
        settings.parent.rmdir()
        status, _, content = server.save(b"{}")
        check(status == 500 and content.count(b"\n") == 1, (status, content))
        server.check_answers()
    check(not settings.parent.exists(), "the folder is back")


@case()
def large_body():
    """A gigabyte, with its length told, in chunks, or told to be less; it is not taken in."""
    settings = cli.WORK / "large.json"
    settings.write_bytes(b"{}")
    with studio(model("arm"), "--settings", settings) as server:
        def memory():
            text = open(f"/proc/{server.process.pid}/status").read()
            return int(re.search(r"VmHWM:\s+(\d+)", text)[1])

        before = memory()
        begin = (f"PUT /{server.token}/settings HTTP/1.1\r\nHost: {server.host}\r\n"
                 f"Origin: http://{server.host}\r\n")
        for headers, wanted in ((f"Content-Length: {1 << 30}\r\n\r\n", b" 413 "),
                                (f"Content-Length: {1 << 70}\r\n\r\n", b" 4"),
                                ("Content-Length: -5\r\n\r\n", b" 4"), ("Transfer-Encoding: chunked\r\n\r\n", b" 411 "),
                                ("\r\n", b" 411 "), ("X: " + "x" * 40000 + "\r\n\r\n", b" 4")):
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
                client.sendall((begin + headers).encode())
                answer, sent = b"", 0
                try:
                    chunk = b"x" * 65536
                    while sent < 1 << 30:
                        sent += client.send(chunk)
                except (BrokenPipeError, ConnectionResetError, TimeoutError):
                    pass
                check(sent < 64 << 20, f"{headers[:40]!r}: {sent} bytes were taken")
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
                client.sendall((begin + headers).encode())  # now listen instead of sending
                try:
                    answer = client.recv(4096)
                except ConnectionResetError:
                    pass
                check(wanted in answer.split(b"\r\n")[0], f"{headers[:40]!r} is answered {answer[:100]!r}")
            server.check_answers()
        check(memory() - before < 16 << 10, f"it took {memory() - before} kB more")
        try:
            check_equal(server.save(b" " * (4 << 20) + b"{}")[0], 413, "status of 4 MB and a little")
        except (BrokenPipeError, ConnectionResetError):
            pass  # it answered and went before all of it was sent
        check_equal(settings.read_bytes(), b"{}", "the file after all that")
        check_equal(server.save(b" " * ((4 << 20) - 2) + b"{}")[0], 200, "status of 4 MB")
    check_equal(len(settings.read_bytes()), 4 << 20, "bytes of the file")


@case()
def body_where_none_is_wanted():
    with studio(model("arm")) as server:
        try:
            server.own("character", "GET", b"x" * 100000)
        except (http.client.HTTPException, OSError):
            pass
        server.check_answers()


# ---- many at once --------------------------------------------------------------------------------


@case("idle", "half a request", "whole requests")
def thousand_connections(kind):
    with studio(model("arm")) as server:
        clients = []
        request = f"GET /{'0' * 32}/character HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
        try:
            for _ in range(1000):
                client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
                clients.append(client)
                if kind != "idle":
                    client.sendall(request[:20] if kind == "half a request" else request)
            server.check_answers()
            if kind == "whole requests":
                for client in clients:
                    check(client.recv(4096).startswith(b"HTTP/1.1 404"), "one of 1000 was not refused")
        finally:
            for client in clients:
                client.close()
        server.check_answers()


@case()
def forgotten_connections_end():
    with studio() as server:
        client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        client.sendall(b"GET /")
        begin = time.monotonic()
        check_equal(client.recv(100), b"", "what it says to half a request")
        check(5 < time.monotonic() - begin < 16, f"it ended after {time.monotonic() - begin:.1f} s")


@case()
def saving_all_at_once():
    """Whole files only, whoever comes last."""
    settings = cli.WORK / "contested.json"
    settings.write_bytes(b"{}")
    names = [name.encode() for name in joint_names()]
    texts = {SETTINGS % names[i % len(names)] + b" " * (20000 * i) for i in range(8)}
    with studio(model("arm"), "--settings", settings) as server:
        statuses = []
        threads = [threading.Thread(target=lambda t=text: statuses.append(server.save(t)[0])) for text in texts]
        for thread in threads:
            thread.start()
        seen = set()
        while any(thread.is_alive() for thread in threads):
            seen.add(settings.read_bytes())
        for thread in threads:
            thread.join()
        check_equal(statuses, [200] * len(texts), "statuses")
        check(seen | {settings.read_bytes()} <= texts | {b"{}"}, "a half file was seen")


# ---- starting and ending -------------------------------------------------------------------------


@case(signal.SIGINT, signal.SIGTERM)
def ends_when_told(number):
    with studio(model("arm")) as server:
        held = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        begin = time.monotonic()
        server.process.send_signal(number)
        server.process.wait(timeout=20)
        check(time.monotonic() - begin < 3, f"it took {time.monotonic() - begin:.1f} s to end")
        held.close()


@case()
def wrong_from_the_start():
    make_page()
    broken = cli.WORK / "broken.json"
    broken.write_text('{"volume": {"joints": {"nosuch": null}}}')
    (cli.WORK / "noise.glb").write_bytes(b"noise")
    (cli.WORK / "hero.fbx").write_bytes(b"noise")
    for arguments, words in (([cli.WORK / "nosuch.glb"], "nosuch.glb"), ([cli.WORK / "noise.glb"], "noise.glb"),
                             ([cli.WORK / "hero.fbx"], "the studio reads .glb and .gltf"),
                             ([model("arm"), "--settings", broken], "has no joint")):
        _, err = run("studio", "--no-open", *arguments, status=1)
        check(words in err and err.count("\n") == 1, err)
    for arguments in (["--port", "65536"], ["--port", "-1"], ["--port", "x"], ["a.glb", "b.glb"]):
        _, err = run("studio", "--no-open", *arguments, status=2)
        check(err.count("\n") == 1, err)
    os.environ["TURGOR_STUDIO"] = str(cli.WORK / "nowhere")
    _, err = run("studio", "--no-open", status=1)
    check("the studio's page is not here; make studio builds it" in err, err)


@case()
def browser_is_opened():
    """Where there is a screen, by xdg-open, with the address; elsewhere, and with --no-open, not."""
    make_page()
    tools, told = cli.WORK / "tools", cli.WORK / "opened.txt"
    tools.mkdir(exist_ok=True)
    (tools / "xdg-open").write_text(f"#!/bin/sh\necho \"$1\" >> {told}\n")
    (tools / "xdg-open").chmod(stat.S_IRWXU)
    path, screen = os.environ["PATH"], os.environ.pop("DISPLAY", None)
    os.environ.pop("WAYLAND_DISPLAY", None)
    os.environ["PATH"] = f"{tools}:{path}"
    try:
        for display, options, opens in ((None, [], False), (":7", ["--no-open"], False), (":7", [], True)):
            if display is not None:
                os.environ["DISPLAY"] = display
            process = start("studio", *options)
            server = Server(process)
            server.check_answers()
            for _ in range(50 if opens else 3):
                if told.exists():
                    break
                time.sleep(0.1)
            check_equal(told.read_text() if told.exists() else "", f"{server.address}\n" if opens else "", "opened")
            process.send_signal(signal.SIGINT)
            check_equal(process.wait(timeout=20), 0, "status")
            process.communicate()
    finally:
        os.environ["PATH"] = path
        os.environ.pop("DISPLAY", None)
        if screen is not None:
            os.environ["DISPLAY"] = screen


if __name__ == "__main__":
    cli.main()
