#!/usr/bin/env python3
"""`ttscope mem --json` against its JSON Schema and its conservation laws, on every log at hand.

Logs: examples/*.log, small ones made here, and, where TTSCOPE_SHARED_DIR is set, the real and simulated ones there.
"""
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

BUILD = pathlib.Path(os.environ["TTSCOPE_BUILD_DIR"])
SOURCE = pathlib.Path(os.environ["TTSCOPE_SOURCE_DIR"])
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
SCHEMA = json.loads((SOURCE / "docs/formats/mem.schema.json").read_text())


def profile(*logs):
    """The document, or None where the program says that the log holds nothing (exit code 4)."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "mem.json"
        done = subprocess.run([BUILD / "ttscope", "mem", *map(str, logs), "-q", "--json", out], capture_output=True)
        if done.returncode == 4 and not out.exists():
            return None
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return json.loads(out.read_bytes())


class DocumentTest(unittest.TestCase):
    maxDiff = 2000

    def check(self, document, name):
        with self.subTest(log=str(name)):
            errors = list(jsonschema.Draft7Validator(SCHEMA).iter_errors(document))
            self.assertEqual([f"{list(e.path)}: {e.message[:200]}" for e in errors[:5]], [])
            self.check_counts(document)
            self.check_peaks(document)
            self.check_live_sets(document)
            self.check_growth(document)
            self.check_lines(document)
            self.check_references(document)

    def check_counts(self, document):
        ranks = document["ranks"]
        for field in ("ops", "executed_ops", "weight_ops"):
            self.assertEqual(document[field], sum(r[field] for r in ranks), field)
        self.assertEqual(document["weight_ops"] + document["activation_ops"], document["ops"])
        kinds = document["operations_by_kind"]
        self.assertEqual(sum(k["executed"] for k in kinds), document["executed_ops"])
        self.assertEqual(sum(k["executed"] for k in kinds if k["counted"]), document["ops"])
        self.assertEqual(len(document["programs"]), sum(r["programs"] for r in ranks))
        self.assertEqual(len(document["failures"]), sum(r["failures"] for r in ranks))
        self.assertEqual(document["failure"] is None, not document["failures"])
        entries = [e for e in document["weights"]["entries"] if e["counted"]]
        self.assertEqual(document["weights"]["count"], len(entries))
        self.assertEqual(document["weights"]["bytes"], sum(e["bytes"] for e in entries))

    def check_peaks(self, document):
        main = [r for r in document["ranks"] if r["memory"] == document["memory"]]
        self.assertIn(document["main_rank"], [r["rank"] for r in main])
        for rank in document["ranks"]:
            highest = document["memory"]["DRAM"]["peak"]["bytes_per_bank"]
            own = rank["memory"]["DRAM"]["peak"]["bytes_per_bank"]
            if own is not None:  # null: the log holds a failure alone, which does not tell it
                self.assertLessEqual(own, highest)
            for memory in rank["memory"].values():
                peak = memory["peak"]
                if peak["bytes_per_bank"] is None:
                    self.assertEqual((rank["executed_ops"], peak["bytes_total"], peak["event"]), (0, None, None))
                    continue
                self.assertEqual(peak["bytes_total"], peak["bytes_per_bank"] * memory["banks"])
                self.assertEqual(peak["bytes_per_bank"] == 0, peak["event"] is None)
                if peak["event"] is None:
                    self.assertIsNone(peak["op"])
                if rank["measured"] and memory["capacity_bytes_per_bank"]:
                    self.assertLessEqual(peak["bytes_per_bank"], memory["capacity_bytes_per_bank"])
                if peak["confidence"] == "modelled":
                    self.assertIsNone(peak["seen_at_line"])

    def check_live_sets(self, document):
        for name, live in document["live_at_peak"].items():
            told = document["memory"][name]["peak"]["bytes_per_bank"]
            peak = 0 if told is None else told  # of a peak that nothing tells nothing is listed
            self.assertEqual(live["bytes_per_bank"], peak)
            self.assertEqual(live["accounted_bytes_per_bank"] + live["unaccounted_bytes_per_bank"], peak, name)
            self.assertEqual(sum(live["bytes_per_bank_by_kind"].values()), live["accounted_bytes_per_bank"], name)
            for kind, total in live["bytes_per_bank_by_kind"].items():
                unlisted = live["failing_result_bytes_per_bank"] if kind == "activation" else 0
                self.assertEqual(sum(t["bytes_per_bank"] for t in live["tensors"] if t["kind"] == kind) + unlisted, total)
            for field in ("logical_bytes", "padded_bytes"):
                self.assertEqual(sum(t[field] for t in live["tensors"]), live[field], field)
            sizes = [t["bytes_per_bank"] for t in live["tensors"]]
            self.assertEqual(sizes, sorted(sizes, reverse=True))
        dram = document["live_at_peak"]["DRAM"]
        self.assertEqual(document["padding"]["waste_bytes_at_peak"], dram["padded_bytes"] - dram["logical_bytes"])
        waste = [w["waste_bytes"] for w in document["padding"]["worst"]]
        self.assertEqual(waste, sorted(waste, reverse=True))

    def check_growth(self, document):
        sizes = [g["bytes_per_bank"] for g in document["growth"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        for memory in ("DRAM", "L1"):
            total = sum(g["bytes_per_bank"] for g in document["growth"] if g["memory"] == memory)
            kinds = sum(k["growth_bytes_per_bank"][memory] for k in document["operations_by_kind"])
            self.assertEqual(total, kinds)
        executed = {(r["rank"], r["file"]): r["executed_ops"] for r in document["ranks"]}
        for entry in document["growth"]:
            self.assertLess(entry["op_index"], executed[entry["rank"], entry.get("file", 0)])

    def check_lines(self, document):
        """Every line lies in its file; with several files, each record says in which."""
        lines = [i["lines"] for i in document["inputs"]]
        several = len(lines) > 1

        def walk(value, file):
            if isinstance(value, list):
                for item in value:
                    walk(item, file)
            elif isinstance(value, dict):
                file = value.get("file", file)
                for key, item in value.items():
                    if (key == "line" or key.endswith("_line")) and item is not None:
                        self.assertTrue(1 <= item <= lines[file or 0], f"{key} {item}")
                    walk(item, file)

        walk(document, None)
        for section in ("growth", "programs", "changes", "failures"):
            self.assertTrue(all(("file" in record) == several for record in document[section]), section)
        self.assertEqual(document["trust"]["recognised"]["lines"], sum(lines))

    def check_references(self, document):
        graphs = {g["id"] for g in document["graphs"]}
        self.assertTrue(all(p["graph"] in graphs for p in document["programs"] if p["graph"] is not None))
        arguments = document["weights"]["entries"] + document["arguments"]
        self.assertEqual(sorted(a["index"] for a in arguments), list(range(len(arguments))))
        self.assertFalse(any(a["counted"] for a in document["arguments"]))
        for argument in arguments:
            if argument["same_as"] is not None:
                self.assertLess(argument["same_as"], argument["index"])


class Examples(DocumentTest):
    def test_examples(self):
        logs = sorted((SOURCE / "examples").glob("*.log"))
        self.assertTrue(logs, "examples/*.log are missing")
        for path in logs:
            self.check(profile(path), path.name)

    def test_out_of_memory_is_diagnosed(self):
        failure = profile(SOURCE / "examples/sample_oom.log")["failure"]
        self.assertIsNotNone(failure)
        self.assertIn(failure["diagnosis"], ("never_fits", "exhausted", "fragmented"))
        self.assertIsNotNone(failure["op"])


class Small(DocumentTest):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def file(self, name, *parts):
        path = self.folder / name
        path.write_text(log.text(*parts))
        return path

    def test_several_files(self):
        first = self.file("a.log", log.module(), log.program())
        second = self.file("b.log", log.program(), log.program())
        document = profile(first, second)
        self.check(document, "two files")
        self.assertEqual({g["file"] for g in document["growth"]}, {0, 1})

    def test_ranks_in_one_file(self):
        document = profile(self.file("r.log", log.tagged(0, log.program()), log.tagged(1, log.program())))
        self.check(document, "two ranks")
        self.assertEqual([r["rank"] for r in document["ranks"]], [0, 1])

    def test_ops_without_memory_lines(self):
        lines = [line for line in log.program() if "memory state" not in line]
        document = profile(self.file("o.log", lines))
        self.check(document, "no memory lines")
        self.assertTrue(document["trust"]["missing"])
        self.assertEqual(document["memory"]["DRAM"]["peak"]["confidence"], "modelled")

    def test_memory_without_op_lines(self):
        lines = [line for line in log.program() if "memory state" in line]
        document = profile(self.file("m.log", lines))
        self.check(document, "no op lines")
        self.assertTrue(document["trust"]["missing"])


@unittest.skipUnless(SHARED, "no reference logs beside the checkout")
class Reference(DocumentTest):
    def test_reference_logs(self):
        found = 0
        for folder in ("runtime-logs", "injected", "ttmem-sample", "ttmem-sample/edge"):
            for path in sorted(glob.glob(os.path.join(SHARED, "data", folder, "*.log"))):
                document = profile(path)
                if document is None:
                    continue
                found += 1
                self.check(document, path)
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
