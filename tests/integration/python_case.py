"""What tests of the Python module share: a fresh interpreter that finds the built package."""
import os
import pathlib
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import BUILD, SOURCE  # noqa: E402

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


def main():
    """Runs the tests of the file; without the package they are skipped."""
    if not list(PACKAGE.glob("ttscope/_core*.so")):
        print("skipped: the Python module is not built")
        sys.exit(77)
    unittest.main()
