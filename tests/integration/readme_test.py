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

    def test_every_command_has_one_row(self):
        """`perf` had two, which said different things."""
        with open(os.path.join(SOURCE, "README.md")) as f:
            text = f.read()
        table = re.search(r"\n## Commands\n(.*?)\n## ", text, re.S).group(1)
        cells = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
        named = [name for cell in cells for name in re.findall(r"`ttscope ([a-z-]+)\b", cell)]
        usage = subprocess.run([os.path.join(BUILD, "ttscope"), "--help"], text=True, capture_output=True, check=True).stdout
        commands = re.findall(r"^  ([a-z-]+) ", usage[usage.index("Commands:"):usage.index("Start with")], re.M)
        self.assertEqual(sorted(named), sorted(set(commands) - {"demo", "help"}))
        self.assertIn("./ttscope demo", text)
        self.assertLess(len(text.splitlines()), 120, "README stays short")

    @unittest.skipIf("TTSCOPE_WITHOUT_SIMULATOR" in os.environ, "needs the simulator")
    def test_the_launcher_built_too_little_to_trace_python(self):
        """In a fresh clone `./ttscope trace` had no stand-ins."""
        with open(os.path.join(SOURCE, "ttscope")) as f:
            targets, = re.findall(r'targets="([^"]+)"', f.read())
        built = subprocess.run(["ninja", "-C", BUILD, "-t", "graph", *targets.split()], text=True, capture_output=True, check=True).stdout
        for needed in ("python_standins/made", "python/ttscope/_record", "python/ttscope/_metal", "python/ttscope/_core", "libttscope_record.so"):
            self.assertIn(f'label="{needed}', built)

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

    def test_the_index_names_every_document(self):
        """Two formats could not be found from there."""
        docs = os.path.join(SOURCE, "docs")
        with open(os.path.join(docs, "README.md")) as f:
            named = set(re.findall(r"\]\(([^)#\s]+)", f.read()))
        there = {os.path.join(below, name) for below in ("", "formats", "design")
                 for name in os.listdir(os.path.join(docs, below)) if name.endswith(".md")}
        self.assertEqual(there - {"README.md"} - named, set())

    def test_links_into_documents_name_a_heading(self):
        def anchor(heading):
            return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")

        for name in sorted(os.listdir(os.path.join(SOURCE, "docs"))):
            if not name.endswith(".md"):
                continue
            with open(os.path.join(SOURCE, "docs", name)) as f:
                links = re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", re.sub(r"```.*?```", "", f.read(), flags=re.S))
            for path, place in links:
                if re.match(r"[a-z]+:", path):
                    continue
                with open(os.path.join(SOURCE, "docs", path or name)) as f:
                    headings = re.findall(r"^#+ (.*)$", f.read(), re.M)
                self.assertIn(place, [anchor(each) for each in headings], f"{name}: {path}")


if __name__ == "__main__":
    unittest.main()
