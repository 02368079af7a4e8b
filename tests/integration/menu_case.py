"""`ttmem` on a pseudo-terminal: what is shown is waited for, in its order."""
import re
import termios
import time

from capture_case import PATIENCE_SECONDS, CaptureTest, Terminal

UP, DOWN, LEFT, RIGHT, END = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C", "\x1b[F"
ENTER, ESC, TAB, CTRL_C, CTRL_D = "\r", "\x1b", "\t", "\x03", "\x04"
INTERRUPTED = 130

QUESTION = "Do you have a log file with memory logs ready?"
YES, DO_IT, EXPLAIN, BROWSE, QUIT = (
    "Yes, I have a log file with memory logs ready.", "No, do it for me.",
    "No, give me step-by-step so I can do it myself.", "Browse existing reports", "Quit")
LOG_PATH, SCRIPT_PATH = "Enter the path to your log file:", "Enter the path to your model script:"
SERVE_NOW = "Serve the report now, to look at it in a browser? (Y/n)"
RETURN = "Press Enter to return to the main menu..."


class Menu(Terminal):
    """A running `ttmem`. Without colour, so that texts are found as they are."""

    def __init__(self, case, *args, env=None, **options):
        options.setdefault("program", "ttmem")
        super().__init__(case, *args, env={"NO_COLOR": "1", **(env or {})}, **options)
        self.case = case
        self.at = 0  # how far `seen` has been looked at

    def wait(self, *texts):
        """Waits until the texts are shown, one after the other, behind what was waited for before."""
        end = time.monotonic() + PATIENCE_SECONDS
        for text in texts:
            wanted = text.encode()
            while (found := self.seen.find(wanted, self.at)) < 0:
                if time.monotonic() > end:
                    rest = self.seen[self.at:].decode(errors="replace")
                    self.case.fail(f"{text!r} was not shown; since the last text:\n{rest}")
                self.read()
            self.at = found + len(wanted)
        return self

    def send(self, *keys):
        for key in keys:
            self.type(key)
        return self

    def start(self, entry, number):
        """Chooses an entry of the main menu by its number."""
        self.wait(QUESTION, "❯ " + YES, QUIT).send(str(number)).wait("❯ " + entry).send(ENTER)
        return self

    def ended(self, code):
        """Ends as it should, and leaves the terminal as it was."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        after = termios.tcgetattr(self.settings)
        self.case.assertEqual(self.finish(), code, self.seen.decode(errors="replace")[-2000:])
        self.case.assertEqual(after, self.before, "terminal settings")
        for on, off in ((b"\x1b[?2004h", b"\x1b[?2004l"), (b"\x1b[?25l", b"\x1b[?25h")):
            self.case.assertGreaterEqual(self.seen.rfind(off), self.seen.rfind(on), f"{off} comes last")
        return self

    def lines(self):
        """All lines ever drawn, without escape sequences."""
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.seen.decode())
        return re.split(r"[\r\n]+", text)


class MenuTest(CaptureTest):
    def setUp(self):
        super().setUp()
        self.open_menus = []
        self.library = self.home / ".ttmem" / "reports"

    def tearDown(self):
        for menu in self.open_menus:
            if menu.process.poll() is None:
                menu.process.kill()
                menu.process.wait()
        super().tearDown()

    def menu(self, *args, **options):
        self.open_menus.append(Menu(self, *args, **options))
        return self.open_menus[-1]

    def report(self, name="run"):
        self.check(0, "--analyze", self.usual_log(f"{name}.log"), program="tt-memory-profiler")
        return self.library / name
