"""The names that people already type: ttmem and tt-memory-profiler."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402
from cli_case import CliTest  # noqa: E402
from program_case import FAILED, NOTHING, OK, USAGE  # noqa: E402


class OldNames(CliTest):
    def reports(self):
        return self.home / ".ttmem/reports"

    def test_llm_report_alone_on_standard_output(self):
        done = self.check(OK, "--llm", "--logfile", self.usual_log("my_model_profile.log"), program="ttmem")
        self.assertTrue(done.stdout.startswith("# Memory Profile: `my-model`\n"))
        self.assertTrue(done.stdout.endswith("\n") and not done.stdout.endswith("\n\n"))
        self.assertEqual(done.stderr, "")
        names = {p.name for p in (self.reports() / "my-model").iterdir()}
        self.assertLessEqual({f"my-model_{kind}.json" for kind in ("memory", "operations", "inputs_registry", "ir")}, names)

    def test_llm_report_into_a_file(self):
        run = self.usual_log()
        for option in ("-o", "--output-file"):
            done = self.check(OK, "--llm", "--logfile", run, option, "report.md", program="ttmem")
            self.assertEqual(done.stdout, "")
            self.assertIn("report.md", done.stderr)
            self.assertEqual((self.folder / "report.md").read_text(),
                             self.check(OK, "mem", run, "--llm", "-").stdout)

    def test_complaints_of_llm(self):
        self.file("empty.log")
        for args, code, text in ((["--llm"], USAGE, "Error: --llm requires --logfile"),
                                 (["--llm", "--logfile", ""], USAGE, "Error: --llm requires --logfile"),
                                 (["--llm", "--logfile", "no.log"], FAILED, "Error: File not found: no.log"),
                                 (["--llm", "--logfile", "home"], FAILED, "Error: Not a file: home"),
                                 (["--llm", "--logfile", "empty.log"], NOTHING, "Error: File is empty: empty.log"),
                                 ([], USAGE, "ttmem: the guided flow needs a terminal")):
            done = self.check(code, *args, program="ttmem")
            self.assertTrue(done.stderr.startswith(text), done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(self.reports().exists())

    def test_report_folder(self):
        run = self.usual_log("vit_profile.log")
        for args, program in ((["--analyze", run], "tt-memory-profiler"), ([run], "ttmem")):
            shown = self.check(OK, *args, program=program).stdout
            self.assertIn(str(self.reports() / "vit"), shown)
            self.assertIn("Peak memory", shown)
        self.assertEqual([p.name for p in self.reports().iterdir()], ["vit"])
        self.assertEqual(sorted(p.name for p in (self.reports() / "vit").iterdir()),
                         ["source.json", "vit_inputs_registry.json", "vit_ir.json", "vit_memory.json",
                          "vit_operations.json", "vit_report.html", "vit_report.md"])

    def test_places(self):
        run = self.usual_log()
        self.check(OK, "--analyze", run, program="tt-memory-profiler", env={"TTMEM_HOME": str(self.folder / "own")})
        self.assertTrue((self.folder / "own/reports/run/run_ir.json").exists())
        self.check(OK, "--analyze", run, "--output-dir", "deep/er", program="tt-memory-profiler")
        self.assertTrue((self.folder / "deep/er/run/run_report.md").exists())
        self.assertFalse(self.reports().exists())

    def test_same_log_replaces_its_report_another_gets_a_number(self):
        first, second = self.usual_log("a/my_run.log"), self.usual_log("b/my-run.log")
        for _ in range(2):
            for path in (first, second):
                self.check(OK, "--analyze", path, program="tt-memory-profiler")
        self.assertEqual(sorted(p.name for p in self.reports().iterdir()), ["my-run", "my-run-2"])
        self.assertTrue((self.reports() / "my-run-2/my-run-2_memory.json").exists())
        self.assertIn(str(second.resolve()), (self.reports() / "my-run-2/source.json").read_text())
        self.file("a/my_run.log", log.program(ops=("sigmoid",)))
        self.check(OK, "--analyze", first, program="tt-memory-profiler")
        self.assertIn("sigmoid", (self.reports() / "my-run/my-run_operations.json").read_text())
        self.assertEqual(len(list(self.reports().iterdir())), 2)

    def test_folders_of_others_are_left_alone(self):
        (self.reports() / "run").mkdir(parents=True)
        mine = self.reports() / "run/precious.txt"
        mine.write_text("mine")
        self.check(OK, "--analyze", self.usual_log(), program="tt-memory-profiler")
        self.assertEqual(mine.read_text(), "mine")
        self.assertTrue((self.reports() / "run-2/run-2_ir.json").exists())

    def test_a_failure_leaves_nothing(self):
        other = self.file("other.log", "nothing of interest")
        self.check(NOTHING, "--analyze", other, program="tt-memory-profiler")
        self.check(FAILED, "--analyze", "no.log", "--output-dir", "out", program="tt-memory-profiler")
        blocked = self.file("blocked", "a file, not a folder")
        self.check(FAILED, "--analyze", self.usual_log(), "--output-dir", blocked / "sub", program="tt-memory-profiler")
        self.assertFalse((self.home / ".ttmem").exists())
        self.assertFalse((self.folder / "out").exists())

    def test_no_place_for_the_report_is_said(self):
        done = self.check(FAILED, "--llm", "--logfile", self.usual_log(), program="ttmem", env={"HOME": ""})
        self.assertIn("HOME", done.stderr)
        self.assertTrue(done.stdout.startswith("# Memory Profile"))

    def test_hostile_names_stay_in_the_library(self):
        for name in ("..log", "....log", "a\nb.log", "-.log"):
            self.check(OK, "--analyze", self.usual_log("logs/" + name), program="tt-memory-profiler")
        self.assertEqual(sorted(p.name for p in self.home.iterdir()), [".ttmem"])
        self.assertEqual(sorted(p.name for p in (self.home / ".ttmem").iterdir()), ["reports"])
        self.assertEqual(len(list(self.reports().iterdir())), 4)


if __name__ == "__main__":
    unittest.main(verbosity=1)
