#!/usr/bin/env python3
"""`tt-memory-profiler --visualize`: the page from the four files of a run, ours and those of the Python tool."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from page_file import NONE, Page

BUILD = os.environ["TTSCOPE_BUILD_DIR"]
SOURCE = os.environ["TTSCOPE_SOURCE_DIR"]
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
SAMPLE = os.path.join(SOURCE, "examples", "sample.log")
SUFFIXES = ("memory", "operations", "inputs_registry", "ir")


def run(program, *arguments):
    return subprocess.run([os.path.join(BUILD, program), *arguments], capture_output=True, text=True, timeout=120)


class VisualizeCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "run")
        os.mkdir(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_files(self, log=SAMPLE, name="run"):
        done = run("ttscope", "mem", log, "-q", "--out", self.folder, "--name", name, "--html", self.path("log.html"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def visualize(self, *arguments):
        done = run("tt-memory-profiler", "--visualize", self.folder, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = done.stdout.splitlines()[0].removeprefix("Generated: ")
        self.assertIn(f"file://{os.path.abspath(page)}", done.stdout)
        return Page(page)

    def fail_with(self, message, *arguments, code=1):
        done = run("tt-memory-profiler", "--visualize", self.folder, *arguments)
        self.assertEqual(done.returncode, code)
        self.assertIn(message, done.stderr)
        self.assertEqual([f for f in os.listdir(self.folder) if f.endswith("_report.html")], [])


class OurFiles(VisualizeCase):
    def compare_with_log(self):
        page, log = self.visualize(), Page(self.path("log.html"))
        self.assertEqual(len(page.header["ranks"]), len(log.header["ranks"]))
        for index in range(len(page.header["ranks"])):
            self.compare_rank(page.rank(index), log.rank(index))
        weights = lambda p: [(a["ssa"], a["name"], a["role"], a["shape"], a["bytes"], a["counted"]) for a in p.json("args")]
        self.assertEqual(weights(page), weights(log))
        self.assertIn("ttscope mem LOG --html", page.absent["composition"])
        return page, log

    def compare_rank(self, rank, log):
        recorded = [i for i, f in enumerate(log["op.flags"]) if f & 1]
        self.assertEqual(rank.header["ops"], len(recorded))
        for column in ("op.line", "op.grow.DRAM", "op.grow.L1"):
            self.assertEqual(rank[column], [log[column][i] for i in recorded], column)
        weight = 2
        self.assertEqual([f & weight for f in rank["op.flags"]], [log["op.flags"][i] & weight for i in recorded])
        names, locs = log.op_names(), log.op_locs()
        self.assertEqual(rank.op_names(), [names[i] for i in recorded])
        self.assertEqual(rank.op_locs(), [locs[i] for i in recorded])
        texts = [log.page.text(log["op.text"][i]) for i in recorded]
        for number, want in list(zip(rank["op.text"], texts))[:100]:
            got = rank.page.text(number)
            for part in ("text", "attributes", "results", "operands"):
                self.assertEqual(got[part], want[part])
        self.assertEqual(rank.header["peaks"]["DRAM"]["bytes_per_bank"], log.header["peaks"]["DRAM"]["bytes_per_bank"])
        self.assertEqual(rank.header["programs"], log.header["programs"])
        self.assertEqual(rank["prog.run"], log["prog.run"])
        self.assertEqual(rank["prog.parent"], log["prog.parent"])
        self.compare_padding(rank, log, recorded)

    def compare_padding(self, rank, log, recorded):
        """The totals of the files are those of the tensors that the log shows live."""
        padded = log.page.column("type.padded")
        for number, op in list(enumerate(recorded))[::5]:
            for m, memory in enumerate(("DRAM", "L1")):
                live = log.live(m, 2 * op)
                self.assertEqual(rank["tot.tensors." + memory][number], len(live))
                self.assertEqual(rank["tot.padded." + memory][number], sum(padded[log["buf.type"][b]] for b in live))

    def test_they_say_the_same_as_the_log(self):
        self.write_files()
        page, _ = self.compare_with_log()
        self.assertEqual(set(page.absent), {"composition"})

    def test_runs_with_const_eval_and_modules(self):
        log = self.path("made.log")
        subprocess.run([os.path.join(BUILD, "ttscope-gen-log"), "-o", log], check=True, stderr=subprocess.DEVNULL)
        self.write_files(log)
        page, _ = self.compare_with_log()
        self.assertEqual([m["stage"] for m in page.header["modules"]], ["ttir", "ttnn"])
        self.assertTrue(all(g["modules"] == [0, 1] for g in page.header["graphs"]))

    def test_a_log_without_memory_lines_stays_modelled(self):
        log = self.path("made.log")
        subprocess.run([os.path.join(BUILD, "ttscope-gen-log"), "-o", log, "--no-memory", "--compact"], check=True,
                       stderr=subprocess.DEVNULL)
        self.write_files(log)
        page = self.visualize()
        self.assertFalse(page.header["ranks"][0]["measured"])
        self.assertEqual(page.header["ranks"][0]["peaks"]["DRAM"]["confidence"], "modelled")
        self.assertIn("TT_RUNTIME_MEMORY_LOG_LEVEL=operation", page.absent["fragmentation"])

    def test_optional_files_may_be_missing(self):
        self.write_files()
        for suffix in ("operations", "inputs_registry", "ir"):
            os.remove(self.path(f"run_{suffix}.json"))
        page = self.visualize()
        self.assertIn("run_operations.json is not in the folder", page.absent["texts"])
        self.assertIn("run_inputs_registry.json is not in the folder", page.absent["weights"])
        self.assertIn("run_ir.json is not in the folder", page.absent["ir"])
        self.assertIn("ttnn.matmul", page.rank(0).op_names())
        self.assertIn("run_ir.json: not in the folder", page.mem["trust"]["missing"])

    def test_hostile_names_stay_text(self):
        self.write_files()
        count = self.visualize().html.count("<script")
        for suffix in SUFFIXES:
            with open(self.path(f"run_{suffix}.json"), encoding="utf-8") as f:
                text = f.read()
            with open(self.path(f"run_{suffix}.json"), "w", encoding="utf-8") as f:
                f.write(text.replace("model/layers.0", "</script><script>alert(1)</script><!--").replace("args_0", "<img>"))
        page = self.visualize()
        self.assertEqual((page.html.count("<script"), page.html.count("<img")), (count, 0))
        self.assertTrue(any("</script><script>" in loc for loc in page.strings("locs")))

    def test_one_of_several_runs_is_chosen_by_name(self):
        self.write_files(name="b")
        self.write_files(name="a")
        self.fail_with("several runs here (a, b); choose one with --name")
        self.assertEqual(self.visualize("--name", "b").header["name"], "b")
        self.assertIn("b_report.html", os.listdir(self.folder))


class Errors(VisualizeCase):
    def write(self, suffix, text):
        with open(self.path(f"run_{suffix}.json"), "w") as f:
            f.write(text)

    def test_usage(self):
        for arguments in (["--visualize", ""], ["--visualize", self.folder, "--analyze", SAMPLE], ["--name", "x"],
                          ["--visualize", self.folder, "--name", "../x"], ["--visualize", self.folder, "--output-dir", "x"]):
            self.assertEqual(run("tt-memory-profiler", *arguments).returncode, 2, arguments)

    def test_folders(self):
        done = run("tt-memory-profiler", "--visualize", self.path("nowhere"))
        self.assertEqual((done.returncode, done.stderr), (1, f"Error: Run directory not found: {self.path('nowhere')}\n"))
        self.fail_with("no NAME_memory.json here; expected the folder of a report")
        self.fail_with("x_memory.json: no such file", "--name", "x")

    def test_files_that_are_something_else(self):
        self.write("memory", "no json")
        self.fail_with("run_memory.json: not the JSON that ttscope mem --out or tt-memory-profiler writes")
        self.write("memory", '{"schema": "ttscope.mem/1"}')
        self.fail_with("run_memory.json: has no list of operations; expected")
        self.write("memory", '{"operations": []}')
        self.fail_with("run_memory.json: no operation was recorded", code=4)
        self.write("memory", '[{"mlir_op": "ttnn.add"}]')
        self.write("operations", "[]")
        self.fail_with("not of one run")
        os.remove(self.path("run_operations.json"))
        os.mkdir(self.path("run_ir.json"))
        self.fail_with("run_ir.json: is not a regular file")

    def test_cut_files(self):
        self.write_files()
        os.remove(self.path("log.html"))
        for suffix in SUFFIXES:
            with open(self.path(f"run_{suffix}.json")) as f:
                text = f.read()
            self.write(suffix, text[:len(text) // 2])
            self.fail_with(f"run_{suffix}.json: not the JSON")
            self.write(suffix, text)

    def test_an_old_page_survives_a_failure(self):
        self.write_files()
        self.visualize()
        with open(self.path("run_report.html")) as f:
            old = f.read()
        self.write("memory", "[")
        self.assertEqual(run("tt-memory-profiler", "--visualize", self.folder).returncode, 1)
        with open(self.path("run_report.html")) as f:
            self.assertEqual(f.read(), old)


@unittest.skipUnless(SHARED, "no shared data here")
class FilesOfThePythonTool(VisualizeCase):
    def copy(self, *parts):
        source = os.path.join(SHARED, "data", "ttmem-sample", *parts)
        for name in os.listdir(source):
            shutil.copyfile(os.path.join(source, name), self.path(name))
        return parts[-1]

    def load(self, name):
        with open(self.path(name)) as f:
            return json.load(f)

    def test_the_golden_run(self):
        name = self.copy("golden", "sample")
        page = self.visualize()
        records = self.load(f"{name}_memory.json")["operations"]
        operations = self.load(f"{name}_operations.json")
        rank = page.rank(0)
        self.assertEqual(rank.op_names(), [r["mlir_op"] for r in records])
        self.assertEqual(rank.op_locs(), [r["loc"] for r in records])
        self.assertEqual(rank["pt.moment"], [2 * i for i in range(len(records))])
        for memory in ("DRAM", "L1", "L1_SMALL", "TRACE"):
            for column, field in (("alloc", "totalBytesAllocatedPerBank_MB"), ("free", "totalBytesFreePerBank_MB"),
                                  ("largest", "largestContiguousBytesFreePerBank_MB")):
                self.assertEqual(rank[f"pt.{memory}.{column}"], [round(1000 * r["memory"][memory][field]) for r in records])
        weight = [r["is_weight_op"] or o["is_weight_op"] for r, o in zip(records, operations)]
        self.assertEqual([bool(f & 2) for f in rank["op.flags"]], weight)
        after = [r["unpadded_memory"]["DRAM"]["padded_bytes"] for r in records]
        self.assertEqual(rank["tot.padded.DRAM"], [0] + after[:-1])
        self.assertEqual([a["name"] for a in page.json("args")],
                         [e["name"] for e in self.load(f"{name}_inputs_registry.json")["entries"]])
        self.assertEqual(set(page.absent), {"composition", "lines", "programs"})
        self.check_texts(rank, operations)
        self.check_modules(page, self.load(f"{name}_ir.json"))

    def check_texts(self, rank, operations):
        for number, operation in zip(rank["op.text"], operations):
            text = rank.page.text(number)
            self.assertEqual(text["attributes"], operation["attributes"])
            self.assertEqual(text["results"], [operation["result"]] if operation["result"] else [])
            shapes = rank.page.strings("shape")
            for t, shape in zip(text["out"], operation["output_shapes"]):
                self.assertIn(shape, (shapes[t], None))  # null: the tool could not read the type
        inside = [names for names in zip(rank["op.program"], operations) if names[1]["const_eval_graph"]]
        self.assertTrue(all(program != NONE for program, _ in inside))

    def check_modules(self, page, modules):
        self.assertEqual([m["stage"] for m in page.header["modules"]], ["ttir", "ttnn"])
        self.assertEqual(page.blob("module.1").decode(), modules["ttnn"]["text"])
        found = page.json("module.1.locs")
        self.assertLessEqual(set(modules["ttnn"]["loc_index"]), set(found))

    def test_other_runs(self):
        for parts in (("golden", "sample-scalar"), ("edge", "out", "edge"), ("edge", "out", "dram-only")):
            with self.subTest(run=parts[-1]):
                name = self.copy(*parts)
                page = self.visualize("--name", name)
                self.assertEqual(page.header["ranks"][0]["ops"], len(self.load(f"{name}_operations.json")))

    def test_a_run_without_operations_has_nothing_in_it(self):
        self.copy("edge", "out", "zero-parsed")
        self.fail_with("no operation was recorded", code=4)

    def test_the_older_form_of_the_memory_file(self):
        name = self.copy("golden", "sample")
        records = self.load(f"{name}_memory.json")["operations"]
        for record in records:
            del record["unpadded_memory"]
        with open(self.path(f"{name}_memory.json"), "w") as f:
            json.dump(records, f)
        page = self.visualize()
        self.assertEqual(page.header["ranks"][0]["ops"], len(records))
        self.assertIn("unpadded_memory is absent or zero", page.absent["padding"])


if __name__ == "__main__":
    unittest.main()
