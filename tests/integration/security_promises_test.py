#!/usr/bin/env python3
"""Every numbered promise of docs/security.md names a test that exists and is called like it."""
import pathlib
import re
import unittest

from program_case import SOURCE

PROMISE = re.compile(r"^(\d+)\. (.+)\. \(`([\w.]+)`\)$")
FOLDERS = {".py": "tests/integration", ".mjs": "tests/integration/browser", ".cc": "tests/unit/serve"}


def words_of(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def tests_in(path):
    """The names of the tests of a file, as words."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return [name.split("_") for name in re.findall(r"^    def test_(\w+)\(self\):", text, re.MULTILINE)]
    if path.suffix == ".mjs":
        return [words_of(name) for name in re.findall(r'^browserCase\("security: ([^"]+)"', text, re.MULTILINE)]
    return [words_of(re.sub(r"([A-Z])", r" \1", name)) for name in re.findall(r"^TEST(?:_F)?\(\w+, (\w+)\)", text, re.MULTILINE)]


class Promises(unittest.TestCase):
    def setUp(self):
        self.lines = (SOURCE / "docs/security.md").read_text(encoding="utf-8").splitlines()

    def test_each_names_a_test_that_is_called_like_it(self):
        numbered = [line for line in self.lines if re.match(r"\d+\.", line)]
        self.assertGreater(len(numbered), 20)
        for expected, line in enumerate(numbered, 1):
            promise = PROMISE.match(line)
            self.assertTrue(promise, f"not a numbered sentence with the file of its test: {line}")
            number, sentence, name = promise.groups()
            self.assertEqual(int(number), expected)
            path = SOURCE / FOLDERS[pathlib.Path(name).suffix] / name
            self.assertTrue(path.is_file(), f"{name} of promise {number} is no file")
            self.assertIn(words_of(sentence), tests_in(path), f"promise {number} has no test in {name}")

    def test_each_test_of_a_promise_stands_in_the_document(self):
        promised = [words_of(PROMISE.match(line)[2]) for line in self.lines if PROMISE.match(line)]
        for name in ("tests/integration/serve_security_test.py", "tests/integration/browser/cases_security.mjs"):
            for test in tests_in(SOURCE / name):
                self.assertIn(test, promised, f"{name}: {' '.join(test)}")

    def test_the_document_is_found(self):
        self.assertIn("(docs/security.md)", (SOURCE / "SECURITY.md").read_text(encoding="utf-8"))
        self.assertIn("(../SECURITY.md)", "\n".join(self.lines))
        self.assertIn("(security.md)", (SOURCE / "docs/README.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
