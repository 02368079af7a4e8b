#!/usr/bin/env python3
"""What tools write in front of the lines changes no figure: CI services, containers, launchers, ts, grep -n.

The logs are generated ones and, where TTSCOPE_SHARED_DIR is set, real ones with dumps of modules."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import prefixed_lines as prefix

BUILD = Path(os.environ["TTSCOPE_BUILD_DIR"])
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
REAL = ["runtime-logs/jona_shard_log_2025-08-21_16-07-09.log", "runtime-logs/qwen_bw_taps_2026-01-28_22-13-14.log",
        "runtime-logs/llama_memory_2026-03-13_22-31-28.log", "injected/llama_oom_wh_profile.log",
        "injected/jona_wh_profile.log", "ttmem-sample/sample_profile.log", "ttmem-sample/sample_ansi_profile.log"]


def lines_of(path):
    return path.read_bytes().decode("utf-8", "surrogateescape").split("\n")[:-1]


def without(document, *names):
    """The document less the members of these names, at any depth."""
    if isinstance(document, dict):
        return {key: without(value, *names) for key, value in document.items() if key not in names}
    if isinstance(document, list):
        return [without(item, *names) for item in document]
    return document


def moved(document, first):
    """The document with every number of a line as it is when the lines begin at `first`."""
    def of(key, value):
        if isinstance(value, list):
            return [of(key, item) for item in value]
        if isinstance(value, dict):
            return moved(value, first)
        is_line = key is not None and (key == "line" or key.endswith("_line")) and isinstance(value, int) and value > 0
        return first[value - 1] if is_line else value
    return {key: of(key, value) for key, value in document.items()}


class PrefixTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def figures(self, lines, end="\n"):
        log = self.folder / "run.log"
        log.write_bytes("".join(line + end for line in lines).encode("utf-8", "surrogateescape"))
        out = self.folder / "mem.json"
        subprocess.run([BUILD / "ttscope", "mem", log, "-q", "--json", out], check=True)
        document = json.loads(out.read_text())
        del document["trust"]["recognised"]["bytes"]
        for rank in document["ranks"]:
            del rank["tag"]
        return document

    def generated(self, *options):
        log = self.folder / "generated.log"
        subprocess.run([BUILD / "ttscope-gen-log", "--compact", "--runs", "3", *options, "-o", log], check=True,
                       stderr=subprocess.DEVNULL)
        return lines_of(log)

    def check_styles(self, lines, name):
        want = self.figures(lines)
        for style in prefix.PLAIN:
            with self.subTest(log=name, style=style):
                self.assertEqual(self.figures(prefix.with_plain(style, lines)), want)
        for style in prefix.RANKED:
            with self.subTest(log=name, style=style):
                self.assertEqual(self.figures(prefix.with_rank(style, lines)), want)
        if all(len(line) < 16384 for line in lines):  # longer ones are split, which moves the lines behind them
            with self.subTest(log=name, style="docker json-file"):
                self.assertEqual(self.figures(prefix.in_docker_file(lines)), want)
                self.assertEqual(self.figures(prefix.in_docker_file(prefix.with_rank("torch", lines))), want)
        with self.subTest(log=name, style="mixed"):
            self.assertEqual(self.figures(prefix.with_mixed(lines)), want)
        with self.subTest(log=name, style="carriage returns"):
            self.assertEqual(self.figures(prefix.with_plain("gitlab", lines), "\r\n"), want)

    def test_every_style_of_a_log_with_colours(self):
        self.check_styles(self.generated(), "generated")

    def test_every_style_of_a_log_without_colours(self):
        self.check_styles(self.generated("--plain", "--program-level"), "plain")

    def test_every_style_of_a_log_that_runs_out_of_memory(self):
        self.check_styles(self.generated("--oom"), "out of memory")

    def test_a_colour_that_is_reset_at_the_end_of_every_line(self):
        lines = self.generated("--plain")
        want = self.figures(lines)
        for end in ("\x1b[0m", "\x1b[0;m", "\x1b[0K", "\x1b[m\x1b[K"):
            with self.subTest(end=end):
                self.assertEqual(self.figures([line + end for line in lines], "\r\n"), want)

    def test_interleaved_ranks_are_kept_apart(self):
        alone = self.generated()
        other = self.generated("--plain", "--hidden", "256")
        wanted = [self.rank_figures(self.figures(lines))[0] for lines in (alone, other)]
        for style in prefix.RANKED:
            with self.subTest(style=style):
                mixed = prefix.interleaved([prefix.with_rank(style, alone, 0), prefix.with_rank(style, other, 1)])
                document = self.figures(mixed)
                self.assertEqual(document["trust"]["repaired"], {})
                self.assertEqual(document["trust"]["skipped"], {})
                self.assertEqual(self.rank_figures(document), wanted)
                self.assertEqual(document["trust"]["recognised"]["modules"], 4)

    def test_lines_that_docker_split(self):
        lines = self.generated("--plain", "--no-modules")
        long = max(range(len(lines)), key=lambda i: len(lines[i]))
        lines[long] = lines[long].replace(" loc(", " " * 20000 + " loc(")
        want = self.figures(lines)
        got = self.figures(prefix.in_docker_file(lines))
        for document in (want, got):
            del document["trust"]["recognised"]["lines"], document["inputs"]
        first = [1]
        for line in lines:
            first.append(first[-1] + (len(line) + 1 + 16383) // 16384)
        self.assertEqual(without(got, "text"), without(moved(want, first), "text"))

    def check_wrapped(self, lines, pieces, name):
        """Figures and places are those of the whole lines; a line's place is that of its first piece."""
        first = [1]
        for parts in pieces:
            first.append(first[-1] + len(parts))
        want = moved(self.figures(lines), first)
        got = self.figures([part for parts in pieces for part in parts])
        self.assertEqual(got["trust"]["repaired"].pop("log_wrapped")["count"], 1, name)
        got_detail, want_detail = (document["verdict"]["trust_detail"] for document in (got, want))
        self.assertEqual(got_detail.pop("repaired"), want_detail.pop("repaired") + 1, name)
        for document in (want, got):
            del document["trust"]["recognised"]["lines"], document["inputs"]
        self.assertEqual(without(got, "text"), without(want, "text"), name)  # sentences tell lines too

    def check_widths(self, lines, name):
        for width in (80, 120, 211):
            with self.subTest(log=name, terminal=width):
                self.check_wrapped(lines, prefix.wrapped(lines, width), "terminal")
        for width in (100, 120):
            with self.subTest(log=name, fold=width):
                self.check_wrapped(lines, prefix.folded(lines, width), "fold")

    def test_lines_that_a_terminal_broke_are_read(self):
        self.check_widths(self.generated(), "generated")
        self.check_widths(self.generated("--plain"), "plain")
        self.check_widths(prefix.with_rank("torch", self.generated("--plain")), "labelled")

    def test_labels_before_every_piece_of_a_broken_line(self):
        lines = self.generated("--plain")
        pieces = [[f"[rank0]: {part}" for part in parts] for parts in prefix.folded(lines, 120)]
        self.check_wrapped(lines, pieces, "labelled pieces")

    def test_a_copy_of_a_terminal_without_blanks_at_the_ends(self):
        lines = self.generated("--plain", "--no-modules")
        pieces = [[part.rstrip(" ") for part in parts] for parts in prefix.wrapped(lines, 120)]
        self.check_wrapped(lines, pieces, "stripped")

    @staticmethod
    def rank_figures(document):
        """By rank: its facts and the growth of all its ops, without what tells where they stand."""
        names = ("rank", "line", "seen_at_line", "start_line", "end_line", "first_line", "last_line", "graph", "id")
        return [{
            "facts": without(rank, *names),
            "growth": [without(g, *names) for g in document["growth"] if g["rank"] == rank["rank"]],
        } for rank in document["ranks"]]

    def test_a_traceback_behind_a_label_is_of_the_process_that_ran(self):
        lines = self.generated("--oom")
        last = max(i for i, line in enumerate(lines) if "Out of Memory" in line)
        message = lines[last]
        plain = self.figures(lines)
        self.assertEqual(len(plain["ranks"]), 1)
        labelled = self.figures(lines + ["(EngineCore_0 pid=12) ERROR 10-23 04:15:50 [core.py:9] " + message])
        self.assertEqual(len(labelled["ranks"]), 1)
        self.assertEqual(labelled["failure"], plain["failure"])

    @unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no real logs here")
    def test_every_style_of_real_logs(self):
        for name in REAL:
            self.check_styles(lines_of(Path(SHARED) / "data" / name), name)

    @unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no real logs here")
    def test_real_logs_that_a_terminal_broke(self):
        for name in REAL:
            self.check_widths(lines_of(Path(SHARED) / "data" / name), name)


if __name__ == "__main__":
    unittest.main()
