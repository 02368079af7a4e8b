"""What the tests of the known defects share: the programs, run on logs that a test wrote."""
import json
import pathlib

from program_case import BUILD, FAILED, NOTHING, OK, USAGE, ProgramCase  # noqa: F401 (taken from here by the tests)

ROUNDING = 600  # half of a printed 0.001 MiB, and the rounding to whole bytes


class DefectCase(ProgramCase):
    maxDiff = 4000

    def file(self, log, name="run.log"):
        """`log`: a Log, lines, or text."""
        text = log.text() if hasattr(log, "text") else log if isinstance(log, str) else "".join(line + "\n" for line in log)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def document(self, log):
        return json.loads(self.check(OK, "mem", self.file(log), "--json", "-").stdout)

    def files(self, log, *names):
        """The named ones of the four files; of the memory file its records."""
        self.check(OK, "mem", "-q", self.file(log), "--out", "out", "--name", "x")
        read = {name: json.loads((self.folder / f"out/x_{name}.json").read_text()) for name in names}
        if "memory" in read:
            read["memory"] = read["memory"]["operations"]
        return [read[name] for name in names]

    def report(self, log):
        return self.check(OK, "mem", self.file(log), "--llm", "-").stdout

    def table(self, report, heading):
        """The cells of the first table under a heading, without its head."""
        section = report.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
        rows = [line for line in section.splitlines() if line.startswith("|")]
        return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows[2:]]

    def growth(self, document, memory="DRAM"):
        """Own growth in bytes per bank by the op's line."""
        return {g["line"]: g["bytes_per_bank"] for g in document["growth"] if g["memory"] == memory}

    def assert_near(self, figure, expected, what=None):
        self.assertAlmostEqual(figure, expected, delta=ROUNDING, msg=what)

    def assert_live(self, document, expected, memory="DRAM"):
        """`expected`: (program, name, bytes per bank) of every live tensor; nothing may be left unaccounted."""
        live = document["live_at_peak"][memory]
        found = [(t["program"], t["name"], t["bytes_per_bank"]) for t in live["tensors"]]
        self.assertEqual(sorted(found, key=str), sorted(expected, key=str))
        self.assert_near(live["unaccounted_bytes_per_bank"], 0)

    def assert_same_moment(self, records):
        """`memory` and `unpadded_memory` agree; for logs whose tensors all fill their banks evenly."""
        for record in records:
            measured = record["memory"]["DRAM"]["totalBytesAllocatedPerBank_MB"]
            modelled = record["unpadded_memory"]["DRAM"]["padded_MB"] / record["memory"]["DRAM"]["numBanks"]
            self.assertAlmostEqual(modelled, measured, delta=0.001, msg=f"{record['mlir_op']} #{record['index']}")
