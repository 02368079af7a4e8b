#!/usr/bin/env python3
"""`ttscope graph` in real processes: figures, forms of output, errors. Golden traces where TTSCOPE_SHARED_DIR is set."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from markdown_text import without_code  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

BUILD = Path(os.environ["TTSCOPE_BUILD_DIR"])
SOURCE = Path(os.environ["TTSCOPE_SOURCE_DIR"])
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
TRACES = Path(SHARED) / "data/graph-traces" if SHARED else None
SAMPLE = SOURCE / "examples/sample_graph.json"
SCHEMA = json.loads((SOURCE / "docs/formats/graph.schema.json").read_text())


def graph(*arguments):
    return subprocess.run([BUILD / "ttscope", "graph", *arguments], capture_output=True, text=True)


class GraphCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def document(self, *arguments):
        done = graph(*arguments, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        if jsonschema is not None:
            errors = list(jsonschema.Draft7Validator(SCHEMA).iter_errors(document))
            self.assertEqual([f"{list(e.path)}: {e.message[:200]}" for e in errors[:5]], [])
        return document

    @unittest.skipIf(jsonschema is None, "skipped: python3-jsonschema is not installed")
    def test_the_schema_refuses_what_is_wrong(self):
        document = self.document(SAMPLE)
        for field in ("schema", "segments", "files"):
            broken = {key: value for key, value in document.items() if key != field}
            self.assertFalse(jsonschema.Draft7Validator(SCHEMA).is_valid(broken), field)
        document["segments"][0]["dram"]["peak"] = "many"
        self.assertFalse(jsonschema.Draft7Validator(SCHEMA).is_valid(document))

    def test_the_document_has_what_it_promises(self):
        document = self.document(SAMPLE)
        self.assertEqual(document["schema"], "ttscope.graph/1")
        for segment in document["segments"]:
            for key in ("name", "dram", "l1", "calltrace", "devices", "live_at_peak", "calls", "output_tensors"):
                self.assertIn(key, segment)
            self.assertEqual(len(segment["calltrace"]), len(segment["calls"]))
            live = sum(one["size"] for one in segment["live_at_peak"] if one["peak"] == "dram")
            peak = segment["peaks"]["dram"]
            self.assertEqual(live - peak["older_freed_bytes"], peak["bytes"])
            self.assertEqual(peak["bytes"], segment["dram"]["peak"])

    def test_the_overall_peak_is_that_of_the_tracker_and_its_live_set_adds_up(self):
        document = self.document(SAMPLE)
        dram = document["overall"]["dram"]
        self.assertEqual(dram["bytes"], document["segments"][-1]["dram"]["cumulative_peak"])
        live = sum(one["bytes"] for one in dram["live"])
        self.assertEqual(live - dram["older_freed_bytes"], dram["bytes"])
        self.assertEqual(sum(part["bytes"] for part in dram["parts"]), live)
        self.assertIn("All segments", graph(SAMPLE).stdout)

    def test_owners_and_kinds_are_read(self):
        event = {"address": 64, "buffer_type": 0, "device_id": 1, "layout": "INTERLEAVED", "max_size_per_bank": 2048,
                 "num_cores": 0, "page_size": 2048, "size": 24576, "type": "DRAM"}
        nodes = [{"counter": 0, "node_type": "buffer", "connections": [],
                  "params": {"buffer_type": 0, "device_id": 1, "layout": "INTERLEAVED", "size": 24576, "type": "DRAM",
                             "buffer_id": 7, "kind": "weight", "owner": "layers.0.w1/weight"}},
                 {"counter": 1, "node_type": "buffer_allocate", "connections": [0], "params": event}]
        free = [dict(nodes[0]), {"counter": 1, "node_type": "buffer_deallocate", "connections": [0],
                                 "params": dict(event, address=0)}]
        capture = self.path / "c.json"
        capture.write_text(json.dumps([{"name": "A", "trace": nodes}, {"name": "B", "trace": free}]))
        live = self.document(capture)["overall"]["dram"]["live"]
        self.assertEqual([(one["kind"], one["owner"], one["freed_in_segment"]) for one in live],
                         [("weight", "layers.0.w1/weight", 1)])
        self.assertIn("weight", graph(capture).stdout)

    def test_a_capture_that_ends_in_the_middle_of_calls_says_so(self):
        capture = self.path / "c.json"
        capture.write_text(json.dumps([
            {"counter": 0, "node_type": "capture_start", "params": {}, "connections": []},
            {"counter": 1, "node_type": "function_start", "params": {"name": "ttnn.matmul"}, "connections": []}]))
        self.assertEqual(self.document(capture)["findings"][0]["kind"], "stopped_in_calls")
        self.assertRegex(graph(capture).stdout, r"warning +the capture ends inside of ttnn\.matmul")

    def test_whether_it_fits_is_in_every_output(self):
        self.assertIsNone(self.document(SAMPLE)["fit"])
        document = self.document(SAMPLE, "--device", "n150,p150")
        self.assertEqual([device["device"] for device in document["fit"]["devices"]], ["n150", "p150"])
        page = self.path / "page.html"
        markdown = self.path / "page.md"
        done = graph(SAMPLE, "--device", "custom:DRAM=12x1KB,L1=64x1KB", "--html", page, "--llm", markdown, "-q")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn('"shortage":', page.read_text())
        self.assertIn("# Does it fit?", markdown.read_text())

    def test_a_capture_is_placed_on_devices(self):
        fits = graph(SAMPLE, "--device", "n150", "--top", "1")
        self.assertEqual(fits.returncode, 0, fits.stdout + fits.stderr)
        self.assertEqual(graph(SAMPLE, "--device", "custom:DRAM=12x1KB,L1=64x1KB").returncode, 3)
        self.assertIn("n150", graph(SAMPLE, "--device", "n15").stderr)
        asked = subprocess.run([BUILD / "ttscope", "fit", SAMPLE, "--device", "all", "--json", "-"], capture_output=True,
                               text=True)
        self.assertEqual(asked.returncode, 0, asked.stderr)
        document = json.loads(asked.stdout)
        self.assertIsNone(document["replay"])
        self.assertGreater(len(document["devices"]), 3)
        self.assertEqual(subprocess.run([BUILD / "ttscope", "fit", SAMPLE, "--batch", "4"], capture_output=True).returncode, 1)

    def test_a_device_that_is_not_known_was_bad_input_and_not_wrong_usage(self):
        sentence = "ttscope: --device nosuch: no such device; known are n150, n300"
        for args in (["graph", SAMPLE], ["fit", SAMPLE]):
            done = subprocess.run([BUILD / "ttscope", *args, "--device", "nosuch"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, args)
            self.assertTrue(done.stderr.startswith(sentence), done.stderr)
        self.assertIn("--device n151: no such device, did you mean n150?", graph(SAMPLE, "--device", "n151").stderr)

    def test_compressed_captures_and_standard_input(self):
        plain = self.document(SAMPLE)["segments"]
        packed = self.path / "capture.json.gz"
        packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
        self.assertEqual(self.document(packed)["segments"], plain)
        for stored in (SAMPLE, packed):
            with open(stored, "rb") as file:
                done = subprocess.run([BUILD / "ttscope", "graph", "-", "--json", "-"], stdin=file, capture_output=True, text=True)
            self.assertEqual(json.loads(done.stdout)["segments"], plain)

    def test_the_summary_is_what_the_tracker_prints(self):
        done = graph(SAMPLE, "--summary")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\A=== Memory Usage Summary ===\n\n--- MODEL_CREATION ---\n  DRAM: Segment Peak ")
        self.assertTrue(done.stdout.endswith(" MB\n\n"))

    def test_every_form_is_written_and_names_nothing_twice(self):
        page, text = self.path / "p.html", self.path / "t.md"
        done = graph(SAMPLE, "--html", page, "--llm", text, "-q")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertIn("# Graph capture memory report", text.read_text())
        html = page.read_text()
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:)', html), [], "the page makes requests")
        self.assertRegex(html, r"script-src 'sha256-")

    def test_hostile_names_stay_text(self):
        nodes = [{"counter": 0, "node_type": "function_start", "params": {"name": "</script><b>\u001b[31m\u202e"}}]
        capture = self.path / "c.json"
        capture.write_text(json.dumps([{"name": "</script><script>alert(1)</script>\u001b]0;x", "trace": nodes}]))
        page = self.path / "p.html"
        done = graph(capture, "--html", page, "--llm", self.path / "t.md")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\u001b", done.stdout)
        self.assertNotIn("<script>alert", page.read_text())
        self.assertNotIn("<b>", without_code((self.path / "t.md").read_text()))

    def test_damaged_files_are_errors_with_a_place(self):
        whole = SAMPLE.read_text()
        capture = self.path / "cut.json"
        for size in range(0, len(whole), max(1, len(whole) // 60)):
            capture.write_text(whole[:size])
            done = graph(capture)
            # An empty file can be read, but nothing is in it.
            self.assertEqual(done.returncode, 1 if size else 4, f"cut at {size}: {done.stdout}")
            self.assertRegex(done.stderr, r"cut\.json:\d+: " if size else r"cut\.json: the file is empty")
        self.assertEqual(graph(self.path / "missing.json").returncode, 1)

    def test_wrong_usage(self):
        self.assertEqual(graph().returncode, 2)
        self.assertEqual(graph(SAMPLE, "--top", "x").returncode, 2)
        self.assertEqual(graph(SAMPLE, "--json", SAMPLE).returncode, 2)
        self.assertEqual(graph(SAMPLE, "--json", "-", "--llm", "-").returncode, 2)

    def test_chips_of_a_mesh_are_not_added_up(self):
        nodes = [{"counter": i, "node_type": "circular_buffer_allocate", "connections": [],
                  "params": {"address": 0, "core_range_set": "{[0-0 - 1-1]}", "device_id": i, "globally_allocated": "0",
                             "size": 4096}} for i in range(4)]
        capture = self.path / "mesh.json"
        capture.write_text(json.dumps(nodes))
        self.assertEqual(self.document(capture)["segments"][0]["l1"]["peak_cb"], 4096)
        self.assertIn("4 chips", self.document(capture)["segments"][0]["notes"][0])
        self.assertEqual(self.document(capture, "--compat")["segments"][0]["l1"]["peak_cb"], 16384)


@unittest.skipIf(TRACES is None or not TRACES.is_dir(), "skipped: needs TTSCOPE_SHARED_DIR")
class GoldenCase(unittest.TestCase):
    def test_summaries_equal_the_reference_printer(self):
        texts = sorted((TRACES / "current_format").glob("*.expected.txt"))
        self.assertGreaterEqual(len(texts), 7)
        for text in texts:
            with self.subTest(text.name):
                done = graph(str(text).replace(".expected.txt", ".json"), "--summary", "--compat")
                self.assertEqual(done.stdout, text.read_text())

    def test_figures_equal_the_reference_utilities(self):
        for name, golden in json.loads((TRACES / "golden_figures.json").read_text()).items():
            with self.subTest(name):
                done = graph(TRACES / name, "--json", "-")
                self.assertEqual(done.returncode, 0, done.stderr)
                segment = json.loads(done.stdout)["segments"][0]
                if isinstance(golden["calltrace"], list):
                    self.assertEqual(segment["calltrace"], golden["calltrace"])
                if isinstance(golden["dram"], dict):
                    self.assertEqual({key: segment["dram"][key] for key in golden["dram"]}, golden["dram"])
                if isinstance(golden["resource_usage_per_core"], dict):
                    self.assertEqual(segment["l1"], golden["resource_usage_per_core"])


if __name__ == "__main__":
    sys.exit(unittest.main())
