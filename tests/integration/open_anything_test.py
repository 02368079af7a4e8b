#!/usr/bin/env python3
"""Files of the wrong kind, several together, packed, in UTF-16 or given twice: nothing is mixed and nothing is silent."""
import bz2
import gzip
import json
import lzma
import os
import sqlite3
import subprocess
import tarfile
import unittest
import zipfile

from program_case import BUILD, FAILED, NOTHING, OK, SOURCE, USAGE, ProgramCase

SAMPLE = SOURCE / "examples" / "sample.log"
OTHER = SOURCE / "examples" / "sample_oom.log"
GRAPH = SOURCE / "examples" / "sample_graph.json"
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
PHASES = SOURCE / "examples" / "training" / "phases.log"


class OpenAnything(ProgramCase):
    def query(self, *args):
        return json.loads(self.check(OK, "sql", *args, "--json", "-").stdout)

    def test_a_file_of_another_kind_among_several_is_told(self):
        for command, own, other in (("mem", SAMPLE, GRAPH), ("phases", PHASES, GRAPH)):
            for files in ((own, other), (other, own)):
                done = self.check(FAILED, command, *files)
                self.assertIn("this is a graph capture of ttnn; `ttscope graph", done.stderr)

    def test_the_other_names_tell_a_file_of_another_kind_too(self):
        for program, args in (("ttmem", [GRAPH]), ("ttmem", ["--llm", "--logfile", GRAPH]),
                              ("tt-memory-profiler", ["--analyze", GRAPH]), ("ttscope", ["last-run", GRAPH, "-o", "out.log"])):
            done = self.check(FAILED, *args, program=program)
            self.assertIn("this is a graph capture of ttnn", done.stderr)
        self.assertFalse((self.folder / "out.log").exists())

    def test_oom_tells_a_file_of_another_kind_but_reads_any_log(self):
        done = self.check(FAILED, "oom", GRAPH)
        self.assertIn("this is a graph capture of ttnn; `ttscope graph", done.stderr)
        self.check(FAILED, "oom", OTHER, GRAPH)
        self.check(NOTHING, "oom", PHASES)
        self.check(NOTHING, "oom", SAMPLE)

    def test_an_option_that_writes_to_standard_output_reads_no_input(self):
        reading, writing = os.pipe()  # stays open: whoever reads it waits for ever
        try:
            done = subprocess.run([BUILD / "ttscope", SAMPLE, "--json", "-"], stdin=reading, capture_output=True, timeout=60)
        finally:
            os.close(reading)
            os.close(writing)
        self.assertEqual(done.returncode, OK)
        self.assertEqual(json.loads(done.stdout)["schema"], "ttscope.mem/1")

    def test_a_cut_input_is_told_by_sql_too(self):
        whole = gzip.compress(SAMPLE.read_bytes())
        (self.folder / "cut.log.gz").write_bytes(whole[: len(whole) * 2 // 3])
        done = self.check(OK, "sql", "cut.log.gz", "select count(*) from ops")
        self.assertIn("end too early", done.stderr)

    def test_a_packed_input_cut_before_its_first_byte_is_told_as_that(self):
        for name, pack in (("cut.log.bz2", bz2.compress), ("cut.log.xz", lzma.compress), ("cut.log.gz", gzip.compress)):
            whole = pack(os.urandom(200000))  # no block of it is complete
            (self.folder / name).write_bytes(whole[:100])
            for args in ([name], ["mem", name], ["sql", name, "select 1"]):
                done = self.check(FAILED, *args)
                self.assertRegex(done.stderr, "too early|cut|damaged", args)
                self.assertNotIn("empty", done.stderr, args)

    def test_last_run_of_a_utf16_log_is_that_of_the_same_log(self):
        (self.folder / "wide.log").write_bytes(SAMPLE.read_bytes().decode().encode("utf-16"))
        for log, out in ((SAMPLE, "a.log"), ("wide.log", "b.log")):
            self.check(OK, "last-run", log, "-o", out)
        self.assertEqual((self.folder / "a.log").read_bytes(), (self.folder / "b.log").read_bytes())
        self.check(USAGE, "last-run", "wide.log", "--in-place")

    def test_views_keep_profiles_apart(self):
        for view in ("mem_growth", "mem_op_counts", "mem_live_at_dram_peak"):
            apart = self.query(SAMPLE, OTHER, f"select * from {view}")
            self.assertEqual({row["profile"] for row in apart}, {"sample.log", "sample_oom.log"}, view)
        alone = self.query(SAMPLE, "select * from mem_op_counts")
        mixed = self.query(SAMPLE, GRAPH, "select * from mem_op_counts")
        self.assertEqual(mixed, alone)

    def test_a_file_given_twice_is_two_profiles(self):
        counts = self.query(SAMPLE, SAMPLE, "select profile, count(*) as n from ops group by profile")
        self.assertEqual(len(counts), 2)
        self.assertEqual(len({row["n"] for row in counts}), 1)

    def test_nothing_in_it_is_exit_code_4_everywhere(self):
        (self.folder / "empty").write_bytes(b"")
        (self.folder / "empty.json").write_text("[]")
        (self.folder / "summary.log").write_text("=== Memory Usage Summary ===\n")
        for command in ("mem", "phases", "graph", "perf"):
            self.check(NOTHING, command, "empty")
        for name in ("empty", "empty.json", "summary.log"):
            self.check(NOTHING, name)
            self.check(NOTHING, "sql", name, "select 1")
            self.check(NOTHING, "export", name)

    def test_perf_compare_named_neither_the_file_nor_what_it_is(self):
        (self.folder / "device.csv").write_text("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x\n")
        (self.folder / "page.html").write_text("<!doctype html>ttscope")
        (self.folder / "text").write_text("hello\n")
        for path, told in ((SAMPLE, f"this is a runtime log of TT-XLA; `ttscope mem {SAMPLE}` reads it"),
                           (GRAPH, f"this is a graph capture of ttnn; `ttscope graph {GRAPH}` reads it"),
                           ("page.html", "this is a report page of ttscope; open it in a browser"),
                           ("device.csv", "this is a log of the device profiler; `ttscope perf compare` takes ops reports"),
                           ("text", "not an ops report: the first line must name")):
            done = self.check(FAILED, "perf", "compare", path, path)
            self.assertEqual(done.stderr.count(f"{path}: {told}"), 1, done.stderr)

    def test_graph_took_rows_with_names_for_a_capture_of_0_bytes(self):
        self.check(OK, "export", SAMPLE, "--table", "ops", "-o", "ops.json")
        (self.folder / "rows.json").write_text(json.dumps(self.query(GRAPH, "select name, level from ops")))
        (self.folder / "name.json").write_text('[{"name":"x"}]')
        unknown = "a JSON file of a kind that ttscope does not know"
        for name, kind in (("ops.json", "rows of a table; give the file that it was made from"), ("rows.json", unknown), ("name.json", unknown)):
            alone = self.check(FAILED, name).stderr
            self.assertIn(f"{name}: this is {kind}", alone)
            self.assertEqual(self.check(FAILED, "graph", name).stderr, alone)
            self.assertEqual(self.check(FAILED, "graph", GRAPH, name, "--json", "-").stderr, alone)

    def test_a_database_on_a_pipe_is_told_by_the_name_that_was_typed(self):
        made = sqlite3.connect(self.folder / "db.sqlite")
        made.executescript("create table operations (operation_id, name); create table captured_graph (operation_id, captured_graph)")
        made.close()
        database = (self.folder / "db.sqlite").read_bytes()
        os.mkfifo(self.folder / "pipe")
        for whole in (database, gzip.compress(database)):
            for args in (["-"], ["graph", "-"], ["sql", "-", "select 1"], ["diff", "-", str(GRAPH)]):
                done = subprocess.run([BUILD / "ttscope", *args], input=whole, capture_output=True, cwd=self.folder, timeout=60)
                self.assertEqual(done.returncode, FAILED, args)
                self.assertIn(b"ttscope: -: a database cannot be read from a pipe", done.stderr, args)
            for args in (["pipe"], ["graph", "pipe"]):
                writer = subprocess.Popen(["sh", "-c", "cat > pipe"], stdin=subprocess.PIPE, cwd=self.folder)
                writer.stdin.write(whole)
                writer.stdin.close()
                done = self.check(FAILED, *args)
                writer.wait(60)
                self.assertIn("ttscope: pipe: a database cannot be read from a pipe", done.stderr)
        for args in (["-"], ["graph", "-"]):
            with open(self.folder / "db.sqlite", "rb") as file:
                self.assertIn("-: a database cannot be read from standard input", self.check(FAILED, *args, stdin=file).stderr)

    def test_a_memory_report_packed_or_in_utf16_was_not_read_by_any_name(self):
        self.check(OK, "mem", SAMPLE, "--out", "plain", "--name", "s", "-q")
        query = "select op, line, op_type, dram_growth_bytes_per_bank, dram_allocated_before_bytes_per_bank from ops"
        figures = self.query("plain", query)
        forms = {"": lambda text: text.decode().encode("utf-16"), ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
        for end, made in forms.items():
            folder = self.folder / f"form{end}"
            folder.mkdir()
            for part in ("memory", "operations", "inputs_registry", "ir"):
                whole = (self.folder / "plain" / f"s_{part}.json").read_bytes()
                (folder / f"s_{part}.json{end}").write_bytes(made(whole))
            for path in (folder, folder / f"s_memory.json{end}", folder / f"s_operations.json{end}"):
                self.assertEqual(self.query(path, query), figures, path)
                for args in (["mem", path], [path]):
                    self.assertIn(f"s_memory.json{end}, ", self.check(OK, *args).stdout)
            first = folder / f"s_memory.json{end}"
            whole = first.read_bytes()
            if end == ".gz":
                first.write_bytes(whole + b"garbage")
                self.assertIn("the bytes after the gzip data", self.check(OK, "sql", folder, query).stderr)
                self.assertRegex(self.check(OK, "mem", folder).stdout, r"note\s+\S*s_memory\.json\.gz: ")
            first.write_bytes(whole[: len(whole) // 2])
            for args in (["mem", folder], ["mem", first], [first]):
                told = self.check(FAILED, *args).stderr
                self.assertRegex(told, rf"s_memory\.json{end}: .*not the JSON" if end in ("", ".gz") else rf"s_memory\.json{end}: ")
                self.assertNotIn("reads the folder", told)

    def test_raw_tells_files_that_are_read_without_it(self):
        (self.folder / "device.csv").write_text("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x\n")
        (self.folder / "ops.csv").write_text("OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\nAdd,x,1,5\n")
        for path, what in (("device.csv", "a log of the device profiler"), ("ops.csv", "an ops report of the profiler")):
            done = self.check(FAILED, "perf", "--raw", path)
            self.assertIn(f"{path}: this is {what}; `ttscope perf {path}` reads it, without --raw", done.stderr)

    def test_commands_that_read_logs_tell_the_folder_of_a_report(self):
        self.check(OK, "mem", SAMPLE, "--out", "report", "-q")
        for args in (["oom", "report"], ["last-run", "report", "-o", "out.log"], ["tail", "--once", "report"]):
            done = self.check(FAILED, *args)
            self.assertIn("this is a folder with the files of a memory report; `ttscope mem report` reads it", done.stderr)
        (self.folder / "other").mkdir()
        self.assertIn("is a folder, not a log file", self.check(FAILED, "oom", "other").stderr)

    def test_a_report_without_operations_was_read_and_has_nothing_in_it(self):
        (self.folder / "report").mkdir()
        (self.folder / "report" / "run_memory.json").write_text('{"metadata": {"memory_config": {"DRAM": {"num_banks": 12}}}, "operations": []}')
        (self.folder / "report" / "run_operations.json").write_text("[]")
        for path in ("report", "report/run_memory.json"):
            for args in (["mem", path], ["sql", path, "select 1"], ["export", path], [path]):
                done = self.check(NOTHING, *args)
                self.assertIn("run_memory.json: no operation was recorded", done.stderr)
                self.assertNotIn("`ttscope mem` reads", done.stderr)
        self.assertIn("no operation was recorded", self.check(NOTHING, "mem", "report/run_operations.json").stderr)

    @unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no captures of Tracy here")
    def test_perf_tells_what_reads_a_capture_of_the_host_alone(self):
        for capture in ("poc_v0.10.tracy", "poc_v0.11.tracy"):
            path = f"{SHARED}/data/tracy/{capture}"
            done = self.check(NOTHING, "perf", path)
            self.assertIn(f"perf takes no device times from a .tracy; `ttscope timeline {path}` shows what it holds of host and devices", done.stderr)

    @unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no captures of Tracy here")
    def test_perf_said_that_no_op_of_a_capture_has_a_duration_which_the_timeline_shows(self):
        path = f"{SHARED}/data/tracy/device_demo.tracy"
        self.assertIn("Ops on devices", self.check(OK, "timeline", path).stdout)
        done = self.check(NOTHING, "perf", path)
        self.assertIn(f"{path}: no file of a device is given, and perf takes no device times from a .tracy; "
                      f"`ttscope timeline {path}` shows what it holds of host and devices", done.stderr)
        self.assertNotIn("no op in it", done.stderr)

    def test_traces_and_rows_of_our_own_were_called_logs_or_not_known(self):
        (self.folder / "tracy_ops_times.csv").write_text(
            "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text\nwork,a.cpp,1,,,100,50,1,\n")
        for path in ("x.pftrace", "x.json"):
            self.check(OK, "timeline", "-q", "tracy_ops_times.csv", "-o", path)
        self.check(OK, "export", SAMPLE, "--table", "ops", "-o", "ops.json")
        self.check(OK, "sql", SAMPLE, "select 1 as a", "--json", "one.json")
        for path, what in (("x.pftrace", "a Perfetto trace that `ttscope timeline -o` writes; open it in ui.perfetto.dev"),
                           ("x.json", "trace events for chrome://tracing; open it in ui.perfetto.dev"),
                           ("ops.json", "rows of a table"), ("one.json", "rows of a table")):
            for args in ([path], ["mem", path], ["phases", path], ["graph", path], ["perf", path], ["timeline", path], ["oom", path],
                         ["fit", path], ["sql", path, "select 1"], ["export", path], ["diff", path, path], ["tail", path],
                         ["last-run", path, "-o", "out.log"]):
                self.assertIn(f"{path}: this is {what}", self.check(FAILED, *args).stderr, args)

    def test_an_archive_was_read_as_the_log_in_it(self):
        with tarfile.open(self.folder / "run.tar", "w") as archive:
            archive.add(SAMPLE, "run.log")
        with zipfile.ZipFile(self.folder / "run.zip", "w") as archive:
            archive.write(SAMPLE, "run.log")
        for kind in ("tar", "zip"):
            path = f"run.{kind}"
            for args in ([path], ["mem", path], ["phases", path], ["oom", path], ["tail", path], ["fit", path]):
                self.assertIn(f"{path}: this is a {kind} archive; unpack it first", self.check(FAILED, *args).stderr, args)
            for args in (["-"], ["mem", "-"], ["phases", "-"]):
                with (self.folder / path).open("rb") as file:
                    redirected = self.check(FAILED, *args, stdin=file)
                with subprocess.Popen(["cat", self.folder / path], stdout=subprocess.PIPE) as cat:
                    piped = self.check(FAILED, *args, stdin=cat.stdout)
                for done in (redirected, piped):
                    self.assertIn(f"this is a {kind} archive; unpack it first", done.stderr, args)

    def test_words_that_are_no_table(self):
        done = self.check(USAGE, "sql", SAMPLE, "select * from profile")
        self.assertIn("no such table: profile", done.stderr)
        self.assertEqual(self.query(SAMPLE, "select value from json_each('[7]')"), [{"value": 7}])


if __name__ == "__main__":
    unittest.main()
