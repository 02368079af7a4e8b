"""What tests of `ttscope trace` share: a folder, an environment without variables of the profiler, scripts and programs in it."""
import csv
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["TTSCOPE_BUILD_DIR"])
SOURCE = pathlib.Path(os.environ["TTSCOPE_SOURCE_DIR"])
TTSCOPE = BUILD / "ttscope"
EXAMPLES = SOURCE / "examples" / "trace"
PYTHON = "/usr/bin/python3"


def main():
    """Runs the tests of the file; without the Python module they are skipped."""
    if not (BUILD / "python_standins" / "tracy").is_dir() or not list((BUILD / "python" / "ttscope").glob("_record*.so")):
        print("the Python module is not built")
        sys.exit(77)
    unittest.main()


class TraceCase(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith(("TT_METAL", "OMPI", "TTNN", "TRACY", "PYTHONPATH", "TT_ARCH", "ARCH_NAME"))}

    def trace(self, *words, **more):
        environment = dict(self.environment, **more)
        return subprocess.run([TTSCOPE, "trace", *map(str, words)], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=300)

    def script(self, text, name="script.py"):
        path = self.folder / name
        path.write_text(text)
        return path

    def program(self, text, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    @property
    def logs(self):
        return self.folder / "generated" / "profiler" / ".logs"

    def reports(self):
        return sorted((self.folder / "generated" / "profiler" / "reports").glob("*"))

    def rows(self, pattern="reports/*/ops_perf_results_*.csv"):
        path, = (self.folder / "generated" / "profiler").glob(pattern)
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
