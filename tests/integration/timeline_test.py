"""`ttscope timeline` as a program: real captures against csvexport's tables, written files read back by other readers."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program_case import FAILED, NOTHING, SOURCE
from timeline_case import PerfettoCase, TimelineCase

SHARED = pathlib.Path(os.environ["TTSCOPE_SHARED_DIR"]) if "TTSCOPE_SHARED_DIR" in os.environ else None
TRACY = SHARED / "data" / "tracy" if SHARED else None
HISTORY = SHARED / "data" / "perf" / "tt-mlir-history" if SHARED else None


def rows(text):
    return sorted(tuple(row) for row in csv.reader(io.StringIO(text)))


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


@unittest.skipIf(jsonschema is None, "no python3-jsonschema")
class Documents(TimelineCase):
    def test_keep_to_the_schema(self):
        schema = json.loads((SOURCE / "docs/formats/timeline.schema.json").read_text())
        captures = sorted((SOURCE / "tests/fuzz/corpus/timeline_tracy").glob("device_*.tracy")) + sorted(TRACY.glob("*.tracy") if TRACY else [])
        self.assertTrue(captures)
        for capture in captures:
            with self.subTest(capture.name):
                jsonschema.validate(json.loads(self.run_ok("timeline", str(capture), "--json", "-")), schema)
        cut = self.folder / "cut.tracy"
        cut.write_bytes(captures[0].read_bytes()[:-20])
        document = json.loads(self.run_ok("timeline", str(cut), "--json", "-"))
        self.assertTrue(document["trust"]["findings"])
        jsonschema.validate(document, schema)


class RealCaptures(PerfettoCase):
    """The figures are those that csvexport gave for the same files."""

    def setUp(self):
        super().setUp()
        if not TRACY or not TRACY.is_dir():
            self.skipTest("no reference captures here")

    def csv_of(self, path, form):
        return self.run_ok("timeline", str(path), "--csv", "-", "--csv-form", form)

    def test_statistics(self):
        self.assertEqual(rows(self.csv_of(TRACY / "host_demo.tracy", "stats")), rows(read(TRACY / "csv_stats.csv")))

    def test_zones_of_tt_metal(self):
        ours = self.csv_of(TRACY / "host_demo.tracy", "ops-times")
        self.assertEqual(rows(ours), rows(read(TRACY / "csv_unwrap.csv")))

    def test_zones_and_plots_of_newer_versions(self):
        self.assertEqual(rows(self.csv_of(TRACY / "host_demo_upstream.tracy", "unwrap")), rows(read(TRACY / "csv_unwrap_upstream.csv")))
        # csvexport repeats the text of the zone before where a zone has none.
        expected = rows(read(TRACY / "csv_unwrap_poc_v0.11_upstream.csv").replace("7000,2000,1,id:1024", "7000,2000,1,"))
        self.assertEqual(rows(self.csv_of(TRACY / "poc_v0.11.tracy", "unwrap-plots")), expected)

    def test_messages(self):
        self.assertEqual(self.csv_of(TRACY / "host_demo.tracy", "ops-data"), read(TRACY / "csv_messages.csv"))
        self.assertEqual(self.csv_of(TRACY / "host_demo_upstream.tracy", "messages"), read(TRACY / "csv_messages_upstream.csv"))

    def test_device_zones(self):
        self.assertEqual(rows(self.csv_of(TRACY / "poc_v0.11.tracy", "gpu")), rows(read(TRACY / "csv_gpu_poc_v0.11_upstream.csv")))

    def test_cores_of_older_captures_are_cores(self):
        document = json.loads(self.run_ok("timeline", str(HISTORY / "tracy_profile_log_host.tracy"), "--json", "-"))
        lanes = [track for track in document["tracks"] if track["kind"] == "lane"]
        self.assertEqual(len(lanes), 320)
        self.assertEqual({track["name"] for track in lanes}, {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2"})
        self.assertEqual({track["device"] for track in lanes}, {0})
        core = json.loads(self.run_ok("timeline", str(HISTORY / "tracy_profile_log_host.tracy"), "--core", "3,1", "--json", "-"))
        self.assertEqual(sum(track["kind"] == "lane" for track in core["tracks"]), 5)

    def test_ops_of_a_capture_alone_had_no_track(self):
        capture = str(HISTORY / "tracy_profile_log_host.tracy")
        made = self.run_ok("sql", capture, "select z.op, z.name, z.start_ns, z.length_ns from timeline_zones z join tracks t using(track) "
                           "where t.kind = 'ops' order by z.start_ns", "--csv", "-").splitlines()[1:]
        of_lanes = self.run_ok("sql", capture, "select z.op, min(z.start_ns), max(z.start_ns + z.length_ns) - min(z.start_ns) from timeline_zones z join tracks t "
                               "using(track) where t.kind = 'lane' and t.name = 'BRISC' and z.name = 'BRISC-FW' group by 1 order by 2", "--csv", "-").splitlines()[1:]
        names = ["Matmul", "BinaryDeviceOperation", "UnaryDeviceOperation", "Matmul", "BinaryDeviceOperation", "Softmax"]
        self.assertEqual([row.split(",") for row in made], [[op, name, *times] for name, (op, *times) in zip(names, (row.split(",") for row in of_lanes))])
        document = json.loads(self.run_ok("timeline", capture, "--json", "-"))
        self.assertRegex(document["trust"]["warnings"][0], r"^device 0: all ops begin more than 2466\.01 ms after the host sent them: ")
        # Tracy's csvexport knows the zones of processors alone.
        self.assertEqual(self.csv_of(capture, "gpu").count("\n") - 1, sum(s["count"] for s in document["statistics"] if s["kind"] == "lane"))

    def test_a_run_of_tt_mlir(self):
        capture = HISTORY / "tracy_profile_log_host.tracy"
        expected = rows(read(HISTORY / "tracy_ops_times.csv"))
        ours = rows(self.csv_of(capture, "ops-times"))
        # csvexport repeats names and texts of the zone before; all else is the same.
        plain = lambda table: sorted(row[:3] + row[5:] for row in table)
        self.assertEqual(plain(ours), plain(expected))
        self.assertEqual(self.csv_of(capture, "ops-data"), read(HISTORY / "tracy_ops_data.csv"))

    def test_written_captures_are_read_by_another_reader(self):
        reader = SHARED / "tools" / "rd_tracy.py"
        for source in ("host_demo.tracy", "device_demo.tracy", "host_demo_upstream.tracy", "poc_v0.10.tracy"):
            for version in ("0.11", "0.10"):
                out = self.folder / "out.tracy"
                self.run_ok("timeline", str(TRACY / source), "-q", "-o", str(out), "--tracy-version", version)
                listed = subprocess.run([sys.executable, str(reader), str(out)], capture_output=True, text=True, check=True).stdout
                self.assertIn("version (0, %s, 0)" % version[2:], listed)
                document = json.loads(self.run_ok("timeline", str(TRACY / source), "--json", "-"))
                again = json.loads(self.run_ok("timeline", str(out), "--json", "-"))
                self.assertEqual(again["statistics"], document["statistics"])
                zones = sum(s["count"] + s["without_length"] for s in document["statistics"] if s["kind"] != "frames")
                self.assertEqual(sum(line.startswith("  ") for line in listed.splitlines()), zones)

    def test_cut_captures_say_so(self):
        whole = (TRACY / "host_demo.tracy").read_bytes()
        path = self.folder / "cut.tracy"
        path.write_bytes(whole[: len(whole) // 2])
        result = self.run_program("timeline", str(path))
        self.assertIn("cut", result.stdout + result.stderr)
        trust = json.loads(self.run_ok("timeline", str(path), "--json", "-"))["trust"]
        self.assertEqual([(one["kind"], one["file"]) for one in trust["findings"]], [("capture_cut", str(path))])
        self.assertEqual([one["text"] for one in trust["findings"]], trust["warnings"])

    def test_perfetto_nests(self):
        for source in sorted(TRACY.glob("*.tracy")):
            with self.subTest(source.name):
                self.check_perfetto(source)

    def test_chrome_events_follow_the_rules(self):
        for source in sorted(TRACY.glob("*.tracy")):
            out = self.folder / "out.json"
            self.run_ok("timeline", str(source), "-q", "-o", str(out))
            trace = json.loads(out.read_text())
            self.assertEqual(trace["displayTimeUnit"], "ns")
            zones = [e for e in trace["traceEvents"] if e["ph"] == "X"]
            order = [(e["ts"], -e["dur"]) for e in zones]
            self.assertEqual([t for t, _ in order], sorted(t for t, _ in order), "earlier ones come first")
            self.assertTrue(all((e["pid"], e["tid"]) in {(m["pid"], m["tid"]) for m in trace["traceEvents"] if m["name"] == "thread_name"}
                                for e in trace["traceEvents"] if e["ph"] == "i"), "messages have a thread with a name")
            named = {(e["pid"], e["tid"]) for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "thread_name"}
            self.assertTrue({(e["pid"], e["tid"]) for e in zones} <= named)
            for event in trace["traceEvents"]:
                self.assertIsInstance(event["pid"], int)
                self.assertIsInstance(event["tid"], int)
                if event["ph"] == "C":
                    self.assertTrue(all(isinstance(v, (int, float)) for v in event["args"].values()))


class BadInputs(TimelineCase):
    def test_are_told_apart(self):
        empty = self.folder / "empty"
        empty.write_bytes(b"")
        self.check(NOTHING, "timeline", str(empty))
        other = self.folder / "x.txt"
        other.write_text("hello\n")
        self.check(FAILED, "timeline", str(other))
        self.check(FAILED, "timeline", str(self.folder / "missing.tracy"))


if __name__ == "__main__":
    unittest.main()
