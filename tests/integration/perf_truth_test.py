#!/usr/bin/env python3
"""`ttscope perf` on runs of several devices whose times are known, and on every real report: parts add up.

The runs are made by tools/make_device_run.py. Real reports: TTSCOPE_SHARED_DIR; those tests are skipped without it.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import OK, SOURCE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")


class KnownRuns(ProgramCase):
    def made(self, *options):
        subprocess.run([sys.executable, SOURCE / "tools/make_device_run.py", self.folder / "run.csv", self.folder / "truth.json",
                        *map(str, options)], check=True)
        truth = json.loads((self.folder / "truth.json").read_text())
        return truth, json.loads(self.check(OK, "perf", "run.csv", "--json", "-").stdout)

    def check_times(self, truth, document):
        self.assertEqual([one["device"] for one in document["devices"]], [one["device"] for one in truth["devices"]])
        for got, want in zip(document["devices"], truth["devices"]):
            self.assertAlmostEqual(got["wall_ns"] / 1000, want["wall_us"], delta=0.01)
            self.assertAlmostEqual(got["busy_ns"] / 1000, want["busy_us"], delta=0.01 * len(truth["order"]))
            self.assertAlmostEqual(got["busy_ns"] + got["idle_ns"], got["wall_ns"], delta=0.01)
        path = document["critical_path"]
        self.assertAlmostEqual(path["wall_us"], truth["wall_us"], delta=0.01)
        self.assertAlmostEqual(sum(part["us"] for part in path["parts"]), path["wall_us"], delta=0.001)
        self.check_tables(document)
        self.assertEqual([op["op"] for op in document["ops"]], truth["order"])
        self.assertAlmostEqual(sum(op["total_percent"] for op in document["ops"]), 100, delta=1e-6)

    def check_tables(self, document):
        """The declared tables say what the document says."""
        def rows(query):
            return json.loads(self.check(OK, "sql", "run.csv", query, "--json", "-").stdout)
        columns = ("device", "wall_ns", "busy_ns")
        self.assertEqual(rows(f"select {', '.join(columns)} from devices"),
                         [{key: one[key] for key in columns} for one in document["devices"]])
        parts = document["critical_path"]["parts"]
        self.assertEqual(rows("select device, kind, duration_us as us from critical_path"),
                         [{key: part[key] for key in ("device", "kind", "us")} for part in parts])
        times = [{"name": series["name"], **time} for series in document["iterations"] for time in series["times"]]
        self.assertEqual(rows("select name, number, device, first_id, is_cut, start_ns, wall_ns, busy_ns, idle_ns from iterations"), times)

    def test_a_slow_device_is_named_and_its_gain_is_what_the_wall_becomes(self):
        for blocks in ([], ["--blocks"]):
            with self.subTest(blocks=blocks):
                truth, document = self.made("--slow-device", 2, "--slow-factor", 9, *blocks)
                self.check_times(truth, document)
                first = document["advice"][0]
                self.assertEqual((first["key"], first["device"], first["severity"]), ("balance_devices", 2, "critical"))
                self.assertIn("Softmax", first["title"])
                self.assertIn("device 2", first["title"])
                self.assertNotIn("AllBroadcast", first["title"])
                self.assertAlmostEqual(first["gain_us"], truth["wall_us"] - truth["wall_without_slow_device_us"], delta=0.1)
                self.assertLessEqual(sum(one["gain_us"] for one in document["advice"]), truth["wall_us"])

    def test_one_slow_device_of_many_is_named_whatever_the_collective(self):
        for count, collective in ((8, "ReduceScatter"), (32, "AllGatherAsync"), (32, "AllBroadcast")):
            with self.subTest(devices=count, collective=collective):
                truth, document = self.made("--devices", count, "--collective", collective, "--slow-device", count - 3, "--slow-factor", 3, "--late-device", 1, "--late-us", 4)
                self.check_times(truth, document)
                first = document["advice"][0]
                self.assertEqual((first["key"], first["device"]), ("balance_devices", count - 3))
                self.assertNotIn(collective, first["title"])
                self.assertLessEqual(sum(one["gain_us"] for one in document["advice"]), truth["wall_us"])

    def test_links_that_take_time_are_in_the_collectives_of_the_path(self):
        truth, document = self.made("--link-us", 25)
        self.check_times(truth, document)
        collectives = sum(one["us"] for one in document["critical_path"]["parts"] if one["kind"] == "collective")
        self.assertAlmostEqual(collectives, truth["link_us"], delta=0.1)

    def test_the_total_of_the_table_is_no_more_than_the_wall(self):
        truth, document = self.made("--slow-device", 1, "--slow-factor", 9)
        self.assertLessEqual(document["totals"]["device_us"] + document["totals"]["gap_us"], truth["wall_us"] + 0.1)

    def test_without_cycles_waiting_is_not_counted_twice(self):
        truth, _ = self.made("--slow-device", 2, "--slow-factor", 9)
        with open(self.folder / "run.csv", newline="") as file:
            rows = list(csv.reader(file))
        kept = [i for i, name in enumerate(rows[0]) if "CYCLE" not in name]
        with open(self.folder / "run.csv", "w", newline="") as file:
            csv.writer(file).writerows([[row[i] for i in kept] for row in rows])
        document = json.loads(self.check(OK, "perf", "run.csv", "--json", "-").stdout)
        self.assertIsNone(document["critical_path"])
        self.assertEqual({one["wall_ns"] for one in document["devices"]}, {None})
        self.assertAlmostEqual(document["totals"]["device_us"], truth["devices"][2]["busy_us"], delta=0.1)
        self.assertEqual((document["advice"][0]["key"], document["advice"][0]["device"]), ("balance_devices", 2))
        text = self.check(OK, "perf", "run.csv").stdout
        self.assertNotIn("cycles of the firmware", text)
        self.assertNotIn("came ?", text)

    def test_lateness_is_told_from_a_slow_collective(self):
        truth, document = self.made("--late-device", 3, "--late-us", 60.625, "--link-us", 7)
        self.check_times(truth, document)
        self.assertAlmostEqual(truth["late_us"], 485, delta=1e-6)
        self.assertAlmostEqual(document["skew"]["collective_late_us"], 485, delta=0.1)
        parts = document["critical_path"]["parts"]
        self.assertAlmostEqual(sum(one["us"] for one in parts if one["kind"] == "collective"), truth["link_us"], delta=0.1)
        gaps = [one for one in parts if one["kind"] == "gap" and one["us"] > 50]
        self.assertEqual({one["device"] for one in gaps}, {3})
        closed = document["advice"][0]
        self.assertIn(closed["key"], ("use_trace", "avoid_sync", "unknown_gaps"))
        self.assertLessEqual(closed["gain_us"], truth["wall_us"] - truth["wall_without_lateness_us"] + 0.1)
        self.assertEqual(closed["device"], 3)
        self.assertIn("device 3", closed["title"])

    def test_a_device_that_ended_early_is_named(self):
        def told(document):
            return [note for note in document["trust"]["notes"] if "not on all devices" in note]
        self.assertEqual(told(self.made("--devices", 4)[1]), [])
        rows = (self.folder / "run.csv").read_text().splitlines(keepends=True)
        device = rows[0].split(",").index("DEVICE ID")
        own = [i for i, row in enumerate(rows) if row.split(",")[device] == "3"]
        (self.folder / "cut.csv").write_text("".join(row for i, row in enumerate(rows) if i not in own[-6:]))
        note, = told(json.loads(self.check(OK, "perf", "cut.csv", "--json", "-").stdout))
        self.assertIn("6 ops are not on all devices", note)
        self.assertIn("lacking on device 3", note)
        self.assertIn("not on all devices", self.check(OK, "perf", "cut.csv", "--llm", "-").stdout)

    def test_a_late_device_behind_a_slow_one_is_told_too(self):
        truth, document = self.made("--slow-device", 2, "--slow-factor", 9, "--late-device", 1, "--late-us", 40)
        self.check_times(truth, document)
        self.assertEqual(truth["wall_without_lateness_us"], truth["wall_us"])
        first, second = document["advice"][:2]
        self.assertEqual((first["key"], first["device"], first["after_others"]), ("balance_devices", 2, False))
        self.assertAlmostEqual(first["gain_us"], truth["wall_us"] - truth["wall_without_slow_device_us"], delta=0.1)
        self.assertEqual((second["device"], second["after_others"]), (1, True))
        self.assertAlmostEqual(second["gain_us"], 8 * (40 + 1 - 6), delta=0.1)

    def test_gains_hold_where_a_device_lacks_rows(self):
        """What a device ran without a row of it still keeps it waiting: 653 of 980 us were promised."""
        slow = ("--layers", 12, "--slow-device", 2, "--slow-factor", 9)
        lost = {"collectives": (1, "0,3,6,9", "2"), "beginning": (3, "0,1,2,3", "0,1,2"), "layer": (1, "4", "0,1,2"), "end": (3, "8,9,10,11", "0,1,2"),
                "compute": (0, "2,5,8", "1"), "half of a layer": (0, "2,4,7", "1,2")}
        for name, (device, layers, ops) in lost.items():
            with self.subTest(lost=name):
                truth, document = self.made(*slow, "--lost-device", device, "--lost-layers", layers, "--lost-ops", ops)
                self.check_times(truth, document)
                first, = document["advice"]
                self.assertEqual((first["key"], first["device"]), ("balance_devices", 2))
                self.assertAlmostEqual(first["gain_us"], truth["wall_us"] - truth["wall_without_slow_device_us"], delta=0.1)

    def test_a_slow_device_that_lacks_its_collectives_is_waited_for_all_the_same(self):
        truth, document = self.made("--slow-device", 2, "--slow-factor", 9, "--lost-device", 2, "--lost-layers", "1,3,5", "--lost-ops", "2")
        self.check_times(truth, document)
        first, = document["advice"]
        self.assertEqual((first["key"], first["device"]), ("balance_devices", 2))
        self.assertAlmostEqual(first["gain_us"], truth["wall_us"] - truth["wall_without_slow_device_us"], delta=4)  # when it came is not known

    def test_where_rows_are_lost_is_no_gap(self):
        truth, document = self.made("--lost-device", 1, "--lost-layers", "2,5", "--lost-ops", "0,1")
        self.check_times(truth, document)
        self.assertEqual([one["key"] for one in document["advice"]], [])

    def test_on_a_mesh_only_those_of_a_row_or_a_column_meet(self):
        """Collectives of a mesh were taken for meetings of all devices: 20 of 4909 us were promised, or nothing."""
        for mesh, factor in (("2x4", 9), ("4x2", 1.5), ("4x8", 3)):
            with self.subTest(mesh=mesh):
                truth, document = self.made("--mesh", mesh, "--collective", "AllGather", "--slow-device", 5, "--slow-factor", factor)
                self.check_times(truth, document)
                rows, columns = map(int, mesh.split("x"))
                groups = {axis["cluster_axis"]: axis["groups"] for axis in document["critical_path"]["mesh"]}
                self.assertEqual(groups[1], [list(range(row * columns, (row + 1) * columns)) for row in range(rows)])
                self.assertEqual(groups[0], [list(range(column, rows * columns, columns)) for column in range(columns)])
                first = document["advice"][0]
                self.assertEqual((first["key"], first["device"]), ("balance_devices", 5))
                self.assertAlmostEqual(first["gain_us"], truth["wall_us"] - truth["wall_without_slow_device_us"], delta=0.1)
                self.assertIn("Collectives along axis 0 of the mesh meet in", self.check(OK, "perf", "run.csv").stdout)

    def test_a_mesh_is_known_by_the_others_where_a_device_lost_its_last_rows(self):
        """With two exchanges that all devices have the mesh was not seen, and nobody was slow."""
        truth, document = self.made("--mesh", "4x8", "--collective", "AllGather", "--slow-device", 31, "--slow-factor", 4,
                                    "--lost-device", 19, "--lost-layers", "2,3,4,5,6,7", "--lost-ops", "0,1,2")
        self.check_times(truth, document)
        self.assertEqual(len(document["critical_path"]["mesh"]), 2)
        first = document["advice"][0]
        self.assertEqual((first["key"], first["device"]), ("balance_devices", 31))
        self.assertAlmostEqual(first["gain_us"], truth["wall_us"] - truth["wall_without_slow_device_us"], delta=1)
        self.assertIn("device 19 (18, its last ones)", document["trust"]["lost"][0])

    def test_all_gathers_of_all_devices_are_of_all(self):
        _, document = self.made("--collective", "AllGather", "--devices", 8, "--slow-device", 5, "--slow-factor", 9)
        self.assertEqual(document["critical_path"]["mesh"], [])

    def test_a_late_device_is_named_where_others_wait_elsewhere(self):
        """Waits of all devices and those of one were a single item that named nobody."""
        truth, document = self.made("--late-device", 3, "--late-us", 20, "--all-late-us", 15)
        self.check_times(truth, document)
        late, = [one for one in document["advice"] if one["device"] == 3]
        self.assertAlmostEqual(late["gain_us"], truth["wall_us"] - truth["wall_without_lateness_us"] - 5 * 8, delta=0.1)  # 6 of 21 us stay
        others, = [one for one in document["advice"] if one["device"] is None]
        self.assertAlmostEqual(others["gain_us"], 7 * (15 + 1 - 6), delta=0.1)

    def test_balanced_devices_are_not_blamed(self):
        for count in (1, 2, 8, 32):
            with self.subTest(devices=count):
                truth, document = self.made("--devices", count)
                self.check_times(truth, document)
                self.assertNotIn("balance_devices", [one["key"] for one in document["advice"]])


@unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no real reports here")
class RealReports(ProgramCase):
    def reports(self):
        data = pathlib.Path(SHARED) / "data"
        yield from sorted((data / "perf/ops-reports").glob("*.csv"))
        yield from sorted(path for path in (data / "perf-pairs").glob("*/*.csv") if "perf_report" not in path.name)

    def test_parts_add_up_and_no_percentage_is_over_100(self):
        for path in self.reports():
            for options in ([], ["--ignore-signposts"], ["--no-merge-devices"], ["--ignore-signposts", "--warm-up"]):
                with self.subTest(report=path.name, options=options):
                    self.check_parts(json.loads(self.check(OK, "perf", path, "--json", "-", *options).stdout))

    def check_parts(self, document):
        if document["ops"]:
            for device in document["devices"]:
                if device["wall_ns"] is not None:
                    self.assertAlmostEqual(device["busy_ns"] + device["idle_ns"], device["wall_ns"], delta=1)
                    self.assertGreaterEqual(device["idle_ns"], -1)
            ids = {op["id"]: op.get("op") for op in document["ops"]}
            path = document["critical_path"]
            if path is not None:
                longest = max(one["wall_ns"] for one in document["devices"] if one["wall_ns"] is not None)
                self.assertAlmostEqual(path["wall_us"] * 1000, longest, delta=1)
                self.assertAlmostEqual(sum(one["us"] for one in path["parts"]), path["wall_us"], delta=path["wall_us"] * 1e-9 + 1e-6)
                for part in path["parts"]:
                    self.assertEqual(ids[part["row"]], part["op"])
                    self.assertIn(part["kind"], ("op", "collective", "gap"))
            self.assertAlmostEqual(sum(op.get("total_percent") or 0 for op in document["ops"]), 100, delta=1e-6)
            for record in document["ops"] + document["advice"] + document["bounds"] + document["categories"]:
                for name, value in record.items():
                    if name.endswith("percent") and value is not None:
                        self.assertLessEqual(value, 100 + 1e-6, (name, record))
            self.assertLessEqual(sum(one["gain_percent"] for one in document["advice"]), 100 + 1e-6)
            self.assertTrue(all(one["gain_percent"] >= 0.5 for one in document["advice"]))
            least_us = min([1] + [op["device_us"] for op in document["ops"] if (op.get("device_us") or 0) > 0])
            for one in document["advice"]:  # nobody makes a kernel that takes no time
                if one["basis"] == "modelled":
                    self.assertGreaterEqual(one["target_us"], one["rows"] * least_us - 1e-6, one)
            titles = [one["title"] for one in document["advice"]]
            self.assertEqual(len(titles), len(set(titles)))

    def test_the_path_of_the_terminal_adds_up_without_compiling(self):
        for path in self.reports():
            with self.subTest(report=path.name):
                text = self.check(OK, "perf", path, "--no-stacked-report", "--no-advice").stdout
                section = re.search(r"^Critical path  ([\d,]+) parts? .*\n.*\n((?:  .*\n)+)", text, re.M)
                if section is None:
                    continue
                lines = [re.match(r"  (op|collective|gap|rest) +\d* +([\d,]+) +[\d.,]+ μs +(\S.*?|-)(?:  .*)?$", line)
                         for line in section[2].splitlines()]
                self.assertTrue(all(lines), section[2])
                self.assertEqual(sum(int(line[2].replace(",", "")) for line in lines), int(section[1].replace(",", "")))
                shares = [line[3].strip() for line in lines if line[3] != "-"]
                self.assertAlmostEqual(sum(0 if one.startswith("<") else float(one.rstrip("%")) for one in shares), 100, delta=0.1 * len(shares))
                if "-" in [line[3] for line in lines]:
                    self.assertIn("(compiling)", section[2])

    def test_four_devices_are_no_longer_than_each_of_them(self):
        path = next(path for path in self.reports() if path.name.startswith("falcon3"))
        document = json.loads(self.check(OK, "perf", path, "--json", "-").stdout)
        for device in document["devices"]:
            self.assertAlmostEqual(device["wall_ns"] / 1000, document["totals"]["counted_us"], delta=1)
        self.assertLess(document["totals"]["device_us"] + document["totals"]["gap_us"], document["totals"]["wall_us"] * 1.001)
        self.assertEqual(document["iterations"][0]["count"], 3)

    def test_compiling_for_another_device_is_no_wait_for_the_host(self):
        path = next(path for path in self.reports() if path.name.startswith("distilbert"))
        document = json.loads(self.check(OK, "perf", path, "--json", "-").stdout)
        waits = next(one for one in document["gaps"] if one["cause"] == "sync")
        self.assertLess(waits["gap_us"], 1.5e6)  # 0.96 s of 2.5 s were compiling for device 1
        for device in document["devices"]:
            self.assertGreater(device["compile_ns"], 36e9)
            self.assertLess(device["compile_ns"], device["idle_ns"])

    def test_shares_by_op_are_one_figure_everywhere(self):
        path = next(path for path in self.reports() if path.name.startswith("distilbert"))
        document = json.loads(self.check(OK, "perf", path, "--json", "-").stdout)
        shares = {}
        for op in document["ops"]:
            name = op["op"].split(" ")[0].removesuffix("DeviceOperation")
            shares[name] = shares.get(name, 0) + (op.get("total_percent") or 0)
        markdown = self.check(OK, "perf", path, "--llm", "-").stdout.split("## By op", 1)[1].split("\n## ")[0]
        terminal = self.check(OK, "perf", path, "--no-advice", "--group-by", "op").stdout.split("\nStacked", 1)[1]
        of_markdown = {}
        for name, percent in re.findall(r"^\| `?(\w+).*\| ([\d.]+)% \|", markdown, re.M):
            of_markdown[name] = of_markdown.get(name, 0) + float(percent)
        of_terminal = {line.split()[-1]: float(line.split()[0]) for line in terminal.splitlines() if re.match(r" +[\d.]+ +[\d,.]+ +\d+ ", line)}
        for name in ("Binary", "Untilize", "UntilizeWithUnpadding", "Matmul", "Transpose"):
            self.assertAlmostEqual(of_markdown[name], shares[name], delta=0.02)
            self.assertAlmostEqual(of_terminal[name], shares[name], delta=0.06)

    def test_replays_that_the_writer_booked_on_ops_are_replays(self):
        golden = pathlib.Path(SHARED) / "data/perf/golden"
        path = golden / "replay_incumbent_linear_attention_trace/expected/ops_perf_results.csv"
        document = json.loads(self.check(OK, "perf", path, "--json", "-").stdout)
        self.assertEqual({op["op"] for op in document["ops"]}, {"TraceReplay"})
        self.assertEqual(document["iterations"][0]["count"], 199)
        self.assertEqual(document["advice"], [])
        self.assertIn("TilizeWithVal", self.check(OK, "perf", path, "--compat", "--ignore-signposts").stdout)
        for other in [*self.reports(), *(path for path in golden.glob("replay_*/expected/*.csv") if "_trace" not in path.parent.parent.name)]:
            self.assertNotIn("booked on ops", self.check(OK, "perf", other, "--no-advice").stdout)

    def test_small_collectives_are_promised_no_more_than_the_shortest_of_the_run(self):
        path = next(path for path in self.reports() if path.name.startswith("falcon3"))
        document = json.loads(self.check(OK, "perf", path, "--json", "-").stdout)
        for name in ("ReduceScatter", "AllGather"):
            times = [op["device_us"] for op in document["ops"] if name in op["op"]]
            gains = [one["gain_us"] for one in document["advice"] if name in (one["op"] or "")]
            self.assertLessEqual(sum(gains), sum(time - min(times) for time in times) + 1e-6)

    def test_an_op_that_computes_in_place_is_limited_by_compute_as_its_kernels_show(self):
        path = next(path for path in self.reports() if path.name == "bh20_oft.csv")
        document = json.loads(self.check(OK, "perf", path, "--json", "-", "--ignore-signposts").stdout)
        told = [op for op in document["ops"] if op.get("model") == "zones"]
        self.assertGreater(sum("BinaryNg" in op["op"] for op in told), 20)
        self.assertEqual({op["bound"] for op in told if "BinaryNg" in op["op"]}, {"compute"})

    def test_warm_up_is_left_out_of_a_run_of_two_passes(self):
        path = next(path for path in self.reports() if path.name.startswith("bh_64_clip"))
        document = json.loads(self.check(OK, "perf", path, "--json", "-").stdout)
        self.assertEqual(document["totals"]["warm_up"], {"passes": 1, "ops": 330, "told_by": "compile_gaps"})
        self.assertEqual(len(document["ops"]), 330)
        self.assertLess(document["totals"]["wall_us"], 10_000)


if __name__ == "__main__":
    unittest.main()
