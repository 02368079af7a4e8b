#!/usr/bin/env python3
"""What tools/check_layers.py finds in a tree of sources: that it passes over ours says nothing if it finds nothing."""
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
        self.write("base/text.h", "#pragma once\n")
        self.write("base/text.cc", '#include "base/text.h"\n')

    def test_a_sound_tree_passes(self):
        self.write_sound_tree()
        self.assertEqual(self.findings("check_layers.py"), [])

    def test_a_source_has_its_own_header_or_a_reason(self):
        self.write_sound_tree()
        self.write("base/words.cc", '#include "base/text.h"\n')
        self.write("io/text.cc", '#include "base/text.h"\n// Too late.\n')
        self.write("io/empty.cc", "")
        self.write("io/reader.cc", '// Declared in base/text.h.\n#include "base/text.h"\n')
        reason = "nor begins with a comment that says where it is declared"
        self.assertEqual(self.findings("check_layers.py"),
                         [f'{name}.cc:1: neither includes "{name}.h" {reason}'
                          for name in ("base/words", "io/empty", "io/text")])

    def test_a_folder_includes_what_lies_below_it(self):
        self.write_sound_tree()
        self.write("io/file.h", '#include "base/text.h"\n')
        self.write("base/up.h", '#pragma once\n#include "io/file.h"\n')
        self.assertEqual(self.findings("check_layers.py"), ['base/up.h:2: base may not include "io/file.h" (allowed: base)'])

    def test_no_subject_includes_another_and_stages_have_an_order(self):
        self.write("perf/model/row.h", "#pragma once\n")
        self.write("perf/read/file.h", '#include "perf/model/row.h"\n')
        self.write("mem/model/log.h", '#include "perf/model/row.h"\n')
        self.write("perf/analyse/sum.h", '#include "perf/read/file.h"\n')
        self.assertEqual([line.split(" (")[0] for line in self.findings("check_layers.py")],
                         ['mem/model/log.h:1: mem may not include "perf/model/row.h"',
                          'perf/analyse/sum.h:1: perf/analyse may not include "perf/read/file.h"'])


if __name__ == "__main__":
    unittest.main()
