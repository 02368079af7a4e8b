#!/usr/bin/env python3
"""Names of a file that come back as rows, on a terminal and in a pipe: what acts on a terminal is shown there, a pipe gets
the bytes, and a spreadsheet runs nothing of either."""
import csv
import io
import json
import os
import pty
import subprocess
import sys
import unicodedata
import unittest

from program_case import BUILD, OK, SOURCE, ProgramCase

HOSTILE = "MATMUL\x1b]0;title\x07\u009b31m\u202Eb\rc"
FORMULA = "=cmd|' /C calc'!A1"
SQL = "select name from phases"


def controls(text):
    return sorted({hex(ord(c)) for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n"})


class TerminalCase(ProgramCase):
    def on_terminal(self, *args):
        """What the program writes to a terminal, without the \\r that the terminal puts before line feeds."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([BUILD / "ttscope", *args], stdin=subprocess.DEVNULL, stdout=follower, cwd=self.folder,
                                   stderr=subprocess.PIPE,
                                   env={"PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "xterm", "NO_COLOR": "1"})
        os.close(follower)
        pieces = []
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            pieces.append(piece)
        os.close(leader)
        errors = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(), OK, errors)
        return b"".join(pieces).decode().replace("\r\n", "\n")

    def training_log(self):
        """A summary of the tracker with phases of these names."""
        blocks = ""
        current = peak = 0.0
        for name, grows in ((FORMULA, 10.0), (HOSTILE, 5.0), ("FORWARD_PASS", 1.0)):
            peak = max(peak, current + grows)
            current += grows
            blocks += (f"--- {name} ---\n  DRAM: Segment Peak {grows:.2f} MB, Allocations {grows:.2f} MB, Deallocations 0.00 MB, "
                       f"Segment Change +{grows:.2f} MB\n  DRAM: Cumulative Peak {peak:.2f} MB, Cumulative Current {current:.2f} MB\n")
        text = (f"=== Memory Usage Summary ===\n\n{blocks}\n=== Final Totals ===\n"
                f"Overall DRAM Peak: {peak:.2f} MB, Final DRAM Usage: {current:.2f} MB\n")
        path = self.folder / "phases.log"
        path.write_text(text, newline="")
        return path


class RowsTest(TerminalCase):
    def rows(self, text):
        return [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]

    def test_sql_on_a_terminal_shows_what_would_act_on_it(self):
        log = self.training_log()
        for command in (["sql", log, SQL, "--csv", "-"], ["export", log, "--table", "phases", "--format", "csv"],
                        ["sql", log, SQL], ["sql", log, SQL, "--json", "-"], ["phases", log], ["phases", log, "--llm", "-"]):
            text = self.on_terminal(*command)
            self.assertEqual(controls(text), [], command)
            self.assertIn("MATMUL", text, command)

    def test_a_pipe_gets_the_names_as_they_are(self):
        log = self.training_log()
        done = subprocess.run([BUILD / "ttscope", "sql", log, SQL, "--csv", "-"], capture_output=True, cwd=self.folder)
        names = self.rows(done.stdout.decode())
        self.assertIn(HOSTILE.replace("\x1b", ""), names)  # escapes are taken off where the log is read

    def test_formulas_are_defused_in_files_and_pipes(self):
        log = self.training_log()
        self.check(OK, "sql", log, SQL, "--csv", "rows.csv")
        self.check(OK, "export", log, "--table", "phases", "-o", "phases.csv")
        self.assertIn("'" + FORMULA, self.rows((self.folder / "rows.csv").read_bytes().decode()))
        self.assertIn("'" + FORMULA, (self.folder / "phases.csv").read_bytes().decode())
        self.check(OK, "export", log, "--table", "phases", "-o", "phases.json")
        self.assertIn(FORMULA, [row["name"] for row in json.loads((self.folder / "phases.json").read_text())])

    def test_a_cut_log_on_a_terminal_is_shown_too(self):
        sample = (SOURCE / "examples/sample.log").read_text()
        (self.folder / "run.log").write_text(sample + "a line\x1b]0;x\x07\u202E of the log\n")
        shown = self.on_terminal("last-run", "run.log", "-o", "-")
        self.assertTrue("a line\\x1b]0;x\\x07\\u{202E} of the log\n" in shown, shown[-200:])
        done = subprocess.run([BUILD / "ttscope", "last-run", "run.log", "-o", "-"], capture_output=True, cwd=self.folder)
        self.assertTrue("a line\x1b]0;x\x07\u202E of the log\n" in done.stdout.decode())


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
