#!/usr/bin/env python3
"""The three ways to install, each into a place of its own, and a command run from there."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from elf_file import elves_under
from program_case import BUILD, HAS_SIMULATOR, SOURCE, ProgramCase

COMMANDS = ["ttscope", "ttmem", "tt-memory-profiler"]  # and analyze_memory, which knows its own options only
SHARED = ["share/ttscope/examples/sample.log", "share/doc/ttscope/README.md"]
SYSTEM_PYTHON = "/usr/bin/python3"


class InstalledCase(ProgramCase):
    def call(self, *command, **options):
        done = subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, encoding="utf-8",
                              timeout=600, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def environment(self, prefix):
        """No way back to the checkout: the installed commands must find their own files."""
        return {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": str(self.home)}

    def check_prefix(self, prefix):
        environment = self.environment(prefix)
        for command in COMMANDS:
            self.assertIn("ttscope ", self.call(prefix / "bin" / command, "--version", env=environment))
        sample = prefix / "share/ttscope/examples/sample_oom.log"
        self.call(prefix / "bin/ttmem", "--llm", "--logfile", sample, "-o", self.folder / "out.md", env=environment)
        self.assertIn("# Memory Profile", (self.folder / "out.md").read_text())
        self.assertIn("sample.log", self.call(prefix / "bin/ttscope", "demo", env=environment))
        self.call(prefix / "bin/analyze_memory", "--logs", prefix / "share/ttscope/examples/training/phases.log",
                  env=environment)
        for path in SHARED:
            self.assertTrue((prefix / path).is_file(), path)

    def python_folder(self, prefix):
        (folder,) = prefix.glob("lib/python3*/*-packages")
        return str(folder)

    def check_module(self, python, environment):
        if not HAS_SIMULATOR:
            self.call(python, "-c", "import ttscope; ttscope.load", env=environment)
            return
        code = ("import ttscope\n"
                "tracker = ttscope.MemoryUsageTracker\n"
                "guard = tracker.begin_capture()\n"
                "tracker.end_capture('END')\n"
                "print(tracker.get_trace_names())\n")
        self.assertIn("END", self.call(python, "-c", code, env=environment))

    def check_bash_completion(self, prefix):
        for command in COMMANDS:
            script = prefix / "share/bash-completion/completions" / command
            words = f'source {script}; complete -p {command}'
            self.assertIn("complete", self.call("bash", "--norc", "-c", words))


class PrefixTest(InstalledCase):
    def test_a_prefix_can_be_moved(self):
        prefix = self.folder / "first"
        self.call("cmake", "--install", BUILD, "--strip", "--prefix", prefix)
        moved = self.folder / "moved"
        prefix.rename(moved)
        self.check_prefix(moved)
        self.check_bash_completion(moved)
        for command in COMMANDS:
            self.assertTrue((moved / f"share/man/man1/{command}.1").is_file())
        self.assertRegex((moved / "share/zsh/site-functions/_ttscope").read_text(), "#compdef ttscope ttmem tt-memory-profiler")
        self.check_module("/usr/bin/python3", {**self.environment(moved), "PYTHONPATH": self.python_folder(moved)})
        if HAS_SIMULATOR:
            self.check_sizes(moved)

    def check_sizes(self, prefix):
        rows = re.findall(r"^\| [^|]*\(`([^`]+)`\) \| ([\d.]+) \|$", (SOURCE / "docs/install.md").read_text(), re.M)
        self.assertEqual(len(rows), 3)
        for pattern, told in rows:
            path = sorted(prefix.rglob(pattern.replace("lib/", "")))[0]
            size = path.stat().st_size / 1e6
            self.assertAlmostEqual(size, float(told), delta=max(0.25, 0.15 * size), msg=pattern)

    def test_the_system_s_python_finds_the_module_under_usr_local(self):
        root = self.folder / "root"
        self.call("cmake", "--install", BUILD, "--strip", "--prefix", "/usr/local", env={**os.environ, "DESTDIR": str(root)})
        found = [path for path in root.rglob("ttscope/__init__.py")]
        self.assertEqual(len(found), 1)
        folder = "/" + str(found[0].parent.parent.relative_to(root))
        looked = self.call("/usr/bin/python3", "-c", "import site; print(*site.getsitepackages(), sep=chr(10))").split()
        self.assertIn(folder, looked)
        self.check_module("/usr/bin/python3", {**self.environment(root / "usr/local"), "PYTHONPATH": str(root) + folder})

    def test_dev_install_takes_a_prefix_relative_to_the_caller(self):
        if BUILD.resolve() != (SOURCE / "build/release").resolve():
            self.skipTest("./dev install installs build/release")
        self.call(SOURCE / "dev", "install", "--prefix", "here")
        self.check_prefix(self.folder / "here")

    def test_dev_install_refuses_what_it_does_not_know(self):
        for arguments in [["--prefix", ""], ["--prefix="], ["--perfix", "x"]]:
            done = subprocess.run([SOURCE / "dev", "install", *arguments], capture_output=True, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(list(self.folder.iterdir()), [self.home])


class DebianTest(InstalledCase):
    def setUp(self):
        super().setUp()
        if not shutil.which("dpkg-shlibdeps"):
            self.skipTest("dpkg-dev is not installed")
        self.call("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", self.folder / "package")
        (self.package,) = (self.folder / "package").glob("*.deb")

    def test_package(self):
        root = self.folder / "root"
        self.call("dpkg-deb", "-x", self.package, root)
        self.check_prefix(root / "usr")
        self.check_bash_completion(root / "usr")
        share = root / "usr/share"
        for command in COMMANDS:
            page = self.call("gzip", "-dc", share / f"man/man1/{command}.1.gz")
            self.assertRegex(page, r"^\.(TH TTSCOPE|so man1/ttscope\.1)")
        self.assertTrue((root / "usr/lib/python3/dist-packages/ttscope").is_dir())
        self.check_module("/usr/bin/python3", {**self.environment(root / "usr"),
                                               "PYTHONPATH": self.python_folder(root / "usr")})
        self.assertTrue((share / "zsh/vendor-completions/_ttscope").is_file())
        self.check_what_is_inside(root / "usr")

    def check_what_is_inside(self, prefix):
        documents = prefix / "share/doc/ttscope"
        copyright_text = (documents / "copyright").read_text()
        names = [package["name"] for package in json.loads((documents / "ttscope.spdx.json").read_text())["packages"]]
        for component in json.loads((SOURCE / "LICENSES/components.json").read_text())["components"]:
            self.assertIn(f"\n{component['name']} (", copyright_text)
            self.assertIn(component["name"], names)
        elves = list(elves_under(prefix))
        self.assertGreaterEqual(len(elves), 6)
        for elf in elves:
            self.assertEqual(elf.bad_folders(), [], f"{elf.path} looks for libraries in the current folder")
            self.assertTrue(elf.binds_now and elf.has_relro, elf.path)

    def test_it_names_the_libraries_that_it_needs(self):
        needed = self.call("dpkg-deb", "-f", self.package, "Depends")
        for library in ["libc6", "libfmt9", "libmicrohttpd12", "libsimdjson14", "libzstd1"]:
            self.assertIn(library, needed)
        fields = self.call("dpkg-deb", "-f", self.package, "Package", "Maintainer", "Description")
        self.assertIn("Package: ttscope", fields)
        self.assertIn("tt-memory-profiler", fields)


class PipTest(InstalledCase):
    def install(self, *options):
        if not pathlib.Path(SYSTEM_PYTHON).exists():
            self.skipTest(f"no {SYSTEM_PYTHON}")
        prefix = self.folder / "environment"
        self.call(SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", prefix)
        environment = {**os.environ, "TTSCOPE_BUILD_DIR": str(BUILD), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.call(prefix / "bin/python", "-m", "pip", "install", "--no-build-isolation", "--no-index", *options, SOURCE,
                  env=environment)
        return prefix

    def test_install_and_remove(self):
        prefix = self.install()
        self.check_prefix(prefix)
        self.check_module(prefix / "bin/python", self.environment(prefix))
        self.call(prefix / "bin/python", "-m", "pip", "uninstall", "-y", "ttscope")
        self.assertFalse((prefix / "bin/ttmem").exists())

    def test_editable_as_the_readme_of_the_python_tool_says(self):
        self.check_prefix(self.install("-e"))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
