#!/usr/bin/env python3
"""`ttscope serve` with logs that are sent to it or added to its folder."""
import json
import time
import unittest

from program_case import SOURCE
from serve_case import ServeCase


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
        page = (served / "new" / "new_report.html").read_text()
        self.assertIn('"new.log"', page)
        self.assertNotIn("ttscope-serve-", page, "the folder of the child is nobody's")
        self.assertEqual(json.loads((served / "new" / "source.json").read_text())["log"], str((served / "new.log").resolve()))

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


if __name__ == "__main__":
    unittest.main()
