#!/usr/bin/env python3
"""Python under `ttscope trace`: zones of calls and lines beside those of the program, other Pythons, scripts behind links, children."""
import ast
import csv
import os
import subprocess
import zipfile

from trace_case import PYTHON, SOURCE, TTSCOPE, TraceCase, main

# Stands for another Python: the extension modules cannot be imported.
OTHER_PYTHON = """import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in ("ttscope._record", "ttscope._metal"):
            raise ImportError(f"no {name} for this Python")
sys.meta_path.insert(0, Refuse())
"""


class PythonCase(TraceCase):
    def times(self):
        with (self.logs / "tracy_ops_times.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def zones(self, name):
        return [row for row in self.times() if row["name"] == name]

    def run_whole(self, *words, **more):
        run = self.trace("--no-device", *words, **more)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run


class CurrentFolderTest(PythonCase):
    """What lies in the current folder runs only where the program is there, too."""

    def setUp(self):
        super().setUp()
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()
        self.model = self.script("print('model has run')\n", "elsewhere/model.py")
        self.environment["PATH"] = "/usr/bin:/bin"

    def trap(self, name):
        """A module of the current folder that leaves a trace."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("open('trapped', 'w').close()\n")

    def package(self, folder, name, **files):
        for file, text in {"__init__": "", **files}.items():
            path = self.folder / folder / name / (file + ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run_there(self, command, *words, **more):
        done = subprocess.run([str(TTSCOPE), command, *map(str, words)], cwd=self.folder, env=dict(self.environment, **more),
                              capture_output=True, text=True, timeout=120)
        self.assertFalse((self.folder / "trapped").exists(), f"{command} {words}: ran what lies in the current folder")
        return done

    def test_modules_of_python_itself_were_taken_from_the_current_folder(self):
        for name in ("importlib.py", "runpy.py", "os.py", "jax_plugins/__init__.py", "tracy/__init__.py", "ttnn/__init__.py"):
            self.trap(name)
        self.run_there("doctor")
        self.assertIn("PYTHONPATH", self.run_there("trace", "--env").stdout)
        for more in ({}, {"PYTHONSAFEPATH": "1"}):
            run = self.run_there("trace", "--no-device", "--", PYTHON, self.model, **more)
            self.assertIn("model has run", run.stdout, run.stderr)

    def test_doctor_loaded_the_package_around_the_plugin(self):
        self.package("site", "jax_plugins", __init__="open('trapped', 'w').close()\n")
        self.package("site/jax_plugins", "pjrt_plugin_tt")
        (self.folder / "site/jax_plugins/pjrt_plugin_tt/pjrt_plugin_tt.so").write_bytes(b"\x7fELF\0x\0")
        done = self.run_there("doctor", PYTHONPATH=str(self.folder / "site"))
        self.assertIn("site/jax_plugins/pjrt_plugin_tt", done.stdout)
        (self.folder / "site/jax_plugins/__init__.py").unlink()
        done = self.run_there("doctor", PYTHONPATH=str(self.folder / "site"))
        self.assertIn("site/jax_plugins/pjrt_plugin_tt", done.stdout, "a package without a file of its own")

    def test_tracy_of_the_current_folder_ran_in_place_of_that_which_was_found(self):
        runs_script = "import runpy, sys\nprint('their tracy', sys.argv[0])\nrunpy.run_path(sys.argv[-1])\n"
        self.package("site", "tracy", __main__=runs_script)
        self.package("site", "ttnn")
        for name in ("tracy/__init__.py", "tracy/__main__.py", "runpy.py"):
            self.trap(name)
        for more in ({}, {"PYTHONSAFEPATH": "1"}):
            run = self.run_there("trace", "-q", "--no-device", "--", PYTHON, self.model, PYTHONPATH=str(self.folder / "site"), **more)
            self.assertIn(f"their tracy {self.folder}/site/tracy/__main__.py\nmodel has run\n", run.stdout, run.stderr)

    def test_a_module_that_was_typed_is_found_in_the_current_folder(self):
        runs_module = "import runpy, sys\nprint('their tracy')\nrunpy.run_module(sys.argv[-1], run_name='__main__')\n"
        self.package("site", "tracy", __main__=runs_module)
        self.package("site", "ttnn")
        self.trap("tracy/__init__.py")
        self.script("import sys\nprint('module has run', sys.path[0])\n", "typed.py")
        run = self.run_there("trace", "-q", "--no-device", "--", PYTHON, "-m", "typed", PYTHONPATH=str(self.folder / "site"))
        self.assertIn(f"their tracy\nmodule has run {self.folder}\n", run.stdout, run.stderr)


class OtherPythonTest(PythonCase):
    def setUp(self):
        super().setUp()
        (self.folder / "other").mkdir()
        (self.folder / "other" / "sitecustomize.py").write_text(OTHER_PYTHON)
        self.environment["PYTHONPATH"] = str(self.folder / "other")

    def test_all_marks_of_another_python_were_dropped(self):
        run = self.run_whole("-r", self.script(
            "import sys, tracy\nassert 'ttscope._record' not in sys.modules\n"
            "tracy.start_tracy_zone('f.py', 'first', 3)\ntracy.stop_tracy_zone('second', 0xFF)\n"
            "def work():\n    pass\nwork()\ntracy.tracy_message('gr\\u00fc\\u00df \\ud800')\ntracy.signpost('kept', 'text')\n"))
        self.assertNotIn("Nothing was recorded", run.stderr)
        zone, = self.zones("first")
        self.assertEqual((zone["src_file"], zone["src_line"], zone["zone_name"]), ("f.py", "3", "second"))
        self.assertEqual(len(self.zones("PY_FUNC_work")), 1)
        self.assertIn("gr\u00fc\u00df \\ud800", (self.logs / "tracy_ops_data.csv").read_text())
        self.assertEqual([row["OP CODE"] for row in self.rows()], ["kept"])

    def test_why_ttnn_could_not_be_imported_spoke_of_an_unknown_location(self):
        run = self.trace("-p", "--no-device", self.script("import ttnn\n"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("the stand-in of ttnn needs the Python package ttscope: no ttscope._metal for this Python", run.stdout)

    def test_import_of_ttnn_began_with_a_traceback_out_of_our_package(self):
        # As where the modules of the package lie for another Python: its first import of them fails.
        package = self.folder / "package" / "ttscope"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("from . import core\n")
        (package / "core.py").write_text("from ._core import DRAMUsage\n")
        (package / "_metal.cpython-32-x86_64-linux-gnu.so").touch()
        run = self.trace("-p", "--no-device", self.script(
            "import sys\nfor name in [each for each in sys.modules if each.startswith('ttscope')]:\n    del sys.modules[name]\n"
            "sys.path.insert(0, 'package')\nimport ttnn\n"))
        self.assertEqual(run.returncode, 1)
        shown = run.stdout + run.stderr
        self.assertEqual(shown.count("Traceback"), 1, shown)
        self.assertNotIn("core.py", shown)
        self.assertRegex(shown, r"ImportError: the stand-in of ttnn needs .* was built for Python 3\.2, this is Python 3\.\d+\.\d+")

    def test_which_python_the_modules_are_for(self):
        package = self.folder / "package" / "ttscope"
        package.mkdir(parents=True)
        (package / "_metal.cpython-32-x86_64-linux-gnu.so").touch()
        run = self.run_whole("-p", self.script(
            "import sys\nfrom tracy import _other_python\nsys.path.insert(0, 'package')\n"
            "print(_other_python.reason('_metal', ImportError('no DRAMUsage')))\n"))
        self.assertIn("ttscope was built for Python 3.2, this is Python 3.", run.stdout)

    def test_a_recorder_that_no_python_can_load_was_silence(self):
        (self.folder / "other" / "sitecustomize.py").write_text(
            OTHER_PYTHON + "import ctypes\ndef refuse(*_): raise OSError('not here')\nctypes.PyDLL = refuse\n")
        run = self.run_whole("-p", self.script("from tracy import signpost\nsignpost('lost')\n"))
        self.assertEqual((run.stdout + run.stderr).count("no mark of this program is recorded: no ttscope._record for this Python"), 1)
        self.assertNotIn("marked nothing", run.stderr)


class OldPythonTest(PythonCase):
    """What Python 3.6 and 3.7 do not have is taken away from this one."""

    def setUp(self):
        super().setUp()
        (self.folder / "old").mkdir()
        (self.folder / "old" / "sitecustomize.py").write_text(
            "import io, os, time\ndel os.register_at_fork, io.open_code, time.perf_counter_ns\n")
        self.environment["PYTHONPATH"] = str(self.folder / "old")

    def test_a_script_did_not_run_where_python_has_no_open_code_and_no_register_at_fork(self):
        run = self.run_whole("-r", self.script(
            "import os, tracy\n"
            "class Zone:\n"
            "    def __enter__(self):\n        tracy.start_tracy_zone('z.py', 'MYZONE')\n"
            "    def __exit__(self, *_):\n        tracy.stop_tracy_zone()\n"
            "with Zone():\n"
            "    child = os.fork()\n"
            "    if child == 0:\n        print('child', tracy.stop_tracy_zone(), flush=True)\n        os._exit(0)\n"
            "    os.waitpid(child, 0)\n"
            "tracy.signpost('end')\n"))
        self.assertIn("child True", run.stdout)
        self.assertEqual(len(self.zones("MYZONE")), 1)
        enter, = [row for row in self.zones("PY_FUNC___enter__") if row["src_file"].endswith("script.py")]
        self.assertRegex(enter["zone_text"], r"^was over \d+ ns before this end")
        self.assertIn("end", [row["OP CODE"] for row in self.rows()])

    def test_an_older_python_was_told_of_wrong_syntax_in_our_file(self):
        (self.folder / "old" / "sitecustomize.py").write_text("import sys\nsys.version_info = (3, 5, 10)\n")
        run = self.trace("--no-device", self.script("print('runs')\n"))
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout + run.stderr, r"ttscope: Python 3\.6 or a later one is needed, this is Python 3\.")
        self.assertNotIn("runs", run.stdout)
        runner = SOURCE / "python" / "standins" / "tracy" / "tracy" / "run_program.py"
        kinds = {type(node).__name__ for node in ast.walk(ast.parse(runner.read_text()))}
        self.assertFalse(kinds & {"JoinedStr", "AnnAssign", "Nonlocal", "AsyncFunctionDef", "Starred"})


class CallTest(PythonCase):
    def test_a_zone_that_a_helper_began_was_cut_where_the_helper_returned(self):
        self.run_whole(self.script(
            "import time, tracy\n"
            "class Zone:\n"
            "    def __enter__(self):\n        tracy.start_tracy_zone('z.py', 'MYZONE')\n"
            "    def __exit__(self, *_):\n        tracy.stop_tracy_zone()\n        time.sleep(0.05)\n"
            "def inside():\n    time.sleep(0.1)\n"
            "with Zone():\n    inside()\n"))
        mine, = self.zones("MYZONE")
        inside, = self.zones("PY_FUNC_inside")
        self.assertGreater(int(mine["exec_time_ns"]), int(inside["exec_time_ns"]))
        # Zones are nested: the call of the helper has to hold its zone, and says how much of that was not its own.
        enter, = [row for row in self.zones("PY_FUNC___enter__") if row["src_file"].endswith("script.py")]
        self.assertRegex(enter["zone_text"], r"^was over \d{9} ns before this end")
        leave, rest = [row for row in self.zones("PY_FUNC___exit__") if row["src_file"].endswith("script.py")]
        self.assertLess(int(leave["exec_time_ns"]), 50_000_000)
        self.assertGreater(int(rest["exec_time_ns"]), 50_000_000)
        self.assertIn("goes on", rest["zone_text"])

    def test_stopping_one_zone_too_many_ended_the_zone_of_a_call(self):
        run = self.run_whole(self.script(
            "import tracy\ndef work():\n    print(tracy.stop_tracy_zone())\n    tracy.signpost('x')\nwork()\n"))
        self.assertIn("True", run.stdout)
        work, = self.zones("PY_FUNC_work")
        self.assertEqual(work["zone_text"], "")

    def test_a_zone_that_failed_to_begin_was_counted(self):
        run = self.run_whole("-p", self.script(
            "import tracy\ntry:\n    tracy.start_tracy_zone('f.py', 'Z', line_number='x')\nexcept TypeError:\n    print('refused')\n"
            "print(tracy.stop_tracy_zone())\n"))
        self.assertEqual(run.stdout.split()[-2:], ["refused", "True"])

    def test_a_zone_whose_last_words_were_refused_stayed_open(self):
        run = self.run_whole("-r", self.script(
            "import tracy\ndef stop():\n    tracy.stop_tracy_zone('', 'red')\n"
            "tracy.start_tracy_zone('f.py', 'Z')\ntry:\n    stop()\nexcept TypeError:\n    print('refused')\n"
            "print(tracy.stop_tracy_zone())\n"))
        self.assertEqual(run.stdout.split()[-2:], ["refused", "True"])
        self.assertNotIn("ended inside of", run.stderr)
        self.assertEqual((len(self.zones("Z")), len(self.zones("PY_FUNC_stop"))), (1, 2))

    def test_lines_inside_of_with_profiler_were_lost(self):
        lines = ("def leaf():\n    return 1\n"
                 "def body():\n    with Profiler():\n        a = leaf()\n        b = 2\n    c = 3\nbody()\n")
        self.run_whole("-p", "-l", self.script("from tracy import Profiler\n" + lines))
        self.assertLessEqual({"6", "7"}, {row["src_line"] for row in self.zones("PY_LINE_body")})
        self.assertNotIn("8", {row["src_line"] for row in self.zones("PY_LINE_body")})
        self.assertEqual([row["src_line"] for row in self.zones("PY_LINE_leaf")], ["3"])


class StartTest(PythonCase):
    def test_a_script_behind_a_link_did_not_find_its_modules(self):
        for name in ("real", "links"):
            (self.folder / name).mkdir()
        (self.folder / "real" / "sibling.py").write_text("VALUE = 5\n")
        (self.folder / "real" / "run.py").write_text("import sibling, sys\nprint(sibling.VALUE, sys.argv[0], __file__)\n")
        os.symlink("../real/run.py", self.folder / "links" / "run.py")
        run = self.run_whole("-p", "links/run.py")
        self.assertIn(f"5 links/run.py {self.folder.resolve()}/links/run.py\n", run.stdout)

    def test_folders_and_archives_were_refused_by_name(self):
        package = self.folder / "package"
        package.mkdir()
        (package / "__main__.py").write_text("import sys\nfrom tracy import signpost\nsignpost('inside')\nprint(__name__, sys.argv[1:])\n")
        with zipfile.ZipFile(self.folder / "app.pyz", "w") as archive:
            archive.write(package / "__main__.py", "__main__.py")
        zipped = (self.folder / "app.pyz").read_bytes()
        (self.folder / "bundle.zip").write_bytes(zipped)
        (self.folder / "tool").write_bytes(b"#!/usr/bin/env python3\n" + zipped)
        (self.folder / "tool").chmod(0o755)
        subprocess.run([PYTHON, "-c", "import py_compile; py_compile.compile('package/__main__.py', cfile='compiled.pyc')"],
                       cwd=self.folder, check=True)
        for path in ("package", "app.pyz", "bundle.zip", "tool", "compiled.pyc"):
            run = self.run_whole("-p", "-q", "-o", f"out_{path}", path, "a b")
            self.assertEqual(run.stdout, "__main__ ['a b']\n", path + run.stderr)
            self.assertIn("TT_SIGNPOST: inside", (self.folder / f"out_{path}" / ".logs" / "tracy_ops_data.csv").read_text())
        (self.folder / "empty").mkdir()
        refused = self.trace("empty")
        self.assertEqual(refused.returncode, 126)
        self.assertIn("has no __main__.py", refused.stderr)


class ChildTest(PythonCase):
    def test_programs_and_children_that_left_by_exit_looked_broken(self):
        run = self.run_whole("-r", self.script(
            "import os\nfrom tracy import signpost\n"
            "def leave():\n    signpost('child')\n    os._exit(0)\n"
            "def begin():\n    child = os.fork()\n    if child == 0:\n        leave()\n    os.waitpid(child, 0)\n"
            "begin()\nsignpost('parent')\n"))
        self.assertNotIn("ended inside of", run.stderr)
        self.assertEqual(sorted(row["OP CODE"] for row in self.rows()), ["child", "parent"])
        self.assertEqual(len(self.zones("PY_FUNC_leave")), 1)
        run = self.trace("-r", "--no-device", self.script(
            "import os\nfrom tracy import signpost\ndef leave():\n    signpost('program')\n    os._exit(3)\nleave()\n"))
        self.assertEqual(run.returncode, 3)
        self.assertNotIn("ended inside of", run.stderr)


if __name__ == "__main__":
    main()
