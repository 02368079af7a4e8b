#!/usr/bin/env python3
"""What each option of `ttscope trace` changes in what a run leaves; and how a run is watched while it lasts."""
import json
import pathlib
import re
import socket
import subprocess
import time
import urllib.parse
import urllib.request
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from trace_case import BUILD, PYTHON, SOURCE, TTSCOPE, TraceCase, main

RUN = """
import ttnn
from tracy import Profiler, signpost
device = ttnn.open_mesh_device()
a = ttnn.ones((64, 64), device=device)
signpost("loop")
for _ in range(3):
    a + a
TRACE
device.close()
"""
TRACED = """
trace = ttnn.begin_trace_capture(device)
a + a
ttnn.end_trace_capture(device, trace)
for _ in range(2):
    ttnn.execute_trace(device, trace)
"""


class Effects(TraceCase):
    def run_with(self, *options, trace=False, **more):
        run = self.trace("-p", "-r", *options, self.script(RUN.replace("TRACE", TRACED if trace else "")), **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def log(self, name):
        return (self.logs / name).read_text()

    def zones_of_devices(self):
        return subprocess.run([TTSCOPE, "timeline", self.logs / "tracy_profile_log_host.tracy", "--csv", "-", "--csv-form", "gpu"],
                              capture_output=True, text=True).stdout

    def test_no_device(self):
        self.run_with("--no-device")
        self.assertFalse((self.logs / "profile_log_device.csv").exists())
        self.assertEqual({row["DEVICE KERNEL DURATION [ns]"] for row in self.rows()}, {""})

    def test_sync_host_device(self):
        run = self.run_with("--sync-host-device")
        self.assertGreater(self.log("sync_device_info.csv").count("\n"), 249)
        self.assertNotIn("--sync-host-device", run.stderr)

    def test_exchanges_were_advised_where_they_do_nothing(self):
        for options in ([], ["--sync-host-device"]):
            run = self.run_with("-n", "again", *options)
            self.assertNotIn("--sync-host-device", run.stderr)
            told = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, env=self.environment, capture_output=True, text=True)
            clocks, = [check for check in json.loads(told.stdout)["checks"] if check["name"] == "clocks of the last run"]
            self.assertEqual((clocks["found"], clocks["fix"]), ("simulated chips", ""))
        # Without the word that simulated chips leave, as on a real device, it is advised.
        (self.logs / "simulated_chips.txt").unlink()
        (self.logs / "sync_device_info.csv").unlink()
        told = subprocess.run([TTSCOPE, "doctor"], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assertIn("ttscope trace --sync-host-device", told.stdout)

    def test_synchronised_chips_lay_seconds_behind_their_host(self):
        # The host of the exchanges is simulated: its clock is not that of the zones.
        self.run_with("--sync-host-device")
        axis = json.loads(subprocess.run([TTSCOPE, "timeline", self.logs, "--json", "-", "-q"], capture_output=True, text=True,
                                         check=True).stdout)
        sent = [message["time_ns"] for message in axis["messages"] if "TT_DNN_DEVICE_OP" in message["text"]]
        shown = subprocess.run([TTSCOPE, "timeline", self.logs, "--csv", "-", "--csv-form", "gpu"], capture_output=True, text=True).stdout
        begun = [int(row.split(",")[2]) for row in shown.splitlines() if row.startswith("BinaryNgDeviceOperation")]
        self.assertEqual((len(sent), len(begun)), (3, 3))
        said = {each["source"]: each for each in axis["trust"]["alignments"]}["device 0"]
        self.assertEqual((said["basis"], said["samples"], said["peers"]), ("host_ops", 3, None))
        self.assertNotIn("other devices", said["text"])
        # As far as is known: the least shift at which no op begins before it was sent.
        self.assertTrue(min(sent) - 1_000_000 < min(begun) < max(sent) + 1_000_000, (sent, begun))

    def test_of_two_synchronised_chips_the_host_alone_was_said(self):
        script = self.script(RUN.replace("TRACE", "").replace("open_mesh_device()", "open_mesh_device((1, 2))"))
        self.assertEqual(self.trace("-p", "-r", "-q", "--sync-host-device", script).returncode, 0)
        axis = json.loads(subprocess.run([TTSCOPE, "timeline", self.logs, "--json", "-", "-q"], capture_output=True, text=True,
                                         check=True).stdout)
        devices = [each for each in axis["trust"]["alignments"] if each["source"].startswith("device ")]
        self.assertEqual(len(devices), 2)
        if jsonschema:
            jsonschema.validate(axis, json.loads((SOURCE / "docs/formats/timeline.schema.json").read_text()))
        for each in devices:
            # Programs could not tell it but by the sentence.
            self.assertEqual(each["peers"]["to_host"], "own_ops")
            self.assertGreater(each["peers"]["count"], 200)
            self.assertRegex(each["text"], r"by the host: no op begins before it was sent.*; to the other devices by exchanges "
                                   r"\(\d+ exchanges, all within ")

    def test_no_op_info_cache(self):
        self.run_with()
        self.assertEqual(self.log("tracy_ops_data.csv").count('"op_code"'), 1)
        self.run_with("--no-op-info-cache")
        self.assertEqual(self.log("tracy_ops_data.csv").count('"op_code"'), 3)

    def test_collect_noc_traces(self):
        self.run_with("--collect-noc-traces")
        traces = sorted(self.logs.glob("noc_trace_dev0_*ID*.json"))
        self.assertEqual(len(traces), 3)
        kinds = {entry.get("type") for entry in json.loads(traces[0].read_text())}
        self.assertLessEqual({"READ", "WRITE_"}, kinds)
        self.assertTrue(list(self.reports()[0].glob("noc_summary*.csv")))

    def test_no_transfers_ended_the_report(self):
        # tt-npe's reader ended the process where there was no trace file.
        run = self.trace("-p", "-r", "--collect-noc-traces", self.script("from tracy import signpost\nsignpost('alone')"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([row["OP CODE"] for row in self.rows()], ["alone"])

    def test_device_memory_profiler(self):
        self.run_with()
        self.assertNotIn("Device 0 DRAM", self.timeline())
        self.run_with("--device-memory-profiler")
        self.assertIn("Device 0 DRAM", self.timeline())

    def timeline(self):
        return subprocess.run([TTSCOPE, "timeline", self.logs], capture_output=True, text=True, check=True).stdout

    def test_traces_are_tracked_with_a_report(self):
        run = self.run_with(trace=True)
        data = self.log("tracy_ops_data.csv")
        for what, count in (("BEGIN", 1), ("END", 1), ("ENQUEUE_PROGRAM", 1), ("REPLAY", 2)):
            self.assertEqual(data.count(f"TT_METAL_TRACE_{what}: 0, 0"), count, what)
        self.assertNotIn("TRACE_TRACKING", run.stdout + run.stderr, "it was said to have no effect")
        self.assertEqual([row["METAL TRACE REPLAY SESSION ID"] for row in self.rows() if row["METAL TRACE ID"]], ["1", "2"])

    def test_device_trace_profiler(self):
        self.run_with("--device-trace-profiler", trace=True)
        self.assertEqual(set(re.findall(r"TRACE-(?:FW|KERNEL)", self.log("profile_log_device.csv"))), {"TRACE-FW", "TRACE-KERNEL"})
        self.assertNotIn("BRISC-KERNEL", self.log("profile_log_device.csv"))

    def test_enable_sum_profiling(self):
        self.run_with()
        self.assertNotIn("ZONE_TOTAL", self.log("profile_log_device.csv"))
        self.assertIn("sums of zones", self.run_with("--enable-sum-profiling").stderr)
        self.assertIn("ZONE_TOTAL", self.log("profile_log_device.csv"))

    def test_enable_accumulate_profiling(self):
        run = self.trace("-p", "--enable-accumulate-profiling", self.script(RUN.replace("TRACE", "")))
        self.assertEqual(run.returncode, 0, run.stderr)
        ids = {line.split(",")[7] for line in self.log("profile_log_device.csv").splitlines()[2:]}
        self.assertEqual(ids, {"0"}, "no op ids")

    def test_what_simulated_chips_do_not_have_is_said(self):
        run = self.run_with("--profile-dispatch-cores", "--profiler-capture-perf-counters", "fpu,l1")
        for words in ("no dispatch cores", "no hardware counters", "l1_0", "measured by the device log, because of: dispatch cores, hardware counters"):
            self.assertIn(words, " ".join((run.stdout + run.stderr).split()))

    def test_no_runtime_analysis(self):
        self.run_with()
        self.assertTrue((self.logs / "cpp_device_perf_report.csv").exists())
        self.run_with("--no-runtime-analysis", "-n", "log")
        self.assertFalse((self.logs / "cpp_device_perf_report.csv").exists())
        for row in self.rows("reports/log/*/ops_perf_results_log_*.csv"):
            if row["OP TYPE"] == "tt_dnn_device":
                self.assertGreater(int(row["DEVICE KERNEL DURATION PER CORE MAX [ns]"]), 0)

    def test_device_analysis_types(self):
        self.run_with("-a", "device_kernel_duration", "-a", "device_brisc_kernel_duration")
        row = [row for row in self.rows() if row["OP TYPE"] == "tt_dnn_device"][1]
        self.assertTrue(row["DEVICE KERNEL DURATION [ns]"] and row["DEVICE BRISC KERNEL DURATION [ns]"] and row["CORE COUNT"])
        self.assertEqual((row["DEVICE FW DURATION [ns]"], row["DEVICE NCRISC KERNEL DURATION [ns]"]), ("", ""))
        wrong = self.trace("-r", "-a", "kernel", "x.py")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("device_fw_duration", wrong.stderr)

    def test_child_functions(self):
        self.run_with("--child-functions", "EnqueueProgram")
        ops = [row for row in self.rows() if row["OP TYPE"] == "tt_dnn_device"]
        self.assertTrue(all(int(row["EnqueueProgram_TT_HOST_FUNC [ns]"]) > 0 for row in ops))
        self.assertGreater(int(ops[0]["CompileProgram_TT_HOST_FUNC [ns]"]), 0)

    def test_the_zone_of_compiling_held_no_compiling(self):
        # Kernels were compiled where they were enqueued. Without their compiler an op comes no further than its zone.
        script = self.script("import os, ttnn\ndevice = ttnn.open_mesh_device()\na = ttnn.ones((64, 64), device=device)\n"
                             "path, os.environ['PATH'] = os.environ['PATH'], '/nowhere'\n"
                             "try:\n    a + a\nexcept RuntimeError as error:\n    print('refused:', error)\n"
                             "BEGIN\nos.environ['PATH'] = path\na + a\ndevice.close()\n")
        whole, text = script, script.read_text()
        for begin, calls in (("raise SystemExit", 0), ("", 1)):
            whole.write_text(text.replace("BEGIN", begin))
            run = self.trace("-p", "-r", "-q", "-n", f"calls_{calls}", whole, TTSCOPE_CHIP_CACHE=str(self.folder / f"cache{calls}"))
            self.assertIn("refused:", run.stdout, run.stderr)
            zones = (self.logs / "tracy_ops_times.csv").read_text().splitlines()
            self.assertEqual(len([zone for zone in zones if zone.startswith("CompileProgram,")]), calls + 1)
            self.assertEqual(len([zone for zone in zones if zone.startswith("EnqueueProgram,")]), calls)
        row, = [row for row in self.rows("reports/calls_1/*/ops_perf_results_*.csv") if row["OP TYPE"] == "tt_dnn_device"]
        self.assertEqual(row["PROGRAM CACHE HIT"], "False")  # nothing was there to hit

    def test_the_arithmetic_of_long_ops_was_cut_with_their_kernels(self):
        run = self.trace("-p", "-r", "-q", self.script("import ttnn\ndevice = ttnn.open_mesh_device()\n"
                                                       "a = ttnn.ones((1024, 1024), device=device)\na @ a\ndevice.close()\n"))
        self.assertEqual(run.returncode, 0, run.stderr)
        row, = self.rows()
        self.assertEqual(int(row["PM COMPUTE [ns]"]), 16 * 32 ** 3)
        self.assertLess(int(row["DEVICE KERNEL DURATION [ns]"]), 20_000)  # of simulated cores, which are slow
        shown = subprocess.run([TTSCOPE, "perf", self.reports()[0]], capture_output=True, text=True, check=True).stdout
        self.assertIn("ran faster than bytes and operations allow", " ".join(shown.split()))
        self.assertIn("Simulated chips: the times of devices are modelled", shown)
        for percent in re.findall(r"(\d+(?:\.\d+)?) ?%", shown):
            self.assertLessEqual(float(percent), 100)

    def test_child_functions_of_logs_that_are_there_were_ignored(self):
        self.run_with()
        again = self.trace("--process-logs-only", "-n", "again", "--child-functions", "EnqueueProgram")
        self.assertEqual(again.returncode, 0, again.stderr)
        rows = self.rows("reports/again/*/ops_perf_results_again_*.csv")
        self.assertIn("EnqueueProgram_TT_HOST_FUNC [ns]", rows[0])

    def test_files_and_zones_of_devices_can_be_left_out(self):
        run = self.run_with("--disable-device-data-dump-to-files")
        self.assertIn("no device columns", run.stderr)
        self.assertFalse((self.logs / "profile_log_device.csv").exists())
        self.run_with()
        self.assertIn("BRISC-KERNEL", self.zones_of_devices())
        self.run_with("--disable-device-data-push-to-tracy")
        self.assertNotIn("BRISC-KERNEL", self.zones_of_devices())

    def test_perf_was_advised_where_there_is_no_op(self):
        run = self.trace("-p", "--no-device", self.script("from tracy import signpost\nsignpost('a')"))
        self.assertIn("Next: ttscope timeline", run.stderr)
        self.assertIn("Next: ttscope perf", self.run_with().stderr)

    def test_verbose_and_quiet(self):
        loud = self.run_with("-v").stderr
        self.assertIn("Program: ", loud)
        self.assertIn("TT_METAL_DEVICE_PROFILER=1", loud)
        self.assertEqual(self.run_with("-q", "--sync-host-device").stderr, "")

    def test_without_p_calls_are_zones_and_with_it_they_are_not(self):
        self.run_with()
        self.assertNotIn("PY_FUNC_", self.log("tracy_ops_times.csv"))
        self.assertEqual(self.trace("-r", self.script(RUN.replace("TRACE", ""))).returncode, 0)
        self.assertIn("PY_FUNC_open_mesh_device", self.log("tracy_ops_times.csv"))


class DoctorTest(TraceCase):
    def checks(self, **more):
        run = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, env=dict(self.environment, **more), capture_output=True,
                             text=True)
        found = {}
        for check in json.loads(run.stdout)["checks"]:
            found.setdefault(check["name"], check)
        return found

    def test_every_variable_has_its_value_and_what_follows(self):
        values = {name: "1" for name in (
            "TT_METAL_DEVICE_PROFILER", "TT_METAL_PROFILER_SYNC", "TT_METAL_PROFILER_CPP_POST_PROCESS", "TT_METAL_DEVICE_PROFILER_DISPATCH",
            "TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "TT_METAL_TRACE_PROFILER", "TT_METAL_MEM_PROFILER", "TT_METAL_PROFILER_SUM",
            "TT_METAL_PROFILER_NO_CACHE_OP_INFO", "TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES", "TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY",
            "TT_METAL_PROFILER_TRACE_TRACKING", "TTNN_OP_PROFILER", "TT_METAL_NOC_DEBUG_DUMP")}
        values.update(TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT="5000", TT_METAL_PROFILER_DIR="out", TRACY_PORT="9000",
                      TT_METAL_PROFILE_PERF_COUNTERS="9", TRACY_WASM_HTTP_PORT="9100", TT_METAL_HOME=str(self.folder))
        set_by_hand, unset = self.checks(**values), self.checks()
        for name, value in values.items():
            with self.subTest(name):
                self.assertEqual(set_by_hand[name]["found"], value)
                self.assertEqual(unset[name]["found"], "not set")
                self.assertTrue(set_by_hand[name]["means"] and unset[name]["means"])
                self.assertNotEqual(set_by_hand[name]["means"], unset[name]["means"])
        # The one that excludes two of them.
        self.assertEqual(self.checks(TT_METAL_PROFILER_MID_RUN_DUMP="1", TT_METAL_TRACE_PROFILER="1",
                                     )["TT_METAL_PROFILER_MID_RUN_DUMP"]["found"], "1")

    def test_guide_and_doctor_know_the_same_variables(self):
        guide = (SOURCE / "docs" / "trace.md").read_text()
        for name in self.checks():
            if name.startswith(("TT_METAL_", "TTNN_", "TRACY_")) and name != "TT_METAL_DPRINT_CORES":
                short = re.sub(r"^TT_METAL(_DEVICE)?_PROFILER", "", name)
                self.assertTrue(name in guide or (short and f"..{short}`" in guide), name)


class ForwardingTest(TraceCase):
    """Packages that answer to the names of tt-metal's: what marks say goes to them."""

    def package(self, name, files):
        for file, text in files.items():
            path = self.folder / "site" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def test_their_ttnn_takes_the_marks(self):
        self.package("ttnn", {"__init__.py": "def tracy_message(text, color=0):\n    print('message', text, hex(color))\n"
                                             "def start_tracy_zone(*words):\n    print('begin', *words)\n"
                                             "def stop_tracy_zone(*words):\n    print('end', *words)\n    return True\n"
                                             "def tracy_frame():\n    print('frame')\n"})
        run = self.trace("-p", "--no-device", self.script(
            "import tracy\ntracy.signpost('a', 'b')\ntracy.start_tracy_zone('f.py', 'Z', lineNum=7)\nprint(tracy.stop_tracy_zone('N'))\n"
            "tracy.frame_mark()"), PYTHONPATH=str(self.folder / "site"))
        self.assertEqual(run.stdout, "message `TT_SIGNPOST: a\nb` 0xf0f8ff\nbegin f.py Z 7 0\nend N 0\nTrue\nframe\n", run.stderr)

    def test_their_runner_is_told_what_it_would_undo(self):
        self.package("ttnn", {"__init__.py": ""})
        self.package("tracy", {"__init__.py": "", "__main__.py": "import sys\nprint(sys.argv[1:])\n"})
        script = self.script("")
        for options, variables, expected in (
                (["-p", "-r"], {}, ["-r", "-p"]),
                (["-p", "-l", "--no-op-info-cache"], {}, ["--no-op-info-cache", "-p", "-l"]),
                (["--no-device"], {}, ["--no-device"]),
                ([], {"TT_METAL_DEVICE_PROFILER": "0"}, ["--no-device"]),
                (["--enable-sum-profiling"], {}, ["--no-runtime-analysis"])):
            run = self.trace("-q", *options, script, "x y", PYTHONPATH=str(self.folder / "site"), **variables)
            self.assertEqual(run.stdout.splitlines()[-1:], [str(["--no-capture-tool", *expected, str(script), "x y"])], run.stderr)


class LiveTest(TraceCase):
    def test_zones_messages_and_memory_are_shown_while_the_run_lasts(self):
        script = self.script("from ttscope import _record as record\nimport pathlib, time\nfrom tracy import tracy_message, start_tracy_zone, "
                             "stop_tracy_zone\nstart_tracy_zone('f.py', 'LIVE_ZONE')\nstop_tracy_zone()\ntracy_message('LIVE_MESSAGE')\n"
                             "record.alloc(64, 4096, 'LIVE_POOL')\n"
                             "while not pathlib.Path('seen').exists(): time.sleep(0.05)\n")
        child = subprocess.Popen([TTSCOPE, "trace", "-p", "--no-device", "--live", script], cwd=self.folder, env=self.environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = next(line.split()[-1] for line in child.stderr if line.startswith("Live page: "))
            page, until = "", time.monotonic() + 60
            report = self.logs / "live_page"
            while time.monotonic() < until and 'http-equiv="refresh"' not in page:
                with urllib.request.urlopen(address, timeout=10) as answer:
                    frame = re.search(r'<iframe [^>]*src="([^"]+)"', answer.read().decode())
                if frame:
                    inner = urllib.request.Request(urllib.parse.urljoin(address, frame[1]), headers={"Sec-Fetch-Dest": "iframe"})
                    with urllib.request.urlopen(inner, timeout=10) as answer:
                        page = answer.read().decode()
                time.sleep(0.2)
            self.assertIn('http-equiv="refresh"', page)
            # The texts of a page are packed; the folder of a run that goes on is read the same way.
            until = time.monotonic() + 60
            shown = ""
            while time.monotonic() < until and "LIVE_MESSAGE" not in shown:
                shown = subprocess.run([TTSCOPE, "timeline", self.logs / "recording"], capture_output=True, text=True).stdout
            for name in ("LIVE_ZONE", "LIVE_MESSAGE", "LIVE_POOL"):
                self.assertIn(name, shown)
            self.assertTrue(list(report.glob("*.html")))
        finally:
            (self.folder / "seen").touch()
            child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0)
        last, = report.glob("*.html")
        self.assertNotIn("http-equiv=\"refresh\"", last.read_text(), "the page of a run that is over stands still")

    def test_port_of_the_page(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        for words, more in ((["--web-app-port", port], {}), ([], {"TRACY_WASM_HTTP_PORT": str(port)})):
            run = self.trace("--no-device", "--live", *words, self.script("pass"), **more)
            self.assertIn(f":{port}/", run.stderr)
        refused = self.trace("--no-device", "--live", "--web-app-port", "70000", self.script(""))
        self.assertEqual(refused.returncode, 2)
        self.assertNotIn("Logs of the earlier run", refused.stderr, "a wrong port had put the logs of the run before aside")

    def test_beside_the_capture_tool_it_would_show_nothing(self):
        for name in ("tracy-capture", "tracy-csvexport"):
            self.program("exit 0", f"tools/{name}")
        run = self.trace("--live", "--tracy-tools-folder", self.folder / "tools", "/bin/true")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--no-capture-tool", run.stderr)

    def test_a_page_of_logs_that_are_there_was_accepted_and_never_made(self):
        run = self.trace("--process-logs-only", "--live")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--process-logs-only runs nothing that --live could show", run.stderr)


class ToolsTest(TraceCase):
    def setUp(self):
        super().setUp()
        home = self.folder / "home" / "build/tools/profiler/bin"
        self.program('echo "$@" > "$(dirname "$2")/capture_words"; printf capture > "$2"', home / "tracy-capture")
        self.program('echo "MessageName;total_ns"; echo "$@" >> "$TT_METAL_PROFILER_DIR/.logs/export_words"', home / "tracy-csvexport")
        self.environment["TT_METAL_HOME"] = str(self.folder / "home")
        self.out = self.folder / "home" / "generated/profiler/.logs"

    def test_the_port_goes_to_the_tool_and_the_program(self):
        run = self.trace("-t", "9321", self.program('echo "port $TRACY_PORT"', "prints"))
        self.assertIn("port 9321", run.stdout)
        self.assertIn("-p 9321", (self.out / "capture_words").read_text())

    def test_children_go_to_the_export(self):
        self.assertEqual(self.trace("-r", "--child-functions", "MyZone", "/bin/true").returncode, 0)
        self.assertIn("-x CompileProgram,HWCommandQueue_write_buffer,MyZone", (self.out / "export_words").read_text())

    def test_no_capture_tool(self):
        self.assertEqual(self.trace("--no-capture-tool", "/bin/true").returncode, 0)
        self.assertFalse((self.out / "capture_words").exists())


class OwnFailureTest(TraceCase):
    def test_a_folder_that_cannot_be_made(self):
        (self.folder / "file").write_text("")
        run = self.trace("-o", "file/below", "/bin/true")
        self.assertEqual(run.returncode, 125)
        self.assertIn("file/below", run.stderr)

    def test_a_file_that_is_no_program(self):
        (self.folder / "data").write_bytes(b"\0\1\2")
        self.assertEqual(self.trace(self.folder / "data").returncode, 126)

    def test_a_signal_is_told_as_shells_do(self):
        self.assertEqual(self.trace(self.program("kill -TERM $$", "ends")).returncode, 143)


if __name__ == "__main__":
    main()
