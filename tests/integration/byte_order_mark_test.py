#!/usr/bin/env python3
"""Every format that is text, with a byte order mark in front: mapped, packed, from standard input. It reads as without."""
import bz2
import gzip
import json
import re
import subprocess
import unittest

from program_case import BUILD, HAS_SIMULATOR, LIMIT, OK, SOURCE, ProgramCase

EXAMPLES = SOURCE / "examples"
MARK = b"\xef\xbb\xbf"
SIZE = re.compile(r"\d+(\.\d+)? [KM]?B$", re.MULTILINE)
NOC_TRACE = [{"proc": "BRISC", "zone": "BRISC-KERNEL", "zone_phase": "begin", "sx": 1, "sy": 1, "timestamp": 4},
             {"proc": "BRISC", "noc": "NOC_0", "vc": 1, "sx": 1, "sy": 1, "dx": 2, "dy": 1, "num_bytes": 64, "type": "WRITE_",
              "timestamp": 6}]
RAW_RUN = {"riscs": ["brisc"], "dram": {"bytes_per_risc": 48000}, "defines": ["PROFILE_KERNEL=1"], "core": {"noc0": [1, 2], "flat_id": 1},
           "zones": [{"id": 100, "name": "BRISC-FW", "file": "f", "line": 1}], "snapshots": []}
CPP_REPORT = b"GLOBAL CALL COUNT,DEVICE ID,OP NAME,DEVICE FW DURATION [ns]\n1024,0,Add,2000\n"
TRAINING = b"""training_config:
  batch_size: 4
transformer_config:
  model_type: llama
  num_heads: 6
  num_groups: 3
  embedding_dim: 192
  num_blocks: 2
  vocab_size: 96
  max_sequence_length: 32
"""
BUDGETS = '[memory]\ndram_peak = "90%"\n'


class MarkedFiles(ProgramCase):
    def samples(self):
        """Name, bytes, and the command that reads them without knowing more than their content."""
        run = self.folder / "run"
        subprocess.run([BUILD / "ttscope-gen-device-log", "-o", run / ".logs", "--rows", "5000"], check=True)
        self.check(OK, "perf", run, "-q", "-o", self.folder / "reports")
        yield "runtime log", (EXAMPLES / "sample.log").read_bytes(), ["mem"]
        yield "failures", (EXAMPLES / "sample_oom.log").read_bytes(), ["oom"]
        yield "training log", (EXAMPLES / "training" / "phases.log").read_bytes(), ["phases"]
        yield "graph capture", (EXAMPLES / "sample_graph.json").read_bytes(), ["graph"]
        yield "TTNN module", (SOURCE / "tests" / "golden" / "module_sample" / "input.mlir").read_bytes(), ["mem"]
        yield "NoC trace", json.dumps(NOC_TRACE).encode(), ["perf"]
        yield "saved buffers", json.dumps(RAW_RUN).encode(), ["perf", "--raw"]
        if HAS_SIMULATOR:
            yield "training configuration", TRAINING, ["fit", "--device", "n150"]
        yield "ops report", (self.folder / "reports" / "ops_perf_results.csv").read_bytes(), ["perf"]
        yield "the runtime's report", CPP_REPORT, ["perf"]
        for name in ("profile_log_device.csv", "tracy_ops_times.csv", "tracy_ops_data.csv"):
            yield name, (run / ".logs" / name).read_bytes(), ["perf"]

    def reading(self, *args, stdin=None):
        """Exit code, what is printed, and what is complained of; sizes of inputs as stored are left out."""
        done = subprocess.run([BUILD / "ttscope", *args], stdin=stdin, capture_output=True, cwd=self.folder, timeout=120)
        return done.returncode, SIZE.sub("SIZE", done.stdout.decode()), done.stderr.decode()

    def test_every_format_reads_as_without_the_mark(self):
        codes = {}
        for name, content, command in self.samples():
            place = self.folder / "renamed"
            for form, pack in (("mapped", bytes), ("gzip", gzip.compress), ("bzip2", bz2.compress)):
                place.write_bytes(pack(content))
                plain = self.reading(*command, place)
                place.write_bytes(pack(MARK + content))
                with self.subTest(format=name, form=form):
                    self.assertEqual(self.reading(*command, place), plain)
                    codes.setdefault(name, set()).add(plain[0])
            place.write_bytes(content)
            with open(place, "rb") as file:
                plain = self.reading(*command, "-", stdin=file)
            place.write_bytes(MARK + content)
            with self.subTest(format=name, form="standard input"), open(place, "rb") as file:
                self.assertEqual(self.reading(*command, "-", stdin=file), plain)
            with self.subTest(format=name, form="pipe"), subprocess.Popen(["cat", place], stdout=subprocess.PIPE) as cat:
                self.assertEqual(self.reading(*command, "-", stdin=cat.stdout)[:2], plain[:2])
        # Zones of the host hold no op by themselves, buffers without snapshots no marker.
        nothing = {"tracy_ops_times.csv", "saved buffers"}
        self.assertEqual({name for name, found in codes.items() if found != {OK}}, nothing)

    def test_files_of_a_memory_report(self):
        self.check(OK, "mem", EXAMPLES / "sample.log", "--out", "report", "-q")
        plain = self.reading("mem", "report")
        self.assertEqual(plain[0], OK)
        for file in (self.folder / "report").glob("*.json"):
            file.write_bytes(MARK + file.read_bytes())
        self.assertEqual(self.reading("mem", "report"), plain)

    def test_places_in_a_marked_file_are_those_of_its_lines(self):
        (self.folder / "a.json").write_bytes(MARK + b'[{"counter": 0,\n "node_type": "x",\n oops}]')
        self.assertIn("a.json:3: ", self.reading("graph", "a.json")[2])
        log = (EXAMPLES / "sample.log").read_bytes()
        queries = []
        for content in (log, MARK + log):
            (self.folder / "run.log").write_bytes(content)
            queries.append(self.check(OK, "sql", "run.log", "select line from ops", "--csv", "-").stdout)
        self.assertEqual(*queries)

    def test_followed_and_cut_logs(self):
        op = b'RuntimeTTNN |    DEBUG | Executing operation: %0 = "ttnn.add"(%arg0) : () -> () loc("a")\n'
        (self.folder / "run.log").write_bytes(MARK + op)
        self.assertIn("1 op", self.check(OK, "tail", "--once", "run.log").stdout)
        log = (EXAMPLES / "sample.log").read_bytes()
        for content, out in ((log, "a"), (MARK + log, "b")):
            (self.folder / "run.log").write_bytes(content)
            self.check(OK, "last-run", "run.log", "-o", out)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())

    def test_budgets(self):
        answers = []
        for content in (BUDGETS.encode(), MARK + BUDGETS.encode()):
            (self.folder / "budgets.toml").write_bytes(content)
            answers.append(self.reading("gate", EXAMPLES / "sample.log", "--budget", "budgets.toml"))
        self.assertEqual(*answers)
        self.assertIn(answers[0][0], (OK, LIMIT))


if __name__ == "__main__":
    unittest.main()
