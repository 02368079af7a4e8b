"""A declared column is the same column in every form: of every sample, each table as CSV, as JSON rows, as SQL gives it, and in
Python has the columns that `ttscope sql --schema` lists, in that order, with the same values."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from page_file import NONE, PageColumns  # noqa: E402
from program_case import BUILD, SOURCE  # noqa: E402
from python_case import main, run  # noqa: E402
from seed_document import SHARED  # noqa: E402

EXAMPLES = SOURCE / "examples"
#: samples that lie in the repository, by subject
FILES = {"mem": ["sample.log", "sample_oom.log"], "phases": ["training/phases.log"], "graph": ["sample_graph.json"]}
CELL = re.compile(r'("(?:[^"]|"")*"|[^,"\n]*)([,\n])')
#: what JSON has in columns of a type; whole real numbers have no point there
TYPES = {"integer": {int}, "real": {int, float}, "text": {str}, "truth": {bool}}
#: what a column of numpy has where there is no value, and the kind of its type
WITHOUT_VALUE = {"integer": (-1, "i"), "real": (None, "f"), "text": ("", "O"), "truth": (False, "b")}
#: how Python tells what it has: NaN, which is unequal to itself, is null
TELL = """
    import json, ttscope
    profile = ttscope.load({path!r})
    told = {{"subject": profile.subject, "tables": {{}}}}
    for name, table in profile.items():
        told["tables"][name] = [
            [column, docs, table[column].dtype.kind, [None if value != value else value for value in table[column].tolist()], table.missing(column).tolist()]
            for column, docs in table.columns.items()]
    print(json.dumps(told))
"""


def ttscope(*args, env=None):
    done = subprocess.run([BUILD / "ttscope", *map(str, args)], capture_output=True, env=env, timeout=120, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{args}: {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode()


def tables_of(schema):
    """Name and columns (name, type) of each table of a schema."""
    tables, _, _ = schema.partition("\nviews:\n")
    return {name: re.findall(r"^  (\w+) +(integer|real|text|truth)\b", columns, re.M)
            for name, columns in re.findall(r"^(\w+): .*\n((?:  .*\n)+)", tables + "\n", re.M)}


def declared_tables():
    """The tables of each subject, whatever a file has."""
    sections = re.split(r"^== .*$", ttscope("sql", "--schema"), flags=re.M)[1:]
    return dict(zip(["mem", "phases", "graph", "perf", "timeline"], map(tables_of, sections), strict=True))


def csv_rows(text):
    """Lists of cells; None for null, which is empty where the empty text is a pair of quotes."""
    rows, row, at = [], [], 0
    while at < len(text):
        found = CELL.match(text, at)
        cell, at = found.group(1), found.end()
        row.append(cell[1:-1].replace('""', '"') if cell.startswith('"') else cell or None)
        if found.group(2) == "\n":
            rows.append(row)
            row = []
    return rows


def value_of(cell, kind):
    """A cell of CSV as a value."""
    if cell is None or kind == "text":
        return cell
    if kind == "truth":
        return {"true": True, "false": False}[cell]
    return int(cell) if kind == "integer" else float(cell)


class OneDeclaration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.declared = declared_tables()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, path, subject):
        """All tables of a file; those with rows."""
        told = json.loads(run(TELL.format(path=str(path))))
        self.assertEqual(told["subject"], subject)
        tables = tables_of(ttscope("sql", path, "--schema"))
        with_profile = {name: [("profile", "text"), *columns] for name, columns in self.declared[subject].items()}
        self.assertEqual(tables, with_profile)  # also those that have no row here: a query need not know what a file holds
        listed = re.findall(r"^  (\w+) +(\d+) rows  ", ttscope("export", path), re.M)
        self.assertEqual(set(told["tables"]), set(tables))
        self.assertEqual({name for name, _ in listed}, set(tables))
        for name, rows in listed:
            with self.subTest(f"{pathlib.Path(path).name}: {name}"):
                self.check_table(path, name, self.declared[subject][name], told["tables"][name])
                self.assertEqual(len(told["tables"][name][0][3]), int(rows))
        return {name for name, rows in listed if int(rows) > 0}

    def check_table(self, path, name, columns, told):
        """`columns` as they are declared, `told` what Python has."""
        names = [column for column, _ in columns]
        documents = json.loads(ttscope("export", path, "--table", name, "--format", "json"))
        queried = json.loads(ttscope("sql", path, f"select * from {name}", "--json", "-"))
        header, *lines = csv_rows(ttscope("export", path, "--table", name, "--format", "csv"))
        self.assertEqual(header, names)
        self.assertEqual([column[0] for column in told], names)
        for documented, row in zip(documents, queried, strict=True):
            self.assertEqual(list(documented), names)
            self.assertEqual(list(row), ["profile", *names])
        for at, (column, kind) in enumerate(columns):
            values = [row[column] for row in documents]
            texts = [value_of(line[at], kind) for line in lines]
            self.assertEqual(texts, values, f"{column} as CSV")
            self.assertEqual([row[column] for row in queried], values, f"{column} of SQL")
            self.assertLessEqual({type(value) for value in values if value is not None}, TYPES[kind], column)
            self.check_python(told[at], kind, texts)

    def check_python(self, told, kind, texts):
        column, docs, dtype, values, missing = told
        self.assertRegex(docs, rf"^{column} \({kind}\b")
        self.assertEqual(missing, [text is None for text in texts], column)
        absent, expected_dtype = WITHOUT_VALUE[kind]
        self.assertEqual(dtype, expected_dtype, column)
        self.assertEqual(values, [absent if text is None else text for text in texts], f"{column} in Python")

    def test_samples_of_the_repository(self):
        for subject, names in FILES.items():
            with_rows = set()
            for name in names:
                with_rows |= self.check(EXAMPLES / name, subject)
            self.assertGreater(len(with_rows), 5, subject)

    def test_a_traced_example(self):
        """Its ops report, the files of the profiler with zones and transfers, saved buffers, and its Tracy capture."""
        if not (BUILD / "python_standins" / "tracy").is_dir():
            self.skipTest("the stand-ins are not built")
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("TT_METAL", "TTNN", "TRACY", "ARCH_NAME"))}
        ttscope("trace", "-p", "-r", "-o", self.folder, EXAMPLES / "trace" / "model.py",
                env={**clean, "TT_METAL_DEVICE_PROFILER_NOC_EVENTS": "1", "TTSCOPE_SAVE_PROFILER_WORDS": "1"})
        report, = self.folder.glob("reports/*/ops_perf_results_*.csv")
        logs = self.folder / ".logs"
        for path, subject, with_rows in ((report, "perf", {"ops", "critical_path"}),
                                         (self.folder, "perf", {"ops", "zones", "cores", "noc_traces", "noc_transfers"}),
                                         (logs / "device_0_read_0.json", "perf", {"markers"}),
                                         (logs / "tracy_profile_log_host.tracy", "timeline", {"timeline_zones", "messages"})):
            self.assertLessEqual(with_rows, self.check(path, subject))

    #: columns of the page of graph: blob, column, what stands for null there
    PAGE = {
        "call.": ("ops", [("name", "name", None), ("level", "level", 0), ("start", "start_node", 0), ("end", "end_node", NONE),
                          ("allocated", "dram_allocated_bytes", 0), ("freed", "dram_freed_bytes", 0), ("l1", "l1_peak_bytes_per_core", 0),
                          ("cb", "cb_peak_bytes_per_core", 0), ("ns", "duration_ns", 0)]),
        "program.": ("circular_buffers", [("kind", "kind", None), ("cores", "core_ranges", None), ("address", "address", 0),
                                          ("bytes", "bytes_per_core", 0), ("device", "device_id", -1), ("from", "allocated_at_node", 0),
                                          ("to", "released_at_node", NONE)]),
    }
    BUFFERS = [("in_dram", "in_dram", 0), ("address", "address", 0), ("bank", "bytes_per_bank", 0), ("whole", "size_bytes", 0),
               ("device", "device_id", -1), ("from", "allocated_at_node", 0), ("maker", "producer_op", NONE)]

    def test_the_page_of_graph_had_columns_of_its_own(self):
        sample = EXAMPLES / "sample_graph.json"
        ttscope("graph", sample, "-q", "--html", self.folder / "page.html")
        page = PageColumns(self.folder / "page.html", "ttscope-graph")
        query = lambda text: json.loads(ttscope("sql", sample, text, "--json", "-"))
        for prefix, (table, columns) in self.PAGE.items():
            rows = query(f"select * from {table}")
            self.assertTrue(rows)
            for blob, column, null in columns:
                values = page.strings(prefix + blob) if null is None else page.column(prefix + blob)
                self.assertEqual(values, [("" if null is None else null) if row[column] is None else row[column] for row in rows], blob)
        # Buffers of earlier segments stand again in those that find them.
        shown = set(zip(page.strings("buffer.name"), *(page.column("buffer." + blob) for blob, _, _ in self.BUFFERS), strict=True))
        self.assertEqual(shown, {(row["name"], *(null if row[column] is None else int(row[column]) for _, column, null in self.BUFFERS))
                                 for row in query("select * from buffers")})
        paths = {row["op"]: row["path"] for row in query("select op, path from ops")}
        self.assertEqual(dict(zip(page.column("maker.op"), page.strings("maker.path"))), {op: paths[op] for op in page.column("maker.op")})
        self.assertEqual(sum(segment["calls"] for segment in page.header["segments"]), len(paths))

    #: small ones that have rows in tables which the samples leave empty
    RECORDED = [
        ("graph-traces/importer_unit_tests/TestBufferChunksSchemaAndAggregation.test_buffer_pages_fallback_populates_buffer_chunks/report.json",
         "graph", {"described_devices"}),
        ("graph-traces/importer_unit_tests/TestImportGraphUnit.test_buffers_imported/report.json", "graph", {"differences"}),
        ("graph-traces/importer_unit_tests/TestImportGraphUnit.test_error_nodes_imported/report.json", "graph", {"findings"}),
        ("perf/golden/device_excerpt/ops_perf_results.csv", "perf", {"advice"}),
        ("perf/golden/edge/pt/.logs/cpp_device_perf_report.csv", "perf", {"iterations", "iteration_series"}),
        ("perf/golden/edge/md/reports/ops_perf_results.csv", "perf", {"skewed_ops"}),
        ("tracy/chrome_demo_fork.tracy", "timeline", {"plots", "plot_points"}),
    ]

    @unittest.skipIf(SHARED is None, "no recorded profiles here")
    def test_recorded_profiles(self):
        for name, subject, with_rows in self.RECORDED:
            self.assertLessEqual(with_rows, self.check(pathlib.Path(SHARED) / "data" / name, subject), name)


if __name__ == "__main__":
    main()
