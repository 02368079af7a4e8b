#!/usr/bin/env python3
"""`ttmem delete` and `ttmem prune`: only reports go, only when it was said so."""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from cli_case import CliTest  # noqa: E402
from program_case import BUILD, FAILED, OK, USAGE  # noqa: E402

DAY = 86400


class Library(CliTest):
    def setUp(self):
        super().setUp()
        self.library = self.home / ".ttmem" / "reports"

    def report(self, name, age_days=0):
        log = self.usual_log(f"{name}.log")
        self.check(OK, log, program="ttmem")
        for file in (self.library / name).iterdir():
            moment = time.time() - age_days * DAY
            os.utime(file, (moment, moment))
        return self.library / name

    def names(self):
        return sorted(path.name for path in self.library.iterdir())

    def ttmem(self, code, *args):
        return self.check(code, *args, program="ttmem")

    def test_a_report_is_deleted_by_name(self):
        self.report("one")
        self.report("two")
        self.assertIn("Deleted one.", self.ttmem(OK, "delete", "one", "--yes").stderr)
        self.assertEqual(self.names(), ["two"])
        self.assertTrue((self.folder / "one.log").exists())

    def test_the_list_tells_outcome_and_fit(self):
        self.report("one")
        head, row = self.ttmem(OK, "list").stdout.splitlines()
        self.assertIn("OUTCOME        FIT", head)
        self.assertRegex(row, r"^one .* (finished|unknown) +(yes|unknown) ")

    def test_a_peak_that_nothing_tells_is_not_zero(self):
        message = ("TT_THROW: Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to "
                   "2239776 B which is beyond max L1 size of 1499136 B")
        self.check(OK, self.file("excerpt.log", message), program="ttmem")
        report = json.loads(self.ttmem(OK, "list", "--json").stdout)["reports"][0]
        self.assertEqual((report["dram"], report["l1"], report["outcome"]), (None, None, "out_of_memory"))
        self.assertNotIn("0 B", self.ttmem(OK, "list").stdout)

    def test_nothing_goes_without_a_yes(self):
        self.report("one")
        self.assertIn("--yes", self.ttmem(USAGE, "delete", "one").stderr)
        self.assertIn("--yes", self.ttmem(USAGE, "prune", "--keep", "0").stderr)
        self.ttmem(USAGE, "prune", "--yes")
        self.ttmem(USAGE, "prune", "--older-than", "soon", "--yes")
        self.ttmem(USAGE, "prune", "--keep", "-1", "--yes")
        self.ttmem(USAGE, "delete", "--yes")
        self.assertEqual(self.names(), ["one"])

    def test_an_unknown_name_deletes_nothing(self):
        self.report("one")
        self.report("two")
        self.assertIn("did you mean one?", self.ttmem(FAILED, "delete", "two", "onr", "--yes").stderr)
        for name in ("..", ".", "/", "../reports/one", ""):
            self.ttmem(FAILED, "delete", name, "--yes")
        self.assertEqual(self.names(), ["one", "two"])

    def test_files_of_others_and_unknown_folders_stay(self):
        folder = self.report("one")
        (folder / "notes.txt").write_text("mine")
        (self.library / "own").mkdir()
        (self.library / "own" / "thesis.txt").write_text("mine")
        done = self.ttmem(OK, "prune", "--keep", "0", "--yes")
        self.assertIn("holds other files", done.stderr)
        self.assertEqual(self.names(), ["one", "own"])
        self.assertEqual([path.name for path in folder.iterdir() if path.suffix != ".json"], ["notes.txt"])

    def test_prune_keeps_the_newest_and_the_young(self):
        for name, age in (("a", 0), ("b", 10), ("c", 20), ("d", 40)):
            self.report(name, age)
        self.assertIn("Nothing to delete", self.ttmem(OK, "prune", "--older-than", "60d", "--yes").stderr)
        self.ttmem(OK, "prune", "--older-than", "15d", "--keep", "3", "--yes")
        self.assertEqual(self.names(), ["a", "b", "c"])
        self.ttmem(OK, "prune", "--older-than", "360h", "--yes")
        self.assertEqual(self.names(), ["a", "b"])
        self.ttmem(OK, "prune", "--keep", "1", "-y")
        self.assertEqual(self.names(), ["a"])

    def test_a_folder_of_several_users_gets_whole_reports(self):
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        (shared / "other").symlink_to(self.folder)
        for _ in range(2):  # the second report of a log replaces the first one
            for name in ("run", "other"):
                log = self.usual_log(f"{name}.log")
                self.check(OK, "--analyze", log, "--output-dir", shared, program="tt-memory-profiler")
            self.assertEqual(sorted(os.listdir(shared)), ["other", "other-2", "run"])
        self.assertTrue((shared / "other-2" / "other-2_report.html").is_file())
        self.assertEqual((shared / "run").stat().st_mode & 0o777, 0o755)
        self.assertTrue((shared / "run" / "source.json").is_file())

    def test_a_report_that_fails_leaves_nothing_in_a_folder_of_several_users(self):
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        limits = f"ulimit -f 8; trap '' XFSZ; exec '{BUILD}/tt-memory-profiler' --analyze '{self.usual_log('run.log')}' --output-dir '{shared}'"
        done = subprocess.run(["bash", "-c", limits], cwd=self.folder, env=dict(os.environ, HOME=str(self.home)), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, FAILED, done.stderr)
        self.assertIn(f"{shared}/run/", done.stderr)
        self.assertEqual(os.listdir(shared), [])


if __name__ == "__main__":
    unittest.main()
