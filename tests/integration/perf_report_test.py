#!/usr/bin/env python3
"""`ttscope perf` on the files of a profiler run: golden reports byte for byte, every damaged case, options, files, exit codes.

Golden reports (made by the reference tools from real captures) are in TTSCOPE_SHARED_DIR; those tests are skipped without it.
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, FAILED, LIMIT, OK, USAGE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
GOLDEN = pathlib.Path(SHARED or ".") / "data/perf/golden"
LOG, CPP, TIMES, MESSAGES = ("profile_log_device.csv", "cpp_device_perf_report.csv", "tracy_ops_times.csv", "tracy_ops_data.csv")
DEVICE_ONLY = ("mdd", "tad", "hod2", "pc_wormhole_devonly")


class PerfCase(ProgramCase):
    def make(self, *options, name="run"):
        """A made-up capture; its folder."""
        folder = self.folder / name
        subprocess.run([BUILD / "ttscope-gen-device-log", "-o", folder / ".logs", *map(str, options)], check=True)
        return folder

    def report(self, *args, code=OK):
        """The rows of the report that a call writes."""
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        self.check(code, "perf", *args, "-q", "-o", out)
        return self.rows(out / "ops_perf_results.csv")

    @staticmethod
    def lists(path):
        with open(path, newline="") as file:
            return list(csv.reader(file))

    @staticmethod
    def rows(path):
        with open(path, newline="") as file:
            return list(csv.DictReader(file))


@unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no golden reports here")
class GoldenReports(PerfCase):
    def compare(self, expected, *args):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        self.check(OK, "perf", "--compat", "-q", "-o", out, *args)
        self.assertEqual((out / "ops_perf_results.csv").read_bytes(), expected.read_bytes(), args)

    def test_replayed_captures_are_byte_identical(self):
        sets = sorted(GOLDEN.glob("replay_*"))
        self.assertTrue(sets)
        for folder in sets:
            self.compare(folder / "expected/ops_perf_results.csv", folder / "in")

    def test_both_paths_are_byte_identical(self):
        small = GOLDEN / "legacy_vs_cpp_small"
        self.compare(small / "expected/ops_perf_results.legacy.csv", small / "in")
        logs = self.folder / "both"
        shutil.copytree(small / "in/.logs", logs)
        shutil.copy(small / "expected/cpp_device_perf_report.recomputed.csv", logs / CPP)
        self.compare(small / "expected/ops_perf_results.cpp.csv", logs)
        self.compare(small / "expected/ops_perf_results.legacy.csv", logs, "--from-device-log")

    def test_edge_cases_are_byte_identical_or_give_a_report(self):
        same = 0
        for folder in sorted(path for path in (GOLDEN / "edge").iterdir() if path.is_dir()):
            options = ["--device-only"] if folder.name in DEVICE_ONLY else []
            expected = folder / "reports/ops_perf_results.csv"
            if expected.is_file() and expected.stat().st_size > 0 and folder.name != "tad":  # the reference fails on tad
                self.compare(expected, folder, *options)
                same += 1
            else:
                self.assertTrue(self.report(folder, "--compat", *options), folder.name)
            if folder.name != "hod2":  # a header alone
                self.assertTrue(self.report(folder, *options), folder.name)
        self.assertGreaterEqual(same, 15)

    def test_the_real_capture_that_stops_the_reference(self):
        rows = self.report(GOLDEN / "failing_eager_accounting/in")
        self.assertEqual(len(rows), 1514)
        done = self.check(FAILED, "perf", GOLDEN / "failing_eager_accounting/in", "-o", self.folder / "o", "--strict")
        self.assertIn("90 x ops of the host have no device data", done.stdout)

    def compare_part(self, ours, theirs, way=""):
        """All that we write is what the reference writes, apart from the names of executions."""
        if not isinstance(ours, dict):
            if isinstance(ours, list) and ours and isinstance(ours[0], dict):
                self.assertEqual(len(ours), len(theirs), way)
                for index, item in enumerate(ours):
                    self.compare_part(item, theirs[index], f"{way}[{index}]")
            else:
                self.assertEqual(ours, theirs, way)
            return
        for key, value in ours.items():
            if key not in ("core_count", "run_host_id", "trace_id", "trace_id_count"):
                self.compare_part(value, theirs[key], f"{way}.{key}")

    def test_the_real_device_log(self):
        excerpt = GOLDEN / "device_excerpt"
        theirs = json.loads((excerpt / "device_analysis_data.json").read_text())
        # Its setup names the log and the folder as they were typed.
        log, out = theirs["setup"]["deviceInputLog"], theirs["setup"]["outputFolder"]
        (self.folder / log).parent.mkdir(parents=True)
        shutil.copy(excerpt / LOG, self.folder / log)
        self.check(OK, "perf", "--compat", "--device-only", "--device-analysis", log, "-o", out)
        for name in ("ops_perf_results.csv", "per_core_op_to_op_times.csv", "device_stats.txt", "device_analysis_data.json"):
            self.assertEqual((self.folder / out / name).read_bytes(), (excerpt / name).read_bytes(), name)
        shutil.rmtree(self.folder / out)
        self.check(OK, "perf", "--device-only", "--device-analysis", log, "-o", out)
        self.compare_part(json.loads((self.folder / out / "device_analysis_data.json").read_text()), theirs)
        row = self.report(excerpt / LOG)[1]
        self.assertEqual((row["DEVICE FW DURATION [ns]"], row["DEVICE KERNEL DURATION PER CORE AVG [ns]"]), ("609255", "602822"))

    def test_the_older_header_of_the_real_log(self):
        for path in sorted((GOLDEN.parent / "device-log").glob("*.csv")):
            self.assertEqual([row["DEVICE KERNEL DURATION [ns]"] for row in self.report(path)],
                             ["4505", "607729", "618202", "166555"], path.name)

    def test_noc_traces_of_a_fabric(self):
        traces = GOLDEN.parent / "tt-npe/workload/T3K-fabric-traces/line-4"
        logs = self.folder / "noc/.logs"
        shutil.copytree(traces, logs)
        (logs / CPP).write_text("GLOBAL CALL COUNT,DEVICE ID,OP NAME,DEVICE FW DURATION [ns]\n1,0,,500\n")
        rows = self.report(self.folder / "noc", "--noc-traces")
        self.assertGreater(int(rows[0]["NOC TRACE BYTES"]), 0)
        summary = self.rows(self.folder / "out/noc_summary.csv")
        for key in {(row["GLOBAL CALL COUNT"], row["DEVICE ID"]) for row in summary}:
            mine = [row for row in summary if (row["GLOBAL CALL COUNT"], row["DEVICE ID"]) == key]
            total = next(int(row["BYTES"]) for row in mine if row["SCOPE"] == "all")
            for scope in ("type", "core"):
                self.assertEqual(sum(int(row["BYTES"]) for row in mine if row["SCOPE"] == scope), total)


class MadeUpCaptures(PerfCase):
    def test_figures_follow_from_the_rows(self):
        for options in (["--rows", 60000], ["--rows", 60000, "--op-major"], ["--rows", 90000, "--devices", 3, "--cores", 20],
                        ["--rows", 60000, "--replays", 5], ["--rows", 60000, "--clock", 1350, "--sub-devices"],
                        ["--rows", 60000, "--start", 2 ** 44 - 5000000]):
            folder = self.make(*options, name="-".join(map(str, options)).replace("--", ""))
            self.report(folder)
            self.check(OK, "perf", "compare", folder / ".logs/truth.csv", self.folder / "out/ops_perf_results.csv", "-q")

    def test_one_thread_and_many_write_the_same(self):
        folder = self.make("--rows", 200000)
        self.report(folder, "--threads", 1)
        one = (self.folder / "out/ops_perf_results.csv").read_bytes()
        self.report(folder, "--threads", 5)
        self.assertEqual((self.folder / "out/ops_perf_results.csv").read_bytes(), one)

    def test_several_hosts_in_one_report(self):
        first = self.make("--rows", 20000, "--devices", 2, "--cores", 4, name="rank0")
        second = self.make("--rows", 10000, "--cores", 4, "--seed", 2, name="rank1")
        rows = self.report(first, second)
        self.assertEqual({row["HOST"] for row in rows}, {"rank0", "rank1"})
        self.assertEqual({row["DEVICE ID"] for row in rows if row["HOST"] == "rank0"}, {"0", "1"})
        self.assertEqual({row["DEVICE ID"] for row in rows if row["HOST"] == "rank1"}, {"2"})
        self.assertEqual(rows, self.report(self.folder, "--threads", 1))  # the folder that holds them
        self.check(USAGE, "perf", first, second, "--compat")
        for folder in (first, second):
            self.report(folder)
            shutil.move(self.folder / "out/ops_perf_results.csv", folder)
        found = json.loads(self.check(OK, "perf", "rank0/ops_perf_results.csv", "rank1/ops_perf_results.csv", "--json", "-").stdout)
        self.assertEqual([entry["host"] for entry in found["inputs"]], ["rank0", "rank1"])
        self.assertEqual(found["device"]["devices"], 3)

    def test_where_reports_go(self):
        folder = self.make("--rows", 5000, "--cores", 4)
        self.check(OK, "perf", folder, "-n", "mine")
        found = list((self.folder / "generated/profiler/reports/mine").glob("*/ops_perf_results_mine_*.csv"))
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0].stem, f"ops_perf_results_mine_{found[0].parent.name}")
        for number in ("", "_2", "_3"):
            self.check(OK, "perf", folder, "-o", self.folder / "o")
            self.assertTrue((self.folder / f"o/ops_perf_results{number}.csv").is_file())
        self.check(OK, "perf", folder, "-o", self.folder / "o", "--date", "-n", "x")
        self.assertEqual(len(list((self.folder / "o").glob("ops_perf_results_x_2*.csv"))), 1)
        self.check(USAGE, "perf", folder, "-n", "../x")

    def test_files_may_be_given_one_by_one_and_renamed(self):
        folder = self.make("--rows", 5000, "--cores", 4)
        expected = self.report(folder)
        renamed = self.folder / "device.txt"
        shutil.copy(folder / ".logs" / LOG, renamed)
        self.assertEqual(self.report(renamed, folder / ".logs" / TIMES, folder / ".logs" / MESSAGES), expected)
        self.assertEqual(len(self.report(renamed)), len(expected))

    def test_a_report_from_standard_input_was_judged_by_the_current_folder(self):
        self.report(self.make("--rows", 200, "--cores", 2))
        report = (self.folder / "out/ops_perf_results.csv").read_text()
        (self.folder / "simulated_chips.txt").write_text("\n")
        self.assertNotIn("imulated chips", self.check(OK, "perf", "-", input=report).stdout)
        (self.folder / "r.csv").write_text(report)
        self.assertIn("Simulated chips", self.check(OK, "perf", "r.csv").stdout)

    def test_compressed_files_and_pipes(self):
        folder = self.make("--rows", 5000, "--cores", 4)
        expected = self.report(folder)
        report = (self.folder / "out/ops_perf_results.csv").read_bytes()
        for path in list((folder / ".logs").glob("*.csv")):
            subprocess.run(["gzip" if path.name == LOG else "zstd", "-q", path], check=True)
            path.unlink(missing_ok=True)
        self.assertEqual(self.report(folder), expected)
        self.assertEqual(len(self.report(folder / ".logs" / (LOG + ".gz"))), len(expected))
        (self.folder / "r.csv").write_bytes(report)
        plain = self.check(OK, "perf", "r.csv").stdout
        with open(self.folder / "r.csv") as file:
            self.assertEqual(self.check(OK, "perf", "-", stdin=file).stdout, plain)
        self.assertEqual(self.check(OK, "perf", "-", input=report.decode()).stdout, plain)
        subprocess.run(["gzip", "-k", self.folder / "r.csv"], check=True)
        (self.folder / "packed").mkdir()
        shutil.move(self.folder / "r.csv.gz", self.folder / "packed/ops_perf_results.csv.gz")
        self.assertIn("Matmul", self.check(OK, "perf", "packed").stdout)
        cut = self.folder / "cut.csv.gz"
        cut.write_bytes((self.folder / "packed/ops_perf_results.csv.gz").read_bytes()[:-200])
        self.assertIn("too early", self.check(LIMIT, "perf", "compare", cut, "r.csv").stderr)
        (self.folder / "secret.csv").symlink_to(self.folder / "secret.csv")
        self.assertNotIn("not a file of the profiler", self.check(FAILED, "perf", "secret.csv").stderr)
        packed = (folder / ".logs" / (LOG + ".gz")).read_bytes()
        (folder / ".logs" / (LOG + ".gz")).write_bytes(packed[:len(packed) // 2])
        done = self.check(FAILED, "perf", folder, "--strict", "-o", self.folder / "o")
        self.assertIn("cut or damaged", done.stdout)

    def test_options_that_mean_nothing_are_refused(self):
        folder = self.make("--rows", 500, "--cores", 2)
        self.report(folder)
        shutil.copy(self.folder / "out/ops_perf_results.csv", self.folder / "r.csv")
        for options in (["--device-only"], ["--per-core-times"], ["--counter-tables"], ["--zones"]):
            self.assertIn("finished report", self.check(USAGE, "perf", "r.csv", *options).stderr)
        self.assertIn("compare", self.check(USAGE, "perf", "r.csv", "--tolerance", "1").stderr)
        for options in (["--table"], ["--html", "x"], ["-o", "x"], ["--strict"]):
            self.assertIn("no option of perf compare", self.check(USAGE, "perf", "compare", "r.csv", "r.csv", *options).stderr)
        self.check(USAGE, "perf", folder, "--counter-tables", "--json", "-")
        self.assertIn("No hardware counters", self.check(OK, "perf", folder, "--counter-tables", "--table").stdout)

    def test_inputs_are_never_overwritten(self):
        folder = self.make("--rows", 500, "--cores", 2)
        self.report(folder)
        report = self.folder / "r.csv"
        for name in ("r.csv", "x_bounds.csv", "x_stacked.csv", "s.csv"):
            shutil.copy(self.folder / "out/ops_perf_results.csv", self.folder / name)
        expected = report.read_bytes()
        for options in (["--csv", "r.csv"], ["--json", "./r.csv"], ["--llm", "r.csv"], ["--html", report]):
            self.assertIn("would overwrite", self.check(USAGE, "perf", "r.csv", *options).stderr)
        for name, options in (("x_bounds.csv", ["--csv", "x.csv"]), ("x_stacked.csv", ["--csv", "x.csv"]), ("s.csv", ["--summary-file", "s"])):
            self.check(USAGE, "perf", name, *options)
            self.assertEqual((self.folder / name).read_bytes(), expected)
        self.check(USAGE, "perf", folder, "--json", folder / ".logs" / LOG)
        self.assertEqual(report.read_bytes(), expected)

    def test_the_report_is_read_where_it_is_made(self):
        done = self.check(OK, "perf", self.make("--rows", 5000, "--cores", 4), "--table")
        self.assertIn("Matmul", done.stdout)
        self.assertFalse((self.folder / "generated").exists())

    def test_gaps_of_cores_are_nanoseconds(self):
        folder = self.make("--rows", 5000, "--cores", 4, "--clock", 500)
        self.report(folder, "--per-core-times", "--from-device-log")
        ours = self.lists(self.folder / "out/per_core_op_to_op_times.csv")
        self.assertEqual(ours[0][:4], ["device ID", "op2op ID", "1; 1 [ns]", "2; 1 [ns]"])
        compat = self.folder / "compat"
        self.check(OK, "perf", folder, "--per-core-times", "--from-device-log", "--compat", "-o", compat)
        theirs = self.lists(compat / "per_core_op_to_op_times.csv")
        for mine, other in zip(ours[1:], theirs[1:]):
            self.assertEqual([int(cell) for cell in mine[2:]], [2 * (int(cell) + 1500) for cell in other[2:]])


class DamagedCaptures(PerfCase):
    def small(self):
        folder = self.make("--rows", 160, "--cores", 2)
        return folder, {name: (folder / ".logs" / name).read_bytes() for name in (LOG, TIMES, MESSAGES)}

    def test_files_cut_at_every_tenth_byte_give_reports(self):
        """Each byte is cut in the fuzz test; here the whole program runs."""
        folder, texts = self.small()
        for name, text in texts.items():
            for length in list(range(0, len(text), max(1, len(text) // 40))) + [len(text)]:
                (folder / ".logs" / name).write_bytes(text[:length])
                done = self.check(OK, "perf", folder, "-o", self.folder / "o")
                self.assertIn("row", done.stdout)
            (folder / ".logs" / name).write_bytes(text)

    def test_strict_turns_losses_into_an_exit_code(self):
        folder, texts = self.small()
        self.check(OK, "perf", folder, "--strict", "-o", self.folder / "o")
        (folder / ".logs" / LOG).write_bytes(texts[LOG][:-300])
        self.check(OK, "perf", folder, "-o", self.folder / "o")
        done = self.check(FAILED, "perf", folder, "--strict", "-o", self.folder / "o")
        self.assertIn("core", done.stdout)
        self.assertIn("--strict", done.stderr)

    def test_losses_are_told_where_the_report_is_read(self):
        folder, texts = self.small()
        (folder / ".logs" / LOG).write_bytes(texts[LOG][:-300])
        found = json.loads(self.check(OK, "perf", folder, "--json", "-").stdout)["trust"]["capture_problems"]
        self.assertGreater(found["core_quarantined"]["count"], 0)
        self.assertTrue(found["core_quarantined"]["first_places"])
        sentence = found["core_quarantined"]["what"]
        self.assertIn(sentence, self.check(OK, "perf", folder, "--llm", "-").stdout)
        self.assertIn(sentence, self.check(OK, "perf", folder, "--table").stdout)
        self.assertIn("--strict", self.check(FAILED, "perf", folder, "--strict", "--table").stderr)

    def test_rows_made_directly_are_those_of_the_written_report(self):
        folder = self.make("--rows", 20000, "--cores", 4, "--devices", 2, "--replays", 3)
        self.check(OK, "perf", folder, "-o", self.folder / "out", "-q")
        written = self.folder / "out" / "ops_perf_results.csv"
        direct = self.check(OK, "perf", folder, "--csv", "-", "--no-summary").stdout
        self.assertEqual(direct, self.check(OK, "perf", written, "--csv", "-", "--no-summary").stdout)
        self.assertGreater(direct.count("\n"), 100)

    def test_empty_and_missing_files(self):
        folder, _ = self.small()
        for name in (LOG, TIMES, MESSAGES):
            (folder / ".logs" / name).write_bytes(b"")
        nothing_found = 4
        self.check(nothing_found, "perf", folder, "-o", self.folder / "o")
        shutil.rmtree(folder / ".logs")
        done = self.check(FAILED, "perf", folder)
        self.assertIn(LOG, done.stderr)
        self.assertIn("no such file", self.check(FAILED, "perf", "nowhere").stderr)
        (self.folder / "other.txt").write_text("something else\n")
        self.assertIn("not a file of the profiler", self.check(FAILED, "perf", "other.txt").stderr)

    def test_no_noc_files_cost_nothing(self):
        folder, _ = self.small()
        self.assertTrue(self.report(folder, "--noc-traces"))
        (folder / ".logs/noc_trace_dev0_Op_ID1024.json").write_text("[{")
        done = self.check(OK, "perf", folder, "--noc-traces", "-o", self.folder / "o")
        self.assertIn("NoC trace files could not be read", done.stdout)


class Comparison(PerfCase):
    def write(self, name, *rows):
        path = self.folder / name
        path.write_text("OP CODE,GLOBAL CALL COUNT,DEVICE ID,A [ns]\n" + "".join(row + "\n" for row in rows))
        return path

    def test_exit_codes_and_tolerances(self):
        first, second = self.write("a.csv", "x,1,0,100"), self.write("b.csv", "x,1,0,101")
        self.assertIn("equal", self.check(OK, "perf", "compare", first, first).stdout)
        self.assertIn("100 | 101", self.check(LIMIT, "perf", "compare", first, second).stdout)
        self.check(OK, "perf", "compare", first, second, "--tolerance", "1")
        self.check(OK, "perf", "compare", first, second, "--tolerance", "1%")
        self.check(OK, "perf", "compare", first, second, "--columns", "OP CODE, DEVICE ID")
        self.check(USAGE, "perf", "compare", first)
        self.check(USAGE, "perf", "compare", first, second, "--tolerance", "x")
        self.check(FAILED, "perf", "compare", first, self.folder / "none.csv")
        self.assertIn("not in both", self.check(FAILED, "perf", "compare", first, first, "--columns", "B").stderr)

    def test_documents(self):
        first, second = self.write("a.csv", "x,1,0,100", "y,2,0,7"), self.write("b.csv", "x,1,0,101")
        found = json.loads(self.check(LIMIT, "perf", "compare", first, second, "--json", "-").stdout)
        self.assertEqual(found["schema"], "ttscope.perf_compare/1")
        self.assertEqual((found["equal"], found["cells_different"], found["rows_only_in_first"]), (False, 1, 1))
        cells = [entry for entry in found["differences"] if entry["column"]]
        self.assertEqual([(cell["first"], cell["second"]) for cell in cells], [("100", "101")])
        self.assertEqual(len(found["differences"]), 2)
        self.check(LIMIT, "perf", "compare", first, second, "--llm", "d.md", "-q")
        self.assertIn("| A [ns] | `100` | `101` |", (self.folder / "d.md").read_text())
        self.assertTrue(json.loads(self.check(OK, "perf", "compare", first, first, "--json", "-").stdout)["equal"])


if __name__ == "__main__":
    unittest.main()
