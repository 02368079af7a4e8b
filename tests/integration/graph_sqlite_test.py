#!/usr/bin/env python3
"""The database of `ttscope graph --sqlite` against the tables that the importer of ttnn makes of the same reports.

The reports and tables lie in $TTSCOPE_SHARED_DIR/data/graph-traces/importer_unit_tests; without them only the small
reports made here are looked at.
"""

import json
import os
import re
import resource
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

    def test_another_version_is_skipped_with_a_warning_and_leaves_no_empty_database(self):
        report = {"version": 9, "graph": NODES, "metadata": {"rank": 0}}
        _, complaint = self.run_graph([self.write("r.json", report)], code=4)
        self.assertIn("version 1", complaint)
        self.assertIn("db.sqlite: not written, it would be empty", complaint)
        self.assertEqual([path.name for path in self.path.iterdir()], ["r.json"])

    def test_a_file_that_is_there_survives_a_capture_without_operations(self):
        (self.path / "db.sqlite").write_text("mine")
        self.run_graph([self.write("r.json", [NODES[0], NODES[7]])], code=4)
        self.assertEqual((self.path / "db.sqlite").read_text(), "mine")

    def test_addresses_that_are_all_0_and_missing_devices_are_told(self):
        nodes = json.loads(json.dumps(NODES).replace('"address": 100', '"address": 0'))
        _, complaint = self.run_graph([self.write("r.json", nodes)])
        self.assertIn("all 1 addresses are 0 (NO_DISPATCH)", complaint)
        self.assertIn("no row in `devices`", complaint)
        report = {"version": 1, "graph": NODES, "devices": [{"device_id": 3}], "metadata": {"rank": 0}}
        self.assertEqual(self.run_graph([self.write("s.json", report)])[1], "")

    def test_segments_carry_devices_and_live_buffers_on(self):
        first = [NODES[0], *NODES[1:6], NODES[7]]
        second = json.loads(json.dumps([NODES[0], NODES[1], NODES[2], NODES[5], NODES[7]]))
        segments = [{"name": "A", "trace": first, "devices": [{"device_id": 3, "l1_num_banks": 64}]},
                    {"name": "B", "trace": second}]
        out, complaint = self.run_graph([self.write("r.json", segments)])
        self.assertEqual(complaint, "")
        tables = tables_of(out)
        self.assertEqual([row[0] for row in tables["operations"]["rows"]], [1, 10001])
        self.assertEqual([(row[0], row[2]) for row in tables["buffers"]["rows"]], [(1, 100), (10001, 100)])
        self.assertEqual(tables["devices"]["rows"][0][6], 64)

    def test_ids_of_a_long_segment_do_not_meet_those_of_the_next(self):
        one = [dict(NODES[1], input_tensors=[]), NODES[5]]
        trace = [dict(node, counter=i) for i, node in enumerate([NODES[0]] + one * 10005 + [NODES[7]])]
        out, _ = self.run_graph([self.write("r.json", [{"name": "A", "trace": trace}, {"name": "B", "trace": trace}])])
        database = sqlite3.connect(out)
        self.assertEqual(database.execute("SELECT count(*) FROM operations").fetchone(), (20010,))
        database.close()

    def graph_of_database(self, *statements):
        path = self.path / "in.sqlite"
        path.unlink(missing_ok=True)
        database = sqlite3.connect(path)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        limit = 1 << 30

        def bound():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        return subprocess.run([TTSCOPE, "graph", path], capture_output=True, text=True, preexec_fn=bound)

    def test_values_that_a_database_computes_are_refused(self):
        operations = "CREATE TABLE operations (operation_id int, rank int, name text)"
        row = "INSERT INTO operations VALUES (1, 0, 'ttnn.add')"
        spaces = "generated always as ('[]' || printf('%.*c', 900000000, ' '))"
        for hidden in (["CREATE TABLE pragma_table_list (type)", "CREATE TABLE pragma_table_xinfo (hidden)"], []):
            done = self.graph_of_database(
                operations, row, "CREATE TABLE devices (device_id int)", *hidden,
                f"CREATE TABLE captured_graph (operation_id int, rank int, captured_graph text {spaces} virtual)",
                "INSERT INTO captured_graph VALUES (1, 0)")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("the table captured_graph has a generated column", done.stderr)
        done = self.graph_of_database(
            "CREATE VIRTUAL TABLE operations USING fts5(operation_id, name)",
            "CREATE TABLE captured_graph (operation_id int, captured_graph text)")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the table operations is a virtual one", done.stderr)

    def test_rows_that_repeat_one_value_hold_not_far_more_than_the_file(self):
        done = self.graph_of_database(
            "CREATE TABLE operations (operation_id int, rank int, name text)",
            "CREATE TABLE captured_graph (operation_id int, rank int, captured_graph text)",
            "INSERT INTO captured_graph VALUES (1, 0, '[]' || printf('%.*c', 100000, ' '))",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
            "INSERT INTO operations SELECT 1, 0, 'a' FROM n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("hold far more than the file", done.stderr)

    def test_values_that_are_still_beside_the_database_are_read(self):
        tables = ("CREATE TABLE operations (operation_id int, rank int, name text)",
                  "CREATE TABLE captured_graph (operation_id int, rank int, captured_graph text)")
        nodes = json.dumps(NODES).replace("ttnn.add", "\u4e00" * 300000)
        row = f"INSERT INTO captured_graph VALUES (1, 0, '{nodes}')"
        path = self.path / "wal.sqlite"
        database = sqlite3.connect(path, isolation_level=None)
        for statement in ("PRAGMA journal_mode = wal", *tables, "PRAGMA wal_checkpoint", row):
            database.execute(statement)
        self.assertLess(path.stat().st_size, 100000)
        done = subprocess.run([TTSCOPE, "graph", path], capture_output=True, text=True)
        database.close()
        self.assertEqual(done.returncode, 0, done.stderr)

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
        is_empty = set(expected) <= {"report_metadata", "devices"}
        out, _ = self.run_graph(self.prepared(case, expected), code=4 if is_empty else 0)
        if is_empty:
            return self.assertFalse(out.exists())
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
