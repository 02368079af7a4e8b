#!/usr/bin/env python3
"""From a kernel to a report: the device example runs on simulated chips, and `ttscope perf` reads what the profiler left."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["TTSCOPE_BUILD_DIR"])
SOURCE = pathlib.Path(os.environ["TTSCOPE_SOURCE_DIR"])
EXAMPLE = BUILD / "examples/run_inference"
COMPILER = "riscv64-unknown-elf-g++"


def ttscope(*args):
    return subprocess.run([BUILD / "ttscope", *map(str, args)], capture_output=True, text=True, timeout=120)


class DeviceProfilerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.cache = cls.folder / "cache"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_example(self, name, **environment):
        """The folder of its files, and what it printed."""
        folder = self.folder / name
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("TT_METAL", "TTSCOPE_CHIP"))}
        settings = {**clean, "TTSCOPE_CHIP_CACHE": str(self.cache), "TT_METAL_PROFILER_DIR": str(folder), **environment}
        done = subprocess.run([EXAMPLE, SOURCE / "examples/device/kernels"], capture_output=True, text=True, timeout=120, env=settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("20 tiles copied on device", done.stdout)
        return folder, done

    def perf(self, folder, *options):
        done = ttscope("perf", folder, "--json", "-", "--zones", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_without_the_profiler_nothing_is_written(self):
        folder, _ = self.run_example("off")
        self.assertFalse(folder.exists())

    def test_ops_zones_and_events(self):
        for arch in ("wormhole_b0", "blackhole"):
            with self.subTest(arch):
                folder, done = self.run_example("all_" + arch, ARCH_NAME=arch, TT_METAL_DEVICE_PROFILER="1", TT_METAL_PROFILER_SUM="1",
                                                TT_METAL_PROFILER_CPP_POST_PROCESS="1")
                self.assertEqual(done.stderr, "")
                report = self.perf(folder)
                self.assertEqual(len(report["ops"]), 2)
                self.assertEqual([op["cores"] for op in report["ops"]], [1, 4])
                zones = {}
                for zone in report["zones"]:
                    zones.setdefault(zone["zone"], []).append(zone)
                self.assertEqual(zones["ReadFromDRAM"][0]["count"], 1)
                self.assertEqual({zone["risc"] for zone in zones["KERNEL-INNER-LOOP"]}, {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2"})
                self.assertEqual(sum(zone["count"] for zone in zones["IterationData"]), 8 * 5 * 4)
                self.assertEqual(sum(zone["count"] for zone in zones["AccumulatedCompute"]), 5 * 4)
                # The two device files agree, and nothing else is wrong with them.
                self.assertEqual(set(report["trust"]["capture_problems"]), {"host_files_missing", "simulated_chips"})

    def test_the_report_and_the_page(self):
        folder, _ = self.run_example("page", TT_METAL_DEVICE_PROFILER="1")
        page, table = self.folder / "page.html", self.folder / "made"
        done = ttscope("perf", folder, "--html", page, "-o", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(page.stat().st_size, 10000)
        rows = list(csv.DictReader((table / "ops_perf_results.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 2)
        self.assertGreater(int(rows[0]["DEVICE KERNEL DURATION [ns]"]), 0)

    def test_noc_traces_tell_what_was_moved(self):
        folder, _ = self.run_example("noc", TT_METAL_DEVICE_PROFILER_NOC_EVENTS="1")
        report = self.perf(folder, "--noc-traces")
        self.assertEqual([(trace["call_count"], trace["bytes"]) for trace in report["noc"]], [(1024, 2 * 20 * 2048)])
        events = json.loads((folder / ".logs/noc_trace_dev0_ID1024.json").read_text())
        self.assertEqual(sum(event.get("num_bytes", 0) for event in events if event.get("type") == "READ"), 20 * 2048)
        self.assertEqual(sum(event.get("num_bytes", 0) for event in events if event.get("type") == "WRITE_"), 20 * 2048)

    def test_saved_words_give_the_same_log(self):
        folder, _ = self.run_example("words", TT_METAL_DEVICE_PROFILER="1", TTSCOPE_SAVE_PROFILER_WORDS="1")
        made = self.folder / "from_words"
        done = ttscope("perf", "--raw", folder / ".logs/device_0_read_0.json", "-o", made)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((made / "profile_log_device.csv").read_text(), (folder / ".logs/profile_log_device.csv").read_text())

    def test_debug_printing_is_a_conflict(self):
        done = subprocess.run([EXAMPLE, SOURCE / "examples/device/kernels"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "TT_METAL_DEVICE_PROFILER": "1", "TT_METAL_DPRINT_CORES": "0,0"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("Cannot enable both debug printing and profiling", done.stderr)


if __name__ == "__main__":
    if shutil.which(COMPILER) is None:
        print(f"skipped: {COMPILER} is not installed (apt-get install gcc-riscv64-unknown-elf)")
        sys.exit(77)
    unittest.main()
