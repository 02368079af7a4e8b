#!/usr/bin/env python3
"""`ttscope phases`: its JSON document against its schema and its conservation laws, its options, its limit, its files.

Logs: examples/training, small ones made here, and, where TTSCOPE_SHARED_DIR is set, the real ones there.
"""
import glob
import gzip
import json
import os
import pathlib
import re
import struct
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import FAILED, LIMIT, NOTHING, OK, SOURCE, USAGE, ProgramCase  # noqa: E402

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
SCHEMA = json.loads((SOURCE / "docs/formats/phases.schema.json").read_text())
TWO_RUNS = SOURCE / "examples/training/phases.log"
MICRO_STEPS = SOURCE / "tests/golden/phases_micro_steps/input.log"
MB = 1048576


class PhasesCase(ProgramCase):
    def document(self, *args):
        text = self.check(OK, "phases", *args, "--json", "-").stdout
        document = json.loads(text)
        self.validate(document)
        return document

    def validate(self, document):
        errors = list(jsonschema.Draft7Validator(SCHEMA).iter_errors(document))
        self.assertEqual([f"{list(e.path)}: {e.message[:200]}" for e in errors[:5]], [])
        for run in document["configurations"]:
            for field in ("bytes", "measured_bytes"):
                self.assertEqual(sum(part[field] for part in run["components"]), run["peak"]["bytes"], run["name"])
            for phase in run["phases"]:
                self.assertEqual(phase["start_bytes"] + phase["segment_peak_bytes"], phase["reached_bytes"])
            for before, after in zip(run["phases"], run["phases"][1:]):
                self.assertEqual(before["current_bytes"], after["start_bytes"])
            if run["peak"]["phase"] is not None and not run["violations"]:
                reached = run["phases"][run["peak"]["phase"]]["reached_bytes"]
                self.assertLess(abs(reached - run["peak"]["bytes"]), 0.02 * MB)
            saved = [advice["bytes"] for advice in run["advice"]]
            self.assertEqual(saved, sorted(saved, reverse=True))
            for advice in run["advice"]:
                self.assertEqual(run["peak"]["bytes"] - advice["bytes"], advice["peak_after_bytes"])


class Documents(PhasesCase):
    def test_two_runs(self):
        document = self.document(TWO_RUNS)
        first, second = document["configurations"]
        self.assertEqual([first["peak"]["fits"], second["peak"]["fits"]], [True, False])
        self.assertEqual(document["verdict"], "critical")
        self.assertEqual(first["parameters"], 624951296)
        self.assertEqual(second["sizes"]["model"]["expected_bytes"], 2 * 624951296)
        self.assertEqual({advice["kind"] for advice in second["advice"]},
                         {"other_configuration", "recomputation", "smaller_batch", "gradient_accumulation"})

    def test_micro_steps_and_other_names_are_there(self):
        run, = self.document(MICRO_STEPS)["configurations"]
        names = [phase["name"] for phase in run["phases"]]
        self.assertEqual(len(names), 12)
        self.assertIn("BACKWARD_PASS_micro_2", names)
        self.assertEqual([step["micro_step"] for step in run["steps"]], [0, 1, 2])
        kinds = {part["kind"]: part["bytes"] / MB for part in run["components"]}
        self.assertAlmostEqual(kinds["other_phases"], 256, 2)
        self.assertAlmostEqual(kinds["gradients"], 41.55, 2)
        self.assertEqual(run["device"]["bytes"], 12288 * MB)
        self.assertEqual(run["device"]["devices"], 4)

    def test_options_change_what_they_say(self):
        run = self.document(TWO_RUNS, "--use-actual-sizes")["configurations"][0]
        self.assertTrue(run["actual_sizes"])
        sizes = {"--model-size": "model", "--optimizer-size": "optimizer", "--gradients-size": "gradients"}
        for option, name in sizes.items():
            run = self.document(TWO_RUNS, option, "500MB")["configurations"][0]
            self.assertEqual(run["sizes"][name]["expected_bytes"], 500 * MB, option)
        run = self.document(TWO_RUNS, "--device-memory", str(16 * 1024 * MB))["configurations"][1]
        self.assertEqual((run["device"]["origin"], run["peak"]["fits"]), ("option", True))
        run = self.document(TWO_RUNS, "--devices", "2")["configurations"][0]
        self.assertEqual(run["device"]["bytes"], 6144 * MB)
        self.assertEqual(self.document(TWO_RUNS, "--title", "A <b>")["title"], "A <b>")

    def test_compressed_logs_and_standard_input(self):
        wanted = self.document(TWO_RUNS)["configurations"]
        packed = self.folder / "phases.log.gz"
        packed.write_bytes(gzip.compress(TWO_RUNS.read_bytes()))
        self.assertEqual(self.document(packed)["configurations"], wanted)
        done = self.check(OK, "phases", "-", "--json", "-", input=TWO_RUNS.read_text())
        self.assertEqual(json.loads(done.stdout)["configurations"], wanted)

    def test_several_logs(self):
        runs = self.document(TWO_RUNS, MICRO_STEPS)["configurations"]
        self.assertEqual([run["file"] for run in runs], [0, 0, 1])

    @unittest.skipIf(SHARED is None, "TTSCOPE_SHARED_DIR is not set, no real logs here")
    def test_real_logs(self):
        logs = sorted(glob.glob(f"{SHARED}/data/phase-logs/*.log"))
        self.assertGreater(len(logs), 5)
        for log in logs:
            with self.subTest(log=log):
                run, = self.document(log)["configurations"]
                self.assertEqual(run["violations"], [], "all relations hold in the real logs")
                printed = re.search(r"Overall DRAM Peak: ([\d.]+) MB", pathlib.Path(log).read_text()).group(1)
                self.assertEqual(f"{run['peak']['bytes'] / MB:.2f}", printed)
                other = next(part for part in run["components"] if part["kind"] == "other")
                self.assertLess(abs(other["measured_bytes"]), 0.1 * MB, "phases explain the peak of every real log")
        for name, fits in (("in_mem_example.log", [True, False]), ("in_real_all_concatenated.log", None)):
            runs = self.document(f"{SHARED}/data/analyze-memory/{name}")["configurations"]
            if fits:
                self.assertEqual([run["peak"]["fits"] for run in runs], fits)

    @unittest.skipIf(SHARED is None, "TTSCOPE_SHARED_DIR is not set, no real logs here")
    def test_the_bars_of_the_trackers_document(self):
        log = f"{SHARED}/data/analyze-memory/in_mem_example.log"
        wanted = [{"other": 25, "model": 1849, "gradients_overhead": 2514, "optimizer": 3698, "activations": 193},
                  {"other": 25, "model": 1849, "gradients_overhead": 459, "optimizer": 3698, "activations": 9636}]
        for run, bar in zip(self.document(log)["configurations"], wanted):
            self.assertEqual({part["kind"]: round(part["bytes"] / MB) for part in run["components"]}, bar)


class Files(PhasesCase):
    def test_pictures(self):
        self.check(OK, "phases", TWO_RUNS, "-q", "--output", "a.png", "--title", "T")
        head = (self.folder / "a.png").read_bytes()[:24]
        self.assertEqual(head[:4], b"\x89PNG")
        width, height = struct.unpack(">II", head[16:24])
        self.assertTrue(1500 < width < 2200 and 1000 < height < 1500)
        svg = self.check(OK, "phases", TWO_RUNS, "--output", "b.svg")
        self.assertIn("b.svg", svg.stdout)
        root = xml.etree.ElementTree.parse(self.folder / "b.svg").getroot()
        bars = [e for e in root if e.get("stroke") == "#ffffff"]
        first = sorted((e for e in bars if e.get("x") == bars[0].get("x")), key=lambda e: -float(e.get("y")))
        self.assertEqual([e.get("fill") for e in first], ["#cccccc", "#4da6b8", "#e789ab", "#cec0fa", "#e38a42"])
        limits = [e for e in root if e.get("stroke") == "#ff0000"]
        self.assertEqual(len(limits), 3)
        self.assertTrue(all(e.get("stroke-dasharray") for e in limits))
        self.check(OK, "phases", TWO_RUNS, "-q", "--visualize-peak")
        self.assertTrue((self.folder / "memory_peak_visualization.png").exists())

    def test_page(self):
        hostile = self.folder / "hostile.log"
        hostile.write_text(TWO_RUNS.read_text().replace("FORWARD_PASS", "FORWARD</script><img src=x onerror=alert(1)>"))
        self.check(OK, "phases", hostile, "-q", "--html", "p.html", "--title", "<x>")
        page = (self.folder / "p.html").read_text()
        self.assertNotIn("</script><img", page)
        self.assertIn("<title>&lt;x&gt;</title>", page)
        data = re.search(r'<script type="application/json" id="ttscope-phases">(.*?)</script>', page, re.S).group(1)
        self.validate(json.loads(data))

    def test_nothing_is_overwritten_and_one_thing_goes_to_stdout(self):
        log = self.folder / "a.log"
        log.write_bytes(TWO_RUNS.read_bytes())
        for option in ("--json", "--llm", "--html", "--output"):
            self.check(USAGE, "phases", log, option, log)
        self.assertEqual(log.read_bytes(), TWO_RUNS.read_bytes())
        self.check(USAGE, "phases", log, "--json", "-", "--llm", "-")
        self.check(USAGE, "phases", log, "--output", "a.gif")
        self.check(FAILED, "phases", log, "--json", "nowhere/x.json")


class Exits(PhasesCase):
    def test_limit(self):
        done = self.check(LIMIT, "phases", TWO_RUNS, "-q", "--limit")
        self.assertIn("limit exceeded: pico-llama, activations kept: does not fit", done.stderr)
        self.assertEqual(done.stdout, "")
        self.check(OK, "phases", TWO_RUNS, "-q", "--limit", "--device-memory", "13GB")
        self.check(OK, "phases", TWO_RUNS, "-q")

    def test_a_limit_without_a_device_is_one_of_an_assumed_device(self):
        log = self.folder / "a.log"
        log.write_text(TWO_RUNS.read_text().replace("Available Device Memory", "Memory"))
        done = self.check(LIMIT, "phases", log, "-q", "--limit")
        self.assertIn("assumed", done.stderr)

    def test_wrong_values(self):
        for args in (["--model-size", "x"], ["--device-memory", "0"], ["--device-memory", "-1"], ["--devices", "0"],
                     ["--top", "-1"], ["--json", ""], ["--model-size"], ["--device-memory", "9e30"]):
            self.check(USAGE, "phases", TWO_RUNS, *args)
        self.check(USAGE, "phases")

    def test_logs_that_cannot_be_read(self):
        self.assertIn("nope.log", self.check(FAILED, "phases", "nope.log").stderr)
        (self.folder / "other.log").write_text("hello\n")
        done = self.check(NOTHING, "phases", "other.log", "--json", "out.json")
        self.assertIn("--track_memory", done.stderr)
        self.assertFalse((self.folder / "out.json").exists())

    def test_every_cut_of_a_log_is_read(self):
        text = TWO_RUNS.read_bytes()
        for end in range(0, len(text), 97):
            (self.folder / "cut.log").write_bytes(text[:end])
            done = self.run_program("phases", "cut.log", "--json", "-")
            self.assertIn(done.returncode, (OK, NOTHING), end)
            if done.returncode == OK:
                self.validate(json.loads(done.stdout))


if __name__ == "__main__":
    unittest.main(verbosity=1)
