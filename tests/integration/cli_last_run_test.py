"""`ttscope last-run`."""
import gzip
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402
from cli_case import CliTest  # noqa: E402
from program_case import BUILD, OK, USAGE  # noqa: E402


class LastRun(CliTest):
    def cut(self, *parts, name="run.log"):
        path = self.file(name, *parts)
        done = self.check(OK, "last-run", path, "-o", "last.log")
        self.assertEqual(done.stdout, "")
        self.assertEqual(path.read_text(), log.text(*parts))
        return (self.folder / "last.log").read_text(), done.stderr

    def test_between_the_last_two_markers(self):
        runs = [log.program(base_mb=float(i), marker=True) for i in range(1, 4)]
        kept, said = self.cut(log.module(), "warm-up starts", *runs, "bye")
        self.assertEqual(kept, log.text(log.module(), "warm-up starts", runs[2], "bye"))
        self.assertIn("Got output shape", said)

    def test_several_markers_of_one_run(self):
        runs = [log.program(marker=True) + ["Got output shape: torch.Size([2])"] for _ in range(2)]
        kept, _ = self.cut(*runs)
        self.assertEqual(kept, log.text(runs[1]))

    def test_repeated_program(self):
        runs = [log.program(base_mb=float(i)) for i in range(1, 4)]
        kept, said = self.cut(log.module(), *runs)
        self.assertEqual(kept, log.text(log.module(), runs[2]))
        self.assertIn("1 of 3 program runs", said)

    def test_repeated_sequence_of_programs(self):
        a, b = log.program(ops=("add", "exp")), log.program(ops=("multiply",))
        kept, _ = self.cut(a, b, a, "between", b)
        self.assertEqual(kept, log.text(a, "between", b))

    def test_the_first_pass_may_have_const_eval(self):
        nested = log.program("main_const_eval_0", ops=("full",))
        cached = [log.load_cached(0, "main_const_eval_0")] + log.block("before operation LoadCachedOp", 1.0)
        rest = log.program()[1:]
        start = log.program()[:1]
        kept, _ = self.cut(start, cached, nested, rest, start, cached, rest)
        self.assertEqual(kept, log.text(start, cached, rest))

    def test_a_crash_in_the_last_run(self):
        run = log.program(ops=("add", "exp", "multiply"))
        kept, _ = self.cut(run, run, run[:8])
        self.assertEqual(kept, log.text(run[:8]))

    def test_one_run_is_kept_whole(self):
        kept, said = self.cut(log.module(), log.program(marker=True), "end")
        self.assertEqual(kept, log.text(log.module(), log.program(marker=True), "end"))
        self.assertIn("only one run", said)

    def test_module_dumps_stay_wherever_they_are(self):
        first, second = log.program(), log.program()
        kept, _ = self.cut(first[:7] + log.module() + first[7:], log.module("ttir"), second)
        self.assertEqual(kept, log.text(log.module(), log.module("ttir"), second))

    def test_blocks_around_earlier_programs_go(self):
        before, after = (lambda mb: log.block("before submit", mb)), (lambda mb: log.block("after submit", mb))
        run = log.program()
        kept, _ = self.cut(before(1), run, after(2), before(3), run, after(4))
        self.assertEqual(kept, log.text(before(3), run, after(4)))

    def test_interleaved_ranks(self):
        run = log.program()
        lines = [line for pair in zip(log.tagged(0, run + run), log.tagged(1, run + run)) for line in pair]
        kept, _ = self.cut(lines, "untagged")
        expected = [line for pair in zip(log.tagged(0, run), log.tagged(1, run)) for line in pair]
        self.assertEqual(kept, log.text(expected, "untagged"))

    def test_bytes_are_copied_exactly(self):
        run = log.text(log.program()).encode()
        odd = b"\xff\xfe caf\xe9 \x00 \x1b[31m\r\n"
        path = self.folder / "odd.log"
        path.write_bytes(odd + run.replace(b"\n", b"\r\n") + odd + run.replace(b"\n", b"\r\n") + b"no newline at the end\xff")
        self.check(OK, "last-run", path, "-o", "last.log")
        self.assertEqual((self.folder / "last.log").read_bytes(),
                         odd + odd + run.replace(b"\n", b"\r\n") + b"no newline at the end\xff")

    def test_in_place_and_compressed(self):
        run = log.program()
        path = self.file("run.log", run, run)
        packed = self.folder / "run.log.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        self.check(USAGE, "last-run", packed, "--in-place")
        self.check(OK, "last-run", packed, "-o", "plain.log")
        self.check(OK, "last-run", path, "--in-place")
        self.assertEqual(path.read_text(), log.text(run))
        self.assertEqual((self.folder / "plain.log").read_text(), log.text(run))
        self.assertEqual(self.check(OK, "last-run", path, "-o", "-").stdout, log.text(run))
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith(".")], [])

    def test_the_pass_of_a_model_with_a_helper(self):
        helper, warm_up, model = log.program("helper", ("abs", "neg")), log.program(ops=("add",) * 9), \
            log.program(ops=("multiply",) * 9)
        lines = [helper, helper, warm_up, helper, helper, model, helper, helper, model, helper, helper]
        kept, _ = self.cut(*lines)
        self.assertEqual(kept, log.text(model, helper, helper))

    def test_the_log_stays_until_its_copy_is_whole(self):
        path = self.file("run.log", *[log.program()] * 40)
        before = path.read_bytes()
        limit = ["bash", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "bash"]
        done = subprocess.run([*limit, str(BUILD / "ttscope"), "last-run", str(path), "--in-place"], capture_output=True)
        self.assertNotEqual(done.returncode, OK)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name != "home"], ["run.log"])

    def test_where_it_goes_must_be_said_once(self):
        run = self.usual_log()
        before = run.read_bytes()
        for args in ([], ["-o", "x", "--in-place"], ["-o", ""]):
            self.check(USAGE, "last-run", run, *args)
        self.check(USAGE, "last-run", "-", "-o", "x")
        self.assertEqual(run.read_bytes(), before)


if __name__ == "__main__":
    unittest.main(verbosity=1)
