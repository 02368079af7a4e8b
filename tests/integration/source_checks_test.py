#!/usr/bin/env python3
"""What tools/check_layers.py finds in a tree of sources: a check that finds nothing in ours proves nothing if it finds
nothing anywhere."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


class SourceChecksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, place, text):
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self, tool):
        done = subprocess.run([sys.executable, SOURCE / "tools" / tool, self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def findings(self, tool):
        code, output = self.check(tool)
        lines = [line.removeprefix(f"{self.root}/") for line in output.splitlines()[:-1]]
        self.assertEqual(code, 1 if lines else 0, output)
        return lines

    def write_sound_tree(self):
        self.write("src/base/text.h", "#pragma once\n")
        self.write("src/base/text.cc", '#include "base/text.h"\n')

    def test_a_sound_tree_passes(self):
        self.write_sound_tree()
        self.assertEqual(self.findings("check_layers.py"), [])

    def test_a_folder_includes_what_lies_below_it(self):
        self.write_sound_tree()
        self.write("src/io/file.h", '#include "base/text.h"\n')
        self.write("src/base/up.h", '#pragma once\n#include "io/file.h"\n')
        self.assertEqual(self.findings("check_layers.py"), ['src/base/up.h:2: base may not include "io/file.h" (allowed: base)'])

    def test_no_subject_includes_another_and_stages_have_an_order(self):
        self.write("src/perf/model/row.h", "#pragma once\n")
        self.write("src/perf/read/file.h", '#include "perf/model/row.h"\n')
        self.write("src/mem/model/log.h", '#include "perf/model/row.h"\n')
        self.write("src/perf/analyze/sum.h", '#include "perf/read/file.h"\n')
        self.assertEqual([line.split(" (")[0] for line in self.findings("check_layers.py")],
                         ['src/mem/model/log.h:1: mem may not include "perf/model/row.h"',
                          'src/perf/analyze/sum.h:1: perf/analyze may not include "perf/read/file.h"'])

    def test_a_root_file_joins_the_stages_that_it_is_allowed(self):
        self.write("src/perf/analyze/sum.h", "#pragma once\n")
        self.write("src/perf/write/text.h", "#pragma once\n")
        self.write("src/perf/load.cc", '#include "perf/analyze/sum.h"\n#include "perf/write/text.h"\n')
        self.write("src/perf/write/text.cc", '#include "perf/write/text.h"\n#include "perf/load.h"\n')
        self.write("src/perf/load.h", "#pragma once\n")
        self.write("src/perf/helpers.cc", "")
        self.assertEqual([line.split(" (")[0] for line in self.findings("check_layers.py")],
                         ["src/perf/helpers.cc:1: helpers is not a file that joins the stages of a subject",
                          'src/perf/load.cc:2: perf/load may not include "perf/write/text.h"',
                          'src/perf/write/text.cc:2: perf/write may not include "perf/load.h"'])

    def test_only_one_file_joins_the_simulator(self):
        self.write_sound_tree()
        self.write("simulator/sim/device.h", '#pragma once\n#include "base/text.h"\n')
        self.write("simulator/chip/core.h", '#include "sim/device.h"\n')
        self.write("src/app/simulator.cc", '#include "sim/device.h"\n')
        self.write("src/app/fit.cc", '#include "sim/device.h"\n#include <ttscope/device.h>\n')
        self.assertEqual([line.split(" (")[0] for line in self.findings("check_layers.py")],
                         ['simulator/chip/core.h:1: chip may not include "sim/device.h"',
                          'src/app/fit.cc:1: app may not include "sim/device.h"',
                          "src/app/fit.cc:2: <ttscope/device.h> is the simulator's: only app/simulator.cc includes it"])


if __name__ == "__main__":
    unittest.main()
