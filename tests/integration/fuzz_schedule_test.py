#!/usr/bin/env python3
"""How tools/fuzz.py shares the time among targets."""
import importlib.util
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
spec = importlib.util.spec_from_file_location("fuzz", SOURCE / "tools/fuzz.py")
fuzz = importlib.util.module_from_spec(spec)
sys.modules["fuzz"] = fuzz
sys.dont_write_bytecode = True
spec.loader.exec_module(fuzz)

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
            self.assertTrue(any((fuzz.KEPT / target.name).iterdir()), target.name)


if __name__ == "__main__":
    unittest.main()
