#!/usr/bin/env python3
"""The known defects of the Python memory profiler, one test each: none may come back here.

This file: memory figures, live tensors and padding, weights (D1 to D18). defects_reading_test.py: reading, reports and
command lines (D19 to D30, D36, D44, D45). Each test writes a small log on which the Python tool's answer is wrong and
checks the true one. Not concerned here: D31 to D35 (the HTML page) and D37 to D43 (capture of a script, interactive
mode, server), which belong to commands that do not exist yet.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from defect_case import DefectCase  # noqa: E402
from defect_logs import MIB, Log, Tensor, function, mib, module  # noqa: E402

ALL_BANKS = 12  # of DRAM: a tensor of mib(n) has n * 12 MiB


class MemoryFigures(DefectCase):
    def test_d01_peak_is_over_every_block(self):
        """The peak that only the block of a deallocate shows is found, with the op that made it."""
        log = Log()
        with log.program():
            log.op("full", {"%0": mib(3)})
            maker = log.op("neg", {"%1": mib(3)}, ["%0"], loc='"neg.1"')
            freed = log.deallocate("%0")
            log.op("exp", {"%2": mib(1)}, ["%1"])
        peak = self.document(log)["memory"]["DRAM"]["peak"]
        self.assertEqual((peak["bytes_per_bank"], peak["op"], peak["loc"]), (6 * MIB, "ttnn.neg", "neg.1"))
        self.assertEqual((peak["line"], peak["seen_at_line"], peak["event"]), (maker, freed + 2, "op"))
        self.assertEqual(self.table(self.report(log), "Peak Memory")[0][2:5], ["ttnn.neg", "neg.1", "6.00 MB"])

    def test_d02_growth_belongs_to_the_op_that_caused_it(self):
        """What a block shows is credited to the op before it, and the last op's effect is not lost."""
        log = Log()
        small = Tensor((32, 32))
        with log.program():
            big = log.op("multiply", {"%0": mib(4)})
            mean = log.op("mean", {"%1": small}, ["%0"])
            last = log.op("add", {"%2": mib(2)}, ["%0", "%0"])
        document = self.document(log)
        self.assertEqual(self.growth(document), {big: 4 * MIB, mean: small.bytes_per_bank, last: 2 * MIB})
        by_line = {g["line"]: g["confidence"] for g in document["growth"]}
        self.assertEqual(by_line[last], "modelled")
        first = self.table(self.report(log), "Top 10 Memory Consumers")[0]
        self.assertEqual((first[2], first[4]), ("ttnn.multiply", "4.00"))

    def test_d03_frees_between_do_not_hide_growth(self):
        """Ops that take what a deallocate just gave back have their whole growth."""
        log = Log()
        lines = []
        with log.program():
            for i in range(3):
                lines.append(log.op("full", {f"%{i}": mib(3)}))
                log.deallocate(f"%{i}")
            log.op("full", {"%3": Tensor((32, 32))})
        growth = self.growth(self.document(log))
        self.assertEqual([growth.get(line) for line in lines], [3 * MIB] * 3)
        records, = self.files(log, "memory")
        self.assertEqual([r["own_growth"]["DRAM"] for r in records[:3]], [3 * MIB] * 3)

    def test_d04_one_record_is_one_moment(self):
        """`memory` and `unpadded_memory` are both of the state before the op; the state after it has its own field."""
        log = Log()
        with log.program():
            for i in range(3):
                log.op("full", {f"%{i}": mib(i + 1)})
            log.op("add", {"%3": mib(1)}, ["%0", "%0"])
        records, = self.files(log, "memory")
        self.assertEqual([r["memory"]["DRAM"]["totalBytesAllocatedPerBank_MB"] for r in records], [0, 1, 3, 6])
        self.assertEqual([r["unpadded_memory"]["DRAM"]["num_tensors"] for r in records], [0, 1, 2, 3])
        self.assertEqual([r["memory_after"]["DRAM"]["totalBytesAllocatedPerBank_MB"] for r in records], [1, 3, 6, 7])
        self.assert_same_moment(records)


class LiveTensors(DefectCase):
    def const_eval_log(self, retained=False):
        """main has %0 of 3 MiB when const-eval makes its own %0 (1 MiB, freed) and %1 (2 MiB, cached)."""
        log = Log()
        for run in range(2):
            with log.program(arguments={"%arg0": mib(1, "host")}):
                log.op("full", {"%0": mib(3)})
                if run == 0:
                    with log.cache_miss("%1", mib(2), "main_const_eval_0", ["%arg0"]) as self.call:
                        log.op("to_device", {"%0": mib(1)}, ["%arg0"])
                        self.maker = log.op("concat", {"%1": mib(2)}, ["%0", "%0"])
                        log.deallocate("%0")
                else:
                    log.cache_hit("%1", mib(2), "main_const_eval_0", ["%arg0"])
                log.op("exp", {"%2": mib(1)}, ["%1"])
                log.deallocate("%0")
                if retained:
                    log.deallocate("%1", retained=True)
                log.op("neg", {"%3": mib(1)}, ["%2"])
                log.deallocate("%2")
                log.deallocate("%3")
        return log

    def test_d05_names_are_of_one_program_run(self):
        """`%0` of main and `%0` of a const-eval program are two tensors."""
        log = self.const_eval_log()
        self.assert_same_moment(self.files(log, "memory")[0])
        self.assert_live(self.document(log), [("main", "%0", 3 * MIB), ("main_const_eval_0", "%0", MIB),
                                              ("main_const_eval_0", "%1", 2 * MIB)])

    def test_d06_cached_result_counts_once_when_it_exists(self):
        """A load_cached result is live from the const-eval op that makes it, and only once."""
        log = self.const_eval_log()
        document = self.document(log)
        records, = self.files(log, "memory")
        call = next(r for r in records if r["line"] == self.call)
        inside = [r for r in records if r["const_eval_graph"]]
        self.assertEqual([r["unpadded_memory"]["DRAM"]["padded_MB"] / ALL_BANKS for r in [call] + inside], [3, 3, 4])
        self.assertEqual(call["memory_after"]["DRAM"]["totalBytesAllocatedPerBank_MB"], 5)
        copies = [t for t in document["live_at_peak"]["DRAM"]["tensors"] if t["bytes_per_bank"] == 2 * MIB]
        self.assertEqual([(t["kind"], t["producer_line"]) for t in copies], [("const_eval", self.maker)])
        self.assertNotIn(self.call, self.growth(document))

    def test_d07_retained_tensors_stay_live(self):
        """A deallocate that the runtime did not carry out frees nothing, in this run or the next."""
        records, = self.files(self.const_eval_log(retained=True), "memory")
        negs = [r["unpadded_memory"]["DRAM"] for r in records if r["mlir_op"] == "ttnn.neg"]
        self.assertEqual([(n["padded_MB"] / ALL_BANKS, n["num_tensors"]) for n in negs], [(3, 2)] * 2)
        self.assert_same_moment(records)

    def test_d08_sharded_tensors_are_all_their_shards(self):
        """A sharded tensor has shard x cores bytes and takes its shard in every bank; padding is never negative."""
        sharded = Tensor((250, 2048), memory="L1", grid=(8, 8))
        log = Log()
        with log.program():
            log.op("full", {"%0": sharded})
            log.op("neg", {"%1": sharded}, ["%0"])
            log.op("exp", {"%2": sharded}, ["%1"])
        records, operations = self.files(log, "memory", "operations")
        layout = operations[0]["output_layout_info"]
        self.assertEqual((layout["padded_shape"], layout["padded_bytes"]), ([256, 2048], 256 * 2048 * 2))
        self.assertEqual(layout["unpadded_bytes"], 250 * 2048 * 2)
        last = records[-1]["unpadded_memory"]["L1"]
        self.assertEqual((last["padded_bytes"], last["unpadded_bytes"]), (2 * 256 * 2048 * 2, 2 * 250 * 2048 * 2))
        self.assertAlmostEqual(last["overhead_pct"], 2.4)
        document = self.document(log)
        self.assert_live(document, [("main", "%0", 8 * 2048), ("main", "%1", 8 * 2048)], "L1")
        self.assertEqual(document["padding"]["waste_bytes_at_l1_peak"], 2 * 6 * 2048 * 2)

    def test_d09_block_floats_have_their_own_size(self):
        """bfp8, bfp4 and bfp2 tiles have 1088, 576 and 320 bytes, also where only the stored tiles are block floats."""
        shape, tiles = (1024, 1536), 32 * 48
        tensors = {"%0": (Tensor(shape, "bfp_bf8"), 1088), "%1": (Tensor(shape, "bfp_bf4"), 576),
                   "%2": (Tensor(shape, "bfp_bf2"), 320), "%3": (Tensor(shape, stored="bfp_bf8"), 1088)}
        log = Log()
        with log.program():
            for name, (tensor, _) in tensors.items():
                log.op("full", {name: tensor})
            log.deallocate("%0")
        operations, = self.files(log, "operations")
        for op, (tensor, tile_bytes) in zip(operations, tensors.values()):
            self.assertEqual((op["output_shapes"], op["output_dtypes"]), (["1024x1536"], [tensor.dtype]))
            self.assertEqual(op["output_layout_info"]["padded_bytes"], tiles * tile_bytes)
            self.assertEqual(op["output_layout_info"]["buffer_type"], "dram")
        self.assert_live(self.document(log), [("main", name, tiles // 12 * size) for name, (_, size) in tensors.items()])

    def test_d10_all_results_of_an_op(self):
        """Every result of `%0:2` and of `%values, %indices` is live until its own deallocate."""
        for names in (("%0#0", "%0#1"), ("%values", "%indices")):
            results = {names[0]: mib(2), names[1]: Tensor((1536, 4096), "ui16")}
            log = Log()
            with log.program():
                sort = log.op("sort", results)
                log.deallocate(names[1])
                log.op("neg", {"%1": mib(3)}, [names[0]])
                log.op("exp", {"%2": Tensor((32, 32))}, [names[0]])
            self.assertEqual(self.growth(self.document(log))[sort], 3 * MIB)
            self.assert_live(self.document(log), [("main", names[0], 2 * MIB), ("main", "%1", 3 * MIB)])
            records, operations = self.files(log, "memory", "operations")
            self.assert_same_moment(records)
            self.assertEqual(operations[0]["result"], names[0].split("#")[0])
            self.assertEqual(operations[0]["results"], list(names))
            self.assertEqual([o["padded_bytes"] for o in operations[0]["output_layouts"]], [24 * MIB, 12 * MIB])

    def test_d11_sizes_of_unusual_types(self):
        """Row-major pages are aligned; rank 0 and dynamic tensors are not lost; one-byte types have one byte."""
        rows, scalar, flags = Tensor((12000, 10), tiled=False), Tensor((), "f32"), Tensor((12000, 64), "i1", tiled=False)
        log = Log()
        with log.program():
            log.op("full", {"%0": rows})
            log.op("full", {"%1": scalar})
            log.op("full", {"%2": flags})
            log.op("exp", {"%3": flags}, ["%2"])
        self.assert_live(self.document(log), [("main", "%0", 1000 * 32), ("main", "%1", 4096), ("main", "%2", 1000 * 64)])
        operations, = self.files(log, "operations")
        self.assertEqual([op["output_layout_info"]["unpadded_bytes"] for op in operations[:3]], [240000, 4, 768000])
        self.assertEqual((operations[1]["output_layout_info"]["logical_shape"], operations[1]["output_dtypes"]), ([], ["f32"]))

    def test_d11_sizes_in_the_registry(self):
        """Signed and one-bit types of module arguments have their own sizes."""
        arguments = [("input", name, f"tensor<100x{name}>") for name in ("i1", "si8", "si16", "si32", "si64", "ui8", "f32")]
        log = Log()
        log.write(*module("shlo_frontend", function("main", arguments)))
        with log.program():
            log.op("full", {"%0": mib(1)})
        registry, = self.files(log, "inputs_registry")
        self.assertEqual({e["name"]: e["bytes"] for e in registry["entries"]},
                         {"i1": 100, "si8": 100, "si16": 200, "si32": 400, "si64": 800, "ui8": 100, "f32": 400})

    def test_d11_dynamic_shapes(self):
        """A tensor with an unknown dimension keeps its place among the shapes, and its stored size."""
        known = Tensor((3072, 4096))
        log = Log()
        with log.program():
            log.op("full", {"%0": known})
            log.op("exp", {"%1": known}, ["%0"])
            log.deallocate("%0")
        text = log.text().replace("tensor<3072x4096xbf16", "tensor<?x4096xbf16")
        operations, = self.files(text, "operations")
        self.assertEqual([op["output_shapes"] for op in operations], [["?x4096"]] * 2)
        self.assertEqual(operations[1]["input_dtypes"], ["bf16"])
        self.assert_live(self.document(text), [("main", "%0", 2 * MIB), ("main", "%1", 2 * MIB)])

    def test_d12_padding_is_that_of_the_peak(self):
        """The padding figure is of the moment of the peak, not the worst ratio when almost nothing is live."""
        log = Log()
        with log.program():
            log.op("full", {"%0": Tensor((1, 1))})
            log.deallocate("%0")
            log.op("full", {"%1": mib(3)})
            log.op("full", {"%2": Tensor((1512, 4096))})
            log.op("neg", {"%3": Tensor((32, 32))}, ["%1"])
        padding = self.document(log)["padding"]
        self.assertEqual(padding["waste_bytes_at_peak"], 24 * 4096 * 2)
        percent = 100 * 24 / (3 * 1536 + 1512)
        self.assertAlmostEqual(padding["waste_percent_at_peak"], percent, delta=0.01)
        self.assertIn("Padding Overhead: 0.4%", self.report(log).splitlines()[2])

    def test_d13_computed_figures_are_told_from_measured_ones(self):
        """What the tensors add up to never stands for the allocation: the difference is shown, in DRAM and in L1."""
        log = Log()
        unnamed = Tensor((128, 512), memory="L1", grid=(8, 8))
        with log.program():
            log.op("full", {"%0": mib(2)})
            log.place(mib(1))
            log.place(unnamed)
            log.op("neg", {"%1": mib(1)}, ["%0"])
            log.deallocate("%1")
        document = self.document(log)
        for memory, extra in (("DRAM", MIB), ("L1", unnamed.bytes_per_bank)):
            self.assertEqual(document["memory"][memory]["peak"]["confidence"], "measured")
            self.assert_near(document["live_at_peak"][memory]["unaccounted_bytes_per_bank"], extra, memory)
        self.assertEqual(document["live_at_peak"]["DRAM"]["accounted_bytes_per_bank"], 3 * MIB)
        self.assertIn("unaccounted", self.report(log).split("## Live at Peak")[1])

    def test_d14_a_dimension_of_zero_is_no_obstacle(self):
        """A tensor without elements takes no logical bytes and stops nothing."""
        log = Log()
        with log.program():
            log.op("full", {"%0": Tensor((32, 32))})
            log.op("neg", {"%1": mib(1)}, ["%0"])
        text = log.text().replace("tensor<32x32xbf16", "tensor<0x32xbf16")
        self.assertEqual(self.document(text)["ops"], 2)
        operations, = self.files(text, "operations")
        self.assertEqual((operations[0]["output_layout_info"]["unpadded_bytes"], operations[0]["output_shapes"]), (0, ["0x32"]))
        self.assertIn("# Memory Profile", self.report(text))


class Weights(DefectCase):
    def setUp(self):
        super().setUp()
        shape = "tensor<1536x4096xbf16>"
        self.arguments = {f"%arg{i}": mib(1) for i in range(4)}
        self.log = Log()
        self.log.write(*module("shlo_frontend", function("main", [
            ("input", "args_0", shape), ("parameter", "w.a", shape), ("parameter", "w.b", shape), ("constant", "unused", shape)])))
        # Lowering leaves out arguments that nothing uses: this dump names only two of the four.
        self.log.write(*module("ttnn", [f"  func.func @main(%arg0: {mib(1)}, %arg2: {mib(1)}) -> {mib(1)} {{", "  }"]))
        for tensor in self.arguments.values():
            self.log.place(tensor)

    def run_model(self, says_so=(True,)):
        """A run for each entry: whether a miss line announces its const-eval program."""
        log = self.log
        for said in says_so:
            with log.program(arguments=self.arguments):
                with log.cache_miss("%0", mib(1), "main_const_eval_0", ["%arg2", "%arg1"], says_so=said):
                    log.op("full", {"%0": Tensor((32, 32))})
                    log.op("neg", {"%1": mib(1)}, ["%arg0"])
                    log.op("exp", {"%2": mib(1)}, ["%arg1"])
                    log.op("multiply", {"%3": mib(1)}, ["%1", "%2"])
                    for name in ("%0", "%1", "%2"):
                        log.deallocate(name)
                log.op("relu", {"%1": mib(1)}, ["%arg0"])
                log.op("add", {"%2": mib(1)}, ["%1", "%0"])
                log.deallocate("%1")
                log.deallocate("%2")
        return log

    def test_d15_weights_by_data_flow(self):
        """Weights are those that the operands name, not any argument of the same shape."""
        operations, registry = self.files(self.run_model(), "operations", "inputs_registry")
        self.assertEqual([e["ssa"] for e in registry["entries"]], list(self.arguments))
        names = {op["mlir_op"].split(".")[1]: [w["name"] for w in op["weights"]] for op in operations}
        self.assertEqual(names["load_cached"], ["w.b", "w.a"])
        self.assertEqual((names["relu"], names["add"]), ([], []))
        self.assertEqual([op["is_weight_op"] for op in operations], [True] * 5 + [False] * 2)
        document = self.document(self.log)
        self.assertEqual((document["weight_ops"], document["activation_ops"]), (5, 2))
        self.assertIn("(5 weight, 2 activation)", self.report(self.log))
        consumed = {e["name"]: e["const_eval_graphs"] for e in document["weights"]["entries"]}
        self.assertEqual(consumed, {"w.a": ["main_const_eval_0"], "w.b": ["main_const_eval_0"], "unused": []})

    def test_d16_weights_pass_from_op_to_op(self):
        """Inside const-eval an op has the weights that its operands were made from, no others."""
        operations, = self.files(self.run_model(), "operations")
        inside = {op["mlir_op"].split(".")[1]: [w["name"] for w in op["weights"]] for op in operations if op["const_eval_graph"]}
        self.assertEqual(inside, {"full": [], "neg": ["w.b"], "exp": ["w.a"], "multiply": ["w.b", "w.a"]})

    def test_d16_cache_miss_is_of_one_call(self):
        """A const-eval run counts as a cache miss when its own call says so, not because an earlier one did."""
        operations, = self.files(self.run_model(says_so=(True, False)), "operations")
        missed = [op["const_eval_cache_miss"] for op in operations if op["mlir_op"] == "ttnn.multiply"]
        self.assertEqual(missed, [True, False])

    def test_d17_both_files_call_the_same_ops_weight_ops(self):
        """is_weight_op is the same in both files and sums up to the document's count."""
        memory, operations = self.files(self.run_model(), "memory", "operations")
        self.assertEqual([r["is_weight_op"] for r in memory], [op["is_weight_op"] for op in operations])
        self.assertEqual(sum(r["is_weight_op"] for r in memory), self.document(self.log)["weight_ops"])

    def test_d18_a_broken_off_const_eval_ends_with_its_run(self):
        """After an exception inside const-eval the next run's ops are those of main again."""
        log = self.log
        with log.program(arguments=self.arguments, finishes=False):
            log.load_cached("%0", mib(1), "main_const_eval_0", ["%arg1"])
            with log.program("main_const_eval_0", {"%arg0": mib(1)}, finishes=False):
                log.op("neg", {"%0": mib(1)}, ["%arg0"])
        log.write("RuntimeError: the device went away")
        with log.program(arguments=self.arguments):
            log.op("exp", {"%0": mib(1)}, ["%arg0"])
            log.op("relu", {"%1": mib(1)}, ["%0"])
        operations, = self.files(log, "operations")
        self.assertEqual([op["const_eval_graph"] for op in operations], [None, "main_const_eval_0", None, None])
        self.assertEqual([op["is_weight_op"] for op in operations[2:]], [False, False])
        programs = self.document(log)["programs"]
        self.assertEqual([p["end_line"] is None for p in programs], [True, True, False])
        self.assertEqual([p["parent"] for p in programs], [None, 0, None])


if __name__ == "__main__":
    unittest.main(verbosity=1)
