"""Profiles in Python: what `ttscope.load` gives for every kind of input."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import SOURCE  # noqa: E402
from python_case import PACKAGE, PYTHON, main, run  # noqa: E402
from seed_document import SHARED  # noqa: E402


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

    def test_a_log_that_shrinks_ended_the_interpreter(self):
        with tempfile.TemporaryDirectory() as folder:
            run(f"""
                import os, shutil, ttscope
                path = shutil.copy({str(SOURCE / "examples" / "sample.log")!r}, {folder!r})
                profile = ttscope.load(path)
                os.truncate(path, 0)
                try:
                    list(profile["ops"]["loc"])
                except ValueError as error:
                    assert "shrank" in str(error), error
                else:
                    raise AssertionError("no complaint")
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


if __name__ == "__main__":
    main()
