#!/usr/bin/env python3
"""What tools/lint.py looks at again, and what it takes for a finding. A stand-in plays clang-tidy."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))

# Complains about the word BAD in what it is given and in what that includes; JOINT_ONLY only in a joint text.
STANDIN = """#!{python}
import pathlib, re, sys
if sys.argv[1] == "--version":
    print("stand-in 1")
    sys.exit(0)
given = [pathlib.Path(a) for a in sys.argv[1:sys.argv.index("--")] if not a.startswith("-")]
with open("{seen}", "a") as seen:
    seen.write(" ".join(p.name for p in given) + "\\n")
wrong = 0
for path in given:
    texts = {{path: path.read_text()}}
    for name in re.findall('#include "(/[^"]+)"', texts[path]):
        texts[pathlib.Path(name)] = pathlib.Path(name).read_text()
    joint = path.name.startswith("joint_")
    for place, text in texts.items():
        alone = any("misc-unused-using-decls" in a for a in sys.argv)
        if "BAD" in text and not alone:
            print(f"{{place}}:1:1: error: bad word [check]")
            wrong = 1
        if joint and "JOINT_ONLY" in text:
            print(f"{{place}}:1:1: error: twice [clang-diagnostic-error]")
            wrong = 1
print("17 warnings generated.", file=sys.stderr)
sys.exit(wrong)
"""


class LintTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "tree"
        self.seen = self.root.parent / "seen"
        self.write(".clang-tidy", "Checks: all")
        self.write("src/a/low.h", "int low();\n")
        self.write("src/a/one.h", '#include "a/low.h"\n')
        self.write("src/a/one.cc", '#include "a/one.h"\n')
        self.write("src/a/two.cc", "int two() { return 2; }\n")
        self.write("src/b/three.cc", "#include <vector>\n")
        program = self.write("bin/clang-tidy-14", STANDIN.format(python=sys.executable, seen=self.seen))
        program.chmod(0o755)
        self.write_commands()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def write_commands(self, flags_of_b="-O0"):
        self.write("build/clang/compile_commands.json", json.dumps([
            {"file": str(self.root / file), "command": f"c++ {flags} -o x.o -c {self.root / file}", "directory": "/"}
            for file, flags in (("src/a/one.cc", "-O0"), ("src/a/two.cc", "-O0"), ("src/b/three.cc", flags_of_b),
                                ("tests/not_ours.cc", "-O0"))]))

    def lint(self, *args):
        """The exit code, what was printed, and the files that clang-tidy was given."""
        self.seen.write_text("")
        environment = {**os.environ, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([sys.executable, SOURCE / "tools/lint.py", "--root", self.root, *args], env=environment,
                              capture_output=True, text=True, check=False, cwd=self.root)
        return done.returncode, done.stdout, self.seen.read_text().split()

    def changed(self, *args):
        code, printed, _ = self.lint(*args)
        self.assertEqual(code, 0, printed)
        return int(printed.split()[1])

    def test_what_is_clean_is_not_looked_at_again(self):
        self.assertEqual(self.changed(), 3)
        code, printed, seen = self.lint()
        self.assertEqual((code, seen), (0, []), printed)

    def test_whatever_a_result_depends_on_is_looked_at_again(self):
        self.changed()
        self.write("src/a/two.cc", "int two() { return 3; }\n")
        self.assertEqual(self.changed(), 1)
        self.write("src/a/low.h", "int low(); // included by what one.cc includes\n")
        self.assertEqual(self.changed(), 1)
        self.write_commands("-O1")
        self.assertEqual(self.changed(), 1)
        self.write(".clang-tidy", "Checks: more")
        self.assertEqual(self.changed(), 3)

    def test_a_finding_is_told_by_its_file_until_it_is_mended(self):
        self.write("src/a/two.cc", "BAD\n")
        for _ in range(2):
            code, printed, _ = self.lint()
            self.assertEqual(code, 1)
            self.assertEqual(printed.count("bad word"), 1, printed)
            self.assertIn("two.cc:1:1", printed)
        self.assertTrue(printed.startswith("lint: 1 of 3 files changed"), printed)
        self.write("src/a/two.cc", "good\n")
        self.assertEqual(self.changed(), 1)

    def test_what_is_only_wrong_together_is_no_finding(self):
        self.write("src/a/two.cc", "JOINT_ONLY\n")
        self.assertEqual(self.changed(), 3)
        self.assertEqual(self.changed(), 0)

    def test_folders_can_be_named(self):
        self.assertEqual(self.changed("src/b"), 1)
        self.assertEqual(self.changed(), 2)
        code, _, _ = self.lint("src/nowhere")
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
