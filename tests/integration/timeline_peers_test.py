"""Files of `ttscope timeline` read by Tracy's own tools: csvexport and import-chrome, where they are there.

TTSCOPE_TRACY_TOOLS names the folder with them; what they print is compared with what `--csv` gives.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import unittest

from program_case import OK, SOURCE, ProgramCase
from timeline_case import SimulatedCase

TOOLS = pathlib.Path(os.environ.get("TTSCOPE_TRACY_TOOLS", "/nowhere"))
SHARED = pathlib.Path(os.environ["TTSCOPE_SHARED_DIR"]) if "TTSCOPE_SHARED_DIR" in os.environ else None


def tool(name):
    for path in (TOOLS / name, TOOLS / f"tracy-{name}"):
        if path.is_file():
            return str(path)
    return None


def cell(text):
    """Figures with a fraction are compared to nine places: the last ones depend on the order of a sum."""
    try:
        return f"{float(text):.9g}" if "." in text else text
    except ValueError:
        return text


def rows(text):
    return sorted(tuple(map(cell, row)) for row in csv.reader(io.StringIO(text)))


def captures():
    found = sorted((SOURCE / "tests/fuzz/corpus/timeline_tracy").glob("device_*.tracy"))
    if SHARED:
        found += sorted((SHARED / "data/tracy").glob("*.tracy"))
        found += [SHARED / "data/perf/tt-mlir-history/tracy_profile_log_host.tracy"]
    return found


@unittest.skipUnless(tool("csvexport") and tool("import-chrome"), "no tools of Tracy (TTSCOPE_TRACY_TOOLS)")
class TracyTools(ProgramCase):
    def csv_of(self, path, form):
        return self.check(OK, "timeline", str(path), "--csv", "-", "--csv-form", form).stdout

    def export(self, path, *options):
        result = subprocess.run([tool("csvexport"), *options, str(path)], capture_output=True, text=True, errors="replace")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def device_zones(self, path):
        """csvexport does not wait until it has sorted the zones of devices: it is asked again where it lists none."""
        for _ in range(20):
            text = self.export(path, "-g")
            if text.count("\n") > 1:
                break
        return text

    # csvexport repeats the text of the zone before where a zone has none: texts are left out.
    @staticmethod
    def places_and_times(text):
        # Lines of a text that has several are no rows.
        return sorted(row[:6] for row in csv.reader(io.StringIO(text)) if len(row) > 5 and row[3].isdigit())

    def simulated_run(self):
        """Host and two devices with clocks of their own, marks and memory: more than any recorded capture has."""
        made = SimulatedCase()
        made.folder = self.folder
        return made.write_run(sync=True)

    def test_written_captures_have_the_same_zones(self):
        for source in [*captures(), self.simulated_run()]:
            with self.subTest(source.name):
                out = self.folder / "out.tracy"
                self.check(OK, "timeline", str(source), "-q", "-o", str(out))
                self.assertEqual(rows(self.export(out)), rows(self.csv_of(source, "stats")))
                self.assertEqual(self.places_and_times(self.export(out, "-u")), self.places_and_times(self.csv_of(source, "unwrap")))
                self.assertEqual(rows(self.device_zones(out)), rows(self.csv_of(out, "gpu")))

    def test_messages_are_the_same(self):
        for source in captures():
            with self.subTest(source.name):
                out = self.folder / "out.tracy"
                self.check(OK, "timeline", str(source), "-q", "-o", str(out))
                ours = self.csv_of(out, "messages")
                if ours.count("\n") > 1:
                    self.assertEqual(self.export(out, "-m"), ours)

    def test_chrome_events_are_imported(self):
        for source in [*captures(), self.simulated_run()]:
            with self.subTest(source.name):
                events, out = self.folder / "out.json", self.folder / "imported.tracy"
                self.check(OK, "timeline", str(source), "-q", "-o", str(events))
                result = subprocess.run([tool("import-chrome"), str(events), str(out)], capture_output=True, text=True, errors="replace")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                zones = [e for e in json.loads(events.read_text())["traceEvents"] if e["ph"] == "X"]
                imported = json.loads(self.check(OK, "timeline", str(out), "--json", "-").stdout)
                self.assertEqual(imported["zones"], len(zones))
                table = list(csv.DictReader(io.StringIO(self.csv_of(out, "unwrap"))))
                begin = min((int(row["ns_since_start"]) for row in table), default=0)
                least = min((e["ts"] for e in zones if e["dur"] > 0), default=0)
                theirs = sorted((row["name"], int(row["ns_since_start"]) - begin, int(row["exec_time_ns"])) for row in table if row["exec_time_ns"] != "0")
                ours = sorted((e["name"] or "???", round((e["ts"] - least) * 1000), round(e["dur"] * 1000)) for e in zones if e["dur"] > 0)
                self.assertEqual(theirs, ours)


if __name__ == "__main__":
    unittest.main()
