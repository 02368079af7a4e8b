#!/usr/bin/env python3
"""What tools/check_layers.py and check_names.py find in a tree of sources: that they pass over ours says nothing if
they find nothing."""
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

    def write_types(self, place, space, *names):
        types = "".join(f"struct {name} {{\n  int x = 0;\n}};\n" for name in names)
        self.write(place, f"namespace {space} {{\n{types}}}  // namespace {space}\n")

    def test_a_name_is_one_thing_in_its_namespace(self):
        self.write_types("mem/a.h", "ttscope::mem", "Row")
        self.write_types("mem/b.h", "ttscope::mem", "Row")
        self.assertEqual([line.replace(str(self.root), "") for line in self.findings("check_names.py")],
                         ["mem/a.h:2: ttscope::mem::Row is also defined in /mem/b.h:2: one name, one thing"])

    def test_a_word_of_two_namespaces_is_one_thing_or_an_exception(self):
        self.write_types("mem/a.h", "ttscope::mem", "Outcome", "Profile")
        self.write_types("gate/b.h", "ttscope::gate", "Outcome", "Profile")
        self.assertEqual([line.replace(str(self.root), "") for line in self.findings("check_names.py")],
                         ["gate/b.h:2: Outcome is another thing in /mem/a.h:2: one word, one thing"])

    def test_a_namespace_of_declarations_swallowed_the_next_one(self):
        """It ends without a comment; what stood behind it was taken for a type of both."""
        self.write("app/open.h", "namespace ttscope::mem {\nstruct Row;\n}\nnamespace ttscope::app {\nstruct Row {\n};\n"
                                 "}  // namespace ttscope::app\n")
        self.write_types("app/row.h", "ttscope::app", "Row")
        self.assertEqual(len(self.findings("check_names.py")), 1)


if __name__ == "__main__":
    unittest.main()
