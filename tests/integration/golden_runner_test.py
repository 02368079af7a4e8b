#!/usr/bin/env python3
"""What tests/golden/run_golden.py takes for the name of a folder."""
import importlib.util
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
spec = importlib.util.spec_from_file_location("run_golden", SOURCE / "tests/golden/run_golden.py")
run_golden = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(run_golden)


class GoldenRunnerTest(unittest.TestCase):
    def test_a_path_is_named_as_a_path_only(self):
        for text in ("read /b/run.log", "/b", "in /b: nothing", '"/b"', "(/b)", "a\n/b/c"):
            self.assertTrue(run_golden.names(text, "/b"), text)
        for text in ("MB/bank", "/bank", "/a/b", "12 MB/b", "../b/c", "/b.log", "/b-2"):
            self.assertFalse(run_golden.names(text, "/b"), text)

    def test_an_output_that_names_the_checkout_is_refused(self):
        with self.assertRaises(ValueError):
            run_golden.independent_of_place(f"{run_golden.SOURCE}/examples/sample.log\n", "/home/nobody")
        self.assertEqual(run_golden.independent_of_place("/home/nobody/x 3 MB/bank\n", "/home/nobody"), "$HOME/x 3 MB/bank\n")


if __name__ == "__main__":
    unittest.main()
