#!/usr/bin/env python3
"""`ttscope perf` as it is read: the table at several widths, its options, every kind of input, what is missing in it.

Real reports are in TTSCOPE_SHARED_DIR; those tests are skipped without it.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, FAILED, NOTHING, OK, SOURCE, USAGE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
DATA = pathlib.Path(SHARED or ".") / "data"
CORPUS = SOURCE / "tests/fuzz/corpus/chain_perf_ops_report"
TABLES = SOURCE / "tests/fuzz/corpus/perf_table_csv"
LOG, TIMES, MESSAGES = "profile_log_device.csv", "tracy_ops_times.csv", "tracy_ops_data.csv"
needs_data = unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no real reports here")


def section(text, title):
    """The lines of a table below its heading."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(title))
    end = next((i for i in range(start, len(lines)) if lines[i] == ""), len(lines))
    return lines[start + 1:end]


class ReadingCase(ProgramCase):
    def table(self, path, *args, width=120):
        return self.check(OK, "perf", path, *args, env={"COLUMNS": str(width)}).stdout

    def document(self, path, *args):
        return json.loads(self.check(OK, "perf", path, "--json", "-", *args).stdout)

    def capture(self, *options):
        folder = self.folder / "run"
        subprocess.run([BUILD / "ttscope-gen-device-log", "-o", folder / ".logs", *map(str, options)], check=True)
        return folder


class GroupTable(ReadingCase):
    def groups(self, text):
        """Figures of the lines above the foot, and those of the foot."""
        lines = section(text, "Ops  ")
        rules = [i for i, line in enumerate(lines) if line.startswith("---")]
        return [line.split() for line in lines[rules[0] + 1:rules[1]]], lines[rules[1] + 1].split()

    @needs_data
    def test_the_table_fits_the_terminal_and_adds_up_on_every_report(self):
        for path in sorted((DATA / "perf/ops-reports").glob("*.csv")):
            for width in (80, 120, 200):
                with self.subTest(path=path.name, width=width):
                    text = self.table(path, "--ignore-signposts", width=width)
                    lines = text.splitlines()
                    self.assertLessEqual(max(map(len, lines)), width, max(lines, key=len))
                    groups, foot = self.groups(text)
                    self.assertLessEqual(len(groups), 21)
                    # a line of ops without any time has a percentage and a count alone
                    shares = sum(float(one[0]) for one in groups)
                    self.assertAlmostEqual(shares, float(foot[0]), delta=0.05 * len(groups) + 0.05)
                    rows = section(self.table(path, "--ignore-signposts", "--all", "--top", 50, width=width), "ID")
                    self.assertLessEqual(max(map(len, rows)), width)

    def test_a_group_has_count_mean_spread_and_bound(self):
        text = self.table(CORPUS / "usual", "--ignore-signposts")
        self.assertRegex(section(text, "Ops  ")[0], r"Total %\s+Time μs\s+Count\s+Mean μs\s+±%.*Bound.*Op$")
        document = self.document(CORPUS / "usual", "--ignore-signposts")
        ops = [op for op in document["ops"] if "signpost" not in op and "host" not in op]
        _, foot = self.groups(text)
        self.assertEqual(int(foot[2]), document["totals"]["device_ops"] + document["totals"]["host_ops"])
        self.assertTrue(ops)

    def test_what_the_shares_hold_is_shown_and_said_at_80_columns_too(self):
        text = self.table(CORPUS / "two_devices", width=80)
        self.assertRegex(section(text, "Ops  ")[0], r"Total %\s+Time μs\s+Count\s+Mean μs\s+±%\s+Gap μs.*Bound.*Op$")
        self.assertIn("Total % is of device time and gaps: kernels and the gap before each op", " ".join(text.split()))
        devices = section(text, "Devices  ")
        self.assertEqual(len({line.split()[0] for line in devices if re.match(r"  \d+ ", line)}), 2)

    def test_zones_fit_the_terminal(self):
        folder = self.capture("--rows", 2000, "--cores", 4)
        for width in (80, 120):
            lines = self.table(folder, "--zones", width=width).splitlines()
            self.assertLessEqual(max(map(len, lines)), width, max(lines, key=len))
            self.assertIn("BRISC-KERNEL", "\n".join(lines))

    def test_top_sort_and_op(self):
        path = CORPUS / "two_devices"
        everything, foot = self.groups(self.table(path))
        few, few_foot = self.groups(self.table(path, "--top", 2))
        self.assertEqual(foot, few_foot)
        self.assertEqual([one[:4] for one in everything[:2]], [one[:4] for one in few[:2]])
        self.assertEqual(len(few), 3)
        self.assertIn("others", " ".join(few[2]))
        by_count, _ = self.groups(self.table(path, "--sort", "count"))
        counts = [int(one[2].replace(",", "")) for one in by_count if "others" not in " ".join(one)]
        self.assertEqual(counts, sorted(counts, reverse=True))
        only, only_foot = self.groups(self.table(path, "--op", "matmul"))
        self.assertTrue(only and all("Matmul" in " ".join(one) for one in only))
        self.assertLess(float(only_foot[0]), 100)

    def test_an_op_that_is_not_there_is_told_with_what_may_have_been_meant(self):
        path = CORPUS / "two_devices"
        self.assertNotIn("did you mean", self.check(NOTHING, "perf", path, "--op", "nonesuch").stderr)
        missed = self.check(NOTHING, "perf", path, "--op", "matmull", "--json", "out.json")
        self.assertIn("no op of the window has such a name; did you mean Matmul?", missed.stderr)
        self.assertEqual(missed.stdout, "")
        self.assertFalse((self.folder / "out.json").exists())

    def test_all_has_every_row_in_order_and_the_sum_of_what_is_shown(self):
        path = CORPUS / "two_devices"
        document = self.document(path)
        lines = section(self.table(path, "--all"), "ID")[1:-2]
        self.assertEqual([int(line.split()[0]) for line in lines], [op["id"] for op in document["ops"]])
        shown = section(self.table(path, "--all", "--op", "Matmul"), "ID")
        wanted = [op for op in document["ops"] if "Matmul" in op["op"]]
        self.assertIn(f"{len(wanted)} of {len(document['ops'])} rows", shown[-1])
        self.assertIn(f"{sum(op['device_us'] or 0 for op in wanted):,.0f} μs", shown[-1])
        by_time = section(self.table(path, "--all", "--sort", "time", "--top", 3), "ID")[1:-2]
        longest = sorted(document["ops"], key=lambda op: -(op["device_us"] or 0))[:3]
        self.assertEqual([int(line.split()[0]) for line in by_time], [op["id"] for op in longest])

    def test_options_of_the_table_are_never_ignored(self):
        for options in (["--all"], ["--top", "3"], ["--sort", "time"], ["--op", "x"]):
            self.check(USAGE, "perf", CORPUS / "usual", "--compat", *options)
            self.check(USAGE, "perf", CORPUS / "usual", "--json", "-", *options)
            self.assertIn("Ops" if options != ["--all"] else "Performance Report",
                          self.check(OK, "perf", CORPUS / "usual", "--json", "x.json", *options).stdout)
        self.check(USAGE, "perf", CORPUS / "usual", "--all", "--sort", "mean")
        self.check(USAGE, "perf", CORPUS / "usual", "--top", "0")

    def test_spellings_of_the_peer(self):
        plain = self.check(OK, "perf", CORPUS / "usual").stdout
        self.assertEqual(self.check(OK, "perf", CORPUS / "usual", "--no-color").stdout, plain)
        self.assertIn("\x1b[", self.check(OK, "perf", CORPUS / "usual", "--color").stdout)
        self.assertIn("\x1b[", self.check(OK, "perf", "--color", CORPUS / "usual").stdout)
        self.assertEqual(self.check(OK, "perf", "--color", "never", CORPUS / "usual").stdout, plain)
        self.assertEqual(self.check(OK, "perf", CORPUS / "usual", "--no-stacked-report").stdout,
                         self.check(OK, "perf", CORPUS / "usual", "--no-summary").stdout)
        self.check(OK, "perf", CORPUS / "usual", "--stacked-csv", "old")
        self.check(OK, "perf", CORPUS / "usual", "--summary-file", "new", "--group-by", "op")
        self.check(OK, "perf", CORPUS / "usual", "--summary-file", "in0", "--no-stack-by-in0")
        self.assertEqual((self.folder / "in0.csv").read_bytes(), (self.folder / "new.csv").read_bytes())
        self.assertTrue((self.folder / "old.csv").is_file())


class Modules(ReadingCase):
    @needs_data
    def test_layers_of_one_kind_are_together_and_add_up(self):
        path = DATA / "perf/ops-reports/bh20_oft.csv"
        lines = section(self.table(path, "--ignore-signposts", "--group-by", "module"), "Stacked")[2:]
        self.assertEqual(sum("TTBasicBlock *" in line for line in lines), 1)
        self.assertFalse([line for line in lines if "TTBasicBlock 0" in line])
        self.assertAlmostEqual(sum(float(line.split()[0]) for line in lines), 100, delta=0.05 * len(lines))


class TableAsInput(ReadingCase):
    def test_what_it_tells_is_read_and_what_it_cannot_tell_is_said(self):
        text = self.table(TABLES / "usual", "--ignore-signposts")
        self.assertIn("not the ops report it was made of", text)
        document = self.document(TABLES / "usual", "--ignore-signposts")
        ops = {op["id"]: op for op in document["ops"] if "signpost" not in op}
        self.assertEqual(ops[2]["op"], "MatmulDeviceOperation 32 x 64 x 96")
        self.assertEqual(ops[2]["device_us"], 10)
        self.assertEqual(ops[4]["gap_us"], 1.25)
        self.assertEqual(document["totals"]["host_ops"], 1)
        self.assertIn("a table does not say", text)
        self.assertIsNone(document["device"]["arch"])
        self.assertEqual(self.document(TABLES / "usual", "--ignore-signposts", "--arch", "blackhole")["device"]["arch"], "blackhole")

    @needs_data
    def test_what_a_kept_table_cannot_tell_is_unknown_and_not_guessed(self):
        for path in sorted((DATA / "perf-report").glob("*/report.csv")):
            document = self.document(path, "--ignore-signposts")
            self.assertIsNone(document["device"]["arch"], path.parent.name)
            self.assertLessEqual({gap["cause"] for gap in document["gaps"]}, {"launch", "compile", "unknown", "sync"}, path.parent.name)
            self.assertNotIn("use_trace", [one["key"] for one in document["advice"]])
            details = " ".join(one["detail"] for one in document["advice"])
            self.assertNotIn("program config", details)
            self.assertNotRegex(details, r"runs on \d+ of")

    @needs_data
    def test_a_kept_table_gives_the_figures_of_its_report(self):
        """The real pair: the published table against the report that it was made of."""
        folder = next((DATA / "perf-pairs").iterdir())
        for side in ("before", "after"):
            kept = self.document(folder / f"{side}.perf_report.csv")
            whole = self.document(folder / f"{side}.csv")
            self.assertEqual(len(kept["ops"]), len(whole["ops"]))
            self.assertEqual(kept["device"]["peak_dram_gb_s"], whole["device"]["peak_dram_gb_s"])
            for a, b in zip(kept["ops"], whole["ops"]):
                self.assertEqual((a["id"], a["op"]), (b["id"], b["op"]))
                self.assertAlmostEqual(a["device_us"], b["device_us"], 6)
                if b.get("dram_percent") is not None:
                    self.assertAlmostEqual(a["dram_percent"], b["dram_percent"], 3)
            self.assertAlmostEqual(kept["totals"]["device_us"], whole["totals"]["device_us"], 3)

    @needs_data
    def test_ours_in_the_same_form_reads_the_same(self):
        for path in sorted((DATA / "perf/ops-reports").glob("bh*.csv")):
            self.check(OK, "perf", path, "--ignore-signposts", "--csv", "ours.csv", "-q")
            kept = self.document(self.folder / "ours.csv", "--ignore-signposts")
            whole = self.document(path, "--ignore-signposts")
            self.assertAlmostEqual(kept["totals"]["device_us"], whole["totals"]["device_us"], 3, path.name)
            self.assertEqual(kept["totals"]["device_ops"], whole["totals"]["device_ops"], path.name)

    def test_merged_rows_of_several_devices_follow_each_other(self):
        document = self.document(TABLES / "merged")
        self.assertEqual(len(document["ops"]), 2)
        self.assertEqual(document["totals"]["device_us"], 21)
        self.assertIn("merged", self.table(TABLES / "merged"))

    def test_a_stacked_report_is_told_apart(self):
        (self.folder / "s.csv").write_text("Total % [%],Op Code,Device Time Sum [μs]\n1,Matmul,2\n")
        self.assertIn("stacked report", self.check(FAILED, "perf", "s.csv").stderr)


class Inputs(ReadingCase):
    def test_raw_files_and_finished_reports_behave_the_same_way(self):
        folder = self.capture("--rows", 5000, "--cores", 4)
        raw = self.check(OK, "perf", folder)
        self.assertFalse((self.folder / "generated").exists())
        self.check(OK, "perf", folder, "-o", "out", "-q")
        finished = self.check(OK, "perf", "out/ops_perf_results.csv")
        self.assertEqual(section(raw.stdout, "Ops  "), section(finished.stdout, "Ops  "))
        done = self.check(OK, "perf", "out/ops_perf_results.csv", "-o", "copy")
        self.assertIn("copy/ops_perf_results.csv", done.stdout)
        self.assertEqual((self.folder / "copy/ops_perf_results.csv").read_bytes(),
                         (self.folder / "out/ops_perf_results.csv").read_bytes())

    def test_the_newest_report_below_a_folder_is_found(self):
        folder = self.capture("--rows", 500, "--cores", 2)
        reports = self.folder / "work/generated/profiler/reports"
        for number, name in enumerate(("2026_01_01", "2026_01_03", "2026_01_02")):
            self.check(OK, "perf", folder, "-o", reports / name, "-n", name, "-q")
            path = reports / name / f"ops_perf_results_{name}.csv"
            os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
        done = self.check(OK, "perf", "work")
        self.assertIn("2026_01_02", done.stderr)
        self.assertIn("the newest of 3 reports", done.stderr)
        self.assertIn("Matmul", done.stdout)
        shutil.copytree(folder / ".logs", self.folder / "work/.logs")
        self.assertEqual(self.check(OK, "perf", "work").stderr, "")  # its own raw files come first

    def test_missing_files_are_named_and_strict_fails(self):
        folder = self.capture("--rows", 500, "--cores", 2)
        self.check(OK, "perf", folder, "--strict")
        for name, named in ((LOG, "profile_log_device.csv or cpp"), (TIMES, TIMES), (MESSAGES, MESSAGES)):
            with self.subTest(missing=name):
                shutil.move(folder / ".logs" / name, self.folder / "kept")
                for where in ([], ["-o", "out"]):
                    done = self.run_program("perf", folder, "--strict", *where)
                    self.assertEqual(done.returncode, FAILED, done.stdout + done.stderr)
                    self.assertIn(named, done.stdout + done.stderr)
                shutil.move(self.folder / "kept", folder / ".logs" / name)

    def test_a_missing_kernel_duration_column_is_named(self):
        with open(CORPUS / "usual", newline="") as file:
            rows = list(csv.reader(file))
        at = rows[0].index("DEVICE KERNEL DURATION [ns]")
        with open(self.folder / "r.csv", "w", newline="") as file:
            csv.writer(file).writerows([row[:at] + row[at + 1:] for row in rows])
        text = self.table("r.csv", "--ignore-signposts", width=1000)
        self.assertIn("no column DEVICE KERNEL DURATION [ns]: DEVICE FW DURATION [ns]", text)

    @needs_data
    def test_a_capture_of_replays_alone_is_analysed(self):
        folder = DATA / "perf/golden/replay_incumbent_linear_attention_trace/in"
        document = self.document(folder, "--ignore-signposts")
        replays = [op for op in document["ops"] if op.get("op") == "TraceReplay"]
        self.assertEqual(len(replays), 261)
        self.assertTrue(all(15000 < op["device_us"] < 17000 for op in replays))
        text = self.table(folder)
        self.assertNotIn("No device operations", text)
        self.assertRegex(text, r"\bTraceReplay\b")
        self.assertIn("100 % of the time is whole replays whose ops were not measured", text)
        self.assertNotIn("of the time computes", text)
        for said in (text, self.check(OK, "perf", folder, "--llm", "-").stdout):
            self.assertIn("what would make them faster is not known", said)

    @needs_data
    def test_a_window_without_device_times_promises_nothing(self):
        text = self.table(DATA / "perf/golden/failing_eager_accounting")
        self.assertIn("No op has a device time: what would make the run faster is not known.", text)
        self.assertNotIn("Nothing found", text)

    @needs_data
    def test_devices_with_other_ops_are_warned_of_in_few_lines(self):
        report = next((DATA / "perf/ops-reports").glob("distilbert*"))
        notes = self.document(report)["trust"]["notes"]
        missing = [note for note in notes if "not present in CSV" in note]
        self.assertEqual(len(missing), 3)
        self.assertEqual(sum("more of these" in note for note in notes), 1)

    def test_a_folder_of_noc_traces_alone(self):
        folder = self.folder / "noc"
        folder.mkdir()
        event = {"proc": "NCRISC", "noc": "NOC_0", "sx": 1, "sy": 2, "dx": 3, "dy": 4, "timestamp": 5, "run_host_id": 7,
                 "type": "READ", "num_bytes": 1024, "op_name": "MatmulDeviceOperation"}
        (folder / "noc_trace_dev2_Matmul_ID7.json").write_text(json.dumps([event, event, {**event, "type": "WRITE_"}]))
        text = self.table(folder)
        self.assertRegex(text, r"3,072 +3 +1 +2 +7 +READ 2,048 B, WRITE_ 1,024 B +Matmul")
        noc = self.document(folder)["noc"]
        self.assertEqual([(one["bytes"], one["transfers"], one["device"]) for one in noc], [(3072, 3, 2)])
        # The rows of the declared tables, all of their columns.
        def rows(query):
            return json.loads(self.check(OK, "sql", folder, query, "--json", "-").stdout)
        traces = [{key: value for key, value in one.items() if key != "by_type"} for one in noc]
        self.assertEqual([{key: value for key, value in row.items() if key != "profile"} for row in rows("select * from noc_traces")], traces)
        self.assertEqual(rows("select type, transfers, bytes from noc_transfers"), noc[0]["by_type"])


class Markers(ReadingCase):
    HEAD = ("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\nPCIe slot, core_x, core_y, RISC processor type, "
            "timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, "
            "source file, meta data\n")

    def log(self):
        rows = []
        for core in (1, 2):
            def add(timer, time, data, zone, kind, line, core=core):
                rows.append(f"0,{core},1,BRISC,{timer},{time},{data},1024,,,{zone},{kind},{line},k.cc,\n")
            add(1, 100, 0, "BRISC-FW", "ZONE_START", 1)
            add(2, 110, 0, "BRISC-KERNEL", "ZONE_START", 2)
            add(3, 120, 0, "MY LOOP", "ZONE_START", 3)
            add(77, 130, 40 + core, "TILE COUNT", "TS_DATA", 4)
            add(5, 140, 0, "", "TS_EVENT", 0)
            add(3, 150, 0, "MY LOOP", "ZONE_END", 3)
            add(2, 900, 0, "BRISC-KERNEL", "ZONE_END", 2)
            add(1, 1000, 0, "BRISC-FW", "ZONE_END", 1)
        (self.folder / LOG).write_text(self.HEAD + "".join(rows))
        return self.folder / LOG

    def test_values_and_events_appear_without_being_asked_for(self):
        log = self.log()
        zones = {zone["zone"]: zone for zone in self.document(log)["zones"]}
        self.assertEqual((zones["TILE COUNT"]["kind"], zones["TILE COUNT"]["count"]), ("data", 2))
        self.assertEqual((zones["TILE COUNT"]["min_value"], zones["TILE COUNT"]["max_value"]), (41, 42))
        self.assertIsNone(zones["TILE COUNT"]["mean_cycles"])
        self.assertEqual((zones["event 5"]["kind"], zones["event 5"]["count"]), ("event", 2))
        self.assertEqual(zones["MY LOOP"]["ops"], [{"call_count": 1024, "count": 2, "cycles": 60, "us": 0.06}])
        self.assertNotIn("ops", zones["BRISC-FW"])
        text = self.table(log)
        self.assertIn("41 .. 42", text)
        self.assertIn("event 5", text)

    def test_what_authors_recorded_ranks_before_firmware(self):
        lines = section(self.table(self.log(), "--zones"), "Zones")
        order = [next(i for i, line in enumerate(lines) if name in line) for name in ("MY LOOP", "TILE COUNT", "BRISC-KERNEL", "BRISC-FW")]
        self.assertEqual(order, sorted(order))


if __name__ == "__main__":
    unittest.main()
