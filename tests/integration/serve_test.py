#!/usr/bin/env python3
"""`ttscope serve` in real processes: refusals by raw requests, many clients, uploads, its end."""
import json
import os
import pathlib
import signal
import socket
import threading
import time
import unittest

import log_text as log
from program_case import SOURCE
from serve_case import Server, ServeCase, read_answer


class Answers(ServeCase):
    def test_the_library_its_page_and_its_files(self):
        folder = self.report()
        server = self.serve()
        status, headers, body = server.ask("/")
        self.assertEqual(status, 200)
        self.assertIn(b"<!doctype html>", body)
        self.assertIn("script-src 'sha256-", headers["content-security-policy"])
        self.assertNotIn("unsafe-inline'; img", headers["content-security-policy"].split("style-src")[0])
        library = json.loads(server.ask("/api/library")[2])
        self.assertEqual([report["id"] for report in library["reports"]], ["run"])
        report = library["reports"][0]
        self.assertGreater(report["dram"]["peak_bytes_per_bank"], 0)
        self.assertGreater(report["dram"]["capacity_bytes_per_bank"], 0)
        self.assertTrue(report["curve_permille_of_peak"])
        self.assertEqual((report["outcome"], report["fit"]), ("finished", "yes"))
        self.assertEqual(max(report["curve_permille_of_peak"]), 1000)
        self.assertEqual(report["size_bytes"], sum(file["size_bytes"] for file in report["files"]))
        for file in report["files"]:
            self.assertEqual(server.ask(f"/reports/run/{file['name']}")[2], (folder / file["name"]).read_bytes())

    def test_two_reports_are_compared_to_a_third(self):
        for name, layers in (("old", 2), ("new", 3)):
            self.check(0, "-o", self.folder / f"{name}.log", "--compact", "--layers", layers, program="ttscope-gen-log")
            self.check(0, "--analyze", self.folder / f"{name}.log", program="tt-memory-profiler")
        server = self.serve()
        library = json.loads(server.ask("/api/library")[2])
        self.assertTrue(library["can_compare"])
        self.assertTrue(all(report["comparable"] for report in library["reports"]))
        status, _, body = server.ask("/api/diffs?before=old&after=new", "POST", headers={"Content-Length": "0"})
        self.assertEqual(status, 202, body)
        for _ in range(100):
            library = json.loads(server.ask("/api/library")[2])
            made = [report for report in library["reports"] if report["name"].endswith("old to new")]
            if made or any(job["state"] == "failed" for job in library["jobs"]):
                break
            time.sleep(0.1)
        self.assertTrue(made, library["jobs"])
        page = server.ask(f"/reports/{made[0]['id']}/")
        self.assertEqual(page[0], 200)
        self.assertIn(b'id="ttscope-diff"', page[2])
        self.assertIn(b"DRAM peak +", page[2])

    def test_the_address_and_the_ssh_line_are_printed(self):
        server = self.serve(env={"SSH_CONNECTION": "10.0.0.9 50000 10.0.0.5 2222"})
        self.assertIn(f"ssh -N -L {server.port}:127.0.0.1:{server.port} -p 2222 ", server.output)
        self.assertRegex(server.output, r"@10\.0\.0\.5\n")
        hostile = self.serve(env={"SSH_CONNECTION": "a b $(reboot) ;id"})
        self.assertNotIn("reboot", hostile.output)

    def test_only_this_machine_is_served(self):
        server = self.serve()
        with open("/proc/net/tcp", encoding="ascii") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{server.port:04X}", listening)
        self.assertNotIn(f"00000000:{server.port:04X}", listening)

    def test_a_page_alone(self):
        (self.folder / "a_report.html").write_text("<p>a</p>")
        (self.folder / "b_report.html").write_text("<p>b</p>")
        server = self.serve("a_report.html")
        self.assertEqual(server.ask("/reports/a/")[2], b"<p>a</p>")
        self.assertEqual(server.ask("/reports/b/")[0], 404)
        self.assertEqual(json.loads(server.ask("/api/library")[2])["upload_limit_bytes"], 0)
        self.assertEqual(server.ask("/api/logs?name=x", "POST", body=b"x")[0], 403)

    def test_a_connection_is_used_again(self):
        server = self.serve()
        with server.connect() as connection:
            for _ in range(3):
                connection.sendall(f"GET /{server.token}/api/library HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                data = b""
                while b'"jobs":[]}' not in data:
                    data += connection.recv(65536)
                self.assertTrue(data.startswith(b"HTTP/1.1 200"))


class Timelines(ServeCase):
    def capture(self):
        self.check(0, "-o", self.folder / "run", "--rows", 4000, program="ttscope-gen-device-log")
        return self.folder / "run"

    def test_the_page_of_a_timeline_asks_for_windows(self):
        server = self.serve("--timeline", self.capture())
        self.assertEqual(server.path, "timeline/")
        self.assertEqual(server.ask("/timeline")[1]["location"], f"/{server.token}/timeline/")
        status, headers, body = server.ask("/timeline/")
        self.assertEqual(status, 200)
        self.assertIn("connect-src 'self'", headers["content-security-policy"])
        self.assertIn("script-src 'sha256-", headers["content-security-policy"])
        self.assertNotIn(b'id="z.start"', body, "zones are sent by windows")
        status, _, body = server.ask("/timeline/window?from=0&to=100000000&pixels=1000&tracks=0-3")
        self.assertEqual(status, 200, body)
        window = json.loads(body)
        self.assertEqual(window["format"], "ttscope.timeline_window/1")
        self.assertGreater(window["columns"]["z.id"]["count"], 0)
        self.assertEqual(sum(map(sum, window["rows"])), window["columns"]["z.id"]["count"])
        sums = json.loads(server.ask("/timeline/sums?from=0&to=100000000&tracks=0-3")[2])
        self.assertEqual(sums, sorted(sums, key=lambda one: -one["total"]))
        hit = json.loads(server.ask("/timeline/hit?find=brisc-kernel&behind=-1")[2])
        self.assertGreater(hit["hits"], 0)
        self.assertEqual(hit["zone"]["rank"], 1)

    def test_a_timeline_was_of_one_path_only(self):
        log = self.folder / "a,b.log"
        log.write_text("2026-11-18T09:00:05.5Z                  Always |     INFO | Device DRAM memory state: MemoryView{numBanks: 12, "
                       "totalBytesPerBank: 1000.000 MB, totalBytesAllocatedPerBank: 10.000 MB, totalBytesFreePerBank: 990.000 MB, "
                       "largestContiguousBytesFreePerBank: 990.000 MB}\n")
        server = self.serve("--timeline", self.capture(), "--timeline", log)
        body = server.ask("/timeline/")[2]
        self.assertIn(b"DRAM allocated", body)
        self.assertIn(b"profile_log_device.csv", body)

    def test_a_timeline_refuses_what_it_does_not_know(self):
        server = self.serve("--timeline", self.capture())
        for target, expected in (("window", 400), ("window?from=0&to=1&pixels=0&tracks=0", 400), ("window?from=5&to=1&pixels=1", 400),
                                 ("window?from=0&to=1&pixels=1&tracks=0-99999999", 400), ("sums?from=0", 400), ("nothing", 404), ("window/more", 404),
                                 ("%2e%2e/window", 400)):
            self.assertEqual(server.ask(f"/timeline/{target}")[0], expected, target)
        self.assertEqual(server.ask(f"/{'0' * 32}/timeline/window?from=0&to=1&pixels=1", raw=True)[0], 404)
        self.assertEqual(server.ask("/timeline/window?from=0&to=1&pixels=1", "POST", headers={"Content-Length": "0"})[0], 405)
        self.assertEqual(server.ask("/timeline/", headers={"Host": "evil.example"})[0], 421)
        self.assertEqual(self.serve().ask("/timeline/")[0], 404, "none is served")


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


class Uploads(ServeCase):
    def version(self, server):
        return json.loads(server.ask("/api/library")[2])["version"]

    def test_an_uploaded_log_appears(self):
        server = self.serve()
        body = self.log().read_bytes()
        version = self.version(server)
        status, _, answer = server.ask("/api/logs?name=my_model_profile.log", "POST", body=body)
        self.assertEqual(status, 202, answer)
        self.assertEqual(json.loads(answer)["job"]["name"], "my_model_profile.log")
        # Long polling: each answer comes when something has changed.
        library = {"version": version, "reports": []}
        while not library["reports"]:
            begin = time.monotonic()
            library = json.loads(server.ask(f"/api/changes?after={library['version']}")[2])
            self.assertLess(time.monotonic() - begin, 20, "nothing changed")
        self.assertEqual(library["reports"][0]["id"], "my-model")
        self.assertEqual(library["jobs"][0]["state"], "done")
        self.assertEqual([entry.name for entry in self.library.iterdir()], ["my-model"], "the log itself is not kept")
        server.ask("/api/logs?name=my_model_profile.log", "POST", body=body)
        self.wait_until(lambda: (self.library / "my-model-2").is_dir(), "a second report: nothing is overwritten")

    def test_a_log_added_to_the_folder_appears(self):
        served = self.folder / "served"
        served.mkdir()
        server = self.serve(served)
        (served / "new.log").write_bytes(self.log().read_bytes())
        reports = self.wait_until(lambda: json.loads(server.ask("/api/library")[2])["reports"], "the report")
        self.assertEqual(reports[0]["id"], "new")
        self.assertTrue((served / "new" / "new_memory.json").is_file())

    def test_a_capture_added_to_the_folder_appears_and_other_files_do_not(self):
        served = self.folder / "served"
        served.mkdir()
        server = self.serve(served)
        (served / "package.json").write_text('{"name": "x"}')
        (served / "notes.txt").write_text("Out of memory? No.\n")
        (served / "capture.json").write_bytes((SOURCE / "examples" / "sample_graph.json").read_bytes())
        reports = self.wait_until(lambda: json.loads(server.ask("/api/library")[2])["reports"], "the report")
        self.assertEqual([report["id"] for report in reports], ["capture"])
        self.assertEqual([job["name"] for job in json.loads(server.ask("/api/library")[2])["jobs"]], ["capture.json"])
        self.assertTrue((served / "capture" / "capture_report.html").is_file())

    def test_a_log_on_the_command_line_is_profiled(self):
        server = self.serve(self.log("given.log"))
        self.wait_until(lambda: json.loads(server.ask("/api/library")[2])["reports"], "the report")
        self.assertTrue((self.library / "given").is_dir())

    def test_inputs_of_every_subject_become_pages(self):
        examples = SOURCE / "examples"
        server = self.serve(examples / "sample_graph.json")
        for name, body in (("train.log", (examples / "training" / "phases.log").read_bytes()),
                           ("ops.csv", b"OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
                                       b"Add,tt_dnn_device,1,0,1500,1000\n")):
            self.assertEqual(server.ask(f"/api/logs?name={name}", "POST", body=body)[0], 202)
        reports = self.wait_until(lambda: len(found := json.loads(server.ask("/api/library")[2])["reports"]) == 3 and found,
                                  "three reports")
        self.assertEqual(sorted(report["id"] for report in reports), ["ops", "sample-graph", "train"])
        for report in reports:
            status, headers, page = server.ask(f"/reports/{report['id']}/")
            self.assertEqual(status, 200)
            self.assertIn(b"<!doctype html>", page[:100].lower())
        self.assertEqual(sorted(path.name for path in (self.library / "train").iterdir()), ["source.json", "train_report.html"])

    def test_a_log_without_anything_in_it_says_why(self):
        server = self.serve()
        server.ask("/api/logs?name=x.log", "POST", body=b"nothing useful\n" * 10)
        job = self.wait_until(lambda: [job for job in json.loads(server.ask("/api/library")[2])["jobs"]
                                       if job["state"] == "failed"], "the failure")[0]
        self.assertIn("neither op lines nor memory lines", job["message"])
        self.assertEqual(list(self.library.iterdir()), [])

    def test_limits(self):
        server = self.serve("--max-upload", "1000")
        self.assertEqual(json.loads(server.ask("/api/library")[2])["upload_limit_bytes"], 1000)
        self.assertEqual(server.ask("/api/logs?name=x", "POST", body=b"a" * 1001)[0], 413)
        self.assertEqual(server.ask("/api/logs?name=x", "POST", headers={"Content-Length": str(10**15)})[0], 413)
        self.assertEqual(server.ask("/api/logs?name=x", "POST", headers={"Content-Length": "-1"})[0], 400)
        self.assertEqual(server.ask("/api/logs?name=x", "POST", headers={"Transfer-Encoding": "chunked"})[0], 411)
        self.assertEqual(server.ask("/api/logs", "POST", body=b"x")[0], 400)
        self.assertEqual(server.ask("/", "POST", body=b"x")[0], 405)
        self.assertEqual(server.ask("/api/library", "GET", body=b"x")[0], 400)
        self.assertEqual(server.ask(f"/{'0' * 32}/api/logs?name=x", "POST", body=b"x", raw=True)[0], 404)
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
            self.assertEqual(server.ask("/api/logs?name=x", "POST", headers={"Origin": origin}, body=b"x")[0], 403, origin)
        self.assertEqual(list(self.library.iterdir()), [])
        off = self.serve("--max-upload", "0")
        self.assertEqual(off.ask("/api/logs?name=x", "POST", body=b"x")[0], 403)

    def test_a_cut_upload_leaves_nothing(self):
        server = self.serve()
        with server.connect() as connection:
            connection.sendall(f"POST /{server.token}/api/logs?name=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc".encode())
            self.wait_until(lambda: list(self.library.iterdir()), "the upload to begin")
        self.wait_until(lambda: not list(self.library.iterdir()), "the upload to be forgotten")
        with server.connect() as connection:
            connection.sendall(f"POST /{server.token}/api/logs?name=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc".encode())
            self.wait_until(lambda: list(self.library.iterdir()), "the upload to begin")
            self.assertLess(server.stop()[0], 2)
        self.assertEqual(list(self.library.iterdir()), [])

    def test_hostile_names(self):
        server = self.serve()
        body = self.log().read_bytes()
        for name in ("..%2f..%2fevil.log", "%2fetc%2fpasswd", "%00", "a%0ab.log", "%1b%5b2J.log", "." * 300, "%ff%fe.log", "--analyze"):
            self.assertEqual(server.ask(f"/api/logs?name={name}", "POST", body=body)[0], 202, name)
            self.wait_until(lambda: all(job["state"] in ("done", "failed") for job in json.loads(server.ask("/api/library")[2])["jobs"]), "the job")
        library = json.loads(server.ask("/api/library")[2])
        self.assertEqual({job["state"] for job in library["jobs"]}, {"done"}, library["jobs"])
        self.assertEqual(len(library["reports"]), 8)
        self.assertFalse((self.folder / "evil").exists())


class StartAndEnd(ServeCase):
    def test_it_ends_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            server = self.serve()
            seconds, code, errors = server.stop(number)
            self.assertEqual(code, 0, errors)
            self.assertLess(seconds, 1)
            self.assertIn("Server stopped.", errors)

    def test_it_ends_while_a_log_is_profiled(self):
        large = self.folder / "large.log"
        with open(large, "w", encoding="utf-8") as out:
            for _ in range(150):
                out.write(log.text(*(log.program() for _ in range(100))))
        server = self.serve(large)
        self.wait_until(lambda: "running" in server.ask("/api/library")[2].decode(), "the job")
        self.assertLess(server.stop()[0], 2)
        self.assertEqual([entry.name for entry in self.library.iterdir() if entry.name.startswith(".")], [])

    def test_the_next_port_when_one_is_taken(self):
        first = self.serve("--port", "0")
        second = self.serve("--port", f"{first.port}+")
        self.assertGreater(second.port, first.port)
        self.assertEqual(second.ask("/")[0], 200)
        taken = self.check(1, "serve", "--port", first.port)
        self.assertIn(f"port {first.port}", taken.stderr)
        self.assertIn("in use", taken.stderr)
        port = first.port
        first.stop()
        self.assertEqual(self.serve("--port", port).port, port, "a port can be had again at once")

    def test_the_usual_port(self):
        self.assertIn(self.serve().port, range(8000, 8100))

    def test_a_host_for_others_comes_with_a_warning(self):
        server = self.serve("--host", "0.0.0.0", "--port", "0")
        self.assertEqual(server.ask("/", headers={"Host": "10.1.2.3"})[0], 200)
        self.assertEqual(server.ask("/", headers={"Host": "evil.example"})[0], 421)
        self.assertIn("warning", server.stop()[2])

    def test_open_starts_the_browser_without_a_shell(self):
        browser = self.folder / "my browser"
        browser.write_text(f"#!/bin/sh\necho \"$#:$1\" > '{self.folder}/asked'\n")
        browser.chmod(0o755)
        server = self.serve("--open", env={"BROWSER": str(browser)})
        asked = self.wait_until(lambda: (self.folder / "asked").exists() and (self.folder / "asked").read_text(), "the browser")
        self.assertEqual(asked, f"1:http://127.0.0.1:{server.port}/{server.token}/\n")
        without = self.serve("--open")
        self.assertIn("no browser", without.stop()[2])

    def test_wrong_usage(self):
        for args in (("--port", "x"), ("--port", "70000"), ("--port", "-1"), ("--max-upload", "10%"), ("--max-upload", "x"), ("--host", "")):
            self.check(2, "serve", *args)
        self.check(1, "serve", "missing")
        (self.folder / "ops.xlsx").write_bytes(b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml")
        self.assertIn("this is a spreadsheet; save the table as CSV first", self.check(1, "serve", "ops.xlsx").stderr)
        self.check(1, "serve", "--host", "256.1.1.1")
        (self.folder / "empty.log").touch()
        self.check(1, "serve", "empty.log")


class OfTtmem(ServeCase):
    def test_list(self):
        self.assertIn("No reports in", self.check(0, "list", program="ttmem").stdout)
        old = self.report("older-run")
        self.report("newest")
        for file in old.iterdir():
            os.utime(file, (1e9, 1e9))
        lines = self.check(0, "list", program="ttmem").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["NAME", "newest", "older-run"])
        self.assertIn("2001-09-0", lines[2])
        self.assertRegex(lines[1], r"B +\d+%")
        library = json.loads(self.check(0, "list", "--json", program="ttmem").stdout)
        self.assertEqual([report["id"] for report in library["reports"]], ["newest", "older-run"])

    def test_serve_a_report_by_its_name(self):
        self.report("bert")
        server = self.serve("bert", program="ttmem")
        self.assertEqual(server.path, "reports/bert/")
        self.assertEqual(self.serve(program="ttmem").path, "")
        missing = self.check(1, "serve", "bort", program="ttmem")
        self.assertIn("did you mean bert?", missing.stderr)


if __name__ == "__main__":
    unittest.main()
