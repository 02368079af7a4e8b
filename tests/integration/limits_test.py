#!/usr/bin/env python3
"""What bounds a run from outside: full disks, little room to unpack, processes that do not end, no home."""
import gzip
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from capture_case import CaptureTest  # noqa: E402
from program_case import BUILD, FAILED, OK, SOURCE  # noqa: E402

FAULTS = BUILD / "tests/libfault_injection.so"
MB = 1 << 20


def below_faults(**variables):
    """The environment in which calls fail (tests/faults)."""
    return {"LD_PRELOAD": str(FAULTS), **variables}


class Limits(CaptureTest):
    def packed(self, megabytes):
        """A graph capture that is large when it is unpacked."""
        node = b'{"connections":[],"counter":0,"node_type":"capture_start","params":{},"stacking_level":0},\n'
        path = self.folder / "capture.json.gz"
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(b"[" + node)
            for _ in range(megabytes):
                file.write(b" " * (MB - 1) + b"\n")
            file.write(node[:-2] + b"]")
        return path

    @unittest.skipUnless(FAULTS.exists(), "the library of failing calls is not built")
    def test_unpacking_filled_the_disk(self):
        path = self.packed(100)
        free = below_faults(TTSCOPE_FAULT_FREE=str(40 * MB))
        done = self.check(FAILED, "graph", path, env=free)
        self.assertRegex(done.stderr, r"capture\.json\.gz: unpacking it was given up after 64 MB: it would fill .*TMPDIR")
        self.check(OK, "graph", self.packed(20), env=free)  # small files are unpacked in any case
        self.check(OK, "graph", path)

    def test_tail_said_nothing_of_a_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            import subprocess
            done = subprocess.run([BUILD / "ttscope", "tail", self.usual_log(), "--once"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False, env={"HOME": str(self.home)})
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("standard output: cannot write: No space left", done.stderr)

    @unittest.skipUnless(FAULTS.exists(), "the library of failing calls is not built")
    def test_a_full_disk_left_an_empty_folder(self):
        done = self.check(FAILED, "mem", self.usual_log(), "--out", "made/here", "-q", env=below_faults(TTSCOPE_FAULT="write:1+"))
        self.assertIn("No space left", done.stderr)
        self.assertFalse((self.folder / "made").exists())

    @unittest.skipUnless(FAULTS.exists(), "the library of failing calls is not built")
    def test_a_first_thread_that_cannot_start_aborted(self):
        for args in (("--version",), ("mem", self.usual_log())):
            done = self.check(FAILED, *args, env=below_faults(TTSCOPE_FAULT="thread:1+"))
            self.assertIn("ttscope: a thread cannot be started", done.stderr)

    @unittest.skipUnless(FAULTS.exists(), "the library of failing calls is not built")
    def test_later_threads_are_not_needed(self):
        whole = self.check(OK, "mem", SOURCE / "examples/sample.log", "--json", "-").stdout
        fewer = self.check(OK, "mem", SOURCE / "examples/sample.log", "--json", "-", env=below_faults(TTSCOPE_FAULT="thread:2+"))
        self.assertEqual(fewer.stdout, whole)

    @unittest.skipUnless(FAULTS.exists(), "the library of failing calls is not built")
    def test_a_library_without_memory_aborted(self):
        for call in range(200, 260):
            (self.folder / "out.json").unlink(missing_ok=True)  # of a call that is not missed
            done = self.run_program("graph", SOURCE / "examples/sample_graph.json", "--json", "out.json",
                                    env=below_faults(TTSCOPE_FAULT=f"malloc:{call}"))
            self.assertIn(done.returncode, (OK, FAILED), f"malloc:{call}: {done.stderr}")
            if done.returncode == FAILED:
                self.assertRegex(done.stderr, r"ttscope: .*memory")
                self.assertFalse((self.folder / "out.json").exists())

    def printed_number(self, word):
        """Of a line `word 123`, once all of it is there."""
        def find():
            return re.search(rf"{word} (\d+)\s", (self.folder / "shown.txt").read_text())

        self.wait_for(find)
        return find().group(1)

    def test_what_survives_a_signal_is_named(self):
        script = self.printer('print("ready", os.getpid(), flush=True)\n'
                              "while not os.path.exists('end'): time.sleep(0.05)",
                              start="signal.signal(signal.SIGTERM, signal.SIG_IGN)")
        complaint = self.folder / "complaint.txt"
        with open(complaint, "wb") as errors, open(self.folder / "shown.txt", "wb") as shown:
            process = self.start("run", "--log", "--", sys.executable, script, stdout=shown, stderr=errors)
        child = self.printed_number("ready")
        process.send_signal(signal.SIGTERM)
        self.wait_for(lambda: b"still running" in complaint.read_bytes(), "the process was not named")
        self.assertRegex(complaint.read_text(), rf"ttscope: still running after SIGTERM: \S+ \({child}\)")
        (self.folder / "end").touch()
        self.assertEqual(process.wait(timeout=60), OK)

    def test_what_a_program_leaves_behind_is_named(self):
        orphan = self.script("import os, signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                             "print('orphan', os.getpid(), flush=True)\nos.close(1)\nos.close(2)\n"
                             "while not os.path.exists('end'): time.sleep(0.05)\n", "orphan.py")
        script = self.printer(f"import subprocess\nsubprocess.Popen([sys.executable, {str(orphan)!r}])\ntime.sleep(600)")
        complaint = self.folder / "complaint.txt"
        with open(complaint, "wb") as errors, open(self.folder / "shown.txt", "wb") as shown:
            process = self.start("run", "--log", "--", sys.executable, script, stdout=shown, stderr=errors)
        child = self.printed_number("orphan")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 128 + signal.SIGTERM)
        (self.folder / "end").touch()
        self.assertRegex(complaint.read_text(), rf"ttscope: still running after signal 15 \(SIGTERM\): \S+ \({child}\)")

    def test_the_search_for_what_fits_shows_how_far_it_is(self):
        import pty
        primary, secondary = pty.openpty()
        process = self.start("fit", SOURCE / "examples/sample_oom.log", "--search", "--json", "out.json",
                             stdout=secondary, stderr=secondary)
        os.close(secondary)
        shown = b""
        while True:
            try:
                piece = os.read(primary, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(primary)
        process.wait(timeout=60)
        self.assertRegex(shown, rb"searching: change 1 of at most \d+")


if __name__ == "__main__":
    unittest.main()
