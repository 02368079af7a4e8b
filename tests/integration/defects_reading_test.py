#!/usr/bin/env python3
"""The known defects of the Python memory profiler, continued: reading, reports and command lines (see defects_test.py)."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from defect_case import FAILED, NOTHING, OK, USAGE, DefectCase  # noqa: E402
from defect_logs import DEVICE, MIB, Log, Tensor, function, mib, module, runtime_line, tagged, view_line  # noqa: E402

FOREIGN = "2026-01-22 14:40:01.000 | info     |          Always | program cache miss (x.cpp:1)"


class Reading(DefectCase):
    def three_ops(self, block=None):
        """Ops of 1, 2 and 4 MiB; the second one's block is printed by `block(log)`."""
        log = Log()
        with log.program():
            log.op("full", {"%0": mib(1)})
            log.op("neg", {"%1": mib(2)}, ["%0"], block=(lambda: block(log)) if block else True)
            log.op("exp", {"%2": mib(4)}, ["%0"])
            log.deallocate("%0")
        return log

    def test_d19_disturbed_blocks_are_read(self):
        """Foreign lines before or inside a block, another order and the old spelling change no figure."""
        header = runtime_line("Device memory state before operation EltwiseUnaryOp", "Always", "INFO")
        views = [view_line("DRAM", MIB), view_line("L1", 0), view_line("L1_SMALL", 0), view_line("TRACE", 0)]
        old_spelling = [*views[:2], view_line("L1_SMALL", 0, "L1 SMALL"), views[3]]
        expected = self.document(self.three_ops())
        for case in ([FOREIGN, header, *views], [header, views[0], FOREIGN, *views[1:]], [header, *reversed(views)],
                     [header, FOREIGN, views[1], FOREIGN, views[0], *views[2:]], [header, *old_spelling]):
            log = self.three_ops(lambda log, case=case: log.write(*case))
            document = self.document(log)
            self.assertEqual(document["ops"], 3)
            self.assertEqual(list(self.growth(document).values()), list(self.growth(expected).values()))
            self.assertEqual(document["memory"]["DRAM"]["peak"]["bytes_per_bank"], 7 * MIB)
            records, = self.files(log, "memory")
            self.assertEqual(sorted(records[1]["memory"]), ["DRAM", "L1", "L1_SMALL", "TRACE"])
            self.assertEqual(records[1]["memory"]["DRAM"]["totalBytesAllocatedPerBank_MB"], 1.0)

    def test_d19_missing_blocks_and_views_are_said(self):
        """An op without a block, or with a block that lacks views, keeps its own growth; the trust section tells."""
        header = runtime_line("Device memory state before operation EltwiseUnaryOp", "Always", "INFO")
        views = [view_line("DRAM", MIB), view_line("L1", 0), view_line("L1_SMALL", 0), view_line("TRACE", 0)]
        for case in ([], [header, views[0]], [header, *views[1:]], [header]):
            log = self.three_ops(lambda log, case=case: log.write(*case))
            document = self.document(log)
            self.assertEqual((document["ops"], document["memory"]["DRAM"]["peak"]["bytes_per_bank"]), (3, 7 * MIB))
            self.assertEqual(sorted(self.growth(document).values()), [MIB, 2 * MIB, 4 * MIB], case)
            self.assertEqual(sum(p["count"] for p in document["trust"]["repaired"].values()), 1, case)
            self.assertEqual(len(self.files(log, "memory")[0]), 3)

    def test_d19_logs_with_dram_lines_only(self):
        """A log without L1 lines gives every output."""
        log = self.three_ops()
        log.lines = [line for line in log.lines if not any(f"Device {m} memory" in line for m in ("L1", "L1_SMALL", "TRACE"))]
        self.assertEqual(self.document(log)["memory"]["DRAM"]["peak"]["bytes_per_bank"], 7 * MIB)
        self.assertEqual(len(self.files(log, "memory", "operations")[1]), 3)
        self.assertIn("Peak DRAM: 7.0", self.report(log))
        self.check(OK, "mem", self.file(log))

    def test_d20_attributes_and_locations_are_whole(self):
        """Attribute dictionaries cost no types, attributes are not cut, and every form of location has its name."""
        forms = {'"plain"': "plain", '"outer"("inner"("x"))': "outer", '"/home/m.py":25:10': "/home/m.py:25:10",
                 'fused["first", "second"]': "first", 'fused<{a = "tag"}>["named"]': "named",
                 'callsite("callee" at "caller")': "callee", "unknown": None}
        attributes = ' <{config = {a = {b = 1 : i32}, c = "x}>"}, transpose = false}> {ttcore.weight_dtype = "bfp_bf8"}'
        log = Log()
        with log.program():
            log.op("full", {"%0": mib(1)})
            for i, loc in enumerate(forms):
                log.op("matmul", {f"%{i + 1}": mib(1)}, ["%0", "%0"], attributes=attributes, loc=loc)
        operations, = self.files(log, "operations")
        for op, (form, name) in zip(operations[1:], forms.items()):
            self.assertEqual(op["loc"], name, form)
            self.assertEqual((op["input_shapes"], op["output_shapes"]), (["1536x4096"] * 2, ["1536x4096"]), form)
            self.assertEqual(op["attributes"], 'config = {a = {b = 1 : i32}, c = "x}>"}, transpose = false', form)
            self.assertEqual(op["discardable_attributes"], 'ttcore.weight_dtype = "bfp_bf8"', form)

    def test_d21_operands_and_shapes_stand_side_by_side(self):
        """load_cached operands have no brackets; the nth shape is the nth operand's, also for scalars and devices."""
        scalar = Tensor((), "f32")
        log = Log()
        with log.program(arguments={"%arg0": scalar, "%arg1": mib(1, "host")}):
            log.op("get_device", {"%0": DEVICE})
            log.cache_hit("%1", mib(1), "main_const_eval_0", ["%arg1", "%arg0"])
            log.op("to_device", {"%2": mib(2)}, ["%arg0", "%0", "%arg1"])
        operations, = self.files(log, "operations")
        self.assertEqual(operations[0]["inputs"], ["@main_const_eval_0", "%arg1", "%arg0"])
        self.assertEqual(operations[0]["input_dtypes"], ["bf16", "f32"])
        self.assertEqual(operations[1]["inputs"], ["%arg0", "%0", "%arg1"])
        self.assertEqual(operations[1]["input_dtypes"], ["f32", None, "bf16"])
        self.assertEqual(operations[1]["input_shapes"], ["", None, "1536x4096"])

    def two_graphs(self):
        """Two compilations, both called main, each with one run; both use the location `shared`."""
        log = Log()
        for number, op in enumerate(("neg", "exp"), 1):
            body = [f'    %0 = "ttnn.{op}"(%arg0) : (tensor<1536x4096xbf16>) -> tensor<1536x4096xbf16> loc(#loc1)']
            arguments = [("input", f"args_{number}", "tensor<1536x4096xbf16>"), ("parameter", f"w{number}", "tensor<64x32xbf16>")]
            for stage in ("shlo_frontend", "ttnn"):
                visibility = "public " if stage == "shlo_frontend" else ""
                log.write(*module(stage, ["  // padding"] * (3 * number), function("main", arguments, body, visibility),
                                  aliases=['#loc1 = loc("shared")']))
            with log.program(arguments={"%arg0": mib(1), "%arg1": Tensor((64, 32))}):
                log.op(op, {"%0": mib(number)}, ["%arg0"], loc='"shared"')
                log.op("multiply", {"%1": mib(1)}, ["%0", "%arg1"])
        return log

    def test_d22_every_graph_has_its_modules(self):
        """Arguments and IR of later graphs are there, `public @main` is read, and ops lead to their own graph."""
        log = self.two_graphs()
        registry, ir = self.files(log, "inputs_registry", "ir")
        self.assertEqual([e["name"] for e in registry["entries"]], ["args_1", "w1", "args_2", "w2"])
        self.assertIn('"ttnn.neg"', ir["ttnn"]["text"])
        self.assertIn('"ttnn.exp"', ir["graphs"][0]["ttnn"]["text"])
        self.assertEqual((ir["ttnn"]["loc_index"]["shared"], ir["graphs"][0]["ttnn"]["loc_index"]["shared"]), (6, 9))
        document = self.document(log)
        groups = {g["id"]: g["module_group"] for g in document["graphs"]}
        self.assertEqual([groups[p["graph"]] for p in document["programs"]], [0, 1])
        self.assertEqual(ir["graphs"][0]["group"], 1)
        self.assertEqual(document["weights"]["count"], 2)

    def test_d23_a_location_leads_to_the_op_of_main(self):
        """A location that const-eval and main share leads to main's op, and all its ops are listed."""
        neg = '    %{0} = "ttnn.neg"(%arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16> loc(#loc1)'
        argument = [("parameter", "w", "tensor<32x32xbf16>")]
        log = Log()
        log.write(*module("ttnn", function("main_const_eval_0", argument, [neg.format(0)]),
                          function("main", argument, ["    // first", neg.format(0), neg.format(1)]),
                          aliases=['#loc1 = loc("shared")']))
        with log.program(arguments={"%arg0": Tensor((32, 32))}):
            log.op("neg", {"%0": Tensor((32, 32))}, ["%arg0"], loc='"shared"')
        ir, = self.files(log, "ir")
        self.assertEqual(ir["ttnn"]["text"].splitlines()[6].strip(), neg.format(0).strip())
        self.assertEqual(ir["ttnn"]["loc_index"]["shared"], 7)
        self.assertEqual(ir["ttnn"]["loc_lines"]["shared"], [3, 7, 8])
        self.assertEqual([(f["name"], f["first_line"]) for f in ir["ttnn"]["functions"]], [("main_const_eval_0", 2), ("main", 5)])


class Runs(DefectCase):
    def runs(self, count, marker=True):
        """The same program `count` times; run k starts with k MiB of outputs that the user kept."""
        log = Log()
        log.write(*module("ttnn", function("main", [("input", "args_0", "tensor<32x32xbf16>")])))
        for run in range(count):
            log.write(f"forward pass {run}")
            with log.program(arguments={"%arg0": Tensor((32, 32))}):
                log.op("full", {"%0": mib(3)})
                log.op("neg", {"%1": mib(1)}, ["%0"])
                log.deallocate("%0")
            if marker:
                log.write("Got output shape: torch.Size([1, 8])")
        return log

    def test_d24_runs_are_told_apart(self):
        """Every run of a program is a record of its own, and tables list an op once, not once for each run."""
        log = self.runs(3)
        document = self.document(log)
        self.assertEqual([(p["name"], p["run"], p["ops"], p["executed_ops"]) for p in document["programs"]],
                         [("main", run, 2, 3) for run in range(3)])
        self.assertEqual([p["dram_peak_bytes_per_bank"] // MIB for p in document["programs"]], [4, 5, 6])
        self.assertEqual([(g["name"], g["instances"]) for g in document["graphs"]], [("main", 3)])
        operations, = self.files(log, "operations")
        self.assertEqual([(op["program_instance"], op["run"]) for op in operations], [(r, r) for r in range(3) for _ in range(2)])

    def test_d24_arguments_live_from_the_run_that_brought_them(self):
        """A weight that stays for all runs was there at a peak of the first, says its lifetime."""
        log = Log()
        log.place(mib(2))
        for run in range(2):
            with log.program(arguments={"%arg0": mib(2)}):
                log.op("full", {"%0": mib(3 - run)})
                log.op("multiply", {"%1": mib(1)}, ["%0", "%arg0"])
                log.deallocate("%0")
                log.deallocate("%1")
        document = self.document(log)
        self.assert_live(document, [("main", "%arg0", 2 * MIB), ("main", "%0", 3 * MIB), ("main", "%1", MIB)])
        seen = document["memory"]["DRAM"]["peak"]["seen_at_line"]
        for tensor in document["live_at_peak"]["DRAM"]["tensors"]:
            self.assertLess(tensor["born_line"], seen, tensor["name"])
            self.assertTrue(tensor["freed_line"] is None or tensor["freed_line"] >= seen - 2, tensor["name"])

    def test_d24_tables_list_an_op_once(self):
        """Repeated executions of one op share a row of the report."""
        log = self.runs(3)
        log.lines = [line.replace(line[line.rindex("loc("):], 'loc("here")') if "Executing operation: %" in line else line
                     for line in log.lines]
        rows = self.table(self.report(log), "Growth")
        self.assertEqual([(row[3], row[5], row[6]) for row in rows], [("ttnn.full", "3.000", "3"), ("ttnn.neg", "1.000", "3")])

    def test_d25_last_run_is_the_last_one_alone(self):
        """last-run keeps the last run and the modules, leaves the log alone, and one run is kept whole."""
        for marker in (True, False):
            log = self.runs(3, marker)
            path = self.file(log)
            self.check(OK, "last-run", path, "-o", "last.log")
            self.assertEqual(path.read_text(), log.text())
            kept = (self.folder / "last.log").read_text()
            self.assertEqual(kept.count("Starting execution of program"), 1)
            self.assertIn("MLIR Module ttnn:", kept)
            self.assertIn("totalBytesAllocatedPerBank: 6.000 MB", kept)
            self.assertNotIn("totalBytesAllocatedPerBank: 4.000 MB", kept)
            self.assertIn("args_0", self.check(OK, "mem", "last.log", "--json", "-").stdout)
        one = self.file(self.runs(1), "one.log")
        self.check(OK, "last-run", one, "-o", "last.log")
        self.assertEqual((self.folder / "last.log").read_text(), one.read_text())

    def test_d25_last_run_copies_any_bytes(self):
        """Bytes that are no UTF-8 are copied as they are; the log changes only when asked, and then as a whole."""
        text = self.runs(2).text().encode().replace(b"forward pass 1", b"\xff\xfe pass 1")
        path = self.folder / "odd.log"
        path.write_bytes(text)
        self.check(OK, "last-run", path, "-o", "last.log")
        self.assertIn(b"\xff\xfe pass 1", (self.folder / "last.log").read_bytes())
        self.check(USAGE, "last-run", path)
        self.assertEqual(path.read_bytes(), text)
        self.check(OK, "last-run", path, "--in-place")
        self.assertEqual(path.read_bytes(), (self.folder / "last.log").read_bytes())

    def test_d26_ranks_are_told_apart(self):
        """Interleaved ranks each have their own ops, names and peak."""
        logs = [Log(), Log()]
        for rank, log in enumerate(logs):
            log.place(mib(rank + 1))
            with log.program():
                log.op("full", {"%0": mib(3)})
                log.op("neg", {"%1": mib(1)}, ["%0"])
                log.deallocate("%0")
        lines = [line for pair in zip(tagged(0, logs[0].lines), tagged(1, logs[1].lines)) for line in pair]
        document = self.document(lines)
        self.assertEqual((document["ops"], document["executed_ops"]), (4, 6))
        found = [(r["rank"], r["ops"], r["memory"]["DRAM"]["peak"]["bytes_per_bank"] // MIB) for r in document["ranks"]]
        self.assertEqual(found, [(0, 2, 5), (1, 2, 6)])
        self.assertEqual(document["memory"]["DRAM"]["peak"]["bytes_per_bank"], 6 * MIB)
        self.assertEqual(sorted((g["rank"], g["bytes_per_bank"]) for g in document["growth"]),
                         [(0, MIB), (0, 3 * MIB), (1, MIB), (1, 3 * MIB)])

    def test_d26_memory_lines_alone_are_a_log(self):
        """Memory blocks without op lines give the measured curve, exit code 0, and the missing lines are named."""
        log = self.runs(2)
        lines = [line for line in log.lines if "memory state" in line]
        document = self.document(lines)
        peak = document["memory"]["DRAM"]["peak"]
        self.assertEqual((peak["bytes_per_bank"], peak["confidence"]), (5 * MIB, "measured"))
        self.assertEqual((document["ops"], document["executed_ops"]), (4, 6))
        self.assertTrue(any("TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG" in text for text in document["trust"]["missing"]))
        self.assertIn("Peak DRAM: 5.0", self.report(lines))


class Reports(DefectCase):
    def weights_log(self, *more):
        arguments = [("input", "args_0", "tensor<32x32xbf16>"), ("parameter", "proj.weight", "tensor<2304x768xbf16>"), *more]
        log = Log()
        log.write(*module("shlo_frontend", function("main", arguments)))
        with log.program(arguments={"%arg0": Tensor((32, 32))}):
            log.op("full", {"%0": mib(3)})
            log.op("neg", {"%1": mib(1)}, ["%0"])
            log.deallocate("%0")
            log.op("exp", {"%2": mib(2)}, ["%1"])
            log.op("add", {"%3": Tensor((32, 32))}, ["%1", "%1"])
        return log

    def test_d27_weight_shapes_are_readable(self):
        """The report prints `2304x768`."""
        rows = {row[0]: row[1:] for row in self.table(self.report(self.weights_log()), "Model Weights")}
        self.assertEqual(rows["proj.weight"], ["2304x768", "bf16", "3.38 MB"])

    def test_d28_weights_of_rank_0_are_reported(self):
        """A scalar among the weights does not stop the report."""
        log = self.weights_log(("constant", "scale", "tensor<f32>"))
        rows = {row[0]: row[1:] for row in self.table(self.report(log), "Model Weights")}
        self.assertEqual(rows["scale"][1:], ["f32", "4 B"])
        self.assertNotIn("1", rows["scale"][0])

    def test_d29_the_report_stands_alone(self):
        """Standard output holds the markdown and nothing else, for both names."""
        path = self.file(self.weights_log())
        for program, args in (("ttscope", ["mem", path, "--llm", "-"]), ("ttmem", ["--llm", "--logfile", path])):
            done = self.check(OK, *args, program=program)
            self.assertTrue(done.stdout.startswith("# Memory Profile: `run`\n"), done.stdout[:80])
            self.assertTrue(done.stdout.endswith("\n") and not done.stdout.endswith("\n\n"))
            for word in ("Parsing", "written to", "Peak memory "):
                self.assertNotIn(word, done.stdout)
            self.assertEqual(done.stderr, "")

    def test_d30_consumers_are_the_ops_that_grew(self):
        """The report's consumers are the growth list of the document, in its order, with its figures."""
        log = self.weights_log()
        expected = [(g["op"], f"{g['bytes_per_bank'] / MIB:.2f}") for g in self.document(log)["growth"] if g["memory"] == "DRAM"]
        rows = [(row[2], row[4]) for row in self.table(self.report(log), "Top 10 Memory Consumers")]
        self.assertEqual(rows, expected)
        self.assertEqual([op for op, _ in rows], ["ttnn.full", "ttnn.exp", "ttnn.neg", "ttnn.add"])


class CommandLines(DefectCase):
    def analyze(self, code, path, *more):
        return self.check(code, "--analyze", path, *more, program="tt-memory-profiler")

    def one_op(self, name, op="neg"):
        log = Log()
        with log.program():
            log.op(op, {"%0": mib(1)})
        return self.file(log, name)

    def test_d36_the_output_folder_is_used(self):
        """--analyze writes where --output-dir says, and nowhere else."""
        self.analyze(OK, self.one_op("vit_profile.log"), "--output-dir", "mine")
        self.assertTrue((self.folder / "mine/vit/vit_memory.json").exists())
        self.assertEqual(list(self.home.iterdir()), [])

    def test_d44_reports_do_not_overwrite_each_other(self):
        """Logs whose names differ only in `_` and `-` keep a report each; the same log replaces its own."""
        for _ in range(2):
            self.analyze(OK, self.one_op("a_b.log", "neg"))
            self.analyze(OK, self.one_op("a-b.log", "exp"))
        reports = self.home / ".ttmem/reports"
        self.assertEqual(sorted(p.name for p in reports.iterdir()), ["a-b", "a-b-2"])
        self.assertIn("ttnn.neg", (reports / "a-b/a-b_operations.json").read_text())
        self.assertIn("ttnn.exp", (reports / "a-b-2/a-b-2_operations.json").read_text())

    def test_d44_invalid_logs_leave_nothing(self):
        """A log without op and memory lines makes no folder."""
        self.analyze(NOTHING, self.file(["hello"], "other.log"))
        self.check(NOTHING, "--llm", "--logfile", self.file(["hello"], "other.log"), program="ttmem")
        self.assertEqual(list(self.home.iterdir()), [])

    def test_d44_every_log_has_a_name(self):
        """`_profile.log` gets a folder of its own, not the root of the library."""
        self.analyze(OK, self.one_op("_profile.log"))
        reports = self.home / ".ttmem/reports"
        self.assertEqual([p.is_dir() for p in reports.iterdir()], [True])

    def test_d45_outputs_that_cannot_be_written_fail(self):
        """An output that could not be written gives exit code 1, for each of the forms."""
        path, blocked = self.one_op("run.log"), self.file(["a file, not a folder"], "blocked")
        for args in (["--out", blocked / "x"], ["--json", blocked / "x"], ["--llm", blocked / "x"], ["--json", "/dev/full"]):
            self.assertNotEqual(self.check(FAILED, "mem", "-q", path, *args).stderr, "", args)
        self.analyze(FAILED, path, "--output-dir", blocked)
        self.assertEqual(blocked.read_text(), "a file, not a folder\n")


if __name__ == "__main__":
    unittest.main(verbosity=1)
