"""Scripts to be captured, and a terminal for the programs that capture them."""
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import log_text as log
from cli_case import CliTest
from program_case import BUILD

OWN_FAILURE, NOT_RUNNABLE, NOT_FOUND = 125, 126, 127
VARIABLES = ("TTMLIR_RUNTIME_LOGGER_LEVEL", "TT_RUNTIME_MEMORY_LOG_LEVEL", "TTXLA_LOGGER_LEVEL", "PYTHONUNBUFFERED")
PATIENCE_SECONDS = 60


class CaptureTest(CliTest):
    def script(self, text, name="model.py"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def printer(self, end="", name="model.py", start=""):
        """A script that prints a small runtime log and then runs `end`."""
        source = self.usual_log("printed.txt")
        return self.script(f"import os, sys, time, signal\n{start}\nsys.stdout.write(open({str(source)!r}).read())\n"
                           f"sys.stdout.flush()\n{end}\n", name)

    def runs(self, base="logs"):
        folder = self.folder / base
        return sorted(p for p in folder.iterdir()) if folder.exists() else []

    def only_run(self, base="logs"):
        runs = self.runs(base)
        self.assertEqual(len(runs), 1, runs)
        return runs[0]

    def captured(self, name="model", base="logs"):
        return (self.only_run(base) / f"{name}_profile.log").read_text(errors="surrogateescape")

    def start(self, *args, program="ttscope", **options):
        """The program in the background, in a process group of its own, as a shell would start it."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "xterm"}
        environment.update(options.pop("env", {}))
        return subprocess.Popen([str(BUILD / program), *map(str, args)], cwd=self.folder, env=environment,
                                stdin=options.pop("stdin", subprocess.DEVNULL), start_new_session=True, **options)

    def wait_for(self, what, message="it did not happen"):
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            result = what()
            if result:
                return result
            time.sleep(0.02)
        self.fail(message)

    def wait_for_file(self, name):
        path = self.folder / name
        self.wait_for(lambda: path.exists() and path.read_text(), f"{name} did not appear")
        return path.read_text()

    def is_running(self, pid):
        try:
            with open(f"/proc/{pid}/stat") as f:
                return f.read().rsplit(")", 1)[1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False


class Terminal:
    """A program on a pseudo-terminal, driven by a test."""

    def __init__(self, case, *args, program="ttscope", size=(24, 100), env=None):
        self.master, theirs = pty.openpty()
        self.resize(*size)
        self.seen = b""
        self.settings = theirs  # kept open: the terminal's state is looked at afterwards
        self.before = termios.tcgetattr(theirs)
        environment = {"PATH": os.environ["PATH"], "HOME": str(case.home), "TERM": "xterm", **(env or {})}
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, str(BUILD / program), *map(str, args)], cwd=case.folder,
            env=environment, stdin=theirs, stdout=theirs, stderr=theirs)

    def resize(self, rows, columns):
        import fcntl
        import struct
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds=0.1):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if ready:
            try:
                self.seen += os.read(self.master, 65536)
            except OSError:
                return False
        return True

    def expect(self, text, case):
        end = time.monotonic() + PATIENCE_SECONDS
        while text.encode() not in self.seen:
            if time.monotonic() > end:
                case.fail(f"{text!r} was not shown:\n{self.seen.decode(errors='replace')}")
            self.read()

    def type(self, text):
        os.write(self.master, text.encode())

    def finish(self):
        """The exit code; everything that is printed until then is in `seen`."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        while select.select([self.master], [], [], 0.1)[0]:
            if not self.read(0):
                break
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        code = self.process.wait()
        os.close(self.master)
        os.close(self.settings)
        return code


# The new session takes the terminal, as a login does. Shells start jobs behind `&` with Ctrl-C ignored.
TAKE_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""

LOG_LINES = len(log.text(log.module(), log.program(), log.program()).splitlines())
