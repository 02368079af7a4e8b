#!/usr/bin/env python3
"""`ttscope trace` in real processes: Python, programs, Tracy's tools (stand-ins), folders, exit codes."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest
import zipfile

from trace_case import EXAMPLES, PYTHON, TTSCOPE, TraceCase, main

EXAMPLE = EXAMPLES / "model.py"


class ExampleTest(TraceCase):
    def test_complete_example_leaves_signposts_ops_and_device_zones(self):
        run = self.trace("-p", "-r", EXAMPLE, "a b", "x;y", "$HOME")
        self.assertEqual(run.returncode, 0, run.stderr)
        # Quotes and `;` used to be lost in a shell.
        self.assertIn("arguments ['a b', 'x;y', '$HOME']", run.stdout)
        rows = self.rows()
        ops = [row for row in rows if row["OP TYPE"] == "tt_dnn_device"]
        self.assertEqual(len(ops), 48)
        self.assertEqual(len([row for row in rows if row["OP TYPE"] == "signpost"]), 5)
        self.assertTrue(all(int(row["DEVICE KERNEL DURATION [ns]"]) > 0 and int(row["HOST DURATION [ns]"]) > 0 for row in ops))
        files = {path.name for path in self.reports()[0].iterdir()}
        self.assertLessEqual({"tracy_profile_log_host.tracy", "profile_log_device.csv", "tracy_ops_times.csv", "tracy_ops_data.csv"},
                             files)
        zones = subprocess.run([TTSCOPE, "timeline", self.reports()[0] / "tracy_profile_log_host.tracy", "--csv", "-"],
                               capture_output=True, text=True, check=True).stdout
        for name in ("MY_CUSTOM_ZONE", "PY_FUNC_model", "COMPUTE-TILES", "BRISC-KERNEL"):
            self.assertIn(name, zones + subprocess.run(
                [TTSCOPE, "timeline", self.reports()[0] / "tracy_profile_log_host.tracy", "--csv", "-", "--csv-form", "gpu"],
                capture_output=True, text=True, check=True).stdout)
        self.assertIn("Profiling overhead", run.stderr)

    def test_python_m_tracy_in_a_shell_that_was_opted_in(self):
        line = f'eval "$({TTSCOPE} trace --env)"; {PYTHON} -m tracy -p -r -q {EXAMPLE}; echo code $?'
        run = subprocess.run(["sh", "-c", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        self.assertIn("code 0", run.stdout, run.stderr)
        self.assertEqual(len(self.rows()), 53)

    def test_module_with_p_and_lines(self):
        self.script("from tracy import Profiler\ndef work():\n    x = 1\n    return x\n"
                    "with Profiler() as p:\n    work()\n", "lines_of.py")
        run = self.trace("-p", "-l", "--no-device", "-m", "lines_of")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("PY_LINE_work", (self.logs / "tracy_ops_times.csv").read_text())

    def test_every_call_is_recorded_without_p(self):
        run = self.trace("--no-device", self.script("def inner():\n    pass\ninner()\n"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("PY_FUNC_inner", (self.logs / "tracy_ops_times.csv").read_text())

    def test_long_workload_with_mid_run_reads_loses_no_marker(self):
        loop = ("import ttnn\nd = ttnn.open_mesh_device()\na = ttnn.ones((32, 32), device=d)\n"
                "for epoch in range(6):\n    for _ in range(20):\n        a + a\n    READ\nd.close()\n")
        lost = self.trace("-p", "-r", "--op-support-count", "43", self.script(loop.replace("READ", "pass")))
        self.assertIn("markers were dropped", lost.stdout + lost.stderr)
        self.assertIn("--op-support-count 200,", lost.stderr)
        kept = self.trace("-p", "-r", "-n", "kept", "--op-support-count", "43", "--dump-device-data-mid-run",
                          self.script(loop.replace("READ", "ttnn.ReadDeviceProfiler(d)")))
        self.assertNotIn("markers were dropped", kept.stdout + kept.stderr)
        rows = self.rows("reports/kept/*/ops_perf_results_kept_*.csv")
        self.assertEqual(len([row for row in rows if row["DEVICE KERNEL DURATION [ns]"]]), 120)


class OptionTest(TraceCase):
    def environment_of(self, *options, **more):
        text = "import os\nfor k in sorted(os.environ):\n    if k.startswith(('TT', 'TRACY')): print(k + '=' + os.environ[k])\n"
        run = self.trace("-q", *options, self.script(text), **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return dict(line.split("=", 1) for line in run.stdout.splitlines() if "=" in line)

    def test_options_set_their_variables(self):
        for option, variable in (("--sync-host-device", "TT_METAL_PROFILER_SYNC"),
                                 ("--profile-dispatch-cores", "TT_METAL_DEVICE_PROFILER_DISPATCH"),
                                 ("--dump-device-data-mid-run", "TT_METAL_PROFILER_MID_RUN_DUMP"),
                                 ("--no-op-info-cache", "TT_METAL_PROFILER_NO_CACHE_OP_INFO"),
                                 ("--collect-noc-traces", "TT_METAL_DEVICE_PROFILER_NOC_EVENTS"),
                                 ("--device-memory-profiler", "TT_METAL_MEM_PROFILER"),
                                 ("--enable-sum-profiling", "TT_METAL_PROFILER_SUM"),
                                 ("--device-trace-profiler", "TT_METAL_TRACE_PROFILER"),
                                 ("--disable-device-data-push-to-tracy", "TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY")):
            with self.subTest(option):
                self.assertEqual(self.environment_of(option)[variable], "1")
        self.assertEqual(self.environment_of("--op-support-count", "77")["TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT"], "77")
        self.assertEqual(self.environment_of("-t", "9123")["TRACY_PORT"], "9123")
        self.assertNotIn("TT_METAL_DEVICE_PROFILER", self.environment_of("--no-device"))
        self.assertEqual(self.environment_of(TT_METAL_PROFILER_SYNC="1")["TT_METAL_PROFILER_SYNC"], "1")

    def test_counter_group_l1_was_rejected_and_captured_nothing(self):
        run = self.trace("--profiler-capture-perf-counters", "fpu,l1", self.script(
            "import os\nprint(os.environ['TT_METAL_PROFILE_PERF_COUNTERS'])"))
        self.assertIn("9", run.stdout.split())
        self.assertIn("l1_0", run.stderr)
        self.assertEqual(self.trace("--profiler-capture-perf-counters", "fpu,l2", "x.py").returncode, 2)

    def test_what_excludes_each_other_is_refused_with_the_reason(self):
        script = self.script("")
        for words, variables, reason in ((["--dump-device-data-mid-run", "--device-trace-profiler"], {}, "mid-run"),
                                         (["--dump-device-data-mid-run"], {"TT_METAL_DEVICE_PROFILER_DISPATCH": "1"}, "dispatch"),
                                         (["-r", "--enable-accumulate-profiling"], {}, "op ids"),
                                         (["--no-device", "--sync-host-device"], {}, "no device data"),
                                         ([], {"TT_METAL_DPRINT_CORES": "0,0"}, "unset TT_METAL_DPRINT_CORES")):
            with self.subTest(reason):
                run = self.trace(*words, script, **variables)
                self.assertEqual(run.returncode, 2)
                self.assertIn(reason, run.stderr)

    def test_options_were_refused_in_the_names_of_variables(self):
        script = self.script("")
        for words, refusal in ((["-r", "--enable-accumulate-profiling"],
                                "--enable-accumulate-profiling and --report exclude each other: accumulated markers have no op ids, so "
                                "that no ops report can be made of them; leave out --enable-accumulate-profiling"),
                               (["--op-support-count", "abc"],
                                "--op-support-count abc: expected a whole number above 0; leave out --op-support-count")):
            self.assertEqual(self.trace(*words, script).stderr, f"ttscope: {refusal}\n")
        # The runtime ended the program, and the doctor found it in order.
        self.assertIn("too large", self.trace("--op-support-count", "9999999999", script).stderr)
        by_hand = self.trace(script, TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT="abc").stderr
        self.assertIn("unset TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", by_hand)


class DoctorTest(TraceCase):
    def doctor(self, **more):
        run = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, env=dict(self.environment, **more), capture_output=True,
                             text=True)
        return {check["name"]: check for check in json.loads(run.stdout)["checks"]}

    def test_variables_tools_and_the_last_run(self):
        checks = self.doctor(TT_METAL_PROFILER_SYNC="1", TT_METAL_DPRINT_CORES="0,0", TT_METAL_HOME=str(self.folder / "home"))
        self.assertEqual(checks["TT_METAL_PROFILER_SYNC"]["found"], "1")
        self.assertIn("one axis", checks["TT_METAL_PROFILER_SYNC"]["means"])
        self.assertEqual(checks["TT_METAL_DPRINT_CORES"]["fix"], "unset TT_METAL_DPRINT_CORES")
        self.assertIn("ENABLE_TRACY", checks["capture tools"]["fix"])
        self.assertEqual(self.trace("-p", "-q", EXAMPLE).returncode, 0)
        checks = self.doctor()
        self.assertEqual(checks["ops of the last run"]["means"], "no marker was dropped")
        self.assertEqual(checks["clocks of the last run"]["found"], "simulated chips")

    def test_a_refused_variable_was_also_said_to_be_in_order(self):
        text = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, capture_output=True, text=True,
                              env=dict(self.environment, TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT="abc")).stdout
        rows = [check for check in json.loads(text)["checks"] if check["name"] == "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT"]
        self.assertEqual([row["status"] for row in rows], ["problem"])

    def test_what_follows_from_a_variable_was_in_the_json_alone(self):
        text = subprocess.run([TTSCOPE, "doctor"], cwd=self.folder, env=dict(self.environment, TT_METAL_PROFILER_SYNC="1"),
                              capture_output=True, text=True).stdout
        text = " ".join(text.split())
        self.assertIn("TT_METAL_PROFILER_SYNC 1 the clocks of host and devices are brought to one axis", text)
        # What is set anyway needs no option, least of all the one that leaves it out.
        self.assertNotIn("ttscope trace --no-device", text)


class EndTest(TraceCase):
    def test_zones_that_the_program_ended_in_looked_whole(self):
        run = self.trace("-p", "-r", self.script("import os, signal, tracy\ntracy.start_tracy_zone('a.py', 'open', 7)\n"
                                                 "tracy.signpost('x')\nos.kill(os.getpid(), signal.SIGKILL)"))
        self.assertIn("the program ended inside of 1 zone of the thread", run.stderr)
        self.assertIn("0 op rows, 1 signpost\n", run.stderr)
        self.assertRegex(run.stderr, r"host: about [0-9.]+ % of the time in zones \(1 zone of Python, about 1 us each")

    def test_remedies_went_by_a_count_that_the_runtime_had_raised(self):
        run = self.trace("-p", "-r", "--op-support-count", "5", EXAMPLE)
        raised = re.search(r"Increasing program support count from 5 to (\d+)", run.stdout + run.stderr)[1]
        self.assertIn(f"buffers were full with {raised} programs", run.stderr)
        self.assertIn(f"at least every {int(raised) // 2} ops", run.stderr)
        # The doctor took it as typed.
        check, = [check for check in json.loads(subprocess.run(
            [TTSCOPE, "doctor", "--json"], cwd=self.folder, capture_output=True, text=True,
            env=dict(self.environment, TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT="5")).stdout)["checks"]
            if check["name"] == "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT"]
        self.assertIn(f"raised to {raised} ", check["means"])

    def test_an_empty_report_was_announced(self):
        run = self.trace("-r", "/bin/sh", "-c", "exit 7")
        self.assertEqual(run.returncode, 7)
        self.assertIn("Nothing was recorded", run.stderr)
        self.assertNotIn("Report:", run.stderr)
        self.assertNotIn("Next:", run.stderr)
        self.assertEqual(self.reports(), [])

    def test_failure_of_the_program_was_hidden(self):
        failing = self.script("from tracy import signpost\nsignpost('before')\nraise SystemExit(7)")
        run = self.trace("-p", "-r", failing)
        self.assertEqual(run.returncode, 7)
        self.assertEqual(len(self.reports()), 1)
        self.assertEqual(self.trace("-p", "-r", "--check-exit-code", failing).returncode, 7)
        self.assertEqual(len(self.reports()), 1, "no report after a failure")

    def test_a_module_that_is_missing_showed_the_runners_traceback(self):
        run = self.trace("-p", "-m", "no_such_module")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"^\S+: No module named no_such_module\n$")

    def test_tracebacks_began_with_the_frames_of_the_runner(self):
        script = self.script("import sys\nprint(__file__, sys.argv)\ndef f():\n    raise ValueError('x')\nf()\n")
        run = self.trace("-p", script.name, "a b")
        plain = subprocess.run([PYTHON, script.name, "a b"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (plain.returncode, plain.stdout + plain.stderr))
        # Nor are its calls zones of the program.
        self.trace(self.script("def work():\n    pass\nwork()\n"))
        times = (self.logs / "tracy_ops_times.csv").read_text()
        self.assertIn("PY_FUNC_work", times)
        self.assertNotIn("run_program.py", times)

    def test_folders_archives_and_compiled_files_ended_with_a_syntax_error(self):
        package = self.folder / "package"
        package.mkdir()
        (package / "__main__.py").write_text("import sys\nfrom tracy import signpost\nsignpost('inside')\nprint(__name__, sys.argv[1:])\n")
        with zipfile.ZipFile(self.folder / "app.pyz", "w") as archive:
            archive.write(package / "__main__.py", "__main__.py")
        subprocess.run([PYTHON, "-c", "import py_compile; py_compile.compile('package/__main__.py', cfile='compiled.pyc')"],
                       cwd=self.folder, check=True)
        for path in ("package", "app.pyz", "compiled.pyc"):
            run = self.trace("-p", "-q", "-o", f"out_{path}", PYTHON, path, "a b")
            self.assertEqual((run.returncode, run.stdout), (0, "__main__ ['a b']\n"), path + run.stderr)
            self.assertIn("TT_SIGNPOST: inside", (self.folder / f"out_{path}" / ".logs" / "tracy_ops_data.csv").read_text())

    def test_without_stand_ins_python_was_given_a_path_that_is_nowhere(self):
        alone = self.folder / "bin" / "ttscope"
        alone.parent.mkdir()
        shutil.copy2(TTSCOPE, alone)
        for words in (["-p", self.script("print(1)")], ["--env"]):
            run = subprocess.run([alone, "trace", *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
            self.assertEqual((run.returncode, run.stdout), (125, ""))
            self.assertIn("our stand-ins for Python's modules are not beside this program", run.stderr)
        self.assertFalse(self.logs.exists())

    def test_python_of_a_program_had_no_tracy_in_a_shell_that_was_opted_in(self):
        program = self.program(f"{PYTHON} -c 'from tracy import signpost; signpost(\"inside\")'", "calls_python")
        line = f'eval "$({TTSCOPE} trace --env)"; {PYTHON} -m tracy -p -r -q --no-device {program}'
        run = subprocess.run(["sh", "-c", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([row["OP CODE"] for row in self.rows()], ["inside"])

    def test_codes_of_what_does_not_start(self):
        self.assertEqual(self.trace("no-such-program").returncode, 127)
        self.assertEqual(self.trace("missing.py").returncode, 127)
        self.assertEqual(self.trace(self.folder).returncode, 126)
        self.assertEqual(self.trace().returncode, 2)

    def test_logs_and_reports_of_earlier_runs_were_deleted(self):
        marked = self.script("from tracy import signpost\nsignpost('one')")
        for _ in range(2):
            self.assertEqual(self.trace("-p", "-r", "--no-device", marked).returncode, 0)
        self.assertEqual(len(self.reports()), 2)
        earlier, = (self.folder / "generated" / "profiler" / "earlier_logs").iterdir()
        self.assertTrue(any((earlier / "recording").iterdir()))

    def test_output_folder_with_blanks_has_its_tracy_file(self):
        run = self.trace("-p", "-r", "-o", "my folder", "--no-device", self.script("from tracy import signpost\nsignpost('a')"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(list((self.folder / "my folder" / "reports").glob("*/tracy_profile_log_host.tracy"))), 1)

    def test_what_was_read_of_devices_that_nobody_closed_was_lost(self):
        """A script that ends early, or as the guide's fourth workflow without a close()."""
        ops = "import sys, ttnn\ndevice = ttnn.open_mesh_device()\na = ttnn.ones((32, 32), device=device)\na + a\nttnn.ReadDeviceProfiler(device)\n"
        for end, code in (("", 0), ("raise RuntimeError('lost')\n", 1), ("sys.exit(3)\n", 3)):
            with self.subTest(end):
                shutil.rmtree(self.folder / "generated", ignore_errors=True)
                self.assertEqual(self.trace("-r", "-q", self.script(ops + end)).returncode, code)
                self.assertTrue(all(row["DEVICE KERNEL DURATION [ns]"] for row in self.rows() if row["OP TYPE"] == "tt_dnn_device"))

    def test_ctrl_c_keeps_what_was_captured(self):
        script = self.script("from tracy import signpost\nimport time, pathlib\nsignpost('kept')\n"
                             "pathlib.Path('ready').touch()\ntime.sleep(60)")
        child = subprocess.Popen([TTSCOPE, "trace", "-p", "-r", "--no-device", script], cwd=self.folder, env=self.environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        while not (self.folder / "ready").exists() and child.poll() is None:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=120)
        self.assertNotEqual(child.returncode, 0)
        self.assertIn("kept", (self.logs / "tracy_ops_data.csv").read_text())

    def test_a_run_whose_profiler_was_killed_was_no_timeline(self):
        script = self.script("from tracy import signpost\nimport os, pathlib, time\nsignpost('kept')\n"
                             "pathlib.Path('ready').write_text(str(os.getpid()))\ntime.sleep(60)")
        runner = subprocess.Popen([TTSCOPE, "trace", "-p", "-r", "--no-device", script], cwd=self.folder, env=self.environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ready = self.folder / "ready"
        while not (ready.exists() and ready.read_text()) and runner.poll() is None:
            time.sleep(0.02)
        runner.kill()
        runner.wait()
        os.kill(int(ready.read_text()), signal.SIGKILL)
        # Nothing but the recording is there yet.
        for folder in (self.logs.parent, self.logs):
            done = subprocess.run([TTSCOPE, "timeline", folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("kept", done.stdout)

    def test_trace_end_without_begin_made_the_report_fail(self):
        run = self.trace("-p", "-r", "--no-device", self.script(
            "from tracy import signpost, tracy_message\ntracy_message('`TT_METAL_TRACE_END: 0, 0`')\nsignpost('after')"))
        self.assertEqual(run.returncode, 0, run.stderr)
        again = self.trace("--process-logs-only")
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_threads_ran_ops_on_the_same_chips_at_once(self):
        run = self.trace("-p", "-r", self.script(
            "import ttnn\nfrom concurrent.futures import ThreadPoolExecutor\n"
            "with ttnn.open_mesh_device() as device:\n"
            "    a, b = ttnn.ones((32, 32), device=device), ttnn.ones((32, 64), device=device)\n"
            "    pairs = [(a, b)[n % 2] for n in range(100)]\n"
            "    list(ThreadPoolExecutor(4).map(lambda each: ttnn.add(each, each), pairs))\n"))
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = self.rows()
        self.assertEqual(len(rows), 100)
        self.assertEqual(len({row["GLOBAL CALL COUNT"] for row in rows}), 100)
        self.assertEqual(sorted(row["OUTPUT_0_X_PAD[LOGICAL]"] for row in rows), ["32[32]"] * 50 + ["64[64]"] * 50)

    def test_ranks_have_folders_of_their_own(self):
        marked = self.script("from tracy import signpost\nimport os\nsignpost('rank ' + os.environ['OMPI_COMM_WORLD_RANK'])")
        for rank in "01":
            self.assertEqual(self.trace("-p", "-r", "-q", EXAMPLE, OMPI_COMM_WORLD_RANK=rank).returncode, 0)
        base = self.folder / "generated" / "profiler"
        self.assertEqual(sorted(path.name for path in base.iterdir()), ["rank0", "rank1"])
        # Signposts of one rank used to cut the ops of the other.
        both = subprocess.run([TTSCOPE, "perf", base], capture_output=True, text=True)
        self.assertEqual(both.returncode, 0, both.stderr)
        self.assertIn("after signpost 'Iteration 0'", both.stdout)
        self.assertIn("Devices 0: rank0; 1: rank1", both.stdout)
        # The ops of ranks that the window left out had no times: the axis began 292 years ago.
        axis = json.loads(subprocess.run([TTSCOPE, "timeline", base, "--json", "-", "-q"], capture_output=True, text=True, check=True).stdout)
        counted = subprocess.run([TTSCOPE, "sql", base, "--csv", "-",
                                  "select host, count(*) from ops group by 1"], capture_output=True, text=True)
        self.assertIn("rank0,48", counted.stdout, counted.stderr)
        self.assertIn("rank1,48", counted.stdout)
        self.assertEqual(json.dumps(axis).count("-9223372036854775808"), 0)
        shown = subprocess.run([TTSCOPE, "timeline", base], capture_output=True, text=True, check=True).stdout
        self.assertIn("Ops on devices  2 tracks", shown)

    def launch(self, source):
        """Two ranks at the same time, as mpirun starts them."""
        marked = self.script(source)
        runs = [subprocess.Popen([TTSCOPE, "trace", "-p", "-r", "-q", marked], cwd=self.folder,
                                 env=dict(self.environment, OMPI_COMM_WORLD_RANK=rank)) for rank in "01"]
        self.assertEqual([run.wait(timeout=300) for run in runs], [0, 0])
        base = self.folder / "generated" / "profiler"
        return json.loads(subprocess.run([TTSCOPE, "timeline", base, "--json", "-", "-q"], capture_output=True, text=True,
                                         check=True).stdout)

    def test_ranks_of_one_machine_lay_up_to_a_second_apart(self):
        # Both say the time of day in nanoseconds; the copies for Tracy say the second alone.
        axis = self.launch("from tracy import signpost, tracy_message\nimport time\nsignpost('a')\n"
                           "tracy_message(f'at {time.time_ns()}')\n")
        told = [(int(message["text"][3:]), message["time_ns"]) for message in axis["messages"] if message["text"].startswith("at ")]
        (first, first_ns), (second, second_ns) = told
        # Another clock than that of the marks, and a process may wait between the two.
        self.assertLess(abs((second - first) - (second_ns - first_ns)), 20_000_000, told)

    def test_zones_of_ranks_were_listed_once_for_each(self):
        axis = self.launch("from tracy import Profiler\ndef step():\n    pass\n"
                           "with Profiler():\n    step()\n    step()\n")
        rows = [(row["count"] + row["without_length"], row["tracks"]) for row in axis["statistics"] if row["name"] == "PY_FUNC_step"]
        self.assertEqual(rows, [(4, 2)])

    def test_a_rank_whose_launcher_gave_it_a_folder_has_no_other_below(self):
        marked = self.script("from tracy import signpost\nsignpost('a')")
        run = self.trace("--port", "8499", "-o", "ttrun/rank1", "-p", "-r", marked, OMPI_COMM_WORLD_RANK="1",
                         TT_METAL_PROFILER_DIR=str(self.folder / "ttrun/rank1"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(list((self.folder / "ttrun/rank1/reports").iterdir())), 1)


class ToolsTest(TraceCase):
    """Programs that behave as Tracy's do."""

    def tools(self, capture, export="echo 'MessageName;total_ns'"):
        self.program(capture, "tools/capture-release")
        self.program(export, "tools/csvexport-release")
        return self.folder / "tools"

    def test_a_capture_that_saves_slowly_was_lost(self):
        # Shows progress for a while behind the program's end.
        tools = self.tools('out=$2; for i in 1 2 3 4 5 6; do printf x >> "$out"; sleep 0.3; done\n')
        run = self.trace("--tracy-tools-folder", tools, "/bin/true")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.logs / "tracy_profile_log_host.tracy").read_bytes(), b"xxxxxx")

    def test_a_given_folder_without_tools_is_an_error(self):
        (self.folder / "empty").mkdir()
        run = self.trace("--tracy-tools-folder", "empty", "/bin/true")
        self.assertEqual(run.returncode, 1)
        self.assertIn("Tracy tools were not found", run.stderr)

    def test_a_tool_that_fails_says_so_and_the_code_is_that_of_the_program(self):
        tools = self.tools("echo no connection; exit 3")
        run = self.trace("--tracy-tools-folder", tools, self.program("exit 5", "five"))
        self.assertEqual(run.returncode, 5)
        self.assertIn("No profiling data could be captured", run.stderr)

    def test_a_tool_that_never_gets_a_client_is_ended_with_the_reason(self):
        # It is asked after a while without progress, or by Ctrl-C while it is waited for.
        tools = self.tools("trap 'exit 0' INT\necho waiting for a client\nwhile :; do sleep 0.05; done\n")
        child = subprocess.Popen([TTSCOPE, "trace", "-r", "--tracy-tools-folder", tools, "-t", "8333", self.program("exit 3", "three")],
                                 cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in child.stderr:
            if line.startswith("Waiting for the capture tool"):
                break
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=60)[1]
        self.assertEqual(child.returncode, 3)
        self.assertIn("No profiling data could be captured: capture-release did not end by itself, was asked to and left no file", said)
        for words in ("ENABLE_TRACY=ON", "port (8333)", "TRACY_NO_EXIT=1", "capture_output.log"):
            self.assertIn(words, said)
        self.assertIn("waiting for a client", (self.logs / "capture_output.log").read_text())

    def test_a_port_that_is_taken_on_loopback_looked_free(self):
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", 8086))
                taken.listen(1)
            except OSError:
                pass  # somebody else has it: the same case
            run = self.trace("--no-device", self.script("import os\nprint('port', os.environ['TRACY_PORT'])"))
            self.assertNotIn("port 8086\n", run.stdout)


if __name__ == "__main__":
    main()
