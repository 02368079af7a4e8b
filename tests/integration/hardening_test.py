#!/usr/bin/env python3
"""What the loader and the compiler do for every program and library, as built and as installed: nothing is looked for in
the current folder, and errors in memory end the program."""
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from elf_file import elves_under, read_elf
from program_case import BUILD, SOURCE, ProgramCase

CACHE = dict(re.findall(r"^(\w+):\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M))
IS_SANITIZED = bool(CACHE.get("TTSCOPE_SANITIZE")) or CACHE.get("TTSCOPE_BUILD_FUZZ") == "ON"
IS_FORTIFIED = not IS_SANITIZED and CACHE.get("CMAKE_BUILD_TYPE") != "Debug"
EXECUTABLE_STACK = 1


def shipped(folder):
    """The programs and libraries that users get, by what their names begin with."""
    names = ("ttscope", "libttscope.so", "libttscope_record.so", "_core.", "_metal.", "_record.")
    return [elf for elf in elves_under(folder) if elf.path.name in names or elf.path.name.startswith(names[1:])]


class HardeningCase(ProgramCase):
    def check_folders(self, elves):
        self.assertTrue(elves)
        bad = {str(elf.path): elf.folders for elf in elves if elf.bad_folders()}
        self.assertEqual(bad, {}, "the loader would look in the current folder")

    def check_layout(self, elves):
        for elf in elves:
            with self.subTest(elf.path.name):
                self.assertTrue(elf.has_relro, "no RELRO")
                self.assertTrue(elf.binds_now, "not all symbols are bound at the start")
                self.assertNotEqual(elf.stack_flags, -1)
                self.assertFalse(elf.stack_flags & EXECUTABLE_STACK, "the stack can be run")
                self.assertEqual(elf.is_program, elf.is_pie, "a program has a fixed address")

    def check_calls(self, elves):
        """What stack protector, FORTIFY and checked containers call where they end a program."""
        self.assertTrue(elves)
        for elf in elves:
            with self.subTest(elf.path.name):
                self.assertIn("__stack_chk_fail", elf.symbols)
        for name in ("ttscope", "libttscope.so"):
            for elf in elves:
                if elf.path.name != name and not (name != "ttscope" and elf.path.name.startswith(name)):
                    continue
                with self.subTest(elf.path.name):
                    self.assertTrue([symbol for symbol in elf.symbols if re.fullmatch(r"__\w+_chk", symbol)], "no FORTIFY")
                    self.assertIn("_ZSt21__glibcxx_assert_failPKciS0_S0_", elf.symbols)


class BuildTest(HardeningCase):
    def test_no_part_of_a_search_path_is_empty_or_relative(self):
        self.check_folders(list(elves_under(BUILD)))

    @unittest.skipIf(IS_SANITIZED, "sanitizers watch memory in their own way")
    def test_programs_and_libraries_are_laid_out_safely(self):
        self.check_layout(list(elves_under(BUILD)))

    @unittest.skipUnless(IS_FORTIFIED, "not optimised, or sanitized")
    def test_the_checks_are_compiled_in(self):
        self.check_calls(shipped(BUILD))

    @unittest.skipIf(IS_SANITIZED, "sanitizers watch memory in their own way")
    def test_everything_is_compiled_with_the_checks(self):
        wanted = {"-fstack-protector-strong", "-fstack-clash-protection"}
        if platform.machine() == "x86_64":
            wanted.add("-fcf-protection")
        commands = json.loads((BUILD / "compile_commands.json").read_text())
        self.assertTrue(commands)
        for command in commands:
            words = shlex.split(command["command"])
            missing = wanted - set(words)
            # -O0 comes behind -O2 in tests.
            level = [word for word in words if re.fullmatch("-O.", word)][-1:] or ["-O0"]
            if IS_FORTIFIED and level != ["-O0"]:
                missing |= {"-D_FORTIFY_SOURCE=3", "-D_GLIBCXX_ASSERTIONS"} - set(words)
            self.assertEqual(missing, set(), command["file"])


class InstalledTest(HardeningCase):
    def test_what_is_installed_is_as_safe(self):
        prefix = self.folder / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--strip", "--prefix", prefix], check=True, capture_output=True)
        elves = list(elves_under(prefix))
        self.check_folders(elves)
        if not IS_SANITIZED:
            self.check_layout(elves)
        if IS_FORTIFIED:
            self.check_calls(shipped(prefix))
        for elf in elves:
            self.assertNotIn(str(SOURCE), "".join(elf.folders), f"{elf.path} looks for libraries in the checkout")


class CurrentFolderTest(HardeningCase):
    """A library that lies beside a log does not run."""

    def setUp(self):
        super().setUp()
        compiler = CACHE.get("CMAKE_CXX_COMPILER") or shutil.which("c++")
        if not compiler:
            self.skipTest("no compiler")
        # Each library that ours need, as one that leaves a trace.
        needed = {name for elf in shipped(BUILD) for name in elf.needed if not name.startswith("libttscope")}
        self.trace = self.folder / "has_run"
        source = self.folder / "trap.cc"
        source.write_text("#include <cstdio>\n"
                          "__attribute__((constructor)) static void run() {\n"
                          f'  if (FILE* file = std::fopen("{self.trace}", "w")) std::fclose(file);\n'
                          "}\n")
        self.trap = self.folder / "trap"
        self.trap.mkdir()
        first = self.trap / "libxxhash.so.0"
        subprocess.run([compiler, "-shared", "-fPIC", source, "-o", first, "-Wl,-soname,libxxhash.so.0"], check=True)
        for name in needed - {first.name} - {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"}:
            if not name.startswith("ld-linux"):
                shutil.copyfile(first, self.trap / name)

    def run_there(self, *command, **environment):
        done = subprocess.run(list(map(str, command)), cwd=self.trap, capture_output=True, text=True,
                              env={**os.environ, **environment})
        self.assertFalse(self.trace.exists(), f"{command[0]} ran a library of the current folder")
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")

    def test_the_trap_works(self):
        done = subprocess.run([BUILD / "ttscope", "--version"], cwd=self.trap, capture_output=True,
                              env={**os.environ, "LD_LIBRARY_PATH": "."})
        # Where all symbols are bound at the start, the trap is loaded and ends the program by those that it lacks.
        self.assertTrue(self.trace.exists() or done.returncode != 0)

    def test_programs_do_not_run_it(self):
        self.run_there(BUILD / "ttscope", "--version")
        for program in ("nano_gpt", "tiny_llama"):
            if (BUILD / "examples" / program).exists():
                self.run_there(BUILD / "examples" / program, "--help")

    def test_python_modules_do_not_run_it(self):
        if not list((BUILD / "python/ttscope").glob("_metal*.so")):
            self.skipTest("no Python module in this build")
        for module in ("_core", "_metal", "_record"):
            self.run_there("/usr/bin/python3", "-c", f"from ttscope import {module}", PYTHONPATH=str(BUILD / "python"))


class PathsTest(unittest.TestCase):
    """The rule itself, on libraries that are linked for it."""

    def bad_folders(self, path):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "lib.so"
            compiler = CACHE.get("CMAKE_CXX_COMPILER", "c++")
            subprocess.run([compiler, "-shared", "-fPIC", "-x", "c++", "/dev/null", "-o", library, f"-Wl,-rpath,{path}"],
                           check=True)
            return read_elf(library).bad_folders()

    def test_empty_and_relative_parts_are_found(self):
        self.assertEqual(self.bad_folders("$ORIGIN:/usr/lib:$ORIGIN/../.."), [])
        self.assertEqual(self.bad_folders("/usr/lib:"), [""])
        self.assertEqual(self.bad_folders("/usr/lib::::/usr"), [""] * 3)
        self.assertEqual(self.bad_folders("lib:$ORIGINAL"), ["lib", "$ORIGINAL"])


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
