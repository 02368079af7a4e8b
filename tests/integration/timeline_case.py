"""What the tests of `ttscope timeline` share: traces for Perfetto against the document, a run whose truth is known, and its log of memory."""
import collections
import json
import shutil

from perfetto_trace import read_trace
from program_case import OK, ProgramCase


class TimelineCase(ProgramCase):
    def run_ok(self, *args):
        return self.check(OK, *args).stdout


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


HEADER = ("PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, "
          "zone name, type, source line, source file, meta data")
SYNC = ("device id,core_x, core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,tracy_base_time,"
        "device_frequency_ratio,device_shift")


class SimulatedCase(PerfettoCase):
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
