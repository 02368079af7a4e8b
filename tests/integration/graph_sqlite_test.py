#!/usr/bin/env python3
"""The database of `ttscope graph --sqlite` against the tables that the importer of ttnn makes of the same reports.

The reports and tables lie in $TTSCOPE_SHARED_DIR/data/graph-traces/importer_unit_tests; without them only the small
reports made here are looked at.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TTSCOPE = Path(os.environ["TTSCOPE_BUILD_DIR"]) / "ttscope"
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
CASES = Path(SHARED) / "data/graph-traces/importer_unit_tests" if SHARED else None

NODES = [
    {"counter": 0, "node_type": "capture_start", "params": {}, "connections": [1, 6]},
    {"counter": 1, "node_type": "function_start", "params": {"name": "ttnn.add", "inputs": "2"},
     "connections": [3, 4, 5], "input_tensors": [2], "arguments": ["a", "b"]},
    {"counter": 2, "node_type": "tensor", "params": {"tensor_id": 7, "shape": "Shape([32])"}, "connections": [1]},
    {"counter": 3, "node_type": "buffer", "params": {"size": 64, "type": "DRAM"}, "connections": []},
    {"counter": 4, "node_type": "buffer_allocate", "connections": [3],
     "params": {"address": 100, "buffer_type": 0, "device_id": 3, "layout": "INTERLEAVED", "max_size_per_bank": 64,
                "num_cores": 0, "page_size": 64, "size": 64, "type": "DRAM"}},
    {"counter": 5, "node_type": "function_end", "params": {"name": "ttnn.add"}, "connections": [6],
     "duration_ns": 1500},
    {"counter": 6, "node_type": "buffer_deallocate", "params": {"address": 100}, "connections": [3]},
    {"counter": 7, "node_type": "capture_end", "params": {}, "connections": []},
]


def tables_of(path):
    """All tables that have rows, as the expected files have them."""
    database = sqlite3.connect(path)
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    tables = {}
    for name in names:
        cursor = database.execute(f"SELECT * FROM {name}")
        rows = [list(row) for row in cursor]
        if rows:
            tables[name] = {"columns": [column[0] for column in cursor.description], "rows": rows}
    database.close()
    return tables


class SqliteCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_graph(self, files, code=0):
        out = self.path / "db.sqlite"
        done = subprocess.run([TTSCOPE, "graph", *files, "--sqlite", out, "-q"], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return out, done.stderr

    def write(self, name, document):
        path = self.path / name
        path.write_text(json.dumps(document))
        return path

    def test_a_report_becomes_operations_tensors_and_buffers(self):
        report = {"version": 1, "graph": NODES, "devices": [{"device_id": 3}], "metadata": {"rank": 2}}
        out, _ = self.run_graph([self.write("r.json", report)])
        tables = tables_of(out)
        self.assertEqual(tables["operations"]["rows"], [[1, "ttnn.add", 1.5e-06, 2], [2, "ttnn::deallocate", 0.0, 2]])
        self.assertEqual(tables["buffers"]["rows"], [[1, 0, 100, 64, 0, 0, 2]])
        self.assertEqual(tables["input_tensors"]["rows"], [[1, 0, 7, 2]])
        self.assertEqual(tables["operation_arguments"]["rows"], [[1, "arg_0", "a", 2], [1, "arg_1", "b", 2]])

    def test_a_bare_list_of_nodes_is_a_report_of_rank_0(self):
        out, _ = self.run_graph([self.write("r.json", NODES)])
        self.assertEqual([row[-1] for row in tables_of(out)["operations"]["rows"]], [0, 0])

    def test_a_report_without_rank_is_an_error(self):
        _, complaint = self.run_graph([self.write("r.json", {"version": 1, "graph": NODES})], code=1)
        self.assertIn("metadata.rank", complaint)
        self.assertFalse((self.path / "db.sqlite").exists())

    def test_another_version_is_skipped_with_a_warning(self):
        _, complaint = self.run_graph([self.write("r.json", {"version": 9, "graph": NODES, "metadata": {"rank": 0}})])
        self.assertIn("version 1", complaint)

    def test_a_view_that_never_ends_is_not_run(self):
        path = self.path / "hostile.sqlite"
        database = sqlite3.connect(path)
        database.execute("CREATE VIEW captured_graph AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                         "SELECT i AS operation_id, '[]' AS captured_graph, 0 AS rank FROM n WHERE i < 0")
        database.execute("CREATE TABLE operations (operation_id int, name text, rank int)")
        database.commit()
        database.close()
        done = subprocess.run([TTSCOPE, "graph", path, "-q"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("db.sqlite of ttnn-visualizer", done.stderr)

    def test_the_database_is_read_again(self):
        report = {"version": 1, "graph": NODES, "devices": [], "metadata": {"rank": 0}}
        out, _ = self.run_graph([self.write("r.json", report)])
        again = subprocess.run([TTSCOPE, "graph", out, "--json", "-"], capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        segments = json.loads(again.stdout)["segments"]
        self.assertEqual([segment["name"] for segment in segments], ["1 ttnn.add", "2 ttnn::deallocate"])
        self.assertEqual(segments[0]["dram"]["peak"], 64)
        self.assertEqual(segments[0]["calltrace"], ["ttnn.add"])


@unittest.skipIf(CASES is None or not CASES.is_dir(), "skipped: needs TTSCOPE_SHARED_DIR")
class ReferenceCase(SqliteCase):
    """Sources of the recorded machine are not here: their stand-ins are made with the recorded lengths."""

    def prepared(self, case, expected):
        inputs = []
        lengths = [int(re.fullmatch(r"<(\d+) chars>", row[2]).group(1))
                   for row in expected.get("source_files", {"rows": []})["rows"]]
        for source in sorted(case.glob("*.json")):
            if source.name == "expected_db.json":
                continue
            text = source.read_text()
            if lengths:
                text = text.replace("/home/user", str(self.path))
            (self.path / source.name).write_text(text)
            if ".comparison_records" not in source.name and ".python_io" not in source.name:
                inputs.append(self.path / source.name)
            for name in set(re.findall(re.escape(str(self.path)) + r"/pytest[^\"\\:]*\.py", text)):
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text("x" * lengths[0])
        return inputs

    def check(self, case):
        expected = json.loads((case / "expected_db.json").read_text())
        out, _ = self.run_graph(self.prepared(case, expected))
        tables = tables_of(out)
        for row in tables.get("source_files", {"rows": []})["rows"]:
            row[1], row[2] = "<path>", f"<{len(row[2])} chars>"
        text = json.dumps(tables).replace(str(self.path), "/home/user")
        self.assertEqual(json.loads(text), expected)


def add_reference_cases():
    if CASES is None or not CASES.is_dir():
        return
    for case in sorted(path for path in CASES.iterdir() if path.is_dir()):
        name = "test_" + re.sub(r"\W", "_", case.name)
        setattr(ReferenceCase, name, lambda self, case=case: self.check(case))


add_reference_cases()

if __name__ == "__main__":
    sys.exit(unittest.main())
