#!/usr/bin/env python3
"""How tools/fuzz.py shares the time among targets."""
import io
import os
import pathlib
import stat
import sys
import tarfile
import tempfile
import textwrap
import unittest
from unittest import mock

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools"))
import corpus  # noqa: E402
import fuzz  # noqa: E402

OUTPUT = """INFO: Seed: 1
#2\tINITED cov: 10 ft: 12 corp: 1/1b exec/s: 0 rss: 30Mb
#5\tNEW    cov: 11 ft: 20 corp: 2/3b lim: 4 exec/s: 0 rss: 30Mb L: 2/2 MS: 1 ChangeBit-
#900\tDONE   cov: 15 ft: 42 corp: 9/30b lim: 8 exec/s: 450 rss: 31Mb
stat::number_of_executed_units: 901
"""


def ran(name, recent, seconds=1.0):
    target = fuzz.Target(name, seconds=seconds, slices=1)
    target.recent.extend(recent)
    return target


FAKE_TARGET = """\
    #!/usr/bin/env python3
    # As a program of libFuzzer: complains of inputs with an X, and makes them small when it is asked to.
    import pathlib, sys
    options, inputs = [a for a in sys.argv[1:] if a[0] == "-"], [a for a in sys.argv[1:] if a[0] != "-"]
    if "-minimize_crash=1" in options:
        to = next(option.split("=", 1)[1] for option in options if option.startswith("-exact_artifact_path="))
        pathlib.Path(to).write_bytes({small})
        sys.exit(0)
    if b"X" in pathlib.Path(inputs[0]).read_bytes():
        print("#12 NEW cov: 3 ft: 4\\nbroken: rule 7 at 0x55aa", file=sys.stderr)
        sys.exit(77)
    """


class FuzzFindingsTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.temporary.name)
        self.kept, self.build = folder / "corpus", folder / "build"
        self.findings = self.build / "findings"
        self.findings.mkdir(parents=True)
        self.patched = mock.patch.multiple(fuzz, KEPT=self.kept, BUILD=self.build)
        self.patched.start()

    def tearDown(self):
        self.patched.stop()
        self.temporary.cleanup()

    def target(self, small):
        program = self.build / "tests/fuzz/fuzz_fake"
        program.parent.mkdir(parents=True)
        program.write_text(textwrap.dedent(FAKE_TARGET).format(small=small))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return fuzz.Target("fake")

    def finding(self, content, digit="a"):
        path = self.findings / f"fake-crash-{digit * 40}"
        path.write_bytes(content)
        return path

    def test_a_finding_becomes_a_small_test(self):
        path = self.finding(b"aaaaXbbbb")
        tests = fuzz.file_findings(self.target('b"X"'))
        self.assertEqual([test.read_bytes() for test in tests], [b"X"])
        self.assertEqual(tests[0].parent, self.kept / "fake")
        self.assertFalse(path.exists())
        self.assertEqual((self.findings / "filed" / path.name).read_bytes(), b"aaaaXbbbb")
        self.assertIn("rule 7", (self.findings / "filed" / (path.name + ".txt")).read_text())

    def test_a_small_input_without_the_complaint_is_none(self):
        self.finding(b"aaaaXbbbb")
        self.assertEqual([test.read_bytes() for test in fuzz.file_findings(self.target('b"y"'))], [b"aaaaXbbbb"])

    def test_equal_complaints_are_one_test(self):
        self.finding(b"1X1", "a")
        self.finding(b"2X2", "b")
        self.assertEqual(len(fuzz.file_findings(self.target('b"X"'))), 1)

    def test_what_was_fixed_meanwhile_is_no_finding(self):
        self.finding(b"fine")
        self.assertEqual(fuzz.file_findings(self.target('b"X"')), [])

    def test_executions_are_counted(self):
        fuzz.count_executions(fuzz.Target("fake"), 12, 3.4)
        fuzz.count_executions(fuzz.Target("fake"), 5, 1)
        self.assertEqual((self.build / "executions.csv").read_text(), "fake,12,3\nfake,5,1\n")


class CorpusTest(unittest.TestCase):
    """An archive of what a fuzzer found, beside the inputs that have names."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        patched = mock.patch.object(corpus, "KEPT", self.root / "kept")
        patched.start()
        self.addCleanup(patched.stop)
        (self.root / "kept/fake").mkdir(parents=True)
        (self.root / "kept/fake/named").write_bytes(b"chosen")

    def test_found_inputs_come_back_beside_the_named_ones(self):
        folder = self.root / "unpacked"
        corpus.unpack("fake", folder)
        for digit in "ab":
            (folder / (digit * 40)).write_bytes(digit.encode())
        corpus.pack("fake", folder)
        first = (self.root / "kept/fake.tar.xz").read_bytes()
        corpus.pack("fake", folder)
        self.assertEqual((self.root / "kept/fake.tar.xz").read_bytes(), first)
        corpus.unpack("fake", folder)
        self.assertEqual({path.name: path.read_bytes() for path in folder.iterdir()},
                         {"named": b"chosen", "a" * 40: b"a", "b" * 40: b"b"})
        self.assertEqual(corpus.targets(), ["fake"])

    def test_an_archive_holds_hashes_only(self):
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w:xz") as tar:
            tar.addfile(tarfile.TarInfo("../outside"), io.BytesIO())
        (self.root / "kept/fake.tar.xz").write_bytes(plain.getvalue())
        with self.assertRaisesRegex(SystemExit, "not the hash"):
            corpus.unpack("fake", self.root / "unpacked")


class FuzzScheduleTest(unittest.TestCase):
    def test_output_of_a_slice(self):
        self.assertEqual(fuzz.read_slice(OUTPUT), fuzz.Slice(901, 15, 42, 30))
        crashed = fuzz.read_slice(OUTPUT[:OUTPUT.index("#900")] + "==1==ERROR: AddressSanitizer\n")
        self.assertEqual(crashed, fuzz.Slice(5, 11, 20, 8))
        self.assertEqual(fuzz.read_slice(""), fuzz.Slice())

    def test_every_target_gets_a_slice_first(self):
        self.assertEqual(fuzz.next_target([ran("a", [9]), fuzz.Target("b")]).name, "b")

    def test_then_whoever_found_most_lately(self):
        self.assertEqual(fuzz.next_target([ran("a", [1, 2]), ran("b", [0, 5]), ran("c", [0, 0])]).name, "b")

    def test_what_was_found_long_ago_does_not_count(self):
        old = ran("a", [100, 0, 0])
        self.assertEqual(fuzz.next_target([old, ran("b", [0, 1])]).name, "b")

    def test_where_nothing_is_found_whoever_ran_least(self):
        self.assertEqual(fuzz.next_target([ran("a", [0], 5), ran("b", [0], 3)]).name, "b")

    def test_a_target_with_a_finding_is_left_alone(self):
        found = ran("a", [9])
        found.has_finding = True
        self.assertEqual(fuzz.next_target([found, ran("b", [0])]).name, "b")
        self.assertIsNone(fuzz.next_target([found]))

    def test_the_first_round_takes_a_third_at_most(self):
        for seconds, count in ((600, 38), (60, 1), (3600, 6)):
            self.assertLessEqual(fuzz.slice_seconds(seconds, count) * count, seconds / 3)

    def test_every_reader_has_a_dictionary_and_a_corpus(self):
        for target in fuzz.chosen("readers"):
            self.assertTrue(any("-dict=" in option for option in fuzz.options_of(target)), target.name)
            self.assertIn(target.name, fuzz.corpus.targets())


if __name__ == "__main__":
    unittest.main()
