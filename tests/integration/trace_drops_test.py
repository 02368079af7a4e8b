#!/usr/bin/env python3
"""What is said of runs whose buffers were full, and of variables of the profiler that were set by hand."""
import json
import re
import subprocess

from trace_case import TTSCOPE, TraceCase, main

MANY = """
import ttnn
device = ttnn.open_mesh_device()
a = ttnn.ones((64, 64), device=device)
for number in range(OPS):
    ttnn.relu(a)
    if number % READ == READ - 1:
        ttnn.ReadDeviceProfiler(device)
device.close()
"""
REPLAYS = """
import ttnn
device = ttnn.open_mesh_device()
a = ttnn.ones((64, 64), device=device)
a + a
trace = ttnn.begin_trace_capture(device)
for _ in range(10):
    a + a
ttnn.end_trace_capture(device, trace)
for _ in range(20):
    ttnn.execute_trace(device, trace)
device.close()
"""
REMEDY = re.compile(r"-> --op-support-count (\d+), or ttnn.ReadDeviceProfiler\(device\) at least every (\d+) ops")


class DropsTest(TraceCase):
    def run_with(self, count, text, *options):
        run = self.trace("-p", "-r", *options, "--op-support-count", count, self.script(text))
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def many(self, ops, read=10**9):
        return MANY.replace("OPS", str(ops)).replace("READ", str(read))

    def last_ops(self, **more):
        run = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, env=dict(self.environment, **more), capture_output=True,
                             text=True)
        check, = [check for check in json.loads(run.stdout)["checks"] if check["name"] == "ops of the last run"]
        return check

    def test_doctor_had_dropped_ops_in_order_and_whole_runs_for_a_problem(self):
        text = self.run_with(100, self.many(150)).stderr
        self.assertIn("markers were dropped", text)
        advised = REMEDY.search(text)[1]
        for shell in ({}, {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT": "5000"}):
            check = self.last_ops(**shell)
            self.assertEqual(check["status"], "problem")
            self.assertEqual(check["fix"], f"ttscope trace --op-support-count {advised}")
            self.assertIn("75 of 150 without device data", check["found"])
        # The shell's count is of another run, and reads make room.
        self.run_with(advised, self.many(150))
        self.assertEqual(self.last_ops(TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT="43")["status"], "ok")
        self.run_with(100, self.many(150, read=50))
        self.assertEqual((self.last_ops()["status"], self.last_ops()["found"]), ("ok", "150, all with device data"))

    def test_doctor_judges_runs_without_rows_or_files_of_devices(self):
        self.run_with(100, self.many(5), "--device-trace-profiler")
        self.assertEqual((self.last_ops()["status"], self.last_ops()["fix"]), ("note", ""))
        self.run_with(100, self.many(150), "--disable-device-data-dump-to-files")
        self.assertEqual((self.last_ops()["status"], self.last_ops()["fix"]), ("problem", "ttscope trace --op-support-count 200"))

    def test_the_advised_count_did_not_suffice(self):
        for name, text, count, enough in (("plain", self.many(250), 100, 334), ("reads", self.many(600, read=300), 100, 400),
                                          ("replays", REPLAYS, 100, 282)):
            with self.subTest(name):
                advised = int(REMEDY.search(self.run_with(count, text).stderr)[1])
                self.assertTrue(enough <= advised < enough + 100, (advised, enough))
                self.assertNotIn("dropped", self.run_with(advised, text).stderr)
                self.assertEqual(self.last_ops()["status"], "ok")

    def test_sums_make_more_room_for_each_program(self):
        text = self.run_with(60, self.many(400), "--enable-sum-profiling").stderr
        self.assertTrue(500 <= int(REMEDY.search(text)[1]) < 600, text)

    def test_the_advised_reads_suffice(self):
        every = int(REMEDY.search(self.run_with(100, self.many(150)).stderr)[2])
        self.assertNotIn("dropped", self.run_with(100, self.many(150, read=every)).stderr)


class VariablesTest(TraceCase):
    def checks(self, **more):
        run = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, env=dict(self.environment, **more), capture_output=True,
                             text=True)
        return {check["name"]: check for check in json.loads(run.stdout)["checks"]}

    def test_devices_were_said_not_to_be_profiled_where_they_were(self):
        script = self.script(MANY.replace("OPS", "1").replace("READ", "2"))
        run = self.trace("-p", "-r", "--collect-noc-traces", script, TT_METAL_DEVICE_PROFILER="0")
        self.assertIn("TT_METAL_DEVICE_PROFILER=0 has no effect: TT_METAL_DEVICE_PROFILER_NOC_EVENTS switches", run.stderr)
        self.assertTrue((self.logs / "profile_log_device.csv").exists())
        run = self.trace("-p", "-r", script, TT_METAL_DEVICE_PROFILER="0")
        self.assertIn("TT_METAL_DEVICE_PROFILER=0 is kept: devices are not profiled", run.stderr)
        self.assertFalse((self.logs / "profile_log_device.csv").exists())
        said = self.checks(TT_METAL_DEVICE_PROFILER="0", TT_METAL_DEVICE_PROFILER_NOC_EVENTS="1")["TT_METAL_DEVICE_PROFILER"]
        self.assertEqual(said["means"], "nothing: TT_METAL_DEVICE_PROFILER_NOC_EVENTS switches the profiler on")
        self.assertEqual(self.checks(TT_METAL_DEVICE_PROFILER="0")["TT_METAL_DEVICE_PROFILER"]["means"], "off: a run has no device data")

    def test_kernel_prints_were_a_problem_beside_a_profiler_that_is_off(self):
        self.assertNotIn("TT_METAL_DPRINT_CORES", self.checks(TT_METAL_DPRINT_CORES="all", TT_METAL_DEVICE_PROFILER="0"))
        self.assertEqual(self.checks(TT_METAL_DPRINT_CORES="all")["TT_METAL_DPRINT_CORES"]["status"], "problem")

    def test_a_switch_that_is_kept_was_said_to_be_set(self):
        said = self.checks(TT_METAL_PROFILER_CPP_POST_PROCESS="0")["TT_METAL_PROFILER_CPP_POST_PROCESS"]["means"]
        self.assertIn("ttscope trace keeps", said)
        self.trace("-p", "-r", "-q", self.script(MANY.replace("OPS", "1").replace("READ", "2")), TT_METAL_PROFILER_CPP_POST_PROCESS="0")
        self.assertTrue((self.logs / "profile_log_device.csv").exists())
        self.assertFalse((self.logs / "cpp_device_perf_report.csv").exists())

    def test_ports_that_are_none_were_taken(self):
        for name, value in (("TRACY_PORT", "abc"), ("TRACY_PORT", "99999"), ("TRACY_PORT", "-1"), ("TRACY_WASM_HTTP_PORT", "abc")):
            with self.subTest(name=name, value=value):
                check = self.checks(**{name: value})[name]
                self.assertEqual((check["status"], check["fix"]), ("problem", f"unset {name}"))
                run = self.trace("-p", "--live", "/bin/true", **{name: value})
                self.assertEqual(run.returncode, 2)
                self.assertIn(f"{name}={value}: expected a port, 1 to", run.stderr)
        # What is not read does no harm.
        self.assertEqual(self.trace("-p", "/bin/true", TRACY_WASM_HTTP_PORT="abc").returncode, 0)
        self.assertEqual(self.trace("-p", "-t", "8497", "/bin/true", TRACY_PORT="abc").returncode, 0)

    def test_counters_of_no_name_were_read(self):
        name = "TT_METAL_PROFILE_PERF_COUNTERS"
        self.assertRegex(self.checks(**{name: "1024"})[name]["means"], "^no hardware counters are read; 1024 of it stands for no group ")
        self.assertRegex(self.checks(**{name: "1025"})[name]["means"], "^hardware counters of fpu are read; 1024 of it stands for no group ")
        self.assertEqual(self.checks(**{name: "1"})[name]["means"], "hardware counters of fpu are read; the profiler is on")

    def test_a_count_that_is_too_large_was_called_no_number(self):
        for count in ("99999999999999999999", "4294967296", "89478486"):
            run = self.trace("-r", "--op-support-count", count, "/bin/true")
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"--op-support-count {count}: too large: at most 89478485", run.stderr)
        self.assertIn("expected a whole number above 0", self.trace("--op-support-count", "0", "/bin/true").stderr)

    def test_transfers_in_a_folder_of_their_own_were_no_part_of_the_report(self):
        text = "import os\nos.makedirs('elsewhere', exist_ok=True)\nos.chdir('elsewhere')\n" + MANY
        folder = {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH": "traces"}
        for ops in (3, 1):
            run = self.trace("-p", "-r", "-n", f"of{ops}", "--collect-noc-traces",
                             self.script(text.replace("OPS", str(ops)).replace("READ", "9")), **folder)
            self.assertEqual(run.returncode, 0, run.stderr)
            # From where the run began, as with other folders; those of the earlier run belong to that.
            self.assertEqual(len(list((self.folder / "traces").glob("noc_trace_*.json"))), 3)
            self.assertTrue(self.rows(f"reports/of{ops}/*/noc_summary*.csv"))


class LastRunTest(TraceCase):
    def test_copies_of_a_run_were_hosts_where_the_last_one_left_nothing(self):
        script = self.script(MANY.replace("OPS", "7").replace("READ", "9"))
        self.assertEqual(self.trace("-p", "-r", "-q", script).returncode, 0)
        self.assertEqual(self.trace("-p", "-q", "/bin/true").returncode, 0)
        base = self.folder / "generated" / "profiler"
        for folder in (base, base / "reports"):
            run = subprocess.run([TTSCOPE, "timeline", folder], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("Ops on devices  1 track", run.stdout)
            self.assertIn("reading " + str(self.reports()[0]), "".join(run.stdout.split("\n")).replace("  ", ""))
        ops = subprocess.run([TTSCOPE, "sql", "--timeline", base, "select count(*) from timeline_zones join tracks using (track) where kind = 'ops'",
                              "--csv", "-"], capture_output=True, text=True)
        self.assertIn("7", ops.stdout.split("\n"), ops.stderr)



if __name__ == "__main__":
    main()
