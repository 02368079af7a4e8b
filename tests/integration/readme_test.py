#!/usr/bin/env python3
"""The README's console example shows what the program really prints: every line between two `...` must be in its output."""
import os
import re
import subprocess
import unittest

BUILD = os.environ["TTSCOPE_BUILD_DIR"]
SOURCE = os.environ["TTSCOPE_SOURCE_DIR"]


class ReadmeTest(unittest.TestCase):
    def test_console_examples_are_true(self):
        with open(os.path.join(SOURCE, "README.md")) as f:
            blocks = re.findall(r"```console\n\$ \./ttscope ([^\n]*)\n(.*?)```", f.read(), re.S)
        self.assertTrue(blocks)
        for arguments, shown in blocks:
            run = subprocess.run([os.path.join(BUILD, "ttscope"), *arguments.split()], cwd=SOURCE, text=True,
                                 capture_output=True)
            printed = run.stdout.splitlines()
            for line in shown.splitlines():
                if line != "...":
                    self.assertIn(line, printed)

    def test_documents_exist(self):
        """Also those that documents refer to; a format was named that nobody had described."""
        places = [SOURCE, *(os.path.join(SOURCE, "docs", *below) for below in ((), ("formats",), ("design",)))]
        for folder in places:
            for name in sorted(each for each in os.listdir(folder) if each.endswith(".md")):
                with open(os.path.join(folder, name)) as f:
                    text = re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", f.read(), flags=re.S))
                for link in re.findall(r"\]\(([^)#\s]+)", text):
                    if not re.match(r"[a-z]+:", link):
                        self.assertTrue(os.path.exists(os.path.join(folder, link)), f"{name}: {link}")


if __name__ == "__main__":
    unittest.main()
