#!/usr/bin/env python3
"""The commands of the Python profiler's documents, typed as they stand there, in one everyday session."""
import os
import shutil
import subprocess
import sys
import unittest

import log_text as log
from program_case import BUILD, SOURCE, ProgramCase

LOG_TEXT = log.text(log.module(), log.program(), "Got output shape: (1, 8)", log.program(), "Got output shape: (1, 8)")


class DocumentedCommands(ProgramCase):
    def setUp(self):
        super().setUp()
        # The scripts stand in a checkout; here its programs are those under test.
        shutil.copytree(SOURCE / "memory_profiler", self.folder / "memory_profiler",
                        ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("ttscope", "ttmem", "tt-memory-profiler"):
            (self.folder / name).symlink_to(BUILD / name)
        model = self.folder / "path/to/your_model.py"
        model.parent.mkdir(parents=True)
        model.write_text(f"import sys\nsys.stdout.write({LOG_TEXT!r})\n")

    def type(self, line, code=0):
        environment = {"PATH": f"{BUILD}:{os.environ['PATH']}", "HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(["sh", "-c", line], cwd=self.folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(done.returncode, code, f"{line}\n{done.stdout[-800:]}\n{done.stderr[-800:]}")
        return done

    def run_folder(self, base="logs"):
        (folder,) = (self.folder / base).iterdir()
        return folder

    def names(self, folder):
        return {path.name for path in folder.iterdir()}

    def test_run_parse_visualize(self):
        self.type("tt-memory-profiler path/to/your_model.py")
        folder = self.run_folder()
        self.assertRegex(folder.name, r"^your_model_\d{8}_\d{6}$")
        self.assertLessEqual({"your_model_memory.json", "your_model_operations.json", "your_model_profile.log",
                              "your_model_report.html"}, self.names(folder))
        (folder / "your_model_report.html").unlink()
        self.type(f"tt-memory-profiler --visualize logs/{folder.name}/")
        self.assertTrue((folder / "your_model_report.html").exists())
        (folder / "your_model_report.html").unlink()
        self.type("python3 memory_profiler/generate_viz.py")
        self.assertTrue((folder / "your_model_report.html").exists())

    def test_capture_then_analyze(self):
        said = self.type("tt-memory-profiler --log path/to/your_model.py").stderr
        folder = self.run_folder()
        self.assertEqual(self.names(folder), {"your_model_profile.log"})
        self.assertEqual((folder / "your_model_profile.log").read_text(), LOG_TEXT)
        self.assertIn("--analyze", said)
        self.type(f"tt-memory-profiler --analyze logs/{folder.name}/your_model_profile.log")
        report = self.home / ".ttmem/reports/your-model"
        self.assertLessEqual({"your-model_memory.json", "your-model_operations.json",
                              "your-model_inputs_registry.json", "your-model_report.html"}, self.names(report))
        self.type("tt-memory-profiler --visualize ~/.ttmem/reports/your-model/")
        self.type("python3 memory_profiler/generate_viz.py ~/.ttmem/reports/your-model/")
        markdown = self.type(f"ttmem --llm --logfile logs/{folder.name}/your_model_profile.log").stdout
        self.assertTrue(markdown.startswith("# Memory Profile: `your-model`"), markdown[:80])
        self.type(f"ttmem --llm --logfile logs/{folder.name}/your_model_profile.log -o report.md")
        self.assertEqual((self.folder / "report.md").read_text(), markdown)

    def test_output_dir(self):
        self.type("tt-memory-profiler --output-dir path/to/output path/to/your_model.py")
        self.assertIn("your_model_report.html", self.names(self.run_folder("path/to/output")))
        self.assertFalse((self.folder / "logs").exists())

    def test_extract_last_run(self):
        path = self.folder / "script_profile.log"
        path.write_text(LOG_TEXT)
        self.type("python3 memory_profiler/extract_last_run.py script_profile.log")
        kept = path.read_text()
        self.assertEqual(kept.count("Got output shape:"), 1)
        self.assertLess(len(kept), len(LOG_TEXT))
        self.type("python3 memory_profiler/extract_last_run.py script_profile.log")
        self.assertEqual(path.read_text(), kept, "one run stays as it is")

    def test_scripts_refuse_what_is_wrong(self):
        self.type("python3 memory_profiler/extract_last_run.py", 2)
        self.type("python3 memory_profiler/extract_last_run.py absent.log", 1)
        self.type("python3 memory_profiler/generate_viz.py", 1)
        self.type("python3 memory_profiler/generate_viz.py absent", 1)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
