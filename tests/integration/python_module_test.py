"""The Python module: same names and results as the C++ library, captures from ttnn where there is one."""
import ast
import json
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, SOURCE  # noqa: E402
from seed_document import SHARED, snippets  # noqa: E402

PACKAGE = BUILD / "python"
STANDIN = SOURCE / "tests" / "integration" / "standin"
PYTHON = "/usr/bin/python3"


def run(code, *paths, env=None):
    """Runs code in a fresh interpreter that finds the package, and what lies in `paths`."""
    environment = {"PYTHONPATH": os.pathsep.join([str(PACKAGE), *map(str, paths)]), "PYTHONDONTWRITEBYTECODE": "1",
                   "PATH": os.environ["PATH"], **(env or {})}
    done = subprocess.run([PYTHON, "-c", textwrap.dedent(code)], capture_output=True, text=True, env=environment,
                          timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"{done.returncode}: {done.stdout[-2000:]}{done.stderr[-3000:]}")
    return done.stdout


class Tracker(unittest.TestCase):
    def test_segments_figures_and_text(self):
        printed = run("""
            import ttscope
            T, sim = ttscope.MemoryUsageTracker, ttscope.sim
            guard = T.begin_capture()
            device = sim.Device("n150")
            a = sim.empty(device, [1, 1, 1024, 1024])
            T.snapshot("A")
            a.deallocate()
            T.end_capture()
            print(repr(T.get_dram_usage("A")))
            print(T.get_dram_usage("A"))
            print(repr(T.get_l1_usage("A")))
            print(T.get_l1_usage("A"))
            assert T.get_trace_names() == ["A", "END_TRACE"]
            assert T.get_dram_usage_all()[1][1].total_deallocations == 2097152
            T.print_memory_usage()
            guard.release()
            """)
        self.assertEqual(printed.splitlines()[:11], [
            "DRAMUsage(peak=2097152, total_allocations=2097152, total_deallocations=0)",
            "DRAM Usage:", "  Peak:          2.00 MB", "  Allocations:   2.00 MB", "  Deallocations: 0.00 MB",
            "PeakMemoryUsagePerCore(peak_cb=0, peak_l1=0, peak_dataflow_buffer=0, peak_scratchpad=0, peak_total=0)",
            "Peak Memory Usage Per Core:", "  CB:         0 bytes", "  L1:         0 bytes", "  DFB:        0 bytes",
            "  Scratchpad: 0 bytes"])
        self.assertTrue(printed.endswith("Overall DRAM Peak: 2.00 MB, Final DRAM Usage: 0.00 MB\n\n"), printed)

    def test_errors_are_runtime_errors_with_the_originals_texts(self):
        run("""
            import ttscope
            T = ttscope.MemoryUsageTracker
            def told(call):
                try:
                    call()
                except RuntimeError as error:
                    return str(error)
            assert told(lambda: T.snapshot("x")) == "MemoryUsageTracker: Cannot snapshot - capture is not active"
            guard = T.begin_capture()
            assert told(T.begin_capture) == "MemoryUsageTracker: Capture already active"
            T.end_capture("one")
            assert told(T.get_dram_usage) == "MemoryUsageTracker: Trace 'END_TRACE' not found"
            try:
                T.begin_capture("NORMAL")
            except TypeError:
                pass
            else:
                raise AssertionError("a text is no mode")
            """)

    def test_guards(self):
        printed = run("""
            import ttscope
            T, sim = ttscope.MemoryUsageTracker, ttscope.sim
            with T.begin_capture() as guard:  # leaving it neither ends nor clears
                assert isinstance(guard, ttscope.MemoryUsageGuard)
            T.snapshot("still active")
            T.end_capture()
            assert T.get_trace_names() == ["still active", "END_TRACE"]
            T.clear()
            lost = ttscope.MemoryUsageGuard(ttscope.graph.RunMode.NO_DISPATCH)
            assert sim.empty(sim.Device("n150"), [32, 32]).address == 0
            T.snapshot("unread")
            del lost
            T.print_memory_usage()
            kept = T.begin_capture()  # alive when the interpreter ends
            """)
        self.assertEqual(printed, "WARNING: No traces captured\nNote: the guard of begin_capture went out of scope and "
                                  "cleared 2 segments before they were read: unread, END_TRACE\n")

    def test_the_original_figures_on_request(self):
        run("""
            import ttscope
            T, sim = ttscope.MemoryUsageTracker, ttscope.sim
            device = sim.Device("n300")
            l1 = sim.MemoryConfig(sim.BufferType.L1)
            old = sim.empty(device, [1024, 1024], memory=l1)
            guard = T.begin_capture()
            del old
            a = sim.empty(device, [32, 32], memory=l1)
            sim.add(a, a)
            T.end_capture()
            ours, original = T.get_l1_usage(), T.get_l1_usage(compat=True)
            assert original.peak_total > 2 ** 63 > ours.peak_total
            assert original.peak_cb == 2 * ours.peak_cb
            assert "Note: END_TRACE" in T.memory_usage_text() and T.notes()
            assert "Note" not in T.memory_usage_text(compat=True)
            """)

    def test_the_thread_that_began_is_the_one_that_ends(self):
        run("""
            import threading, ttscope
            T = ttscope.MemoryUsageTracker
            guard, told = T.begin_capture(), []
            def other():
                try:
                    T.snapshot("x")
                except RuntimeError as error:
                    told.append(str(error))
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
            assert "another thread" in told[0], told
            """)

    def test_the_snippets_of_the_original_document(self):
        blocks = snippets("python")
        if not blocks:
            self.skipTest("the original document is not here")
        code = "\n".join(blocks).replace("import ttml\n", "import ttscope as ttml\n")
        code = code.replace("import ttnn\n", "import ttscope as ttnn\n")
        printed = run(code)
        self.assertIn("--- ITERATION_COMPLETE ---", printed)


class Simulated(unittest.TestCase):
    def test_out_of_memory_is_an_exception_of_its_own(self):
        run("""
            from ttscope import sim
            device = sim.Device("n150")
            try:
                sim.empty(device, [100, 1, 32768, 4096])
            except sim.OutOfMemoryError as error:
                assert isinstance(error, RuntimeError)
                assert str(error).startswith("Out of Memory: Not enough space to allocate 26843545600 B DRAM buffer")
            else:
                raise AssertionError("it fits?")
            assert device.stats().allocated_bytes_per_bank == 0
            """)

    def test_a_custom_device(self):
        run("""
            from ttscope import sim
            spec = sim.DeviceSpec.named("p150")
            spec.dram_banks = 4
            spec.trace_region_bytes = 1 << 20
            device = sim.Device(spec)
            tensor = sim.empty(device, (1, 1, 64, 64), sim.DataType.FLOAT32)
            assert tensor.shape == (1, 1, 64, 64) and tensor.stored_bytes == 16384 and tensor.bytes_per_bank == 4096
            assert device.stats(sim.BufferType.TRACE).total_bytes_per_bank == 262144
            """)

    def test_none_is_no_tensor(self):
        run("""
            from ttscope import train
            for call in (train.add, train.multiply, train.matmul):
                try:
                    call(None, None)
                except TypeError:
                    continue
                raise AssertionError(call)
            """)


class Ttnn(unittest.TestCase):
    """With the stand-in, which gives back recorded captures."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)

    def recorded(self, name):
        if SHARED is None:
            self.skipTest("no recorded captures here")
        return pathlib.Path(SHARED) / "data" / "graph-traces" / "current_format" / name

    def test_captures_come_from_ttnn_and_print_as_the_original_does(self):
        for path in sorted(self.recorded("").glob("segments_*.json")):
            if path.name == "segments_expected_bytes.json":
                continue
            with self.subTest(path.name):
                names = [segment["name"] for segment in json.loads(path.read_text())]
                printed = run(f"""
                    import ttnn, ttscope
                    T, names = ttscope.MemoryUsageTracker, {names!r}
                    assert ttscope.capture_source() == "ttnn"
                    guard = T.begin_capture(ttnn.graph.RunMode.NO_DISPATCH)
                    for name in names[:-1]:
                        T.snapshot(name)
                    T.end_capture(names[-1])
                    T.print_memory_usage(compat=True)
                    assert all(mode is ttnn.RunMode.NO_DISPATCH for what, mode in ttnn.graph.calls if what == "begin")
                    assert len(ttnn.graph.calls) == 2 * len(names)
                    """, STANDIN, env={"STANDIN_SEGMENTS": str(path)})
                self.assertEqual(printed, path.with_suffix(".expected.txt").read_text())

    def test_a_source_can_be_chosen(self):
        run("""
            import ttscope
            ttscope.set_capture_source("simulated")
            guard = ttscope.MemoryUsageTracker.begin_capture()
            device = ttscope.sim.Device("n150")
            tensor = ttscope.sim.empty(device, [1024, 1024])
            ttscope.MemoryUsageTracker.end_capture()
            assert ttscope.MemoryUsageTracker.get_dram_usage().peak == 2097152
            """, STANDIN)
        run("""
            import ttscope
            assert ttscope.capture_source() == "simulated"
            for wrong, error in (("ttnn", ImportError), ("other", ValueError)):
                try:
                    ttscope.set_capture_source(wrong)
                except error:
                    continue
                raise AssertionError(wrong)
            """)

    def test_a_damaged_capture_is_an_error(self):
        path = pathlib.Path(self.temporary.name) / "segments.json"
        path.write_text(json.dumps([{"name": "x", "trace": [{"counter": 0}]}, {"name": "x", "trace": "nonsense"}]))
        run("""
            import ttscope
            guard = ttscope.MemoryUsageTracker.begin_capture()
            for _ in range(2):
                try:
                    ttscope.MemoryUsageTracker.snapshot("x")
                except RuntimeError as error:
                    assert "ttnn.graph.end_graph_capture()" in str(error), error
                else:
                    raise AssertionError("no error")
            guard.release()
            """, STANDIN, env={"STANDIN_SEGMENTS": str(path)})


class Load(unittest.TestCase):
    def test_a_runtime_log(self):
        run(f"""
            import numpy, ttscope
            profile = ttscope.load({str(SOURCE / "examples" / "sample.log")!r})
            ops = profile["ops"]
            assert profile.kind == "runtime_log" and set(profile) >= {{"ops", "memory", "buffers", "programs"}}
            assert len({{len(column) for column in ops.values()}}) == 1
            growth = ops["dram_growth_bytes_per_bank"]
            assert growth.dtype == numpy.int64 and not growth.flags.writeable and not growth.flags.owndata
            assert "ttnn.matmul" in set(ops["name"])
            assert "86 rows" in repr(profile)
            for table in profile.values():
                assert all(len(column) == table.rows for column in table.values())
                assert all(table.missing(name).dtype == bool and len(table.missing(name)) == table.rows for name in table)
            """)

    def test_columns_are_documented(self):
        run(f"""
            import ttscope
            ops = ttscope.load({str(SOURCE / "examples" / "sample.log")!r})["ops"]
            assert ops.columns["line"].startswith("line (integer")
            assert all(len(text) > len(name) + 12 for name, text in ops.columns.items())
            assert ops.columns["line"] in ops.__doc__
            for wrong in ("nonsense", "ops"):
                try:
                    ops[wrong]
                except KeyError:
                    continue
                raise AssertionError(wrong)
            """)

    @unittest.skipIf(importlib.util.find_spec("pandas") is None, "pandas is not installed")
    def test_data_frames_hold_what_the_columns_hold(self):
        """Every cell of every table of every kind, those without a value too."""
        paths = [str(SOURCE / "examples" / name) for name in ("sample.log", "training/phases.log", "sample_graph.json")]
        run(f"""
            import pandas, ttscope
            without_value = 0
            for path in {paths!r}:
                profile = ttscope.load(path)
                frames = profile.to_pandas()
                assert list(frames) == list(profile)
                for name, frame in frames.items():
                    table = profile[name]
                    assert len(frame) == table.rows and list(frame.columns) == list(table), name
                    assert frame.attrs["columns"] == dict(table.columns)
                    for column in table:
                        missing = table.missing(column)
                        assert (frame[column].isna() == missing).all(), (name, column)
                        assert all(a == b for a, b in zip(frame[column][~missing], table[column][~missing])), (name, column)
                        without_value += int(missing.sum())
            assert without_value > 100, without_value
            ops = ttscope.load({paths[0]!r})["ops"].to_pandas()
            assert len(ops) == 86
            assert ops.groupby("name")["op"].count().sum() == 86
            """)

    def test_without_pandas_the_message_says_so(self):
        run(f"""
            import sys, ttscope
            sys.modules["pandas"] = None  # as where it is not installed
            try:
                ttscope.load({str(SOURCE / "examples" / "sample.log")!r})["ops"].to_pandas()
            except ImportError as error:
                assert "needs pandas" in str(error)
            else:
                raise AssertionError("without pandas?")
            """)

    def test_device_time(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "ops.csv"
            report.write_text("OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,CORE COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE,"
                              "DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
                              "Add,tt_dnn_device,1,0,64,1000,2000,1000,900\nSoftmax,tt_dnn_device,2,0,64,3000,5000,2000,1900\n")
            run(f"""
                import ttscope
                profile = ttscope.load({str(report)!r})
                assert profile.subject == "perf" and profile["ops"].rows == 2, profile
                """)

    def test_several_paths_make_one_profile(self):
        sample = str(SOURCE / "examples" / "sample.log")
        run(f"""
            import ttscope
            assert ttscope.load({sample!r}, {sample!r})["ops"].rows == 2 * 86
            try:
                ttscope.load({sample!r}, {str(SOURCE / "examples" / "sample_graph.json")!r})
            except ValueError as error:
                assert "cannot be read together" in str(error)
            else:
                raise AssertionError("two kinds in one profile?")
            """)

    def test_every_kind(self):
        if SHARED is None:
            self.skipTest("no recorded profiles here")
        data = pathlib.Path(SHARED) / "data"
        log = data / "phase-logs" / "tinyllama_python_memory_efficient__14db4942dc0.log"
        capture = data / "graph-traces" / "current_format" / "segments_snapshot_feature.json"
        run(f"""
            import pathlib, ttscope
            phases = ttscope.load(pathlib.Path({str(log)!r}))["phases"]
            assert list(phases["dram_segment_change_mb"]) == [1855.26, 3708.76, 201.04, 1663.16, -0.39]
            segments = ttscope.load({str(capture)!r})["segments"]
            assert list(segments["name"])[1] == "matmul_operation"
            assert list(segments["dram_peak_bytes"]) == [34816, 83968, 272384]
            """)

    def test_what_is_none_is_told(self):
        run(f"""
            import ttscope
            for path, error in (({str(SOURCE / "LICENSE")!r}, ValueError), ("/nowhere/at/all", FileNotFoundError),
                                ({str(SOURCE)!r}, ValueError)):
                try:
                    ttscope.load(path)
                except error:
                    continue
                raise AssertionError(path)
            """)

    def test_numpy_is_needed_for_loading_only(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "numpy.py").write_text("raise ImportError('no numpy here')\n")
            environment = {"PYTHONPATH": f"{folder}{os.pathsep}{PACKAGE}", "PYTHONDONTWRITEBYTECODE": "1"}
            code = (f"import sys, ttscope\nassert 'numpy' not in sys.modules\ntry:\n"
                    f"    ttscope.load({str(SOURCE / 'examples' / 'sample.log')!r})\n"
                    "except ImportError:\n    print('told')\n")
            done = subprocess.run([PYTHON, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stdout, "told\n", done.stderr)


class Names(unittest.TestCase):
    def test_operations_have_one_name_in_both_languages(self):
        for header, module, left_out in (
                ("ops.h", "sim", {"name_of"}),
                ("autograd.h", "train", {"name_of", "make_tensor"})):
            text = (SOURCE / "include" / "ttscope" / header).read_text()
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


if not list(PACKAGE.glob("ttscope/_core*.so")):
    print("skipped: the Python module is not built")
    sys.exit(77)
if __name__ == "__main__":
    unittest.main()
