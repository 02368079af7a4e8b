"""What the tests that run the real programs share: a folder, a home, and the programs in them."""
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("TTSCOPE_BUILD_DIR", "."))
SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parent.parent.parent))
HAS_SIMULATOR = "TTSCOPE_WITHOUT_SIMULATOR" not in os.environ
OK, FAILED, USAGE, LIMIT, NOTHING = 0, 1, 2, 3, 4


class ProgramCase(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.home = self.folder / "home"
        self.home.mkdir()

    def tearDown(self):
        self.temporary.cleanup()

    def run_program(self, *args, program="ttscope", **options):
        """Runs in the test's folder with a home of its own; the result has text streams."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "xterm"}
        environment.update(options.pop("env", {}))
        options.setdefault("stdin", subprocess.DEVNULL if "input" not in options else None)
        if options["stdin"] is None:
            options.pop("stdin")
        return subprocess.run([str(BUILD / program), *map(str, args)], capture_output=True, cwd=self.folder,
                              env=environment, encoding="utf-8", errors="surrogateescape", timeout=120, **options)

    def check(self, code, *args, **options):
        done = self.run_program(*args, **options)
        self.assertEqual(done.returncode, code, f"{args}\n{done.stdout[-500:]}\n{done.stderr[-500:]}")
        return done
