#!/usr/bin/env python3
"""`ttscope perf --raw`: saved buffers of the device profiler, against what the golden runs list."""
import glob
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TTSCOPE = os.path.join(os.environ["TTSCOPE_BUILD_DIR"], "ttscope")
SHARED = os.environ.get("TTSCOPE_SHARED_DIR", "")
RUNS = sorted(glob.glob(os.path.join(SHARED, "data", "device-profiler", "*.json"))) if SHARED else []


def ttscope(*args, **options):
    return subprocess.run([TTSCOPE, *args], capture_output=True, text=True, **options)


def read(path):
    done = ttscope("perf", "--raw", path, "--json", "-")
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)


def listed(run):
    """The markers that a golden document lists for DRAM of its last snapshot."""
    markers = []
    for risc, lists in run["snapshots"][-1]["decoded"].items():
        host_id = None
        for line in lists["dram"]:
            words = line.split()
            if words[1] == "RUN":
                host_id = int(words[-1].split("=")[1])
            elif words[1] not in ("BLANK", "PAD") and not words[1].startswith("BAD"):
                entry = {"risc": risc, "host_id": host_id, "kind": words[1], "id": int(words[2])}
                names = {"t": "time", "data": "data", "sum": "sum"}
                entry.update({names[key]: int(value, 0) for key, value in (word.split("=") for word in words[3:])})
                markers.append(entry)
    return markers


def kinds(document):
    return {(finding["kind"], finding["risc"]) for finding in document["findings"]}


@unittest.skipUnless(RUNS, "the golden runs are not there")
class GoldenRuns(unittest.TestCase):
    def golden(self, name):
        return os.path.join(SHARED, "data", "device-profiler", name + ".json")

    def test_every_marker_is_as_listed(self):
        for path in RUNS:
            with open(path) as file:
                run = json.load(file)
            if "snapshots" not in run:
                continue
            names = {zone["id"]: zone["name"] for zone in run["zones"]}
            got = read(path)["markers"]
            wanted = listed(run)
            self.assertEqual(len(got), len(wanted), path)
            for marker, want in zip(got, wanted):
                self.assertEqual({key: marker[key] for key in want}, want, path)
                self.assertEqual([marker["core_x"], marker["core_y"]], run["core"]["noc0"])
                if marker["kind"] != "TS_EVENT":
                    self.assertEqual(marker["name"], names.get(marker["id"]))

    def test_a_grid_has_the_zones_of_every_core(self):
        document = read(self.golden("wh_grid80"))
        for core in document["cores"]:
            zones = [m for m in document["markers"] if m["name"] == "counted" and m["kind"] == "ZONE_START"
                     and (m["core_x"], m["core_y"]) == (core["core_x"], core["core_y"])]
            self.assertEqual(len(zones), 2 * 5 * (core["flat_id"] % 13), core)

    def test_known_defects_are_told(self):
        self.assertEqual(kinds(read(self.golden("wh_odd_parity_brisc"))), {("l1_full", "brisc"), ("header_lost", "ncrisc")})
        self.assertIn(("noc_stalled", "brisc"), kinds(read(self.golden("wh_noc_odd"))))
        self.assertIn(("main_zone_misuse", "brisc"), kinds(read(self.golden("wh_main_inside"))))
        self.assertEqual({kind for kind, _ in kinds(read(self.golden("wh_no_dram")))}, {"never_sent", "only_in_l1"})
        self.assertIn(("never_sent", "trisc2"), kinds(read(self.golden("wh_debug_dump"))))
        self.assertIn(("dram_full", "brisc"), kinds(read(self.golden("wh_dram_full"))))
        full = [f["text"] for f in read(self.golden("wh_dram_full"))["findings"] if f["kind"] == "dram_full"]
        self.assertEqual(full[0], "Profiler DRAM buffers were full, markers were dropped! device 0, worker core 1, 1, Risc BRISC,  "
                         "bufferEndIndex = 508. Please either decrease the number of ops being profiled or run read device "
                         "profiler more often")
        wrapped = [m for m in read(self.golden("wh_clock_wrap"))["markers"] if m["suspect"]]
        self.assertEqual([(m["risc"], m["suspicion"]) for m in wrapped], [("brisc", "time"), ("trisc1", "time")])

    def test_runs_without_defects_have_no_finding(self):
        for name in ("wh_one_zone", "wh_nested_all", "bh_nested_all", "wh_data_event", "wh_sums", "wh_grid80",
                     "wh_noc_events", "wh_trace_count", "wh_dispatch", "wh_host_reset"):
            self.assertEqual(read(self.golden(name))["findings"], [], name)

    def test_the_files_of_a_run_make_an_ops_report_and_zones(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            done = ttscope("perf", "--raw", self.golden("wh_three_programs"), "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(ttscope("perf", out, "--zones", "--json", "-").stdout)
            calls = {op["call_count"] for op in report["ops"]}
            self.assertEqual(calls, {11 << 10, 12 << 10, 13 << 10})
            counted = {zone["risc"]: zone["count"] for zone in report["zones"] if zone["zone"] == "counted"}
            self.assertEqual(counted, {"BRISC": 13, "NCRISC": 13, "TRISC_0": 30, "TRISC_1": 30, "TRISC_2": 30})
            again = ttscope("perf", "--raw", self.golden("wh_three_programs"), "-o", out)
            self.assertEqual(again.returncode, 1)
            self.assertIn("lies there already", again.stderr)

    def test_cores_behind_the_end_of_a_cut_file_counted_as_read(self):
        with tempfile.TemporaryDirectory() as folder:
            name = "wh_grid80"
            shutil.copy(self.golden(name), folder)
            with gzip.open(self.golden(name).replace(".json", ".bin.gz")) as whole:
                words = whole.read()
            with gzip.open(os.path.join(folder, name + ".bin.gz"), "wb") as cut:
                cut.write(words[:len(words) // 2])
            text = " ".join(ttscope("perf", "--raw", os.path.join(folder, name + ".json")).stdout.split())
        self.assertRegex(text, r"markers in DRAM of 4[01] cores; what (39|40) cores recorded is not in the file")

    def test_sql_and_a_plain_call_read_it_too(self):
        path = self.golden("wh_clock_wrap")
        done = ttscope("sql", path, "select risc, time_cycles from markers where suspicion = 'time' order by risc", "--csv", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertIn("must not be believed", ttscope(path).stdout)
        self.assertEqual(ttscope("perf", "--raw", "--strict", path).returncode, 1)
        for line in ttscope("perf", "--raw", path, env={**os.environ, "COLUMNS": "80"}).stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)


@unittest.skipUnless(RUNS, "the golden runs are not there")
class Schema(unittest.TestCase):
    def test_documents_follow_the_schema(self):
        import jsonschema
        with open(os.path.join(os.environ["TTSCOPE_SOURCE_DIR"], "docs", "formats", "raw.schema.json")) as file:
            validator = jsonschema.Draft7Validator(json.load(file))
        for path in RUNS:
            if "grid" not in path:
                validator.validate(read(path))


class Usage(unittest.TestCase):
    def write(self, folder, document, words=b""):
        with open(os.path.join(folder, "run.bin"), "wb") as file:
            file.write(words)
        path = os.path.join(folder, "run.json")
        with open(path, "w") as file:
            json.dump(document, file)
        return path

    def test_what_is_wrong_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.write(folder, {"riscs": ["brisc"], "dram": {"bytes_per_risc": 48000}, "raw": "gone.bin"})
            done = ttscope("perf", "--raw", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("gone.bin", done.stderr)
            path = self.write(folder, {"riscs": ["brisc"], "dram": {"bytes_per_risc": 48000}, "raw": "run.bin"})
            done = ttscope("perf", "--raw", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("no snapshot", done.stderr)
            self.assertEqual(ttscope("perf", "--raw", path, "--zones").returncode, 2)
            self.assertEqual(ttscope("perf", "--raw", path, path).returncode, 2)

    def test_a_run_without_a_marker_is_nothing_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.write(folder, {"riscs": ["brisc"], "dram": {"bytes_per_risc": 48000}, "raw": "run.bin",
                                       "core": {"noc0": [1, 1], "flat_id": 1},
                                       "snapshots": [{"label": "x", "control": [0, 256], "dram": [[256, 64]]}]}, bytes(320))
            self.assertEqual(ttscope("perf", "--raw", path).returncode, 4)


if __name__ == "__main__":
    sys.exit(unittest.main())
