"""Names of the Python module: those of the C++ library, of ttnn and of the original; their types."""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import SOURCE  # noqa: E402
from python_case import PACKAGE, PYTHON, main, run  # noqa: E402
from seed_document import SHARED  # noqa: E402


class Names(unittest.TestCase):
    def test_operations_have_one_name_in_both_languages(self):
        for header, module, left_out in (
                ("ops.h", "sim", {"name_of"}),
                ("autograd.h", "train", {"name_of", "make_tensor"})):
            text = (SOURCE / "simulator" / "include" / "ttscope" / header).read_text()
            functions = set(re.findall(r"^(?:inline )?(?:Tensor|TensorPtr|void|NormResult|NormGradients|Heads|HeadTensors|AttentionResult|RotaryTables)"
                                       r" (\w+)\(", text, re.M)) - left_out
            self.assertGreater(len(functions), 15)
            names = json.loads(run(f"import json, ttscope; print(json.dumps(dir(ttscope.{module})))"))
            self.assertEqual(functions - set(names), set(), module)

    def test_presets_of_devices_and_memories(self):
        printed = run("""
            import re, ttscope
            from ttscope import sim
            assert re.fullmatch(r"[0-9]+[.][0-9]+[.][0-9]+", ttscope.__version__)
            for name in ("n150", "n300", "p100", "p150"):
                assert getattr(sim.DeviceSpec, name)().name == name
            assert sim.MemoryConfig.l1() == sim.MemoryConfig(sim.BufferType.L1) != sim.MemoryConfig.dram()
            print(sim.DeviceSpec.n150())
            device = sim.Device(sim.DeviceSpec.n150())
            tensor = sim.empty(device, [1, 1, 32, 32], memory=sim.MemoryConfig.l1())
            print(repr(device), repr(device.stats(sim.BufferType.L1)), repr(tensor.memory), sep="\\n")
            """)
        self.assertIn("DeviceSpec(n150: 1 chip, DRAM 12 x 1024.00 MB", printed)
        self.assertIn("MemoryStats(64 banks of", printed)
        self.assertIn("BufferType::L1", printed)

    def test_an_operation_with_a_gradient_of_its_own(self):
        run("""
            from ttscope import sim, train

            class Square(train.Function):
                @staticmethod
                def forward(context, x):
                    context.save(x)
                    return sim.multiply(x, x)

                @staticmethod
                def backward(context, gradient):
                    (x,) = context.saved
                    return sim.multiply(gradient, x)

            device = sim.Device("n150")
            x = train.Tensor(sim.empty(device, [1, 1, 64, 64]))
            used = lambda: device.stats().allocated_bytes_per_bank
            before = used()
            train.mean(Square.apply(x)).backward()
            assert x.grad.shape == (1, 1, 64, 64)
            train.reset_graph()
            assert used() - before >= 2048, used() - before

            class Wrong(Square):
                @staticmethod
                def backward(context, gradient):
                    return gradient, gradient

            try:
                train.mean(Wrong.apply(x)).backward()
            except ValueError as error:
                assert "2 gradients for 1 inputs" in str(error)
            else:
                raise AssertionError("too many gradients")
            """)

    def test_layers_in_lists_and_dicts_are_counted_and_named(self):
        printed = run("""
            import json, ttscope
            from ttscope import sim, train

            class Model(train.Module):
                def __init__(self, device):
                    self.layers = [train.Linear(device, 32, 32), train.Linear(device, 32, 32)]
                    self.heads = {"a": train.Linear(device, 32, 32, False), "b": (train.Linear(device, 32, 32, False),)}
                    self.scale = train.random_parameter(device, [1, 1, 1, 32])
                    self.tied = self.layers[0]

            T = ttscope.MemoryUsageTracker
            guard = T.begin_capture()
            model = Model(sim.Device("n150"))
            model.name_memory()
            T.end_capture("MODEL")
            assert model.parameter_count() == 4 * 32 * 32 + 3 * 32, model.parameter_count()
            T.save("/dev/stdout")
            print()
            print(json.dumps(sorted(model.parameters())))
            guard.release()
            """)
        saved, names = printed.strip().split("\n\n") if "\n\n" in printed.strip() else printed.strip().rsplit("\n", 1)
        self.assertEqual(json.loads(names), ["heads.a/weight", "heads.b.0/weight", "layers.0/bias", "layers.0/weight",
                                             "layers.1/bias", "layers.1/weight", "scale", "tied/bias", "tied/weight"])
        segment = json.loads(saved)[0]
        owners = {node["params"].get("owner") for node in segment["trace"] if node["node_type"] == "buffer"}
        self.assertLessEqual({"heads.b.0/weight", "layers.1/bias"}, owners)
        self.assertEqual(segment["devices"][0]["num_dram_channels"], 12)

    def test_profiles_and_tables_in_a_notebook(self):
        printed = run(f"""
            import ttscope
            profile = ttscope.load({str(SOURCE / "examples" / "sample_graph.json")!r})
            print(profile["segments"])
            print(profile._repr_html_())
            print(profile["ops"]._repr_html_())
            profile["ops"].name = "<script>"
            """)
        self.assertRegex(printed, r"Table\('segments', \d+ rows?, \d+ columns\)")
        self.assertIn("<td>segments</td>", printed)
        self.assertIn("<table><thead><tr><th title=", printed)
        html = run("""
            from ttscope._profile import _escaped
            print(_escaped("<script>\\u202e\\x1b"))
            """)
        self.assertEqual(html.strip(), "&lt;script&gt;\\u{202e}\\u{1b}")

    @unittest.skipUnless(SHARED, "needs TTSCOPE_SHARED_DIR")
    def test_the_utilities_of_ttnn_give_its_figures(self):
        traces = pathlib.Path(SHARED) / "data" / "graph-traces"
        golden = json.loads((traces / "golden_figures.json").read_text())
        path = next(name for name in golden if name.endswith("matmul_normal_mode.json"))
        printed = json.loads(run(f"""
            import json
            from ttscope import graph
            path = {str(traces / path)!r}
            nodes = json.load(open(path))
            trace = graph.trace_of(nodes)
            dram, l1 = graph.extract_dram_usage(path), graph.extract_resource_usage_per_core(open(path).read())
            print(json.dumps([graph.extract_calltrace(nodes), graph.extract_peak_L1_memory_usage(trace),
                              [dram.peak, dram.total_allocations, dram.total_deallocations], l1.peak_total,
                              len(graph.extract_levelized_graph(trace, 1)), graph.pretty_format(trace).count("\\n") == len(nodes),
                              [info.type for info in graph.extract_output_info(trace)]]))
            """))
        text = json.dumps(golden[path])
        self.assertEqual(printed[0], golden[path]["calltrace"] if "calltrace" in golden[path] else printed[0])
        for figure in (printed[1], printed[2][0], printed[3]):
            self.assertIn(str(figure), text)
        self.assertTrue(printed[5])

    def test_programs_of_the_original_run_where_it_is_asked_for(self):
        program = """
            import ttml, ttnn
            from ttml.core.utils import MemoryUsageTracker as Tracker
            guard = ttml.core.utils.MemoryUsageTracker.begin_capture(ttnn.graph.RunMode.NO_DISPATCH)
            Tracker.snapshot("A")
            Tracker.end_capture("B")
            print(Tracker.get_trace_names(), ttml.core.utils.DRAMUsage.__name__)
            guard.release()
            """
        with self.assertRaises(AssertionError):
            run(program)
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "train.py"
            script.write_text(textwrap.dedent(program) + "import sys; print(sys.argv[1:])")
            done = subprocess.run([PYTHON, "-m", "ttscope.compat", str(script), "--steps", "1"], capture_output=True,
                                  text=True, env={"PYTHONPATH": str(PACKAGE), "PATH": os.environ["PATH"]}, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.split("\n")[:2], ["['A', 'B'] DRAMUsage", "['--steps', '1']"])
            self.assertIn("stands in for ttml and ttnn", done.stderr)
            (pathlib.Path(folder) / "ttnn").mkdir()
            (pathlib.Path(folder) / "ttnn" / "__init__.py").write_text("real = True")
            printed = run("import ttscope.compat; print(ttscope.compat.install()); import ttnn; print(ttnn.real)", folder)
            self.assertEqual(printed.split(), ["['ttml']", "True"])


class Stubs(unittest.TestCase):
    def test_every_name_has_a_type(self):
        for module in ("", "sim", "train", "tracker", "graph"):
            stub = SOURCE / "python" / "ttscope" / "_core" / f"{module or '__init__'}.pyi"
            tree = ast.parse(stub.read_text())
            typed = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
            typed |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
            members = {f"{node.name}.{member.name}" for node in tree.body if isinstance(node, ast.ClassDef)
                       for member in node.body if isinstance(member, ast.FunctionDef)
                       and not member.name.startswith("_")}
            real = json.loads(run(f"""
                import json, inspect, ttscope._core as core
                module = {"core." + module if module else "core"}
                names = [name for name in dir(module)
                         if not name.startswith("_") and not inspect.ismodule(getattr(module, name))]
                members = [name + "." + each for name in names if inspect.isclass(getattr(module, name))
                           and not issubclass(getattr(module, name), BaseException)
                           for each, value in vars(getattr(module, name)).items()
                           if not each.startswith("_") and not isinstance(value, getattr(module, name))]
                print(json.dumps([names, members]))
                """))
            self.assertEqual(typed, set(real[0]), module)
            self.assertEqual(members, set(real[1]), module)

    def test_the_package_and_the_examples_are_well_typed(self):
        probe = subprocess.run([PYTHON, "-m", "mypy", "--version"], capture_output=True)
        if probe.returncode != 0:
            self.skipTest("mypy is not here")
        with tempfile.TemporaryDirectory() as cache:
            environment = {"PYTHONPATH": str(PACKAGE), "MYPYPATH": str(SOURCE / "examples" / "training"),
                           "PATH": os.environ["PATH"]}
            for what in (["--strict", "-p", "ttscope"], ["-m", "training_loop", "-m", "models"]):
                done = subprocess.run([PYTHON, "-m", "mypy", "--cache-dir", cache, *what], capture_output=True,
                                      text=True, env=environment, cwd=cache, timeout=300)
                self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    main()
