#!/usr/bin/env python3
"""Compares `ttscope mem --json` with truth files: peaks, their makers, every op's own growth, the live set, padding.

Truth: examples/*.truth.json (made by ttscope-gen-log) and, where TTSCOPE_SHARED_DIR is set, data/injected and
data/ttmem-sample there. Figures in a log are rounded to 0.001 MiB, so a state may be off by half of that and a
difference by a whole.
"""
import glob
import json
import os
import subprocess
import tempfile
import unittest

BUILD = os.environ["TTSCOPE_BUILD_DIR"]
SOURCE = os.environ["TTSCOPE_SOURCE_DIR"]
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
STATE = 600          # half a printed unit, and the rounding to whole bytes
CHANGE = 2200        # two printed units


def profile(log):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "mem.json")
        subprocess.run([os.path.join(BUILD, "ttscope"), "mem", log, "-q", "--json", out], check=True)
        with open(out) as f:
            return json.load(f)


class Checker:
    def __init__(self, test, name, document, truth, rank):
        self.test, self.name, self.document, self.truth = test, name, document, truth
        self.ops = truth["ops"]
        self.rank = rank
        ranks = {r["rank"]: r for r in document["ranks"]}
        self.memory = ranks[rank]["memory"]
        self.growth = {(g["line"], g["memory"]): g for g in document["growth"] if g["rank"] == rank}
        self.whole = document["live_at_peak"] if rank == document["main_rank"] else None

    def check(self):
        for memory in ("DRAM", "L1"):
            self.check_growth(memory)
            if self.told_by_message(memory):
                continue
            self.check_peak(memory)
            if self.whole:
                self.check_live_set(memory)

    def told_by_message(self, memory):
        """The message of a failed allocation shows what its op had taken already, which no printed state does."""
        got = self.memory[memory]["peak"]
        for failure in self.document["failures"]:
            if failure["rank"] != self.rank or failure["message_line"] != got["seen_at_line"]:
                continue
            printed = self.truth["summary"]["peak"][memory]["before_op_bytes_per_bank"]
            self.test.assertEqual(got["bytes_per_bank"], failure["allocated_bytes_per_bank"])
            self.test.assertGreater(got["bytes_per_bank"], printed, f"{self.name} {memory} peak")
            return True
        return False

    def check_peak(self, memory):
        want = self.truth["summary"]["peak"][memory]["before_op_bytes_per_bank"]
        got = self.memory[memory]["peak"]
        self.test.assertAlmostEqual(got["bytes_per_bank"], max(want, 0), delta=STATE, msg=f"{self.name} {memory} peak")
        if want <= STATE:
            return
        makers = [o["line"] for o in self.ops if o.get("after") and abs(o["after"][memory][0] - want) <= 1100]
        self.test.assertIn(got["line"], makers, f"{self.name} {memory} maker")
        first = [o["line"] for o in self.ops if abs(o["before"][memory][0] - want) <= 1100]
        self.test.assertIn(got["line"] and next((l for l in first if l >= got["line"]), None), first)

    def check_growth(self, memory):
        for op in self.ops[:-1]:
            if op.get("failed") or op.get("after") is None:
                continue
            want = op["own_growth"][memory]
            got = self.growth.get((op["line"], memory), {"bytes_per_bank": 0})["bytes_per_bank"]
            self.test.assertAlmostEqual(got, max(want, 0), delta=CHANGE,
                                        msg=f"{self.name} {memory} growth of op {op['index']} line {op['line']} {op['op']}")

    def check_live_set(self, memory):
        summary = self.truth["summary"]["peak"][memory]
        # The live set is known for the state after an op; it is the printed peak's unless the last op raised it.
        if summary["before_op_bytes_per_bank"] <= STATE or \
                summary["before_op_bytes_per_bank"] != summary["after_op_bytes_per_bank"]:
            return
        live = self.whole[memory]
        # No line names a rank-local tensor of the injected logs: it must show as unaccounted.
        unnamed = sum(b["bytes_per_bank"] for b in summary["live"] if b["name"] == "rank-local")
        want = sorted(((b["bytes_per_bank"], tuple(b["shape"]), b["dtype"]) for b in summary["live"]
                       if b["name"] != "rank-local"), reverse=True)
        got = sorted(((t["bytes_per_bank"], tuple(t["shape"]), t["dtype"]) for t in live["tensors"]), reverse=True)
        self.test.assertEqual(got, want, f"{self.name} {memory} live set")
        self.test.assertAlmostEqual(live["unaccounted_bytes_per_bank"], unnamed, delta=STATE,
                                    msg=f"{self.name} {memory} unaccounted")
        if unnamed == 0 and not self.truth["summary"].get("guessed_argument_kinds"):
            self.check_kinds(memory, summary, live)

    def check_kinds(self, memory, summary, live):
        same = {"const-eval": "const_eval", "input": "activation"}
        want, got = {}, {}
        for b in summary["live"]:
            kind = same.get(b["kind"], b["kind"])
            want[kind] = want.get(kind, 0) + b["bytes_per_bank"]
        for t in live["tensors"]:
            kind = same.get(t["kind"], t["kind"])
            got[kind] = got.get(kind, 0) + t["bytes_per_bank"]
        self.test.assertEqual(got, want, f"{self.name} {memory} kinds")
        if memory == "DRAM":
            self.test.assertEqual(self.document["padding"]["waste_bytes_at_peak"], summary["padding_waste_bytes"],
                                  f"{self.name} padding")


class TruthTest(unittest.TestCase):
    def check_folder(self, folder):
        paths = sorted(glob.glob(os.path.join(folder, "*.truth.json")))
        self.assertTrue(paths, f"no truth files in {folder}")
        for path in paths:
            base = path[: -len(".truth.json")]
            log = base + ("_profile.log" if os.path.exists(base + "_profile.log") else ".log")
            with open(path) as f:
                truth = json.load(f)
            document = profile(log)
            for rank in truth["ranks"]:
                with self.subTest(log=os.path.basename(log), rank=rank["rank"]):
                    Checker(self, os.path.basename(base), document, rank, rank["rank"]).check()

    def test_generated_logs(self):
        variants = ("--layers 2 --runs 3", "--layers 2 --runs 3 --device blackhole --program-level",
                    "--ranks 3 --runs 2 --crlf", "--oom --runs 2", "--keep-live --layers 2",
                    "--plain --distinct-locs --runs 3 --program-level", "--hidden 1024 --sequence 48 --layers 3")
        with tempfile.TemporaryDirectory() as folder:
            for number, options in enumerate(variants):
                base = os.path.join(folder, f"variant{number}")
                subprocess.run([os.path.join(BUILD, "ttscope-gen-log"), "-o", base + ".log", "--truth",
                                base + ".truth.json", *options.split()], check=True, stderr=subprocess.DEVNULL)
            self.check_folder(folder)

    def test_our_samples(self):
        self.check_folder(os.path.join(SOURCE, "examples"))

    @unittest.skipUnless(SHARED, "skipped: no shared data")
    def test_injected_logs(self):
        self.check_folder(os.path.join(SHARED, "data", "injected"))

    @unittest.skipUnless(SHARED, "skipped: no shared data")
    def test_ttmem_sample(self):
        folder = os.path.join(SHARED, "data", "ttmem-sample")
        with open(os.path.join(folder, "sample_truth.json")) as f:
            truth = json.load(f)
        for name in ("sample_profile.log", "sample_ansi_profile.log"):
            document = profile(os.path.join(folder, name))
            with open(os.path.join(folder, name), errors="replace") as f:
                lines = [n for n, text in enumerate(f, 1) if "Executing operation:" in text]
            self.assertEqual(len(lines), len(truth))
            growth = {(g["line"], g["memory"]): g["bytes_per_bank"] for g in document["growth"]}
            for memory, key in (("DRAM", "dram"), ("L1", "l1")):
                peak = max(op[key + "_before"] for op in truth)
                got = document["memory"][memory]["peak"]
                self.assertAlmostEqual(got["bytes_per_bank"], peak, delta=STATE)
                makers = [l for l, op in zip(lines, truth) if abs(op[key + "_after"] - peak) <= 1100]
                self.assertIn(got["line"], makers)
                live = document["live_at_peak"][memory]
                self.assertLessEqual(abs(live["unaccounted_bytes_per_bank"]), STATE, f"{name} {memory} live set")
                for line, op in zip(lines[:-1], truth):
                    if op["op"] == "load_cached":  # its figure includes the nested program; ours does not
                        continue
                    self.assertAlmostEqual(growth.get((line, memory), 0), max(op[key + "_delta"], 0), delta=CHANGE,
                                           msg=f"{name} {memory} line {line} {op['op']}")


if __name__ == "__main__":
    unittest.main(verbosity=1)
