#!/usr/bin/env python3
"""`ttscope sql`, `ttscope export` and `ttscope FILE` in real processes: on the samples, and on every kind of file beside the
checkout."""
import bz2
import csv
import gzip
import io
import json
import lzma
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["TTSCOPE_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["TTSCOPE_BUILD_DIR"])
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
SAMPLE = SOURCE / "examples" / "sample.log"
PHASES = SOURCE / "examples" / "training" / "phases.log"
GRAPH = SOURCE / "examples" / "sample_graph.json"
SAMPLES = [SAMPLE, SOURCE / "examples" / "sample_oom.log", PHASES, GRAPH]


OPS_HEADER = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\n"


def ttscope(*args, code=0, stdin=None, cwd=None):
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([BUILD / "ttscope", *map(str, args)], capture_output=True, text=True, timeout=300, input=stdin,
                              stdin=subprocess.DEVNULL if stdin is None else None, cwd=cwd,
                              env={"PATH": os.environ["PATH"], "HOME": home})
    if code is not None and done.returncode != code:
        raise AssertionError(f"{args}: exit code {done.returncode}, expected {code}\n{done.stdout}\n{done.stderr}")
    return done


def rows(path, query):
    return json.loads(ttscope("sql", path, query, "--json", "-").stdout)


def table_names(*paths):
    return re.findall(r"^(\w+): ", ttscope("sql", *paths, "--schema").stdout, re.M)


def count_all(path):
    """The rows of every table of a profile."""
    names = [name for name in table_names(path) if name != "views"]
    query = " union all ".join(f"select '{name}' as name, count(*) as n from {name}" for name in names)
    return {row["name"]: row["n"] for row in rows(path, query)}


class Samples(unittest.TestCase):
    def test_every_table_of_every_sample_answers(self):
        for path in SAMPLES:
            with self.subTest(path.name):
                counts = count_all(path)
                self.assertTrue(any(counts.values()), counts)
        self.assertEqual(count_all(SAMPLE)["ops"], 86)

    def test_every_ready_view_answers(self):
        for path in SAMPLES:
            schema = ttscope("sql", path, "--schema").stdout
            views = re.findall(r"^  (\w+) ", schema.partition("views:\n")[2], re.M)
            self.assertTrue(views, path)
            for view in views:
                with self.subTest(f"{path.name}: {view}"):
                    ttscope("sql", path, f"select * from {view} limit 3")

    def test_growth_of_a_bank_is_not_summed_over_ranks(self):
        found = rows(SAMPLE, "select rank, dram_growth_bytes_per_bank as n from mem_growth where name = 'ttnn.typecast' order by rank")
        self.assertEqual(found, [{"rank": 0, "n": 2228224}, {"rank": 1, "n": 2228224}])

    def test_forms(self):
        query = "select name, count(*) as n from ops group by name order by n desc, name limit 2"
        text = ttscope("sql", SAMPLE, query).stdout
        table = list(csv.DictReader(io.StringIO(ttscope("sql", SAMPLE, query, "--csv", "-").stdout)))
        documents = rows(SAMPLE, query)
        self.assertEqual([row["name"] for row in table], [row["name"] for row in documents])
        self.assertEqual([int(row["n"]) for row in table], [row["n"] for row in documents])
        self.assertRegex(text, r"^name +n\n")
        self.assertIn(documents[0]["name"], text)

    def test_arguments_are_those_of_the_document(self):
        for path in (SAMPLE, SOURCE / "examples" / "sample_oom.log"):
            document = json.loads(ttscope("mem", path, "--json", "-").stdout)
            for is_weight, listed in ((1, document["weights"]["entries"]), (0, document["arguments"])):
                found = rows(path, f"select graph, ssa, name from arguments where is_weight = {is_weight} order by argument")
                self.assertEqual([row["name"] for row in found], [entry["name"] for entry in listed])
                self.assertTrue(found)

    def test_members_of_the_document_that_are_no_columns_say_what_the_columns_say(self):
        """Shapes are numbers there, percentages rounded, the size of a bank as the message has it, lines in the place of ops."""
        for path in (SAMPLE, SOURCE / "examples" / "sample_oom.log"):
            document = json.loads(ttscope("mem", path, "--json", "-").stdout)
            shapes = {row["argument"]: row["shape"] for row in rows(path, "select argument, shape from arguments")}
            for entry in document["arguments"] + document["weights"]["entries"]:
                self.assertEqual("x".join(map(str, entry["shape"])) or "scalar", shapes[entry["index"]] or "scalar")
            for finding, row in zip(document["verdict"]["findings"], rows(path, "select percent from findings"), strict=True):
                self.assertEqual(finding["percent"], row["percent"] and round(row["percent"], 3))
            for failure, row in zip(document["failures"], rows(path, "select bank_size_bytes from failures"), strict=True):
                self.assertEqual(failure["bank_size_bytes"], row["bank_size_bytes"])
            tensors = rows(path, "select b.name, b.shape, b.bytes_per_bank, b.program, p.name as producer_op, d.line as freed_line from buffers b "
                                 "left join ops p on p.rank = b.rank and p.op = b.producer_op "
                                 "left join ops d on d.rank = b.rank and d.op = b.died_at_op "
                                 f"where b.rank = {document['main_rank']} and b.live_at_peak and b.memory = 'DRAM'")
            members = [row for row in tensors[0]]
            listed = [{**{name: tensor.get(name) for name in members}, "shape": "x".join(map(str, tensor["shape"])),
                       "program": tensor["program_instance"]} for tensor in document["live_at_peak"]["DRAM"]["tensors"]]
            in_order = lambda found: sorted(found, key=json.dumps)
            self.assertEqual(in_order(listed), in_order(tensors))
            self.assertGreater(len(listed), 3)

    def test_tensors_and_failures_that_stand_beside_the_tables_agree_with_them(self):
        figures = ("memory", "requested_bytes", "banks", "bytes_per_bank", "bank_size_bytes", "allocated_bytes_per_bank",
                   "free_bytes_per_bank", "largest_free_bytes_per_bank", "verdict", "diagnosis", "message_line")
        path = SOURCE / "examples" / "sample_oom.log"
        document = json.loads(ttscope("oom", path, "--json", "-").stdout)
        failures = [{name: failure[name] for name in figures} for failure in document["failures"] if failure["repeats"] is None]
        self.assertEqual(failures, rows(path, f"select {', '.join(figures)} from failures"))
        buffers = [tuple(row.values()) for row in rows(path, "select kind, shape, dtype, bytes_per_bank, producer_line from buffers")]
        tensors = document["failures"][0]["live_tensors"]
        self.assertGreater(len(tensors), 3)
        for tensor in tensors:
            shape = "x".join(map(str, tensor["shape"])) or "scalar"
            self.assertIn((tensor["kind"], shape, tensor["dtype"], tensor["bytes_per_bank"], tensor["producer_line"]), buffers)

    def test_op_counts_of_the_view_are_those_of_the_document(self):
        for path in (SAMPLE, SOURCE / "examples" / "sample_oom.log"):
            kinds = {kind["op"]: (kind["executed"], kind["weight_ops"], *kind["growth_bytes_per_bank"].values())
                     for kind in json.loads(ttscope("mem", path, "--json", "-").stdout)["operations_by_kind"]}
            self.assertEqual(kinds, {row["name"]: (row["executed"], row["weight_ops"], row["dram_growth_bytes_per_bank"],
                                                   row["l1_growth_bytes_per_bank"])
                                     for row in rows(path, "select * from mem_op_counts")})

    def test_several_profiles_share_tables(self):
        found = rows_of(SAMPLE, SOURCE / "examples" / "sample_oom.log", GRAPH,
                        "select profile, count(*) as n from ops group by profile order by profile")
        self.assertEqual([row["profile"] for row in found], ["sample.log", "sample_graph.json", "sample_oom.log"])

    def test_queries_from_standard_input(self):
        done = ttscope("sql", SAMPLE, stdin="select 1 as a; -- ;\nselect 'x;y' as b;\n")
        self.assertIn("x;y", done.stdout)
        ttscope("sql", SAMPLE, "--csv", "-", stdin="select 1; select 2", code=2)
        ttscope("sql", SAMPLE, stdin="", code=2)

    def test_the_profile_from_standard_input(self):
        text = SAMPLE.read_text()
        self.assertIn("86", ttscope("sql", "-", "select count(*) from ops", stdin=text).stdout)
        ttscope("sql", "-", stdin=text, code=2)
        self.assertEqual(ttscope("-", stdin=text).stdout, ttscope("mem", "-", stdin=text).stdout)

    def test_wrong_queries_are_wrong_usage(self):
        done = ttscope("sql", SAMPLE, "select opp from ops", code=2)
        self.assertIn("no such column: opp", done.stderr)
        self.assertIn("did you mean op?", done.stderr)
        for query in ("drop table ops", "attach 'x' as y", "insert into ops values (1)", "pragma user_version = 3"):
            with self.subTest(query):
                ttscope("sql", SAMPLE, query, code=2)
        ttscope("sql", SAMPLE, "no_such_file.log", code=2)
        ttscope("sql", "select 1", code=2)
        ttscope("sql", SAMPLE, "select 1", "--csv", "-", "--json", "x.json", code=2)
        self.assertIn("no query", ttscope("sql", SAMPLE, "", code=2).stderr)
        self.assertEqual(ttscope("sql", SAMPLE, "select * from ops where line < 0").returncode, 0)

    def test_a_wrong_query_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.csv"
            ttscope("sql", SAMPLE, "select nonsense from ops", "--csv", path, code=2)
            self.assertFalse(path.exists())

    def test_a_signal_ends_it_while_nobody_reads_its_rows(self):
        endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), subprocess.Popen([BUILD / "ttscope", "sql", SAMPLE, endless, "--csv", "-"],
                                                        stdout=subprocess.PIPE) as child:
                self.assertEqual(child.stdout.read(2), b"i\n")  # it runs; then the pipe fills up
                time.sleep(0.5)
                child.send_signal(number)
                try:
                    self.assertEqual(child.wait(timeout=20), 128 + number)
                finally:
                    child.kill()

    def test_a_reader_that_had_gone_was_not_noticed_before_the_last_row(self):
        endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n"
        for form in ("--csv", "--json"):
            with self.subTest(form), subprocess.Popen([BUILD / "ttscope", "sql", SAMPLE, endless, form, "-"],
                                                      stdout=subprocess.PIPE) as child:
                child.stdout.read(100)
                child.stdout.close()
                try:
                    self.assertEqual(child.wait(timeout=60), 0)
                finally:
                    child.kill()

    def test_the_schema_of_all_kinds(self):
        text = ttscope("sql", "--schema").stdout
        for name in ("ops", "buffers", "phases", "summaries", "segments", "nodes"):
            self.assertRegex(text, rf"(?m)^{name}: ")


class Prompt(unittest.TestCase):
    """The prompt on a terminal."""

    def talk(self, home, keys):
        """What is shown while keys are typed, each after the prompt has come; `… ` is that of an open statement."""
        child, terminal = pty.fork()
        if child == 0:
            os.execve(BUILD / "ttscope", ["ttscope", "sql", str(SAMPLE)],
                      {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm", "NO_COLOR": "1"})
        shown, mark = b"", "❯ "
        for key in keys:
            shown += self.read_until(terminal, mark.encode())
            mark, typed = key if isinstance(key, tuple) else ("❯ ", key)
            os.write(terminal, typed)
        shown += self.read_until(terminal, None)
        os.close(terminal)
        return shown.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def read_until(self, terminal, mark):
        """Up to the mark and then until nothing more comes for a moment; None: to the end."""
        shown, deadline = b"", time.monotonic() + 30
        while time.monotonic() < deadline:
            waited = select.select([terminal], [], [], 0.3)[0]
            if not waited and mark is not None and mark in shown:
                return shown
            if waited:
                try:
                    more = os.read(terminal, 65536)
                except OSError:
                    return shown
                if not more:
                    return shown
                shown += more
        raise AssertionError(f"waited in vain; shown: {shown!r}")

    def test_queries_and_history(self):
        with tempfile.TemporaryDirectory() as home:
            shown, code = self.talk(home, [b"select 40 + 2 as answer;\r", b"select nonsense;\r", b"\x1b[A\x1b[A\r", b".quit\r"])
            self.assertEqual(code, 0)
            self.assertRegex(shown, r"answer\s+-+\s+42")
            self.assertIn("no such column: nonsense", shown)
            self.assertEqual(len(re.findall(r"-+\s+42", shown)), 2, shown)
            kept = (pathlib.Path(home) / ".ttmem" / "sql_history").read_text().splitlines()
            self.assertEqual(kept, ["select 40 + 2 as answer;", "select nonsense;", "select 40 + 2 as answer;", ".quit"])
            shown, code = self.talk(home, [b"\x1b[A\x1b[A\r", b"\x04"])
            self.assertIn("42", shown)
            self.assertEqual(code, 0)

    def test_ctrl_c_ends_a_query_and_not_the_prompt(self):
        endless = b"with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n;\r"
        with tempfile.TemporaryDirectory() as home:
            shown, code = self.talk(home, [("max(i) from n;", endless), b"\x03", b"select 40 + 2 as answer;\r", b".quit\r"])
        self.assertEqual(code, 0)
        self.assertIn("interrupted", shown)
        self.assertRegex(shown, r"answer\s+-+\s+42")

    def test_a_statement_goes_on_until_its_semicolon(self):
        with tempfile.TemporaryDirectory() as home:
            shown, code = self.talk(home, [("… ", b"select 40 + 2\r"), ("… ", b"-- not ; here\r"), b"as answer; select 'x' as second;\r",
                                           ("… ", b"select nonsense\r"), b"\x03", b"\x04"])
        self.assertEqual(code, 0)
        self.assertRegex(shown, r"answer\s+-+\s+42")
        self.assertRegex(shown, r"second\s+-+\s+x")
        self.assertNotIn("no such column", shown)  # what was open is dropped by Ctrl-C


def rows_of(*args):
    return json.loads(ttscope("sql", *args, "--json", "-").stdout)


class Export(unittest.TestCase):
    def test_a_table_as_csv_and_json(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("ops.csv", "ops.json"):
                ttscope("export", SAMPLE, "--table", "ops", "-o", pathlib.Path(folder) / name)
            table = list(csv.DictReader(io.StringIO((pathlib.Path(folder) / "ops.csv").read_text())))
            documents = json.loads((pathlib.Path(folder) / "ops.json").read_text())
        self.assertEqual(len(table), 86)
        self.assertEqual([row["name"] for row in table], [row["name"] for row in documents])
        self.assertEqual(list(table[0]), list(documents[0]))

    def test_to_standard_output(self):
        self.assertEqual(ttscope("export", SAMPLE, "--table", "ops").stdout.count("\n"), 87)
        self.assertEqual(len(json.loads(ttscope("export", SAMPLE, "--table", "ops", "--format", "json").stdout)), 86)

    def test_what_is_wrong_is_told(self):
        self.assertIn("did you mean ops?", ttscope("export", SAMPLE, "--table", "opps", code=2).stderr)
        self.assertIn("buffers", ttscope("export", SAMPLE, "--table", "nonsense", code=2).stderr)
        self.assertIn(".csv", ttscope("export", SAMPLE, "--table", "ops", "-o", "ops.parquet", code=2).stderr)
        self.assertIn("--table", ttscope("export", SAMPLE, "-o", "ops.csv", code=2).stderr)
        self.assertIn("would overwrite", ttscope("export", SAMPLE, "--table", "ops", "-o", SAMPLE, code=2).stderr)

    def test_the_list_of_tables(self):
        self.assertRegex(ttscope("export", SAMPLE).stdout, r"ops +86 rows")


class Anything(unittest.TestCase):
    """`ttscope FILE`."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_a_file_is_opened_by_the_command_that_reads_it(self):
        for path, command in ((SAMPLE, "mem"), (PHASES, "phases"), (GRAPH, "graph")):
            with self.subTest(command):
                self.assertEqual(ttscope(path).stdout, ttscope(command, path).stdout)
        odd = self.folder / "odd.name"
        for content in (gzip.compress(GRAPH.read_bytes()), lzma.compress(SAMPLE.read_bytes()), bz2.compress(SAMPLE.read_bytes()),
                        SAMPLE.read_text().encode("utf-16")):
            odd.write_bytes(content)
            self.assertEqual(ttscope(odd).returncode, 0)

    def test_options_of_that_command_are_taken(self):
        page = self.folder / "page.html"
        ttscope(SAMPLE, "-q", "--html", page)
        self.assertTrue(page.exists())
        self.assertIn("unknown option --nonsense", ttscope(SAMPLE, "--nonsense", code=2).stderr)

    def test_files_of_two_subjects(self):
        self.assertIn("cannot be read together", ttscope(SAMPLE, GRAPH, code=1).stderr)

    def test_standard_input_of_the_wrong_kind_is_told_what_it_is(self):
        table = self.folder / "ops.csv"
        table.write_text(OPS_HEADER + "Add,tt_dnn_device,1,5\n")
        kinds = {"mem": SAMPLE, "phases": PHASES, "graph": GRAPH, "perf": table}
        for command in kinds:
            for other, path in kinds.items():
                if command == other:
                    continue
                with self.subTest(f"{command} < {path.name}"):
                    told = f"`ttscope {other} -` reads it"
                    self.assertIn(told, ttscope(command, "-", stdin=path.read_text(), code=1).stderr)
                    with open(path, "rb") as file:
                        done = subprocess.run([BUILD / "ttscope", command, "-"], stdin=file, capture_output=True, text=True, cwd=self.folder)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(told, done.stderr)

    def test_pipes_are_opened_by_the_command_that_reads_them(self):
        named = self.folder / "pipe"
        os.mkfifo(named)
        for path, command in ((SAMPLE, "mem"), (PHASES, "phases"), (GRAPH, "graph")):
            with self.subTest(command):
                expected = ttscope(command, "-", stdin=path.read_text()).stdout
                self.assertEqual(ttscope("-", stdin=path.read_text()).stdout, expected)
                first_line = expected.strip().splitlines()[0]
                line = f'"$0" <(cat "$1")'
                done = subprocess.run(["bash", "-c", line, BUILD / "ttscope", path], capture_output=True, text=True, timeout=60)
                self.assertIn(first_line, done.stdout)
                writer = subprocess.Popen(["cp", path, named])
                self.assertIn(first_line, ttscope(named).stdout)
                writer.wait()
        writer = subprocess.Popen(["cp", SAMPLE, named])
        self.assertIn("86", ttscope("sql", named, "select count(*) from ops").stdout)
        writer.wait()

    def test_a_folder_with_the_files_of_a_report_gives_its_summary(self):
        ttscope("mem", SAMPLE, "-q", "--out", self.folder / "report", "--name", "run")
        peak = re.search(r"^  DRAM +(\S+ \S+)", ttscope("mem", SAMPLE).stdout, re.M).group(1)
        for path in (self.folder / "report", self.folder / "report" / "run_memory.json"):
            for args in ([path], ["mem", path]):
                self.assertRegex(ttscope(*args).stdout, rf"(?m)^  DRAM +{re.escape(peak)}")
        text = ttscope(self.folder / "report").stdout
        self.assertNotRegex(text, r"line 0\b")
        self.assertNotIn("Live at the DRAM peak", text)  # the files do not tell it
        page = self.folder / "page.html"
        ttscope(self.folder / "report", "-q", "--html", page)
        self.assertTrue(page.exists())
        for option in (["--json", "-"], ["--llm", "-"], ["--out", "x"], ["--at", "3"]):
            self.assertIn("needs the log", ttscope("mem", self.folder / "report", *option, code=2, cwd=self.folder).stderr)

    def test_an_ops_report_with_a_header_alone_holds_nothing_for_any_command(self):
        table = self.folder / "ops.csv"
        table.write_text(OPS_HEADER)
        for args in (["perf", table], [table], ["sql", table, "select 1"], ["export", table], ["export", table, "--table", "ops"]):
            ttscope(*args, code=4, cwd=self.folder)

    def test_misspelt_commands_and_missing_files(self):
        self.assertIn("did you mean mem?", ttscope("mme", SAMPLE, code=2).stderr)
        self.assertIn("no such file", ttscope("nowhere.log", code=1).stderr)

    def test_a_file_given_to_the_wrong_command_is_told_what_it_is(self):
        own = self.folder / "own.json"
        page = self.folder / "own.html"
        ttscope("mem", SAMPLE, "-q", "--json", own, "--html", page)
        report = self.folder / "report"
        ttscope("mem", SAMPLE, "-q", "--out", report, "--name", "run")
        table = self.folder / "ops.csv"
        table.write_text("OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\nAdd,tt_dnn_device,1,5\n")
        tracy = self.folder / "run.tracy"
        tracy.write_bytes(b"tlZ\x04\x00\x00\x00\x00tracy")
        sheet = self.folder / "ops.xlsx"
        sheet.write_bytes(b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml")
        cases = [
            ("mem", PHASES, "ttscope phases"), ("mem", GRAPH, "ttscope graph"), ("mem", table, "ttscope perf"),
            ("phases", SAMPLE, "ttscope mem"), ("phases", GRAPH, "ttscope graph"), ("graph", SAMPLE, "ttscope mem"),
            ("graph", table, "ttscope perf"), ("perf", SAMPLE, "ttscope mem"), ("perf", GRAPH, "ttscope graph"),
            ("perf", PHASES, "ttscope phases"),
        ]
        for command in ("mem", "phases", "graph", "perf"):
            cases += [(command, own, "a JSON document that ttscope wrote"), (command, page, "open it in a browser"),
                      (command, tracy, "Tracy"), (command, sheet, "spreadsheet")]
            if command != "mem":
                cases += [(command, report / "run_memory.json", "memory report"), (command, report / "run_operations.json", "memory report")]
        for command, path, told in cases:
            with self.subTest(f"{command} {path.name}"):
                self.assertIn(told, ttscope(command, path, code=1, cwd=self.folder).stderr)
        for path in (own, page, tracy, sheet):
            with self.subTest(path.name):
                ttscope(path, code=1)
                ttscope("sql", path, "select 1", code=1)


@unittest.skipIf(SHARED is None, "the recorded profiles are not here")
class Recorded(unittest.TestCase):
    """Of every kind that lies beside the checkout."""
    #: folder, which files, a table that only profiles of this kind have
    KINDS = [
        ("runtime-logs", "*.log*", "programs"), ("injected", "*.log*", "programs"), ("ttmem-sample", "*_profile.log", "programs"),
        ("phase-logs", "*.log", "summaries"), ("analyze-memory", "in_*.log", "summaries"),
        ("graph-traces/current_format", "*.json", "segments"), ("graph-traces/blackhole_p150b", "*.json", "segments"),
        ("graph-traces/doc", "*.json", "segments"), ("graph-traces/trace_utils_unit_tests", "*.json", "segments"),
        ("perf/ops-reports", "*.csv", "shown_ops"), ("perf/device-log", "*.csv", "shown_ops"), ("perf-pairs", "**/*.csv", "shown_ops"),
        ("perf-report", "*/report.csv", "shown_ops"), ("perf/tt-npe/workload", "**/noc_trace_*.json", "noc_traces"),
    ]
    FOLDERS = [("ttmem-sample/golden/sample", "programs"), ("ttmem-sample/golden/sample-scalar", "programs"),
               ("perf/tt-npe/workload/T3K-fabric-traces/ring-4dev", "noc_traces")]
    #: files that are no profile: exit code and what is said of them
    OTHERS = {
        "completed_fork_2025-10-20_20-01-28.log": (1, "not a profile"),  # a run that printed neither op nor memory lines
    }

    def paths(self):
        data = pathlib.Path(SHARED) / "data"
        for folder, pattern, table in self.KINDS:
            found = sorted((data / folder).glob(pattern), key=lambda path: path.stat().st_size)
            yield from [(path, table) for path in found if path.stat().st_size < 40e6][-6:]
        yield from ((data / folder, table) for folder, table in self.FOLDERS)
        yield from ((path, "shown_ops") for path in sorted({path.parent.parent for path in (data / "perf").rglob(".logs/*.csv")})[:8])

    def test_every_kind_answers(self):
        answered = set()
        for path, table in self.paths():
            with self.subTest(str(path.relative_to(SHARED))):
                if path.name in self.OTHERS:
                    code, told = self.OTHERS[path.name]
                    self.assertIn(told, ttscope("sql", path, "--schema", code=code).stderr)
                    continue
                counts = count_all(path)
                self.assertGreater(counts.get(table, 0), 0, counts)
                answered.add(table)
        self.assertEqual(answered, {table for _, _, table in self.KINDS})

    #: what a text must hold to tell of a failure of the device's memory: a message with its figures
    FAILURE = re.compile(r"Not\s+enough\s+space\s+to\s+allocate\s+[\d,]+\s+B\s+(DRAM|L1|TRACE)|"
                         r"circular\s+buffers.{0,120}grow\s+to\s+\d|"
                         r"circular\s+buffers.{0,80}clash\s+with.{0,160}(allocated|ends)\s+at\s+\d|"
                         r"only\s+\d+B\s+is\s+allocated\s+for\s+trace", re.S)

    def test_what_is_said_of_texts_that_quote_logs_is_true(self):
        """Commit messages: a command takes one for its input where lines of a log or a whole failure message stand in it, and
        nowhere else; no advice sends in a circle."""
        folder = pathlib.Path(SHARED) / "data" / "commit-messages"
        failures = 0
        for path in sorted(folder.glob("*.txt")):
            text = path.read_text(errors="replace")
            has_ops = "Executing operation:" in text or " memory state: MemoryView{" in text
            has_failure = self.FAILURE.search(text) is not None
            failures += has_failure
            is_read = has_ops or has_failure
            with self.subTest(path.name):
                memory = ttscope("mem", path, code=0 if is_read else 4)
                self.assertEqual(memory.stdout.startswith("OUT OF MEMORY"), has_failure)
                if not is_read:
                    self.assertIn("if it is the log of a run", memory.stderr)
                ttscope("oom", path, code=0 if has_failure else 4)
                ttscope(path, code=0 if is_read else 1)
                ttscope("sql", path, "select * from ops", code=0 if is_read else 1)
                for command in ("phases", "graph", "perf"):
                    told = ttscope(command, path, code=None).stderr
                    self.assertNotIn("a log of TT-XLA without op lines", told)
                    self.assertEqual("`ttscope mem" in told, is_read, told)
                    self.assertEqual("quotes an out-of-memory failure" in told, has_failure and not has_ops, told)
        self.assertGreater(failures, 20)


if __name__ == "__main__":
    unittest.main()
