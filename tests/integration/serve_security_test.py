#!/usr/bin/env python3
"""The promises of docs/security.md that a program can check: one test for each sentence, called like it."""
import json
import os
import pathlib
import resource
import shutil
import stat
import threading
import time
import unittest

import log_text as log
from program_case import HAS_SIMULATOR, SOURCE
from serve_case import ServeCase


def mode_of(path):
    return stat.S_IMODE(path.lstat().st_mode)


class SecurityCase(ServeCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.umask, os.umask(0o022))

    def library_of(self, server):
        return json.loads(server.ask("/api/library")[2])

    def job(self, server, name):
        return next((job for job in self.library_of(server)["jobs"] if job["name"] == name), None)

    def job_in(self, server, name, *states):
        return self.wait_until(lambda: (job := self.job(server, name)) and job["state"] in states and job, f"{name} to be {states}")

    def long_log(self, path):
        """A log that keeps the queue busy for a while."""
        programs = log.text(*(log.program() for _ in range(100)))
        with open(path, "w", encoding="utf-8") as out:
            for _ in range(300):
                out.write(programs)
        return path

    def secret(self):
        path = self.folder / "elsewhere" / "secret.log"
        path.parent.mkdir()
        path.write_text(log.text(log.module(), log.program()))
        return path

    def swap_for_link(self, path, target):
        link = path.with_name("link")
        link.symlink_to(target)
        os.replace(link, path)

    def check_private(self, folder):
        for path in [folder, *folder.rglob("*")]:
            self.assertEqual(mode_of(path), 0o700 if path.is_dir() else 0o600, path)


class OtherUsers(SecurityCase):
    def test_without_the_token_of_its_address_the_server_tells_nothing(self):
        self.report()
        server = self.serve()
        answers = set()
        for path in ("/", "/api/library", "/reports/run/", "/reports/run/run_memory.json", "/nothing"):
            for start in ("", "/" + "0" * 32, "/" + server.token[:-1], "/" + server.token + "0"):
                status, _, body = server.ask(start + path, raw=True)
                self.assertEqual(status, 404, start + path)
                answers.add(body)
        self.assertEqual(len(answers), 1, "the answers tell what there is")
        self.assertNotIn(server.token.encode(), answers.pop())

    def test_only_this_machine_is_listened_to(self):
        server = self.serve()
        with open("/proc/net/tcp", encoding="ascii") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        self.assertEqual([one for one in listening if one.endswith(f":{server.port:04X}")], [f"0100007F:{server.port:04X}"])

    def browser(self, text):
        browser = self.folder / "my browser"
        browser.write_text(f"#!/bin/sh\n{text}\n")
        browser.chmod(0o755)
        return {"BROWSER": str(browser)}

    def test_no_argument_of_a_process_holds_the_token(self):
        server = self.serve("--open", env=self.browser(f"echo \"$1\" > '{self.folder}/asked'; umask > '{self.folder}/mask'; exec sleep 60"))
        mask = self.folder / "mask"
        self.wait_until(lambda: mask.exists() and mask.read_text(), "the browser")
        page = pathlib.Path((self.folder / "asked").read_text().strip())
        self.assertIn(f"url=http://127.0.0.1:{server.port}/{server.token}/\"", page.read_text())
        self.assertEqual((mode_of(page), mode_of(page.parent)), (0o600, 0o700))
        self.assertEqual(mask.read_text().strip(), "0022", "the browser has the umask of its user")
        for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                self.assertNotIn(server.token.encode(), command.read_bytes(), command)
            except OSError:
                continue
        server.stop()
        self.assertFalse(page.parent.exists(), "the page is removed at the end")

    def test_the_browser_that_was_started_is_waited_for(self):
        server = self.serve("--open", env=self.browser(f"touch '{self.folder}/asked'"))
        self.wait_until((self.folder / "asked").exists, "the browser")

        def children():
            found = []
            for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
                found += (task / "children").read_text().split()
            return found

        self.wait_until(lambda: not children(), "the end of the browser, and nothing left of it", seconds=10)

    def test_connections_without_the_token_do_not_shut_out_those_with_it(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
        if hard < 2048:
            self.skipTest("too few descriptors are allowed here")
        server = self.serve()
        owner = server.connect()
        self.addCleanup(owner.close)
        request = f"GET /{server.token}/api/library HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        owner.sendall(request)
        self.assertTrue(owner.recv(65536).startswith(b"HTTP/1.1 200"))
        held = []
        for number in range(1300):
            held.append(server.connect())
            self.addCleanup(held[-1].close)
            if number % 2:
                held[-1].sendall(b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(3):
            self.assertEqual(server.ask("/api/library")[0], 200, "the owner comes in")
        owner.sendall(request)
        self.assertTrue(owner.recv(65536).startswith(b"HTTP/1.1 200"), "and the owner's connections stay")

    def test_what_is_below_ttmem_is_for_its_user_alone(self):
        ttmem = self.home / ".ttmem"
        ttmem.mkdir()
        ttmem.chmod(0o755)  # as earlier versions made it
        self.report()
        self.check(0, self.log("other.log"), program="ttmem")
        self.assertTrue((self.library / "other").is_dir())
        self.check_private(ttmem)
        fresh = self.folder / "fresh"
        self.check(0, "list", program="ttmem", env={"TTMEM_HOME": str(fresh)})
        self.check_private(fresh)

    def test_folders_logs_and_reports_of_run_are_for_their_user_alone(self):
        source = self.log()
        done = self.check(0, "run", "--name", "m", "--", "sh", "-c", f"cat '{source}'; umask")
        self.assertIn("0022", done.stdout + done.stderr, "the program has the umask of its user")
        folder, = (self.folder / "logs").iterdir()
        self.assertTrue((folder / "m_report.html").is_file())
        self.check_private(folder)
        self.check_private(self.home / ".ttmem")

    def test_uploads_and_reports_of_serve_are_for_their_user_alone(self):
        served = self.folder / "served"
        served.mkdir()
        server = self.serve(served)
        with server.connect() as connection:
            connection.sendall(f"POST /{server.token}/api/logs?name=x.log HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc".encode())
            upload, = self.wait_until(lambda: list(served.rglob("*/x.log")), "the upload to begin")
            self.check_private(upload.parent)
        self.assertEqual(server.ask("/api/logs?name=run.log", "POST", body=self.log().read_bytes())[0], 202)
        (served / "capture.json").write_bytes((SOURCE / "examples" / "sample_graph.json").read_bytes())
        for name in ("run.log", "capture.json"):
            self.job_in(server, name, "done")
            self.check_private(served / name.split(".")[0])

    def test_files_that_the_user_names_follow_the_umask(self):
        source = self.log()
        for mask, file_mode, folder_mode in ((0o022, 0o644, 0o755), (0o027, 0o640, 0o750), (0o077, 0o600, 0o700)):
            os.umask(mask)
            out = self.folder / f"out{mask:o}"
            self.check(0, "mem", source, "--json", f"{out}.json", "--html", f"{out}.html")
            self.check(0, "--analyze", source, "--output-dir", out, program="tt-memory-profiler")
            self.assertEqual([mode_of(pathlib.Path(f"{out}{end}")) for end in (".json", ".html")], [file_mode] * 2)
            for path in [out, *out.rglob("*")]:
                self.assertEqual(mode_of(path), folder_mode if path.is_dir() else file_mode, path)

    def check_trace_output(self, folder, is_followed):
        def trace(out, **options):
            shutil.rmtree(folder / "target")
            (folder / "target").mkdir()
            done = self.run_program("trace", "-o", out, "--", "/bin/true", **options)
            self.assertEqual("symbolic link in a folder that everybody can write to" in done.stderr, not is_followed, done.stderr)
            self.assertEqual(bool(list((folder / "target").iterdir())), is_followed)

        trace(folder / "dir")
        trace(folder / "dir", env={"PMI_RANK": "1"})
        (folder / ".logs").symlink_to(folder / "target")
        trace(folder)

    def test_an_output_path_that_is_a_symbolic_link_or_a_pipe_of_another_user_in_a_folder_of_everybody_is_not_followed(self):
        source = self.log()
        everybody = self.folder / "everybody"
        own = self.folder / "own"
        for folder, mode in ((everybody, 0o1777), (own, 0o755)):
            folder.mkdir()
            folder.chmod(mode)
            (folder / "target").mkdir()
        victim = self.folder / "victim"
        for folder, code in ((everybody, 1), (own, 0)):
            victim.write_text("as it was")
            (folder / "out").symlink_to(victim)
            (folder / "chain").symlink_to(folder / "out")
            (folder / "dir").symlink_to(folder / "target")
            for path in (folder / "chain", folder / "out"):
                done = self.check(code, "mem", source, "--json", path)
                self.assertEqual(victim.read_text() == "as it was", code == 1)
                self.assertEqual("symbolic link in a folder that everybody can write to" in done.stderr, code == 1, done.stderr)
            self.check(code, "--analyze", source, "--output-dir", f"{folder}/dir/", program="tt-memory-profiler")
            self.assertEqual(bool(list((folder / "target").iterdir())), code == 0)
            if HAS_SIMULATOR:
                self.check_trace_output(folder, is_followed=code == 0)
        self.check_pipes_and_files_of_another_user(source, everybody, own)

    def check_pipes_and_files_of_another_user(self, source, everybody, own):
        other = 12345
        for folder, owner, code in ((everybody, other, 1), (everybody, os.geteuid(), 0), (own, other, 0)):
            if owner == other and os.geteuid() != 0:
                continue  # only root can make files of others
            pipe = folder / f"pipe{owner}"
            os.mkfifo(pipe)
            os.chown(pipe, owner, -1)
            pipe.chmod(0o666)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            done = self.check(code, "mem", source, "--llm", pipe)
            self.assertEqual(os.read(reader, 1) == b"", code == 1)
            os.close(reader)
            self.assertEqual("a pipe or a device of another user in a folder that everybody" in done.stderr, code == 1, done.stderr)
            file = folder / f"file{owner}"
            file.write_text("as it was")
            os.chown(file, owner, -1)
            file.chmod(0o666)
            self.check(0, "mem", source, "--llm", file)
            facts = file.stat()
            self.assertEqual(facts.st_uid, os.geteuid() if folder == everybody else owner)
            self.assertEqual(facts.st_mode & 0o002 == 0, code == 1)
        self.check(0, "mem", source, "--json", "/dev/null")
        self.assertIn('"schema"', self.check(0, "mem", source, "--json", "/dev/stdout", "-q").stdout)


class WritersOfAServedFolder(SecurityCase):
    def serve_folder(self):
        served = self.folder / "served"
        served.mkdir()
        return served

    def test_a_symbolic_link_in_a_served_folder_is_neither_listed_nor_opened(self):
        secret = self.secret()
        folder = self.report()
        (self.library / "linked").symlink_to(self.folder / "elsewhere")
        (self.library / "secret.log").symlink_to(secret)
        (self.library / "capture.json").symlink_to(secret)
        (folder / "run_secret_memory.json").symlink_to(secret)
        server = self.serve()
        time.sleep(3)  # a log is taken once it has rested
        library = self.library_of(server)
        self.assertEqual([report["id"] for report in library["reports"]], ["run"])
        self.assertEqual(library["jobs"], [])
        self.swap_for_link(folder / "run_ir.json", secret)
        for path in ("run_ir.json", "run_secret_memory.json"):
            self.assertEqual(server.ask(f"/reports/run/{path}")[0], 404, path)

    def test_a_log_that_becomes_a_link_while_it_waits_is_not_profiled(self):
        secret = self.secret()
        served = self.serve_folder()
        waiting = self.log("served/waiting.log")
        os.utime(waiting, (1e9, 1e9))  # the newest goes first
        self.long_log(served / "first.log")
        server = self.serve(served)
        self.job_in(server, "first.log", "running")
        self.job_in(server, "waiting.log", "waiting")
        self.swap_for_link(waiting, secret)
        self.assertEqual(self.job(server, "waiting.log")["state"], "waiting", "the log before it was too short")
        self.assertIn("it is gone", self.job_in(server, "waiting.log", "done", "failed")["message"])
        self.assertFalse((served / "waiting").exists())

    def test_a_log_that_was_named_and_is_another_file_when_its_turn_comes_is_not_profiled(self):
        secret = self.secret()
        named = self.log("named.log")
        server = self.serve(self.long_log(self.folder / "first.log"), named)
        self.swap_for_link(named, secret)
        self.assertEqual(self.job(server, "named.log")["state"], "waiting", "the log before it was too short")
        self.assertIn("no longer the file", self.job_in(server, "named.log", "done", "failed")["message"])
        self.assertFalse((self.library / "named").exists())

    def test_a_source_that_is_a_link_is_not_compared(self):
        secret = self.secret()
        served = self.serve_folder()
        for name in ("a", "b"):
            source = served / f"{name}.log"
            source.write_text(log.text(log.module(), log.program(), log.program()))
            self.check(0, "--analyze", source, "--output-dir", served, program="tt-memory-profiler")
            for path in (served / name).glob("*_memory.json"):
                path.unlink()
        self.swap_for_link(served / "b.log", secret)
        server = self.serve(served)
        comparable = {report["id"]: report["comparable"] for report in self.library_of(server)["reports"]}
        self.assertEqual(comparable, {"a": True, "b": False})
        self.assertEqual(server.ask("/api/diffs?before=a&after=b", "POST", headers={"Content-Length": "0"})[0], 409)

    def test_upload_folders_that_a_server_left_behind_are_removed_at_the_next_start(self):
        self.library.mkdir(parents=True)
        stale = self.library / ".upload-AbC123"
        stale.mkdir()
        (stale / "large.log").write_text("x" * 1000)
        other = self.library / ".upload-of-mine"
        other.mkdir()
        (self.library / ".upload-linked").symlink_to(self.secret().parent)
        first = self.serve()
        self.assertFalse(stale.exists())
        self.assertTrue(other.exists(), "only what is called like an upload")
        self.assertTrue((self.folder / "elsewhere" / "secret.log").exists())
        with first.connect() as connection:
            connection.sendall(f"POST /{first.token}/api/logs?name=x.log HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc".encode())
            upload, = self.wait_until(lambda: list(self.library.glob(".upload-*/x.log")), "the upload to begin")
            self.serve()
            self.assertTrue(upload.exists(), "a server still holds it")

    def replace_new_folders(self, served, target, ended):
        """Puts a link to `target` in the place of each hidden folder of a report, as soon as it is there."""
        number = 0
        while not ended.is_set():
            for name in os.listdir(served):
                path = served / name
                try:
                    if not name.startswith(".notes.") or path.is_symlink():
                        continue
                    path.rename(served / f".gone{number}")
                    path.symlink_to(target)
                    number += 1
                except OSError:
                    continue

    def test_a_report_folder_that_is_replaced_while_it_is_written_leads_nowhere_else(self):
        served = self.serve_folder()
        served.chmod(0o777)
        victim = self.folder / "victim"
        victim.mkdir()
        victim.chmod(0o700)
        kept = [victim / name for name in ("source.json", "notes_report.html", "notes_memory.json")]
        for path in kept:
            path.write_text("precious")
        server = self.serve(served)
        ended = threading.Event()
        attacker = threading.Thread(target=self.replace_new_folders, args=(served, victim, ended))
        attacker.start()
        try:
            for name, source in (("notes.log", self.log("big.log")), ("notes.json", SOURCE / "examples" / "sample_graph.json")):
                (served / name).write_bytes(source.read_bytes())
                self.job_in(server, name, "done", "failed")
        finally:
            ended.set()
            attacker.join()
        self.assertTrue(list(served.glob(".gone*")), "no folder was replaced")
        self.assertEqual(sorted(victim.iterdir()), sorted(kept))
        self.assertEqual([path.name for path in kept if path.read_text() != "precious"], [], "overwritten")


class ForeignPages(SecurityCase):
    def test_a_page_of_another_site_can_neither_read_nor_upload_nor_compare(self):
        self.report()
        server = self.serve()
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            self.assertEqual(server.ask("/api/logs?name=x", "POST", headers=headers, body=b"x")[0], 403, headers)
            self.assertEqual(server.ask("/api/diffs?before=run&after=run", "POST", headers={"Content-Length": "0", **headers})[0], 403, headers)
            answer = server.ask("/api/library", headers=headers)[1]
            self.assertNotIn("access-control-allow-origin", answer)
            self.assertEqual(answer["cross-origin-resource-policy"], "same-origin")

    def test_a_name_that_a_foreign_page_makes_point_here_is_refused(self):
        server = self.serve()
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "10.0.0.1"):
            self.assertEqual(server.ask("/", headers={"Host": host})[0], 421, host)

    def test_no_page_of_another_site_can_show_one_of_ours_in_a_frame(self):
        self.report()
        server = self.serve()
        for path in ("/", "/api/library", "/reports/run/", "/reports/run/run_memory.json", "/nothing"):
            headers = server.ask(path)[1]
            self.assertIn("frame-ancestors 'none'", headers["content-security-policy"], path)
            self.assertEqual(headers["x-frame-options"], "DENY", path)
        headers = server.ask(f"/{server.page_token('run')}/", raw=True)[1]
        self.assertIn("frame-ancestors 'self'", headers["content-security-policy"])
        self.assertEqual(headers["x-frame-options"], "SAMEORIGIN")

    def test_a_second_host_content_length_or_origin_header_is_refused(self):
        server = self.serve()
        start = f"POST /{server.token}/api/logs?name=x.log HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        own = f"Origin: http://localhost:{server.port}\r\n"
        for twice in ("Content-Length: 3\r\nContent-Length: 3\r\n", "Content-Length: 3\r\nContent-Length: 30\r\n",
                      f"Content-Length: 3\r\n{own}Origin: http://evil.example\r\n", "Content-Length: 3\r\nHost: localhost\r\n"):
            self.assertEqual(server.send(f"{start}{twice}\r\nabc".encode())[0], 400, twice)
        smuggled = f"GET /{server.token}/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\nabcdefghi"
        self.assertEqual(server.send(smuggled.encode())[0], 400)
        self.assertEqual(self.library_of(server)["jobs"], [])

    def test_a_comparison_that_is_asked_for_with_a_body_is_refused(self):
        self.report("a")
        self.report("b")
        server = self.serve()
        status, _, body = server.ask("/api/diffs?before=a&after=b", "POST", body=b"{}")
        self.assertEqual(status, 400)
        self.assertIn("no body", json.loads(body)["error"])
        self.assertEqual(self.library_of(server)["jobs"], [])

    def test_an_address_leads_to_listed_files_only(self):
        self.report()
        secret = self.secret()
        server = self.serve()
        for path in ("/reports/run/../../../../etc/passwd", "/reports/run/..%2f..%2fsource.json", "/reports/run/source.json", "/reports/%2e%2e/",
                     "/reports/run/%00", f"/reports/run/{secret}", "/reports/run//etc/passwd", "/reports/run/..%5cx", "/reports/", "/.."):
            status, _, body = server.ask(path)
            self.assertIn(status, (400, 404), path)
            self.assertNotIn(b"root:", body)


class HostileReports(SecurityCase):
    def test_the_token_of_a_report_opens_its_page_and_nothing_else(self):
        folder = self.report("one")
        self.report("two")
        server = self.serve()
        first, second = (server.page_token(name) for name in ("one", "two"))
        self.assertEqual(len({first, second, server.token}), 3)
        self.assertEqual(server.ask(f"/{first}/", raw=True)[2], (folder / "one_report.html").read_bytes())
        for path in ("", "/api/library", "/reports/one/", "/reports/two/", "/one_memory.json", "/timeline/"):
            self.assertEqual(server.ask(f"/{first}{path}", raw=True)[0], 404, path)
        self.assertEqual(server.ask(f"/{first}/api/logs?name=x", "POST", body=b"x", raw=True)[0], 405)
        self.assertNotIn(first.encode(), server.ask("/api/library")[2])

    def test_the_page_of_a_report_is_not_opened_in_a_window_of_its_own(self):
        self.report()
        server = self.serve()
        page = f"/{server.page_token('run')}/"
        self.assertEqual(server.ask(page, headers={"Sec-Fetch-Dest": "iframe"}, raw=True)[0], 200)
        for use in ("document", "embed", "object", "script", "empty"):
            self.assertEqual(server.ask(page, headers={"Sec-Fetch-Dest": use}, raw=True)[0], 403, use)

    def test_a_page_among_the_files_of_a_report_is_saved_and_not_shown(self):
        folder = self.report()
        server = self.serve()
        _, headers, body = server.ask("/reports/run/run_report.html")
        self.assertEqual(body, (folder / "run_report.html").read_bytes())
        self.assertEqual(headers["content-disposition"], "attachment")
        self.assertIn("sandbox", headers["content-security-policy"])
        self.assertNotIn("allow-scripts", headers["content-security-policy"])


if __name__ == "__main__":
    unittest.main()
