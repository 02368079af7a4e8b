#!/usr/bin/env python3
"""LICENSES has what is compiled in, linked and embedded, and the installed tree says so: no component is left out, and
none is listed that is not there."""
import json
import re
import subprocess
import sys
import unittest

from elf_file import elves_under
from program_case import BUILD, SOURCE, ProgramCase

LICENSES = SOURCE / "LICENSES"
COMPONENTS = json.loads((LICENSES / "components.json").read_text())["components"]
SHIPPED_CODE = ["src", "simulator", "python", "examples"]
OUR_LIBRARIES = ("libttscope.so", "libttscope_record.so")
# Of the C library and the kernel; headers of C++ have no ending.
SYSTEM = {"arpa/inet.h", "dirent.h", "dlfcn.h", "fcntl.h", "link.h", "netdb.h", "netinet/in.h", "netinet/tcp.h", "poll.h",
          "pthread.h", "pty.h", "pwd.h", "sched.h", "signal.h", "spawn.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
          "string.h", "termios.h", "time.h", "unistd.h", "errno.h", "limits.h", "math.h"}
SYSTEM_FOLDERS = ("sys/", "linux/", "bits/")


def shipped_files(*endings):
    for folder in SHIPPED_CODE:
        for path in sorted((SOURCE / folder).rglob("*")):
            is_test = path.is_relative_to(SOURCE / "simulator/tests")
            if path.suffix in endings and path.is_file() and not is_test:
                yield path


def included_headers():
    """Headers in angle brackets that are neither ours nor the system's, each with a file that includes it."""
    found = {}
    include = SOURCE / "simulator/include"
    ours = [include, include / "tt_metal_compat", include / "tracy_compat", include / "ttscope/compat"]
    for path in shipped_files(".h", ".hpp", ".cc", ".cpp"):
        for name in re.findall(r"^\s*#\s*include\s*<([^>]+)>", path.read_text(), re.M):
            is_ours = any((folder / name).exists() for folder in ours)
            is_cpp = "." not in name and "/" not in name
            if not (is_ours or is_cpp or name in SYSTEM or name.startswith(SYSTEM_FOLDERS)):
                found.setdefault(name, path)
    return found


def imported_packages():
    """npm packages that the pages are built with, by the imports of their sources."""
    found = set()
    for folder in ("web/kit", "web/pages"):
        for path in (SOURCE / folder).rglob("*.ts*"):
            # `./` and `kit/...` are ours.
            for name in re.findall(r"""^(?:import|export|\}).*?\bfrom ["']([^.'"][^'"]*)["']""", path.read_text(), re.M):
                package = "/".join(name.split("/")[:2 if name.startswith("@") else 1])
                if not (SOURCE / "web" / package).exists():
                    found.add(package)
    return found


def covers(component, header):
    return any(header == known or (known.endswith("/") and header.startswith(known)) for known in component["includes"])


class ListTest(unittest.TestCase):
    def test_every_header_of_others_belongs_to_a_component(self):
        headers = included_headers()
        self.assertIn("fmt/format.h", headers)
        for header, path in headers.items():
            self.assertTrue([each for each in COMPONENTS if covers(each, header)],
                            f"<{header}> in {path.relative_to(SOURCE)} belongs to no component of LICENSES/components.json")

    def test_every_component_is_used(self):
        headers = included_headers()
        for component in COMPONENTS:
            for known in component["includes"]:
                if not known.endswith("intrin.h") and known != "cpuid.h":
                    self.assertTrue([header for header in headers if covers({"includes": [known]}, header)],
                                    f"{component['name']}: nothing includes <{known}>")
        self.assertEqual(imported_packages(), {name for each in COMPONENTS for name in each["npm"]})

    def test_every_component_has_its_texts_and_every_text_a_component(self):
        used = {"Apache-2.0"}
        for component in COMPONENTS:
            self.assertTrue(component["texts"], component["name"])
            for text in component["texts"]:
                used.add(text)
                words = (LICENSES / f"{text}.txt").read_text()
                self.assertRegex(words, r"(?i)copyright|public domain", text)
        self.assertEqual(used, {path.stem for path in LICENSES.glob("*.txt")})

    def test_every_library_that_is_linked_belongs_to_a_component(self):
        known = [name for each in COMPONENTS for name in each["libraries"]]
        linked = set()
        for elf in elves_under(BUILD):
            if elf.path.name == "ttscope" or elf.path.name.startswith(OUR_LIBRARIES) or elf.path.parent.name == "ttscope":
                linked.update(elf.needed)
        self.assertTrue(linked)
        for library in linked:
            if not library.startswith(OUR_LIBRARIES + ("libasan", "libubsan", "libtsan")):
                self.assertTrue(library.startswith(tuple(known)), f"{library} belongs to no component")

    def test_the_pages_have_the_license_of_what_is_inside(self):
        text = " ".join((LICENSES / "preact.txt").read_text().split())
        pages = sorted((SOURCE / "web/dist").glob("*.html"))
        self.assertGreater(len(pages), 5)
        for page in pages:
            if page.name != "frame.html":  # the frame around a report: no component of others is in it
                self.assertIn(text, " ".join(page.read_text().split()), page.name)
        self.assertNotIn("preact", (SOURCE / "web/pages/frame/main.tsx").read_text())


class InstalledTest(ProgramCase):
    def setUp(self):
        super().setUp()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.folder / "prefix"], check=True, capture_output=True)
        self.documents = self.folder / "prefix/share/doc/ttscope"

    def test_the_copyright_file_names_each_component_and_has_each_text(self):
        text = (self.documents / "copyright").read_text()
        for component in COMPONENTS:
            self.assertIn(f"\n{component['name']} ({component['use']})\n", text)
            self.assertIn(f"License: {component['license']}\n", text)
        for path in LICENSES.glob("*.txt"):
            self.assertIn(path.read_text(), text, path.name)
        self.assertTrue((self.documents / "LICENSE").is_file())

    def test_the_list_of_components_is_spdx(self):
        document = json.loads((self.documents / "ttscope.spdx.json").read_text())
        for key in ("SPDXID", "name", "documentNamespace", "creationInfo", "packages", "relationships"):
            self.assertIn(key, document)
        self.assertEqual(document["spdxVersion"], "SPDX-2.3")
        self.assertEqual(document["dataLicense"], "CC0-1.0")
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        packages = {package["name"]: package for package in document["packages"]}
        self.assertEqual(set(packages), {"ttscope"} | {each["name"] for each in COMPONENTS})
        for package in packages.values():
            self.assertRegex(package["versionInfo"], r"^\d+(\.\d+)+", package["name"])
            self.assertRegex(package["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertIn("downloadLocation", package)
        ids = [package["SPDXID"] for package in packages.values()]
        self.assertEqual(len(ids), len(set(ids)))
        told = {relation["relatedSpdxElement"] for relation in document["relationships"]}
        self.assertEqual(told, set(ids))
        for each in COMPONENTS:
            self.assertEqual(packages[each["name"]]["licenseDeclared"], each["license"])


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
