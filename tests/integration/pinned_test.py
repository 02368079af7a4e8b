#!/usr/bin/env python3
"""What is fetched is exactly what was meant: npm packages by version and hash, actions by commit, images by date. The
workflows run nothing that others can write."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
WORKFLOWS = sorted((SOURCE / ".github/workflows").glob("*.yml"))


class NpmTest(unittest.TestCase):
    def test_the_packages_of_the_pages_have_a_version_and_a_hash(self):
        wanted = json.loads((SOURCE / "web/package.json").read_text())
        for name, version in {**wanted.get("dependencies", {}), **wanted["devDependencies"]}.items():
            self.assertRegex(version, r"^\d+\.\d+\.\d+$", name)
        packages = json.loads((SOURCE / "web/package-lock.json").read_text())["packages"]
        self.assertGreater(len(packages), 10)
        for name, package in packages.items():
            if name:
                self.assertRegex(package.get("integrity", ""), r"^sha512-[A-Za-z0-9+/]{86}==$", name)
                self.assertRegex(package["version"], r"^\d+\.\d+\.\d+", name)

    def test_node_and_npm_have_a_version_and_a_hash(self):
        script = (SOURCE / "tools/setup_web.sh").read_text()
        packages = dict(re.findall(r"^(\w+)_PACKAGE=(\S+)$", script, re.M))
        self.assertEqual(set(packages), {"NODE", "NPM"})
        for key, package in packages.items():
            self.assertRegex(package, r"^[a-z0-9-]+@\d+\.\d+\.\d+$")
            self.assertRegex(script, rf"(?m)^{key}_SHA512=[0-9a-f]{{128}}$")

    def test_nothing_else_is_fetched(self):
        scripts = [SOURCE / "dev", SOURCE / ".ci/run", *sorted((SOURCE / "tools").glob("*.sh"))]
        for path in scripts:
            for line in path.read_text().splitlines():
                code = line.split(" #")[0] if not line.startswith("#") else ""
                self.assertNotRegex(code, r"\b(curl|wget|pip3? install|npx|git clone)\b", path.name)
                for name, version in re.findall(r"\b([a-z][a-z0-9-]+)@(\d[\d.]*)", code):
                    self.assertRegex(version, r"^\d+\.\d+\.\d+$", f"{path.name}: {name} is not pinned")


class SwappedPackageTest(unittest.TestCase):
    """A registry that serves something else."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.temporary.name)
        (self.root / "tools").mkdir()
        shutil.copy(SOURCE / "tools/setup_web.sh", self.root / "tools")
        self.programs = self.root / "programs"
        self.programs.mkdir()
        # Too old a node, so that one is fetched, and an npm that packs a node of its own.
        self.write("node", "echo 12\n")
        self.write("npm", 'mkdir -p package/bin\nprintf "#!/bin/sh\\ntouch %s/has_run\\necho 20\\n" >package/bin/node\n'
                          "chmod +x package/bin/node\ntar -czf swapped.tgz package\nrm -r package\n" % self.root)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, body):
        path = self.programs / name
        path.write_text("#!/bin/sh\n" + body)
        path.chmod(0o755)

    def test_it_is_refused_and_not_unpacked(self):
        done = subprocess.run(["sh", self.root / "tools/setup_web.sh"], capture_output=True, text=True,
                              env={"PATH": f"{self.programs}:/usr/bin:/bin", "HOME": str(self.root)})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("does not match the SHA-512", done.stderr)
        self.assertEqual(done.stdout, "")
        left = [path for path in (self.root / "build/node").rglob("*") if path.is_file()]
        self.assertEqual(left, [])
        self.assertFalse((self.root / "has_run").exists())


class WorkflowTest(unittest.TestCase):
    def test_actions_are_pinned_by_commit(self):
        self.assertGreaterEqual(len(WORKFLOWS), 2)
        for path in WORKFLOWS:
            uses = re.findall(r"^\s*-?\s*uses:\s*(.+)$", path.read_text(), re.M)
            self.assertTrue(uses, path.name)
            for action in uses:
                self.assertRegex(action, r"^[\w.-]+/[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", path.name)

    def test_images_are_pinned_by_date_and_runners_by_version(self):
        for path in WORKFLOWS:
            text = path.read_text()
            for image in re.findall(r"^\s*image:\s*(\S+)", text, re.M):
                self.assertRegex(image, r"^debian:bookworm-\d{8}$", path.name)
            for runner in re.findall(r"^\s*runs-on:\s*(\S+)", text, re.M):
                self.assertRegex(runner, r"^ubuntu-\d\d\.\d\d$", path.name)

    def test_tokens_are_not_kept_and_can_only_read(self):
        for path in WORKFLOWS:
            text = path.read_text()
            self.assertEqual(text.count("actions/checkout@"), text.count("persist-credentials: false"), path.name)
            self.assertEqual(re.findall(r"^permissions:\n((?:  .*\n)+)", text, re.M), ["  contents: read\n"], path.name)
            self.assertEqual(text.count("permissions:"), 1, path.name)
            self.assertNotIn("pull_request_target", text)
            self.assertNotIn("secrets.", text)

    def test_no_expression_reaches_a_shell(self):
        for path in WORKFLOWS:
            for line in path.read_text().splitlines():
                if re.match(r"\s*-?\s*run:", line):
                    self.assertNotIn("${{", line, path.name)
                    self.assertNotRegex(line, r"run:\s*[|>]", f"{path.name}: commands are kept on one line")
            # What a run is of may choose a group, nothing else; people can name a branch as they like.
            for expression in re.findall(r"\$\{\{\s*(.*?)\s*\}\}", path.read_text()):
                self.assertIn(expression, {"github.ref", "matrix.targets"}, path.name)

    def test_the_gate_runs_for_every_change_and_the_rest_every_night(self):
        texts = {path.name: path.read_text() for path in WORKFLOWS}
        self.assertIn("pull_request:", texts["ci.yml"])
        self.assertIn("run: .ci/run", texts["ci.yml"])
        self.assertIn("schedule:", texts["nightly.yml"])
        self.assertIn("./dev test --full", texts["nightly.yml"])
        self.assertRegex(texts["nightly.yml"], r'run: \./dev fuzz "\$TARGETS" \d{4}')


if __name__ == "__main__":
    unittest.main(verbosity=2)
