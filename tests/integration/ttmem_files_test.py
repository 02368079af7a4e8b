#!/usr/bin/env python3
"""The four files of `ttscope mem --out`: form, order, agreement with each other, and, where TTSCOPE_SHARED_DIR is set,
with what the Python tool wrote for the same log (but for its known defects) and with the truth about that log."""
import glob
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["TTSCOPE_BUILD_DIR"])
SOURCE = pathlib.Path(os.environ["TTSCOPE_SOURCE_DIR"])
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
NAMES = ("memory", "operations", "inputs_registry", "ir")
MIB = 1048576
STATE = 600    # half of a printed 0.001 MiB, and the rounding to whole bytes
CHANGE = 2200  # two printed units


def files(log):
    """The parsed files by name, the form of each checked; None where the log holds nothing (exit code 4)."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([BUILD / "ttscope", "mem", log, "-q", "--out", folder, "--name", "x"], capture_output=True)
        if done.returncode == 4 and not os.listdir(folder):
            return None
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        assert sorted(os.listdir(folder)) == sorted(f"x_{name}.json" for name in NAMES), os.listdir(folder)
        result = {}
        for name in NAMES:
            text = (pathlib.Path(folder) / f"x_{name}.json").read_text(encoding="ascii")
            result[name] = json.loads(text)
            assert text == json.dumps(result[name], indent=2), f"{name} has not the form of json.dump(indent=2)"
        return result


class FilesTest(unittest.TestCase):
    def check(self, written, name):
        if written is None:
            return
        with self.subTest(log=str(name)):
            memory, operations = written["memory"]["operations"], written["operations"]
            self.assertEqual(written["memory"]["metadata"]["total_operations"], len(memory))
            self.assertEqual(len(memory), len(operations))
            shared = ("index", "mlir_op", "loc", "const_eval_graph", "const_eval_cache_miss", "is_weight_op", "line",
                      "rank", "program", "program_instance", "run")
            entries = written["inputs_registry"]["entries"]
            totals = written["inputs_registry"]["metadata"]
            if entries:
                counted = [e["bytes"] for e in entries if e["counted"]]
                self.assertEqual((totals["total_weights"], totals["total_weight_bytes"]), (len(counted), sum(counted)))
            for i, (state, op) in enumerate(zip(memory, operations)):
                self.assertEqual(state["index"], i)
                self.assertEqual([state[key] for key in shared], [op[key] for key in shared])
                self.assertNotIn("deallocate", op["mlir_op"])
                self.check_record(state, op, entries)

    def check_record(self, state, op, entries):
        if op["input_types"] is not None:
            operands = [name for name in op["inputs"] if name.startswith("%")]
            self.assertEqual(len(op["input_shapes"]), len(operands), op["line"])
        self.assertEqual(len(op["input_shapes"]), len(op["input_dtypes"]))
        self.assertEqual(len(op["output_shapes"]), len(op["output_dtypes"]))
        for weight in op["weights"]:
            entry = entries[weight["registry_index"]]
            self.assertEqual([weight[k] for k in ("name", "shape", "dtype", "bytes")],
                             [entry[k] for k in ("name", "shape", "dtype", "bytes")])
            self.assertIn(entry["type"], ("parameter", "constant"))
        for totals in state["unpadded_memory"].values():
            self.assertGreaterEqual(totals["padded_bytes"], 0)
        for name, view in state["memory"].items():
            self.assertIn(name, state["memory_after"])
            self.assertLessEqual(view["totalBytesAllocatedPerBank_MB"], max(view["totalBytesPerBank_MB"], 1e9))


class Examples(FilesTest):
    def test_examples(self):
        logs = sorted((SOURCE / "examples").glob("*.log"))
        self.assertTrue(logs, "examples/*.log are missing")
        for path in logs:
            self.check(files(path), path.name)


@unittest.skipUnless(SHARED, "no reference logs beside the checkout")
class Reference(FilesTest):
    def folder(self, *parts):
        return os.path.join(SHARED, "data", "ttmem-sample", *parts)

    def test_reference_logs(self):
        for folder in ("runtime-logs", "injected", "ttmem-sample"):
            for path in sorted(glob.glob(os.path.join(SHARED, "data", folder, "*.log"))):
                self.check(files(path), path)

    def test_colours_change_nothing(self):
        self.assertEqual(files(self.folder("sample_ansi_profile.log")), files(self.folder("sample_profile.log")))

    def test_old_fields_stay_in_place_and_differ_only_where_the_old_tool_was_wrong(self):
        allowed = {
            "memory": {"is_weight_op", "unpadded_memory", "loc"},
            "operations": {"inputs", "weights", "input_shapes", "input_dtypes", "result", "is_weight_op",
                           "output_layout_info", "output_shapes", "output_dtypes", "input_types", "output_type", "loc"},
            "inputs_registry": set(),
            "ir": set(),
        }
        written = files(self.folder("sample_profile.log"))
        for name in NAMES:
            with open(self.folder("golden", "sample", f"sample_{name}.json")) as f:
                self.compare(json.load(f), written[name], name, allowed[name])

    def compare(self, old, new, path, allowed):
        if isinstance(old, dict):
            self.assertEqual(list(new)[:len(old)], list(old), path)
            for key in old:
                if key not in allowed:
                    self.compare(old[key], new[key], f"{path}.{key}", allowed)
        elif isinstance(old, list):
            self.assertEqual(len(old), len(new), path)
            for i, (before, now) in enumerate(zip(old, new)):
                self.compare(before, now, f"{path}[{i}]", allowed)
        else:
            self.assertEqual(old, new, path)

    def test_states_and_growth_are_true(self):
        with open(self.folder("sample_truth.json")) as f:
            truth = [op for op in json.load(f) if op["op"] not in ("deallocate", "get_device")]
        states = files(self.folder("sample_profile.log"))["memory"]["operations"]
        self.assertEqual(len(states), len(truth))
        for state, op in zip(states, truth):
            for name, key in (("DRAM", "dram"), ("L1", "l1")):
                place = f"op {state['index']} {name}"
                before = state["memory"][name]["totalBytesAllocatedPerBank_MB"] * MIB
                after = state["memory_after"][name]["totalBytesAllocatedPerBank_MB"] * MIB
                self.assertAlmostEqual(before, op[f"{key}_before"], delta=STATE, msg=place)
                self.assertAlmostEqual(after, op[f"{key}_after"], delta=STATE, msg=place)
                if op["op"] != "load_cached":
                    self.assertAlmostEqual(state["own_growth"][name], op[f"{key}_delta"], delta=CHANGE, msg=place)

    def test_weights_follow_the_data(self):
        written = files(self.folder("sample_profile.log"))
        used = {}
        for op in written["operations"]:
            if op["mlir_op"] == "ttcore.load_cached":
                used[op["inputs"][0]] = [w["name"] for w in op["weights"]]
            self.assertFalse([w for w in op["weights"] if w["name"].endswith("pos_embed")], op["line"])
        self.assertEqual(used, {"@main_const_eval_0": ["l__self___attn_qkv_weight"],
                                "@main_const_eval_1": ["l__self___norm_weight", "l__self___norm_bias"],
                                "@main_const_eval_2": []})
        for op in written["operations"]:
            if op["const_eval_graph"] == "main_const_eval_0":
                self.assertEqual([w["name"] for w in op["weights"]], ["l__self___attn_qkv_weight"])
                self.assertTrue(op["is_weight_op"] and op["const_eval_cache_miss"])

    def test_what_the_old_tool_lost(self):
        """Several results, block floats, file locations, attribute dictionaries (D8, D9, D10, D20, D21)."""
        operations = files(self.folder("sample_profile.log"))["operations"]
        sort = next(op for op in operations if op["mlir_op"] == "ttnn.sort")
        self.assertEqual((sort["result"], sort["results"]), ("%27", ["%27#0", "%27#1"]))
        self.assertEqual([layout["dtype"] for layout in sort["output_layouts"]], ["bf16", "ui16"])
        self.assertEqual(sort["output_layout_info"], sort["output_layouts"][0])
        block_float = next(op for op in operations if op["output_dtypes"] == ["bfp_bf8"])
        self.assertEqual(block_float["output_shapes"], ["1x197x2304"])
        self.assertEqual(block_float["output_layout_info"]["padded_bytes"], 7 * 72 * 1088)
        sharded = next(op for op in operations if op["loc"] == "logistic.66_l1")["output_layout_info"]
        self.assertEqual((sharded["padded_shape"], sharded["padded_bytes"]), ([224, 2304], 224 * 2304 * 2))
        self.assertTrue(any(op["loc"] and op["loc"].endswith("vit.py:112:15") for op in operations))
        self.assertTrue(all(op["output_type"] for op in operations))


if __name__ == "__main__":
    unittest.main()
