#!/usr/bin/env python3
"""`ttscope gate`: runs held against budgets files, the forms for CI, and what never passes."""
import json
import os
import pathlib
import sys
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import OK, SOURCE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
FAILED, USAGE, NOT_PASSED = 1, 2, 3
LOG = SOURCE / "examples/sample.log"
OOM = SOURCE / "examples/sample_oom.log"


class Gate(ProgramCase):
    def budget(self, text, name="budgets.toml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def gate(self, code, budget, *runs):
        """The document of a run; JUnit and markdown say the same."""
        import jsonschema
        path = budget if isinstance(budget, pathlib.Path) else self.budget(budget)
        document = json.loads(self.check(code, "gate", *runs, "--budget", path, "--json", "-", "--junit", "gate.xml", "--llm", "gate.md").stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/formats/gate.schema.json").read_text()))
        self.assertEqual(document["passed"], code == OK)
        suite = xml.parse(self.folder / "gate.xml").getroot()
        self.assertEqual(int(suite.get("tests")), len(document["checks"]) + len(document["runs"]))
        outcomes = [check["outcome"] for check in document["checks"]]
        failed_runs = sum(run["failure"] is not None for run in document["runs"])
        self.assertEqual(int(suite.get("failures")), outcomes.count("failed") + failed_runs)
        self.assertEqual(int(suite.get("errors")), outcomes.count("unknown"))
        self.assertEqual((self.folder / "gate.md").read_text().startswith("# ✅"), document["passed"])
        return {check["name"]: check for check in document["checks"]}

    def test_a_log_within_its_budget_passes(self):
        checks = self.gate(OK, '[memory]\ndram_peak = "90%"\nl1_peak_mb = 60\nfits = true\nfailures = 0\npadding = "50%"\n', LOG)
        peak = json.loads(self.check(OK, "mem", LOG, "--json", "-").stdout)["memory"]["DRAM"]
        self.assertEqual(checks["memory.dram_peak"]["value"], peak["peak"]["bytes_total"])
        self.assertAlmostEqual(checks["memory.dram_peak"]["allowed"], 0.9 * peak["capacity_bytes_per_bank"] * peak["banks"], delta=1)

    def test_a_log_over_its_budget_does_not(self):
        checks = self.gate(NOT_PASSED, '[memory]\ndram_peak = "1 MB"\nfits = true\n', LOG)
        self.assertEqual(checks["memory.dram_peak"]["reason"], "over_bound")
        self.assertEqual(checks["memory.fits"]["outcome"], "passed")
        self.assertIn("OVER", self.check(NOT_PASSED, "gate", LOG, "-b", "budgets.toml").stdout)

    def test_a_run_that_failed_never_passes(self):
        checks = self.gate(NOT_PASSED, '[memory]\ndram_peak = "1 TB"\n', OOM)
        self.assertEqual(checks["memory.dram_peak"]["reason"], "run_failed")
        cut = self.folder / "cut.log"
        text = LOG.read_text()
        cut.write_text(text[: text.rfind("Finished execution of program") - 2000] if "Finished execution" in text else text[: len(text) // 2])
        self.assertEqual(self.gate(NOT_PASSED, '[memory]\ndram_peak = "1 TB"\n', cut)["memory.dram_peak"]["reason"], "run_failed")

    def test_a_report_that_is_not_whole_never_passes(self):
        head = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,DEVICE FW START CYCLE,DEVICE FW END CYCLE,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
        rows = [f"Add,tt_dnn_device,{i},0,wormhole_b0,{i * 5000},{i * 5000 + 2000},2000,1900" for i in range(1, 9)]
        budget = '[time]\ndevice = "1 ms"\n'
        path = self.folder / "ops.csv"
        path.write_text(head + "\n".join(rows) + "\n")
        self.gate(OK, budget, path)
        for damaged in ("\n".join(rows)[:-30], "\n".join(rows[:-1] + [rows[-1].replace(",2000,1900", ",,")]) + "\n"):
            path.write_text(head + damaged)
            checks = self.gate(NOT_PASSED, budget, path)
            self.assertEqual(checks["time.device"]["reason"], "run_failed")

    def test_a_baseline_lies_beside_the_budgets_file(self):
        folder = self.folder / "ci"
        folder.mkdir()
        small, large = folder / "main.log", self.folder / "large.log"
        self.check(OK, "-o", small, "--compact", program="ttscope-gen-log")
        self.check(OK, "-o", large, "--compact", "--layers", "3", program="ttscope-gen-log")
        budget = self.budget('baseline = "main.log"\n[memory]\ndram_peak = "+3%"\nl1_peak = "+0 MB"\n', "ci/budgets.toml")
        self.gate(OK, budget, small)
        checks = self.gate(NOT_PASSED, budget, large)
        self.assertEqual(checks["memory.dram_peak"]["outcome"], "failed")
        self.check(OK, "gate", large, "--budget", budget, "--baseline", large)

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_time_of_ops_and_wall_of_a_real_pair(self):
        folder = pathlib.Path(SHARED) / "data/perf-pairs/gemma-4-31b-sliding-prefill-fusing"
        budget = self.budget(f'baseline = "{folder / "before.csv"}"\n[time]\nwall = "+3%"\ndevice = "-2%"\ngaps = "+5 us"\n[time.ops.Matmul]\ndevice_us = 120\n')
        checks = self.gate(NOT_PASSED, budget, folder / "after.csv")
        self.assertEqual([checks[name]["outcome"] for name in ("time.wall", "time.device", "time.gaps", "time.ops.Matmul.device")],
                         ["passed", "passed", "failed", "failed"])
        self.assertAlmostEqual(checks["time.device"]["value"], 3426.812, places=2)

    def test_wrong_budgets_are_refused_with_their_lines(self):
        said = self.check(FAILED, "gate", LOG, "-b", self.budget('[memory]\ndram_peek = "90%"\n[time]\nwall = "3 MB"\n')).stderr
        self.assertIn("budgets.toml:2: unknown key `dram_peek` in [memory]; did you mean `dram_peak`?", said)
        self.assertIn("budgets.toml:4: [time] wall: `wall` is a time", said)
        self.assertIn("is against a baseline, and none is given", self.check(FAILED, "gate", LOG, "-b", self.budget('[memory]\ndram_peak = "+3%"\n')).stderr)
        self.assertIn("No such file", self.check(FAILED, "gate", LOG, "-b", "gone.toml").stderr)
        self.assertIn("both of `mem`", self.check(FAILED, "gate", LOG, OOM, "-b", self.budget("[memory]\nfits = true\n")).stderr)
        self.assertIn("--budget is missing", self.check(USAGE, "gate", LOG).stderr)

    def test_what_is_not_known_does_not_pass(self):
        checks = self.gate(NOT_PASSED, '[time]\nwall = "3 ms"\n', LOG)
        self.assertEqual(checks["time.wall"]["reason"], "no_input")


if __name__ == "__main__":
    sys.exit(unittest.main())
