#!/usr/bin/env python3
"""The command lines of the profiling guide, typed as they stand there, with our example scripts in place of the models."""
import json
import os
import shutil
import subprocess
import unittest

from trace_case import BUILD, EXAMPLES, PYTHON, SOURCE, TTSCOPE, TraceCase, main

# pytest is no dependency: this runs a test as `python -m pytest file.py::test` would.
PYTEST = """
import runpy, sys
path, name = sys.argv[-1].split("::")
runpy.run_path(path)[name]()
print("1 passed")
"""


class Workflow(TraceCase):
    def setUp(self):
        super().setUp()
        self.environment.update(TT_METAL_HOME=str(self.folder), PYTHONDONTWRITEBYTECODE="1")

    def type(self, line, code=0):
        """A line in a shell that was opted in; `python` is the one that the package is built for."""
        (self.folder / "bin").mkdir(exist_ok=True)
        if not (self.folder / "bin" / "python").exists():
            (self.folder / "bin" / "python").symlink_to(PYTHON)
        environment = dict(self.environment, PATH=f"{self.folder}/bin:{BUILD}:{os.environ['PATH']}")
        done = subprocess.run(["bash", "-c", 'eval "$(ttscope trace --env)"\n' + line], cwd=self.folder, env=environment,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
        self.assertEqual(done.returncode, code, f"{line}\n{done.stdout[-800:]}\n{done.stderr[-1500:]}")
        return done

    def ops(self):
        return [row for row in self.rows() if row["OP TYPE"] == "tt_dnn_device"]

    def signposts(self):
        return [row["OP CODE"] for row in self.rows() if row["OP TYPE"] == "signpost"]

    def device_zones(self):
        done = subprocess.run([TTSCOPE, "timeline", self.reports()[-1] / "tracy_profile_log_host.tracy", "--csv", "-", "--csv-form", "gpu"],
                              capture_output=True, text=True, check=True)
        return done.stdout

    def test_1_a_demo_under_pytest(self):
        (self.folder / "pytest.py").write_text(PYTEST)
        demo = self.folder / "models/demos/bert_tiny/demo/demo.py"
        demo.parent.mkdir(parents=True)
        shutil.copy(EXAMPLES / "test_demo.py", demo)
        done = self.type("TT_METAL_DEVICE_PROFILER=1 \\\npython -m tracy -p -r -v \\\n"
                         "  -m pytest models/demos/bert_tiny/demo/demo.py::test_demo\nls generated/profiler/reports/")
        self.assertIn("1 passed", done.stdout)
        self.assertIn(self.reports()[0].name, done.stdout)
        self.assertIn("TT_METAL_DEVICE_PROFILER=1", done.stderr, "-v shows the variables")
        self.assertEqual(self.signposts(), ["Demo Start", "Demo End"])
        self.assertEqual([row["OP CODE"] for row in self.ops()],
                         ["MatmulDeviceOperation", "SoftmaxDeviceOperation", "MatmulDeviceOperation"])
        self.assertIn("COMPUTE-TILES", self.device_zones())

    def test_2_a_program_and_the_notebook(self):
        program = self.folder / "build/tt-train/sources/examples/nano_gpt/nano_gpt"
        program.parent.mkdir(parents=True)
        program.symlink_to(BUILD / "examples" / "run_inference")
        if not program.exists():
            self.skipTest("run_inference is not built")
        self.type("env -u TT_METAL_DPRINT_CORES \\\nTT_METAL_DEVICE_PROFILER=1 \\\npython -m tracy -r -v -p \\\n"
                  f"  ${{TT_METAL_HOME}}/build/tt-train/sources/examples/nano_gpt/nano_gpt {SOURCE}/examples/device/kernels")
        zones = self.device_zones()
        self.assertIn("ReadFromDRAM", zones)
        host = (self.reports()[0] / "tracy_ops_times.csv").read_text()
        for name in ("RunInference", "EnqueueProgram", "WaitForCompletion"):
            self.assertIn(name, host)
        # Programs have no op names of the host: a report of the device alone, a row for each.
        self.assertEqual(len([row for row in self.rows() if float(row["DEVICE KERNEL DURATION [ns]"] or 0) > 0]), 2)

    def test_3_a_long_workload(self):
        done = self.type(f"TT_METAL_DEVICE_PROFILER=1 \\\nTT_METAL_PROFILER_MID_RUN_DUMP=1 \\\npython -m tracy -p -r {EXAMPLES}/training.py 4")
        self.assertIn("Epoch 3 complete, profiler data captured", done.stdout)
        ops = self.ops()
        self.assertEqual(len(ops), 4 * 10 * 3)
        self.assertTrue(all(row["DEVICE KERNEL DURATION [ns]"] for row in ops))
        self.assertNotIn("dropped", done.stdout + done.stderr)

    def test_4_signposts_around_the_measurement(self):
        self.type(f"python -m tracy -p -r {EXAMPLES}/signposts.py")
        self.assertEqual(self.signposts(), ["Warmup Start", "Measurement Start", "Measurement End"])
        rows = self.rows()
        names = [row["OP CODE"] for row in rows]
        self.assertEqual(names.index("Measurement End") - names.index("Measurement Start") - 1, 20)
        self.assertIn("Beginning timed runs", rows[names.index("Measurement Start")]["ATTRIBUTES"])
        self.assertIn("Measurement Start", (self.reports()[0] / "tracy_ops_data.csv").read_text())

    def test_5_the_tracy_file_is_copied_and_opened_elsewhere(self):
        self.type(f"TT_METAL_DEVICE_PROFILER=1 python -m tracy -p -r {EXAMPLES}/signposts.py\n"
                  "cp generated/profiler/reports/*/tracy_profile_log_host.tracy ./")
        shown = subprocess.run([TTSCOPE, "timeline", "tracy_profile_log_host.tracy"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("Measurement Start", shown.stdout)
        self.assertIn("COMPUTE-TILES", shown.stdout)


class NotebookTest(TraceCase):
    """Each cell is run in order; what its last line gives is shown as a notebook would."""

    def test_results_of_a_run(self):
        self.assertEqual(self.trace("-p", "-r", "-q", EXAMPLES / "model.py").returncode, 0)
        cells = [cell for cell in json.loads((EXAMPLES / "profiler_results.ipynb").read_text())["cells"] if cell["cell_type"] == "code"]
        runner = ("import ast, json, sys\nnames = {}\nfor text in json.load(sys.stdin):\n"
                  "    tree = ast.parse(text)\n    last = ast.Expression(tree.body.pop().value)\n"
                  "    exec(compile(tree, 'cell', 'exec'), names)\n    shown = eval(compile(last, 'cell', 'eval'), names)\n"
                  "    form = '_repr_svg_' if hasattr(shown, '_repr_svg_') else '_repr_html_'\n"
                  "    print(json.dumps(getattr(shown, form)()))\n")
        done = subprocess.run([PYTHON, "-c", runner], input=json.dumps(["".join(cell["source"]) for cell in cells]), cwd=self.folder,
                              env=dict(self.environment, PYTHONPATH=str(BUILD / "python")), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        shown = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(shown), 6)
        self.assertIn("<table>", shown[0])
        for picture, words in zip(shown[1:], ("MatmulDeviceOperation x 12", "Device time of each op", "Gaps by cause", "Warmup Phase Start",
                                              "PY_FUNC_")):
            self.assertTrue(picture.startswith("<svg"), picture[:80])
            self.assertIn(words, picture)


if __name__ == "__main__":
    main()
