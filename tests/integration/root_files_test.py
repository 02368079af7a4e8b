#!/usr/bin/env python3
"""What may lie in the root of the repository: what people and tools look for there, and one folder for each kind of
the rest."""
import fnmatch
import os
import pathlib
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))

FILES = {
    ".clang-format", ".clang-tidy", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CMakeLists.txt",
    "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "dev", "pyproject.toml", "setup.py",
    "ttscope",
}
LINKS = {"analyze_memory", "tt-memory-profiler", "ttmem"}  # other names of the program
FOLDERS = {
    ".ci", ".github", "LICENSES", "cmake", "completions", "docs", "examples", "memory_profiler", "python", "simulator",
    "src", "tests", "tools", "web",
}


def tracked():
    """What git keeps in the root; None where there is no git."""
    try:
        listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None
    return {path.split("/")[0] for path in listed.stdout.split("\0") if path}


def present():
    """What lies in the root of a copy without git, but for what .gitignore names."""
    ignored = [line.strip("/") for line in (SOURCE / ".gitignore").read_text().split()] + [".git"]
    return {name for name in os.listdir(SOURCE) if not any(fnmatch.fnmatch(name, pattern) for pattern in ignored)}


class RootFilesTest(unittest.TestCase):
    def test_the_root_holds_what_is_listed(self):
        names = tracked() or present()
        self.assertEqual(sorted(names), sorted(FILES | LINKS | FOLDERS))

    def test_files_are_files_and_folders_are_folders(self):
        for name in FILES:
            self.assertTrue((SOURCE / name).is_file() and not (SOURCE / name).is_symlink(), name)
            self.assertGreater((SOURCE / name).stat().st_size, 0, f"{name} is empty")
        for name in LINKS:
            self.assertTrue((SOURCE / name).is_symlink(), name)
        for name in FOLDERS:
            self.assertTrue((SOURCE / name).is_dir(), name)


if __name__ == "__main__":
    unittest.main()
