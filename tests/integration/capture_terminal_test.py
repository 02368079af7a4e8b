"""Capture on a terminal: the pseudo-terminal of the child, the status line, keys and signals; and `ttscope tail`."""
import bz2
import lzma
import os
import pathlib
import signal
import subprocess
import sys
import termios
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import log_text as log  # noqa: E402
from capture_case import CaptureTest, Terminal  # noqa: E402
from program_case import BUILD, FAILED, OK, USAGE  # noqa: E402

RUN = ("run", "--log", "--")


class OnATerminal(CaptureTest):
    def test_the_child_has_a_terminal_of_the_same_size(self):
        script = self.script("import os, sys\nprint([os.isatty(i) for i in range(3)], tuple(os.get_terminal_size()))\n"
                             "print('own group', os.getpgrp() == os.getpid() == os.tcgetpgrp(0))\n")
        terminal = Terminal(self, *RUN, "python3", script, size=(33, 77))
        self.assertEqual(terminal.finish(), OK)
        self.assertIn(b"[True, True, True] (77, 33)\r\nown group True\r\n", terminal.seen)
        self.assertEqual(self.captured(), "[True, True, True] (77, 33)\nown group True\n", "no carriage returns in the log")

    def test_window_size_is_forwarded(self):
        script = self.script("import os, signal, sys, time\n"
                             "def show(*_): print('now', tuple(os.get_terminal_size()), flush=True); sys.exit()\n"
                             "signal.signal(signal.SIGWINCH, show)\nprint('ready', flush=True)\nsignal.pause()\n")
        terminal = Terminal(self, *RUN, "python3", script)
        terminal.expect("ready", self)
        terminal.resize(40, 132)
        self.assertEqual(terminal.finish(), OK)
        self.assertIn(b"now (132, 40)", terminal.seen)

    def test_typed_text_reaches_the_child(self):
        script = self.script("name = input('name? ')\nprint('hello', name)\n")
        terminal = Terminal(self, *RUN, "python3", script)
        terminal.expect("name? ", self)
        terminal.type("you\r")
        self.assertEqual(terminal.finish(), OK)
        self.assertIn(b"hello you", terminal.seen)

    def test_control_c_goes_to_the_child_and_the_log_is_analysed(self):
        script = self.printer("try:\n  print('ready', flush=True)\n  time.sleep(600)\n"
                              "except KeyboardInterrupt:\n  print('stopped')\n  sys.exit(9)")
        terminal = Terminal(self, "run", "--", "python3", script)
        terminal.expect("ready", self)
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 9)
        self.assertIn(b"stopped", terminal.seen)
        self.assertTrue((self.only_run() / "model_memory.json").exists())

    def test_the_terminal_is_as_it_was(self):
        for end, code in (("", OK), ("os.kill(os.getpid(), signal.SIGKILL)", 128 + signal.SIGKILL)):
            script = self.script(f"import os, signal\nprint('ready', flush=True)\ninput()\n{end}\n")
            terminal = Terminal(self, *RUN, "python3", script)
            terminal.expect("ready", self)
            self.wait_for(lambda: not termios.tcgetattr(terminal.settings)[3] & termios.ICANON)
            terminal.type("\r")
            self.wait_for(lambda: terminal.read() and terminal.process.poll() is not None)
            self.assertEqual(termios.tcgetattr(terminal.settings), terminal.before)
            self.assertEqual(terminal.finish(), code)

    def test_status_line_and_quiet(self):
        script = self.printer("time.sleep(1)")
        terminal = Terminal(self, *RUN, "python3", script, size=(24, 120))
        self.assertEqual(terminal.finish(), OK)
        self.assertIn("4 ops | DRAM 5.00 of 1000.00 MB/bank 0.5%".encode(), terminal.seen)
        self.assertIn("since start | L1 0.00 of 1.25 MB/bank".encode(), terminal.seen)
        self.assertIn(b"main (run 2)\x1b[K", terminal.seen)
        terminal = Terminal(self, "run", "--log", "-q", "--", "python3", script)
        self.assertEqual(terminal.finish(), OK)
        self.assertNotIn(b"ops |", terminal.seen)

    def test_no_status_behind_an_unfinished_line_or_on_a_dumb_terminal(self):
        script = self.script("import sys, time\nprint('wait', end='', flush=True)\ntime.sleep(1)\nprint(' done')\n")
        terminal = Terminal(self, *RUN, "python3", script)
        self.assertEqual(terminal.finish(), OK)
        self.assertIn(b"wait done", terminal.seen)
        terminal = Terminal(self, *RUN, "python3", self.printer("time.sleep(1)"), env={"TERM": "dumb"})
        self.assertEqual(terminal.finish(), OK)
        self.assertNotIn(b"ops |", terminal.seen)

    def test_narrow_terminal(self):
        terminal = Terminal(self, *RUN, "python3", self.printer("time.sleep(1)"), size=(10, 30))
        self.assertEqual(terminal.finish(), OK)
        lines = [part.split(b"\x1b[K")[0] for part in terminal.seen.split(b"\r") if b"\x1b[K" in part]
        self.assertTrue(any(b"ops" in line for line in lines))
        self.assertLessEqual(max(len(line.decode()) for line in lines), 30)

    def test_control_z_stops_and_continues_both(self):
        script = self.script("import os, time\nopen('pid', 'w').write(str(os.getpid()))\nprint('ready', flush=True)\n"
                             "input()\nprint('went on')\n")
        terminal = Terminal(self, *RUN, "python3", script)
        terminal.expect("ready", self)
        child = int(self.wait_for_file("pid"))
        self.wait_for(lambda: not termios.tcgetattr(terminal.settings)[3] & termios.ICANON)
        terminal.type("\x1a")
        self.wait_for(lambda: state(child) == "T" and state(terminal.process.pid) == "T", "not stopped")
        self.assertTrue(termios.tcgetattr(terminal.settings)[3] & termios.ICANON, "the shell has its terminal back")
        os.kill(terminal.process.pid, signal.SIGCONT)
        self.wait_for(lambda: not termios.tcgetattr(terminal.settings)[3] & termios.ICANON)
        terminal.type("\r")
        self.assertEqual(terminal.finish(), OK)
        self.assertIn(b"went on", terminal.seen)

    def test_input_of_a_terminal_with_output_elsewhere(self):
        script = self.script("import os, sys\nprint(os.isatty(1), input(), input())\n")
        out = self.folder / "out"
        terminal = Terminal(self, "-c", 'exec "$0" run --log -- python3 "$1" > "$2"', BUILD / "ttscope", script, out,
                            program="/bin/sh")
        terminal.type("one\rtwo\r")
        self.assertEqual(terminal.finish(), OK)
        self.assertEqual(out.read_text(), "False one two\n")


def state(pid):
    with open(f"/proc/{pid}/stat") as f:
        return f.read().rsplit(")", 1)[1].split()[0].upper()


class Tail(CaptureTest):
    def follow(self, path, *options):
        return self.start("tail", path, "--interval", "0.1", *options, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def ended(self, process, number=signal.SIGINT):
        process.send_signal(number)
        out, said = process.communicate(timeout=60)
        return process.returncode, out.decode(), said.decode()

    def test_once_is_one_line_however_long_the_log(self):
        line = "x" * 1000 + "\n"
        path = self.folder / "long.log"
        path.write_text(self.usual_log().read_text() + line * 5000)
        self.assertEqual(len(self.check(OK, "tail", "--once", path).stdout.splitlines()), 1)

    def test_once(self):
        done = self.check(OK, "tail", "--once", self.usual_log())
        self.assertEqual(done.stdout, "4 ops | DRAM 5.00 of 1000.00 MB/bank 0.5% ▏░░░░░░░ | +4.00 MB since start | "
                                      "L1 0.00 of 1.25 MB/bank 0.0% | main (run 2)\n")

    def test_follows_until_interrupted(self):
        path = self.file("run.log")
        process = self.follow(path)
        text = log.text(log.program())
        with open(path, "a") as f:
            for part in (text[:777], text[777:]):  # in the middle of a line
                f.write(part)
                f.flush()
        self.assertIn("DRAM 5.00 of", self.next_line(process, "2 ops"))
        with open(path, "a") as f:
            f.write("Out of Memory: Not enough space to allocate 5 B L1 buffer\n")
        self.next_line(process, "1 failure")
        code, _, said = self.ended(process)
        self.assertEqual(code, OK)
        self.assertIn(f"line {len(text.splitlines()) + 1}: out of memory", said)

    def next_line(self, process, wanted):
        while True:
            line = process.stdout.readline().decode()
            self.assertTrue(line, f"it ended without {wanted}")
            if wanted in line:
                return line

    def test_emptied_and_replaced_logs(self):
        path = self.usual_log()
        process = self.follow(path)
        self.next_line(process, "4 ops")
        with open(path, "w") as f:  # emptied in place
            f.write(log.text(log.program(ops=("add",))))
        self.next_line(process, "1 op |")
        path.rename(self.folder / "run.log.1")  # rotated
        self.usual_log()
        self.next_line(process, "4 ops")
        code, _, said = self.ended(process, signal.SIGTERM)
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertEqual(said.count("begins anew"), 2)

    def test_on_a_terminal(self):
        terminal = Terminal(self, "tail", self.usual_log())
        terminal.expect("4 ops", self)
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), OK)

    def test_cannot_follow(self):
        self.check(FAILED, "tail", "no.log")
        self.check(FAILED, "tail", self.home)
        packed = self.folder / "x.zst"
        packed.write_bytes(b"\x28\xb5\x2f\xfd1234")
        self.assertIn("ttscope mem", self.check(FAILED, "tail", "--once", packed).stderr)
        self.check(USAGE, "tail", packed, "--interval", "never")

    def test_what_can_be_no_growing_log_is_told_instead_of_followed_without_a_word(self):
        text = self.usual_log().read_bytes()
        for name, data, wanted in (("x.log.xz", lzma.compress(text), "cannot be followed; `ttscope mem` reads them"),
                                   ("x.log.bz2", bz2.compress(text), "cannot be followed; `ttscope mem` reads them"),
                                   ("utf16.log", text.decode().encode("utf-16"), "cannot be followed; `ttscope mem`"),
                                   ("ops.csv", b"OP CODE,OP TYPE,GLOBAL CALL COUNT\nAdd,x,1\n", "`ttscope perf"),
                                   ("page.html", b"<!doctype html>ttscope", "open it in a browser")):
            path = self.folder / name
            path.write_bytes(data)
            self.assertIn(wanted, self.check(FAILED, "tail", "--once", path).stderr, name)
        begun = self.folder / "begun.log"  # the program has printed its configuration so far
        begun.write_text('{"batch": 32}\n')
        self.check(OK, "tail", "--once", begun)


if __name__ == "__main__":
    unittest.main(verbosity=1)
