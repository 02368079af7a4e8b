#!/usr/bin/env python3
"""`ttscope diff`: two runs of any kind, a real pair with checked sums among them."""
import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import OK, SOURCE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
DIFFERENT = 3


class Diff(ProgramCase):
    def compare(self, code, before, after):
        import jsonschema
        document = json.loads(self.check(code, "diff", before, after, "--json", "-").stdout)
        jsonschema.validate(document, json.loads((SOURCE / "docs/formats/diff.schema.json").read_text()))
        totals = {total["name"]: total for total in document["totals"]}
        cost = totals[document["cost"]]["change"]
        self.assertAlmostEqual(sum(op["change"] for op in document["ops"]), cost, places=3)
        self.assertAlmostEqual(sum(one["change"] for one in document["changes"]) + document["noise"]["left_over"], cost, places=3)
        for sums in ("categories", "movement", "classes", "placements", "layers"):
            self.assertAlmostEqual(sum(one["change"] for one in document[sums]), cost, places=3)
        return document, totals

    def made_log(self, name, *options):
        """A log of the generator."""
        path = self.folder / name
        self.check(OK, "-o", path, "--compact", *options, program="ttscope-gen-log")
        return path

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_a_real_pair_is_explained_as_it_was_by_hand(self):
        folder = pathlib.Path(SHARED) / "data/perf-pairs/gemma-4-31b-sliding-prefill-fusing"
        for ending in (".csv", ".perf_report.csv"):
            document, totals = self.compare(DIFFERENT, folder / f"before{ending}", folder / f"after{ending}")
            self.assertAlmostEqual(totals["device"]["before"], 3521.305, places=2)
            self.assertAlmostEqual(totals["device"]["after"], 3426.812, places=2)
            self.assertAlmostEqual(totals["gaps"]["change"], 7.262, places=2)
            largest = document["changes"][0]
            self.assertAlmostEqual(largest["change"], -47.484, places=2)
            self.assertEqual(len(largest["ops"]), 7)
            gone = [op for op in document["ops"] if op["kind"] == "removed"]
            self.assertTrue(any("Unary" in op["op"] and abs(op["change"] + 30.715) < 0.01 for op in gone), gone)
            fidelity = [op for op in document["ops"] if any(cause["name"] == "fidelity" for cause in op["causes"])]
            self.assertEqual(len(fidelity), 1, ending)
            self.assertAlmostEqual(fidelity[0]["change"], -6.203, places=2)

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_a_run_and_itself_are_the_same(self):
        for path in sorted((pathlib.Path(SHARED) / "data/perf/ops-reports").glob("*.csv"))[:6]:
            document, _ = self.compare(OK, path, path)
            self.assertFalse(document["different"])
            self.assertTrue(all(op["kind"] == "same" for op in document["ops"]))

    def test_a_log_and_itself_are_the_same(self):
        log = self.made_log("a.log")
        document, totals = self.compare(OK, log, log)
        self.assertEqual(document["cost"], "peak_dram")
        self.assertEqual(totals["fits"]["before"], 1)
        self.assertEqual(document["changes"], [])

    def test_a_removed_layer_of_a_log_is_named(self):
        document, totals = self.compare(DIFFERENT, self.made_log("a.log", "--layers", "3"), self.made_log("b.log", "--layers", "2"))
        self.assertLess(totals["peak_dram"]["change"], 0)
        largest = document["changes"][0]
        self.assertEqual(largest["kind"], "removed")
        self.assertIn("model.layers.2", document["ops"][largest["ops"][0]]["label"])

    def test_a_doubled_batch_of_a_log_is_a_shape(self):
        document, totals = self.compare(DIFFERENT, self.made_log("a.log"), self.made_log("b.log", "--batch", "2"))
        self.assertGreater(totals["peak_dram"]["change"], 0)
        for change in document["changes"]:
            if change["change"] > 0:
                self.assertIn("shape", change["cause"])

    def test_tensors_kept_alive_in_a_log_are_lifetimes(self):
        document, totals = self.compare(DIFFERENT, self.made_log("a.log", "--runs", "1"), self.made_log("b.log", "--runs", "1", "--keep-live"))
        self.assertGreater(totals["peak_dram"]["change"], 0)
        kept = sum(change["change"] for change in document["changes"] if "lifetime" in change["cause"])
        self.assertGreater(kept, 0.8 * totals["peak_dram"]["change"])

    def test_another_dtype_of_a_log_is_named(self):
        log = self.made_log("a.log", "--runs", "1", "--no-memory", "--no-modules")
        text = log.read_text()
        op = "ttnn.embedding"
        self.assertIn(op, text)
        lines = [line.replace("bf16", "f32") if op in line and "deallocate" not in line else line for line in text.splitlines(True)]
        other = self.folder / "b.log"
        other.write_text("".join(lines))
        document, _ = self.compare(DIFFERENT, log, other)
        changed = [change for change in document["changes"] if "dtype" in change["cause"]]
        self.assertTrue(changed, document["changes"])
        self.assertIn(op, [document["ops"][change["ops"][0]]["op"] for change in changed])

    def test_a_run_that_failed_is_said_before_the_figures(self):
        document, _ = self.compare(DIFFERENT, self.made_log("a.log"), self.made_log("b.log", "--oom"))
        self.assertIn("how it ended", [caution["name"] for caution in document["cautions"]])

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_gradients_that_an_old_tracker_lost_are_the_difference(self):
        folder = pathlib.Path(SHARED) / "data/phase-logs"
        document, totals = self.compare(DIFFERENT, folder / "gradacc_before_fix__747266f8e66.log", folder / "gradacc_after_fix__747266f8e66.log")
        self.assertEqual(document["ops"][document["changes"][0]["ops"][0]]["op"], "gradients")
        self.assertAlmostEqual(document["changes"][0]["change"], totals["peak_dram"]["change"], delta=4 * 10486)

    @unittest.skipUnless(SHARED, "the reference data are not there")
    def test_captures_of_the_same_op_in_two_memories(self):
        folder = pathlib.Path(SHARED) / "data/graph-traces/blackhole_p150b"
        document, _ = self.compare(DIFFERENT, folder / "matmul_normal_mode.json", folder / "matmul_l1_out.json")
        self.assertIn(document["cost"], ("peak_dram", "peak_l1"))
        self.assertEqual([(one["kind"], one["name"]) for one in document["cautions"]], [("setting", "mode of the capture")])
        self.compare(OK, folder / "matmul_l1_out.json", folder / "matmul_l1_out.json")

    def ops_report(self, name, matmul_ns, location='loc("dot.7")'):
        """Two ops of one device, as a finished report has them."""
        header = "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,MATH FIDELITY,DEVICE FW START CYCLE,DEVICE FW END CYCLE,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],OP TO OP LATENCY [ns],LOC"
        rows = [f"MatmulDeviceOperation,tt_dnn_device,1024,0,64,HiFi2,1000,{1000 + matmul_ns},{matmul_ns},{matmul_ns},0,{location}",
                f"UnaryDeviceOperation,tt_dnn_device,2048,0,64,HiFi2,{2000 + matmul_ns},{7000 + matmul_ns},5000,5000,1000,"]
        path = self.folder / name
        path.write_text("\n".join([header, *rows]) + "\n")
        return path

    def test_files_of_one_run_are_compared_together(self):
        before, after = self.made_log("a.log", "--runs", "1"), self.made_log("b.log", "--runs", "1", "--layers", "3")
        first, second = self.ops_report("a.csv", 50000), self.ops_report("b.csv", 80000)
        document, totals = self.compare(DIFFERENT, f"{before}+{first}", f"{after}+{second}")
        self.assertEqual(document["cost"], "device")
        self.assertAlmostEqual(totals["device"]["change"], 30, places=3)
        self.assertEqual(len(document["also"]), 1)
        self.assertEqual(document["also"][0]["cost"], "peak_dram")

    def report_of_log(self, name, log, matmul_ns):
        """What a profiler reports of the ops of a log: other names, no locations."""
        names = {"matmul": "MatmulDeviceOperation", "embedding": "EmbeddingsDeviceOperation", "softmax": "SoftmaxDeviceOperation",
                 "reshape": "ReshapeViewDeviceOperation", "to_memory_config": "ReshardDeviceOperation", "multiply": "BinaryNgDeviceOperation",
                 "concatenate_heads": "NLPConcatHeadsDeviceOperation", "fill_cache": "PagedFillCacheDeviceOperation"}
        lines = ["OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]"]
        for op in re.findall(r'Executing operation:.*?"ttnn\.([a-z_0-9]+)"', log.read_text()):
            if op in names:
                ns = matmul_ns if op == "matmul" else 5000
                lines.append(f"{names[op]},tt_dnn_device,{1024 * len(lines)},0,64,{ns},{ns}")
        path = self.folder / name
        path.write_text("\n".join(lines) + "\n")
        return path

    def test_memory_stands_beside_time_without_locations(self):
        before, after = self.made_log("a.log", "--runs", "1"), self.made_log("b.log", "--runs", "1", "--keep-live")
        first, second = self.report_of_log("a.csv", before, 50000), self.report_of_log("b.csv", after, 80000)
        document, _ = self.compare(DIFFERENT, f"{before}+{first}", f"{after}+{second}")
        matmuls = [op for op in document["ops"] if op["op"] == "MatmulDeviceOperation"]
        self.assertTrue(matmuls)
        for op in matmuls:
            self.assertEqual(document["also"][0]["ops"][op["beside"]["op"]]["op"], "ttnn.matmul")
        self.assertTrue(any("no location stands in both" in warning for warning in document["warnings"]))
        said = " ".join(self.check(DIFFERENT, "diff", f"{before}+{first}", f"{after}+{second}").stdout.split())
        self.assertRegex(said, r"2 x MatmulDeviceOperation: another time[^;]*; peak_dram \+48.0 KB")
        self.assertRegex(said, r"ttnn.matmul [^;]*; device \+30.00 μs")

    def test_a_name_that_exists_is_not_taken_apart(self):
        odd = self.folder / "a,b+c.csv"
        odd.write_bytes(self.ops_report("a.csv", 50000).read_bytes())
        self.compare(OK, odd, odd)

    def test_repeats_count_by_their_mean(self):
        names = [self.ops_report(f"{ns}.csv", ns) for ns in (50000, 50100, 49900, 80000, 80100, 79900)]
        document, totals = self.compare(DIFFERENT, ",".join(map(str, names[:3])), ",".join(map(str, names[3:])))
        self.assertEqual(document["noise"]["from"], "repeats")
        self.assertAlmostEqual(totals["device"]["before"], 55, places=3)
        self.assertAlmostEqual(totals["wall"]["change"], 30, places=3)

    def test_the_terminal_has_the_width_that_the_shell_says(self):
        log = self.made_log("a.log")
        other = self.made_log("b.log", "--layers", "3")
        narrow = self.check(DIFFERENT, "diff", log, other, env={"COLUMNS": "80"}).stdout
        wide = self.check(DIFFERENT, "diff", log, other, env={"COLUMNS": "130"}).stdout
        self.assertLess(len(wide.splitlines()), len(narrow.splitlines()))

    def test_what_cannot_be_compared_is_said(self):
        log = SOURCE / "examples/sample.log"
        self.assertIn("only runs of the same kind", self.check(1, "diff", log, self.ops_report("a.csv", 1)).stderr)
        self.assertIn("no partner of that kind", self.check(1, "diff", f"{log},{self.ops_report('a.csv', 1)}", log).stderr)
        self.assertIn("No such file", self.check(1, "diff", "gone.csv", "gone.csv").stderr)
        self.check(2, "diff", "one.csv")


class SeveralLogs(ProgramCase):
    def test_logs_given_together_are_said_to_be_ranks(self):
        a, twin = self.folder / "a.log", self.folder / "twin.log"
        self.check(OK, "-o", a, "--compact", program="ttscope-gen-log")
        twin.write_bytes(a.read_bytes())
        said = self.check(OK, "mem", a, twin).stderr
        self.assertIn("2 logs are taken as ranks of one run", said)
        self.assertNotIn("they look like two runs", said)
        self.assertEqual(self.check(OK, "mem", a, twin, "-q").stderr, "")

    def test_two_logs_of_one_rank_are_two_runs(self):
        twin = self.folder / "twin.log"
        twin.write_bytes((SOURCE / "examples/sample.log").read_bytes())
        self.assertIn("because both have lines of `1,1`", self.check(OK, "mem", SOURCE / "examples/sample.log", twin).stderr)

    def test_two_runs_are_sent_to_diff(self):
        self.check(OK, "-o", self.folder / "a.log", "--compact", program="ttscope-gen-log")
        self.check(OK, "-o", self.folder / "b.log", "--compact", "--layers", "3", program="ttscope-gen-log")
        said = self.check(OK, "mem", "a.log", "b.log").stderr
        self.assertIn("they look like two runs, because `main` has other ops", said)
        self.assertIn("`ttscope diff a.log b.log`", said)


if __name__ == "__main__":
    sys.exit(unittest.main())
