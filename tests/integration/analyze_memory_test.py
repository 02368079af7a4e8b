#!/usr/bin/env python3
"""`analyze_memory` prints what tt-train's script prints: its recorded runs, and argparse's own words for every misuse.

The recorded runs lie in TTSCOPE_SHARED_DIR on some machines; without it those cases are skipped and the rest is run on
the logs of examples/.
"""
import argparse
import contextlib
import io
import os
import pathlib
import shlex
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program_case import FAILED, OK, SOURCE, USAGE, ProgramCase  # noqa: E402

SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
RECORDED = pathlib.Path(SHARED or ".") / "data/analyze-memory"
PROGRAM = "analyze_memory"


def reference_parser(name):
    parser = argparse.ArgumentParser(prog=name, description="Analyze memory usage from tt-train logs")
    parser.add_argument("--logs", required=True, help="Path to log file containing memory usage summaries")
    for option, text in (
            ("device_memory", "Available device memory in bytes (can be extracted from logs if not provided)"),
            ("model_size", "Size of the model in bytes (can be extracted from logs if not provided, assumes bf16)"),
            ("optimizer_size", "Size of optimizer in bytes (default: 2 * model_size, assumes bf16)"),
            ("gradients_size", "Size of gradients in bytes (default: model_size, assumes bf16)")):
        parser.add_argument("--" + option, type=float, help=text)
    parser.add_argument("--visualize_peak", action="store_true",
                        help="Create a histogram visualization of peak memory usage breakdown")
    parser.add_argument("--use_actual_sizes", action="store_true",
                        help="Use actual measured values from logs for model/optimizer sizes in visualization instead "
                             "of theoretical values")
    parser.add_argument("--title", help="Optional title for the visualization")
    parser.add_argument("--output", default="memory_peak_visualization.png",
                        help="Output filename for visualization (default: memory_peak_visualization.png)")
    return parser


def reference_outcome(args, columns):
    """Exit code, standard output and error of argparse itself; None when it accepts the arguments."""
    out, err = io.StringIO(), io.StringIO()
    os.environ["COLUMNS"] = str(columns)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            reference_parser(PROGRAM).parse_args(args)
    except SystemExit as end:
        return end.code, out.getvalue(), err.getvalue()
    finally:
        del os.environ["COLUMNS"]
    return None


def png_size(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", path
    return struct.unpack(">II", head[16:24])


@unittest.skipIf(SHARED is None, "TTSCOPE_SHARED_DIR is not set, no recorded runs here")
class RecordedRuns(ProgramCase):
    def setUp(self):
        super().setUp()
        for log in list(RECORDED.glob("*.log")) + list((RECORDED.parent / "phase-logs").glob("*.log")):
            (self.folder / log.name).write_bytes(log.read_bytes())

    def arguments(self, case):
        """The recorded command line; titles were written down without quotes."""
        text = (RECORDED / f"{case}.args.txt").read_text().strip().replace("../phase-logs/", "")
        for title in ("TinyLlama Memory Comparison", "Memory Comparison: Efficient vs Default"):
            text = text.replace(title, shlex.quote(title))
        return shlex.split(text)

    def test_every_recorded_run(self):
        cases = sorted(p.name[:-len(".args.txt")] for p in RECORDED.glob("out_*.args.txt"))
        self.assertGreater(len(cases), 15)
        for case in cases:
            with self.subTest(case=case):
                done = self.run_program(*self.arguments(case), program=PROGRAM)
                wanted = {kind: (RECORDED / f"{case}.{kind}.txt").read_text() for kind in ("stdout", "stderr", "rc")}
                self.assertEqual(f"rc={done.returncode}", wanted["rc"].strip())
                if case in ("out_19_help", "out_20_no_args"):
                    self.check_usage(done, wanted)
                    continue
                self.assertEqual(done.stdout, wanted["stdout"])
                self.assertEqual(done.stderr, wanted["stderr"])
                picture = self.folder / f"{case}.png"
                self.assertEqual(picture.exists(), (RECORDED / f"{case}.png").exists())
                if picture.exists():
                    width, height = png_size(picture)
                    recorded_width, recorded_height = png_size(RECORDED / f"{case}.png")
                    self.assertLess(abs(width - recorded_width), 0.15 * recorded_width)
                    self.assertLess(abs(height - recorded_height), 0.15 * recorded_height)

    def check_usage(self, done, wanted):
        """The recorded script had another name, and argparse breaks lines by its length: word for word, then."""
        for mine, recorded in ((done.stdout, wanted["stdout"]), (done.stderr, wanted["stderr"])):
            self.assertEqual(mine.split(), recorded.replace("am_head.py", PROGRAM).split())


class Usage(ProgramCase):
    MISUSES = (
        [], ["-h"], ["--help"], ["--hel"], ["--h"], ["-hh"], ["-hx"], ["-h=1"], ["--help=1"], ["--logs"],
        ["--logs", "--title"], ["--logs", "-x"], ["--logs", "--", "x"], ["--title", "x"], ["x"], ["x", "y", "--title", "z"],
        ["--logs", "a", "b"], ["--logs", "a", "--nope"], ["--logs", "a", "--nope=1", "c"], ["--logs", "a", "--", "b"],
        ["--logs", "a", "-z", "-q"], ["--logs", "a", "-5"], ["--logs", "a", "-"], ["--o", "x", "--logs", "a"],
        ["--m", "x", "--logs", "a"], ["--mo", "1x"], ["--device_memory", "12GB", "--logs", "a"],
        ["--model_size=abc"], ["--model_size", "-1e5", "--logs", "a"], ["--model_size", "1__0", "--logs", "a"],
        ["--model_size", "0x10", "--logs", "a"], ["--model_size", "", "--logs", "a"], ["--model_size", "it's"],
        ["--model_size", "tab\there"], ["--visualize_peak=1", "--logs", "a"], ["--visualize", "no", "--logs", "a"],
        ["--v=2"], ["--lo", "a", "--us=x"], ["--model_size", "1", "2", "--logs", "a"], ["--", "--logs", "a"],
        ["--logs", "a", "a b"], ["--logs", "a", "-a b"], ["--logs", "a", "--a b"], ["--gradients_size", "é"],
    )
    ACCEPTED = (["--logs", "a"], ["--logs="], ["--log=a"], ["--l", "a"], ["--logs", "-5"], ["--logs", "a", "--mod", "-.5"],
                ["--logs", "a", "--model_size", " 1_000.5e3 "], ["--logs", "a", "--device_memory", "+inf"],
                ["--logs", "x", "--logs", "a"], ["--v", "--us", "--logs", "a"])

    def test_argparse_says_the_same(self):
        for args in self.MISUSES:
            for columns in (80, 60, 200):
                with self.subTest(args=args, columns=columns):
                    wanted = reference_outcome(args, columns)
                    self.assertIsNotNone(wanted)
                    done = self.run_program(*args, program=PROGRAM, env={"COLUMNS": str(columns)})
                    self.assertEqual((done.returncode, done.stdout, done.stderr), wanted)

    def test_what_argparse_accepts_is_accepted(self):
        for args in self.ACCEPTED:
            with self.subTest(args=args):
                self.assertIsNone(reference_outcome(args, 80))
                done = self.check(FAILED, *args, program=PROGRAM)
                self.assertIn("FileNotFoundError: [Errno 2] No such file or directory: ", done.stderr)


class OwnLogs(ProgramCase):
    LOG = SOURCE / "examples/training/phases.log"

    def test_a_log_of_two_runs(self):
        done = self.check(OK, "--logs", self.LOG, program=PROGRAM)
        self.assertIn("Found 2 memory usage summary/summaries\n", done.stdout)
        self.assertIn("assuming bf16)\nAvailable device memory, calculated from logs: ", done.stdout)
        self.assertTrue(done.stdout.endswith("Analysis complete\n" + "=" * 80 + "\n\n"))
        self.assertEqual(done.stderr, "")

    def test_a_picture_by_its_extension(self):
        for name, start in (("a.png", b"\x89PNG"), ("b", b"\x89PNG"), ("c.svg", b"<svg ")):
            done = self.check(OK, "--logs", self.LOG, "--visualize_peak", "--output", name, program=PROGRAM)
            self.assertTrue(done.stdout.endswith(f"\n\nVisualization saved to: {name}\n"))
            made = self.folder / (name if "." in name else name + ".png")
            self.assertTrue(made.read_bytes().startswith(start))
        self.check(FAILED, "--logs", self.LOG, "--visualize_peak", "--output", "d.gif", program=PROGRAM)
        self.assertFalse((self.folder / "d.gif").exists())

    def test_the_usual_picture(self):
        self.check(OK, "--logs", self.LOG, "--visualize_peak", program=PROGRAM)
        self.assertTrue((self.folder / "memory_peak_visualization.png").exists())

    def test_the_log_is_never_overwritten(self):
        log = self.folder / "a.png"
        log.write_bytes(self.LOG.read_bytes())
        self.check(FAILED, "--logs", log, "--visualize_peak", "--output", log, program=PROGRAM)
        self.assertEqual(log.read_bytes(), self.LOG.read_bytes())

    def test_errors_of_files(self):
        (self.folder / "folder").mkdir()
        done = self.check(FAILED, "--logs", "folder", program=PROGRAM)
        self.assertEqual(done.stderr, "IsADirectoryError: [Errno 21] Is a directory: 'folder'\n")
        (self.folder / "none.log").write_text("=== Memory Usage Summary ===\n--- MODEL_CREATION ---\n")
        done = self.check(FAILED, "--logs", "none.log", program=PROGRAM)
        self.assertEqual(done.stderr, "ValueError: No memory usage summaries found in the log file\n")

    def test_device_memory_that_no_line_tells(self):
        (self.folder / "a.log").write_text("Total parameters: 10\n=== Memory Usage Summary ===\nOverall DRAM Peak: 1.00 MB, \n")
        done = self.check(FAILED, "--logs", "a.log", program=PROGRAM)
        self.assertEqual(done.stderr, "ValueError: Error: Device memory not provided and could not be extracted from logs\n")
        self.assertIn("(10 parameters, assuming bf16)\n", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
