#!/usr/bin/env python3
"""The command lines of the profiling guide, typed as they stand there, with our example scripts in place of the models."""
import json
import os
import shutil
import subprocess
import unittest

from trace_case import BUILD, EXAMPLES, PYTHON, SOURCE, TTSCOPE, TraceCase, main

# pytest is no dependency: where it is absent, this runs a test as `python -m pytest file.py::test` would.
PYTEST_IS_THERE = subprocess.run([PYTHON, "-c", "import pytest"], capture_output=True).returncode == 0
STAND_IN = """
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
        if not PYTEST_IS_THERE:
            (self.folder / "pytest.py").write_text(STAND_IN)
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

    @unittest.skipUnless(PYTEST_IS_THERE, "pytest is not installed")
    def test_1_tests_as_pytest_chooses_and_judges_them(self):
        (self.folder / "conftest.py").write_text(
            "import pytest, ttnn\ndef pytest_addoption(parser):\n    parser.addoption('--size', type=int, default=32)\n"
            "@pytest.fixture\ndef device():\n    with ttnn.open_mesh_device() as opened:\n        yield opened\n")
        (self.folder / "test_ops.py").write_text(
            "import pytest, ttnn\nfrom tracy import signpost\n@pytest.mark.parametrize('times', [1, 2])\n"
            "def test_add(device, request, times):\n    signpost(f'add {times}', 'with `ticks`; more')\n"
            "    a = ttnn.ones((request.config.getoption('--size'), 32), device=device)\n    for _ in range(times):\n        a + a\n"
            "def test_wrong(device):\n    signpost('wrong')\n    assert ttnn.ones((32, 32), device=device).shape == (1, 1)\n")
        for words, code, said, signposts in (("test_ops.py", 1, "1 failed, 2 passed", ["add 1", "add 2", "wrong"]),
                                             ("'test_ops.py::test_add[2]' --size 64", 0, "1 passed", ["add 2"]),
                                             (". -k 'wrong or nothing'", 1, "1 failed, 2 deselected", ["wrong"]),
                                             ("no_such_test.py", 4, "file or directory not found", None)):
            with self.subTest(words):
                shutil.rmtree(self.folder / "generated", ignore_errors=True)
                done = self.type(f"python -m tracy -p -r -m pytest {words}", code)
                self.assertIn(said, done.stdout)
                if signposts is None:
                    continue
                self.assertEqual(self.signposts(), signposts)
                # Ops of a device that is opened anew had the numbers of the one before: rows were taken for each other.
                names = [row["OP CODE"].replace("BinaryNgDeviceOperation", "op") for row in self.rows()]
                expected = {"add 1": ["add 1", "op"], "add 2": ["add 2", "op", "op"], "wrong": ["wrong"]}
                self.assertEqual(names, [name for signpost in signposts for name in expected[signpost]])
                self.assertEqual({row["ATTRIBUTES"] for row in self.rows() if row["OP CODE"].startswith("add")} - {"with `ticks`; more"},
                                 set())

    def training_program(self, name):
        """Where tt-metal's build puts it."""
        program = self.folder / "build/tt-train/sources/examples/nano_gpt/nano_gpt"
        program.parent.mkdir(parents=True)
        program.symlink_to(BUILD / "examples" / name)
        if not program.exists():
            self.skipTest(f"{name} is not built")

    TRAINING = ("env -u TT_METAL_DPRINT_CORES \\\nTT_METAL_DEVICE_PROFILER=1 \\\npython -m tracy -r -v -p \\\n"
                "  ${TT_METAL_HOME}/build/tt-train/sources/examples/nano_gpt/nano_gpt")

    def test_2_a_training_program_and_the_notebook(self):
        self.training_program("nano_gpt")
        done = self.type(self.TRAINING)
        self.assertIn("Step: 2, cache entries: ", done.stdout)
        self.assertNotIn("dropped", done.stdout + done.stderr)
        self.check_that_nothing_is_called_measured(done)
        step = ["FORWARD_PASS", "BACKWARD_PASS"]
        phases = ["MODEL_CREATION", "OPTIMIZER_CREATION", *step, "OPTIMIZER_STEP",
                  *(f"STEP_2_{name}" for name in (*step, "OPTIMIZER_STEP"))]
        self.assertEqual(self.signposts(), phases)
        self.check_ops_of_phases(phases)
        zones = self.device_zones()
        for name in ("READ-TILES", "COMPUTE-TILES", "WRITE-TILES", "BRISC-KERNEL"):
            self.assertIn(name, zones)
        host = (self.reports()[0] / "tracy_ops_times.csv").read_text()
        for name in ("TT_DNN_DEVICE_OP", "EnqueueProgram", "CompileProgram"):
            self.assertIn(name, host)
        shown = notebook(self.folder, self.environment)
        for picture, words in zip(shown[1:], ("MatmulDeviceOperation x ", "Device time of each op", "Gaps by cause", "STEP_2_BACKWARD_PASS",
                                              "TT_DNN_DEVICE_OP")):
            self.assertIn(words, picture)

    def check_that_nothing_is_called_measured(self, done):
        """Nothing had said that the times of simulated chips are modelled."""
        self.assertIn("The chips were simulated: times of devices are modelled", done.stderr)
        report, = self.reports()[-1].glob("ops_perf_results_*.csv")
        for place in (self.folder / "generated/profiler", self.reports()[-1], report, self.logs / "profile_log_device.csv"):
            shown = subprocess.run([TTSCOPE, "perf", place, "--ignore-signposts"], capture_output=True, text=True, check=True).stdout
            self.assertIn("Simulated chips: the times of devices are modelled", shown)
            self.assertIn("modelled: cycles of simulated chips", shown)
            if place.name != "profile_log_device.csv":
                self.assertIn("gain ", shown, "there is advice whose words are looked at")
            text, document = (subprocess.run([TTSCOPE, "perf", place, "--ignore-signposts", form, "-"], capture_output=True, text=True,
                                             check=True).stdout for form in ("--llm", "--json"))
            self.assertIn("Times are modelled", text)
            for said in (shown, text):
                self.assertNotRegex(said, r"\bmeasured\b")
            self.assertLessEqual({advice["basis"] for advice in json.loads(document)["advice"]}, {"modelled"})
        compared = subprocess.run([TTSCOPE, "diff", report, report], capture_output=True, text=True).stdout
        self.assertIn("its chips were simulated: times of devices are modelled", " ".join(compared.split()))
        shutil.copy(self.reports()[-1] / "tracy_profile_log_host.tracy", self.folder / "copied.tracy")
        for place in (self.folder / "generated/profiler", self.folder / "copied.tracy"):
            zones = subprocess.run([TTSCOPE, "timeline", place], capture_output=True, text=True, check=True).stdout
            self.assertEqual(" ".join(zones.split()).count("simulated chips: the times of devices are modelled"), 1, place)

    def check_ops_of_phases(self, phases):
        """Rows with names, shapes and durations between the signposts, where the ops of each phase belong."""
        behind, phase = {name: [] for name in phases}, None
        for row in self.rows():
            if row["OP TYPE"] == "signpost":
                phase = row["OP CODE"]
            else:
                behind[phase].append(row)
        for row in self.ops():
            self.assertGreater(int(row["DEVICE KERNEL DURATION [ns]"]), 0)
            self.assertGreater(int(row["HOST DURATION [ns]"]), 0)
            self.assertNotRegex(row["ATTRIBUTES"], r"'operation': '-?[0-9]", "dimensions had been called the operation")
        attributes = {row["OP CODE"]: row["ATTRIBUTES"] for row in self.ops()}
        self.assertEqual(attributes["NlpCreateHeadsDeviceOperation"], "{'num_kv_heads': '6'; 'num_q_heads': '6'}")
        compute = {row["OP CODE"]: float(row["PM COMPUTE [ns]"]) for row in self.ops()}
        self.assertEqual(compute["EmbeddingBackwardDeviceOperation"], compute["LayerNormDeviceOperation"], "of the gradient, not of the tokens")
        names = {name: [row["OP CODE"] for row in rows] for name, rows in behind.items()}
        self.assertEqual(set(names["MODEL_CREATION"]), {"FullDeviceOperation", "TilizeDeviceOperation"})
        self.assertEqual(names["FORWARD_PASS"].count("SDPAForwardDeviceOperation"), 6, "an attention in each block")
        self.assertEqual(names["BACKWARD_PASS"].count("SDPABackwardQDeviceOperation"), 6)
        self.assertEqual(set(names["OPTIMIZER_STEP"]), {"AdamWDeviceOperation"})
        for name in ("FORWARD_PASS", "BACKWARD_PASS"):
            self.assertEqual(names[name], names[f"STEP_2_{name}"])
        self.assertEqual(names["OPTIMIZER_STEP"], names["STEP_2_OPTIMIZER_STEP"])
        wide = [row for row in behind["FORWARD_PASS"] if row["OP CODE"] == "MatmulDeviceOperation" and row["OUTPUT_0_X_PAD[LOGICAL]"] == "1536[1536]"]
        self.assertEqual([row["INPUT_0_X_PAD[LOGICAL]"] for row in wide], ["384[384]"] * 6, "the first layer of each block's feed-forward part")

    def test_2_ops_of_a_program_without_the_device_profiler(self):
        """Neither chips nor a compiler of their kernels are needed where nobody profiles."""
        self.training_program("nano_gpt")
        self.environment["PATH"] = "/nonexistent"
        done = subprocess.run([self.folder / "build/tt-train/sources/examples/nano_gpt/nano_gpt", "--steps", "1"], cwd=self.folder,
                              env=self.environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["build"])

    def run_training(self, *options, **more):
        """One step, without the compiler of the chips' kernels."""
        self.training_program("nano_gpt")
        missing = {"PATH": "/nonexistent", "TTSCOPE_CHIP_CACHE": str(self.folder / "chip")}
        return self.trace(*options, self.folder / "build/tt-train/sources/examples/nano_gpt/nano_gpt", "--blocks", "1", "--steps", "1",
                          **{**missing, **more})

    def test_2_a_missing_compiler_ended_the_training(self):
        done = self.run_training("-r")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Step: 1, cache entries: ", done.stdout)
        said = done.stdout + done.stderr
        self.assertEqual(said.count("the training goes on without chips of the profiler"), 1, said)
        self.assertEqual(said.count("apt-get install gcc-riscv64-unknown-elf"), 1, said)
        self.assertIn("FORWARD_PASS", self.signposts())

    def test_2_without_devices_chips_were_opened_all_the_same(self):
        for options, more in ((["--no-device"], {}), ([], {"TT_METAL_DEVICE_PROFILER": "0"})):
            shutil.rmtree(self.folder / "build", ignore_errors=True)
            done = self.run_training("-r", "-n", "run", *options, **more)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("chips", done.stdout + done.stderr)
            self.assertFalse((self.folder / "chip").exists())

    def test_2_modes_that_switch_the_profiler_on_had_no_chips(self):
        self.training_program("nano_gpt")
        program = self.folder / "build/tt-train/sources/examples/nano_gpt/nano_gpt"
        for name in ("TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "TT_METAL_PROFILE_PERF_COUNTERS"):
            shutil.rmtree(self.folder / "generated", ignore_errors=True)
            subprocess.run([program, "--blocks", "1", "--steps", "1"], cwd=self.folder, env=dict(self.environment, **{name: "1"}),
                           capture_output=True, check=True, timeout=300)
            self.assertIn("COMPUTE-TILES", (self.folder / "generated/profiler/.logs/profile_log_device.csv").read_text(), name)

    def test_2_a_program_that_tells_of_no_ops(self):
        self.training_program("run_inference")
        self.type(f"{self.TRAINING} {SOURCE}/examples/device/kernels")
        zones = self.device_zones()
        self.assertIn("ReadFromDRAM", zones)
        host = (self.reports()[0] / "tracy_ops_times.csv").read_text()
        for name in ("RunInference", "EnqueueProgram", "WaitForCompletion"):
            self.assertIn(name, host)
        # Programs have no op names of the host: a report of the device alone, a row for each.
        self.assertEqual(len([row for row in self.rows() if float(row["DEVICE KERNEL DURATION [ns]"] or 0) > 0]), 2)

    def test_2_signposts_of_such_a_program_went_without_a_word_from_perf(self):
        self.training_program("run_inference")
        inner = self.folder / "build/tt-train/sources/examples/nano_gpt/nano_gpt"
        script = self.script("import subprocess\nfrom tracy import signpost\nsignpost('before')\n"
                             f"subprocess.run(['{inner}', '{SOURCE}/examples/device/kernels'], check=True)\n")
        traced = self.trace("-p", "-r", script, TT_METAL_DEVICE_PROFILER="1")
        self.assertEqual(traced.returncode, 0, traced.stderr)
        shown = subprocess.run([TTSCOPE, "perf", self.logs], capture_output=True, text=True)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        for text in (traced.stderr, shown.stdout):
            self.assertIn("1 x signposts are in no row of the report: ", text)
        self.assertIn("TT_SIGNPOST: before", shown.stdout)

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


def notebook(folder, environment):
    """Each cell is run in order; what its last line gives, as a notebook would show it."""
    cells = [cell for cell in json.loads((EXAMPLES / "profiler_results.ipynb").read_text())["cells"] if cell["cell_type"] == "code"]
    runner = ("import ast, json, sys\nnames = {}\nfor text in json.load(sys.stdin):\n"
              "    tree = ast.parse(text)\n    last = ast.Expression(tree.body.pop().value)\n"
              "    exec(compile(tree, 'cell', 'exec'), names)\n    shown = eval(compile(last, 'cell', 'eval'), names)\n"
              "    form = '_repr_svg_' if hasattr(shown, '_repr_svg_') else '_repr_html_'\n"
              "    print(json.dumps(getattr(shown, form)()))\n")
    done = subprocess.run([PYTHON, "-c", runner], input=json.dumps(["".join(cell["source"]) for cell in cells]), cwd=folder,
                          env=dict(environment, PYTHONPATH=str(BUILD / "python")), capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


class NotebookTest(TraceCase):
    def test_results_of_a_run(self):
        self.assertEqual(self.trace("-p", "-r", "-q", EXAMPLES / "model.py").returncode, 0)
        shown = notebook(self.folder, self.environment)
        self.assertEqual(len(shown), 6)
        self.assertIn("<table>", shown[0])
        for picture, words in zip(shown[1:], ("MatmulDeviceOperation x 12", "Device time of each op", "Gaps by cause", "Warmup Phase Start",
                                              "PY_FUNC_")):
            self.assertTrue(picture.startswith("<svg"), picture[:80])
            self.assertIn(words, picture)


if __name__ == "__main__":
    main()
