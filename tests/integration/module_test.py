#!/usr/bin/env python3
"""A log stripped of its op lines and modelled from its modules gives the same run: ops, growth, states and peaks.

Needs TTSCOPE_SHARED_DIR (data/injected: measured states over real op lines; data/runtime-logs: op lines alone;
data/ttnn-mlir: modules of many ages); without it the tests are skipped.
"""
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ["TTSCOPE_BUILD_DIR"]
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
ROUNDING = 525  # half of a printed 0.001 MiB, in bytes per bank

# Lines of a run; what is left is what a build without op lines prints.
OF_A_RUN = re.compile(rb"Executing operation:|memory state|execution of program|retained thus|Out of Memory"
                      rb"|for function:|Running LoadCached")
QUERY = ("select program, program_name, name, result_shape, result_dtype, result_memory, "
         "dram_growth_bytes_per_bank, l1_growth_bytes_per_bank, "
         "coalesce(dram_allocated_before_bytes_per_bank, dram_accounted_before_bytes_per_bank) as dram, "
         "coalesce(l1_allocated_before_bytes_per_bank, l1_accounted_before_bytes_per_bank) as l1 from ops order by op")
SAME = ("program_name", "name", "result_shape", "result_dtype", "result_memory")
GROWTH = ("dram_growth_bytes_per_bank", "l1_growth_bytes_per_bank")


def ttscope(*args):
    done = subprocess.run([os.path.join(BUILD, "ttscope"), *args], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def outermost_runs(path):
    """The ops of every outermost program, those of the programs that it calls included."""
    code, out, error = ttscope("sql", path, QUERY, "--json", "-")
    assert code == 0, error
    runs, open_program = [], None
    for op in json.loads(out):
        if "_const_eval_" not in op["program_name"] and op["program"] != open_program:
            open_program = op["program"]
            runs.append([])
        runs[-1].append(op)
    return runs


def same_ops(run, modelled):
    return [[op[key] for key in SAME] for op in run] == [[op[key] for key in SAME] for op in modelled]


@unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set")
class ModuleTest(unittest.TestCase):
    def stripped(self, folder, log):
        path = os.path.join(folder, "modules.log")
        with open(log, "rb") as f, open(path, "wb") as out:
            out.writelines(line for line in f if not OF_A_RUN.search(line))
        return path

    def compare(self, log, programs, rounding):
        """Every program of the modules is the first run of its graph in the log."""
        with tempfile.TemporaryDirectory() as folder:
            modelled = outermost_runs(self.stripped(folder, log))
        runs = outermost_runs(log)
        self.assertEqual(len(modelled), programs)
        at = 0
        for program in modelled:
            while at < len(runs) and not same_ops(runs[at], program):
                at += 1
            self.assertLess(at, len(runs), f"a program of {len(program)} ops that the log does not show")
            self.assertEqual([[op[g] for g in GROWTH] for op in runs[at]], [[op[g] for g in GROWTH] for op in program])
            for measured, op in zip(runs[at], program):
                self.assertLessEqual(abs(measured["dram"] - op["dram"]), rounding, op)
                self.assertLessEqual(abs(measured["l1"] - op["l1"]), rounding, op)
            peaks = [max(op["dram"] for op in run) for run in (runs[at], program)]
            self.assertLessEqual(abs(peaks[0] - peaks[1]), rounding)
            at += 1

    def test_measured_states_agree_within_the_rounding_of_the_log(self):
        for name, programs in (("llama_wh", 1), ("where_wh", 2), ("fill_cache_wh", 3), ("jona_wh", 1)):
            with self.subTest(name):
                self.compare(f"{SHARED}/data/injected/{name}_profile.log", programs, ROUNDING)

    def test_op_lines_give_the_same_run_as_modules(self):
        for name, programs in (("llama_memory", 1), ("where_op", 2), ("fill_cache_but", 3), ("jona_shard", 1),
                               ("test_predrag", 14)):
            with self.subTest(name):
                self.compare(glob.glob(f"{SHARED}/data/runtime-logs/{name}*.log")[0], programs, 0)

    def test_a_run_that_died_is_the_beginning_of_what_its_module_says(self):
        log = glob.glob(f"{SHARED}/data/runtime-logs/qwen_bw_taps*.log")[0]
        with tempfile.TemporaryDirectory() as folder:
            (modelled,) = outermost_runs(self.stripped(folder, log))
        (run,) = outermost_runs(log)
        self.assertGreater(len(modelled), len(run))
        self.assertTrue(same_ops(run, modelled[:len(run)]))

    def test_logs_without_op_lines_are_no_longer_refused(self):
        log = glob.glob(f"{SHARED}/data/runtime-logs/conv3d*.log")[0]
        code, out, error = ttscope("mem", log, "-q", "--json", "-")
        self.assertEqual(code, 0, error)
        document = json.loads(out)
        self.assertEqual(document["verdict"]["trust"], "modelled")
        self.assertEqual(document["verdict"]["outcome"], "unknown")
        self.assertGreater(document["executed_ops"], 0)

    def test_a_failure_without_op_lines_is_placed_in_its_module(self):
        log = glob.glob(f"{SHARED}/data/runtime-logs/qwen_vision_l1*.log")[0]
        code, out, error = ttscope("fit", log, "-q", "--json", "-", "--device", "n150,p150")
        self.assertEqual(code, 3, error)
        for device in json.loads(out)["devices"]:
            self.assertEqual(device["failure"]["op"], "ttnn.conv3d")
            self.assertEqual(device["failure"]["shortage"], "circular_buffers")
            self.assertGreater(device["peak_bytes_per_bank"], 6_000_000)

    def test_modules_of_every_age_are_read(self):
        empty = 0
        for path in sorted(glob.glob(f"{SHARED}/data/ttnn-mlir/*/*.mlir")):
            with self.subTest(os.path.basename(path)):
                code, out, error = ttscope("mem", path, "-q", "--json", "-")
                if code == 4:  # a function that returns its arguments
                    self.assertIn("without a function of TTNN ops", error)
                    empty += 1
                    continue
                self.assertEqual(code, 0, error)
                document = json.loads(out)
                self.assertEqual(document["verdict"]["outcome_detail"]["why"], "not_run")
                if "d2m_subgraph" not in pathlib.Path(path).read_text(errors="replace"):  # an op of a stage before the last: counted, not read
                    self.assertEqual(document["trust"]["skipped"], {}, "ops and types that could not be read")
                self.parts_add_up(document)
        self.assertLessEqual(empty, 2)

    def parts_add_up(self, document):
        for memory, live in document["live_at_peak"].items():
            peak = document["memory"][memory]["peak"]["bytes_per_bank"]
            self.assertEqual(sum(live["bytes_per_bank_by_kind"].values()), peak)
            self.assertEqual(sum(tensor["bytes_per_bank"] for tensor in live["tensors"]), peak)


if __name__ == "__main__":
    if not SHARED:
        print("skipped: TTSCOPE_SHARED_DIR is not set")
        sys.exit(77)
    unittest.main()
