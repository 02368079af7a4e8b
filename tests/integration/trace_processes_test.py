#!/usr/bin/env python3
"""Several processes of one traced run: their ops, devices and zones."""
import json
import subprocess

from trace_case import BUILD, PYTHON, TTSCOPE, TraceCase, main

# Each process runs its number of ops, and says which ones.
WORKER = """import sys
import ttnn
from tracy import signpost
def work(count):
    with ttnn.open_mesh_device() as device:
        a = ttnn.ones((32, 32), device=device)
        signpost(f"process of {count}")
        for _ in range(count):
            ttnn.relu(a)
"""


class DevicesTest(TraceCase):
    def setUp(self):
        super().setUp()
        self.script(WORKER, "worker.py")

    def ops(self):
        return [row for row in self.rows() if row["OP TYPE"] == "tt_dnn_device"]

    def test_devices_of_all_processes_but_the_last_were_lost(self):
        run = self.trace("-p", "-r", "--sync-host-device", self.script(
            "import subprocess, sys, worker\n"
            "work = lambda n: subprocess.run([sys.executable, '-c', f'import worker; worker.work({n})'], check=True)\n"
            "work(1)\nworker.work(2)\nwork(3)\nworker.work(1)\n"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        ops = self.ops()
        self.assertEqual(len(ops), 7)
        self.assertEqual(len({row["GLOBAL CALL COUNT"] for row in ops}), 7)
        self.assertTrue(all(int(row["DEVICE KERNEL DURATION [ns]"]) > 0 and int(row["HOST DURATION [ns]"]) > 0 for row in ops))
        # The chips' clock goes on: what ran later lies later.
        starts = [int(row["DEVICE FW START CYCLE"]) for row in sorted(ops, key=lambda row: int(row["GLOBAL CALL COUNT"]))]
        self.assertEqual(starts, sorted(starts))
        log = (self.logs / "profile_log_device.csv").read_text()
        self.assertEqual(log.count("CHIP_FREQ"), 1)
        self.assertNotIn("is not in the logs of this run", run.stdout + run.stderr)

    def test_what_devices_of_a_second_process_did_was_mixed_with_those_of_the_first(self):
        run = self.trace("-p", "-r", self.script(
            "import subprocess, sys, ttnn\n"
            "with ttnn.open_mesh_device() as device:\n"
            "    a = ttnn.ones((32, 32), device=device)\n    ttnn.relu(a)\n"
            "    subprocess.run([sys.executable, '-c', 'import worker; worker.work(3)'], check=True)\n"
            "    ttnn.relu(a)\n"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"what the devices of process \d+ did is not in the logs of this run: process \d+ had them")
        ops = self.ops()
        self.assertEqual(len({row["GLOBAL CALL COUNT"] for row in ops}), len(ops))
        self.assertEqual(len([row for row in ops if row["DEVICE KERNEL DURATION [ns]"]]), 2)
        # Every process had closed its devices, and was told to.
        self.assertIn("several processes used devices at a time", run.stderr)
        doctor = subprocess.run([TTSCOPE, "doctor", "--json"], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        check, = [check for check in json.loads(doctor.stdout)["checks"] if check["name"] == "ops of the last run"]
        self.assertIn("several processes used devices at a time", check["means"])

    def test_a_copy_of_a_process_wrote_what_its_devices_had_done_again(self):
        run = self.trace("-p", "-r", self.script(
            "import os, sys, ttnn\n"
            "device = ttnn.open_mesh_device()\na = ttnn.ones((32, 32), device=device)\nttnn.relu(a)\n"
            "child = os.fork()\nif child == 0:\n    device.close()\n    os._exit(0)\n"
            "os.waitpid(child, 0)\ndevice.close()\n"))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("is not in the logs of this run", run.stdout)
        self.assertEqual(len(self.ops()), 1)

    def test_a_program_without_the_runner_still_begins_anew(self):
        standins = BUILD / "python_standins"
        environment = dict(self.environment, TT_METAL_DEVICE_PROFILER="1",
                           PYTHONPATH=f"{standins}/tracy:{standins}/ttnn:{BUILD}/python:{self.folder}")
        for count in (3, 1):
            subprocess.run([PYTHON, "-c", f"import worker; worker.work({count})"], cwd=self.folder, env=environment, check=True)
        log = (self.logs / "profile_log_device.csv").read_text().splitlines()
        ids = {line.split(",")[7].strip() for line in log[2:]}
        self.assertNotIn(str(3 << 10), ids)
        self.assertFalse((self.logs / "devices_of_run.bin").exists())


class EndTest(TraceCase):
    def test_what_was_recorded_behind_the_first_report_was_in_no_later_one(self):
        script = self.script("import sys\nfrom tracy import signpost\nsignpost(sys.argv[1])\n")
        self.assertEqual(self.trace("-p", "-r", "--no-device", script, "early").returncode, 0)
        standins = BUILD / "python_standins"
        environment = dict(self.environment, TTSCOPE_RECORD=str(self.logs / "recording"), PYTHONPATH=f"{standins}/tracy:{BUILD}/python")
        subprocess.run([PYTHON, script, "late"], cwd=self.folder, env=environment, check=True)
        again = self.trace("--process-logs-only")
        self.assertEqual(again.returncode, 0, again.stderr)
        report, = self.reports()[-1].glob("ops_perf_results_*.csv")
        self.assertRegex(report.read_text(), "early(.|\n)*late")
        capture = self.reports()[-1] / "tracy_profile_log_host.tracy"
        shown = subprocess.run([TTSCOPE, "timeline", capture], capture_output=True, text=True, check=True).stdout
        self.assertIn("late", shown)

    def test_a_worker_that_its_pool_ended_was_a_program_that_broke(self):
        text = ("import os, signal, time\nfrom tracy import signpost\n"
                "def work():\n    signpost('child')\n    os.kill(os.getpid(), signal.SIGTERM)\n    time.sleep(60)\n"
                "child = os.fork()\nif child == 0:\n    work()\nos.waitpid(child, 0)\nsignpost('parent')\n")
        run = self.trace("-r", "--no-device", self.script(text))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("the program ended inside of", run.stderr)
        # The timeline says what it draws.
        shown = json.loads(subprocess.run([TTSCOPE, "timeline", self.logs / "recording", "--json", "-", "-q"], capture_output=True,
                                          text=True, check=True).stdout)
        self.assertIn("zone_of_child_without_end", json.dumps(shown))
        self.assertNotIn('"zone_without_end"', json.dumps(shown))


if __name__ == "__main__":
    main()
