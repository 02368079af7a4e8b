"""`ttscope timeline` of logs of memory: beside a run, alone, and of several ranks."""
import json
import shutil
import unittest

from program_case import FAILED
from timeline_case import SimulatedCase


class MemoryOfARun(SimulatedCase):
    """A log has the memory of the run at known times."""

    def curve(self, *paths):
        self.run_ok("timeline", *map(str, paths), "-q", "-o", str(self.folder / "out.json"))
        trace = json.loads((self.folder / "out.json").read_text())["traceEvents"]
        return [(e["ts"] * 1000, next(iter(e["args"].values()))) for e in trace if e["ph"] == "C" and "DRAM" in e["name"]]

    def check_curve(self, points, within_ns, shift=200):
        self.assertEqual(len(points), 40)
        for number, ((at, value), (_, _, start, _)) in enumerate(zip(points, self.ops)):
            self.assertAlmostEqual(at, start - 19_000 + shift, delta=within_ns)
            self.assertAlmostEqual(value, 12 * (number + 1) * 2**20, delta=12)

    def test_memory_of_a_log_with_times_is_at_its_place(self):
        run = self.write_run(sync=True)
        iso = lambda ns: f"2026-11-18T09:00:{5 + ns // 10**9:02d}.{ns % 10**9:09d}Z "
        log = self.memory_log("run.log", iso)
        self.check_curve(self.curve(run, log), 1000)
        self.assertIn("run.log: by ops that both name (40 shared ops, all within", self.run_ok("timeline", str(run), str(log)).replace("\n", " "))
        # In the other forms too: read back, and as a plot of the page.
        out = self.folder / "out.tracy"
        self.run_ok("timeline", str(run), str(log), "-q", "-o", str(out))
        plots = json.loads(self.run_ok("timeline", str(out), "--json", "-"))["plots"]
        self.assertEqual({plot["name"]: plot["points"] for plot in plots}, {"DRAM allocated": 40, "L1 allocated": 40})
        page = self.folder / "out.html"
        self.run_ok("timeline", str(run), str(log), "-q", "-o", str(page))
        self.assertIn('"plots"', page.read_text(errors="replace"))

    def test_memory_of_a_log_without_times_is_at_its_ops(self):
        run = self.write_run(sync=True)
        log = self.memory_log("run.log", lambda ns: "")
        # Without times a state stands where its op does.
        self.check_curve(self.curve(run, log), 1000, shift=0)
        self.assertIn("no times", self.check(FAILED, "timeline", str(log)).stderr)

    def test_memory_of_a_rank_was_put_beside_the_ops_of_another_host(self):
        run = self.write_run(sync=True)
        for rank in (0, 1):
            shutil.copytree(run, self.folder / "ranks" / f"rank{rank}")
            shutil.copy(self.memory_log("run.log", lambda ns: ""), self.folder / "ranks" / f"rank{rank}" / "run.log")
        late = 7_000_000  # the other host's clock began earlier; its ops have the same names
        for name, column in (("tracy_ops_times.csv", 5), ("tracy_ops_data.csv", -1)):
            table = self.folder / "ranks" / "rank1" / ".logs" / name
            mark = "," if column == 5 else "`;"
            def moved(line):
                cells = line.split(mark)
                if len(cells) > 1 and cells[column].isdigit():
                    cells[column] = str(int(cells[column]) + late)
                return mark.join(cells)
            table.write_text("\n".join(map(moved, table.read_text().splitlines())) + "\n")
        ranks = self.folder / "ranks"
        # Nothing but their own clocks: the second host begins where the first does, its devices and memory with it.
        for rank in (0, 1):
            (ranks / f"rank{rank}" / ".logs" / "sync_device_info.csv").unlink()
        inputs = [ranks, ranks / "rank0" / "run.log", ranks / "rank1" / "run.log"]
        self.run_ok("timeline", *map(str, inputs), "-q", "-o", str(self.folder / "out.json"))
        events = json.loads((self.folder / "out.json").read_text())["traceEvents"]
        processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
        begins = lambda mark, process: min(e["ts"] for e in events if e["ph"] == mark and processes[e["pid"]].startswith(process))
        for rank in (0, 1):
            self.assertAlmostEqual(begins("C", f"Memory of rank{rank}/run.log"), begins("X", f"Host rank{rank}"), delta=2)
        trust = json.loads(self.run_ok("timeline", *map(str, inputs), "--json", "-"))["trust"]
        logs = {a["source"]: a["samples"] for a in trust["alignments"] if "run.log" in a["source"]}
        self.assertEqual(logs, {"rank0/run.log": 40, "rank1/run.log": 40})
        outside = self.folder / "run.log"
        self.assertIn("which host wrote it is not told", " ".join(self.run_ok("timeline", str(ranks), str(outside)).split()))

    def test_damaged_lines_of_a_memory_log_were_not_told(self):
        run = self.write_run(sync=True)
        log = self.memory_log("run.log", lambda ns: "")
        self.assertEqual(json.loads(self.run_ok("timeline", str(run), str(log), "--json", "-"))["trust"]["warnings"], [])
        lines = log.read_text().splitlines()
        broken = next(i for i, line in enumerate(lines) if "DRAM" in line)
        lines[broken] = lines[broken].replace("totalBytesAllocatedPerBank: 1.000", "totalBytesAllocatedPerBank: 1.0x0")
        log.write_text("\n".join(lines) + "\n")
        warnings = json.loads(self.run_ok("timeline", str(run), str(log), "--json", "-"))["trust"]["warnings"]
        self.assertIn(f"run.log: 1 x memory views with unreadable numbers (view ignored); first: line {broken + 1}", warnings)

    def test_a_log_alone_is_a_timeline_by_its_times(self):
        self.write_run(sync=True)
        log = self.memory_log("run.log", lambda ns: f"[1,0]<stdout>: {1700000000 + ns // 10**9}.{ns % 10**9:09d} ")
        points = self.curve(log)
        self.assertEqual(len(points), 40)
        self.assertAlmostEqual(points[-1][0] - points[0][0], self.ops[-1][2] - self.ops[0][2], delta=1000)

    def test_two_logs_with_times_of_day_were_laid_on_top_of_each_other(self):
        self.write_run(sync=True)
        clock = lambda ns: f"{9 + ns // 3600_000_000_000:02d}:{ns // 60_000_000_000 % 60:02d}:{ns // 10**9 % 60:02d}.{ns % 10**9:09d}"
        local = lambda late: lambda ns: f"2026-11-18 {clock(ns + late)} "
        utc = lambda late: lambda ns: f"2026-11-18T{clock(ns + late)}Z "
        midnight = lambda late: lambda ns: f"[{clock(ns + late)}] "
        minutes = 60_000_000_000
        for stamps, late in (((local, local), 20 * minutes), ((utc, utc), 20 * minutes), ((midnight, local), 20 * minutes),
                             ((local, utc), 3_000_000_000)):
            logs = [self.memory_log(f"rank{i}.log", stamp(i * late)) for i, stamp in enumerate(stamps)]
            points = [at for at, _ in self.curve(*logs)]
            self.assertEqual(len(points), 80)
            for own, later in zip(points[:40], points[40:]):
                self.assertAlmostEqual(later - own, late, delta=1000)
            self.assertIn("rank1.log: by the time of day that both say", self.run_ok("timeline", *map(str, logs)).replace("\n", " "))
            # Also where the one that began later is given first.
            points = [at for at, _ in self.curve(*reversed(logs))]
            self.assertAlmostEqual(points[0] - points[40], late, delta=1000)


if __name__ == "__main__":
    unittest.main()
