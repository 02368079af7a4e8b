#!/usr/bin/env python3
"""`ttscope serve` against raw requests that ask for too much, and many clients at a time."""
import json
import pathlib
import socket
import threading
import time
import unittest

from serve_case import ServeCase, read_answer


class Refusals(ServeCase):
    def test_paths_outside_the_served_folder(self):
        secret = self.folder / "secret_memory.json"
        secret.write_text("the secret")
        folder = self.report()
        (self.library / "link").symlink_to(self.folder)
        (folder / "secret_memory.json").symlink_to(secret)
        server = self.serve()
        ids = [report["id"] for report in json.loads(server.ask("/api/library")[2])["reports"]]
        self.assertEqual(ids, ["run"])
        for path in ("/reports/run/../../../../../../etc/passwd", "/reports/run/..%2f..%2fsource.json",
                     "/reports/run/%2e%2e/%2e%2e/secret_memory.json", "/reports/run/secret_memory.json",
                     "/reports/link/secret_memory.json", "/reports/run/%00", "/reports/run//etc/passwd",
                     "/reports/run/..%5c..%5cx", "/../../etc/passwd", "/reports/%2e%2e/", "/reports/run/%252e%252e%252f",
                     "/reports/run/source.json", "/reports//", "/reports/.", "/reports/run/run_memory.json%00.html"):
            status, _, body = server.ask(path)
            self.assertIn(status, (400, 404), path)
            self.assertNotIn(b"secret", body)
            self.assertNotIn(b"root:", body)

    def test_a_link_that_takes_the_place_of_a_listed_file(self):
        folder = self.report()
        server = self.serve()
        self.assertEqual(server.ask("/reports/run/run_ir.json")[0], 200)
        (folder / "run_ir.json").unlink()
        (folder / "run_ir.json").symlink_to("/etc/passwd")
        self.assertEqual(server.ask("/reports/run/run_ir.json")[0], 404)
        folder.rename(self.folder / "elsewhere")
        (self.library / "run").symlink_to(self.folder / "elsewhere")
        self.assertEqual(server.ask("/reports/run/run_memory.json")[0], 404)

    def test_other_methods_hosts_and_tokens(self):
        self.report()
        server = self.serve()
        for method in ("HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "BREW"):
            status, headers, _ = server.ask("/", method)
            self.assertEqual(status, 405, method)
            self.assertEqual(headers["allow"], "GET", method)
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "0.0.0.0", "10.0.0.1", ""):
            self.assertIn(server.ask("/", headers={"Host": host})[0], (400, 421), host)
        self.assertEqual(server.ask("/", headers={"Host": None})[0], 400)
        self.assertEqual(server.ask("/", headers={"Host": "localhost:1"})[0], 200)
        for target in ("/", "/api/library", f"/{'0' * 32}/", f"/{server.token[:-1]}/", f"/{server.token.upper()}x/",
                       f"//{server.token}/"):
            status, _, body = server.ask(target, raw=True)
            self.assertEqual(status, 404, target)
            self.assertNotIn(server.token.encode(), body)
        again = self.serve()
        self.assertNotEqual(again.token, server.token)

    def test_what_is_not_http(self):
        server = self.serve()
        head = f"GET /{server.token}/ HTTP/1.1\r\nHost: localhost\r\n".encode()
        for data in (b"\r\n\r\n", b"\0" * 100 + b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01" * 50 + b"\r\n\r\n",
                     head + b"Host: evil.example\r\n\r\n", head + b"X: " + b"a" * 100000 + b"\r\n\r\n",
                     head + b"".join(b"X-%d: y\r\n" % i for i in range(5000)) + b"\r\n",
                     b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            with server.connect() as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                status = read_answer(connection)[0]
                self.assertTrue(status == 0 or status >= 400, (status, data[:60]))
        self.assertEqual(server.ask("/")[0], 200)

    def test_every_answer_has_the_security_headers(self):
        self.report()
        server = self.serve()
        for target in ("/", "/api/library", "/reports/run/run_memory.json", "/nothing", "/..", "/api/logs"):
            headers = server.ask(target)[1]
            self.assertEqual(headers["x-content-type-options"], "nosniff", target)
            self.assertEqual(headers["x-frame-options"], "DENY", target)
            self.assertEqual(headers["referrer-policy"], "no-referrer", target)
            self.assertEqual(headers["cache-control"], "no-store", target)
            self.assertIn("default-src 'none'", headers["content-security-policy"], target)
            self.assertNotIn("access-control-allow-origin", headers, target)


class ManyClients(ServeCase):
    def test_idle_and_slow_connections_hold_nobody_up(self):
        self.report()
        server = self.serve()
        before = server.memory_mb()
        idle = [server.connect() for _ in range(50)]
        slow = [server.connect() for _ in range(50)]
        stop = threading.Event()
        text = f"GET /{server.token}/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".encode() + b"s" * 1000

        def drip():
            for at in range(len(text)):
                for connection in slow:
                    connection.sendall(text[at:at + 1])
                if stop.wait(1):
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            time.sleep(1.5)
            problems = []

            def client(number):
                target = ("/", "/api/library", "/reports/run/run_memory.json", "/reports/run/run_ir.json")[number % 4]
                try:
                    status, headers, body = server.ask(target)
                    if status != 200 or len(body) != int(headers["content-length"]):
                        problems.append((target, status))
                except OSError as error:
                    problems.append((target, error))

            begin = time.monotonic()
            clients = [threading.Thread(target=client, args=(number,)) for number in range(200)]
            for thread in clients:
                thread.start()
            for thread in clients:
                thread.join()
            self.assertEqual(problems, [])
            self.assertLess(time.monotonic() - begin, 30)
            for connection in idle + slow:
                connection.setblocking(False)
                with self.assertRaises(BlockingIOError, msg="a held connection was closed"):
                    connection.recv(1)
                connection.setblocking(True)
            self.assertLess(server.memory_mb() - before, 64)
        finally:
            stop.set()
            dripping.join()
        seconds, code, _ = server.stop()
        self.assertLess(seconds, 2, "connections must not delay the end")
        self.assertEqual(code, 0)
        for connection in idle + slow:
            connection.close()

    def test_memory_stays_bounded(self):
        self.report()
        server = self.serve()
        before = server.memory_mb()
        for line in (b"X: " + b"a" * (1 << 20), b"X: y\r\n" * (1 << 18)):
            with server.connect() as connection:
                connection.sendall(f"GET /{server.token}/ HTTP/1.1\r\nHost: localhost\r\n".encode())
                try:
                    for _ in range(64):
                        connection.sendall(line)
                except OSError:
                    continue
                self.fail("an endless head was read on")
        waiting = [server.connect() for _ in range(300)]
        version = json.loads(server.ask("/api/library")[2])["version"]
        for connection in waiting:
            connection.sendall(f"GET /{server.token}/api/changes?after={version} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.5)
        self.assertEqual(server.ask("/api/library")[0], 200)
        self.assertLess(server.memory_mb() - before, 64)
        self.assertLess(server.stop()[0], 2)
        for connection in waiting:
            connection.close()

    def test_a_waiting_server_does_nothing(self):
        self.report()
        server = self.serve()

        def ticks():
            fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
            return int(fields[11]) + int(fields[12])

        time.sleep(0.5)
        before = ticks()
        time.sleep(3)
        self.assertLessEqual(ticks() - before, 10)


if __name__ == "__main__":
    unittest.main()
