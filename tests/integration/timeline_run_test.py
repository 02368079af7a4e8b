"""`ttscope timeline` of a host and two devices whose clocks have known offsets and drifts."""
import json
import shutil
import unittest

from program_case import NOTHING, USAGE
from timeline_case import SimulatedCase


class SimulatedRun(SimulatedCase):
    """Host and devices stand where they were."""

    def test_exchanges_bring_everything_to_its_place(self):
        trace, names = self.ops_of(self.write_run(sync=True))
        seen = 0
        true = {op: (start, end) for op, _, start, end in self.ops}
        for event in trace:
            if event["ph"] != "X":
                continue
            start, end = true[event["args"]["op"]]
            where = names[event["tid"]]
            if where == "Gaps":
                continue
            if where == "thread 1":
                expected = (start - 20_000, start - 5_000)
            elif event["name"].endswith("-KERNEL"):
                expected = (start + 1000, end - 1000)
            else:
                expected = (start, end)
            self.assertAlmostEqual(event["ts"] * 1000, expected[0], delta=1000)
            self.assertAlmostEqual((event["ts"] + event["dur"]) * 1000, expected[1], delta=1000)
            seen += 1
        self.assertEqual(seen, 40 + 40 + 40 * 2 * 2 * 2)
        text = self.run_ok("timeline", str(self.folder / "run"))
        self.assertIn("by exchanges between host and device (60 exchanges", text)

    def test_without_exchanges_no_op_begins_before_it_was_sent(self):
        run = self.write_run(sync=False)
        trace, names = self.ops_of(run)
        sent = {e["args"]["op"]: e["ts"] for e in trace if e["ph"] == "X" and names[e["tid"]] == "thread 1"}
        begun = {e["args"]["op"]: e["ts"] for e in trace if e["ph"] == "X" and names[e["tid"]] == "Ops"}
        self.assertEqual(len(begun), 40)
        self.assertTrue(all(begun[op] >= sent[op] - 0.001 for op in begun))
        self.assertIn("by the host: no op begins before it was sent", self.run_ok("timeline", str(run)))

    def test_devices_without_a_host_were_said_to_be_aligned_by_it(self):
        logs = self.write_run(sync=False) / ".logs"
        for name in ("tracy_ops_times.csv", "tracy_ops_data.csv"):
            (logs / name).unlink()
        log = logs / "profile_log_device.csv"
        rows_ = log.read_text().splitlines()
        same = [row for row in rows_[2:] if row.startswith("0,")]
        log.write_text("\n".join([*rows_[:2], *same, *("1" + row[1:] for row in same)]) + "\n")
        trust = json.loads(self.run_ok("timeline", str(logs), "--json", "-"))["trust"]
        self.assertEqual([one["basis"] for one in trust["alignments"]], ["device_ops", "device_ops"])
        self.assertNotIn("by the host", self.run_ok("timeline", str(logs)))

    def test_devices_without_exchanges_stayed_behind_those_that_had_some(self):
        logs = self.write_run(sync=True) / ".logs"
        for name in ("tracy_ops_times.csv", "tracy_ops_data.csv"):
            (logs / name).unlink()
        sync = logs / "sync_device_info.csv"
        sync.write_text("\n".join(row for row in sync.read_text().splitlines() if not row.startswith("1,")) + "\n")
        trust = json.loads(self.run_ok("timeline", str(logs), "--json", "-"))["trust"]
        self.assertEqual([one["basis"] for one in trust["alignments"]], ["sync", "device_ops"])
        trace, names = self.ops_of(logs)
        begun = sorted(e["ts"] for e in trace if e["ph"] == "X" and names[e["tid"]] == "Ops")
        self.assertAlmostEqual(begun[0], begun[1], delta=1)
        self.assertAlmostEqual(begun[0], 3000, delta=1)

    def test_ops_that_one_side_does_not_know_vanished_without_a_word(self):
        logs = self.write_run(sync=True) / ".logs"
        self.assertEqual(json.loads(self.run_ok("timeline", str(logs), "--json", "-"))["trust"]["warnings"], [])
        messages = (logs / "tracy_ops_data.csv").read_text()
        begin = messages.index('`TT_DNN_DEVICE_OP: "Matmul", 77, 0, true, 1024')
        end = messages.index("`TT_DNN_DEVICE_OP", begin + 1)
        (logs / "tracy_ops_data.csv").write_text(messages[:begin] + messages[end:])
        log = logs / "profile_log_device.csv"
        log.write_text("\n".join(row for row in log.read_text().splitlines() if ",0,2048,," not in row) + "\n")
        trust = json.loads(self.run_ok("timeline", str(logs), "--json", "-"))["trust"]
        self.assertEqual(trust["warnings"], [
            "1 x executions on devices are not in the host's messages: they are in no track of ops; first: op 1024 on device 0",
            "1 x ops of the host have no device data: they are in no track of ops; first: op 2048 on device 1"])
        self.assertEqual([(one["kind"], one["count"], one["place"]) for one in trust["findings"]],
                         [("ops_without_host", 1, "op 1024 on device 0"), ("ops_without_device", 1, "op 2048 on device 1")])

    def test_a_folder_with_a_capture_alone_was_no_profile_to_perf(self):
        alone = self.folder / "alone"
        alone.mkdir()
        self.run_ok("timeline", str(self.write_run(sync=True)), "-q", "-o", str(alone / "run.tracy"))
        self.assertEqual(self.run_ok("perf", str(alone)), self.run_ok("perf", str(alone / "run.tracy")))

    def test_ops_are_told_by_their_names(self):
        self.assertIn('  `TT_DNN_DEVICE_OP: "Matmul"', self.run_ok("timeline", str(self.write_run(sync=True))))

    def test_arrows_lead_from_the_host_to_the_device(self):
        trace, _ = self.ops_of(self.write_run(sync=True))
        self.assertEqual(sum(e["ph"] == "s" for e in trace), 40)

    def test_cuts(self):
        run = self.write_run(sync=True)
        everything = json.loads(self.run_ok("timeline", str(run), "--json", "-"))
        one = json.loads(self.run_ok("timeline", str(run), "--op", "2048", "--json", "-"))
        self.assertEqual(one["zones"], 1 + 1 + 8)
        core = json.loads(self.run_ok("timeline", str(run), "--core", "1,1", "--json", "-"))
        self.assertEqual(core["zones"], 40 + 40 + 38 + 40 * 4)
        self.assertEqual(core["trust"]["warnings"], [])
        none = json.loads(self.run_ok("timeline", str(run), "--core", "9,9", "--json", "-"))
        self.assertEqual(none["trust"]["warnings"], ["--core 9,9: no processor of a device is on this core"])
        self.check(NOTHING, "timeline", str(run), "--op", "77")
        part = json.loads(self.run_ok("timeline", str(run), "--from", "3.2ms", "--to", "3.3ms", "--json", "-"))
        self.assertLess(part["zones"], everything["zones"])
        self.assertGreater(part["zones"], 0)
        self.assertRegex(part["trust"]["warnings"][0], r"^[0-9]+ x zones reach over --from or --to: they are whole, in all sums too$")
        for wrong in (["--from", "x"], ["--core", "1"], ["--op", "a"], ["--from", "2s", "--to", "1s"], ["-o", "x.txt"], ["--csv-form", "gpu"],
                      ["-o", "x.json", "--tracy-version", "0.10"]):
            self.check(USAGE, "timeline", str(run), *wrong)

    def test_places_of_one_name_looked_alike_on_narrow_terminals(self):
        run = self.write_run(sync=True)
        times = run / ".logs" / "tracy_ops_times.csv"
        name = "launch_the_programs_of_a_mesh"
        rows_ = [f"{name},/tt/{place},,,{100 + 50 * number},40,7," for number, place in enumerate(("first.cpp,10", "second.cpp,20"))]
        times.write_text("\n".join([times.read_text().rstrip("\n"), *rows_]) + "\n")
        shown = [line.split()[:2] for line in self.run_ok("timeline", str(run), "--color", "never").splitlines() if line.startswith("  laun")]
        self.assertEqual(sorted(place for _, place in shown), ["first.cpp:10", "second.cpp:20"])

    def test_marks_of_kernels_and_transfers_are_on_their_lanes(self):
        run = self.write_run(sync=True)
        rate, zero = self.CLOCKS[0]
        cycle = lambda ns: round(zero + ns * rate)
        log = run / ".logs" / "profile_log_device.csv"
        at = self.ops[0][2] + 5000
        with log.open("a") as out:
            out.write(f"0,1,1,BRISC,77,{cycle(at)},42,1024,,,PROGRESS,TS_DATA,3,/a/k.cc,\n")
            out.write(f"0,1,1,BRISC,9,{cycle(at + 1000)},0,1024,,,,TS_EVENT,0,,\n")
        events = [{"run_host_id": 1024, "op_name": "Matmul", "proc": "BRISC", "src_device_id": 0, "zone": "BRISC-KERNEL", "zone_phase": "ZONE_START",
                   "sx": 1, "sy": 1, "timestamp": 777_000},  # of another clock: the zone tells where it stands
                  {"run_host_id": 1024, "op_name": "Matmul", "proc": "BRISC", "noc": "NOC_0", "vc": 1, "src_device_id": 0, "sx": 1, "sy": 1,
                   "num_bytes": 2048, "type": "READ", "timestamp": 777_000 + 3000, "dx": 2, "dy": 3}]
        (run / ".logs" / "noc_trace_dev0_Matmul_ID1024.json").write_text(json.dumps(events))
        trace, names = self.ops_of(run)
        seen = {e["name"]: (e["ts"] * 1000, names[e["tid"]]) for e in trace if e["ph"] == "i" and names.get(e["tid"]) == "Core 1,1 / BRISC"}
        self.assertEqual(set(seen), {"PROGRESS = 42", "event 9", "READ 2048 B NOC_0 from 2,3"})
        self.assertAlmostEqual(seen["PROGRESS = 42"][0], at, delta=1000)
        self.assertAlmostEqual(seen["event 9"][0], at + 1000, delta=1000)
        self.assertAlmostEqual(seen["READ 2048 B NOC_0 from 2,3"][0], self.ops[0][2] + 1000 + 3000, delta=1000)
        self.assertEqual([next(iter(e["args"].values())) for e in trace if e["ph"] == "C"], [2048, 0])
        # A capture of Tracy keeps them with their lane.
        out = self.folder / "out.tracy"
        self.run_ok("timeline", str(run), "-q", "-o", str(out))
        document = json.loads(self.run_ok("timeline", str(out), "--json", "-"))
        lanes = {m["text"]: " / ".join(document["tracks"][m["track"]][key] for key in ("group_name", "name")) for m in document["messages"] if m["text"] in seen}
        self.assertEqual(lanes, {text: "Device 0 / Core 1,1 / BRISC" for text in seen})

    def test_folders_of_ranks_are_hosts_on_one_axis(self):
        self.write_run(sync=True)
        for rank in (0, 1):
            shutil.copytree(self.folder / "run", self.folder / "ranks" / f"rank{rank}")
        text = self.run_ok("timeline", str(self.folder / "ranks"))
        self.assertIn("host rank1:", text)
        document = json.loads(self.run_ok("timeline", str(self.folder / "ranks"), "--json", "-"))
        one = json.loads(self.run_ok("timeline", str(self.folder / "run"), "--json", "-"))
        self.assertEqual(document["zones"], 2 * one["zones"])
        self.assertEqual({a["source"] for a in document["trust"]["alignments"]}, {"host rank0", "host rank1", "device 0", "device 1", "device 2", "device 3"})

    def test_perfetto_has_arrows_marks_and_memory(self):
        run = self.write_run(sync=True)
        log = self.memory_log("run.log", lambda ns: f"2026-11-18T09:00:{5 + ns // 10**9:02d}.{ns % 10**9:09d}Z ")
        self.check_perfetto(run, log)

    def test_tables_of_a_run_are_asked_by_sql(self):
        run = self.write_run(sync=True)
        log = self.memory_log("run.log", lambda ns: f"2026-11-18T09:00:{5 + ns // 10**9:02d}.{ns % 10**9:09d}Z ")
        query = "select kind, count(*), sum(length_ns) from timeline_zones join tracks using (track) group by kind order by kind"
        rows_ = self.run_ok("sql", "--timeline", str(run), str(log), query, "--csv", "-").splitlines()[1:]
        self.assertEqual(rows_, ["gaps,38,2090000", "lane,320,7680000", "ops,40,1000000", "thread,40,600000"])
        self.assertIn("DRAM allocated", self.run_ok("sql", "--timeline", str(run), str(log), "select name from plots"))
        self.check(USAGE, "sql", "--timeline")

    def test_a_cut_table_of_exchanges_is_said(self):
        run = self.write_run(sync=True)
        table = run / ".logs" / "sync_device_info.csv"
        text = table.read_text()
        table.write_text(text[: text.rindex("0.9996") + 4])
        self.assertIn("rows could not be read and are left out", " ".join(self.run_ok("timeline", str(run)).split()))
        trace, names = self.ops_of(run)
        true = {op: start for op, _, start, _ in self.ops}
        for event in trace:
            if event["ph"] == "X" and names[event["tid"]] == "Ops":
                self.assertAlmostEqual(event["ts"] * 1000, true[event["args"]["op"]], delta=1000)

    def test_written_captures_are_the_same(self):
        run = self.write_run(sync=True)
        out = self.folder / "out.tracy"
        self.run_ok("timeline", str(run), "-q", "-o", str(out))
        before = json.loads(self.run_ok("timeline", str(run), "--json", "-"))
        after = json.loads(self.run_ok("timeline", str(out), "--json", "-"))
        key = lambda stat: (stat["kind"], stat["name"], stat["file"], stat["count"], stat["total_ns"], stat["self_ns"], stat["max_ns"])
        self.assertEqual(sorted(map(key, after["statistics"]), key=str), sorted(map(key, before["statistics"]), key=str))
        ops = self.run_ok("sql", str(out), "select count(*) from timeline_zones where op = 2048")
        self.assertIn("2", ops)


if __name__ == "__main__":
    unittest.main()
