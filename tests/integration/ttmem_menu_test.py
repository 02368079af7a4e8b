"""The guided `ttmem` in a pseudo-terminal: every way through its menus."""
import os
import pathlib
import re
import shutil
import signal
import sys
import termios
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from menu_case import (BROWSE, CTRL_C, CTRL_D, DO_IT, DOWN, END, ENTER, ESC, EXPLAIN, INTERRUPTED, LEFT,  # noqa: E402
                       LOG_PATH, QUESTION, QUIT, RETURN, SCRIPT_PATH, SERVE_NOW, TAB, UP, YES, MenuTest)
from program_case import BUILD, FAILED, OK, USAGE  # noqa: E402

ADDRESS = re.compile(rb"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/\S*")


class MainMenu(MenuTest):
    def test_quit(self):
        for keys in ("q", "Q", ESC, CTRL_D, END + ENTER, UP + ENTER):
            menu = self.menu().wait(QUESTION, "❯ " + YES, DO_IT, EXPLAIN, BROWSE, QUIT).send(keys)
            self.assertIn(b"Goodbye!", menu.wait("Goodbye!").ended(OK).seen, keys)

    def test_keys(self):
        menu = self.menu().wait(QUESTION, "❯ " + YES)
        for keys, entry in ((DOWN, DO_IT), ("j", EXPLAIN), ("k", DO_IT), ("b", BROWSE), ("n", DO_IT), ("n", EXPLAIN),
                            ("1", YES), (UP, QUIT), ("\x1b[H", YES), ("\x1b[6~", QUIT), ("\x1bOA", BROWSE)):
            menu.send(keys).wait("❯ " + entry)
        menu.send("q").ended(OK)

    def test_colour(self):
        colour = re.compile(rb"\x1b\[\d+m")
        menu = self.menu(env={"NO_COLOR": ""}).wait(QUESTION, QUIT).send("q").ended(OK)
        self.assertTrue(colour.search(menu.seen))
        menu = self.menu().wait(QUESTION, QUIT).send("q").ended(OK)
        self.assertFalse(colour.search(menu.seen))

    def test_resize_redraws(self):
        menu = self.menu(size=(24, 100)).wait(QUESTION, "❯ " + YES, QUIT)
        menu.resize(24, 26)
        menu.wait("? Do you have a log file", "  with memory logs ready?", "❯ Yes, I have a log file…")
        menu.resize(24, 90)
        menu.wait(QUESTION, "❯ " + YES)
        menu.resize(6, 90)
        menu.wait(QUESTION, "1 to 3 of 5").send(DOWN * 4).wait("❯ " + QUIT).send(ENTER).ended(OK)

    def test_narrow(self):
        self.report("a-report-with-a-rather-long-name")
        for columns in (20, 33):
            menu = self.menu(size=(20, columns)).wait("❯ Yes", "Quit").send("4").wait("❯ Browse").send(ENTER)
            menu.wait("Select a report:", "❯ a-report").send(ENTER).wait("❯ Open it").send("3").wait("❯ Delete").send(ENTER)
            menu.wait("(y/N)").send("n").wait("❯ a-report").send(ESC).wait("❯ Yes").send(ENTER)
            menu.wait("❯ ").send("no/such/file/of/a/long/name").send(ENTER).wait("Invalid").send(ESC).wait("❯ Yes")
            menu.send("q").wait("Goodbye!").ended(OK)
            self.assertLessEqual(max(map(len, menu.lines())), columns)

    def test_one_row(self):
        self.menu(size=(1, 10)).wait("❯ Yes").send(END).wait("❯ Quit").send(ENTER).ended(OK)


class YesALog(MenuTest):
    def prompt(self, **options):
        return self.menu(**options).start(YES, 1).wait(LOG_PATH, "Esc goes back")

    def test_full_flow_with_the_server(self):
        self.usual_log("my_model_profile.log")
        menu = self.prompt().send("my_model_profile.log", ENTER)
        menu.wait("FINISHED", "fits", "Peak memory", "Report page", "my-model_report.html", SERVE_NOW).send("y")
        menu.wait("Serving 1 report", "Ctrl-C stops.")
        address = ADDRESS.search(menu.seen)[0].decode()
        self.assertTrue(address.endswith("/reports/my-model/"), address)
        with urllib.request.urlopen(address, timeout=60) as answer:
            self.assertEqual(answer.status, 200)
        menu.send(CTRL_C).wait("Server stopped.").ended(OK)
        self.assertTrue((self.library / "my-model/my-model_report.html").exists())

    def test_not_served(self):
        self.usual_log()
        for keys in ("n", "q", ESC):
            menu = self.prompt().send("run.log", ENTER).wait(SERVE_NOW).send(keys)
            menu.wait("Later: ttmem serve run").ended(OK)

    def test_bad_paths_stay_in_the_prompt(self):
        self.file("empty.log")
        menu = self.prompt()
        for path, message in (("nope.log", "Invalid path: nope.log: No such file"), ("home", "is a folder, not a log file"),
                              ("empty.log", "the file is empty"), ("", "Type the path of a log file."),
                              ("-", "Invalid path: ./-: No such file")):
            menu.send("\x15", path, ENTER).wait(message)
        menu.send(ESC).wait(QUESTION, QUIT).send("q").ended(OK)

    def test_path_with_q(self):
        self.usual_log("q quick Q.log")
        self.prompt().send("q quick Q.log", ENTER).wait("q quick Q_report.html", SERVE_NOW).send("n") \
            .wait("Later: ttmem serve 'q quick Q'").ended(OK)

    def test_q_alone_goes_back_unless_a_file_is_called_so(self):
        menu = self.prompt().send("q", ENTER).wait(QUESTION, QUIT)
        self.usual_log("q")
        menu.send(ENTER).wait(LOG_PATH, "Esc").send("q", ENTER).wait("q_report.html", SERVE_NOW).send("n").ended(OK)

    def test_tab_completes(self):
        for name in ("model_a.log", "model_b.log", "other/deep.log", "home/mine.log"):
            self.usual_log(name)
        menu = self.prompt().send("mod", TAB).wait("❯ model_").send(TAB).wait("model_a.log  model_b.log")
        menu.send("b", TAB).wait("❯ model_b.log").send("\x15ot", TAB).wait("❯ other/").send(TAB).wait("❯ other/deep.log")
        menu.send("\x15~/mi", TAB).wait("❯ ~/mine.log").send(ENTER).wait("mine_report.html", SERVE_NOW).send("n").ended(OK)

    def test_editing(self):
        self.usual_log("größe.log")
        menu = self.prompt().send("xgrö", "ßf", LEFT, LEFT, "\x7f", "ö", "\x01", "\x1b[3~", "\x05", "\x7f", "e.log")
        menu.wait("❯ größe.log").send(ENTER).wait("größe_report.html", SERVE_NOW).send("n").ended(OK)

    def test_pasted_and_dropped_paths(self):
        self.usual_log("my run.log")
        menu = self.prompt().send("\x1b[200~'my run.log' \r\n\x1b[201~").wait("❯ 'my run.log'").send(ENTER)
        menu.wait("my run_report.html", SERVE_NOW).send("n").ended(OK)

    def test_escape_sequences_in_names_are_shown_not_obeyed(self):
        self.usual_log("evil\x1b[31m.log")
        menu = self.prompt().send("ev", TAB).wait("❯ evil\\x1b[31m.log").send(ENTER).wait(SERVE_NOW).send("n").ended(OK)
        self.assertNotIn(b"\x1b[31m", menu.seen)

    def test_incomplete_log(self):
        (self.folder / "other.txt").write_text("hello\n")
        menu = self.prompt().send("other.txt", ENTER).wait("Incomplete Log Data", "TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG",
                                                           "TT_RUNTIME_MEMORY_LOG_LEVEL=operation", RETURN)
        menu.send(ENTER).wait(QUESTION, QUIT).send("q").ended(OK)
        self.assertFalse(self.library.exists(), "no empty report folder is left")

    def test_a_library_that_cannot_be_written(self):
        (self.home / ".ttmem").write_text("a file")
        menu = self.prompt().send(str(self.usual_log()), ENTER).wait("No Report", RETURN).send(ENTER).wait(QUESTION)
        menu.wait(QUIT).send("q").ended(OK)


class DoItForMe(MenuTest):
    def prompt(self):
        return self.menu().start(DO_IT, 2).wait(SCRIPT_PATH, "Esc goes back")

    def test_runs_the_script_with_its_arguments(self):
        self.printer(start="print('args', sys.argv[1:], os.environ['TT_RUNTIME_MEMORY_LOG_LEVEL'])")
        menu = self.prompt().send("mod", TAB, ENTER).wait("Arguments for model.py")
        menu.send("--batch 8 'a b' ; $HOME", ENTER).wait("args ['--batch', '8', 'a b', ';', '$HOME'] operation")
        menu.wait("Peak memory", "Also among the reports of ttmem", SERVE_NOW).send("y").wait("/reports/model/", "Ctrl-C stops.")
        menu.send(CTRL_C).wait("Server stopped.").ended(OK)
        self.assertTrue((self.only_run() / "model_profile.log").exists())
        self.assertTrue((self.library / "model/model_report.html").exists())

    def test_a_script_that_fails_still_has_a_report(self):
        self.printer("sys.exit(3)")
        menu = self.prompt().send("model.py", ENTER).wait("Arguments for").send(ENTER).wait("exited with code 3", SERVE_NOW)
        menu.send("n").wait("Later: ttmem serve model").ended(OK)

    def test_a_script_that_prints_nothing(self):
        self.script("pass\n")
        menu = self.prompt().send("model.py", ENTER).wait("Arguments for").send(ENTER).wait("printed nothing", RETURN)
        menu.send(ENTER).wait(QUESTION, QUIT).send("q").ended(OK)

    def test_missing_script_and_open_quotes(self):
        self.script("pass\n")
        menu = self.prompt().send("none.py", ENTER).wait("Invalid path: none.py: No such file")
        menu.send("\x15home", ENTER).wait("is a folder, not a script").send("\x15model.py", ENTER).wait("Arguments for")
        menu.send("'open", ENTER).wait("the line ends before").send(ESC).wait(QUESTION, QUIT).send("q").ended(OK)
        self.assertEqual(self.runs(), [])

    def test_control_c_stops_the_script_and_keeps_its_log(self):
        self.printer("print('ready', flush=True)\ntime.sleep(600)")
        menu = self.prompt().send("model.py", ENTER).wait("Arguments for").send(ENTER).wait("ready")
        self.wait_for(lambda: not termios.tcgetattr(menu.settings)[3] & termios.ISIG, "the terminal is not the child's")
        menu.send(CTRL_C).wait(SERVE_NOW).send("n").ended(OK)

    def test_ended_by_a_signal_while_the_script_runs(self):
        self.printer("print('ready', flush=True)\ntime.sleep(600)")
        menu = self.prompt().send("model.py", ENTER).wait("Arguments for").send(ENTER).wait("ready")
        menu.process.send_signal(signal.SIGTERM)
        menu.ended(128 + signal.SIGTERM)


class StepByStep(MenuTest):
    def test_steps_and_findings_then_the_log(self):
        self.usual_log()
        menu = self.menu(size=(60, 100)).start(EXPLAIN, 3)
        menu.wait("Getting Started", "setMemoryLogLevel", "-DTT_RUNTIME_DEBUG=ON", "export TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG",
                  "tt-memory-profiler --log", "This Machine", "A run here gives op lines:", "Press Enter when")
        menu.send(ENTER).wait(LOG_PATH).send("run.log", ENTER).wait(SERVE_NOW).send("n").ended(OK)

    def test_back(self):
        for keys in (ESC, "q"):
            menu = self.menu().start(EXPLAIN, 3).wait("Press Enter when").send(keys).wait(QUESTION, QUIT).send("q").ended(OK)
            self.assertNotIn(LOG_PATH.encode(), menu.seen)


class Browse(MenuTest):
    def list(self, **options):
        return self.menu(**options).start(BROWSE, 4).wait("Select a report:")

    def test_empty(self):
        menu = self.menu().start(BROWSE, 4).wait("No Reports", "No reports found in", RETURN)
        menu.send(ENTER).wait(QUESTION, QUIT).send("q").ended(OK)

    def test_newest_first_with_their_facts(self):
        for age, name in ((300, "old"), (200, "middle"), (100, "new")):
            for path in self.report(name).iterdir():
                os.utime(path, (1.7e9 - age, 1.7e9 - age))
        menu = self.list().wait("❯ new ", "2023-11-14", "KB", "DRAM peak", "5.0 MB", "middle ", "old ")
        menu.send("q").wait(QUESTION, QUIT).send("q").ended(OK)

    def test_serve_and_back(self):
        self.report("one")
        menu = self.list().wait("❯ one").send(ENTER).wait("❯ Open it", "Serve it", "Delete it").send("2").wait("❯ Serve it")
        menu.send(ENTER).wait("Serving 1 report", "/reports/one/", "Ctrl-C stops.").send(CTRL_C).wait("Server stopped.")
        menu.wait("Select a report:", "❯ one").send(ESC).wait(QUESTION, QUIT).send("q").wait("Goodbye!").ended(OK)

    def test_open_in_the_browser(self):
        self.report("one")
        # It is given a page of the user's own that goes on to the report: command lines are seen by everybody.
        browser = self.script("#!/bin/sh\ncat \"$1\" > opening\nmv opening opened\n", "browser")
        browser.chmod(0o755)
        menu = self.list(env={"BROWSER": str(browser)}).wait("❯ one").send(ENTER).wait("❯ Open it").send(ENTER)
        menu.wait("Ctrl-C stops.")
        self.assertIn("/reports/one/", self.wait_for_file("opened"))
        menu.send(CTRL_C).wait("Server stopped.", "Select a report:").send(CTRL_D).ended(OK)

    def test_no_browser_here(self):
        self.report("one")
        menu = self.list().wait("❯ one").send(ENTER).wait("❯ Open it").send(ENTER).wait("no browser to open")
        menu.send(CTRL_C).wait("Server stopped.", "Select a report:").send(CTRL_D).ended(OK)

    def test_a_report_that_has_gone_meanwhile(self):
        self.report("one")
        menu = self.list().wait("❯ one").send(ENTER).wait("❯ Open it")
        shutil.rmtree(self.library / "one")
        menu.send("2", ENTER).wait("ttmem: one: no report of that name", "No Reports", RETURN).send(CTRL_D).ended(OK)
        menu = self.menu("one.log").wait(SERVE_NOW)
        shutil.rmtree(self.library / "one")
        menu.send("y").wait("ttmem: one: no report of that name").ended(FAILED)

    def test_ended_by_a_signal_while_serving(self):
        self.report("one")
        menu = self.list().wait("❯ one").send(ENTER).wait("❯ Open it").send("2", ENTER).wait("Ctrl-C stops.")
        menu.process.send_signal(signal.SIGTERM)
        menu.wait("Server stopped.").ended(128 + signal.SIGTERM)

    def test_filter(self):
        for name in ("vit", "qwen", "bert"):
            self.report(name)
        menu = self.list().send("BER").wait("1 of 3", "filter: BER", "❯ bert").send(ESC).wait("Select a report:", "letters filter")
        menu.send("/qw").wait("filter: qw", "❯ qwen").send(ENTER).wait("? qwen:", "❯ Open it").send("q").wait("Select a report:")
        menu.send("zzz").wait("nothing matches").send(ENTER, CTRL_D).ended(OK)

    def test_delete_asks_first(self):
        for name in ("one", "two"):
            self.report(name)
        menu = self.list().send("one").wait("❯ one").send(ENTER).wait("❯ Open it").send("d").wait("❯ Delete it").send(ENTER)
        menu.wait("Delete one with its 6 files", "(y/N)").send(ENTER).wait("Select a report:")
        self.assertTrue((self.library / "one").exists())
        menu.send("one").wait("❯ one").send(ENTER).wait("❯ Open it").send("d", ENTER).wait("(y/N)").send("y")
        menu.wait("Deleted one.", "Select a report:", "❯ two").send("q").wait(QUESTION, QUIT).send("q").ended(OK)
        self.assertEqual([p.name for p in self.library.iterdir()], ["two"])

    def test_delete_leaves_other_files_and_links_alone(self):
        elsewhere = self.report("one").rename(self.folder / "elsewhere")
        (self.library / "linked").symlink_to(elsewhere)
        (self.report("two") / "notes.txt").write_text("mine")
        menu = self.list().wait("❯ two").send(ENTER).wait("❯ Open it").send("d", ENTER).wait("(y/N)").send("y")
        menu.wait("Deleted two. Its folder holds other files", "No Reports", RETURN).send(ENTER).wait(QUESTION, QUIT)
        menu.send("q").ended(OK)
        self.assertNotIn(b"linked", menu.seen)
        self.assertEqual(len(list(elsewhere.iterdir())), 7)
        self.assertEqual((self.library / "two/notes.txt").read_text(), "mine")


class Interrupted(MenuTest):
    """Ctrl-C, signals and the end of the input, wherever they come; `ended` looks at the terminal's settings."""

    def places(self):
        """Every kind of question, in a `ttmem` of its own."""
        self.report("one")
        self.script("pass\n")
        yield self.menu().wait(QUESTION, QUIT)
        yield self.menu().start(YES, 1).wait(LOG_PATH, "Esc goes back")
        yield self.menu().start(DO_IT, 2).wait(SCRIPT_PATH, "Esc goes back").send("model.py", ENTER).wait("Arguments for", "Esc")
        yield self.menu().start(EXPLAIN, 3).wait("Press Enter when")
        yield self.menu().start(BROWSE, 4).wait("Select a report:", "❯ one")
        yield self.menu().start(BROWSE, 4).wait("❯ one").send(ENTER).wait("❯ Open it", "Delete it")
        yield self.menu().start(BROWSE, 4).wait("❯ one").send(ENTER).wait("❯ Open it").send("d", ENTER).wait("(y/N)")
        yield self.menu("one.log").wait(SERVE_NOW)

    def test_control_c(self):
        for menu in self.places():
            menu.send(CTRL_C).wait("Interrupted.").ended(INTERRUPTED)

    def test_end_of_input(self):
        for menu in self.places():
            menu.send(CTRL_D).ended(OK)

    def test_signals(self):
        for menu, number in zip(self.places(), (signal.SIGTERM, signal.SIGHUP) * 4):
            menu.process.send_signal(number)
            menu.ended(128 + number)

    def test_interrupt_signal_says_so_too(self):
        menu = self.menu().wait(QUESTION, QUIT)
        menu.process.send_signal(signal.SIGINT)
        menu.wait("Interrupted.").ended(INTERRUPTED)

    def test_control_c_while_a_log_is_read(self):
        path = self.folder / "endless.log"
        os.mkfifo(path)
        writer = os.open(path, os.O_RDWR)  # who reads waits for ever
        self.addCleanup(os.close, writer)
        menu = self.menu().start(YES, 1).wait(LOG_PATH, "Esc").send("endless.log", ENTER).wait(f"? {LOG_PATH} endless.log")
        self.wait_for(lambda: termios.tcgetattr(menu.settings) == menu.before, "the terminal is not as usual")
        menu.send(CTRL_C).wait("Interrupted.").ended(INTERRUPTED)
        self.assertFalse(self.library.exists())

    def test_control_z(self):
        script = 'set -m; "$0"; echo "left $?"; fg; echo "end $?"'
        menu = self.menu("-c", script, BUILD / "ttmem", program="/bin/bash").wait(QUESTION, "❯ " + YES, QUIT)
        menu.send("\x1a").wait("left 148", QUESTION, "❯ " + YES, QUIT).send(DOWN).wait("❯ " + DO_IT).send("q")
        menu.wait("Goodbye!", "end 0").ended(OK)


class DumbTerminal(MenuTest):
    def dumb(self, *args, **options):
        return self.menu(*args, env={"TERM": "dumb"}, **options)

    def test_numbers_and_lines(self):
        self.usual_log("quick.log")
        menu = self.dumb().wait(QUESTION, f"1  {YES}", f"5  {QUIT}", "Number (q: quits):").send("9\r").wait("from 1 to 5")
        menu.send("1\r").wait(LOG_PATH).send("nope\r").wait("Invalid path: nope").send("quick.log\r").wait("Report page", "(Y/n)")
        menu.send("x\r").wait("type y or n").send("n\r").wait("Later: ttmem serve quick").ended(OK)
        self.assertNotIn(b"\x1b", menu.seen)

    def test_back_and_quit(self):
        menu = self.dumb().wait("Number").send("1\r").wait(LOG_PATH).send("q\r").wait(QUESTION, "Number").send("3\r")
        menu.wait("Getting Started", "This Machine", "Press Enter when").send("q\r").wait(QUESTION, "Number").send("q\r")
        menu.wait("Goodbye!").ended(OK)

    def test_browse_delete_and_run(self):
        self.report("one")
        self.printer()
        menu = self.dumb().wait("Number").send("4\r").wait("1  one", "Number").send("1\r").wait("3  Delete it").send("3\r")
        menu.wait("(y/N)").send("y\r").wait("Deleted one.", "No Reports").send("\r").wait("Number").send("2\r")
        menu.wait(SCRIPT_PATH).send("model.py\r").wait("Arguments").send("\r").wait("(Y/n)").send("\r").wait("Ctrl-C stops.")
        menu.send(CTRL_C).wait("Server stopped.").ended(OK)

    def test_end_of_input_and_control_c(self):
        self.dumb().wait("Number").send(CTRL_D).wait("Goodbye!").ended(OK)
        self.dumb().wait("Number").send(CTRL_C).wait("Interrupted.").ended(INTERRUPTED)

    def test_terminal_without_a_name(self):
        menu = self.menu("-c", 'unset TERM; exec "$0"', BUILD / "ttmem", program="/bin/sh").wait("Number").send("5\r")
        self.assertNotIn(b"\x1b", menu.wait("Goodbye!").ended(OK).seen)


class WithArguments(MenuTest):
    def test_a_log_and_the_question(self):
        self.usual_log()
        self.menu("run.log").wait("Report folder", SERVE_NOW).send("n").wait("Later: ttmem serve run").ended(OK)
        menu = self.menu("run.log").wait(SERVE_NOW).send(ENTER).wait("/reports/run/", "Ctrl-C stops.").send(CTRL_C)
        menu.wait("Server stopped.").ended(OK)

    def test_not_asked_without_a_terminal(self):
        done = self.check(OK, self.usual_log(), program="ttmem")
        self.assertNotIn("Serve", done.stdout + done.stderr)
        out = self.folder / "out"
        menu = self.menu("-c", 'exec "$0" run.log > "$1"', BUILD / "ttmem", out, program="/bin/sh").ended(OK)
        self.assertNotIn(b"Serve", menu.seen)
        self.assertIn("Report folder", out.read_text())

    def test_no_terminal_no_menu(self):
        done = self.check(USAGE, program="ttmem")
        self.assertEqual(done.stdout, "")
        for text in ("needs a terminal", "ttmem LOG", "--llm --logfile LOG", "ttmem list", "ttmem serve", "ttmem --help"):
            self.assertIn(text, done.stderr)
        for redirection in ("< /dev/null", "> /dev/null"):
            menu = self.menu("-c", f'exec "$0" {redirection}', BUILD / "ttmem", program="/bin/sh")
            menu.wait("needs a terminal", "ttmem --help").ended(USAGE)


if __name__ == "__main__":
    unittest.main(verbosity=1)
