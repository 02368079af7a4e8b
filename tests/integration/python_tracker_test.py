"""The tracker in Python: the results of the C++ library, captures from ttnn where there is one."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from python_case import STANDIN, main, run  # noqa: E402
from seed_document import SHARED, snippets  # noqa: E402


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


if __name__ == "__main__":
    main()
