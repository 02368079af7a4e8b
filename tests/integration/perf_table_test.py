#!/usr/bin/env python3
"""`ttscope perf` on finished ops reports: the known tables, what is corrected in them, options, files and exit codes.

Golden tables (made by tt-perf-report 1.2.4) and the reports they are of: TTSCOPE_SHARED_DIR; those tests are skipped without it.
"""
import csv
import io
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from markdown_text import without_code  # noqa: E402
from program_case import OK, FAILED, USAGE, SOURCE, ProgramCase  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

NOTHING = 4
SHARED = os.environ.get("TTSCOPE_SHARED_DIR")
NAMES = ["bh20_oft", "bh20_oft_integral_image_trace", "bh_64_clip_encoder_1", "ops_perf_results_2025_09_18_11_39_20"]
CORPUS = SOURCE / "tests/fuzz/corpus/chain_perf_ops_report"
HEADER = ["ID", "Total %", "Bound", "OP Code", "Device", "Device Time", "Op-to-Op Gap", "Cores", "DRAM", "DRAM %", "FLOPs",
          "FLOPs %", "Math Fidelity", "Output Datatype", "Input 0 Datatype", "Input 1 Datatype", "DRAM Sharded",
          "Input 0 Memory", "Inner Dim Block Size", "Output Subblock H", "Output Subblock W", "Global Call Count", "Advice"]


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


@unittest.skipUnless(SHARED, "skipped: TTSCOPE_SHARED_DIR is not set, no golden tables here")
class GoldenTables(ProgramCase):
    """With --compat every golden file is reproduced byte for byte."""

    MODES = {
        "default_plain.txt": [],
        "ignore_signposts.txt": ["--ignore-signposts"],
        "no_advice.txt": ["--ignore-signposts", "--no-advice", "--no-summary"],
        "no_merge.txt": ["--ignore-signposts", "--no-merge-devices"],
        "tracing_mode.txt": ["--ignore-signposts", "--tracing-mode"],
        "group_op.txt": ["--ignore-signposts", "--no-advice", "--group-by", "op", "--summary-file", "{}/summary_op"],
        "group_category.txt": ["--ignore-signposts", "--no-advice", "--group-by", "category", "--summary-file",
                               "{}/summary_category"],
        "csv.txt": ["--ignore-signposts", "--csv", "{}/report.csv"],
        "csv_raw.txt": ["--ignore-signposts", "--csv", "{}/report_raw.csv", "--raw-op-codes", "--no-summary"],
    }

    def report(self, name):
        return pathlib.Path(SHARED) / "data/perf/ops-reports" / f"{name}.csv"

    def golden(self, name, file):
        return (pathlib.Path(SHARED) / "data/perf-report" / name / file).read_bytes().decode()

    def same(self, got, want, what):
        if got == want:
            return
        for number, (a, b) in enumerate(zip(got.splitlines(), want.splitlines()), 1):
            self.assertEqual(a, b, f"{what}:{number}")
        self.fail(f"{what}: {len(got)} characters, not {len(want)}")

    def test_every_file_of_every_folder(self):
        for name in NAMES:
            (self.folder / name).mkdir()
            for file, options in self.MODES.items():
                with self.subTest(name=name, file=file):
                    done = self.check(OK, "perf", self.report(name), "--compat", *(one.format(name) for one in options))
                    self.same(done.stdout, self.golden(name, file), f"{name}/{file}")
            for golden in sorted((pathlib.Path(SHARED) / "data/perf-report" / name).glob("*.csv")):
                with self.subTest(name=name, file=golden.name):
                    got = (self.folder / name / golden.name).read_bytes().decode()
                    self.same(got, self.golden(name, golden.name), f"{name}/{golden.name}")
            known = set(self.MODES) | {path.name for path in (self.folder / name).iterdir()}
            files = {path.name for path in (pathlib.Path(SHARED) / "data/perf-report" / name).iterdir()}
            self.assertEqual(files - known, set())

    def test_what_is_corrected_changes_only_its_own_columns(self):
        """Without --compat: compile time leaves Total %; block floats get their exponents (DRAM, and with them Bound
        and Advice, can change); the clock tells an architecture that is not recorded (FLOPs %). Nothing else differs."""
        for name in NAMES:
            with self.subTest(name=name):
                self.check(OK, "perf", self.report(name), "--ignore-signposts", "--warm-up", "--csv", "own.csv")
                own = rows_of((self.folder / "own.csv").read_bytes().decode())
                golden = rows_of(self.golden(name, "report.csv"))
                self.assertEqual(own[0], golden[0])
                self.assertEqual(len(own), len(golden))
                corrected = {"Total %"}
                recorded = name.startswith("bh") and not name.endswith("trace")
                if not recorded:
                    corrected |= {"FLOPs %", "DRAM %", "Bound", "Advice"}  # Wormhole was a guess; the clock says Blackhole
                for mine, theirs in zip(own[1:], golden[1:]):
                    for column, a, b in zip(HEADER, mine, theirs):
                        if column in corrected or a == b:
                            continue
                        if column in ("Cores", "Global Call Count"):  # 20.0 is 20
                            self.assertEqual(float(a), float(b), (name, mine))
                        elif column in ("DRAM", "DRAM %"):  # at most the share of the exponents
                            self.assertIn("BFLOAT", "".join(mine[13:16]))
                            self.assertTrue(1 <= float(a) / float(b) <= 1.125, (name, mine))
                        elif column == "Advice":  # all worker cores, not 64; nothing about accuracy; any config is one
                            for gone in set(b.split(" • ")) - set(a.split(" • ")):
                                self.assertRegex(gone, "grid size|accuracy|^No |full accuracy")
                        elif column in ("FLOPs %",) and a == "":  # above its peak
                            self.assertGreater(float(b), 100)
                        else:
                            self.fail(f"{name} {column}: {a!r}, not {b!r} in {mine}")

    def test_parts_add_up_on_every_report(self):
        for path in sorted((pathlib.Path(SHARED) / "data/perf/ops-reports").glob("*.csv")):
            with self.subTest(path=path.name):
                self.check(OK, "perf", path, "--ignore-signposts", "--json", "perf.json", "-q")
                document = json.loads((self.folder / "perf.json").read_text())
                totals = document["totals"]
                ops = [op for op in document["ops"] if "signpost" not in op]
                self.assertEqual(len(ops), totals["device_ops"] + totals["host_ops"])
                for part in ("bounds", "categories"):
                    self.assertAlmostEqual(sum(one["device_us"] for one in document[part]), totals["device_us"], 3)
                self.assertAlmostEqual(sum(one["gap_us"] for one in document["gaps"]), totals["gap_us"], 3)
                self.assertAlmostEqual(sum(op["device_us"] or 0 for op in ops), totals["device_us"], 3)
                self.assertAlmostEqual(sum(op["total_percent"] or 0 for op in ops), 100, 6)
                order = [(one["after_others"], -one["gain_us"]) for one in document["advice"]]
                self.assertEqual(order, sorted(order))


class PerfReading(ProgramCase):
    def test_the_table_is_what_a_report_alone_gives(self):
        done = self.check(OK, "perf", CORPUS / "usual", "--ignore-signposts")
        self.assertIn("Ops  those of one name and shape as one", done.stdout)
        every = self.check(OK, "perf", CORPUS / "usual", "--ignore-signposts", "--all").stdout
        self.assertIn("🚀 Performance Report 🚀", every)
        self.assertIn("🪧 start", every)
        self.assertIn("💡 Advice 💡", done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        self.assertIn("\x1b[38;5;", self.check(OK, "perf", CORPUS / "usual", "--color", "always").stdout)

    def test_csv_header_is_the_contract_and_cells_are_safe(self):
        self.check(OK, "perf", CORPUS / "hostile", "--csv", "out.csv", "--ignore-signposts")
        rows = rows_of((self.folder / "out.csv").read_bytes().decode())
        self.assertEqual(rows[0], HEADER)
        for row in rows[1:]:
            self.assertFalse(row[3].startswith(("=", "+", "@")), row)
        self.assertIn("'=cmd|'/c calc'!A1", [row[3] for row in rows])
        for file in ("out_stacked.csv", "out_stacked.png", "out_stacked.svg", "out_bounds.csv"):
            self.assertTrue((self.folder / file).stat().st_size > 0, file)
        self.assertEqual((self.folder / "out_stacked.png").read_bytes()[:4], b"\x89PNG")
        self.assertNotIn("</script>", (self.folder / "out_stacked.svg").read_text())

    def test_hostile_text_does_not_reach_terminal_markdown_or_page_raw(self):
        text = self.check(OK, "perf", CORPUS / "hostile", "--ignore-signposts").stdout
        self.assertNotIn("\x1b", text)
        markdown = self.check(OK, "perf", CORPUS / "hostile", "--ignore-signposts", "--llm", "-").stdout
        self.assertNotIn("</script>", without_code(markdown))
        self.check(OK, "perf", CORPUS / "hostile", "--ignore-signposts", "--html", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertEqual(page.count("</script>"), page.count("<script"))

    def test_unknown_signpost_and_empty_window_are_not_success(self):
        done = self.check(NOTHING, "perf", CORPUS / "usual", "--start-signpost", "nope")
        self.assertIn("there are: start, end", done.stderr)
        self.check(NOTHING, "perf", CORPUS / "usual", "--ignore-signposts", "--id-range", "900-")

    def test_bad_input_is_refused_with_a_reason(self):
        for name in ("empty", "no_report"):
            done = self.check(NOTHING if name == "empty" else FAILED, "perf", CORPUS / name, "--table")
            self.assertTrue(done.stderr.startswith("ttscope: "), done.stderr)
        self.assertIn("file ends inside a row", self.check(OK, "perf", CORPUS / "cut", "--ignore-signposts").stdout)

    def test_wrong_options_are_usage_errors(self):
        for options in (["--id-range", "5"], ["--id-range", "a-b"], ["--arch", "gpu"], ["--min-percentage", "x"],
                        ["--group-by", "colour"], ["--csv", ""], ["--json", "-", "--llm", "-"]):
            with self.subTest(options=options):
                self.check(USAGE, "perf", CORPUS / "usual", *options)

    def test_a_name_of_megabytes_costs_that_name_only(self):
        """Every row and section shows the name: 10 MB of it were hundreds of megabytes of text."""
        lines = (CORPUS / "usual").read_text().splitlines()
        at = lines[0].split(",").index("OP CODE")
        rows = [line for line in lines[1:] if "tt_dnn_device" in line]
        cells = rows[0].split(",")
        cells[at] = "X" * 10_000_000
        path = self.folder / "huge.csv"
        path.write_text("\n".join([*lines, ",".join(cells)]) + "\n")
        text = self.check(OK, "perf", path, "--ignore-signposts", "--csv", "huge_table.csv", "--table", "--llm", "huge.md",
                          "--html", "huge.html", "--json", "huge.json").stdout
        self.assertLess(len(text), 30_000)
        self.assertLess((self.folder / "huge.md").stat().st_size, 30_000)
        problem = json.loads((self.folder / "huge.json").read_text())["trust"]["problems"]["long_text"]
        self.assertEqual((problem["count"], problem["first_rows"]), (1, [len(lines) + 1]))
        self.assertIn("a text over 64 KiB", text)

    def test_the_stacked_report_by_signposts_adds_up(self):
        self.check(OK, "perf", CORPUS / "usual", "--ignore-signposts", "--group-by", "signpost", "--summary-file", "parts", "-q")
        rows = rows_of((self.folder / "parts.csv").read_text())
        self.assertEqual(rows[0][:4], ["Total % [%]", "Op Code", "Device Time Sum [μs]", "Op Count"])
        self.assertIn("start", [row[1] for row in rows[1:]])
        self.assertAlmostEqual(sum(float(row[0]) for row in rows[1:]), 100, delta=0.1)

    def test_several_reports_are_several_hosts(self):
        done = self.check(OK, "perf", CORPUS / "devices", CORPUS / "devices", "--ignore-signposts", "--json", "-")
        document = json.loads(done.stdout)
        self.assertEqual(document["device"]["devices"], 4)
        self.assertEqual([one["host"] for one in document["inputs"]], ["devices", "devices-2"])

    def test_folders_of_finished_reports_are_hosts_and_named(self):
        for host in ("left", "right"):
            (self.folder / host).mkdir()
            (self.folder / host / "ops_perf_results_2026_01_01.csv").write_bytes((CORPUS / "usual").read_bytes())
            (self.folder / host / "ops_perf_results_2026_02_02.csv").write_bytes((CORPUS / "devices").read_bytes())
        done = self.check(OK, "perf", "left", "right", "--ignore-signposts", "--json", "-")
        document = json.loads(done.stdout)
        self.assertEqual([(one["path"], one["host"]) for one in document["inputs"]],
                         [(f"{host}/ops_perf_results_2026_02_02.csv", host) for host in ("left", "right")])
        self.assertIn("Devices 0 to 1: left; 2 to 3: right.", document["trust"]["notes"])
        (self.folder / "empty").mkdir()
        self.assertIn("ops_perf_results*.csv", self.check(FAILED, "perf", "empty", "--table").stderr)

    def test_every_report_of_the_corpus_can_be_written_in_every_form(self):
        for path in sorted(CORPUS.iterdir()):
            if path.name in ("empty", "no_report"):
                continue
            with self.subTest(path=path.name):
                self.check(OK, "perf", path, "--ignore-signposts", "--json", "a.json", "--llm", "a.md", "--html", "a.html",
                           "--csv", "a.csv", "--table")
                document = json.loads((self.folder / "a.json").read_text())
                if jsonschema is not None:
                    jsonschema.validate(document, json.loads((SOURCE / "docs/formats/perf.schema.json").read_text()))
                self.check_known(document, json.loads((SOURCE / "docs/formats/perf.schema.json").read_text()), path.name)

    def check_known(self, value, schema, place):
        """Every field that is written is in the schema."""
        for form in schema.get("oneOf", [schema]):
            if isinstance(value, dict) and "properties" in form and set(value) >= set(form.get("required", [])):
                self.assertLessEqual(set(value), set(form["properties"]), place)
                for key, part in value.items():
                    self.check_known(part, form["properties"][key], f"{place}.{key}")
            elif isinstance(value, list) and "items" in form:
                for part in value:
                    self.check_known(part, form["items"], place)


if __name__ == "__main__":
    unittest.main()
