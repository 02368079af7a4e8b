#!/usr/bin/env python3
"""`ttscope serve` in real processes: what it answers, its start and its end."""
import json
import os
import signal
import time
import unittest

import log_text as log
from serve_case import ServeCase


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
        page = server.page(made[0]["id"])
        self.assertEqual(page[0], 200)
        self.assertIn(b'id="ttscope-diff"', page[2])
        self.assertIn(b"DRAM peak +", page[2])
        self.assertNotIn(b"ttscope-serve-", page[2])

    def test_a_library_at_a_relative_path_can_compare_its_reports(self):
        served = self.folder / "served"
        served.mkdir()
        for name, layers in (("old", 2), ("new", 3)):
            self.check(0, "-o", served / f"{name}.log", "--compact", "--layers", layers, program="ttscope-gen-log")
            self.check(0, "--analyze", f"served/{name}.log", "--output-dir", "served", program="tt-memory-profiler")
            for path in (served / name).glob("*_memory.json"):
                path.unlink()  # what is left is the log beside it
        server = self.serve("served")

        def reports():
            return {report["id"]: report["comparable"] for report in json.loads(server.ask("/api/library")[2])["reports"]}

        self.assertEqual(reports(), {"old": True, "new": True})
        server.ask("/api/diffs?before=old&after=new", "POST", headers={"Content-Length": "0"})
        self.wait_until(lambda: len(reports()) == 3, "the comparison")
        (served / "old.log").unlink()
        self.wait_until(lambda: not reports()["old"], "the report without its log to be told as a change")

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
        self.assertEqual(server.page("a")[2], b"<p>a</p>")
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
        self.assertRegex(asked, r"^1:/.*/open\.html\n$")
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
