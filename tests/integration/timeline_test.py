"""`ttscope timeline` as a program: real captures against csvexport's tables, written files read back by other readers."""
import collections
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from perfetto_trace import read_trace
from program_case import FAILED, NOTHING, OK, SOURCE, USAGE, ProgramCase

SHARED = pathlib.Path(os.environ["TTSCOPE_SHARED_DIR"]) if "TTSCOPE_SHARED_DIR" in os.environ else None
TRACY = SHARED / "data" / "tracy" if SHARED else None
HISTORY = SHARED / "data" / "perf" / "tt-mlir-history" if SHARED else None


def rows(text):
    return sorted(tuple(row) for row in csv.reader(io.StringIO(text)))


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


class TimelineCase(ProgramCase):
    def run_ok(self, *args):
        return self.check(OK, *args).stdout


@unittest.skipIf(jsonschema is None, "no python3-jsonschema")
class Documents(TimelineCase):
    def test_keep_to_the_schema(self):
        schema = json.loads((SOURCE / "docs/formats/timeline.schema.json").read_text())
        captures = sorted((SOURCE / "tests/fuzz/corpus/timeline_tracy").glob("device_*.tracy")) + sorted(TRACY.glob("*.tracy") if TRACY else [])
        self.assertTrue(captures)
        for capture in captures:
            with self.subTest(capture.name):
                jsonschema.validate(json.loads(self.run_ok("timeline", str(capture), "--json", "-")), schema)


class PerfettoCase(TimelineCase):
    """Traces for Perfetto have what the JSON document has, and nest."""

    def check_perfetto(self, *inputs):
        if not shutil.which("protoc"):
            self.skipTest("no protoc")
        out = self.folder / "out.pftrace"
        inputs = [str(path) for path in inputs]
        self.run_ok("timeline", *inputs, "-q", "-o", str(out))
        self.check_packets(read_trace(out, self.folder), json.loads(self.run_ok("timeline", *inputs, "--json", "-")))

    def check_packets(self, packets, document):
        names, tracks, open_, last, counts, totals, flows = {}, {}, {}, {}, collections.Counter(), collections.Counter(), collections.Counter()
        for packet in packets:
            for interned in packet.all("interned_data"):
                names.update((name.one("iid"), name.one("name", "")) for name in interned.all("event_names"))
            for descriptor in packet.all("track_descriptor"):
                tracks[descriptor.one("uuid")] = descriptor
            for event in packet.all("track_event"):
                kind, track, at = event.one("type"), event.one("track_uuid"), packet.one("timestamp", 0)
                self.assertIn(track, tracks)
                counts[kind] += 1
                flows.update(event.all("flow_ids"))
                flows.subtract(event.all("terminating_flow_ids"))
                if kind in (1, 2):
                    self.assertGreaterEqual(at, last.get(track, 0), "events of a track are in order")
                    last[track] = at
                if kind == 1:
                    open_.setdefault(track, []).append((names[event.one("name_iid")], at))
                elif kind == 2:
                    name, start = open_[track].pop()
                    totals[name] += at - start
        self.assertFalse(any(open_.values()), "every slice ends")
        self.assertFalse(any(flows.values()), "every arrow ends")
        self.assertEqual(counts[1], document["zones"])
        self.assertEqual(counts[3], len(document["messages"]))
        self.assertEqual(counts[4], sum(plot["points"] for plot in document["plots"]))
        for descriptor in tracks.values():
            process = descriptor.one("process")
            self.assertTrue(process or descriptor.one("parent_uuid") in tracks)
            self.assertTrue(descriptor.one("name") or process.one("process_name"))
        expected = collections.Counter()
        for stat in document["statistics"]:
            expected[stat["name"]] += stat["total_ns"]
        for name in set(expected) & set(totals):
            self.assertEqual(totals[name], expected[name], name)


class RealCaptures(PerfettoCase):
    """The figures are those that csvexport gave for the same files."""

    def setUp(self):
        super().setUp()
        if not TRACY or not TRACY.is_dir():
            self.skipTest("no reference captures here")

    def csv_of(self, path, form):
        return self.run_ok("timeline", str(path), "--csv", "-", "--csv-form", form)

    def test_statistics(self):
        self.assertEqual(rows(self.csv_of(TRACY / "host_demo.tracy", "stats")), rows(read(TRACY / "csv_stats.csv")))

    def test_zones_of_tt_metal(self):
        ours = self.csv_of(TRACY / "host_demo.tracy", "ops-times")
        self.assertEqual(rows(ours), rows(read(TRACY / "csv_unwrap.csv")))

    def test_zones_and_plots_of_newer_versions(self):
        self.assertEqual(rows(self.csv_of(TRACY / "host_demo_upstream.tracy", "unwrap")), rows(read(TRACY / "csv_unwrap_upstream.csv")))
        # csvexport repeats the text of the zone before where a zone has none.
        expected = rows(read(TRACY / "csv_unwrap_poc_v0.11_upstream.csv").replace("7000,2000,1,id:1024", "7000,2000,1,"))
        self.assertEqual(rows(self.csv_of(TRACY / "poc_v0.11.tracy", "unwrap-plots")), expected)

    def test_messages(self):
        self.assertEqual(self.csv_of(TRACY / "host_demo.tracy", "ops-data"), read(TRACY / "csv_messages.csv"))
        self.assertEqual(self.csv_of(TRACY / "host_demo_upstream.tracy", "messages"), read(TRACY / "csv_messages_upstream.csv"))

    def test_device_zones(self):
        self.assertEqual(rows(self.csv_of(TRACY / "poc_v0.11.tracy", "gpu")), rows(read(TRACY / "csv_gpu_poc_v0.11_upstream.csv")))

    def test_cores_of_older_captures_are_cores(self):
        document = json.loads(self.run_ok("timeline", str(HISTORY / "tracy_profile_log_host.tracy"), "--json", "-"))
        lanes = [track for track in document["tracks"] if track["kind"] == "lane"]
        self.assertEqual(len(lanes), 320)
        self.assertEqual({track["name"] for track in lanes}, {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2"})
        self.assertEqual({track["device"] for track in lanes}, {0})
        core = json.loads(self.run_ok("timeline", str(HISTORY / "tracy_profile_log_host.tracy"), "--core", "3,1", "--json", "-"))
        self.assertEqual(sum(track["kind"] == "lane" for track in core["tracks"]), 5)

    def test_ops_of_a_capture_alone_had_no_track(self):
        capture = str(HISTORY / "tracy_profile_log_host.tracy")
        made = self.run_ok("sql", capture, "select z.op, z.name, z.start_ns, z.length_ns from timeline_zones z join tracks t using(track) "
                           "where t.kind = 'ops' order by z.start_ns", "--csv", "-").splitlines()[1:]
        of_lanes = self.run_ok("sql", capture, "select z.op, min(z.start_ns), max(z.start_ns + z.length_ns) - min(z.start_ns) from timeline_zones z join tracks t "
                               "using(track) where t.kind = 'lane' and t.name = 'BRISC' and z.name = 'BRISC-FW' group by 1 order by 2", "--csv", "-").splitlines()[1:]
        names = ["Matmul", "BinaryDeviceOperation", "UnaryDeviceOperation", "Matmul", "BinaryDeviceOperation", "Softmax"]
        self.assertEqual([row.split(",") for row in made], [[op, name, *times] for name, (op, *times) in zip(names, (row.split(",") for row in of_lanes))])
        document = json.loads(self.run_ok("timeline", capture, "--json", "-"))
        self.assertRegex(document["trust"]["warnings"][0], r"^device 0: all ops begin more than 2466\.01 ms after the host sent them: ")
        # Tracy's csvexport knows the zones of processors alone.
        self.assertEqual(self.csv_of(capture, "gpu").count("\n") - 1, sum(s["count"] for s in document["statistics"] if s["kind"] == "lane"))

    def test_a_run_of_tt_mlir(self):
        capture = HISTORY / "tracy_profile_log_host.tracy"
        expected = rows(read(HISTORY / "tracy_ops_times.csv"))
        ours = rows(self.csv_of(capture, "ops-times"))
        # csvexport repeats names and texts of the zone before; all else is the same.
        plain = lambda table: sorted(row[:3] + row[5:] for row in table)
        self.assertEqual(plain(ours), plain(expected))
        self.assertEqual(self.csv_of(capture, "ops-data"), read(HISTORY / "tracy_ops_data.csv"))

    def test_written_captures_are_read_by_another_reader(self):
        reader = SHARED / "tools" / "rd_tracy.py"
        for source in ("host_demo.tracy", "device_demo.tracy", "host_demo_upstream.tracy", "poc_v0.10.tracy"):
            for version in ("0.11", "0.10"):
                out = self.folder / "out.tracy"
                self.run_ok("timeline", str(TRACY / source), "-q", "-o", str(out), "--tracy-version", version)
                listed = subprocess.run([sys.executable, str(reader), str(out)], capture_output=True, text=True, check=True).stdout
                self.assertIn("version (0, %s, 0)" % version[2:], listed)
                document = json.loads(self.run_ok("timeline", str(TRACY / source), "--json", "-"))
                again = json.loads(self.run_ok("timeline", str(out), "--json", "-"))
                self.assertEqual(again["statistics"], document["statistics"])
                zones = sum(s["count"] + s["without_length"] for s in document["statistics"] if s["kind"] != "frames")
                self.assertEqual(sum(line.startswith("  ") for line in listed.splitlines()), zones)

    def test_cut_captures_say_so(self):
        whole = (TRACY / "host_demo.tracy").read_bytes()
        path = self.folder / "cut.tracy"
        path.write_bytes(whole[: len(whole) // 2])
        result = self.run_program("timeline", str(path))
        self.assertIn("cut", result.stdout + result.stderr)

    def test_perfetto_nests(self):
        for source in sorted(TRACY.glob("*.tracy")):
            with self.subTest(source.name):
                self.check_perfetto(source)

    def test_chrome_events_follow_the_rules(self):
        for source in sorted(TRACY.glob("*.tracy")):
            out = self.folder / "out.json"
            self.run_ok("timeline", str(source), "-q", "-o", str(out))
            trace = json.loads(out.read_text())
            self.assertEqual(trace["displayTimeUnit"], "ns")
            zones = [e for e in trace["traceEvents"] if e["ph"] == "X"]
            order = [(e["ts"], -e["dur"]) for e in zones]
            self.assertEqual([t for t, _ in order], sorted(t for t, _ in order), "earlier ones come first")
            self.assertTrue(all((e["pid"], e["tid"]) in {(m["pid"], m["tid"]) for m in trace["traceEvents"] if m["name"] == "thread_name"}
                                for e in trace["traceEvents"] if e["ph"] == "i"), "messages have a thread with a name")
            named = {(e["pid"], e["tid"]) for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "thread_name"}
            self.assertTrue({(e["pid"], e["tid"]) for e in zones} <= named)
            for event in trace["traceEvents"]:
                self.assertIsInstance(event["pid"], int)
                self.assertIsInstance(event["tid"], int)
                if event["ph"] == "C":
                    self.assertTrue(all(isinstance(v, (int, float)) for v in event["args"].values()))


HEADER = ("PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, "
          "zone name, type, source line, source file, meta data")
SYNC = ("device id,core_x, core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,tracy_base_time,"
        "device_frequency_ratio,device_shift")


class SimulatedRun(PerfettoCase):
    """Two devices whose clocks have known offsets and drifts, and the host: everything is at its true place within a microsecond."""

    CLOCKS = {0: (1.0003, 5_000_000_000), 1: (0.9996, 77_123_456_789)}  # cycles a ns, cycles at time 0
    BASE, START, RATIO = 10_000_000, 10_400_000, 0.5  # ticks of the host; ns a tick

    def write_run(self, sync):
        logs = self.folder / "run" / ".logs"
        logs.mkdir(parents=True)
        # (op, device, start, end) in ns since the host's base time
        self.ops = [(1024 * (i + 1), i % 2, 3_000_000 + i * 40_000, 3_000_000 + i * 40_000 + 25_000) for i in range(40)]
        lines = ["ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64", HEADER]
        for device, (rate, zero) in self.CLOCKS.items():
            cycle = lambda ns: round(zero + ns * rate)
            for x in (1, 2):
                for risc in ("BRISC", "NCRISC"):
                    for op, on, start, end in self.ops:
                        if on != device:
                            continue
                        for name, a, b in ((f"{risc}-FW", start, end), (f"{risc}-KERNEL", start + 1000, end - 1000)):
                            for kind, at in (("ZONE_START", a), ("ZONE_END", b)):
                                lines.append(f"{device},{x},1,{risc},7,{cycle(at)},0,{op},,,{name},{kind},1,/a/{risc}.cc,")
        (logs / "profile_log_device.csv").write_text("\n".join(lines) + "\n")
        times = ["name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text"]
        messages = ["MessageName;total_ns", "`TT_SIGNPOST: begin`;2900000"]
        for op, device, start, end in self.ops:
            times.append(f'TT_DNN_DEVICE_OP,op.hpp,9,,"id:{op}",{start - 20_000},15000,1,')
            messages.append(f'`TT_DNN_DEVICE_OP: "Matmul", 77, {device}, true, {op} ->\n{{"op_code": "Matmul", "device_id": {device}, '
                            f'"op_type": "tt_dnn_device", "global_call_count": {op}, "input_tensors": [], "output_tensors": []}}`;{start - 19_000}')
        (logs / "tracy_ops_times.csv").write_text("\n".join(times) + "\n")
        (logs / "tracy_ops_data.csv").write_text("\n".join(messages) + "\n")
        if sync:
            rows_ = [SYNC]
            for device, (rate, zero) in self.CLOCKS.items():
                for i in range(60):
                    ticks = i * 100_000
                    at = (self.START - self.BASE + ticks) * self.RATIO
                    rows_.append(f"{device},1,1,{round(zero + at * rate)},{ticks},{ticks * self.RATIO},4,{self.START},0.0,{rate},{self.RATIO},{self.BASE},1.0,0")
            (logs / "sync_device_info.csv").write_text("\n".join(rows_) + "\n")
        return self.folder / "run"

    def ops_of(self, run):
        self.run_ok("timeline", str(run), "-q", "-o", str(self.folder / "out.json"))
        trace = json.loads((self.folder / "out.json").read_text())["traceEvents"]
        names = {e["tid"]: e["args"]["name"] for e in trace if e["ph"] == "M" and e["name"] == "thread_name"}
        return trace, names

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
        warnings = json.loads(self.run_ok("timeline", str(logs), "--json", "-"))["trust"]["warnings"]
        self.assertEqual(warnings, [
            "1 x executions on devices are not in the host's messages: they are in no track of ops; first: op 1024 on device 0",
            "1 x ops of the host have no device data: they are in no track of ops; first: op 2048 on device 1"])

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

    VIEW = ("                 Always |     INFO | Device {} memory state: MemoryView{{numBanks: {}, totalBytesPerBank: 1000.000 MB, "
            "totalBytesAllocatedPerBank: {:.3f} MB, totalBytesFreePerBank: {:.3f} MB, largestContiguousBytesFreePerBank: {:.3f} MB}}")

    def memory_log(self, name, stamp):
        """A log of the same run: before each op the memory, at a known time; `stamp` words the time of a line."""
        lines = []
        for number, (op, _, start, _) in enumerate(self.ops):
            at = start - 19_000  # of the host's message of the op
            op_line = f'            RuntimeTTNN |    DEBUG | Executing operation: %{number} = "ttnn.matmul"(%a, %b) : (tensor<1xf32>) -> tensor<1xf32> loc("op{number}")'
            lines.append(stamp(at) + op_line)
            lines.append(stamp(at + 100) + "                 Always |     INFO | Device memory state before operation MatmulOp")
            for memory, banks, used in (("DRAM", 12, number + 1), ("L1", 64, 0.5), ("L1_SMALL", 64, 0), ("TRACE", 12, 0)):
                lines.append(stamp(at + 200) + self.VIEW.format(memory, banks, used, 1000 - used, 1000 - used))
        path = self.folder / name
        path.write_text("\n".join(lines) + "\n")
        return path

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

    def test_places_of_one_name_looked_alike_on_narrow_terminals(self):
        run = self.write_run(sync=True)
        times = run / ".logs" / "tracy_ops_times.csv"
        name = "launch_the_programs_of_a_mesh"
        rows_ = [f"{name},/tt/{place},,,{100 + 50 * number},40,7," for number, place in enumerate(("first.cpp,10", "second.cpp,20"))]
        times.write_text("\n".join([times.read_text().rstrip("\n"), *rows_]) + "\n")
        shown = [line.split()[:2] for line in self.run_ok("timeline", str(run), "--color", "never").splitlines() if line.startswith("  laun")]
        self.assertEqual(sorted(place for _, place in shown), ["first.cpp:10", "second.cpp:20"])

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

    def test_bad_inputs(self):
        empty = self.folder / "empty"
        empty.write_bytes(b"")
        self.check(NOTHING, "timeline", str(empty))
        other = self.folder / "x.txt"
        other.write_text("hello\n")
        self.check(FAILED, "timeline", str(other))
        self.check(FAILED, "timeline", str(self.folder / "missing.tracy"))


if __name__ == "__main__":
    unittest.main()
